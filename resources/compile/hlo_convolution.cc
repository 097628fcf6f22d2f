// SPDX-License-Identifier: Apache-2.0
#include "hlo_convolution.h"

#include "numerics/convolution/convolution.h"
#include "numerics/convolution/convolution_bf16.h"
#include "numerics/convolution/convolution_planar.h"
#include "numerics/convolution/convolution_wide.h"

namespace hlo {

namespace {

// An array that is dense in `order`, outermost dimension first.
void ArrangeIn(const numerics::DimensionVector& order, numerics::StridedArray* array) {
  int64_t count = 1;
  for (size_t k = order.size(); k-- > 0;) {
    const size_t d = static_cast<size_t>(order[k]);
    array->strides[d] = count;
    count *= array->sizes[d];
  }
}

numerics::ConvolutionProblem ProblemOf(const Convolution& convolution, const void* lhs, const void* kernel) {
  const size_t rank = static_cast<size_t>(convolution.rank);
  numerics::ConvolutionProblem problem;
  problem.type = convolution.type;
  problem.lhs = numerics::DenseArray(convolution.type, lhs, {convolution.lhs_sizes, convolution.lhs_sizes + rank + 2});
  problem.kernel =
      numerics::DenseArray(convolution.type, kernel, {convolution.kernel_sizes, convolution.kernel_sizes + rank + 2});
  for (size_t d = 0; d < rank; ++d) {
    numerics::WindowDimension window;
    window.size = convolution.kernel_sizes[d];
    window.stride = convolution.stride[d];
    window.padding_low = convolution.padding_low[d];
    window.base_dilation = convolution.base_dilation[d];
    window.window_dilation = convolution.window_dilation[d];
    window.reversal = convolution.reversal[d] != 0;
    problem.window.push_back(window);
  }
  problem.output_spatial.assign(convolution.output_spatial, convolution.output_spatial + rank);
  problem.feature_group_count = convolution.feature_group_count;
  problem.batch_group_count = convolution.batch_group_count;
  if (numerics::SuitsWideWindows(problem)) {
    const numerics::WideOrders orders = numerics::OrdersOfWideWindows(rank);
    ArrangeIn(orders.lhs, &problem.lhs);
    ArrangeIn(orders.kernel, &problem.kernel);
  }
  return problem;
}

constexpr auto kWiden = [](const uint8_t* from, uint8_t* /*scratch*/, uint8_t* to, int64_t count) {
  const uint16_t* const bits = reinterpret_cast<const uint16_t*>(from);
  float* const numbers = reinterpret_cast<float*>(to);
  for (int64_t i = 0; i < count; ++i) numbers[i] = LoadBf16(bits[i]);
};

constexpr auto kRound = [](const uint8_t* from, uint8_t* /*scratch*/, uint8_t* to, int64_t count) {
  const float* const numbers = reinterpret_cast<const float*>(from);
  uint16_t* const bits = reinterpret_cast<uint16_t*>(to);
  for (int64_t i = 0; i < count; ++i) bits[i] = numerics::FloatToBf16(numbers[i]);
};

}  // namespace

void Convolve(const Convolution& convolution, const void* lhs, const void* kernel, void* result) {
  CheckDone(numerics::Convolve(ProblemOf(convolution, lhs, kernel), static_cast<uint8_t*>(result), ProgramThreads()));
}

void ConvolveStrided(const Convolution& convolution, const int64_t* lhs_strides, const int64_t* kernel_strides,
                     const void* lhs, const void* kernel, void* result) {
  numerics::ConvolutionProblem problem = ProblemOf(convolution, lhs, kernel);
  problem.lhs.strides.assign(lhs_strides, lhs_strides + problem.lhs.sizes.size());
  problem.kernel.strides.assign(kernel_strides, kernel_strides + problem.kernel.sizes.size());
  CheckDone(numerics::Convolve(problem, static_cast<uint8_t*>(result), ProgramThreads()));
}

void ConvolveBf16(const Convolution& convolution, ElementType result_type, const void* lhs, const void* kernel,
                  void* result) {
  numerics::ConvolutionProblem problem = ProblemOf(convolution, lhs, kernel);
  problem.lhs.type = problem.kernel.type = ElementType::kBF16;
  CheckDone(numerics::ConvolveBf16(problem, result_type, static_cast<uint8_t*>(result), ProgramThreads()));
}

void ConvolvePlanes(const Convolution& convolution, const Planes& planes, const void* lhs, const void* kernel,
                    void* result) {
  numerics::ConvolutionProblem problem = ProblemOf(convolution, lhs, kernel);
  problem.lhs.type = planes.lhs_type;
  problem.lhs.strides.assign(planes.lhs_strides, planes.lhs_strides + problem.lhs.sizes.size());
  problem.kernel.strides.assign(planes.kernel_strides, planes.kernel_strides + problem.kernel.sizes.size());
  const numerics::ConvertElements widen = kWiden, round = kRound;
  numerics::PlaneConversions conversions = {.result_bytes = numerics::StorageBytes(planes.result_type)};
  conversions.widens_bf16 = planes.lhs_type != convolution.type;
  if (conversions.widens_bf16) conversions.decode = &widen;
  conversions.narrows_to_bf16 = planes.result_type != convolution.type;
  if (conversions.narrows_to_bf16) conversions.encode = &round;
  const auto run = [](int64_t /*bytes*/, numerics::FunctionRef<void()> body) {
    body();
    return true;
  };
  CheckDone(numerics::ConvolvePlanes(problem, conversions, static_cast<uint8_t*>(result), run, ProgramThreads()));
}

}  // namespace hlo
