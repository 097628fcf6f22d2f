#include "gui/views/graph_pane.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/models/text.h"

namespace hloscope {
namespace {

// Layouts shorter than this finish unseen.
constexpr int kQuietMs = 250;
constexpr int kDefaultDepth = 3;

}  // namespace

GraphPane::GraphPane(Selection* selection, SessionController* session, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      session_(session),
      layout_(new LayoutProcess(this)),
      scene_(new GraphScene(this)),
      view_(new GraphView(scene_)) {
  scene_->SetTheme(Theme::For(palette()));
  BuildControls();
  busy_timer_.setSingleShot(true);
  busy_timer_.setInterval(kQuietMs);
  connect(&busy_timer_, &QTimer::timeout, this, [this] { SetBusy(layout_->running()); });
  connect(layout_, &LayoutProcess::Finished, this, &GraphPane::FinishLayout);
  connect(layout_, &LayoutProcess::Failed, this, &GraphPane::FailLayout);
  connect(selection_, &Selection::DocumentChanged, this, [this] {
    // Boxes of the old document would select instructions of the new one.
    layout_->Abandon();
    scene_->Clear();
    entered_.clear();
    document_ = nullptr;
  });
  connect(selection_, &Selection::Changed, this, &GraphPane::FollowSelection);
  connect(session_, &SessionController::Stopped, this, &GraphPane::UpdateMarks);
  connect(session_, &SessionController::BreakpointsChanged, this, &GraphPane::UpdateMarks);
  connect(view_, &GraphView::InstructionClicked, selection_, &Selection::SelectInstruction);
  connect(view_, &GraphView::InstructionActivated, this, &GraphPane::Enter);
  connect(view_, &GraphView::Walked, this, &GraphPane::Walk);
}

void GraphPane::BuildControls() {
  breadcrumb_ = new QLabel;
  breadcrumb_->setTextFormat(Qt::RichText);
  breadcrumb_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  connect(breadcrumb_, &QLabel::linkActivated, this, [this](const QString& link) {
    const uint id = link.mid(2).toUInt();
    if (link.startsWith(QLatin1String("i:"))) {
      selection_->SelectInstruction(InstructionId(id));
    } else {
      selection_->SelectComputation(ComputationId(id));
    }
  });

  scope_ = new QComboBox;
  scope_->addItems({tr("Automatic"), tr("Whole computation"), tr("Around selection")});
  scope_->setToolTip(
      tr("Which part of the computation is drawn. Automatic: all of it up to %1 instructions.").arg(kSmallComputation));
  depth_ = new QSpinBox;
  depth_->setRange(1, 30);
  depth_->setValue(kDefaultDepth);
  depth_->setToolTip(tr("Steps along operands and users that are drawn around the selected instruction"));
  depth_caption_ = new QLabel(tr("Depth"));
  connect(scope_, &QComboBox::currentIndexChanged, this, [this] {
    force_layout_ = true;
    FollowSelection();
  });
  connect(depth_, &QSpinBox::valueChanged, this, [this] {
    force_layout_ = true;
    FollowSelection();
  });

  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(8, 4, 8, 4);
  bar->setSpacing(6);
  bar->addWidget(breadcrumb_, 1);
  bar->addWidget(scope_);
  bar->addWidget(depth_caption_);
  bar->addWidget(depth_);
  auto add_button = [&](const QString& caption, const QString& tool_tip, auto slot) {
    auto* button = new QToolButton;
    button->setText(caption);
    button->setToolTip(tool_tip);
    button->setAutoRaise(true);
    connect(button, &QToolButton::clicked, view_, slot);
    bar->addWidget(button);
  };
  add_button(QString(QChar(0x2212)), tr("Zoom out (-)"), [this] { view_->ZoomOut(); });
  add_button(QStringLiteral("+"), tr("Zoom in (+)"), [this] { view_->ZoomIn(); });
  add_button(tr("Fit"), tr("Show everything (0)"), [this] { view_->FitAll(); });

  note_ = new QLabel;
  note_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  progress_ = new QProgressBar;
  progress_->setRange(0, 0);
  progress_->setMaximumWidth(140);
  progress_->setMaximumHeight(12);
  progress_->setTextVisible(false);
  cancel_ = new QToolButton;
  cancel_->setText(tr("Abandon"));
  connect(cancel_, &QToolButton::clicked, this, [this] {
    layout_->Abandon();
    FailLayout(tr("abandoned"));
  });
  auto* status = new QHBoxLayout;
  status->setContentsMargins(8, 3, 8, 3);
  status->addWidget(note_, 1);
  status->addWidget(progress_);
  status->addWidget(cancel_);

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(bar);
  column->addWidget(view_, 1);
  column->addLayout(status);
  SetBusy(false);
}

void GraphPane::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) scene_->SetTheme(Theme::For(palette()));
}

void GraphPane::SetScope(Scope scope) { scope_->setCurrentIndex(static_cast<int>(scope)); }

void GraphPane::SetDepth(int depth) { depth_->setValue(depth); }

void GraphPane::SetBusy(bool busy) {
  progress_->setVisible(busy);
  cancel_->setVisible(busy);
  if (busy) note_->setText(tr("Laying out %1 instructions...").arg(pending_.nodes.size()));
}

bool GraphPane::WantsWhole(size_t computation_size) const {
  switch (static_cast<Scope>(scope_->currentIndex())) {
    case Scope::kAutomatic:
      return computation_size <= kSmallComputation;
    case Scope::kWhole:
      return computation_size <= kLargestWhole;
    case Scope::kNeighbourhood:
      return false;
  }
  return false;
}

