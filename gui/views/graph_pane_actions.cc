// SPDX-License-Identifier: Apache-2.0
// What keys, clicks and menus of the graph panel do.
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gui/models/graph_path.h"
#include "gui/models/group_summary.h"
#include "gui/models/instruction_query.h"
#include "gui/models/markdown.h"
#include "gui/models/plurals.h"
#include "gui/models/text.h"
#include "gui/views/graph_export.h"
#include "gui/views/graph_pane.h"
#include "gui/views/save_path.h"
#include "reports/subprocess.h"

namespace hloscope::gui {
namespace {

constexpr size_t kMostFound = 5000;

}  // namespace

void GraphPane::Toggle(uint32_t box) {
  if (box == kNoItem || box >= graph().boxes.size() || !graph().boxes[box].openable) return;
  open_.Set(graph(), box, graph().boxes[box].inside == kNoItem);
  fresh_ = false;
  Start(AimAt(Aim::Kind::kPin, box));
}

void GraphPane::Activate(uint32_t box) {
  if (box == kNoItem || box >= graph().boxes.size()) return;
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

// Up and down along edges, as in the module; to the sides as in the picture.
void GraphPane::Walk(Qt::Key direction) {
  const uint32_t from = canvas_->look().selected;
  open_.Touch(graph(), from);
  if (from == kNoItem) {
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
      selection_->SelectInstruction(id, Selection::Reach::kMark);
      return;
    }
    return;
  }
  // The nearest box of the same level in that direction.
  const VisibleGraph::Level& level = graph().levels[graph().boxes[from].level];
  const QPointF here = drawn.rect(from).center();
  uint32_t best = kNoItem;
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
    if (best == kNoItem || distance < best_distance) {
      best = box;
      best_distance = distance;
    }
  }
  if (best == kNoItem) return;
  if (graph().boxes[best].kind == VisibleGraph::BoxKind::kInstruction) {
    selection_->SelectInstruction(graph().boxes[best].instruction);
  } else {
    SelectBox(best);
    canvas_->Reveal(best);
  }
}

void GraphPane::SelectBox(uint32_t box) {
  canvas_->look().selected = box;
  canvas_->update();
  const VisibleGraph::Box& b = graph().boxes[box];
  if (b.kind == VisibleGraph::BoxKind::kComputation || b.kind == VisibleGraph::BoxKind::kInstruction) return;
  auto group = std::make_shared<Selection::Group>();
  group->title = ToQString(GroupTitle(selection_->module(), graph(), box));
  group->repeats = b.repeats;
  group->members = graph().MembersOf(box);
  selection_->SelectGroup(std::move(group));
}

bool GraphPane::ShowPath(InstructionId from, InstructionId to) {
  const Module& module = selection_->module();
  const std::vector<InstructionId> path = FindPath(module, selection_->document()->users(), from, to);
  const QString a = ToQString(module.InstructionName(from)), b = ToQString(module.InstructionName(to));
  canvas_->look().highlighted.clear();
  for (InstructionId id : path) {
    if (graph().BoxOf(id) != kNoItem) canvas_->look().highlighted.insert(graph().BoxOf(id));
  }
  canvas_->look().dim_others = !path.empty();
  highlight_note_ = path.empty() ? tr("No path: neither of %1 and %2 depends on the other.").arg(a, b)
                                 : tr("Path of %n step(s): %1 to %2", nullptr, ForPlural(path.size() - 1))
                                       .arg(ToQString(module.InstructionName(path.front())),
                                            ToQString(module.InstructionName(path.back())));
  ShowNote();
  canvas_->Refresh();
  if (!path.empty()) {
    // Its steps are a list, too.
    auto steps = std::make_shared<Selection::Group>();
    steps->title = highlight_note_;
    steps->is_path = true;
    steps->members = path;
    selection_->SelectGroup(std::move(steps));
  }
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
  if (query.needs_health() && session_->AskHealthOfRun()) {
    highlight_note_ = tr("Looking through all values of the run...");
    ShowNote();
    return;
  }
  InstructionQuery::Knowledge knowledge;
  knowledge.document = selection_->document().get();
  knowledge.health = [this](InstructionId id) { return session_->HealthInRun(id); };
  knowledge.executed = [this](InstructionId id) { return session_->IsExecuted(id); };
  found_ = query.Find(selection_->module(), graph().computation, kMostFound, knowledge);
  for (InstructionId id : found_) {
    if (graph().BoxOf(id) != kNoItem) canvas_->look().highlighted.insert(graph().BoxOf(id));
  }
  canvas_->look().dim_others = !found_.empty();
  ShowFound();
  canvas_->Refresh();
}

