// Stands for the evaluator's header in compiled programs: a dense array that somebody else owns.
#ifndef HLOSCOPE_EVALUATOR_TENSOR_TENSOR_H_
#define HLOSCOPE_EVALUATOR_TENSOR_TENSOR_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "core/ir/element_type.h"

namespace hloscope {

using DimensionVector = std::vector<int64_t>;

class Tensor {
 public:
  Tensor() = default;
  Tensor(ElementType type, DimensionVector dimensions, const void* data)
      : type_(type), dimensions_(std::move(dimensions)), data_(static_cast<const uint8_t*>(data)) {}
  ElementType element_type() const { return type_; }
  int64_t rank() const { return static_cast<int64_t>(dimensions_.size()); }
  const DimensionVector& dimensions() const { return dimensions_; }
  int64_t dimension(int64_t d) const { return dimensions_[static_cast<size_t>(d)]; }
  int64_t element_count() const {
    int64_t count = 1;
    for (int64_t size : dimensions_) count *= size;
    return count;
  }
  const uint8_t* data() const { return data_; }
  template <typename T>
  const T* data_as() const {
    return reinterpret_cast<const T*>(data_);
  }

 private:
  ElementType type_ = ElementType::kInvalid;
  DimensionVector dimensions_;
  const uint8_t* data_ = nullptr;
};

}  // namespace hloscope

#endif  // HLOSCOPE_EVALUATOR_TENSOR_TENSOR_H_
