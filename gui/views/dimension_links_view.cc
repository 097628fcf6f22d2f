// SPDX-License-Identifier: Apache-2.0
#include "gui/views/dimension_links_view.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "gui/models/text.h"
#include "gui/views/theme.h"

namespace hloscope::gui {
namespace {

constexpr double kBoxHeight = 22, kLinkGap = 6, kRowGap = 26, kTop = 6, kBottomRow = 74;
constexpr qsizetype kTitle = 24;  // characters

QString Title(const QString& name, const Shape& shape) {
  return QStringLiteral("%1 %2").arg(Elide(name, kTitle), ToQString(ElementTypeName(shape.element_type())));
}

}  // namespace

DimensionLinksView::DimensionLinksView(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("Which dimensions become which"));
}

void DimensionLinksView::SetMap(const IndexMap& map) {
  operands_.clear();
  result_ = {};
  links_.clear();
  if (map.good()) {
    const auto row = [](const QString& name, const Shape& shape) {
      Row r{Title(name, shape), {}};
      for (int64_t size : shape.dimensions()) r.sizes.push_back(QString::number(size));
      return r;
    };
    for (size_t k = 0; k < std::min<size_t>(map.operand_count(), 6); ++k) {
      operands_.push_back(row(map.operand_name(k), map.operand_shape(k)));
    }
    result_ = row(ToQString(map.module().InstructionName(map.instruction())), map.result_shape());
    links_ = map.links();
  }
  QStringList words;
  for (const DimensionLink& link : links_) {
    if (link.kind == DimensionLink::Kind::kSummed) {
      words << tr("dimension %1 of operand %2 is summed over").arg(link.operand_dimension).arg(link.operand);
    } else if (link.kind == DimensionLink::Kind::kRepeated) {
      words << tr("dimension %1 of the result is new").arg(link.result_dimension);
    } else {
      words << tr("dimension %1 of operand %2 becomes %3")
                   .arg(link.operand_dimension)
                   .arg(link.operand)
                   .arg(link.result_dimension);
    }
  }
  setAccessibleDescription(words.join(QStringLiteral("; ")));
  update();
}

std::vector<QRectF> DimensionLinksView::BoxesOf(const Row& row, double y, double* x) const {
  const QFontMetricsF metrics(font());
  *x += metrics.horizontalAdvance(row.title) + kLinkGap;
  std::vector<QRectF> boxes;
  for (const QString& size : row.sizes) {
    const double width = std::max(metrics.horizontalAdvance(size) + 14, 26.0);
    boxes.emplace_back(*x, y, width, kBoxHeight);
    *x += width + kLinkGap;
  }
  *x += kRowGap;
  return boxes;
}

void DimensionLinksView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme theme = Theme::For(palette());
  if (operands_.empty()) return;
  // As much smaller as it takes to fit.
  double needed = 0;
  for (const Row& row : operands_) BoxesOf(row, 0, &needed);
  double below = 0;
  BoxesOf(result_, 0, &below);
  const double scale = std::min(1.0, (width() - 12) / std::max(needed, below));
  painter.translate(6, 0);
  painter.scale(scale, scale);
  const auto draw_row = [&](const Row& row, const std::vector<QRectF>& boxes, double y, double from) {
    painter.setPen(theme.text);
    painter.drawText(QRectF(from, y, 2000, kBoxHeight), Qt::AlignLeft | Qt::AlignVCenter, row.title);
    for (size_t d = 0; d < boxes.size(); ++d) {
      painter.setPen(theme.node_border);
      painter.setBrush(theme.selection_fill);
      painter.drawRoundedRect(boxes[d], 4, 4);
      painter.setPen(theme.text);
      painter.drawText(boxes[d], Qt::AlignCenter, row.sizes[d]);
    }
  };
  double x = 0;
  std::vector<std::vector<QRectF>> above;
  for (const Row& row : operands_) {
    const double from = x;
    above.push_back(BoxesOf(row, kTop, &x));
    draw_row(row, above.back(), kTop, from);
  }
  // The result is below the middle of the operands.
  double from = std::max(0.0, (needed - below) / 2), end = from;
  const std::vector<QRectF> results = BoxesOf(result_, kBottomRow, &end);
  draw_row(result_, results, kBottomRow, from);
  painter.setBrush(Qt::NoBrush);
  for (const DimensionLink& link : links_) {
    if (link.operand >= above.size()) continue;
    const bool summed = link.kind == DimensionLink::Kind::kSummed;
    const bool repeated = link.kind == DimensionLink::Kind::kRepeated;
    const QColor color = summed ? theme.error : repeated ? theme.current : theme.selection;
    painter.setPen(QPen(color, 1.8, link.kind == DimensionLink::Kind::kMixed ? Qt::DashLine : Qt::SolidLine));
    if (summed || repeated) {
      const QRectF& box = summed ? above[link.operand][static_cast<size_t>(link.operand_dimension)]
                                 : results[static_cast<size_t>(link.result_dimension)];
      const QPointF at(box.center().x(), summed ? box.bottom() + 9 : box.top() - 9);
      painter.drawLine(QPointF(box.center().x(), summed ? box.bottom() : box.top()), at);
      painter.drawText(QRectF(at.x() - 20, summed ? at.y() - 1 : at.y() - 15, 40, 16), Qt::AlignCenter,
                       summed ? QStringLiteral("\u03a3") : QStringLiteral("\u21bb"));
      continue;
    }
    const QRectF& a = above[link.operand][static_cast<size_t>(link.operand_dimension)];
    const QRectF& b = results[static_cast<size_t>(link.result_dimension)];
    QPainterPath path(QPointF(a.center().x(), a.bottom()));
    const double middle = (a.bottom() + b.top()) / 2;
    path.cubicTo(QPointF(a.center().x(), middle), QPointF(b.center().x(), middle), QPointF(b.center().x(), b.top()));
    painter.drawPath(path);
  }
}

}  // namespace hloscope::gui
