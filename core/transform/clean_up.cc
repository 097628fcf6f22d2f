// SPDX-License-Identifier: Apache-2.0
// Common subexpressions, dead code, and the clean-ups after the reshape rewrites (docs/rewrites.md 5).
#include <algorithm>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"
#include "core/analysis/dead_code.h"
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
  if (context.dry_run) return;
  for (uint32_t c = 0; c < context.module.computations().size(); ++c) {
    if (context.editor.IsRewritable(ComputationId(c))) Merger(context).Run(ComputationId(c));
  }
}

void EliminateDeadCode(PassContext& context) {
  if (context.dry_run) return;
  for (uint32_t c = 0; c < context.module.computations().size(); ++c) EraseDead(context, ComputationId(c));
  if (!context.drop_uncalled && context.editor.HasUncalledComputations()) context.editor.NoteChange();
  context.drop_uncalled = true;
}

}  // namespace hloscope
