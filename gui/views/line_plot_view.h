// SPDX-License-Identifier: Apache-2.0
// One row or column of a slice as a line; with more elements than pixels, as the band between least and greatest.
#ifndef HLOSCOPE_GUI_VIEWS_LINE_PLOT_VIEW_H_
#define HLOSCOPE_GUI_VIEWS_LINE_PLOT_VIEW_H_

#include <QWidget>
#include <memory>
#include <vector>

#include "gui/models/background_task.h"
#include "gui/models/value_tiles.h"

namespace hloscope::gui {

class LinePlotView : public QWidget {
  Q_OBJECT

 public:
  static constexpr int64_t kMaxCells = 2000;

  explicit LinePlotView(QWidget* parent = nullptr);

  // The elements from `begin` on along `axis`; a second reader of the same sizes (may be null) is drawn beside it.
  void SetLine(std::shared_ptr<const ElementReader> reader, std::shared_ptr<const ElementReader> second,
               evaluator::DimensionVector begin, int64_t axis, int64_t count);
  // A mark at one element.
  void SetCurrent(int64_t number);
  const std::vector<TileCell>& line() const { return line_; }
  bool busy() const { return task_->busy(); }

  QSize sizeHint() const override { return QSize(320, 170); }
  QSize minimumSizeHint() const override { return QSize(120, 80); }

 Q_SIGNALS:
  void CurrentChanged(int64_t number);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QRectF Plot() const;
  void Choose(int64_t number);

  BackgroundTask* task_;
  std::vector<TileCell> line_, second_;
  int64_t count_ = 0, current_ = 0;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_LINE_PLOT_VIEW_H_
