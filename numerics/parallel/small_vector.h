// SPDX-License-Identifier: Apache-2.0
// Short lists without memory of their own, such as the sizes of an array.
#ifndef HLOSCOPE_NUMERICS_PARALLEL_SMALL_VECTOR_H_
#define HLOSCOPE_NUMERICS_PARALLEL_SMALL_VECTOR_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

namespace hloscope::numerics {

// As std::vector, but up to `kInline` elements are part of the object. For elements that are only copied.
template <typename T, size_t kInline>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using value_type = T;

  SmallVector() = default;
  explicit SmallVector(size_t size, const T& value = T()) {
    Reserve(size);
    std::fill_n(data(), size, value);
    size_ = size;
  }
  template <std::input_iterator Iterator>
  SmallVector(Iterator first, Iterator last) {
    assign(first, last);
  }
  SmallVector(std::initializer_list<T> values) : SmallVector(values.begin(), values.end()) {}
  SmallVector(const SmallVector& other) : SmallVector(other.begin(), other.end()) {}
  SmallVector(SmallVector&& other) noexcept
      : size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, kInline)),
        many_(std::move(other.many_)) {
    std::copy_n(other.few_, kInline, few_);
  }
  SmallVector& operator=(SmallVector other) noexcept {
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    std::swap(many_, other.many_);
    std::copy_n(other.few_, kInline, few_);
    return *this;
  }

  template <typename Iterator>
  void assign(Iterator first, Iterator last) {
    size_ = 0;
    Reserve(static_cast<size_t>(std::distance(first, last)));
    for (; first != last; ++first) data()[size_++] = *first;
  }
  void push_back(const T& value) {
    const T copy = value;  // may be one of the elements
    Reserve(size_ + 1);
    data()[size_++] = copy;
  }
  void pop_back() { --size_; }
  void erase(T* position) {
    std::copy(position + 1, end(), position);
    --size_;
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return many_ != nullptr ? many_.get() : few_; }
  const T* data() const { return many_ != nullptr ? many_.get() : few_; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](size_t i) { return data()[i]; }
  const T& operator[](size_t i) const { return data()[i]; }
  T& front() { return data()[0]; }
  const T& front() const { return data()[0]; }
  T& back() { return data()[size_ - 1]; }
  const T& back() const { return data()[size_ - 1]; }

 private:
  // Keeps the elements.
  void Reserve(size_t size) {
    if (size <= capacity_) return;
    const size_t capacity = std::max(size, 2 * capacity_);
    std::unique_ptr<T[]> larger(new T[capacity]);
    std::copy_n(data(), size_, larger.get());
    many_ = std::move(larger);
    capacity_ = capacity;
  }

  size_t size_ = 0, capacity_ = kInline;
  std::unique_ptr<T[]> many_;  // null: the elements are in few_
  T few_[kInline] = {};
};

// Sizes, strides or indices, by dimension.
using DimensionVector = SmallVector<int64_t, 6>;

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_PARALLEL_SMALL_VECTOR_H_