// How many were found and, if one of them is selected, which.
void GraphPane::ShowFound() {
  const QString count = FormatCount(static_cast<int64_t>(found_.size()));
  const auto at = std::lower_bound(found_.begin(), found_.end(), selection_->instruction());
  if (found_.empty()) {
    highlight_note_ =
        tr("Nothing found in %1").arg(ToQString(selection_->module().ComputationName(graph().computation)));
  } else if (at != found_.end() && *at == selection_->instruction()) {
    highlight_note_ =
        tr("%1 of %2: %3")
            .arg(FormatCount(at - found_.begin() + 1), count, ToQString(selection_->module().InstructionName(*at)));
  } else {
    highlight_note_ = tr("%1 found; Enter goes to the next one").arg(count);
  }
  ShowNote();
}

void GraphPane::FindNext(bool backwards) {
  if (found_.empty()) return;
  const InstructionId selected = selection_->instruction();
  auto next = found_.begin();
  if (selected.has_value() && backwards) {
    next = std::lower_bound(found_.begin(), found_.end(), selected);
    next = next == found_.begin() ? found_.end() - 1 : next - 1;
  } else if (selected.has_value()) {
    next = std::upper_bound(found_.begin(), found_.end(), selected);
    if (next == found_.end()) next = found_.begin();
  }
  selection_->SelectInstruction(*next);
  ShowFound();
}

