// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/profile_panel.h"

#include <QHeaderView>
#include <QVBoxLayout>
#include <utility>

#include "core/print/quantity.h"
#include "gui/models/text.h"
#include "gui/panels/row_delegate.h"
#include "gui/views/metrics.h"
#include "gui/views/named_widget.h"

namespace hloscope::gui {
namespace {

enum Grouping { kByOpcode, kBySource, kByScope };

QTreeWidgetItem* Row(const QStringList& cells, int first_number) {
  auto* item = new QTreeWidgetItem(cells);
  for (int column = first_number; column < cells.size(); ++column) {
    item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
  }
  item->setToolTip(0, cells.front());
  return item;
}

}  // namespace

ProfilePanel::ProfilePanel(Selection* selection, ProfileOverlay* overlay, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      overlay_(overlay),
      task_(new BackgroundTask(this)),
      summary_(new QLabel(tr("Open a profile (NAME.xplane.pb), as profilers of XLA programs write it."))),
      device_(new QComboBox),
      open_(new QPushButton(tr("Open a profile..."))),
      open_module_(new QPushButton(tr("Open its module"))),
      progress_(new QProgressBar),
      cancel_(new QPushButton(tr("Cancel"))),
      tabs_(new QTabWidget),
      filter_(new QLineEdit),
      lanes_(new TimeSpansView),
      model_(new ProfileTableModel(this)),
      sorted_(new QSortFilterProxyModel(this)),
      instructions_(new QTreeView),
      roofline_(new RooflineView),
      grouping_(new QComboBox),
      groups_(
          MakeTree(tr("Time by group"), {tr("Name"), tr("Time"), tr("Share"), tr("Events"), tr("FLOP/s"), tr("B/s")})),
      left_over_(
          MakeTree(tr("What belongs to no instruction"), {tr("Event"), tr("Reason"), tr("Time"), tr("Events")})) {
  auto* column = new QVBoxLayout(this);
  column->addWidget(MakeTop());
  column->addWidget(MakeTabs(), 1);
  SetBusy(false);
  open_module_->hide();
  connect(open_, &QPushButton::clicked, this, &ProfilePanel::OpenRequested);
  connect(open_module_, &QPushButton::clicked, this, &ProfilePanel::OpenModule);
  connect(cancel_, &QPushButton::clicked, this, [this] {
    task_->Cancel();
    SetBusy(false);
    summary_->setText(profile_.has_value() ? profile_->Summary() : tr("Cancelled."));
  });
  connect(device_, &QComboBox::activated, this, [this] {
    if (!path_.isEmpty()) OpenFile(path_);
  });
  connect(grouping_, &QComboBox::currentIndexChanged, this, &ProfilePanel::ShowGroups);
  connect(selection_, &Selection::DocumentChanged, this, &ProfilePanel::ShowTimes);
  connect(roofline_, &RooflineView::RowChosen, this, &ProfilePanel::ChooseRow);
  connect(lanes_, &TimeSpansView::SpanClicked, this, [this](uint32_t span) {
    const InstructionId row = lanes_->spans()->spans[span].instruction;
    if (row.has_value()) ChooseRow(static_cast<int>(row.index()));
  });
  lanes_->SetNames([this](InstructionId row) {
    if (!profile_.has_value() || row.index() >= profile_->analysis->instructions().size()) return QString();
    return ToQString(profile_->analysis->NameOf(profile_->analysis->instructions()[row.index()]));
  });
}

QWidget* ProfilePanel::MakeTop() {
  summary_->setWordWrap(true);
  summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  summary_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Minimum);
  device_->addItem(tr("Device as measured"));
  device_->addItems(KnownDevices());
  device_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  device_->setMinimumContentsLength(14);
  NameWidget(device_, tr("The device whose limits count"));
  NameWidget(progress_, tr("Progress of reading the profile"));
  progress_->setRange(0, 0);
  progress_->setMaximumSize(100, 14);
  progress_->setTextVisible(false);
  open_module_->setToolTip(tr("Shows the module that was measured, with its times in the text and in the graph"));
  auto* top = new QWidget;
  auto* row = new QHBoxLayout(top);
  row->setContentsMargins({});
  row->addWidget(summary_, 1);
  for (QWidget* one : std::initializer_list<QWidget*>{progress_, cancel_, open_module_, device_, open_}) {
    row->addWidget(one);
  }
  return top;
}

QTreeWidget* ProfilePanel::MakeTree(const QString& name, const QStringList& titles) {
  auto* tree = new QTreeWidget;
  tree->setHeaderLabels(titles);
  tree->setAccessibleName(name);
  tree->setRootIsDecorated(false);
  tree->setUniformRowHeights(true);
  tree->setAlternatingRowColors(true);
  tree->setItemDelegate(new RowDelegate(tree));
  tree->header()->resizeSection(0, 320);
  return tree;
}

QWidget* ProfilePanel::MakeTabs() {
  lanes_->setAccessibleName(tr("Events by device and line"));
  sorted_->setSourceModel(model_);
  sorted_->setSortRole(ProfileTableModel::kSortRole);
  sorted_->setFilterCaseSensitivity(Qt::CaseInsensitive);
  sorted_->setFilterKeyColumn(-1);
  instructions_->setModel(sorted_);
  instructions_->setItemDelegate(new RowDelegate(instructions_));
  instructions_->setSortingEnabled(true);
  instructions_->sortByColumn(ProfileTableModel::kGain, Qt::DescendingOrder);
  instructions_->setRootIsDecorated(false);
  instructions_->setUniformRowHeights(true);
  instructions_->setAlternatingRowColors(true);
  instructions_->setAccessibleName(tr("Instructions by the time to gain"));
  instructions_->header()->resizeSection(ProfileTableModel::kInstruction, 240);
  for (int i = ProfileTableModel::kGain; i < ProfileTableModel::kModule; ++i) {
    instructions_->header()->resizeSection(i, 80);
  }
  const auto choose = [this](const QModelIndex& index) { ChooseRow(sorted_->mapToSource(index).row()); };
  connect(instructions_, &QTreeView::clicked, this, choose);
  connect(instructions_, &QTreeView::activated, this, choose);
  grouping_->addItems({tr("By opcode"), tr("By source line"), tr("By scope")});
  NameWidget(grouping_, tr("What the times are summed by"));
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, Space::kTight, 0, 0);
  column->setSpacing(Space::kTight);
  column->addWidget(grouping_, 0, Qt::AlignLeft);
  column->addWidget(groups_, 1);
  filter_->setPlaceholderText(tr("Filter"));
  filter_->setAccessibleName(tr("Filter of the instructions"));
  filter_->setClearButtonEnabled(true);
  filter_->setMaximumWidth(180);
  connect(filter_, &QLineEdit::textChanged, sorted_, &QSortFilterProxyModel::setFilterFixedString);
  tabs_->setDocumentMode(true);
  tabs_->setAccessibleName(tr("Views of the profile"));
  tabs_->addTab(instructions_, tr("Most to gain"));
  tabs_->addTab(lanes_, tr("Timeline"));
  tabs_->addTab(roofline_, tr("Roofline"));
  tabs_->addTab(page, tr("Groups"));
  tabs_->addTab(left_over_, tr("Left over"));
  tabs_->setCornerWidget(filter_);
  connect(tabs_, &QTabWidget::currentChanged, this,
          [this] { filter_->setEnabled(tabs_->currentWidget() == instructions_); });
  return tabs_;
}

