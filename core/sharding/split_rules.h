// SPDX-License-Identifier: Apache-2.0
// Which tiles of its operands a device needs to compute a tile of an instruction's result alone: the rules that `shard`
// and `unshard` share.
#ifndef HLOSCOPE_CORE_SHARDING_SPLIT_RULES_H_
#define HLOSCOPE_CORE_SHARDING_SPLIT_RULES_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "core/ir/module.h"
#include "core/sharding/split.h"

namespace hloscope {

// What the shapes of a module are: those of whole arrays, or of the tiles that a device has.
enum class SplitSizes : uint8_t { kWhole, kTiles };

struct SplitPlan {
  std::vector<Split> operands;  // how operands must be cut
  Split result;                 // every array of the result
  // What a device computes is a part of a sum (of the instruction's reduction): the one of this number, of `parts`. One
  // part: the result itself.
  std::vector<int64_t> part_of;
  int64_t parts = 1;
};

// The plan that keeps as much cut as the rules allow, given how array operands are cut now. `wanted` (null: nothing
// special) is what the result is to be if that costs nothing. Without a rule for the opcode, every device computes all
// of it.
SplitPlan PlanSplit(const Module& module, InstructionId id, absl::Span<const Split> operands, const Split* wanted,
                    int64_t devices, SplitSizes sizes);

// How a reshape is cut, and what of its operand may stay cut for that: a dimension stays cut that is the outermost one
// of more than one element after equally many rows on both sides.
struct ReshapeSplit {
  Split operand, result;
};
ReshapeSplit SplitOfReshape(const Split& operand, const Shape& from, const Shape& to, SplitSizes sizes);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SHARDING_SPLIT_RULES_H_
