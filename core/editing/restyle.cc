// SPDX-License-Identifier: Apache-2.0
// Changing the style of a text.
#include <optional>

#include "absl/strings/str_cat.h"
#include "core/editing/comments.h"
#include "core/editing/format_text.h"
#include "core/editing/refactorings.h"
#include "core/editing/text_style.h"
#include "core/print/printer.h"

namespace hloscope {
namespace {

std::optional<PrintOptions> OptionsOf(absl::string_view style) {
  std::optional<PrintOptions> options = PrintOptions::FromStyleName(style);
  if (options.has_value()) KeepEverything(&*options);
  return options;
}

}  // namespace

bool IsReadable(const Document& document) {
  if (!document.has_errors() || document.options().parse_only) return !document.has_errors();
  DocumentOptions options = document.options();
  options.parse_only = true;
  return !Document::Parse(document.shared_source(), options)->has_errors();
}

EditsOr Restyle(const Document& document, absl::string_view style) {
  if (!IsReadable(document)) {
    return absl::FailedPreconditionError("the text has errors: only what can be read can be printed");
  }
  if (style == "keep") return ReplaceText(document, FormatText(document));
  const std::optional<PrintOptions> options = OptionsOf(style);
  if (!options.has_value()) return absl::InvalidArgumentError(absl::StrCat("there is no style `", style, "`"));
  return ReplaceText(document, PrintWithComments(document, *options));
}

}  // namespace hloscope
