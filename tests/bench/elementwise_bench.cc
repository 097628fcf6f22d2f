// SPDX-License-Identifier: Apache-2.0
// Elementwise kernels on one thread: nanoseconds per element, without budgets.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "evaluator/kernels/lanes/lane_function.h"
#include "tests/bench/bench.h"
#include "tests/support/kernel_test_support.h"

namespace hloscope::bench {
namespace {

constexpr int64_t kElements = 1 << 20;

struct Case {
  Opcode opcode;
  std::vector<ElementType> operands;
  ElementType result;
};

evaluator::Tensor RandomTensor(ElementType type, int64_t size) {
  evaluator::Tensor wide = *evaluator::Tensor::Allocate(ElementType::kF32, {size});
  std::mt19937 random(1);
  for (int64_t i = 0; i < size; ++i)
    wide.mutable_data_as<float>()[i] = static_cast<float>(random() % 20001) / 10000.0f - 1.0f;
  evaluator::Tensor tensor = *evaluator::Tensor::Allocate(type, {size});
  const evaluator::LaneOperand operand = {wide.data(), false};
  evaluator::LaneFunction::Convert(ElementType::kF32, type)(&operand, tensor.mutable_data(), size);
  return tensor;
}

void Measure(Report& report, const Case& test) {
  std::vector<Shape> shapes;
  std::vector<evaluator::Value> operands;
  for (ElementType type : test.operands) {
    operands.push_back(RandomTensor(type, kElements));
    shapes.push_back(Shape::Array(type, {kElements}));
  }
  SingleInstruction instruction(test.opcode, shapes, Shape::Array(test.result, {kElements}));
  const double seconds = MedianSeconds(5, [&] {
    if (const absl::StatusOr<evaluator::Value> value = instruction.Evaluate(operands); !value.ok()) {
      std::fprintf(stderr, "%s\n", value.status().ToString().c_str());
      std::exit(1);
    }
  });
  report.Info(absl::StrCat(OpcodeName(test.opcode), " of ", ElementTypeName(test.operands[0]), " to ",
                           ElementTypeName(test.result)),
              seconds / static_cast<double>(kElements) * 1e9, "ns/element");
}

}  // namespace

void BenchElementwise(Report& report) {
  report.Section("Elementwise kernels, one thread");
  for (ElementType type : {ElementType::kF32, ElementType::kF64, ElementType::kBF16, ElementType::kF16}) {
    for (Opcode opcode : {Opcode::kAdd, Opcode::kDivide, Opcode::kMaximum, Opcode::kPower}) {
      Measure(report, {opcode, {type, type}, type});
    }
    for (Opcode opcode : {Opcode::kFloor, Opcode::kSqrt, Opcode::kExponential, Opcode::kLog, Opcode::kLogistic,
                          Opcode::kTanh, Opcode::kSine, Opcode::kErf}) {
      Measure(report, {opcode, {type}, type});
    }
    Measure(report, {Opcode::kSelect, {ElementType::kPred, type, type}, type});
    Measure(report, {Opcode::kConvert, {type}, type == ElementType::kF32 ? ElementType::kBF16 : ElementType::kF32});
  }
  for (ElementType type : {ElementType::kS32, ElementType::kS8, ElementType::kS4}) {
    for (Opcode opcode : {Opcode::kAdd, Opcode::kDivide}) Measure(report, {opcode, {type, type}, type});
  }
  for (Opcode opcode : {Opcode::kMultiply, Opcode::kDivide}) {
    Measure(report, {opcode, {ElementType::kC64, ElementType::kC64}, ElementType::kC64});
  }
}

}  // namespace hloscope::bench
