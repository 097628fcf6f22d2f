// The module's text: line numbers, syntax colours, marks of the selection, of execution and of breakpoints. Clicking
// into an instruction selects it. Read-only.
#ifndef HLOSCOPE_GUI_VIEWS_TEXT_VIEW_H_
#define HLOSCOPE_GUI_VIEWS_TEXT_VIEW_H_

#include <QPlainTextEdit>
#include <memory>
#include <vector>

#include "core/document/document.h"
#include "gui/models/selection.h"
#include "gui/models/session_controller.h"
#include "gui/views/theme.h"

namespace hloscope {

class TextGutter;

class TextView : public QPlainTextEdit {
  Q_OBJECT

 public:
  TextView(Selection* selection, SessionController* session, QWidget* parent = nullptr);

  // UTF-16 position in the view of a byte offset of the source.
  int PositionOf(uint32_t offset) const;
  uint32_t OffsetOf(const QTextCursor& cursor) const;
  // The instruction in whose text the line begins, or that begins on it; none if there is none.
  InstructionId InstructionOnLine(int line) const;
  // Follows the name under the cursor: an operand to its definition, a computation to its body.
  void FollowNameAt(uint32_t offset);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  friend class TextGutter;

  void ShowDocument();
  void ShowSelection();
  void ShowRange(SourceRange range);
  void FollowCursor();
  void UpdateMarks();
  void UpdateGutterWidth();
  void ColorVisibleLines();
  void ApplyTheme();
  void PaintGutter(QPaintEvent* event);
  void ClickGutter(int y);

  Selection* selection_;
  SessionController* session_;
  TextGutter* gutter_;
  std::shared_ptr<const Document> document_;
  Theme theme_;
  std::vector<bool> colored_;          // by line
  std::vector<int> breakpoint_lines_;  // sorted
  int current_line_ = -1;
  bool moving_ = false;  // the cursor moves because the selection changed, not the other way round
};

}  // namespace hloscope

#endif  // HLOSCOPE_GUI_VIEWS_TEXT_VIEW_H_
