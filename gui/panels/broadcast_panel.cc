// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/broadcast_panel.h"

#include <QVBoxLayout>
#include <algorithm>
#include <climits>
#include <cmath>
#include <utility>

#include "core/print/number_printer.h"
#include "gui/models/color_scale.h"
#include "gui/models/plurals.h"
#include "gui/models/shape_text.h"
#include "gui/models/text.h"
#include "gui/views/metrics.h"
#include "gui/views/named_widget.h"
#include "gui/views/theme.h"
#include "gui/views/wrap_layout.h"

namespace hloscope::gui {
namespace {

constexpr int kPlayInterval = 350;        // ms
constexpr int kNarrowBroadcast = 560;     // pixels, below which pictures are below one another
constexpr size_t kShownSources = 12;      // in the text below the pictures
constexpr int64_t kSourcesForColor = 16;  // looked at for the colour of a cell

using Mark = CellGridView::Mark;

int64_t Linear(absl::Span<const int64_t> sizes, absl::Span<const int64_t> index) {
  int64_t number = 0;
  for (size_t d = 0; d < sizes.size(); ++d) number = number * sizes[d] + index[d];
  return number;
}

QString IndexText(absl::Span<const int64_t> index) {
  QStringList parts;
  for (int64_t i : index) parts << QString::number(i);
  return QStringLiteral("[%1]").arg(parts.join(QLatin1Char(',')));
}

// a, b, ..., z, aa, ...; capitals for the second operand, numbers in front for further ones.
QString Letters(size_t operand, int64_t number) {
  QString letters;
  for (int64_t rest = number; rest >= 0; rest = rest / 26 - 1) {
    letters.prepend(QLatin1Char(static_cast<char>((operand == 1 ? 'A' : 'a') + rest % 26)));
  }
  return operand < 2 ? letters : QStringLiteral("%1%2").arg(operand).arg(letters);
}

QString ValueText(const evaluator::Value& value, absl::Span<const int64_t> index) {
  std::string text;
  AppendElement(value.tensor().element_type(), value.tensor().At(index), &text);
  return Elide(ToQString(text), 10);
}

}  // namespace

BroadcastPanel::BroadcastPanel(Selection* selection, SessionController* session, QWidget* parent)
    : QScrollArea(parent),
      selection_(selection),
      session_(session),
      mode_(new QComboBox),
      operation_(new QComboBox),
      content_(new QComboBox),
      lhs_(new QLineEdit),
      rhs_(new QLineEdit),
      dims_(new QLineEdit),
      shape_bar_(MakeWrapBar()),
      steps_(new QListWidget),
      problem_(new QLabel),
      explanation_(new QLabel),
      element_(new QLabel),
      progress_label_(new QLabel),
      links_(new DimensionLinksView),
      play_bar_(MakeWrapBar()),
      first_(new QToolButton),
      back_(new QToolButton),
      play_(new QToolButton),
      forward_(new QToolButton),
      slider_(new QSlider(Qt::Horizontal)),
      splitter_(new QSplitter(Qt::Horizontal)) {
  Build();
  timer_.setInterval(kPlayInterval);
  connect(&timer_, &QTimer::timeout, this, [this] {
    Step(1);
    if (progress_ >= result_count()) Play(false);
  });
  connect(mode_, &QComboBox::activated, this, [this](int mode) { SetMode(static_cast<Mode>(mode)); });
  connect(content_, &QComboBox::currentIndexChanged, this, &BroadcastPanel::ShowSides);
  for (QLineEdit* field : {lhs_, rhs_, dims_})
    connect(field, &QLineEdit::textEdited, this, &BroadcastPanel::ReadShapes);
  connect(operation_, &QComboBox::activated, this, &BroadcastPanel::ReadShapes);
  connect(steps_, &QListWidget::currentRowChanged, this, &BroadcastPanel::ShowStep);
  connect(first_, &QToolButton::clicked, this, [this] { SetProgress(0); });
  connect(back_, &QToolButton::clicked, this, [this] { Step(-1); });
  connect(forward_, &QToolButton::clicked, this, [this] { Step(1); });
  connect(play_, &QToolButton::clicked, this, [this] { Play(!playing()); });
  connect(slider_, &QSlider::valueChanged, this, [this](int value) {
    if (!setting_) SetProgress(value);
  });
  if (selection_ != nullptr) {
    connect(selection_, &Selection::Changed, this, &BroadcastPanel::FollowSelection);
    connect(session_, &SessionController::Stopped, this, &BroadcastPanel::FollowSelection);
    connect(session_, &SessionController::Recalled, this, &BroadcastPanel::FollowSelection);
  }
  mode_->setVisible(selection_ != nullptr);
  SetMode(selection_ != nullptr ? Mode::kInstruction : Mode::kShapes);
}

BroadcastPanel::Side BroadcastPanel::MakeSide(const QString& name) {
  Side side;
  side.widget = new QWidget;
  side.title = new QLabel;
  side.title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  side.title->setWordWrap(true);
  side.slices = new SliceBar;
  side.grid = new CellGridView;
  side.grid->setAccessibleName(name);
  auto* column = new QVBoxLayout(side.widget);
  column->setContentsMargins({});
  column->setSpacing(Space::kTight);
  column->addWidget(side.title);
  column->addWidget(side.slices);
  column->addWidget(side.grid, 1);
  splitter_->addWidget(side.widget);
  connect(side.slices, &SliceBar::SliceChanged, this, &BroadcastPanel::ShowSides);
  return side;
}

void BroadcastPanel::SetUpShapes() {
  mode_->addItem(tr("Selected instruction"));
  mode_->addItem(tr("Two shapes"));
  NameWidget(mode_, tr("What is shown"));
  for (const QString& text : {tr("Letters"), tr("Indices"), tr("Values")}) content_->addItem(text);
  NameWidget(content_, tr("What is written into the cells"));
  for (Opcode opcode : AllOpcodes()) {
    if (IsPlainBinary(opcode)) operation_->addItem(ToQString(OpcodeName(opcode)));
  }
  operation_->setCurrentText(QStringLiteral("add"));
  NameWidget(operation_, tr("The operation"));
  NameWidget(lhs_, tr("Shape of the left operand: f32[4,1]"));
  NameWidget(rhs_, tr("Shape of the right operand: f32[3]"));
  NameWidget(dims_, tr("broadcast_dimensions: which dimension of the other operand each one of the smaller becomes"));
  dims_->setPlaceholderText(tr("none"));
  dims_->setFixedWidth(70);
  for (QLineEdit* field : {lhs_, rhs_}) field->setMinimumWidth(140);
  lhs_->setText(QStringLiteral("f32[4,1]"));
  rhs_->setText(QStringLiteral("f32[1,3]"));
  for (QWidget* widget :
       {static_cast<QWidget*>(lhs_), static_cast<QWidget*>(operation_), static_cast<QWidget*>(rhs_),
        static_cast<QWidget*>(new QLabel(tr("broadcast_dimensions"))), static_cast<QWidget*>(dims_)}) {
    shape_bar_->layout()->addWidget(widget);
  }
}

void BroadcastPanel::SetUpPlaying() {
  NameWidget(steps_, tr("The steps of broadcasting; choose one to see it"));
  steps_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  const auto button = [this](QToolButton* b, const QString& text, const QString& name) {
    b->setText(text);
    b->setFocusPolicy(Qt::TabFocus);
    NameWidget(b, name);
    play_bar_->layout()->addWidget(b);
  };
  button(first_, QStringLiteral("|\u25c0"), tr("Before the first element"));
  button(back_, QStringLiteral("\u25c0"), tr("One element back"));
  button(play_, QStringLiteral("\u25b6"), tr("Play: element after element"));
  button(forward_, QStringLiteral("\u25b6|"), tr("The next element"));
  slider_->setMinimumWidth(160);
  NameWidget(slider_, tr("Elements of the result that are there"));
  play_bar_->layout()->addWidget(slider_);
  play_bar_->layout()->addWidget(progress_label_);
  play_bar_->layout()->addWidget(content_);
}

void BroadcastPanel::SetUpArrays() {
  for (size_t k = 0; k < kMaxOperands; ++k) {
    operands_.push_back(MakeSide(tr("Operand %1").arg(k)));
    CellGridView* grid = operands_[k].grid;
    const auto show = [this, k](std::optional<TensorSlice::Cell> cell) {
      if (!cell) return ClearMarks();
      const evaluator::DimensionVector index = operands_[k].slices->slice().IndexOf(*cell);
      ShowSource({k, {index.begin(), index.end()}});
    };
    connect(grid, &CellGridView::Hovered, this, show);
    connect(grid, &CellGridView::CurrentChanged, this, show);
  }
  result_ = MakeSide(tr("Result"));
  connect(result_.grid, &CellGridView::Hovered, this, [this](std::optional<TensorSlice::Cell> cell) {
    if (!cell) return ClearMarks();
    ShowResult(result_.slices->slice().IndexOf(*cell), /*scroll=*/false);
  });
  connect(result_.grid, &CellGridView::CurrentChanged, this,
          [this](TensorSlice::Cell cell) { ShowResult(result_.slices->slice().IndexOf(cell), /*scroll=*/true); });
  splitter_->setChildrenCollapsible(false);
  splitter_->setMinimumHeight(140);
}

void BroadcastPanel::Build() {
  SetUpShapes();
  SetUpPlaying();
  for (QLabel* label : {problem_, explanation_, element_}) {
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }
  element_->setFont(CodeFont());
  SetUpArrays();

  auto* top = MakeWrapBar();
  top->layout()->addWidget(mode_);
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->addWidget(top);
  column->addWidget(shape_bar_);
  column->addWidget(steps_);
  column->addWidget(problem_);
  column->addWidget(links_);
  column->addWidget(play_bar_);
  column->addWidget(splitter_, 1);
  column->addWidget(element_);
  column->addWidget(explanation_);
  column->addStretch(0);
  setWidget(content);
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setMinimumSize(260, 120);
}

void BroadcastPanel::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  splitter_->setOrientation(width() < kNarrowBroadcast ? Qt::Vertical : Qt::Horizontal);
}

