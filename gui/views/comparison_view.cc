// SPDX-License-Identifier: Apache-2.0
#include "gui/views/comparison_view.h"

#include <QShortcut>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <set>
#include <utility>

#include "gui/models/plurals.h"
#include "gui/models/text.h"
#include "gui/views/metrics.h"
#include "gui/views/wrap_layout.h"

namespace hloscope::gui {
namespace {}  // namespace

ComparisonView::ComparisonView(QWidget* parent)
    : QWidget(parent),
      computations_(new QComboBox),
      whole_(new QCheckBox(tr("Whole computation"))),
      note_(new QLabel),
      legend_(new LegendView),
      splitter_(new QSplitter(Qt::Horizontal)) {
  computations_->setAccessibleName(tr("Computation"));
  computations_->setToolTip(tr("Computations that differ, with the number of differences"));
  computations_->setMinimumContentsLength(16);
  computations_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  whole_->setToolTip(tr("Show what is the same far from every difference, too"));
  auto* bar = MakeWrapBar();
  bar->layout()->addWidget(computations_);
  auto add_button = [&](const QString& caption, const QString& tool_tip, const QKeySequence& key, int step) {
    auto* button = new QToolButton;
    button->setText(caption);
    button->setToolTip(QStringLiteral("%1 (%2)").arg(tool_tip, key.toString(QKeySequence::NativeText)));
    button->setAccessibleName(tool_tip);
    button->setObjectName(step > 0 ? QStringLiteral("next_difference") : QStringLiteral("previous_difference"));
    connect(button, &QToolButton::clicked, this, [this, step] { GoToChange(step); });
    auto* shortcut = new QShortcut(key, this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
    connect(shortcut, &QShortcut::activated, this, [this, step] { GoToChange(step); });
    bar->layout()->addWidget(button);
  };
  add_button(QString(QChar(0x25B2)), tr("Previous difference"), QKeySequence(Qt::Key_P), -1);
  add_button(QString(QChar(0x25BC)), tr("Next difference"), QKeySequence(Qt::Key_N), 1);
  bar->layout()->addWidget(whole_);
  note_->setWordWrap(true);
  note_->setContentsMargins(Space::kTight, 0, Space::kTight, 0);
  for (const Side side : {Side::kBefore, Side::kAfter}) {
    Pane& pane = side_[Index(side)];
    pane.title = new QLabel;
    pane.title->setContentsMargins(Space::kTight, 0, Space::kTight, 0);
    pane.title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    pane.canvas = new GraphCanvas;
    pane.canvas->setAccessibleName(side == Side::kBefore ? tr("Graph before") : tr("Graph after"));
    pane.canvas->look().theme = Theme::For(palette());
    pane.canvas->SetMinimapShown(false);  // there is little room
    pane.canvas->installEventFilter(this);
    auto* half = new QWidget;
    auto* column = new QVBoxLayout(half);
    column->setContentsMargins({});
    column->setSpacing(Space::kNone);
    column->addWidget(pane.title);
    column->addWidget(pane.canvas, 1);
    splitter_->addWidget(half);
    connect(pane.canvas, &GraphCanvas::ViewChanged, this, [this, side] { Follow(side); });
    connect(pane.canvas, &GraphCanvas::BoxClicked, this, [this, side](uint32_t box) {
      SelectBox(side, box);
      const InstructionId id = side_[Index(side)].canvas->graph().graph().boxes[box].instruction;
      Q_EMIT Selected(side, id);
    });
  }
  splitter_->setChildrenCollapsible(false);
  splitter_->setStretchFactor(0, 1);
  splitter_->setStretchFactor(1, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins({});
  column->setSpacing(Space::kTight);
  column->addWidget(bar);
  column->addWidget(splitter_, 1);
  column->addWidget(legend_);
  column->addWidget(note_);
  connect(computations_, &QComboBox::currentIndexChanged, this, &ComparisonView::ShowGraphs);
  connect(whole_, &QCheckBox::toggled, this, &ComparisonView::ShowGraphs);
  SetComparison(nullptr, QString(), QString());
}

void ComparisonView::SetComparison(std::shared_ptr<const VersionComparison> comparison, const QString& before_title,
                                   const QString& after_title) {
  // The graphs go before the modules that their texts are of.
  for (Pane& pane : side_) {
    pane.canvas->SetGraph(std::make_shared<DrawnGraph>());
    pane.canvas->look().text = nullptr;
    pane.text = nullptr;
    pane.analyses = nullptr;
  }
  comparison_ = std::move(comparison);
  side_[0].title->setText(before_title);
  side_[1].title->setText(after_title);
  {
    const QSignalBlocker quiet(computations_);
    computations_->clear();
    for (size_t i = 0; comparison_ != nullptr && i < comparison_->computations.size(); ++i) {
      const VersionComparison::Computations& one = comparison_->computations[i];
      if (one.changes == 0 && i > 0) continue;  // the entry computation is always there
      const QString name = ToQString(one.after.has_value() ? comparison_->after.module().ComputationName(one.after)
                                                           : comparison_->before.module().ComputationName(one.before));
      computations_->addItem(tr("%1: %2 difference(s)", nullptr, ForPlural(one.changes)).arg(name).arg(one.changes),
                             static_cast<int>(i));
    }
    // What differs most is what one wants to see.
    size_t most = 0;
    for (int i = 0; i < computations_->count(); ++i) {
      const size_t changes = comparison_->computations[computations_->itemData(i).toUInt()].changes;
      if (changes > most) {
        most = changes;
        computations_->setCurrentIndex(i);
      }
    }
  }
  for (const Side side : {Side::kBefore, Side::kAfter}) {
    if (comparison_ != nullptr) {
      side_[Index(side)].analyses = std::make_shared<DocumentAnalyses>(VersionOf(side).document);
    }
  }
  setEnabled(comparison_ != nullptr);
  ShowGraphs();
}

void ComparisonView::ShowComputation(int number) { computations_->setCurrentIndex(computations_->findData(number)); }

// The whole computation, or what differs with its surroundings.
std::vector<InstructionId> ComparisonView::Shown(Side side, ComputationId computation) const {
  if (!computation.has_value()) return {};
  const ComparedVersion& version = VersionOf(side);
  const Module& module = version.module();
  const std::vector<InstructionId>& all = module.computation(computation).instructions;
  if (all.size() <= kMostShownWhole || (whole_->isChecked() && all.size() <= kMostShown)) return all;
  const UserIndex& users = version.document->users();
  std::set<InstructionId> shown;
  std::vector<InstructionId> rim, next;
  for (InstructionId id : all) {
    if (version.changes[id.index()] != InstructionChange::kSame && shown.size() < kMostShown) {
      shown.insert(id);
      rim.push_back(id);
    }
  }
  for (int step = 0; step < kSurroundings; ++step) {
    next.clear();
    auto add = [&](InstructionId id) {
      if (id.has_value() && shown.size() < kMostShown && shown.insert(id).second) next.push_back(id);
    };
    for (InstructionId id : rim) {
      for (InstructionId operand : module.operands(id)) add(operand);
      for (InstructionId user : users.users(id)) add(user);
    }
    rim.swap(next);
  }
  return {shown.begin(), shown.end()};
}

void ComparisonView::ShareShown(std::vector<InstructionId> (&shown)[2]) const {
  for (const Side side : {Side::kBefore, Side::kAfter}) {
    std::vector<InstructionId>& other = shown[1 - Index(side)];
    std::set<InstructionId> all(other.begin(), other.end());
    for (InstructionId id : shown[Index(side)]) {
      const InstructionId counterpart = VersionOf(side).counterparts[id.index()];
      if (counterpart.has_value()) all.insert(counterpart);
    }
    other.assign(all.begin(), all.end());
  }
}

ComparisonView::Drawing ComparisonView::Draw(Side side, ComputationId computation,
                                             const std::vector<InstructionId>& shown) {
  Pane& pane = side_[Index(side)];
  const Module& module = pane.analyses->module();
  pane.text = std::make_unique<BoxText>(module, /*compact=*/true);
  Drawing drawing;
  if (!computation.has_value() || shown.empty()) return drawing;
  VisibleGraphOptions options;
  options.computation = computation;
  const bool whole = shown.size() == module.computation(computation).instructions.size();
  if (!whole) options.only = shown;
  drawing.graph = BuildVisibleGraph(module, VersionOf(side).document->users(), pane.analyses->scopes(), options);
  for (uint32_t box = 0; box < drawing.graph.boxes.size(); ++box) {
    // Nothing opens here.
    drawing.graph.boxes[box].openable = false;
    drawing.flow.sizes.push_back(pane.text->Size(drawing.graph, box));
  }
  for (const VisibleGraph::Edge& edge : drawing.graph.edges) drawing.flow.edges.push_back({edge.from, edge.to});
  return drawing;
}

void ComparisonView::ListDifferences(const Drawing (&drawings)[2], const MergedLayout& merged) {
  for (uint32_t box = 0; box < drawings[0].graph.boxes.size(); ++box) {
    const InstructionId id = drawings[0].graph.boxes[box].instruction;
    if (comparison_->before.changes[id.index()] == InstructionChange::kRemoved) {
      differences_.emplace_back(Side::kBefore, id);
    }
  }
  for (const VisibleGraph::Box& box : drawings[1].graph.boxes) {
    if (comparison_->after.changes[box.instruction.index()] != InstructionChange::kSame) {
      differences_.emplace_back(Side::kAfter, box.instruction);
    }
  }
  // From above: the version after where both are at one place.
  std::stable_sort(differences_.begin(), differences_.end(), [&](const auto& a, const auto& b) {
    auto place = [&](const std::pair<Side, InstructionId>& one) {
      const FlowLayout& layout = one.first == Side::kBefore ? merged.before : merged.after;
      const FlowLayout::Corner at = layout.corners[drawings[Index(one.first)].graph.BoxOf(one.second)];
      return std::pair(at.y, at.x);
    };
    return place(a) < place(b);
  });
}

void ComparisonView::ShowNote(ComputationId after, size_t drawn) {
  const size_t total = after.has_value() ? comparison_->after.module().computation(after).instructions.size() : 0;
  note_->setText(
      differences_.empty()
          ? tr("No difference here: %1 instruction(s) correspond(s|) to each other.", nullptr, ForPlural(total))
                .arg(total)
          : tr("%1 difference(s).", nullptr, ForPlural(differences_.size())).arg(differences_.size()) +
                QLatin1Char(' ') +
                tr("%1 of %2 instruction(s) (is|are) drawn; a click shows what corresponds to it on the "
                   "other side.",
                   nullptr, ForPlural(std::max(total, drawn)))
                    .arg(drawn)
                    .arg(std::max(total, drawn)));
}

void ComparisonView::ShowGraphs() {
  at_ = -1;
  differences_.clear();
  const QVariant data = computations_->currentData();
  if (comparison_ == nullptr || !data.isValid()) {
    for (Pane& pane : side_) pane.canvas->SetGraph(std::make_shared<DrawnGraph>());
    legend_->SetEntries({});
    note_->setText(tr("Nothing is compared yet."));
    return;
  }
  const VersionComparison::Computations& one = comparison_->computations[data.toUInt()];
  const ComputationId computation[2] = {one.before, one.after};
  std::vector<InstructionId> shown[2] = {Shown(Side::kBefore, one.before), Shown(Side::kAfter, one.after)};
  ShareShown(shown);
  Drawing drawings[2];
  for (const Side side : {Side::kBefore, Side::kAfter}) {
    drawings[Index(side)] = Draw(side, computation[Index(side)], shown[Index(side)]);
  }
  std::vector<uint32_t> before_of;
  for (const VisibleGraph::Box& box : drawings[1].graph.boxes) {
    const InstructionId counterpart = comparison_->after.counterparts[box.instruction.index()];
    before_of.push_back(counterpart.has_value() && !drawings[0].graph.empty() ? drawings[0].graph.OwnBoxOf(counterpart)
                                                                              : kNoFlowBox);
  }
  const MergedLayout merged = LayOutMerged(drawings[0].flow, drawings[1].flow, before_of);
  ListDifferences(drawings, merged);
  const size_t drawn = std::max(drawings[0].graph.boxes.size(), drawings[1].graph.boxes.size());
  following_ = true;
  for (const Side side : {Side::kBefore, Side::kAfter}) {
    const size_t i = Index(side);
    Pane& pane = side_[i];
    GraphPainter::Look& look = pane.canvas->look();
    look.selected = look.hovered = kNoItem;
    look.text = pane.text.get();
    look.instruction_name = [analyses = pane.analyses](InstructionId id) {
      return ToQString(analyses->module().InstructionName(id));
    };
    pane.canvas->SetGraph(std::make_shared<DrawnGraph>(std::move(drawings[i].graph), drawings[i].flow.sizes,
                                                       side == Side::kBefore ? merged.before : merged.after));
  }
  following_ = false;
  ShowColors();
  moved_ = false;
  FitGraphs();
  ShowNote(computation[1], drawn);
}

void ComparisonView::ShowColors() {
  if (comparison_ == nullptr) return;
  const Theme theme = Theme::For(palette());
  for (const Side side : {Side::kBefore, Side::kAfter}) {
    GraphCanvas* canvas = side_[Index(side)].canvas;
    canvas->look().theme = theme;
    canvas->look().fills = ChangeFills(canvas->graph().graph(), VersionOf(side), theme);
    canvas->Refresh();
  }
  legend_->SetEntries(ChangeLegend(theme));
}

void ComparisonView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::PaletteChange) return;
  for (Pane& pane : side_) {
    pane.canvas->look().theme = Theme::For(palette());
    pane.canvas->Refresh();
  }
  ShowColors();
}

void ComparisonView::FitGraphs() {
  GraphCanvas* lead = side_[side_[1].canvas->graph().empty() ? 0 : 1].canvas;
  const bool was_following = std::exchange(following_, false);
  lead->ShowInitially(at_ < 0 ? kNoItem : lead->look().selected);
  following_ = was_following;
}

bool ComparisonView::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::Wheel:
    case QEvent::KeyPress:
      moved_ = true;
      break;
    case QEvent::Resize:
      // After the canvas has taken notice of it.
      if (!moved_) QTimer::singleShot(0, this, [this] { FitGraphs(); });
      break;
    default:
      break;
  }
  return QWidget::eventFilter(watched, event);
}

