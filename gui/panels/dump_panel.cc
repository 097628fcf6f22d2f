// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/dump_panel.h"

#include <QDir>
#include <QFile>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QScrollBar>
#include <QSet>
#include <QSplitter>
#include <QVBoxLayout>
#include <functional>

#include "gui/models/plurals.h"
#include "gui/models/text.h"
#include "gui/panels/row_delegate.h"
#include "gui/views/metrics.h"
#include "gui/views/theme.h"

namespace hloscope::gui {
namespace {

constexpr int kPathRole = Qt::UserRole, kModuleRole = Qt::UserRole + 1;
// Of a module: its last stage, and under what the cost of that is known.
constexpr int kStageRole = Qt::UserRole + 2, kCostRole = Qt::UserRole + 3;
enum Column { kName, kSize, kFlop, kMoved, kPeak, kWhat };
// Programs write many files at once.
constexpr int kQuietMs = 300;
// Reports and logs are shown up to this size.
constexpr qint64 kMostText = qint64{2} << 20;

void CollectOpen(const QTreeWidgetItem* item, const QString& path, QSet<QString>* open) {
  const QString own = path + QLatin1Char('\n') + item->text(0);
  if (item->isExpanded()) open->insert(own);
  for (int i = 0; i < item->childCount(); ++i) CollectOpen(item->child(i), own, open);
}

}  // namespace

DumpPanel::DumpPanel(QWidget* parent)
    : QWidget(parent),
      tree_(new QTreeWidget),
      filter_(new QLineEdit),
      summary_(new QLabel),
      passes_(new QPushButton(tr("Passes"))),
      text_(new QPlainTextEdit),
      task_(new BackgroundTask(this)),
      cost_task_(new BackgroundTask(this)) {
  tree_->setHeaderLabels({tr("Name"), tr("Size"), tr("FLOP"), tr("Moved"), tr("Peak"), tr("What it is")});
  tree_->setAccessibleName(tr("Modules and stages of the folder"));
  tree_->setUniformRowHeights(true);
  tree_->setAlternatingRowColors(true);
  tree_->setItemDelegate(new RowDelegate(tree_));
  tree_->header()->resizeSection(kName, 380);
  for (int column : {kSize, kFlop, kMoved, kPeak}) tree_->header()->resizeSection(column, 90);
  tree_->headerItem()->setToolTip(kFlop, tr("Operations of one run of the last stage"));
  tree_->headerItem()->setToolTip(kMoved, tr("Bytes that one run of the last stage reads and writes"));
  tree_->headerItem()->setToolTip(kPeak, tr("The most bytes that are alive at once"));
  filter_->setPlaceholderText(tr("Filter by name"));
  filter_->setAccessibleName(tr("Filter of modules and stages"));
  filter_->setClearButtonEnabled(true);
  summary_->setText(tr("Drop a folder that XLA has written with --xla_dump_to, or open one with File > Open Folder."));
  summary_->setWordWrap(true);
  passes_->setToolTip(tr("What each pass changed in the module that is selected"));
  passes_->setEnabled(false);
  connect(passes_, &QPushButton::clicked, this, [this] {
    QTreeWidgetItem* item = tree_->currentItem();
    if (item == nullptr) item = tree_->topLevelItem(0);
    while (item != nullptr && item->parent() != nullptr) item = item->parent();
    if (item != nullptr) Q_EMIT PassesRequested(folder_, item->text(kName));
  });
  text_->setReadOnly(true);
  text_->setFont(CodeFont());
  text_->setLineWrapMode(QPlainTextEdit::NoWrap);
  text_->setAccessibleName(tr("Text of the chosen file"));
  text_->hide();
  auto* splitter = new QSplitter(Qt::Horizontal);
  splitter->addWidget(tree_);
  splitter->addWidget(text_);
  auto* column = new QVBoxLayout(this);
  column->addWidget(summary_);
  auto* bar = new QHBoxLayout;
  bar->setSpacing(Space::kTight);
  bar->addWidget(filter_, 1);
  bar->addWidget(passes_);
  column->addLayout(bar);
  column->addWidget(splitter, 1);
  later_.setSingleShot(true);
  later_.setInterval(kQuietMs);
  connect(&later_, &QTimer::timeout, this, &DumpPanel::List);
  connect(&watcher_, &QFileSystemWatcher::directoryChanged, &later_, qOverload<>(&QTimer::start));
  cost_clock_.setSingleShot(true);
  cost_clock_.setInterval(kQuietMs / 2);
  connect(&cost_clock_, &QTimer::timeout, this, &DumpPanel::FindNextCost);
  connect(tree_->verticalScrollBar(), &QScrollBar::valueChanged, &cost_clock_, qOverload<>(&QTimer::start));
  connect(tree_->verticalScrollBar(), &QScrollBar::rangeChanged, &cost_clock_, qOverload<>(&QTimer::start));
  connect(tree_, &QTreeWidget::itemActivated, this, &DumpPanel::Choose);
  connect(filter_, &QLineEdit::textChanged, this, &DumpPanel::Filter);
}

void DumpPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  cost_clock_.start();
}

void DumpPanel::OpenFolder(const QString& path) {
  folder_ = path;
  summary_->setText(tr("Listing %1...").arg(path));
  List();
}

void DumpPanel::List() {
  task_->Start([this, folder = folder_](const std::atomic<bool>&) -> BackgroundTask::Done {
    const absl::StatusOr<DumpList> list = ListDumps(folder);
    return [this, list] {
      if (list.ok()) return Show(*list);
      tree_->clear();
      passes_->setEnabled(false);
      summary_->setText(ToQString(list.status().message()));
    };
  });
}