bool GraphPane::IsOutdated() const {
  if (force_layout_ || document_ != selection_->document() || scene_->empty()) return true;
  const Graph& graph = scene_->graph();
  if (graph.computation != selection_->computation()) return true;
  if (graph.IsWhole()) return false;
  const auto found = graph.node_of.find(selection_->instruction());
  if (found == graph.node_of.end()) return selection_->instruction().has_value();
  // Selecting an instruction at the rim shows what lies beyond it.
  return graph.nodes[found->second].hidden_neighbours > 0;
}

void GraphPane::FollowSelection() {
  if (selection_->document() == nullptr || !selection_->computation().has_value()) {
    layout_->Abandon();
    scene_->Clear();
    document_ = nullptr;
    note_->setText(tr("No computation to draw."));
    breadcrumb_->clear();
    SetBusy(false);
    return;
  }
  ShowBreadcrumb();
  if (IsOutdated()) {
    StartLayout();
    return;
  }
  if (layout_->running()) {
    // What is drawn already serves; the layout was for something else.
    layout_->Abandon();
    SetBusy(false);
  }
  scene_->SetSelected(selection_->instruction());
  view_->Reveal(selection_->instruction());
}

void GraphPane::StartLayout() {
  force_layout_ = false;
  layout_->Abandon();
  const Module& module = selection_->module();
  const UserIndex& users = selection_->document()->users();
  const ComputationId computation = selection_->computation();
  const Computation& shown = module.computation(computation);
  const bool whole = WantsWhole(shown.instructions.size());
  depth_->setEnabled(!whole);
  depth_caption_->setEnabled(!whole);
  if (shown.instructions.empty()) {
    scene_->Clear();
    document_ = selection_->document();
    note_->setText(tr("The computation has no instructions."));
    SetBusy(false);
    return;
  }
  if (whole) {
    pending_ = BuildGraph(module, users, computation);
  } else {
    // Without a selected instruction, the result is the natural place to begin.
    InstructionId center = selection_->instruction();
    if (!center.has_value()) center = shown.root;
    if (!center.has_value()) center = shown.instructions.back();
    pending_ = Neighbourhood(module, users, center, {.depth = depth_->value(), .max_nodes = kMaxNeighbours});
  }
  pending_sizes_ = GraphScene::MeasureNodes(pending_);
  const std::string dot = ToDot(module, pending_, {.sizes = pending_sizes_});
  layout_->Start(QByteArray::fromStdString(dot), pending_.nodes.size(), pending_.edges.size(), kTimeLimitMs);
  busy_timer_.start();
}

void GraphPane::FinishLayout(const GraphLayout& layout) {
  busy_timer_.stop();
  SetBusy(false);
  const bool same_computation =
      document_ == selection_->document() && !scene_->empty() && scene_->graph().computation == pending_.computation;
  document_ = selection_->document();
  const size_t total = pending_.computation_size;
  const bool whole = pending_.IsWhole();
  const size_t shown = pending_.nodes.size();
  scene_->ShowGraph(std::move(pending_), pending_sizes_, layout);
  pending_ = Graph();
  scene_->SetSelected(selection_->instruction());
  UpdateMarks();
  if (!whole) {
    const InstructionId center = selection_->instruction();
    note_->setText(
        tr("%1 of %2 instructions: %3 steps around %4. \"+n\" counts neighbours that are not drawn.")
            .arg(FormatCount(static_cast<int64_t>(shown)), FormatCount(static_cast<int64_t>(total)))
            .arg(depth_->value())
            .arg(center.has_value() ? ToQString(selection_->module().InstructionName(center)) : tr("the root")));
  } else {
    note_->setText(tr("%1 instructions").arg(FormatCount(static_cast<int64_t>(total))));
  }
  const Computation& computation = selection_->module().computation(scene_->graph().computation);
  const InstructionId focus = selection_->instruction().has_value() ? selection_->instruction()
                              : whole                               ? InstructionId()
                                                                    : computation.root;
  if (same_computation && !whole) {
    // Exploring step by step keeps the zoom and the eye on the selected box.
    view_->centerOn(scene_->BoxOf(focus).center());
  } else {
    view_->ShowInitially(focus);
  }
  Q_EMIT GraphShown();
}

void GraphPane::FailLayout(const QString& message) {
  busy_timer_.stop();
  SetBusy(false);
  note_->setText(tr("No graph: %1. Choose \"Around selection\" or a smaller depth.").arg(message));
}

void GraphPane::UpdateMarks() {
  if (document_ == nullptr || document_ != selection_->document()) return;
  const InstructionId current = session_->current();
  scene_->UpdateMarks([&](InstructionId id) {
    return NodeMarks{id == current, session_->IsExecuted(id), session_->HasBreakpoint(id)};
  });
}

void GraphPane::Enter(InstructionId caller) {
  const auto found = scene_->graph().node_of.find(caller);
  if (found == scene_->graph().node_of.end()) return;
  const std::vector<ComputationId> called = scene_->graph().nodes[found->second].called;
  if (called.empty()) {
    selection_->SelectInstruction(caller);
    return;
  }
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

void GraphPane::Walk(int direction) {
  const InstructionId selected = selection_->instruction();
  if (!selected.has_value()) return;
  const absl::Span<const InstructionId> next =
      direction < 0 ? selection_->module().operands(selected) : selection_->document()->users().users(selected);
  if (!next.empty()) selection_->SelectInstruction(next.front());
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
