#include "evaluator/kernels/index_values.h"

#include <cstring>
#include <limits>

#include "evaluator/kernels/strided_copy.h"

namespace hloscope {
namespace {

template <typename T>
T Load(const uint8_t* element) {
  T value;
  std::memcpy(&value, element, sizeof(T));
  return value;
}

}  // namespace

int64_t ReadIndex(const uint8_t* element, ElementType type) {
  const bool is_signed = IsSigned(type);
  switch (StorageBytes(type)) {
    case 1: return is_signed ? int64_t{Load<int8_t>(element)} : int64_t{*element};
    case 2: return is_signed ? int64_t{Load<int16_t>(element)} : int64_t{Load<uint16_t>(element)};
    case 4: return is_signed ? int64_t{Load<int32_t>(element)} : int64_t{Load<uint32_t>(element)};
    default: break;
  }
  const int64_t value = Load<int64_t>(element);
  return value < 0 && !is_signed ? std::numeric_limits<int64_t>::max() : value;
}

std::vector<int64_t> ReadIndices(const Tensor& tensor) {
  const size_t element_bytes = static_cast<size_t>(tensor.element_bytes());
  std::vector<int64_t> values(static_cast<size_t>(tensor.element_count()));
  std::vector<uint8_t> dense(values.size() * element_bytes);
  DimensionVector strides = RowMajorStrides(tensor.dimensions());
  if (!values.empty()) CopyElements(tensor, dense.data(), strides);
  for (size_t i = 0; i < values.size(); ++i) values[i] = ReadIndex(dense.data() + i * element_bytes, tensor.element_type());
  return values;
}

}  // namespace hloscope
