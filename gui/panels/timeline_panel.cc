// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/timeline_panel.h"

#include <QHeaderView>
#include <QMouseEvent>
#include <QPainter>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <memory>

#include "gui/models/text.h"
#include "gui/models/trace_spans.h"
#include "gui/panels/row_delegate.h"
#include "gui/views/theme.h"

namespace hloscope::gui {
namespace {

constexpr int kMostLive = 3;

}  // namespace

MemoryChart::MemoryChart(QWidget* parent) : QWidget(parent) {
  setMinimumHeight(40);
  setAccessibleName(tr("Live memory over the schedule"));
  setCursor(Qt::PointingHandCursor);
}

void MemoryChart::Show(const ComputationMemory* memory) {
  memory_ = memory;
  update();
}

void MemoryChart::SetCurrentStep(int step) {
  current_ = step;
  update();
}

double MemoryChart::XOf(int step) const {
  const double steps = memory_ != nullptr ? static_cast<double>(memory_->live_bytes.size()) : 1;
  return (step + 0.5) * width() / std::max(1.0, steps);
}

int MemoryChart::StepAt(double x) const {
  if (memory_ == nullptr || memory_->live_bytes.empty() || width() == 0) return -1;
  const int steps = static_cast<int>(memory_->live_bytes.size());
  return std::clamp(static_cast<int>(x * steps / width()), 0, steps - 1);
}

void MemoryChart::paintEvent(QPaintEvent*) {
  const Theme theme = Theme::For(palette());
  QPainter painter(this);
  painter.fillRect(rect(), theme.page);
  if (memory_ == nullptr || memory_->live_bytes.empty()) {
    painter.setPen(theme.muted);
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, tr("This computation has no memory of its own."));
    return;
  }
  // One column of pixels shows the most of the steps that fall on it.
  const double most = static_cast<double>(std::max<int64_t>(memory_->peak_bytes, 1));
  const size_t steps = memory_->live_bytes.size();
  const int base = height() - 2, room = height() - 8;
  QColor fill = theme.selection;
  fill.setAlpha(90);
  for (int x = 0; x < width(); ++x) {
    const size_t first = static_cast<size_t>(x) * steps / static_cast<size_t>(width());
    const size_t last = std::max(first + 1, static_cast<size_t>(x + 1) * steps / static_cast<size_t>(width()));
    int64_t bytes = 0;
    for (size_t i = first; i < std::min(last, steps); ++i) bytes = std::max(bytes, memory_->live_bytes[i]);
    const int top = base - static_cast<int>(static_cast<double>(bytes) / most * room);
    painter.fillRect(x, top, 1, base - top, fill);
    painter.fillRect(x, top, 1, 2, theme.selection);
  }
  painter.setPen(QPen(theme.error, 1, Qt::DashLine));
  const double peak = XOf(static_cast<int>(memory_->peak_step));
  painter.drawLine(QPointF(peak, 0), QPointF(peak, height()));
  if (current_ >= 0) {
    painter.setPen(QPen(theme.current, 2));
    painter.drawLine(QPointF(XOf(current_), 0), QPointF(XOf(current_), height()));
  }
}

void MemoryChart::mousePressEvent(QMouseEvent* event) {
  const int step = StepAt(event->position().x());
  if (step >= 0) Q_EMIT StepClicked(step);
}

