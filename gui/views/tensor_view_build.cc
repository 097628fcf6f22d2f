// SPDX-License-Identifier: Apache-2.0
// The widgets of a TensorView.
#include <QDoubleValidator>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QShortcut>
#include <QVBoxLayout>

#include "gui/views/metrics.h"
#include "gui/views/named_widget.h"
#include "gui/views/tensor_view.h"
#include "gui/views/theme.h"
#include "gui/views/wrap_layout.h"

namespace hloscope::gui {
namespace {

// Pixels and characters of controls, so that they need as few lines as can be in a dock of a small window.
constexpr int kNarrowSearch = 74, kWideSearch = 150, kNumberWidth = 76, kShortestChoice = 6;

QComboBox* MakeBox(QWidget* bar, const QString& name) {
  auto* box = new QComboBox;
  NameWidget(box, name);
  box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  bar->layout()->addWidget(box);
  return box;
}

}  // namespace

TensorView::TensorView(QWidget* parent)
    : QWidget(parent),
      mode_bar_(MakeWrapBar()),
      slices_(new SliceBar),
      color_bar_(MakeWrapBar()),
      stack_(new QStackedWidget),
      model_(new TensorModel(this)),
      table_page_(new QWidget),
      table_(new QTableView),
      heat_map_(new HeatMapView),
      image_(new HeatMapView),
      plot_(new LinePlotView),
      histogram_(new HistogramView),
      statistics_label_(new QLabel),
      slice_label_(new QLabel),
      comparison_label_(new QLabel),
      element_label_(new QLabel),
      search_label_(new QLabel),
      statistics_task_(new BackgroundTask(this)),
      slice_task_(new BackgroundTask(this)),
      histogram_task_(new BackgroundTask(this)),
      search_task_(new BackgroundTask(this)),
      comparison_task_(new BackgroundTask(this)) {
  BuildModeBar();
  BuildColorBar();

  table_->setModel(model_);
  table_->setFont(CodeFont());
  table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + Space::kGap);
  table_->setAlternatingRowColors(true);
  table_->setWordWrap(false);
  table_->setSelectionMode(QAbstractItemView::ContiguousSelection);
  table_->setAccessibleName(tr("Elements"));
  // Columns of headers as wide as the numbers in them.
  table_->setTabKeyNavigation(false);
  page_bar_ = MakeWrapBar();
  const auto add_page_box = [this](const QString& caption, int step) {
    auto* label = new QLabel(caption);
    auto* box = new QSpinBox;
    box->setSingleStep(step);
    box->setKeyboardTracking(false);
    label->setBuddy(box);
    page_bar_->layout()->addWidget(label);
    page_bar_->layout()->addWidget(box);
    return box;
  };
  first_row_ = add_page_box(tr("from row"), static_cast<int>(TensorModel::kMaxRows));
  first_column_ = add_page_box(tr("from column"), static_cast<int>(TensorModel::kMaxColumns));
  auto* table_column = new QVBoxLayout(table_page_);
  table_column->setContentsMargins({});
  table_column->addWidget(page_bar_);
  table_column->addWidget(table_, 1);

  image_->setAccessibleName(tr("The value as an image"));
  for (QWidget* page :
       {table_page_, static_cast<QWidget*>(heat_map_), static_cast<QWidget*>(image_), static_cast<QWidget*>(plot_)}) {
    stack_->addWidget(page);
  }
  for (QLabel* label : {statistics_label_, slice_label_, comparison_label_, element_label_, search_label_}) {
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setWordWrap(true);
  }
  comparison_label_->hide();
  slice_label_->hide();
  search_label_->hide();
  element_label_->setFont(CodeFont());
  element_label_->setAccessibleName(tr("Current element"));

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, Space::kTight, 0, 0);
  controls_ = new QWidget;
  auto* controls = new QVBoxLayout(controls_);
  controls->setContentsMargins({});
  controls->addWidget(mode_bar_);
  controls->addWidget(slices_);
  controls->addWidget(color_bar_);
  column->addWidget(controls_);
  column->addWidget(stack_, 1);
  column->addWidget(histogram_);
  column->addWidget(element_label_);
  column->addWidget(search_label_);
  column->addWidget(comparison_label_);
  column->addWidget(slice_label_);
  column->addWidget(statistics_label_);
  Connect();
  SetMode(Mode::kTable);
  SetTensor(evaluator::Tensor());
}

