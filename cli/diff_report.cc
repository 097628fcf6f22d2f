// SPDX-License-Identifier: Apache-2.0
#include "cli/diff_report.h"

#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/diagnostics/count_text.h"
#include "core/diagnostics/render.h"
#include "core/print/instruction_printer.h"
#include "insight/diff/change_groups.h"
#include "nlohmann/json.hpp"

namespace hloscope::cli {
namespace {

using Json = nlohmann::ordered_json;

PrintOptions LineOptions() {
  PrintOptions options = PrintOptions::Short();
  options.percent = false;
  return options;
}

class TextWriter {
 public:
  TextWriter(const Module& a, const Module& b, const ModuleDiff& diff, const DiffTextOptions& options)
      : a_(a), b_(b), lines_of_a_(a, LineOptions()), lines_of_b_(b, LineOptions()), diff_(diff), options_(options) {
    if (options.all) return;
    for (const insight::ChangeGroup& group : insight::GroupChanges(a, b, diff)) {
      if (group.changes.size() < insight::kFewAlike) continue;
      for (size_t k = 0; k < group.changes.size(); ++k) {
        const insight::OneChange& one = group.changes[k];
        const uint64_t key = KeyOf(one.kind, one.kind == insight::ChangeKind::kAdded ? one.b : one.a);
        if (k == 0) {
          more_alike_[key] = group.changes.size() - 1;
        } else {
          folded_.insert(key);
        }
      }
    }
    for (const std::vector<size_t>& group : insight::GroupComputations(diff)) {
      if (group.size() < insight::kFewAlike) continue;
      computations_alike_[group[0]] = group.size() - 1;
      for (size_t k = 1; k < group.size(); ++k) computations_alike_[group[k]] = 0;
    }
  }

  std::string Write() {
    for (const std::string& line : diff_.header) Paint("33", absl::StrCat("~ module: ", OneLine(line)));
    for (size_t c = 0; c < diff_.computations.size(); ++c) {
      const ComputationDiff& computation = diff_.computations[c];
      if (!computation.a.has_value() || !computation.b.has_value()) {
        WriteWhole(c);
      } else if (!computation.IsEmpty()) {
        Write(computation);
      }
    }
    const insight::DiffCounts counts = insight::CountsOf(diff_);
    if (!diff_.IsEmpty()) absl::StrAppend(&out_, absl::StrFormat("similarity %.4f\n", counts.similarity));
    return absl::StrCat(out_, counts.unchanged, " unchanged (", counts.renamed, " renamed), ", counts.changed,
                        " changed, ", counts.removed, " removed, ", counts.added, " added\n");
  }

 private:
  static uint64_t KeyOf(insight::ChangeKind kind, InstructionId id) {
    return static_cast<uint64_t>(kind) << 32 | id.value;
  }

  void Paint(const char* code, absl::string_view text) {
    absl::StrAppend(&out_,
                    options_.color ? absl::StrCat("\x1b[", code, "m", text, "\x1b[0m\n") : absl::StrCat(text, "\n"));
  }

  // " (and 31 more alike)".
  std::string More(insight::ChangeKind kind, InstructionId id) const {
    const auto it = more_alike_.find(KeyOf(kind, id));
    return it == more_alike_.end() ? "" : absl::StrCat("  (and ", it->second, " more alike)");
  }
  bool IsFolded(insight::ChangeKind kind, InstructionId id) const { return folded_.contains(KeyOf(kind, id)); }

  // A computation that is in one of the modules alone.
  void WriteWhole(size_t c) {
    const ComputationDiff& computation = diff_.computations[c];
    const auto alike = computations_alike_.find(c);
    if (alike != computations_alike_.end() && alike->second == 0) return;
    const bool gone = computation.a.has_value();
    const Module &module = gone ? a_ : b_, &other = gone ? b_ : a_;
    std::string line = absl::StrCat(gone ? "- computation " : "+ computation ",
                                    OneLine(module.ComputationName(gone ? computation.a : computation.b)), " (",
                                    CountOf(computation.removed.size() + computation.added.size(), "instruction"), ")");
    if (computation.equal.has_value()) {
      absl::StrAppend(&line, ", equal to ", OneLine(other.ComputationName(computation.equal)));
    }
    if (alike != computations_alike_.end()) absl::StrAppend(&line, "  (and ", alike->second, " more alike)");
    Paint(gone ? "31" : "32", line);
  }

