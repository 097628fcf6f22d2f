// SPDX-License-Identifier: Apache-2.0
#include "gui/models/text.h"

#include <QCoreApplication>
#include <algorithm>
#include <iterator>

#include "core/print/quantity.h"
#include "gui/models/plurals.h"

namespace hloscope::gui {
namespace {

constexpr QChar kReplacement(0xFFFD);

// True for the characters at which QTextDocument ends a block, and for NUL.
bool NeedsReplacement(QChar c) {
  const char16_t u = c.unicode();
  return u == 0 || u == 0x2028 || u == 0x2029 || u == 0xFDD0 || u == 0xFDD1;
}

bool IsPlainAscii(absl::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > 0; });
}

// One unit a broken byte; valid UTF-8 as Qt decodes it.
QString DecodeLine(absl::string_view line) {
  QString decoded;
  size_t i = 0;
  while (i < line.size()) {
    const uint8_t lead = static_cast<uint8_t>(line[i]);
    size_t bytes = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    bytes = std::min(bytes, line.size() - i);
    const QString character = QString::fromUtf8(line.data() + i, static_cast<qsizetype>(bytes));
    const bool valid = !character.contains(kReplacement) && (lead < 0x80 || bytes > 1);
    if (!valid) {
      decoded += kReplacement;
      ++i;
      continue;
    }
    decoded += character;
    i += bytes;
  }
  return decoded;
}

}  // namespace

QString Elide(const QString& text, qsizetype limit) {
  return text.size() <= limit ? text : text.left(limit - 1) + QChar(0x2026);
}

QString DisplayText(const SourceText& source) {
  QString text;
  text.reserve(static_cast<qsizetype>(source.size()) + source.line_count());
  for (uint32_t line = 0; line < source.line_count(); ++line) {
    if (line > 0) text += QLatin1Char('\n');
    const absl::string_view bytes = source.Line(line);
    if (IsPlainAscii(bytes)) {
      const qsizetype shown = std::min<qsizetype>(static_cast<qsizetype>(bytes.size()), kMaxDisplayedLine);
      text += QLatin1String(bytes.data(), shown);
      if (shown < static_cast<qsizetype>(bytes.size())) text += QChar(0x2026);
      continue;
    }
    QString decoded = Elide(DecodeLine(bytes), kMaxDisplayedLine);
    for (QChar& c : decoded) {
      if (NeedsReplacement(c)) c = kReplacement;
    }
    text += decoded;
  }
  return text;
}

QString FormatBytes(int64_t bytes) {
  static constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return QCoreApplication::translate("Text", "%n byte(s)", nullptr, ForPlural(bytes));
  double value = static_cast<double>(bytes) / 1024;
  int unit = 0;
  while (value >= 1024 && unit < 5) {
    value /= 1024;
    ++unit;
  }
  return QStringLiteral("%1 %2").arg(value, 0, 'f', value < 10 ? 2 : 1).arg(QLatin1String(kUnits[unit]));
}

QString FormatFlops(double flops) {
  return QString::fromStdString(FlopText(static_cast<int64_t>(std::min(flops, 9e18))));
}

QString FormatSeconds(double seconds) {
  if (seconds >= 1) return QStringLiteral("%1 s").arg(seconds, 0, 'f', 2);
  if (seconds >= 1e-3) return QStringLiteral("%1 ms").arg(seconds * 1e3, 0, 'f', 2);
  if (seconds >= 1e-6 || seconds <= 0) return QStringLiteral("%1 \u00B5s").arg(seconds * 1e6, 0, 'f', 1);
  return QStringLiteral("%1 ns").arg(seconds * 1e9, 0, 'f', 1);
}

QString FormatCount(int64_t count) {
  QString digits = QString::number(count);
  for (qsizetype i = digits.size() - 3; i > (count < 0 ? 1 : 0); i -= 3) digits.insert(i, QChar(0x2009));
  return digits;
}

}  // namespace hloscope::gui
