// SPDX-License-Identifier: Apache-2.0
// What each pass changed in a module of a folder of dumps: the list of stages, any two of them side by side as texts
// and graphs, and one instruction through all of them.
#ifndef HLOSCOPE_GUI_PANELS_PASSES_PANEL_H_
#define HLOSCOPE_GUI_PANELS_PASSES_PANEL_H_

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gui/models/background_task.h"
#include "gui/models/dumped_modules.h"
#include "gui/models/pass_blame.h"
#include "gui/models/passes_model.h"
#include "gui/models/selection.h"
#include "gui/models/stage_comparison.h"
#include "gui/views/comparison_view.h"
#include "gui/views/text_comparison_view.h"
#include "insight/passes/instruction_trace.h"

namespace hloscope::gui {

class PassesPanel : public QWidget {
  Q_OBJECT

 public:
  explicit PassesPanel(Selection* selection, QWidget* parent = nullptr);
  ~PassesPanel() override;

  // Nothing is read before the panel is seen. `module`: as DumpedModuleName says; empty: the one with the most stages.
  void OpenFolder(const QString& folder, const QString& module = QString());
  // Compares two stages; where they are the same, the stage with the one before it.
  void Compare(size_t before, size_t after);
  // Follows an instruction through all stages; from `stage` on, if that is given.
  void Follow(const QString& name, std::optional<size_t> stage = std::nullopt);

  // Looks for the pass that made the results wrong: runs stages with what was chosen last for the module, else with
  // made-up arguments (Preferences::fill).
  void Blame();
  // Asks what to run them with first.
  void BlameWithOtherInputs();
  // Writes what was found as two small modules with their inputs below the folder.
  void WriteExample(const QString& folder);
  // The dialog, or what a test puts in its place; nothing: not wanted.
  std::function<std::optional<BlameInputs>(const Module& module, const BlameInputs& inputs)> ask_inputs =
      [this](const Module& module, const BlameInputs& inputs) { return AskInputs(module, inputs); };

  const QString& folder() const { return folder_; }
  // Of the module that is shown, as `hloscope passes` takes it; 0: there is none.
  int module_number() const;
  QComboBox* modules() { return modules_; }
  QLineEdit* search() { return search_; }
  QCheckBox* unchanged() { return unchanged_; }
  QTreeView* list() { return list_; }
  PassesModel* model() { return model_; }
  QTabWidget* tabs() { return tabs_; }
  TextComparisonView* texts() { return texts_; }
  ComparisonView* graphs() { return graphs_; }
  QLineEdit* follow_field() { return follow_; }
  QTreeWidget* trace() { return trace_; }
  QWidget* blame_page() { return blame_page_; }
  QTreeWidget* blame_list() { return blame_list_; }
  QPushButton* example_button() { return example_; }
  QToolButton* cancel_button() { return cancel_; }
  QString summary() const { return summary_->text(); }
  bool busy() const { return list_task_->busy() || stage_task_->busy() || blame_task_->busy(); }

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* MakeControls();
  QWidget* MakeDetails();
  QWidget* MakeFollowBar();
  QWidget* MakeBlamePage();
  QWidget* MakeBlameBar();
  std::optional<BlameInputs> AskInputs(const Module& module, const BlameInputs& inputs);
  void ListModules();
  void ListPasses();
  void ShowSelectedStages();
  void ShowComparison(size_t before, size_t after, StageComparison comparison);
  void ShowTrace(const insight::InstructionTrace& trace);
  void ShowStep(const QTreeWidgetItem* item);
  void ShowBlame(PassBlame blame);
  void ShowBlamed(int row);
  // The instruction that was clicked at: the other view shows it, and the field names it.
  void TakeInstruction(InstructionId before, InstructionId after);
  void GoToWanted();
  void Cancel();
  insight::StageProgress ProgressOf(const std::atomic<bool>& cancelled);
  QString StageTitle(size_t stage) const;

  Selection* selection_;
  QComboBox* modules_;
  QLineEdit* search_;
  QCheckBox* unchanged_;
  QProgressBar* progress_;
  QToolButton *cancel_, *again_;
  PassesModel* model_;
  NotablePasses* notable_;
  QSplitter* splitter_;
  QTreeView* list_;
  QTabWidget* tabs_;
  TextComparisonView* texts_;
  ComparisonView* graphs_;
  QLineEdit* follow_;
  QTreeWidget *trace_, *blame_list_;
  QWidget* blame_page_;
  QPushButton* example_;
  QLabel* summary_;
  BackgroundTask *list_task_, *stage_task_, *blame_task_;
  QTimer patience_;  // until progress is worth showing

  QString folder_, wanted_module_;
  bool listed_ = true;  // the folder's modules; false: to be done when the panel is seen
  std::vector<DumpedModule> dumped_;
  std::shared_ptr<const VersionComparison> versions_;  // that are shown
  size_t shown_after_ = 0;                             // the stage on the right
  PassBlame blamed_;                                   // its rows are those of blame_list_
  std::optional<BlameInputs> blame_inputs_;            // chosen for the module; nothing: the usual ones
  // Selected once the stages that are being compared are shown.
  std::string wanted_before_, wanted_after_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_PANELS_PASSES_PANEL_H_
