// SPDX-License-Identifier: Apache-2.0
// Changing the style of a text.
#include <algorithm>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/editing/comments.h"
#include "core/editing/refactorings.h"
#include "core/print/printer.h"

namespace hloscope {
namespace {

// Nothing of the text may be lost.
void KeepEverything(PrintOptions* options) {
  options->large_constants = true;
  options->metadata = true;
  options->backend_config = true;
  options->control_predecessors = true;
  options->keep_written_tuple_access = true;
  options->keep_written_digits = true;
}

std::optional<PrintOptions> OptionsOf(const Document& document, absl::string_view style) {
  if (style == "keep") return StyleOf(document);
  std::optional<PrintOptions> options = PrintOptions::FromStyleName(style);
  if (options.has_value()) KeepEverything(&*options);
  return options;
}

}  // namespace

PrintOptions StyleOf(const Document& document) {
  const Module& module = document.module();
  const SyntaxTree& tree = document.syntax();
  const TokenBuffer& tokens = document.tokens();
  const absl::string_view text = document.source().text();
  PrintOptions options = PrintOptions::Long();
  KeepEverything(&options);
  options.compact_tuple_access = true;
  options.keep_written_async_sugar = options.keep_written_inline_computations = true;
  options.keep_written_names = options.keep_written_defaults = true;
  options.signatures = std::any_of(module.computations().begin(), module.computations().end(),
                                   [](const Computation& computation) { return computation.has_signature; });
  const auto first_with = [&](auto has) {
    return std::find_if(tree.instructions.begin(), tree.instructions.end(), has);
  };
  const auto named = first_with([](const InstructionSyntax& node) { return node.name != kNoToken; });
  if (named != tree.instructions.end()) options.percent = text[tokens.begin(named->name)] == '%';
  const auto user = first_with([&](const InstructionSyntax& node) {
    return node.operand_count > 0 && tree.operands[node.first_operand].name != kNoToken;
  });
  if (user != tree.instructions.end()) options.operand_shapes = !tree.operands[user->first_operand].shape.empty();
  // Comments before every fifth operand show where there are so many; those in shapes are always there.
  const auto long_list = first_with([](const InstructionSyntax& node) { return node.operand_count > 5; });
  options.operand_index_comments = options.percent;
  if (long_list != tree.instructions.end()) {
    const uint32_t begin = tokens.end(tree.operands[long_list->first_operand + 4].tokens.end - 1);
    const uint32_t end = tokens.begin(tree.operands[long_list->first_operand + 5].tokens.begin);
    options.operand_index_comments = absl::StrContains(text.substr(begin, end - begin), "/*index=5*/");
  }
  options.quoted_backend_config = absl::StrContains(text, "backend_config=\"{");
  options.comparison_order = absl::StrContains(text, ", order=TOTAL") || absl::StrContains(text, ", order=PARTIAL");
  return options;
}

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
  const std::optional<PrintOptions> options = OptionsOf(document, style);
  if (!options.has_value()) return absl::InvalidArgumentError(absl::StrCat("there is no style `", style, "`"));
  return ReplaceText(document, PrintWithComments(document, *options));
}

}  // namespace hloscope
