// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/module_matching.h"

#include <algorithm>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"
#include "core/analysis/call_graph.h"
#include "core/analysis/instruction_attributes.h"
#include "core/analysis/users.h"
#include "core/print/print_order.h"
#include "core/print/printer.h"

namespace hloscope {
namespace {

// One module with what is hashed of it.
struct Side {
  Side(const Module& m, const IgnoredInDiff& i) : module(m), ignored(i), users(m), calls(m) {
    shapes.resize(m.shape_count());
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
      computation_hash[computation.index()] =
          absl::HashOf(all, root.has_value() ? upward[root.index()] : 0, m.computation(computation).execution_thread);
    }
  }

  // Opcode, shape, value and attributes, but nothing that the instruction refers to.
  uint64_t LocalHash(InstructionId id) {
    const Instruction& instruction = module.instruction(id);
    uint64_t& shape = shapes[instruction.shape.index()];
    if (shape == 0) shape = absl::HashOf(ComparedShape(module.shape(id), ignored)) | 1;
    uint64_t hash = absl::HashOf(static_cast<int>(module.opcode(id)), shape);
    if (instruction.opcode == Opcode::kParameter) hash = absl::HashOf(hash, instruction.parameter_number);
    if (instruction.literal.has_value()) {
      hash = absl::HashOf(hash, PrintLiteral(module.literal(id), {.large = true}));
    }
    for (const auto& [kind, text] : AttributeTexts(module, id, AttributesCompared::kAll)) {
      if (ignored.backend_config && kind == AttributeKind::kBackendConfig) continue;
      hash = absl::HashOf(hash, static_cast<int>(kind), text);
    }
    return hash;
  }

  const Module& module;
  const IgnoredInDiff ignored;
  UserIndex users;
  CallGraph calls;
  std::vector<uint64_t> local, upward, computation_hash;
  std::vector<uint64_t> shapes;  // by shape; 0: not known yet
};

class Matcher {
 public:
  Matcher(const Module& a, const Module& b, const IgnoredInDiff& ignored) : a_(a, ignored), b_(b, ignored) {
    matching_.in_b.resize(a.instruction_count());
    matching_.in_a.resize(b.instruction_count());
    matching_.computation_in_b.resize(a.computations().size());
    matching_.computation_in_a.resize(b.computations().size());
  }

  ModuleMatching Run() {
    IndexContents(a_, &with_content_a_);
    IndexContents(b_, &with_content_b_);
    // Computations that several callers share are compared with the counterpart of the first.
    PairComputations(a_.module.entry(), b_.module.entry());
    MatchPending();
    // What no call of a matched instruction leads to: by content, then by name.
    for (const bool by_name : {false, true}) {
      for (uint32_t c = 0; c < matching_.computation_in_b.size(); ++c) {
        const ComputationId a(c);
        if (matching_.computation_in_b[c].has_value()) continue;
        PairComputations(a, by_name ? b_.module.FindComputation(a_.module.ComputationName(a)) : FreeWithContentOf(a));
        MatchPending();
      }
    }
    matching_.content_a = a_.computation_hash;
    matching_.content_b = b_.computation_hash;
    return std::move(matching_);
  }

 private:
  using ByContent = absl::flat_hash_map<uint64_t, std::vector<ComputationId>>;

  static void IndexContents(const Side& side, ByContent* index) {
    for (uint32_t c = 0; c < side.computation_hash.size(); ++c) {
      (*index)[side.computation_hash[c]].push_back(ComputationId(c));
    }
  }

  bool AreFree(ComputationId a, ComputationId b) const {
    return a.has_value() && b.has_value() && !matching_.computation_in_b[a.index()].has_value() &&
           !matching_.computation_in_a[b.index()].has_value();
  }

  // A computation of b that computes what `a` does, preferably one of the same name; none if all have counterparts.
  ComputationId FreeWithContentOf(ComputationId a) const {
    ComputationId found;
    const auto it = with_content_b_.find(a_.computation_hash[a.index()]);
    if (it == with_content_b_.end()) return found;
    for (ComputationId b : it->second) {
      if (!AreFree(a, b)) continue;
      if (a_.module.ComputationName(a) == b_.module.ComputationName(b)) return b;
      if (!found.has_value()) found = b;
    }
    return found;
  }

  void PairComputations(ComputationId a, ComputationId b) {
    if (!AreFree(a, b)) return;
    matching_.computation_in_b[a.index()] = b;
    matching_.computation_in_a[b.index()] = a;
    matching_.computations.emplace_back(a, b);
  }

