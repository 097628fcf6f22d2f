// SPDX-License-Identifier: Apache-2.0
// Where the elements of a result come from: index maps of instructions, and broadcasting of two shapes step by step.
#ifndef HLOSCOPE_GUI_PANELS_BROADCAST_PANEL_H_
#define HLOSCOPE_GUI_PANELS_BROADCAST_PANEL_H_

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollArea>
#include <QSlider>
#include <QSplitter>
#include <QTimer>
#include <QToolButton>

#include "core/builder/broadcasting.h"
#include "core/document/document.h"
#include "gui/models/index_map.h"
#include "gui/models/selection.h"
#include "gui/models/session_controller.h"
#include "gui/views/cell_grid_view.h"
#include "gui/views/dimension_links_view.h"
#include "gui/views/slice_bar.h"

namespace hloscope::gui {

class BroadcastPanel : public QScrollArea {
  Q_OBJECT

 public:
  static constexpr size_t kMaxOperands = 4;  // that have pictures

  enum class Mode { kInstruction, kShapes };
  enum class CellContent { kLetter, kIndex, kValue };

  // Both may be null: then only typed shapes are shown.
  BroadcastPanel(Selection* selection, SessionController* session, QWidget* parent = nullptr);

  void SetMode(Mode mode);
  // The shapes, `dims` as typed ("0,1"; empty: none), the operation's name.
  void SetShapes(const QString& lhs, const QString& rhs, const QString& dims, const QString& operation);

  const IndexMap& map() const { return map_; }
  CellGridView* result_view() { return result_.grid; }
  CellGridView* operand_view(size_t k) { return operands_[k].grid; }
  QListWidget* step_list() { return steps_; }
  QLineEdit* lhs_field() { return lhs_; }
  QLineEdit* rhs_field() { return rhs_; }
  QLineEdit* dims_field() { return dims_; }
  QComboBox* mode_box() { return mode_; }
  QComboBox* content_box() { return content_; }
  QString problem_text() const { return problem_->isHidden() ? QString() : problem_->text(); }
  QString explanation_text() const { return explanation_->text(); }
  QString element_text() const { return element_->text(); }

  // How many elements of the result are there in the step-by-step picture; all of them unless someone steps.
  int64_t progress() const { return progress_; }
  void SetProgress(int64_t elements);
  void Play(bool play);
  bool playing() const { return timer_.isActive(); }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Side {
    QWidget* widget = nullptr;
    QLabel* title = nullptr;
    SliceBar* slices = nullptr;
    CellGridView* grid = nullptr;
  };

  // Sets up the parts and arranges them.
  void Build();
  void SetUpShapes();   // what is broadcast
  void SetUpPlaying();  // steps, and element after element
  void SetUpArrays();   // operands and result
  Side MakeSide(const QString& name);
  void FollowSelection();
  void ReadShapes();
  void ShowStep(int row);
  void ShowMap(IndexMap map);
  void ShowProblem(const QString& message, QLineEdit* field);
  void ShowSide(Side& side, const QString& title, const hloscope::Shape& shape,
                std::function<CellGridView::Look(evaluator::DimensionVector)> look);
  void ShowSides();
  void ShowResult(const evaluator::DimensionVector& index, bool scroll);
  void ShowSource(const MapSource& source);
  void ClearMarks();
  void Step(int by);
  void ShowProgress();
  int64_t result_count() const { return map_.good() ? map_.result_shape().ElementCount() : 0; }
  evaluator::DimensionVector ResultIndex(int64_t number) const;
  QString SourceText(const MapSource& source) const;
  QColor SourceColor(const MapSource& source) const;

  Selection* selection_;
  SessionController* session_;
  QComboBox *mode_, *operation_, *content_;
  QLineEdit *lhs_, *rhs_, *dims_;
  QWidget* shape_bar_;
  QListWidget* steps_;
  QLabel *problem_, *explanation_, *element_, *progress_label_;
  DimensionLinksView* links_;
  QWidget* play_bar_;
  QToolButton *first_, *back_, *play_, *forward_;
  QSlider* slider_;
  QSplitter* splitter_;
  std::vector<Side> operands_;
  Side result_;
  QTimer timer_;

  std::shared_ptr<const Document> typed_;  // the module that the shapes expand to
  std::vector<InstructionId> step_instructions_;
  IndexMap map_;
  std::vector<MapSource> marked_sources_;
  std::vector<evaluator::DimensionVector> marked_results_;
  int64_t progress_ = 0;
  bool setting_ = false;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_PANELS_BROADCAST_PANEL_H_