void BroadcastPanel::SetMode(Mode mode) {
  mode_->setCurrentIndex(static_cast<int>(mode));
  shape_bar_->setVisible(mode == Mode::kShapes);
  steps_->setVisible(mode == Mode::kShapes);
  if (mode == Mode::kShapes) {
    ReadShapes();
  } else {
    FollowSelection();
  }
}

void BroadcastPanel::SetShapes(const QString& lhs, const QString& rhs, const QString& dims, const QString& operation) {
  lhs_->setText(lhs);
  rhs_->setText(rhs);
  dims_->setText(dims);
  operation_->setCurrentText(operation);
  SetMode(Mode::kShapes);
}

void BroadcastPanel::FollowSelection() {
  if (mode_->currentIndex() != static_cast<int>(Mode::kInstruction)) return;
  const InstructionId id = selection_->document() != nullptr ? selection_->instruction() : InstructionId();
  if (!id.has_value()) {
    ShowMap({});
    return ShowProblem(tr("Select an instruction to see where the elements of its result come from."), nullptr);
  }
  ShowMap(IndexMap(selection_->document()->shared_module(), id, [this](InstructionId operand) {
    return session_->busy() ? evaluator::Value() : session_->ValueOf(operand);
  }));
}

void BroadcastPanel::ShowProblem(const QString& message, QLineEdit* field) {
  const Theme theme = Theme::For(palette());
  for (QLineEdit* each : {lhs_, rhs_, dims_}) {
    QPalette colors = palette();
    if (each == field) colors.setColor(QPalette::Text, theme.error);
    each->setPalette(colors);
  }
  QPalette colors = palette();
  if (field != nullptr) colors.setColor(QPalette::WindowText, theme.error);
  problem_->setPalette(colors);
  problem_->setText(message);
  problem_->setVisible(!message.isEmpty());
}

