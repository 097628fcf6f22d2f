// SPDX-License-Identifier: Apache-2.0
#include "core/editing/fitting.h"

#include <algorithm>

#include "core/analysis/cost.h"

namespace hloscope {
namespace {

bool SameSizes(const Shape& a, const Shape& b) {
  return a.IsArray() && b.IsArray() && a.dimensions() == b.dimensions();
}
bool SameType(const Shape& a, const Shape& b) { return a.element_type() == b.element_type(); }

// Both are arrays of one shape; failing that, arrays with the same sizes.
Fit LikeShape(const Shape& wanted, const Shape& shape) {
  if (ShapesCompatible(wanted, shape)) return Fit::kExact;
  return SameSizes(wanted, shape) ? Fit::kGood : Fit::kWrong;
}

Fit When(bool holds, Fit fit = Fit::kExact) { return holds ? fit : Fit::kWrong; }

Fit IntegerScalar(const Shape& shape) {
  return When(shape.IsScalar() && IsInteger(shape.element_type()),
              shape.element_type() == ElementType::kS32 ? Fit::kExact : Fit::kGood);
}

const Shape* KnownOperand(const PartialInstruction& instruction, size_t but) {
  for (size_t i = 0; i < instruction.operands.size(); ++i) {
    if (i != but && instruction.operands[i].IsValid()) return &instruction.operands[i];
  }
  return nullptr;
}

// Whether the operation takes elements of that type at all.
bool TakesType(Opcode opcode, ElementType type) {
  const bool is_float = IsFloat(type) || IsComplex(type);
  switch (opcode) {
    case Opcode::kFloor:
    case Opcode::kCeil:
    case Opcode::kRoundNearestAfz:
    case Opcode::kRoundNearestEven:
    case Opcode::kAtan2:
    case Opcode::kCbrt:
    case Opcode::kErf:
      return IsFloat(type);
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor:
    case Opcode::kNot:
      return !is_float;
    case Opcode::kShiftLeft:
    case Opcode::kShiftRightArithmetic:
    case Opcode::kShiftRightLogical:
    case Opcode::kPopcnt:
    case Opcode::kCountLeadingZeros:
    case Opcode::kMulhi:
      return IsInteger(type);
    case Opcode::kSelect:
    case Opcode::kCompare:
      return true;
    default:
      return IsTranscendental(opcode) ? is_float : type != ElementType::kPred;
  }
}

Fit FitElementwise(const PartialInstruction& instruction, size_t k, const Shape& shape) {
  if (!shape.IsArray() || !TakesType(instruction.opcode, shape.element_type())) return Fit::kWrong;
  const Shape* result = instruction.result ? &*instruction.result : nullptr;
  const Shape* other = KnownOperand(instruction, k);
  switch (instruction.opcode) {
    case Opcode::kSelect:
      if (k == 0) {
        if (shape.element_type() != ElementType::kPred) return Fit::kWrong;
        return result == nullptr || SameSizes(*result, shape) ? Fit::kExact : Fit::kPossible;
      }
      if (result == nullptr && k == 2 && instruction.operands.size() > 1 && instruction.operands[1].IsValid())
        result = &instruction.operands[1];
      return result ? LikeShape(*result, shape) : Fit::kPossible;
    case Opcode::kCompare:
      if (other != nullptr) return LikeShape(*other, shape);
      return result == nullptr || SameSizes(*result, shape) ? Fit::kGood : Fit::kWrong;
    case Opcode::kClamp:
      if (k != 1 && shape.IsScalar()) return Fit::kGood;
      break;
    case Opcode::kReal:
    case Opcode::kImag:
      return When(IsComplex(shape.element_type()) && (result == nullptr || SameSizes(*result, shape)));
    case Opcode::kIsFinite:
      return When(IsFloat(shape.element_type()) && (result == nullptr || SameSizes(*result, shape)));
    case Opcode::kComplex:
      return When(IsFloat(shape.element_type()) && (result == nullptr || SameSizes(*result, shape)));
    default:
      break;
  }
  if (other != nullptr) return LikeShape(*other, shape);
  return result ? LikeShape(*result, shape) : Fit::kPossible;
}

bool IsTokenOperand(Opcode opcode, size_t k) {
  switch (opcode) {
    case Opcode::kAfterAll:
      return true;
    case Opcode::kInfeed:
    case Opcode::kRecv:
      return k == 0;
    case Opcode::kAddDependency:
    case Opcode::kOutfeed:
    case Opcode::kSend:
      return k == 1;
    default:
      return false;
  }
}

// The same elements in another arrangement.
Fit FitRearranged(const PartialInstruction& instruction, const Shape& shape) {
  if (!shape.IsArray()) return Fit::kWrong;
  if (!instruction.result || !instruction.result->IsArray()) return Fit::kPossible;
  const Shape& result = *instruction.result;
  if (!SameType(result, shape)) return Fit::kWrong;
  const auto sorted = [](const Shape& s) {
    std::vector<int64_t> sizes(s.dimensions().begin(), s.dimensions().end());
    std::sort(sizes.begin(), sizes.end());
    return sizes;
  };
  switch (instruction.opcode) {
    case Opcode::kReshape:
    case Opcode::kBitcast:
      return When(result.ElementCount() == shape.ElementCount());
    case Opcode::kTranspose:
      return When(sorted(result) == sorted(shape));
    case Opcode::kBroadcast: {
      if (shape.rank() > result.rank()) return Fit::kWrong;
      const bool all = std::all_of(shape.dimensions().begin(), shape.dimensions().end(), [&](int64_t size) {
        return std::find(result.dimensions().begin(), result.dimensions().end(), size) != result.dimensions().end();
      });
      return When(all, shape.rank() < result.rank() ? Fit::kExact : Fit::kGood);
    }
    default:  // slices and joins of arrays of one rank
      return When(shape.rank() == result.rank(), SameSizes(result, shape) ? Fit::kExact : Fit::kGood);
  }
}

std::vector<Shape> ScalarsOf(const std::vector<Shape>& shapes, size_t count) {
  std::vector<Shape> scalars;
  for (size_t i = 0; i < std::min(count, shapes.size()); ++i) {
    scalars.push_back(shapes[i].IsArray() ? Shape::Scalar(shapes[i].element_type()) : Shape());
  }
  return scalars;
}

// The parameters that a called computation should take; nothing if the operands do not say. Invalid shapes fit all.
std::optional<std::vector<Shape>> WantedParameters(const PartialInstruction& instruction, AttributeKind attribute) {
  const std::vector<Shape>& operands = instruction.operands;
  switch (instruction.opcode) {
    case Opcode::kReduce:
    case Opcode::kReduceWindow: {
      std::vector<Shape> wanted = ScalarsOf(operands, std::max<size_t>(1, operands.size() / 2));
      const std::vector<Shape> once = wanted;
      wanted.insert(wanted.end(), once.begin(), once.end());
      return wanted;
    }
    case Opcode::kSort: {
      std::vector<Shape> wanted;
      for (const Shape& scalar : ScalarsOf(operands, operands.size())) wanted.insert(wanted.end(), 2, scalar);
      return wanted;
    }
    case Opcode::kAllReduce:
    case Opcode::kAllReduceStart:
    case Opcode::kReduceScatter:
    case Opcode::kSelectAndScatter:
    case Opcode::kScatter: {
      const std::vector<Shape> one = ScalarsOf(operands, 1);
      const Shape scalar = one.empty() ? Shape() : one[0];
      return std::vector<Shape>{scalar, scalar};
    }
    case Opcode::kMap:
      return ScalarsOf(operands, operands.size());
    case Opcode::kWhile:
      return std::vector<Shape>{operands.empty() ? instruction.result.value_or(Shape()) : operands[0]};
    case Opcode::kConditional: {
      size_t k = 1;
      if (attribute == AttributeKind::kFalseComputation) k = 2;
      return std::vector<Shape>{attribute != AttributeKind::kBranchComputations && k < operands.size() ? operands[k]
                                                                                                       : Shape()};
    }
    case Opcode::kCall:
    case Opcode::kFusion:
    case Opcode::kAsyncStart:
      return operands;
    default:
      return std::nullopt;
  }
}

}  // namespace

Fit FitOfOperand(const PartialInstruction& instruction, size_t k, const Shape& shape) {
  if (!shape.IsValid() || instruction.opcode == Opcode::kInvalid) return Fit::kPossible;
  if (IsTokenOperand(instruction.opcode, k)) return When(shape.IsToken());
  if (shape.IsToken()) return instruction.opcode == Opcode::kTuple ? Fit::kPossible : Fit::kWrong;
  const Shape* first =
      !instruction.operands.empty() && k > 0 && instruction.operands[0].IsValid() ? &instruction.operands[0] : nullptr;
  const Shape* result = instruction.result ? &*instruction.result : nullptr;
  switch (instruction.opcode) {
    case Opcode::kGetTupleElement:
      return When(shape.IsTuple());
    case Opcode::kTuple:
      if (result == nullptr || !result->IsTuple()) return Fit::kPossible;
      if (static_cast<int64_t>(k) >= result->tuple_size()) return Fit::kWrong;
      return LikeShape(result->element(static_cast<int64_t>(k)), shape);
    case Opcode::kReduce:
    case Opcode::kReduceWindow:
      if (!shape.IsArray()) return Fit::kWrong;
      if (k == 0)
        return shape.rank() == 0                                          ? Fit::kWrong
               : result && result->IsArray() && !SameType(*result, shape) ? Fit::kPossible
                                                                          : Fit::kGood;
      if (shape.IsScalar()) return first == nullptr || SameType(*first, shape) ? Fit::kExact : Fit::kPossible;
      return first != nullptr && SameSizes(*first, shape) ? Fit::kPossible : Fit::kWrong;
    case Opcode::kPad:
      if (k == 1) return When(shape.IsScalar() && (first == nullptr || SameType(*first, shape)));
      return FitRearranged(instruction, shape);
    case Opcode::kDynamicSlice:
      return k > 0 ? IntegerScalar(shape) : FitRearranged(instruction, shape);
    case Opcode::kDynamicUpdateSlice:
      if (k > 1) return IntegerScalar(shape);
      if (k == 0) return result ? LikeShape(*result, shape) : When(shape.IsArray(), Fit::kPossible);
      return When(first == nullptr || (SameType(*first, shape) && first->rank() == shape.rank()), Fit::kGood);
    case Opcode::kReshape:
    case Opcode::kBitcast:
    case Opcode::kTranspose:
    case Opcode::kBroadcast:
    case Opcode::kSlice:
    case Opcode::kReverse:
    case Opcode::kConcatenate:
      return FitRearranged(instruction, shape);
    case Opcode::kConvert:
    case Opcode::kBitcastConvert:
    case Opcode::kReducePrecision:
      return When(shape.IsArray() && (result == nullptr || SameSizes(*result, shape)));
    case Opcode::kConditional:
      if (k > 0) return Fit::kPossible;
      return When(shape.IsScalar() &&
                  (shape.element_type() == ElementType::kPred || shape.element_type() == ElementType::kS32));
    case Opcode::kWhile:
    case Opcode::kCopy:
    case Opcode::kOptBarrier:
    case Opcode::kDomain:
    case Opcode::kAllReduce:
    case Opcode::kCollectivePermute:
    case Opcode::kCholesky:
      return result ? LikeShape(*result, shape) : Fit::kPossible;
    case Opcode::kDot:
    case Opcode::kConvolution:
    case Opcode::kRaggedDot:
      if (!shape.IsArray() || shape.rank() == 0 || shape.element_type() == ElementType::kPred) return Fit::kWrong;
      return first == nullptr || SameType(*first, shape) ? Fit::kGood : Fit::kPossible;
    case Opcode::kGather:
      if (k == 1) return When(shape.IsArray() && IsInteger(shape.element_type()));
      return When(shape.IsArray() && (result == nullptr || SameType(*result, shape)), Fit::kGood);
    default:
      break;
  }
  if (InfoOf(instruction.opcode).family == OpFamily::kElementwise) return FitElementwise(instruction, k, shape);
  return Fit::kPossible;
}

Fit FitOfComputation(const Module& module, const PartialInstruction& instruction, AttributeKind attribute,
                     ComputationId computation) {
  const Computation& candidate = module.computation(computation);
  const std::optional<std::vector<Shape>> wanted = WantedParameters(instruction, attribute);
  if (!wanted.has_value()) return Fit::kPossible;
  if (candidate.parameters.size() != wanted->size()) return Fit::kWrong;
  bool exact = true;
  for (size_t i = 0; i < wanted->size(); ++i) {
    const InstructionId parameter = candidate.parameters[i];
    if (!parameter.has_value() || !(*wanted)[i].IsValid()) {
      exact = false;
    } else if (!ShapesCompatible((*wanted)[i], module.shape(parameter))) {
      return Fit::kPossible;
    }
  }
  if (!candidate.root.has_value()) return Fit::kPossible;
  const Shape& root = module.shape(candidate.root);
  const bool is_test = attribute == AttributeKind::kCondition || attribute == AttributeKind::kSelect ||
                       instruction.opcode == Opcode::kSort;
  const bool returns_pred = root.IsScalar() && root.element_type() == ElementType::kPred;
  if (is_test) return returns_pred ? (exact ? Fit::kExact : Fit::kGood) : Fit::kPossible;
  // A reducer returns what it accumulates.
  const bool reduces = instruction.opcode == Opcode::kReduce || instruction.opcode == Opcode::kReduceWindow ||
                       instruction.opcode == Opcode::kAllReduce || instruction.opcode == Opcode::kReduceScatter ||
                       instruction.opcode == Opcode::kScatter;
  if (reduces && !wanted->empty() && root.IsArray() && (*wanted)[0].IsValid() && !SameType(root, (*wanted)[0]))
    return Fit::kPossible;
  if (attribute == AttributeKind::kBody && exact && !ShapesCompatible((*wanted)[0], root)) return Fit::kPossible;
  return exact ? Fit::kExact : Fit::kGood;
}

}  // namespace hloscope
