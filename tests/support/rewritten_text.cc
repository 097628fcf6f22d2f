// SPDX-License-Identifier: Apache-2.0
#include "tests/support/rewritten_text.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/document/document.h"
#include "core/print/printer.h"
#include "gtest/gtest.h"

namespace hloscope {
namespace {

constexpr absl::string_view kAdd = R"(
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
)";

}  // namespace

RewrittenText Rewrite(absl::string_view text, const std::vector<std::string>& passes, const TransformOptions& options) {
  RewrittenText outcome;
  const auto document = Document::Parse(SourceText::FromString("test", std::string(text)));
  for (const Diagnostic& d : document->diagnostics()) {
    if (d.severity == Severity::kError) ADD_FAILURE() << "the test's own module is bad:\n" << text;
  }
  if (document->has_errors()) return outcome;
  auto result = TransformModule(document->module(), passes, options);
  EXPECT_TRUE(result.ok()) << result.status();
  if (!result.ok()) return outcome;
  outcome.result = *std::move(result);
  PrintOptions print = PrintOptions::Short();
  print.metadata = true;
  print.control_predecessors = true;
  outcome.text = PrintModule(outcome.result.module, print);
  for (const Application& a : outcome.result.applications) outcome.patterns.push_back(a.pattern);
  const auto again = Document::Parse(SourceText::FromString("rewritten", outcome.text));
  EXPECT_FALSE(again->has_errors()) << outcome.text;
  const auto twice = TransformModule(again->module(), passes, options);
  EXPECT_TRUE(twice.ok() && !twice->changed) << outcome.text << "\nbecomes\n" << PrintModule(twice->module, print);
  const ModuleCost before = MeasureCost(document->module(), options.target);
  const ModuleCost after = MeasureCost(outcome.result.module, options.target);
  EXPECT_FALSE(before.total.IsLessThan(after.total)) << outcome.text;
  return outcome;
}

std::string WithAdd(absl::string_view computations, absl::string_view header) {
  return absl::StrCat("HloModule m", header, "\n", kAdd, computations);
}

std::string OneReduce(absl::string_view type, absl::string_view operation, absl::string_view extra) {
  return absl::StrReplaceAll(R"(HloModule m
op {
  a = T[] parameter(0)
  b = T[] parameter(1)
  ROOT s = T[] OP
}
ENTRY e {
  p = T[8,16,256] parameter(0)
  init = T[] parameter(1)
  r = T[8,16,8,32] reshape(p)
  ROOT sum = T[8,32] reduce(r, init), dimensions={1,2}, to_apply=opEXTRA
}
)",
                             {{"T[", absl::StrCat(type, "[")}, {"OP", operation}, {"EXTRA", extra}});
}

}  // namespace hloscope
