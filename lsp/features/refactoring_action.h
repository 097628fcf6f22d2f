// SPDX-License-Identifier: Apache-2.0
// Code actions that are more than fixes of diagnostics: refactorings, clean-ups and rewrites. What is offered is cheap
// to know; what it does is worked out when it is chosen.
#ifndef HLOSCOPE_LSP_FEATURES_REFACTORING_ACTION_H_
#define HLOSCOPE_LSP_FEATURES_REFACTORING_ACTION_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "core/editing/refactorings.h"
#include "lsp/features/document_view.h"

namespace hloscope::lsp {

// The kinds of actions, for the server's capabilities.
absl::Span<const absl::string_view> RefactoringKinds();

// What can be done with the instruction, computation or selection. `wants` says whether a kind was asked for. Actions
// have a `refactoring` and no edits yet. Rewrites, which need an analysis of the whole module, are only looked for if
// `thorough`; making files only if `can_create_files`.
std::vector<protocol::CodeAction> OfferRefactorings(const DocumentView& view, protocol::Range range,
                                                    const std::function<bool(absl::string_view)>& wants, bool thorough,
                                                    bool can_create_files);

// The rewrites of one computation that run when no pass is named. Errors for the user.
EditsOr RewriteComputation(const Document& document, const std::string& computation);

// Fills in the edits, or the new file. Errors for the user: why it cannot be done; InvalidArgument if `action` is none
// that OfferRefactorings made of this text.
absl::Status CompleteRefactoring(const DocumentView& view, protocol::CodeAction* action);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_REFACTORING_ACTION_H_
