// SPDX-License-Identifier: Apache-2.0
// textDocument/prepareCallHierarchy, callHierarchy/incomingCalls and outgoingCalls, over computations.
#ifndef HLOSCOPE_LSP_FEATURES_CALL_HIERARCHY_H_
#define HLOSCOPE_LSP_FEATURES_CALL_HIERARCHY_H_

#include <optional>
#include <string>
#include <vector>

#include "lsp/features/document_view.h"

namespace hloscope::lsp {

protocol::CallHierarchyItem ComputationItem(const DocumentView& view, ComputationId id);
// The computation under the cursor, or the one around it. nullopt outside.
std::optional<protocol::CallHierarchyItem> PrepareCallHierarchy(const DocumentView& view, protocol::Position position);

// The computation that an item means in this version of the text: `computation`, if it still has that name, else the
// first with the name; none if there is none.
ComputationId ComputationOfItem(const DocumentView& view, uint32_t computation, const std::string& name);

// Who calls the computation, and whom it calls: one entry each, with all places where the calls are written.
std::vector<protocol::CallHierarchyCall> FindIncomingCalls(const DocumentView& view, ComputationId id);
std::vector<protocol::CallHierarchyCall> FindOutgoingCalls(const DocumentView& view, ComputationId id);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_CALL_HIERARCHY_H_
