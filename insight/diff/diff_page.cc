// SPDX-License-Identifier: Apache-2.0
#include "insight/diff/diff_page.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "core/diagnostics/count_text.h"
#include "insight/diff/change_groups.h"
#include "insight/diff/diff_rows.h"

namespace hloscope::insight {
namespace {

// The lines of a computation in both versions, as code.
std::vector<CodePair> CodeOf(DiffLines& a, DiffLines& b, const std::vector<DiffRow>& rows) {
  std::vector<CodePair> lines;
  for (const DiffRow& row : rows) {
    if (row.left_out > 0) {
      const std::string text = absl::StrCat("... ", CountOf(row.left_out, "unchanged line"));
      lines.push_back({LineKind::kSame, text, text});
    } else {
      lines.push_back({row.kind, row.a.has_value() ? a.Of(row.a) : "", row.b.has_value() ? b.Of(row.b) : ""});
    }
  }
  return lines;
}

void AddGroups(DiffLines& a, DiffLines& b, const ModuleDiff& diff, HtmlReport* report) {
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
  DiffLines lines_of_a(a), lines_of_b(b);
  AddGroups(lines_of_a, lines_of_b, diff, report);
  size_t rows_left = options.max_rows, left_out = 0;
  absl::flat_hash_map<size_t, size_t> alike;  // how many more for the first of a group, 0 for the others
  for (const std::vector<size_t>& group : GroupComputations(diff)) {
    for (size_t k = 0; k < group.size() && group.size() >= kFewAlike; ++k) {
      alike[group[k]] = k == 0 ? group.size() - 1 : 0;
    }
  }
  for (size_t c = 0; c < diff.computations.size(); ++c) {
    const ComputationDiff& one = diff.computations[c];
    const auto more = alike.find(c);
    if (one.IsEmpty() || (more != alike.end() && more->second == 0)) continue;
    if (rows_left == 0) {
      ++left_out;
      continue;
    }
    std::string title = DiffTitle(a, b, one);
    if (more != alike.end()) absl::StrAppend(&title, " (and ", more->second, " more alike)");
    report->BeginPart(title, diff.computations.size() < 8);
    if (one.equal.has_value()) {
      const Module& other = one.a.has_value() ? b : a;
      report->AddParagraph(absl::StrCat("equal to ", other.ComputationName(one.equal)));
    }
    for (const std::string& change : one.changes) report->AddParagraph(change);
    std::vector<DiffRow> rows = Shortened(DiffRows(a, b, one), options.context);
    if (rows.size() > rows_left) {
      report->AddParagraph(absl::StrCat(rows.size() - rows_left, " lines are left out"));
      rows.resize(rows_left);
    }
    rows_left -= rows.size();
    report->AddCodePairs(options.left, options.right, CodeOf(lines_of_a, lines_of_b, rows));
    report->EndPart();
  }
  if (left_out > 0)
    report->AddParagraph(absl::StrCat(CountOf(left_out, "computation"), " more that changed: left out"));
}

}  // namespace hloscope::insight
