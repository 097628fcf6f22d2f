// SPDX-License-Identifier: Apache-2.0
#include "gui/views/metrics.h"

#include <QApplication>
#include <QFontDatabase>

namespace hloscope::gui {
namespace {

// Fixed-pitch families that are easy to read, the best first.
constexpr const char* kCodeFamilies[] = {"JetBrains Mono", "DejaVu Sans Mono", "Liberation Mono"};

// Of a system whose font is given in pixels.
constexpr double kUsualPoints = 10;

}  // namespace

double ScaleOf(TextSize size) {
  switch (size) {
    case TextSize::kSmall:
      return 0.85;
    case TextSize::kBody:
      return 1;
    case TextSize::kTitle:
      return 2;
  }
  return 1;
}

QFont TextFont(TextSize size) {
  QFont font = QApplication::font();
  const double points = font.pointSizeF() > 0 ? font.pointSizeF() : kUsualPoints;
  font.setPointSizeF(points * ScaleOf(size));
  return font;
}

QFont HeadingFont() {
  QFont font = TextFont(TextSize::kBody);
  font.setWeight(QFont::DemiBold);
  return font;
}

QFont CodeFont(TextSize size) {
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  const QStringList families = QFontDatabase::families();
  for (const char* wanted : kCodeFamilies) {
    if (families.contains(QLatin1String(wanted))) {
      font = QFont(QLatin1String(wanted));
      break;
    }
  }
  font.setStyleHint(QFont::Monospace);
  font.setFixedPitch(true);
  font.setPointSizeF(TextFont(size).pointSizeF());
  return font;
}

}  // namespace hloscope::gui
