// SPDX-License-Identifier: Apache-2.0
// One array from all sides: table, heat map, image and plot of a slice, histogram, statistics, search, and the
// difference to another array.
#ifndef HLOSCOPE_GUI_VIEWS_TENSOR_VIEW_H_
#define HLOSCOPE_GUI_VIEWS_TENSOR_VIEW_H_

#include <QActionGroup>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QWidget>
#include <memory>
#include <optional>

#include "evaluator/compare/tensor_difference.h"
#include "gui/models/background_task.h"
#include "gui/models/tensor_model.h"
#include "gui/models/tensor_statistics.h"
#include "gui/views/heat_map_view.h"
#include "gui/views/histogram_view.h"
#include "gui/views/line_plot_view.h"
#include "gui/views/slice_bar.h"

namespace hloscope::gui {

class TensorView : public QWidget {
  Q_OBJECT

 public:
  enum class Mode { kTable, kHeatMap, kImage, kPlot };
  // What of two arrays is shown.
  enum class Aspect { kValue, kOther, kDifference, kRelative, kUlps };

  explicit TensorView(QWidget* parent = nullptr);

  // Slice and zoom stay if the dimensions do. A tensor without buffer shows nothing.
  void SetTensor(const evaluator::Tensor& tensor);
  const evaluator::Tensor& tensor() const { return tensor_; }
  // An array to compare with; without buffer: none. Shows the difference at once. Arrays of other types or sizes are
  // refused: comparison_text() says why.
  void SetOther(const evaluator::Tensor& other);
  bool has_other() const { return other_.has_buffer(); }
  void SetAspect(Aspect aspect);
  Aspect aspect() const { return aspect_; }

  // Without controls: somebody else has them.
  void SetCompact(bool compact);
  // In a low panel: the value has the room that the histogram would take, but never less than some lines.
  void SetLow(bool low);
  void SetMode(Mode mode);
  Mode mode() const { return mode_; }
  const TensorSlice& slice() const { return slices_->slice(); }
  void SetSlice(const TensorSlice& slice);
  // Moves to the element, changing the slice if it must.
  void Reveal(const evaluator::DimensionVector& index);
  evaluator::DimensionVector current_index() const;
  QString current_text() const;
  // Looks for the condition in the search field.
  void FindNext(bool backwards);

  // Slice, zoom and current element as another view has them, if the dimensions agree.
  void Follow(const TensorView& other);

  void SetScale(const ColorScale& scale);
  const ColorScale& scale() const { return heat_map_->scale(); }
  // The range that shows all of the values.
  void FitRange();

  // What is shown: the value, the other one or a difference.
  const std::shared_ptr<const ElementReader>& reader() const { return reader_; }
  // The selected block of the table, or the current element, to the clipboard.
  void Copy();
  // The view in the middle as a picture.
  QImage Picture();
  bool busy() const {
    return statistics_task_->busy() || slice_task_->busy() || search_task_->busy() || comparison_task_->busy() ||
           histogram_task_->busy();
  }
  const std::optional<TensorStatistics>& statistics() const { return statistics_; }
  QString statistics_text() const { return statistics_label_->text(); }
  // Of the slice that is shown; empty if that is all of the array.
  QString slice_statistics_text() const { return slice_label_->isHidden() ? QString() : slice_label_->text(); }
  QString comparison_text() const { return comparison_label_->isHidden() ? QString() : comparison_label_->text(); }
  TensorModel* model() { return model_; }
  QTableView* table() { return table_; }
  HeatMapView* heat_map() { return heat_map_; }
  HistogramView* histogram() { return histogram_; }
  LinePlotView* plot() { return plot_; }
  SliceBar* slice_bar() { return slices_; }
  QLineEdit* search_field() { return search_; }

 Q_SIGNALS:
  // The user chose another slice, element or zoom.
  void PlaceChanged();
  void CurrentChanged();
  void Activated(const hloscope::evaluator::DimensionVector& index);

 private:
  void BuildModeBar();
  void BuildColorBar();
  void Connect();
  void ShowReader();
  void ShowSlice();
  void ShowImage();
  void ShowPlot();
  void ShowElement();
  void ShowRange();
  void ReadRangeFields();
  void StartStatistics();
  void StartSliceStatistics();
  void StartHistogram();
  void StartComparison();
  void SetCurrentCell(TensorSlice::Cell cell, const QObject* from);
  void ShowTableCell(TensorSlice::Cell cell);

  evaluator::Tensor tensor_, other_;
  Aspect aspect_ = Aspect::kValue;
  Mode mode_ = Mode::kTable;
  std::shared_ptr<const ElementReader> reader_;
  std::optional<TensorStatistics> statistics_;
  bool range_chosen_ = false;  // by the user: new values do not change it
  bool setting_ = false;

  bool compact_ = false, low_panel_ = false;
  QWidget* controls_;
  QWidget* mode_bar_;
  QActionGroup* modes_;
  QComboBox* aspects_;
  QLineEdit* search_;
  SliceBar* slices_;
  QWidget* color_bar_;
  QComboBox *maps_, *scales_, *overlays_, *channels_;
  QLineEdit *low_, *high_;
  QStackedWidget* stack_;
  TensorModel* model_;
  QWidget* table_page_;
  QTableView* table_;
  QWidget* page_bar_;  // of tables of more rows or columns than a table shows
  QSpinBox *first_row_, *first_column_;
  HeatMapView* heat_map_;
  HeatMapView* image_;
  LinePlotView* plot_;
  HistogramView* histogram_;
  QLabel *statistics_label_, *slice_label_, *comparison_label_, *element_label_, *search_label_;
  BackgroundTask *statistics_task_, *slice_task_, *histogram_task_, *search_task_, *comparison_task_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_TENSOR_VIEW_H_