void DumpPanel::Show(const DumpList& list) {
  QSet<QString> open;
  for (int i = 0; i < tree_->topLevelItemCount(); ++i) CollectOpen(tree_->topLevelItem(i), QString(), &open);
  tree_->clear();
  const std::function<QTreeWidgetItem*(const DumpEntry&)> make = [&](const DumpEntry& entry) {
    auto* item = new QTreeWidgetItem({entry.name, FormatBytes(entry.bytes), {}, {}, {}, entry.what});
    for (int column : {kSize, kFlop, kMoved, kPeak}) {
      item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    if (!entry.last_stage.isEmpty()) {
      item->setData(0, kStageRole, entry.last_stage);
      item->setData(0, kCostRole, QStringLiteral("%1 %2").arg(entry.written).arg(entry.last_stage));
      ShowCost(item);
    }
    item->setData(0, kPathRole, entry.path);
    item->setData(0, kModuleRole, entry.is_module);
    if (!entry.path.isEmpty()) item->setToolTip(0, entry.path);
    for (const DumpEntry& inner : entry.entries) item->addChild(make(inner));
    return item;
  };
  QList<QTreeWidgetItem*> items;
  for (const DumpEntry& module : list.modules) items.push_back(make(module));
  tree_->addTopLevelItems(items);
  const std::function<void(QTreeWidgetItem*, const QString&)> reopen = [&](QTreeWidgetItem* item, const QString& path) {
    const QString own = path + QLatin1Char('\n') + item->text(0);
    if (open.contains(own)) item->setExpanded(true);
    for (int i = 0; i < item->childCount(); ++i) reopen(item->child(i), own);
  };
  for (QTreeWidgetItem* item : items) reopen(item, QString());
  if (items.size() == 1) items.front()->setExpanded(true);
  passes_->setEnabled(!items.isEmpty());
  QString text =
      tr("%1: %2 module(s)", nullptr, ForPlural(list.modules.size())).arg(list.folder).arg(list.modules.size()) +
      tr(" in %1 file(s)", nullptr, list.files).arg(FormatCount(list.files));
  if (list.ignored > 0) text += tr(", %n other file(s)", nullptr, list.ignored);
  if (!list.problem.isEmpty()) text += QStringLiteral(". ") + list.problem;
  summary_->setText(text);
  Filter();
  Watch(list);
  cost_clock_.start();
}

void DumpPanel::ShowCost(QTreeWidgetItem* item) {
  const auto known = costs_.constFind(item->data(0, kCostRole).toString());
  if (known == costs_.constEnd()) return;
  if (!known->problem.isEmpty()) {
    item->setText(kFlop, tr("?"));
    item->setToolTip(kFlop, known->problem);
    return;
  }
  item->setText(kFlop, FormatFlops(static_cast<double>(known->size.flop)));
  item->setText(kMoved, FormatBytes(known->size.bytes));
  item->setText(kPeak, FormatBytes(known->size.peak_bytes));
}

void DumpPanel::FindNextCost() {
  if (cost_task_->busy() || !isVisible()) return;
  const QRect seen = tree_->viewport()->rect();
  for (int i = 0; i < tree_->topLevelItemCount(); ++i) {
    QTreeWidgetItem* item = tree_->topLevelItem(i);
    const QString key = item->data(0, kCostRole).toString();
    if (item->isHidden() || key.isEmpty() || costs_.contains(key)) continue;
    if (!tree_->visualItemRect(item).intersects(seen)) continue;
    cost_task_->Start([this, key, path = item->data(0, kStageRole).toString()](const std::atomic<bool>&) {
      return [this, key, cost = CostOfDump(path)] {
        costs_.insert(key, cost);
        for (int row = 0; row < tree_->topLevelItemCount(); ++row) {
          if (tree_->topLevelItem(row)->data(0, kCostRole).toString() == key) ShowCost(tree_->topLevelItem(row));
        }
        cost_clock_.start(0);
      };
    });
    return;
  }
  cost_clock_.setInterval(kQuietMs / 2);
}

void DumpPanel::Watch(const DumpList& list) {
  QStringList folders = {list.folder};
  for (const QFileInfo& one : QDir(list.folder).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot)) {
    if (folders.size() < 500) folders << one.absoluteFilePath();
  }
  const QStringList watched = watcher_.directories();
  if (watched == folders) return;
  if (!watched.isEmpty()) watcher_.removePaths(watched);
  watcher_.addPaths(folders);
}

void DumpPanel::Filter() {
  const QString words = filter_->text().trimmed();
  const std::function<bool(QTreeWidgetItem*, bool)> show = [&](QTreeWidgetItem* item, bool around) {
    const bool own = around || item->text(0).contains(words, Qt::CaseInsensitive);
    bool below = false;
    for (int i = 0; i < item->childCount(); ++i) below = show(item->child(i), own) || below;
    item->setHidden(!own && !below);
    return own || below;
  };
  for (int i = 0; i < tree_->topLevelItemCount(); ++i) show(tree_->topLevelItem(i), false);
  cost_clock_.start();
}

void DumpPanel::Choose(QTreeWidgetItem* item) {
  const QString path = item == nullptr ? QString() : item->data(0, kPathRole).toString();
  if (path.isEmpty()) return;
  if (item->data(0, kModuleRole).toBool()) {
    Q_EMIT FileChosen(path);
    return;
  }
  QFile file(path);
  QString text;
  if (!file.open(QIODevice::ReadOnly)) {
    text = tr("%1: %2").arg(path, file.errorString());
  } else {
    text = QString::fromUtf8(file.read(kMostText));
    if (file.size() > kMostText) text += tr("\n... %1 in all").arg(FormatBytes(file.size()));
  }
  text_->setPlainText(text);
  text_->show();
}

}  // namespace hloscope::gui
