// SPDX-License-Identifier: Apache-2.0
// Loops that are compiled to vectors (lane_loops_vector, _patched, _double, _convert) give what plain forms give of
// each element, wherever in a vector it is.
#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "evaluator/kernels/lanes/lane_function.h"
#include "gtest/gtest.h"
#include "numerics/elements/complex_functions.h"
#include "numerics/elements/conversion_functions.h"
#include "tests/support/element_values.h"

namespace hloscope::evaluator {
namespace {

template <typename T>
constexpr ElementType TypeOf() {
  return std::is_same_v<T, float>    ? ElementType::kF32
         : std::is_same_v<T, double> ? ElementType::kF64
                                     : ElementType::kC64;
}

LaneFunction LanesOf(Opcode opcode, ElementType type, size_t operands) {
  return *LaneFunction::Create(opcode, std::vector<ElementType>(operands, type), type);
}

template <typename T>
void Apply(const LaneFunction& function, const std::vector<const T*>& operands, size_t count, T* result) {
  std::vector<LaneOperand> lanes;
  for (const T* operand : operands) lanes.push_back({reinterpret_cast<const uint8_t*>(operand), false});
  function(lanes.data(), reinterpret_cast<uint8_t*>(result), static_cast<int64_t>(count));
}

// Equal bits, or NaN both.
template <typename T>
bool IsSame(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof(T)) == 0;
}
bool IsSame(std::complex<float> a, std::complex<float> b) {
  return IsSame(a.real(), b.real()) && IsSame(a.imag(), b.imag());
}

template <typename T>
std::vector<T> Specials() {
  using Limits = std::numeric_limits<T>;
  return {0,
          -T(0),
          1,
          -1,
          T(1.5),
          -3,
          Limits::infinity(),
          -Limits::infinity(),
          Limits::quiet_NaN(),
          Limits::max(),
          Limits::lowest(),
          Limits::max() / 3,
          Limits::min(),
          Limits::denorm_min(),
          -3 * Limits::denorm_min(),
          T(1e30)};
}

// Pairs of special numbers, of any numbers, and of numbers whose quotient is moderate, an integer or nearly a half.
template <typename T>
struct Pairs {
  std::vector<T> x, y;
};
template <typename T>
Pairs<T> SomePairs(size_t count) {
  Pairs<T> pairs;
  const auto add = [&](T x, T y) {
    pairs.x.push_back(x);
    pairs.y.push_back(y);
  };
  for (T x : Specials<T>()) {
    for (T y : Specials<T>()) add(x, y);
  }
  std::mt19937_64 random(7);
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  const auto any = [&] { return std::bit_cast<T>(static_cast<Bits>(random())); };
  std::uniform_real_distribution<T> mantissa(1, 2);
  const auto scaled = [&](int most) {
    const T size = std::ldexp(mantissa(random), static_cast<int>(random() % static_cast<uint64_t>(most)) - 2);
    return random() % 2 == 0 ? size : -size;
  };
  while (pairs.x.size() < count) {
    add(any(), any());
    const T y = any();
    add(y * scaled(32), y);
    add(y * static_cast<T>(random() % 100000), y);
    add(std::nextafter(y * (static_cast<T>(random() % 1000) + T(0.5)), y), y);
    const T tiny = std::numeric_limits<T>::denorm_min() * static_cast<T>(random() % 5000);
    add(tiny * scaled(12), tiny);
    // Longer runs that no irregular pair interrupts.
    for (int k = 0; k < 400 && pairs.x.size() % 7000 > 3000; ++k) add(scaled(12), scaled(12));
  }
  return pairs;
}

template <typename T>
void CheckRemainders() {
  const Pairs<T> pairs = SomePairs<T>(200000);
  const LaneFunction remainder = LanesOf(Opcode::kRemainder, TypeOf<T>(), 2);
  std::vector<T> results(pairs.x.size());
  Apply<T>(remainder, {pairs.x.data(), pairs.y.data()}, results.size(), results.data());
  for (size_t i = 0; i < results.size(); ++i) {
    const T expected = std::fmod(pairs.x[i], pairs.y[i]);
    ASSERT_TRUE(IsSame(results[i], expected))
        << pairs.x[i] << " rem " << pairs.y[i] << ": expected " << expected << ", got " << results[i];
  }
}
TEST(VectorLanesTest, RemaindersAreThoseOfTheLibrary) {
  CheckRemainders<float>();
  CheckRemainders<double>();
}

// Those of all elements together are those of single ones.
template <typename T>
void ExpectSameOfSingles(Opcode opcode, const std::vector<const T*>& operands, size_t count) {
  SCOPED_TRACE(OpcodeName(opcode));
  const LaneFunction function = LanesOf(opcode, TypeOf<T>(), operands.size());
  std::vector<T> results(count);
  Apply(function, operands, count, results.data());
  for (size_t i = 0; i < count; ++i) {
    std::vector<const T*> single = operands;
    for (const T*& operand : single) operand += i;
    T expected;
    Apply(function, single, 1, &expected);
    ASSERT_TRUE(IsSame(results[i], expected)) << "element " << i << ": " << results[i] << ", alone " << expected;
  }
}
// One number for all lanes is what the same number in each lane is.
template <typename T>
void ExpectSameOfRepeated(Opcode opcode, const std::vector<T>& x, T one) {
  SCOPED_TRACE(OpcodeName(opcode));
  const LaneFunction function = LanesOf(opcode, TypeOf<T>(), 2);
  const std::vector<T> repeated(x.size(), one);
  std::vector<T> results(x.size()), expected(x.size());
  const auto data = [](const T* numbers) { return reinterpret_cast<const uint8_t*>(numbers); };
  for (const bool is_first : {true, false}) {
    const LaneOperand some = {data(x.data()), false}, uniform = {data(&one), true};
    const LaneOperand operands[] = {is_first ? uniform : some, is_first ? some : uniform};
    function(operands, reinterpret_cast<uint8_t*>(results.data()), static_cast<int64_t>(x.size()));
    Apply<T>(function, {(is_first ? repeated : x).data(), (is_first ? x : repeated).data()}, x.size(), expected.data());
    for (size_t i = 0; i < x.size(); ++i) ASSERT_TRUE(IsSame(results[i], expected[i])) << x[i] << ", " << one;
  }
}
template <typename T>
void CheckPlaces() {
  const Pairs<T> pairs = SomePairs<T>(20011);
  std::vector<T> moderate(pairs.x);
  for (T& x : moderate) x = std::fmod(x, T(20));
  for (const Opcode opcode :
       {Opcode::kExponential, Opcode::kExponentialMinusOne, Opcode::kLog, Opcode::kLogPlusOne, Opcode::kLogistic,
        Opcode::kSqrt, Opcode::kRsqrt, Opcode::kSine, Opcode::kCosine, Opcode::kTan, Opcode::kTanh, Opcode::kErf}) {
    ExpectSameOfSingles<T>(opcode, {pairs.x.data()}, pairs.x.size());
    ExpectSameOfSingles<T>(opcode, {moderate.data()}, moderate.size());
  }
  for (const Opcode opcode : {Opcode::kRemainder, Opcode::kAtan2, Opcode::kPower}) {
    ExpectSameOfSingles<T>(opcode, {pairs.x.data(), pairs.y.data()}, pairs.x.size());
    ExpectSameOfRepeated<T>(opcode, moderate, T(2.75));
  }
}
TEST(VectorLanesTest, ThePlaceOfAnElementDoesNotMatter) {
  CheckPlaces<float>();
  CheckPlaces<double>();
}

template <typename T>
void CheckAngles(int64_t ulps) {
  const Pairs<T> pairs = SomePairs<T>(100000);
  const LaneFunction atan2 = LanesOf(Opcode::kAtan2, TypeOf<T>(), 2);
  std::vector<T> results(pairs.x.size());
  Apply<T>(atan2, {pairs.x.data(), pairs.y.data()}, results.size(), results.data());
  for (size_t i = 0; i < results.size(); ++i) {
    const T expected =
        static_cast<T>(std::atan2(static_cast<long double>(pairs.x[i]), static_cast<long double>(pairs.y[i])));
    ASSERT_TRUE(ElementsWithin(TypeOf<T>(), reinterpret_cast<const uint8_t*>(&results[i]),
                               reinterpret_cast<const uint8_t*>(&expected), ulps))
        << "atan2(" << pairs.x[i] << ", " << pairs.y[i] << "): expected " << expected << ", got " << results[i];
    ASSERT_TRUE(std::isnan(expected) || std::signbit(results[i]) == std::signbit(expected));
  }
}
TEST(VectorLanesTest, Angles) {
  CheckAngles<float>(1);
  CheckAngles<double>(2);
}

using ComplexNumber = std::complex<float>;

std::vector<ComplexNumber> SomeComplex(const std::vector<float>& numbers, uint32_t seed) {
  std::vector<float> parts = numbers;
  std::shuffle(parts.begin(), parts.end(), std::mt19937(seed));
  std::vector<ComplexNumber> some;
  for (size_t i = 0; i < numbers.size(); ++i) some.emplace_back(numbers[i], parts[i]);
  return some;
}

TEST(VectorLanesTest, QuotientsOfComplexNumbers) {
  const Pairs<float> pairs = SomePairs<float>(100000);
  const std::vector<ComplexNumber> z = SomeComplex(pairs.x, 1), w = SomeComplex(pairs.y, 2);
  std::vector<ComplexNumber> results(z.size());
  Apply<ComplexNumber>(LanesOf(Opcode::kDivide, ElementType::kC64, 2), {z.data(), w.data()}, z.size(), results.data());
  for (size_t i = 0; i < z.size(); ++i) {
    const ComplexNumber expected = numerics::complex_functions::FullQuotient(z[i], w[i]);
    ASSERT_TRUE(IsSame(results[i], expected))
        << z[i] << " / " << w[i] << ": expected " << expected << ", got " << results[i];
  }
}

TEST(VectorLanesTest, ExponentialsOfComplexNumbers) {
  const Pairs<float> pairs = SomePairs<float>(100000);
  std::vector<ComplexNumber> z = SomeComplex(pairs.x, 1);
  std::mt19937 random(3);
  std::uniform_real_distribution<float> moderate(-100, 100);
  for (size_t i = 0; i < z.size(); ++i) {
    if (i % 4 != 0) z[i] = {moderate(random), moderate(random)};
  }
  std::vector<ComplexNumber> results(z.size());
  Apply<ComplexNumber>(LanesOf(Opcode::kExponential, ElementType::kC64, 1), {z.data()}, z.size(), results.data());
  for (size_t i = 0; i < z.size(); ++i) {
    const ComplexNumber expected(std::exp(std::complex<double>(z[i])));
    const auto check = [&](float got, float exact) {
      ASSERT_TRUE(ElementsWithin(ElementType::kF32, reinterpret_cast<const uint8_t*>(&got),
                                 reinterpret_cast<const uint8_t*>(&exact), 1))
          << "e^" << z[i] << ": expected " << expected << ", got " << results[i];
      ASSERT_TRUE(std::isnan(exact) || std::signbit(got) == std::signbit(exact)) << z[i];
    };
    check(results[i].real(), expected.real());
    check(results[i].imag(), expected.imag());
  }
  ExpectSameOfSingles<ComplexNumber>(Opcode::kExponential, {z.data()}, 5000);
}

template <typename Out>
void CheckConversion(ElementType to, const std::vector<float>& x) {
  SCOPED_TRACE(ElementTypeName(to));
  std::vector<Out> results(x.size());
  const LaneOperand operand = {reinterpret_cast<const uint8_t*>(x.data()), false};
  LaneFunction::Convert(ElementType::kF32, to)(&operand, reinterpret_cast<uint8_t*>(results.data()),
                                               static_cast<int64_t>(x.size()));
  const double largest = std::ldexp(1.0, BitWidth(to) - (std::is_signed_v<Out> ? 1 : 0)) - 1;
  const double smallest = std::is_signed_v<Out> ? -largest - 1 : 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double limited = std::clamp(std::trunc(static_cast<double>(x[i])), smallest, largest);
    const int64_t expected = std::isnan(x[i]) ? 0 : static_cast<int64_t>(limited);
    ASSERT_EQ(static_cast<int64_t>(results[i]), expected) << x[i];
  }
}
TEST(VectorLanesTest, ConversionsToIntegersSaturate) {
  std::vector<float> x = SomePairs<float>(20000).x;
  for (const float limit : {0.0f, 8.0f, 15.0f, 128.0f, 255.0f, 32768.0f, 65536.0f, 0x1p31f, 0x1p32f}) {
    for (const float sign : {1.0f, -1.0f}) {
      const float end = sign * limit;
      for (const float step : {-1.5f, -1.0f, -0.5f, 0.0f, 0.5f, 1.0f, 1.5f}) x.push_back(end + step);
      x.push_back(std::nextafter(end, 0.0f));
      x.push_back(std::nextafter(end, 2 * end));
    }
  }
  CheckConversion<int8_t>(ElementType::kS8, x);
  CheckConversion<int8_t>(ElementType::kS4, x);
  CheckConversion<uint8_t>(ElementType::kU8, x);
  CheckConversion<uint8_t>(ElementType::kU4, x);
  CheckConversion<int16_t>(ElementType::kS16, x);
  CheckConversion<uint16_t>(ElementType::kU16, x);
  CheckConversion<int32_t>(ElementType::kS32, x);
  CheckConversion<uint32_t>(ElementType::kU32, x);
}

}  // namespace
}  // namespace hloscope::evaluator
