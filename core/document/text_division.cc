// SPDX-License-Identifier: Apache-2.0
#include "core/document/text_division.h"

#include <cstring>

#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "core/lex/word_scan.h"

namespace hloscope {
namespace {

SourceRange Range(size_t begin, size_t end) { return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)}; }

bool OpensBody(absl::string_view line) {
  absl::ConsumeSuffix(&line, "\n");
  absl::ConsumeSuffix(&line, "\r");
  return absl::EndsWith(line, "{");
}

// `  ROOT %name = `, `  name = `.
bool IsStatement(absl::string_view line) {
  if (!absl::ConsumePrefix(&line, "  ")) return false;
  absl::ConsumePrefix(&line, "ROOT ");
  absl::ConsumePrefix(&line, "%");
  if (line.empty() || !IsClass(line[0], kWordStart)) return false;
  line.remove_prefix(static_cast<size_t>(EndOfWord(line.data(), line.data() + line.size()) - line.data()));
  return absl::StartsWith(line, " = ");
}

}  // namespace

std::optional<TextPart> TextDivision::Next() {
  while (parts_.empty() && position_ < text_.size()) {
    const size_t begin = position_;
    const void* const newline = std::memchr(text_.data() + begin, '\n', text_.size() - begin);
    position_ =
        newline == nullptr ? text_.size() : static_cast<size_t>(static_cast<const char*>(newline) - text_.data()) + 1;
    Line(begin, position_);
    if (position_ == text_.size() && !is_inside_ && part_begin_ < position_) AddComputations(position_);
  }
  if (parts_.empty()) return std::nullopt;
  const TextPart part = parts_.front();
  parts_.pop_front();
  return part;
}

void TextDivision::Line(size_t begin, size_t end) {
  const char first = text_[begin];
  if (!is_inside_) {
    if (first == ' ' || !OpensBody(text_.substr(begin, end - begin))) return;
    is_inside_ = true;
    head_ = Range(begin, end);
    lines_ = 0;
    cuts_.assign(1, Cut{end, 0});
    return;
  }
  if (first == '}') return CloseBody(begin, end);
  if (begin - cuts_.back().at >= part_bytes_ && IsStatement(text_.substr(begin, end - begin))) {
    cuts_.push_back({begin, lines_});
  }
  ++lines_;
}

void TextDivision::CloseBody(size_t begin, size_t end) {
  is_inside_ = false;
  if (end - head_.begin < 2 * part_bytes_ || cuts_.size() == 1) {
    part_lines_ += lines_;
    if (end - part_begin_ >= part_bytes_) AddComputations(end);
    return;
  }
  // A first part has the header, be there nothing else in it.
  if (part_begin_ < head_.begin) AddComputations(head_.begin);
  TextPart frame;
  frame.kind = TextPart::Kind::kFrame;
  frame.range = head_;
  frame.tail = Range(begin, end);
  frame.lines = lines_;
  parts_.push_back(frame);
  for (size_t i = 0; i < cuts_.size(); ++i) {
    const bool is_last = i + 1 == cuts_.size();
    TextPart part;
    part.kind = TextPart::Kind::kStatements;
    part.range = Range(cuts_[i].at, is_last ? begin : cuts_[i + 1].at);
    part.lines = (is_last ? lines_ : cuts_[i + 1].line) - cuts_[i].line;
    part.is_last_of_frame = is_last;
    parts_.push_back(part);
  }
  part_begin_ = end;
}

void TextDivision::AddComputations(size_t end) {
  TextPart part;
  part.range = Range(part_begin_, end);
  part.lines = part_lines_;
  parts_.push_back(part);
  part_begin_ = end;
  part_lines_ = 0;
}

}  // namespace hloscope
