// SPDX-License-Identifier: Apache-2.0
// Products of kernels and patches of planes against the formula (numerics/convolution/convolution_patches.h).
#include "numerics/convolution/convolution_patches.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "evaluator/kernels/convolution/strided_array.h"
#include "gtest/gtest.h"
#include "numerics/contraction/micro_kernel_choice.h"
#include "numerics/convolution/convolution.h"
#include "numerics/convolution/convolution_planar.h"
#include "numerics/convolution/patch_matrices.h"
#include "numerics/convolution/patch_strips.h"
#include "tests/support/convolution_test.h"
#include "tests/support/module_evaluation.h"

namespace hloscope::evaluator {
namespace {

// [spatial..., input feature, output feature] of an array of [output feature, input feature, spatial...].
Tensor OutputFeaturesFirst(const Tensor& kernel) {
  const size_t rank = static_cast<size_t>(kernel.rank());
  const auto turned = [rank](auto of) {
    DimensionVector result = {of[rank - 1], of[rank - 2]};
    for (size_t j = 0; j + 2 < rank; ++j) result.push_back(of[j]);
    return result;
  };
  const Tensor dense = *kernel.View(turned(kernel.dimensions()), turned(kernel.strides()), 0).Contiguous();
  DimensionVector strides(dense.strides().begin() + 2, dense.strides().end());
  strides.push_back(dense.strides()[1]);
  strides.push_back(dense.strides()[0]);
  return dense.View(DimensionVector(kernel.dimensions().begin(), kernel.dimensions().end()), strides, 0);
}

// Compares ConvolvePatches with the formula, if it computes the problem, whose arrays are set here.
class PatchesTest : public ConvolutionPathsTest {
 protected:
  bool Compare(numerics::ConvolutionProblem problem, const Tensor& planes, const Tensor& kernel, bool is_turned) {
    const Tensor lhs = FeaturesLast(planes), view = is_turned ? OutputFeaturesFirst(kernel) : kernel;
    problem.lhs = ArrayOf(lhs);
    problem.kernel = ArrayOf(view);
    if (!numerics::SuitsPatches(problem, problem.type)) return false;
    EXPECT_TRUE(numerics::SuitsPlanes(problem, problem.type));
    EXPECT_TRUE(numerics::PlanesTakeKernel(problem, problem.type));
    EXPECT_FALSE(numerics::SuitsPatches(problem, ElementType::kBF16));
    DimensionVector sizes = {planes.dimension(0), problem.output_features()};
    sizes.insert(sizes.end(), problem.output_spatial.begin(), problem.output_spatial.end());
    Tensor fast = *Tensor::Allocate(problem.type, sizes);
    EXPECT_TRUE(numerics::ConvolvePatches(problem, fast.mutable_data(), runtime_).ok());
    const Tensor dense = *lhs.Contiguous();
    problem.lhs = ArrayOf(dense);
    problem.kernel = ArrayOf(kernel);
    const Tensor found = FeaturesLast(fast);
    Tensor reference =
        *Tensor::Allocate(problem.type, DimensionVector(found.dimensions().begin(), found.dimensions().end()));
    EXPECT_TRUE(numerics::ConvolveReference(problem, reference.mutable_data(), runtime_).ok());
    EXPECT_TRUE(ValuesAgree(found, reference, problem.type == ElementType::kF64 ? 1e-13 : 1e-5));
    return true;
  }
  // Compares random arrays, if the windows have places in as many inputs.
  bool CompareRandom(ElementType type, int64_t inputs, int64_t outputs,
                     const std::vector<std::pair<WindowDimension, int64_t>>& windows, bool is_spoiled, bool is_turned) {
    numerics::ConvolutionProblem problem;
    problem.type = type;
    DimensionVector stored = {Random(1, 5), inputs}, kernel_sizes;
    bool valid = true;
    for (const auto& [window, size] : windows) valid &= AddDimension(window, size, problem, stored, kernel_sizes);
    if (!valid) return false;
    kernel_sizes.push_back(inputs);
    kernel_sizes.push_back(outputs);
    Tensor kernel = *RandomTensor(type, kernel_sizes).Contiguous();
    if (is_spoiled) Spoil(kernel);
    return Compare(problem, RandomTensor(type, stored), kernel, is_turned);
  }

