// SPDX-License-Identifier: Apache-2.0
#include "insight/memory/copies.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "core/diagnostics/render.h"
#include "core/ir/checked_math.h"
#include "core/layout/memory_space.h"

namespace hloscope::insight {
namespace {

const Shape& CopiedShape(const Module& module, InstructionId id) {
  const Shape& shape = module.shape(id);
  return module.opcode(id) == Opcode::kCopyStart && shape.IsTuple() && shape.tuple_size() > 0 ? shape.element(0)
                                                                                              : shape;
}

std::string LayoutText(const Shape& shape) {
  return shape.has_layout() ? shape.layout().ToString() : std::string("the default layout");
}

// Who takes the copy, seen through what only passes it on.
std::string TakerOf(const MemoryExplanation& memory, InstructionId id) {
  const Module& module = memory.module();
  const UserIndex& users = memory.document().users();
  const Computation& computation = module.computation(module.instruction(id).computation);
  for (int hop = 0; hop < 8; ++hop) {
    if (id == computation.root) {
      if (module.instruction(id).computation == module.entry()) return "it is a result, which needs memory of its own";
      for (InstructionId caller : users.callers(module.instruction(id).computation)) {
        if (module.opcode(caller) == Opcode::kWhile) return "it is state of a loop, whose old and new values meet";
      }
      return "it is what the computation returns";
    }
    if (users.users(id).empty()) return "nothing uses it";
    const InstructionId user = users.users(id)[0];
    if (module.opcode(user) == Opcode::kWhile) return "a loop writes over its start values";
    if (!module.shape(user).IsTuple() || module.opcode(user) != Opcode::kTuple) {
      return absl::StrCat(OneLine(module.InstructionName(user)), " takes it");
    }
    id = user;
  }
  return "";
}

std::string ReasonOf(const MemoryExplanation& memory, InstructionId id) {
  const Module& module = memory.module();
  const InstructionId operand = module.operand(id, 0);
  const Shape &from = module.shape(operand), &to = CopiedShape(module, id);
  if (!from.IsArray() || !to.IsArray()) return TakerOf(memory, id);
  if (MemorySpaceOf(from) != MemorySpaceOf(to)) {
    return absl::StrCat("memory space ", MemorySpaceOf(from), " to ", MemorySpaceOf(to));
  }
  const bool both = from.has_layout() && to.has_layout();
  if (both && !(from.layout() == to.layout())) {
    return absl::StrCat("layout ", LayoutText(from), " becomes ", LayoutText(to));
  }
  const std::string source = module.opcode(operand) == Opcode::kParameter  ? "of an argument: "
                             : module.opcode(operand) == Opcode::kConstant ? "of a constant: "
                                                                           : "";
  return absl::StrCat(source, TakerOf(memory, id));
}

}  // namespace

std::vector<CopyReason> ExplainCopies(const MemoryExplanation& memory, const CostAnalysis& cost) {
  const Module& module = memory.module();
  std::vector<CopyReason> copies;
  for (size_t c = 0; c < module.computations().size(); ++c) {
    const int64_t runs = cost.Runs(ComputationId(c));
    if (runs == 0) continue;
    for (InstructionId id : module.computations()[c].instructions) {
      const Opcode opcode = module.opcode(id);
      if ((opcode != Opcode::kCopy && opcode != Opcode::kCopyStart) || module.operands(id).empty() ||
          !module.operand(id, 0).has_value()) {
        continue;
      }
      int64_t bytes = 0;
      for (const Leaf& leaf : memory.leaves().Of(id)) {
        bytes = SaturatingSum(bytes, leaf.padded_bytes);
        if (opcode == Opcode::kCopyStart) break;
      }
      const Metadata* metadata = module.MetadataOf(id);
      copies.push_back({id, bytes, runs, ReasonOf(memory, id), metadata == nullptr});
    }
  }
  std::stable_sort(copies.begin(), copies.end(), [](const CopyReason& a, const CopyReason& b) {
    return SaturatingProduct(a.bytes, a.runs) > SaturatingProduct(b.bytes, b.runs);
  });
  return copies;
}

}  // namespace hloscope::insight