void ProfilePanel::SetBusy(bool busy) {
  progress_->setVisible(busy);
  cancel_->setVisible(busy);
}

void ProfilePanel::OpenFile(const QString& path) {
  path_ = path;
  summary_->setText(tr("Reading %1...").arg(path));
  SetBusy(true);
  const QString device = device_->currentIndex() > 0 ? device_->currentText() : QString();
  task_->Start([this, path, device](const std::atomic<bool>& cancelled) -> BackgroundTask::Done {
    absl::StatusOr<OpenedProfile> opened = OpenProfile(path, device, cancelled);
    return [this, opened = std::move(opened)]() mutable {
      SetBusy(false);
      if (!opened.ok()) {
        summary_->setText(ToQString(opened.status().message()));
        return;
      }
      Show(*std::move(opened));
    };
  });
}

void ProfilePanel::Show(OpenedProfile profile) {
  profile_ = std::move(profile);
  row_ = -1;
  summary_->setText(profile_->Summary());
  lanes_->Show(profile_->lanes);
  model_->Show(profile_->analysis);
  roofline_->Show(profile_->analysis);
  ShowGroups();
  ShowLeftOver();
  ShowTimes();
}

void ProfilePanel::ShowGroups() {
  groups_->clear();
  if (!profile_.has_value()) return;
  const insight::ProfileAnalysis& analysis = *profile_->analysis;
  const int by = grouping_->currentIndex();
  const std::vector<insight::GroupTime> groups = by == kByOpcode   ? analysis.ByOpcode()
                                                 : by == kBySource ? analysis.BySourceLine()
                                                                   : analysis.ByScope();
  QList<QTreeWidgetItem*> items;
  for (const insight::GroupTime& group : groups) {
    const double seconds = static_cast<double>(group.self_ps) * 1e-12;
    const double share = analysis.total_ps() > 0
                             ? 100 * static_cast<double>(group.self_ps) / static_cast<double>(analysis.total_ps())
                             : 0;
    items << Row({ToQString(group.name), FormatSeconds(seconds), QStringLiteral("%1 %").arg(share, 0, 'f', 1),
                  FormatCount(group.occurrences),
                  seconds > 0 && group.flops > 0 ? ToQString(FlopRateText(group.flops / seconds)) : QString(),
                  seconds > 0 && group.bytes > 0 ? ToQString(ByteRateText(group.bytes / seconds)) : QString()},
                 1);
  }
  groups_->addTopLevelItems(items);
}

