// SPDX-License-Identifier: Apache-2.0
#include "gui/views/graph_pane.h"

#include <algorithm>
#include <utility>

#include "gui/models/instruction_query.h"
#include "gui/models/landmarks.h"
#include "gui/models/plurals.h"
#include "gui/models/text.h"

namespace hloscope::gui {
namespace {

// Layouts shorter than this finish unseen.
constexpr int kQuietMs = 250;
constexpr int kCachedLayouts = 64;
// Pixels.
constexpr int kLowestWithLegend = 280, kLowestWithNote = 190;
// Smaller graphs are built where they are asked for: quicker than going to another thread and back.
constexpr size_t kBuiltAtOnce = 3000;

}  // namespace

GraphPane::GraphPane(Selection* selection, SessionController* session, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      session_(session),
      layout_(new LayoutProcess(this)),
      canvas_(new GraphCanvas),
      layouts_(kCachedLayouts) {
  canvas_->look().theme = Theme::For(palette());
  pool_.setMaxThreadCount(1);
  BuildControls();
  busy_timer_.setSingleShot(true);
  busy_timer_.setInterval(kQuietMs);
  connect(&busy_timer_, &QTimer::timeout, this, [this] {
    SetBusy(laying_out());
    // Something to look at while Graphviz is at work.
    if (layout_->running() && pending_.graph != nullptr && shown_.graph != pending_.graph) {
      shown_ = pending_;
      ShowGraph();
    }
  });
  connect(layout_, &LayoutProcess::Finished, this, &GraphPane::FinishGraphviz);
  connect(layout_, &LayoutProcess::Failed, this, [this] {
    // The layout of our own stays.
    shown_ = pending_;
    ShowGraph();
  });
  connect(selection_, &Selection::DocumentChanged, this, &GraphPane::ForgetDocument);
  for (auto signal : {&Selection::Changed, &Selection::VisitedAgain}) {
    connect(selection_, signal, this, [this] {
      reveal_ = selection_->reach() == Selection::Reach::kOpen ? selection_->instruction() : InstructionId();
      FollowSelection();
    });
  }
  connect(session_, &SessionController::Stopped, this, &GraphPane::UpdateMarks);
  connect(session_, &SessionController::HealthChanged, this, &GraphPane::UpdateMarks);
  connect(session_, &SessionController::Recalled, this, &GraphPane::UpdateMarks);
  connect(session_, &SessionController::HealthChanged, this, [this] {
    if (InstructionQuery::Parse(search_->text()).needs_health()) Find();
  });
  connect(session_, &SessionController::BreakpointsChanged, this, &GraphPane::UpdateMarks);
  connect(canvas_, &GraphCanvas::BoxClicked, this, [this](uint32_t box, Qt::KeyboardModifiers modifiers) {
    const InstructionId clicked = graph().boxes[box].instruction;
    if (modifiers.testFlag(Qt::ShiftModifier) && selection_->instruction().has_value()) {
      ShowPath(selection_->instruction(), clicked);
      return;
    }
    canvas_->setFocus();
    open_.Touch(graph(), box);
    if (graph().boxes[box].kind == VisibleGraph::BoxKind::kInstruction) {
      // What is under the cursor stays there: the second click of two must hit the same box.
      clicking_ = true;
      selection_->SelectInstruction(clicked);
      clicking_ = false;
    } else {
      SelectBox(box);
    }
  });
  connect(canvas_, &GraphCanvas::BoxActivated, this, &GraphPane::Activate);
  connect(canvas_, &GraphCanvas::StubsClicked, this, &GraphPane::ShowStubs);
  connect(canvas_, &GraphCanvas::Walked, this, &GraphPane::Walk);
  connect(canvas_, &GraphCanvas::WentUp, this, &GraphPane::GoUp);
  connect(canvas_, &GraphCanvas::MenuRequested, this, &GraphPane::ShowMenu);
}

GraphPane::~GraphPane() {
  pool_.clear();
  pool_.waitForDone();
}

void GraphPane::ForgetDocument() {
  const bool was_final = !layout_->running();
  layout_->Abandon();
  ++request_;
  building_ = false;
  entered_.clear();
  // An edited module is drawn as it was drawn before, if it is the same computation that is looked at. Where the
  // version before this one was not drawn yet, as the one before that.
  if (!selection_->is_new_version()) edited_ = base_ = Result();
  if (selection_->is_new_version() && shown_.graph != nullptr) {
    // Another computation was being laid out: what was still drawn is not what was asked for.
    edited_ = shown_.graph->graph().computation == root_ ? shown_ : Result();
    // What is only there until Graphviz is done has no places to be kept.
    edited_is_final_ = was_final;
    const bool broken = shown_.analyses->document()->has_errors();
    if (!broken || base_.graph == nullptr || !LacksBoxesOf(*base_.graph)) base_ = shown_;
    const uint32_t box = canvas_->look().selected;
    edited_aim_ = AimAt(box < graph().boxes.size() ? Aim::Kind::kPin : Aim::Kind::kKeep, box);
  }
  const auto& document = selection_->document();
  analyses_ = document != nullptr ? std::make_shared<DocumentAnalyses>(document) : nullptr;
  // Boxes of the old document would select instructions of the new one.
  canvas_->SetGraph(std::make_shared<DrawnGraph>());
  canvas_->look().marks = nullptr;
  canvas_->look().text = nullptr;
  shown_ = Result();
}

// Whether something that `base` has is not in what is shown.
bool GraphPane::LacksBoxesOf(const DrawnGraph& base) const {
  absl::flat_hash_set<uint64_t> shown;
  for (const VisibleGraph::Box& box : graph().boxes) shown.insert(box.key);
  const std::vector<VisibleGraph::Box>& boxes = base.graph().boxes;
  return std::any_of(boxes.begin(), boxes.end(), [&](const VisibleGraph::Box& b) { return !shown.contains(b.key); });
}

void GraphPane::LayOutAfresh() {
  if (selection_->document() == nullptr) return;
  force_layout_ = true;
  FollowSelection();
}

void GraphPane::SetLimits(size_t whole_computation, size_t graphviz_boxes) {
  const bool changed = whole_computation != whole_computation_ || graphviz_boxes != graphviz_boxes_;
  whole_computation_ = whole_computation;
  graphviz_boxes_ = graphviz_boxes;
  scope_->setToolTip(tr("What is drawn. Automatic: every instruction up to %1 of them, beyond that groups by op_name.")
                         .arg(whole_computation_));
  if (!changed || shown_.graph == nullptr) return;
  fresh_ = true;
  open_.Clear();
  LayOutAfresh();
}

void GraphPane::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::PaletteChange) return;
  canvas_->look().theme = Theme::For(palette());
  UpdateColors();
  canvas_->Refresh();
}

