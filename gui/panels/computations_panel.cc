// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/computations_panel.h"

#include <QHeaderView>
#include <QVBoxLayout>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "gui/models/text.h"
#include "gui/panels/row_delegate.h"

namespace hloscope::gui {
namespace {

constexpr int kMaxFound = 200;
constexpr int kInstructionOfComputationRole = Qt::UserRole;

}  // namespace

ComputationsPanel::ComputationsPanel(Selection* selection, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      model_(new ComputationListModel(this)),
      filter_(new QSortFilterProxyModel(this)),
      search_(new QLineEdit),
      list_(new QTreeView),
      found_(new QListWidget) {
  filter_->setSourceModel(model_);
  filter_->setFilterCaseSensitivity(Qt::CaseInsensitive);
  filter_->setSortRole(Qt::EditRole);
  list_->setAccessibleName(tr("Computations"));
  found_->setAccessibleName(tr("What the search found"));
  list_->setModel(filter_);
  list_->setItemDelegate(new RowDelegate(list_));
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setAlternatingRowColors(true);
  list_->setSortingEnabled(true);
  list_->sortByColumn(-1, Qt::AscendingOrder);
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(ComputationListModel::kName, QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(ComputationListModel::kInstructions, QHeaderView::ResizeToContents);
  // The name needs the room; the number of callers is in the tool tip.
  list_->hideColumn(ComputationListModel::kCallers);
  // Measuring every row of a module with thousands of computations is not worth it.
  list_->header()->setResizeContentsPrecision(50);
  search_->setPlaceholderText(tr("Search computations and instructions"));
  search_->setAccessibleName(search_->placeholderText());
  search_->setClearButtonEnabled(true);
  found_->setVisible(false);
  found_->setItemDelegate(new RowDelegate(found_));
  found_->setUniformItemSizes(true);

  auto* column = new QVBoxLayout(this);
  column->addWidget(search_);
  column->addWidget(list_, 2);
  column->addWidget(found_, 1);

  connect(search_, &QLineEdit::textChanged, this, &ComputationsPanel::Search);
  connect(list_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
    if (following_ || !index.isValid()) return;
    selection_->SelectComputation(model_->ComputationAt(filter_->mapToSource(index).row()));
  });
  auto choose = [this](const QListWidgetItem* item) {
    if (item == nullptr || !item->data(kInstructionOfComputationRole).isValid()) return;
    selection_->SelectInstruction(InstructionId(item->data(kInstructionOfComputationRole).toUInt()));
  };
  connect(found_, &QListWidget::currentItemChanged, this, choose);
  connect(selection_, &Selection::DocumentChanged, this, [this] {
    following_ = true;
    model_->SetDocument(selection_->document());
    following_ = false;
    Search();
  });
  connect(selection_, &Selection::Changed, this, &ComputationsPanel::FollowSelection);
}

void ComputationsPanel::FocusSearch() {
  search_->setFocus();
  search_->selectAll();
}

void ComputationsPanel::Search() {
  const QString pattern = search_->text().trimmed();
  following_ = true;
  filter_->setFilterFixedString(pattern);
  following_ = false;
  found_->clear();
  found_->setVisible(!pattern.isEmpty());
  if (pattern.isEmpty() || selection_->document() == nullptr) return;
  const Module& module = selection_->module();
  const std::string wanted = absl::AsciiStrToLower(pattern.toStdString());
  for (size_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id{i};
    const absl::string_view opcode = OpcodeName(module.opcode(id));
    const absl::string_view name = module.InstructionName(id);
    if (!absl::StrContains(absl::AsciiStrToLower(name), wanted) && opcode != wanted) continue;
    if (found_->count() == kMaxFound) {
      found_->addItem(tr("... more; type more of the name"));
      break;
    }
    auto* item = new QListWidgetItem(ToQString(name), found_);
    item->setData(kInstructionOfComputationRole, id.value);
    item->setToolTip(QStringLiteral("%1 %2\n%3")
                         .arg(Elide(ToQString(module.shape(id).ToString()), 80), ToQString(opcode),
                              ToQString(module.ComputationName(module.instruction(id).computation))));
  }
  if (found_->count() == 0) found_->addItem(tr("no instruction of that name or opcode"));
}

void ComputationsPanel::FollowSelection() {
  const ComputationId computation = selection_->computation();
  if (!computation.has_value()) return;
  const QModelIndex index =
      filter_->mapFromSource(model_->index(static_cast<int>(computation.index()), ComputationListModel::kName));
  following_ = true;
  if (index.isValid() && index.row() != list_->currentIndex().row()) list_->setCurrentIndex(index);
  following_ = false;
}

}  // namespace hloscope::gui
