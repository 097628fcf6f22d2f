// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/memory_panel.h"

#include <QHeaderView>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/models/text.h"
#include "gui/panels/row_delegate.h"
#include "gui/views/metrics.h"
#include "gui/views/named_widget.h"

namespace hloscope::gui {
namespace {

constexpr int kIdRole = Qt::UserRole;

QTreeWidgetItem* RowOf(const QStringList& cells, InstructionId id) {
  auto* item = new QTreeWidgetItem(cells);
  for (int column : {1, 2}) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
  for (int column = 0; column < cells.size(); ++column) item->setToolTip(column, cells[column]);
  if (id.has_value()) item->setData(0, kIdRole, id.value);
  return item;
}

QTreeWidgetItem* RowOf(const insight::WhatIf& answer) {
  const QString saved =
      answer.saved_bytes < 0 ? QStringLiteral("-") + FormatBytes(-answer.saved_bytes) : FormatBytes(answer.saved_bytes);
  return RowOf({ToQString(answer.what), saved, FormatBytes(answer.peak_bytes),
                FormatFlops(static_cast<double>(answer.extra_flops)), ToQString(answer.note)},
               InstructionId());
}

}  // namespace

MemoryPanel::MemoryPanel(Selection* selection, Workspace* workspace, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      workspace_(workspace),
      view_(new MemoryLivesView),
      alive_(new LiveValuesModel(this)),
      alive_list_(new QTreeView),
      donations_(MakeTree(tr("Donated arguments"), {tr("Argument"), tr("Bytes"), tr("State"), tr("Why")})),
      copies_(MakeTree(tr("Copies"), {tr("Copy"), tr("Bytes"), tr("Runs"), tr("Reason")})),
      answers_(MakeTree(tr("What would help"), {tr("If"), tr("Saves"), tr("Peak"), tr("Costs"), tr("Note")})),
      tabs_(new QTabWidget),
      question_(new QLineEdit),
      problem_(new QLabel),
      order_(new QComboBox),
      peak_(new QPushButton(tr("To the peak"))),
      cancel_(new QPushButton(tr("Cancel"))),
      summary_(new QLabel),
      task_(new BackgroundTask(this)) {
  order_->addItems({tr("Lives, the largest first"), tr("Places in memory")});
  NameWidget(order_, tr("What the bars show"));
  peak_->setToolTip(tr("Marks the step with the most bytes"));
  cancel_->hide();
  summary_->setWordWrap(true);
  summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  summary_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  auto* top = new QHBoxLayout;
  top->addWidget(summary_, 1);
  top->addWidget(cancel_);
  top->addWidget(order_);
  top->addWidget(peak_);
  auto* splitter = new QSplitter(Qt::Horizontal);
  splitter->addWidget(view_);
  splitter->addWidget(MakeTabs());
  splitter->setChildrenCollapsible(false);
  splitter->setSizes({500, 500});
  auto* column = new QVBoxLayout(this);
  column->addLayout(top);
  column->addWidget(splitter, 1);

  connect(order_, &QComboBox::currentIndexChanged, view_,
          [this](int index) { view_->SetOrder(static_cast<MemoryLivesView::Order>(index)); });
  connect(peak_, &QPushButton::clicked, this, [this] {
    if (picture_ != nullptr) ShowStep(picture_->memory().peak_step());
  });
  connect(cancel_, &QPushButton::clicked, this, [this] {
    task_->Cancel();
    cancel_->hide();
    // The picture that is there stays; without one, showing the panel again begins again.
    wanted_ = picture_ != nullptr ? picture_->document : nullptr;
    summary_->setText(picture_ != nullptr ? picture_->Summary() : tr("Cancelled."));
  });
  connect(view_, &MemoryLivesView::StepChosen, this, &MemoryPanel::ShowStep);
  connect(view_, &MemoryLivesView::ValueChosen, this, [this](uint32_t value) {
    const InstructionId definer = picture_->memory().values()[value].definer;
    if (definer.has_value()) selection_->SelectInstruction(definer);
  });
  connect(selection_, &Selection::DocumentChanged, this, &MemoryPanel::Refresh);
  connect(selection_, &Selection::Changed, this, [this] { view_->SetSelected(selection_->instruction()); });
}

QTreeWidget* MemoryPanel::MakeTree(const QString& name, const QStringList& titles) {
  auto* tree = new QTreeWidget;
  tree->setHeaderLabels(titles);
  tree->setAccessibleName(name);
  tree->setRootIsDecorated(false);
  tree->setUniformRowHeights(true);
  tree->setAlternatingRowColors(true);
  tree->setItemDelegate(new RowDelegate(tree));
  tree->header()->resizeSection(0, 200);
  tree->header()->resizeSection(1, 84);
  tree->header()->resizeSection(2, 84);
  connect(tree, &QTreeWidget::itemClicked, this, [this](const QTreeWidgetItem* item) {
    const QVariant id = item->data(0, kIdRole);
    if (id.isValid() && picture_ != nullptr && picture_->document == selection_->document()) {
      selection_->SelectInstruction(InstructionId(id.toUInt()));
    }
  });
  connect(tree, &QTreeWidget::itemActivated, tree, &QTreeWidget::itemClicked);
  return tree;
}

QWidget* MemoryPanel::MakeTabs() {
  alive_list_->setModel(alive_);
  alive_list_->setItemDelegate(new RowDelegate(alive_list_));
  alive_list_->setRootIsDecorated(false);
  alive_list_->setUniformRowHeights(true);
  alive_list_->setAlternatingRowColors(true);
  alive_list_->setAccessibleName(tr("What is alive at the step"));
  alive_list_->header()->resizeSection(LiveValuesModel::kValue, 180);
  for (int column : {LiveValuesModel::kBytes, LiveValuesModel::kPadding, LiveValuesModel::kKind}) {
    alive_list_->header()->resizeSection(column, 76);
  }
  const auto choose = [this](const QModelIndex& index) {
    if (picture_ == nullptr || picture_->document != selection_->document()) return;
    const InstructionId definer = picture_->memory().values()[alive_->ValueAt(index.row())].definer;
    if (definer.has_value()) selection_->SelectInstruction(definer);
  };
  connect(alive_list_, &QTreeView::clicked, this, choose);
  connect(alive_list_, &QTreeView::activated, this, choose);
  tabs_->setDocumentMode(true);
  tabs_->setAccessibleName(tr("Tables about the memory"));
  tabs_->addTab(alive_list_, tr("Alive here"));
  tabs_->addTab(MakeWhatIf(), tr("What would help"));
  tabs_->addTab(donations_, tr("Donations"));
  tabs_->addTab(copies_, tr("Copies"));
  return tabs_;
}

QWidget* MemoryPanel::MakeWhatIf() {
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, Space::kTight, 0, 0);
  column->setSpacing(Space::kTight);
  question_->setPlaceholderText(tr("recompute:NAME, donate:N, schedule:list, type:NAME=bf16"));
  NameWidget(question_, tr("What if: recompute:NAME, donate:N or donate:N{I}, schedule:text|post-order|largest|list, "
                           "type:NAME=TYPE"));
  question_->setClearButtonEnabled(true);
  problem_->setWordWrap(true);
  problem_->hide();
  column->addWidget(question_);
  column->addWidget(problem_);
  column->addWidget(answers_, 1);
  connect(question_, &QLineEdit::returnPressed, this, &MemoryPanel::Ask);
  return page;
}

void MemoryPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  Refresh();
}

