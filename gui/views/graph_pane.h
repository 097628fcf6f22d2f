// SPDX-License-Identifier: Apache-2.0
// The graph of the selected computation with its controls: which part is shown and how it is coloured, groups that open
// and close, the way back to the callers, searching, paths, and the progress of a layout that takes long.
#ifndef HLOSCOPE_GUI_VIEWS_GRAPH_PANE_H_
#define HLOSCOPE_GUI_VIEWS_GRAPH_PANE_H_

#include <QCache>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QSpinBox>
#include <QThreadPool>
#include <QTimer>
#include <QToolButton>
#include <QWidget>
#include <memory>
#include <vector>

#include "gui/layout/layout_process.h"
#include "gui/models/document_analyses.h"
#include "gui/models/open_groups.h"
#include "gui/models/opened_profile.h"
#include "gui/models/selection.h"
#include "gui/models/session_controller.h"
#include "gui/views/graph_canvas.h"
#include "gui/views/graph_coloring.h"
#include "gui/views/legend_view.h"

namespace hloscope::gui {

class GraphPane : public QWidget {
  Q_OBJECT

 public:
  enum class Scope {
    kAutomatic,      // every instruction if there are few, else groups
    kWhole,          // every instruction
    kNeighbourhood,  // around the selected instruction
    kGroups,         // op_name scopes as boxes that open
  };
  using Coloring = GraphColoring;
  static constexpr size_t kOverviewBoxes = 110;
  static constexpr size_t kMaxNeighbours = 250;
  static constexpr int kTimeLimitMs = 10'000;

  GraphPane(Selection* selection, SessionController* session, QWidget* parent = nullptr);
  ~GraphPane() override;

  GraphCanvas* canvas() { return canvas_; }
  const VisibleGraph& graph() const { return canvas_->graph().graph(); }
  QLineEdit* search() { return search_; }
  void SetScope(Scope scope);
  void SetDepth(int depth);
  void SetColoring(Coloring coloring);
  void SetConstantsHidden(bool hidden);
  Scope scope() const { return static_cast<Scope>(scope_->currentIndex()); }
  Coloring coloring() const { return static_cast<Coloring>(coloring_->currentIndex()); }
  int depth() const { return depth_->value(); }
  bool constants_hidden() const { return !constants_->isChecked(); }
  // Shows the graph so large, around what is selected, or the one that is being laid out. 0: as it fits.
  void SetZoom(double scale);
  // Largest computation that is drawn instruction by instruction without being asked for, and largest graph that
  // Graphviz lays out; everything else is laid out by LayOutFlow.
  void SetLimits(size_t whole_computation, size_t graphviz_boxes);
  // What the module was compared with, for the colours; may be null.
  // Whose times colour the boxes in place of those of the run; outlives the pane.
  void SetProfile(ProfileOverlay* profile);
  void SetComparison(std::shared_ptr<const VersionComparison> comparison);
  const LegendView* legend() const { return legend_; }
  // What is selected stays in sight when the panel has another form.
  void KeepInView();
  // Opens the closed group of a box, or closes it; enters nothing.
  void Toggle(uint32_t box);
  // Opens or closes a group, shows what an instruction calls, or selects.
  void Activate(uint32_t box);
  void EnterComputation(InstructionId caller);
  // Marks the way from one instruction to the other. False if there is none.
  bool ShowPath(InstructionId from, InstructionId to);
  void ClearHighlight();
  // What the search found, in the order of the text.
  const std::vector<InstructionId>& found() const { return found_; }
  // Shows the other end of a jump.
  void FollowStub(const DrawnGraph::Stub& stub);
  // Back to what calls the computation that is shown.
  void GoUp();

  // Writes a picture of what is drawn, or its text in DOT, by the suffix of the path: .svg, .pdf, .png, .dot. What went
  // wrong; empty if nothing.
  QString Export(const QString& path);
  // What is drawn as a diagram in Markdown; of a large graph, the part around the selected instruction.
  QString MarkdownOfGraph() const;

  // Something is still under way: the graph or its layout.
  bool laying_out() const { return building_ || layout_->running(); }
  // What the line under the graph says.
  QString note() const { return note_->text(); }

