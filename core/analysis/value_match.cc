// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/value_match.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"
#include "core/analysis/instruction_attributes.h"
#include "core/print/literal_printer.h"
#include "core/print/print_order.h"

namespace hloscope {
namespace {

// The same collective, whether it is one instruction or a pair.
Opcode SynchronousOpcode(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAllReduceDone:
      return Opcode::kAllReduce;
    case Opcode::kAllGatherDone:
      return Opcode::kAllGather;
    case Opcode::kCollectivePermuteDone:
      return Opcode::kCollectivePermute;
    default:
      return opcode;
  }
}

uint64_t ShapeHash(const Shape& shape) {
  std::vector<const Shape*> open = {&shape};
  uint64_t hash = 0;
  while (!open.empty()) {
    const Shape& one = *open.back();
    open.pop_back();
    hash = absl::HashOf(hash, static_cast<int>(one.element_type()));
    if (one.IsTuple()) {
      hash = absl::HashOf(hash, one.elements().size());
      for (const Shape& element : one.elements()) open.push_back(&element);
    } else if (one.IsArray()) {
      hash = absl::HashOf(hash, one.dimensions());
    }
  }
  return hash;
}

// The carriers of one module with what is hashed of them.
struct Side {
  explicit Side(const ValueFlow& f) : flow(f), module(f.module()), order(f.module()) {
    local.resize(module.instruction_count());
    upward.resize(module.instruction_count());
    applied.resize(module.computations().size());
    for (InstructionId id : flow.order()) {
      local[id.index()] = LocalHash(id);
      uint64_t hash = local[id.index()];
      for (InstructionId operand : flow.operands(id)) hash = absl::HashOf(hash, upward[operand.index()]);
      for (InstructionId initial : flow.initial_values(id)) hash = absl::HashOf(hash, upward[initial.index()], 1);
      // Elements of a loop's state that begin equal are told apart by their places, as long as these agree.
      if (!flow.initial_values(id).empty()) {
        hash = absl::HashOf(hash, module.IntAttribute(id, AttributeKind::kIndex));
      }
      for (InstructionId result : flow.callee_results(id)) hash = absl::HashOf(hash, upward[result.index()], 2);
      // Nothing but their names tells these apart, as long as nobody asks what uses them.
      const bool is_elided = module.instruction(id).literal.has_value() && module.literal(id).IsElided();
      if (is_elided || module.opcode(id) == Opcode::kRng) hash = absl::HashOf(hash, module.InstructionName(id));
      upward[id.index()] = hash;
      ++copies[hash];
    }
  }

  // Opcode, shape without layout, value, attributes and computations applied to single elements; not the operands.
  uint64_t LocalHash(InstructionId id) {
    const Instruction& instruction = module.instruction(id);
    const Opcode opcode = SynchronousOpcode(instruction.opcode);
    // A loop's state may hold other things as well; what is taken from it tells more.
    const bool is_tuple = module.shape(id).IsTuple();
    uint64_t hash = absl::HashOf(static_cast<int>(opcode), is_tuple ? 0 : ShapeHash(module.shape(id)));
    const bool is_entry = instruction.computation == module.entry();
    if (opcode == Opcode::kParameter) return absl::HashOf(hash, instruction.parameter_number, is_entry);
    if (instruction.literal.has_value()) hash = absl::HashOf(hash, PrintLiteral(module.literal(id), {.large = true}));
    InstructionId described = id;
    if (opcode != instruction.opcode && !module.operands(id).empty()) described = module.operand(id, 0);
    // Which element of a loop's state it is does not matter; its initial value says what it is.
    if (opcode == Opcode::kGetTupleElement && !flow.initial_values(id).empty()) return hash;
    for (const auto& [kind, text] : AttributeTexts(module, described, AttributesCompared::kValues)) {
      hash = absl::HashOf(hash, static_cast<int>(kind), text);
    }
    if (flow.callee_results(id).empty()) {
      ForEachCalleeInOrder(module, described, false,
                           [&](ComputationId callee) { hash = absl::HashOf(hash, AppliedHash(callee)); });
    }
    return hash;
  }