TimelinePanel::TimelinePanel(Selection* selection, SessionController* session, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      session_(session),
      tabs_(new QTabWidget),
      filter_(new QLineEdit),
      schedule_(new TimeSpansView),
      scopes_(new TimeSpansView),
      top_down_(MakeTree(tr("Time by scope"))),
      bottom_up_(MakeTree(tr("Time by operation"))),
      model_(new TimelineModel(this)),
      sorted_(new QSortFilterProxyModel(this)),
      list_(new QTreeView),
      chart_(new MemoryChart),
      memory_text_(new QLabel) {
  sorted_->setSourceModel(model_);
  sorted_->setSortRole(TimelineModel::kSortRole);
  list_->setModel(sorted_);
  list_->setItemDelegate(new RowDelegate(list_));
  list_->setSortingEnabled(true);
  list_->sortByColumn(TimelineModel::kTime, Qt::DescendingOrder);
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setAlternatingRowColors(true);
  list_->setAccessibleName(tr("Executed instructions"));
  list_->header()->resizeSection(TimelineModel::kInstruction, 220);
  for (int column : {TimelineModel::kRuns, TimelineModel::kTime, TimelineModel::kShare}) {
    list_->header()->resizeSection(column, 80);
  }
  memory_text_->setWordWrap(true);
  memory_text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* memory = new QWidget;
  auto* rows = new QVBoxLayout(memory);
  rows->setContentsMargins({});
  rows->addWidget(chart_, 1);
  memory_text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Minimum);
  rows->addWidget(memory_text_);
  auto* splitter = new QSplitter(Qt::Horizontal);
  splitter->addWidget(MakeTabs());
  splitter->addWidget(memory);
  splitter->setChildrenCollapsible(false);
  // Names, lanes and tabs need more room than the outline of the memory.
  splitter->setSizes({720, 220});
  splitter->setStretchFactor(0, 3);
  splitter->setStretchFactor(1, 1);
  auto* column = new QVBoxLayout(this);
  column->addWidget(splitter);

  connect(list_, &QTreeView::clicked, this, [this](const QModelIndex& index) {
    selection_->SelectInstruction(model_->RowAt(sorted_->mapToSource(index).row()).instruction);
  });
  connect(chart_, &MemoryChart::StepClicked, this, [this](int step) {
    if (analyses_ == nullptr) return;
    const ComputationMemory& shown = analyses_->memory().Of(selection_->computation());
    if (static_cast<size_t>(step) < shown.schedule.size()) {
      selection_->SelectInstruction(shown.schedule[static_cast<size_t>(step)]);
    }
  });
  connect(selection_, &Selection::DocumentChanged, this, [this] {
    chart_->Show(nullptr);
    schedule_->Show(nullptr);
    scopes_->Show(nullptr);
    analyses_ = nullptr;
    ShowRun();
  });
  connect(selection_, &Selection::Changed, this, [this] {
    ShowMemory();
    ShowSelected();
  });
  connect(session_, &SessionController::Stopped, this, [this] {
    ShowRun();
    ShowMemory();
  });
  connect(session_, &SessionController::HealthChanged, this, &TimelinePanel::ShowRun);
}

void TimelinePanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  ShowRun();
  ShowMemory();
}

void TimelinePanel::ShowRun() {
  if (!isVisible()) return;
  model_->Show(selection_->document(), session_->statistics(),
               [this](InstructionId id) { return session_->HealthInRun(id); });
  times_ = InstructionTimes();
  outdated_.assign(static_cast<size_t>(tabs_->count()), true);
  ShowTimes();
}

DocumentAnalyses& TimelinePanel::analyses() {
  if (analyses_ == nullptr || analyses_->document() != selection_->document()) {
    analyses_ = std::make_shared<DocumentAnalyses>(selection_->document());
  }
  return *analyses_;
}

QTreeWidget* TimelinePanel::MakeTree(const QString& name) {
  auto* tree = new QTreeWidget;
  tree->setHeaderLabels({tr("Name"), tr("Time"), tr("Share"), tr("Own time"), tr("Instructions")});
  tree->setAccessibleName(name);
  tree->setUniformRowHeights(true);
  tree->setAlternatingRowColors(true);
  tree->setItemDelegate(new RowDelegate(tree));
  tree->header()->resizeSection(0, 260);
  for (int column = 1; column < 5; ++column) tree->header()->resizeSection(column, 84);
  connect(tree, &QTreeWidget::itemClicked, this, [this](const QTreeWidgetItem* item) {
    const QVariant id = item->data(0, Qt::UserRole);
    if (id.isValid()) selection_->SelectInstruction(InstructionId(id.toUInt()));
  });
  connect(tree, &QTreeWidget::itemActivated, tree, &QTreeWidget::itemClicked);
  return tree;
}

