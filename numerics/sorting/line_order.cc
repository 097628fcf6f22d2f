// SPDX-License-Identifier: Apache-2.0
#include "numerics/sorting/line_order.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "numerics/elements/element_bits.h"
#include "numerics/elements/elementwise_functions.h"
#include "numerics/elements/float_conversion.h"
#include "numerics/elements/numeric.h"
#include "numerics/parallel/parallel_loop.h"
#include "numerics/parallel/vector_loops.h"
#include "numerics/sorting/merge_sort.h"
#include "numerics/sorting/radix_order.h"

namespace hloscope::numerics {
namespace {

// Of an element that is read from anywhere, of a key that is made, on one thread.
constexpr double kPermuteNanoseconds = 8, kKeyNanoseconds = 4;

// Bytes are numbers here.
// NOLINTBEGIN(bugprone-signed-char-misuse)
template <typename T>
void WidenKeys(const uint8_t* data, int64_t count, int64_t* keys) {
  const T* const values = reinterpret_cast<const T*>(data);
  for (int64_t i = 0; i < count; ++i) keys[i] = static_cast<int64_t>(values[i]);
}

// Keys of floats with a sign and a -0 that fill their storage: all bits but the sign of negative ones are flipped,
// which is elementwise::TotalOrderKey.
#define HLOSCOPE_FLOAT_KEYS(Bits)                                                         \
  HLOSCOPE_VECTOR_CLONES void FloatKeys(const Bits* bits, int64_t count, int64_t* keys) { \
    constexpr Bits kMagnitude = std::numeric_limits<Bits>::max();                         \
    for (int64_t i = 0; i < count; ++i) {                                                 \
      keys[i] = static_cast<Bits>(bits[i] ^ (bits[i] < 0 ? kMagnitude : Bits{0}));        \
    }                                                                                     \
  }
HLOSCOPE_FLOAT_KEYS(int8_t)
HLOSCOPE_FLOAT_KEYS(int16_t)
HLOSCOPE_FLOAT_KEYS(int32_t)
HLOSCOPE_FLOAT_KEYS(int64_t)
#undef HLOSCOPE_FLOAT_KEYS
// NOLINTEND(bugprone-signed-char-misuse)

// False if the type has other keys.
bool PlainFloatKeys(ElementType type, const uint8_t* data, int64_t count, int64_t* keys) {
  const int64_t bytes = StorageBytes(type);
  if (!IsFloat(type) || BitWidth(type) != 8 * bytes) return false;
  if (const FloatFormat& format = FloatFormatOf(type); !format.has_sign || !format.has_negative_zero) return false;
  switch (bytes) {
    case 1:
      FloatKeys(reinterpret_cast<const int8_t*>(data), count, keys);
      return true;
    case 2:
      FloatKeys(reinterpret_cast<const int16_t*>(data), count, keys);
      return true;
    case 4:
      FloatKeys(reinterpret_cast<const int32_t*>(data), count, keys);
      return true;
    case 8:
      FloatKeys(reinterpret_cast<const int64_t*>(data), count, keys);
      return true;
    default:
      return false;
  }
}

// `infinity`: the bits of that number.
#define HLOSCOPE_CANONICAL(Bits)                                                                            \
  HLOSCOPE_VECTOR_CLONES bool CopyCanonicalBits(const Bits* from, int64_t count, Bits infinity, Bits* to) { \
    const Bits magnitude = static_cast<Bits>(static_cast<Bits>(~Bits{0}) >> 1);                             \
    Bits changed = 0;                                                                                       \
    for (int64_t i = 0; i < count; ++i) {                                                                   \
      const Bits size = from[i] & magnitude;                                                                \
      const Bits bits = size > infinity ? magnitude : size == 0 ? Bits{0} : from[i];                        \
      changed |= bits ^ from[i];                                                                            \
      to[i] = bits;                                                                                         \
    }                                                                                                       \
    return changed != 0;                                                                                    \
  }
HLOSCOPE_CANONICAL(uint16_t)
HLOSCOPE_CANONICAL(uint32_t)
HLOSCOPE_CANONICAL(uint64_t)
#undef HLOSCOPE_CANONICAL

// The values of floats.
void WidenFloats(ElementType type, const uint8_t* data, int64_t count, double* values) {
  const auto widen = [&](auto bits, const auto& value_of) {
    const auto* const from = reinterpret_cast<const decltype(bits)*>(data);
    for (int64_t i = 0; i < count; ++i) values[i] = static_cast<double>(value_of(from[i]));
  };
  switch (type) {
    case ElementType::kF64:
      return widen(double{}, [](double x) { return x; });
    case ElementType::kF32:
      return widen(float{}, [](float x) { return x; });
    case ElementType::kBF16:
      return widen(uint16_t{}, &Bf16ToFloat);
    case ElementType::kF16:
      return widen(uint16_t{}, &F16ToFloat);
    default:
      return widen(uint8_t{}, [type](uint8_t x) { return DecodeFloat(type, x); });
  }
}

// Keys of at most 32 bits whose ascending order is that of `by`, ties included; false if there are none because of a
// NaN, which is before nothing.
bool LoadRadixKeys(const StrictOrder& by, const uint8_t* data, int64_t count, std::vector<int64_t>& wide,
                   uint32_t* keys) {
  wide.resize(static_cast<size_t>(count));
  OrderKeys(by.type, data, count, wide.data());
  if (IsFloat(by.type) && !by.total_order) {
    // Both zeros are one; NaNs are beyond the infinities.
    const int64_t infinity = by.type == ElementType::kF32    ? 0x7f800000
                             : by.type == ElementType::kBF16 ? 0x7f80
                                                             : 0x7c00;
    bool has_nan = false;
    for (int64_t& key : wide) {
      key = key < 0 ? key + 1 : key;  // the key of -0 is one below that of +0
      has_nan |= key > infinity || key < -infinity;
    }
    if (has_nan) return false;
  }
  const uint32_t bias = uint32_t{1} << (std::min(BitWidth(by.type), 32) - 1);
  const uint32_t mask = bias | (bias - 1);
  const uint32_t flip = by.descending ? mask : 0;
  const uint32_t offset = IsUnsigned(by.type) ? 0 : bias;
  for (size_t j = 0; j < wide.size(); ++j) keys[j] = ((static_cast<uint32_t>(wide[j]) + offset) & mask) ^ flip;
  return true;
}

// Room for `count` elements, touched for the first time by whoever writes them.
template <typename T>
class Room {
 public:
  explicit Room(int64_t count) : many_(count > kFew ? new T[static_cast<size_t>(count)] : nullptr) {}
  T* get() { return many_ != nullptr ? many_.get() : few_; }

