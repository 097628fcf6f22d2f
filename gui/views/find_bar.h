// Ctrl+F under the text view.
#ifndef HLOSCOPE_GUI_VIEWS_FIND_BAR_H_
#define HLOSCOPE_GUI_VIEWS_FIND_BAR_H_

#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QWidget>

namespace hloscope {

class FindBar : public QWidget {
  Q_OBJECT

 public:
  explicit FindBar(QPlainTextEdit* text, QWidget* parent = nullptr);

  // Shows the bar with the selected word, ready to type.
  void Activate();
  // Goes to the next (or previous) place and wraps around. False if there is none.
  bool FindNext(bool backward = false);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QPlainTextEdit* text_;
  QLineEdit* pattern_;
  QLabel* message_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_GUI_VIEWS_FIND_BAR_H_
