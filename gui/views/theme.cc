// SPDX-License-Identifier: Apache-2.0
#include "gui/views/theme.h"

#include <QStringList>
#include <algorithm>
#include <cmath>

#include "gui/models/text.h"

namespace hloscope::gui {

QColor Theme::CategoryFill(NodeCategory category) const {
  const QColor light(ToQString(NodeCategoryColor(category)));
  if (!dark) return light;
  // The same hue, deep enough for light text.
  const float hue = light.hslHueF();
  const float saturation = hue < 0 ? 0.0F : std::min(0.45F, light.hslSaturationF());
  return QColor::fromHslF(std::max(hue, 0.0F), saturation, category == NodeCategory::kConstant ? 0.24F : 0.29F);
}

QColor Theme::HeatFill(double share) const {
  if (share < 0) return dark ? QColor(0x30, 0x34, 0x3a) : QColor(0xf2, 0xf3, 0xf5);
  // Yellow to red to violet: also apart for those who cannot tell red from green, since it darkens all the way.
  static constexpr double kStops[][3] = {{255, 245, 200}, {254, 196, 79}, {236, 112, 20}, {170, 30, 70}};
  const double at = std::min(share, 1.0) * 3;
  const int i = std::min(2, static_cast<int>(at));
  double rgb[3];
  for (int k = 0; k < 3; ++k) rgb[k] = kStops[i][k] + (kStops[i + 1][k] - kStops[i][k]) * (at - i);
  const QColor color(static_cast<int>(rgb[0]), static_cast<int>(rgb[1]), static_cast<int>(rgb[2]));
  return dark ? color.darker(190) : color.lighter(118);
}

QColor Theme::HealthyFill() const { return dark ? QColor(0x24, 0x4a, 0x30) : QColor(0xd8, 0xf0, 0xdc); }

QColor Theme::WrittenFill() const { return dark ? QColor(0x4d, 0x46, 0x1c) : QColor(0xf3, 0xec, 0xc0); }

QColor Theme::UnseenFill() const { return dark ? QColor(0x34, 0x36, 0x58) : QColor(0xd9, 0xdc, 0xf2); }

QColor Theme::GroupFill() const { return Mixed(page, selection, dark ? 0.22 : 0.13); }

QColor Theme::LabelFill(int number) const {
  // The palette of Okabe and Ito, whose colours differ for every kind of colour blindness, and one more.
  static constexpr int kHues[kLabelFills][3] = {{86, 180, 233}, {230, 159, 0}, {0, 158, 115}, {204, 121, 167},
                                                {240, 228, 66}, {0, 114, 178}, {213, 94, 0},  {130, 130, 160}};
  const auto& rgb = kHues[((number % kLabelFills) + kLabelFills) % kLabelFills];
  const QColor full(rgb[0], rgb[1], rgb[2]);
  return dark ? Mixed(page, full, 0.5) : Mixed(page, full, 0.55);
}

double Theme::Contrast(const QColor& a, const QColor& b) {
  const auto luminance = [](const QColor& color) {
    const auto linear = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
  };
  const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
  return std::max(x, y) / std::min(x, y);
}

QColor Theme::InkOn(const QColor& fill) {
  const QColor white(Qt::white), soft(0x1f, 0x24, 0x2b), black(Qt::black);
  const double light = Contrast(white, fill), dark = Contrast(soft, fill);
  if (std::max(light, dark) >= kLeastContrast) return dark >= light ? soft : white;
  return Contrast(black, fill) >= light ? black : white;
}

QColor Theme::FaintInkOn(const QColor& fill) {
  const QColor ink = InkOn(fill);
  for (double share = 0.78; share < 1; share += 0.02) {
    const QColor faint = Mixed(fill, ink, share);
    if (Contrast(faint, fill) >= kLeastContrast) return faint;
  }
  return ink;
}

QColor Theme::Mixed(const QColor& a, const QColor& b, double share_of_b) {
  auto mix = [&](int x, int y) { return static_cast<int>(x + (y - x) * share_of_b); };
  return QColor(mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue()));
}

