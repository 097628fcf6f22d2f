// SPDX-License-Identifier: Apache-2.0
// Why the module needs the memory that it needs: what is alive when, where it lies, what was given away, what would
// help.
#ifndef HLOSCOPE_GUI_PANELS_MEMORY_PANEL_H_
#define HLOSCOPE_GUI_PANELS_MEMORY_PANEL_H_

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTreeView>
#include <QTreeWidget>
#include <QWidget>
#include <memory>

#include "gui/models/background_task.h"
#include "gui/models/memory_picture.h"
#include "gui/models/selection.h"
#include "gui/models/workspace.h"
#include "gui/views/memory_lives_view.h"

namespace hloscope::gui {

class MemoryPanel : public QWidget {
  Q_OBJECT

 public:
  MemoryPanel(Selection* selection, Workspace* workspace, QWidget* parent = nullptr);

  MemoryLivesView* view() { return view_; }
  LiveValuesModel* alive() { return alive_; }
  QTreeWidget* donations() { return donations_; }
  QTreeWidget* copies() { return copies_; }
  QTreeWidget* answers() { return answers_; }
  QLineEdit* question() { return question_; }
  QComboBox* order() { return order_; }
  QString summary() const { return summary_->text(); }
  QString problem() const { return problem_->text(); }
  bool busy() const { return task_->busy(); }
  const MemoryPicture* picture() const { return picture_.get(); }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QTreeWidget* MakeTree(const QString& name, const QStringList& titles);
  QWidget* MakeTabs();
  QWidget* MakeWhatIf();
  // Works the picture out again if the panel is seen and it is of another text.
  void Refresh();
  void ShowPicture(std::shared_ptr<const MemoryPicture> picture);
  void ShowTables();
  void ShowStep(uint32_t step);
  void Ask();

  Selection* selection_;
  Workspace* workspace_;
  MemoryLivesView* view_;
  LiveValuesModel* alive_;
  QTreeView* alive_list_;
  QTreeWidget* donations_;
  QTreeWidget* copies_;
  QTreeWidget* answers_;
  QTabWidget* tabs_;
  QLineEdit* question_;
  QLabel* problem_;
  QComboBox* order_;
  QPushButton* peak_;
  QPushButton* cancel_;
  QLabel* summary_;
  BackgroundTask* task_;
  std::shared_ptr<const Document> wanted_;  // of which the picture is, or is being made
  std::shared_ptr<const MemoryPicture> picture_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_PANELS_MEMORY_PANEL_H_
