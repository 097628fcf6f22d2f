// SPDX-License-Identifier: Apache-2.0
// rng-bit-generator, rng and rng-get-and-update-state (docs/ops/elementwise.md 11).
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "numerics/random/random_bits.h"
#include "tests/support/element_values.h"
#include "tests/support/kernel_test_support.h"
#include "tests/support/shared_files.h"

namespace hloscope::evaluator {
namespace {

TEST(RandomBitsTest, ThreeFryCheckValues) {
  const auto check = [](uint64_t key, uint64_t counter, uint32_t expected0, uint32_t expected1) {
    uint32_t x0, x1;
    numerics::ThreeFryBlocks(key, counter, 1, &x0, &x1);
    EXPECT_EQ(x0, expected0);
    EXPECT_EQ(x1, expected1);
  };
  check(0, 0, 0x6b200159, 0x99ba4efe);
  check(~uint64_t{0}, ~uint64_t{0}, 0x1cb996fc, 0xbb002be7);
  check(0x0370734413198a2e, 0x85a308d3243f6a88, 0xc4923a9c, 0x483df7a0);
}

TEST(RandomBitsTest, PhiloxCheckValues) {
  const auto check = [](uint64_t key, const RandomCounter& counter, std::vector<uint32_t> expected) {
    std::vector<uint32_t> words(4);
    numerics::PhiloxWords(key, counter, 0, 4, words.data());
    EXPECT_EQ(words, expected);
  };
  check(0, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  check(0x299f31d0a4093822, {0x85a308d3243f6a88, 0x0370734413198a2e}, {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST(RandomBitsTest, AnyPartOfAStreamIsThatPartOfTheWholeStream) {
  const RandomCounter counter = {~uint64_t{0} - 3, 5};  // the carry happens inside
  std::vector<uint32_t> whole(400);
  numerics::PhiloxWords(9, counter, 0, 400, whole.data());
  for (int64_t first : {0, 1, 3, 63, 64, 65, 130}) {
    for (int64_t count : {0, 1, 2, 63, 64, 65, 200}) {
      std::vector<uint32_t> part(static_cast<size_t>(count));
      numerics::PhiloxWords(9, counter, first, count, part.data());
      EXPECT_EQ(part, std::vector<uint32_t>(whole.begin() + first, whole.begin() + first + count));
    }
  }
}

std::vector<std::string> WordsOfRandom(absl::string_view text) {
  return absl::StrSplit(text, ' ', absl::SkipWhitespace());
}

Tensor ReadTensor(ElementType type, absl::Span<const int64_t> dimensions, const std::vector<std::string>& words) {
  Tensor tensor = *Tensor::Allocate(type, dimensions);
  EXPECT_EQ(tensor.element_count(), static_cast<int64_t>(words.size()));
  uint8_t* bytes = tensor.mutable_data();
  for (const std::string& word : words) {
    EXPECT_TRUE(ReadElement(type, word, bytes)) << word;
    bytes += StorageBytes(type);
  }
  return tensor;
}

// "u16[3,2]".
Shape ReadShape(absl::string_view text) {
  const std::vector<absl::string_view> parts = absl::StrSplit(text, absl::ByAnyChar("[]"));
  std::vector<int64_t> dimensions;
  for (absl::string_view size : absl::StrSplit(parts[1], ',', absl::SkipEmpty())) {
    dimensions.push_back(0);
    EXPECT_TRUE(absl::SimpleAtoi(size, &dimensions.back()));
  }
  return Shape::Array(*ElementTypeFromName(parts[0]), dimensions);
}

TEST(RngBitGeneratorTest, EveryWorkedVectorHolds) {
  const std::string text = ReadFileOrDie(std::string(HLOSCOPE_SOURCE_DIR) + "/tests/evaluator/data/random_vectors.txt");
  int count = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (line.empty() || line.front() == '#') continue;
    SCOPED_TRACE(std::string(line));
    const std::vector<absl::string_view> sides = absl::StrSplit(line, " => ");
    ASSERT_EQ(sides.size(), 2u);
    std::vector<std::string> head = WordsOfRandom(sides[0]);
    const std::optional<int> algorithm = WordValue(Enumeration::kRandomAlgorithm, head[0]);
    ASSERT_TRUE(algorithm.has_value());
    head.erase(head.begin());
    const std::vector<absl::string_view> result = absl::StrSplit(sides[1], " :");
    ASSERT_EQ(result.size(), 3u);

    const Tensor state = ReadTensor(ElementType::kU64, {static_cast<int64_t>(head.size())}, head);
    const Shape data_shape = ReadShape(WordsOfRandom(result[0])[0]);
    SingleInstruction instruction(Opcode::kRngBitGenerator, {state.shape()}, Shape::Tuple({state.shape(), data_shape}));
    instruction.module().AddWord(instruction.id(), AttributeKind::kRngAlgorithm, *algorithm);
    const absl::StatusOr<Value> value = instruction.Evaluate({Value(state)});
    ASSERT_TRUE(value.ok()) << value.status();
    ASSERT_EQ(value->elements().size(), 2u);
    EXPECT_TRUE(value->elements()[0].tensor().BitwiseEqual(
        ReadTensor(ElementType::kU64, state.dimensions(), WordsOfRandom(result[1]))));
    EXPECT_TRUE(value->elements()[1].tensor().BitwiseEqual(
        ReadTensor(data_shape.element_type(), data_shape.dimensions(), WordsOfRandom(result[2]))));
    ++count;
  }
  EXPECT_EQ(count, 18);
}

TEST(RngBitGeneratorTest, LargeArraysDoNotDependOnHowTheyAreSplit) {
  // Blocks of the loops end inside rows and Philox blocks here.
  const uint64_t numbers[] = {7, 42};
  const Tensor state = *Tensor::FromValues<uint64_t>(ElementType::kU64, {2}, numbers);
  const std::vector<int64_t> dimensions = {301, 5, 67};
  const Shape data = Shape::Array(ElementType::kU32, dimensions);
  SingleInstruction instruction(Opcode::kRngBitGenerator, {state.shape()}, Shape::Tuple({state.shape(), data}));
  instruction.module().AddWord(instruction.id(), AttributeKind::kRngAlgorithm,
                               static_cast<int>(RandomAlgorithm::kThreeFry));
  const absl::StatusOr<Value> value = instruction.Evaluate({Value(state)});
  ASSERT_TRUE(value.ok()) << value.status();
  const uint32_t* words = value->elements()[1].tensor().data_as<uint32_t>();
  // All sizes are odd: dimension 0 is the largest and is split.
  for (int64_t i : {0, 1, 150, 299, 300}) {
    for (int64_t inner : {0, 66, 67, 200, 334}) {
      uint32_t x0, x1;
      numerics::ThreeFryBlocks(7, 42 + static_cast<uint64_t>(i / 2 * 335 + inner), 1, &x0, &x1);
      EXPECT_EQ(words[i * 335 + inner], i % 2 == 0 ? x0 : x1) << i << " " << inner;
    }
  }
}

TEST(RngGetAndUpdateStateTest, CountsPerInstructionWithCarry) {
  const Shape shape = Shape::Array(ElementType::kU64, {2});
  SingleInstruction instruction(Opcode::kRngGetAndUpdateState, {}, shape);
  instruction.module().AddInt(instruction.id(), AttributeKind::kDelta, 3);
  SerialRuntime runtime;
  for (uint64_t expected : {117515157u, 117515160u}) {
    const absl::StatusOr<Value> value = instruction.Evaluate({}, runtime);
    ASSERT_TRUE(value.ok()) << value.status();
    EXPECT_EQ(value->tensor().data_as<uint64_t>()[0], expected);
    EXPECT_EQ(value->tensor().data_as<uint64_t>()[1], 0u);
  }
  EXPECT_EQ(runtime.AdvanceRandomCounter(InstructionId(77), ~uint64_t{0}), (RandomCounter{117515157, 0}));
  EXPECT_EQ(runtime.AdvanceRandomCounter(InstructionId(77), 0), (RandomCounter{117515156, 1}));
}

// A runtime whose key for every instruction is 0x0123456789abcdef.
class KeyedRuntime : public SerialRuntime {
 public:
  uint64_t random_seed() const override { return uint64_t{0x0123456789abcdef}; }
  uint64_t NumberStream(const Module&, InstructionId) override { return 0; }
};

absl::StatusOr<Value> Rng(RandomDistribution distribution, ElementType type, absl::Span<const int64_t> dimensions,
                          absl::string_view a, absl::string_view b, KernelRuntime& runtime) {
  const Shape scalar = Shape::Scalar(type);
  SingleInstruction instruction(Opcode::kRng, {scalar, scalar}, Shape::Array(type, dimensions));
  instruction.module().AddWord(instruction.id(), AttributeKind::kDistribution, static_cast<int>(distribution));
  return instruction.Evaluate(
      {Value(ReadTensor(type, {}, {std::string(a)})), Value(ReadTensor(type, {}, {std::string(b)}))}, runtime);
}

void ExpectNumbers(const absl::StatusOr<Value>& value, std::vector<double> expected, double tolerance) {
  ASSERT_TRUE(value.ok()) << value.status();
  const Tensor& tensor = value->tensor();
  ASSERT_EQ(tensor.element_count(), static_cast<int64_t>(expected.size()));
  for (size_t i = 0; i < expected.size(); ++i) {
    const uint8_t* element = tensor.At({static_cast<int64_t>(i)});
    double actual = 0;
    switch (tensor.element_type()) {
      case ElementType::kF32:
        actual = static_cast<double>(*reinterpret_cast<const float*>(element));
        break;
      case ElementType::kF64:
        actual = *reinterpret_cast<const double*>(element);
        break;
      case ElementType::kS32:
        actual = *reinterpret_cast<const int32_t*>(element);
        break;
      case ElementType::kS8:
        actual = *reinterpret_cast<const int8_t*>(element);
        break;
      default:
        FAIL();
    }
    EXPECT_NEAR(actual, expected[i], tolerance) << i;
  }
}

TEST(RngTest, WorkedNumbers) {
  KeyedRuntime runtimes[6];  // fresh counters for each
  constexpr auto kUniform = RandomDistribution::kUniform;
  // The bits of the f32 numbers, exactly.
  ExpectNumbers(Rng(kUniform, ElementType::kF32, {4}, "0", "1", runtimes[0]),
                {0x1.87413ap-2, static_cast<double>(0.7925669f), static_cast<double>(0.1375823f),
                 static_cast<double>(0.6972103f)},
                1e-7);
  ExpectNumbers(Rng(kUniform, ElementType::kF32, {4}, "-2", "6", runtimes[1]),
                {1.0566778, 4.340535, -0.8993416, 3.5776825}, 1e-6);
  ExpectNumbers(Rng(kUniform, ElementType::kF64, {2}, "0", "1", runtimes[2]), {0.7925670036073038, 0.6972103959735441},
                1e-16);
  ExpectNumbers(Rng(kUniform, ElementType::kS32, {4}, "0", "100", runtimes[3]), {76, 60, 93, 49}, 0);
  ExpectNumbers(Rng(kUniform, ElementType::kS32, {4}, "-5", "5", runtimes[4]), {1, -5, -2, 4}, 0);
  ExpectNumbers(Rng(RandomDistribution::kNormal, ElementType::kF32, {4}, "0", "1", runtimes[5]),
                {-1.337846, 0.366598, -1.883188, -0.648591}, 1e-5);
}

TEST(RngTest, NarrowTypesUseThirtyTwoBits) {
  KeyedRuntime runtime;
  ExpectNumbers(Rng(RandomDistribution::kUniform, ElementType::kS8, {4}, "-5", "5", runtime), {1, -5, -2, 4}, 0);
  const absl::StatusOr<Value> half = Rng(RandomDistribution::kUniform, ElementType::kBF16, {3}, "0", "1", runtime);
  ASSERT_TRUE(half.ok()) << half.status();
  EXPECT_EQ(half->tensor().element_type(), ElementType::kBF16);
}

TEST(RngTest, EmptyIntegerRangesAreErrors) {
  SerialRuntime runtime;
  const absl::StatusOr<Value> value = Rng(RandomDistribution::kUniform, ElementType::kS32, {4}, "5", "5", runtime);
  EXPECT_EQ(value.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(value.status().message(), "rng: empty range [5,5)");
}

TEST(RngTest, NormalNumbersHaveTheirMoments) {
  SerialRuntime runtime;
  const absl::StatusOr<Value> value = Rng(RandomDistribution::kNormal, ElementType::kF64, {101, 99}, "3", "2", runtime);
  ASSERT_TRUE(value.ok()) << value.status();
  const int64_t count = value->tensor().element_count();
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double x = value->tensor().data_as<double>()[i];
    sum += x;
    squares += (x - 3) * (x - 3);
  }
  EXPECT_NEAR(sum / static_cast<double>(count), 3, 0.1);
  EXPECT_NEAR(squares / static_cast<double>(count), 4, 0.2);
}

}  // namespace
}  // namespace hloscope::evaluator
