// SPDX-License-Identifier: Apache-2.0
// How the builder interface fits the operands of a binary operation together (docs/ops/tensor.md 11.2): scalars,
// broadcast_dimensions, and stretching of degenerate dimensions, explained step by step.
#ifndef HLOSCOPE_CORE_BUILDER_BROADCASTING_H_
#define HLOSCOPE_CORE_BUILDER_BROADCASTING_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/types/span.h"
#include "core/builder/snippet.h"
#include "core/ir/opcode.h"
#include "core/ir/shape.h"

namespace hloscope {

enum class BroadcastStepKind : uint8_t {
  kScalar,   // one element is copied to every position
  kMap,      // broadcast_dimensions: dimensions find their places, new ones take the other operand's sizes
  kStretch,  // dimensions of size 1 grow to the other operand's sizes
};

struct BroadcastStep {
  BroadcastStepKind kind = BroadcastStepKind::kScalar;
  int operand = 0;  // 0: lhs, 1: rhs
  Shape before, after;
  // Dimensions of `after` that this step made or grew: along these the operand repeats itself.
  std::vector<int64_t> repeated;
  std::string explanation;  // a phrase: "dimension 0 has size 1 and is stretched to 4"
};

struct BroadcastPlan {
  BuilderValue lhs, rhs;
  std::vector<BroadcastStep> steps;  // in the order in which the builder takes them
  Shape result;
  // The HLO: broadcasts and, last, the operation itself.
  Snippet snippet;
};

// Why the operands do not fit, and where.
struct BroadcastProblem {
  enum class Place : uint8_t { kLhs, kRhs, kDimensions };
  std::string message;
  Place place = Place::kLhs;
  int64_t position = -1;  // the dimension of the shape, the entry of broadcast_dimensions; -1: all of it
};

// `opcode(lhs, rhs, broadcast_dimensions)`. The dimensions belong to the operand of lower rank, one for each of its
// dimensions, strictly increasing; with equal ranks they are absent or 0, 1, 2, ... Element types must be equal.
// Bounded dynamic dimensions must be dynamic on both sides; unbounded ones are refused. `opcode` takes two operands of
// one shape and needs no attribute.
std::variant<BroadcastPlan, BroadcastProblem> PlanBroadcast(
    const BuilderValue& lhs, const BuilderValue& rhs, const std::optional<std::vector<int64_t>>& broadcast_dimensions,
    Opcode opcode = Opcode::kAdd, SnippetNames* names = nullptr);

// Whether PlanBroadcast can end in the opcode.
bool IsPlainBinary(Opcode opcode);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_BUILDER_BROADCASTING_H_
