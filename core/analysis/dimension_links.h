// SPDX-License-Identifier: Apache-2.0
// Which dimensions of its operands become which dimensions of an instruction's result (docs/ops/tensor.md).
#ifndef HLOSCOPE_CORE_ANALYSIS_DIMENSION_LINKS_H_
#define HLOSCOPE_CORE_ANALYSIS_DIMENSION_LINKS_H_

#include <cstdint>
#include <vector>

#include "core/ir/module.h"

namespace hloscope {

struct DimensionLink {
  enum class Kind : uint8_t {
    kSame,      // an index of one is the same index of the other, or stands for it (slice, pad, window)
    kMixed,     // one of several that are merged or split by a reshape
    kSummed,    // contracted or reduced: the result has no such dimension
    kRepeated,  // the result has it again: along it the operand repeats itself
  };
  static constexpr int64_t kNone = -1;

  Kind kind = Kind::kSame;
  size_t operand = 0;
  int64_t operand_dimension = kNone;  // of kRepeated: kNone
  int64_t result_dimension = kNone;   // of kSummed: kNone
  friend bool operator==(const DimensionLink&, const DimensionLink&) = default;
};

// In the order of operands and their dimensions; repeated dimensions last. Empty for operations whose dimensions stand
// in no such relation, for results that are no arrays (but those of several reductions at once, which have one shape),
// and for instructions that were not read. Operands that only say where (start indices) have no links.
std::vector<DimensionLink> DimensionLinksOf(const Module& module, InstructionId id);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_DIMENSION_LINKS_H_
