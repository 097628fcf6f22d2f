// SPDX-License-Identifier: Apache-2.0
// Figures of README.md that hold on every machine of today; the others are in the benchmarks that it names.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/document/document.h"
#include "core/source/source_text.h"
#include "tests/support/processor_time.h"
#include "tests/support/shared_files.h"
#include "tests/support/time_limit.h"

namespace hloscope {
namespace {

TEST(ReadmeFigures, FourMegabytesAreReadInferredAndVerifiedInAHundredMilliseconds) {
  SKIP_WITHOUT_SHARED_FILES();
  const std::string text = ReadFileOrDie(CorpusFile("xla-benchmarks/hlo_mixtral_8x7b_bf16_2x8.hlo"));
  ASSERT_GE(text.size(), 4'000'000u);
  const auto source = SourceText::FromString("module.hlo", text);
  double least = 1e9;
  for (int i = 0; i < 5; ++i) {
    const double begin = ProcessorSeconds();
    const auto document = Document::Parse(source);
    least = std::min(least, ProcessorSeconds() - begin);
    ASSERT_EQ(document->error_count(), 0);
  }
  EXPECT_LT(least, TimeLimit(0.1));
}

}  // namespace
}  // namespace hloscope
