// SPDX-License-Identifier: Apache-2.0
#include "gui/views/graph_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "gui/models/plurals.h"
#include "gui/models/text.h"
#include "gui/views/graph_painter_parts.h"
#include "gui/views/metrics.h"

namespace hloscope::gui {
namespace {

constexpr float kPaddingX = 9;
constexpr float kPaddingY = 4;
constexpr float kHeadingHeight = 14;
constexpr float kDetailHeight = 14;
constexpr float kCompactMinWidth = 84;
constexpr float kCompactMaxWidth = 250;

std::vector<float> CharacterWidths(const QFont& font) {
  const QFontMetricsF metrics(font);
  std::vector<float> widths;
  for (int c = 0; c < 128; ++c) {
    widths.push_back(c < 32 ? 0 : static_cast<float>(metrics.horizontalAdvance(QChar(c))));
  }
  widths.push_back(static_cast<float>(metrics.horizontalAdvance(QLatin1Char('W'))));
  return widths;
}

}  // namespace

QFont BoxText::HeadingFont() {
  QFont font;
  font.setPixelSize(BoxTextSize::kHeading);
  font.setWeight(QFont::DemiBold);
  return font;
}

QFont BoxText::DetailFont() {
  QFont font;
  font.setPixelSize(BoxTextSize::kDetail);
  return font;
}

QFont BoxText::StubFont() {
  QFont font;
  font.setPixelSize(BoxTextSize::kStub);
  return font;
}

BoxText::BoxText(const Module& module, bool compact)
    : module_(module),
      compact_(compact),
      heading_widths_(CharacterWidths(HeadingFont())),
      detail_widths_(CharacterWidths(DetailFont())) {
  if (!compact) return;
  shape_widths_.reserve(module.shape_count());
  for (size_t i = 0; i < module.shape_count(); ++i) {
    const Shape& shape = module.shape(ShapeId(i));
    const bool is_array = shape.IsValid() && !shape.IsTuple();
    shape_widths_.push_back(is_array ? Width(detail_widths_, shape.ToString(/*with_layout=*/false)) : kCompactMaxWidth);
  }
}

float BoxText::Width(const std::vector<float>& widths, absl::string_view text) const {
  float width = 0;
  for (char c : text) width += widths[std::min<size_t>(static_cast<unsigned char>(c), 128)];
  return width;
}

float BoxText::CompactWidth(InstructionId id) const {
  const float name = Width(heading_widths_, module_.InstructionName(id));
  const float shape = shape_widths_[module_.instruction(id).shape.index()];
  return std::clamp(std::max(name, std::min(shape, name * 1.6F)) + 2 * kPaddingX, kCompactMinWidth, kCompactMaxWidth);
}

QStringList BoxText::Lines(const VisibleGraph& graph, uint32_t box) const {
  const VisibleGraph::Box& b = graph.boxes[box];
  if (b.kind != VisibleGraph::BoxKind::kInstruction) {
    QString count = QCoreApplication::translate("GraphPainter", "%1 instruction(s)", nullptr, ForPlural(b.members))
                        .arg(FormatCount(b.members));
    if (b.repeats > 0 && b.kinds == 1) {
      count = QCoreApplication::translate("GraphPainter", "%1 alike, %2").arg(b.repeats).arg(count);
    } else if (b.repeats > 0) {
      count = QCoreApplication::translate("GraphPainter", "%1 of %2 kinds, %3").arg(b.repeats).arg(b.kinds).arg(count);
    }
    return {ToQString(GroupTitle(module_, graph, box)), count};
  }
  QStringList lines;
  for (const std::string& line : NodeLines(module_, b.instruction)) lines.push_back(ToQString(line));
  if (!compact_) return lines;
  // "add.5", "compare.3 LT": names begin with the opcode, usually.
  const QString opcode = ToQString(OpcodeName(module_.opcode(b.instruction)));
  QString heading = lines[1];
  if (lines[1].startsWith(opcode)) {
    heading += lines[0].mid(opcode.size());
  } else if (!lines[1].startsWith(opcode.left(3))) {  // "mul.3" says enough about a multiply
    heading = lines[0] + QLatin1Char(' ') + heading;
  }
  lines[1] = lines.value(2);
  lines[0] = heading;
  return lines.mid(0, 2);
}

FlowSize BoxText::Size(const VisibleGraph& graph, uint32_t box) const {
  const VisibleGraph::Box& b = graph.boxes[box];
  const float two_lines = kHeadingHeight + kDetailHeight + kPaddingY;
  if (b.kind != VisibleGraph::BoxKind::kInstruction) {
    const float title = Width(heading_widths_, GroupTitle(module_, graph, box)) + 2 * kPaddingX + 18;
    return {std::clamp(title, 150.0F, 320.0F), two_lines};
  }
  if (compact_) return {CompactWidth(b.instruction), two_lines};
  float width = 40;
  int lines = 0;
  for (const std::string& line : NodeLines(module_, b.instruction)) {
    width = std::max(width, Width(lines == 0 ? heading_widths_ : detail_widths_, line));
    ++lines;
  }
  return {width + 2 * kPaddingX + (b.openable ? 14.0F : 0.0F),
          kHeadingHeight + kDetailHeight * static_cast<float>(lines - 1) + 2 * kPaddingY};
}

QColor GraphPainter::Fill(const DrawnGraph& graph, const Look& look, uint32_t box) const {
  QColor fill;
  if (box < look.fills.size()) {
    fill = look.fills[box];
  } else if (graph.graph().boxes[box].kind == VisibleGraph::BoxKind::kInstruction) {
    fill = look.theme.CategoryFill(graph.graph().boxes[box].category);
  } else {
    fill = look.theme.GroupFill();
  }
  if (look.dim_others && !look.highlighted.contains(box)) fill = Dimmed(fill, look.theme);
  return fill;
}

void GraphPainter::Paint(QPainter* painter, const DrawnGraph& graph, const Look& look, const QRectF& visible,
                         double scale) {
  painter->setRenderHint(QPainter::Antialiasing, false);
  painter->fillRect(QRectF(QPointF(0, 0), visible.size() * scale), look.theme.page);
  far_names_.clear();
  if (graph.empty()) return;
  graph.FindBoxes(visible.adjusted(-20, -30, 20, 30), &boxes_);
  const Mapping map{visible.topLeft(), scale};
  for (uint32_t box : boxes_) {
    if (graph.graph().boxes[box].inside != kNoItem)
      PaintOpenGroup(painter, graph, look, box, map(graph.rect(box)), scale);
  }
  const bool density = scale < kBorderScale && boxes_.size() > kMostDots;
  if (density) {
    PaintDensity(painter, graph, look, visible, scale);
  } else if (scale >= kEdgeScale) {
    PaintEdges(painter, graph, look, visible, scale);
  }
  if (scale < kTextScale) {
    if (!density) PaintFarBoxes(painter, graph, look, visible, scale);
    painter->setFont(BoxText::DetailFont());
    PlaceFarNames(painter->fontMetrics(), graph, look, visible, scale, density);
    PaintFarNames(painter, look);
    PaintFarMarks(painter, graph, look, visible, scale);
    PaintSelectedJumps(painter, graph, look, visible, scale);
    PaintSelectedEdges(painter, graph, look, visible, scale);
    return;
  }
  PaintSelectedJumps(painter, graph, look, visible, scale);
  painter->save();
  painter->scale(scale, scale);
  painter->translate(-visible.topLeft());
  painter->setRenderHint(QPainter::Antialiasing);
  for (uint32_t box : boxes_) {
    if (graph.graph().boxes[box].inside == kNoItem) PaintNearBox(painter, graph, look, box);
    PaintStubs(painter, graph, look, box);
  }
  painter->restore();
  PaintSelectedEdges(painter, graph, look, visible, scale);
}

void GraphPainter::PaintOpenGroup(QPainter* painter, const DrawnGraph& graph, const Look& look, uint32_t box,
                                  QRectF device, double scale) {
  const Theme& theme = look.theme;
  int depth = 0;
  for (uint32_t at = box; at != kNoItem; at = graph.graph().levels[graph.graph().boxes[at].level].box) ++depth;
  const bool selected = box == look.selected && look.interactive;
  painter->setBrush(Mixed(theme.page, theme.selection, std::min(0.04 * depth, 0.16)));
  painter->setPen(QPen(selected ? theme.selection : theme.node_border, selected ? 2 : 1));
  painter->drawRect(device);
  // A flatter one would lie over the boxes below it.
  const double header = DrawnGraph::kHeader * scale;
  const double height = std::min(header, 40.0);
  if (header < kLeastHeading || device.width() < 50 || look.group_title == nullptr) return;
  QFont font = BoxText::HeadingFont();
  font.setPixelSize(std::max(BoxTextSize::kDetail, static_cast<int>(height * 0.55)));
  painter->setFont(font);
  painter->setPen(theme.text);
  QRectF line(device.left() + 6, std::max(device.top(), 0.0), device.width() - 12, height);
  line.setLeft(std::max(line.left(), 6.0));
  if (line.bottom() > device.bottom() || line.width() < 40) return;
  const QString sign = QString(QChar(0x2212)) + QLatin1Char(' ');
  painter->drawText(
      line, Qt::AlignLeft | Qt::AlignVCenter,
      painter->fontMetrics().elidedText(sign + look.group_title(box), Qt::ElideRight, static_cast<int>(line.width())));
}

void GraphPainter::PaintEdges(QPainter* painter, const DrawnGraph& graph, const Look& look, const QRectF& visible,
                              double scale) {
  graph.FindEdges(visible, &edges_);
  const Mapping map{visible.topLeft(), scale};
  const bool near = scale >= kTextScale;
  QColor color = look.theme.edge;
  // Far away, many lines lie beside each other: paler ones leave the boxes to be seen.
  if (!near) color = Mixed(look.theme.page, color, std::clamp(0.25 + scale, 0.3, 0.8));
  if (!near) {
    static thread_local std::vector<QLine> lines;
    lines.clear();
    for (uint32_t i : edges_) {
      const DrawnGraph::Edge& edge = graph.edge(i);
      const QPointF* p = graph.points(edge);
      const uint16_t step = edge.shape == DrawnGraph::EdgeShape::kCurves ? 3 : 1;
      for (uint16_t k = step; k < edge.count; k = static_cast<uint16_t>(k + step)) {
        const QLine line(map(p[k - step]).toPoint(), map(p[k]).toPoint());
        if (line.p1() != line.p2()) lines.push_back(line);
      }
    }
    painter->setPen(QPen(color, 0));
    painter->drawLines(lines.data(), static_cast<int>(lines.size()));
    return;
  }
  painter->setRenderHint(QPainter::Antialiasing);
  for (uint32_t i : edges_) {
    const DrawnGraph::Edge& edge = graph.edge(i);
    if (edge.count == 0) continue;
    const QPointF* p = graph.points(edge);
    QPen pen(color, std::min(2.5, 1 + 0.3 * std::log2(graph.graph().edges[i].count)));
    if (graph.graph().edges[i].control) pen.setStyle(Qt::DashLine);
    painter->setPen(pen);
    painter->setBrush(Qt::NoBrush);
    QPointF before;
    if (edge.shape == DrawnGraph::EdgeShape::kCurves) {
      QPainterPath path(map(p[0]));
      for (uint16_t k = 1; k + 2 < edge.count; k = static_cast<uint16_t>(k + 3)) {
        path.cubicTo(map(p[k]), map(p[k + 1]), map(p[k + 2]));
      }
      painter->drawPath(path);
      before = p[edge.count - 1] - QPointF(0, 1);
      for (uint16_t k = edge.count - 1; k-- > 0;) {
        if (p[k] != p[edge.count - 1]) {
          before = p[k];
          break;
        }
      }
    } else {
      QPointF device[8];
      const uint16_t count = std::min<uint16_t>(edge.count, 8);
      for (uint16_t k = 0; k < count; ++k) device[k] = map(p[k]);
      painter->drawPolyline(device, count);
      before = p[edge.count - 2];
    }
    const QPointF tip = map(p[edge.count - 1]);
    const QLineF direction(map(before), tip);
    if (direction.length() < 0.5) continue;
    const QPointF along = (direction.p2() - direction.p1()) / direction.length();
    const QPointF across(-along.y(), along.x());
    const double size = std::clamp(7 * scale, 4.0, 9.0);
    const QPointF head[] = {tip, tip - along * size + across * size * 0.42, tip - along * size - across * size * 0.42};
    painter->setPen(Qt::NoPen);
    painter->setBrush(color);
    painter->drawPolygon(head, 3);
  }
  painter->setRenderHint(QPainter::Antialiasing, false);
}

// The edges of the selected box over everything else.
void GraphPainter::PaintSelectedEdges(QPainter* painter, const DrawnGraph& graph, const Look& look,
                                      const QRectF& visible, double scale) {
  if (look.selected == kNoItem || !look.interactive || look.selected >= graph.graph().boxes.size()) return;
  const Mapping map{visible.topLeft(), scale};
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setBrush(Qt::NoBrush);
  const VisibleGraph::Level& level = graph.graph().levels[graph.graph().boxes[look.selected].level];
  for (uint32_t i = level.edges_begin; i < level.edges_end; ++i) {
    const VisibleGraph::Edge& e = graph.graph().edges[i];
    if (e.from != look.selected && e.to != look.selected) continue;
    const DrawnGraph::Edge& edge = graph.edge(i);
    if (edge.count == 0) continue;
    const QPointF* p = graph.points(edge);
    painter->setPen(QPen(look.theme.selection, 2));
    QPainterPath path(map(p[0]));
    if (edge.shape == DrawnGraph::EdgeShape::kCurves) {
      for (uint16_t k = 1; k + 2 < edge.count; k = static_cast<uint16_t>(k + 3)) {
        path.cubicTo(map(p[k]), map(p[k + 1]), map(p[k + 2]));
      }
    } else {
      for (uint16_t k = 1; k < edge.count; ++k) path.lineTo(map(p[k]));
    }
    painter->drawPath(path);
  }
  painter->setRenderHint(QPainter::Antialiasing, false);
}

// Below the boxes that they pass: whoever reads those is not to be disturbed.
void GraphPainter::PaintSelectedJumps(QPainter* painter, const DrawnGraph& graph, const Look& look,
                                      const QRectF& visible, double scale) {
  if (look.selected == kNoItem || !look.interactive || look.selected >= graph.graph().boxes.size()) return;
  const Mapping map{visible.topLeft(), scale};
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setBrush(Qt::NoBrush);
  const auto [begin, end] = graph.StubsOf(look.selected);
  constexpr uint32_t kMostJumps = 200;
  for (uint32_t i = begin; i < std::min(end, begin + kMostJumps); ++i) {
    const DrawnGraph::Stub& stub = graph.stubs()[i];
    if (stub.other == kNoItem) continue;
    const QRectF& here = graph.rect(look.selected);
    const QRectF& there = graph.rect(stub.other);
    const QPointF from(here.center().x(), stub.incoming ? here.top() : here.bottom());
    const QPointF to(there.center().x(), stub.incoming ? there.bottom() : there.top());
    painter->setPen(QPen(look.theme.selection, 1.2, Qt::DashLine));
    painter->drawLine(map(from), map(to));
    painter->setPen(QPen(look.theme.selection, 2));
    painter->drawRect(map(there).adjusted(-2, -2, 2, 2));
  }
  painter->setRenderHint(QPainter::Antialiasing, false);
}

void GraphPainter::PaintNearBox(QPainter* painter, const DrawnGraph& graph, const Look& look, uint32_t box) {
  const VisibleGraph::Box& b = graph.graph().boxes[box];
  const QRectF& rect = graph.rect(box);
  const Theme& theme = look.theme;
  const NodeMarks marks =
      look.marks != nullptr && b.kind == VisibleGraph::BoxKind::kInstruction ? look.marks(b.instruction) : NodeMarks();
  const bool selected = box == look.selected && look.interactive;
  QPen border(theme.node_border, 1);
  if (look.highlighted.contains(box)) border = QPen(theme.current, 2.5);
  if (marks.nan || marks.infinity) border = QPen(theme.error, 2.5);
  if (marks.current) border = QPen(theme.current, 2.5);
  if (marks.failed) border = QPen(theme.error, 3);
  if (box == look.hovered && look.interactive) border.setColor(theme.selection);
  if (selected) border = QPen(theme.selection, 3);
  painter->setPen(border);
  const QColor fill = Fill(graph, look, box);
  painter->setBrush(fill);
  const bool group = b.kind != VisibleGraph::BoxKind::kInstruction;
  if (b.openable) {
    // A second sheet under it: there is something inside.
    painter->save();
    painter->setPen(QPen(theme.node_border, 1));
    painter->drawRoundedRect(rect.translated(3, 3), 4, 4);
    painter->restore();
  }
  painter->drawRoundedRect(rect, group ? 3 : 5, group ? 3 : 5);
  if (look.text == nullptr) return;
  const QStringList lines = look.text->Lines(graph.graph(), box);
  const bool dim = look.dim_others && !look.highlighted.contains(box);
  QRectF line(rect.left() + kPaddingX - 3, rect.top() + (look.text->compact() || group ? 2 : kPaddingY),
              rect.width() - 2 * kPaddingX + 6, kHeadingHeight);
  for (qsizetype i = 0; i < lines.size(); ++i) {
    painter->setFont(i == 0 ? BoxText::HeadingFont() : BoxText::DetailFont());
    painter->setPen(dim ? Mixed(theme.page, theme.text, 0.45) : i == 0 ? Theme::InkOn(fill) : Theme::FaintInkOn(fill));
    QRectF room = line;
    if (i == 0 && b.openable) room.setRight(room.right() - 12);
    // A fraction more room than was measured: rounding must not cost three characters.
    const QString text =
        painter->fontMetrics().elidedText(lines[i], Qt::ElideMiddle, static_cast<int>(std::ceil(room.width())) + 1);
    painter->drawText(room, Qt::AlignHCenter | Qt::AlignVCenter | Qt::TextDontClip, text);
    line.translate(0, line.height());
    line.setHeight(kDetailHeight);
  }
  if (b.openable) {
    const QPointF center(rect.right() - 9, rect.top() + 10);
    painter->setPen(QPen(theme.muted, 1.4));
    painter->drawLine(center - QPointF(4, 0), center + QPointF(4, 0));
    painter->drawLine(center - QPointF(0, 4), center + QPointF(0, 4));
  }
  if (look.interactive) PaintMarks(painter, look, rect, marks);
}

void GraphPainter::PaintMarks(QPainter* painter, const Look& look, const QRectF& rect, const NodeMarks& marks) {
  const Theme& theme = look.theme;
  painter->setPen(Qt::NoPen);
  if (marks.executed) {
    const QPointF center(rect.right() - 1, rect.top() + 1);
    const QColor color = marks.nan || marks.infinity ? theme.error : theme.executed;
    // A ring is left where the value was dropped.
    painter->setBrush(marks.dropped ? theme.page : color);
    if (marks.dropped) painter->setPen(QPen(color, 1.4));
    painter->drawEllipse(center, 6.5, 6.5);
    painter->setPen(QPen(marks.dropped ? color : theme.page, 1.7, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    if (marks.nan || marks.infinity) {
      painter->drawLine(center + QPointF(0, -3.2), center + QPointF(0, 0.8));
      painter->drawPoint(center + QPointF(0, 3.2));
    } else {
      const QPointF tick[] = {center + QPointF(-3, 0), center + QPointF(-1, 2.6), center + QPointF(3.4, -2.6)};
      painter->drawPolyline(tick, 3);
    }
    painter->setPen(Qt::NoPen);
  }
  if (marks.current) {
    painter->setBrush(marks.failed ? theme.error : theme.current);
    const double y = rect.center().y();
    const QPointF arrow[] = {{rect.left() - 9, y - 7}, {rect.left() + 3, y}, {rect.left() - 9, y + 7}};
    painter->drawPolygon(arrow, 3);
  }
  if (marks.breakpoint) {
    painter->setBrush(theme.breakpoint);
    painter->drawEllipse(rect.topLeft() + QPointF(1, 1), 6, 6);
  }
}

QString GraphPainter::ShortTitle(const QFontMetrics& metrics, const QString& title, int width) {
  const qsizetype count = title.lastIndexOf(QLatin1String(" ("));
  const bool has_count =
      count > 0 && title.endsWith(QLatin1Char(')')) &&
      std::all_of(title.begin() + count + 2, title.end() - 1, [](QChar c) { return c.isDigit() || c.isSpace(); });
  if (!has_count || metrics.horizontalAdvance(title) <= width) return metrics.elidedText(title, Qt::ElideMiddle, width);
  const QString name = title.left(count).trimmed(), rest = title.mid(count);
  const int room = width - metrics.horizontalAdvance(rest);
  // Without a few letters of the name the number says nothing.
  if (room < metrics.horizontalAdvance(QStringLiteral("nn\u2026")))
    return metrics.elidedText(name, Qt::ElideMiddle, width);
  return metrics.elidedText(name, Qt::ElideMiddle, room) + rest;
}

QRectF GraphPainter::StubRect(const QRectF& box, bool incoming) {
  const double width = std::clamp(box.width() / 2 - 3, 34.0, 110.0);
  return incoming ? QRectF(box.left() + 3, box.top() - 11, width, 10)
                  : QRectF(box.right() - 3 - width, box.bottom() + 4, width, 10);
}

void GraphPainter::PaintStubs(QPainter* painter, const DrawnGraph& graph, const Look& look, uint32_t box) {
  const auto [begin, end] = graph.StubsOf(box);
  if (begin == end || look.instruction_name == nullptr) return;
  for (const bool incoming : {true, false}) {
    uint32_t first = kNoItem, count = 0;
    for (uint32_t i = begin; i < end; ++i) {
      if (graph.stubs()[i].incoming != incoming) continue;
      if (count++ == 0) first = i;
    }
    if (count == 0) continue;
    const bool lit = look.interactive && (box == look.selected || box == look.hovered);
    const QColor color = lit ? look.theme.selection : look.theme.muted;
    const QRectF rect = StubRect(graph.rect(box), incoming);
    painter->setFont(BoxText::StubFont());
    QString text = look.instruction_name(graph.stubs()[first].instruction);
    const QString more = count > 1 ? QStringLiteral(" +%1").arg(count - 1) : QString();
    const int room = static_cast<int>(rect.width()) - 9 - painter->fontMetrics().horizontalAdvance(more);
    text = painter->fontMetrics().elidedText(text, Qt::ElideMiddle, room) + more;
    // Edges that pass would strike it out.
    QRectF ground = rect;
    ground.setWidth(std::min(rect.width(), 11.0 + painter->fontMetrics().horizontalAdvance(text)));
    QColor page = look.theme.page;
    page.setAlpha(200);
    painter->fillRect(ground, page);
    painter->setPen(Qt::NoPen);
    painter->setBrush(color);
    const double x = rect.left() + 3, y = rect.center().y();
    const QPointF arrow[] = {{x - 3, y - 2}, {x + 3, y - 2}, {x, y + 3}};
    painter->drawPolygon(arrow, 3);
    painter->setPen(color);
    painter->drawText(rect.adjusted(9, -1, 0, 1), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, text);
  }
}

}  // namespace hloscope::gui
