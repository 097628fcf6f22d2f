// SPDX-License-Identifier: Apache-2.0
// Common subexpressions, dead code, and the clean-ups after the reshape rewrites (docs/rewrites.md 5).
#include <algorithm>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"
#include "core/analysis/dead_code.h"
#include "core/analysis/instruction_attributes.h"
#include "core/ir/attribute_visitor.h"
#include "core/print/attribute_printer.h"
#include "core/transform/pass.h"
#include "core/transform/simplify.h"

namespace hloscope {

bool IsFunctionOfOperands(Opcode opcode) {
  switch (opcode) {
    case Opcode::kParameter:
    case Opcode::kCopy:
    case Opcode::kInvalid:
      return false;
    case Opcode::kTuple:
    case Opcode::kGetTupleElement:
      return true;
    default:
      break;
  }
  switch (InfoOf(opcode).family) {
    case OpFamily::kElementwise:
    case OpFamily::kTypeConversion:
    case OpFamily::kDataMovement:
    case OpFamily::kGatherScatter:
    case OpFamily::kReduction:
    case OpFamily::kConvolution:
    case OpFamily::kDot:
    case OpFamily::kLinearAlgebra:
    case OpFamily::kSorting:
    case OpFamily::kNormalization:
    case OpFamily::kValueSource:
    case OpFamily::kDynamicDimension:
      return true;
    case OpFamily::kRandom:
    case OpFamily::kTuple:
    case OpFamily::kControlFlow:
    case OpFamily::kAsynchronous:
    case OpFamily::kHostTransfer:
    case OpFamily::kCustomCall:
    case OpFamily::kCollective:
      return false;
  }
  return false;
}

namespace {

// Attributes that say something about the value or its place.
bool Matters(AttributeKind kind) {
  return kind != AttributeKind::kMetadata && kind != AttributeKind::kOrigin && kind != AttributeKind::kStatistics;
}

class Merger {
 public:
  explicit Merger(PassContext& context) : context_(context), module_(context.module) {}

  // Notes what only seems equal, in a module in which nothing is left to merge.
  void Explain(ComputationId computation) {
    // Every instruction is compared with the first few of its kind on the same operands.
    constexpr size_t kMostCompared = 4;
    absl::flat_hash_map<size_t, absl::InlinedVector<InstructionId, kMostCompared>> seen;
    for (InstructionId id = context_.editor.first(computation); id.has_value(); id = context_.editor.next(id)) {
      if (module_.opcode(id) == Opcode::kParameter || !context_.IsWanted(id)) continue;
      auto& candidates = seen[HashOfKind(id)];
      for (InstructionId other : candidates) {
        const std::string reason = WhyNotMerged(id, other);
        if (reason.empty()) continue;
        context_.Refuse("cse", id,
                        absl::StrCat("it seems equal to ", module_.InstructionName(other), ", but ", reason));
        break;
      }
      if (candidates.size() < kMostCompared) candidates.push_back(id);
    }
  }

  void Run(ComputationId computation) {
    absl::flat_hash_map<size_t, absl::InlinedVector<InstructionId, 1>> first;
    std::vector<std::pair<InstructionId, InstructionId>> merged;  // with the one that stays, in order
    for (InstructionId id = context_.editor.first(computation); id.has_value(); id = context_.editor.next(id)) {
      UseWhatStays(id);
      if (!IsFunctionOfOperands(module_.opcode(id)) || context_.editor.HasControlEdges(id)) continue;
      auto& candidates = first[HashOf(id)];
      const auto it =
          std::find_if(candidates.begin(), candidates.end(), [&](InstructionId other) { return AreEqual(id, other); });
      if (it == candidates.end()) {
        candidates.push_back(id);
      } else {
        stays_.emplace(id, *it);
        merged.emplace_back(id, *it);
      }
    }
    for (const auto& [id, other] : merged) {
      context_.editor.Replace(id, other);
      context_.editor.EraseIfUnused(id);
    }
  }

 private:
  // An operand list may be as long as the module, and all that is in it merged.
  void UseWhatStays(InstructionId id) {
    const auto operands = module_.operands(id);
    const auto is_merged = [&](InstructionId operand) { return stays_.contains(operand); };
    if (std::none_of(operands.begin(), operands.end(), is_merged)) return;
    std::vector<InstructionId> changed(operands.begin(), operands.end());
    for (InstructionId& operand : changed) {
      if (const auto found = stays_.find(operand); found != stays_.end()) operand = found->second;
    }
    context_.editor.ChangeOperands(id, changed);
  }

