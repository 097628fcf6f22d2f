// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/arguments_dialog.h"

#include <QDialogButtonBox>
#include <QDropEvent>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QMimeData>
#include <QRegularExpression>
#include <QRegularExpressionValidator>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/models/text.h"
#include "gui/panels/preferences_dialog.h"
#include "gui/views/small_screens.h"

namespace hloscope::gui {
namespace {

constexpr int kParameterRole = Qt::UserRole;
// Pixels: a header and two parameters.
constexpr int kLeastTable = 100;

}  // namespace

ArgumentsDialog::ArgumentsDialog(const Module& module, const ArgumentSource& arguments, QWidget* parent,
                                 std::shared_ptr<const std::vector<evaluator::Value>> recorded)
    : QDialog(parent),
      form_(new QFormLayout),
      fill_(new QComboBox),
      seed_(new QLineEdit),
      parameters_(new QTableWidget),
      replicas_(new QSpinBox),
      partitions_(new QSpinBox),
      use_recorded_(new QCheckBox(tr("Use the values that were recorded with the module"))),
      recorded_(std::move(recorded)) {
  setWindowTitle(tr("Arguments"));
  resize(FittedToScreen(QSize(820, 420)));
  AddFillKinds(fill_);
  fill_->setCurrentIndex(fill_->findData(static_cast<int>(arguments.fill)));
  seed_->setText(QString::number(arguments.seed));
  seed_->setValidator(new QRegularExpressionValidator(QRegularExpression(QStringLiteral("[0-9]{1,19}")), this));
  auto show_seed = [this] {
    const auto kind = static_cast<evaluator::FillKind>(fill_->currentData().toInt());
    seed_->setEnabled(kind != evaluator::FillKind::kZeros && kind != evaluator::FillKind::kOnes &&
                      kind != evaluator::FillKind::kIota);
  };
  connect(fill_, &QComboBox::currentIndexChanged, this, show_seed);
  show_seed();

  parameters_->setColumnCount(kColumnCount);
  parameters_->setHorizontalHeaderLabels({tr("No."), tr("Parameter"), tr("Shape"), tr("Filled with"), tr(".npy file")});
  parameters_->verticalHeader()->hide();
  parameters_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  parameters_->setSelectionBehavior(QAbstractItemView::SelectRows);
  parameters_->horizontalHeader()->setStretchLastSection(true);
  if (module.entry().has_value()) {
    const std::vector<InstructionId>& ids = module.computation(module.entry()).parameters;
    for (size_t number = 0; number < ids.size(); ++number) {
      if (!ids[number].has_value()) continue;
      const int row = parameters_->rowCount();
      parameters_->insertRow(row);
      auto* number_item = new QTableWidgetItem(QString::number(number));
      number_item->setData(kParameterRole, static_cast<int>(number));
      parameters_->setItem(row, kNumber, number_item);
      auto* name = new QTableWidgetItem(ToQString(module.InstructionName(ids[number])));
      name->setToolTip(name->text());
      parameters_->setItem(row, kName, name);
      const Shape& shape = module.shape(ids[number]);
      parameters_->setItem(row, kShape, new QTableWidgetItem(Elide(ToQString(shape.ToString(false)), 200)));
      auto* file = new QTableWidgetItem(arguments.files.value(static_cast<int>(number)));
      if (!shape.IsArray()) {
        file->setText(tr("(not an array)"));
        file->setFlags(Qt::NoItemFlags);
      }
      parameters_->setItem(row, kFile, file);
      auto* own_fill = new QComboBox;
      own_fill->addItem(tr("as the others"), -1);
      AddFillKinds(own_fill);
      own_fill->setAccessibleName(tr("What parameter %1 is filled with").arg(number));
      const auto kind = arguments.fills.find(static_cast<int>(number));
      if (kind != arguments.fills.end()) own_fill->setCurrentIndex(own_fill->findData(static_cast<int>(*kind)));
      parameters_->setCellWidget(row, kFill, own_fill);
    }
  }
  parameters_->resizeColumnToContents(kNumber);
  // Names of parameters begin alike and differ at their ends.
  parameters_->setWordWrap(false);
  parameters_->setTextElideMode(Qt::ElideMiddle);
  parameters_->setColumnWidth(kName, 290);
  parameters_->setColumnWidth(kShape, 150);
  parameters_->setColumnWidth(kFill, 170);
  parameters_->setAccessibleName(tr("Parameters"));
  connect(parameters_, &QTableWidget::cellDoubleClicked, this, [this](int row) { ChooseFile(row); });

  use_recorded_->setChecked(arguments.recorded != nullptr);
  use_recorded_->setVisible(recorded_ != nullptr);
  form_->addRow(use_recorded_);
  form_->addRow(tr("Fill all with"), fill_);
  form_->addRow(tr("Seed"), seed_);
  for (auto [box, count] : {std::pair(replicas_, arguments.replicas), std::pair(partitions_, arguments.partitions)}) {
    box->setRange(1, 64);
    box->setValue(count);
  }
  form_->addRow(tr("Replicas"), replicas_);
  form_->addRow(tr("Partitions"), partitions_);
  setAcceptDrops(true);
  auto* hint = new QLabel(tr("Double-click a parameter to load it from an .npy file; Delete goes back to the fill."));
  hint->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* remove = new QAction(parameters_);
  remove->setShortcut(QKeySequence::Delete);
  remove->setShortcutContext(Qt::WidgetShortcut);
  parameters_->addAction(remove);
  connect(remove, &QAction::triggered, this, [this] {
    QTableWidgetItem* file =
        parameters_->currentRow() >= 0 ? parameters_->item(parameters_->currentRow(), kFile) : nullptr;
    if (file != nullptr && file->flags() != Qt::NoItemFlags) file->setText(QString());
  });
  parameters_->setMinimumHeight(kLeastTable);
  auto* page = new QWidget;
  auto* contents = new QVBoxLayout(page);
  contents->setContentsMargins({});
  contents->addLayout(form_);
  contents->addWidget(parameters_, 1);
  contents->addWidget(hint);
  auto* column = new QVBoxLayout(this);
  column->addWidget(new ScrolledPage(page), 1);
  column->addWidget(buttons);
}

void ArgumentsDialog::AddRow(const QString& caption, QWidget* widget) { form_->addRow(caption, widget); }

void ArgumentsDialog::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

// Files go to the parameter that they are dropped on, and to those after it.
void ArgumentsDialog::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  int row = parameters_->rowAt(parameters_->viewport()->mapFrom(this, event->position().toPoint()).y());
  row = std::max(row, 0);
  for (const QUrl& url : event->mimeData()->urls()) {
    while (row < parameters_->rowCount() && parameters_->item(row, kFile)->flags() == Qt::NoItemFlags) ++row;
    if (!url.isLocalFile() || row >= parameters_->rowCount()) continue;
    parameters_->item(row++, kFile)->setText(url.toLocalFile());
  }
}