// In a low pane, the legend, the note and a way that leads nowhere would take the room of the graph.
void GraphPane::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  ShowLines();
}

void GraphPane::ShowLines() {
  const bool low = height() < kLowestWithLegend;
  legend_->setMaximumHeight(low ? 0 : QWIDGETSIZE_MAX);
  const bool answers = !highlight_note_.isEmpty() && height() >= kLowestWithNote;
  note_->setVisible(!low || answers || graph().empty());
  breadcrumb_->setVisible(!low || breadcrumb_->text().contains(QLatin1String("<a ")));
}

void GraphPane::SetScope(Scope scope) { scope_->setCurrentIndex(static_cast<int>(scope)); }

void GraphPane::SetDepth(int depth) { depth_->setValue(depth); }

void GraphPane::SetColoring(Coloring coloring) { coloring_->setCurrentIndex(static_cast<int>(coloring)); }

void GraphPane::SetConstantsHidden(bool hidden) { constants_->setChecked(!hidden); }

void GraphPane::SetZoom(double scale) {
  wanted_zoom_ = scale;
  if (!laying_out()) TakeWantedZoom();
}

void GraphPane::TakeWantedZoom() {
  const double scale = std::exchange(wanted_zoom_, 0);
  if (scale <= 0 || graph().empty()) return;
  const InstructionId selected = selection_->instruction();
  const uint32_t box = selected.has_value() ? graph().BoxOf(selected) : kNoItem;
  canvas_->CenterOn(box == kNoItem ? canvas_->graph().bounds().center() : canvas_->graph().rect(box).center(), scale);
}

void GraphPane::SetBusy(bool busy) {
  progress_->setVisible(busy);
  cancel_->setVisible(busy && layout_->running());
}

bool GraphPane::ShowsScopes(size_t computation_size) const {
  const Scope scope = static_cast<Scope>(scope_->currentIndex());
  return scope == Scope::kGroups || (scope == Scope::kAutomatic && computation_size > whole_computation_);
}

