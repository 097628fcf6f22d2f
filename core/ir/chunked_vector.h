// SPDX-License-Identifier: Apache-2.0
// A vector in chunks that copies share.
//
// A copy costs one reference per chunk; writing to a chunk that another copy shares copies that chunk first. So the
// versions of a module that follow each other while a text is edited share what the edits did not touch. References to
// elements stay valid while elements are added.
#ifndef HLOSCOPE_CORE_IR_CHUNKED_VECTOR_H_
#define HLOSCOPE_CORE_IR_CHUNKED_VECTOR_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/types/span.h"

namespace hloscope {

// Copies may be read from several threads at once; each copy is written from one thread only.
template <typename T>
class ChunkedVector {
 public:
  ChunkedVector() = default;
  // The copy must not write to the last chunk before it has made it its own; see `tail_`.
  ChunkedVector(const ChunkedVector& other) : chunks_(other.chunks_), size_(other.size_) {}
  ChunkedVector& operator=(const ChunkedVector& other) {
    if (this == &other) return *this;
    chunks_ = other.chunks_;
    size_ = other.size_;
    tail_ = nullptr;
    return *this;
  }
  ChunkedVector(ChunkedVector&& other) noexcept { swap(other); }
  ChunkedVector& operator=(ChunkedVector&& other) noexcept {
    ChunkedVector moved(std::move(other));
    swap(moved);
    return *this;
  }
  void swap(ChunkedVector& other) noexcept {
    chunks_.swap(other.chunks_);
    std::swap(size_, other.size_);
    std::swap(tail_, other.tail_);
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& operator[](size_t i) const { return chunks_[i >> kShift].get()[i & kMask]; }
  const T& back() const { return (*this)[size_ - 1]; }

  // For writing; copies the chunk if it is shared.
  T& Mutable(size_t i) {
    Chunk& chunk = chunks_[i >> kShift];
    if (chunk.use_count() > 1) {
      const bool is_tail = (i >> kShift) + 1 == chunks_.size();
      chunk = CopyOf(chunk, is_tail ? size_ - (i & ~kMask) : kChunkSize);
      if (is_tail) tail_ = chunk.get();
    }
    return chunk.get()[i & kMask];
  }

  template <typename... Args>
  T& emplace_back(Args&&... args) {
    if (tail_ == nullptr || (size_ & kMask) == 0) PrepareTail();
    T& place = tail_[size_++ & kMask];
    place = T{std::forward<Args>(args)...};
    return place;
  }
  void push_back(T value) {
    if (tail_ == nullptr || (size_ & kMask) == 0) PrepareTail();
    tail_[size_++ & kMask] = std::move(value);
  }

  // Appends the values as a run that Run() can return; yields its first index. May leave unused elements before it.
  size_t AppendRun(absl::Span<const T> values) {
    if (values.size() > kChunkSize - (size_ & kMask) && (size_ & kMask) != 0) PadToChunk();
    const size_t first = size_;
    if (values.size() <= kChunkSize) {
      if (values.empty()) return first;
      if (tail_ == nullptr || (size_ & kMask) == 0) PrepareTail();
      std::copy(values.begin(), values.end(), tail_ + (size_ & kMask));
      size_ += values.size();
      return first;
    }
    // A block over several chunks.
    const size_t count = (values.size() + kMask) >> kShift;
    const Chunk block = NewChunk(count << kShift);
    std::copy(values.begin(), values.end(), block.get());
    for (size_t k = 0; k < count; ++k) chunks_.push_back(Chunk(block, block.get() + (k << kShift)));
    size_ += values.size();
    tail_ = chunks_.back().get();  // what is padded is the block, not the chunk in front of it
    PadToChunk();
    return first;
  }
  // Elements that were appended as one run (or lie in it).
  absl::Span<const T> Run(size_t first, size_t count) const {
    return count == 0 ? absl::Span<const T>() : absl::Span<const T>(&(*this)[first], count);
  }
  // Appends to the run [first, first + count), which must be at the end; moves it if it meets the end of its chunk.
  // Runs that grow this way have at most kChunkSize elements.
  void GrowRun(uint32_t* first, size_t count, T value) {
    if (count > 0 && (size_ & kMask) == 0) {
      const std::vector<T> moved(&(*this)[*first], &(*this)[*first] + count);
      *first = static_cast<uint32_t>(AppendRun(moved));
    } else if (count == 0) {
      *first = static_cast<uint32_t>(size_);
    }
    push_back(std::move(value));
  }

  // Replaces elements [first, last) by `values`; later elements move. No runs may be in use.
  void Splice(size_t first, size_t last, absl::Span<const T> values) {
    ChunkedVector tail;
    for (size_t i = last; i < size_; ++i) tail.push_back((*this)[i]);
    Truncate(first);
    for (const T& value : values) push_back(value);
    for (size_t i = 0; i < tail.size(); ++i) push_back(tail[i]);
  }

  // Calls change(T*) on every element for which wanted(const T&) holds, after copying what is shared; runs stay runs.
  template <typename Wanted, typename Change>
  void ChangeIf(Wanted wanted, Change change) {
    for (size_t k = 0; k < chunks_.size();) {
      size_t end = k + 1;  // of the chunks in the same block
      while (end < chunks_.size() && chunks_[end].get() == chunks_[k].get() + ((end - k) << kShift) &&
             !chunks_[k].owner_before(chunks_[end]) && !chunks_[end].owner_before(chunks_[k])) {
        ++end;
      }
      const size_t used = std::min(size_, end << kShift) - (k << kShift);
      const T* const elements = chunks_[k].get();
      const T* const found = std::find_if(elements, elements + used, wanted);
      if (found != elements + used) {
        const bool is_own = end == k + 1 && chunks_[k].use_count() == 1;
        const Chunk block = is_own ? chunks_[k] : CopyOf(chunks_[k], used, (end - k) << kShift);
        for (size_t i = static_cast<size_t>(found - elements); i < used; ++i) {
          if (wanted(block.get()[i])) change(&block.get()[i]);
        }
        for (size_t c = k; c < end; ++c) chunks_[c] = Chunk(block, block.get() + ((c - k) << kShift));
      }
      k = end;
    }
    tail_ = nullptr;
  }

  void reserve(size_t n) { chunks_.reserve((n >> kShift) + 1); }
  size_t MemoryUsage() const { return chunks_.size() * kChunkSize * sizeof(T) + chunks_.capacity() * sizeof(Chunk); }

  class const_iterator {
   public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = const T*;
    using reference = const T&;

    const_iterator() = default;
    const_iterator(const ChunkedVector* vector, size_t index) : vector_(vector), index_(index) {}
    reference operator*() const { return (*vector_)[index_]; }
    pointer operator->() const { return &(*vector_)[index_]; }
    reference operator[](difference_type n) const { return (*vector_)[index_ + static_cast<size_t>(n)]; }
    const_iterator& operator++() {
      ++index_;
      return *this;
    }
    const_iterator operator++(int) { return const_iterator(vector_, index_++); }
    const_iterator& operator--() {
      --index_;
      return *this;
    }
    const_iterator& operator+=(difference_type n) {
      index_ += static_cast<size_t>(n);
      return *this;
    }
    friend const_iterator operator+(const_iterator it, difference_type n) { return it += n; }
    friend const_iterator operator-(const_iterator it, difference_type n) { return it += -n; }
    friend difference_type operator-(const_iterator a, const_iterator b) {
      return static_cast<difference_type>(a.index_) - static_cast<difference_type>(b.index_);
    }
    friend bool operator==(const_iterator a, const_iterator b) { return a.index_ == b.index_; }
    friend bool operator<(const_iterator a, const_iterator b) { return a.index_ < b.index_; }

   private:
    const ChunkedVector* vector_ = nullptr;
    size_t index_ = 0;
  };
  const_iterator begin() const { return const_iterator(this, 0); }
  const_iterator end() const { return const_iterator(this, size_); }

 private:
  using Chunk = std::shared_ptr<T[]>;

  // Chunks of elements that own memory are small: copying one copies them all.
  static constexpr size_t kChunkBytes = std::is_trivially_copyable_v<T> ? 16384 : 4096;
  static constexpr size_t Shift() {
    size_t shift = 2;
    while ((sizeof(T) << (shift + 1)) <= kChunkBytes) ++shift;
    return shift;
  }
  static constexpr size_t kShift = Shift();
  static constexpr size_t kChunkSize = size_t{1} << kShift;
  static constexpr size_t kMask = kChunkSize - 1;

  static Chunk NewChunk(size_t size) { return std::make_shared_for_overwrite<T[]>(size); }
  static Chunk CopyOf(const Chunk& chunk, size_t used, size_t size = kChunkSize) {
    Chunk copy = NewChunk(size);
    std::copy(chunk.get(), chunk.get() + used, copy.get());
    return copy;
  }

  // Makes the chunk that the next element goes to writable.
  void PrepareTail() {
    if ((size_ & kMask) == 0) {
      chunks_.push_back(NewChunk(kChunkSize));
    } else if (chunks_.back().use_count() > 1) {
      chunks_.back() = CopyOf(chunks_.back(), size_ & kMask);
    }
    tail_ = chunks_.back().get();
  }
  // Elements added this way hold nothing of interest, but they may be read.
  void PadToChunk() {
    while ((size_ & kMask) != 0) {
      if (tail_ == nullptr) {
        size_ += kChunkSize - (size_ & kMask);
        return;
      }
      tail_[size_++ & kMask] = T();
    }
  }
  void Truncate(size_t size) {
    chunks_.resize((size + kMask) >> kShift);
    size_ = size;
    tail_ = nullptr;
  }

  std::vector<Chunk> chunks_;
  size_t size_ = 0;
  // Elements of the last chunk if this vector may write to it: it made it and has not been copied from it.
  T* tail_ = nullptr;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_IR_CHUNKED_VECTOR_H_
