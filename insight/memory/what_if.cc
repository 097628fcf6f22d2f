// SPDX-License-Identifier: Apache-2.0
#include "insight/memory/what_if.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/analysis/cost.h"
#include "core/diagnostics/render.h"
#include "core/ir/checked_math.h"
#include "core/layout/byte_size.h"
#include "insight/memory/donations.h"
#include "insight/memory/value_facts.h"

namespace hloscope::insight {
namespace {

constexpr size_t kMaxTried = 64;  // of suggestions

int64_t PeakOf(size_t steps, const std::vector<MemoryValue>& values) {
  const std::vector<int64_t> live = SumOverSteps(steps, values);
  return live.empty() ? 0 : *std::max_element(live.begin(), live.end());
}

class Asker {
 public:
  Asker(const MemoryExplanation& memory, const ReaderIndex& readers)
      : memory_(memory), readers_(readers), module_(memory.module()), values_(memory.values()) {
    if (memory.is_recorded()) {
      // Places and sizes of the compiler do not hold any more.
      for (MemoryValue& value : values_) {
        if (const Leaf* leaf = value.definer.has_value() ? memory.leaves().At(value.definer, value.leaf) : nullptr) {
          value.taken_bytes = std::max(leaf->padded_bytes, value.bytes);
        }
      }
    }
    before_ = PeakOf(memory.timeline().steps.size(), values_);
    for (uint32_t v = 0; v < values_.size(); ++v) {
      by_buffer_[values_[v].live.buffer].push_back(v);
      if (values_[v].definer.has_value()) by_definer_[values_[v].definer].push_back(v);
    }
    for (auto& [buffer, values] : by_buffer_) {
      std::stable_sort(values.begin(), values.end(),
                       [&](uint32_t a, uint32_t b) { return values_[a].live.begin < values_[b].live.begin; });
    }
  }

  absl::StatusOr<WhatIf> Ask(absl::string_view question) {
    const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(question, absl::MaxSplits(':', 1));
    absl::StatusOr<WhatIf> answer = absl::InvalidArgumentError(
        absl::StrCat("'", OneLine(question), "' is none of recompute:NAME, donate:N, schedule:ORDER, type:NAME=TYPE"));
    if (parts.first == "recompute") answer = Recompute(parts.second);
    if (parts.first == "donate") answer = Donate(parts.second);
    if (parts.first == "schedule") answer = Reorder(parts.second);
    if (parts.first == "type") answer = Retype(parts.second);
    if (!answer.ok()) return answer;
    answer->what = std::string(question);
    answer->saved_bytes = before_ - answer->peak_bytes;
    return answer;
  }

  WhatIf RecomputeValue(InstructionId id) {
    std::vector<MemoryValue> values = values_;
    int64_t repeats = 0;
    const std::vector<MemoryValue>& old = values_;
    for (uint32_t v : ValuesOf(id)) {
      const std::vector<uint32_t> reads = ReadsOf(memory_, readers_, old[v]);
      if (reads.size() < 2) continue;
      values[v].live.end = std::max(values[v].live.begin, reads[0]);
      for (size_t r = 1; r < reads.size(); ++r) {
        MemoryValue again = old[v];
        again.live.begin = again.live.end = reads[r];
        values.push_back(again);
      }
      repeats = std::max(repeats, static_cast<int64_t>(reads.size()) - 1);
      Extend(old[v], reads.back(), &values);
    }
    WhatIf answer;
    answer.peak_bytes = PeakOf(memory_.timeline().steps.size(), values);
    answer.extra_flops = SaturatingProduct(FlopsOf(id), repeats);
    answer.note = repeats == 0 ? "it is used once: there is nothing to recompute"
                               : absl::StrCat("it is computed ", repeats, repeats == 1 ? " time more" : " times more");
    return answer;
  }

  int64_t before() const { return before_; }

 private:
  absl::StatusOr<InstructionId> Find(absl::string_view name) const {
    name = absl::StripPrefix(name, "%");
    InstructionId found;
    for (size_t i = 0; i < module_.instruction_count(); ++i) {
      if (module_.InstructionName(InstructionId(i)) != name) continue;
      found = InstructionId(i);
      if (module_.instruction(found).computation == module_.entry()) break;
    }
    if (found.has_value()) return found;
    return absl::InvalidArgumentError(absl::StrCat("there is no instruction '", OneLine(name), "'"));
  }