QWidget* TimelinePanel::MakeTabs() {
  schedule_->setAccessibleName(tr("Instructions in the order of execution"));
  scopes_->setAccessibleName(tr("Time by scope"));
  tabs_->setDocumentMode(true);
  tabs_->setAccessibleName(tr("Views of the time"));
  tabs_->addTab(schedule_, tr("Timeline"));
  tabs_->addTab(scopes_, tr("Scopes"));
  tabs_->addTab(top_down_, tr("Top-down"));
  tabs_->addTab(bottom_up_, tr("Bottom-up"));
  tabs_->addTab(list_, tr("Executed"));
  filter_->setPlaceholderText(tr("Filter"));
  filter_->setAccessibleName(tr("Filter of the tables"));
  filter_->setClearButtonEnabled(true);
  filter_->setMaximumWidth(95);
  tabs_->setCornerWidget(filter_);
  outdated_.assign(static_cast<size_t>(tabs_->count()), true);
  for (TimeSpansView* view : {schedule_, scopes_}) {
    view->SetNames([this](InstructionId id) {
      const bool known = selection_->document() != nullptr && id.index() < selection_->module().instruction_count();
      return known ? ToQString(selection_->module().InstructionName(id)) : QString();
    });
    connect(view, &TimeSpansView::SpanClicked, this,
            [this, view](uint32_t span) { selection_->SelectInstruction(view->spans()->spans[span].instruction); });
  }
  connect(tabs_, &QTabWidget::currentChanged, this, &TimelinePanel::ShowTimes);
  connect(filter_, &QLineEdit::textChanged, this, &TimelinePanel::Filter);
  return tabs_;
}

void TimelinePanel::ShowTimes() {
  const QWidget* shown = tabs_->currentWidget();
  const auto tab = static_cast<size_t>(std::max(0, tabs_->currentIndex()));
  const bool timed = shown != list_ && selection_->document() != nullptr && !selection_->document()->has_errors();
  if (isVisible() && timed && outdated_[tab]) {
    outdated_[tab] = false;
    if (times_.own.empty()) times_ = TimesOf(analyses(), session_->statistics());
    if (shown == schedule_) ShowSchedule();
    if (shown == scopes_) scopes_->Show(std::make_shared<TimeSpans>(SpansOfScopes(analyses(), times_)));
    if (shown == top_down_) ShowTree(top_down_, TopDown(analyses(), times_));
    if (shown == bottom_up_) ShowTree(bottom_up_, BottomUp(analyses(), times_));
    ShowSelected();
  }
  Filter();
}

// The selected instruction, and what reads its value.
void TimelinePanel::ShowSelected() {
  const InstructionId selected = selection_->instruction();
  std::vector<InstructionId> readers;
  if (selected.has_value() && selection_->document() != nullptr) {
    const absl::Span<const InstructionId> users = selection_->document()->users().users(selected);
    readers.assign(users.begin(), users.end());
  }
  schedule_->SetSelected(selected, readers);
  scopes_->SetSelected(selected);
}

// What a run has executed as it was executed; without one, the schedule.
void TimelinePanel::ShowSchedule() {
  const evaluator::RunTrace* trace = session_->trace();
  schedule_->Show(std::make_shared<TimeSpans>(trace != nullptr && !trace->steps().empty()
                                                  ? SpansOfTrace(analyses(), *trace)
                                                  : SpansOfSchedule(analyses(), times_)));
}

void TimelinePanel::ShowTree(QTreeWidget* tree, const std::vector<TimeRow>& rows) {
  tree->clear();
  double all = 0;
  for (const TimeRow& row : rows) all += row.seconds;
  const std::function<QTreeWidgetItem*(const TimeRow&)> make = [&](const TimeRow& row) {
    const QString share = QStringLiteral("%1 %").arg(all > 0 ? row.seconds / all * 100 : 0, 0, 'f', 1);
    auto* item = new QTreeWidgetItem({ToQString(row.name), FormatSeconds(row.seconds), share, FormatSeconds(row.own),
                                      FormatCount(row.instructions)});
    for (int column = 1; column < 5; ++column) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    item->setToolTip(0, ToQString(row.name));
    if (row.instruction.has_value()) item->setData(0, Qt::UserRole, row.instruction.value);
    for (const TimeRow& inner : row.rows) item->addChild(make(inner));
    return item;
  };
  for (const TimeRow& row : rows) tree->addTopLevelItem(make(row));
  if (tree->topLevelItemCount() == 1) tree->topLevelItem(0)->setExpanded(true);
  tree->headerItem()->setText(1, times_.measured ? tr("Time") : tr("Estimated"));
}