void ArgumentsDialog::SetFile(int parameter, const QString& path) {
  for (int row = 0; row < parameters_->rowCount(); ++row) {
    if (parameters_->item(row, kNumber)->data(kParameterRole).toInt() == parameter) {
      parameters_->item(row, kFile)->setText(path);
    }
  }
}

void ArgumentsDialog::AddFiles(const QStringList& paths) {
  int row = 0;
  for (const QString& path : paths) {
    const auto is_taken = [&](int r) {
      const QTableWidgetItem* file = parameters_->item(r, kFile);
      return file->flags() == Qt::NoItemFlags || !file->text().isEmpty();
    };
    while (row < parameters_->rowCount() && is_taken(row)) ++row;
    if (row >= parameters_->rowCount()) return;
    parameters_->item(row, kFile)->setText(path);
  }
}

QComboBox* ArgumentsDialog::FillOf(int row) const {
  return static_cast<QComboBox*>(parameters_->cellWidget(row, kFill));
}

void ArgumentsDialog::ChooseFile(int row) {
  QTableWidgetItem* file = parameters_->item(row, kFile);
  if (file->flags() == Qt::NoItemFlags) return;
  const QString path = QFileDialog::getOpenFileName(this, tr("Value of parameter %1").arg(row), file->text(),
                                                    tr("NumPy arrays (*.npy);;All files (*)"));
  if (!path.isEmpty()) file->setText(path);
}

ArgumentSource ArgumentsDialog::arguments() const {
  ArgumentSource result;
  result.fill = static_cast<evaluator::FillKind>(fill_->currentData().toInt());
  result.seed = seed_->text().toULongLong();
  result.replicas = replicas_->value();
  result.partitions = partitions_->value();
  if (use_recorded_->isChecked()) result.recorded = recorded_;
  for (int row = 0; row < parameters_->rowCount(); ++row) {
    const int number = parameters_->item(row, kNumber)->data(kParameterRole).toInt();
    if (const int kind = FillOf(row)->currentData().toInt(); kind >= 0) {
      result.fills.insert(number, static_cast<evaluator::FillKind>(kind));
    }
    const QTableWidgetItem* file = parameters_->item(row, kFile);
    if (file->flags() == Qt::NoItemFlags || file->text().isEmpty()) continue;
    result.files.insert(number, file->text());
  }
  return result;
}

}  // namespace hloscope::gui