 Q_SIGNALS:
  // A new graph is drawn.
  void GraphShown();
  // A panel of the dock table is to be shown: "layout".
  void PanelRequested(const QString& name);

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  // What a graph is made of; two equal ones give the same graph.
  struct Request {
    std::shared_ptr<DocumentAnalyses> analyses;
    OpenGroups::Keys passing;  // of the open groups: close if they are left
    VisibleGraphOptions options;
    std::shared_ptr<const DrawnGraph> previous;  // picture of the version before an edit; may be null
    bool overview = false;                       // open groups until the picture is full
    InstructionId reveal;                        // groups around it are opened
    bool compact = false;
  };
  struct Result {
    std::shared_ptr<DocumentAnalyses> analyses;
    std::shared_ptr<const BoxText> text;
    std::shared_ptr<DrawnGraph> graph;
    OpenGroups::Keys open, passing;
    std::vector<uint32_t> landmarks;
  };
  // Where the view goes when the new graph is there.
  struct Aim {
    enum class Kind { kInitial, kKeep, kPin, kFollow, kFocus } kind = Kind::kInitial;
    uint64_t key = 0;  // of the box to be pinned, and with kFollow shown whole
    QPointF screen;    // where its corner was
  };

  // Controls; BuildControls makes and arranges all of them.
  void BuildControls();
  void MakeBreadcrumb();
  void MakeChoices();  // which part of the graph, and what colours mean
  void MakeSearch();
  QWidget* MakeToolBar();
  QToolButton* MakeMenuButton();
  QLayout* MakeStatusLine();
  void ForgetDocument();
  // Lays everything out again, wherever boxes were.
  void LayOutAfresh();
  void FollowSelection();
  bool IsOutdated() const;
  bool HidesGoal() const;
  bool LeavesGroups() const;
  Aim AimAt(Aim::Kind kind, uint32_t box) const;
  bool ShowsScopes(size_t computation_size) const;
  Request MakeRequest() const;
  static Result Build(const Request& request, const std::shared_ptr<const BoxText>& text);
  bool ContinueAfterEdit();
  bool LacksBoxesOf(const DrawnGraph& base) const;
  void Start(Aim aim, std::shared_ptr<const DrawnGraph> previous = nullptr);
  void Finish(int number, Result result);
  void StartGraphviz();
  void FinishGraphviz(const GraphLayout& layout);
  void ShowGraph();
  void TakeWantedZoom();
  void SetBusy(bool busy);
  void ShowNote();
  // The lines around the graph that there is room for.
  void ShowLines();
  void ShowBreadcrumb();
  void ShowSelected();
  // Of a group: its properties are shown.
  void SelectBox(uint32_t box);
  void UpdateMarks();
  void UpdateColors();
  void Find();
  void ShowFound();
  void FindNext(bool backwards = false);
  QString ToolTip(uint32_t box);
  void Walk(Qt::Key direction);
  void ShowMenu(uint32_t box, QPoint at);
  void ShowStubs(uint32_t box, bool incoming);
  // Draws the same with the command line, as far as that can.
  QString CommandOfGraph() const;
  void ChooseExport(const char* suffix);

  Selection* selection_;
  ProfileOverlay* profile_ = nullptr;
  SessionController* session_;
  LayoutProcess* layout_;
  GraphCanvas* canvas_;

  QLabel* breadcrumb_;
  QComboBox* scope_;
  QComboBox* coloring_;
  QSpinBox* depth_;
  QLabel* depth_caption_;
  QCheckBox* constants_;
  QLineEdit* search_;
  QLabel* note_;
  LegendView* legend_;
  QProgressBar* progress_;
  QToolButton* cancel_;
  QTimer busy_timer_;

  std::shared_ptr<DocumentAnalyses> analyses_;  // of the selected document
  ComputationId root_;                          // that is shown
  std::shared_ptr<const VersionComparison> comparison_;
  Result shown_;
  Result pending_;               // waits for Graphviz
  Result edited_;                // what was shown before the edits that made this document, until that is shown
  bool edited_is_final_ = true;  // not a picture that waited for Graphviz
  // What pictures of new versions are updates of: the last version's, or, while the text is broken and instructions
  // have gone for as long as something is being typed, the last one that had them all.
  Result base_;
  Aim edited_aim_;
  Aim aim_;
  QByteArray pending_dot_;
  QCache<QByteArray, GraphLayout> layouts_;  // by their text in DOT
  OpenGroups open_;
  bool fresh_ = true;  // nobody has opened or closed a group yet
  bool force_layout_ = false;
  bool building_ = false;
  InstructionId reveal_;   // in the graph that is made next
  bool clicking_ = false;  // the selection changes because of a click into the graph
  int request_ = 0;
  double wanted_zoom_ = 0;  // of the graph that is being laid out
  size_t whole_computation_ = 400;
  size_t graphviz_boxes_ = 300;
  QString highlight_note_;
  std::vector<InstructionId> found_;
  // Callers the user came through, so that the way back is the way in.
  std::vector<InstructionId> entered_;
  QThreadPool pool_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_GRAPH_PANE_H_
