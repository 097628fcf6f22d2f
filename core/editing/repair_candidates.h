// SPDX-License-Identifier: Apache-2.0
// What may be meant by a line with a mistake in it, right or not. FindRepairs tries each.
#ifndef HLOSCOPE_CORE_EDITING_REPAIR_CANDIDATES_H_
#define HLOSCOPE_CORE_EDITING_REPAIR_CANDIDATES_H_

#include <string>
#include <vector>

#include "core/document/document.h"
#include "core/editing/repairs.h"

namespace hloscope {

// Of how the line is written: brackets, separators, spellings of other languages.
void AddSpellingCandidates(const Document& document, SourceRange line, std::vector<Repair>* candidates);

// Of what the instruction says: its operands, attributes, computations, its place.
void AddMeaningCandidates(const Document& document, InstructionId id, std::vector<Repair>* candidates);

// Of its shape: what the operands and attributes must be for it.
void AddShapeCandidates(const Document& document, InstructionId id, std::vector<Repair>* candidates);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_EDITING_REPAIR_CANDIDATES_H_