  // Opcode and operands, for constants the value, for what has neither the shape.
  size_t HashOfKind(InstructionId id) const {
    const size_t hash = absl::HashOf(module_.opcode(id), module_.operands(id));
    if (module_.instruction(id).literal.has_value()) return absl::HashOf(hash, module_.literal(id).bytes());
    return module_.operands(id).empty() ? absl::HashOf(hash, module_.instruction(id).shape) : hash;
  }

  // Empty if the two compute different things, as far as they say themselves.
  std::string WhyNotMerged(InstructionId id, InstructionId other) {
    if (module_.opcode(id) != module_.opcode(other) || module_.operands(id) != module_.operands(other) ||
        module_.shape(id).WithoutLayout() != module_.shape(other).WithoutLayout() ||
        AttributeTexts(module_, id, AttributesCompared::kValues) !=
            AttributeTexts(module_, other, AttributesCompared::kValues)) {
      return std::string();
    }
    const auto [mine, theirs] = FirstDifferentCallees(id, other);
    if (mine.has_value() && !LookAlike(mine, theirs)) return std::string();
    if (module_.instruction(id).literal.has_value()) {
      if (module_.literal(id).IsElided()) return "the text does not have their values";
      if (!(module_.literal(id) == module_.literal(other))) return std::string();
    }
    const Opcode opcode = module_.opcode(id);
    if (!IsFunctionOfOperands(opcode)) {
      if (opcode == Opcode::kCopy) return "a copy exists for the memory that it makes";
      if (InfoOf(opcode).family == OpFamily::kRandom) return "each draws random numbers of its own";
      return absl::StrCat(OpcodeName(opcode), " may do more than yield its value");
    }
    for (InstructionId each : {id, other}) {
      if (context_.editor.HasControlEdges(each)) {
        return absl::StrCat(module_.InstructionName(each), " has control dependencies");
      }
    }
    if (module_.instruction(id).shape != module_.instruction(other).shape) return "its layout is another";
    if (mine.has_value()) {
      return absl::StrCat("calls ", module_.ComputationName(mine), " and not ", module_.ComputationName(theirs));
    }
    for (InstructionId each : {id, other}) {
      const InstructionId second = each == id ? other : id;
      for (const Attribute& attribute : module_.attributes(each)) {
        if (Matters(attribute.kind) && !SameAttribute(each, second, attribute.kind)) {
          return absl::StrCat(InfoOf(attribute.kind).name, " is another");
        }
      }
    }
    return std::string();
  }

  // The first computations in which the calls of the two differ, which have the same attributes otherwise.
  std::pair<ComputationId, ComputationId> FirstDifferentCallees(InstructionId a, InstructionId b) const {
    std::vector<ComputationId> called;
    module_.ForEachCalledComputation(a, [&](AttributeKind, ComputationId callee) { called.push_back(callee); });
    std::pair<ComputationId, ComputationId> first;
    size_t k = 0;
    module_.ForEachCalledComputation(b, [&](AttributeKind, ComputationId callee) {
      if (k < called.size() && called[k] != callee && !first.first.has_value()) first = {called[k], callee};
      ++k;
    });
    return first;
  }

  // Whether the two have the same opcodes and shapes one after the other, which is looked for in short ones alone.
  bool LookAlike(ComputationId a, ComputationId b) {
    constexpr int kShort = 64;
    InstructionId x = context_.editor.first(a), y = context_.editor.first(b);
    for (int k = 0; k < kShort && x.has_value() && y.has_value(); ++k) {
      if (module_.opcode(x) != module_.opcode(y) || module_.instruction(x).shape != module_.instruction(y).shape) {
        return false;
      }
      x = context_.editor.next(x), y = context_.editor.next(y);
    }
    return !x.has_value() && !y.has_value();
  }

  size_t HashOf(InstructionId id) const {
    const Instruction& instruction = module_.instruction(id);
    size_t hash = absl::HashOf(instruction.opcode, instruction.shape, module_.operands(id));
    // Equal values have equal hashes. What is not hashed is compared all the same.
    const Overloads hash_value = {
        [&](const OneOf<bool, int64_t, absl::Span<const int64_t>> auto& value) { hash = absl::HashOf(hash, value); },
        [&](const Word& value) { hash = absl::HashOf(hash, value.word); },
        [](const auto&) {},
    };
    for (const Attribute& attribute : module_.attributes(id)) {
      if (!Matters(attribute.kind)) continue;
      hash = absl::HashOf(hash, attribute.kind);
      VisitAttribute(attribute.kind, hash_value, AttributeOwner{module_, id});
    }
    if (instruction.literal.has_value()) hash = absl::HashOf(hash, module_.literal(id).bytes());
    return hash;
  }

