// SPDX-License-Identifier: Apache-2.0
#include "gui/views/graph_coloring.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>

#include "core/print/sharding_printer.h"
#include "gui/models/group_summary.h"
#include "gui/models/text.h"

namespace hloscope::gui {
namespace {

// What is less than the most by more powers of ten looks the same; what differs by fewer does not glow.
constexpr double kMostOrders = 6, kFewestOrders = 0.3;
constexpr int kLegendSteps = 4;
// Longest sharding in the legend, in characters.
constexpr qsizetype kLongestSharding = 44;

struct GraphColoringText {
  Q_DECLARE_TR_FUNCTIONS(GraphColoring)
};

// Calls `visit(box, instruction)` for everything that is shown, also inside of groups.
template <typename Visit>
void ForEachShown(const VisibleGraph& graph, Visit visit) {
  for (uint32_t i = 0; i < graph.box_of.size(); ++i) {
    if (graph.box_of[i] != kNoItem) visit(graph.box_of[i], InstructionId(i));
  }
}

QString CategoryName(NodeCategory category) {
  switch (category) {
    case NodeCategory::kParameter:
      return GraphColoringText::tr("parameter");
    case NodeCategory::kConstant:
      return GraphColoringText::tr("constant");
    case NodeCategory::kElementwise:
      return GraphColoringText::tr("elementwise");
    case NodeCategory::kDataMovement:
      return GraphColoringText::tr("movement of data");
    case NodeCategory::kContraction:
      return GraphColoringText::tr("dot, convolution");
    case NodeCategory::kReduction:
      return GraphColoringText::tr("reduction, sort");
    case NodeCategory::kControlFlow:
      return GraphColoringText::tr("calls, loops, fusions");
    case NodeCategory::kCollective:
      return GraphColoringText::tr("between devices");
    case NodeCategory::kTuple:
      return GraphColoringText::tr("tuple");
    case NodeCategory::kRandom:
      return GraphColoringText::tr("random");
    case NodeCategory::kTransfer:
      return GraphColoringText::tr("transfer");
    case NodeCategory::kUnknown:
      break;
  }
  return GraphColoringText::tr("not understood");
}

GraphColors ByCategory(const VisibleGraph& graph, const Theme& theme) {
  GraphColors colors;
  std::map<NodeCategory, int> seen;
  bool groups = false;
  for (const VisibleGraph::Box& box : graph.boxes) {
    if (box.kind == VisibleGraph::BoxKind::kInstruction) {
      ++seen[box.category];
    } else {
      groups = true;
    }
  }
  for (const auto& [category, count] : seen) {
    const LegendEntry entry{theme.CategoryFill(category), CategoryName(category)};
    // Several categories that have no name of their own are one entry.
    if (std::find(colors.legend.begin(), colors.legend.end(), entry) == colors.legend.end()) {
      colors.legend.push_back(entry);
    }
  }
  if (groups) colors.legend.push_back({theme.GroupFill(), GraphColoringText::tr("group")});
  return colors;
}

// From the least that is not nothing to the most, in even steps of magnitude: what differs little is told apart, too.
GraphColors ByAmount(const std::vector<double>& amount, const Theme& theme,
                     const std::function<QString(double)>& format) {
  double most = 0, least = 0;
  for (double a : amount) {
    most = std::max(most, a);
    if (a > 0 && (least == 0 || a < least)) least = a;
  }
  const double orders = most > 0 ? std::clamp(std::log10(most / least), kFewestOrders, kMostOrders) : kMostOrders;
  const auto share = [&](double a) { return a <= 0 ? -1 : std::max(0.0, 1 + std::log10(a / most) / orders); };
  GraphColors colors;
  for (double a : amount) colors.fills.push_back(theme.HeatFill(share(a)));
  colors.legend.push_back({theme.HeatFill(-1), GraphColoringText::tr("none")});
  QStringList said;
  for (int step = 0; most > 0 && step <= kLegendSteps; ++step) {
    const double value = most * std::pow(10, orders * (static_cast<double>(step) / kLegendSteps - 1));
    const QString text = format(value);
    if (said.contains(text)) continue;
    said << text;
    colors.legend.push_back({theme.HeatFill(share(value)), text});
  }
  return colors;
}

GraphColors ByCost(bool flops, const VisibleGraph& graph, DocumentAnalyses& analyses, const Theme& theme) {
  const CostAnalysis& costs = analyses.costs();
  std::vector<double> amount(graph.boxes.size(), 0);
  ForEachShown(graph, [&](uint32_t box, InstructionId id) {
    const Cost& cost = costs.Of(id);
    amount[box] += static_cast<double>(flops ? cost.flops : cost.bytes());
  });
  return ByAmount(amount, theme, [flops](double value) {
    return flops ? FormatFlops(std::round(value)) : FormatBytes(static_cast<int64_t>(std::round(value)));
  });
}

GraphColors ByTime(const VisibleGraph& graph, const Module& module, const SessionController& session,
                   const std::vector<double>& profiled, const Theme& theme) {
  const std::vector<double> seconds = profiled.empty() ? SecondsWithCalled(module, session.statistics()) : profiled;
  std::vector<double> amount(graph.boxes.size(), 0);
  if (!seconds.empty()) {
    ForEachShown(graph, [&](uint32_t box, InstructionId id) { amount[box] += seconds[id.index()]; });
  }
  GraphColors colors = ByAmount(amount, theme, FormatSeconds);
  if (seconds.empty()) colors.legend = {{theme.HeatFill(-1), GraphColoringText::tr("nothing ran yet")}};
  return colors;
}

GraphColors ByHealth(const VisibleGraph& graph, const SessionController& session, const Theme& theme) {
  std::vector<evaluator::NonFinite> health(graph.boxes.size());
  std::vector<bool> executed(graph.boxes.size(), false), written(graph.boxes.size(), false);
  std::vector<bool> unseen(graph.boxes.size(), false);
  ForEachShown(graph, [&](uint32_t box, InstructionId id) {
    const evaluator::NonFinite found = session.HealthOf(id);
    health[box].nan = health[box].nan || found.nan;
    health[box].infinity = health[box].infinity || found.infinity;
    executed[box] = executed[box] || session.IsExecuted(id);
    unseen[box] = unseen[box] || session.IsDroppedUnseen(id);
    const evaluator::NonFinite meant = session.WrittenHealthOf(id);
    written[box] = written[box] || meant.nan || meant.infinity;
  });
  GraphColors colors;
  for (uint32_t box = 0; box < graph.boxes.size(); ++box) {
    colors.fills.push_back(health[box].nan        ? theme.error
                           : health[box].infinity ? theme.warning
                           : written[box]         ? theme.WrittenFill()
                           : unseen[box]          ? theme.UnseenFill()
                           : executed[box]        ? theme.HealthyFill()
                                                  : theme.HeatFill(-1));
  }
  colors.legend = {{theme.error, GraphColoringText::tr("NaN")},
                   {theme.warning, GraphColoringText::tr("infinity")},
                   {theme.HealthyFill(), GraphColoringText::tr("finite")},
                   {theme.HeatFill(-1), GraphColoringText::tr("not executed")}};
  if (std::find(written.begin(), written.end(), true) != written.end()) {
    colors.legend.insert(colors.legend.begin() + 2,
                         {theme.WrittenFill(), GraphColoringText::tr("NaN or infinity of the text")});
  }
  if (std::find(unseen.begin(), unseen.end(), true) != unseen.end()) {
    colors.legend.insert(colors.legend.end() - 1,
                         {theme.UnseenFill(), GraphColoringText::tr("dropped before it was looked at")});
  }
  return colors;
}

GraphColors BySharding(const VisibleGraph& graph, const Module& module, const Theme& theme) {
  constexpr int32_t kUnseen = -2, kUnsharded = -1, kSeveral = -3;
  std::map<std::string, int32_t> numbers;
  std::vector<std::string> texts;
  std::vector<size_t> counts;
  std::vector<int32_t> of(graph.boxes.size(), kUnseen);
  ForEachShown(graph, [&](uint32_t box, InstructionId id) {
    int32_t number = kUnsharded;
    if (const Sharding* sharding = module.ShardingAttribute(id)) {
      std::string text;
      AppendSharding(module, *sharding, /*with_metadata=*/false, &text);
      const auto [it, is_new] = numbers.emplace(text, static_cast<int32_t>(texts.size()));
      if (is_new) {
        texts.push_back(text);
        counts.push_back(0);
      }
      number = it->second;
      ++counts[static_cast<size_t>(number)];
    }
    // In a group, what has no sharding does not count beside what has one.
    if (of[box] == kUnseen || of[box] == kUnsharded) {
      of[box] = number;
    } else if (number != kUnsharded && of[box] != number) {
      of[box] = kSeveral;
    }
  });
  // The most frequent ones have colours of their own.
  std::vector<int32_t> order(texts.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int32_t>(i);
  std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return counts[static_cast<size_t>(a)] > counts[static_cast<size_t>(b)];
  });
  std::vector<QColor> color_of(texts.size(), theme.GroupFill());
  GraphColors colors;
  const size_t colored = std::min<size_t>(order.size(), Theme::kLabelFills);
  for (size_t i = 0; i < colored; ++i) {
    const auto number = static_cast<size_t>(order[i]);
    color_of[number] = theme.LabelFill(static_cast<int>(i));
    colors.legend.push_back(
        {color_of[number], QStringLiteral("%1 (%2)").arg(Elide(ToQString(texts[number]), kLongestSharding),
                                                         FormatCount(static_cast<int64_t>(counts[number])))});
  }
  bool several = order.size() > colored;
  for (int32_t number : of) {
    several = several || number == kSeveral;
    colors.fills.push_back(number >= 0          ? color_of[static_cast<size_t>(number)]
                           : number == kSeveral ? theme.GroupFill()
                                                : theme.HeatFill(-1));
  }
  if (several) {
    colors.legend.push_back(
        {theme.GroupFill(), order.size() > colored
                                ? GraphColoringText::tr("others (%1 in all), or several").arg(order.size())
                                : GraphColoringText::tr("several")});
  }
  colors.legend.push_back({theme.HeatFill(-1), texts.empty()
                                                   ? GraphColoringText::tr("no instruction shown has a sharding")
                                                   : GraphColoringText::tr("no sharding")});
  return colors;
}

}  // namespace

