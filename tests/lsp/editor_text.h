// SPDX-License-Identifier: Apache-2.0
// A text as an editor holds it: UTF-16, with its own line arithmetic, independent of the code under test.
#ifndef HLOSCOPE_TESTS_LSP_EDITOR_TEXT_H_
#define HLOSCOPE_TESTS_LSP_EDITOR_TEXT_H_

#include <random>
#include <string>
#include <vector>

#include "lsp/protocol/types.h"

namespace hloscope::lsp {

class EditorText {
 public:
  explicit EditorText(std::u16string text) : text_(std::move(text)) {}

  const std::u16string& text() const { return text_; }

  std::string Utf8() const {
    std::string out;
    for (size_t i = 0; i < text_.size(); ++i) {
      uint32_t c = text_[i];
      if (c >= 0xD800 && c < 0xDC00) c = 0x10000 + ((c - 0xD800) << 10) + (text_[++i] - 0xDC00u);
      if (c < 0x80) {
        out.push_back(static_cast<char>(c));
      } else if (c < 0x800) {
        out.push_back(static_cast<char>(0xC0 | c >> 6));
        out.push_back(static_cast<char>(0x80 | (c & 0x3F)));
      } else {
        if (c < 0x10000) {
          out.push_back(static_cast<char>(0xE0 | c >> 12));
        } else {
          out.push_back(static_cast<char>(0xF0 | c >> 18));
          out.push_back(static_cast<char>(0x80 | (c >> 12 & 0x3F)));
        }
        out.push_back(static_cast<char>(0x80 | (c >> 6 & 0x3F)));
        out.push_back(static_cast<char>(0x80 | (c & 0x3F)));
      }
    }
    return out;
  }

  protocol::Position PositionAt(size_t offset) const {
    protocol::Position position;
    for (size_t i = 0; i < offset; ++i) {
      const bool crlf = text_[i] == u'\r' && i + 1 < text_.size() && text_[i + 1] == u'\n';
      if (text_[i] == u'\n' || (text_[i] == u'\r' && !crlf)) {
        ++position.line;
        position.character = 0;
      } else {
        ++position.character;
      }
    }
    return position;
  }

  // Replaces a random stretch (never within a surrogate pair or a CR-LF) by one of `insertions`, and returns the
  // change.
  protocol::ContentChange EditRandomly(std::mt19937& random, const std::vector<std::u16string>& insertions) {
    const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
    const size_t first = Boundary(below(text_.size() + 1));
    const size_t length = below(4) == 0 ? below(40) : below(4);
    const size_t last = std::max(first, Boundary(std::min(first + length, text_.size())));
    const std::u16string& insertion = insertions[below(insertions.size())];
    protocol::ContentChange change;
    change.range = protocol::Range{PositionAt(first), PositionAt(last)};
    change.text = EditorText(insertion).Utf8();
    text_.replace(first, last - first, insertion);
    return change;
  }

 private:
  size_t Boundary(size_t at) const {
    const bool in_pair = at > 0 && at < text_.size() && text_[at] >= 0xDC00 && text_[at] < 0xE000;
    const bool in_crlf = at > 0 && at < text_.size() && text_[at] == u'\n' && text_[at - 1] == u'\r';
    return in_pair || in_crlf ? at - 1 : at;
  }

  std::u16string text_;
};

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_TESTS_LSP_EDITOR_TEXT_H_
