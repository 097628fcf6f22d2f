// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/passes_panel.h"

#include <QHeaderView>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/models/plurals.h"
#include "gui/models/text.h"
#include "gui/panels/row_delegate.h"
#include "gui/views/metrics.h"
#include "gui/views/wrap_layout.h"
#include "insight/passes/stage_reader.h"

namespace hloscope::gui {
namespace {

constexpr int kPatienceMs = 150;
constexpr double kWideRatio = 2.4;
constexpr int kStepStageRole = Qt::UserRole, kStepNameBeforeRole = Qt::UserRole + 1, kStepNameRole = Qt::UserRole + 2;
enum TraceColumn { kTraceStage, kTracePass, kTraceWhat, kTraceSure, kTraceText, kTraceColumns };

// The first of that name; none if there is none.
InstructionId FirstOfName(const Module& module, const std::string& name) {
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    if (module.InstructionName(InstructionId(i)) == name) return InstructionId(i);
  }
  return {};
}

}  // namespace

PassesPanel::PassesPanel(Selection* selection, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      modules_(new QComboBox),
      search_(new QLineEdit),
      unchanged_(new QCheckBox(tr("Unchanged"))),
      progress_(new QProgressBar),
      cancel_(new QToolButton),
      again_(new QToolButton),
      model_(new PassesModel(this)),
      notable_(new NotablePasses(model_, this)),
      splitter_(new QSplitter(Qt::Vertical)),
      list_(new QTreeView),
      tabs_(new QTabWidget),
      texts_(new TextComparisonView),
      graphs_(new ComparisonView),
      follow_(new QLineEdit),
      trace_(new QTreeWidget),
      blame_list_(new QTreeWidget),
      example_(new QPushButton(tr("Write an Example..."))),
      summary_(new QLabel),
      list_task_(new BackgroundTask(this)),
      stage_task_(new BackgroundTask(this)),
      blame_task_(new BackgroundTask(this)) {
  list_->setModel(notable_);
  list_->setItemDelegate(new RowDelegate(list_));
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setAlternatingRowColors(true);
  list_->setSortingEnabled(true);
  list_->sortByColumn(PassesModel::kStage, Qt::AscendingOrder);
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list_->setAccessibleName(tr("Passes"));
  splitter_->addWidget(list_);
  splitter_->addWidget(MakeDetails());
  splitter_->setStretchFactor(0, 2);
  splitter_->setStretchFactor(1, 3);
  splitter_->setChildrenCollapsible(false);
  summary_->setWordWrap(true);
  summary_->setText(tr("Open a folder that XLA has written with --xla_dump_to (File > Open Folder)."));
  auto* column = new QVBoxLayout(this);
  column->setSpacing(Space::kTight);
  setMinimumSize(260, 120);
  column->addWidget(MakeControls());
  column->addWidget(splitter_, 1);
  column->addWidget(summary_);
  patience_.setSingleShot(true);
  patience_.setInterval(kPatienceMs);
  connect(&patience_, &QTimer::timeout, this, [this] {
    progress_->setVisible(busy());
    cancel_->setVisible(busy());
  });
  for (BackgroundTask* task : {list_task_, stage_task_, blame_task_}) {
    connect(task, &BackgroundTask::BusyChanged, this, [this] {
      if (busy()) {
        if (!patience_.isActive() && progress_->isHidden()) patience_.start();
        return;
      }
      patience_.stop();
      progress_->hide();
      cancel_->hide();
    });
  }
  connect(list_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &PassesPanel::ShowSelectedStages);
}

PassesPanel::~PassesPanel() {
  // The graphs' texts are of modules that the comparison holds.
  graphs_->SetComparison(nullptr, QString(), QString());
}

QWidget* PassesPanel::MakeControls() {
  modules_->setAccessibleName(tr("Module"));
  modules_->setToolTip(tr("Modules of the folder, with the number of their stages"));
  modules_->setMinimumContentsLength(18);
  modules_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  search_->setPlaceholderText(tr("Pass or instruction"));
  search_->setAccessibleName(tr("Search in passes"));
  search_->setToolTip(
      tr("Only passes that have this in their name, their pipeline's or that of an instruction that they "
         "changed"));
  search_->setClearButtonEnabled(true);
  unchanged_->setToolTip(tr("Show the passes that changed nothing, too"));
  progress_->setAccessibleName(tr("Progress of reading stages"));
  progress_->setMaximumWidth(180);
  progress_->hide();
  cancel_->setText(tr("Cancel"));
  cancel_->setToolTip(tr("Stop reading stages"));
  cancel_->hide();
  again_->setText(tr("Read Again"));
  again_->setToolTip(tr("Read the folder again: a program may have written more"));
  auto* bar = MakeWrapBar();
  for (QWidget* widget :
       {static_cast<QWidget*>(modules_), static_cast<QWidget*>(search_), static_cast<QWidget*>(unchanged_),
        static_cast<QWidget*>(again_), static_cast<QWidget*>(progress_), static_cast<QWidget*>(cancel_)}) {
    bar->layout()->addWidget(widget);
  }
  connect(modules_, &QComboBox::activated, this, &PassesPanel::ListPasses);
  connect(search_, &QLineEdit::textChanged, notable_, &NotablePasses::SetSearch);
  connect(unchanged_, &QCheckBox::toggled, notable_, &NotablePasses::SetUnchangedShown);
  connect(cancel_, &QToolButton::clicked, this, &PassesPanel::Cancel);
  connect(again_, &QToolButton::clicked, this, [this] { OpenFolder(folder_, modules_->currentText()); });
  return bar;
}

QWidget* PassesPanel::MakeDetails() {
  trace_->setHeaderLabels({tr("Stage"), tr("Pass"), tr("What happened"), tr("Sure"), tr("Instruction")});
  trace_->setAccessibleName(tr("The instruction in each stage"));
  trace_->setRootIsDecorated(false);
  trace_->setUniformRowHeights(true);
  trace_->setAlternatingRowColors(true);
  trace_->setItemDelegate(new RowDelegate(trace_));
  connect(trace_, &QTreeWidget::itemClicked, this, &PassesPanel::ShowStep);
  connect(trace_, &QTreeWidget::itemActivated, this, [this](const QTreeWidgetItem* item) {
    ShowStep(item);
    tabs_->setCurrentWidget(texts_);
  });
  tabs_->setDocumentMode(true);
  tabs_->setAccessibleName(tr("Views of the difference"));
  tabs_->addTab(texts_, tr("Text"));
  tabs_->addTab(graphs_, tr("Graphs"));
  tabs_->addTab(trace_, tr("Followed instruction"));
  tabs_->addTab(MakeBlamePage(), tr("Blame"));
  connect(texts_, &TextComparisonView::Selected, this, &PassesPanel::TakeInstruction);
  connect(graphs_, &ComparisonView::Selected, this, [this](ComparisonView::Side side, InstructionId id) {
    const bool is_after = side == ComparisonView::Side::kAfter;
    texts_->Select(is_after, id);
    TakeInstruction(is_after ? InstructionId() : id, is_after ? id : InstructionId());
  });
  auto* details = new QWidget;
  auto* column = new QVBoxLayout(details);
  column->setContentsMargins({});
  column->setSpacing(Space::kTight);
  column->addWidget(MakeFollowBar());
  column->addWidget(tabs_, 1);
  return details;
}

QWidget* PassesPanel::MakeFollowBar() {
  follow_->setPlaceholderText(tr("Instruction"));
  follow_->setAccessibleName(tr("Instruction to follow"));
  follow_->setClearButtonEnabled(true);
  auto* go = new QPushButton(tr("Follow"));
  go->setToolTip(tr("Where the instruction came from and what it became, through all passes"));
  auto* take = new QPushButton(tr("Follow the Selected"));
  take->setToolTip(tr("Follow the instruction that is selected in text and graph"));
  auto* bar = MakeWrapBar();
  for (QWidget* widget : std::initializer_list<QWidget*>{follow_, go, take}) bar->layout()->addWidget(widget);
  connect(follow_, &QLineEdit::returnPressed, this, [this] { Follow(follow_->text()); });
  connect(go, &QPushButton::clicked, this, [this] { Follow(follow_->text()); });
  connect(take, &QPushButton::clicked, this, [this] {
    if (selection_->document() == nullptr || !selection_->instruction().has_value()) {
      summary_->setText(tr("No instruction is selected."));
      return;
    }
    Follow(ToQString(selection_->module().InstructionName(selection_->instruction())));
  });
  return bar;
}

int PassesPanel::module_number() const {
  const int at = modules_->currentIndex();
  return at < 0 ? 0 : dumped_[static_cast<size_t>(at)].number;
}

QString PassesPanel::StageTitle(size_t stage) const {
  const insight::Stage& one = model_->stages()[stage];
  return QStringLiteral("%1 %2").arg(one.order).arg(ToQString(one.pass));
}

void PassesPanel::OpenFolder(const QString& folder, const QString& module) {
  if (folder.isEmpty()) return;
  folder_ = folder;
  wanted_module_ = module;
  listed_ = false;
  if (isVisible()) ListModules();
}

void PassesPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (!listed_) ListModules();
}

