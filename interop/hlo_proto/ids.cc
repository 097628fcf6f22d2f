#include "interop/hlo_proto/ids.h"

#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace hloscope::interop {

std::string PlaceName(const proto::HloModuleProto& module, int computation, int instruction) {
  if (computation < 0) return "hlo_module";
  const proto::HloComputationProto& c = module.computations(computation);
  std::string name = absl::StrCat("computations[", computation, "] \"", absl::CEscape(c.name()), "\"");
  if (instruction >= 0) {
    absl::StrAppend(&name, ".instructions[", instruction, "] \"", absl::CEscape(c.instructions(instruction).name()),
                    "\"");
  }
  return name;
}

absl::StatusOr<absl::flat_hash_map<int64_t, int>> ComputationsById(const proto::HloModuleProto& module, int* at) {
  absl::flat_hash_map<int64_t, int> positions;
  for (int i = 0; i < module.computations_size(); ++i) {
    const auto [it, inserted] = positions.try_emplace(module.computations(i).id(), i);
    if (inserted) continue;
    *at = i;
    return absl::InvalidArgumentError(
        absl::StrCat("id: ", module.computations(i).id(), " is that of ", PlaceName(module, it->second), " too"));
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

absl::Status InstructionsById(const proto::HloComputationProto& computation, LocalIdTable* table, int* at) {
  table->Reset(static_cast<size_t>(computation.instructions_size()));
  for (int i = 0; i < computation.instructions_size(); ++i) {
    const int64_t id = computation.instructions(i).id();
    const int holder = table->Insert(LocalId(id), i);
    if (holder == i) continue;
    *at = i;
    return absl::InvalidArgumentError(absl::StrCat("id: ", id, " (computation ", id >> 32, ", number ", LocalId(id),
                                                   ") is that of instructions[", holder, "] \"",
                                                   absl::CEscape(computation.instructions(holder).name()), "\" too"));
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
