// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/breakpoints_panel.h"

#include <QAction>
#include <QHeaderView>
#include <QVBoxLayout>

#include "gui/models/text.h"
#include "gui/views/theme.h"

namespace hloscope::gui {
namespace {

constexpr int kInstructionOfBreakpointRole = Qt::UserRole;

QTableWidget* MakeTable(const QStringList& headers, const QString& name) {
  auto* table = new QTableWidget(0, static_cast<int>(headers.size()));
  table->setHorizontalHeaderLabels(headers);
  table->setAccessibleName(name);
  table->verticalHeader()->hide();
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setAlternatingRowColors(true);
  table->horizontalHeader()->setStretchLastSection(true);
  return table;
}

}  // namespace

BreakpointsPanel::BreakpointsPanel(Selection* selection, SessionController* session, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      session_(session),
      breakpoints_(MakeTable({tr("Breakpoint"), tr("Condition")}, tr("Breakpoints"))),
      watches_(MakeTable({tr("Watch"), tr("Value")}, tr("Watches"))),
      new_watch_(new QLineEdit),
      problem_(new QLabel) {
  breakpoints_->setToolTip(
      tr("Double click a condition to write one, as: iteration == 7 && any(isnan(x)). Delete removes."));
  watches_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  new_watch_->setPlaceholderText(tr("Watch an expression, as max(abs(dot.3))"));
  new_watch_->setAccessibleName(tr("New watch"));
  new_watch_->setClearButtonEnabled(true);
  problem_->setWordWrap(true);
  problem_->hide();
  auto* column = new QVBoxLayout(this);
  column->addWidget(breakpoints_, 1);
  column->addWidget(watches_, 1);
  column->addWidget(new_watch_);
  column->addWidget(problem_);

  auto add_delete = [this](QTableWidget* table, auto remove) {
    auto* action = new QAction(table);
    action->setShortcut(QKeySequence::Delete);
    action->setShortcutContext(Qt::WidgetShortcut);
    table->addAction(action);
    connect(action, &QAction::triggered, this, [table, remove] {
      if (table->currentRow() >= 0) remove(table->currentRow());
    });
  };
  add_delete(breakpoints_, [this](int row) {
    session_->ToggleBreakpoint(InstructionId(breakpoints_->item(row, 0)->data(kInstructionOfBreakpointRole).toUInt()));
  });
  add_delete(watches_, [this](int row) { session_->RemoveWatch(row); });
  connect(breakpoints_, &QTableWidget::itemChanged, this, &BreakpointsPanel::ChangeBreakpoint);
  connect(breakpoints_, &QTableWidget::cellClicked, this, [this](int row, int column) {
    if (column == 0) {
      selection_->SelectInstruction(
          InstructionId(breakpoints_->item(row, 0)->data(kInstructionOfBreakpointRole).toUInt()));
    }
  });
  connect(new_watch_, &QLineEdit::returnPressed, this, [this] {
    if (new_watch_->text().trimmed().isEmpty()) return;
    const QString problem = session_->AddWatch(new_watch_->text().trimmed());
    SetProblem(problem);
    if (problem.isEmpty()) new_watch_->clear();
  });
  connect(session_, &SessionController::BreakpointsChanged, this, &BreakpointsPanel::ShowBreakpoints);
  connect(session_, &SessionController::WatchesChanged, this, &BreakpointsPanel::ShowWatches);
  connect(session_, &SessionController::Stopped, this, &BreakpointsPanel::ShowWatches);
  connect(selection_, &Selection::DocumentChanged, this, &BreakpointsPanel::ShowBreakpoints);
  ShowBreakpoints();
  ShowWatches();
}

void BreakpointsPanel::SetProblem(const QString& problem) {
  problem_->setText(problem);
  problem_->setVisible(!problem.isEmpty());
}

void BreakpointsPanel::ShowBreakpoints() {
  filling_ = true;
  breakpoints_->setRowCount(0);
  const bool known = selection_->document() != nullptr;
  for (const auto& [id, settings] : session_->breakpoints()) {
    if (!known || id.index() >= selection_->module().instruction_count()) continue;
    const int row = breakpoints_->rowCount();
    breakpoints_->insertRow(row);
    auto* name = new QTableWidgetItem(ToQString(selection_->module().InstructionName(id)));
    name->setData(kInstructionOfBreakpointRole, id.value);
    name->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    name->setCheckState(settings.enabled ? Qt::Checked : Qt::Unchecked);
    breakpoints_->setItem(row, 0, name);
    breakpoints_->setItem(row, 1, new QTableWidgetItem(settings.condition));
  }
  filling_ = false;
}

void BreakpointsPanel::ChangeBreakpoint(QTableWidgetItem* item) {
  if (filling_) return;
  const int row = item->row();
  const InstructionId id(breakpoints_->item(row, 0)->data(kInstructionOfBreakpointRole).toUInt());
  const auto found = session_->breakpoints().find(id);
  if (found == session_->breakpoints().end()) return;
  BreakpointSettings settings = found->second;
  settings.enabled = breakpoints_->item(row, 0)->checkState() == Qt::Checked;
  settings.condition = breakpoints_->item(row, 1)->text().trimmed();
  const QString problem = session_->SetBreakpoint(id, settings);
  SetProblem(problem);
  // What cannot be read is not kept.
  if (!problem.isEmpty()) ShowBreakpoints();
}

void BreakpointsPanel::ShowWatches() {
  const std::vector<WatchResult>& results = session_->watch_results();
  watches_->setRowCount(static_cast<int>(session_->watches().size()));
  for (int row = 0; row < watches_->rowCount(); ++row) {
    const bool known = static_cast<size_t>(row) < results.size();
    auto* value = new QTableWidgetItem(known ? results[static_cast<size_t>(row)].value : QString());
    value->setToolTip(value->text());
    if (known && results[static_cast<size_t>(row)].failed) value->setForeground(Theme::For(palette()).muted);
    watches_->setItem(row, 0, new QTableWidgetItem(session_->watches()[row]));
    watches_->setItem(row, 1, value);
  }
}

}  // namespace hloscope::gui
