#include "core/analysis/module_difference.h"

#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "core/analysis/users.h"
#include "core/ir/default_layout.h"
#include "core/print/printer.h"

namespace hloscope {
namespace {

class Comparison {
 public:
  Comparison(const Module& a, const Module& b) : a_(a), b_(b), a_users_(a), b_users_(b) {}

  std::optional<std::string> Run() {
    if (!SameHeaders() || !Pair(a_.entry(), b_.entry())) return difference_;
    // Work lists instead of recursion: graphs and call chains may be deep.
    while (!computations_.empty() || !instructions_.empty()) {
      if (!instructions_.empty()) {
        const auto [x, y] = instructions_.back();
        instructions_.pop_back();
        if (!SameInstruction(x, y)) return difference_;
      } else {
        const auto [x, y] = computations_.back();
        computations_.pop_back();
        if (!SameComputation(x, y)) return difference_;
      }
    }
    return std::nullopt;
  }

 private:
  bool Fail(std::string what) {
    difference_ = std::move(what);
    return false;
  }

  bool SameHeaders() {
    const ModuleHeader &a = a_.header(), &b = b_.header();
    if (a.is_scheduled != b.is_scheduled) return Fail("is_scheduled differs");
    if (a.replica_count != b.replica_count || a.num_partitions != b.num_partitions) return Fail("device counts differ");
    if (a.input_output_alias != b.input_output_alias) return Fail("input_output_alias differs");
    if (a.buffer_donor != b.buffer_donor) return Fail("buffer_donor differs");
    if (a.frontend_attributes != b.frontend_attributes) return Fail("frontend_attributes of the module differ");
    if (a_.entry().has_value() != b_.entry().has_value()) return Fail("one module has no entry computation");
    return true;
  }

  // Queues two computations that must be equal.
  bool Pair(ComputationId a, ComputationId b) {
    if (a.has_value() != b.has_value()) return Fail("a called computation is missing");
    if (a.has_value() && paired_computations_.insert({a.value, b.value}).second) computations_.emplace_back(a, b);
    return true;
  }
  bool Pair(InstructionId a, InstructionId b) {
    if (a.has_value() != b.has_value()) return Fail("an operand is missing");
    if (a.has_value() && paired_instructions_.insert({a.value, b.value}).second) instructions_.emplace_back(a, b);
    return true;
  }

  // Instructions without users in stored order: with what they reach they are the whole computation.
  static std::vector<InstructionId> Ends(const Module& module, const UserIndex& users, ComputationId id) {
    std::vector<InstructionId> ends;
    for (InstructionId instruction : module.computation(id).instructions) {
      if (users.users(instruction).empty()) ends.push_back(instruction);
    }
    return ends;
  }

  bool SameComputation(ComputationId a, ComputationId b) {
    const auto a_ends = Ends(a_, a_users_, a), b_ends = Ends(b_, b_users_, b);
    const std::string name(a_.ComputationName(a));
    if (a_.computation(a).instructions.size() != b_.computation(b).instructions.size()) {
      return Fail(absl::StrCat("computation ", name, " has ", a_.computation(a).instructions.size(),
                               " instructions, the other has ", b_.computation(b).instructions.size()));
    }
    if (a_ends.size() != b_ends.size())
      return Fail(absl::StrCat("computation ", name, " has other unused instructions"));
    if (a_.computation(a).execution_thread != b_.computation(b).execution_thread) {
      return Fail(absl::StrCat("computation ", name, " has another execution thread"));
    }
    for (size_t i = 0; i < a_ends.size(); ++i) {
      if (!Pair(a_ends[i], b_ends[i])) return false;
    }
    return Pair(a_.computation(a).root, b_.computation(b).root);
  }

