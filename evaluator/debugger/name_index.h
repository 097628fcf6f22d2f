// SPDX-License-Identifier: Apache-2.0
// Diagnostic instructions and computations by what people type.
#ifndef HLOSCOPE_EVALUATOR_DEBUGGER_NAME_INDEX_H_
#define HLOSCOPE_EVALUATOR_DEBUGGER_NAME_INDEX_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/ir/module.h"

namespace hloscope::evaluator {

// Names with or without `%`; `computation::instruction` where an instruction's name alone would not do.
class NameIndex {
 public:
  // `module` must outlive the index.
  explicit NameIndex(const Module& module);

  // Every instruction of that name; empty if there is none.
  absl::Span<const InstructionId> Instructions(absl::string_view name) const;
  // None if there is none.
  ComputationId FindComputation(absl::string_view name) const;
  bool IsInstruction(absl::string_view name) const { return !Instructions(name).empty(); }

  // "; did you mean `add.3`?", or nothing. Of a name with its computation either half may be misspelt.
  std::string SuggestInstruction(absl::string_view name) const;
  std::string SuggestComputation(absl::string_view name) const;
  // Errors NotFound with a suggestion.
  absl::StatusOr<InstructionId> RequireInstruction(absl::string_view name, ComputationId preferred) const;
  absl::StatusOr<ComputationId> RequireComputation(absl::string_view name) const;

  // The names of instructions and computations that begin so, sorted; at most `limit`.
  std::vector<std::string> Complete(absl::string_view prefix, size_t limit) const;

 private:
  std::vector<absl::string_view> ComputationNames() const;  // sorted

  const Module& module_;
  absl::flat_hash_map<std::string, std::vector<InstructionId>> instructions_;  // bare and qualified
  absl::flat_hash_map<absl::string_view, ComputationId> computations_;
  std::vector<absl::string_view> sorted_;  // bare names of both kinds
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_DEBUGGER_NAME_INDEX_H_
