#include "gui/panels/timeline_panel.h"

#include <QHeaderView>
#include <QMouseEvent>
#include <QPainter>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/models/text.h"
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
    painter.drawText(rect(), Qt::AlignCenter, tr("This computation has no memory of its own."));
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
  rows->setContentsMargins(0, 0, 0, 0);
  rows->addWidget(chart_, 1);
  memory_text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Minimum);
  rows->addWidget(memory_text_);
  auto* splitter = new QSplitter(Qt::Horizontal);
  splitter->addWidget(list_);
  splitter->addWidget(memory);
  splitter->setChildrenCollapsible(false);
  splitter->setSizes({500, 400});
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(6, 6, 6, 6);
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
    analyses_ = nullptr;
    ShowRun();
  });
  connect(selection_, &Selection::Changed, this, &TimelinePanel::ShowMemory);
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
               [this](InstructionId id) { return session_->HealthOf(id); });
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
  if (analyses_ == nullptr || analyses_->document() != selection_->document()) {
    analyses_ = std::make_shared<DocumentAnalyses>(selection_->document());
  }
  const MemoryAnalysis& analysis = analyses_->memory();
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