void BroadcastPanel::ReadShapes() {
  if (mode_->currentIndex() != static_cast<int>(Mode::kShapes)) return;
  setting_ = true;
  steps_->clear();
  setting_ = false;
  step_instructions_.clear();
  typed_.reset();
  const auto fail = [this](const QString& message, QLineEdit* field) {
    steps_->hide();
    ShowMap({});
    ShowProblem(message, field);
  };
  TextProblem problem;
  const std::optional<hloscope::Shape> lhs = ReadTypedArray(lhs_->text(), &problem);
  if (!lhs) return fail(problem.message, lhs_);
  const std::optional<hloscope::Shape> rhs = ReadTypedArray(rhs_->text(), &problem);
  if (!rhs) return fail(problem.message, rhs_);
  std::optional<std::vector<int64_t>> dims;
  if (!dims_->text().trimmed().isEmpty()) {
    dims = ReadTypedList(dims_->text(), &problem);
    if (!dims) return fail(problem.message, dims_);
  }
  const Opcode opcode = *OpcodeFromName(operation_->currentText().toStdString());
  const auto plan = PlanBroadcast({"lhs", *lhs}, {"rhs", *rhs}, dims, opcode);
  if (const BroadcastProblem* why = std::get_if<BroadcastProblem>(&plan)) {
    QLineEdit* field = why->place == BroadcastProblem::Place::kLhs   ? lhs_
                       : why->place == BroadcastProblem::Place::kRhs ? rhs_
                                                                     : dims_;
    return fail(ToQString(why->message), field);
  }
  const BroadcastPlan& good = *std::get_if<BroadcastPlan>(&plan);
  typed_ = Document::Parse(SourceText::FromString("broadcast", good.snippet.ModuleText({good.lhs, good.rhs})));
  const Module& module = typed_->module();
  setting_ = true;
  for (const BroadcastStep& step : good.steps) {
    const QString operand = step.operand == 0 ? tr("left") : tr("right");
    auto* item = new QListWidgetItem(QStringLiteral("%1: %2 \u2192 %3: %4")
                                         .arg(operand, ToQString(step.before.ToString(false)),
                                              ToQString(step.after.ToString(false)), ToQString(step.explanation)));
    item->setFlags(item->flags() & ~Qt::ItemIsSelectable);
    steps_->addItem(item);
    step_instructions_.push_back(InstructionId());
  }
  for (InstructionId id : module.computation(module.entry()).instructions) {
    if (module.opcode(id) == Opcode::kParameter) continue;
    const size_t number = step_instructions_.size() - good.steps.size();
    const QString text =
        number < good.snippet.instructions.size() ? ToQString(good.snippet.instructions[number]) : QString();
    auto* item = new QListWidgetItem(text);
    item->setFont(CodeFont());
    steps_->addItem(item);
    step_instructions_.push_back(id);
  }
  setting_ = false;
  const int rows = std::min(steps_->count(), 6);
  steps_->setFixedHeight(rows * std::max(steps_->sizeHintForRow(0), 18) + 6);
  steps_->show();
  ShowProblem(QString(), nullptr);
  steps_->setCurrentRow(static_cast<int>(std::min(good.steps.size(), step_instructions_.size() - 1)));
}