// Above the two versions, unless there is much more room beside them.
void PassesPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const Qt::Orientation wanted = width() > height() * kWideRatio ? Qt::Horizontal : Qt::Vertical;
  if (splitter_->orientation() == wanted) return;
  splitter_->setOrientation(wanted);
  const int room = wanted == Qt::Horizontal ? width() : height();
  splitter_->setSizes({room * 2 / 5, room * 3 / 5});
}

void PassesPanel::ListModules() {
  listed_ = true;
  stage_task_->Cancel();
  blame_task_->Cancel();
  summary_->setText(tr("Listing %1...").arg(folder_));
  progress_->setRange(0, 0);
  list_task_->Start([this, folder = folder_](const std::atomic<bool>&) -> BackgroundTask::Done {
    absl::StatusOr<std::vector<DumpedModule>> found = ModulesWithStages(folder);
    return [this, found = std::move(found)]() mutable {
      dumped_ = found.ok() ? *std::move(found) : std::vector<DumpedModule>();
      modules_->clear();
      int shown = 0;
      for (size_t i = 0; i < dumped_.size(); ++i) {
        modules_->addItem(dumped_[i].name);
        modules_->setItemData(static_cast<int>(i), tr("%n stage(s)", nullptr, ForPlural(dumped_[i].stages.size())),
                              Qt::ToolTipRole);
        const bool is_wanted = dumped_[i].name == wanted_module_;
        const bool has_more = dumped_[i].stages.size() > dumped_[static_cast<size_t>(shown)].stages.size();
        if (is_wanted || (has_more && modules_->itemText(shown) != wanted_module_)) shown = static_cast<int>(i);
      }
      modules_->setCurrentIndex(dumped_.empty() ? -1 : shown);
      ListPasses();
      if (!found.ok()) summary_->setText(ToQString(found.status().message()));
    };
  });
}

