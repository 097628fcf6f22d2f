// SPDX-License-Identifier: Apache-2.0
// Layouts and memory spaces (V020, docs/ops/control.md 6.14).
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/layout/byte_size.h"
#include "core/layout/memory_space.h"
#include "core/layout/physical_layout.h"
#include "core/ops/shape_matching.h"
#include "core/verify/layout_passing.h"
#include "core/verify/verification.h"

namespace hloscope {
namespace {

// Of LAY-6, index and pointer types are let through: the reader takes them and drops them (docs/text-format.md 4.3).
absl::Status CheckUsable(const Shape& array) {
  Layout layout = array.layout();
  layout.index_primitive_type = layout.pointer_primitive_type = ElementType::kInvalid;
  Shape dense = array;
  dense.set_layout(std::move(layout));
  return CheckLayout(dense);
}

// The first array with a layout that cannot be used (V020, LAY-2 to LAY-6); null if there is none. `index` becomes its
// place in the shape.
const Shape* BadLayout(const Shape& shape, ShapeIndex* index) {
  if (shape.IsArray()) {
    if (!shape.has_layout()) return nullptr;
    const bool is_plain = shape.layout().HasOnlyMinorToMajor();
    const bool good = is_plain ? IsPermutation(shape.layout().minor_to_major, shape.rank()) : CheckUsable(shape).ok();
    return good ? nullptr : &shape;
  }
  if (!shape.HasAnyLayout()) return nullptr;
  for (int64_t i = 0; i < shape.tuple_size(); ++i) {
    index->push_back(i);
    if (const Shape* bad = BadLayout(shape.element(i), index)) return bad;
    index->pop_back();
  }
  return nullptr;
}

void ReportBadLayout(Verification& v, InstructionId id) {
  ShapePart part;
  const Shape& wrong = *BadLayout(v.module.shape(id), &part.index);
  part.kind = ShapePart::Kind::kLayout;
  const SourceRange range = v.resolver().ResolveShapePart(id, part);
  if (!IsPermutation(wrong.layout().minor_to_major, wrong.rank())) {
    v.sink().Report(DiagnosticKind::kLayoutPermutation, range, wrong.layout().ToString(), wrong.rank() - 1);
  } else {
    v.sink().Report(DiagnosticKind::kUnusableLayout, range, wrong.layout().ToString(), CheckUsable(wrong).message());
  }
}

bool IsInHostMemory(const Shape& shape) { return shape.IsArray() && MemorySpaceOf(shape) == kHostMemorySpace; }

// V211.
void CheckBitcast(Verification& v, InstructionId id) {
  const Shape& result = v.module.shape(id);
  const InstructionId source = v.module.operand(id, 0);
  const Shape& operand = v.module.shape(source);
  if (!result.IsArray() || !operand.IsArray()) return;
  // Unbounded arrays have no size to compare.
  if (result.HasUnboundedDimension() || operand.HasUnboundedDimension()) return;
  // Padding does not count: tilings that pad differently are still the same elements.
  if (v.options.check_bitcast_bytes && DataBytes(result) != DataBytes(operand)) {
    v.Report(DiagnosticKind::kBitcastSize, id, Anchor::Shape(), DataBytes(operand), DataBytes(result));
  }
  if (IsInHostMemory(result) != IsInHostMemory(operand) && v.module.opcode(source) != Opcode::kConstant) {
    v.Report(DiagnosticKind::kHostMemory, id, Anchor::Shape(), "bitcast", "cannot move data between host and device");
  }
}

// V212.
void CheckCopy(Verification& v, InstructionId id) {
  const Shape& result = v.module.shape(id);
  const Shape& operand = v.module.shape(v.module.operand(id, 0));
  if (!result.IsArray() || !operand.IsArray() || IsInHostMemory(result) == IsInHostMemory(operand)) return;
  if (result.element_type() != operand.element_type()) {
    v.Report(DiagnosticKind::kHostMemory, id, Anchor::Shape(), "copy",
             "cannot change the element type on the way between host and device");
    return;
  }
  LayoutMatching matching;
  matching.ignore_memory_space = true;
  if (IsInHostMemory(operand) && ShapesCompatible(result, operand) && !LayoutsMatch(result, operand, matching)) {
    v.Report(DiagnosticKind::kHostMemory, id, Anchor::Shape(), "copy",
             "cannot change the layout of data from the host");
  }
}

// True if the layouts agree but for tiles and memory space, and for the element size where the operation changes the
// type or reads one operand of another type.
bool LayoutIsKept(Opcode opcode, const Shape& operand, const Layout& result) {
  const Layout& layout = operand.layout();
  const bool ignores_element_size = opcode == Opcode::kConvert || opcode == Opcode::kCompare ||
                                    opcode == Opcode::kIsFinite || opcode == Opcode::kScatter ||
                                    (opcode == Opcode::kSelect && operand.element_type() == ElementType::kPred);
  return layout.minor_to_major == result.minor_to_major &&
         (ignores_element_size || layout.element_size_in_bits == result.element_size_in_bits);
}

// EW-13, LAY-7.
void CheckLayoutChange(Verification& v, InstructionId id) {
  const Opcode opcode = v.module.opcode(id);
  const Shape& result = v.module.shape(id);
  if (!PassesLayoutOn(opcode) || !result.IsArray() || !result.has_layout()) return;
  const absl::Span<const InstructionId> operands = v.module.operands(id);
  for (size_t k = 0; k < operands.size(); ++k) {
    const Shape& operand = v.module.shape(operands[k]);
    if (!operand.IsArray() || operand.rank() != result.rank() || !operand.has_layout()) continue;
    if (LayoutIsKept(opcode, operand, result.layout())) continue;
    ShapePart part;
    part.kind = ShapePart::Kind::kLayout;
    Diagnostic& diagnostic =
        v.sink().Report(DiagnosticKind::kLayoutChange, v.resolver().ResolveShapePart(id, part), OpcodeName(opcode),
                        result.layout().ToString(), k, operand.layout().ToString());
    diagnostic.Related(v.resolver().ResolveShapePart(operands[k], part),
                       absl::StrCat("`", v.module.InstructionName(operands[k]), "` gets its layout here"));
    return;
  }
}

}  // namespace

void VerifyLayouts(Verification& v) {
  const Module& module = v.module;
  std::vector<bool> bad(module.shape_count());
  bool any_bad = false;
  ShapeIndex index;
  for (size_t s = 0; s < bad.size(); ++s) {
    bad[s] = BadLayout(module.shape(ShapeId(s)), &index) != nullptr;
    any_bad = any_bad || bad[s];
    index.clear();
  }
  if (!any_bad && !v.options.layout_sensitive) return;
  v.ForEachInstruction([&](InstructionId id) {
    const Instruction& instruction = module.instruction(id);
    if (bad[instruction.shape.index()] && instruction.shape_declared && v.IsReadable(id)) ReportBadLayout(v, id);
    if (!v.options.layout_sensitive || !v.HasReadableOperands(id) || module.operands(id).empty()) return;
    if (instruction.opcode == Opcode::kBitcast) CheckBitcast(v, id);
    if (instruction.opcode == Opcode::kCopy) CheckCopy(v, id);
    CheckLayoutChange(v, id);
  });
}

}  // namespace hloscope
