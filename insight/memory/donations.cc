// SPDX-License-Identifier: Apache-2.0
#include "insight/memory/donations.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "core/diagnostics/render.h"

namespace hloscope::insight {
namespace {

// Writing over an operand while reading it is safe: element k of the result needs element k at most.
bool CanWriteInPlace(const Module& module, InstructionId id, BufferTable::BufferId operand,
                     const BufferTable& buffers) {
  const auto is_operand = [&](size_t k) {
    if (k >= module.operands(id).size()) return false;
    for (BufferTable::BufferId buffer : buffers.Of(module.operand(id, k))) {
      if (buffer == operand) return true;
    }
    return false;
  };
  switch (module.opcode(id)) {
    case Opcode::kDynamicUpdateSlice:
    case Opcode::kScatter:
    case Opcode::kSort:
    case Opcode::kWhile:
    case Opcode::kCall:
    case Opcode::kConditional:
    case Opcode::kFusion:
    case Opcode::kCustomCall:
    case Opcode::kAllReduce:
    case Opcode::kAllReduceStart:
      return true;
    case Opcode::kTriangularSolve:
      return is_operand(1);
    default: {
      const OpFamily family = InfoOf(module.opcode(id)).family;
      return family == OpFamily::kElementwise || family == OpFamily::kTypeConversion;
    }
  }
}

class DonationFinder {
 public:
  DonationFinder(const MemoryExplanation& memory, const ReaderIndex& readers)
      : memory_(memory), readers_(readers), module_(memory.module()), buffers_(memory.buffers()) {
    const ComputationId entry = module_.entry();
    const std::vector<InstructionId>& schedule = memory_.memory().Of(entry).schedule;
    for (uint32_t t = 0; t < schedule.size(); ++t) step_[schedule[t]] = t;
    root_ = module_.computation(entry).root;
    results_ = memory_.leaves().Of(root_);
    taken_.resize(results_.size());
  }

  std::vector<Donation> Find() {
    for (const AliasEntry& entry : module_.header().input_output_alias) FindAlias(entry);
    for (const DonorEntry& entry : module_.header().buffer_donor) FindDonor(entry);
    FindPossible();
    return std::move(donations_);
  }

 private:
  // Empty: not such a leaf.
  std::optional<std::pair<InstructionId, uint32_t>> ParameterLeaf(int64_t number, const ShapeIndex& index) const {
    const std::vector<InstructionId>& parameters = module_.computation(module_.entry()).parameters;
    if (number < 0 || number >= static_cast<int64_t>(parameters.size())) return std::nullopt;
    const InstructionId parameter = parameters[static_cast<size_t>(number)];
    if (!parameter.has_value()) return std::nullopt;
    const int64_t leaf = memory_.leaves().Find(parameter, index);
    if (leaf < 0 || memory_.leaves().At(parameter, static_cast<uint32_t>(leaf)) == nullptr) return std::nullopt;
    return std::make_pair(parameter, static_cast<uint32_t>(leaf));
  }

  Donation Of(InstructionId parameter, uint32_t leaf) const {
    Donation donation;
    donation.parameter = parameter;
    donation.leaf = leaf;
    donation.bytes = memory_.leaves().At(parameter, leaf)->padded_bytes;
    return donation;
  }

  void FindAlias(const AliasEntry& entry) {
    const auto place = ParameterLeaf(entry.operand, entry.operand_index);
    const int64_t result = memory_.leaves().Find(root_, entry.output_index);
    if (!place || result < 0 || result >= static_cast<int64_t>(results_.size())) return;  // a diagnostic of the module
    Donation donation = Of(place->first, place->second);
    donation.is_alias = true;
    donation.must_alias = entry.must_alias;
    Judge(static_cast<uint32_t>(result), &donation);
    taken_[static_cast<size_t>(result)] = true;
    given_[{place->first.index(), place->second}] = true;
    donations_.push_back(std::move(donation));
  }

  void FindDonor(const DonorEntry& entry) {
    const auto place = ParameterLeaf(entry.parameter, entry.index);
    if (!place || !given_.try_emplace({place->first.index(), place->second}, true).second) return;
    Donation best = Of(place->first, place->second);
    best.state = DonationState::kLost;
    best.loss = DonationLoss::kNoResult;
    best.detail = "no result has its size";
    for (uint32_t r : MayTake(best)) {
      Donation candidate = Of(place->first, place->second);
      Judge(r, &candidate);
      if (candidate.state == DonationState::kUsed) {
        taken_[r] = true;
        best = std::move(candidate);
        break;
      }
      // What fails last says most.
      if (candidate.loss == DonationLoss::kStillRead || candidate.loss == DonationLoss::kLayout) best = candidate;
    }
    donations_.push_back(std::move(best));
  }