  // Numbers of what the instruction makes.
  absl::Span<const uint32_t> ValuesOf(InstructionId id) const {
    const auto found = by_definer_.find(id);
    return found == by_definer_.end() ? absl::Span<const uint32_t>() : found->second;
  }

  int64_t FlopsOf(InstructionId id) const {
    const std::optional<Cost> cost = CostAnalysis::OfOne(module_, id, 1 << 16);
    return cost ? cost->flops : 0;
  }

  // What the value is made of is needed until it is made for the last time.
  void Extend(const MemoryValue& value, uint32_t last, std::vector<MemoryValue>* values) const {
    for (InstructionId operand : module_.operands(value.definer)) {
      if (!operand.has_value()) continue;
      for (BufferTable::BufferId buffer : memory_.buffers().Of(operand)) {
        const auto found = by_buffer_.find(buffer);
        if (found == by_buffer_.end()) continue;
        // In the same frame: the last that began before the value did.
        const std::vector<uint32_t>& all = found->second;
        auto after = std::upper_bound(all.begin(), all.end(), value.live.begin,
                                      [&](uint32_t begin, uint32_t v) { return begin < values_[v].live.begin; });
        while (after != all.begin() && values_[*(after - 1)].live.depth != value.live.depth) --after;
        if (after == all.begin()) continue;
        MemoryValue& other = (*values)[*(after - 1)];
        other.live.end = std::max(other.live.end, last);
      }
    }
  }

  absl::StatusOr<WhatIf> Recompute(absl::string_view name) {
    const absl::StatusOr<InstructionId> id = Find(name);
    if (!id.ok()) return id.status();
    const Opcode opcode = module_.opcode(*id);
    if (opcode == Opcode::kParameter || OnlyPassesOn(opcode)) {
      return absl::InvalidArgumentError(absl::StrCat("'", OneLine(name), "' makes no array that could be recomputed"));
    }
    return RecomputeValue(*id);
  }

  absl::StatusOr<WhatIf> Donate(absl::string_view text) {
    const size_t brace = text.find('{');
    const absl::string_view number_text = text.substr(0, brace);
    int64_t number = -1;
    ShapeIndex index;
    bool good = absl::SimpleAtoi(number_text, &number) && module_.entry().has_value();
    if (good && brace != absl::string_view::npos) {
      absl::string_view inside = text.substr(brace + 1);
      good = absl::ConsumeSuffix(&inside, "}");
      for (absl::string_view part : absl::StrSplit(inside, ',', absl::SkipEmpty())) {
        int64_t i = 0;
        good = good && absl::SimpleAtoi(part, &i);
        index.push_back(i);
      }
    }
    const auto* parameters = good ? &module_.computation(module_.entry()).parameters : nullptr;
    if (!good || number < 0 || number >= static_cast<int64_t>(parameters->size())) {
      return absl::InvalidArgumentError(absl::StrCat("there is no parameter '", OneLine(text), "'"));
    }
    return DonateParameter((*parameters)[static_cast<size_t>(number)], index, brace != absl::string_view::npos);
  }

  WhatIf DonateParameter(InstructionId parameter, const ShapeIndex& index, bool one_leaf) {
    WhatIf answer;
    std::vector<MemoryValue> values = values_;
    size_t used = 0, given = 0;
    std::string reason = "no result can use its memory";
    for (const Donation& donation : FindDonations(memory_, readers_)) {
      if (donation.parameter != parameter) continue;
      const Leaf* leaf = memory_.leaves().At(parameter, donation.leaf);
      if (one_leaf && leaf != nullptr && leaf->index != index) continue;
      ++given;
      if (donation.state == DonationState::kLost) {
        reason = donation.detail;
        continue;
      }
      ++used;
      if (!donation.result) continue;
      const absl::Span<const BufferTable::BufferId> root =
          memory_.buffers().Of(module_.computation(module_.entry()).root);
      for (MemoryValue& value : values) {
        // The result lies where the parameter lies, which is counted always.
        if (*donation.result < root.size() && value.live.buffer == root[*donation.result] &&
            value.kind != ValueKind::kParameter) {
          value.taken_bytes = 0;
        }
      }
    }
    answer.peak_bytes = PeakOf(memory_.timeline().steps.size(), values);
    answer.note = used > 0    ? absl::StrCat(used, used == 1 ? " result takes" : " results take", " its memory over")
                  : given > 0 ? reason
                              : "no result has the size of its arrays";
    return answer;
  }

