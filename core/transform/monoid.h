// SPDX-License-Identifier: Apache-2.0
// Reducers that may be applied in any order and grouping (docs/rewrites.md 3, conditions 1 and 2).
#ifndef HLOSCOPE_CORE_TRANSFORM_MONOID_H_
#define HLOSCOPE_CORE_TRANSFORM_MONOID_H_

#include <optional>
#include <vector>

#include "core/ir/module.h"

namespace hloscope {

// add, multiply, minimum, maximum, and, or, xor on one element type.
struct Monoid {
  Opcode opcode = Opcode::kAdd;
  ElementType type = ElementType::kF32;

  // Regrouping changes no result, but for the sign of a zero: all but sums and products of floating-point numbers.
  bool IsExact() const;
  // The scalar e with e * x = x for every x: 0; 1; the largest; the smallest; all ones; 0; 0. Infinities where the type
  // has them. Nothing if the type cannot hold it.
  std::optional<Literal> Identity() const;
};

// What `to_apply` of a reduce does to each of its components. Nothing unless the computation takes 2 N scalars and
// returns, for each k < N, one of the operations above on its parameters k and N + k (a tuple of them if N > 1), all in
// the type of component k of the operands.
std::optional<std::vector<Monoid>> RecognizeMonoids(const Module& module, InstructionId reduce);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_TRANSFORM_MONOID_H_
