// SPDX-License-Identifier: Apache-2.0
#include "gui/models/edit_tracker.h"

#include <QTextBlock>
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "gui/models/text.h"

namespace hloscope::gui {

bool IsEditable(const SourceText& source) {
  for (uint32_t line = 0; line < source.line_count(); ++line) {
    const absl::string_view bytes = source.Line(line);
    if (bytes.size() > static_cast<size_t>(kMaxDisplayedLine)) return false;
    const bool plain = std::all_of(bytes.begin(), bytes.end(), [](char c) { return c > 0; });
    if (plain) continue;
    const QString decoded = ToQString(bytes);
    // What is not UTF-8, or would end a line of the view, is shown as something else.
    if (decoded.contains(QChar(0xFFFD)) || decoded.contains(QChar(0)) || decoded.contains(QChar(0x2028)) ||
        decoded.contains(QChar(0x2029))) {
      return false;
    }
  }
  return true;
}

void EditTracker::Reset(int length) {
  changed_ = false;
  prefix_ = suffix_ = length;
}

void EditTracker::Change(int position, int removed, int added, int length) {
  if (removed == 0 && added == 0) return;
  changed_ = true;
  prefix_ = std::min(prefix_, position);
  suffix_ = std::min(suffix_, std::max(0, length - position - added));
}

TextEdit EditTracker::EditOf(const SourceText& source, const QTextDocument& text) const {
  // QTextDocument counts a paragraph separator at its end, which is not part of the text.
  const int length = text.characterCount() - 1;
  const int begin = std::min(prefix_, length);
  const int end = std::max(begin, length - suffix_);
  const QTextBlock first = text.findBlock(begin), last = text.findBlock(end);
  TextEdit edit;
  edit.range.begin =
      source.OffsetAt({static_cast<uint32_t>(first.blockNumber()), static_cast<uint32_t>(begin - first.position())},
                      ColumnUnit::kUtf16);
  // What follows is unchanged: the same number of lines, and of characters to the end of its first one.
  const uint32_t lines_after = static_cast<uint32_t>(text.blockCount() - 1 - last.blockNumber());
  const uint32_t old_line = source.line_count() - 1 - std::min(lines_after, source.line_count() - 1);
  const int rest = last.position() + last.length() - 1 - end;
  const int old_length = static_cast<int>(ToQString(source.Line(old_line)).size());
  edit.range.end =
      source.OffsetAt({old_line, static_cast<uint32_t>(std::max(0, old_length - rest))}, ColumnUnit::kUtf16);
  edit.range.end = std::max(edit.range.begin, edit.range.end);
  QTextCursor cursor(const_cast<QTextDocument*>(&text));
  cursor.setPosition(begin);
  cursor.setPosition(end, QTextCursor::KeepAnchor);
  QString added = cursor.selectedText();
  added.replace(QChar::ParagraphSeparator, QLatin1Char('\n'));
  edit.replacement = added.toStdString();
  // Repeated characters can make begin and end overlap in the old text: then the end decides.
  return edit;
}

std::string AfterEdit(const SourceText& source, const TextEdit& edit) {
  const absl::string_view all(source.text().data(), source.text().size());
  return absl::StrCat(all.substr(0, edit.range.begin), edit.replacement, all.substr(edit.range.end));
}

}  // namespace hloscope::gui
