// SPDX-License-Identifier: Apache-2.0
// Every place of a text that names the thing at a position.
#ifndef HLOSCOPE_CORE_EDITING_OCCURRENCES_H_
#define HLOSCOPE_CORE_EDITING_OCCURRENCES_H_

#include <vector>

#include "core/document/document.h"

namespace hloscope {

struct Occurrences {
  InstructionId instruction;  // one of the two, or none: nothing with a name is there
  ComputationId computation;
  SourceRange definition;           // empty if nothing with a name is there
  std::vector<SourceRange> places;  // of the names without `%`, in text order, the definition among them; parameters
                                    // also in the signature of their computation

  bool empty() const { return places.empty(); }
};

Occurrences OccurrencesAt(const Document& document, uint32_t offset);
Occurrences OccurrencesOf(const Document& document, InstructionId id);
Occurrences OccurrencesOf(const Document& document, ComputationId id);

// The instruction that the text names where `id` is meant: for a tuple access written as `t#1#0`, which the reader
// turns into instructions of its own, that is `t`; else `id` itself.
InstructionId NamedInstruction(const Module& module, InstructionId id);

// Where the signature of its computation names a parameter; empty if there is none.
SourceRange SignatureNameRange(const Document& document, InstructionId parameter);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_EDITING_OCCURRENCES_H_