  bool AreEqual(InstructionId a, InstructionId b) const {
    const Instruction &x = module_.instruction(a), &y = module_.instruction(b);
    if (x.opcode != y.opcode || x.shape != y.shape || module_.operands(a) != module_.operands(b)) return false;
    if (x.literal.has_value() != y.literal.has_value()) return false;
    if (x.literal.has_value()) {
      // An elided value equals nothing, not even itself.
      if (module_.literal(a).IsElided() || !(module_.literal(a) == module_.literal(b))) return false;
    }
    for (const Attribute& attribute : module_.attributes(a)) {
      if (Matters(attribute.kind) && !SameAttribute(a, b, attribute.kind)) return false;
    }
    for (const Attribute& attribute : module_.attributes(b)) {
      if (Matters(attribute.kind) && !module_.HasAttribute(a, attribute.kind)) return false;
    }
    return true;
  }

  bool SameAttribute(InstructionId a, InstructionId b, AttributeKind kind) const {
    if (!module_.HasAttribute(b, kind)) return false;
    const AttributeType type = InfoOf(kind).type;
    if (type == AttributeType::kComputation || type == AttributeType::kComputations) {
      return module_.ComputationsAttribute(a, kind) == module_.ComputationsAttribute(b, kind);
    }
    if (type == AttributeType::kInts) return module_.IntsAttribute(a, kind) == module_.IntsAttribute(b, kind);
    std::string text_a, text_b;
    PrintOptions options;
    options.large_constants = options.keep_written_digits = true;
    AppendAttributeValue(module_, a, kind, options, &text_a);
    AppendAttributeValue(module_, b, kind, options, &text_b);
    return text_a == text_b;
  }

  PassContext& context_;
  const Module& module_;
  absl::flat_hash_map<InstructionId, InstructionId> stays_;  // by what is merged with it
};

void EraseDead(PassContext& context, ComputationId computation) {
  std::vector<InstructionId> order;
  for (InstructionId id = context.editor.first(computation); id.has_value(); id = context.editor.next(id)) {
    order.push_back(id);
  }
  for (size_t i = order.size(); i-- > 0;) context.editor.EraseIfUnused(order[i]);
}

// Why an instruction that nothing uses is needed all the same.
std::string WhyNeeded(PassContext& context, InstructionId id) {
  const Module& module = context.module;
  if (module.opcode(id) == Opcode::kParameter) return "a parameter belongs to the signature of its computation";
  if (const std::vector<InstructionId>& after = context.editor.ControlSuccessors(id); !after.empty()) {
    return absl::StrCat(module.InstructionName(after[0]), " has to run after it");
  }
  std::string reason = absl::StrCat(OpcodeName(module.opcode(id)), " has an effect");
  module.ForEachCalledComputation(id, [&](AttributeKind, ComputationId callee) {
    const InstructionId first = context.editor.FirstSideEffect(callee);
    if (first.has_value()) {
      reason = absl::StrCat("it calls ", module.ComputationName(callee), ", where ", module.InstructionName(first),
                            " has an effect");
    }
  });
  return reason;
}

void ExplainUnused(PassContext& context) {
  // The others go as a whole.
  const std::vector<bool> called = context.editor.CalledFromEntry();
  for (uint32_t c = 0; c < called.size(); ++c) {
    if (!called[c]) continue;
    for (InstructionId id = context.editor.first(ComputationId(c)); id.has_value(); id = context.editor.next(id)) {
      if (context.editor.use_count(id) > 0 || context.editor.IsRoot(id) || !context.IsWanted(id)) continue;
      context.Refuse("dce", id, absl::StrCat("nothing uses it, but ", WhyNeeded(context, id)));
    }
  }
}

}  // namespace

void CleanUp(PassContext& context, ComputationId computation) {
  for (InstructionId id = context.editor.first(computation); id.has_value();) {
    const InstructionId next = context.editor.next(id);
    std::string pattern;
    for (SimplifyRule rule : ReshapeRules()) {
      if (context.editor.IsAlive(id)) rule(context, id, &pattern);
    }
    id = next;
  }
  Merger(context).Run(computation);
  EraseDead(context, computation);
}

void EliminateCommonSubexpressions(PassContext& context) {
  if (context.dry_run && !context.explains_refusals) return;
  for (uint32_t c = 0; c < context.module.computations().size(); ++c) {
    if (!context.editor.IsRewritable(ComputationId(c))) continue;
    context.dry_run ? Merger(context).Explain(ComputationId(c)) : Merger(context).Run(ComputationId(c));
  }
}

void EliminateDeadCode(PassContext& context) {
  if (context.explains_refusals) ExplainUnused(context);
  if (context.dry_run) return;
  for (uint32_t c = 0; c < context.module.computations().size(); ++c) EraseDead(context, ComputationId(c));
  if (!context.drop_uncalled && context.editor.HasUncalledComputations()) context.editor.NoteChange();
  context.drop_uncalled = true;
}

}  // namespace hloscope