QColor ChangeFill(InstructionChange change, const Theme& theme) {
  switch (change) {
    case InstructionChange::kSame:
      break;
    case InstructionChange::kChanged:
      return theme.dark ? QColor(0x5c, 0x48, 0x10) : QColor(0xff, 0xe4, 0x9a);
    case InstructionChange::kAdded:
      return theme.dark ? QColor(0x1f, 0x58, 0x3a) : QColor(0xb4, 0xe6, 0xc4);
    case InstructionChange::kRemoved:
      return theme.dark ? QColor(0x6a, 0x2a, 0x30) : QColor(0xff, 0xc4, 0xc2);
  }
  return theme.HeatFill(-1);
}

std::vector<QColor> ChangeFills(const VisibleGraph& graph, const ComparedVersion& version, const Theme& theme) {
  std::vector<InstructionChange> change(graph.boxes.size(), InstructionChange::kSame);
  ForEachShown(graph, [&](uint32_t box, InstructionId id) {
    const InstructionChange one = version.changes[id.index()];
    if (one == InstructionChange::kSame || one == change[box]) return;
    // A group in which several things happened is changed.
    const bool is_group = graph.boxes[box].members > 1;
    change[box] = change[box] == InstructionChange::kSame && !is_group ? one : InstructionChange::kChanged;
  });
  std::vector<QColor> fills;
  for (InstructionChange one : change) fills.push_back(ChangeFill(one, theme));
  return fills;
}