insight::StageProgress PassesPanel::ProgressOf(const std::atomic<bool>& cancelled) {
  insight::StageProgress progress;
  progress.cancelled = &cancelled;
  progress.on_stage = [this, &cancelled](size_t done, size_t all) {
    if (cancelled) return;
    QMetaObject::invokeMethod(this, [this, done, all] {
      progress_->setRange(0, static_cast<int>(all));
      progress_->setValue(static_cast<int>(done));
    });
  };
  return progress;
}

void PassesPanel::ListPasses() {
  stage_task_->Cancel();
  blame_task_->Cancel();
  ShowBlame({});
  blame_inputs_.reset();
  versions_ = nullptr;
  texts_->Show({}, QString(), QString());
  graphs_->SetComparison(nullptr, QString(), QString());
  trace_->clear();
  const int at = modules_->currentIndex();
  if (at < 0) {
    list_task_->Cancel();
    model_->SetStages({});
    summary_->setText(tr("%1 has no module with stages.").arg(folder_));
    return;
  }
  const DumpedModule& module = dumped_[static_cast<size_t>(at)];
  model_->SetStages(module.stages);
  for (int column = 0; column < PassesModel::kColumnCount; ++column) list_->resizeColumnToContents(column);
  summary_->setText(tr("Reading %n stage(s)...", nullptr, ForPlural(module.stages.size())));
  list_task_->Start([this, stages = module.stages, notes = module.notes](const std::atomic<bool>& cancelled) {
    absl::StatusOr<std::vector<insight::StageChange>> changes =
        insight::ChangesOf(stages, insight::MakeStageReader(false), ProgressOf(cancelled));
    return BackgroundTask::Done([this, notes, changes = std::move(changes)]() mutable {
      if (!changes.ok()) return summary_->setText(ToQString(changes.status().message()));
      model_->SetChanges(*std::move(changes));
      size_t changed = 0, unread = 0;
      for (const insight::StageChange& change : model_->changes()) {
        changed += change.changed;
        unread += !change.problem.empty();
      }
      for (int column = 0; column < PassesModel::kColumnCount; ++column) list_->resizeColumnToContents(column);
      const size_t all = model_->changes().size();
      QString text = tr("%1 of %2 stage(s) changed something. Select one to see what, or a second one with Ctrl to see "
                        "all between them.",
                        nullptr, ForPlural(all))
                         .arg(changed)
                         .arg(all);
      if (unread > 0) text += QLatin1Char(' ') + tr("%n stage(s) cannot be read.", nullptr, ForPlural(unread));
      if (!notes.isEmpty()) text += QLatin1Char(' ') + notes;
      summary_->setText(text);
    });
  });
}

