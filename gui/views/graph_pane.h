// The graph of the selected computation with its controls: which part is shown, the way back to the callers, zoom, and
// the progress of a layout that takes long.
#ifndef HLOSCOPE_GUI_VIEWS_GRAPH_PANE_H_
#define HLOSCOPE_GUI_VIEWS_GRAPH_PANE_H_

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QProgressBar>
#include <QSpinBox>
#include <QTimer>
#include <QToolButton>
#include <QWidget>
#include <vector>

#include "core/analysis/graph.h"
#include "gui/layout/layout_process.h"
#include "gui/models/selection.h"
#include "gui/models/session_controller.h"
#include "gui/views/graph_scene.h"
#include "gui/views/graph_view.h"

namespace hloscope {

class GraphPane : public QWidget {
  Q_OBJECT

 public:
  enum class Scope {
    kAutomatic,  // the whole computation if it is small
    kWhole,
    kNeighbourhood,  // around the selected instruction
  };
  // Largest computation that is drawn whole without being asked for, and the largest that is at all.
  static constexpr size_t kSmallComputation = 400;
  static constexpr size_t kLargestWhole = 3000;
  static constexpr size_t kMaxNeighbours = 250;
  static constexpr int kTimeLimitMs = 30'000;

  GraphPane(Selection* selection, SessionController* session, QWidget* parent = nullptr);

  GraphScene* scene() { return scene_; }
  GraphView* view() { return view_; }
  void SetScope(Scope scope);
  void SetDepth(int depth);
  bool laying_out() const { return layout_->running(); }
  // What the line under the graph says.
  QString note() const { return note_->text(); }

 Q_SIGNALS:
  // A new graph is drawn.
  void GraphShown();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void BuildControls();
  void FollowSelection();
  void StartLayout();
  void FinishLayout(const GraphLayout& layout);
  void FailLayout(const QString& message);
  void ShowBreadcrumb();
  void UpdateMarks();
  void Enter(InstructionId caller);
  void Walk(int direction);
  bool WantsWhole(size_t computation_size) const;
  // The graph in the scene no longer shows what it should.
  bool IsOutdated() const;
  void SetBusy(bool busy);

  Selection* selection_;
  SessionController* session_;
  LayoutProcess* layout_;
  GraphScene* scene_;
  GraphView* view_;

  QLabel* breadcrumb_;
  QComboBox* scope_;
  QSpinBox* depth_;
  QLabel* depth_caption_;
  QLabel* note_;
  QProgressBar* progress_;
  QToolButton* cancel_;
  QTimer busy_timer_;

  std::shared_ptr<const Document> document_;  // of the graph in the scene
  Graph pending_;                             // being laid out
  std::vector<NodeSize> pending_sizes_;
  bool force_layout_ = false;
  // Callers the user came through, so that the way back is the way in.
  std::vector<InstructionId> entered_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_GUI_VIEWS_GRAPH_PANE_H_
