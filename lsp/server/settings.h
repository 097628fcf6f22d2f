// What a user can set: `initializationOptions` and `workspace/didChangeConfiguration`.
#ifndef HLOSCOPE_LSP_SERVER_SETTINGS_H_
#define HLOSCOPE_LSP_SERVER_SETTINGS_H_

#include <string>

#include "core/document/document.h"
#include "lsp/features/inlay_hint.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::lsp {

struct Settings {
  DocumentOptions document;
  InlayHintSettings inlay_hints;
  bool code_lenses = true;
  bool user_lenses = false;           // how many use it, above each instruction
  std::string format_style = "keep";  // a style of `hloscope fmt`, or that of the text

  friend bool SameAnalysis(const Settings& a, const Settings& b) {
    return a.document.verify.layout_sensitive == b.document.verify.layout_sensitive &&
           a.document.verify.allow_mixed_precision == b.document.verify.allow_mixed_precision;
  }
};

// The settings that `options` changes in `base`; values of the wrong kind are ignored. The object may be inside
// another under the key "hloscope", as editors send it.
Settings ReadSettings(const nlohmann::json& options, Settings base);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_SERVER_SETTINGS_H_