bool GraphPane::IsOutdated() const {
  if (force_layout_ || shown_.graph == nullptr) return true;
  const bool around = static_cast<Scope>(scope_->currentIndex()) == Scope::kNeighbourhood;
  const InstructionId selected = selection_->instruction();
  if (selected.has_value() && graph().BoxOf(selected) != kNoItem) {
    if (!around) return false;
    // Selecting an instruction at the rim shows what lies beyond it.
    const uint32_t box = graph().BoxOf(selected);
    const auto [begin, end] = canvas_->graph().StubsOf(box);
    for (uint32_t i = begin; i < end; ++i) {
      if (canvas_->graph().stubs()[i].other == kNoItem) return true;
    }
    return false;
  }
  if (graph().computation != selection_->computation()) return true;
  if (!selected.has_value()) return false;
  // Hidden constants are no reason to draw something else.
  return around || !(constants_->isChecked() || IsConstantLike(selection_->module(), selected));
}

void GraphPane::FollowSelection() {
  if (selection_->document() == nullptr || !selection_->computation().has_value()) {
    layout_->Abandon();
    ++request_;
    building_ = false;
    canvas_->SetGraph(std::make_shared<DrawnGraph>());
    shown_ = Result();
    note_->setText(selection_->document() == nullptr ? tr("No module is open.") : tr("The module has no computation."));
    breadcrumb_->clear();
    SetBusy(false);
    return;
  }
  ShowBreadcrumb();
  if (IsOutdated()) {
    if (edited_.graph != nullptr && ContinueAfterEdit()) return;
    Aim aim;
    // An instruction inside of an open group is no reason to go into its computation.
    const bool keep = shown_.graph != nullptr && selection_->instruction().has_value() &&
                      graph().BoxOf(selection_->instruction()) != kNoItem;
    root_ = keep ? graph().computation : selection_->computation();
    const bool same = shown_.graph != nullptr && graph().computation == root_;
    if (same && static_cast<Scope>(scope_->currentIndex()) == Scope::kNeighbourhood &&
        graph().BoxOf(selection_->instruction()) != kNoItem) {
      // Exploring step by step keeps the zoom and the eye on the selected box.
      aim = AimAt(Aim::Kind::kPin, graph().BoxOf(selection_->instruction()));
    } else if (!same) {
      fresh_ = true;
      open_.Clear();
    }
    Start(aim);
    return;
  }
  if (laying_out() && pending_.graph == nullptr) {
    // What is drawn already serves; what is being built was for something else.
    ++request_;
    building_ = false;
    SetBusy(false);
  }
  ShowSelected();
  if (HidesGoal()) {
    fresh_ = false;
    return Start({Aim::Kind::kFocus, 0, QPointF()});
  }
  if (LeavesGroups()) return Start(AimAt(Aim::Kind::kFollow, graph().BoxOf(reveal_)));
  reveal_ = InstructionId();
  if (!clicking_) canvas_->Reveal(canvas_->look().selected);
}

// Whether what is to be seen is in a closed group.
bool GraphPane::HidesGoal() const {
  const uint32_t box = reveal_.has_value() ? graph().BoxOf(reveal_) : kNoItem;
  return box != kNoItem && graph().boxes[box].kind != VisibleGraph::BoxKind::kInstruction;
}

// Whether a stop or a jump has left groups that were opened for the one before. Under the mouse nothing moves.
bool GraphPane::LeavesGroups() const {
  return reveal_.has_value() && !clicking_ && graph().BoxOf(reveal_) != kNoItem && open_.IsLeftBy(graph(), reveal_);
}

// The box stays where it is on the screen.
GraphPane::Aim GraphPane::AimAt(Aim::Kind kind, uint32_t box) const {
  if (box >= graph().boxes.size()) return {kind, 0, QPointF()};
  return {kind, graph().boxes[box].key, canvas_->ToScreen(canvas_->graph().rect(box).topLeft())};
}

// Draws the new version of what was shown before an edit. False if it is not there any more.
bool GraphPane::ContinueAfterEdit() {
  const VisibleGraph& drawn = edited_.graph->graph();
  const ComputationId root =
      selection_->module().FindComputation(edited_.analyses->module().ComputationName(drawn.computation));
  // Whoever has gone to another computation wants to see that one, unless it was shown inside of an open group.
  const bool inside = drawn.levels.size() > 1;
  if (!root.has_value() || (root != selection_->computation() && !inside)) {
    edited_ = Result();
    return false;
  }
  root_ = root;
  Start(edited_aim_, edited_is_final_ ? base_.graph : nullptr);
  return true;
}

