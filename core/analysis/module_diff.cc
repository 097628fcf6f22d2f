#include "core/analysis/module_diff.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"
#include "core/analysis/call_graph.h"
#include "core/analysis/instruction_attributes.h"
#include "core/analysis/users.h"
#include "core/diagnostics/count_text.h"
#include "core/print/header_printer.h"
#include "core/print/print_order.h"
#include "core/print/printer.h"

namespace hloscope {
namespace {

std::string ShapeText(const Module& module, InstructionId id) { return module.shape(id).ToStringWithDefaultLayouts(); }

// One module with what is hashed of it.
struct Side {
  explicit Side(const Module& m) : module(m), users(m), calls(m) {
    const size_t n = m.instruction_count();
    local.resize(n);
    upward.resize(n);
    computation_hash.resize(m.computations().size());
    for (ComputationId computation : calls.callees_first()) {
      uint64_t all = 0;
      for (InstructionId id : m.computation(computation).instructions) {
        local[id.index()] = LocalHash(id);
        uint64_t hash = local[id.index()];
        ForEachCalleeInOrder(
            m, id, false, [&](ComputationId callee) { hash = absl::HashOf(hash, computation_hash[callee.index()]); });
        for (InstructionId operand : m.operands(id)) {
          hash = absl::HashOf(hash, operand.has_value() ? upward[operand.index()] : 0);
        }
        upward[id.index()] = hash;
        all += hash;  // whatever the order
      }
      const InstructionId root = m.computation(computation).root;
      computation_hash[computation.index()] = absl::HashOf(all, root.has_value() ? upward[root.index()] : 0);
    }
  }

  // Opcode, shape, value and attributes, but nothing that the instruction refers to.
  uint64_t LocalHash(InstructionId id) const {
    uint64_t hash = absl::HashOf(static_cast<int>(module.opcode(id)), ShapeText(module, id));
    const Instruction& instruction = module.instruction(id);
    if (instruction.opcode == Opcode::kParameter) hash = absl::HashOf(hash, instruction.parameter_number);
    if (instruction.literal.has_value()) {
      hash = absl::HashOf(hash, PrintLiteral(module.literal(id), {.large = true}));
    }
    for (const auto& [kind, text] : Attributes(id)) hash = absl::HashOf(hash, static_cast<int>(kind), text);
    return hash;
  }

  std::vector<std::pair<AttributeKind, std::string>> Attributes(InstructionId id) const {
    return AttributeTexts(module, id, AttributesCompared::kAll);
  }

  const Module& module;
  UserIndex users;
  CallGraph calls;
  std::vector<uint64_t> local, upward, computation_hash;
};

class Differ {
 public:
  Differ(const Module& a, const Module& b)
      : a_(a), b_(b), match_a_(a.instruction_count()), match_b_(b.instruction_count()) {}

  ModuleDiff Run() {
    CompareHeaders();
    std::vector<bool> seen_a(a_.module.computations().size()), seen_b(b_.module.computations().size());
    // Computations that several callers share are compared with the partner of the first.
    Queue(a_.module.entry(), b_.module.entry(), &seen_a, &seen_b);
    DrainQueue(&seen_a, &seen_b);
    // What no call of a matched instruction leads to: by name, then by order.
    for (uint32_t c = 0; c < seen_a.size(); ++c) {
      if (seen_a[c]) continue;
      const ComputationId other = b_.module.FindComputation(a_.module.ComputationName(ComputationId(c)));
      if (!other.has_value() || seen_b[other.index()]) continue;
      Queue(ComputationId(c), other, &seen_a, &seen_b);
      DrainQueue(&seen_a, &seen_b);
    }
    for (uint32_t c = 0; c < seen_a.size(); ++c) {
      if (!seen_a[c]) AddWhole(a_, ComputationId(c), ComputationId());
    }
    for (uint32_t c = 0; c < seen_b.size(); ++c) {
      if (!seen_b[c]) AddWhole(b_, ComputationId(), ComputationId(c));
    }
    return std::move(diff_);
  }

 private:
  void CompareHeaders() {
    const ModuleHeader &a = a_.module.header(), &b = b_.module.header();
    const auto differ = [&](absl::string_view what, bool same) {
      if (!same) diff_.header.push_back(absl::StrCat(what, " differs"));
    };
    differ("is_scheduled", a.is_scheduled == b.is_scheduled);
    differ("replica_count", a.replica_count == b.replica_count);
    differ("num_partitions", a.num_partitions == b.num_partitions);
    differ("input_output_alias", a.input_output_alias == b.input_output_alias);
    differ("buffer_donor", a.buffer_donor == b.buffer_donor);
    differ("frontend_attributes", a.frontend_attributes == b.frontend_attributes);
  }

  void Queue(ComputationId a, ComputationId b, std::vector<bool>* seen_a, std::vector<bool>* seen_b) {
    if (!a.has_value() || !b.has_value() || (*seen_a)[a.index()] || (*seen_b)[b.index()]) return;
    (*seen_a)[a.index()] = (*seen_b)[b.index()] = true;
    queue_.emplace_back(a, b);
  }

