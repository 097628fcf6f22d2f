// SPDX-License-Identifier: Apache-2.0
// Where buffers may occur, who may write them, and custom calls on them (docs/ops/control.md 6.8, V090 to V095).
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "core/ops/custom_call.h"
#include "core/ops/frontend_attributes.h"
#include "core/ops/shape_matching.h"
#include "core/verify/verification.h"

namespace hloscope {
namespace {

bool HasBuffer(const Shape& shape) {
  bool found = false;
  ForEachBufferLeaf(shape, [&](const ShapeIndex&, const Shape&) { found = true; });
  return found;
}

bool MayUseBuffers(const Module& module, InstructionId id) {
  switch (module.opcode(id)) {
    case Opcode::kCustomCall:
    case Opcode::kWhile:
    case Opcode::kTuple:
    case Opcode::kGetTupleElement:
    case Opcode::kParameter:
    case Opcode::kDynamicUpdateSlice:
    case Opcode::kAsyncStart:
    case Opcode::kAsyncUpdate:
    case Opcode::kAsyncDone:
      return true;
    case Opcode::kCall:
      return FindFrontendAttribute(module, id, "_xla_stream_annotation") != nullptr;
    default:
      return false;
  }
}

bool WritesBuffers(Opcode opcode) {
  switch (opcode) {
    case Opcode::kCustomCall:
    case Opcode::kCall:
    case Opcode::kWhile:
    case Opcode::kConditional:
    case Opcode::kDynamicUpdateSlice:
    case Opcode::kAsyncStart:
      return true;
    default:
      return false;
  }
}

bool IsWhileBody(const Verification& v, ComputationId computation) {
  const auto callers = v.users.callers(computation);
  return std::any_of(callers.begin(), callers.end(), [&](InstructionId caller) {
    return v.module.opcode(caller) == Opcode::kWhile &&
           v.module.ComputationAttribute(caller, AttributeKind::kBody) == computation;
  });
}

bool RunsAsynchronously(const Verification& v, ComputationId computation) {
  const auto callers = v.users.callers(computation);
  return std::any_of(callers.begin(), callers.end(), [&](InstructionId caller) {
    const Opcode opcode = v.module.opcode(caller);
    return opcode == Opcode::kAsyncStart || opcode == Opcode::kAsyncUpdate || opcode == Opcode::kAsyncDone;
  });
}

// Of a computation that runs asynchronously only a root that is a custom call is looked at.
bool IsExamined(const Verification& v, InstructionId id) {
  return (v.IsRoot(id) && v.module.opcode(id) == Opcode::kCustomCall) ||
         !RunsAsynchronously(v, v.module.instruction(id).computation);
}

// Instructions that write the buffer at `index` of `definition`, found by looking through tuples and their elements.
std::set<InstructionId> WritersOf(const Verification& v, InstructionId definition, const ShapeIndex& index) {
  using Place = std::pair<InstructionId, ShapeIndex>;
  std::set<InstructionId> writers;
  std::set<Place> seen = {{definition, index}};
  std::vector<Place> work(seen.begin(), seen.end());
  const auto add = [&](Place place) {
    if (seen.insert(place).second) work.push_back(std::move(place));
  };
  while (!work.empty()) {
    const auto [id, path] = std::move(work.back());
    work.pop_back();
    if (v.IsRoot(id) && IsWhileBody(v, v.module.instruction(id).computation)) writers.insert(id);
    for (InstructionId user : v.users.users(id)) {
      const Opcode opcode = v.module.opcode(user);
      if (opcode == Opcode::kTuple) {
        const auto operands = v.module.operands(user);
        for (size_t k = 0; k < operands.size(); ++k) {
          if (operands[k] != id) continue;
          ShapeIndex longer = {static_cast<int64_t>(k)};
          longer.insert(longer.end(), path.begin(), path.end());
          add({user, std::move(longer)});
        }
      } else if (opcode == Opcode::kGetTupleElement) {
        if (!path.empty() && path[0] == v.module.IntAttribute(user, AttributeKind::kIndex)) {
          add({user, ShapeIndex(path.begin() + 1, path.end())});
        }
      } else if (WritesBuffers(opcode)) {
        writers.insert(user);
      }
    }
  }
  return writers;
}

}  // namespace

// V090 to V093.
void VerifyCustomCallBuffers(Verification& v) {
  if (!v.module.MayHave(Opcode::kCustomCall)) return;
  v.ForEachInstruction([&](InstructionId id) {
    if (v.module.opcode(id) != Opcode::kCustomCall || !v.HasReadableOperands(id) || !IsExamined(v, id)) return;
    RuleContext context(v.module, id, v.options, v.resolver(), v.sink());
    CheckBuffersOfCustomCall(context);
  });
}

void VerifyBuffers(Verification& v) {
  const Module& module = v.module;
  std::vector<bool> has_buffer(module.shape_count());
  for (size_t s = 0; s < has_buffer.size(); ++s) has_buffer[s] = HasBuffer(module.shape(ShapeId(s)));
  if (std::find(has_buffer.begin(), has_buffer.end(), true) == has_buffer.end()) return;
  const auto uses_buffer = [&](InstructionId id) { return has_buffer[module.instruction(id).shape.index()]; };
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    if (!v.HasReadableOperands(id) || !IsExamined(v, id)) continue;
    const auto operands = module.operands(id);
    const bool any = uses_buffer(id) || std::any_of(operands.begin(), operands.end(), uses_buffer);
    if (any && !MayUseBuffers(module, id)) {
      v.Report(DiagnosticKind::kBufferUse, id, Anchor::Opcode(), OpcodeName(module.opcode(id)));
    }
    const Opcode opcode = module.opcode(id);
    if (!uses_buffer(id) || opcode == Opcode::kTuple || opcode == Opcode::kGetTupleElement) continue;
    ForEachBufferLeaf(module.shape(id), [&](const ShapeIndex& index, const Shape&) {
      const std::set<InstructionId> writers = WritersOf(v, id, index);
      if (writers.size() <= 1) return;
      Diagnostic& diagnostic = v.Report(DiagnosticKind::kBufferWriters, id, Anchor::Name(), module.InstructionName(id),
                                        ShapeIndexText(index), writers.size());
      for (InstructionId writer : writers) diagnostic.Related(v.RangeOf(writer, Anchor::Instruction()), "a writer");
    });
  }
}

}  // namespace hloscope