  // A computation applied to single elements, by the upward hash of its root.
  uint64_t AppliedHash(ComputationId computation) {
    uint64_t& cached = applied[computation.index()];
    if (cached != 0) return cached;
    absl::flat_hash_map<InstructionId, uint64_t> hashes;
    for (InstructionId id : order.Of(computation)) {
      const Instruction& instruction = module.instruction(id);
      uint64_t hash = absl::HashOf(static_cast<int>(instruction.opcode), ShapeHash(module.shape(id)));
      if (instruction.opcode == Opcode::kParameter) hash = absl::HashOf(hash, instruction.parameter_number);
      if (instruction.literal.has_value()) hash = absl::HashOf(hash, PrintLiteral(module.literal(id), {.large = true}));
      for (const auto& [kind, text] : AttributeTexts(module, id, AttributesCompared::kValues)) {
        hash = absl::HashOf(hash, static_cast<int>(kind), text);
      }
      for (InstructionId operand : module.operands(id)) {
        const auto it = hashes.find(operand);
        hash = absl::HashOf(hash, it == hashes.end() ? 0 : it->second);
      }
      hashes[id] = hash;
    }
    const auto it = hashes.find(module.computation(computation).root);
    cached = it == hashes.end() ? 1 : it->second | 1;
    return cached;
  }

  absl::string_view OpName(InstructionId id) const {
    const Metadata* metadata = module.MetadataOf(id);
    return metadata == nullptr ? absl::string_view() : module.string(metadata->op_name);
  }

  const ValueFlow& flow;
  const Module& module;
  const InstructionOrder order;
  std::vector<uint64_t> local, upward;
  absl::flat_hash_map<uint64_t, int64_t> copies;  // carriers by upward hash
  std::vector<uint64_t> applied;                  // by computation; 0: not known yet
};

class Matcher {
 public:
  Matcher(const ValueFlow& a, const ValueFlow& b) : a_(a), b_(b) {
    match_.partner_of_a.resize(a_.module.instruction_count());
    match_.partner_of_b.resize(b_.module.instruction_count());
  }

  ValueMatch Run() {
    PairEqual(false, [](const Side& side, InstructionId id) { return std::make_pair(side.upward[id.index()], true); });
    PairResults(a_.module.computation(a_.module.entry()).root, b_.module.computation(b_.module.entry()).root);
    PairNeighbours();
    PairEqual(true, [](const Side& side, InstructionId id) {
      return std::make_pair(absl::HashOf(side.local[id.index()], side.module.InstructionName(id)), true);
    });
    PairNeighbours();
    PairEqual(true, [](const Side& side, InstructionId id) {
      const absl::string_view name = side.OpName(id);
      return std::make_pair(absl::HashOf(side.local[id.index()], name), !name.empty());
    });
    PairNeighbours();
    Count();
    return std::move(match_);
  }

 private:
  void Pair(InstructionId a, InstructionId b) {
    match_.partner_of_a[a.index()] = b;
    match_.partner_of_b[b.index()] = a;
    matched_.push_back(a);
  }
  bool IsFreeA(InstructionId id) const { return !match_.partner_of_a[id.index()].has_value(); }
  bool IsFreeB(InstructionId id) const { return !match_.partner_of_b[id.index()].has_value(); }
  bool Alike(InstructionId x, InstructionId y) const {
    return IsFreeA(x) && IsFreeB(y) && a_.local[x.index()] == b_.local[y.index()];
  }

  // Pairs free carriers of equal keys: first those of equal names, then in order; `only_unique`: only where each module
  // has just one. `key` gives a hash and whether it counts.
  template <typename Key>
  void PairEqual(bool only_unique, Key key) {
    absl::flat_hash_map<uint64_t, std::vector<InstructionId>> by_key;
    absl::flat_hash_map<uint64_t, InstructionId> by_name;
    const auto named = [](const Side& side, uint64_t hash, InstructionId id) {
      return absl::HashOf(hash, side.module.InstructionName(id));
    };
    for (InstructionId id : b_.flow.order()) {
      if (!IsFreeB(id)) continue;
      const auto [hash, counts] = key(b_, id);
      if (!counts) continue;
      by_key[hash].push_back(id);
      by_name.try_emplace(named(b_, hash, id), id);
    }
    for (InstructionId id : a_.flow.order()) {
      if (!IsFreeA(id)) continue;
      const auto [hash, counts] = key(a_, id);
      if (!counts) continue;
      const auto it = by_name.find(named(a_, hash, id));
      if (it != by_name.end() && Alike(id, it->second)) Pair(id, it->second);
    }
    absl::flat_hash_map<uint64_t, std::pair<int64_t, int64_t>> rivals;  // matched ones, too
    if (only_unique) {
      for (InstructionId id : a_.flow.order()) rivals[key(a_, id).first].first += 1;
      for (InstructionId id : b_.flow.order()) rivals[key(b_, id).first].second += 1;
    }
    for (auto& [hash, list] : by_key) std::reverse(list.begin(), list.end());
    for (InstructionId id : a_.flow.order()) {
      if (!IsFreeA(id)) continue;
      const auto [hash, counts] = key(a_, id);
      const auto it = counts ? by_key.find(hash) : by_key.end();
      if (it == by_key.end()) continue;
      std::vector<InstructionId>& list = it->second;
      if (only_unique && rivals[hash] != std::make_pair<int64_t, int64_t>(1, 1)) continue;
      while (!list.empty() && !IsFreeB(list.back())) list.pop_back();
      if (!list.empty() && Alike(id, list.back())) Pair(id, list.back());
    }
  }

