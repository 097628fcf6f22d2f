// SPDX-License-Identifier: Apache-2.0
#include "numerics/sorting/value_sort.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <type_traits>

#include "numerics/parallel/parallel_loop.h"
#include "numerics/sorting/key_sort.h"

namespace hloscope::numerics {
namespace {

constexpr double kValueKeyNanoseconds = 1;  // of a key that is made, or turned into an element

// Keys of integers: their values, moved to where those of 32 bits without a sign fit.
template <typename T>
struct IntegerKeys {
  using Bits = T;
  static constexpr int32_t kOffset = std::is_same_v<T, uint32_t> ? std::numeric_limits<int32_t>::min() : 0;
  static int32_t KeyOf(T x) { return static_cast<int32_t>(x) ^ kOffset; }
  static T ElementOf(int32_t key) { return static_cast<T>(key ^ kOffset); }
  static bool IsNan(int32_t) { return false; }
};

// Keys of floats, whose bits are a sign and a size: 0 of +0, -1 of -0.
template <typename T, int32_t kInfinity>
struct FloatBitKeys {
  using Bits = T;
  static int32_t Turned(int32_t x) { return x ^ ((x >> 31) & std::numeric_limits<T>::max()); }
  static int32_t KeyOf(T x) { return Turned(x); }
  static T ElementOf(int32_t key) { return static_cast<T>(Turned(key)); }
  static bool IsNan(int32_t key) { return (key ^ (key >> 31)) > kInfinity; }
};

// Writes the keys of the zeros of the line, which are [first, end) of the sorted ones, in the order of the line.
template <typename Keys>
void KeepOrderOfZeros(const typename Keys::Bits* line, int32_t flip, int32_t* first, const int32_t* end) {
  for (int64_t i = 0; first != end; ++i) {
    const int32_t key = Keys::KeyOf(line[i]);
    if (key == 0 || key == -1) *first++ = key ^ flip;
  }
}

Outcome SortByOrder(const StrictOrder& by, const uint8_t* line, int64_t length, uint8_t* sorted, Executor& executor) {
  const std::unique_ptr<int64_t[]> order(new int64_t[static_cast<size_t>(length)]);
  if (Outcome outcome = OrderLine(by, line, length, order.get(), executor); !outcome.ok()) return outcome;
  return PermuteLine(StorageBytes(by.type), line, sorted, length, order.get(), executor);
}

template <typename Keys>
Outcome SortByKeys(const StrictOrder& by, const uint8_t* line, int64_t length, uint8_t* sorted, Executor& executor) {
  using Bits = typename Keys::Bits;
  const Bits* const from = reinterpret_cast<const Bits*>(line);
  Bits* const to = reinterpret_cast<Bits*>(sorted);
  const int32_t flip = by.descending ? -1 : 0;
  constexpr int64_t kFew = 256;  // short lines are many, and should not wait for memory
  int32_t few[kFew];
  const std::unique_ptr<int32_t[]> many(length > kFew ? new int32_t[static_cast<size_t>(length)] : nullptr);
  int32_t* const keys = many != nullptr ? many.get() : few;
  std::atomic<bool> has_nan = false;
  Outcome outcome = ParallelLoop(executor, length, kValueKeyNanoseconds, [&](int64_t begin, int64_t end) {
    bool nan = false;
    for (int64_t i = begin; i < end; ++i) {
      const int32_t key = Keys::KeyOf(from[i]);
      nan |= Keys::IsNan(key);
      keys[i] = key ^ flip;
    }
    if (nan) has_nan = true;
  });
  if (!outcome.ok()) return outcome;
  const bool by_value = IsFloat(by.type) && !by.total_order;
  // A NaN is before nothing: where it stays depends on what it is compared with.
  if (by_value && has_nan) return SortByOrder(by, line, length, sorted, executor);
  outcome = SortKeys(keys, length, executor);
  if (!outcome.ok()) return outcome;
  if (by_value) {
    int32_t* const zeros = std::lower_bound(keys, keys + length, -1);
    int32_t* const middle = std::lower_bound(zeros, keys + length, 0);
    int32_t* const end = std::lower_bound(middle, keys + length, 1);
    if (zeros != middle && middle != end) KeepOrderOfZeros<Keys>(from, flip, zeros, end);
  }
  return ParallelLoop(executor, length, kValueKeyNanoseconds, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) to[i] = Keys::ElementOf(keys[i] ^ flip);
  });
}

}  // namespace

Outcome SortLine(const StrictOrder& by, const uint8_t* line, int64_t length, uint8_t* sorted, Executor& executor) {
  if (by.canonical) {
    // Where no element is another one than itself, equal ones have the same bits.
    const StrictOrder total = {by.type, by.descending, /*total_order=*/true};
    const std::unique_ptr<uint8_t[]> canonical(new uint8_t[static_cast<size_t>(length * StorageBytes(by.type))]);
    bool has_others = false;
    const Outcome outcome = CopyCanonical(by.type, line, length, canonical.get(), &has_others, executor);
    if (!outcome.ok()) return outcome;
    return has_others ? SortByOrder(by, line, length, sorted, executor)
                      : SortLine(total, line, length, sorted, executor);
  }
  const auto sort_by = [&](auto keys) { return SortByKeys<decltype(keys)>(by, line, length, sorted, executor); };
  switch (by.type) {
    case ElementType::kS8:
      return sort_by(IntegerKeys<int8_t>());
    case ElementType::kU8:
      return sort_by(IntegerKeys<uint8_t>());
    case ElementType::kS16:
      return sort_by(IntegerKeys<int16_t>());
    case ElementType::kU16:
      return sort_by(IntegerKeys<uint16_t>());
    case ElementType::kS32:
      return sort_by(IntegerKeys<int32_t>());
    case ElementType::kU32:
      return sort_by(IntegerKeys<uint32_t>());
    case ElementType::kF32:
      return sort_by(FloatBitKeys<int32_t, 0x7f800000>());
    case ElementType::kBF16:
      return sort_by(FloatBitKeys<int16_t, 0x7f80>());
    case ElementType::kF16:
      return sort_by(FloatBitKeys<int16_t, 0x7c00>());
    default:
      return SortByOrder(by, line, length, sorted, executor);
  }
}

}  // namespace hloscope::numerics
