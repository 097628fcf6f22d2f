// SPDX-License-Identifier: Apache-2.0
// Small arrays of integers and predicates whose elements a text shows, and what operations make of them: enough to
// follow counters, device ids and the tables that are indexed by them.
#ifndef HLOSCOPE_CORE_COMMUNICATION_KNOWN_ARRAY_H_
#define HLOSCOPE_CORE_COMMUNICATION_KNOWN_ARRAY_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "core/ir/element_type.h"
#include "core/ir/literal.h"
#include "core/ir/module.h"

namespace hloscope {

struct KnownArray {
  ElementType type = ElementType::kInvalid;
  std::vector<int64_t> dimensions;
  // Row-major, as a literal stores them: sign- or zero-extended. u64 as the same bits.
  std::vector<int64_t> elements;

  static KnownArray Scalar(ElementType type, int64_t value) { return {type, {}, {value}}; }
  bool IsScalar() const { return dimensions.empty() && elements.size() == 1; }
};

// Nothing for floating-point types, elided values and more than a few thousand elements.
std::optional<KnownArray> KnownLiteral(const Literal& literal);

// The value of an instruction whose operands have these values. Nothing for operations that are not followed, and where
// the value is not defined.
std::optional<KnownArray> EvaluateKnown(const Module& module, InstructionId id,
                                        absl::Span<const KnownArray* const> operands);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_COMMUNICATION_KNOWN_ARRAY_H_
