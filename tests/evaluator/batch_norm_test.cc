// SPDX-License-Identifier: Apache-2.0
// Batch normalization of arrays in any order in memory, against the plain formulas of one feature.
#include "numerics/normalization/batch_norm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "evaluator/kernels/indexing/memory_order.h"
#include "evaluator/tensor/summary.h"
#include "gtest/gtest.h"
#include "numerics/elements/numeric.h"
#include "tests/support/kernel_test_support.h"
#include "tests/support/module_evaluation.h"

namespace hloscope::evaluator {
namespace {

constexpr float kEpsilon = 0.125F;

class BatchNormTest : public ::testing::Test {
 protected:
  int64_t Random(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random_); }

  Tensor OfNumbers(absl::Span<const int64_t> sizes, const std::vector<double>& numbers) const {
    const std::vector<float> rounded(numbers.begin(), numbers.end());
    if (type_ == ElementType::kF32) return *Tensor::FromValues<float>(type_, sizes, rounded);
    std::vector<uint16_t> bits;
    for (float x : rounded) {
      bits.push_back(type_ == ElementType::kBF16 ? numerics::FloatToBf16(x) : numerics::FloatToF16(x));
    }
    return *Tensor::FromValues<uint16_t>(type_, sizes, bits);
  }

  // Around `center`, in the order in memory that `order` names.
  Tensor RandomTensor(const DimensionVector& sizes, const DimensionVector& order, float center, float low = -2) {
    DimensionVector stored;
    for (int64_t d : order) stored.push_back(sizes[static_cast<size_t>(d)]);
    std::uniform_real_distribution<float> distribution(low, 2);
    std::vector<double> values;
    int64_t count = 1;
    for (int64_t size : stored) count *= size;
    for (int64_t i = 0; i < count; ++i) {
      values.push_back(static_cast<double>(center + distribution(random_)));
    }
    return BackInOrder(OfNumbers(stored, values), order);
  }

  // What the kernel makes of the operands.
  std::vector<Tensor> Kernel(Opcode opcode, int64_t feature, const std::vector<Tensor>& operands) {
    std::vector<Shape> shapes;
    std::vector<Value> values;
    for (const Tensor& operand : operands) {
      shapes.push_back(operand.shape());
      values.emplace_back(operand);
    }
    const Shape statistic = operands[1].shape();
    const Shape result =
        opcode == Opcode::kBatchNormInference ? shapes[0] : Shape::Tuple({shapes[0], statistic, statistic});
    SingleInstruction instruction(opcode, shapes, result);
    instruction.module().AddInt(instruction.id(), AttributeKind::kFeatureIndex, feature);
    instruction.module().AddFloat(instruction.id(), AttributeKind::kEpsilon, double{kEpsilon});
    const absl::StatusOr<Value> value = instruction.Evaluate(values);
    EXPECT_TRUE(value.ok()) << value.status();
    if (!value.ok()) return {};
    std::vector<Tensor> results;
    value->ForEachTensor([&](const Tensor& tensor) { results.push_back(tensor); });
    return results;
  }

  // The same by the formulas, in f64.
  std::vector<Tensor> Formula(Opcode opcode, int64_t feature, const std::vector<Tensor>& operands) {
    numerics::BatchNormFeatures<double> batch;
    for (int64_t d = 0; d < operands[0].rank(); ++d) {
      int64_t& part = d < feature ? batch.extent.outer : d == feature ? batch.extent.features : batch.extent.inner;
      part *= operands[0].dimension(d);
    }
    batch.epsilon = kEpsilon;
    std::vector<std::vector<double>> inputs(operands.size()), outputs(3);
    for (size_t k = 0; k < operands.size(); ++k) {
      const Tensor dense = *operands[k].Contiguous();
      for (int64_t i = 0; i < dense.element_count(); ++i) {
        inputs[k].push_back(ElementAsDouble(type_, dense.data() + i * dense.element_bytes()));
      }
    }
    outputs[0].resize(inputs[0].size());
    for (size_t k = 0; k < inputs.size(); ++k) batch.operands[k] = inputs[k].data();
    for (size_t k = 0; k < 3; ++k) {
      if (k > 0) outputs[k].resize(static_cast<size_t>(batch.extent.features));
      batch.results[k] = outputs[k].data();
    }
    for (int64_t c = 0; c < batch.extent.features; ++c) {
      if (opcode == Opcode::kBatchNormTraining) batch.Training(c);
      if (opcode == Opcode::kBatchNormInference) batch.Inference(c);
      if (opcode == Opcode::kBatchNormGrad) batch.Gradient(c);
    }
    std::vector<Tensor> results;
    for (size_t k = 0; k < (opcode == Opcode::kBatchNormInference ? 1 : 3); ++k) {
      results.push_back(OfNumbers(k == 0 ? operands[0].dimensions() : operands[1].dimensions(), outputs[k]));
    }
    return results;
  }

