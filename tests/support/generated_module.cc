// SPDX-License-Identifier: Apache-2.0
#include "tests/support/generated_module.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace hloscope {
namespace {

// Layer `k`: computations, and what the entry does with them. `previous` is the entry's value so far.
void AppendLayer(size_t k, std::string& computations, std::string& entry) {
  const size_t rows = 8 << (k % 4), columns = 16 + k % 7;
  const std::string matrix = absl::StrCat("f32[", rows, ",", columns, "]{1,0}");
  const std::string row = absl::StrCat("f32[", rows, "]{0}");
  const std::string where = absl::StrCat(", metadata={op_type=\"mul\" op_name=\"jit(step)/layers_", k,
                                         "/attention/mul\" source_file=\"model/layers.py\" source_line=", k % 900, "}");
  absl::StrAppend(&computations, "%region_", k, ".add (a.", k, ": f32[], b.", k, ": f32[]) -> f32[] {\n  %a.", k,
                  " = f32[] parameter(0)\n  %b.", k, " = f32[] parameter(1)\n  ROOT %add.", k, " = f32[] add(f32[] %a.",
                  k, ", f32[] %b.", k, ")", where, "\n}\n\n");
  absl::StrAppend(&computations, "%fused_computation.", k, " (param_0.", k, ": f32[", rows, ",", columns, "]) -> f32[",
                  rows, ",", columns, "] {\n");
  absl::StrAppend(&computations, "  %param_0.", k, " = ", matrix, " parameter(0)\n  %constant.", k,
                  " = f32[] constant(", k % 100, ".5)\n  %broadcast.", k, " = ", matrix, " broadcast(f32[] %constant.",
                  k, "), dimensions={}", where, "\n");
  absl::StrAppend(&computations, "  %multiply.", k, " = ", matrix, " multiply(", matrix, " %param_0.", k, ", ", matrix,
                  " %broadcast.", k, ")", where, "\n  %exponential.", k, " = ", matrix, " exponential(", matrix,
                  " %multiply.", k, ")", where, "\n  ROOT %subtract.", k, " = ", matrix, " subtract(", matrix,
                  " %exponential.", k, ", ", matrix, " %param_0.", k, ")", where, "\n}\n\n");
  absl::StrAppend(&entry, "  %arg.", k, " = f32[] constant(", k % 10, ")\n  %filled.", k, " = ", matrix,
                  " broadcast(f32[] %arg.", k, "), dimensions={}", where, "\n  %fusion.", k, " = ", matrix, " fusion(",
                  matrix, " %filled.", k, "), kind=kLoop, calls=%fused_computation.", k, where, "\n");
  absl::StrAppend(&entry, "  %reduce.", k, " = ", row, " reduce(", matrix, " %fusion.", k, ", f32[] %arg.", k,
                  "), dimensions={1}, to_apply=%region_", k, ".add", where, "\n  %slice.", k, " = f32[4]{0} slice(",
                  row, " %reduce.", k, "), slice={[2:6]}", where, "\n");
  absl::StrAppend(&entry, "  %sum.", k, " = f32[4]{0} add(f32[4]{0} %slice.", k, ", f32[4]{0} ",
                  k == 0 ? std::string("%start") : absl::StrCat("%sum.", k - 1), ")", where, "\n");
}

}  // namespace

std::string GenerateModule(size_t bytes) {
  std::string text, entry;
  text.reserve(bytes + bytes / 8);
  text = "HloModule generated\n\n";
  entry = "ENTRY %main (start: f32[4]) -> f32[4] {\n  %start = f32[4]{0} parameter(0)\n";
  size_t k = 0;
  do {
    AppendLayer(k++, text, entry);
  } while (text.size() + entry.size() < bytes);
  absl::StrAppend(&text, entry, "  ROOT %result = f32[4]{0} copy(f32[4]{0} %sum.", k - 1, ")\n}\n");
  return text;
}

std::string GenerateLongInstructions(size_t bytes, LineBreaks breaks) {
  constexpr size_t kLine = 77000;
  const char blank = breaks == LineBreaks::kPerElement ? '\n' : ' ';
  std::string text = "HloModule long\n\nENTRY %main (p: s32[]) -> s32[] {\n  %p = s32[] parameter(0)\n";
  text.reserve(bytes + 4 * kLine);
  const auto append_list = [&](size_t count, absl::string_view separator, auto item) {
    for (size_t i = 0; i < count; ++i) absl::StrAppend(&text, i == 0 ? "" : separator, item(i));
  };
  const std::string separator = absl::StrCat(",", absl::string_view(&blank, 1));
  for (size_t k = 0; text.size() < bytes; ++k) {
    const size_t elements = kLine / 8, operands = kLine / 12;
    absl::StrAppend(&text, "  %c.", k, " = s32[", elements, "]{0} constant({");
    append_list(elements, separator, [](size_t i) { return 100000 + i; });
    absl::StrAppend(&text, "})\n  %t.", k, " = (");
    append_list(operands, separator, [](size_t) { return "s32[]"; });
    text += ") tuple(";
    append_list(operands, separator, [](size_t) { return "%p"; });
    absl::StrAppend(&text, ")\n  %g.", k, " = s32[] get-tuple-element(%t.", k, "), index=7\n");
  }
  text += "  ROOT %r = s32[] copy(%p)\n}\n";
  return text;
}

}  // namespace hloscope
