// SPDX-License-Identifier: Apache-2.0
#include "insight/memory/value_facts.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "core/analysis/source_frames.h"
#include "core/diagnostics/render.h"

namespace hloscope::insight {

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
  const std::vector<InstructionId>& of_buffer = readers.Of(value.live.buffer);
  const std::vector<TimelineStep>& steps = memory.timeline().steps;
  for (uint32_t t = std::max(step, value.live.begin); t <= value.live.end && t < steps.size(); ++t) {
    if (steps[t].depth != value.live.depth) continue;
    if (!std::binary_search(of_buffer.begin(), of_buffer.end(), steps[t].instruction)) continue;
    if (steps[t].instruction == value.definer) continue;
    keepers.push_back(steps[t].instruction);
    if (keepers.size() == limit) return keepers;
  }
  return keepers;
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