  std::vector<Tensor> Operands(Opcode opcode, const DimensionVector& sizes, const DimensionVector& order,
                               const DimensionVector& gradient_order, int64_t feature) {
    const DimensionVector features = {sizes[static_cast<size_t>(feature)]};
    std::vector<Tensor> operands = {RandomTensor(sizes, order, 3)};
    const size_t count = opcode == Opcode::kBatchNormTraining ? 3 : opcode == Opcode::kBatchNormGrad ? 4 : 5;
    while (operands.size() < count) operands.push_back(RandomTensor(features, {0}, 1, 0));
    if (opcode == Opcode::kBatchNormGrad) operands.push_back(RandomTensor(sizes, gradient_order, 0));
    return operands;
  }

  void ExpectFormula(Opcode opcode, const DimensionVector& sizes, const DimensionVector& order,
                     const DimensionVector& gradient_order, int64_t feature) {
    SCOPED_TRACE(absl::StrCat(OpcodeName(opcode), " [", absl::StrJoin(sizes, ","), "]{", absl::StrJoin(order, ","),
                              "} feature ", feature));
    const std::vector<Tensor> operands = Operands(opcode, sizes, order, gradient_order, feature);
    const std::vector<Tensor> actual = Kernel(opcode, feature, operands), expected = Formula(opcode, feature, operands);
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t k = 0; k < actual.size(); ++k)
      EXPECT_TRUE(ValuesAgree(actual[k], expected[k], Tolerance())) << "result " << k;
  }

  // Of results that are computed in more digits than they have: the last one may be rounded the other way.
  double Tolerance() const {
    return type_ == ElementType::kF32 ? 1e-6 : type_ == ElementType::kF16 ? 1.0 / 1024 : 1.0 / 128;
  }

  ElementType type_ = ElementType::kF32;
  std::mt19937 random_{20261122};
};

constexpr Opcode kOpcodes[] = {Opcode::kBatchNormTraining, Opcode::kBatchNormInference, Opcode::kBatchNormGrad};

TEST_F(BatchNormTest, SmallArraysInAnyOrder) {
  for (int round = 0; round < 900; ++round) {
    constexpr ElementType kTypes[] = {ElementType::kF32, ElementType::kBF16, ElementType::kF16};
    type_ = kTypes[round / 3 % 3];
    const int64_t rank = Random(1, 4);
    DimensionVector sizes, order, gradient_order;
    for (int64_t d = 0; d < rank; ++d) {
      sizes.push_back(Random(1, d == 0 ? 90 : 9));
      order.push_back(d);
    }
    std::shuffle(sizes.begin(), sizes.end(), random_);
    gradient_order = order;
    std::shuffle(order.begin(), order.end(), random_);
    std::shuffle(gradient_order.begin(), gradient_order.end(), random_);
    ExpectFormula(kOpcodes[round % 3], sizes, order, gradient_order, Random(0, rank - 1));
  }
}

TEST_F(BatchNormTest, ArraysOfSeveralPieces) {
  for (int round = 0; round < 6; ++round) {
    const Opcode opcode = kOpcodes[round % 3];
    type_ = round < 3 ? ElementType::kF32 : ElementType::kBF16;
    ExpectFormula(opcode, {3, 5, 40000}, {0, 1, 2}, {0, 1, 2}, 1);  // long runs
    ExpectFormula(opcode, {3, 5, 40000}, {0, 2, 1}, {0, 1, 2}, 1);  // few features side by side
    ExpectFormula(opcode, {21, 5000}, {0, 1}, {1, 0}, 1);           // more features than a piece has lanes
    ExpectFormula(opcode, {700, 10, 7}, {0, 1, 2}, {2, 1, 0}, 1);   // short runs, all features in a row
    ExpectFormula(opcode, {2, 3000, 7}, {0, 1, 2}, {0, 1, 2}, 1);   // short runs, a row in several blocks
    ExpectFormula(opcode, {100000}, {0}, {0}, 0);                   // one element each
  }
}

