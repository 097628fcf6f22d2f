// SPDX-License-Identifier: Apache-2.0
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/ops/shape_matching.h"
#include "core/verify/verification.h"

namespace hloscope {
namespace {

// Operations that hand data on as it is: in layout-sensitive mode their shapes must be equal, layouts included.
bool KeepsLayout(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAsyncDone:
    case Opcode::kAsyncStart:
    case Opcode::kAsyncUpdate:
    case Opcode::kBitcast:
    case Opcode::kCall:
    case Opcode::kConditional:
    case Opcode::kConstant:
    case Opcode::kCopyDone:
    case Opcode::kCopyStart:
    case Opcode::kCustomCall:
    case Opcode::kDynamicUpdateSlice:
    case Opcode::kFusion:
    case Opcode::kGetTupleElement:
    case Opcode::kInfeed:
    case Opcode::kOptBarrier:
    case Opcode::kOutfeed:
    case Opcode::kParameter:
    case Opcode::kRecv:
    case Opcode::kRecvDone:
    case Opcode::kSend:
    case Opcode::kSendDone:
    case Opcode::kTuple:
    case Opcode::kWhile:
      return true;
    default:
      return false;
  }
}

LayoutMatching MatchingOf(const Verification& v, InstructionId id) {
  switch (v.module.opcode(id)) {
    case Opcode::kConstant:
    case Opcode::kCopyStart:
    case Opcode::kInfeed:
    case Opcode::kRecv:
    case Opcode::kSend:
      return LayoutMatching::MinorToMajorOnly();
    case Opcode::kDynamicUpdateSlice: {
      LayoutMatching matching;
      matching.ignore_memory_space = matching.ignore_tiles = v.IsFused(id);
      return matching;
    }
    default:
      return LayoutMatching::Exact();
  }
}

// `inferred` with the layouts of `declared` where the ranks allow it: a fix should not take away what was right.
Shape WithLayoutsOf(const Shape& declared, const Shape& inferred) {
  if (inferred.IsTuple()) {
    std::vector<Shape> elements;
    for (int64_t i = 0; i < inferred.tuple_size(); ++i) {
      const bool paired = declared.IsTuple() && i < declared.tuple_size();
      elements.push_back(WithLayoutsOf(paired ? declared.element(i) : Shape(), inferred.element(i)));
    }
    return Shape::Tuple(std::move(elements));
  }
  Shape result = inferred;
  if (!result.IsArray()) return result;
  if (declared.IsArray() && declared.has_layout() && declared.rank() == inferred.rank()) {
    result.set_layout(declared.layout());
  }
  return result;
}

}  // namespace

void CheckDeclaredShape(Verification& v, InstructionId id, const Shape& inferred) {
  const Shape& declared = v.module.shape(id);
  const Opcode opcode = v.module.opcode(id);
  const bool with_layout = v.options.layout_sensitive && KeepsLayout(opcode);
  if (with_layout) {
    if (ShapesMatch(declared, inferred, v.options, MatchingOf(v, id))) return;
  } else {
    ShapeComparison comparison;
    comparison.ignore_float_precision = v.options.allow_mixed_precision && !KeepsLayout(opcode);
    if (ShapesEqual(declared, inferred, comparison)) return;
  }
  const std::optional<ShapeDifference> difference = FindShapeDifference(declared, inferred, with_layout);
  const SourceRange marked = v.resolver().ResolveShapePart(id, difference.has_value() ? difference->part : ShapePart());
  Diagnostic& diagnostic =
      v.sink().Report(DiagnosticKind::kDeclaredShape, marked, OpcodeName(opcode), ShapeText(declared, with_layout),
                      ShapeText(inferred, with_layout), DescribeDifference(declared, inferred, with_layout));
  const SourceRange range = v.RangeOf(id, Anchor::Shape());
  if (range.empty() || !v.module.instruction(id).shape_declared || v.module.instruction(id).synthesized) return;
  const Shape fixed = with_layout ? inferred : WithLayoutsOf(declared, inferred);
  diagnostic.Fix(absl::StrCat("change the shape to ", ShapeText(fixed)), range, fixed.ToString());
}

}  // namespace hloscope
