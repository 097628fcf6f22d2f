// SPDX-License-Identifier: Apache-2.0
// A tool bar whose buttons keep their places. Where there is no room for the words of all, the buttons added with the
// lowest rank are icons, with their words in the tool tip. Only the width of the bar decides which: not what a button
// says at the moment, nor whether it can be used.
#ifndef HLOSCOPE_GUI_VIEWS_FITTING_TOOL_BAR_H_
#define HLOSCOPE_GUI_VIEWS_FITTING_TOOL_BAR_H_

#include <QStringList>
#include <QToolBar>
#include <QToolButton>
#include <vector>

namespace hloscope::gui {

class FittingToolBar : public QToolBar {
  Q_OBJECT

 public:
  explicit FittingToolBar(const QString& title, QWidget* parent = nullptr);

  // Adds a button with the action's icon and words. The higher the rank, the longer it keeps its words. `other_words`:
  // what it may say later.
  void AddButton(QAction* action, int rank, const QStringList& other_words = {});
  // Whether the button of the action has its words.
  bool HasWords(const QAction* action) const;

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Button {
    QToolButton* widget;
    int rank;
    QStringList words;  // all that it may say
  };
  static int WidthOf(const Button& button, Qt::ToolButtonStyle style);
  void Fit();

  std::vector<Button> buttons_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_FITTING_TOOL_BAR_H_