// Rows that have the words, with those around them.
void TimelinePanel::Filter() {
  const QString words = filter_->text().trimmed();
  sorted_->setFilterKeyColumn(TimelineModel::kInstruction);
  sorted_->setFilterCaseSensitivity(Qt::CaseInsensitive);
  sorted_->setFilterFixedString(words);
  const std::function<bool(QTreeWidgetItem*)> show = [&](QTreeWidgetItem* item) {
    const bool own = item->text(0).contains(words, Qt::CaseInsensitive);
    bool below = false;
    for (int i = 0; i < item->childCount(); ++i) below = show(item->child(i)) || below;
    // What is in something that fits is shown, too.
    if (own && !below) {
      for (int i = 0; i < item->childCount(); ++i) item->child(i)->setHidden(false);
    }
    item->setHidden(!own && !below);
    if (!words.isEmpty() && below) item->setExpanded(true);
    return own || below;
  };
  auto* tree = qobject_cast<QTreeWidget*>(tabs_->currentWidget());
  for (int i = 0; tree != nullptr && i < tree->topLevelItemCount(); ++i) show(tree->topLevelItem(i));
  filter_->setEnabled(tree != nullptr || tabs_->currentWidget() == list_);
}

void TimelinePanel::ShowMemory() {
  if (!isVisible()) return;
  if (selection_->document() == nullptr || !selection_->computation().has_value() ||
      selection_->document()->has_errors()) {
    chart_->Show(nullptr);
    memory_text_->setText(
        selection_->document() == nullptr ? QString() : tr("Memory is worked out when the module has no errors."));
    return;
  }
  const MemoryAnalysis& analysis = analyses().memory();
  const ComputationMemory& memory = analysis.Of(selection_->computation());
  chart_->Show(&memory);
  // The moment of the run if it is here, else the selected instruction.
  const int frame = session_->FrameOf(selection_->computation());
  InstructionId at = frame >= 0 ? session_->frames()[static_cast<size_t>(frame)].current : InstructionId();
  if (!at.has_value()) at = selection_->instruction();
  const auto found = std::find(memory.schedule.begin(), memory.schedule.end(), at);
  const int step = found != memory.schedule.end() ? static_cast<int>(found - memory.schedule.begin()) : -1;
  chart_->SetCurrentStep(step);
  if (memory.live_bytes.empty()) {
    memory_text_->clear();
    return;
  }
  const Module& module = selection_->module();
  const size_t shown = step >= 0 ? static_cast<size_t>(step) : memory.peak_step;
  QString text =
      tr("Peak %1 at %2. ")
          .arg(FormatBytes(memory.peak_bytes), ToQString(module.InstructionName(memory.schedule[memory.peak_step])));
  text += tr("At %1: %2 alive")
              .arg(ToQString(module.InstructionName(memory.schedule[shown])), FormatBytes(memory.live_bytes[shown]));
  QStringList largest;
  const std::vector<BufferTable::BufferId> live = analysis.LiveAt(selection_->computation(), shown);
  for (size_t i = 0; i < live.size() && i < kMostLive; ++i) {
    const LogicalBuffer& buffer = analyses_->buffers().buffer(live[i]);
    largest.push_back(
        QStringLiteral("%1 %2").arg(ToQString(module.InstructionName(buffer.definer)), FormatBytes(buffer.bytes)));
  }
  if (!largest.isEmpty()) text += tr(": %1").arg(largest.join(QStringLiteral(", ")));
  if (live.size() > kMostLive) text += tr(" and %1 more").arg(live.size() - kMostLive);
  memory_text_->setText(text);
}

}  // namespace hloscope::gui
