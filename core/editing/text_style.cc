// SPDX-License-Identifier: Apache-2.0
#include "core/editing/text_style.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "core/print/shape_printer.h"

namespace hloscope {
namespace {

class StyleFinder {
 public:
  explicit StyleFinder(const Document& document)
      : module_(document.module()),
        tree_(document.syntax()),
        tokens_(document.tokens()),
        text_(document.source().text()) {}

  PrintOptions Find() {
    PrintOptions options = PrintOptions::Long();
    KeepEverything(&options);
    options.compact_tuple_access = true;
    options.keep_written_async_sugar = options.keep_written_inline_computations = true;
    options.keep_written_names = options.keep_written_defaults = true;
    options.keep_written_omissions = options.keep_written_signatures = true;
    options.signatures = std::any_of(module_.computations().begin(), module_.computations().end(),
                                     [](const Computation& computation) { return computation.has_signature; });
    const auto named = FirstWith([](const InstructionSyntax& node) { return node.name != kNoToken; });
    if (named != tree_.instructions.end()) options.percent = text_[tokens_.begin(named->name)] == '%';
    options.operand_index_comments = HasOperandComments(options.percent);
    options.shape_index_comments = HasShapeComments();
    options.literal_index_comments = HasLiteralComments();
    options.header = tree_.kind != SyntaxTree::TextKind::kHeaderless;
    options.entry_mark = tree_.kind == SyntaxTree::TextKind::kSingleInstruction ||
                         std::any_of(tree_.computations.begin(), tree_.computations.end(),
                                     [](const ComputationSyntax& node) { return node.entry != kNoToken; });
    options.layouts = LayoutHabit(module_);
    FindOperandForms(&options);
    FindThreads(&options);
    options.quoted_backend_config = absl::StrContains(text_, "backend_config=\"{");
    options.comparison_order = absl::StrContains(text_, ", order=TOTAL") || absl::StrContains(text_, ", order=PARTIAL");
    return options;
  }

 private:
  template <typename Has>
  std::vector<InstructionSyntax>::const_iterator FirstWith(Has has) const {
    return std::find_if(tree_.instructions.begin(), tree_.instructions.end(), has);
  }

  absl::string_view Slice(TokenRange range) const {
    const uint32_t begin = tokens_.begin(range.begin);
    return text_.substr(begin, tokens_.end(range.end - 1) - begin);
  }

  // Comments before every fifth operand show where there are so many; those in shapes do not depend on them.
  bool HasOperandComments(bool if_none_shows) const {
    const auto long_list = FirstWith([](const InstructionSyntax& node) { return node.operand_count > 5; });
    if (long_list == tree_.instructions.end()) return if_none_shows;
    const uint32_t begin = tokens_.end(tree_.operands[long_list->first_operand + 4].tokens.end - 1);
    const uint32_t end = tokens_.begin(tree_.operands[long_list->first_operand + 5].tokens.begin);
    return absl::StrContains(text_.substr(begin, end - begin), "/*index=5*/");
  }

  bool HasShapeComments() const {
    for (size_t i = 0; i < module_.instruction_count(); ++i) {
      const Instruction& instruction = module_.instruction(InstructionId(i));
      if (!instruction.shape_declared || instruction.synthesized || !instruction.syntax.has_value()) continue;
      if (module_.shape(instruction.shape).tuple_size() <= 5) continue;
      return absl::StrContains(Slice(tree_.instructions[instruction.syntax.index()].shape), "/*index=5*/");
    }
    return true;
  }

  bool HasLiteralComments() const {
    bool has_levels = false;  // where comments would be
    for (size_t i = 0; i < module_.instruction_count(); ++i) {
      const Instruction& instruction = module_.instruction(InstructionId(i));
      if (!instruction.literal.has_value() || !instruction.syntax.has_value()) continue;
      const Literal& literal = module_.literal(instruction.literal);
      if (literal.shape().rank() < 4 || literal.IsElided()) continue;
      const TokenRange arguments = tree_.instructions[instruction.syntax.index()].arguments;
      if (arguments.empty() || text_[tokens_.begin(arguments.begin)] != '{') continue;
      const absl::string_view text = Slice(arguments);
      if (absl::StrContains(text, "/*i0=")) return true;
      has_levels = has_levels || absl::StrContains(text.substr(1), "{");
    }
    return !has_levels;
  }

