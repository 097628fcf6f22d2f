// SPDX-License-Identifier: Apache-2.0
// An elementwise instruction as a function over blocks of lanes: what array kernels and compiled scalar computations
// (map, reduce, fusion bodies ...) execute.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_LANES_LANE_FUNCTION_H_
#define HLOSCOPE_EVALUATOR_KERNELS_LANES_LANE_FUNCTION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/ir/module.h"
#include "numerics/rows/result_table.h"

namespace hloscope::evaluator {

// The most bytes that an element of any type has.
constexpr int64_t kMaxElementBytes = 16;

// An operand of a block: one element per lane, densely packed as a Tensor stores them, or (uniform) one element for
// all.
struct LaneOperand {
  const uint8_t* data;
  bool is_uniform;
};

// What some loops need to know besides the lanes.
struct LaneParameters {
  int width = 0;          // bits of the element type of the last operand
  int exponent_bits = 0;  // of reduce-precision
  int mantissa_bits = 0;
  ElementType result = ElementType::kInvalid;  // type of the result

  bool operator==(const LaneParameters&) const = default;
};

// Loops over lanes of evaluation-domain types (docs/ops/elementwise.md 1.7). `result` may be the array of an operand.
using LaneLoop = void (*)(const LaneOperand* operands, uint8_t* result, int64_t count,
                          const LaneParameters& parameters);
// The same of `rows` rows of `columns` elements: operand 0 has all elements, operand 1 one for each row.
using RowLoop = void (*)(const uint8_t* data, const uint8_t* of_rows, uint8_t* result, int64_t rows, int64_t columns);
// Element conversions between what a Tensor stores and the evaluation domain; `in` may be `out`.
using LaneConversion = void (*)(const uint8_t* in, uint8_t* out, int64_t count);

// Immutable and safe to call from any number of threads.
class LaneFunction {
 public:
  static constexpr size_t kMaxOperands = 3;

  // True for the opcodes that Create knows: the family Elementwise and, of TypeConversion, convert, reduce-precision,
  // stochastic-convert, and bitcast-convert between types of one width.
  static bool Handles(const Module& module, InstructionId id);

  // The function that instruction `id` applies to each element. Operand and result types are those of its shapes; the
  // dimensions do not matter. Error Unimplemented, naming opcode and types, if the opcode has no meaning for the types
  // or is not handled.
  static absl::StatusOr<LaneFunction> Create(const Module& module, InstructionId id);
  // The same without an instruction, for opcodes that need no attributes.
  static absl::StatusOr<LaneFunction> Create(Opcode opcode, absl::Span<const ElementType> operands, ElementType result);
  // `convert` from one array element type to another (9.1).
  static LaneFunction Convert(ElementType from, ElementType to);

  // exponential(subtract(a, b)) as one loop with the same bits; nothing if there is none, or the functions are others.
  static std::optional<LaneFunction> ExponentialOfDifference(const LaneFunction& exponential,
                                                             const LaneFunction& difference);

  // outer(inner(a, b), c) of f32 as one loop of (a, b, c) with the same bits, or outer(c, inner(a, b)) if `is_right`;
  // nothing if there is none, or the functions are others.
  static std::optional<LaneFunction> Composition(const LaneFunction& outer, const LaneFunction& inner, bool is_right);

  size_t operand_count() const { return operand_count_; }
  ElementType operand_type(size_t k) const { return operand_types_[k]; }
  ElementType result_type() const { return parameters_.result; }
  // A rough cost of one lane, for deciding how to split work.
  double nanoseconds_per_lane() const { return nanoseconds_per_lane_; }
  // What it computes of rows that have one element each as operand 1; null if it has to be called for each row.
  RowLoop LoopOfRows() const;
  // True if every element of the result has the bits of the element of operand 0.
  bool IsIdentity() const {
    return loop_ == nullptr && decode_[0] == nullptr && encode_ == nullptr && mixed_ == nullptr;
  }

  // True if every element of the result is that of operand 0, of bf16, as an f32.
  bool IsWideningOfBf16() const {
    return loop_ == nullptr && operand_count_ == 1 && operand_types_[0] == ElementType::kBF16 &&
           parameters_.result == ElementType::kF32 && mixed_ == nullptr;
  }
  // True only if both give the same bits for the same operands.
  bool operator==(const LaneFunction&) const = default;

  // Computes `count` result elements, densely packed. `operands` has operand_count() entries. `result` may be exactly
  // the array of an operand whose elements have the same size, but must not overlap an operand otherwise.
  void operator()(const LaneOperand* operands, uint8_t* result, int64_t count) const;

 private:
  friend class LaneFunctionBuilder;
  struct Mixed;

  // Mixed precision: the function of operands of the result's type, after a conversion of each operand.
  static absl::StatusOr<LaneFunction> CreateMixed(Opcode opcode, absl::Span<const ElementType> operands,
                                                  ElementType result);
  // Whether there is nothing but a loop: no conversion of operands or of the result.
  bool IsPlainLoop() const;
  void RunMixed(const LaneOperand* operands, uint8_t* result, int64_t count) const;
  void RunBlocks(const LaneOperand* operands, uint8_t* result, int64_t count) const;

  size_t operand_count_ = 0;
  std::array<ElementType, kMaxOperands> operand_types_{};
  // decode: what is stored -> evaluation domain; loop: the function there; encode: its result -> what is stored.
  // Each may be null: nothing to do. A null loop passes operand 0 on.
  std::array<LaneConversion, kMaxOperands> decode_{};
  LaneLoop loop_ = nullptr;
  LaneConversion encode_ = nullptr;
  bool encodes_in_place_ = false;  // the loop's result elements have the size of the stored ones
  LaneParameters parameters_;
  std::shared_ptr<const Mixed> mixed_;            // if not null, all of the function
  std::shared_ptr<numerics::ResultTable> table_;  // of all its results; null if it costs no more than to look one up
  double nanoseconds_per_lane_ = 1;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_LANES_LANE_FUNCTION_H_