void TensorView::BuildModeBar() {
  modes_ = new QActionGroup(this);
  static constexpr struct {
    const char* caption;
    const char* tip;
  } kModes[] = {{QT_TR_NOOP("Table"), QT_TR_NOOP("Elements as numbers")},
                {QT_TR_NOOP("Heat map"), QT_TR_NOOP("Elements as colours")},
                {QT_TR_NOOP("Image"), QT_TR_NOOP("Elements as grey levels or as red, green and blue")},
                {QT_TR_NOOP("Plot"), QT_TR_NOOP("The current row as a line")}};
  for (const auto& mode : kModes) {
    auto* action = new QAction(tr(mode.caption), this);
    action->setCheckable(true);
    action->setToolTip(tr(mode.tip));
    modes_->addAction(action);
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setFocusPolicy(Qt::TabFocus);
    button->setAccessibleName(tr(mode.caption));
    mode_bar_->layout()->addWidget(button);
  }
  search_ = new QLineEdit;
  search_->setPlaceholderText(tr("Find: nan, > 3, [0, 5]"));
  NameWidget(search_,
             tr("Find an element: nan, inf, 0.5, > 3, |x| > 100, or an index such as [3, 5]. Enter finds the next "
                "one, Shift+Enter the one before."));
  search_->setClearButtonEnabled(true);
  search_->setMinimumWidth(kNarrowSearch);
  search_->setMaximumWidth(kWideSearch);
  mode_bar_->layout()->addWidget(search_);
  aspects_ = MakeBox(mode_bar_, tr("What of the two values is shown"));
  for (const QString& name :
       {tr("Value"), tr("Other value"), tr("Difference"), tr("Relative difference"), tr("Difference in ulps")}) {
    aspects_->addItem(name);
  }
  aspects_->hide();
}

void TensorView::BuildColorBar() {
  maps_ = MakeBox(color_bar_, tr("Colours"));
  for (int i = 0; i < kColorMapCount; ++i) maps_->addItem(ColorMapName(static_cast<ColorMap>(i)));
  scales_ = MakeBox(color_bar_, tr("How numbers are spread over the colours"));
  for (int i = 0; i < kNumberScaleCount; ++i) scales_->addItem(NumberScaleName(static_cast<NumberScale>(i)));
  overlays_ = MakeBox(color_bar_, tr("Elements that are marked"));
  for (int i = 0; i < kOverlayCount; ++i) overlays_->addItem(OverlayName(static_cast<Overlay>(i)));
  channels_ = MakeBox(color_bar_, tr("Where the channels are"));
  channels_->addItem(tr("NHWC: channels last"));
  channels_->addItem(tr("NCHW: channels before rows"));
  channels_->addItem(tr("One channel"));
  for (QComboBox* box : {maps_, scales_, overlays_}) {
    // Long names are for the list; the bar has little room.
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(kShortestChoice);
    box->view()->setMinimumWidth(260);
  }
  low_ = new QLineEdit;
  high_ = new QLineEdit;
  NameWidget(low_, tr("Number at the low end of the colours"));
  NameWidget(high_, tr("Number at the high end of the colours"));
  for (QLineEdit* field : {low_, high_}) {
    auto* validator = new QDoubleValidator(field);
    validator->setLocale(QLocale::c());
    field->setValidator(validator);
    field->setFixedWidth(kNumberWidth);
  }
  auto* range = new QWidget;
  auto* row = new QHBoxLayout(range);
  row->setContentsMargins({});
  row->setSpacing(Space::kTight);
  row->addWidget(low_);
  row->addWidget(new QLabel(QStringLiteral("\u2013")));
  row->addWidget(high_);
  auto* fit = new QToolButton;
  fit->setText(tr("Fit"));
  fit->setFocusPolicy(Qt::TabFocus);
  NameWidget(fit, tr("Fit the range to the values"));
  connect(fit, &QToolButton::clicked, this, [this] {
    range_chosen_ = false;
    FitRange();
  });
  row->addWidget(fit);
  color_bar_->layout()->addWidget(range);
}