  // Two computations that corresponding instructions call. Where one of them exists in the other module too, the call
  // has changed, not the computation.
  void PairCallees(ComputationId a, ComputationId b) {
    if (!AreFree(a, b)) return;
    if (a_.computation_hash[a.index()] != b_.computation_hash[b.index()]) {
      const ComputationId same = FreeWithContentOf(a);
      PairComputations(a, same);
      if (same.has_value() || with_content_a_.contains(b_.computation_hash[b.index()])) return;
    }
    PairComputations(a, b);
  }

  void MatchPending() {
    for (; next_ < matching_.computations.size(); ++next_) {
      const auto [a, b] = matching_.computations[next_];
      Match(a, b);
      for (InstructionId id : a_.module.computation(a).instructions) {
        const InstructionId other = matching_.in_b[id.index()];
        if (!other.has_value()) continue;
        std::vector<ComputationId> x, y;
        ForEachCalleeInOrder(a_.module, id, false, [&](ComputationId callee) { x.push_back(callee); });
        ForEachCalleeInOrder(b_.module, other, false, [&](ComputationId callee) { y.push_back(callee); });
        for (size_t k = 0; k < std::min(x.size(), y.size()); ++k) PairCallees(x[k], y[k]);
      }
    }
  }

  void Pair(InstructionId a, InstructionId b) {
    matching_.in_b[a.index()] = b;
    matching_.in_a[b.index()] = a;
    matched_.push_back(a);
  }
  bool IsFree(InstructionId a, InstructionId b) const {
    return !matching_.in_b[a.index()].has_value() && !matching_.in_a[b.index()].has_value();
  }

  // Pairs instructions of equal keys: first those of equal names, then in text order.
  template <typename KeyA, typename KeyB>
  void PairEqual(ComputationId a, ComputationId b, KeyA key_a, KeyB key_b) {
    using Key = decltype(key_a(InstructionId()));
    absl::flat_hash_map<Key, std::vector<InstructionId>> by_key;
    absl::flat_hash_map<std::pair<Key, absl::string_view>, InstructionId> by_name;
    for (InstructionId id : b_.module.computation(b).instructions) {
      if (matching_.in_a[id.index()].has_value()) continue;
      by_key[key_b(id)].push_back(id);
      by_name.try_emplace({key_b(id), b_.module.InstructionName(id)}, id);
    }
    for (InstructionId id : a_.module.computation(a).instructions) {
      if (matching_.in_b[id.index()].has_value()) continue;
      const auto it = by_name.find({key_a(id), a_.module.InstructionName(id)});
      if (it != by_name.end() && IsFree(id, it->second)) Pair(id, it->second);
    }
    for (auto& [key, list] : by_key) std::reverse(list.begin(), list.end());
    for (InstructionId id : a_.module.computation(a).instructions) {
      if (matching_.in_b[id.index()].has_value()) continue;
      const auto it = by_key.find(key_a(id));
      if (it == by_key.end()) continue;
      while (!it->second.empty() && matching_.in_a[it->second.back().index()].has_value()) it->second.pop_back();
      if (!it->second.empty()) Pair(id, it->second.back());
    }
  }

  // The same place around matched instructions: operand k of both, if what is there is alike.
  void PairNeighbours(bool same_local) {
    const auto alike = [&](InstructionId x, InstructionId y) {
      if (!x.has_value() || !y.has_value() || !IsFree(x, y)) return false;
      return same_local ? a_.local[x.index()] == b_.local[y.index()] : a_.module.opcode(x) == b_.module.opcode(y);
    };
    // matched_ grows while it is walked: new pairs have neighbours too.
    for (size_t i = 0; i < matched_.size(); ++i) {
      const InstructionId x = matched_[i], y = matching_.in_b[x.index()];
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

  const Side a_, b_;
  ByContent with_content_a_, with_content_b_;
  ModuleMatching matching_;
  std::vector<InstructionId> matched_;  // of the pair of computations at hand, ids of a
  size_t next_ = 0;                     // the first pair of computations whose instructions are not matched yet
};

}  // namespace

std::string ComparedShape(const Shape& shape, const IgnoredInDiff& ignored) {
  if (!ignored.shapes) return ignored.layouts ? shape.ToString(false) : shape.ToStringWithDefaultLayouts();
  if (!shape.IsTuple()) return std::string(ElementTypeName(shape.element_type()));
  std::string text = "(";
  for (const Shape& element : shape.elements()) text += ComparedShape(element, ignored) + ",";
  return text + ")";
}

ModuleMatching MatchModules(const Module& a, const Module& b, const IgnoredInDiff& ignored) {
  return Matcher(a, b, ignored).Run();
}

}  // namespace hloscope
