// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/code_action.h"

#include <utility>

#include "core/editing/quick_fixes.h"
#include "lsp/features/diagnostics.h"

namespace hloscope::lsp {

std::vector<protocol::CodeAction> ComputeCodeActions(const DocumentView& view, protocol::Range range, bool may_try,
                                                     const std::function<bool()>& cancelled) {
  std::vector<protocol::CodeAction> actions;
  for (QuickFix& fix : FindQuickFixes(view.document, view.positions.ToSourceRange(range), may_try, cancelled)) {
    protocol::CodeAction action;
    action.title = std::move(fix.title);
    if (fix.diagnostic != nullptr) action.diagnostic = ToProtocolDiagnostic(view, *fix.diagnostic);
    action.is_preferred = fix.is_preferred;
    action.uri = view.uri;
    for (const TextEdit& edit : fix.edits) action.edits.push_back({view.ToRange(edit.range), edit.replacement});
    actions.push_back(std::move(action));
  }
  return actions;
}

}  // namespace hloscope::lsp
