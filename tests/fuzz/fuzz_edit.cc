// SPDX-License-Identifier: Apache-2.0
// Random edits of a text: the document after an edit equals the new text read from scratch.
//
// The input is a text, and after its first byte 0xFF a list of edits of five bytes each: two for where it begins, one
// for how much it removes, one for which of some snippets it inserts, one spare that ends a batch if odd.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "core/document/document.h"
#include "core/print/printer.h"

namespace {

constexpr int kMaxBatches = 32;
constexpr size_t kMaxDescription = 1 << 20;

constexpr const char* kSnippets[] = {"",
                                     " ",
                                     "\n",
                                     "{",
                                     "}",
                                     "(",
                                     ")",
                                     "\"",
                                     "/*",
                                     "*/",
                                     ",",
                                     "%a",
                                     "=",
                                     "ROOT ",
                                     "#",
                                     "x",
                                     "f32[2]",
                                     "0",
                                     "add",
                                     "//",
                                     "ENTRY",
                                     "a = s32[] constant(1)\n",
                                     "}\nENTRY z {\n",
                                     "parameter(0)"};

std::string Describe(const hloscope::Document& document) {
  std::string out;
  for (const hloscope::Diagnostic& d : document.diagnostics()) {
    absl::StrAppend(&out, d.range.begin, "-", d.range.end, " ", d.code(), " ", d.Message(), "\n");
  }
  absl::StrAppend(&out, hloscope::PrintModule(document.module(), hloscope::PrintOptions::Long()));
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const uint8_t* split = std::find(data, data + size, 0xFF);
  std::string text(reinterpret_cast<const char*>(data), split - data);
  auto document = hloscope::Document::Parse(hloscope::SourceText::FromString("fuzz", std::move(text)));
  std::vector<hloscope::TextEdit> batch;
  int batches = 0;
  for (const uint8_t* p = split + 1; p + 5 <= data + size && batches < kMaxBatches; p += 5) {
    const uint32_t length = document->source().size();
    const uint32_t begin = std::min<uint32_t>(p[0] + 256u * p[1], length);
    const uint32_t end = std::min<uint32_t>(begin + p[2] % 32, length);
    const bool overlaps = std::any_of(batch.begin(), batch.end(), [&](const hloscope::TextEdit& other) {
      return begin <= other.range.end && other.range.begin <= end;
    });
    if (!overlaps) batch.push_back({{begin, end}, kSnippets[p[3] % std::size(kSnippets)]});
    if (p[4] % 2 == 0 && p + 10 <= data + size) continue;
    document = document->WithEdit(batch);
    batch.clear();
    ++batches;
    const auto fresh =
        hloscope::Document::Parse(hloscope::SourceText::FromString("fuzz", std::string(document->source().text())));
    const std::string incremental = Describe(*document), scratch = Describe(*fresh);
    if (incremental != scratch) {
      std::fprintf(stderr, "--- after an edit:\n%s\n--- from scratch:\n%s\n", incremental.c_str(), scratch.c_str());
      __builtin_trap();
    }
    if (scratch.size() > kMaxDescription) return 0;  // tuples that double
  }
  return 0;
}
