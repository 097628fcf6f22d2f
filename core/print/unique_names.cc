// SPDX-License-Identifier: Apache-2.0
#include "core/print/unique_names.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "core/ir/element_type.h"

namespace hloscope {
namespace {

// A name split at its last `.` if a decimal integer follows.
struct SplitName {
  absl::string_view root;
  int64_t number = 0;
  bool has_number = false;
};

SplitName Split(absl::string_view name) {
  const size_t dot = name.rfind('.');
  if (dot == absl::string_view::npos || dot == 0) return {name};
  const absl::string_view suffix = name.substr(dot + 1);
  int64_t number;
  if (suffix.empty() || !std::all_of(suffix.begin(), suffix.end(), absl::ascii_isdigit) ||
      !absl::SimpleAtoi(suffix, &number)) {
    return {name};
  }
  return {name.substr(0, dot), number, true};
}

class Uniquer {
 public:
  // The name is in use.
  void Reserve(absl::string_view name) {
    const SplitName split = Split(name);
    used_.insert({std::string(split.root), split.number});
  }

  // Empty if the name stays as it is.
  std::string Add(absl::string_view name) {
    const SplitName split = Split(name);
    if (used_.insert({std::string(split.root), split.number}).second) return "";
    std::pair<std::string, int64_t> candidate(std::string(split.root), 0);
    int64_t& next = next_[candidate.first];  // every smaller number is in use
    do {
      candidate.second = next++;
    } while (!used_.insert(candidate).second);
    if (candidate.second == 0 && !split.has_number) return candidate.first;
    return absl::StrCat(candidate.first, ".", candidate.second);
  }

 private:
  absl::flat_hash_set<std::pair<std::string, int64_t>> used_;
  absl::flat_hash_map<std::string, int64_t> next_;
};

// Whether no two of the names are the same, nor mean the same, such as `add` and `add.0`. May be false where that is
// so: of names like `add.00`. `each` calls what it is given with every name until that returns false, which it then is.
template <typename EachName>
bool AllDiffer(const Module& module, EachName each) {
  std::vector<bool> seen;       // by StringId
  std::vector<StringId> zeros;  // what may be names that end in `.0`, without it
  const bool differ = each([&](StringId name) {
    if (name.index() >= seen.size()) seen.resize(std::max(name.index() + 1, seen.size() * 2));
    if (seen[name.index()]) return false;
    seen[name.index()] = true;
    const absl::string_view text = module.string(name);
    size_t number = text.size();
    while (number > 0 && absl::ascii_isdigit(static_cast<unsigned char>(text[number - 1]))) --number;
    if (number == text.size() || text[number] != '0' || number == 0 || text[number - 1] != '.') return true;
    if (number + 1 < text.size()) return false;
    if (const StringId root = module.FindString(text.substr(0, number - 1)); root.has_value()) zeros.push_back(root);
    return true;
  });
  const auto is_name = [&](StringId root) { return root.index() < seen.size() && seen[root.index()]; };
  return differ && std::none_of(zeros.begin(), zeros.end(), is_name);
}

bool InstructionsDiffer(const Module& module, const std::vector<bool>& in_place) {
  return AllDiffer(module, [&](auto is_fine) {
    for (size_t c = 0; c < module.computations().size(); ++c) {
      if (c < in_place.size() && in_place[c]) continue;
      for (InstructionId id : module.computations()[c].instructions) {
        if (!is_fine(module.instruction(id).name)) return false;
      }
    }
    return true;
  });
}

// A computation of that name cannot be read.
bool NeedsRepair(absl::string_view name) {
  return ElementTypeFromName(name).has_value() || (absl::StartsWith(name, "__") && !absl::StartsWith(name, "__xla_"));
}

bool ComputationsDiffer(const Module& module) {
  return AllDiffer(module, [&](auto is_fine) {
    return std::all_of(module.computations().begin(), module.computations().end(), [&](const Computation& computation) {
      return !NeedsRepair(module.string(computation.name)) && is_fine(computation.name);
    });
  });
}

}  // namespace

UniqueNames::UniqueNames(const Module& module, bool keep_written, const std::vector<bool>& in_place) : module_(module) {
  Uniquer computations, instructions;
  const bool all_differ = InstructionsDiffer(module, in_place);
  if (all_differ && ComputationsDiffer(module)) return;
  const auto is_kept = [&](const Computation& computation) { return keep_written && !computation.is_anonymous; };
  const auto is_kept_instruction = [&](InstructionId id) { return keep_written && module.instruction(id).is_named; };
  if (keep_written) {
    for (const Computation& computation : module.computations()) {
      if (is_kept(computation)) computations.Reserve(module.string(computation.name));
      for (InstructionId id : computation.instructions) {
        if (!all_differ && is_kept_instruction(id)) instructions.Reserve(module.InstructionName(id));
      }
    }
  }
  for (size_t c = 0; c < module.computations().size(); ++c) {
    const ComputationId computation(c);
    const bool stay = all_differ || (c < in_place.size() && in_place[c]);
    for (InstructionId id : module.computation(computation).instructions) {
      if (stay || is_kept_instruction(id)) continue;
      std::string new_name = instructions.Add(module.InstructionName(id));
      if (!new_name.empty()) instructions_[id] = std::move(new_name);
    }
    if (is_kept(module.computation(computation))) continue;
    const absl::string_view own = module.ComputationName(computation);
    std::string name(own);
    if (ElementTypeFromName(name)) absl::StrAppend(&name, "_");
    if (absl::StartsWith(name, "__") && !absl::StartsWith(name, "__xla_")) name = absl::StrCat("a_", name.substr(2));
    std::string changed = computations.Add(name);
    if (changed.empty() && name != own) changed = name;
    if (!changed.empty()) computations_[computation] = std::move(changed);
  }
}

bool NeedsPercent(absl::string_view name) {
  static constexpr absl::string_view kKeywords[] = {"true",
                                                    "false",
                                                    "inf",
                                                    "nan",
                                                    "HloModule",
                                                    "ENTRY",
                                                    "ROOT",
                                                    "FileNames",
                                                    "FunctionNames",
                                                    "FileLocations",
                                                    "StackFrames",
                                                    "maximal",
                                                    "replicated",
                                                    "manual",
                                                    "unknown",
                                                    "unreduced",
                                                    "last_tile_dim_replicate",
                                                    "shard_as",
                                                    "shard_like"};
  return std::find(std::begin(kKeywords), std::end(kKeywords), name) != std::end(kKeywords) ||
         ElementTypeFromName(name).has_value();
}

}  // namespace hloscope