  // How many arrays of a shape, scalars aside, have a layout and how many have none.
  struct LayoutCount {
    size_t with = 0, without = 0;
  };
  LayoutCount CountLayouts(TokenRange shape) const {
    LayoutCount count;
    for (uint32_t i = shape.begin + 1; i < shape.end; ++i) {
      if (tokens_.kind(i) != TokenKind::kRightBracket || tokens_.kind(i - 1) == TokenKind::kLeftBracket) continue;
      const bool has_layout = i + 1 < shape.end && tokens_.kind(i + 1) == TokenKind::kLeftBrace;
      ++(has_layout ? count.with : count.without);
    }
    return count;
  }

  // A table of them only where the text does not write all operands in the same way.
  void FindOperandForms(PrintOptions* options) const {
    using Form = OperandForms::Form;
    size_t names = 0, shapes = 0;
    LayoutCount layouts;
    auto forms = std::make_shared<OperandForms>();
    for (const InstructionSyntax& node : tree_.instructions) {
      for (uint32_t k = 0; k < node.operand_count; ++k) {
        const OperandSyntax& operand = tree_.operands[node.first_operand + k];
        if (operand.name == kNoToken) continue;
        ++(operand.shape.empty() ? names : shapes);
        const LayoutCount count = CountLayouts(operand.shape);
        layouts.with += count.with;
        layouts.without += count.without;
      }
    }
    options->operand_shapes = shapes > 0;
    const bool as_instructions = options->layouts == LayoutText::kAll ? layouts.without == 0 : shapes == 0;
    if (shapes == 0 || (names == 0 && as_instructions)) return;
    for (const InstructionSyntax& node : tree_.instructions) {
      forms->first.push_back(static_cast<uint32_t>(forms->forms.size()));
      for (uint32_t k = 0; k < node.operand_count; ++k) {
        forms->forms.push_back(
            FormOf(tree_.operands[node.first_operand + k], names < shapes ? Form::kShape : Form::kName));
      }
    }
    forms->first.push_back(static_cast<uint32_t>(forms->forms.size()));
    options->operand_forms = std::move(forms);
  }

  void FindThreads(PrintOptions* options) const {
    auto threads = std::make_shared<std::vector<std::string>>();
    for (const ComputationSyntax& node : tree_.computations) {
      std::string& thread = threads->emplace_back();
      for (uint32_t k = 0; k < node.attribute_count; ++k) {
        const AttributeSyntax& attribute = tree_.attributes[node.first_attribute + k];
        if (!attribute.value.empty()) thread = std::string(Slice(attribute.value));
      }
    }
    options->written_threads = std::move(threads);
  }

  OperandForms::Form FormOf(const OperandSyntax& operand, OperandForms::Form of_nested) const {
    using Form = OperandForms::Form;
    if (operand.name == kNoToken) return of_nested;
    if (operand.shape.empty()) return Form::kName;
    const LayoutCount count = CountLayouts(operand.shape);
    if (count.with == 0) return Form::kShapeWithoutLayouts;
    return count.without == 0 ? Form::kShapeWithLayouts : Form::kShape;
  }

  const Module& module_;
  const SyntaxTree& tree_;
  const TokenBuffer& tokens_;
  const absl::string_view text_;
};

}  // namespace

void KeepEverything(PrintOptions* options) {
  options->large_constants = true;
  options->metadata = true;
  options->backend_config = true;
  options->control_predecessors = true;
  options->keep_written_tuple_access = true;
  options->keep_written_digits = true;
}

PrintOptions StyleOf(const Document& document) { return StyleFinder(document).Find(); }

PrintOptions StyleOfNewParts(const Document& document) {
  PrintOptions options = StyleOf(document);
  options.keep_written_omissions = options.keep_written_signatures = false;
  options.operand_forms = nullptr;
  options.written_threads = nullptr;
  // A new computation may come first, and a text that begins with a signature needs the line.
  options.header = options.header || options.signatures;
  return options;
}

}  // namespace hloscope
