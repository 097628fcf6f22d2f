// SPDX-License-Identifier: Apache-2.0
#include "evaluator/debugger/expression_lanes.h"

#include <cmath>
#include <complex>
#include <limits>
#include <utility>

#include "evaluator/tensor/fitting_scale.h"
#include "numerics/elements/numeric.h"

namespace hloscope::evaluator {
namespace {

class ConstantArray final : public Lanes {
 public:
  explicit ConstantArray(double value) : value_(value) {}
  void Read(int64_t, int64_t count, double* out) const override { std::fill(out, out + count, value_); }

 private:
  const double value_;
};

class TensorArray final : public Lanes {
 public:
  TensorArray(Tensor tensor, NumberPart part) : tensor_(std::move(tensor)), part_(part) {}

  void Read(int64_t first, int64_t count, double* out) const override {
    const ElementType type = tensor_.element_type();
    const int64_t bytes = tensor_.element_bytes();
    const uint8_t* element = tensor_.data() + first * bytes;
    if (type == ElementType::kF32) {
      const float* numbers = reinterpret_cast<const float*>(element);
      for (int64_t i = 0; i < count; ++i) out[i] = static_cast<double>(numbers[i]);
    } else if (type == ElementType::kF64) {
      std::copy_n(reinterpret_cast<const double*>(element), count, out);
    } else if (!IsComplex(type)) {
      for (int64_t i = 0; i < count; ++i, element += bytes) out[i] = ReadReal(type, element);
    } else {
      for (int64_t i = 0; i < count; ++i, element += bytes) {
        const std::complex<double> number = ReadComplex(type, element);
        out[i] = part_ == NumberPart::kReal        ? number.real()
                 : part_ == NumberPart::kImaginary ? number.imag()
                                                   : std::abs(number);
      }
    }
  }

 private:
  const Tensor tensor_;
  const NumberPart part_;
};

class UnaryArray final : public Lanes {
 public:
  UnaryArray(double (*function)(double), std::shared_ptr<const Lanes> operand)
      : function_(function), operand_(std::move(operand)) {}
  void Read(int64_t first, int64_t count, double* out) const override {
    operand_->Read(first, count, out);
    for (int64_t i = 0; i < count; ++i) out[i] = function_(out[i]);
  }

 private:
  double (*const function_)(double);
  const std::shared_ptr<const Lanes> operand_;
};

class BinaryArray final : public Lanes {
 public:
  BinaryArray(double (*function)(double, double), std::shared_ptr<const Lanes> left, bool left_is_scalar,
              std::shared_ptr<const Lanes> right, bool right_is_scalar)
      : function_(function),
        left_(std::move(left)),
        right_(std::move(right)),
        left_is_scalar_(left_is_scalar),
        right_is_scalar_(right_is_scalar) {}
  void Read(int64_t first, int64_t count, double* out) const override {
    std::array<double, kLaneBlock> right;
    ReadSide(*left_, left_is_scalar_, first, count, out);
    ReadSide(*right_, right_is_scalar_, first, count, right.data());
    for (int64_t i = 0; i < count; ++i) out[i] = function_(out[i], right[static_cast<size_t>(i)]);
  }

 private:
  static void ReadSide(const Lanes& side, bool is_scalar, int64_t first, int64_t count, double* out) {
    if (!is_scalar) return side.Read(first, count, out);
    double value;
    side.Read(0, 1, &value);
    std::fill(out, out + count, value);
  }