void BroadcastPanel::ShowStep(int row) {
  if (setting_ || row < 0 || static_cast<size_t>(row) >= step_instructions_.size()) return;
  const InstructionId id = step_instructions_[static_cast<size_t>(row)];
  if (!id.has_value()) return;
  ShowMap(IndexMap(typed_->shared_module(), id, [](InstructionId) { return evaluator::Value(); }));
}

void BroadcastPanel::ShowMap(IndexMap map) {
  Play(false);
  map_ = std::move(map);
  marked_sources_.clear();
  marked_results_.clear();
  ShowProblem(map_.problem(), nullptr);
  const bool good = map_.good();
  for (QWidget* widget : {static_cast<QWidget*>(play_bar_), static_cast<QWidget*>(splitter_),
                          static_cast<QWidget*>(element_), static_cast<QWidget*>(explanation_)}) {
    widget->setVisible(good);
  }
  links_->setVisible(good && !map_.links().empty());
  links_->SetMap(map_);
  explanation_->setText(good ? map_.explanation() : QString());
  element_->clear();
  progress_ = result_count();
  setting_ = true;
  slider_->setRange(0, static_cast<int>(std::min<int64_t>(progress_, INT_MAX)));
  setting_ = false;
  if (!good) return;
  ShowProgress();
  ShowSides();
}

evaluator::DimensionVector BroadcastPanel::ResultIndex(int64_t number) const {
  const absl::Span<const int64_t> sizes = map_.result_shape().dimensions();
  evaluator::DimensionVector index(sizes.size(), 0);
  for (size_t d = sizes.size(); d-- > 0;) {
    index[d] = number % sizes[d];
    number /= sizes[d];
  }
  return index;
}

QString BroadcastPanel::SourceText(const MapSource& source) const {
  switch (static_cast<CellContent>(content_->currentIndex())) {
    case CellContent::kLetter:
      return Letters(source.operand, Linear(map_.operand_shape(source.operand).dimensions(), source.index));
    case CellContent::kIndex:
      return IndexText(source.index);
    case CellContent::kValue:
      return ValueText(map_.operand_value(source.operand), source.index);
  }
  return QString();
}

