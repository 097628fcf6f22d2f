// SPDX-License-Identifier: Apache-2.0
// Reading takes time and memory in proportion to the text, however it is broken into lines.
#include <algorithm>
#include <ctime>
#include <string>

#include "core/document/document.h"
#include "gtest/gtest.h"
#include "tests/support/generated_module.h"
#include "tests/support/processor_time.h"

namespace hloscope {
namespace {

// Seconds of processors to parse and verify a megabyte, in one thread or two; the least of several tries.
double SecondsPerMegabyte(const std::string& text) {
  const auto source = SourceText::FromString("t", text);
  double least = 1e9;
  for (int i = 0; i < 5; ++i) {
    const double begin = ProcessSeconds();
    const auto document = Document::Parse(source);
    least = std::min(least, ProcessSeconds() - begin);
  }
  return least / (static_cast<double>(text.size()) / 1e6);
}

TEST(Scaling, GeneratedModulesAreValid) {
  for (const std::string& text : {GenerateModule(100000), GenerateLongInstructions(300000, LineBreaks::kPerElement),
                                  GenerateLongInstructions(300000, LineBreaks::kPerInstruction)}) {
    const auto document = Document::Parse(SourceText::FromString("t", text));
    EXPECT_FALSE(document->has_errors()) << document->diagnostics()[0].Message();
    EXPECT_GE(text.size(), 100000u);
  }
}

// Anything quadratic would take 16 times as long per byte.
TEST(Scaling, TimeIsLinearInTheSize) {
  const double small = SecondsPerMegabyte(GenerateModule(250000));
  const double large = SecondsPerMegabyte(GenerateModule(4000000));
  EXPECT_LT(large, 3 * small);
}

TEST(Scaling, LongLinesTakeNoLonger) {
  const double lines = SecondsPerMegabyte(GenerateLongInstructions(1500000, LineBreaks::kPerElement));
  const double one_line = SecondsPerMegabyte(GenerateLongInstructions(1500000, LineBreaks::kPerInstruction));
  EXPECT_LT(one_line, 2 * lines);
}

// What stays after reading; tests/bench measures the peak.
TEST(Scaling, TablesAreSmall) {
  const std::string text = GenerateModule(1000000);
  const auto document = Document::Parse(SourceText::FromString("t", text));
  const size_t bytes = document->module().MemoryUsage() + document->syntax().MemoryUsage() +
                       document->tokens().MemoryUsage() + text.size();
  EXPECT_LT(bytes, 10 * text.size());
}

}  // namespace
}  // namespace hloscope