  bool SameInstruction(InstructionId a, InstructionId b) {
    const auto differ = [&](absl::string_view what) {
      return Fail(absl::StrCat("instruction ", a_.InstructionName(a), " of ",
                               a_.ComputationName(a_.instruction(a).computation), ": ", what));
    };
    if (a_.opcode(a) != b_.opcode(b)) {
      return differ(absl::StrCat("opcode ", OpcodeName(a_.opcode(a)), ", the other is ", OpcodeName(b_.opcode(b))));
    }
    // A missing layout is the default one.
    if (a_.shape(a) != b_.shape(b) && WithDefaultLayouts(a_.shape(a)) != WithDefaultLayouts(b_.shape(b))) {
      return differ(absl::StrCat("shape ", a_.shape(a).ToString(), ", the other has ", b_.shape(b).ToString()));
    }
    if (a_.opcode(a) == Opcode::kParameter &&
        a_.instruction(a).parameter_number != b_.instruction(b).parameter_number) {
      return differ("the parameter number differs");
    }
    if (a_.instruction(a).literal.has_value() != b_.instruction(b).literal.has_value())
      return differ("one constant has no value");
    if (a_.instruction(a).literal.has_value() && !(a_.literal(a) == b_.literal(b)))
      return differ("the constants differ");
    if (a_.operands(a).size() != b_.operands(b).size()) return differ("the operand counts differ");
    for (size_t k = 0; k < a_.operands(a).size(); ++k) {
      if (!Pair(a_.operand(a, k), b_.operand(b, k))) return false;
    }
    for (const Attribute& attribute : a_.attributes(a)) {
      if (!SameAttribute(a, b, attribute.kind))
        return differ(absl::StrCat("attribute ", AttributeName(attribute.kind), " differs"));
    }
    for (const Attribute& attribute : b_.attributes(b)) {
      // Absent and default print the same way: only compare what the first lacks.
      if (a_.HasAttribute(a, attribute.kind)) continue;
      if (!PrintAttributeValue(b_, b, attribute.kind).empty() && !IsDefault(b, attribute.kind)) {
        return differ(absl::StrCat("attribute ", AttributeName(attribute.kind), " is missing"));
      }
    }
    return true;
  }

  // Printers leave defaults out and write some that were left out.
  bool IsDefault(InstructionId b, AttributeKind kind) const {
    switch (InfoOf(kind).type) {
      case AttributeType::kBool:
        return !b_.BoolAttribute(b, kind) || kind == AttributeKind::kLargest || kind == AttributeKind::kIsStable;
      case AttributeType::kReplicaGroups:
        return b_.ReplicaGroupsAttribute(b)->groups.empty();
      case AttributeType::kInts:
        return b_.IntsAttribute(b, kind).empty();
      default:
        return kind == AttributeKind::kOutfeedShape;
    }
  }

  bool SameAttribute(InstructionId a, InstructionId b, AttributeKind kind) {
    const AttributeType type = InfoOf(kind).type;
    if (type == AttributeType::kComputation || type == AttributeType::kComputations) {
      const auto x = a_.ComputationsAttribute(a, kind), y = b_.ComputationsAttribute(b, kind);
      bool same = x.size() == y.size();
      for (size_t i = 0; same && i < x.size(); ++i) same = Pair(x[i], y[i]);
      return same;
    }
    if (type == AttributeType::kInstructions) {
      const auto x = a_.InstructionsAttribute(a, kind), y = b_.InstructionsAttribute(b, kind);
      bool same = x.size() == y.size();
      for (size_t i = 0; same && i < x.size(); ++i) same = Pair(x[i], y[i]);
      return same;
    }
    if (!b_.HasAttribute(b, kind)) return !PrintsAlways(a, kind);
    return PrintAttributeValue(a_, a, kind) == PrintAttributeValue(b_, b, kind);
  }

  // A written default may vanish in print; anything else may not.
  bool PrintsAlways(InstructionId a, AttributeKind kind) const {
    const std::string line = PrintInstruction(a_, a);
    return line.find(absl::StrCat(AttributeName(kind), "=")) != std::string::npos;
  }

  const Module& a_;
  const Module& b_;
  const UserIndex a_users_;
  const UserIndex b_users_;
  std::string difference_;
  std::vector<std::pair<ComputationId, ComputationId>> computations_;
  std::vector<std::pair<InstructionId, InstructionId>> instructions_;
  absl::flat_hash_set<std::pair<uint32_t, uint32_t>> paired_computations_, paired_instructions_;
};

}  // namespace

std::optional<std::string> FirstDifference(const Module& a, const Module& b) { return Comparison(a, b).Run(); }

}  // namespace hloscope
