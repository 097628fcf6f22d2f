// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/signature_help.h"

#include <utility>

#include "core/editing/signature.h"

namespace hloscope::lsp {

std::optional<protocol::SignatureHelp> ComputeSignatureHelp(const DocumentView& view, protocol::Position position) {
  std::optional<Signature> signature = SignatureAt(view.document, view.ToOffset(position));
  if (!signature.has_value()) return std::nullopt;
  protocol::SignatureHelp help;
  help.label = std::move(signature->label);
  help.parameters = std::move(signature->parameters);
  help.parameter_docs = std::move(signature->parameter_docs);
  help.documentation = std::move(signature->documentation);
  help.active_parameter = signature->active_parameter;
  return help;
}

}  // namespace hloscope::lsp
