// SPDX-License-Identifier: Apache-2.0
#include "gui/views/tensor_view.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPixmap>
#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <utility>

#include "gui/models/element_search.h"
#include "gui/models/plurals.h"
#include "gui/models/slice_reader.h"
#include "gui/models/text.h"

namespace hloscope::gui {
namespace {

constexpr int kBins = 128;
constexpr int kLowestLines = 7;  // of text, that a value has room for in a low panel

QString Number(double value) { return QString::number(value, 'g', 6); }

// Elements are printed exactly, so wide types need wide columns.
int ColumnWidth(ElementType type) {
  const int bits = BitWidth(type) / (IsComplex(type) ? 2 : 1);
  const int one = bits <= 16 ? 84 : bits <= 32 ? 110 : 170;
  return IsComplex(type) ? 2 * one : one;
}

QString DifferenceText(const evaluator::TensorDifference& d) {
  if (d.incomplete) return QString();
  if (d.different == 0)
    return TensorView::tr("Equal: all of %1 element(s) agree(s|).", nullptr, ForPlural(d.count))
        .arg(FormatCount(d.count));
  return TensorView::tr(
             "%1 of %2 element(s) differ(s|), %3 beyond the usual tolerance; at most %4 absolute, %5 relative, %6 ulp.",
             nullptr, ForPlural(d.count))
      .arg(FormatCount(d.different), FormatCount(d.count), FormatCount(d.beyond), Number(d.max_absolute),
           Number(d.max_relative), d.not_finite > 0 ? QStringLiteral("\u221e") : QString::number(d.max_ulps));
}

}  // namespace

void TensorView::SetTensor(const evaluator::Tensor& tensor) {
  const bool same =
      tensor.has_buffer() && slices_->slice().dimensions() ==
                                 evaluator::DimensionVector(tensor.dimensions().begin(), tensor.dimensions().end());
  tensor_ = tensor;
  if (!same) {
    slices_->SetSlice(tensor.has_buffer() ? TensorSlice(tensor.dimensions()) : TensorSlice(std::array{int64_t{0}}));
  }
  if (other_.has_buffer()) StartComparison();
  ShowReader();
}

void TensorView::SetOther(const evaluator::Tensor& other) {
  other_ = other;
  const bool comparable = other.has_buffer() && DifferenceReaderOf(tensor_, other_, DifferenceKind::kAbsolute).ok();
  aspects_->setVisible(comparable);
  aspect_ = comparable ? Aspect::kDifference : Aspect::kValue;
  aspects_->setCurrentIndex(static_cast<int>(aspect_));
  range_chosen_ = false;
  StartComparison();
  ShowReader();
}

void TensorView::SetAspect(Aspect aspect) {
  aspect_ = aspect;
  aspects_->setCurrentIndex(static_cast<int>(aspect));
  range_chosen_ = false;
  ShowReader();
}

void TensorView::SetCompact(bool compact) {
  compact_ = compact;
  controls_->setVisible(!compact);
  SetMode(mode_);
}

void TensorView::SetLow(bool low) {
  low_panel_ = low;
  stack_->setMinimumHeight(low ? kLowestLines * fontMetrics().lineSpacing() : 0);
  statistics_label_->setVisible(!low || !compact_);
  SetMode(mode_);
}

void TensorView::SetMode(Mode mode) {
  mode_ = mode;
  modes_->actions()[static_cast<int>(mode)]->setChecked(true);
  stack_->setCurrentIndex(static_cast<int>(mode));
  const bool has_colors = mode == Mode::kHeatMap || mode == Mode::kImage;
  color_bar_->setVisible(has_colors);
  histogram_->setVisible(has_colors && !compact_ && !low_panel_);
  for (QComboBox* box : {maps_, scales_, overlays_}) box->setVisible(mode == Mode::kHeatMap);
  channels_->setVisible(mode == Mode::kImage);
  if (mode == Mode::kImage) ShowImage();
  if (mode == Mode::kPlot) ShowPlot();
  if (mode == Mode::kTable) ShowTableCell(heat_map_->current());
}

void TensorView::SetSlice(const TensorSlice& slice) {
  if (slice == slices_->slice()) return;
  slices_->SetSlice(slice);
  ShowSlice();
}

void TensorView::ShowReader() {
  reader_ = nullptr;
  if (aspect_ != Aspect::kValue && other_.has_buffer()) {
    if (aspect_ == Aspect::kOther) {
      if (other_.dimensions() == tensor_.dimensions()) reader_ = ReaderOf(other_);
    } else {
      const DifferenceKind kind = aspect_ == Aspect::kDifference ? DifferenceKind::kAbsolute
                                  : aspect_ == Aspect::kRelative ? DifferenceKind::kRelative
                                                                 : DifferenceKind::kUlps;
      auto difference = DifferenceReaderOf(tensor_, other_, kind);
      if (difference.ok()) reader_ = *std::move(difference);
    }
  }
  if (reader_ == nullptr && tensor_.has_buffer()) reader_ = ReaderOf(tensor_);
  search_label_->hide();
  ShowSlice();
  StartStatistics();
}

void TensorView::ShowSlice() {
  const TensorSlice& slice = slices_->slice();
  setting_ = true;
  model_->SetSource(reader_, slice);
  if (reader_ != nullptr) table_->horizontalHeader()->setDefaultSectionSize(ColumnWidth(reader_->element_type()));
  const auto set_page = [](QSpinBox* box, int64_t total, int64_t first) {
    box->setRange(0, static_cast<int>(std::clamp<int64_t>(total - 1, 0, INT_MAX)));
    box->setValue(static_cast<int>(first));
  };
  set_page(first_row_, slice.rows(), model_->first_row());
  set_page(first_column_, slice.columns(), model_->first_column());
  page_bar_->setVisible(slice.rows() > TensorModel::kMaxRows || slice.columns() > TensorModel::kMaxColumns);
  heat_map_->SetSource(reader_, slice);
  setting_ = false;
  ShowImage();
  ShowPlot();
  ShowElement();
  StartSliceStatistics();
}

void TensorView::ShowImage() {
  if (mode_ != Mode::kImage) return;
  TensorSlice slice = slices_->slice();
  const int64_t rank = slice.rank();
  const int order = rank < 3 ? 2 : channels_->currentIndex();
  int64_t channel = TensorSlice::kNoAxis;
  if (rank >= 2 && order != 2) {
    channel = order == 0 ? rank - 1 : rank - 3;
    slice.SetRowAxis(order == 0 ? rank - 3 : rank - 2);
    slice.SetColumnAxis(order == 0 ? rank - 2 : rank - 1);
    if (!(slice == slices_->slice())) {
      slices_->SetSlice(slice);
      return ShowSlice();
    }
  }
  channels_->setEnabled(rank >= 3);
  int channels = 1;
  if (channel != TensorSlice::kNoAxis) {
    const int64_t left = slice.dimensions()[static_cast<size_t>(channel)] - slice.index(channel);
    channels = left >= 3 ? 3 : 1;
  } else if (rank >= 1) {
    // Any fixed dimension will do: a single plane reads nothing beyond the slice.
    for (int64_t d = 0; d < rank && channel == TensorSlice::kNoAxis; ++d) {
      if (slice.IsFixed(d)) channel = d;
    }
  }
  image_->SetSource(reader_, slice, channel, channels);
}

void TensorView::ShowPlot() {
  if (mode_ != Mode::kPlot) return;
  const TensorSlice& slice = slices_->slice();
  const bool down = slice.column_axis() == TensorSlice::kNoAxis;
  TensorSlice::Cell cell = heat_map_->current();
  const int64_t current = down ? cell.row : cell.column;
  (down ? cell.row : cell.column) = 0;
  const int64_t count = reader_ == nullptr ? 0 : down ? slice.rows() : slice.columns();
  std::shared_ptr<const ElementReader> second;
  if (aspect_ == Aspect::kValue && DifferenceReaderOf(tensor_, other_, DifferenceKind::kAbsolute).ok()) {
    second = ReaderOf(other_);
  }
  plot_->SetLine(reader_, second, slice.IndexOf(cell), down ? slice.row_axis() : slice.column_axis(), count);
  plot_->SetCurrent(current);
}

evaluator::DimensionVector TensorView::current_index() const { return slices_->slice().IndexOf(heat_map_->current()); }

QString TensorView::current_text() const {
  return reader_ == nullptr || reader_->element_count() == 0 ? QString() : ToQString(reader_->TextOf(current_index()));
}

void TensorView::ShowElement() {
  const QString text = current_text();
  element_label_->setVisible(!text.isEmpty());
  if (text.isEmpty()) return;
  QStringList index;
  for (int64_t i : current_index()) index << QString::number(i);
  const QString place = QStringLiteral("[%1]").arg(index.join(QStringLiteral(", ")));
  element_label_->setText(QStringLiteral("%1 = %2").arg(place, text));
}

void TensorView::SetCurrentCell(TensorSlice::Cell cell, const QObject* from) {
  if (std::exchange(setting_, true)) return;
  const bool other_row = heat_map_->current().row != cell.row;
  heat_map_->SetCurrent(cell);
  if (from != image_) image_->SetCurrent(cell);
  if (from != table_) ShowTableCell(cell);
  if (other_row && from != plot_) {
    ShowPlot();
  } else {
    plot_->SetCurrent(slice().column_axis() == TensorSlice::kNoAxis ? cell.row : cell.column);
  }
  ShowElement();
  setting_ = false;
  Q_EMIT CurrentChanged();
  Q_EMIT PlaceChanged();
}

void TensorView::ShowTableCell(TensorSlice::Cell cell) {
  if (model_->rowCount() == 0) return;
  const bool was_setting = std::exchange(setting_, true);
  const auto page = [](int64_t at, int64_t first, int64_t shown, int64_t size) {
    return at >= first && at < first + shown ? first : at / size * size;
  };
  const int64_t row = page(cell.row, model_->first_row(), model_->rowCount(), TensorModel::kMaxRows);
  const int64_t column = page(cell.column, model_->first_column(), model_->columnCount(), TensorModel::kMaxColumns);
  if (row != model_->first_row() || column != model_->first_column()) {
    first_row_->setValue(static_cast<int>(std::min<int64_t>(row, INT_MAX)));
    first_column_->setValue(static_cast<int>(std::min<int64_t>(column, INT_MAX)));
  }
  const QModelIndex index = model_->index(static_cast<int>(cell.row - model_->first_row()),
                                          static_cast<int>(cell.column - model_->first_column()));
  if (index.isValid() && index != table_->currentIndex()) table_->setCurrentIndex(index);
  setting_ = was_setting;
}

void TensorView::Reveal(const evaluator::DimensionVector& index) {
  if (reader_ == nullptr || index.size() != reader_->dimensions().size() || reader_->element_count() == 0) return;
  TensorSlice slice = slices_->slice();
  const TensorSlice::Cell cell = slice.Reveal(index);
  if (!(slice == slices_->slice())) SetSlice(slice);
  SetCurrentCell(cell, this);
}

void TensorView::Follow(const TensorView& other) {
  if (slice().dimensions() != other.slice().dimensions()) return;
  SetSlice(other.slice());
  const bool was_setting = std::exchange(setting_, true);
  heat_map_->SetWindow(other.heat_map_->window());
  image_->SetWindow(other.image_->window());
  heat_map_->SetCurrent(other.heat_map_->current());
  ShowTableCell(heat_map_->current());
  plot_->SetCurrent(slice().column_axis() == TensorSlice::kNoAxis ? heat_map_->current().row
                                                                  : heat_map_->current().column);
  ShowElement();
  setting_ = was_setting;
}

void TensorView::SetScale(const ColorScale& scale) {
  heat_map_->SetScale(scale);
  ColorScale gray = scale;
  gray.set_map(ColorMap::kGray);
  image_->SetScale(gray);
  histogram_->SetScale(mode_ == Mode::kImage ? gray : scale);
  maps_->setCurrentIndex(static_cast<int>(scale.map()));
  scales_->setCurrentIndex(static_cast<int>(scale.scale()));
  overlays_->setCurrentIndex(static_cast<int>(scale.overlay()));
  ShowRange();
}

void TensorView::ShowRange() {
  low_->setText(Number(scale().low()));
  high_->setText(Number(scale().high()));
}

void TensorView::ReadRangeFields() {
  bool low_good = false, high_good = false;
  const double low = low_->text().toDouble(&low_good), high = high_->text().toDouble(&high_good);
  ColorScale scale = this->scale();
  // Rounded for display: an untouched field changes nothing.
  const bool touched = low_->text() != Number(scale.low()) || high_->text() != Number(scale.high());
  if (!touched) return;
  if (low_good && high_good && scale.SetRange(low, high)) {
    range_chosen_ = true;
    SetScale(scale);
  } else {
    ShowRange();
  }
}

void TensorView::FitRange() {
  if (!statistics_.has_value()) return;
  ColorScale scale = this->scale();
  scale.FitRange(statistics_->finite_min, statistics_->finite_max, statistics_->least_magnitude);
  SetScale(scale);
}

void TensorView::StartStatistics() {
  statistics_.reset();
  histogram_task_->Cancel();
  if (reader_ == nullptr) {
    statistics_task_->Cancel();
    statistics_label_->clear();
    histogram_->SetHistogram({});
    return;
  }
  statistics_label_->setText(tr("Reading all elements..."));
  statistics_task_->Start([this, reader = reader_](const std::atomic<bool>& cancelled) -> BackgroundTask::Done {
    const TensorStatistics statistics = StatisticsOf(*reader, cancelled);
    return [this, statistics, type = reader->element_type()] {
      statistics_ = statistics;
      const QString text = StatisticsText(statistics, type);
      statistics_label_->setText(slice_label_->isHidden() ? text : tr("All of it:   %1").arg(text));
      if (!range_chosen_) FitRange();
      StartHistogram();
    };
  });
}

void TensorView::StartSliceStatistics() {
  const TensorSlice& slice = slices_->slice();
  const bool is_part = reader_ != nullptr && slice.rows() * slice.columns() < reader_->element_count();
  slice_label_->setVisible(is_part);
  if (!is_part) {
    slice_task_->Cancel();
    return;
  }
  slice_task_->Start(
      [this, reader = SliceReaderOf(reader_, slice)](const std::atomic<bool>& cancelled) -> BackgroundTask::Done {
        const TensorStatistics statistics = StatisticsOf(*reader, cancelled);
        return [this, statistics, type = reader->element_type()] {
          slice_label_->setText(tr("This slice:   %1").arg(StatisticsText(statistics, type)));
        };
      });
}

void TensorView::StartHistogram() {
  const double low = statistics_->finite_min, high = statistics_->finite_max;
  histogram_task_->Start(
      [this, reader = reader_, low, high](const std::atomic<bool>& cancelled) -> BackgroundTask::Done {
        Histogram histogram = HistogramOf(*reader, low, high, kBins, cancelled);
        return [this, histogram = std::move(histogram)]() mutable { histogram_->SetHistogram(std::move(histogram)); };
      });
}

void TensorView::StartComparison() {
  comparison_label_->setVisible(other_.has_buffer());
  if (!other_.has_buffer() || !tensor_.has_buffer()) {
    comparison_task_->Cancel();
    comparison_label_->hide();
    return;
  }
  comparison_label_->setText(tr("Comparing..."));
  comparison_task_->Start(
      [this, first = tensor_, second = other_](const std::atomic<bool>& cancelled) -> BackgroundTask::Done {
        const auto difference =
            evaluator::DifferenceOf(first, second, evaluator::UsualTolerance(first.element_type()), &cancelled);
        const QString text = difference.ok() ? DifferenceText(*difference) : ToQString(difference.status().message());
        return [this, text] { comparison_label_->setText(text); };
      });
}

void TensorView::FindNext(bool backwards) {
  search_label_->hide();
  if (reader_ == nullptr) return;
  const absl::StatusOr<ElementCondition> condition = ReadElementCondition(search_->text());
  const auto say = [this](const QString& text) {
    search_label_->setText(text);
    search_label_->show();
  };
  if (!condition.ok()) return say(ToQString(condition.status().message()));
  if (condition->kind == ElementCondition::Kind::kIndex) {
    const absl::Span<const int64_t> sizes = reader_->dimensions();
    bool good = condition->index.size() == sizes.size();
    for (size_t d = 0; good && d < sizes.size(); ++d) {
      good = condition->index[d] >= 0 && condition->index[d] < sizes[d];
    }
    if (!good) return say(tr("There is no such element."));
    return Reveal(evaluator::DimensionVector(condition->index.begin(), condition->index.end()));
  }
  const evaluator::DimensionVector at = current_index();
  const std::vector<int64_t> after(at.begin(), at.end());
  search_task_->Start([this, reader = reader_, condition = *condition, after, backwards,
                       say](const std::atomic<bool>& cancelled) -> BackgroundTask::Done {
    const std::optional<std::vector<int64_t>> found = FindElement(*reader, condition, after, backwards, cancelled);
    return [this, found, say] {
      if (found.has_value()) {
        Reveal(evaluator::DimensionVector(found->begin(), found->end()));
      } else {
        say(tr("No element is like that."));
      }
    };
  });
}

void TensorView::Copy() {
  const QItemSelection selected = table_->selectionModel()->selection();
  QString text = current_text();
  if (mode_ == Mode::kTable && !selected.isEmpty()) {
    const QItemSelectionRange& block = selected.first();
    if (block.width() * block.height() > 1) {
      text = model_->BlockText(block.top(), block.left(), block.height(), block.width());
    }
  }
  QGuiApplication::clipboard()->setText(text);
}

QImage TensorView::Picture() {
  QWidget* page = stack_->currentWidget();
  return page->grab().toImage();
}

}  // namespace hloscope::gui
