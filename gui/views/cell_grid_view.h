// SPDX-License-Identifier: Apache-2.0
// A table of small cells with text and colour, of which some are marked: pictures of arrays and of memories. Of any
// size; only what is in view is asked for.
#ifndef HLOSCOPE_GUI_VIEWS_CELL_GRID_VIEW_H_
#define HLOSCOPE_GUI_VIEWS_CELL_GRID_VIEW_H_

#include <QAbstractScrollArea>
#include <QColor>
#include <QString>
#include <functional>
#include <optional>
#include <vector>

#include "gui/models/tensor_slice.h"

class QPainter;

namespace hloscope::gui {

struct Theme;

class CellGridView : public QAbstractScrollArea {
  Q_OBJECT

 public:
  using Cell = TensorSlice::Cell;
  struct Look {
    QString text;
    QColor fill;           // invalid: the page
    bool hatched = false;  // nothing is there that counts: padding
  };
  struct Grid {
    int64_t rows = 0, columns = 0;
    std::function<Look(Cell)> look;
    std::function<QString(Cell)> tool_tip;      // may be empty
    std::function<QString(int64_t)> row_title;  // may be empty
    std::function<QString(int64_t)> column_title;
    int64_t columns_in_block = 0;  // a bar after every so many columns; 0: none
    int64_t rows_in_block = 0;
    int64_t last_row_columns = 0;  // cells of the last row, if it is shorter than the others; 0: it is not
  };
  enum class Mark { kNone, kSource, kResult, kMoved };

  explicit CellGridView(QWidget* parent = nullptr);

  void SetGrid(Grid grid);
  const Grid& grid() const { return grid_; }
  // How cells are marked.
  void SetMarks(std::function<Mark(Cell)> mark);
  Mark MarkOf(Cell cell) const { return mark_ && HasCell(cell) ? mark_(cell) : Mark::kNone; }
  // Shown instead of a grid without cells.
  void SetEmptyText(const QString& text);
  // All columns as wide as this text needs.
  void SetWidestText(const QString& text);

  Cell current() const { return current_; }
  // Clamped and scrolled to; emits nothing.
  void SetCurrent(Cell cell);
  void EnsureVisible(Cell cell);
  QRect RectOf(Cell cell) const;
  std::optional<Cell> CellAt(QPoint place) const;
  bool HasCell(Cell cell) const;

  // From the size at which texts can be read, 1, down to cells of a fraction of a pixel, which only have a colour.
  double zoom() const { return zoom_; }
  void SetZoom(double zoom);
  void ZoomIn() { SetZoom(zoom_ * 1.4); }
  void ZoomOut() { SetZoom(zoom_ / 1.4); }
  // All cells at once, as large as they can be.
  void FitAll();

  // Little: it is the view that takes what room there is.
  QSize sizeHint() const override { return QSize(240, 130); }
  QSize minimumSizeHint() const override { return QSize(90, 60); }

 Q_SIGNALS:
  // The mouse is over the cell; none: over no cell.
  void Hovered(std::optional<hloscope::gui::TensorSlice::Cell> cell);
  // Chosen by click or key.
  void CurrentChanged(hloscope::gui::TensorSlice::Cell cell);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  void Measure();
  void UpdateScrollBars();
  int64_t first_row() const;
  int64_t first_column() const;
  void Choose(Cell cell);
  // Parts of the picture, of the cells before `end`.
  void PaintCells(QPainter& painter, const Theme& theme, Cell end) const;
  void PaintBars(QPainter& painter, const Theme& theme, Cell end) const;  // between blocks, on top of the cells
  void PaintMarks(QPainter& painter, const Theme& theme, Cell end) const;
  bool HasText() const { return cell_width_ >= text_width_ * 3 / 4 && cell_height_ >= text_height_ * 3 / 4; }
  void PaintTitles(QPainter& painter, const Theme& theme, Cell end) const;

  Grid grid_;
  std::function<Mark(Cell)> mark_;
  QString empty_text_, widest_;
  Cell current_;
  std::optional<Cell> hovered_;
  double zoom_ = 1;
  bool fitted_ = false;                        // and stays so when the view is resized
  int text_width_ = 40, text_height_ = 22;     // of a cell at zoom 1
  double cell_width_ = 40, cell_height_ = 22;  // of several pixels: a whole number of them
  int head_width_ = 0, head_height_ = 0;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_CELL_GRID_VIEW_H_
