// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/computations_panel.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <vector>

#include "gui/models/instruction_query.h"
#include "gui/models/text.h"
#include "gui/panels/row_delegate.h"

namespace hloscope::gui {
namespace {

constexpr size_t kMaxFound = 200;
constexpr int kInstructionOfComputationRole = Qt::UserRole;

}  // namespace

ComputationsPanel::ComputationsPanel(Selection* selection, SessionController* session, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      session_(session),
      model_(new ComputationListModel(this)),
      filter_(new QSortFilterProxyModel(this)),
      search_(new QLineEdit),
      list_(new QTreeView),
      found_(new QListWidget),
      note_(new QLabel) {
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
  list_->setTextElideMode(Qt::ElideMiddle);
  found_->setTextElideMode(Qt::ElideMiddle);
  search_->setPlaceholderText(tr("Find in all computations"));
  search_->setToolTip(tr(
      "Computations by name; instructions by name, opcode, shape or op_name, or by one of these: name:x, opcode:dot, "
      "shape:f32[8, op_name:layer_3, source:train.py:12, attribute:dimensions={1}, has:nan, /pattern/. Enter and the "
      "arrows go through what is found, Escape clears."));
  search_->installEventFilter(this);
  note_->setWordWrap(true);
  note_->hide();
  search_->setAccessibleName(search_->placeholderText());
  search_->setClearButtonEnabled(true);
  found_->setVisible(false);
  found_->setItemDelegate(new RowDelegate(found_));
  found_->setUniformItemSizes(true);

  auto* column = new QVBoxLayout(this);
  column->addWidget(search_);
  column->addWidget(list_, 2);
  column->addWidget(found_, 1);
  column->addWidget(note_);

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
  connect(found_, &QListWidget::currentRowChanged, this, [this](int row) {
    if (row >= 0) ShowCount();
  });
  connect(session_, &SessionController::HealthChanged, this, [this] {
    if (InstructionQuery::Parse(search_->text()).needs_health()) Search();
  });
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
  const InstructionQuery query = InstructionQuery::Parse(search_->text());
  const bool is_about_names = query.field() == InstructionQuery::Field::kAny && !query.is_pattern();
  following_ = true;
  filter_->setFilterFixedString(is_about_names ? search_->text().trimmed() : QString());
  following_ = false;
  found_->clear();
  found_count_ = 0;
  const bool is_asked = !query.is_empty() && selection_->document() != nullptr;
  found_->setVisible(is_asked);
  note_->setVisible(is_asked);
  if (!is_asked) return;
  if (!query.error().isEmpty()) return note_->setText(tr("The pattern cannot be read: %1").arg(query.error()));
  if (query.needs_health() && session_->AskHealthOfRun()) {
    return note_->setText(tr("Looking through all values of the run..."));
  }
  const Module& module = selection_->module();
  InstructionQuery::Knowledge knowledge;
  knowledge.document = selection_->document().get();
  knowledge.health = [this](InstructionId id) { return session_->HealthInRun(id); };
  knowledge.executed = [this](InstructionId id) { return session_->IsExecuted(id); };
  std::vector<InstructionId> all = query.Find(module, module.instruction_count(), knowledge);
  // What has the words in its name or is such an operation comes before what has them elsewhere.
  if (is_about_names) {
    const InstructionQuery name(InstructionQuery::Field::kName, search_->text().trimmed(), false);
    const InstructionQuery opcode(InstructionQuery::Field::kOpcode, search_->text().trimmed(), false);
    std::stable_partition(all.begin(), all.end(),
                          [&](InstructionId id) { return name.Matches(module, id) || opcode.Matches(module, id); });
  }
  found_count_ = all.size();
  for (size_t i = 0; i < all.size() && i < kMaxFound; ++i) {
    auto* item = new QListWidgetItem(ToQString(module.InstructionName(all[i])), found_);
    item->setData(kInstructionOfComputationRole, all[i].value);
    item->setToolTip(QStringLiteral("%1 %2\n%3")
                         .arg(Elide(ToQString(module.shape(all[i]).ToString()), 80),
                              ToQString(OpcodeName(module.opcode(all[i]))),
                              ToQString(module.ComputationName(module.instruction(all[i]).computation))));
  }
  ShowCount();
}

void ComputationsPanel::ShowCount() {
  const QString count = FormatCount(static_cast<int64_t>(found_count_));
  QString text = found_count_ == 0           ? tr("No instruction found")
                 : found_->currentRow() >= 0 ? tr("%1 of %2").arg(FormatCount(found_->currentRow() + 1), count)
                                             : tr("%1 found; Enter goes to the next one").arg(count);
  if (found_count_ > kMaxFound) text += tr("; the first %1 are listed").arg(kMaxFound);
  note_->setText(text);
}

void ComputationsPanel::FindNext(int step) {
  const int count = found_->count();
  if (count == 0) return;
  const int row = found_->currentRow();
  found_->setCurrentRow(row < 0 ? (step > 0 ? 0 : count - 1) : (row + step + count) % count);
}

// The search is left with Escape; Return and the arrows walk through what it found.
bool ComputationsPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched != search_ || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  switch (key->key()) {
    case Qt::Key_Escape:
      if (search_->text().isEmpty()) break;
      search_->clear();
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      FindNext(key->modifiers().testFlag(Qt::ShiftModifier) ? -1 : 1);
      return true;
    case Qt::Key_Down:
      FindNext(1);
      return true;
    case Qt::Key_Up:
      FindNext(-1);
      return true;
    default:
      break;
  }
  return QWidget::eventFilter(watched, event);
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