 private:
  static constexpr int64_t kFew = 64;  // short lines are many, and should not wait for memory
  T few_[kFew];
  std::unique_ptr<T[]> many_;
};

template <typename Key>
struct KeyedPosition {
  Key key;
  int64_t position;
};

// `load(first, count, keys)` fills in the keys of elements [first, first + count).
template <typename Key, typename Load>
Outcome OrderByKeys(bool descending, int64_t length, const Load& load, int64_t* order, Executor& executor) {
  using Keyed = KeyedPosition<Key>;
  Room<Key> key_room(length);
  Room<Keyed> line_room(length), scratch(length);
  Key* const keys = key_room.get();
  Keyed* const line = line_room.get();
  Outcome outcome = SerialLoop(executor, length, kKeyNanoseconds, [&](int64_t begin, int64_t end) {
    load(begin, end - begin, keys + begin);
    for (int64_t j = begin; j < end; ++j) line[j] = {keys[j], j};
  });
  if (!outcome.ok()) return outcome;
  CancellationPoll poll(executor);
  const auto sort = [&](const auto& before) { return MergeSort(line, scratch.get(), length, before, poll); };
  const bool sorted = descending ? sort([](const Keyed& a, const Keyed& b) { return a.key > b.key; })
                                 : sort([](const Keyed& a, const Keyed& b) { return a.key < b.key; });
  if (!sorted) return Outcome::kCancelled;
  return SerialLoop(executor, length, kKeyNanoseconds, [&](int64_t begin, int64_t end) {
    for (int64_t j = begin; j < end; ++j) order[j] = line[j].position;
  });
}

Outcome OrderByComparing(const StrictOrder& by, const uint8_t* line, int64_t length, int64_t* order,
                         Executor& executor) {
  const int64_t bytes = StorageBytes(by.type);
  if (IsFloat(by.type) && !by.total_order) {
    return OrderByKeys<double>(
        by.descending, length,
        [&](int64_t begin, int64_t n, double* to) { WidenFloats(by.type, line + begin * bytes, n, to); }, order,
        executor);
  }
  return OrderByKeys<int64_t>(
      by.descending, length,
      [&](int64_t begin, int64_t n, int64_t* to) { OrderKeys(by.type, line + begin * bytes, n, to); }, order, executor);
}

}  // namespace

Outcome OrderLine(const StrictOrder& by, const uint8_t* line, int64_t length, int64_t* order, Executor& executor) {
  if (by.canonical) {
    const std::unique_ptr<uint8_t[]> canonical(new uint8_t[static_cast<size_t>(length * StorageBytes(by.type))]);
    bool has_others = false;
    const Outcome outcome = CopyCanonical(by.type, line, length, canonical.get(), &has_others, executor);
    if (!outcome.ok()) return outcome;
    return OrderLine({by.type, by.descending, /*total_order=*/true}, canonical.get(), length, order, executor);
  }
  const int bits = BitWidth(by.type);
  const bool can_use_digits = length >= kMinRadixLength && length < int64_t{1} << 32 && (bits == 16 || bits == 32) &&
                              (IsFloat(by.type) || IsInteger(by.type));
  if (!can_use_digits) return OrderByComparing(by, line, length, order, executor);
  RadixScratch scratch(length);
  std::vector<int64_t> wide;
  bool has_digits = true;
  const Outcome outcome = SerialLoop(executor, length, kKeyNanoseconds, [&](int64_t begin, int64_t end) {
    has_digits = has_digits &&
                 LoadRadixKeys(by, line + begin * StorageBytes(by.type), end - begin, wide, scratch.keys.get() + begin);
  });
  if (!outcome.ok()) return outcome;
  return has_digits ? RadixOrder(scratch, length, bits, order, executor)
                    : OrderByComparing(by, line, length, order, executor);
}

Outcome PermuteLine(int64_t element_bytes, const uint8_t* from, uint8_t* to, int64_t length, const int64_t* order,
                    Executor& executor) {
  return VisitElementBytes(element_bytes, [&](auto bits) {
    using T = decltype(bits);
    const T* const source = reinterpret_cast<const T*>(from);
    T* const target = reinterpret_cast<T*>(to);
    return SerialLoop(executor, length, kPermuteNanoseconds, [&](int64_t begin, int64_t end) {
      for (int64_t j = begin; j < end; ++j) target[j] = source[order[j]];
    });
  });
}

Outcome CopyCanonical(ElementType type, const uint8_t* line, int64_t length, uint8_t* to, bool* has_others,
                      Executor& executor) {
  *has_others = false;
  const auto copy = [&](auto infinity) {
    using Bits = decltype(infinity);
    return SerialLoop(executor, length, kKeyNanoseconds, [&](int64_t begin, int64_t end) {
      *has_others |= CopyCanonicalBits(reinterpret_cast<const Bits*>(line) + begin, end - begin, infinity,
                                       reinterpret_cast<Bits*>(to) + begin);
    });
  };
  const FloatFormat& format = FloatFormatOf(type);
  const uint64_t infinity = ((uint64_t{1} << format.exponent_bits) - 1) << format.mantissa_bits;
  switch (StorageBytes(type)) {
    case 2:
      return copy(static_cast<uint16_t>(infinity));
    case 4:
      return copy(static_cast<uint32_t>(infinity));
    default:
      return copy(infinity);
  }
}

void OrderKeys(ElementType type, const uint8_t* data, int64_t count, int64_t* keys) {
  if (PlainFloatKeys(type, data, count, keys)) return;
  const bool is_signed = IsSigned(type);
  switch (StorageBytes(type)) {
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

}  // namespace hloscope::numerics