  // Free results of the size of a donation, and those of its shape, in order: the others cannot take it.
  std::vector<uint32_t> MayTake(const Donation& donation) {
    if (by_size_.empty()) {
      for (uint32_t r = 0; r < results_.size(); ++r) {
        by_size_[results_[r].padded_bytes].results.push_back(r);
        by_shape_[ShapeKey(results_[r])].results.push_back(r);
      }
    }
    std::vector<uint32_t> results;
    AddFree(by_size_[donation.bytes], &results);
    AddFree(by_shape_[ShapeKey(*memory_.leaves().At(donation.parameter, donation.leaf))], &results);
    std::sort(results.begin(), results.end());
    results.erase(std::unique(results.begin(), results.end()), results.end());
    return results;
  }

  struct Candidates {
    std::vector<uint32_t> results;
    size_t first = 0;  // those before it are taken
  };

  static std::string ShapeKey(const Leaf& leaf) { return leaf.shape.ToString(/*with_layout=*/false); }

  void AddFree(Candidates& candidates, std::vector<uint32_t>* results) {
    const std::vector<uint32_t>& all = candidates.results;
    while (candidates.first < all.size() && taken_[all[candidates.first]]) ++candidates.first;
    const size_t end = work_ > kMaxWork ? std::min(all.size(), candidates.first + kMaxTried) : all.size();
    work_ += end - candidates.first;
    for (size_t k = candidates.first; k < end; ++k) {
      if (!taken_[all[k]]) results->push_back(all[k]);
    }
  }

  void FindPossible() {
    std::vector<Donation> possible;
    for (InstructionId parameter : module_.computation(module_.entry()).parameters) {
      if (!parameter.has_value()) continue;
      for (uint32_t leaf = 0; leaf < memory_.leaves().Of(parameter).size(); ++leaf) {
        if (given_.contains({parameter.index(), leaf})) continue;
        possible.push_back(Of(parameter, leaf));
      }
    }
    std::stable_sort(possible.begin(), possible.end(),
                     [](const Donation& a, const Donation& b) { return a.bytes > b.bytes; });
    // Results by size: the others cannot fit.
    std::map<int64_t, std::vector<uint32_t>> free;
    for (uint32_t r = 0; r < results_.size(); ++r) {
      if (!taken_[r] && results_[r].padded_bytes > 0) free[results_[r].padded_bytes].push_back(r);
    }
    for (Donation& donation : possible) {
      const auto found = free.find(donation.bytes);
      if (found == free.end()) continue;
      for (size_t k = 0; k < std::min<size_t>(found->second.size(), kMaxTried); ++k) {
        Donation candidate = donation;
        Judge(found->second[k], &candidate);
        if (candidate.state != DonationState::kUsed || candidate.detail == kPassedThrough) continue;
        candidate.state = DonationState::kPossible;
        found->second.erase(found->second.begin() + static_cast<ptrdiff_t>(k));
        donations_.push_back(std::move(candidate));
        break;
      }
    }
  }

  std::string Name(InstructionId id) const { return OneLine(module_.InstructionName(id)); }

  void Judge(uint32_t result, Donation* donation) const {
    donation->result = result;
    const Leaf& from = *memory_.leaves().At(donation->parameter, donation->leaf);
    const Leaf& to = results_[result];
    const auto lose = [&](DonationLoss loss, std::string detail) {
      donation->state = DonationState::kLost;
      donation->loss = loss;
      donation->detail = std::move(detail);
    };
    if (from.padded_bytes != to.padded_bytes) {
      const bool same = ShapesCompatible(from.shape, to.shape);
      return lose(same ? DonationLoss::kLayout : DonationLoss::kShape,
                  absl::StrCat("it is ", from.shape.ToString(), ", ", from.padded_bytes, " bytes; the result is ",
                               to.shape.ToString(), ", ", to.padded_bytes, " bytes"));
    }
    if (Space(from) != Space(to)) {
      return lose(DonationLoss::kMemorySpace,
                  absl::StrCat("it is in memory space ", Space(from), ", the result in ", Space(to)));
    }
    const BufferTable::BufferId given = buffers_.Of(donation->parameter)[donation->leaf];
    const absl::Span<const BufferTable::BufferId> root = buffers_.Of(root_);
    if (result >= root.size()) return lose(DonationLoss::kNoResult, "the result is too large to be looked at");
    const BufferTable::BufferId made = root[result];
    if (given == made) {
      donation->state = DonationState::kUsed;
      donation->detail = kPassedThrough;
      return;
    }
    const InstructionId maker = buffers_.buffer(made).definer;
    if (module_.opcode(maker) == Opcode::kParameter) {
      return lose(DonationLoss::kNotTaken, absl::StrCat("the result is another argument, ", Name(maker)));
    }
    JudgeReaders(given, maker, donation);
  }

