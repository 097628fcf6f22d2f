// SPDX-License-Identifier: Apache-2.0
// What an edit of a text makes the verifier look at again, from what each check depends on (checks.def).
#ifndef HLOSCOPE_CORE_VERIFY_EDIT_SCOPE_H_
#define HLOSCOPE_CORE_VERIFY_EDIT_SCOPE_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "core/analysis/module_index.h"
#include "core/diagnostics/check_stage.h"
#include "core/ir/module.h"
#include "core/ops/rule_context.h"
#include "core/verify/checks.h"
#include "core/verify/verify_scope.h"

namespace hloscope {

// How a module differs from an older version of it. Ids are those of the module as it is now; lists may repeat an id.
struct ModuleChange {
  // Inputs of checks without owner that changed; kInstructions, kOperands and kUses are not asked for.
  CheckInputs inputs = 0;

  std::vector<uint32_t> instructions;  // that are new or may have become others
  std::vector<uint32_t> uses;          // instructions for which kUses may differ
  std::vector<uint32_t> callees;       // instructions for which kCallees may differ
  std::vector<uint32_t> effects;       // callers of computations that gained their first side effect or lost the last
  std::vector<uint32_t> computations;  // whose instructions, or names, may have become others

  // Of all instructions that the edit changed, before and after, and of all instructions of the module.
  uint8_t edited_traits = 0;
  uint8_t module_traits = 0;

  // Of diagnostics in changed parts of the text, whatever they are about: they are made again.
  std::vector<DiagnosticSource> touched;
};

// The diagnostics outside of the scope are those of the older version. The cost is that of the changed instructions,
// their users and callees, and with asynchronous operations of their computations; O(module) if the calls or the
// division of work changed.
VerifyScope ScopeOfEdit(absl::Span<const Check> checks, const Module& module, const ModuleIndex& index,
                        const VerifyOptions& options, const ModuleChange& change);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_VERIFY_EDIT_SCOPE_H_
