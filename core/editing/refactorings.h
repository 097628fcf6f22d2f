// SPDX-License-Identifier: Apache-2.0
// Changes of a text that keep what the module means. Each gives the edits, or says to the user why it cannot be done;
// after the edits the text has no more errors than before.
#ifndef HLOSCOPE_CORE_EDITING_REFACTORINGS_H_
#define HLOSCOPE_CORE_EDITING_REFACTORINGS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/document/document.h"
#include "core/print/print_options.h"

namespace hloscope {

using EditsOr = absl::StatusOr<std::vector<TextEdit>>;

// Replaces a call or fusion by the instructions of the computation it calls.
EditsOr InlineCall(const Document& document, InstructionId call);

// Moves the instructions that the selection touches into a computation of their own, `name` or a free name like it, and
// calls that. What they read becomes parameters, what others read of them becomes the result.
EditsOr OutlineSelection(const Document& document, SourceRange selection, absl::string_view name = "outlined");
// The instructions that it would move: statements, but no parameters.
std::vector<InstructionId> OutlinedInstructions(const Document& document, SourceRange selection);

// Removes everything that does nothing: dead instructions, and computations that nothing calls.
EditsOr RemoveDeadCode(const Document& document);

// Swaps a computation with the one before (`up`) or after it.
EditsOr MoveComputation(const Document& document, ComputationId computation, bool up);

// Puts the computations into the order in which modules print: callees before callers.
EditsOr SortComputations(const Document& document);
// True if they are in that order already.
bool ComputationsAreSorted(const Document& document);

// Whether the text can be printed: nothing in it but what shape inference and verification find is wrong.
bool IsReadable(const Document& document);

// Writes the whole module in a style of PrintOptions::FromStyleName, or "keep" for its own, with its comments.
// FailedPrecondition if the text cannot be read. Constants and names of tuple accesses are kept in full.
EditsOr Restyle(const Document& document, absl::string_view style);

// Writes the shape that was inferred.
EditsOr WriteInferredShape(const Document& document, InstructionId id);

// Adds the required attributes that are missing, with values that fit as far as shapes tell.
EditsOr AddMissingAttributes(const Document& document, InstructionId id);
std::vector<AttributeKind> MissingAttributes(const Module& module, InstructionId id);

// Adds values that fit for the operands that are missing.
EditsOr AddMissingOperands(const Document& document, InstructionId id);
size_t MissingOperandCount(const Module& module, InstructionId id);

// Every fix of a diagnostic that has only one, as far as they do not overlap.
std::vector<TextEdit> FixAll(const Document& document);

// The edit that turns the text into `text`, without their common beginning and end; none if they are equal.
std::vector<TextEdit> ReplaceText(const Document& document, absl::string_view text);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_EDITING_REFACTORINGS_H_