  void DrainQueue(std::vector<bool>* seen_a, std::vector<bool>* seen_b) {
    while (next_ < queue_.size()) {
      const auto [a, b] = queue_[next_++];
      Match(a, b);
      diff_.computations.push_back(Compare(a, b));
      for (InstructionId id : a_.module.computation(a).instructions) {
        const InstructionId other = match_a_[id.index()];
        if (!other.has_value()) continue;
        std::vector<ComputationId> x, y;
        ForEachCalleeInOrder(a_.module, id, false, [&](ComputationId callee) { x.push_back(callee); });
        ForEachCalleeInOrder(b_.module, other, false, [&](ComputationId callee) { y.push_back(callee); });
        for (size_t k = 0; k < std::min(x.size(), y.size()); ++k) Queue(x[k], y[k], seen_a, seen_b);
      }
    }
  }

  void Pair(InstructionId a, InstructionId b) {
    match_a_[a.index()] = b;
    match_b_[b.index()] = a;
    matched_.push_back(a);
  }
  bool IsFree(InstructionId a, InstructionId b) const {
    return !match_a_[a.index()].has_value() && !match_b_[b.index()].has_value();
  }

  // Pairs instructions of equal keys: first those of equal names, then in text order.
  template <typename KeyA, typename KeyB>
  void PairEqual(ComputationId a, ComputationId b, KeyA key_a, KeyB key_b) {
    using Key = decltype(key_a(InstructionId()));
    absl::flat_hash_map<Key, std::vector<InstructionId>> by_key;
    absl::flat_hash_map<std::pair<Key, absl::string_view>, InstructionId> by_name;
    for (InstructionId id : b_.module.computation(b).instructions) {
      if (match_b_[id.index()].has_value()) continue;
      by_key[key_b(id)].push_back(id);
      by_name.try_emplace({key_b(id), b_.module.InstructionName(id)}, id);
    }
    for (InstructionId id : a_.module.computation(a).instructions) {
      if (match_a_[id.index()].has_value()) continue;
      const auto it = by_name.find({key_a(id), a_.module.InstructionName(id)});
      if (it != by_name.end() && IsFree(id, it->second)) Pair(id, it->second);
    }
    for (auto& [key, list] : by_key) std::reverse(list.begin(), list.end());
    for (InstructionId id : a_.module.computation(a).instructions) {
      if (match_a_[id.index()].has_value()) continue;
      const auto it = by_key.find(key_a(id));
      if (it == by_key.end()) continue;
      while (!it->second.empty() && match_b_[it->second.back().index()].has_value()) it->second.pop_back();
      if (!it->second.empty()) Pair(id, it->second.back());
    }
  }

  // The same place around matched instructions: operand k of both, if what stands there is alike.
  void PairNeighbours(bool same_local) {
    const auto alike = [&](InstructionId x, InstructionId y) {
      if (!x.has_value() || !y.has_value() || !IsFree(x, y)) return false;
      return same_local ? a_.local[x.index()] == b_.local[y.index()] : a_.module.opcode(x) == b_.module.opcode(y);
    };
    // matched_ grows while it is walked: new pairs have neighbours too.
    for (size_t i = 0; i < matched_.size(); ++i) {
      const InstructionId x = matched_[i], y = match_a_[x.index()];
      const auto operands_x = a_.module.operands(x), operands_y = b_.module.operands(y);
      for (size_t k = 0; k < std::min(operands_x.size(), operands_y.size()); ++k) {
        if (alike(operands_x[k], operands_y[k])) Pair(operands_x[k], operands_y[k]);
      }
      const auto users_x = a_.users.users(x), users_y = b_.users.users(y);
      if (users_x.size() != users_y.size()) continue;  // which belongs to which is a guess
      for (size_t k = 0; k < users_x.size(); ++k) {
        if (alike(users_x[k], users_y[k])) Pair(users_x[k], users_y[k]);
      }
    }
  }

  void Match(ComputationId a, ComputationId b) {
    matched_.clear();
    PairEqual(
        a, b, [&](InstructionId id) { return a_.upward[id.index()]; },
        [&](InstructionId id) { return b_.upward[id.index()]; });
    const InstructionId root_a = a_.module.computation(a).root, root_b = b_.module.computation(b).root;
    if (root_a.has_value() && root_b.has_value() && IsFree(root_a, root_b) &&
        a_.module.opcode(root_a) == b_.module.opcode(root_b)) {
      Pair(root_a, root_b);
    }
    PairNeighbours(/*same_local=*/true);
    using NameKey = std::pair<absl::string_view, int>;
    PairEqual(
        a, b,
        [&](InstructionId id) {
          return NameKey(a_.module.InstructionName(id), static_cast<int>(a_.module.opcode(id)));
        },
        [&](InstructionId id) {
          return NameKey(b_.module.InstructionName(id), static_cast<int>(b_.module.opcode(id)));
        });
    PairNeighbours(/*same_local=*/false);
    PairEqual(
        a, b, [&](InstructionId id) { return a_.local[id.index()]; },
        [&](InstructionId id) { return b_.local[id.index()]; });
  }

