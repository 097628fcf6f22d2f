// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/inlay_hint.h"

#include <algorithm>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/editing/instruction_text.h"
#include "core/ops/operand_roles.h"
#include "lsp/features/hover_cards.h"
#include "lsp/features/markdown.h"

namespace hloscope::lsp {
namespace {

// Longer shapes are cut in hints (and then cannot be accepted).
constexpr size_t kMaxShapeBytes = 60;

// `%init.3` and `init_3` are both "init".
absl::string_view NameWithoutNumber(absl::string_view name) {
  absl::ConsumePrefix(&name, "%");
  const size_t end = name.find_last_not_of("0123456789");
  if (end == absl::string_view::npos || end + 1 == name.size() || (name[end] != '.' && name[end] != '_')) return name;
  return name.substr(0, end);
}

class HintFinder {
 public:
  HintFinder(const DocumentView& view, const InlayHintSettings& settings)
      : view_(view), document_(view.document), module_(view.module()), settings_(settings) {}

  void Add(InstructionId id) {
    const InstructionText text(document_, id);
    if (text.node().broken || text.node().opcode == kNoToken) return;
    if (settings_.inferred_shapes && text.node().shape.empty()) AddShape(id, text);
    AddOperands(id, text);
    if (settings_.bytes && module_.shape(id).IsValid() && !module_.shape(id).HasUnboundedDimension()) AddBytes(id);
  }

  std::vector<protocol::InlayHint> Take() {
    std::stable_sort(hints_.begin(), hints_.end(), [](const protocol::InlayHint& a, const protocol::InlayHint& b) {
      return a.position < b.position;
    });
    if (hints_.size() > kMaxInlayHints) hints_.resize(kMaxInlayHints);
    return std::move(hints_);
  }
  bool IsFull() const { return hints_.size() >= kMaxInlayHints; }

 private:
  protocol::InlayHint Hint(uint32_t offset, std::string label, protocol::InlayHintKind kind) const {
    protocol::InlayHint hint;
    hint.position = view_.positions.ToPosition(offset);
    hint.label = std::move(label);
    hint.kind = kind;
    return hint;
  }

  void AddShape(InstructionId id, const InstructionText& instruction) {
    if (!module_.shape(id).IsValid()) return;
    const std::string text = module_.shape(id).ToString();
    const uint32_t at = instruction.tokens().begin(instruction.node().opcode);
    protocol::InlayHint hint = Hint(at, ShortenText(text, kMaxShapeBytes), protocol::InlayHintKind::kType);
    hint.padding_right = true;
    hint.edit = protocol::TextEdit{{hint.position, hint.position}, absl::StrCat(text, " ")};
    hints_.push_back(std::move(hint));
  }

  void AddOperands(InstructionId id, const InstructionText& text) {
    const auto operands = module_.operands(id);
    const size_t count = std::min<size_t>(text.node().operand_count, operands.size());
    const Opcode opcode = module_.opcode(id);
    if (opcode == Opcode::kInvalid || count == 0) return;
    for (size_t k = 0; k < count && !IsFull(); ++k) {
      const OperandSyntax& operand = text.operand(k);
      if (operand.tokens.empty()) continue;
      if (settings_.operand_names && count > 1) {
        const std::string role = OperandRole(opcode, k, count);
        const bool says_something = role.size() > 1 && !absl::StartsWith(role, "args");
        const absl::string_view written = operand.name == kNoToken ? absl::string_view() : text.TextOf(operand.name);
        if (says_something && NameWithoutNumber(written) != role) {
          protocol::InlayHint hint = Hint(text.tokens().begin(operand.tokens.begin), absl::StrCat(role, ":"),
                                          protocol::InlayHintKind::kParameter);
          hint.padding_right = true;
          hints_.push_back(std::move(hint));
        }
      }
      if (settings_.operand_shapes && operand.shape.empty() && !operand.nested.has_value() && operands[k].has_value() &&
          module_.shape(operands[k]).IsValid()) {
        protocol::InlayHint hint =
            Hint(text.tokens().begin(operand.tokens.begin),
                 ShortenText(module_.shape(operands[k]).ToString(), kMaxShapeBytes), protocol::InlayHintKind::kType);
        hint.padding_right = true;
        hints_.push_back(std::move(hint));
      }
    }
  }

  void AddBytes(InstructionId id) {
    const SourceRange range = document_.InstructionRange(id);
    protocol::InlayHint hint =
        Hint(range.end, ShortBytes(module_.shape(id).ByteSize()), protocol::InlayHintKind::kType);
    hint.padding_left = true;
    hints_.push_back(std::move(hint));
  }

  const DocumentView& view_;
  const Document& document_;
  const Module& module_;
  const InlayHintSettings& settings_;
  std::vector<protocol::InlayHint> hints_;
};

}  // namespace

std::string InlayHintTooltip(const DocumentView& view, protocol::Position position) {
  const SymbolAtPosition symbol = view.SymbolAt(position);
  if (symbol.kind == SymbolAtPosition::Kind::kOperand && symbol.instruction.has_value()) {
    return InstructionCard(view.document, symbol.instruction);
  }
  const InstructionId id = view.document.InstructionAt(view.ToOffset(position));
  return id.has_value() && view.module().shape(id).IsValid() ? ShapeCard(view.document, id) : std::string();
}

std::vector<protocol::InlayHint> ComputeInlayHints(const DocumentView& view, protocol::Range range,
                                                   const InlayHintSettings& settings) {
  const SourceRange wanted = view.positions.ToSourceRange(range);
  const Module& module = view.module();
  HintFinder finder(view, settings);
  for (size_t i = 0; i < module.instruction_count() && !finder.IsFull(); ++i) {
    const InstructionId id(i);
    if (!module.instruction(id).syntax.has_value() || module.instruction(id).synthesized) continue;
    const uint32_t begin = view.document.InstructionRange(id).begin;
    if (begin >= wanted.begin && begin <= wanted.end) finder.Add(id);
  }
  return finder.Take();
}

}  // namespace hloscope::lsp
