// SPDX-License-Identifier: Apache-2.0
// What the user does in the text: fixes, folding, the context menu, tool tips, clicks on names.
#include <QClipboard>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QTextBlock>
#include <QToolTip>
#include <algorithm>
#include <utility>

#include "gui/models/markdown.h"
#include "gui/models/text.h"
#include "gui/views/text_view.h"

namespace hloscope::gui {

std::vector<const FixIt*> TextView::FixesAt(uint32_t offset) const {
  std::vector<const FixIt*> fixes;
  if (document_ == nullptr || live_->pending()) return fixes;
  for (const Diagnostic& problem : document_->diagnostics()) {
    if (problem.range.begin > offset || std::max(problem.range.end, problem.range.begin + 1) < offset) continue;
    for (const FixIt& fix : problem.fixes) fixes.push_back(&fix);
  }
  return fixes;
}

void TextView::ApplyFix(const FixIt& fix) {
  if (isReadOnly() || document_ == nullptr || live_->pending()) return;
  // From the end, so that the places of the others stay right.
  std::vector<FixIt::Edit> edits = fix.edits;
  std::sort(edits.begin(), edits.end(),
            [](const FixIt::Edit& a, const FixIt::Edit& b) { return a.range.begin > b.range.begin; });
  std::vector<std::pair<int, int>> places;
  for (const FixIt::Edit& edit : edits) places.emplace_back(PositionOf(edit.range.begin), PositionOf(edit.range.end));
  QTextCursor cursor(document());
  cursor.beginEditBlock();
  for (size_t i = 0; i < edits.size(); ++i) {
    cursor.setPosition(places[i].first);
    cursor.setPosition(places[i].second, QTextCursor::KeepAnchor);
    cursor.insertText(ToQString(edits[i].replacement));
  }
  cursor.endEditBlock();
}

void TextView::ReplaceText(const QString& text) {
  if (isReadOnly()) return;
  moving_ = true;
  QTextCursor cursor(document());
  cursor.beginEditBlock();
  cursor.select(QTextCursor::Document);
  cursor.insertText(text);
  cursor.endEditBlock();
  moving_ = false;
}

void TextView::AddFixes(QMenu* menu, uint32_t offset) {
  for (const FixIt* fix : FixesAt(offset)) {
    menu->addAction(tr("Fix: %1").arg(ToQString(fix->title)), this, [this, copy = *fix] { ApplyFix(copy); });
  }
}

void TextView::OfferFixes() {
  if (document_ == nullptr) return;
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  AddFixes(menu, OffsetOf(textCursor()));
  if (menu->isEmpty()) menu->addAction(tr("No fix is known here"))->setEnabled(false);
  menu->popup(viewport()->mapToGlobal(cursorRect().bottomLeft()));
}

void TextView::GoToDefinition() {
  if (document_ != nullptr && !live_->pending()) FollowNameAt(OffsetOf(textCursor()));
}

void TextView::contextMenuEvent(QContextMenuEvent* event) {
  QMenu* menu = createStandardContextMenu();
  menu->setAttribute(Qt::WA_DeleteOnClose);
  if (document_ != nullptr) {
    const QTextCursor cursor = cursorForPosition(event->pos());
    const uint32_t offset = OffsetOf(cursor);
    QAction* first = menu->actions().isEmpty() ? nullptr : menu->actions().constFirst();
    auto* own = new QMenu(menu);
    AddFixes(own, offset);
    own->addAction(tr("Go to definition"), this, [this, offset] { FollowNameAt(offset); });
    const InstructionId id = InstructionOnLine(cursor.blockNumber());
    if (id.has_value()) {
      own->addAction(session_->HasBreakpoint(id) ? tr("Remove breakpoint") : tr("Set breakpoint"), this,
                     [this, id] { session_->ToggleBreakpoint(id); });
      own->addAction(tr("Run to here"), this,
                     [this, id] { session_->Execute(SessionController::Command::kRunTo, id); });
      const auto add_panel = [&](const QString& caption, const char* panel) {
        own->addAction(caption, this, [this, id, panel] {
          selection_->SelectInstruction(id);
          Q_EMIT PanelRequested(QLatin1String(panel));
        });
      };
      add_panel(tr("Show its value"), "value");
      add_panel(tr("Show its layout in memory"), "layout");
      add_panel(tr("Show which elements it reads"), "index_map");
      own->addAction(tr("Copy as Markdown"), this,
                     [this, id] { QGuiApplication::clipboard()->setText(MarkdownOfInstruction(*document_, id)); });
    }
    menu->insertActions(first, own->actions());
    menu->insertSeparator(first);
  }
  menu->popup(event->globalPos());
}

QString TextView::ToolTipAt(QPoint at) const {
  if (document_ == nullptr || live_->pending()) return QString();
  const QTextCursor cursor = cursorForPosition(at);
  const uint32_t offset = OffsetOf(cursor);
  QStringList lines;
  for (const Diagnostic& problem : document_->diagnostics()) {
    if (problem.range.begin > offset || std::max(problem.range.end, problem.range.begin + 1) < offset) continue;
    lines.push_back(ToQString(problem.Message()));
    for (const FixIt& fix : problem.fixes) lines.push_back(tr("Ctrl+. : %1").arg(ToQString(fix.title)));
  }
  if (!lines.isEmpty()) return lines.join(QLatin1Char('\n'));
  const SymbolAtPosition symbol = document_->SymbolAt(offset);
  if (!symbol.instruction.has_value()) return QString();
  const Module& module = document_->module();
  lines.push_back(QStringLiteral("%1 = %2 %3")
                      .arg(ToQString(module.InstructionName(symbol.instruction)),
                           Elide(ToQString(module.shape(symbol.instruction).ToString()), 120),
                           ToQString(OpcodeName(module.opcode(symbol.instruction)))));
  const auto hint = hints_.find(symbol.instruction);
  if (hint != hints_.end() && !hint->second.isEmpty()) lines.push_back(hint->second);
  return lines.join(QLatin1Char('\n'));
}

bool TextView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QPlainTextEdit::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QString text = ToolTipAt(viewport()->mapFrom(this, help->pos()));
  if (text.isEmpty()) {
    QToolTip::hideText();
  } else {
    QToolTip::showText(help->globalPos(), text, this);
  }
  return true;
}