void ComparisonView::Follow(Side side) {
  if (std::exchange(following_, true)) return;
  const GraphCanvas* lead = side_[Index(side)].canvas;
  GraphCanvas* other = side_[1 - Index(side)].canvas;
  other->CenterOn(lead->visible().center(), lead->scale());
  following_ = false;
}

void ComparisonView::SelectBox(Side side, uint32_t box) {
  Pane &here = side_[Index(side)], &there = side_[1 - Index(side)];
  here.canvas->look().selected = box;
  const InstructionId id = here.canvas->graph().graph().boxes[box].instruction;
  const InstructionId counterpart = VersionOf(side).counterparts[id.index()];
  const VisibleGraph& other = there.canvas->graph().graph();
  there.canvas->look().selected = counterpart.has_value() && !other.empty() ? other.OwnBoxOf(counterpart) : kNoItem;
  here.canvas->Reveal(box);
  here.canvas->update();
  there.canvas->update();
}

void ComparisonView::Select(Side side, InstructionId instruction) {
  const VisibleGraph& graph = side_[Index(side)].canvas->graph().graph();
  const uint32_t box = graph.empty() ? kNoItem : graph.OwnBoxOf(instruction);
  if (box != kNoItem) SelectBox(side, box);
}

void ComparisonView::GoToChange(int step) {
  if (differences_.empty()) return;
  const int count = static_cast<int>(differences_.size());
  at_ = at_ < 0 ? (step > 0 ? 0 : count - 1) : (at_ + step + count) % count;
  const auto [side, id] = differences_[static_cast<size_t>(at_)];
  Select(side, id);
  Q_EMIT Selected(side, id);
}

}  // namespace hloscope::gui
