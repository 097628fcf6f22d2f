// Nanoseconds per element of elementwise kernels on one thread: elementwise_bench [ELEMENTS].
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "evaluator/kernels/lane_function.h"
#include "tests/support/kernel_test_support.h"

namespace hloscope {
namespace {

struct Case {
  Opcode opcode;
  std::vector<ElementType> operands;
  ElementType result;
};

Tensor RandomTensor(ElementType type, int64_t size) {
  Tensor wide = *Tensor::Allocate(ElementType::kF32, {size});
  std::mt19937 random(1);
  for (int64_t i = 0; i < size; ++i) wide.mutable_data_as<float>()[i] = static_cast<float>(random() % 20001) / 10000.0f - 1.0f;
  Tensor tensor = *Tensor::Allocate(type, {size});
  const LaneOperand operand = {wide.data(), false};
  LaneFunction::Convert(ElementType::kF32, type)(&operand, tensor.mutable_data(), size);
  return tensor;
}

void Measure(const Case& test, int64_t size) {
  std::vector<Shape> shapes;
  std::vector<Value> operands;
  for (ElementType type : test.operands) {
    operands.push_back(RandomTensor(type, size));
    shapes.push_back(Shape::Array(type, {size}));
  }
  SingleInstruction instruction(test.opcode, shapes, Shape::Array(test.result, {size}));
  double best = 1e30;
  for (int repetition = 0; repetition < 7; ++repetition) {
    const auto start = std::chrono::steady_clock::now();
    if (const absl::StatusOr<Value> value = instruction.Evaluate(operands); !value.ok()) {
      std::fprintf(stderr, "%s\n", std::string(value.status().message()).c_str());
      std::exit(1);
    }
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::printf("%-24s %-8s -> %-8s %8.3f ns\n", std::string(OpcodeName(test.opcode)).c_str(),
              std::string(ElementTypeName(test.operands[0])).c_str(), std::string(ElementTypeName(test.result)).c_str(),
              best / static_cast<double>(size) * 1e9);
}

}  // namespace
}  // namespace hloscope

int main(int argc, char** argv) {
  using hloscope::ElementType;
  using hloscope::Opcode;
  const int64_t size = argc > 1 ? std::atoll(argv[1]) : 1 << 22;
  for (ElementType type : {ElementType::kF32, ElementType::kF64, ElementType::kBF16, ElementType::kF16, ElementType::kF8E4M3FN}) {
    for (Opcode opcode : {Opcode::kAdd, Opcode::kMultiply, Opcode::kDivide, Opcode::kMaximum, Opcode::kPower, Opcode::kRemainder}) {
      hloscope::Measure({opcode, {type, type}, type}, size);
    }
    for (Opcode opcode : {Opcode::kNegate, Opcode::kFloor, Opcode::kRoundNearestEven, Opcode::kRoundNearestAfz, Opcode::kSqrt, Opcode::kRsqrt,
                          Opcode::kExponential, Opcode::kExponentialMinusOne, Opcode::kLog, Opcode::kLogPlusOne,
                          Opcode::kLogistic, Opcode::kTanh, Opcode::kSine, Opcode::kCosine, Opcode::kTan, Opcode::kErf}) {
      hloscope::Measure({opcode, {type}, type}, size);
    }
    hloscope::Measure({Opcode::kCompare, {type, type}, ElementType::kPred}, size);
    hloscope::Measure({Opcode::kSelect, {ElementType::kPred, type, type}, type}, size);
    hloscope::Measure({Opcode::kConvert, {type}, type == ElementType::kF32 ? ElementType::kBF16 : ElementType::kF32}, size);
    hloscope::Measure({Opcode::kConvert, {type}, ElementType::kS32}, size);
  }
  for (ElementType type : {ElementType::kS32, ElementType::kS8, ElementType::kS4, ElementType::kU64}) {
    for (Opcode opcode : {Opcode::kAdd, Opcode::kMultiply, Opcode::kDivide, Opcode::kMaximum, Opcode::kShiftRightLogical}) {
      hloscope::Measure({opcode, {type, type}, type}, size);
    }
    hloscope::Measure({Opcode::kConvert, {type}, ElementType::kF32}, size);
  }
  for (Opcode opcode : {Opcode::kAdd, Opcode::kMultiply, Opcode::kDivide}) {
    hloscope::Measure({opcode, {ElementType::kC64, ElementType::kC64}, ElementType::kC64}, size);
  }
  hloscope::Measure({Opcode::kExponential, {ElementType::kC64}, ElementType::kC64}, size);
}