void TextView::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ControlModifier) && document_ != nullptr) {
    FollowNameAt(OffsetOf(cursorForPosition(event->position().toPoint())));
    return;
  }
  QPlainTextEdit::mousePressEvent(event);
}

void TextView::mouseMoveEvent(QMouseEvent* event) {
  const bool link = event->modifiers().testFlag(Qt::ControlModifier);
  viewport()->setCursor(link ? Qt::PointingHandCursor : Qt::IBeamCursor);
  if (!link) QPlainTextEdit::mouseMoveEvent(event);
}

bool TextView::ToggleFold(int line) {
  const auto fold = folds_.find(line);
  if (fold == folds_.end()) return false;
  const bool show = IsFolded(line);
  QTextBlock block = document()->findBlockByNumber(line + 1);
  const int begin = block.position();
  int end = begin;
  for (; block.isValid() && block.blockNumber() < fold->second; block = block.next()) {
    block.setVisible(show);
    block.setLineCount(show ? 1 : 0);
    end = block.position() + block.length();
  }
  document()->markContentsDirty(begin, end - begin);
  auto* layout = static_cast<QPlainTextDocumentLayout*>(document()->documentLayout());
  Q_EMIT layout->documentSizeChanged(layout->documentSize());
  viewport()->update();
  gutter_->update();
  return true;
}

void TextView::SetAllFolded(bool folded) {
  for (const auto& [first, last] : folds_) {
    if (IsFolded(first) != folded) ToggleFold(first);
  }
}

}  // namespace hloscope::gui
