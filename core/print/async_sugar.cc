// SPDX-License-Identifier: Apache-2.0
#include "core/print/async_sugar.h"

#include <string>

#include "absl/container/flat_hash_map.h"
#include "core/ir/default_layout.h"
#include "core/ops/sugared_opcodes.h"
#include "core/print/attribute_printer.h"

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

using PrintsAttribute = absl::FunctionRef<bool(InstructionId, AttributeKind)>;

std::string ValueText(const Module& module, InstructionId id, AttributeKind kind, const PrintOptions& options) {
  std::string text;
  AppendAttributeValue(module, id, kind, options, &text);
  return text;
}

// Whether the attributes that print, written after `X-start`, would go back to where they come from.
bool AttributesReadBack(const Module& module, InstructionId start, const Computation& wrapped,
                        const PrintOptions& options, PrintsAttribute prints) {
  constexpr AttributeKind kAliasing = AttributeKind::kOutputToOperandAliasing;
  const InstructionId root = wrapped.root;
  if (prints(start, kAliasing) && BelongsToWrapped(kAliasing, module.opcode(root))) return false;
  for (AttributeKind kind : CommonAttributes()) {
    const bool on_start = prints(start, kind), on_root = prints(root, kind);
    if (!IsCopiedToWrapped(kind)) {
      if (on_root) return false;
    } else if (on_start != on_root ||
               (on_start && ValueText(module, start, kind, options) != ValueText(module, root, kind, options))) {
      return false;
    }
    for (InstructionId parameter : wrapped.parameters) {
      if (prints(parameter, kind)) return false;
    }
  }
  const absl::string_view thread = module.StringAttribute(start, AttributeKind::kAsyncExecutionThread);
  return wrapped.execution_thread == (thread.empty() ? "main" : thread);
}

bool HasSignature(const Module& module, const Computation& computation, const WrappedSignature& signature) {
  const auto same = [](const Shape& a, const Shape& b) { return WithDefaultLayouts(a) == WithDefaultLayouts(b); };
  if (signature.parameters().size() != computation.parameters.size()) return false;
  for (size_t k = 0; k < computation.parameters.size(); ++k) {
    if (!same(signature.parameters()[k], module.shape(computation.parameters[k]))) return false;
  }
  return same(signature.result(), module.shape(computation.root));
}

}  // namespace

SugaredChains::SugaredChains(const Module& module, const PrintOptions& options, PrintsAttribute prints)
    : module_(module), hidden_(module.computations().size(), false) {
  std::vector<bool> called_by_start(hidden_.size(), false), called_otherwise(hidden_.size(), false);
  std::vector<InstructionId> starts;
  for (const Computation& computation : module.computations()) {
    for (InstructionId id : computation.instructions) {
      if (module.attributes(id).empty()) continue;
      const Opcode opcode = module.opcode(id);
      if (opcode == Opcode::kAsyncStart) starts.push_back(id);
      module.ForEachCalledComputation(id, [&](AttributeKind, ComputationId callee) {
        if (!callee.has_value()) return;
        if (opcode == Opcode::kAsyncStart) {
          called_by_start[callee.index()] = true;
        } else if (!IsLink(opcode)) {
          called_otherwise[callee.index()] = true;
        }
      });
    }
  }
  if (starts.empty()) return;
  for (size_t c = 0; c < hidden_.size(); ++c) {
    const Computation& computation = module.computations()[c];
    hidden_[c] = called_by_start[c] && !called_otherwise[c] && ComputationId(c) != module.entry() &&
                 IsWrapper(module, computation) &&
                 (!options.keep_written_async_sugar || module.instruction(computation.root).synthesized);
  }
  // The signatures that reading the chains again gives their computations.
  absl::flat_hash_map<InstructionId, size_t> chain_of;  // by link: the number of its start
  std::vector<WrappedSignature> signatures;
  for (size_t i = 0; i < starts.size(); ++i) {
    const ComputationId callee = module.ComputationAttribute(starts[i], AttributeKind::kCalls);
    const Shape& shape = module.shape(starts[i]);
    const bool has_form = shape.IsTuple() && shape.tuple_size() >= 2 && shape.element(0).IsTuple();
    if (callee.has_value() && !has_form) hidden_[callee.index()] = false;
    const bool is_hidden = callee.has_value() && hidden_[callee.index()];
    const Shape nothing = Shape::Tuple({Shape::Tuple({}), Shape::Tuple({})});
    signatures.emplace_back(module, is_hidden ? module.computation(callee).root : starts[i],
                            has_form ? shape : nothing);
    chain_of[starts[i]] = i;
  }
  for (const Computation& computation : module.computations()) {
    for (InstructionId id : computation.instructions) {
      const Opcode opcode = module.opcode(id);
      if ((opcode != Opcode::kAsyncUpdate && opcode != Opcode::kAsyncDone) || module.operands(id).empty()) continue;
      const auto chain = chain_of.find(module.operand(id, 0));
      if (chain == chain_of.end()) continue;
      const size_t number = chain->second;
      signatures[number].Bind(opcode, module.shape(id));
      chain_of[id] = number;
    }
  }
  for (size_t i = 0; i < starts.size(); ++i) {
    const ComputationId callee = module.ComputationAttribute(starts[i], AttributeKind::kCalls);
    if (!callee.has_value() || !hidden_[callee.index()]) continue;
    const Computation& computation = module.computation(callee);
    hidden_[callee.index()] = HasSignature(module, computation, signatures[i]) &&
                              AttributesReadBack(module, starts[i], computation, options, prints);
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
