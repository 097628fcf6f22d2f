// SPDX-License-Identifier: Apache-2.0
// What expressions are worth.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "evaluator/debugger/expression.h"
#include "evaluator/debugger/expression_lanes.h"
#include "numerics/elements/numeric.h"

namespace hloscope::evaluator {
namespace {

// What a node is worth: a value as it is, or numbers to be computed.
struct Operand {
  std::shared_ptr<const Value> held;  // if there are no lanes
  std::shared_ptr<const Lanes> lanes;
  std::vector<int64_t> dimensions;  // of the lanes
  bool is_pred = false;             // the lanes are 0 or 1
  bool is_file = false;             // of a type that .npy has, whatever was meant
  const Value& value() const { return *held; }
  void Hold(Value value) { held = std::make_shared<Value>(std::move(value)); }
  bool is_complex() const {
    return lanes == nullptr && value().IsTensor() && IsComplex(value().tensor().element_type());
  }
};

int64_t CountOf(absl::Span<const int64_t> dimensions) {
  int64_t count = 1;
  for (int64_t size : dimensions) count *= size;
  return count;
}

std::string SizesText(absl::Span<const int64_t> dimensions) {
  return absl::StrCat("[", absl::StrJoin(dimensions, ","), "]");
}

class Evaluator {
 public:
  Evaluator(ExpressionScope& scope, ExpressionError* error) : scope_(scope), error_(error) {}

  std::optional<Value> EvaluateToValue(const ExpressionNode& node) {
    std::optional<Operand> operand = Evaluate(node);
    if (!operand.has_value()) return std::nullopt;
    if (operand->lanes == nullptr) return operand->value();
    const ElementType type = operand->is_pred ? ElementType::kPred : ElementType::kF64;
    absl::StatusOr<Tensor> tensor = Tensor::Allocate(type, operand->dimensions);
    if (!tensor.ok()) return Fail(node, tensor.status());
    uint8_t* out = tensor->mutable_data();
    const int64_t bytes = tensor->element_bytes();
    ForEachLane(*operand->lanes, tensor->element_count(), scope_.limit(), [&](int64_t i, double x) {
      WriteReal(type, x, out + i * bytes);
      return true;
    });
    if (const absl::Status status = scope_.limit().status(); !status.ok()) return Fail(node, status);
    return Value(*std::move(tensor));
  }

  std::optional<double> EvaluateToNumber(const ExpressionNode& node) {
    std::optional<Operand> operand = EvaluateToLanes(node);
    if (!operand.has_value()) return std::nullopt;
    if (CountOf(operand->dimensions) != 1) {
      return Fail(node, absl::StrCat("this has the sizes ", SizesText(operand->dimensions),
                                     ", where one number is wanted; use any(), all(), max() ..."));
    }
    double number;
    operand->lanes->Read(0, 1, &number);
    return number;
  }

 private:
  std::nullopt_t Fail(const ExpressionNode& node, std::string message) {
    if (error_->message.empty()) *error_ = {node.begin, node.end, std::move(message)};
    return std::nullopt;
  }
  std::nullopt_t Fail(const ExpressionNode& node, const absl::Status& status) {
    const bool is_first = error_->message.empty();
    Fail(node, std::string(status.message()));
    if (is_first) {
      error_->is_limit =
          absl::IsResourceExhausted(status) || absl::IsDeadlineExceeded(status) || absl::IsCancelled(status);
    }
    return std::nullopt;
  }

  static Operand Number(double value, bool is_pred = false) {
    Operand operand;
    operand.lanes = ConstantLanes(value);
    operand.is_pred = is_pred;
    return operand;
  }

  // Makes numbers of a value.
  std::optional<Operand> ToLanes(const ExpressionNode& node, Operand operand,
                                 std::optional<NumberPart> part = std::nullopt) {
    if (operand.lanes != nullptr) return operand;
    if (!operand.value().IsTensor()) {
      return Fail(node, operand.value().IsTuple() ? "this is a tuple; name one of its elements, as in `t{0}`"
                                                  : "this is a token and has no elements");
    }
    const Tensor valid = operand.value().tensor().WithRunTimeSizes();
    if (IsComplex(valid.element_type()) && !part.has_value()) {
      return Fail(node, "these are complex numbers; use abs(), real() or imag()");
    }
    absl::StatusOr<Tensor> dense = valid.Contiguous();
    if (!dense.ok()) return Fail(node, dense.status());
    Operand result;
    result.dimensions.assign(valid.dimensions().begin(), valid.dimensions().end());
    result.is_pred = valid.element_type() == ElementType::kPred;
    result.lanes = TensorLanes(*std::move(dense), part.value_or(NumberPart::kReal));
    return result;
  }