  void JudgeReaders(BufferTable::BufferId given, InstructionId maker, Donation* donation) const {
    work_ += readers_.Of(given).size();
    const auto made = step_.find(maker);
    const uint32_t made_at = made == step_.end() ? 0 : made->second;
    for (InstructionId reader : readers_.Of(given)) {
      const auto at = step_.find(reader);
      if (at == step_.end() || at->second < made_at) continue;
      if (reader == maker && CanWriteInPlace(module_, maker, given, buffers_)) continue;
      donation->state = DonationState::kLost;
      donation->loss = DonationLoss::kStillRead;
      donation->detail = reader == maker ? absl::StrCat(Name(maker), " reads it while it writes the result")
                                         : absl::StrCat(Name(reader), " reads it at step ", at->second, ", after ",
                                                        Name(maker), " made the result at step ", made_at);
      return;
    }
    donation->state = DonationState::kUsed;
    donation->detail = absl::StrCat(Name(maker), " can write the result over it");
  }

  static int64_t Space(const Leaf& leaf) {
    return leaf.shape.IsArray() && leaf.shape.has_layout() ? leaf.shape.layout().memory_space : 0;
  }

  static constexpr char kPassedThrough[] = "it is returned unchanged";
  // Results that are tried for each donation, once very much was looked at.
  static constexpr size_t kMaxTried = 16, kMaxWork = 10'000'000;

  const MemoryExplanation& memory_;
  const ReaderIndex& readers_;
  const Module& module_;
  const BufferTable& buffers_;
  absl::flat_hash_map<InstructionId, uint32_t> step_;
  InstructionId root_;
  std::vector<Leaf> results_;
  absl::flat_hash_map<int64_t, Candidates> by_size_;  // once somebody asked
  absl::flat_hash_map<std::string, Candidates> by_shape_;
  mutable size_t work_ = 0;  // what was looked at
  std::vector<bool> taken_;  // by result
  absl::flat_hash_map<std::pair<size_t, uint32_t>, bool> given_;
  std::vector<Donation> donations_;
};

}  // namespace

absl::string_view DonationStateName(DonationState state) {
  switch (state) {
    case DonationState::kUsed:
      return "used";
    case DonationState::kLost:
      return "lost";
    case DonationState::kPossible:
      return "possible";
  }
  return "";
}

absl::string_view DonationLossName(DonationLoss loss) {
  switch (loss) {
    case DonationLoss::kNone:
      return "";
    case DonationLoss::kShape:
      return "shape";
    case DonationLoss::kLayout:
      return "layout";
    case DonationLoss::kStillRead:
      return "still read";
    case DonationLoss::kMemorySpace:
      return "memory space";
    case DonationLoss::kNoResult:
      return "no result";
    case DonationLoss::kNotTaken:
      return "not taken";
  }
  return "";
}

std::vector<Donation> FindDonations(const MemoryExplanation& memory, const ReaderIndex& readers) {
  const ComputationId entry = memory.module().entry();
  if (!entry.has_value() || !memory.module().computation(entry).root.has_value()) return {};
  std::vector<Donation> donations = DonationFinder(memory, readers).Find();
  if (!memory.is_recorded()) return donations;
  // What the compiler did counts for more than what could be done.
  absl::flat_hash_map<std::string, bool> aliased;
  for (const MemoryAllocation& allocation : memory.allocations()) {
    if (allocation.parameter >= 0) aliased[allocation.kind] = allocation.is_aliased;
  }
  for (Donation& donation : donations) {
    if (donation.state == DonationState::kPossible) continue;
    const auto found =
        aliased.find(absl::StrCat("parameter ", memory.module().instruction(donation.parameter).parameter_number,
                                  IndexText(memory.leaves().At(donation.parameter, donation.leaf)->index)));
    if (found == aliased.end()) continue;
    if (!found->second && donation.state == DonationState::kUsed) {
      donation.state = DonationState::kLost;
      donation.loss = DonationLoss::kNotTaken;
      absl::StrAppend(&donation.detail, ", but the buffer assignment gives the result memory of its own");
    }
  }
  return donations;
}

}  // namespace hloscope::insight
