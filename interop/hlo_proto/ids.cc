// SPDX-License-Identifier: Apache-2.0
#include "interop/hlo_proto/ids.h"

#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace hloscope::interop {

std::string PlaceName(const ModuleBytes& module, int computation, int instruction) {
  if (computation < 0) return "hlo_module";
  const ModuleBytes::Computation& c = module.computation(computation);
  std::string name = absl::StrCat("computations[", computation, "] \"", absl::CEscape(c.name), "\"");
  if (instruction >= 0) {
    absl::StrAppend(&name, ".instructions[", instruction, "] \"",
                    absl::CEscape(module.instructions(c)[static_cast<size_t>(instruction)].name), "\"");
  }
  return name;
}

absl::StatusOr<absl::flat_hash_map<int64_t, int>> ComputationsById(const ModuleBytes& module, int* at) {
  absl::flat_hash_map<int64_t, int> positions;
  for (size_t i = 0; i < module.computations().size(); ++i) {
    const int position = static_cast<int>(i);
    const int64_t id = module.computation(position).id;
    const auto [it, inserted] = positions.try_emplace(id, position);
    if (inserted) continue;
    *at = position;
    return absl::InvalidArgumentError(absl::StrCat("id: ", id, " is that of ", PlaceName(module, it->second), " too"));
  }
  return positions;
}

void LocalIdTable::Reset(size_t count) {
  dense_.assign(count * 2 + 64, -1);
  others_.clear();
}

int LocalIdTable::Insert(uint32_t id, int position) {
  int& entry = id < dense_.size() ? dense_[id] : others_.try_emplace(id, -1).first->second;
  if (entry < 0) entry = position;
  return entry;
}

absl::Status InstructionsById(absl::Span<const ModuleBytes::Instruction> instructions, LocalIdTable* table, int* at) {
  table->Reset(instructions.size());
  for (size_t i = 0; i < instructions.size(); ++i) {
    const int64_t id = instructions[i].id;
    const int holder = table->Insert(LocalId(id), static_cast<int>(i));
    if (holder == static_cast<int>(i)) continue;
    *at = static_cast<int>(i);
    return absl::InvalidArgumentError(
        absl::StrCat("id: ", id, " (computation ", id >> 32, ", number ", LocalId(id), ") is that of instructions[",
                     holder, "] \"", absl::CEscape(instructions[static_cast<size_t>(holder)].name), "\" too"));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<int>> OrderByNeeds(const std::vector<int>& given,
                                              absl::FunctionRef<void(int, absl::FunctionRef<void(int)>)> visit,
                                              int* at) {
  // Nearly all files have their parts in order.
  std::vector<int> rank(given.size());
  for (size_t i = 0; i < given.size(); ++i) rank[static_cast<size_t>(given[i])] = static_cast<int>(i);
  bool is_ordered = true;
  for (size_t i = 0; i < given.size() && is_ordered; ++i) {
    visit(given[i],
          [&](int need) { is_ordered = is_ordered && rank[static_cast<size_t>(need)] < static_cast<int>(i); });
  }
  if (is_ordered) return given;
  enum : uint8_t { kNew, kOpen, kDone };
  std::vector<uint8_t> state(given.size(), kNew);
  std::vector<int> order;
  order.reserve(given.size());
  std::vector<std::pair<int, std::vector<int>>> open;  // with what is still to come, last first
  const auto enter = [&](int position) {
    state[static_cast<size_t>(position)] = kOpen;
    std::vector<int> needs;
    visit(position, [&](int need) {
      if (state[static_cast<size_t>(need)] != kDone) needs.push_back(need);
    });
    std::reverse(needs.begin(), needs.end());
    open.emplace_back(position, std::move(needs));
  };
  for (int start : given) {
    if (state[static_cast<size_t>(start)] != kNew) continue;
    enter(start);
    while (!open.empty()) {
      const int position = open.back().first;
      std::vector<int>& needs = open.back().second;
      if (needs.empty()) {
        state[static_cast<size_t>(position)] = kDone;
        order.push_back(position);
        open.pop_back();
        continue;
      }
      const int need = needs.back();
      needs.pop_back();
      if (state[static_cast<size_t>(need)] == kOpen) {
        *at = position;
        return absl::InvalidArgumentError("it needs itself: a cycle");
      }
      if (state[static_cast<size_t>(need)] == kNew) enter(need);
    }
  }
  return order;
}

}  // namespace hloscope::interop
