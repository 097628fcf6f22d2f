// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/profile_panel.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QVBoxLayout>
#include <numeric>
#include <utility>

#include "core/print/quantity.h"
#include "gui/models/text.h"
#include "gui/panels/row_delegate.h"
#include "gui/views/metrics.h"
#include "gui/views/named_widget.h"
#include "gui/views/wrap_layout.h"

namespace hloscope::gui {
namespace {

constexpr int kNameColumnWidth = 190, kNumberColumnWidth = 80;
enum GroupColumn { kGroupBefore = 6, kGroupFactor = 7 };

QTreeWidgetItem* Row(const QStringList& cells, int first_number) {
  auto* item = new QTreeWidgetItem(cells);
  for (int column = first_number; column < cells.size(); ++column) {
    item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
  }
  item->setToolTip(0, cells.front());
  return item;
}

QComboBox* MakeBox(const QString& name) {
  auto* box = new QComboBox;
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(14);
  NameWidget(box, name);
  return box;
}

}  // namespace

ProfilePanel::ProfilePanel(Selection* selection, ProfileOverlay* overlay, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      overlay_(overlay),
      task_(new BackgroundTask(this)),
      summary_(new QLabel(tr("Open a profile (NAME.xplane.pb), as profilers of XLA programs write it."))),
      programs_(MakeBox(tr("The program whose events count"))),
      device_(MakeBox(tr("The device whose limits count"))),
      open_(new QPushButton(tr("Open a profile..."))),
      compare_(new QPushButton(tr("Compare with..."))),
      swap_(new QPushButton(tr("Swap"))),
      end_comparison_(new QPushButton(tr("End comparison"))),
      open_module_(new QPushButton(tr("Open its module"))),
      use_module_(new QPushButton(tr("Use the open module"))),
      progress_(new QProgressBar),
      cancel_(new QPushButton(tr("Cancel"))),
      tabs_(new QTabWidget),
      filter_(new QLineEdit),
      lanes_(new TimeSpansView),
      model_(new ProfileTableModel(this)),
      sorted_(new QSortFilterProxyModel(this)),
      instructions_(MakeTable(model_, sorted_, ProfileTableModel::kGain, tr("Instructions by the time to gain"))),
      compared_model_(new ComparedProfilesModel(this)),
      compared_sorted_(new QSortFilterProxyModel(this)),
      compared_(MakeTable(compared_model_, compared_sorted_, ComparedProfilesModel::kChange,
                          tr("Instructions by the change of their time"))),
      roofline_(new RooflineView),
      grouping_(new QComboBox),
      groups_(MakeTree(tr("Time by group"), {tr("Name"), tr("Time"), tr("Share"), tr("Events"), tr("FLOP/s"), tr("B/s"),
                                             tr("Before"), tr("Factor")})),
      left_over_(
          MakeTree(tr("What belongs to no instruction"), {tr("Event"), tr("Reason"), tr("Time"), tr("Events")})) {
  wanted_.devices = insight::DeviceTable::Shipped();
  // Whatever is said makes the window no higher.
  setMinimumSize(260, 120);
  auto* column = new QVBoxLayout(this);
  column->addWidget(MakeTop());
  column->addWidget(MakeControls());
  column->addWidget(MakeTabs(), 1);
  ConnectControls();
  SetBusy(false);
  ShowPrograms();
  ShowComparison();
  ShowTimes();
}

void ProfilePanel::ConnectControls() {
  const QString profiles = tr("Profiles (*.xplane.pb *.xplane.pb.gz);;All files (*)");
  connect(open_, &QPushButton::clicked, this, [this, profiles] {
    if (const QString path = ask_file(tr("Open a profile"), profiles); !path.isEmpty()) OpenFile(path);
  });
  connect(compare_, &QPushButton::clicked, this, [this, profiles] {
    const QString path = ask_file(tr("The profile from before"), profiles);
    if (path.isEmpty()) return;
    Q_EMIT ComparisonChosen();
    CompareWith(path);
  });
  connect(swap_, &QPushButton::clicked, this, [this] {
    std::swap(wanted_.path, wanted_.before_path);
    // Ids of programs are those of the other file.
    wanted_.program = -1;
    Read();
  });
  connect(end_comparison_, &QPushButton::clicked, this, [this] { CompareWith(QString()); });
  connect(open_module_, &QPushButton::clicked, this, &ProfilePanel::OpenModule);
  connect(use_module_, &QPushButton::clicked, this, [this] {
    wanted_.document = selection_->document();
    Read();
  });
  connect(cancel_, &QPushButton::clicked, this, [this] {
    task_->Cancel();
    SetBusy(false);
    ShowWanted();
    summary_->setText(profile_.has_value() ? profile_->Summary() : tr("Cancelled."));
  });
  connect(programs_, &QComboBox::activated, this, [this] {
    wanted_.program = programs_->currentIndex() > 0 ? programs_->currentData().toLongLong() : -1;
    wanted_.program_name = programs_->currentData(Qt::UserRole + 1).toString();
    Read();
  });
  connect(device_, &QComboBox::activated, this, &ProfilePanel::ChooseDevice);
  connect(grouping_, &QComboBox::currentIndexChanged, this, &ProfilePanel::ShowGroups);
  connect(selection_, &Selection::DocumentChanged, this, &ProfilePanel::ShowTimes);
  connect(selection_, &Selection::Changed, this, &ProfilePanel::FollowSelection);
  connect(roofline_, &RooflineView::RowChosen, this, &ProfilePanel::ChooseRow);
  connect(lanes_, &TimeSpansView::SpanClicked, this, [this](uint32_t span) {
    const InstructionId row = lanes_->spans()->spans[span].instruction;
    if (row.has_value()) ChooseRow(static_cast<int>(row.index()));
  });
  lanes_->SetNames([this](InstructionId row) {
    if (!profile_.has_value() || row.index() >= profile_->analysis->instructions().size()) return QString();
    return ToQString(profile_->analysis->NameOf(profile_->analysis->instructions()[row.index()]));
  });
  const auto activate = [this](QTreeView* view, QSortFilterProxyModel* sorted, void (ProfilePanel::*choose)(int)) {
    const auto chosen = [this, sorted, choose](const QModelIndex& index) {
      (this->*choose)(sorted->mapToSource(index).row());
    };
    connect(view, &QTreeView::clicked, this, chosen);
    connect(view, &QTreeView::activated, this, chosen);
  };
  activate(instructions_, sorted_, &ProfilePanel::ChooseRow);
  activate(compared_, compared_sorted_, &ProfilePanel::ChooseCompared);
}

QString ProfilePanel::AskFile(const QString& title, const QString& filter) {
  return QFileDialog::getOpenFileName(this, title, QFileInfo(wanted_.path).path(), filter);
}

QWidget* ProfilePanel::MakeTop() {
  summary_->setWordWrap(true);
  summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  summary_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  NameWidget(progress_, tr("Progress of reading the profile"));
  progress_->setRange(0, 0);
  progress_->setMaximumSize(100, 14);
  progress_->setTextVisible(false);
  auto* top = new QWidget;
  auto* row = new QHBoxLayout(top);
  row->setContentsMargins({});
  row->addWidget(summary_, 1);
  row->addWidget(progress_);
  row->addWidget(cancel_);
  return top;
}

QWidget* ProfilePanel::MakeControls() {
  compare_->setToolTip(tr("Another profile: what takes longer or shorter now"));
  swap_->setToolTip(tr("The other profile is the one from now"));
  open_module_->setToolTip(tr("Shows the module that was measured, with its times in the text and in the graph"));
  use_module_->setToolTip(tr("The module of a program that the profile has without it"));
  ShowWanted();
  QWidget* bar = MakeWrapBar();
  for (QWidget* one : std::initializer_list<QWidget*>{open_, compare_, swap_, end_comparison_, open_module_,
                                                      use_module_, programs_, device_}) {
    bar->layout()->addWidget(one);
  }
  return bar;
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

QTreeView* ProfilePanel::MakeTable(QAbstractItemModel* rows, QSortFilterProxyModel* sorted, int sort_column,
                                   const QString& name) {
  sorted->setSourceModel(rows);
  sorted->setSortRole(ProfileTableModel::kSortRole);
  sorted->setFilterCaseSensitivity(Qt::CaseInsensitive);
  sorted->setFilterKeyColumn(-1);
  connect(filter_, &QLineEdit::textChanged, sorted, &QSortFilterProxyModel::setFilterFixedString);
  auto* table = new QTreeView;
  table->setModel(sorted);
  table->setItemDelegate(new RowDelegate(table));
  table->setSortingEnabled(true);
  table->sortByColumn(sort_column, Qt::DescendingOrder);
  table->setRootIsDecorated(false);
  table->setUniformRowHeights(true);
  table->setAlternatingRowColors(true);
  table->setAccessibleName(name);
  for (int i = 0; i + 1 < rows->columnCount(); ++i) {
    table->header()->resizeSection(i, i == 0 ? kNameColumnWidth : kNumberColumnWidth);
  }
  return table;
}

QWidget* ProfilePanel::MakeGroups() {
  grouping_->addItem(tr("By opcode"), static_cast<int>(ProfileGrouping::kOpcode));
  grouping_->addItem(tr("By source line"), static_cast<int>(ProfileGrouping::kSourceLine));
  grouping_->addItem(tr("By scope"), static_cast<int>(ProfileGrouping::kScope));
  grouping_->addItem(tr("By program"), static_cast<int>(ProfileGrouping::kProgram));
  grouping_->addItem(tr("By lane"), static_cast<int>(ProfileGrouping::kLane));
  NameWidget(grouping_, tr("What the times are summed by"));
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, Space::kTight, 0, 0);
  column->setSpacing(Space::kTight);
  column->addWidget(grouping_, 0, Qt::AlignLeft);
  column->addWidget(groups_, 1);
  return page;
}

QWidget* ProfilePanel::MakeTabs() {
  lanes_->setAccessibleName(tr("Events by device and line"));
  filter_->setPlaceholderText(tr("Filter"));
  filter_->setAccessibleName(tr("Filter of the instructions"));
  filter_->setClearButtonEnabled(true);
  filter_->setMaximumWidth(180);
  tabs_->setDocumentMode(true);
  tabs_->setAccessibleName(tr("Views of the profile"));
  tabs_->addTab(instructions_, tr("Most to gain"));
  tabs_->addTab(compared_, tr("Compared"));
  tabs_->addTab(lanes_, tr("Timeline"));
  tabs_->addTab(roofline_, tr("Roofline"));
  tabs_->addTab(MakeGroups(), tr("Groups"));
  tabs_->addTab(left_over_, tr("Left over"));
  tabs_->setCornerWidget(filter_);
  connect(tabs_, &QTabWidget::currentChanged, this, [this] {
    filter_->setEnabled(tabs_->currentWidget() == instructions_ || tabs_->currentWidget() == compared_);
  });
  return tabs_;
}

void ProfilePanel::SetBusy(bool busy) {
  progress_->setVisible(busy);
  cancel_->setVisible(busy);
}

void ProfilePanel::OpenFile(const QString& path) {
  wanted_.path = path;
  wanted_.program = -1;
  wanted_.document = nullptr;
  Read();
}

void ProfilePanel::CompareWith(const QString& path) {
  wanted_.before_path = path;
  Read();
}

void ProfilePanel::AddDevices(const QString& path) {
  insight::DeviceTable devices = wanted_.devices;
  const absl::Status added = AddDevicesOf(path, &devices);
  if (added.ok()) {
    // The first of its rows is what most tables are for.
    const size_t first = wanted_.devices.rows().size();
    if (first < devices.rows().size()) wanted_.device = ToQString(devices.rows()[first].name);
    wanted_.devices = std::move(devices);
    devices_path_ = path;
    return Read();
  }
  ShowWanted();
  summary_->setText(ToQString(added.message()));
}

void ProfilePanel::ChooseDevice() {
  if (device_->currentIndex() + 1 == device_->count()) {
    const QString path = ask_file(tr("A table of devices"), tr("Tables (*.txt);;All files (*)"));
    if (!path.isEmpty()) return AddDevices(path);
    return ShowWanted();
  }
  wanted_.device = device_->currentIndex() > 0 ? device_->currentText() : QString();
  Read();
}

// In the controls.
void ProfilePanel::ShowWanted() {
  device_->clear();
  device_->addItem(tr("Device as measured"));
  for (const insight::DeviceLimits& row : wanted_.devices.rows()) device_->addItem(ToQString(row.name));
  device_->insertSeparator(device_->count());
  device_->addItem(tr("More from a file..."));
  device_->setCurrentIndex(wanted_.device.isEmpty() ? 0 : std::max(0, device_->findText(wanted_.device)));
  programs_->setCurrentIndex(wanted_.program < 0 ? 0 : programs_->findData(qlonglong{wanted_.program}));
}

void ProfilePanel::Read() {
  if (wanted_.path.isEmpty()) return ShowWanted();
  summary_->setText(tr("Reading %1...").arg(wanted_.path));
  SetBusy(true);
  task_->Start([this, request = wanted_](const std::atomic<bool>& cancelled) -> BackgroundTask::Done {
    absl::StatusOr<OpenedProfile> opened = OpenProfile(request, cancelled);
    return [this, request, opened = std::move(opened)]() mutable {
      SetBusy(false);
      if (opened.ok()) {
        shown_ = std::move(request);
        return Show(*std::move(opened));
      }
      if (profile_.has_value()) wanted_ = shown_;
      ShowWanted();
      summary_->setText(ToQString(opened.status().message()));
    };
  });
}

void ProfilePanel::Show(OpenedProfile profile) {
  const bool begins_comparison =
      profile.before != nullptr && (!profile_.has_value() || profile_->before_path != profile.before_path);
  profile_ = std::move(profile);
  row_ = -1;
  summary_->setText(profile_->Summary());
  lanes_->Show(profile_->lanes);
  model_->Show(profile_->analysis);
  ShowLimits();
  roofline_->Show(profile_->analysis);
  ShowPrograms();
  ShowWanted();
  ShowComparison();
  if (begins_comparison) tabs_->setCurrentWidget(compared_);
  ShowGroups();
  ShowLeftOver();
  ShowTimes();
  FollowSelection();
}

// Nothing is known to be gained on a device without limits: there the time says most.
void ProfilePanel::ShowLimits() {
  bool has_limits = false;
  for (const insight::InstructionTime& row : profile_->analysis->instructions()) has_limits |= row.limit_ps > 0;
  const bool had_limits = !instructions_->isColumnHidden(ProfileTableModel::kGain);
  for (const int column : {ProfileTableModel::kGain, ProfileTableModel::kLimit, ProfileTableModel::kBound}) {
    instructions_->setColumnHidden(column, !has_limits);
  }
  tabs_->setTabText(tabs_->indexOf(instructions_), has_limits ? tr("Most to gain") : tr("Instructions"));
  if (has_limits != had_limits) {
    instructions_->sortByColumn(has_limits ? ProfileTableModel::kGain : ProfileTableModel::kTime, Qt::DescendingOrder);
  }
}

// Those of the file, most time first as long as all of them count.
void ProfilePanel::ShowPrograms() {
  programs_->setVisible(profile_.has_value() && profile_->analysis->programs().size() > 1);
  if (profile_.has_value() && shown_.program >= 0) return;
  programs_->clear();
  programs_->addItem(tr("All programs"));
  if (!profile_.has_value()) return;
  const auto& programs = profile_->analysis->programs();
  std::vector<int64_t> time(programs.size());
  for (const insight::InstructionTime& row : profile_->analysis->instructions()) time[row.program] += row.self_ps;
  std::vector<size_t> order(programs.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return time[a] > time[b]; });
  for (const size_t i : order) {
    const QString name = ToQString(programs[i]->name());
    programs_->addItem(tr("%1 (id %2)").arg(name).arg(programs[i]->id()), qlonglong{programs[i]->id()});
    programs_->setItemData(programs_->count() - 1, name, Qt::UserRole + 1);
  }
}

void ProfilePanel::ShowComparison() {
  const bool compares = profile_.has_value() && profile_->before != nullptr;
  compared_model_->Show(compares ? profile_->compared : nullptr);
  tabs_->setTabVisible(tabs_->indexOf(compared_), compares);
  compare_->setEnabled(profile_.has_value());
  swap_->setVisible(compares);
  end_comparison_->setVisible(compares);
  groups_->setColumnHidden(kGroupBefore, !compares);
  groups_->setColumnHidden(kGroupFactor, !compares);
}

void ProfilePanel::ShowGroups() {
  groups_->clear();
  if (!profile_.has_value()) return;
  const insight::ProfileAnalysis& analysis = *profile_->analysis;
  const auto by = static_cast<ProfileGrouping>(grouping_->currentData().toInt());
  // A lane is busy for a share of the time that was measured, instructions have shares of the time of all events.
  const auto whole =
      static_cast<double>(by == ProfileGrouping::kLane ? analysis.end_ps() - analysis.begin_ps() : analysis.total_ps());
  const auto rate = [](double amount, double seconds, std::string (*text)(double)) {
    return seconds > 0 && amount > 0 ? ToQString(text(amount / seconds)) : QString();
  };
  QList<QTreeWidgetItem*> items;
  for (const ProfileGroup& group : GroupsOf(*profile_, by)) {
    const double share = whole > 0 ? 100 * group.seconds / (whole * 1e-12) : 0;
    items << Row({group.name, FormatSeconds(group.seconds), QStringLiteral("%1 %").arg(share, 0, 'f', 1),
                  FormatCount(group.events), rate(group.flops, group.seconds, FlopRateText),
                  rate(group.bytes, group.seconds, ByteRateText),
                  group.before_seconds > 0 ? FormatSeconds(group.before_seconds) : QString(),
                  TimesAsLong(group.before_seconds, group.seconds)},
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
  open_module_->hide();
  use_module_->hide();
  if (!profile_.has_value()) return;
  ProfiledTimes times = TimesIn(*profile_, selection_->document());
  const bool measured = !times.seconds.empty();
  overlay_->Set(std::move(times));
  bool has_module = false, lacks_module = profile_->analysis->programs().empty();
  for (const auto& program : profile_->analysis->programs()) lacks_module |= !program->has_module();
  for (const insight::InstructionTime& row : profile_->analysis->instructions()) {
    has_module = has_module || profile_->analysis->programs()[row.program]->has_module();
  }
  open_module_->setVisible(has_module && !measured);
  use_module_->setVisible(lacks_module && !measured && selection_->document() != nullptr);
  if (measured) Q_EMIT TimesShown();
}

void ProfilePanel::ChooseRow(int row) {
  if (!profile_.has_value() || row < 0 || static_cast<size_t>(row) >= profile_->analysis->instructions().size()) return;
  MarkRow(row);
  const insight::InstructionTime& time = profile_->analysis->instructions()[static_cast<size_t>(row)];
  const insight::ProgramModule& program = *profile_->analysis->programs()[time.program];
  const bool is_open = SelectInstruction(program.name(), profile_->analysis->NameOf(time));
  open_module_->setVisible(!is_open && program.has_module());
}

void ProfilePanel::ChooseCompared(int row) {
  const insight::ComparedTime& chosen = compared_model_->RowAt(row);
  const std::vector<insight::InstructionTime>& times = profile_->analysis->instructions();
  for (size_t i = 0; i < times.size(); ++i) {
    if (profile_->analysis->NameOf(times[i]) == chosen.name &&
        profile_->analysis->programs()[times[i].program]->name() == chosen.module) {
      return ChooseRow(static_cast<int>(i));
    }
  }
  SelectInstruction(chosen.module, chosen.name);  // it is in the other profile alone
}

void ProfilePanel::MarkRow(int row) {
  row_ = row;
  roofline_->SetSelected(row);
  lanes_->SetSelected(InstructionId(static_cast<uint32_t>(row)));
}

void ProfilePanel::FollowSelection() {
  if (!profile_.has_value() || selection_->document() == nullptr || !selection_->instruction().has_value()) return;
  const absl::string_view module = selection_->module().name();
  const absl::string_view name = selection_->module().InstructionName(selection_->instruction());
  const insight::ProfileAnalysis& analysis = *profile_->analysis;
  for (size_t i = 0; i < analysis.instructions().size(); ++i) {
    const insight::InstructionTime& time = analysis.instructions()[i];
    if (analysis.programs()[time.program]->name() != module || analysis.NameOf(time) != name) continue;
    if (row_ != static_cast<int>(i)) MarkRow(static_cast<int>(i));
    const QModelIndex shown = sorted_->mapFromSource(model_->index(static_cast<int>(i), 0));
    if (instructions_->currentIndex().row() != shown.row()) instructions_->setCurrentIndex(shown);
    break;
  }
  for (int i = 0; i < compared_model_->rowCount(); ++i) {
    const insight::ComparedTime& row = compared_model_->RowAt(i);
    if (row.name != name || row.module != module) continue;
    const QModelIndex shown = compared_sorted_->mapFromSource(compared_model_->index(i, 0));
    if (compared_->currentIndex().row() != shown.row()) compared_->setCurrentIndex(shown);
    break;
  }
}

bool ProfilePanel::SelectInstruction(const std::string& module, const std::string& name) {
  if (selection_->document() == nullptr || selection_->module().name() != module) return false;
  for (size_t i = 0; i < selection_->module().instruction_count(); ++i) {
    if (selection_->module().InstructionName(InstructionId(i)) != name) continue;
    selection_->SelectInstruction(InstructionId(i));
    break;
  }
  return true;
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
