// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/code_action.h"

#include <utility>

#include "core/editing/repairs.h"
#include "lsp/features/diagnostics.h"

namespace hloscope::lsp {

std::vector<protocol::CodeAction> ComputeCodeActions(const DocumentView& view, protocol::Range range) {
  const SourceRange wanted = view.positions.ToSourceRange(range);
  std::vector<protocol::CodeAction> actions;
  for (const Diagnostic& diagnostic : view.document.diagnostics()) {
    if (diagnostic.fixes.empty() || diagnostic.range.begin > wanted.end || diagnostic.range.end < wanted.begin)
      continue;
    for (const FixIt& fix : diagnostic.fixes) {
      protocol::CodeAction action;
      action.title = fix.title;
      action.diagnostic = ToProtocolDiagnostic(view, diagnostic);
      action.is_preferred = diagnostic.fixes.size() == 1;
      action.uri = view.uri;
      for (const FixIt::Edit& edit : fix.edits) action.edits.push_back({view.ToRange(edit.range), edit.replacement});
      actions.push_back(std::move(action));
    }
  }
  return actions;
}

std::vector<protocol::CodeAction> ComputeRepairs(const DocumentView& view, protocol::Range range,
                                                 const std::function<bool()>& cancelled) {
  std::vector<protocol::CodeAction> actions;
  for (const Repair& repair : FindRepairs(view.document, view.ToOffset(range.start), cancelled)) {
    protocol::CodeAction action;
    action.title = repair.title;
    action.uri = view.uri;
    for (const TextEdit& edit : repair.edits) action.edits.push_back({view.ToRange(edit.range), edit.replacement});
    actions.push_back(std::move(action));
  }
  return actions;
}

}  // namespace hloscope::lsp
