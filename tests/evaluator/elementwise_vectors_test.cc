// SPDX-License-Identifier: Apache-2.0
// Every worked vector in tests/evaluator/data/elementwise_vectors.txt.
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "gtest/gtest.h"
#include "tests/support/element_values.h"
#include "tests/support/kernel_test_support.h"
#include "tests/support/shared_files.h"

namespace hloscope::evaluator {
namespace {

struct Vector {
  Opcode opcode = Opcode::kInvalid;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<ElementType> operand_types;
  ElementType result_type = ElementType::kInvalid;
  std::vector<std::vector<std::string>> operands;
  std::vector<std::string> expected;
  bool is_exact = true;
};

std::vector<std::string> WordsOfElementwiseVectors(absl::string_view text) {
  return absl::StrSplit(text, ' ', absl::SkipWhitespace());
}

// Null text fields make the test fail with the line's text.
bool ReadVector(absl::string_view line, Vector& vector) {
  const std::vector<absl::string_view> halves = absl::StrSplit(line, absl::MaxSplits(" : ", 1));
  if (halves.size() != 2) return false;
  std::vector<std::string> head = WordsOfElementwiseVectors(halves[0]);
  if (head.size() != 2) return false;

  std::vector<std::string> opcode_parts = absl::StrSplit(head[0], '{');
  const std::optional<Opcode> opcode = OpcodeFromName(opcode_parts[0]);
  if (!opcode) return false;
  vector.opcode = *opcode;
  if (opcode_parts.size() == 2) {
    for (absl::string_view attribute : absl::StrSplit(absl::StripSuffix(opcode_parts[1], "}"), ',')) {
      vector.attributes.push_back(absl::StrSplit(attribute, absl::MaxSplits('=', 1)));
    }
  }
  const std::vector<std::string> types = absl::StrSplit(head[1], "->");
  if (types.size() != 2 || !ElementTypeFromName(types[1])) return false;
  vector.result_type = *ElementTypeFromName(types[1]);
  for (absl::string_view name : absl::StrSplit(types[0], ',')) {
    if (!ElementTypeFromName(name)) return false;
    vector.operand_types.push_back(*ElementTypeFromName(name));
  }

  vector.is_exact = absl::StrContains(halves[1], " => ");
  const std::vector<absl::string_view> values = absl::StrSplit(halves[1], vector.is_exact ? " => " : " ~> ");
  if (values.size() != 2) return false;
  for (absl::string_view operand : absl::StrSplit(values[0], ';'))
    vector.operands.push_back(WordsOfElementwiseVectors(operand));
  vector.expected = WordsOfElementwiseVectors(values[1]);
  return vector.operands.size() == vector.operand_types.size();
}

bool AddAttributes(const Vector& vector, Module& module, InstructionId id) {
  for (const auto& [name, value] : vector.attributes) {
    const std::optional<AttributeKind> kind = AttributeFromName(vector.opcode, name);
    if (!kind) return false;
    if (InfoOf(*kind).type == AttributeType::kWord) {
      const std::optional<int> word = WordValue(InfoOf(*kind).enumeration, value);
      if (!word) return false;
      module.AddWord(id, *kind, *word);
    } else {
      int64_t number;
      if (!absl::SimpleAtoi(value, &number)) return false;
      module.AddInt(id, *kind, number);
    }
  }
  return true;
}

absl::StatusOr<Tensor> ReadTensor(ElementType type, const std::vector<std::string>& values) {
  absl::StatusOr<Tensor> tensor = Tensor::Allocate(type, {static_cast<int64_t>(values.size())});
  if (!tensor.ok()) return tensor;
  uint8_t* bytes = tensor->mutable_data();
  for (const std::string& value : values) {
    if (!ReadElement(type, value, bytes)) return absl::InvalidArgumentError(value);
    bytes += StorageBytes(type);
  }
  return tensor;
}

// Section 12.1.
int64_t AllowedUlps(const Vector& vector) {
  if (vector.is_exact) return 0;
  if (IsComplex(vector.result_type)) return 4;
  if (vector.result_type == ElementType::kF64) return 2;
  if (vector.result_type != ElementType::kF32) return 1;
  switch (vector.opcode) {
    case Opcode::kTan:
    case Opcode::kSinh:
    case Opcode::kCosh:
    case Opcode::kAsinh:
    case Opcode::kAcosh:
    case Opcode::kPower:
      return 2;
    default:
      return 1;
  }
}

void CheckVector(const Vector& vector) {
  const int64_t size = static_cast<int64_t>(vector.expected.size());
  std::vector<Shape> shapes;
  std::vector<Value> operands;
  for (size_t k = 0; k < vector.operands.size(); ++k) {
    ASSERT_EQ(vector.operands[k].size(), vector.expected.size());
    shapes.push_back(Shape::Array(vector.operand_types[k], {size}));
    absl::StatusOr<Tensor> tensor = ReadTensor(vector.operand_types[k], vector.operands[k]);
    ASSERT_TRUE(tensor.ok()) << tensor.status();
    operands.push_back(*std::move(tensor));
  }
  SingleInstruction instruction(vector.opcode, shapes, Shape::Array(vector.result_type, {size}));
  ASSERT_TRUE(AddAttributes(vector, instruction.module(), instruction.id()));
  absl::StatusOr<Value> result = instruction.Evaluate(operands);
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_TRUE(result->IsTensor());
  ASSERT_EQ(result->tensor().element_type(), vector.result_type);
  ASSERT_EQ(result->tensor().element_count(), size);

  for (int64_t i = 0; i < size; ++i) {
    const std::string& text = vector.expected[static_cast<size_t>(i)];
    uint8_t expected[16] = {};
    ASSERT_TRUE(ReadElement(vector.result_type, text, expected)) << text;
    const uint8_t* actual = result->tensor().At({i});
    EXPECT_TRUE(vector.is_exact ? ElementsIdentical(vector.result_type, actual, expected)
                                : ElementsWithin(vector.result_type, actual, expected, AllowedUlps(vector)))
        << "lane " << i << ": expected " << text << " = " << PrintElement(vector.result_type, expected) << ", got "
        << PrintElement(vector.result_type, actual);
  }
}

TEST(ElementwiseVectorsTest, EveryWorkedVectorHolds) {
  const std::string text =
      ReadFileOrDie(std::string(HLOSCOPE_SOURCE_DIR) + "/tests/evaluator/data/elementwise_vectors.txt");
  int count = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (line.empty() || absl::StartsWith(line, "# ") || line == "#") continue;
    SCOPED_TRACE(std::string(line));
    Vector vector;
    ASSERT_TRUE(ReadVector(line, vector));
    CheckVector(vector);
    ++count;
  }
  EXPECT_GT(count, 200);
}

}  // namespace
}  // namespace hloscope::evaluator
