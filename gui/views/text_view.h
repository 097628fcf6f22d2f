// SPDX-License-Identifier: Apache-2.0
// The module's text, to be edited: line numbers, syntax colours, marks of the selection, of execution, of breakpoints
// and of problems, computations that fold, values at the ends of lines. Clicking into an instruction selects it.
#ifndef HLOSCOPE_GUI_VIEWS_TEXT_VIEW_H_
#define HLOSCOPE_GUI_VIEWS_TEXT_VIEW_H_

#include <QPlainTextEdit>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/document/document.h"
#include "gui/models/opened_profile.h"
#include "gui/models/selection.h"
#include "gui/models/session_controller.h"
#include "gui/models/text_document.h"
#include "gui/views/live_document.h"
#include "gui/views/theme.h"

namespace hloscope::gui {

class MarkedScrollBar;
class TextGutter;

class TextView : public QPlainTextEdit {
  Q_OBJECT

 public:
  TextView(Selection* selection, SessionController* session, QWidget* parent = nullptr);

  // The text of the document that the selection gets next; without it, it is made here.
  void ExpectText(const SharedText& text) { expected_text_ = text; }

  // UTF-16 position in the view of a byte offset of the source.
  int PositionOf(uint32_t offset) const;
  uint32_t OffsetOf(const QTextCursor& cursor) const;
  // The instruction in whose text the line begins, or that begins on it; none if there is none.
  InstructionId InstructionOnLine(int line) const;
  // The bytes to be saved.
  std::string CurrentText() const { return live_->CurrentText(); }
  // The diagnostics follow what was typed a moment later.
  bool updating() const { return live_->pending(); }
  bool is_modified() const { return document()->isModified(); }

  // What could be done about the problems at a byte offset.
  std::vector<const FixIt*> FixesAt(uint32_t offset) const;
  // Changes the text as the fix says; can be undone.
  void ApplyFix(const FixIt& fix);
  // Makes this the text, as one change that undo takes back.
  void ReplaceText(const QString& text);
  // A menu of the fixes at the cursor; says so if there is none.
  void OfferFixes();
  // To where the name under the cursor is defined.
  void GoToDefinition();

  // Folds or unfolds the computation that begins on the line. False if none begins there.
  bool ToggleFold(int line);
  void SetAllFolded(bool folded);
  bool IsFolded(int line) const;
  void SetValueHints(bool shown);
  // Whose times are shown at the ends of lines; outlives the view.
  void SetProfile(ProfileOverlay* profile);
  // Shows problems, breakpoints and what is executed next.
  const MarkedScrollBar* marked_bar() const { return marked_bar_; }
  void SetFontSize(int points);
  // Those have a ribbon beside their line.
  void SetBookmarks(std::vector<InstructionId> instructions);
  enum class GutterMark { kBreakpoint, kCurrent, kBookmark, kWarning, kError };
  // What is beside a line.
  std::vector<GutterMark> GutterMarksOf(int line) const;

  // Follows the name under the cursor: an operand to its definition, a computation to its body.
  void FollowNameAt(uint32_t offset);

 Q_SIGNALS:
  // A panel of the dock table is to be shown: "layout".
  void PanelRequested(const QString& name);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool event(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  friend class TextGutter;

  void ShowDocument();
  void ShowText(SharedText text);
  void ShowSelection();
  void ShowRange(SourceRange range);
  void FollowCursor();
  void UpdateMarks();
  void UpdateScrollMarks();
  void FindProblemLines();
  void UpdateGutterWidth();
  void ColorVisibleLines();
  void ApplyTheme();
  void PaintGutter(QPaintEvent* event);
  void PaintGutterMark(QPainter* painter, GutterMark mark, const QRectF& room) const;
  void ClickGutter(QPoint at);
  void AdoptDocument(std::shared_ptr<const Document> document);
  void FindFolds();
  void PaintValueHints();
  void AddFixes(QMenu* menu, uint32_t offset);
  QString ToolTipAt(QPoint at) const;
  QString HintOf(InstructionId id);

  Selection* selection_;
  ProfileOverlay* profile_ = nullptr;
  SessionController* session_;
  TextGutter* gutter_;
  MarkedScrollBar* marked_bar_;
  LiveDocument* live_;
  std::shared_ptr<const Document> document_;
  SharedText text_, expected_text_;  // shown; of what is shown next
  Theme theme_;
  std::vector<bool> colored_;  // by line
  std::vector<InstructionId> bookmarks_;
  std::vector<int> breakpoint_lines_, bookmark_lines_;  // sorted
  std::map<int, bool> problem_lines_;                   // whether there is an error
  int current_line_ = -1;
  std::map<int, int> folds_;                // first line of each computation: its last one
  std::map<InstructionId, QString> hints_;  // of values, as of the last stop
  bool value_hints_ = true;
  bool cursor_seen_ = false;  // until somebody scrolls it away; sizes change without that
  bool resizing_ = false;
  bool moving_ = false;  // the cursor moves because the selection changed, not the other way round
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_TEXT_VIEW_H_