GraphPane::Request GraphPane::MakeRequest() const {
  Request request;
  request.analyses = analyses_;
  const Module& module = selection_->module();
  VisibleGraphOptions& options = request.options;
  options.computation = root_;
  options.hide_constants = !constants_->isChecked();
  options.open = open_.all();
  request.passing = open_.passing();
  request.reveal = reveal_;
  const Computation& computation = module.computation(options.computation);
  if (static_cast<Scope>(scope_->currentIndex()) == Scope::kNeighbourhood) {
    // Without a selected instruction, the result is the natural place to begin.
    InstructionId center = selection_->instruction();
    if (!center.has_value() || module.instruction(center).computation != root_) center = computation.root;
    if (!center.has_value() && !computation.instructions.empty()) center = computation.instructions.back();
    if (center.has_value()) {
      const Graph near = Neighbourhood(module, analyses_->document()->users(), center,
                                       {.depth = depth_->value(), .max_nodes = kMaxNeighbours});
      for (const GraphNode& node : near.nodes) options.only.push_back(node.instruction);
    }
  } else {
    options.scopes = ShowsScopes(computation.instructions.size());
    request.overview = options.scopes && fresh_;
    request.compact = computation.instructions.size() > whole_computation_;
  }
  return request;
}

GraphPane::Result GraphPane::Build(const Request& request, const std::shared_ptr<const BoxText>& text) {
  DocumentAnalyses& analyses = *request.analyses;
  VisibleGraphOptions options = request.options;
  const UserIndex& users = analyses.document()->users();
  OpenGroups::Keys passing = request.passing;
  VisibleGraph graph;
  if (request.overview) graph = OpenForOverview(analyses.module(), users, analyses.scopes(), kOverviewBoxes, &options);
  if (request.reveal.has_value()) {
    graph = OpenAround(analyses.module(), users, analyses.scopes(), request.reveal, &options, &passing);
  } else if (!request.overview) {
    graph = BuildVisibleGraph(analyses.module(), users, analyses.scopes(), options);
  }
  Result result;
  result.landmarks = LandmarksOf(analyses.module(), graph);
  result.analyses = request.analyses;
  result.text = text;
  result.graph = std::make_shared<DrawnGraph>(
      std::move(graph), [&](const VisibleGraph& g, uint32_t box) { return text->Size(g, box); },
      request.previous.get());
  result.open = std::move(options.open);
  result.passing = std::move(passing);
  return result;
}

void GraphPane::Start(Aim aim, std::shared_ptr<const DrawnGraph> previous) {
  force_layout_ = false;
  layout_->Abandon();
  pending_ = Result();
  if (previous == nullptr) base_ = Result();
  aim_ = aim;
  const int number = ++request_;
  const bool around = static_cast<Scope>(scope_->currentIndex()) == Scope::kNeighbourhood;
  depth_->setVisible(around);
  depth_caption_->setVisible(around);
  const Computation& computation = selection_->module().computation(root_);
  Request request = MakeRequest();
  reveal_ = InstructionId();
  request.previous = std::move(previous);
  if (computation.instructions.size() <= kBuiltAtOnce) {
    building_ = false;
    Finish(number, Build(request, std::make_shared<BoxText>(analyses_->module(), request.compact)));
    return;
  }
  building_ = true;
  note_->setText(tr("Laying out %1 instruction(s)...", nullptr, ForPlural(computation.instructions.size()))
                     .arg(FormatCount(static_cast<int64_t>(computation.instructions.size()))));
  busy_timer_.start();
  pool_.clear();
  pool_.start([this, number, request = std::move(request)] {
    Result result = Build(request, std::make_shared<BoxText>(request.analyses->module(), request.compact));
    QMetaObject::invokeMethod(
        this, [this, number, result = std::move(result)]() mutable { Finish(number, std::move(result)); });
  });
}

void GraphPane::Finish(int number, Result result) {
  if (number != request_) return;
  building_ = false;
  pending_ = std::move(result);
  open_.Take(pending_.open, pending_.passing);
  fresh_ = false;
  const VisibleGraph& graph = pending_.graph->graph();
  const size_t first_level = graph.levels.empty() ? 0 : graph.levels[0].end - graph.levels[0].begin;
  // After an edit, what was there stays where it was, whoever had laid it out.
  const bool wanted = first_level > 1 && first_level <= graphviz_boxes_ && !pending_.graph->is_update();
  if (wanted && !pending_.text->compact()) {
    StartGraphviz();
    return;
  }
  shown_ = pending_;
  ShowGraph();
}

