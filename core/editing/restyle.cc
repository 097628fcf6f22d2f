// Changing the style of a text: whole modules, single statements, indentation.
#include <algorithm>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/editing/comments.h"
#include "core/editing/cursor_context.h"
#include "core/editing/instruction_text.h"
#include "core/editing/refactorings.h"
#include "core/editing/statement_edits.h"
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

std::vector<TextEdit> RestyleStatements(const Document& document, SourceRange range, absl::string_view style) {
  std::vector<TextEdit> edits;
  const std::optional<PrintOptions> options = OptionsOf(document, style);
  if (!options.has_value()) return edits;
  const Module& module = document.module();
  const TextMap& map = document.text_map();
  for (size_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    const Instruction& instruction = module.instruction(id);
    if (!instruction.syntax.has_value() || instruction.synthesized || !instruction.is_named ||
        instruction.has_reading_errors || instruction.opcode == Opcode::kInvalid) {
      continue;
    }
    const uint8_t flags = map.flags[instruction.syntax.index()];
    if ((flags & TextMap::kStatement) == 0 || (flags & (TextMap::kCompound | TextMap::kBroken)) != 0) continue;
    const SourceRange place = document.InstructionRange(id);
    if (place.begin < range.begin || place.begin > range.end) continue;
    const absl::string_view written = document.source().Slice(place);
    if (absl::StrContains(written, "/*") || absl::StrContains(written, "//")) continue;
    const InstructionText text(document, id);
    // What the style shows differently is no single instruction's matter.
    const bool compact = std::any_of(
        module.operands(id).begin(), module.operands(id).end(),
        [&](InstructionId operand) { return !operand.has_value() || module.instruction(operand).synthesized; });
    if (compact) continue;
    PrintOptions wanted = *options;
    wanted.operand_index_comments = false;
    std::string printed = absl::StrCat(text.node().is_root ? "ROOT " : "", PrintInstruction(module, id, wanted));
    if (printed != written) edits.push_back({place, std::move(printed)});
  }
  std::sort(edits.begin(), edits.end(),
            [](const TextEdit& a, const TextEdit& b) { return a.range.begin < b.range.begin; });
  return edits;
}

std::vector<TextEdit> IndentLine(const Document& document, uint32_t offset) {
  const SourceText& source = document.source();
  const uint32_t line = source.LineColumnAt(offset).line;
  const uint32_t begin = source.LineStart(line);
  const absl::string_view text = source.Line(line);
  const size_t blanks = std::min(text.find_first_not_of(" \t"), text.size());
  const bool closes = blanks < text.size() && text[blanks] == '}';
  // Bodies that are open where the line begins.
  size_t depth = 0;
  for (const TextMap::ComputationText& body : document.text_map().computations) {
    if (body.body_begin == 0 || body.body_begin > begin) continue;
    if (!body.is_closed || body.close_brace >= begin + blanks) ++depth;
  }
  // Unclosed ones at the end of the text are counted while the cursor is in them only.
  if (!ComputationWithBodyAt(document, begin).has_value() && depth > 0 && !closes) depth = 0;
  if (closes && depth > 0) --depth;
  const std::string wanted(2 * depth, ' ');
  if (text.substr(0, blanks) == wanted) return {};
  return {{{begin, begin + static_cast<uint32_t>(blanks)}, wanted}};
}

}  // namespace hloscope