  // What two computations return stands for the same, whatever became of it.
  void PairResults(InstructionId root_a, InstructionId root_b) {
    if (!root_a.has_value() || !root_b.has_value()) return;
    PairLists(a_.flow.carriers(root_a), b_.flow.carriers(root_b));
  }
  void PairLists(absl::Span<const InstructionId> x, absl::Span<const InstructionId> y) {
    if (x.size() != y.size()) return;
    for (size_t k = 0; k < x.size(); ++k) {
      if (Alike(x[k], y[k])) Pair(x[k], y[k]);
    }
  }

  // matched_ grows while it is walked: new pairs have neighbours too.
  void PairNeighbours() {
    for (size_t i = 0; i < matched_.size(); ++i) {
      const InstructionId x = matched_[i], y = match_.partner_of_a[x.index()];
      PairLists(a_.flow.operands(x), b_.flow.operands(y));
      PairLists(a_.flow.initial_values(x), b_.flow.initial_values(y));
      PairLists(a_.flow.callee_results(x), b_.flow.callee_results(y));
      PairUsers(x, y);
    }
  }

  // Users of matched values are paired if there is just one of their kind on both sides. Where a module computes a
  // value twice, which of the two a user has says nothing.
  void PairUsers(InstructionId a, InstructionId b) {
    if (a_.copies.at(a_.upward[a.index()]) > 1 || b_.copies.at(b_.upward[b.index()]) > 1) return;
    const absl::Span<const InstructionId> x = a_.flow.users(a), y = b_.flow.users(b);
    if (x.size() > kManyUsers || y.size() > kManyUsers) return;
    for (InstructionId user : x) {
      if (!IsFreeA(user)) continue;
      const uint64_t hash = a_.local[user.index()];
      const auto same_a = [&](InstructionId id) { return a_.local[id.index()] == hash; };
      const auto same_b = [&](InstructionId id) { return b_.local[id.index()] == hash; };
      if (absl::c_count_if(x, same_a) != absl::c_count_if(y, same_b)) continue;
      if (absl::c_count_if(x, [&](InstructionId id) { return IsFreeA(id) && same_a(id); }) != 1) continue;
      InstructionId found;
      size_t count = 0;
      for (InstructionId other : y) {
        if (!IsFreeB(other) || !same_b(other)) continue;
        found = other;
        ++count;
      }
      if (count == 1) Pair(user, found);
    }
  }

  void Count() {
    const auto count = [](const Side& side, const std::vector<InstructionId>& partner, size_t* running,
                          size_t* matched) {
      for (uint32_t i = 0; i < side.module.instruction_count(); ++i) {
        const InstructionId id(i);
        if (!side.flow.IsRunning(id)) continue;
        ++*running;
        const absl::Span<const InstructionId> carriers = side.flow.carriers(id);
        *matched += std::all_of(carriers.begin(), carriers.end(),
                                [&](InstructionId carrier) { return partner[carrier.index()].has_value(); });
      }
    };
    count(a_, match_.partner_of_a, &match_.running_a, &match_.matched_a);
    count(b_, match_.partner_of_b, &match_.running_b, &match_.matched_b);
  }

  // A value that many use says little about each of them, and comparing them all takes long.
  static constexpr size_t kManyUsers = 64;

  Side a_, b_;
  ValueMatch match_;
  std::vector<InstructionId> matched_;  // ids of a
};

}  // namespace

ValueMatch MatchValues(const ValueFlow& a, const ValueFlow& b) {
  if (!a.module().entry().has_value() || !b.module().entry().has_value()) {
    ValueMatch none;
    none.partner_of_a.resize(a.module().instruction_count());
    none.partner_of_b.resize(b.module().instruction_count());
    return none;
  }
  return Matcher(a, b).Run();
}

}  // namespace hloscope