QColor BroadcastPanel::SourceColor(const MapSource& source) const {
  const absl::Span<const int64_t> sizes = map_.operand_shape(source.operand).dimensions();
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  const double place =
      static_cast<double>(Linear(sizes, source.index)) / static_cast<double>(std::max<int64_t>(count - 1, 1));
  // Each operand has its part of the circle of hues.
  const double hue = std::fmod(0.52 + 0.37 * static_cast<double>(source.operand) + 0.3 * place, 1.0);
  return Theme::For(palette()).dark ? QColor::fromHslF(static_cast<float>(hue), 0.4F, 0.3F)
                                    : QColor::fromHslF(static_cast<float>(hue), 0.6F, 0.84F);
}

void BroadcastPanel::ShowSide(Side& side, const QString& title, const hloscope::Shape& shape,
                              std::function<CellGridView::Look(evaluator::DimensionVector)> look) {
  side.title->setText(QStringLiteral("%1  %2").arg(Elide(title, 40), ToQString(shape.ToString(false))));
  side.title->setToolTip(side.title->text());
  const absl::Span<const int64_t> sizes = shape.dimensions();
  if (side.slices->slice().dimensions() != evaluator::DimensionVector(sizes.begin(), sizes.end())) {
    TensorSlice slice(sizes);
    if (slice.rank() == 1) slice.SwapAxes();  // a vector lies flat
    side.slices->SetSlice(slice);
  }
  const TensorSlice& slice = side.slices->slice();
  CellGridView::Grid grid;
  grid.rows = slice.rows();
  grid.columns = slice.columns();
  grid.row_title = [](int64_t row) { return QString::number(row); };
  grid.column_title = [](int64_t column) { return QString::number(column); };
  grid.look = [&side, look = std::move(look)](CellGridView::Cell cell) {
    return look(side.slices->slice().IndexOf(cell));
  };
  grid.tool_tip = [&side](CellGridView::Cell cell) { return IndexText(side.slices->slice().IndexOf(cell)); };
  side.grid->SetEmptyText(tr("No elements"));
  QString widest = QStringLiteral("mmm");
  if (content_->currentIndex() == static_cast<int>(CellContent::kValue)) widest = QStringLiteral("-0.123456");
  if (content_->currentIndex() == static_cast<int>(CellContent::kIndex)) {
    size_t rank = sizes.size();
    for (size_t k = 0; k < map_.operand_count(); ++k) {
      rank = std::max(rank, map_.operand_shape(k).dimensions().size());
    }
    widest = QStringLiteral("[") + QStringLiteral("00,").repeated(static_cast<qsizetype>(rank));
  }
  side.grid->SetWidestText(widest);
  side.grid->SetGrid(std::move(grid));
}

void BroadcastPanel::ShowSides() {
  if (!map_.good()) return;
  for (size_t k = 0; k < operands_.size(); ++k) {
    operands_[k].widget->setVisible(k < map_.operand_count());
    if (k >= map_.operand_count()) continue;
    ShowSide(operands_[k], map_.operand_name(k), map_.operand_shape(k),
             [this, k](const evaluator::DimensionVector& index) -> CellGridView::Look {
               const MapSource source{k, {index.begin(), index.end()}};
               return {SourceText(source), SourceColor(source), false};
             });
    operands_[k].grid->SetMarks([this, k](CellGridView::Cell cell) {
      const evaluator::DimensionVector index = operands_[k].slices->slice().IndexOf(cell);
      const MapSource source{k, {index.begin(), index.end()}};
      return std::find(marked_sources_.begin(), marked_sources_.end(), source) != marked_sources_.end() ? Mark::kSource
                                                                                                        : Mark::kNone;
    });
  }
  ShowSide(result_, ToQString(map_.module().InstructionName(map_.instruction())), map_.result_shape(),
           [this](const evaluator::DimensionVector& index) -> CellGridView::Look {
             if (Linear(map_.result_shape().dimensions(), index) >= progress_) return {};
             std::vector<MapSource> sources = map_.SourcesOf(index, kSourcesForColor);
             std::erase_if(sources, [this](const MapSource& source) { return map_.OnlySaysWhere(source.operand); });
             if (sources.empty()) return {};
             if (sources.size() == 1) return {SourceText(sources[0]), SourceColor(sources[0]), false};
             // Made from several: what goes into an element would not fit, but for two arrays of one shape.
             const bool both = sources.size() == 2 && sources[0].operand != sources[1].operand;
             return {both ? SourceText(sources[0]) + SourceText(sources[1]) : QStringLiteral("\u2026"),
                     Theme::For(palette()).reference_fill, false};
           });
  result_.grid->SetMarks([this](CellGridView::Cell cell) {
    const evaluator::DimensionVector index = result_.slices->slice().IndexOf(cell);
    return std::find(marked_results_.begin(), marked_results_.end(), index) != marked_results_.end() ? Mark::kResult
                                                                                                     : Mark::kNone;
  });
}

