// SPDX-License-Identifier: Apache-2.0
// What a report says about one array: where it is from, and who keeps it.
#ifndef HLOSCOPE_INSIGHT_MEMORY_VALUE_FACTS_H_
#define HLOSCOPE_INSIGHT_MEMORY_VALUE_FACTS_H_

#include <string>
#include <vector>

#include "core/analysis/users.h"
#include "insight/memory/explanation.h"
#include "insight/memory/readers.h"

namespace hloscope::insight {

// "model.py:12", or op_name; empty if the module says neither.
std::string SourceOf(const Module& module, InstructionId id);

// "f32[2,3]{1,0}".
std::string ShapeTextOf(const MemoryExplanation& memory, const MemoryValue& value);

// Who still reads the array at `step` or later, in the order of the run, at most `limit`.
std::vector<InstructionId> KeepersOf(const MemoryExplanation& memory, const ReaderIndex& readers,
                                     const MemoryValue& value, uint32_t step, size_t limit);

// The instructions on the way from the array to the last one that reads it after `step`, or else to the result that it
// is a part of: those that only pass it on; of a called computation also the root and the caller. Empty if there are
// none, or too many to look at.
std::vector<InstructionId> PassedOnBy(const MemoryExplanation& memory, const ReaderIndex& readers,
                                      const UserIndex& users, const MemoryValue& value, uint32_t step);
// "by way of a > b", as names; empty for none.
std::string WayText(const Module& module, const std::vector<InstructionId>& way);

// The steps of the value's own frame that read it, in order.
std::vector<uint32_t> ReadsOf(const MemoryExplanation& memory, const ReaderIndex& readers, const MemoryValue& value);

// Why it is there although nobody reads it: "an argument", "the result"; empty if somebody does.
std::string HeldAs(const MemoryExplanation& memory, const MemoryValue& value);

// A life as a bar of `width` characters over the whole run: "   ####  ".
std::string LifeBar(const MemoryExplanation& memory, const MemoryValue& value, size_t width);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_MEMORY_VALUE_FACTS_H_
