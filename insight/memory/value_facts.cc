// SPDX-License-Identifier: Apache-2.0
#include "insight/memory/value_facts.h"

#include <algorithm>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/analysis/source_frames.h"
#include "core/diagnostics/render.h"

namespace hloscope::insight {
namespace {

// The last instruction that reads the array at `step` or later; none if nobody does.
InstructionId LastReader(const MemoryExplanation& memory, const ReaderIndex& readers, const MemoryValue& value,
                         uint32_t step) {
  const std::vector<TimelineStep>& all = memory.timeline().steps;
  InstructionId last;
  uint32_t last_step = 0;
  for (InstructionId reader : readers.Of(value.live.buffer)) {
    if (reader == value.definer) continue;
    const absl::Span<const uint32_t> steps = memory.StepsOf(reader);
    const auto end = std::upper_bound(steps.begin(), steps.end(), value.live.end);
    for (auto t = end; t != steps.begin() && *(t - 1) >= step && *(t - 1) > last_step; --t) {
      if (all[*(t - 1)].depth != value.live.depth) continue;
      last = reader;
      last_step = *(t - 1);
      break;
    }
  }
  return last;
}

}  // namespace

std::string SourceOf(const Module& module, InstructionId id) {
  const Metadata* metadata = id.has_value() ? module.MetadataOf(id) : nullptr;
  if (metadata == nullptr) return "";
  const std::vector<SourceFrame> frames = SourceFramesOf(module, *metadata);
  if (!frames.empty() && !frames[0].file.empty()) return OneLine(absl::StrCat(frames[0].file, ":", frames[0].line));
  return OneLine(module.string(metadata->op_name));
}

std::string ShapeTextOf(const MemoryExplanation& memory, const MemoryValue& value) {
  const Leaf* leaf = value.definer.has_value() ? memory.leaves().At(value.definer, value.leaf) : nullptr;
  return leaf != nullptr ? leaf->shape.ToString() : "";
}

std::vector<InstructionId> KeepersOf(const MemoryExplanation& memory, const ReaderIndex& readers,
                                     const MemoryValue& value, uint32_t step, size_t limit) {
  std::vector<InstructionId> keepers;
  if (value.live.buffer == LiveRange::kNoBuffer) return keepers;
  for (uint32_t t : ReadsOf(memory, readers, value)) {
    const InstructionId reader = memory.timeline().steps[t].instruction;
    if (t < step || reader == value.definer) continue;
    keepers.push_back(reader);
    if (keepers.size() == limit) break;
  }
  return keepers;
}

std::vector<InstructionId> PassedOnBy(const MemoryExplanation& memory, const ReaderIndex& readers,
                                      const UserIndex& users, const MemoryValue& value, uint32_t step) {
  constexpr size_t kMostLookedAt = 1000;
  if (value.live.buffer == LiveRange::kNoBuffer || !value.definer.has_value()) return {};
  const Module& module = memory.module();
  const ComputationId computation = module.instruction(value.definer).computation;
  const InstructionId reader = LastReader(memory, readers, value, std::max(step, value.live.begin));
  const InstructionId goal = reader.has_value() ? reader : module.computation(computation).root;
  const auto callers = users.callers(computation);
  // Each with the place in the list of the one that leads to it.
  std::vector<std::pair<InstructionId, size_t>> reached = {{value.definer, 0}};
  absl::flat_hash_set<InstructionId> known = {value.definer};
  std::vector<InstructionId> way;
  bool is_found = value.definer == goal;
  size_t looked_at = 0;
  for (size_t at = 0; at < reached.size() && !is_found; ++at) {
    for (InstructionId user : users.users(reached[at].first)) {
      if (++looked_at > kMostLookedAt) return {};
      if (user == goal) {
        if (!reader.has_value() && !callers.empty()) way.push_back(goal);
        for (size_t back = at; back > 0; back = reached[back].second) way.push_back(reached[back].first);
        std::reverse(way.begin(), way.end());
        is_found = true;
        break;
      }
      if (!OnlyPassesOn(module.opcode(user)) || !known.insert(user).second) continue;
      const auto passed = memory.buffers().Of(user);
      if (std::find(passed.begin(), passed.end(), value.live.buffer) != passed.end()) reached.emplace_back(user, at);
    }
  }
  if (is_found && !reader.has_value() && !callers.empty()) way.push_back(callers[0]);
  return way;
}

std::string WayText(const Module& module, const std::vector<InstructionId>& way) {
  if (way.empty()) return "";
  return absl::StrCat("by way of ", absl::StrJoin(way, " > ", [&](std::string* out, InstructionId id) {
                        absl::StrAppend(out, OneLine(module.InstructionName(id)));
                      }));
}

std::vector<uint32_t> ReadsOf(const MemoryExplanation& memory, const ReaderIndex& readers, const MemoryValue& value) {
  std::vector<uint32_t> reads;
  for (InstructionId reader : readers.Of(value.live.buffer)) {
    const absl::Span<const uint32_t> steps = memory.StepsOf(reader);
    for (auto t = std::lower_bound(steps.begin(), steps.end(), value.live.begin); t != steps.end(); ++t) {
      if (*t > value.live.end) break;
      if (memory.timeline().steps[*t].depth == value.live.depth) reads.push_back(*t);
    }
  }
  std::sort(reads.begin(), reads.end());
  return reads;
}

std::string HeldAs(const MemoryExplanation& memory, const MemoryValue& value) {
  switch (value.kind) {
    case ValueKind::kParameter:
      return "an argument, which is there to the end";
    case ValueKind::kResult:
      return "a result";
    case ValueKind::kConstant:
      return memory.is_recorded() ? "a constant of the program" : "";
    case ValueKind::kComputation:
      return "what a called computation needs";
    case ValueKind::kTemporary:
      return "";
  }
  return "";
}

std::string LifeBar(const MemoryExplanation& memory, const MemoryValue& value, size_t width) {
  const size_t steps = std::max<size_t>(memory.timeline().steps.size(), 1);
  const size_t first = value.live.begin * width / steps;
  const size_t last = std::max(first, std::min(width - 1, value.live.end * width / steps));
  return absl::StrCat(std::string(first, ' '), std::string(last - first + 1, '#'), std::string(width - last - 1, ' '));
}

}  // namespace hloscope::insight