void TensorView::Connect() {
  connect(modes_, &QActionGroup::triggered, this,
          [this](QAction* action) { SetMode(static_cast<Mode>(modes_->actions().indexOf(action))); });
  connect(aspects_, &QComboBox::activated, this, [this](int aspect) { SetAspect(static_cast<Aspect>(aspect)); });
  connect(slices_, &SliceBar::SliceChanged, this, [this] {
    ShowSlice();
    Q_EMIT PlaceChanged();
  });
  connect(maps_, &QComboBox::activated, this, [this](int map) {
    ColorScale scale = this->scale();
    scale.set_map(static_cast<ColorMap>(map));
    SetScale(scale);
    if (!range_chosen_) FitRange();
  });
  connect(scales_, &QComboBox::activated, this, [this](int kind) {
    ColorScale scale = this->scale();
    scale.set_scale(static_cast<NumberScale>(kind));
    SetScale(scale);
    if (!range_chosen_) FitRange();
  });
  connect(overlays_, &QComboBox::activated, this, [this](int overlay) {
    ColorScale scale = this->scale();
    scale.set_overlay(static_cast<Overlay>(overlay));
    SetScale(scale);
  });
  connect(channels_, &QComboBox::activated, this, &TensorView::ShowImage);
  for (QLineEdit* field : {low_, high_})
    connect(field, &QLineEdit::editingFinished, this, &TensorView::ReadRangeFields);
  connect(histogram_, &HistogramView::RangeChanged, this, [this](double low, double high) {
    ColorScale scale = this->scale();
    if (!scale.SetRange(low, high)) return;
    range_chosen_ = true;
    SetScale(scale);
  });
  connect(search_, &QLineEdit::returnPressed, this, [this] { FindNext(/*backwards=*/false); });
  auto* before = new QShortcut(QKeySequence(Qt::SHIFT | Qt::Key_Return), search_);
  before->setContext(Qt::WidgetShortcut);
  connect(before, &QShortcut::activated, this, [this] { FindNext(/*backwards=*/true); });
  const auto page = [this] { model_->SetOrigin(first_row_->value(), first_column_->value()); };
  connect(first_row_, &QSpinBox::valueChanged, this, page);
  connect(first_column_, &QSpinBox::valueChanged, this, page);
  connect(table_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& index) {
    if (index.isValid()) {
      SetCurrentCell({model_->first_row() + index.row(), model_->first_column() + index.column()}, table_);
    }
  });
  auto* copy = new QAction(tr("Copy"), this);
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  copy->setToolTip(tr("Copy the selected block, with tabs between columns"));
  connect(copy, &QAction::triggered, this, &TensorView::Copy);
  addAction(copy);
  auto* all = new QAction(tr("Select All"), table_);
  connect(all, &QAction::triggered, table_, &QTableView::selectAll);
  table_->setContextMenuPolicy(Qt::ActionsContextMenu);
  table_->addActions({copy, all});
  connect(table_, &QTableView::activated, this, [this] { Q_EMIT Activated(current_index()); });
  for (HeatMapView* view : {heat_map_, image_}) {
    connect(view, &HeatMapView::CurrentChanged, this,
            [this, view](TensorSlice::Cell cell) { SetCurrentCell(cell, view); });
    connect(view, &HeatMapView::WindowChanged, this, &TensorView::PlaceChanged);
    connect(view, &HeatMapView::CellActivated, this, [this] { Q_EMIT Activated(current_index()); });
  }
  connect(plot_, &LinePlotView::CurrentChanged, this, [this](int64_t number) {
    TensorSlice::Cell cell = heat_map_->current();
    (slice().column_axis() == TensorSlice::kNoAxis ? cell.row : cell.column) = number;
    SetCurrentCell(cell, plot_);
  });
}

}  // namespace hloscope::gui