  double (*const function_)(double, double);
  const std::shared_ptr<const Lanes> left_, right_;
  const bool left_is_scalar_, right_is_scalar_;
};

constexpr UnaryFunction kUnaryFunctions[] = {
    {"abs", [](double x) { return std::fabs(x); }, false},
    {"ceil", [](double x) { return std::ceil(x); }, false},
    {"cos", [](double x) { return std::cos(x); }, false},
    {"exp", [](double x) { return std::exp(x); }, false},
    {"floor", [](double x) { return std::floor(x); }, false},
    {"isfinite", [](double x) { return std::isfinite(x) ? 1.0 : 0.0; }, true},
    {"isinf", [](double x) { return std::isinf(x) ? 1.0 : 0.0; }, true},
    {"isnan", [](double x) { return std::isnan(x) ? 1.0 : 0.0; }, true},
    {"log", [](double x) { return std::log(x); }, false},
    {"round", [](double x) { return std::nearbyint(x); }, false},
    {"sign", [](double x) { return x > 0   ? 1.0
                                   : x < 0 ? -1.0
                                           : x; }, false},
    {"sin", [](double x) { return std::sin(x); }, false},
    {"sqrt", [](double x) { return std::sqrt(x); }, false},
    {"tanh", [](double x) { return std::tanh(x); }, false},
    {"-", [](double x) { return -x; }, false},
    {"!", [](double x) { return x == 0 ? 1.0 : 0.0; }, true},
};

double LeastKnown(double a, double b) { return std::isnan(a) || b < a ? b : a; }
double GreatestKnown(double a, double b) { return std::isnan(a) || b > a ? b : a; }
// NaN differs from nothing by 0 if both are, by NaN if one is.
double Difference(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  return std::fabs(a - b);
}

constexpr BinaryFunction kBinaryFunctions[] = {
    {"+", [](double a, double b) { return a + b; }, false},
    {"-", [](double a, double b) { return a - b; }, false},
    {"*", [](double a, double b) { return a * b; }, false},
    {"/", [](double a, double b) { return a / b; }, false},
    {"%", [](double a, double b) { return std::fmod(a, b); }, false},
    {"==", [](double a, double b) { return a == b ? 1.0 : 0.0; }, true},
    {"!=", [](double a, double b) { return a != b ? 1.0 : 0.0; }, true},
    {"<", [](double a, double b) { return a < b ? 1.0 : 0.0; }, true},
    {"<=", [](double a, double b) { return a <= b ? 1.0 : 0.0; }, true},
    {">", [](double a, double b) { return a > b ? 1.0 : 0.0; }, true},
    {">=", [](double a, double b) { return a >= b ? 1.0 : 0.0; }, true},
    {"&&", [](double a, double b) { return a != 0 && b != 0 ? 1.0 : 0.0; }, true},
    {"||", [](double a, double b) { return a != 0 || b != 0 ? 1.0 : 0.0; }, true},
    {"max", GreatestKnown, false},
    {"min", LeastKnown, false},
    {"maxdiff", Difference, false},
};

template <typename Rows>
auto RowOf(const Rows& rows, absl::string_view name) -> decltype(&rows[0]) {
  for (const auto& row : rows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace

std::shared_ptr<const Lanes> ConstantLanes(double value) { return std::make_shared<ConstantArray>(value); }

std::shared_ptr<const Lanes> TensorLanes(Tensor tensor, NumberPart part) {
  return std::make_shared<TensorArray>(std::move(tensor), part);
}

const UnaryFunction* FindUnaryFunction(absl::string_view name) { return RowOf(kUnaryFunctions, name); }

std::shared_ptr<const Lanes> UnaryLanes(const UnaryFunction& function, std::shared_ptr<const Lanes> operand) {
  return std::make_shared<UnaryArray>(function.function, std::move(operand));
}

const BinaryFunction* FindBinaryFunction(absl::string_view name) { return RowOf(kBinaryFunctions, name); }

std::shared_ptr<const Lanes> BinaryLanes(const BinaryFunction& function, std::shared_ptr<const Lanes> left,
                                         bool left_is_scalar, std::shared_ptr<const Lanes> right,
                                         bool right_is_scalar) {
  return std::make_shared<BinaryArray>(function.function, std::move(left), left_is_scalar, std::move(right),
                                       right_is_scalar);
}

namespace {

// The "norm", "mean" or standard deviation ("std"), with lanes multiplied by a power of two while they are added.
double ScaledMoment(absl::string_view name, const Lanes& lanes, int64_t count, double scale, QuestionLimit& limit) {
  const double elements = static_cast<double>(count);
  double sum = 0, squares = 0, deviations = 0;
  ForEachLane(lanes, count, limit, [&](int64_t, double x) {
    sum += x * scale;
    squares += x * scale * (x * scale);
    return true;
  });
  if (name == "norm") return std::sqrt(squares) / scale;
  const double mean = sum / elements;
  if (name == "mean") return mean / scale;
  ForEachLane(lanes, count, limit, [&](int64_t, double x) {
    deviations += (x * scale - mean) * (x * scale - mean);
    return true;
  });
  return std::sqrt(deviations / elements) / scale;
}

}  // namespace

ReducedLanes ReduceLanes(absl::string_view name, const Lanes& lanes, int64_t count, bool with_nans,
                         QuestionLimit& limit) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  double extreme = nan, sum = 0, largest = 0;
  int64_t place = 0, known = 0, nonzero = 0, nans = 0;
  const bool least = name == "min" || name == "argmin";
  const bool any = name == "any", all = name == "all";
  ForEachLane(lanes, count, limit, [&](int64_t i, double x) {
    nonzero += x != 0 ? 1 : 0;
    if ((any && x != 0) || (all && x == 0)) return false;
    sum += x;
    if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
    if (std::isnan(x)) {
      ++nans;
      return true;
    }
    ++known;
    if (std::isnan(extreme) || (least ? x < extreme : x > extreme)) {
      extreme = x;
      place = i;
    }
    return true;
  });
  if (any) return {nonzero > 0 ? 1.0 : 0.0, true};
  if (all) return {nonzero == count ? 1.0 : 0.0, true};
  if (name == "count") return {static_cast<double>(nonzero), false};
  if (name == "sum") return {sum, false};
  if (name == "norm" || name == "mean" || name == "std") {
    FittingScale scale;
    scale.Fit(largest);
    return {ScaledMoment(name, lanes, count, scale.scale() > 0 ? scale.scale() : 1, limit), false};
  }
  if (name == "argmax" || name == "argmin") return {known > 0 ? static_cast<double>(place) : nan, false};
  return {with_nans && nans > 0 ? nan : extreme, false};
}

}  // namespace hloscope::evaluator
