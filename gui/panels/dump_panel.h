// SPDX-License-Identifier: Apache-2.0
// A folder of dumps: modules and their stages; new files appear while a program runs. A file is opened when it is
// chosen, and not before.
#ifndef HLOSCOPE_GUI_PANELS_DUMP_PANEL_H_
#define HLOSCOPE_GUI_PANELS_DUMP_PANEL_H_

#include <QFileSystemWatcher>
#include <QHash>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTimer>
#include <QTreeWidget>
#include <QWidget>
#include <memory>

#include "gui/models/background_task.h"
#include "gui/models/dump_list.h"

namespace hloscope::gui {

class DumpPanel : public QWidget {
  Q_OBJECT

 public:
  explicit DumpPanel(QWidget* parent = nullptr);

  void OpenFolder(const QString& path);
  QTreeWidget* tree() { return tree_; }
  QLineEdit* filter() { return filter_; }
  QString summary() const { return summary_->text(); }
  QPlainTextEdit* text() { return text_; }
  QPushButton* passes_button() { return passes_; }
  bool busy() const { return task_->busy(); }
  bool working_out_costs() const { return cost_task_->busy() || cost_clock_.isActive(); }
  // As a double click.
  void Choose(QTreeWidgetItem* item);

 Q_SIGNALS:
  // A file with a module was chosen.
  void FileChosen(const QString& path);
  // What passes changed in a module of the folder is asked for; its name as DumpedModuleName says.
  void PassesRequested(const QString& folder, const QString& module);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void List();
  void Show(const DumpList& list);
  void Filter();
  void Watch(const DumpList& list);
  // Works out what the modules that can be seen take, one after the other.
  void FindNextCost();
  void ShowCost(QTreeWidgetItem* item);

  QString folder_;
  QTreeWidget* tree_;
  QLineEdit* filter_;
  QLabel* summary_;
  QPushButton* passes_;   // of the module that is selected
  QPlainTextEdit* text_;  // of a report or a log
  BackgroundTask* task_;
  BackgroundTask* cost_task_;
  QTimer cost_clock_;               // until scrolling has come to rest
  QHash<QString, DumpCost> costs_;  // by file and time
  QFileSystemWatcher watcher_;
  QTimer later_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_PANELS_DUMP_PANEL_H_
