// SPDX-License-Identifier: Apache-2.0
#include "core/ops/collective.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/ir/checked_math.h"
#include "core/ops/asynchronous.h"
#include "core/ops/called_computation.h"
#include "core/ops/dimension_rules.h"
#include "core/ops/element_type_rules.h"
#include "core/ops/replica_groups.h"
#include "core/ops/shape_inference.h"
#include "core/ops/shape_matching.h"
#include "core/ops/tuple.h"

namespace hloscope {
namespace {

bool CheckSomeOperands(RuleContext& context) {
  if (context.operand_count() > 0) return true;
  context.Report(DiagnosticKind::kOperandCount, Anchor::OperandList(), context.opcode_name(), "at least 1 operand", 0);
  return false;
}

// For operands that compilers do not look at; a run stops at those that are no arrays.
void CheckToleratedArrayOperand(RuleContext& context, size_t k) {
  const Shape& shape = context.operand_shape(k);
  if (shape.IsArray()) return;
  context.ReportTolerated(DiagnosticKind::kOperandNotArray, Anchor::Operand(k), context.opcode_name(), k,
                          shape.ToString(false));
}

void ReportSize(RuleContext& context, Anchor anchor, absl::string_view message) {
  context.Report(DiagnosticKind::kCollectiveSize, anchor, context.opcode_name(), message);
}

// The one entry of `dimensions`, which must be a dimension of every operand; nothing if it was reported or is missing.
std::optional<int64_t> SingleDimension(RuleContext& context) {
  if (!context.Has(AttributeKind::kDimensions)) return std::nullopt;
  const auto dimensions = context.Ints(AttributeKind::kDimensions);
  if (!CheckEntryCount(context, AttributeKind::kDimensions, dimensions.size(), 1,
                       "a collective works along one dimension")) {
    return std::nullopt;
  }
  for (size_t k = 0; k < context.operand_count(); ++k) {
    if (!CheckDimension(context, AttributeKind::kDimensions, dimensions[0], context.operand_shape(k).rank(),
                        absl::StrCat("operand ", k), 0)) {
      return std::nullopt;
    }
  }
  return dimensions[0];
}

std::optional<int64_t> KnownGroupSize(const RuleContext& context) {
  return GroupSize(context.module(), context.id(), DeviceCountsOf(context.module(), context.options()));
}

Shape OneOrTuple(std::vector<Shape> shapes) {
  return shapes.size() == 1 ? std::move(shapes[0]) : Shape::Tuple(std::move(shapes));
}

// Part k of a result that is an array for one operand and a tuple for several; null if the declared result has another
// form.
const Shape* ResultPart(const Shape& result, size_t k, size_t count) {
  if (count == 1) return result.IsArray() ? &result : nullptr;
  if (!result.IsTuple() || result.tuple_size() != static_cast<int64_t>(count)) return nullptr;
  return &result.element(static_cast<int64_t>(k));
}

bool HasSize(const Shape* shape, int64_t d) {
  return shape != nullptr && shape->IsArray() && d < shape->rank() && !shape->IsUnboundedDimension(d);
}

// The factor by which a gathered dimension grows: the group size, or what the declared result says if that is unknown.
int64_t GatherFactor(const RuleContext& context, const Shape& declared, int64_t d) {
  if (const auto known = KnownGroupSize(context)) return *known;
  const Shape* part = ResultPart(declared, 0, context.operand_count());
  const Shape& operand = context.operand_shape(0);
  if (!HasSize(part, d) || !HasSize(&operand, d) || operand.dimension(d) == 0) return 1;
  return std::max<int64_t>(1, CeilDiv(part->dimension(d), operand.dimension(d)));
}

// 4.7. `declared` is the gathered part of the declared shape.
InferredShape InferGathered(RuleContext& context, const Shape& declared) {
  const auto d = SingleDimension(context);
  if (!d) return std::nullopt;
  const int64_t factor = GatherFactor(context, declared, *d);
  std::vector<Shape> results;
  for (size_t k = 0; k < context.operand_count(); ++k) {
    Shape shape = context.operand_shape(k);
    if (!shape.IsUnboundedDimension(*d)) {
      const CheckedInt64 size = CheckedInt64(shape.dimension(*d)) * factor;
      if (!size.ok()) {
        context.Report(DiagnosticKind::kSizeOverflow, Anchor::Operand(k), context.opcode_name(), *d);
        return std::nullopt;
      }
      shape.set_dimension(*d, size.value());
    }
    results.push_back(std::move(shape));
  }
  return OneOrTuple(std::move(results));
}

InferredShape InferAllGather(RuleContext& context) {
  if (!CheckCollectiveOperands(context)) return std::nullopt;
  CheckReplicaGroups(context);
  return InferGathered(context, context.declared_shape());
}

// (operand shapes, gathered shapes)
InferredShape InferAllGatherStart(RuleContext& context) {
  if (!CheckCollectiveOperands(context)) return std::nullopt;
  CheckReplicaGroups(context);
  const Shape& declared = context.declared_shape();
  const bool is_pair = declared.IsTuple() && declared.tuple_size() == 2;
  const auto gathered = InferGathered(context, is_pair ? declared.element(1) : Shape());
  if (!gathered) return std::nullopt;
  return Shape::Tuple({ShapeOfOperands(context), *gathered});
}

// V066: two scalars become one of their type, to which the operands can be converted. Several operands may have several
// types; then one of them is enough.
void CheckCombiner(RuleContext& context) {
  const ComputationId combiner = context.Called(AttributeKind::kToApply);
  if (!combiner.has_value()) return;
  const std::vector<Shape> parameters = context.ParameterShapes(combiner);
  const Shape& result = context.RootShape(combiner);
  const auto report = [&](absl::string_view message) {
    context.Report(DiagnosticKind::kCollectiveCombiner, Anchor::Attribute(AttributeKind::kToApply),
                   context.opcode_name(), context.module().ComputationName(combiner), message);
  };
  if (parameters.size() != 2) {
    if (!WasReadWhole(context.module(), combiner)) return;
    report(absl::StrCat("takes ", CountOf(parameters.size(), "parameter", "parameters")));
    return;
  }
  if (!parameters[0].IsValid() || !parameters[1].IsValid() || !result.IsValid()) return;
  const ElementType type = parameters[0].element_type();
  for (const Shape* shape : {&parameters[0], &parameters[1], &result}) {
    if (shape->IsScalar() && SameUpToFloatPrecision(shape->element_type(), type)) continue;
    report(absl::StrCat("is (", ShapeText(parameters[0]), ", ", ShapeText(parameters[1]), ") -> ", ShapeText(result)));
    return;
  }
  for (size_t k = 0; k < context.operand_count(); ++k) {
    if (SameUpToFloatPrecision(context.operand_shape(k).element_type(), type)) return;
  }
  report(absl::StrCat("works on ", ElementTypeName(type), ", but operand 0 is ", ShapeText(context.operand_shape(0))));
}

InferredShape InferAllReduce(RuleContext& context) {
  if (!CheckCollectiveOperands(context)) return std::nullopt;
  CheckReplicaGroups(context);
  CheckCombiner(context);
  return ShapeOfOperands(context);
}

InferredShape InferReduceScatter(RuleContext& context) {
  if (!CheckCollectiveOperands(context)) return std::nullopt;
  CheckMixedPrecision(context);
  CheckReplicaGroups(context);
  CheckCombiner(context);
  const auto d = SingleDimension(context);
  if (!d) return std::nullopt;
  auto shards = KnownGroupSize(context);
  if (!shards) {
    // Unknown: what the declared result implies.
    const Shape* part = ResultPart(context.declared_shape(), 0, context.operand_count());
    const Shape& operand = context.operand_shape(0);
    if (!HasSize(part, *d) || !HasSize(&operand, *d)) return std::nullopt;
    if (part->dimension(*d) == 0 && operand.dimension(*d) != 0) {
      ReportSize(context, Anchor::Shape(), absl::StrCat("dimension ", *d, " of the result has size 0"));
      return std::nullopt;
    }
    shards = part->dimension(*d) == 0 ? 1 : std::max<int64_t>(1, operand.dimension(*d) / part->dimension(*d));
  }
  std::vector<Shape> results;
  for (size_t k = 0; k < context.operand_count(); ++k) {
    Shape shape = context.operand_shape(k);
    if (!shape.IsUnboundedDimension(*d)) {
      if (shape.dimension(*d) % *shards != 0) {
        ReportSize(context, Anchor::Operand(k),
                   absl::StrCat("dimension ", *d, " of size ", shape.dimension(*d), " is not divisible by the ",
                                *shards, " participants"));
        return std::nullopt;
      }
      shape.set_dimension(*d, shape.dimension(*d) / *shards);
    }
    results.push_back(std::move(shape));
  }
  return OneOrTuple(std::move(results));
}

// V152: split and concatenation along one dimension.
InferredShape InferAllToAllArray(RuleContext& context) {
  if (context.operand_count() != 1) {
    context.Report(DiagnosticKind::kOperandCount, Anchor::OperandList(), context.opcode_name(),
                   "1 operand when it has `dimensions`", context.operand_count());
    return std::nullopt;
  }
  const auto d = SingleDimension(context);
  if (!d) return std::nullopt;
  const Shape& operand = context.operand_shape(0);
  for (int64_t i = 0; i < operand.rank(); ++i) {
    if (!operand.IsDynamicDimension(i) || operand.IsUnboundedDimension(i)) continue;
    ReportSize(context, Anchor::Operand(0),
               absl::StrCat("dimension ", i, " of operand 0, ", ShapeText(operand),
                            ", is dynamic; only static sizes can be split"));
    return std::nullopt;
  }
  const auto participants = KnownGroupSize(context);
  if (participants && !operand.IsUnboundedDimension(*d) && operand.dimension(*d) % *participants != 0) {
    ReportSize(context, Anchor::Operand(0),
               absl::StrCat("dimension ", *d, " of size ", operand.dimension(*d), " is not divisible by the ",
                            *participants, " participants"));
    return std::nullopt;
  }
  return operand;
}

// V153: one operand for each participant, all of one shape; layouts count in every mode.
InferredShape InferAllToAllTuple(RuleContext& context) {
  auto participants = WrittenGroupSize(context.module(), context.id());
  if (!participants) participants = KnownGroupSize(context);
  if (participants && *participants != static_cast<int64_t>(context.operand_count())) {
    context.Report(DiagnosticKind::kOperandCount, Anchor::OperandList(), context.opcode_name(),
                   absl::StrCat(CountOf(*participants, "operand"), ", one for each participant"),
                   context.operand_count());
    return std::nullopt;
  }
  LayoutMatching matching;
  matching.ignore_memory_space = true;
  const Shape& first = context.operand_shape(0);
  std::vector<Shape> shapes;
  for (size_t k = 0; k < context.operand_count(); ++k) {
    const Shape& shape = context.operand_shape(k);
    if (!ShapesCompatible(first, shape) || !LayoutsMatch(first, shape, matching)) {
      context.Report(DiagnosticKind::kOperandShapesDiffer, Anchor::Operand(k), context.opcode_name(),
                     ShapeText(first, true), ShapeText(shape, true), DescribeDifference(shape, first, true));
      return std::nullopt;
    }
    shapes.push_back(shape);
  }
  return Shape::Tuple(std::move(shapes));
}

InferredShape InferAllToAll(RuleContext& context) {
  if (!CheckCollectiveOperands(context)) return std::nullopt;
  CheckMixedPrecision(context);
  CheckReplicaGroups(context);
  return context.Has(AttributeKind::kDimensions) ? InferAllToAllArray(context) : InferAllToAllTuple(context);
}

// What V155 asks for beyond V154: rows that fit, integers, and as many entries as each participant can have.
void CheckRaggedMeaning(RuleContext& context) {
  const Shape& input = context.operand_shape(0);
  const Shape& output = context.operand_shape(1);
  const auto report = [&](size_t operand, absl::string_view message) {
    context.ReportTolerated(DiagnosticKind::kRaggedOperands, Anchor::Operand(operand), context.opcode_name(), message);
  };
  bool rows_agree = input.element_type() == output.element_type() && input.rank() == output.rank() && input.rank() > 0;
  for (int64_t d = 1; rows_agree && d < input.rank(); ++d) rows_agree = input.dimension(d) == output.dimension(d);
  if (!rows_agree && input.IsArray()) {
    report(1, absl::StrCat("input ", ShapeText(input), " and output ", ShapeText(output),
                           " should agree in all but dimension 0"));
  }
  const Shape& lists = context.operand_shape(2);
  if (!IsInteger(lists.element_type())) {
    report(2, absl::StrCat("operands 2 to 5 should hold integers, not ", ElementTypeName(lists.element_type())));
  }
  const auto participants = KnownGroupSize(context);
  if (!participants || lists.IsUnboundedDimension(0)) return;
  const int64_t entries = lists.dimension(0);
  if (lists.rank() == 1 ? entries % *participants == 0 : entries == *participants) return;
  report(2, absl::StrCat("operand 2, ", ShapeText(lists), ", should have ", lists.rank() == 1 ? "a multiple of " : "",
                         *participants, lists.rank() == 1 ? " entries" : " rows", ", the number of participants"));
}

// V154, V155.
InferredShape InferRaggedAllToAll(RuleContext& context) {
  if (context.operand_count() != 6) {
    context.Report(DiagnosticKind::kOperandCount, Anchor::OperandList(), context.opcode_name(), "6 operands",
                   context.operand_count());
    return std::nullopt;
  }
  CheckToleratedArrayOperand(context, 0);
  if (!CheckArrayOperands(context, 1)) return std::nullopt;
  CheckMixedPrecision(context);
  CheckReplicaGroups(context);
  LayoutMatching matching;
  matching.ignore_memory_space = true;
  const auto report = [&](size_t operand, absl::string_view message) {
    context.Report(DiagnosticKind::kRaggedOperands, Anchor::Operand(operand), context.opcode_name(), message);
  };
  const Shape& first = context.operand_shape(2);
  for (size_t k = 2; k < 6; ++k) {
    const Shape& shape = context.operand_shape(k);
    if (shape.rank() != 1 && shape.rank() != 2) {
      report(k, absl::StrCat("operand ", k, " must have 1 or 2 dimensions, got ", ShapeText(shape)));
    } else if (!ShapesCompatible(first, shape) || !LayoutsMatch(first, shape, matching)) {
      report(k, absl::StrCat("offsets and sizes must have one shape; operand 2 is ", ShapeText(first, true),
                             ", operand ", k, " is ", ShapeText(shape, true)));
    } else {
      continue;
    }
    return context.operand_shape(1);
  }
  CheckRaggedMeaning(context);
  return context.operand_shape(1);
}

// V160: which device has the data of each value.
void CheckDynamicRoots(RuleContext& context, size_t data) {
  const Shape expected = Shape::Array(ElementType::kS32, {static_cast<int64_t>(data)});
  if (data == 0) {
    context.ReportTolerated(DiagnosticKind::kOperandCount, Anchor::OperandList(), context.opcode_name(),
                            "the data and the roots when it has a dynamic root", context.operand_count());
    return;
  }
  const Shape& roots = context.operand_shape(data);
  if (ShapesCompatible(roots, expected)) return;
  context.ReportTolerated(DiagnosticKind::kOperandElementType, Anchor::Operand(data), context.opcode_name(), data,
                          absl::StrCat(ShapeText(expected), ", one root for each value"), ShapeText(roots));
}

// V159, V160. Compilers look at operand 0 alone; what the other values and the roots are, a run asks.
InferredShape InferCollectiveBroadcast(RuleContext& context) {
  if (!CheckSomeOperands(context)) return std::nullopt;
  if (!CheckArrayOperands(context, 0, 1)) return std::nullopt;
  CheckMixedPrecision(context);
  CheckReplicaGroups(context);
  const bool dynamic_root = context.Bool(AttributeKind::kHasDynamicRoot);
  const size_t data = context.operand_count() - (dynamic_root ? 1 : 0);
  if (dynamic_root) CheckDynamicRoots(context, data);
  std::vector<Shape> shapes;
  for (size_t k = 0; k < data; ++k) {
    if (k > 0) CheckToleratedArrayOperand(context, k);
    shapes.push_back(context.operand_shape(k));
  }
  if (data < 2 || context.declared_shape().IsArray()) return context.operand_shape(0);
  return OneOrTuple(std::move(shapes));
}

// The result element of the start that operand 0 is.
InferredShape InferDone(RuleContext& context) {
  if (FollowsUnfitStart(context, 2) || !CheckTupleOperand(context, 0)) return std::nullopt;
  const Shape& operand = context.operand_shape(0);
  if (operand.tuple_size() < 2) {
    context.Report(DiagnosticKind::kTupleAccess, Anchor::Operand(0), 1, ShapeText(operand));
    return std::nullopt;
  }
  return operand.element(1);
}

}  // namespace

bool IsCollective(Opcode opcode) {
  if (opcode == Opcode::kInvalid || InfoOf(opcode).family != OpFamily::kCollective) return false;
  switch (opcode) {
    case Opcode::kPartitionId:
    case Opcode::kReplicaId:
    case Opcode::kAllGatherDone:
    case Opcode::kAllReduceDone:
    case Opcode::kCollectivePermuteDone:
      return false;
    default:
      return true;
  }
}

bool CheckCollectiveOperands(RuleContext& context) { return CheckSomeOperands(context) && CheckArrayOperands(context); }

Shape ShapeOfOperands(const RuleContext& context) {
  std::vector<Shape> shapes;
  for (size_t k = 0; k < context.operand_count(); ++k) shapes.push_back(context.operand_shape(k));
  return OneOrTuple(std::move(shapes));
}

InferredShape InferCollective(RuleContext& context) {
  switch (context.opcode()) {
    case Opcode::kPartitionId:
    case Opcode::kReplicaId:
      return Shape::Scalar(ElementType::kU32);
    case Opcode::kAllGather:
      return InferAllGather(context);
    case Opcode::kAllGatherStart:
      return InferAllGatherStart(context);
    case Opcode::kAllReduce:
    case Opcode::kAllReduceStart:
      return InferAllReduce(context);
    case Opcode::kAllReduceDone:
      return context.operand_shape(0);
    case Opcode::kReduceScatter:
      return InferReduceScatter(context);
    case Opcode::kAllToAll:
      return InferAllToAll(context);
    case Opcode::kRaggedAllToAll:
      return InferRaggedAllToAll(context);
    case Opcode::kCollectiveBroadcast:
      return InferCollectiveBroadcast(context);
    case Opcode::kCollectivePermute:
    case Opcode::kCollectivePermuteStart:
      return InferCollectivePermute(context);
    case Opcode::kAllGatherDone:
    case Opcode::kCollectivePermuteDone:
      return InferDone(context);
    default:  // of another family
      return std::nullopt;
  }
}

}  // namespace hloscope
