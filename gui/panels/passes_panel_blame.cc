// SPDX-License-Identifier: Apache-2.0
// The panel of passes: the pass to blame.
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <utility>

#include "gui/models/text.h"
#include "gui/panels/blame_dialog.h"
#include "gui/panels/panel_commands.h"
#include "gui/panels/passes_panel.h"
#include "gui/panels/row_delegate.h"
#include "gui/views/metrics.h"
#include "gui/views/wrap_layout.h"
#include "insight/passes/stage_reader.h"

namespace hloscope::gui {

QWidget* PassesPanel::MakeBlamePage() {
  blame_list_->setHeaderLabels({tr("What"), tr("Which")});
  blame_list_->setAccessibleName(tr("The pass to blame, and how each stage compares with the first one"));
  blame_list_->setRootIsDecorated(false);
  blame_list_->setUniformRowHeights(true);
  blame_list_->setAlternatingRowColors(true);
  blame_list_->setItemDelegate(new RowDelegate(blame_list_));
  connect(blame_list_, &QTreeWidget::itemClicked, this,
          [this](QTreeWidgetItem* item) { ShowBlamed(blame_list_->indexOfTopLevelItem(item)); });
  connect(blame_list_, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
    ShowBlamed(blame_list_->indexOfTopLevelItem(item));
    tabs_->setCurrentWidget(texts_);
  });
  blame_page_ = new QWidget;
  auto* column = new QVBoxLayout(blame_page_);
  column->setContentsMargins(0, Space::kTight, 0, 0);
  column->setSpacing(Space::kTight);
  column->addWidget(MakeBlameBar());
  column->addWidget(blame_list_, 1);
  return blame_page_;
}

QWidget* PassesPanel::MakeBlameBar() {
  auto* blame = new QPushButton(tr("Blame"));
  blame->setObjectName(QStringLiteral("blame"));
  blame->setToolTip(
      tr("Run stages on the same arguments, and name the first pass after which results differ and the instruction "
         "with which it begins"));
  auto* other = new QPushButton(tr("Arguments..."));
  other->setObjectName(QStringLiteral("blame_inputs"));
  other->setToolTip(tr("Choose the arguments from files or how they are made up, and how far results may differ"));
  auto* copy = new QPushButton(tr("Copy Command"));
  copy->setObjectName(QStringLiteral("copy_blame"));
  copy->setToolTip(tr("Copy a line for a terminal that finds the same"));
  example_->setToolTip(
      tr("Write what computes the first value that differs, before and after the pass, as two small modules with their "
         "arguments"));
  example_->setEnabled(false);
  auto* bar = MakeWrapBar();
  for (QWidget* widget : std::initializer_list<QWidget*>{blame, other, copy, example_})
    bar->layout()->addWidget(widget);
  connect(blame, &QPushButton::clicked, this, &PassesPanel::Blame);
  connect(other, &QPushButton::clicked, this, &PassesPanel::BlameWithOtherInputs);
  connect(copy, &QPushButton::clicked, this, [this] {
    if (module_number() == 0) return;
    const QString command = BlameCommand(folder_, module_number(), blame_inputs_);
    QGuiApplication::clipboard()->setText(command);
    summary_->setText(tr("Copied: %1").arg(command));
  });
  connect(example_, &QPushButton::clicked, this, [this] {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder to write the example to"));
    if (!folder.isEmpty()) WriteExample(folder);
  });
  return bar;
}

std::optional<BlameInputs> PassesPanel::AskInputs(const Module& module, const BlameInputs& inputs) {
  BlameDialog dialog(module, inputs, this);
  if (dialog.exec() != QDialog::Accepted) return std::nullopt;
  return dialog.inputs();
}

