// SPDX-License-Identifier: Apache-2.0
#include "gui/views/legend_view.h"

#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <utility>

namespace hloscope::gui {
namespace {

constexpr int kSwatch = 11;
constexpr int kLegendMargin = 8;
constexpr int kSpacing = 14;

}  // namespace

LegendView::LegendView(QWidget* parent) : QWidget(parent) {
  QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  setAccessibleName(tr("Legend"));
  hide();
}

void LegendView::SetEntries(std::vector<LegendEntry> entries) {
  if (entries == entries_) return;
  entries_ = std::move(entries);
  QStringList texts;
  for (const LegendEntry& entry : entries_) texts << entry.text;
  setAccessibleDescription(texts.join(QStringLiteral(", ")));
  setToolTip(texts.join(QLatin1Char('\n')));
  setVisible(!entries_.empty());
  updateGeometry();
  update();
}

int LegendView::RowHeight() const { return fontMetrics().height() + 4; }

std::vector<QRect> LegendView::Place(int width) const {
  std::vector<QRect> places;
  int x = kLegendMargin, y = 0;
  for (const LegendEntry& entry : entries_) {
    // Widths are rounded: two pixels more, or some texts are cut though they fit.
    const int wanted = kSwatch + 5 + fontMetrics().horizontalAdvance(entry.text) + 2;
    const int needed = std::min(wanted, std::max(40, width - 2 * kLegendMargin));
    if (x > kLegendMargin && x + needed > width - kLegendMargin) {
      x = kLegendMargin;
      y += RowHeight();
    }
    if (y >= kMostRows * RowHeight()) break;
    places.emplace_back(x, y, needed, RowHeight());
    x += needed + kSpacing;
  }
  return places;
}

int LegendView::heightForWidth(int width) const {
  const std::vector<QRect> places = Place(width);
  return places.empty() ? 0 : places.back().bottom() + 1;
}

QSize LegendView::sizeHint() const { return QSize(200, heightForWidth(std::max(width(), 200))); }

void LegendView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const std::vector<QRect> places = Place(width());
  for (size_t i = 0; i < places.size(); ++i) {
    const QRect& place = places[i];
    const QRect swatch(place.left(), place.center().y() - kSwatch / 2, kSwatch, kSwatch);
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.setBrush(entries_[i].color);
    painter.drawRect(swatch.adjusted(0, 0, -1, -1));
    painter.setPen(palette().color(QPalette::WindowText));
    const QRect text = place.adjusted(kSwatch + 5, 0, 0, 0);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(entries_[i].text, Qt::ElideMiddle, text.width()));
  }
}

}  // namespace hloscope::gui
