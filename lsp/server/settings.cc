#include "lsp/server/settings.h"

#include <initializer_list>
#include <optional>
#include <utility>

#include "core/print/print_options.h"
#include "lsp/protocol/json.h"
#include "nlohmann/json.hpp"

namespace hloscope::lsp {

Settings ReadSettings(const nlohmann::json& options, Settings base) {
  const nlohmann::json* inner = FindPath(options, {"hloscope"});
  const nlohmann::json& from = inner != nullptr ? *inner : options;
  const auto read = [&](std::initializer_list<absl::string_view> path, bool* target) {
    *target = FindBool(from, path).value_or(*target);
  };
  read({"layoutSensitive"}, &base.document.verify.layout_sensitive);
  read({"allowMixedPrecision"}, &base.document.verify.allow_mixed_precision);
  read({"inlayHints", "inferredShapes"}, &base.inlay_hints.inferred_shapes);
  read({"inlayHints", "operandNames"}, &base.inlay_hints.operand_names);
  read({"inlayHints", "operandShapes"}, &base.inlay_hints.operand_shapes);
  read({"inlayHints", "bytes"}, &base.inlay_hints.bytes);
  read({"codeLenses"}, &base.code_lenses);
  read({"userLenses"}, &base.user_lenses);
  const std::optional<std::string> style = FindString(from, {"formatStyle"});
  if (style.has_value() && (*style == "keep" || PrintOptions::FromStyleName(*style).has_value()))
    base.format_style = *style;
  return base;
}

}  // namespace hloscope::lsp
