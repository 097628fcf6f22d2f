// SPDX-License-Identifier: Apache-2.0
#include "insight/diff/diff_rows.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"

namespace hloscope::insight {

DiffLines::DiffLines(const Module& module)
    : module_(module), printer_(module, [] {
        PrintOptions options = PrintOptions::Short();
        options.percent = false;
        return options;
      }()) {}

std::string DiffLines::Of(InstructionId id) {
  const bool is_root = module_.computation(module_.instruction(id).computation).root == id;
  return absl::StrCat(is_root ? "ROOT " : "", printer_.Print(id));
}

std::vector<DiffRow> DiffRows(const Module& a, const Module& b, const ComputationDiff& diff) {
  absl::flat_hash_map<InstructionId, InstructionId> in_a;
  absl::flat_hash_set<InstructionId> changed, removed(diff.removed.begin(), diff.removed.end());
  for (const auto& [x, y] : diff.same) in_a.emplace(y, x);
  for (const ChangedInstruction& one : diff.changed) {
    in_a.emplace(one.b, one.a);
    changed.insert(one.b);
  }
  std::vector<DiffRow> rows;
  const std::vector<InstructionId> none;
  const std::vector<InstructionId>& left = diff.a.has_value() ? a.computation(diff.a).instructions : none;
  const std::vector<InstructionId>& right = diff.b.has_value() ? b.computation(diff.b).instructions : none;
  size_t next = 0;  // in left
  const auto add_removed_until = [&](InstructionId stop) {
    // What moved is where the new version has it.
    const auto at = std::find(left.begin() + static_cast<std::ptrdiff_t>(next), left.end(), stop);
    if (at == left.end() && stop.has_value()) return;
    for (; next < static_cast<size_t>(at - left.begin()); ++next) {
      if (removed.contains(left[next])) rows.push_back({LineKind::kRemoved, left[next], {}, 0});
    }
    next += stop.has_value();
  };
  for (InstructionId id : right) {
    const auto it = in_a.find(id);
    if (it == in_a.end()) {
      rows.push_back({LineKind::kAdded, {}, id, 0});
      continue;
    }
    // A long way ahead is a move: looking for each would take long.
    if (next < left.size() && (left[next] == it->second || removed.contains(left[next]))) add_removed_until(it->second);
    rows.push_back({changed.contains(id) ? LineKind::kChanged : LineKind::kSame, it->second, id, 0});
  }
  add_removed_until(InstructionId());
  return rows;
}

std::vector<DiffRow> Shortened(const std::vector<DiffRow>& rows, size_t context) {
  std::vector<bool> shown(rows.size(), false);
  for (size_t k = 0; k < rows.size(); ++k) {
    if (rows[k].kind == LineKind::kSame) continue;
    const size_t end = std::min(rows.size(), k + context + 1);
    for (size_t i = k < context ? 0 : k - context; i < end; ++i) shown[i] = true;
  }
  std::vector<DiffRow> kept;
  for (size_t k = 0; k < rows.size();) {
    if (shown[k]) {
      kept.push_back(rows[k++]);
      continue;
    }
    size_t end = k;
    while (end < rows.size() && !shown[end]) ++end;
    kept.push_back({LineKind::kSame, {}, {}, end - k});
    k = end;
  }
  return kept;
}

std::string DiffTitle(const Module& a, const Module& b, const ComputationDiff& diff) {
  const std::string from = diff.a.has_value() ? std::string(a.ComputationName(diff.a)) : "";
  const std::string to = diff.b.has_value() ? std::string(b.ComputationName(diff.b)) : "";
  const std::string name = from.empty() ? absl::StrCat(to, " (new)")
                           : to.empty() ? absl::StrCat(from, " (gone)")
                           : from == to ? to
                                        : absl::StrCat(from, " -> ", to);
  return absl::StrCat("computation ", name, ": ", diff.changed.size(), " changed, ", diff.removed.size(), " removed, ",
                      diff.added.size(), " added");
}

}  // namespace hloscope::insight
