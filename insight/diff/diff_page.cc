// SPDX-License-Identifier: Apache-2.0
#include "insight/diff/diff_page.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "core/diagnostics/count_text.h"
#include "core/print/instruction_printer.h"
#include "insight/diff/change_groups.h"

namespace hloscope::insight {
namespace {

// The instructions of a module as lines of code.
class Lines {
 public:
  explicit Lines(const Module& module) : module_(module), printer_(module, Options()) {}
  std::string Of(InstructionId id) {
    const bool is_root = module_.computation(module_.instruction(id).computation).root == id;
    return absl::StrCat(is_root ? "ROOT " : "", printer_.Print(id));
  }
  const Module& module() const { return module_; }

 private:
  static PrintOptions Options() {
    PrintOptions options = PrintOptions::Short();
    options.percent = false;
    return options;
  }
  const Module& module_;
  InstructionPrinter printer_;
};

// The lines of a computation in both versions, beside each other where they correspond.
std::vector<CodePair> Rows(Lines& a, Lines& b, const ComputationDiff& diff) {
  absl::flat_hash_map<InstructionId, InstructionId> in_a;
  absl::flat_hash_set<InstructionId> changed, removed(diff.removed.begin(), diff.removed.end());
  for (const auto& [x, y] : diff.same) in_a.emplace(y, x);
  for (const ChangedInstruction& one : diff.changed) {
    in_a.emplace(one.b, one.a);
    changed.insert(one.b);
  }
  std::vector<CodePair> rows;
  const std::vector<InstructionId> none;
  const std::vector<InstructionId>& left = diff.a.has_value() ? a.module().computation(diff.a).instructions : none;
  const std::vector<InstructionId>& right = diff.b.has_value() ? b.module().computation(diff.b).instructions : none;
  size_t next = 0;  // in left
  const auto add_removed_until = [&](InstructionId stop) {
    // What moved is where the new version has it.
    const auto at = std::find(left.begin() + static_cast<std::ptrdiff_t>(next), left.end(), stop);
    if (at == left.end() && stop.has_value()) return;
    for (; next < static_cast<size_t>(at - left.begin()); ++next) {
      if (removed.contains(left[next])) rows.push_back({LineKind::kRemoved, a.Of(left[next]), ""});
    }
    next += stop.has_value();
  };
  for (InstructionId id : right) {
    const auto it = in_a.find(id);
    if (it == in_a.end()) {
      rows.push_back({LineKind::kAdded, "", b.Of(id)});
      continue;
    }
    // A long way ahead is a move: looking for each would take long.
    if (next < left.size() && (left[next] == it->second || removed.contains(left[next]))) add_removed_until(it->second);
    rows.push_back({changed.contains(id) ? LineKind::kChanged : LineKind::kSame, a.Of(it->second), b.Of(id)});
  }
  add_removed_until(InstructionId());
  return rows;
}

// Only what changed, with some lines around it.
std::vector<CodePair> Shortened(std::vector<CodePair> rows, size_t context) {
  std::vector<bool> shown(rows.size(), false);
  for (size_t k = 0; k < rows.size(); ++k) {
    if (rows[k].kind == LineKind::kSame) continue;
    const size_t end = std::min(rows.size(), k + context + 1);
    for (size_t i = k < context ? 0 : k - context; i < end; ++i) shown[i] = true;
  }
  std::vector<CodePair> kept;
  for (size_t k = 0; k < rows.size();) {
    if (shown[k]) {
      kept.push_back(std::move(rows[k++]));
      continue;
    }
    size_t end = k;
    while (end < rows.size() && !shown[end]) ++end;
    const std::string text = absl::StrCat("... ", CountOf(end - k, "unchanged line"));
    kept.push_back({LineKind::kSame, text, text});
    k = end;
  }
  return kept;
}

void AddGroups(Lines& a, Lines& b, const ModuleDiff& diff, HtmlReport* report) {
  std::vector<ChangeGroup> groups = GroupChanges(a.module(), b.module(), diff);
  if (groups.empty()) return;
  std::stable_sort(groups.begin(), groups.end(),
                   [](const ChangeGroup& x, const ChangeGroup& y) { return x.changes.size() > y.changes.size(); });
  report->BeginPart(absl::StrCat("Changes by pattern (", groups.size(), ")"));
  const HtmlColumn columns[] = {{"times", true}, {"change"}, {"first"}};
  report->BeginTable(columns);
  for (const ChangeGroup& group : groups) {
    const OneChange& first = group.changes[0];
    HtmlText what, where;
    if (first.kind == ChangeKind::kChanged) {
      const ChangedInstruction& one = diff.computations[first.computation].changed[first.changed];
      what.Add(absl::StrJoin(one.changes, "; "));
      where.Code(b.module().InstructionName(first.b));
    } else if (first.kind == ChangeKind::kRemoved) {
      what.Removed(a.Of(first.a));
      where.Code(a.module().InstructionName(first.a));
    } else {
      what.Added(b.Of(first.b));
      where.Code(b.module().InstructionName(first.b));
    }
    const HtmlText cells[] = {absl::StrCat(group.changes.size()), what, where};
    report->AddRow(cells);
  }
  report->EndTable();
  report->EndPart();
}

std::string TitleOf(const Module& a, const Module& b, const ComputationDiff& one) {
  const std::string from = one.a.has_value() ? std::string(a.ComputationName(one.a)) : "";
  const std::string to = one.b.has_value() ? std::string(b.ComputationName(one.b)) : "";
  const std::string name = from.empty() ? absl::StrCat(to, " (new)")
                           : to.empty() ? absl::StrCat(from, " (gone)")
                           : from == to ? to
                                        : absl::StrCat(from, " -> ", to);
  return absl::StrCat("computation ", name, ": ", one.changed.size(), " changed, ", one.removed.size(), " removed, ",
                      one.added.size(), " added");
}

}  // namespace

void AddDiff(const Module& a, const Module& b, const ModuleDiff& diff, const DiffPageOptions& options,
             HtmlReport* report) {
  const DiffCounts counts = CountsOf(diff);
  const std::pair<std::string, HtmlText> facts[] = {
      {"unchanged", absl::StrCat(counts.unchanged, " (", counts.renamed, " renamed)")},
      {"changed", absl::StrCat(counts.changed)},
      {"removed", absl::StrCat(counts.removed)},
      {"added", absl::StrCat(counts.added)},
      {"similarity", absl::StrFormat("%.4f", counts.similarity)}};
  report->AddFacts(facts);
  for (const std::string& line : diff.header) report->AddParagraph(absl::StrCat("module: ", line));
  Lines lines_of_a(a), lines_of_b(b);
  AddGroups(lines_of_a, lines_of_b, diff, report);
  size_t rows_left = options.max_rows, left_out = 0;
  for (const ComputationDiff& one : diff.computations) {
    if (one.IsEmpty()) continue;
    if (rows_left == 0) {
      ++left_out;
      continue;
    }
    report->BeginPart(TitleOf(a, b, one), diff.computations.size() < 8);
    for (const std::string& change : one.changes) report->AddParagraph(change);
    std::vector<CodePair> rows = Shortened(Rows(lines_of_a, lines_of_b, one), options.context);
    if (rows.size() > rows_left) {
      report->AddParagraph(absl::StrCat(rows.size() - rows_left, " lines are left out"));
      rows.resize(rows_left);
    }
    rows_left -= rows.size();
    report->AddCodePairs(options.left, options.right, rows);
    report->EndPart();
  }
  if (left_out > 0)
    report->AddParagraph(absl::StrCat(CountOf(left_out, "computation"), " more that changed: left out"));
}

}  // namespace hloscope::insight