void BroadcastPanel::ClearMarks() {
  marked_sources_.clear();
  marked_results_.clear();
  element_->clear();
  for (const Side& side : operands_) side.grid->viewport()->update();
  result_.grid->viewport()->update();
}

void BroadcastPanel::ShowResult(const evaluator::DimensionVector& index, bool scroll) {
  marked_results_ = {index};
  marked_sources_ = map_.SourcesOf(index);
  QStringList parts;
  for (size_t i = 0; i < std::min(marked_sources_.size(), kShownSources); ++i) {
    parts << map_.operand_name(marked_sources_[i].operand) + IndexText(marked_sources_[i].index);
  }
  QString text = QStringLiteral("%1%2 \u2190 %3")
                     .arg(ToQString(map_.module().InstructionName(map_.instruction())), IndexText(index),
                          parts.join(QStringLiteral(", ")));
  if (marked_sources_.size() > kShownSources) {
    text += tr(" and %1 more").arg(FormatCount(static_cast<int64_t>(marked_sources_.size() - kShownSources)));
  }
  if (marked_sources_.empty()) text += tr("nothing");
  element_->setText(text);
  // The operands' slices go where the first source is.
  std::vector<bool> moved(map_.operand_count(), false);
  for (const MapSource& source : marked_sources_) {
    if (source.operand >= kMaxOperands || moved[source.operand]) continue;
    moved[source.operand] = true;
    Side& side = operands_[source.operand];
    TensorSlice slice = side.slices->slice();
    const TensorSlice::Cell cell = slice.Reveal(source.index);
    if (!(slice == side.slices->slice())) side.slices->SetSlice(slice);
    if (scroll) side.grid->SetCurrent(cell);
  }
  for (const Side& side : operands_) side.grid->viewport()->update();
  result_.grid->viewport()->update();
}

void BroadcastPanel::ShowSource(const MapSource& source) {
  marked_sources_ = {source};
  bool complete = false;
  marked_results_ = map_.ResultsOf(source, &complete);
  const QString name = map_.operand_name(source.operand) + IndexText(source.index);
  const QString count = FormatCount(static_cast<int64_t>(marked_results_.size()));
  const int plural = ForPlural(marked_results_.size());
  element_->setText(complete
                        ? tr("%1 goes into %2 element(s) of the result", nullptr, plural).arg(name, count)
                        : tr("%1 goes into at least %2 element(s) of the result", nullptr, plural).arg(name, count));
  for (const Side& side : operands_) side.grid->viewport()->update();
  result_.grid->viewport()->update();
}

void BroadcastPanel::SetProgress(int64_t elements) {
  progress_ = std::clamp<int64_t>(elements, 0, result_count());
  ShowProgress();
  if (progress_ == 0) return ClearMarks();
  const evaluator::DimensionVector index = ResultIndex(progress_ - 1);
  TensorSlice slice = result_.slices->slice();
  const TensorSlice::Cell cell = slice.Reveal(index);
  if (!(slice == result_.slices->slice())) result_.slices->SetSlice(slice);
  result_.grid->SetCurrent(cell);
  ShowResult(index, /*scroll=*/true);
}

void BroadcastPanel::ShowProgress() {
  setting_ = true;
  slider_->setValue(static_cast<int>(std::min<int64_t>(progress_, INT_MAX)));
  setting_ = false;
  progress_label_->setText(tr("%1 of %2 element(s)", nullptr, ForPlural(result_count()))
                               .arg(FormatCount(progress_), FormatCount(result_count())));
}

void BroadcastPanel::Step(int by) { SetProgress(progress_ + by); }

void BroadcastPanel::Play(bool play) {
  if (play && result_count() > 0) {
    if (progress_ >= result_count()) SetProgress(0);
    timer_.start();
  } else {
    timer_.stop();
  }
  play_->setText(playing() ? QStringLiteral("\u25ae\u25ae") : QStringLiteral("\u25b6"));
}

}  // namespace hloscope::gui