Theme Theme::For(const QPalette& palette) {
  Theme t;
  t.dark = palette.color(QPalette::Base).lightness() < 128;
  t.page = palette.color(QPalette::Base);
  t.text = palette.color(QPalette::Text);
  if (t.dark) {
    t.muted = QColor(0x97, 0x9f, 0xa9);
    t.edge = QColor(0x84, 0x8c, 0x98);
    t.node_border = QColor(0x6c, 0x76, 0x83);
    t.selection = QColor(0x5a, 0xa9, 0xff);
    t.selection_fill = QColor(0x19, 0x31, 0x4e);
    t.reference_fill = QColor(0x2f, 0x34, 0x3c);
    t.current = QColor(0xff, 0xc1, 0x3d);
    t.current_fill = QColor(0x3d, 0x32, 0x10);
    t.executed = QColor(0x5f, 0xc0, 0x78);
    t.breakpoint = QColor(0xf0, 0x55, 0x55);
    t.gutter = t.page.lighter(118);
    t.error = QColor(0xff, 0x6f, 0x6f);
    t.warning = QColor(0xe5, 0xb5, 0x4b);
    t.name = QColor(0xd5, 0xdb, 0xe3);
    t.definition = QColor(0x9c, 0xdc, 0xfe);
    t.opcode = QColor(0xdc, 0xb8, 0x6a);
    t.type = QColor(0x5f, 0xcf, 0xb6);
    t.attribute = QColor(0xa9, 0xb8, 0xe8);
    t.number = QColor(0xb5, 0xce, 0xa8);
    t.string = QColor(0xce, 0x91, 0x78);
    t.keyword = QColor(0xc5, 0x8a, 0xd8);
    t.comment = QColor(0x8f, 0xa3, 0x8b);
  } else {
    t.muted = QColor(0x5f, 0x65, 0x6d);
    t.edge = QColor(0x70, 0x78, 0x84);
    t.node_border = QColor(0x8b, 0x93, 0x9e);
    t.selection = QColor(0x11, 0x64, 0xcf);
    t.selection_fill = QColor(0xdc, 0xeb, 0xff);
    t.reference_fill = QColor(0xec, 0xed, 0xef);
    t.current = QColor(0xc8, 0x78, 0x00);
    t.current_fill = QColor(0xff, 0xf1, 0xcc);
    t.executed = QColor(0x24, 0x75, 0x3a);
    t.breakpoint = QColor(0xd3, 0x2f, 0x2f);
    t.gutter = QColor(0xf3, 0xf4, 0xf6);
    t.error = QColor(0xc5, 0x28, 0x28);
    t.warning = QColor(0x8b, 0x5e, 0x00);
    t.name = QColor(0x24, 0x29, 0x2f);
    t.definition = QColor(0x0b, 0x3f, 0x91);
    t.opcode = QColor(0x8a, 0x4b, 0x00);
    t.type = QColor(0x0a, 0x74, 0x66);
    t.attribute = QColor(0x4a, 0x55, 0x90);
    t.number = QColor(0x1a, 0x6e, 0x2e);
    t.string = QColor(0xa3, 0x31, 0x2a);
    t.keyword = QColor(0x8a, 0x22, 0x9e);
    t.comment = QColor(0x5b, 0x6d, 0x57);
  }
  return t;
}

QPalette Theme::LightPalette() {
  QPalette p;
  const QColor window(0xf4, 0xf5, 0xf7), text(0x1f, 0x24, 0x2b);
  p.setColor(QPalette::Window, window);
  p.setColor(QPalette::WindowText, text);
  p.setColor(QPalette::Base, Qt::white);
  p.setColor(QPalette::AlternateBase, QColor(0xf6, 0xf8, 0xfa));
  p.setColor(QPalette::Text, text);
  p.setColor(QPalette::Button, QColor(0xea, 0xec, 0xef));
  p.setColor(QPalette::ButtonText, text);
  p.setColor(QPalette::ToolTipBase, QColor(0xff, 0xff, 0xe8));
  p.setColor(QPalette::ToolTipText, text);
  p.setColor(QPalette::Highlight, QColor(0x1f, 0x6a, 0xcb));
  p.setColor(QPalette::HighlightedText, Qt::white);
  p.setColor(QPalette::Link, QColor(0x12, 0x58, 0xb8));
  p.setColor(QPalette::PlaceholderText, QColor(0x68, 0x6d, 0x74));
  for (QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    p.setColor(QPalette::Disabled, role, QColor(0xa2, 0xa8, 0xb0));
  }
  return p;
}

QPalette Theme::DarkPalette() {
  QPalette p;
  const QColor window(0x25, 0x28, 0x2d), base(0x1c, 0x1e, 0x22), text(0xe2, 0xe5, 0xea);
  p.setColor(QPalette::Window, window);
  p.setColor(QPalette::WindowText, text);
  p.setColor(QPalette::Base, base);
  p.setColor(QPalette::AlternateBase, QColor(0x22, 0x25, 0x2a));
  p.setColor(QPalette::Text, text);
  p.setColor(QPalette::Button, QColor(0x33, 0x37, 0x3e));
  p.setColor(QPalette::ButtonText, text);
  p.setColor(QPalette::BrightText, Qt::white);
  p.setColor(QPalette::ToolTipBase, QColor(0x3a, 0x3f, 0x47));
  p.setColor(QPalette::ToolTipText, text);
  p.setColor(QPalette::Highlight, QColor(0x2b, 0x66, 0xb5));
  p.setColor(QPalette::HighlightedText, Qt::white);
  p.setColor(QPalette::Link, QColor(0x6a, 0xb0, 0xff));
  p.setColor(QPalette::PlaceholderText, QColor(0x8b, 0x92, 0x9b));
  p.setColor(QPalette::Light, QColor(0x3c, 0x41, 0x49));
  p.setColor(QPalette::Midlight, QColor(0x34, 0x38, 0x3f));
  p.setColor(QPalette::Mid, QColor(0x2c, 0x30, 0x36));
  p.setColor(QPalette::Dark, QColor(0x16, 0x18, 0x1b));
  p.setColor(QPalette::Shadow, Qt::black);
  for (QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    p.setColor(QPalette::Disabled, role, QColor(0x6d, 0x74, 0x7d));
  }
  return p;
}

}  // namespace hloscope::gui
