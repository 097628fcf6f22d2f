// SPDX-License-Identifier: Apache-2.0
// Between the core's UTF-8 bytes and Qt's UTF-16 strings.
#ifndef HLOSCOPE_GUI_MODELS_TEXT_H_
#define HLOSCOPE_GUI_MODELS_TEXT_H_

#include <QString>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "core/source/source_text.h"

namespace hloscope::gui {

inline QString ToQString(absl::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

// The first `limit` characters, with an ellipsis if there were more.
QString Elide(const QString& text, qsizetype limit);

// Longest line that a text view shows in full; the rest is cut with an ellipsis.
inline constexpr qsizetype kMaxDisplayedLine = 200'000;

// The text as a text view shows it: lines joined by '\n', one UTF-16 unit for every unit that SourceText counts. Bytes
// that are not UTF-8 and characters that Qt would take for line breaks become U+FFFD, so lines and columns agree.
QString DisplayText(const SourceText& source);

// "1.5 MiB", "312 bytes".
QString FormatBytes(int64_t bytes);
// "1.14 GFLOP".
QString FormatFlops(double flops);
// "1.20 s", "35.12 ms", "8.1 µs".
QString FormatSeconds(double seconds);
// "1 234 567" with thin spaces.
QString FormatCount(int64_t count);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_TEXT_H_