void PassesPanel::ShowSelectedStages() {
  std::vector<size_t> stages;
  for (const QModelIndex& index : list_->selectionModel()->selectedRows()) {
    stages.push_back(static_cast<size_t>(notable_->mapToSource(index).row()));
  }
  if (stages.empty()) return;
  const auto [first, last] = std::minmax_element(stages.begin(), stages.end());
  Compare(*first, *last);
}

void PassesPanel::Compare(size_t before, size_t after) {
  if (after >= model_->stages().size()) return;
  if (before == after) before = model_->StageBefore(after).value_or(after);
  summary_->setText(tr("Comparing %1 and %2...").arg(StageTitle(before), StageTitle(after)));
  progress_->setRange(0, 0);
  stage_task_->Start([this, before, after, a = model_->stages()[before],
                      b = model_->stages()[after]](const std::atomic<bool>&) -> BackgroundTask::Done {
    const insight::StageReader read = insight::MakeStageReader(false);
    const auto first = read(a), second = read(b);
    for (const auto* document : {&first, &second}) {
      if (!document->ok()) {
        return [this, problem = ToQString(document->status().message())] { summary_->setText(problem); };
      }
    }
    return [this, before, after, comparison = CompareStages(*first, *second)] {
      ShowComparison(before, after, comparison);
    };
  });
}

void PassesPanel::ShowComparison(size_t before, size_t after, StageComparison comparison) {
  versions_ = comparison.versions;
  shown_after_ = after;
  texts_->Show(std::move(comparison.lines), StageTitle(before), StageTitle(after));
  graphs_->SetComparison(versions_, StageTitle(before), StageTitle(after));
  summary_->setText(QStringLiteral("%1 %2 %3: %4")
                        .arg(StageTitle(before), QString(QChar(0x2192)), StageTitle(after), comparison.summary));
  GoToWanted();
}

void PassesPanel::GoToWanted() {
  // Nothing in particular: what differs first.
  if (wanted_before_.empty() && wanted_after_.empty()) return graphs_->GoToChange(1);
  const InstructionId a = FirstOfName(versions_->before.module(), wanted_before_);
  const InstructionId b = FirstOfName(versions_->after.module(), wanted_after_);
  wanted_before_.clear();
  wanted_after_.clear();
  if (!texts_->Select(true, b)) texts_->Select(false, a);
  if (b.has_value()) graphs_->Select(ComparisonView::Side::kAfter, b);
  if (a.has_value() && !b.has_value()) graphs_->Select(ComparisonView::Side::kBefore, a);
}

void PassesPanel::TakeInstruction(InstructionId before, InstructionId after) {
  if (versions_ == nullptr || (!before.has_value() && !after.has_value())) return;
  const bool is_after = after.has_value();
  const ComparedVersion& version = is_after ? versions_->after : versions_->before;
  const InstructionId id = is_after ? after : before;
  follow_->setText(ToQString(version.module().InstructionName(id)));
  follow_->setCursorPosition(0);
  graphs_->Select(is_after ? ComparisonView::Side::kAfter : ComparisonView::Side::kBefore, id);
}