void GraphPane::StartGraphviz() {
  const VisibleGraph& graph = pending_.graph->graph();
  const VisibleGraph::Level& first = graph.levels[0];
  Graph level;
  level.computation = graph.computation;
  level.nodes.resize(first.end - first.begin);
  std::vector<NodeSize> sizes;
  for (uint32_t i = first.begin; i < first.end; ++i) {
    level.nodes[i - first.begin].instruction = graph.boxes[i].instruction;
    sizes.push_back({pending_.graph->rect(i).width(), pending_.graph->rect(i).height()});
  }
  for (uint32_t i = first.edges_begin; i < first.edges_end; ++i) {
    const VisibleGraph::Edge& edge = graph.edges[i];
    level.edges.push_back({edge.from - first.begin, edge.to - first.begin, edge.control ? GraphEdge::kControl : 0});
  }
  pending_dot_ = QByteArray::fromStdString(ToDot(selection_->module(), level, {.sizes = sizes}));
  if (const GraphLayout* known = layouts_.object(pending_dot_)) {
    FinishGraphviz(*known);
    return;
  }
  layout_->Start(pending_dot_, level.nodes.size(), level.edges.size(), kTimeLimitMs);
  busy_timer_.start();
}

void GraphPane::FinishGraphviz(const GraphLayout& layout) {
  if (!layouts_.contains(pending_dot_)) layouts_.insert(pending_dot_, new GraphLayout(layout));
  // A copy: what is shown is shared with the canvas.
  auto drawn = std::make_shared<DrawnGraph>(*pending_.graph);
  drawn->ApplyToFirstLevel(layout);
  pending_.graph = std::move(drawn);
  shown_ = pending_;
  ShowGraph();
}

void GraphPane::ShowGraph() {
  busy_timer_.stop();
  SetBusy(laying_out());
  if (!laying_out()) pending_ = Result();
  edited_ = Result();
  canvas_->SetGraph(shown_.graph);
  GraphPainter::Look& look = canvas_->look();
  look.text = shown_.text.get();
  look.landmarks = shown_.landmarks;
  const std::shared_ptr<DocumentAnalyses> analyses = shown_.analyses;
  look.instruction_name = [analyses](InstructionId id) { return ToQString(analyses->module().InstructionName(id)); };
  look.group_title = [analyses, graph = shown_.graph](uint32_t box) {
    const VisibleGraph::Box& b = graph->graph().boxes[box];
    return QStringLiteral("%1  (%2)")
        .arg(ToQString(GroupTitle(analyses->module(), graph->graph(), box)), FormatCount(b.members));
  };
  look.tool_tip = [this](uint32_t box) { return ToolTip(box); };
  highlight_note_.clear();
  ShowSelected();
  UpdateMarks();
  UpdateColors();
  if (!search_->text().isEmpty()) Find();
  ShowNote();
  const InstructionId selected = selection_->instruction();
  uint32_t pinned = kNoItem;
  const bool pins = aim_.kind == Aim::Kind::kPin || aim_.kind == Aim::Kind::kFollow;
  for (uint32_t i = 0; pins && i < graph().boxes.size(); ++i) {
    if (graph().boxes[i].key == aim_.key) pinned = i;
  }
  if (pinned != kNoItem) {
    canvas_->Pin(shown_.graph->rect(pinned).topLeft(), aim_.screen);
    if (aim_.kind == Aim::Kind::kFollow) canvas_->Reveal(pinned);
  } else if (aim_.kind == Aim::Kind::kFocus && selected.has_value() && graph().BoxOf(selected) != kNoItem) {
    canvas_->Focus(graph().BoxOf(selected));
  } else if (aim_.kind == Aim::Kind::kInitial || laying_out()) {
    canvas_->ShowInitially(selected.has_value() ? graph().BoxOf(selected) : kNoItem);
  }
  if (!laying_out()) TakeWantedZoom();
  Q_EMIT GraphShown();
}

