// What a client said in `initialize` that changes the server's answers.
#ifndef HLOSCOPE_LSP_PROTOCOL_CLIENT_CAPABILITIES_H_
#define HLOSCOPE_LSP_PROTOCOL_CLIENT_CAPABILITIES_H_

#include "core/source/source_text.h"

namespace hloscope::lsp {

struct ClientCapabilities {
  ColumnUnit position_unit = ColumnUnit::kUtf16;  // the first of the client's encodings that is known here
  bool related_information = false;
  bool diagnostic_tags = false;
  bool markdown_hover = false;
  bool hierarchical_symbols = false;
  bool code_action_literals = false;
  bool preferred_code_actions = false;
};

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_PROTOCOL_CLIENT_CAPABILITIES_H_