  // Makes some weight infinite or no number.
  void Spoil(Tensor& kernel) {
    const int64_t place = Random(0, kernel.element_count() - 1);
    const double weight = Random(0, 1) == 0 ? std::numeric_limits<double>::infinity() : std::nan("");
    if (kernel.element_type() == ElementType::kF64) {
      kernel.mutable_data_as<double>()[place] = weight;
    } else {
      kernel.mutable_data_as<float>()[place] = static_cast<float>(weight);
    }
  }
};

// Any window, any strides of the kernel, and weights that are infinite or no numbers.
TEST_F(PatchesTest, PatchesOfPlanesEqualTheFormula) {
  int compared = 0;
  for (int round = 0; round < 600; ++round) {
    SCOPED_TRACE(round);
    std::vector<std::pair<WindowDimension, int64_t>> windows;
    const int64_t rank = Random(1, 3), most = rank == 1 ? 70 : rank == 2 ? 30 : 9;
    for (int64_t j = 0; j < rank; ++j) {
      windows.push_back({{Random(1, 4), Random(1, 3), Random(-2, 4), Random(-2, 4), 1, Random(1, 3), Random(0, 1) == 1},
                         Random(3, most)});
    }
    const ElementType type = round % 4 == 0 ? ElementType::kF64 : ElementType::kF32;
    if (CompareRandom(type, Random(1, 9), Random(4, 20), windows, round % 3 == 0, round % 5 < 3)) ++compared;
  }
  EXPECT_GT(compared, 250);
}

// Inputs with holes between them, some of whose phases meet no element of the kernel.
TEST_F(PatchesTest, PatchesOfPhasesEqualTheFormula) {
  int compared = 0;
  for (int round = 0; round < 120; ++round) {
    SCOPED_TRACE(round);
    std::vector<std::pair<WindowDimension, int64_t>> windows;
    for (const int64_t dilation : {Random(1, 3), int64_t{2}}) {
      windows.push_back(
          {{Random(1, 4), Random(1, 2), Random(0, 3), Random(0, 3), dilation, Random(1, 2), Random(0, 1) == 1},
           Random(6, 16)});
    }
    const ElementType type = round % 4 == 0 ? ElementType::kF64 : ElementType::kF32;
    if (CompareRandom(type, Random(8, 24), Random(8, 24), windows, round % 3 == 0, round % 5 < 3)) ++compared;
  }
  EXPECT_GT(compared, 40);
}

// Images so large that each thread copies and multiplies strips of them, where products read planes as they lie and
// where they pack them; of phases, too, some of which meet no element of the kernel.
TEST_F(PatchesTest, PatchesOfStripsEqualTheFormula) {
  int read = 0, packed = 0, of_phases = 0;
  for (int round = 0; round < 160; ++round) {
    SCOPED_TRACE(round);
    std::vector<std::pair<WindowDimension, int64_t>> windows;
    const bool has_holes = round % 4 == 0;
    const int64_t rank = has_holes ? 2 : Random(1, 3);
    const int64_t least = rank == 1 ? 400 : rank == 2 ? 26 : 9, most = rank == 1 ? 1500 : rank == 2 ? 50 : 12;
    for (int64_t j = 0; j < rank; ++j) {
      const int64_t dilation = !has_holes ? 1 : j == 0 ? Random(1, 3) : 2, padding = Random(0, 2);
      const int64_t step = has_holes ? 1 : Random(1, 2);
      windows.push_back(
          {{Random(1, 4), step, padding, padding, dilation, Random(1, 2), Random(0, 1) == 1}, Random(least, most)});
    }
    const ElementType type = round % 5 == 0 ? ElementType::kF64 : ElementType::kF32;
    numerics::ConvolutionProblem problem;
    problem.type = type;
    // More output features are packed without AVX-512.
    const int64_t inputs = Random(1, 6), outputs = round % 3 == 0 ? Random(33, 40) : Random(4, 20);
    DimensionVector stored = {Random(1, 3), inputs}, kernel_sizes;
    bool valid = true;
    for (const auto& [window, size] : windows) valid &= AddDimension(window, size, problem, stored, kernel_sizes);
    if (!valid) continue;
    kernel_sizes.push_back(inputs);
    kernel_sizes.push_back(outputs);
    Tensor kernel = *RandomTensor(type, kernel_sizes).Contiguous();
    if (round % 3 == 1) Spoil(kernel);
    const Tensor planes = RandomTensor(type, stored);
    if (!Compare(problem, planes, kernel, round % 5 < 3)) continue;
    const Tensor lhs = FeaturesLast(planes);
    problem.lhs = ArrayOf(lhs);
    problem.kernel = ArrayOf(kernel);
    const numerics::Phases phases(problem);
    const numerics::PatchStrips strips = type == ElementType::kF64
                                             ? numerics::PatchStripsOf<double>(phases, 768, 1 << 20)
                                             : numerics::PatchStripsOf<float>(phases, 768, 1 << 20);
    if (strips.outputs == 0) continue;
    strips.reads_planes ? ++read : ++packed;
    if (!phases.is_whole) ++of_phases;
  }
  if (numerics::BestMicroKernel<float>().columns >= 16) {
    EXPECT_GT(read, 15);
  }
  EXPECT_GT(packed, 15);
  EXPECT_GT(of_phases, 15);
}

// Of images whose copies are made strip by strip.
TEST_F(PatchesTest, PatchesOfLargePlanesEqualTheFormula) {
  for (const int64_t step : {1, 2}) {
    numerics::ConvolutionProblem problem;
    problem.type = ElementType::kF32;
    DimensionVector stored = {2, 24}, kernel_sizes;
    const WindowDimension w = {3, step, 1, 1, 1, 1, false};
    ASSERT_TRUE(AddDimension(w, 350, problem, stored, kernel_sizes));
    ASSERT_TRUE(AddDimension(w, 350, problem, stored, kernel_sizes));
    kernel_sizes.push_back(24);
    kernel_sizes.push_back(4);
    const Tensor kernel = *RandomTensor(problem.type, kernel_sizes).Contiguous();
    EXPECT_TRUE(Compare(problem, *RandomTensor(problem.type, stored).Contiguous(), kernel, true));
  }
}

}  // namespace
}  // namespace hloscope::evaluator