  std::optional<Operand> EvaluateToLanes(const ExpressionNode& node, std::optional<NumberPart> part = std::nullopt) {
    std::optional<Operand> operand = Evaluate(node);
    if (!operand.has_value()) return operand;
    return ToLanes(node, *std::move(operand), part);
  }

  std::optional<Operand> Evaluate(const ExpressionNode& node) {
    switch (node.kind) {
      case ExpressionNode::Kind::kNumber:
        return Number(node.number);
      case ExpressionNode::Kind::kString:
        return Fail(node, "a string has no value here; file(\"a.npy\") reads a file");
      case ExpressionNode::Kind::kVariable:
        return Variable(node);
      case ExpressionNode::Kind::kValue: {
        absl::StatusOr<Value> value = scope_.Named(node.name);
        if (!value.ok()) return Fail(node, value.status());
        Operand operand;
        operand.Hold(*std::move(value));
        return operand;
      }
      case ExpressionNode::Kind::kIndex:
        return Index(node);
      case ExpressionNode::Kind::kElement:
        return Element(node);
      case ExpressionNode::Kind::kUnary:
        return Unary(node, node.name);
      case ExpressionNode::Kind::kBinary:
        return Binary(node);
      case ExpressionNode::Kind::kCall:
        return Call(node);
    }
    return std::nullopt;
  }

  std::optional<Operand> Variable(const ExpressionNode& node) {
    if (node.name == "true") return Number(1, true);
    if (node.name == "false") return Number(0, true);
    if (node.name == "nan") return Number(std::numeric_limits<double>::quiet_NaN());
    if (node.name == "inf") return Number(std::numeric_limits<double>::infinity());
    const absl::StatusOr<double> value = scope_.Variable(node.name);
    if (!value.ok()) return Fail(node, value.status());
    return Number(*value);
  }

  std::optional<Operand> Element(const ExpressionNode& node) {
    std::optional<Operand> operand = Evaluate(node.operands[0]);
    if (!operand.has_value()) return operand;
    Value value = operand->lanes == nullptr ? operand->value() : Value();
    for (int64_t number : node.path) {
      if (!value.IsTuple()) return Fail(node, "this is not a tuple");
      if (number >= static_cast<int64_t>(value.elements().size())) {
        return Fail(node,
                    absl::StrCat("the tuple has ", value.elements().size(), " elements; there is no element ", number));
      }
      Value element = value.elements()[static_cast<size_t>(number)];
      value = std::move(element);
    }
    operand->Hold(std::move(value));
    return operand;
  }

  // The number of a subscript as an integer.
  std::optional<int64_t> Bound(const ExpressionNode& node) {
    const std::optional<double> number = EvaluateToNumber(node);
    if (!number.has_value()) return std::nullopt;
    if (*number != std::floor(*number) || std::fabs(*number) > 1e15) {
      return Fail(node, absl::StrCat("an index is a whole number, not ", *number));
    }
    return static_cast<int64_t>(*number);
  }

