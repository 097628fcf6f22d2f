#include "core/print/async_sugar.h"

namespace hloscope {
namespace {

// Opcodes whose `X-start` is another opcode, or that have a text form of their own.
bool CanBeWrapped(Opcode opcode) {
  switch (opcode) {
    case Opcode::kInvalid:
    case Opcode::kParameter:
    case Opcode::kConstant:
    case Opcode::kAllGather:
    case Opcode::kAllReduce:
    case Opcode::kCollectivePermute:
    case Opcode::kCopy:
    case Opcode::kSend:
    case Opcode::kRecv:
    case Opcode::kAsyncStart:
    case Opcode::kAsyncUpdate:
    case Opcode::kAsyncDone:
      return false;
    default:
      return true;
  }
}

// Parameters 0, 1, ... and a root that takes exactly these, in order: what reading `X-start` would generate.
bool IsWrapper(const Module& module, const Computation& computation) {
  if (!computation.root.has_value() || !CanBeWrapped(module.opcode(computation.root))) return false;
  const absl::Span<const InstructionId> operands = module.operands(computation.root);
  if (computation.instructions.size() != operands.size() + 1) return false;
  for (size_t k = 0; k < operands.size(); ++k) {
    if (!operands[k].has_value() || module.opcode(operands[k]) != Opcode::kParameter ||
        module.instruction(operands[k]).parameter_number != k) {
      return false;
    }
  }
  return true;
}

bool IsLink(Opcode opcode) {
  return opcode == Opcode::kAsyncStart || opcode == Opcode::kAsyncUpdate || opcode == Opcode::kAsyncDone;
}

}  // namespace

SugaredChains::SugaredChains(const Module& module) : module_(module), hidden_(module.computations().size(), false) {
  std::vector<bool> called_by_start(hidden_.size(), false), called_otherwise(hidden_.size(), false);
  bool any = false;
  for (const Computation& computation : module.computations()) {
    for (InstructionId id : computation.instructions) {
      if (module.attributes(id).empty()) continue;
      const Opcode opcode = module.opcode(id);
      module.ForEachCalledComputation(id, [&](AttributeKind, ComputationId callee) {
        if (!callee.has_value()) return;
        if (opcode == Opcode::kAsyncStart) {
          called_by_start[callee.index()] = any = true;
        } else if (!IsLink(opcode)) {
          called_otherwise[callee.index()] = true;
        }
      });
    }
  }
  if (!any) return;
  for (size_t c = 0; c < hidden_.size(); ++c) {
    hidden_[c] = called_by_start[c] && !called_otherwise[c] && ComputationId(c) != module.entry() &&
                 IsWrapper(module, module.computations()[c]);
  }
}

InstructionId SugaredChains::WrappedBy(InstructionId link) const {
  // Operand 0 of an update or done is the previous link.
  while (link.has_value() &&
         (module_.opcode(link) == Opcode::kAsyncUpdate || module_.opcode(link) == Opcode::kAsyncDone)) {
    if (module_.operands(link).empty()) return InstructionId::None();
    link = module_.operand(link, 0);
  }
  if (!link.has_value() || module_.opcode(link) != Opcode::kAsyncStart) return InstructionId::None();
  const ComputationId callee = module_.ComputationAttribute(link, AttributeKind::kCalls);
  return callee.has_value() && hidden_[callee.index()] ? module_.computation(callee).root : InstructionId::None();
}

}  // namespace hloscope
