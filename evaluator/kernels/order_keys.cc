#include "evaluator/kernels/order_keys.h"

#include <cstring>
#include <limits>

#include "evaluator/kernels/elementwise_functions.h"

namespace hloscope {
namespace {

template <typename T>
void WidenKeys(const uint8_t* data, int64_t count, int64_t* keys) {
  const T* const values = reinterpret_cast<const T*>(data);
  for (int64_t i = 0; i < count; ++i) keys[i] = static_cast<int64_t>(values[i]);
}

}  // namespace

void OrderKeys(const Tensor& dense, int64_t first, int64_t count, int64_t* keys) {
  const ElementType type = dense.element_type();
  const uint8_t* const data = dense.data() + first * dense.element_bytes();
  const bool is_signed = IsSigned(type);
  switch (dense.element_bytes()) {
    case 1:
      is_signed ? WidenKeys<int8_t>(data, count, keys) : WidenKeys<uint8_t>(data, count, keys);
      break;
    case 2:
      is_signed ? WidenKeys<int16_t>(data, count, keys) : WidenKeys<uint16_t>(data, count, keys);
      break;
    case 4:
      is_signed ? WidenKeys<int32_t>(data, count, keys) : WidenKeys<uint32_t>(data, count, keys);
      break;
    default:
      WidenKeys<int64_t>(data, count, keys);
      break;
  }
  if (type == ElementType::kU64) {
    for (int64_t i = 0; i < count; ++i) keys[i] ^= std::numeric_limits<int64_t>::min();
  } else if (IsFloat(type)) {
    const FloatFormat& format = FloatFormatOf(type);
    const int width = BitWidth(type);
    for (int64_t i = 0; i < count; ++i) {
      keys[i] =
          elementwise::TotalOrderKey(static_cast<uint64_t>(keys[i]), width, format.has_sign, format.has_negative_zero);
    }
  }
}

}  // namespace hloscope
