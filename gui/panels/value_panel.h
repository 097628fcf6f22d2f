// The value of the selected instruction where the run stands: range and mean, and a table of elements.
#ifndef HLOSCOPE_GUI_PANELS_VALUE_PANEL_H_
#define HLOSCOPE_GUI_PANELS_VALUE_PANEL_H_

#include <QComboBox>
#include <QLabel>
#include <QSpinBox>
#include <QTableView>
#include <QThreadPool>
#include <QWidget>
#include <atomic>
#include <memory>
#include <vector>

#include "evaluator/tensor/summary.h"
#include "gui/models/selection.h"
#include "gui/models/session_controller.h"
#include "gui/models/tensor_model.h"

namespace hloscope {

class ValuePanel : public QWidget {
  Q_OBJECT

 public:
  ValuePanel(Selection* selection, SessionController* session, QWidget* parent = nullptr);
  ~ValuePanel() override;

  TensorModel* model() { return model_; }
  QString heading() const { return heading_->text(); }
  // What is said instead of a table when there is no value; empty if there is one.
  QString message() const { return message_->isHidden() ? QString() : message_->text(); }
  QString summary_text() const { return summary_->text(); }

 private:
  // A value that can be chosen: the selected instruction's, one of its operands', or the last one computed.
  struct Source {
    QString caption;
    InstructionId instruction;
  };
  struct Leaf {
    QString path;  // "{1,0}"; empty for a value that is no tuple
    Tensor tensor;
  };

  void Refresh();
  void ShowSource(int number);
  void ShowLeaf(int number);
  void ShowNothing(const QString& why);
  void BuildIndexControls();
  void StartSummary(const Tensor& tensor);
  void CollectLeaves(const Value& value, const QString& path);

  Selection* selection_;
  SessionController* session_;
  TensorModel* model_;
  QLabel* heading_;
  QComboBox* source_box_;
  QComboBox* leaf_box_;
  QLabel* summary_;
  QLabel* message_;
  QWidget* index_row_;
  std::vector<QSpinBox*> index_boxes_;
  QTableView* table_;

  std::vector<Source> sources_;
  std::vector<Leaf> leaves_;
  bool refreshing_ = false;

  QThreadPool pool_;
  std::shared_ptr<std::atomic<bool>> summary_cancelled_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_GUI_PANELS_VALUE_PANEL_H_