  void Write(const ComputationDiff& computation) {
    const std::string name_a = OneLine(a_.ComputationName(computation.a));
    const std::string name_b = OneLine(b_.ComputationName(computation.b));
    const size_t before = out_.size();
    Paint("1", absl::StrCat("computation ", name_a, name_a == name_b ? "" : " -> ", name_a == name_b ? "" : name_b));
    const size_t title = out_.size();
    for (const std::string& change : computation.changes) Paint("33", absl::StrCat("  ~ ", OneLine(change)));
    using Kind = insight::ChangeKind;
    for (const ChangedInstruction& one : computation.changed) {
      if (IsFolded(Kind::kChanged, one.a)) continue;
      const std::string from = OneLine(a_.InstructionName(one.a)), to = OneLine(b_.InstructionName(one.b));
      Paint("33", absl::StrCat("  ~ ", from, from == to ? "" : absl::StrCat(" -> ", to), More(Kind::kChanged, one.a)));
      for (const std::string& change : one.changes) absl::StrAppend(&out_, "      ", OneLine(change), "\n");
    }
    for (InstructionId id : computation.removed) {
      if (IsFolded(Kind::kRemoved, id)) continue;
      Paint("31", absl::StrCat("  - ", OneLine(lines_of_a_.Print(id)), More(Kind::kRemoved, id)));
    }
    for (InstructionId id : computation.added) {
      if (IsFolded(Kind::kAdded, id)) continue;
      Paint("32", absl::StrCat("  + ", OneLine(lines_of_b_.Print(id)), More(Kind::kAdded, id)));
    }
    if (out_.size() == title) out_.resize(before);  // all of it is listed elsewhere
  }

  const Module &a_, &b_;
  InstructionPrinter lines_of_a_, lines_of_b_;
  const ModuleDiff& diff_;
  const DiffTextOptions& options_;
  absl::flat_hash_map<uint64_t, size_t> more_alike_;  // of the first of each group
  absl::flat_hash_set<uint64_t> folded_;              // the others
  // By index of a whole computation that others are alike: how many more for the first, 0 for the others.
  absl::flat_hash_map<size_t, size_t> computations_alike_;
  std::string out_;
};

Json GroupsJson(const Module& a, const Module& b, const ModuleDiff& diff) {
  Json groups = Json::array();
  for (const insight::ChangeGroup& group : insight::GroupChanges(a, b, diff)) {
    const insight::OneChange& first = group.changes[0];
    Json one = {{"count", group.changes.size()}};
    switch (first.kind) {
      case insight::ChangeKind::kChanged:
        one["kind"] = "changed";
        one["a"] = std::string(a.InstructionName(first.a));
        one["b"] = std::string(b.InstructionName(first.b));
        one["changes"] = diff.computations[first.computation].changed[first.changed].changes;
        break;
      case insight::ChangeKind::kRemoved:
        one["kind"] = "removed";
        one["a"] = std::string(a.InstructionName(first.a));
        break;
      case insight::ChangeKind::kAdded:
        one["kind"] = "added";
        one["b"] = std::string(b.InstructionName(first.b));
        break;
    }
    groups.push_back(std::move(one));
  }
  return groups;
}

}  // namespace

std::string DiffText(const Module& a, const Module& b, const ModuleDiff& diff, const DiffTextOptions& options) {
  return TextWriter(a, b, diff, options).Write();
}

Json DiffJson(const Module& a, const Module& b, const ModuleDiff& diff) {
  Json computations = Json::array();
  for (const ComputationDiff& computation : diff.computations) {
    Json changed = Json::array(), removed = Json::array(), added = Json::array();
    for (const ChangedInstruction& one : computation.changed) {
      changed.push_back({{"a", std::string(a.InstructionName(one.a))},
                         {"b", std::string(b.InstructionName(one.b))},
                         {"changes", one.changes}});
    }
    for (InstructionId id : computation.removed) removed.push_back(std::string(a.InstructionName(id)));
    for (InstructionId id : computation.added) added.push_back(std::string(b.InstructionName(id)));
    computations.push_back(
        {{"a", computation.a.has_value() ? Json(std::string(a.ComputationName(computation.a))) : Json()},
         {"b", computation.b.has_value() ? Json(std::string(b.ComputationName(computation.b))) : Json()},
         {"changes", computation.changes},
         {"unchanged", computation.unchanged},
         {"renamed", computation.renamed},
         {"changed", std::move(changed)},
         {"removed", std::move(removed)},
         {"added", std::move(added)}});
    if (!computation.equal.has_value()) continue;
    const Module& other = computation.a.has_value() ? b : a;
    computations.back()["equal_to"] = std::string(other.ComputationName(computation.equal));
  }
  return {{"equal", diff.IsEmpty()},
          {"similarity", insight::CountsOf(diff).similarity},
          {"header", diff.header},
          {"computations", std::move(computations)},
          {"groups", GroupsJson(a, b, diff)}};
}

}  // namespace hloscope::cli