// The search is left with Escape; arrows walk through what it found.
bool GraphPane::eventFilter(QObject* watched, QEvent* event) {
  if (watched != search_ || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  switch (key->key()) {
    case Qt::Key_Escape:
      search_->clear();
      ClearHighlight();
      canvas_->setFocus();
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      FindNext(key->modifiers().testFlag(Qt::ShiftModifier));
      return true;
    case Qt::Key_Down:
      FindNext();
      return true;
    case Qt::Key_Up:
      FindNext(/*backwards=*/true);
      return true;
    default:
      return false;
  }
}

QString GraphPane::ToolTip(uint32_t box) {
  const VisibleGraph::Box& b = graph().boxes[box];
  const Module& module = shown_.analyses->module();
  QStringList lines = shown_.text->Lines(graph(), box);
  const CostAnalysis& costs = shown_.analyses->costs();
  const bool is_group = b.kind != VisibleGraph::BoxKind::kInstruction;
  if (b.kind == VisibleGraph::BoxKind::kComputation) return lines.join(QLatin1Char('\n'));
  const std::vector<InstructionId> members =
      is_group ? graph().MembersOf(box) : std::vector<InstructionId>{b.instruction};
  const GroupSummary summary =
      SummarizeGroup(module, shown_.analyses->document()->users(), costs, session_->statistics(), members);
  if (!is_group) {
    // The name whole, wherever the box had to shorten it.
    lines = QStringList{QStringLiteral("%1 %2").arg(ToQString(module.InstructionName(b.instruction)),
                                                    ToQString(OpcodeName(module.opcode(b.instruction)))),
                        Elide(ToQString(module.shape(b.instruction).ToString()), 120)};
  }
  lines << tr("%1, %2 moved").arg(FormatFlops(static_cast<double>(summary.flops)), FormatBytes(summary.bytes));
  if (summary.runs > 0) lines << tr("%1 measured").arg(FormatSeconds(summary.seconds));
  if (!is_group && session_->IsDropped(b.instruction)) {
    lines << tr("executed; its value was dropped because memory was short");
  }
  const Metadata* metadata = is_group ? nullptr : module.MetadataOf(b.instruction);
  if (metadata != nullptr && metadata->op_name.has_value()) {
    lines << Elide(ToQString(module.string(metadata->op_name)), 160);
  }
  if (metadata != nullptr && metadata->source_file.has_value()) {
    lines << QStringLiteral("%1:%2").arg(ToQString(module.string(metadata->source_file))).arg(metadata->source_line);
  }
  return lines.join(QLatin1Char('\n'));
}

void GraphPane::FollowStub(const DrawnGraph::Stub& stub) {
  if (stub.other != kNoItem && graph().boxes[stub.other].kind != VisibleGraph::BoxKind::kInstruction) {
    SelectBox(stub.other);
    canvas_->Reveal(stub.other);
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
  if (box != kNoItem && box < graph().boxes.size()) {
    open_.Touch(graph(), box);
    const VisibleGraph::Box b = graph().boxes[box];
    if (b.openable) menu->addAction(b.inside == kNoItem ? tr("Open") : tr("Close"), this, [this, box] { Toggle(box); });
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
      const auto add_panel = [&](const QString& caption, const char* panel) {
        menu->addAction(caption, this, [this, id, panel] {
          selection_->SelectInstruction(id);
          Q_EMIT PanelRequested(QLatin1String(panel));
        });
      };
      add_panel(tr("Show its value"), "value");
      add_panel(tr("Show its layout in memory"), "layout");
      add_panel(tr("Show which elements it reads"), "index_map");
      add_panel(tr("Show it on the devices"), "sharding");
      menu->addSeparator();
      menu->addAction(tr("Copy as Markdown"), this, [this, id] {
        QGuiApplication::clipboard()->setText(MarkdownOfInstruction(*selection_->document(), id));
      });
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

// The command line has no closed groups: groups are those of op_name.
QString GraphPane::CommandOfGraph() const {
  const Module& module = selection_->module();
  const std::string& file = selection_->document()->source().name();
  std::string command = absl::StrCat("hloscope graph ", reports::ShellQuoted(file));
  const ComputationId computation = selection_->computation();
  if (computation.has_value() && computation != module.entry()) {
    absl::StrAppend(&command, " ",
                    reports::ShellQuoted(absl::StrCat("--computation=", module.ComputationName(computation))));
  }
  if (scope() == Scope::kNeighbourhood && selection_->instruction().has_value()) {
    const absl::string_view name = module.InstructionName(selection_->instruction());
    absl::StrAppend(&command, " ", reports::ShellQuoted(absl::StrCat("--around=", name)), " --depth=", depth());
  } else if (scope() == Scope::kGroups) {
    absl::StrAppend(&command, " --group-by=op_name");
  }
  return ToQString(absl::StrCat(command, " --format=svg"));
}

QString GraphPane::Export(const QString& path) {
  if (shown_.graph == nullptr || graph().empty()) return tr("There is no graph to export.");
  return ExportGraph(path, *canvas_, *analyses_, CommandOfGraph());
}

QString GraphPane::MarkdownOfGraph() const {
  if (selection_->document() == nullptr) return QString();
  const QString diagram = MermaidOf(selection_->module(), graph());
  if (!diagram.isEmpty()) return QStringLiteral("```mermaid\n%1```\n").arg(diagram);
  const InstructionId selected = selection_->instruction();
  return selected.has_value() ? MarkdownOfInstruction(*selection_->document(), selected) : QString();
}

void GraphPane::ChooseExport(const char* suffix) {
  const QString path = AskSavePath(this, tr("Export the graph"), QStringLiteral("graph.%1").arg(QLatin1String(suffix)),
                                   QStringLiteral("*.%1").arg(QLatin1String(suffix)));
  if (path.isEmpty()) return;
  const QString error = Export(path);
  note_->setText(error.isEmpty() ? tr("Written: %1").arg(path) : error);
}

}  // namespace hloscope::gui