  std::optional<Operand> Index(const ExpressionNode& node) {
    std::optional<Value> base = EvaluateToValue(node.operands[0]);
    if (!base.has_value()) return std::nullopt;
    if (!base->IsTensor()) {
      return Fail(node.operands[0], base->IsTuple() ? "this is a tuple; name one of its elements first, as in `t{0}`"
                                                    : "this is a token and has no elements");
    }
    const Tensor tensor = base->tensor().WithRunTimeSizes();
    DimensionVector dimensions, strides;
    int64_t offset = 0;
    size_t d = 0;
    for (const ExpressionNode::Subscript& subscript : node.subscripts) {
      ExpressionNode place;
      place.begin = subscript.begin;
      place.end = subscript.end;
      if (d >= tensor.dimensions().size()) {
        return Fail(place, absl::StrCat("the value has the shape ", tensor.shape().ToString(false), ": only ",
                                        tensor.rank(), " subscripts fit"));
      }
      const int64_t size = tensor.dimensions()[d], stride = tensor.strides()[d];
      ++d;
      if (subscript.single) {
        const std::optional<int64_t> index = Bound(node.operands[*subscript.start]);
        if (!index.has_value()) return std::nullopt;
        const int64_t at = *index < 0 ? *index + size : *index;
        if (at < 0 || at >= size) {
          return Fail(place, size == 0 ? std::string("the dimension is empty")
                                       : absl::StrCat("the index must be from 0 to ", size - 1, " (or from -", size,
                                                      ", counted from the end)"));
        }
        offset += at * stride;
        continue;
      }
      int64_t start = 0, stop = size, step = 1;
      if (subscript.step.has_value()) {
        const std::optional<int64_t> bound = Bound(node.operands[*subscript.step]);
        if (!bound.has_value()) return std::nullopt;
        step = *bound;
        if (step <= 0) return Fail(node.operands[*subscript.step], "a step is positive");
      }
      for (const auto& [part, target] : {std::pair(subscript.start, &start), std::pair(subscript.stop, &stop)}) {
        if (!part.has_value()) continue;
        const std::optional<int64_t> bound = Bound(node.operands[*part]);
        if (!bound.has_value()) return std::nullopt;
        *target = std::clamp<int64_t>(*bound < 0 ? *bound + size : *bound, 0, size);
      }
      dimensions.push_back(stop > start ? (stop - start + step - 1) / step : 0);
      strides.push_back(stride * step);
      offset += stop > start ? start * stride : 0;
    }
    for (; d < tensor.dimensions().size(); ++d) {
      dimensions.push_back(tensor.dimensions()[d]);
      strides.push_back(tensor.strides()[d]);
    }
    Operand result;
    result.Hold(tensor.View(dimensions, strides, offset));
    return result;
  }

  std::optional<Operand> Unary(const ExpressionNode& node, absl::string_view name) {
    const ExpressionNode& argument = node.operands[0];
    std::optional<Operand> operand = Evaluate(argument);
    if (!operand.has_value()) return operand;
    std::optional<NumberPart> part;
    if (operand->is_complex() && (name == "abs" || name == "isnan" || name == "isinf" || name == "isfinite")) {
      part = NumberPart::kMagnitude;
    }
    operand = ToLanes(argument, *std::move(operand), part);
    if (!operand.has_value()) return operand;
    const UnaryFunction* function = FindUnaryFunction(name);
    operand->lanes = UnaryLanes(*function, std::move(operand->lanes));
    operand->is_pred = function->is_pred;
    return operand;
  }

  std::optional<Operand> Binary(const ExpressionNode& node) {
    // The second condition may only make sense where the first holds.
    if (node.name == "&&" || node.name == "||") {
      std::optional<Operand> left = EvaluateToLanes(node.operands[0]);
      if (!left.has_value()) return left;
      if (left->dimensions.empty()) {
        double first;
        left->lanes->Read(0, 1, &first);
        if ((first != 0) == (node.name == "||")) return Number(first != 0 ? 1 : 0, true);
      }
      std::optional<Operand> right = EvaluateToLanes(node.operands[1]);
      if (!right.has_value()) return right;
      return Combine(node, *FindBinaryFunction(node.name), *std::move(left), *std::move(right));
    }
    return Pair(node, *FindBinaryFunction(node.name));
  }

  // A function of the first two operands of the node.
  std::optional<Operand> Pair(const ExpressionNode& node, const BinaryFunction& function) {
    std::optional<Operand> left = Evaluate(node.operands[0]);
    if (!left.has_value()) return left;
    std::optional<Operand> right = Evaluate(node.operands[1]);
    if (!right.has_value()) return right;
    ReadFileAs(*left, *right);
    ReadFileAs(*right, *left);
    left = ToLanes(node.operands[0], *std::move(left));
    if (!left.has_value()) return left;
    right = ToLanes(node.operands[1], *std::move(right));
    if (!right.has_value()) return right;
    return Combine(node, function, *std::move(left), *std::move(right));
  }

  // Types that .npy lacks are raw bits there.
  static void ReadFileAs(Operand& file, const Operand& other) {
    if (!file.is_file || other.is_file || other.lanes != nullptr || file.lanes != nullptr || !other.value().IsTensor())
      return;
    const Tensor &raw = file.value().tensor(), &typed = other.value().tensor();
    if (IsInteger(raw.element_type()) && !IsInteger(typed.element_type()) &&
        typed.element_type() != ElementType::kPred && raw.element_bytes() == typed.element_bytes()) {
      file.Hold(raw.WithElementType(typed.element_type()));
    }
  }

