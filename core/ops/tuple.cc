// SPDX-License-Identifier: Apache-2.0
#include "core/ops/tuple.h"

#include <utility>
#include <vector>

#include "core/ops/element_type_rules.h"
#include "core/ops/shape_inference.h"
#include "core/ops/shape_matching.h"

namespace hloscope {
namespace {

InferredShape InferTupleOp(RuleContext& context) {
  // Large tuples are common and usually declared right: sharing the declared shape spares building an equal one.
  const Shape& declared = context.declared_shape();
  if (declared.IsTuple() && declared.tuple_size() == static_cast<int64_t>(context.operand_count())) {
    bool same = true;
    for (size_t k = 0; same && k < context.operand_count(); ++k) {
      same = declared.element(static_cast<int64_t>(k)) == context.operand_shape(k);
    }
    if (same) return declared;
  }
  std::vector<Shape> elements;
  elements.reserve(context.operand_count());
  for (size_t k = 0; k < context.operand_count(); ++k) elements.push_back(context.operand_shape(k));
  return Shape::Tuple(std::move(elements));
}

InferredShape InferGetTupleElement(RuleContext& context) {
  if (!CheckTupleOperand(context, 0) || !context.Has(AttributeKind::kIndex)) return std::nullopt;
  const Shape& operand = context.operand_shape(0);
  const int64_t index = context.Int(AttributeKind::kIndex);
  if (index < 0 || index >= operand.tuple_size()) {
    context.Report(DiagnosticKind::kTupleAccess, Anchor::Attribute(AttributeKind::kIndex), index, ShapeText(operand));
    return std::nullopt;
  }
  return operand.element(index);
}

}  // namespace

bool CheckTokenOperand(RuleContext& context, size_t k) {
  const Shape& shape = context.operand_shape(k);
  if (shape.IsToken()) return true;
  context.Report(DiagnosticKind::kOperandNotToken, Anchor::Operand(k), context.opcode_name(), k, ShapeText(shape));
  return false;
}

void CheckToleratedTokenOperand(RuleContext& context, size_t k) {
  const Shape& shape = context.operand_shape(k);
  if (shape.IsToken()) return;
  context.ReportTolerated(DiagnosticKind::kOperandNotToken, Anchor::Operand(k), context.opcode_name(), k,
                          ShapeText(shape));
}

bool CheckTupleOperand(RuleContext& context, size_t k) {
  const Shape& shape = context.operand_shape(k);
  if (shape.IsTuple()) return true;
  context.Report(DiagnosticKind::kOperandNotTuple, Anchor::Operand(k), context.opcode_name(), k, ShapeText(shape));
  return false;
}

InferredShape InferTuple(RuleContext& context) {
  switch (context.opcode()) {
    case Opcode::kTuple:
      return InferTupleOp(context);
    case Opcode::kGetTupleElement:
      return InferGetTupleElement(context);
    case Opcode::kAfterAll:
      CheckMixedPrecision(context);
      for (size_t k = 0; k < context.operand_count(); ++k) CheckToleratedTokenOperand(context, k);
      return Shape::Token();
    case Opcode::kAddDependency:
      CheckMixedPrecision(context);
      CheckTokenOperand(context, 1);
      return context.operand_shape(0);
    case Opcode::kOptBarrier:
    case Opcode::kDomain:
      return context.operand_shape(0);
    default:  // of another family
      return std::nullopt;
  }
}

}  // namespace hloscope
