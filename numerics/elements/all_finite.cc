#include "numerics/elements/all_finite.h"

#include <atomic>
#include <cstring>

#include "numerics/parallel/parallel_loop.h"

namespace hloscope {
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

bool AllFinite(const Tensor& tensor, KernelRuntime& runtime) {
  const ElementType component = ComplexComponent(tensor.element_type());
  if (component != ElementType::kF32 && component != ElementType::kF64) return true;
  const int64_t count = tensor.element_count() * (IsComplex(tensor.element_type()) ? 2 : 1);
  const uint8_t* const bytes = tensor.data();
  std::atomic<bool> finite = true;
  const absl::Status status = ParallelLoop(runtime, count, 0.4, [&](int64_t begin, int64_t end) {
    const bool part = component == ElementType::kF32 ? AllFiniteBits<uint32_t>(bytes, 0x7f800000u, begin, end)
                                                     : AllFiniteBits<uint64_t>(bytes, 0x7ff0000000000000u, begin, end);
    if (!part) finite = false;
  });
  return status.ok() && finite;
}

}  // namespace hloscope
