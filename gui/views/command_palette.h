// SPDX-License-Identifier: Apache-2.0
// Every command of the window by name: type a part of it, press Enter. Without typing, it is the list of shortcuts.
#ifndef HLOSCOPE_GUI_VIEWS_COMMAND_PALETTE_H_
#define HLOSCOPE_GUI_VIEWS_COMMAND_PALETTE_H_

#include <QAction>
#include <QDialog>
#include <QLineEdit>
#include <QTableWidget>
#include <vector>

namespace hloscope::gui {

class CommandPalette : public QDialog {
  Q_OBJECT

 public:
  // The commands of `actions` that have a text and are not menus.
  CommandPalette(const QList<QAction*>& actions, QWidget* parent);

  QLineEdit* search() { return search_; }
  QTableWidget* commands() { return table_; }
  // Triggers the command of the current row and closes.
  void Run();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void Filter();

  QLineEdit* search_;
  QTableWidget* table_;
  std::vector<QAction*> actions_;  // by row
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_COMMAND_PALETTE_H_
