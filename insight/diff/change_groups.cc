// SPDX-License-Identifier: Apache-2.0
#include "insight/diff/change_groups.h"

#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/print/instruction_printer.h"

namespace hloscope::insight {
namespace {

using Names = absl::flat_hash_set<absl::string_view>;

// The text with every `%name.12`, or with those of `names` if there are some, as `%name`: numbers only make names
// unique.
std::string WithoutNumbers(absl::string_view text, const Names* names = nullptr) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    out.push_back(text[i]);
    if (text[i++] != '%') continue;
    size_t end = i;
    while (end < text.size() && (absl::ascii_isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_' ||
                                 text[end] == '.' || text[end] == '-')) {
      ++end;
    }
    absl::string_view name = text.substr(i, end - i);
    const bool is_meant = names == nullptr || names->contains(name);
    while (is_meant) {
      const size_t dot = name.rfind('.');
      if (dot == absl::string_view::npos || dot + 1 == name.size()) break;
      bool is_number = true;
      for (char c : name.substr(dot + 1)) is_number = is_number && absl::ascii_isdigit(static_cast<unsigned char>(c));
      if (!is_number) break;
      name = name.substr(0, dot);
    }
    absl::StrAppend(&out, name);
    i = end;
  }
  return out;
}

// The instruction without its name and those of its operands.
std::string Pattern(const Module& module, InstructionPrinter& printer, InstructionId id) {
  const std::string text = printer.Print(id);
  // Called computations are named, not shown.
  Names names;
  module.ForEachCalledComputation(id, [&](AttributeKind, ComputationId callee) {
    if (callee.has_value()) names.insert(module.ComputationName(callee));
  });
  return names.empty() ? text : WithoutNumbers(text, &names);
}

}  // namespace

std::vector<ChangeGroup> GroupChanges(const Module& a, const Module& b, const ModuleDiff& diff) {
  PrintOptions options = PrintOptions::Canonical();
  options.backend_config = true;
  InstructionPrinter printer_of_a(a, options), printer_of_b(b, options);
  std::vector<ChangeGroup> groups;
  absl::flat_hash_map<std::string, size_t> by_pattern;
  const auto add = [&](std::string pattern, const OneChange& change) {
    const auto [it, is_new] = by_pattern.try_emplace(std::move(pattern), groups.size());
    if (is_new) groups.emplace_back();
    groups[it->second].changes.push_back(change);
  };
  for (size_t c = 0; c < diff.computations.size(); ++c) {
    const ComputationDiff& computation = diff.computations[c];
    if (!computation.a.has_value() || !computation.b.has_value()) continue;
    for (size_t k = 0; k < computation.changed.size(); ++k) {
      const ChangedInstruction& one = computation.changed[k];
      std::string pattern = absl::StrCat("~", OpcodeName(a.opcode(one.a)), " ", OpcodeName(b.opcode(one.b)));
      for (const std::string& change : one.changes) absl::StrAppend(&pattern, "\n", WithoutNumbers(change));
      add(std::move(pattern), {ChangeKind::kChanged, c, k, one.a, one.b});
    }
    for (InstructionId id : computation.removed) {
      add(absl::StrCat("-", Pattern(a, printer_of_a, id)), {ChangeKind::kRemoved, c, 0, id, {}});
    }
    for (InstructionId id : computation.added) {
      add(absl::StrCat("+", Pattern(b, printer_of_b, id)), {ChangeKind::kAdded, c, 0, {}, id});
    }
  }
  return groups;
}

std::vector<std::vector<size_t>> GroupComputations(const ModuleDiff& diff) {
  std::vector<std::vector<size_t>> groups;
  absl::flat_hash_map<std::pair<bool, uint64_t>, size_t> by_content;
  for (size_t c = 0; c < diff.computations.size(); ++c) {
    const ComputationDiff& one = diff.computations[c];
    if (one.a.has_value() && one.b.has_value()) continue;
    const auto [it, is_new] = by_content.try_emplace({one.a.has_value(), one.content}, groups.size());
    if (is_new) groups.emplace_back();
    groups[it->second].push_back(c);
  }
  return groups;
}

DiffCounts CountsOf(const ModuleDiff& diff) {
  DiffCounts counts;
  for (const ComputationDiff& one : diff.computations) {
    counts.unchanged += one.unchanged;
    counts.renamed += one.renamed;
    counts.changed += one.changed.size();
    counts.removed += one.removed.size();
    counts.added += one.added.size();
  }
  const size_t all = 2 * counts.unchanged + 2 * counts.changed + counts.removed + counts.added;
  if (all > 0) {
    counts.similarity = static_cast<double>(2 * counts.unchanged + counts.changed) / static_cast<double>(all);
  }
  return counts;
}

}  // namespace hloscope::insight
