// SPDX-License-Identifier: Apache-2.0
// Which memory data lies in and what may move it: V213, V219, V233 (docs/ops/control.md 6.14, 6.16).
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/layout/memory_space.h"
#include "core/layout/physical_layout.h"
#include "core/layout/relayout.h"
#include "core/ops/shape_matching.h"
#include "core/verify/layout_passing.h"
#include "core/verify/verification.h"

namespace hloscope {
namespace {

std::string InWords(int64_t space) {
  switch (space) {
    case kDeviceMemorySpace:
      return "device memory, S(0)";
    case kFastMemorySpace:
      return "fast memory, S(1)";
    case kHostMemorySpace:
      return "host memory, S(5)";
    default:
      return absl::StrCat("memory space S(", space, ")");
  }
}

void ReportMemoryChange(Verification& v, InstructionId id, size_t operand, absl::string_view rule) {
  const InstructionId source = v.module.operand(id, operand);
  v.Report(DiagnosticKind::kMemorySpace, id, Anchor::Shape(), OpcodeName(v.module.opcode(id)),
           InWords(MemorySpaceOf(v.module.shape(source))), InWords(MemorySpaceOf(v.module.shape(id))), rule)
      .Related(v.RangeOf(source, Anchor::Shape()), "the operand");
}

// V213: a slice may be fetched from the host and an update be sent to it, but not the other way round, and neither
// goes in or out of fast memory.
void CheckSliceMemory(Verification& v, InstructionId id) {
  const Shape& operand = v.module.shape(v.module.operand(id, 0));
  const Shape& result = v.module.shape(id);
  if (!operand.IsArray() || !result.IsArray() || operand.rank() == 0) return;
  const int64_t from = MemorySpaceOf(operand), to = MemorySpaceOf(result);
  if (from == to) return;
  const bool is_slice = v.module.opcode(id) == Opcode::kDynamicSlice;
  if (from == kFastMemorySpace || to == kFastMemorySpace) {
    ReportMemoryChange(v, id, 0, "only a copy moves data in and out of fast memory");
  } else if (is_slice && to == kHostMemorySpace) {
    ReportMemoryChange(v, id, 0, "it can only fetch a slice from the host");
  } else if (!is_slice && from == kHostMemorySpace) {
    ReportMemoryChange(v, id, 0, "it can only update an array in host memory that stays there");
  }
}

// V213: an operation that keeps the layout of its operands does not move data between host and device. It may read and
// write fast memory: V214 leaves the memory space out of what it keeps, and where fast memory is assigned, all do.
void CheckMemoryIsKept(Verification& v, InstructionId id) {
  const Shape& result = v.module.shape(id);
  if (!result.IsArray() || !result.has_layout() || result.rank() == 0) return;
  const int64_t to = MemorySpaceOf(result);
  for (size_t k = 0; k < v.module.operands(id).size(); ++k) {
    const Shape& operand = v.module.shape(v.module.operand(id, k));
    if (!operand.IsArray() || !operand.has_layout() || operand.rank() != result.rank()) continue;
    const int64_t from = MemorySpaceOf(operand);
    if (from == to || (from != kHostMemorySpace && to != kHostMemorySpace)) continue;
    ReportMemoryChange(v, id, k,
                       "only `copy`, `dynamic-slice` and `dynamic-update-slice` move data between host and device");
    return;
  }
}

bool UsesHostMemory(const Shape& shape) {
  if (shape.IsArray()) return MemorySpaceOf(shape) == kHostMemorySpace;
  return std::any_of(shape.elements().begin(), shape.elements().end(), UsesHostMemory);
}

// V219, where the shape is written.
void CheckNoHostMemory(Verification& v) {
  const Module& module = v.module;
  std::vector<bool> uses_host(module.shape_count());
  for (size_t s = 0; s < uses_host.size(); ++s) uses_host[s] = UsesHostMemory(module.shape(ShapeId(s)));
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    const Instruction& instruction = module.instruction(id);
    if (!uses_host[instruction.shape.index()] || !instruction.shape_declared || !v.IsReadable(id)) continue;
    v.Report(DiagnosticKind::kHostMemory, id, Anchor::Shape(), OpcodeName(instruction.opcode),
             "uses host memory, S(5), which is not allowed here");
  }
}

// V233.
void CheckReshapeIsFree(Verification& v, InstructionId id) {
  const auto operand = PhysicalLayout::Of(v.module.shape(v.module.operand(id, 0)));
  const auto result = PhysicalLayout::Of(v.module.shape(id));
  if (!operand.ok() || !result.ok()) return;  // no array, or a diagnostic of its own
  const auto cost = ReshapeCost(*operand, *result);
  if (!cost.ok() || cost->is_free) return;
  v.Report(DiagnosticKind::kReshapeMoves, id, Anchor::Shape(), ShapeText(operand->shape(), true),
           ShapeText(result->shape(), true), cost->reason);
}

}  // namespace

void VerifyMemorySpaces(Verification& v) {
  if (v.options.check_host_memory) CheckNoHostMemory(v);
  const bool reshapes = v.options.check_reshape_is_free;
  if (!v.options.layout_sensitive && !reshapes) return;
  const Module& module = v.module;
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    const Opcode opcode = module.opcode(id);
    const bool slices = opcode == Opcode::kDynamicSlice || opcode == Opcode::kDynamicUpdateSlice;
    const bool keeps = !slices && PassesLayoutOn(opcode);
    if (!((slices || keeps) && v.options.layout_sensitive) && !(opcode == Opcode::kReshape && reshapes)) continue;
    if (!v.HasReadableOperands(id) || module.operands(id).empty() || !module.shape(id).IsValid()) continue;
    if (slices) {
      CheckSliceMemory(v, id);
    } else if (keeps) {
      CheckMemoryIsKept(v, id);
    } else if (!v.IsFused(id)) {
      CheckReshapeIsFree(v, id);
    }
  }
}

}  // namespace hloscope
