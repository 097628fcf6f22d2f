// SPDX-License-Identifier: Apache-2.0
// The values of the run: that of the selected instruction where the run is, its operands', and pinned ones.
#ifndef HLOSCOPE_GUI_PANELS_TENSOR_PANEL_H_
#define HLOSCOPE_GUI_PANELS_TENSOR_PANEL_H_

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <QWidget>
#include <vector>

#include "gui/models/element_past.h"
#include "gui/models/selection.h"
#include "gui/models/session_controller.h"
#include "gui/panels/values_beside.h"
#include "gui/views/tensor_view.h"

namespace hloscope::gui {

class TensorPanel : public QScrollArea {
  Q_OBJECT

 public:
  TensorPanel(Selection* selection, SessionController* session, QWidget* parent = nullptr);

  // The tab that follows the run.
  TensorView* current_view() { return view_; }
  TensorModel* model() { return view_->model(); }
  QString heading() const { return heading_->text(); }
  // What is said instead of a value when there is none; empty if there is one.
  QString message() const { return message_->isHidden() ? QString() : message_->text(); }
  QString summary_text() const { return view_->statistics_text(); }
  QTabWidget* tabs() { return tabs_; }
  QComboBox* source_box() { return source_box_; }
  QComboBox* leaf_box() { return leaf_box_; }
  QComboBox* compare_box() { return compare_box_; }
  QCheckBox* link_box() { return link_; }
  QTreeWidget* answer_list() { return answer_list_; }
  QString answer_text() const { return answer_label_->isHidden() ? QString() : answer_label_->text(); }

  // Keeps the value that is shown in a tab of its own, which the run does not change.
  void Pin();
  // Compares the value in front with an .npy file; read on another thread.
  void CompareWithFile(const QString& path);
  // Writes the value (".npy"; ".html" to look at it in a browser), its slice (".csv") or the picture (".png", ".svg",
  // ".pdf"), by the ending; says so below the value.
  void Export(const QString& path);
  // The value in front as `hloscope value` takes it, "main::t.3{1}"; empty if no instruction has it.
  QString ExpressionOfShown() const;
  // The value in front for a bug report.
  QString MarkdownOfShown() const;
  // Lists where the element at the cursor comes from: at once if the values are there, else the debugger is asked, as
  // it is about a NaN's origin and an element's history.
  void AskWhy();
  void AskDebugger(PastQuestion question);
  bool busy() const { return file_task_->busy(); }
  // The values of all tabs beside one another instead of in tabs.
  void SetBeside(bool beside);
  ValuesBeside* beside() { return values_; }
  QToolButton* beside_button() { return side_by_side_; }
  // Makes a value again that was dropped, after that has failed or was interrupted.
  QToolButton* again_button() { return again_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 Q_SIGNALS:
  // An export or reading a file ended; `message` says how.
  void FileDone(bool good, const QString& message);

 private:
  // A value that can be chosen: the selected instruction's, one of its operands', or the last one computed.
  struct Source {
    QString caption;
    InstructionId instruction;
  };
  struct Leaf {
    QString path;  // "{1,0}"; empty for a value that is no tuple
    std::vector<int64_t> numbers;
    evaluator::Tensor tensor;
  };
  // What the tabs show, by tab; the first follows the run.
  struct Shown {
    QString caption;
    InstructionId instruction;
    std::vector<int64_t> path;
  };

  // Sets up the parts and arranges them.
  void Build();
  void SetUpControls();
  void SetUpLabels();
  void SetUpTabs();
  void SetUpQuestions();
  void Refresh();
  void ShowSource(int number);
  void ShowLeaf(int number);
  void ShowNothing(const QString& why);
  // Instead of a value that is not there, or not yet.
  void ShowMissing(InstructionId instruction);
  // Asks for a value that was dropped, unless that has been tried in vain.
  void ShowDropped(InstructionId instruction);
  void CollectLeaves(const evaluator::Value& value, const QString& path, std::vector<int64_t>* numbers);
  void FillCompareBox();
  void Compare(int row);
  void SetFileResult(bool good, const QString& message);
  void ExportPage(const QString& path);
  void ChooseExport(const QString& ending, const QString& filter);
  void LinkFrom(const TensorView* view);
  void SetUpBeside();
  // As many columns as there are tabs.
  void ShowBeside();
  void ShowAnswer(const ElementAnswer& answer);
  // An instruction whose computation is not active: its history can be asked for.
  void ShowReturned(InstructionId instruction);
  void SetReturned(bool returned);
  TensorView* front() const;
  // Tells the views how much room there is.
  void ShareRoom();
  void Watch(TensorView* view);

  Selection* selection_;
  SessionController* session_;
  QComboBox *source_box_, *leaf_box_, *compare_box_;
  QToolButton *pin_, *export_, *side_by_side_, *again_;
  QCheckBox* link_;
  QLabel *heading_, *message_, *file_label_, *answer_label_;
  QTabWidget* tabs_;
  ValuesBeside* values_;
  TensorView* view_;
  QWidget* element_bar_;
  QSplitter* beside_;  // of the tabs and the answers
  QWidget* answers_;
  QTreeWidget* answer_list_;
  BackgroundTask* file_task_;

  std::vector<Source> sources_;
  std::vector<Leaf> leaves_;
  std::vector<Shown> shown_;
  std::vector<ElementRow> answer_rows_;
  // What the rows of the comparison box stand for after "nothing".
  std::vector<evaluator::Tensor> others_;
  QString recall_problem_;  // why a value that was dropped could not be made again; empty: it was not tried
  bool waiting_ = false;    // nothing is shown because the run was busy
  bool refreshing_ = false;
  bool returned_ = false;  // the first tab has no value, but a past
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_PANELS_TENSOR_PANEL_H_