  std::optional<Operand> Combine(const ExpressionNode& node, const BinaryFunction& function, Operand left,
                                 Operand right) {
    const bool left_is_scalar = left.dimensions.empty(), right_is_scalar = right.dimensions.empty();
    if (!left_is_scalar && !right_is_scalar && left.dimensions != right.dimensions) {
      return Fail(node, absl::StrCat("the sizes ", SizesText(left.dimensions), " and ", SizesText(right.dimensions),
                                     " do not go together"));
    }
    Operand result;
    result.dimensions = left_is_scalar ? right.dimensions : left.dimensions;
    result.is_pred = function.is_pred;
    result.lanes =
        BinaryLanes(function, std::move(left.lanes), left_is_scalar, std::move(right.lanes), right_is_scalar);
    return result;
  }

  std::optional<Operand> Call(const ExpressionNode& node) {
    const absl::string_view name = node.name;
    const size_t given = node.operands.size();
    size_t least = 1, most = 1;
    if (name == "max" || name == "min") most = 2;
    if (name == "maxdiff" || name == "equal") least = most = 2;
    if (name == "allclose") least = 2, most = 4;
    if (given < least || given > most) {
      const std::string wanted = least == most ? absl::StrCat(least) : absl::StrCat(least, " to ", most);
      return Fail(node,
                  absl::StrCat(name, "() takes ", wanted, most == 1 ? " argument" : " arguments", ", not ", given));
    }
    if (name == "file") return File(node);
    if (name == "real" || name == "imag") {
      return EvaluateToLanes(node.operands[0], name == "real" ? NumberPart::kReal : NumberPart::kImaginary);
    }
    if (name == "size") {
      std::optional<Value> value = EvaluateToValue(node.operands[0]);
      if (!value.has_value()) return std::nullopt;
      if (!value->IsTensor()) return Fail(node.operands[0], "only an array has a size");
      return Number(static_cast<double>(value->tensor().WithRunTimeSizes().element_count()));
    }
    if (name == "allclose") return AllClose(node);
    if (name == "equal") return Equal(node);
    if (name == "maxdiff" || given == 2) {
      std::optional<Operand> pair = Pair(node, *FindBinaryFunction(name));
      if (!pair.has_value() || name != "maxdiff") return pair;
      return Reduced(node, "max", *pair, true);
    }
    if (FindUnaryFunction(name) != nullptr) return Unary(node, name);
    std::optional<Operand> operand =
        EvaluateToLanes(node.operands[0], name == "norm" ? std::optional(NumberPart::kMagnitude) : std::nullopt);
    if (!operand.has_value()) return operand;
    return Reduced(node, name, *operand, false);
  }

  std::optional<Operand> File(const ExpressionNode& node) {
    if (node.operands[0].kind != ExpressionNode::Kind::kString) {
      return Fail(node.operands[0], "file() takes a path in quotation marks");
    }
    absl::StatusOr<Tensor> tensor = scope_.File(node.operands[0].name);
    if (!tensor.ok()) return Fail(node.operands[0], tensor.status());
    Operand operand;
    operand.Hold(*std::move(tensor));
    operand.is_file = true;
    return operand;
  }

  std::optional<Operand> AllClose(const ExpressionNode& node) {
    double relative = 1e-5, absolute = 1e-8;
    for (const auto& [k, target] :
         {std::pair<size_t, double*>(2, &relative), std::pair<size_t, double*>(3, &absolute)}) {
      if (node.operands.size() <= k) continue;
      const std::optional<double> tolerance = EvaluateToNumber(node.operands[k]);
      if (!tolerance.has_value()) return std::nullopt;
      *target = *tolerance;
    }
    // |a - b| <= absolute + relative * |b|, as NumPy has it, but for NaNs: they equal each other.
    std::optional<Operand> left, right;
    const BinaryFunction pick_left = {"", [](double a, double) { return a; }, false};
    const BinaryFunction pick_right = {"", [](double, double b) { return b; }, false};
    left = Pair(node, pick_left);
    if (!left.has_value()) return left;
    right = Pair(node, pick_right);
    if (!right.has_value()) return right;
    const int64_t count = CountOf(left->dimensions);
    std::array<double, kLaneBlock> a, b;
    for (int64_t first = 0; first < count; first += kLaneBlock) {
      if (scope_.limit().Look()) return Fail(node, scope_.limit().status());
      const int64_t size = std::min(kLaneBlock, count - first);
      left->lanes->Read(first, size, a.data());
      right->lanes->Read(first, size, b.data());
      for (size_t i = 0; i < static_cast<size_t>(size); ++i) {
        if (a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) continue;
        if (!(std::fabs(a[i] - b[i]) <= absolute + relative * std::fabs(b[i]))) return Number(0, true);
      }
    }
    return Number(1, true);
  }

