// SPDX-License-Identifier: Apache-2.0
// What the functions of a compiled HLO module need: arrays, threads, and elements of types that C++ lacks. The
// functions of single elements are those of HLOscope's evaluator (numerics), so both compute the same numbers.
#ifndef HLO_RUNTIME_H_
#define HLO_RUNTIME_H_

#include <cstdint>
#include <cstring>
#include <utility>

#include "hlo_forms.h"
#include "numerics/elements/conversion_functions.h"
#include "numerics/elements/elementwise_functions.h"
#include "numerics/elements/float_exp.h"
#include "numerics/elements/numeric.h"
#include "numerics/parallel/executor.h"
#include "numerics/parallel/function_ref.h"

namespace hlo {

namespace numerics = hloscope::numerics;
using namespace numerics::elementwise;  // NOLINT: the vocabulary of the generated functions
using numerics::ElementType;

// --- Arrays ---

// A reference to an array of bytes, aligned for vectors. Copies share the array; the last one gives it back to a pool.
class Array {
 public:
  Array() = default;
  Array(const Array& other);
  Array(Array&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Array& operator=(Array other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Array();

  // Bytes that live as long as the program, such as those of a constant. They must not be written.
  static Array Of(const void* data, int64_t bytes);

  template <typename T>
  const T* as() const {
    return static_cast<const T*>(data());
  }
  // Requires that nobody else reads the array.
  template <typename T>
  T* to() {
    return const_cast<T*>(static_cast<const T*>(data()));
  }
  const void* data() const;
  int64_t bytes() const;
  // True if no other reference exists and the bytes may be written.
  bool IsMine() const;

 private:
  friend Array Allocate(int64_t bytes);
  struct Block;
  explicit Array(Block* block) : block_(block) {}
  Block* block_ = nullptr;
};

// The elements are not initialised. Ends the program with a message if there is no memory left.
Array Allocate(int64_t bytes);
// The same, all zero.
Array Zeros(int64_t bytes);
// The array itself if nobody else uses it, else a copy.
Array Writable(Array array);

template <typename T>
Array Scalar(T value) {
  Array array = Allocate(sizeof(T));
  *array.to<T>() = value;
  return array;
}

// Where element 0 of an array would be of which only the elements from number `first` on exist, at `data`.
template <typename T>
T* ElementZero(T* data, int64_t first) {
  return reinterpret_cast<T*>(reinterpret_cast<uintptr_t>(data) - static_cast<uintptr_t>(first) * sizeof(T));
}

// --- Control flow ---

// Runs `body` on the arrays of `state`, which it replaces, as long as `condition` gives true for them.
using Function = void (*)(Array* in, Array* out);
void RunWhile(Function condition, Function body, Array* state, int64_t count);
// A loop whose body returns another shape than it takes. Ends the program with a message if the condition is true, and
// if the state does not fit the shape of the loop's result.
void EndLoopAtOnce(Function condition, const Array* state, int64_t count, bool fits, const char* name);

// Arrays that a scan takes apart or puts together along a dimension: `outer` times, `inner_bytes` for each position.
struct ScannedArray {
  Array array;
  int64_t outer, inner_bytes;
};
// Runs `body` at each of `length` positions, from the last one on if `reverse`: it takes the inputs' parts there and
// the carried arrays, and gives the outputs' parts and the next carried arrays, which end in `carries`.
void RunScan(Function body, bool reverse, int64_t length, const ScannedArray* inputs, int64_t input_count,
             ScannedArray* outputs, int64_t output_count, Array* carries, int64_t carry_count);

// The branch that an index selects: the last one if it is out of range.
inline int64_t BranchOf(int64_t index, int64_t count) { return index < 0 || index >= count ? count - 1 : index; }

// Prints the message and ends the program with status 1.
[[noreturn]] void Fail(const char* message);

// --- Threads ---

// Splits [0, count) into blocks of at least `grain` and runs them on all threads. Inside such a loop everything stays
// in its thread.
void ParallelFor(int64_t count, int64_t grain, numerics::FunctionRef<void(int64_t begin, int64_t end)> body);
// The same for loops of numerics. Nobody cancels them.
numerics::Executor& ProgramThreads();
// Ends the program with a message if a loop had no memory.
inline void CheckDone(numerics::Outcome outcome) {
  if (!outcome.ok()) Fail("no memory is left");
}
// 0: one per processor.
void SetThreadCount(int count);

// --- Elements ---
// Functions compute floats narrower than f32 as f32 and round every result; integers of fewer than 8 bits are held
// in 8.

inline float LoadBf16(uint16_t bits) { return numerics::Bf16ToFloat(bits); }
inline float LoadF16(uint16_t bits) { return numerics::F16ToFloat(bits); }
inline uint16_t StoreF16(float x) { return numerics::FloatToF16(x); }
// Of a number that is a bf16 already.
inline uint16_t StoreBf16(float x) { return static_cast<uint16_t>(std::bit_cast<uint32_t>(x) >> 16); }
// LoadBf16(FloatToBf16(x)), but not by way of numbers of 16 bits, which take vectors longer.
inline float RoundBf16(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  const uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) & 0xffff0000;
  const uint32_t nan = (bits & 0x80000000) | 0x7fc00000;
  return std::bit_cast<float>(x != x ? nan : rounded);
}
inline float RoundF16(float x) { return LoadF16(StoreF16(x)); }

// Floats of a byte or less.
const float* ByteFloats(ElementType type);  // by code
template <ElementType kType>
float LoadByte(uint8_t bits) {
  static const float* const table = ByteFloats(kType);
  return table[bits];
}
template <ElementType kType>
uint8_t StoreByte(double x) {
  return static_cast<uint8_t>(numerics::EncodeFloat(kType, x));
}
template <ElementType kType>
float RoundByte(double x) {
  return LoadByte<kType>(StoreByte<kType>(x));
}

// The low `kWidth` bits of an integer, sign- or zero-extended.
template <int kWidth>
int8_t WrapSigned(int8_t x) {
  return static_cast<int8_t>(static_cast<int8_t>(static_cast<uint8_t>(static_cast<uint8_t>(x) << (8 - kWidth))) >>
                             (8 - kWidth));
}
template <int kWidth>
uint8_t WrapUnsigned(uint8_t x) {
  return static_cast<uint8_t>(x & ((1 << kWidth) - 1));
}

// Of a start index: kept inside of [0, largest].
template <typename T>
int64_t ClampIndex(T index, int64_t largest) {
  if (index < T(0)) return 0;
  return static_cast<uint64_t>(index) > static_cast<uint64_t>(largest) ? largest : static_cast<int64_t>(index);
}
// True if 0 <= index <= largest.
template <typename T>
bool IsInside(T index, int64_t largest) {
  return !(index < T(0)) && largest >= 0 && static_cast<uint64_t>(index) <= static_cast<uint64_t>(largest);
}

// An element that is only moved.
struct Bits128 {
  uint64_t words[2];
};

}  // namespace hlo

#endif  // HLO_RUNTIME_H_
