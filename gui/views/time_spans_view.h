// SPDX-License-Identifier: Apache-2.0
// Spans of time in lanes, with zoom and pan, and the memory that is alive below them.
#ifndef HLOSCOPE_GUI_VIEWS_TIME_SPANS_VIEW_H_
#define HLOSCOPE_GUI_VIEWS_TIME_SPANS_VIEW_H_

#include <QWidget>
#include <functional>
#include <memory>
#include <vector>

#include "gui/models/time_spans.h"
#include "gui/views/zoom_range.h"

class QPainter;

namespace hloscope::gui {

struct Theme;

class TimeSpansView : public QWidget {
  Q_OBJECT

 public:
  explicit TimeSpansView(QWidget* parent = nullptr);

  // The part of the time that is seen stays if the whole is as long as before. May be null.
  void Show(std::shared_ptr<const TimeSpans> spans);
  const TimeSpans* spans() const { return spans_.get(); }
  // What a span is called, for those without a name of their own.
  void SetNames(std::function<QString(InstructionId)> name_of) { name_of_ = std::move(name_of); }
  // Marked; scrolled to if it is out of sight. On the axis there are marks where it is computed, and where those that
  // read it (`readers`, sorted) are.
  void SetSelected(InstructionId instruction, std::vector<InstructionId> readers = {});
  struct Mark {
    double at = 0;  // seconds
    bool is_read = false;
  };
  const std::vector<Mark>& marks() const { return marks_; }
  void FitAll();
  void ZoomBy(double factor, double x);
  // Seconds at the left border, and how many are seen.
  double begin() const { return range_.begin(); }
  double length() const { return range_.length(); }
  uint32_t SpanAt(QPointF point) const;
  QRectF RectOf(uint32_t span) const;
  QString ToolTipOf(uint32_t span) const;
  // A time on the axis, with the digits that tell it from its neighbours, `step` seconds away: "186.853 ms".
  static QString AxisText(double seconds, double step);

  QSize sizeHint() const override { return QSize(420, 180); }
  QSize minimumSizeHint() const override { return QSize(120, 60); }

 Q_SIGNALS:
  void SpanClicked(uint32_t span);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  double SecondsAt(double x) const { return range_.At(x, width()); }
  double XOf(double seconds) const { return range_.XOf(seconds, width()); }
  int MemoryHeight() const;
  // Where the times come from, for the corner.
  QString KindText() const;
  QString NameOf(const TimeSpans::Span& span) const;
  void MoveTo(double begin);
  void FindMarks();
  void PaintMarks(QPainter* painter, const Theme& theme) const;
  void PaintAxis(QPainter* painter, const Theme& theme) const;
  void PaintLane(QPainter* painter, const Theme& theme, uint32_t lane) const;
  void PaintMemory(QPainter* painter, const Theme& theme) const;

  std::shared_ptr<const TimeSpans> spans_;
  std::function<QString(InstructionId)> name_of_;
  InstructionId selected_;
  std::vector<InstructionId> readers_;
  std::vector<Mark> marks_;
  ZoomRange range_;
  int top_lane_ = 0;
  QPointF press_, last_;
  bool dragging_ = false;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_TIME_SPANS_VIEW_H_