  absl::StatusOr<WhatIf> Reorder(absl::string_view name) {
    for (ScheduleKind kind :
         {ScheduleKind::kText, ScheduleKind::kPostOrder, ScheduleKind::kLargest, ScheduleKind::kList}) {
      absl::string_view full = ScheduleKindName(kind);
      if (name != full && !(kind == ScheduleKind::kLargest && name == "largest")) continue;
      const MemoryExplanation other(memory_.document(), {kind, nullptr});
      WhatIf answer;
      answer.peak_bytes = other.peak_bytes();
      answer.note = absl::StrCat("every computation in the order '", full, "'");
      return answer;
    }
    return absl::InvalidArgumentError(
        absl::StrCat("there is no order '", OneLine(name), "': text, post-order, largest or list"));
  }

  absl::StatusOr<WhatIf> Retype(absl::string_view text) {
    const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(text, absl::MaxSplits('=', 1));
    const absl::StatusOr<InstructionId> id = Find(parts.first);
    if (!id.ok()) return id.status();
    const std::optional<ElementType> type = ElementTypeFromName(parts.second);
    if (!type || !IsArrayElement(*type)) {
      return absl::InvalidArgumentError(absl::StrCat("there is no element type '", OneLine(parts.second), "'"));
    }
    std::vector<MemoryValue> values = values_;
    size_t arrays = 0;
    for (MemoryValue& value : values) {
      if (value.definer != *id) continue;
      const Leaf* leaf = memory_.leaves().At(*id, value.leaf);
      if (leaf == nullptr || !leaf->shape.IsArray()) continue;
      Shape shape = leaf->shape;
      shape.set_element_type(*type);
      value.taken_bytes = PhysicalBytes(shape);
      ++arrays;
    }
    if (arrays == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", OneLine(parts.first), "' makes no array: what does is earlier, and this passes it on"));
    }
    WhatIf answer;
    answer.peak_bytes = PeakOf(memory_.timeline().steps.size(), values);
    answer.note = "conversions that this would need are not counted";
    return answer;
  }

  const MemoryExplanation& memory_;
  const ReaderIndex& readers_;
  const Module& module_;
  std::vector<MemoryValue> values_;
  // Numbers of values, in the order in which they begin.
  absl::flat_hash_map<BufferTable::BufferId, std::vector<uint32_t>> by_buffer_;
  absl::flat_hash_map<InstructionId, std::vector<uint32_t>> by_definer_;
  int64_t before_ = 0;
};

}  // namespace

absl::StatusOr<WhatIf> AskWhatIf(const MemoryExplanation& memory, const ReaderIndex& readers,
                                 absl::string_view question) {
  return Asker(memory, readers).Ask(question);
}

std::vector<WhatIf> SuggestRecomputation(const MemoryExplanation& memory, const ReaderIndex& readers, size_t count) {
  Asker asker(memory, readers);
  std::vector<WhatIf> answers;
  std::vector<InstructionId> tried;
  // Each question looks at all values.
  const size_t limit = std::min(kMaxTried, 20'000'000 / (memory.values().size() + 1) + 1);
  for (uint32_t v : memory.LiveAt(memory.peak_step())) {
    const MemoryValue& value = memory.values()[v];
    if (tried.size() >= limit) break;
    if (value.kind != ValueKind::kTemporary || !value.definer.has_value()) continue;
    const InstructionId id = value.definer;
    // Loops and calls are more than one would compute again.
    if (RunsAsFrame(memory.module().opcode(id)) || memory.module().operands(id).empty()) continue;
    if (std::find(tried.begin(), tried.end(), id) != tried.end()) continue;
    tried.push_back(id);
    WhatIf answer = asker.RecomputeValue(id);
    answer.saved_bytes = asker.before() - answer.peak_bytes;
    if (answer.saved_bytes <= 0) continue;
    answer.what = absl::StrCat("recompute:", memory.module().InstructionName(id));
    answers.push_back(std::move(answer));
  }
  std::stable_sort(answers.begin(), answers.end(),
                   [](const WhatIf& a, const WhatIf& b) { return a.saved_bytes > b.saved_bytes; });
  if (answers.size() > count) answers.resize(count);
  return answers;
}

}  // namespace hloscope::insight