void PassesPanel::Follow(const QString& name, std::optional<size_t> stage) {
  QString wanted = name.trimmed();
  if (wanted.startsWith(QLatin1Char('%'))) wanted.remove(0, 1);
  if (wanted.isEmpty() || model_->stages().empty()) return;
  follow_->setText(wanted);
  summary_->setText(tr("Following %1...").arg(wanted));
  stage_task_->Start([this, wanted, stage, stages = model_->stages()](const std::atomic<bool>& cancelled) {
    absl::StatusOr<insight::InstructionTrace> trace = insight::FollowInstruction(
        stages, insight::MakeStageReader(false), wanted.toStdString(), stage, ProgressOf(cancelled));
    return BackgroundTask::Done([this, trace = std::move(trace)] {
      if (!trace.ok()) return summary_->setText(ToQString(trace.status().message()));
      ShowTrace(*trace);
    });
  });
}

void PassesPanel::ShowTrace(const insight::InstructionTrace& trace) {
  trace_->clear();
  std::string before;
  size_t unchanged = 0;
  for (size_t k = 0; k < trace.steps.size(); ++k) {
    const insight::TraceStep& step = trace.steps[k];
    const std::string name_before = std::exchange(before, step.instruction);
    const bool is_end = k == 0 || k + 1 == trace.steps.size() || k == trace.start;
    if (step.what.empty() && !is_end) {
      ++unchanged;
      continue;
    }
    const insight::Stage& stage = model_->stages()[step.stage];
    auto* item = new QTreeWidgetItem(trace_);
    item->setText(kTraceStage, QString::number(stage.order));
    item->setTextAlignment(kTraceStage, Qt::AlignRight | Qt::AlignVCenter);
    item->setText(kTracePass, ToQString(stage.pass));
    item->setText(kTraceWhat, step.what.empty() ? tr("as it was") : ToQString(step.what));
    item->setText(kTraceText, step.instruction.empty() ? tr("not there") : Elide(ToQString(step.text), 300));
    if (!step.what.empty() && !step.instruction.empty()) {
      item->setText(kTraceSure, ToQString(insight::SurenessWord(step.sureness)));
      item->setToolTip(kTraceSure, QStringLiteral("%1: %2").arg(step.sureness, 0, 'f', 2).arg(ToQString(step.why)));
    }
    if (!step.fusion.empty()) item->setToolTip(kTraceText, tr("In the fusion %1").arg(ToQString(step.fusion)));
    item->setData(0, kStepStageRole, static_cast<qulonglong>(step.stage));
    item->setData(0, kStepNameBeforeRole, ToQString(name_before));
    item->setData(0, kStepNameRole, ToQString(step.instruction));
  }
  for (int column = 0; column < kTraceColumns; ++column) trace_->resizeColumnToContents(column);
  QString text =
      tr("%1 through %n stage(s): %2, %3.", nullptr, ForPlural(trace.steps.size()))
          .arg(ToQString(trace.steps[trace.start].instruction), ToQString(insight::SurenessWord(trace.sureness)))
          .arg(trace.sureness, 0, 'f', 2);
  if (unchanged > 0)
    text +=
        QLatin1Char(' ') + tr("%n stage(s) that left it as it was (is|are) not listed.", nullptr, ForPlural(unchanged));
  if (!trace.op_name.empty()) text += QLatin1Char(' ') + tr("op_name: %1.").arg(ToQString(trace.op_name));
  if (!trace.source.empty()) text += QLatin1Char(' ') + tr("Source: %1.").arg(ToQString(trace.source));
  summary_->setText(text);
  tabs_->setCurrentWidget(trace_);
}

void PassesPanel::ShowStep(const QTreeWidgetItem* item) {
  const auto stage = static_cast<size_t>(item->data(0, kStepStageRole).toULongLong());
  wanted_before_ = item->data(0, kStepNameBeforeRole).toString().toStdString();
  wanted_after_ = item->data(0, kStepNameRole).toString().toStdString();
  Compare(stage, stage);
}

void PassesPanel::Cancel() {
  list_task_->Cancel();
  stage_task_->Cancel();
  blame_task_->Cancel();
  summary_->setText(tr("Cancelled. Read Again starts over."));
}

}  // namespace hloscope::gui