void GraphPane::ShowNote() {
  ShowLines();
  if (!highlight_note_.isEmpty()) {
    note_->setText(highlight_note_);
    return;
  }
  const VisibleGraph& g = graph();
  const QString total = FormatCount(static_cast<int64_t>(g.computation_size));
  if (g.computation_size == 0) {
    note_->setText(tr("The computation has no instructions."));
  } else if (static_cast<Scope>(scope_->currentIndex()) == Scope::kNeighbourhood) {
    const InstructionId center = selection_->instruction();
    note_->setText(
        tr("%1 of %2 instructions, up to %n step(s) around %3. Arrows at a box name neighbours that are not drawn.",
           nullptr, depth_->value())
            .arg(FormatCount(static_cast<int64_t>(g.boxes.size())), total)
            .arg(center.has_value() ? ToQString(selection_->module().InstructionName(center)) : tr("the root")));
  } else if (open_.empty() && g.boxes.size() + g.hidden == g.computation_size) {
    note_->setText(tr("%1 instruction(s)", nullptr, ForPlural(g.computation_size)).arg(total) +
                   (g.hidden == 0 ? QString()
                                  : tr(", %1 constant(s) hidden", nullptr, ForPlural(g.hidden))
                                        .arg(FormatCount(static_cast<int64_t>(g.hidden)))));
  } else {
    note_->setText(tr("%1 instruction(s)", nullptr, ForPlural(g.computation_size)).arg(total) +
                   tr(" in %1 box(es). Double click opens and closes a group.", nullptr, ForPlural(g.boxes.size()))
                       .arg(FormatCount(static_cast<int64_t>(g.boxes.size()))));
  }
}

void GraphPane::KeepInView() {
  QMetaObject::invokeMethod(
      this, [this] { canvas_->Reveal(canvas_->look().selected); }, Qt::QueuedConnection);
}

void GraphPane::ShowSelected() {
  const InstructionId selected = selection_->instruction();
  const uint32_t box = selected.has_value() ? graph().BoxOf(selected) : kNoItem;
  if (selected.has_value() || canvas_->look().selected >= graph().boxes.size()) canvas_->look().selected = box;
  canvas_->update();
}

void GraphPane::UpdateMarks() {
  if (shown_.graph == nullptr || selection_->document() == nullptr) return;
  canvas_->look().marks = [this](InstructionId id) {
    NodeMarks marks;
    marks.current = id == session_->current();
    marks.failed = id == session_->failed_at();
    marks.executed = session_->IsExecuted(id);
    marks.dropped = session_->IsDropped(id);
    marks.breakpoint = session_->HasBreakpoint(id);
    const evaluator::NonFinite health = session_->HealthOf(id);
    marks.nan = health.nan;
    marks.infinity = health.infinity;
    return marks;
  };
  canvas_->look().current = session_->current().has_value() ? graph().BoxOf(session_->current()) : kNoItem;
  const auto coloring = static_cast<Coloring>(coloring_->currentIndex());
  if (coloring == Coloring::kHealth || coloring == Coloring::kTime) {
    UpdateColors();
  } else {
    canvas_->update();
  }
}

void GraphPane::UpdateColors() {
  GraphPainter::Look& look = canvas_->look();
  look.fills.clear();
  std::vector<LegendEntry> legend;
  if (shown_.graph != nullptr && analyses_ != nullptr && !graph().empty()) {
    const ComparedVersion* changes =
        comparison_ == nullptr ? nullptr : comparison_->VersionOf(analyses_->document().get());
    GraphColors colors =
        ColorGraph(static_cast<Coloring>(coloring_->currentIndex()), graph(), *analyses_, *session_,
                   profile_ != nullptr ? profile_->SecondsOf(analyses_->document().get()) : std::vector<double>(),
                   changes, look.theme);
    look.fills = std::move(colors.fills);
    legend = std::move(colors.legend);
  }
  legend_->SetEntries(std::move(legend));
  canvas_->Refresh();
}

void GraphPane::SetProfile(ProfileOverlay* profile) {
  profile_ = profile;
  connect(profile, &ProfileOverlay::Changed, this, [this] {
    if (static_cast<Coloring>(coloring_->currentIndex()) == Coloring::kTime) UpdateColors();
  });
}

void GraphPane::SetComparison(std::shared_ptr<const VersionComparison> comparison) {
  comparison_ = std::move(comparison);
  if (static_cast<Coloring>(coloring_->currentIndex()) == Coloring::kChanges) UpdateColors();
}

}  // namespace hloscope::gui
