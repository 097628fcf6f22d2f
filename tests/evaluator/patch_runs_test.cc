// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/patch_runs.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "gtest/gtest.h"

namespace hloscope {
namespace {

// Inputs of exactly as many bytes as may be read: sanitizers see where a copy reads or writes beyond them.
void ExpectRunIsCopied(int64_t size, int64_t begin, int64_t end) {
  constexpr int64_t kFeatureStride = 1000, kLine = 200;
  const std::vector<int64_t> elements = {0, 4, 36, 8};
  const int64_t count = std::ssize(elements);
  const int64_t features = (end - 1) / count + 1;
  std::vector<uint8_t> inputs(static_cast<size_t>((features - 1) * kFeatureStride + 36 + size));
  std::iota(inputs.begin(), inputs.end(), uint8_t{0});
  for (size_t i = 0; i < inputs.size(); ++i) inputs[i] = static_cast<uint8_t>(inputs[i] * 31 + i / 256);
  std::vector<uint8_t> copied(static_cast<size_t>((end - begin - 1) * kLine + size), uint8_t{1}), expected = copied;
  for (int64_t k = begin; k < end; ++k) {
    const auto from = inputs.begin() + k / count * kFeatureStride + elements[static_cast<size_t>(k % count)];
    std::copy_n(from, size, expected.begin() + (k - begin) * kLine);
  }
  numerics::CopyPatchRun({inputs.data(), kFeatureStride, elements.data(), count, begin, end, size}, kLine,
                         copied.data());
  ASSERT_EQ(copied, expected) << size << " bytes of lines " << begin << " to " << end;
}

TEST(PatchRunsTest, RunsOfEverySizeAreCopiedAndNothingBesideThem) {
  for (int64_t size = 4; size <= 128; size += 4) {
    ExpectRunIsCopied(size, 0, 8);
    ExpectRunIsCopied(size, 3, 10);
    ExpectRunIsCopied(size, 6, 7);
  }
}

}  // namespace
}  // namespace hloscope