void MemoryPanel::Refresh() {
  const std::shared_ptr<const Document>& document = selection_->document();
  if (!isVisible()) return;
  if (document == nullptr || document->has_errors() || !document->module().entry().has_value()) {
    task_->Cancel();
    cancel_->hide();
    wanted_ = nullptr;
    ShowPicture(nullptr);
    summary_->setText(document == nullptr ? tr("No module is open.")
                                          : tr("Memory is worked out when the module has no errors."));
    return;
  }
  if (document == wanted_) return;
  wanted_ = document;
  summary_->setText(tr("Following the arrays through the schedule..."));
  cancel_->show();
  const QString path = workspace_->path();
  const bool is_text = !workspace_->is_made();
  task_->Start([this, document, path, is_text](const std::atomic<bool>& cancelled) -> BackgroundTask::Done {
    std::shared_ptr<const MemoryPicture> picture = MakeMemoryPicture(document, path, is_text, cancelled);
    return [this, picture = std::move(picture)] {
      cancel_->hide();
      if (picture != nullptr) ShowPicture(picture);
    };
  });
}

void MemoryPanel::ShowPicture(std::shared_ptr<const MemoryPicture> picture) {
  picture_ = std::move(picture);
  view_->Show(picture_);
  peak_->setEnabled(picture_ != nullptr);
  question_->setEnabled(picture_ != nullptr);
  problem_->hide();
  ShowTables();
  if (picture_ == nullptr) {
    alive_->Show(nullptr, 0);
    return;
  }
  summary_->setText(picture_->Summary());
  ShowStep(picture_->memory().peak_step());
  view_->SetSelected(selection_->instruction());
}

void MemoryPanel::ShowTables() {
  for (QTreeWidget* tree : {donations_, copies_, answers_}) tree->clear();
  if (picture_ == nullptr) return;
  const reports::MemoryReport& report = *picture_->report;
  for (const insight::Donation& donation : report.donations) {
    donations_->addTopLevelItem(
        RowOf({ToQString(report.memory.leaves().Name(donation.parameter, donation.leaf)), FormatBytes(donation.bytes),
               ToQString(insight::DonationStateName(donation.state)), ToQString(donation.detail)},
              donation.parameter));
  }
  for (const insight::CopyReason& copy : report.copies) {
    copies_->addTopLevelItem(RowOf({ToQString(picture_->module().InstructionName(copy.id)), FormatBytes(copy.bytes),
                                    FormatCount(copy.runs), ToQString(copy.reason)},
                                   copy.id));
  }
  for (const insight::WhatIf& answer : report.suggestions) answers_->addTopLevelItem(RowOf(answer));
}

void MemoryPanel::ShowStep(uint32_t step) {
  view_->SetStep(step);
  alive_->Show(picture_, step);
  tabs_->setTabText(0, tr("Alive at step %1").arg(FormatCount(step)));
}

void MemoryPanel::Ask() {
  if (picture_ == nullptr || question_->text().trimmed().isEmpty()) return;
  problem_->hide();
  const std::string question = question_->text().trimmed().toStdString();
  cancel_->show();
  task_->Start([this, question, picture = picture_](const std::atomic<bool>&) -> BackgroundTask::Done {
    const absl::StatusOr<insight::WhatIf> answer =
        insight::AskWhatIf(picture->memory(), picture->report->readers, question);
    return [this, answer] {
      cancel_->hide();
      if (!answer.ok()) {
        problem_->setText(ToQString(answer.status().message()));
        problem_->show();
        return;
      }
      auto* item = RowOf(*answer);
      answers_->insertTopLevelItem(0, item);
      answers_->setCurrentItem(item);
    };
  });
}

}  // namespace hloscope::gui
