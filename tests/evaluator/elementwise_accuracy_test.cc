// SPDX-License-Identifier: Apache-2.0
// The accuracy of transcendental functions (docs/ops/elementwise.md 12.1) over the whole range of arguments, against
// the C library's long double functions.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "evaluator/kernels/lanes/lane_function.h"
#include "gtest/gtest.h"
#include "tests/support/element_values.h"

namespace hloscope::evaluator {
namespace {

struct Function {
  Opcode opcode;
  long double (*exact)(long double);
  int64_t f32_ulps;
};

const Function kFunctions[] = {
    {Opcode::kExponential, [](long double x) { return std::exp(x); }, 1},
    {Opcode::kExponentialMinusOne, [](long double x) { return std::expm1(x); }, 1},
    {Opcode::kLog, [](long double x) { return std::log(x); }, 1},
    {Opcode::kLogPlusOne, [](long double x) { return std::log1p(x); }, 1},
    {Opcode::kSqrt, [](long double x) { return std::sqrt(x); }, 0},
    {Opcode::kRsqrt, [](long double x) { return 1 / std::sqrt(x); }, 1},
    {Opcode::kCbrt, [](long double x) { return std::cbrt(x); }, 0},
    {Opcode::kSine, [](long double x) { return std::sin(x); }, 1},
    {Opcode::kCosine, [](long double x) { return std::cos(x); }, 1},
    {Opcode::kTan, [](long double x) { return std::tan(x); }, 2},
    {Opcode::kAsin, [](long double x) { return std::asin(x); }, 1},
    {Opcode::kAcos, [](long double x) { return std::acos(x); }, 1},
    {Opcode::kSinh, [](long double x) { return std::sinh(x); }, 2},
    {Opcode::kCosh, [](long double x) { return std::cosh(x); }, 2},
    {Opcode::kTanh, [](long double x) { return std::tanh(x); }, 1},
    {Opcode::kAsinh, [](long double x) { return std::asinh(x); }, 2},
    {Opcode::kAcosh, [](long double x) { return std::acosh(x); }, 2},
    {Opcode::kAtanh, [](long double x) { return std::atanh(x); }, 1},
    {Opcode::kErf, [](long double x) { return std::erf(x); }, 1},
};

// Numbers of every exponent, and more where functions bend.
template <typename T>
std::vector<T> Arguments(size_t count) {
  std::mt19937_64 random(3);
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  std::vector<T> arguments = {0,
                              -T(0),
                              1,
                              -1,
                              kInfinity,
                              -kInfinity,
                              std::numeric_limits<T>::quiet_NaN(),
                              T(0.5),
                              2,
                              3,
                              std::numeric_limits<T>::max(),
                              std::numeric_limits<T>::denorm_min(),
                              std::numeric_limits<T>::min()};
  std::uniform_real_distribution<T> around_zero(-4, 4), moderate(-110, 110), near_one(T(0.9), T(1.1)),
      angles(-100000, 100000);
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  while (arguments.size() < count) {
    arguments.push_back(std::bit_cast<T>(static_cast<Bits>(random())));
    arguments.push_back(around_zero(random));
    arguments.push_back(moderate(random));
    arguments.push_back(near_one(random));
    arguments.push_back(angles(random));
  }
  return arguments;
}

template <typename T>
void CheckFunction(const Function& function, ElementType type, int64_t ulps, const std::vector<T>& arguments) {
  SCOPED_TRACE(OpcodeName(function.opcode));
  const absl::StatusOr<LaneFunction> lanes = LaneFunction::Create(function.opcode, {type}, type);
  ASSERT_TRUE(lanes.ok()) << lanes.status();
  std::vector<T> results(arguments.size());
  const LaneOperand operand = {reinterpret_cast<const uint8_t*>(arguments.data()), false};
  (*lanes)(&operand, reinterpret_cast<uint8_t*>(results.data()), static_cast<int64_t>(arguments.size()));
  int failures = 0;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const T expected = static_cast<T>(function.exact(static_cast<long double>(arguments[i])));
    const uint8_t* actual = reinterpret_cast<const uint8_t*>(&results[i]);
    if (ElementsWithin(type, actual, reinterpret_cast<const uint8_t*>(&expected), ulps)) continue;
    ADD_FAILURE() << "of " << arguments[i] << ": expected " << expected << ", got " << results[i];
    if (++failures == 5) return;
  }
}

TEST(ElementwiseAccuracyTest, SinglePrecision) {
  const std::vector<float> arguments = Arguments<float>(200000);
  for (const Function& function : kFunctions) CheckFunction(function, ElementType::kF32, function.f32_ulps, arguments);
}

TEST(ElementwiseAccuracyTest, DoublePrecision) {
  const std::vector<double> arguments = Arguments<double>(40000);
  for (const Function& function : kFunctions) {
    // A reference of 64 bits of mantissa is rounded twice itself.
    CheckFunction(function, ElementType::kF64, function.opcode == Opcode::kSqrt ? 1 : 2, arguments);
  }
}

TEST(ElementwiseAccuracyTest, Power) {
  const absl::StatusOr<LaneFunction> lanes =
      LaneFunction::Create(Opcode::kPower, {ElementType::kF32, ElementType::kF32}, ElementType::kF32);
  ASSERT_TRUE(lanes.ok()) << lanes.status();
  std::vector<float> bases = Arguments<float>(100000), exponents = Arguments<float>(100000);
  std::shuffle(exponents.begin(), exponents.end(), std::mt19937(4));
  // Integral exponents, also of negative bases.
  for (size_t i = 0; i < exponents.size(); i += 3) exponents[i] = std::nearbyint(std::fmod(exponents[i], 20.0f));
  std::vector<float> results(bases.size());
  const auto check = [&](size_t first, size_t count) {
    const LaneOperand operands[] = {{reinterpret_cast<const uint8_t*>(&bases[first]), false},
                                    {reinterpret_cast<const uint8_t*>(&exponents[first]), false}};
    (*lanes)(operands, reinterpret_cast<uint8_t*>(&results[first]), static_cast<int64_t>(count));
  };
  // Short runs: some without irregular lanes, some with.
  for (size_t first = 0; first < bases.size(); first += 5) check(first, std::min<size_t>(5, bases.size() - first));
  for (size_t i = 0; i < bases.size(); ++i) {
    const float expected =
        static_cast<float>(std::pow(static_cast<long double>(bases[i]), static_cast<long double>(exponents[i])));
    ASSERT_TRUE(ElementsWithin(ElementType::kF32, reinterpret_cast<const uint8_t*>(&results[i]),
                               reinterpret_cast<const uint8_t*>(&expected), 2))
        << bases[i] << "^" << exponents[i] << ": expected " << expected << ", got " << results[i];
  }
}

}  // namespace
}  // namespace hloscope::evaluator
