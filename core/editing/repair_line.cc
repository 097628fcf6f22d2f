// SPDX-License-Identifier: Apache-2.0
#include "core/editing/repair_line.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/diagnostics/familiar_names.h"
#include "core/editing/statement_edits.h"
#include "core/ir/element_type.h"
#include "core/ir/opcode.h"
#include "core/lex/lexer.h"

namespace hloscope {

RepairLine::RepairLine(const Document& document, SourceRange range, std::vector<Repair>* candidates)
    : document_(document),
      begin_(range.begin),
      text_(document.source().Slice(range)),
      source_(SourceText::FromString("", std::string(text_))),
      candidates_(candidates),
      computation_(document.ComputationAt(range.begin)) {
  DiagnosticSink sink;
  tokens_ = Lex(*source_, sink);
}

std::string RepairLine::Indentation() const {
  return std::string(text_.substr(0, std::min(text_.find_first_not_of(" \t"), text_.size())));
}

absl::string_view RepairLine::word(size_t i) const {
  return i < size() ? source_->Slice(tokens_.range(static_cast<TokenIndex>(i))) : absl::string_view();
}

std::optional<size_t> RepairLine::Find(absl::string_view wanted, size_t from) const {
  for (size_t i = from; i < size(); ++i) {
    if (word(i) == wanted) return i;
  }
  return std::nullopt;
}

size_t RepairLine::CloseOf(size_t open) const {
  int depth = 0;
  for (size_t i = open; i < size(); ++i) {
    if (IsOpeningBracket(kind(i))) ++depth;
    if (IsClosingBracket(kind(i)) && --depth == 0) return i;
  }
  return size() - 1;
}

std::optional<size_t> RepairLine::Opcode() const {
  const std::optional<size_t> equals = Equals();
  if (!equals) return std::nullopt;
  for (size_t i = *equals + 1; i < size(); ++i) {
    if (kind(i) == TokenKind::kIdentifier && OpcodeFromName(word(i))) return i;
  }
  for (size_t i = *equals + 1; i + 1 < size(); ++i) {
    if (kind(i) == TokenKind::kIdentifier && kind(i + 1) == TokenKind::kLeftParen) return i;
  }
  return std::nullopt;
}

std::vector<int64_t> RepairLine::WrittenDimensions() const {
  const std::optional<size_t> equals = Equals(), opcode = Opcode();
  if (!equals || !opcode || *opcode <= *equals + 2) return {};
  absl::string_view shape = Between(End(*equals + 1), At(*opcode));
  return NumbersIn(shape.substr(0, shape.find("]{") == absl::string_view::npos ? shape.size() : shape.find("]{")));
}

std::string RepairLine::Named(absl::string_view name) const {
  return absl::StrCat(computation_.has_value() && WritesPercent(document_, computation_) ? "%" : "", name);
}

bool RepairLine::IsDefinedAbove(absl::string_view name) const {
  if (!computation_.has_value()) return false;
  const std::vector<InstructionId> statements = StatementsOf(document_, computation_);
  return std::any_of(statements.begin(), statements.end(), [&](InstructionId id) {
    return document_.module().InstructionName(id) == name && document_.InstructionRange(id).begin < begin_;
  });
}

void RepairLine::Write(uint32_t from, uint32_t to, std::string replacement) {
  constexpr size_t kMaxTitle = 60;
  const bool is_short = replacement.size() <= kMaxTitle;
  std::string title =
      replacement.empty()
          ? absl::StrCat("remove `", absl::StripAsciiWhitespace(Between(from, to)).substr(0, kMaxTitle), "`")
          : absl::StrCat("write `", absl::StripAsciiWhitespace(replacement).substr(0, kMaxTitle),
                         is_short ? "`" : "...`");
  ReplaceBetween(std::move(title), from, to, std::move(replacement));
}

std::vector<int64_t> NumbersIn(absl::string_view text) {
  constexpr size_t kMaxNumbers = 64;
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < text.size() && numbers.size() < kMaxNumbers;) {
    size_t end = i;
    while (end < text.size() && absl::ascii_isdigit(static_cast<unsigned char>(text[end]))) ++end;
    if (end == i) {
      ++i;
      continue;
    }
    int64_t number = 0;
    // `8.0` is 8; digits of a word are none.
    const bool in_word = i > 0 && (absl::ascii_isalpha(static_cast<unsigned char>(text[i - 1])) && text[i - 1] != 'x');
    const bool is_fraction =
        i > 1 && text[i - 1] == '.' && absl::ascii_isdigit(static_cast<unsigned char>(text[i - 2]));
    if (!in_word && !is_fraction && absl::SimpleAtoi(text.substr(i, end - i), &number)) numbers.push_back(number);
    i = end;
  }
  return numbers;
}

std::string JoinNumbers(const std::vector<int64_t>& numbers, absl::string_view separator) {
  return absl::StrJoin(numbers, separator);
}

}  // namespace hloscope