void ProfilePanel::ShowLeftOver() {
  left_over_->clear();
  QList<QTreeWidgetItem*> items;
  for (const QString& problem : profile_->Problems()) items << Row({problem, tr("could not be used"), {}, {}}, 2);
  for (const insight::UnattributedTime& row : profile_->analysis->unattributed()) {
    items << Row({ToQString(row.name), ToQString(row.reason), FormatSeconds(static_cast<double>(row.total_ps) * 1e-12),
                  FormatCount(row.occurrences)},
                 2);
  }
  left_over_->addTopLevelItems(items);
  left_over_->header()->resizeSection(1, 240);
}

void ProfilePanel::ShowTimes() {
  if (!profile_.has_value()) return;
  ProfiledTimes times = TimesIn(*profile_->analysis, selection_->document());
  const bool measured = !times.seconds.empty();
  overlay_->Set(std::move(times));
  bool has_module = false;
  for (const insight::InstructionTime& row : profile_->analysis->instructions()) {
    has_module = has_module || profile_->analysis->programs()[row.program]->has_module();
  }
  open_module_->setVisible(has_module && !measured);
  if (measured) Q_EMIT TimesShown();
}

void ProfilePanel::ChooseRow(int row) {
  if (!profile_.has_value() || row < 0 || static_cast<size_t>(row) >= profile_->analysis->instructions().size()) return;
  row_ = row;
  roofline_->SetSelected(row);
  lanes_->SetSelected(InstructionId(static_cast<uint32_t>(row)));
  const insight::InstructionTime& time = profile_->analysis->instructions()[static_cast<size_t>(row)];
  const insight::ProgramModule& program = *profile_->analysis->programs()[time.program];
  const bool is_open = selection_->document() != nullptr && selection_->module().name() == program.name();
  open_module_->setVisible(!is_open && program.has_module());
  if (!is_open) return;
  const Module& module = selection_->module();
  const std::string name = profile_->analysis->NameOf(time);
  for (size_t i = 0; i < module.instruction_count(); ++i) {
    if (module.InstructionName(InstructionId(i)) != name) continue;
    selection_->SelectInstruction(InstructionId(i));
    return;
  }
}

// That of the chosen row, or of the one with the most time.
void ProfilePanel::OpenModule() {
  const std::vector<insight::InstructionTime>& rows = profile_->analysis->instructions();
  size_t row = row_ >= 0 ? static_cast<size_t>(row_) : 0;
  while (row < rows.size() && !profile_->analysis->programs()[rows[row].program]->has_module()) ++row;
  if (row >= rows.size()) return;
  const insight::ProgramModule& program = *profile_->analysis->programs()[rows[row].program];
  const absl::string_view text = program.document().source().text();
  Q_EMIT ModuleChosen(ToQString(program.name()), QByteArray(text.data(), static_cast<qsizetype>(text.size())));
}

}  // namespace hloscope::gui
