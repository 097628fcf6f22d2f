#include "gui/views/comparison_view.h"

#include <QShortcut>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <set>
#include <utility>

#include "gui/layout/merged_layout.h"
#include "gui/models/plurals.h"
#include "gui/models/text.h"
#include "gui/views/wrap_layout.h"

namespace hloscope {
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
  note_->setContentsMargins(2, 0, 2, 0);
  for (const Side side : {Side::kBefore, Side::kAfter}) {
    Pane& pane = side_[Index(side)];
    pane.title = new QLabel;
    pane.title->setContentsMargins(4, 1, 4, 1);
    pane.title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    pane.canvas = new GraphCanvas;
    pane.canvas->setAccessibleName(side == Side::kBefore ? tr("Graph before") : tr("Graph after"));
    pane.canvas->look().theme = Theme::For(palette());
    pane.canvas->SetMinimapShown(false);  // there is little room
    pane.canvas->installEventFilter(this);
    auto* half = new QWidget;
    auto* column = new QVBoxLayout(half);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
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
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(3);
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
  // What one side shows the other one shows, too.
  for (const Side side : {Side::kBefore, Side::kAfter}) {
    std::vector<InstructionId>& other = shown[1 - Index(side)];
    std::set<InstructionId> all(other.begin(), other.end());
    for (InstructionId id : shown[Index(side)]) {
      const InstructionId counterpart = VersionOf(side).counterparts[id.index()];
      if (counterpart.has_value()) all.insert(counterpart);
    }
    other.assign(all.begin(), all.end());
  }
  VisibleGraph graphs[2];
  FlowGraph flows[2];
  for (const Side side : {Side::kBefore, Side::kAfter}) {
    const size_t i = Index(side);
    Pane& pane = side_[i];
    pane.text = std::make_unique<BoxText>(pane.analyses->module(), pane.analyses->scopes(), /*compact=*/true);
    if (!computation[i].has_value() || shown[i].empty()) continue;
    VisibleGraphOptions options;
    options.computation = computation[i];
    const bool whole = shown[i].size() == pane.analyses->module().computation(computation[i]).instructions.size();
    if (!whole) options.only = shown[i];
    graphs[i] =
        BuildVisibleGraph(pane.analyses->module(), VersionOf(side).document->users(), pane.analyses->scopes(), options);
    for (uint32_t box = 0; box < graphs[i].boxes.size(); ++box) {
      // Nothing opens here.
      graphs[i].boxes[box].openable = false;
      flows[i].sizes.push_back(pane.text->Size(graphs[i], box));
    }
    for (const VisibleGraph::Edge& edge : graphs[i].edges) flows[i].edges.push_back({edge.from, edge.to});
  }
  std::vector<uint32_t> before_of;
  for (const VisibleGraph::Box& box : graphs[1].boxes) {
    const InstructionId counterpart = comparison_->after.counterparts[box.instruction.index()];
    before_of.push_back(counterpart.has_value() && !graphs[0].empty() ? graphs[0].OwnBoxOf(counterpart) : kNoFlowBox);
  }
  const MergedLayout merged = LayOutMerged(flows[0], flows[1], before_of);
  for (uint32_t box = 0; box < graphs[0].boxes.size(); ++box) {
    const InstructionId id = graphs[0].boxes[box].instruction;
    if (comparison_->before.changes[id.index()] == InstructionChange::kRemoved) {
      differences_.emplace_back(Side::kBefore, id);
    }
  }
  for (const VisibleGraph::Box& box : graphs[1].boxes) {
    if (comparison_->after.changes[box.instruction.index()] != InstructionChange::kSame) {
      differences_.emplace_back(Side::kAfter, box.instruction);
    }
  }
  // From above: the version after where both stand at one place.
  std::stable_sort(differences_.begin(), differences_.end(), [&](const auto& a, const auto& b) {
    auto place = [&](const std::pair<Side, InstructionId>& one) {
      const FlowLayout& layout = one.first == Side::kBefore ? merged.before : merged.after;
      const FlowLayout::Corner at = layout.corners[graphs[Index(one.first)].BoxOf(one.second)];
      return std::pair(at.y, at.x);
    };
    return place(a) < place(b);
  });
  const size_t drawn = std::max(graphs[0].boxes.size(), graphs[1].boxes.size());
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
    pane.canvas->SetGraph(std::make_shared<DrawnGraph>(std::move(graphs[i]), flows[i].sizes,
                                                       side == Side::kBefore ? merged.before : merged.after));
  }
  following_ = false;
  ShowColors();
  moved_ = false;
  FitGraphs();
  const size_t total =
      computation[1].has_value() ? comparison_->after.module().computation(computation[1]).instructions.size() : 0;
  note_->setText(
      differences_.empty()
          ? tr("No difference here: %1 instruction(s) stand(s|) for each other.", nullptr, ForPlural(total)).arg(total)
          : tr("%1 difference(s).", nullptr, ForPlural(differences_.size())).arg(differences_.size()) +
                QLatin1Char(' ') +
                tr("%1 of %2 instruction(s) (is|are) drawn; a click shows what stands for it on the other "
                   "side.",
                   nullptr, ForPlural(std::max(total, drawn)))
                    .arg(drawn)
                    .arg(std::max(total, drawn)));
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

}  // namespace hloscope
