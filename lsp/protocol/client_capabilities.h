// SPDX-License-Identifier: Apache-2.0
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
  bool code_action_resolve = false;  // `edit` may come with codeAction/resolve
  bool create_files = false;         // edits may make files
  bool document_changes = false;     // edits may name the version that they are for
  bool apply_edit = false;           // the server may ask for edits
  bool change_annotations = false;   // edits may ask for confirmation
  bool diagnostics_refresh = false;
  bool definition_links = false, declaration_links = false, type_definition_links = false, implementation_links = false;
  bool label_details = false;       // in completion
  bool signature_markdown = false;  // in signature help
  bool signature_offsets = false;   // labels of parameters are offsets, else text
  bool active_parameters = false;   // each signature has its own
  bool prepared_renames = false, diagnostic_versions = false;
  bool code_descriptions = false;
  bool pull_diagnostics = false;       // then nothing is published
  bool snippets = false;               // in completion
  bool completion_edit_range = false;  // itemDefaults.editRange and textEditText
  bool completion_markdown = false;
  bool watched_files = false;        // registers the watching of files
  bool pull_configuration = false;   // workspace/configuration
  bool hint_tooltips_later = false;  // inlayHint/resolve
  bool symbol_ranges_later = false;  // workspaceSymbol/resolve
  bool work_done_progress = false;   // window/workDoneProgress/create
  bool semantic_tokens_refresh = false, inlay_hint_refresh = false, code_lens_refresh = false;
};

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_PROTOCOL_CLIENT_CAPABILITIES_H_
