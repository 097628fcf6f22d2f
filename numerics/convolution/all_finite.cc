// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/all_finite.h"

#include <atomic>
#include <cstring>

#include "numerics/parallel/parallel_loop.h"

namespace hloscope::numerics {
namespace {

// On the bits, without branches: so that the loop vectorises.
template <typename Bits>
bool AllFiniteBits(const uint8_t* bytes, Bits exponent, int64_t begin, int64_t end) {
  Bits found = 0;
  for (int64_t i = begin; i < end; ++i) {
    Bits bits;
    std::memcpy(&bits, bytes + i * static_cast<int64_t>(sizeof bits), sizeof bits);
    found |= static_cast<Bits>((bits & exponent) == exponent ? 1 : 0);
  }
  return found == 0;
}

}  // namespace

bool AllFinite(ElementType type, const uint8_t* elements, int64_t count, Executor& executor) {
  const ElementType component = type == ElementType::kBF16 ? type : ComplexComponent(type);
  if (component != ElementType::kBF16 && component != ElementType::kF32 && component != ElementType::kF64) return true;
  const int64_t parts = count * (IsComplex(type) ? 2 : 1);
  std::atomic<bool> finite = true;
  const Outcome outcome = ParallelLoop(executor, parts, 0.4, [&](int64_t begin, int64_t end) {
    const bool part = component == ElementType::kBF16 ? AllFiniteBits<uint16_t>(elements, 0x7f80, begin, end)
                      : component == ElementType::kF32
                          ? AllFiniteBits<uint32_t>(elements, 0x7f800000u, begin, end)
                          : AllFiniteBits<uint64_t>(elements, 0x7ff0000000000000u, begin, end);
    if (!part) finite = false;
  });
  return outcome.ok() && finite;
}

}  // namespace hloscope::numerics