  std::vector<std::string> Changes(InstructionId x, InstructionId y) const {
    std::vector<std::string> changes;
    const Module &a = a_.module, &b = b_.module;
    const std::string shape_a = ShapeText(a, x), shape_b = ShapeText(b, y);
    if (shape_a != shape_b) changes.push_back(absl::StrCat("shape ", shape_a, " became ", shape_b));
    if (a.opcode(x) == Opcode::kParameter && a.instruction(x).parameter_number != b.instruction(y).parameter_number) {
      changes.push_back(absl::StrCat("parameter number ", a.instruction(x).parameter_number, " became ",
                                     b.instruction(y).parameter_number));
    }
    if (a.operands(x).size() != b.operands(y).size()) {
      changes.push_back(
          absl::StrCat("it has ", CountOf(b.operands(y).size(), "operand"), " instead of ", a.operands(x).size()));
    }
    for (size_t k = 0; k < std::min(a.operands(x).size(), b.operands(y).size()); ++k) {
      const InstructionId from = a.operand(x, k), to = b.operand(y, k);
      if (!from.has_value() || !to.has_value() || match_a_[from.index()] == to) continue;
      changes.push_back(
          absl::StrCat("operand ", k, " was %", a.InstructionName(from), ", is now %", b.InstructionName(to)));
    }
    if (a.instruction(x).literal.has_value() && b.instruction(y).literal.has_value()) {
      const std::string from = PrintLiteral(a.literal(x), {.large = true});
      const std::string to = PrintLiteral(b.literal(y), {.large = true});
      if (from != to) changes.emplace_back("the value of the constant changed");
    }
    const auto attributes_a = a_.Attributes(x), attributes_b = b_.Attributes(y);
    const auto find = [](const auto& list, AttributeKind kind) -> const std::string* {
      for (const auto& [other, text] : list) {
        if (other == kind) return &text;
      }
      return nullptr;
    };
    for (const auto& [kind, text] : attributes_a) {
      const std::string* other = find(attributes_b, kind);
      if (other == nullptr) {
        changes.push_back(absl::StrCat("attribute ", AttributeName(kind), "=", text, " is gone"));
      } else if (*other != text) {
        changes.push_back(absl::StrCat("attribute ", AttributeName(kind), " ", text, " became ", *other));
      }
    }
    for (const auto& [kind, text] : attributes_b) {
      if (find(attributes_a, kind) == nullptr) {
        changes.push_back(absl::StrCat("attribute ", AttributeName(kind), "=", text, " is new"));
      }
    }
    return changes;
  }

  ComputationDiff Compare(ComputationId a, ComputationId b) const {
    ComputationDiff diff;
    diff.a = a;
    diff.b = b;
    for (InstructionId id : a_.module.computation(a).instructions) {
      const InstructionId other = match_a_[id.index()];
      if (!other.has_value()) {
        diff.removed.push_back(id);
        continue;
      }
      std::vector<std::string> changes = Changes(id, other);
      const bool was_root = a_.module.computation(a).root == id, is_root = b_.module.computation(b).root == other;
      if (was_root != is_root) changes.emplace_back(is_root ? "it is the root now" : "it is no longer the root");
      if (!changes.empty()) {
        diff.changed.push_back({id, other, std::move(changes)});
        continue;
      }
      ++diff.unchanged;
      diff.same.emplace_back(id, other);
      diff.renamed += a_.module.InstructionName(id) != b_.module.InstructionName(other);
    }
    for (InstructionId id : b_.module.computation(b).instructions) {
      if (!match_b_[id.index()].has_value()) diff.added.push_back(id);
    }
    return diff;
  }

  void AddWhole(const Side& side, ComputationId a, ComputationId b) {
    ComputationDiff diff;
    diff.a = a;
    diff.b = b;
    (a.has_value() ? diff.removed : diff.added) = side.module.computation(a.has_value() ? a : b).instructions;
    diff_.computations.push_back(std::move(diff));
  }

  const Side a_, b_;
  ModuleDiff diff_;
  std::vector<InstructionId> match_a_, match_b_;
  std::vector<InstructionId> matched_;  // of the pair of computations at hand, ids of a
  std::vector<std::pair<ComputationId, ComputationId>> queue_;
  size_t next_ = 0;
};

}  // namespace

bool ModuleDiff::IsEmpty() const {
  return header.empty() && std::all_of(computations.begin(), computations.end(),
                                       [](const ComputationDiff& computation) { return computation.IsEmpty(); });
}

ModuleDiff DiffModules(const Module& a, const Module& b) { return Differ(a, b).Run(); }

}  // namespace hloscope
