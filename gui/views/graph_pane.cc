#include "gui/views/graph_pane.h"

#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QMenu>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/models/graph_path.h"
#include "gui/models/instruction_query.h"
#include "gui/models/text.h"
#include "gui/views/graph_export.h"

namespace hloscope {
namespace {

constexpr uint32_t kNone = VisibleGraph::kNone;
// Layouts shorter than this finish unseen.
constexpr int kQuietMs = 250;
constexpr int kDefaultDepth = 3;
constexpr int kCachedLayouts = 64;
// Smaller graphs are built where they are asked for: quicker than going to another thread and back.
constexpr size_t kBuiltAtOnce = 3000;
constexpr size_t kMostFound = 5000;

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
  connect(selection_, &Selection::DocumentChanged, this, [this] {
    layout_->Abandon();
    ++request_;
    building_ = false;
    entered_.clear();
    const auto& document = selection_->document();
    analyses_ = document != nullptr ? std::make_shared<DocumentAnalyses>(document) : nullptr;
    // Boxes of the old document would select instructions of the new one.
    canvas_->SetGraph(std::make_shared<DrawnGraph>());
    canvas_->look().marks = nullptr;
    canvas_->look().text = nullptr;
    shown_ = Result();
  });
  connect(selection_, &Selection::Changed, this, &GraphPane::FollowSelection);
  connect(session_, &SessionController::Stopped, this, &GraphPane::UpdateMarks);
  connect(session_, &SessionController::BreakpointsChanged, this, &GraphPane::UpdateMarks);
  connect(canvas_, &GraphCanvas::BoxClicked, this, [this](uint32_t box, Qt::KeyboardModifiers modifiers) {
    const InstructionId clicked = graph().boxes[box].instruction;
    if (modifiers.testFlag(Qt::ShiftModifier) && selection_->instruction().has_value()) {
      ShowPath(selection_->instruction(), clicked);
      return;
    }
    canvas_->setFocus();
    if (graph().boxes[box].kind == VisibleGraph::BoxKind::kInstruction) {
      // What is under the cursor stays there: the second click of two must hit the same box.
      clicking_ = true;
      selection_->SelectInstruction(clicked);
      clicking_ = false;
    } else {
      canvas_->look().selected = box;
      canvas_->update();
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

void GraphPane::BuildControls() {
  breadcrumb_ = new QLabel;
  breadcrumb_->setTextFormat(Qt::RichText);
  breadcrumb_->setContentsMargins(8, 4, 8, 0);
  breadcrumb_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  breadcrumb_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
  connect(breadcrumb_, &QLabel::linkActivated, this, [this](const QString& link) {
    const uint id = link.mid(2).toUInt();
    if (link.startsWith(QLatin1String("i:"))) {
      selection_->SelectInstruction(InstructionId(id));
    } else {
      selection_->SelectComputation(ComputationId(id));
    }
  });

  auto relayout = [this] {
    force_layout_ = true;
    fresh_ = true;
    open_.clear();
    FollowSelection();
  };
  scope_ = new QComboBox;
  scope_->addItems({tr("Automatic"), tr("Whole computation"), tr("Around selection"), tr("Groups")});
  scope_->setAccessibleName(tr("Part of the graph"));
  scope_->setToolTip(tr("What is drawn. Automatic: every instruction up to %1 of them, beyond that groups by op_name.")
                         .arg(kSmallComputation));
  connect(scope_, &QComboBox::currentIndexChanged, this, relayout);
  coloring_ = new QComboBox;
  coloring_->addItems({tr("Operation"), tr("FLOP"), tr("Bytes"), tr("Numbers")});
  coloring_->setAccessibleName(tr("Colours"));
  coloring_->setToolTip(
      tr("What colours mean: the kind of operation, its cost, the bytes it touches, or NaNs and infinities in values"));
  connect(coloring_, &QComboBox::currentIndexChanged, this, &GraphPane::UpdateColors);
  depth_ = new QSpinBox;
  depth_->setRange(1, 30);
  depth_->setValue(kDefaultDepth);
  depth_->setAccessibleName(tr("Depth"));
  depth_->setToolTip(tr("Steps along operands and users that are drawn around the selected instruction"));
  depth_caption_ = new QLabel(tr("Depth"));
  connect(depth_, &QSpinBox::valueChanged, this, relayout);
  constants_ = new QCheckBox(tr("Constants"));
  constants_->setChecked(true);
  constants_->setToolTip(tr("Show constants, iotas and broadcasts of them"));
  connect(constants_, &QCheckBox::toggled, this, [this] {
    force_layout_ = true;
    FollowSelection();
  });
  search_ = new QLineEdit;
  search_->setPlaceholderText(tr("Find in graph"));
  search_->setClearButtonEnabled(true);
  search_->setMinimumWidth(110);
  search_->setToolTip(
      tr("A name, opcode, shape or op_name; opcode:dot, shape:f32[8, op_name:layer_3, /pattern/. Enter goes "
         "to the next one."));
  connect(search_, &QLineEdit::textChanged, this, &GraphPane::Find);
  connect(search_, &QLineEdit::returnPressed, this, &GraphPane::FindNext);

  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(8, 4, 8, 4);
  bar->setSpacing(6);
  bar->addWidget(search_, 1);
  bar->addWidget(constants_);
  bar->addWidget(coloring_);
  bar->addWidget(scope_);
  bar->addWidget(depth_caption_);
  bar->addWidget(depth_);
  auto add_button = [&](const QString& caption, const QString& tool_tip, auto slot) {
    auto* button = new QToolButton;
    button->setText(caption);
    button->setToolTip(tool_tip);
    button->setAccessibleName(tool_tip);
    button->setAutoRaise(true);
    connect(button, &QToolButton::clicked, canvas_, slot);
    bar->addWidget(button);
    return button;
  };
  add_button(QString(QChar(0x2212)), tr("Zoom out (-)"), [this] { canvas_->ZoomOut(); });
  add_button(QStringLiteral("+"), tr("Zoom in (+)"), [this] { canvas_->ZoomIn(); });
  add_button(tr("Fit"), tr("Show everything (0)"), [this] { canvas_->FitAll(); });
  auto* more = new QToolButton;
  more->setText(tr("More"));
  more->setAutoRaise(true);
  more->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(more);
  menu->addAction(tr("Export as SVG..."), this, [this] { ChooseExport("svg"); });
  menu->addAction(tr("Export as PNG..."), this, [this] { ChooseExport("png"); });
  menu->addAction(tr("Export as DOT..."), this, [this] { ChooseExport("dot"); });
  menu->addSeparator();
  QAction* minimap = menu->addAction(tr("Minimap (M)"));
  minimap->setCheckable(true);
  minimap->setChecked(true);
  connect(minimap, &QAction::triggered, canvas_, &GraphCanvas::SetMinimapShown);
  connect(menu, &QMenu::aboutToShow, minimap, [this, minimap] { minimap->setChecked(canvas_->minimap_shown()); });
  menu->addAction(tr("Remove marks of paths and searches"), this, &GraphPane::ClearHighlight);
  more->setMenu(menu);
  bar->addWidget(more);

  note_ = new QLabel;
  note_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  progress_ = new QProgressBar;
  progress_->setRange(0, 0);
  progress_->setMaximumWidth(140);
  progress_->setMaximumHeight(12);
  progress_->setTextVisible(false);
  cancel_ = new QToolButton;
  cancel_->setText(tr("Abandon"));
  cancel_->setToolTip(tr("Keep the simple layout"));
  connect(cancel_, &QToolButton::clicked, this, [this] {
    layout_->Abandon();
    SetBusy(laying_out());
  });
  auto* status = new QHBoxLayout;
  status->setContentsMargins(8, 3, 8, 3);
  status->addWidget(note_, 1);
  status->addWidget(progress_);
  status->addWidget(cancel_);

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(breadcrumb_);
  column->addLayout(bar);
  column->addWidget(canvas_, 1);
  column->addLayout(status);
  QWidget* const order[] = {search_, constants_, coloring_, scope_, depth_, canvas_};
  for (size_t i = 1; i < std::size(order); ++i) setTabOrder(order[i - 1], order[i]);
  SetBusy(false);
}

void GraphPane::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::PaletteChange) return;
  canvas_->look().theme = Theme::For(palette());
  UpdateColors();
  canvas_->Refresh();
}

void GraphPane::SetScope(Scope scope) { scope_->setCurrentIndex(static_cast<int>(scope)); }

void GraphPane::SetDepth(int depth) { depth_->setValue(depth); }

void GraphPane::SetColoring(Coloring coloring) { coloring_->setCurrentIndex(static_cast<int>(coloring)); }

void GraphPane::SetConstantsHidden(bool hidden) { constants_->setChecked(!hidden); }

void GraphPane::SetBusy(bool busy) {
  progress_->setVisible(busy);
  cancel_->setVisible(busy && layout_->running());
}

bool GraphPane::ShowsScopes(size_t computation_size) const {
  const Scope scope = static_cast<Scope>(scope_->currentIndex());
  return scope == Scope::kGroups || (scope == Scope::kAutomatic && computation_size > kSmallComputation);
}

bool GraphPane::IsOutdated() const {
  if (force_layout_ || shown_.graph == nullptr) return true;
  const bool around = static_cast<Scope>(scope_->currentIndex()) == Scope::kNeighbourhood;
  const InstructionId selected = selection_->instruction();
  if (selected.has_value() && graph().BoxOf(selected) != kNone) {
    if (!around) return false;
    // Selecting an instruction at the rim shows what lies beyond it.
    const uint32_t box = graph().BoxOf(selected);
    const auto [begin, end] = canvas_->graph().StubsOf(box);
    for (uint32_t i = begin; i < end; ++i) {
      if (canvas_->graph().stubs()[i].other == kNone) return true;
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
    Aim aim;
    // An instruction inside of an open group is no reason to go into its computation.
    const bool keep = shown_.graph != nullptr && selection_->instruction().has_value() &&
                      graph().BoxOf(selection_->instruction()) != kNone;
    root_ = keep ? graph().computation : selection_->computation();
    const bool same = shown_.graph != nullptr && graph().computation == root_;
    if (same && static_cast<Scope>(scope_->currentIndex()) == Scope::kNeighbourhood &&
        graph().BoxOf(selection_->instruction()) != kNone) {
      // Exploring step by step keeps the zoom and the eye on the selected box.
      const uint32_t box = graph().BoxOf(selection_->instruction());
      aim = {Aim::Kind::kPin, graph().boxes[box].key, canvas_->ToScreen(canvas_->graph().rect(box).topLeft())};
    } else if (!same) {
      fresh_ = true;
      open_.clear();
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
  if (!clicking_) canvas_->Reveal(canvas_->look().selected);
}

GraphPane::Request GraphPane::MakeRequest() const {
  Request request;
  request.analyses = analyses_;
  const Module& module = selection_->module();
  VisibleGraphOptions& options = request.options;
  options.computation = root_;
  options.hide_constants = !constants_->isChecked();
  options.open = open_;
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
    request.compact = computation.instructions.size() > kSmallComputation;
  }
  return request;
}

GraphPane::Result GraphPane::Build(const Request& request, const std::shared_ptr<const BoxText>& text) {
  DocumentAnalyses& analyses = *request.analyses;
  VisibleGraphOptions options = request.options;
  const UserIndex& users = analyses.document()->users();
  VisibleGraph graph = request.overview
                           ? OpenForOverview(analyses.module(), users, analyses.scopes(), kOverviewBoxes, &options)
                           : BuildVisibleGraph(analyses.module(), users, analyses.scopes(), options);
  Result result;
  result.analyses = request.analyses;
  result.text = text;
  result.graph = std::make_shared<DrawnGraph>(std::move(graph),
                                              [&](const VisibleGraph& g, uint32_t box) { return text->Size(g, box); });
  result.open = std::move(options.open);
  return result;
}

void GraphPane::Start(Aim aim) {
  force_layout_ = false;
  layout_->Abandon();
  pending_ = Result();
  aim_ = aim;
  const int number = ++request_;
  const bool around = static_cast<Scope>(scope_->currentIndex()) == Scope::kNeighbourhood;
  depth_->setEnabled(around);
  depth_caption_->setEnabled(around);
  const Computation& computation = selection_->module().computation(root_);
  if (computation.instructions.size() <= kBuiltAtOnce) {
    const Request request = MakeRequest();
    building_ = false;
    Finish(number,
           Build(request, std::make_shared<BoxText>(analyses_->module(), analyses_->scopes(), request.compact)));
    return;
  }
  building_ = true;
  note_->setText(
      tr("Laying out %1 instructions...").arg(FormatCount(static_cast<int64_t>(computation.instructions.size()))));
  busy_timer_.start();
  pool_.clear();
  const Request request = MakeRequest();
  pool_.start([this, number, request] {
    Result result = Build(
        request, std::make_shared<BoxText>(request.analyses->module(), request.analyses->scopes(), request.compact));
    QMetaObject::invokeMethod(
        this, [this, number, result = std::move(result)]() mutable { Finish(number, std::move(result)); });
  });
}

void GraphPane::Finish(int number, Result result) {
  if (number != request_) return;
  building_ = false;
  pending_ = std::move(result);
  open_ = pending_.open;
  fresh_ = false;
  const VisibleGraph& graph = pending_.graph->graph();
  const size_t first_level = graph.levels.empty() ? 0 : graph.levels[0].end - graph.levels[0].begin;
  if (!pending_.text->compact() && first_level > 1 && first_level <= kMostForGraphviz) {
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
  canvas_->SetGraph(shown_.graph);
  GraphPainter::Look& look = canvas_->look();
  look.text = shown_.text.get();
  const std::shared_ptr<DocumentAnalyses> analyses = shown_.analyses;
  look.instruction_name = [analyses](InstructionId id) { return ToQString(analyses->module().InstructionName(id)); };
  look.group_title = [analyses, graph = shown_.graph](uint32_t box) {
    const VisibleGraph::Box& b = graph->graph().boxes[box];
    return QStringLiteral("%1  (%2)")
        .arg(ToQString(GroupTitle(analyses->module(), analyses->scopes(), graph->graph(), box)),
             FormatCount(b.members));
  };
  highlight_note_.clear();
  ShowSelected();
  UpdateMarks();
  UpdateColors();
  if (!search_->text().isEmpty()) Find();
  ShowNote();
  const InstructionId selected = selection_->instruction();
  uint32_t pinned = kNone;
  for (uint32_t i = 0; aim_.kind == Aim::Kind::kPin && i < graph().boxes.size(); ++i) {
    if (graph().boxes[i].key == aim_.key) pinned = i;
  }
  if (pinned != kNone) {
    canvas_->Pin(shown_.graph->rect(pinned).topLeft(), aim_.screen);
  } else if (aim_.kind == Aim::Kind::kInitial || laying_out()) {
    canvas_->ShowInitially(selected.has_value() ? graph().BoxOf(selected) : kNone);
  }
  Q_EMIT GraphShown();
}

void GraphPane::ShowNote() {
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
        tr("%1 of %2 instructions: %3 steps around %4. Arrows at a box name neighbours that are not drawn.")
            .arg(FormatCount(static_cast<int64_t>(g.boxes.size())), total)
            .arg(depth_->value())
            .arg(center.has_value() ? ToQString(selection_->module().InstructionName(center)) : tr("the root")));
  } else if (open_.empty() && g.boxes.size() + g.hidden == g.computation_size) {
    note_->setText(
        g.hidden == 0
            ? tr("%1 instructions").arg(total)
            : tr("%1 instructions, %2 constants hidden").arg(total, FormatCount(static_cast<int64_t>(g.hidden))));
  } else {
    note_->setText(tr("%1 instructions in %2 boxes. Double click opens and closes a group.")
                       .arg(total, FormatCount(static_cast<int64_t>(g.boxes.size()))));
  }
}

void GraphPane::ShowSelected() {
  const InstructionId selected = selection_->instruction();
  const uint32_t box = selected.has_value() ? graph().BoxOf(selected) : kNone;
  if (selected.has_value() || canvas_->look().selected >= graph().boxes.size()) canvas_->look().selected = box;
  canvas_->update();
}

void GraphPane::UpdateMarks() {
  if (shown_.graph == nullptr || selection_->document() == nullptr) return;
  canvas_->look().marks = [this](InstructionId id) {
    NodeMarks marks;
    marks.current = id == session_->current();
    marks.executed = session_->IsExecuted(id);
    marks.breakpoint = session_->HasBreakpoint(id);
    const NonFinite health = session_->HealthOf(id);
    marks.nan = health.nan;
    marks.infinity = health.infinity;
    return marks;
  };
  if (static_cast<Coloring>(coloring_->currentIndex()) == Coloring::kHealth) {
    UpdateColors();
  } else {
    canvas_->update();
  }
}

void GraphPane::UpdateColors() {
  GraphPainter::Look& look = canvas_->look();
  const Coloring coloring = static_cast<Coloring>(coloring_->currentIndex());
  look.fills.clear();
  if (coloring == Coloring::kCategory || shown_.graph == nullptr || analyses_ == nullptr) {
    canvas_->Refresh();
    return;
  }
  const VisibleGraph& g = graph();
  std::vector<double> amount(g.boxes.size(), 0);
  std::vector<NonFinite> health(g.boxes.size());
  std::vector<bool> executed(g.boxes.size(), false);
  const CostAnalysis* costs = coloring == Coloring::kHealth ? nullptr : &analyses_->costs();
  for (uint32_t i = 0; i < g.box_of.size(); ++i) {
    const uint32_t box = g.box_of[i];
    if (box == kNone) continue;
    const InstructionId id(i);
    if (costs != nullptr) {
      const Cost& cost = costs->Of(id);
      amount[box] += static_cast<double>(coloring == Coloring::kFlops ? cost.flops : cost.bytes());
    } else {
      const NonFinite found = session_->HealthOf(id);
      health[box].nan = health[box].nan || found.nan;
      health[box].infinity = health[box].infinity || found.infinity;
      executed[box] = executed[box] || session_->IsExecuted(id);
    }
  }
  const double most = *std::max_element(amount.begin(), amount.end());
  look.fills.reserve(g.boxes.size());
  for (uint32_t box = 0; box < g.boxes.size(); ++box) {
    if (costs != nullptr) {
      // From nothing to the most expensive box in even steps of magnitude, over six orders.
      const double share = amount[box] <= 0 ? -1 : std::max(0.0, 1 + std::log10(amount[box] / most) / 6);
      look.fills.push_back(look.theme.HeatFill(share));
    } else {
      look.fills.push_back(health[box].nan        ? look.theme.error
                           : health[box].infinity ? look.theme.warning
                           : executed[box]        ? look.theme.HealthyFill()
                                                  : look.theme.HeatFill(-1));
    }
  }
  canvas_->Refresh();
}

void GraphPane::Toggle(uint32_t box) {
  if (box == kNone || box >= graph().boxes.size() || !graph().boxes[box].openable) return;
  const uint64_t key = graph().boxes[box].key;
  if (graph().boxes[box].inside == kNone) {
    open_.insert(key);
  } else {
    open_.erase(key);
  }
  fresh_ = false;
  Start({Aim::Kind::kPin, key, canvas_->ToScreen(canvas_->graph().rect(box).topLeft())});
}

void GraphPane::Activate(uint32_t box) {
  if (box == kNone || box >= graph().boxes.size()) return;
  if (graph().boxes[box].openable) {
    Toggle(box);
  } else {
    selection_->SelectInstruction(graph().boxes[box].instruction);
  }
}

void GraphPane::EnterComputation(InstructionId caller) {
  std::vector<ComputationId> called;
  selection_->module().ForEachCalledComputation(caller, [&](AttributeKind, ComputationId id) {
    if (id.has_value() && std::find(called.begin(), called.end(), id) == called.end()) called.push_back(id);
  });
  if (called.empty()) return;
  ComputationId target = called.front();
  if (called.size() > 1) {
    QMenu menu(this);
    for (ComputationId id : called) {
      QAction* action = menu.addAction(tr("Enter %1").arg(ToQString(selection_->module().ComputationName(id))));
      action->setData(id.value);
    }
    const QAction* chosen = menu.exec(QCursor::pos());
    if (chosen == nullptr) return;
    target = ComputationId(chosen->data().toUInt());
  }
  entered_.push_back(caller);
  selection_->SelectComputation(target);
}

void GraphPane::GoUp() {
  if (selection_->document() == nullptr || !selection_->computation().has_value()) return;
  const ComputationId shown = graph().empty() ? selection_->computation() : graph().computation;
  const absl::Span<const InstructionId> callers = selection_->document()->users().callers(shown);
  if (callers.empty()) return;
  InstructionId caller = callers.front();
  if (!entered_.empty() && std::find(callers.begin(), callers.end(), entered_.back()) != callers.end()) {
    caller = entered_.back();
    entered_.pop_back();
  }
  selection_->SelectInstruction(caller);
}

// Up and down along edges, by what stands in the module; to the sides by what stands in the picture.
void GraphPane::Walk(Qt::Key direction) {
  const uint32_t from = canvas_->look().selected;
  if (from == kNone) {
    if (!graph().empty()) selection_->SelectInstruction(graph().boxes[0].instruction);
    return;
  }
  const DrawnGraph& drawn = canvas_->graph();
  const bool vertical = direction == Qt::Key_Up || direction == Qt::Key_Down;
  const InstructionId selected = selection_->instruction();
  if (vertical && graph().boxes[from].kind == VisibleGraph::BoxKind::kInstruction && selected.has_value()) {
    const absl::Span<const InstructionId> next = direction == Qt::Key_Up
                                                     ? selection_->module().operands(selected)
                                                     : selection_->document()->users().users(selected);
    for (InstructionId id : next) {
      if (!id.has_value()) continue;
      selection_->SelectInstruction(id);
      return;
    }
    return;
  }
  // The nearest box of the same level in that direction.
  const VisibleGraph::Level& level = graph().levels[graph().boxes[from].level];
  const QPointF here = drawn.rect(from).center();
  uint32_t best = kNone;
  double best_distance = 0;
  for (uint32_t box = level.begin; box < level.end; ++box) {
    if (box == from) continue;
    const QPointF way = drawn.rect(box).center() - here;
    const double ahead = direction == Qt::Key_Left    ? -way.x()
                         : direction == Qt::Key_Right ? way.x()
                         : direction == Qt::Key_Up    ? -way.y()
                                                      : way.y();
    const double beside = std::abs(vertical ? way.x() : way.y());
    if (ahead < 4 || beside > 4 * ahead + 30) continue;
    const double distance = ahead + 3 * beside;
    if (best == kNone || distance < best_distance) {
      best = box;
      best_distance = distance;
    }
  }
  if (best == kNone) return;
  if (graph().boxes[best].kind == VisibleGraph::BoxKind::kInstruction) {
    selection_->SelectInstruction(graph().boxes[best].instruction);
  } else {
    canvas_->look().selected = best;
    canvas_->Reveal(best);
    canvas_->update();
  }
}

bool GraphPane::ShowPath(InstructionId from, InstructionId to) {
  const Module& module = selection_->module();
  const std::vector<InstructionId> path = FindPath(module, selection_->document()->users(), from, to);
  const QString a = ToQString(module.InstructionName(from)), b = ToQString(module.InstructionName(to));
  canvas_->look().highlighted.clear();
  for (InstructionId id : path) {
    if (graph().BoxOf(id) != kNone) canvas_->look().highlighted.insert(graph().BoxOf(id));
  }
  canvas_->look().dim_others = !path.empty();
  highlight_note_ = path.empty() ? tr("No path: neither of %1 and %2 depends on the other.").arg(a, b)
                                 : tr("Path of %1 steps: %2 to %3")
                                       .arg(path.size() - 1)
                                       .arg(ToQString(module.InstructionName(path.front())),
                                            ToQString(module.InstructionName(path.back())));
  ShowNote();
  canvas_->Refresh();
  return !path.empty();
}

void GraphPane::ClearHighlight() {
  canvas_->look().highlighted.clear();
  canvas_->look().dim_others = false;
  highlight_note_.clear();
  found_.clear();
  ShowNote();
  canvas_->Refresh();
}

void GraphPane::Find() {
  ClearHighlight();
  const InstructionQuery query = InstructionQuery::Parse(search_->text());
  if (query.is_empty() || graph().empty()) return;
  if (!query.error().isEmpty()) {
    highlight_note_ = tr("The pattern cannot be read: %1").arg(query.error());
    ShowNote();
    return;
  }
  found_ = query.Find(selection_->module(), graph().computation, kMostFound);
  for (InstructionId id : found_) {
    if (graph().BoxOf(id) != kNone) canvas_->look().highlighted.insert(graph().BoxOf(id));
  }
  canvas_->look().dim_others = !found_.empty();
  highlight_note_ =
      found_.empty()
          ? tr("Nothing found in %1").arg(ToQString(selection_->module().ComputationName(graph().computation)))
          : tr("%1 found").arg(FormatCount(static_cast<int64_t>(found_.size())));
  ShowNote();
  canvas_->Refresh();
}

void GraphPane::FindNext() {
  if (found_.empty()) return;
  const InstructionId selected = selection_->instruction();
  auto next = selected.has_value() ? std::upper_bound(found_.begin(), found_.end(), selected) : found_.begin();
  if (next == found_.end()) next = found_.begin();
  selection_->SelectInstruction(*next);
}

void GraphPane::FollowStub(const DrawnGraph::Stub& stub) {
  if (stub.other != kNone && graph().boxes[stub.other].kind != VisibleGraph::BoxKind::kInstruction) {
    canvas_->look().selected = stub.other;
    canvas_->Reveal(stub.other);
    canvas_->update();
    return;
  }
  selection_->SelectInstruction(stub.instruction);
}

void GraphPane::ShowStubs(uint32_t box, bool incoming) {
  std::vector<DrawnGraph::Stub> stubs;
  const auto [begin, end] = canvas_->graph().StubsOf(box);
  for (uint32_t i = begin; i < end; ++i) {
    if (canvas_->graph().stubs()[i].incoming == incoming) stubs.push_back(canvas_->graph().stubs()[i]);
  }
  if (stubs.empty()) return;
  if (stubs.size() == 1) {
    FollowStub(stubs[0]);
    return;
  }
  constexpr size_t kMostEntries = 40;
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  for (size_t i = 0; i < std::min(stubs.size(), kMostEntries); ++i) {
    menu->addAction(ToQString(selection_->module().InstructionName(stubs[i].instruction)), this,
                    [this, stub = stubs[i]] { FollowStub(stub); });
  }
  if (stubs.size() > kMostEntries)
    menu->addAction(tr("and %1 more").arg(stubs.size() - kMostEntries))->setEnabled(false);
  menu->popup(QCursor::pos());
}

void GraphPane::ShowMenu(uint32_t box, QPoint at) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  if (box != kNone && box < graph().boxes.size()) {
    const VisibleGraph::Box b = graph().boxes[box];
    if (b.openable) menu->addAction(b.inside == kNone ? tr("Open") : tr("Close"), this, [this, box] { Toggle(box); });
    if (b.kind == VisibleGraph::BoxKind::kInstruction) {
      const InstructionId id = b.instruction;
      if (b.openable) menu->addAction(tr("Enter what it calls"), this, [this, id] { EnterComputation(id); });
      menu->addAction(tr("Show its surroundings"), this, [this, id] {
        selection_->SelectInstruction(id);
        SetScope(Scope::kNeighbourhood);
      });
      const InstructionId from = selection_->instruction();
      QAction* path = menu->addAction(tr("Path from the selected instruction (Shift+click)"), this,
                                      [this, from, id] { ShowPath(from, id); });
      path->setEnabled(from.has_value() && from != id);
      menu->addSeparator();
      menu->addAction(session_->HasBreakpoint(id) ? tr("Remove breakpoint") : tr("Set breakpoint"), this,
                      [this, id] { session_->ToggleBreakpoint(id); });
      menu->addAction(tr("Run to here"), this,
                      [this, id] { session_->Execute(SessionController::Command::kRunTo, id); })
          ->setEnabled(session_->has_module() && !session_->busy());
      menu->addSeparator();
      menu->addAction(tr("Copy name"), this, [this, id] {
        QGuiApplication::clipboard()->setText(ToQString(selection_->module().InstructionName(id)));
      });
    }
    menu->addSeparator();
  }
  menu->addAction(tr("Up to the caller (Backspace)"), this, &GraphPane::GoUp);
  menu->addAction(tr("Show everything (0)"), canvas_, &GraphCanvas::FitAll);
  menu->popup(at);
}

QString GraphPane::Export(const QString& path) {
  if (shown_.graph == nullptr || graph().empty()) return tr("There is no graph to export.");
  return ExportGraph(path, *canvas_, *analyses_);
}

void GraphPane::ChooseExport(const char* suffix) {
  const QString path =
      QFileDialog::getSaveFileName(this, tr("Export the graph"), QStringLiteral("graph.%1").arg(QLatin1String(suffix)),
                                   QStringLiteral("*.%1").arg(QLatin1String(suffix)));
  if (path.isEmpty()) return;
  const QString error = Export(path);
  note_->setText(error.isEmpty() ? tr("Written: %1").arg(path) : error);
}

void GraphPane::ShowBreadcrumb() {
  const Module& module = selection_->module();
  const UserIndex& users = selection_->document()->users();
  // From the selected computation up: through the caller the user came from if there is one, else through the first.
  QStringList parts;
  ComputationId computation = selection_->computation();
  parts << QStringLiteral("<b>%1</b>").arg(ToQString(module.ComputationName(computation)).toHtmlEscaped());
  constexpr int kMaxParts = 8;
  while (parts.size() < kMaxParts) {
    const absl::Span<const InstructionId> callers = users.callers(computation);
    if (callers.empty()) break;
    InstructionId caller = callers.front();
    for (auto it = entered_.rbegin(); it != entered_.rend(); ++it) {
      if (std::find(callers.begin(), callers.end(), *it) != callers.end()) {
        caller = *it;
        break;
      }
    }
    computation = module.instruction(caller).computation;
    parts.prepend(QStringLiteral("<a href=\"i:%1\">%2</a>")
                      .arg(caller.value)
                      .arg(QStringLiteral("%1 / %2").arg(
                          Elide(ToQString(module.ComputationName(computation)), 28).toHtmlEscaped(),
                          Elide(ToQString(module.InstructionName(caller)), 28).toHtmlEscaped())));
  }
  breadcrumb_->setText(parts.join(QStringLiteral(" &rsaquo; ")));
  breadcrumb_->setToolTip(tr("The way from the entry computation. Click a caller to go back to it."));
}

}  // namespace hloscope