std::vector<LegendEntry> ChangeLegend(const Theme& theme) {
  return {{ChangeFill(InstructionChange::kAdded, theme), GraphColoringText::tr("added")},
          {ChangeFill(InstructionChange::kRemoved, theme), GraphColoringText::tr("removed")},
          {ChangeFill(InstructionChange::kChanged, theme), GraphColoringText::tr("changed")},
          {ChangeFill(InstructionChange::kSame, theme), GraphColoringText::tr("the same")}};
}

GraphColors ColorGraph(GraphColoring coloring, const VisibleGraph& graph, DocumentAnalyses& analyses,
                       const SessionController& session, const std::vector<double>& profiled,
                       const ComparedVersion* changes, const Theme& theme) {
  switch (coloring) {
    case GraphColoring::kCategory:
      return ByCategory(graph, theme);
    case GraphColoring::kFlops:
    case GraphColoring::kBytes:
      return ByCost(coloring == GraphColoring::kFlops, graph, analyses, theme);
    case GraphColoring::kTime:
      return ByTime(graph, analyses.module(), session, profiled, theme);
    case GraphColoring::kHealth:
      return ByHealth(graph, session, theme);
    case GraphColoring::kSharding:
      return BySharding(graph, analyses.module(), theme);
    case GraphColoring::kChanges:
      if (changes != nullptr) return {ChangeFills(graph, *changes, theme), ChangeLegend(theme)};
      return {std::vector<QColor>(graph.boxes.size(), theme.HeatFill(-1)),
              {{theme.HeatFill(-1),
                GraphColoringText::tr("compared with nothing yet: choose a file in \"Differences and rewrites\"")}}};
  }
  return {};
}

}  // namespace hloscope::gui
