// SPDX-License-Identifier: Apache-2.0
// textDocument/prepareTypeHierarchy: what computations are used as. Above a computation are the places that call it
// ("body of while w"), above a place the computation that it is in, and the other way round below.
#ifndef HLOSCOPE_LSP_FEATURES_TYPE_HIERARCHY_H_
#define HLOSCOPE_LSP_FEATURES_TYPE_HIERARCHY_H_

#include <optional>
#include <string>
#include <vector>

#include "lsp/features/document_view.h"

namespace hloscope::lsp {

struct TypeItem {
  std::string name;  // "sum", "body of while"
  std::string detail;
  protocol::Range range, selection_range;
  bool is_call = false;  // else a computation
  uint32_t number = 0;   // of the computation, or of the calling instruction
};

std::optional<TypeItem> PrepareTypeHierarchy(const DocumentView& view, protocol::Position position);
// Empty if the number names nothing (any more).
std::vector<TypeItem> FindSupertypes(const DocumentView& view, bool is_call, uint32_t number);
std::vector<TypeItem> FindSubtypes(const DocumentView& view, bool is_call, uint32_t number);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_TYPE_HIERARCHY_H_