void PassesPanel::BlameWithOtherInputs() {
  if (model_->stages().empty()) return;
  progress_->setRange(0, 0);
  blame_task_->Start([this, stage = model_->stages()[0]](const std::atomic<bool>&) -> BackgroundTask::Done {
    const absl::StatusOr<std::shared_ptr<const Document>> first = insight::MakeStageReader(false)(stage);
    return [this, first] {
      if (!first.ok()) return summary_->setText(ToQString(first.status().message()));
      const Module& module = (*first)->module();
      std::optional<BlameInputs> chosen =
          ask_inputs(module, blame_inputs_.has_value() ? *blame_inputs_ : UsualBlameInputs(module));
      if (!chosen.has_value()) return;
      blame_inputs_ = std::move(chosen);
      Blame();
    };
  });
}

void PassesPanel::Blame() {
  if (model_->stages().empty()) return;
  ShowBlame({});
  summary_->setText(tr("Looking for the pass to blame..."));
  progress_->setRange(0, 0);
  blame_task_->Start([this, inputs = blame_inputs_, stages = model_->stages()](const std::atomic<bool>& cancelled) {
    const auto tell = [this, &cancelled](const std::string& what) {
      QMetaObject::invokeMethod(this, [this, what = ToQString(what), is_old = cancelled.load()] {
        if (!is_old && blame_task_->busy()) summary_->setText(tr("Blame: %1").arg(what));
      });
    };
    absl::StatusOr<PassBlame> blame = FindGuiltyPass(stages, inputs, tell, cancelled);
    return BackgroundTask::Done([this, blame = std::move(blame)] {
      if (!blame.ok()) return summary_->setText(ToQString(blame.status().message()));
      ShowBlame(*blame);
      tabs_->setCurrentWidget(blame_page_);
      // The stages stand ready behind the list.
      const std::vector<BlameRow>& rows = blamed_.rows;
      if (!rows.empty() && rows[0].before != rows[0].after) {
        ShowBlamed(static_cast<int>(std::find_if(rows.begin() + 1, rows.end(), std::mem_fn(&BlameRow::is_culprit)) -
                                    rows.begin()));
      }
    });
  });
}

void PassesPanel::ShowBlame(PassBlame blame) {
  blame_list_->clear();
  blamed_ = std::move(blame);
  for (const BlameRow& row : blamed_.rows) {
    auto* item = new QTreeWidgetItem(blame_list_, {row.what, row.text});
    item->setToolTip(1, row.text);
    if (!row.is_culprit) continue;
    QFont font = blame_list_->font();
    font.setBold(true);
    for (int column = 0; column < 2; ++column) item->setFont(column, font);
  }
  blame_list_->resizeColumnToContents(0);
  example_->setEnabled(blamed_.result != nullptr && blamed_.result->culprit.has_value());
  if (!blamed_.summary.isEmpty()) summary_->setText(blamed_.summary);
}

void PassesPanel::ShowBlamed(int row) {
  if (row < 0 || row >= static_cast<int>(blamed_.rows.size())) return;
  const BlameRow& chosen = blamed_.rows[static_cast<size_t>(row)];
  wanted_before_ = chosen.name_before;
  wanted_after_ = chosen.name_after;
  if (!chosen.name_after.empty()) follow_->setText(ToQString(chosen.name_after));
  Compare(chosen.before, chosen.after);
}

void PassesPanel::WriteExample(const QString& folder) {
  if (blamed_.result == nullptr) return;
  summary_->setText(tr("Writing to %1...").arg(folder));
  progress_->setRange(0, 0);
  blame_task_->Start([this, folder, blame = blamed_](const std::atomic<bool>& cancelled) {
    const absl::StatusOr<std::vector<std::string>> written = WriteBlamed(blame, folder, cancelled);
    return BackgroundTask::Done([this, folder, written] {
      if (!written.ok()) {
        return summary_->setText(
            tr("Nothing was written to %1: %2").arg(folder, ToQString(written.status().message())));
      }
      QStringList paths;
      for (const std::string& path : *written) paths << ToQString(path);
      summary_->setText(tr("Written: %1").arg(paths.join(QStringLiteral(", "))));
    });
  });
}

}  // namespace hloscope::gui
