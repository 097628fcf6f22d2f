// SPDX-License-Identifier: Apache-2.0
// One line with a mistake in it, as tokens, and the list of what may be meant by it.
#ifndef HLOSCOPE_CORE_EDITING_REPAIR_LINE_H_
#define HLOSCOPE_CORE_EDITING_REPAIR_LINE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/document/document.h"
#include "core/editing/repairs.h"
#include "core/lex/token_buffer.h"

namespace hloscope {

class RepairLine {
 public:
  RepairLine(const Document& document, SourceRange range, std::vector<Repair>* candidates);

  const Document& document() const { return document_; }
  absl::string_view text() const { return text_; }
  uint32_t begin() const { return begin_; }
  std::string Indentation() const;

  // Tokens; beyond the last one kEndOfFile and "".
  size_t size() const { return tokens_.size() - 1; }
  TokenKind kind(size_t i) const {
    return i < size() ? tokens_.kind(static_cast<TokenIndex>(i)) : TokenKind::kEndOfFile;
  }
  absl::string_view word(size_t i) const;
  bool IsNumber(size_t i) const { return kind(i) == TokenKind::kInteger; }
  // Whether it may name an operand.
  bool IsName(size_t i) const { return kind(i) == TokenKind::kName || kind(i) == TokenKind::kIdentifier; }
  // Offsets in the document.
  uint32_t At(size_t i) const { return i < size() ? begin_ + tokens_.begin(static_cast<TokenIndex>(i)) : line_end(); }
  uint32_t End(size_t i) const { return begin_ + tokens_.end(static_cast<TokenIndex>(i)); }
  uint32_t line_end() const { return begin_ + static_cast<uint32_t>(text_.size()); }
  absl::string_view Between(uint32_t from, uint32_t to) const { return text_.substr(from - begin_, to - from); }
  absl::string_view Slice(size_t first, size_t last) const { return Between(At(first), End(last)); }  // both included

  std::optional<size_t> Find(absl::string_view wanted, size_t from = 0) const;
  // The token that closes the bracket, or the last one of the line.
  size_t CloseOf(size_t open) const;

  // The parts of `name = shape opcode(operands), attributes`, as far as they are there.
  std::optional<size_t> Equals() const { return Find("="); }
  std::optional<size_t> Opcode() const;  // or what is meant for one: a word before an opening bracket, after `=`
  // The dimensions of the array shape between `=` and the opcode, in whatever brackets.
  std::vector<int64_t> WrittenDimensions() const;
  // `%name` where the computation writes names so, else `name`.
  std::string Named(absl::string_view name) const;
  // The instructions that are defined above the line, with `%` or not as the computation writes them.
  bool IsDefinedAbove(absl::string_view name) const;

  void Add(std::string title, std::vector<TextEdit> edits) {
    candidates_->push_back({std::move(title), std::move(edits)});
  }
  void ReplaceBetween(std::string title, uint32_t from, uint32_t to, std::string replacement) {
    if (Between(from, to) != replacement) Add(std::move(title), {{{from, to}, std::move(replacement)}});
  }
  void Replace(std::string title, size_t first, size_t last, std::string replacement) {
    ReplaceBetween(std::move(title), At(first), End(last), std::move(replacement));
  }
  // The last one added need not be what was meant.
  void MarkAsGuess() {
    if (!candidates_->empty()) candidates_->back().is_guess = true;
  }
  // Titled by what is written.
  void Write(uint32_t from, uint32_t to, std::string replacement);

 private:
  const Document& document_;
  const uint32_t begin_;
  const absl::string_view text_;
  const std::shared_ptr<const SourceText> source_;
  TokenBuffer tokens_;
  std::vector<Repair>* const candidates_;
  ComputationId computation_;
};

// The numbers without sign in a text, whatever is between them; at most 64.
std::vector<int64_t> NumbersIn(absl::string_view text);
std::string JoinNumbers(const std::vector<int64_t>& numbers, absl::string_view separator = ",");

// Each adds what may be meant, about one part of the line.
void AddShapeSpellings(RepairLine& line);
void AddStatementSpellings(RepairLine& line);
void AddExpressionSpellings(RepairLine& line);
void AddOperandSpellings(RepairLine& line);
void AddAttributeSpellings(RepairLine& line);
void AddListSpellings(RepairLine& line);
void AddWindowSpellings(RepairLine& line);
void AddLiteralSpellings(RepairLine& line);
void AddHeaderSpellings(RepairLine& line);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_EDITING_REPAIR_LINE_H_