TEST_F(BatchNormTest, GapsAndNoElements) {
  for (Opcode opcode : kOpcodes) {
    std::vector<Tensor> operands = Operands(opcode, {4, 6, 5}, {0, 1, 2}, {0, 1, 2}, 1);
    const Tensor wide = RandomTensor({4, 6, 9}, {2, 0, 1}, 3);
    operands[0] = wide.View({4, 6, 5}, wide.strides(), 0);
    const std::vector<Tensor> actual = Kernel(opcode, 1, operands), expected = Formula(opcode, 1, operands);
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t k = 0; k < actual.size(); ++k) EXPECT_TRUE(ValuesAgree(actual[k], expected[k], 1e-6));
    ExpectFormula(opcode, {0, 3}, {0, 1}, {0, 1}, 1);  // statistics of nothing are NaN
    ExpectFormula(opcode, {3, 0}, {0, 1}, {0, 1}, 1);
  }
}

TEST_F(BatchNormTest, AFeatureThatIsNotFiniteLeavesTheOthersAlone) {
  for (Opcode opcode : kOpcodes) {
    for (const DimensionVector& order : {DimensionVector{0, 1, 2}, DimensionVector{0, 2, 1}}) {
      std::vector<Tensor> operands = Operands(opcode, {40, 3, 100}, order, order, 1);
      Tensor x = *operands[0].Contiguous();
      x.mutable_data_as<float>()[100] = std::numeric_limits<float>::infinity();
      x.mutable_data_as<float>()[200] = std::numeric_limits<float>::quiet_NaN();
      operands[0] = BackInOrder(*InOrder(x, order).Contiguous(), order);
      const std::vector<Tensor> actual = Kernel(opcode, 1, operands), expected = Formula(opcode, 1, operands);
      for (size_t k = 0; k < actual.size(); ++k) EXPECT_TRUE(ValuesAgree(actual[k], expected[k], 1e-6)) << k;
    }
  }
}

// Squares of numbers far from zero would lose the variance.
TEST_F(BatchNormTest, VarianceFarFromZero) {
  const DimensionVector sizes = {500, 3};
  std::vector<Tensor> operands = {RandomTensor(sizes, {0, 1}, 16777216), RandomTensor({3}, {0}, 1),
                                  RandomTensor({3}, {0}, 1)};
  const std::vector<Tensor> actual = Kernel(Opcode::kBatchNormTraining, 1, operands);
  const std::vector<Tensor> expected = Formula(Opcode::kBatchNormTraining, 1, operands);
  ASSERT_EQ(actual.size(), 3u);
  for (size_t k = 0; k < 3; ++k) EXPECT_TRUE(ValuesAgree(actual[k], expected[k], 1e-6)) << k;
}

// Sums are taken about an element of each piece, which may be the one that is unlike all others.
TEST_F(BatchNormTest, AnOutlierInTheFirstRow) {
  for (const ElementType type : {ElementType::kF32, ElementType::kBF16}) {
    type_ = type;
    for (const float outlier : {1e4F, -3e6F, std::numeric_limits<float>::infinity()}) {
      for (const DimensionVector& order : {DimensionVector{0, 1}, DimensionVector{1, 0}}) {
        std::vector<Tensor> operands = Operands(Opcode::kBatchNormTraining, {900, 100}, order, order, 1);
        Tensor x = *operands[0].Contiguous();
        for (int64_t i : {5, 99, 900 * 50}) {
          if (type == ElementType::kF32) {
            x.mutable_data_as<float>()[i] = outlier;
          } else {
            x.mutable_data_as<uint16_t>()[i] = numerics::FloatToBf16(outlier);
          }
        }
        operands[0] = BackInOrder(*InOrder(x, order).Contiguous(), order);
        const std::vector<Tensor> actual = Kernel(Opcode::kBatchNormTraining, 1, operands);
        const std::vector<Tensor> expected = Formula(Opcode::kBatchNormTraining, 1, operands);
        ASSERT_EQ(actual.size(), 3u);
        for (size_t k = 0; k < 3; ++k) {
          EXPECT_TRUE(ValuesAgree(actual[k], expected[k], Tolerance())) << "result " << k << ", outlier " << outlier;
        }
      }
    }
  }
}

}  // namespace
}  // namespace hloscope::evaluator