  std::optional<Operand> Equal(const ExpressionNode& node) {
    std::optional<Value> left = EvaluateToValue(node.operands[0]);
    if (!left.has_value()) return std::nullopt;
    std::optional<Value> right = EvaluateToValue(node.operands[1]);
    if (!right.has_value()) return std::nullopt;
    if (ValueFits(*left, ShapeOf(*right))) return Number(left->BitwiseEqual(*right) ? 1 : 0, true);
    std::optional<Operand> difference = Pair(node, *FindBinaryFunction("maxdiff"));
    if (!difference.has_value()) return difference;
    double most = 0;
    ForEachLane(*difference->lanes, CountOf(difference->dimensions), scope_.limit(), [&](int64_t, double x) {
      most = x == 0 ? most : 1;
      return most == 0;
    });
    if (const absl::Status status = scope_.limit().status(); !status.ok()) return Fail(node, status);
    return Number(most == 0 ? 1 : 0, true);
  }

  std::optional<Operand> Reduced(const ExpressionNode& node, absl::string_view name, const Operand& operand,
                                 bool with_nans) {
    const ReducedLanes reduced =
        ReduceLanes(name, *operand.lanes, CountOf(operand.dimensions), with_nans, scope_.limit());
    if (const absl::Status status = scope_.limit().status(); !status.ok()) return Fail(node, status);
    return Number(reduced.value, reduced.is_pred);
  }

  ExpressionScope& scope_;
  ExpressionError* const error_;
};

}  // namespace

std::optional<Value> Expression::Evaluate(ExpressionScope& scope, ExpressionError* error) const {
  *error = ExpressionError();
  return Evaluator(scope, error).EvaluateToValue(*root_);
}

std::optional<bool> Expression::EvaluateCondition(ExpressionScope& scope, ExpressionError* error) const {
  *error = ExpressionError();
  const std::optional<double> number = Evaluator(scope, error).EvaluateToNumber(*root_);
  if (!number.has_value()) return std::nullopt;
  return *number != 0;
}

absl::StatusOr<Value> ConvertToShape(const Value& value, const Shape& shape, QuestionLimit& limit) {
  if (ValueFits(value, shape)) return value;
  if (!value.IsTensor() || !shape.IsArray()) {
    return absl::InvalidArgumentError(absl::StrCat("a value of shape ", ShapeOf(value).ToString(false),
                                                   " does not fit the shape ", shape.ToString(false)));
  }
  const Tensor& from = value.tensor();
  const bool fills = from.element_count() == 1;
  if (!fills && !std::equal(from.dimensions().begin(), from.dimensions().end(), shape.dimensions().begin(),
                            shape.dimensions().end())) {
    return absl::InvalidArgumentError(
        absl::StrCat("the sizes ", SizesText(from.dimensions()), " do not fit the shape ", shape.ToString(false)));
  }
  absl::StatusOr<Tensor> dense = from.Contiguous();
  if (!dense.ok()) return dense.status();
  // One element, seen everywhere.
  absl::StatusOr<Tensor> to =
      fills ? Tensor::Allocate(shape.element_type(), {}) : Tensor::Allocate(shape.element_type(), shape.dimensions());
  if (!to.ok()) return to.status();
  const ElementType from_type = from.element_type(), to_type = shape.element_type();
  uint8_t* out = to->mutable_data();
  for (int64_t i = 0; i < to->element_count(); ++i, out += to->element_bytes()) {
    if (limit.IsOver()) return limit.status();
    const uint8_t* element = dense->data() + i * dense->element_bytes();
    const std::complex<double> number = ReadComplex(from_type, element);
    if (IsComplex(to_type)) {
      const ElementType part = to_type == ElementType::kC64 ? ElementType::kF32 : ElementType::kF64;
      WriteReal(part, number.real(), out);
      WriteReal(part, number.imag(), out + StorageBytes(part));
    } else if (!IsFloat(from_type) && !IsComplex(from_type) && !IsFloat(to_type)) {
      WriteInteger(to_type, ReadInteger(from_type, element), out);
    } else if (to_type == ElementType::kPred) {
      *out = number.real() != 0 ? 1 : 0;
    } else {
      WriteReal(to_type, number.real(), out);
    }
  }
  if (!fills) return Value(*std::move(to));
  return Value(to->View(shape.dimensions(), DimensionVector(shape.dimensions().size(), 0), 0));
}

}  // namespace hloscope::evaluator
