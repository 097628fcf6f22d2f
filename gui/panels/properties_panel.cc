// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/properties_panel.h"

#include <QFile>
#include <QHeaderView>
#include <QSplitter>
#include <QTextBlock>
#include <QVBoxLayout>

#include "gui/models/text.h"
#include "gui/panels/row_delegate.h"
#include "gui/views/metrics.h"

namespace hloscope::gui {

PropertiesPanel::PropertiesPanel(Selection* selection, SessionController* session, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      session_(session),
      model_(new PropertyModel(this)),
      tree_(new QTreeView),
      help_(new QTextBrowser) {
  tree_->setAccessibleName(tr("Properties of the selected instruction"));
  help_->setAccessibleName(tr("What the operation does"));
  tree_->setModel(model_);
  tree_->setItemDelegate(new RowDelegate(tree_));
  tree_->setAlternatingRowColors(true);
  tree_->setUniformRowHeights(true);
  tree_->setIndentation(14);
  tree_->setSelectionMode(QAbstractItemView::SingleSelection);
  tree_->header()->setSectionResizeMode(PropertyModel::kName, QHeaderView::Interactive);
  tree_->header()->resizeSection(PropertyModel::kName, 120);
  tree_->header()->setStretchLastSection(true);
  tree_->setTextElideMode(Qt::ElideRight);
  help_->setFrameShape(QFrame::NoFrame);
  help_->setOpenLinks(false);

  auto* splitter = new QSplitter(Qt::Vertical);
  splitter->addWidget(tree_);
  splitter->addWidget(help_);
  splitter->setStretchFactor(0, 3);
  splitter->setStretchFactor(1, 2);
  auto* column = new QVBoxLayout(this);
  column->addWidget(splitter);
  help_->hide();

  connect(tree_, &QTreeView::clicked, this, &PropertiesPanel::Follow);
  connect(tree_, &QTreeView::activated, this, &PropertiesPanel::Follow);
  connect(selection_, &Selection::Changed, this, &PropertiesPanel::FollowSelection);
  connect(selection_, &Selection::GroupChanged, this, &PropertiesPanel::FollowSelection);
  connect(session_, &SessionController::Stopped, this, [this] {
    if (selection_->group() != nullptr) ShowGroup();  // with the time that the run has measured
  });
}

void PropertiesPanel::Follow(const QModelIndex& index) {
  const InstructionId instruction = model_->InstructionLink(index);
  const ComputationId computation = model_->ComputationLink(index);
  if (instruction.has_value()) selection_->SelectInstruction(instruction);
  if (computation.has_value()) selection_->SelectComputation(computation);
}

void PropertiesPanel::FollowSelection() {
  if (selection_->document() == nullptr) {
    model_->ShowNothing();
    ShowHelp(Opcode::kInvalid);
  } else if (selection_->group() != nullptr) {
    ShowGroup();
    ShowHelp(Opcode::kInvalid);
  } else if (selection_->instruction().has_value()) {
    model_->ShowInstruction(selection_->document(), selection_->instruction());
    ShowHelp(selection_->module().opcode(selection_->instruction()));
  } else if (selection_->computation().has_value()) {
    model_->ShowComputation(selection_->document(), selection_->computation());
    ShowHelp(Opcode::kInvalid);
  } else {
    model_->ShowNothing();
    ShowHelp(Opcode::kInvalid);
  }
  tree_->expandToDepth(0);
  // Long names of attributes are read whole, as far as the values keep room.
  tree_->resizeColumnToContents(PropertyModel::kName);
  const int most = std::max(120, tree_->viewport()->width() / 2);
  tree_->header()->resizeSection(PropertyModel::kName, std::clamp(tree_->columnWidth(PropertyModel::kName), 120, most));
}

void PropertiesPanel::ShowGroup() {
  if (analyses_ == nullptr || analyses_->document() != selection_->document()) {
    analyses_ = std::make_shared<DocumentAnalyses>(selection_->document());
  }
  model_->ShowGroup(analyses_, *selection_->group(), session_->statistics());
}

void PropertiesPanel::ShowHelp(Opcode opcode) {
  if (opcode == shown_help_) return;
  shown_help_ = opcode;
  QFile page;
  if (opcode != Opcode::kInvalid) page.setFileName(QStringLiteral(":/ops/%1.md").arg(ToQString(OpcodeName(opcode))));
  const bool found = !page.fileName().isEmpty() && page.open(QIODevice::ReadOnly);
  help_->setVisible(found);
  if (!found) return;
  help_->setMarkdown(QString::fromUtf8(page.readAll()));
  // Headings as large as a page's are too loud for a panel.
  for (QTextBlock block = help_->document()->begin(); block.isValid(); block = block.next()) {
    if (block.blockFormat().nonBreakableLines()) {
      // Formulas and examples: wrapped rather than cut off, with room below the last line.
      QTextBlockFormat format = block.blockFormat();
      format.setNonBreakableLines(false);
      const QTextBlock next = block.next();
      if (!next.isValid() || !next.blockFormat().nonBreakableLines()) format.setBottomMargin(Space::kMargin);
      QTextCursor(block).setBlockFormat(format);
      continue;
    }
    if (block.blockFormat().headingLevel() == 0) continue;
    QTextCursor cursor(block);
    cursor.select(QTextCursor::BlockUnderCursor);
    QTextCharFormat format;
    format.setProperty(QTextFormat::FontSizeAdjustment, 0);
    format.setFontWeight(QFont::Bold);
    cursor.mergeCharFormat(format);
  }
  help_->moveCursor(QTextCursor::Start);
}

}  // namespace hloscope::gui
