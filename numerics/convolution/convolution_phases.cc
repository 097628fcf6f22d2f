// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/convolution_phases.h"

#include <algorithm>
#include <numeric>

#include "numerics/windows/window_dimension.h"

namespace hloscope::numerics {
namespace {

// Of one dimension: outputs so far apart meet the same elements.
int64_t PhasesAlong(const WindowDimension& w, int64_t outputs) {
  return std::min(w.base_dilation / std::gcd(w.stride, w.base_dilation), std::max<int64_t>(outputs, 1));
}

// The window of the outputs `first` + n * `step` of a dimension, and in `element` the first of the kernel's elements
// that they meet, in `element_step` how far apart those are.
WindowDimension WindowOfPhase(const WindowDimension& w, int64_t first, int64_t step, int64_t outputs, int64_t* element,
                              int64_t* element_step) {
  const int64_t period = w.base_dilation / std::gcd(w.window_dilation, w.base_dilation);
  const int64_t origin = first * w.stride - w.padding_low;
  int64_t offset = 0;
  while (offset < std::min(period, w.size) && (origin + offset * w.window_dilation) % w.base_dilation != 0) ++offset;
  WindowDimension phase = w;
  phase.size = offset < std::min(period, w.size) ? (w.size - 1 - offset) / period + 1 : 0;
  phase.base_dilation = 1;
  // Without neighbours their distance does not matter, and it might be no number.
  phase.stride = outputs > 1 ? step * w.stride / w.base_dilation : 1;
  phase.window_dilation = phase.size > 1 ? period * w.window_dilation / w.base_dilation : 1;
  phase.padding_low = phase.size > 0 ? -((origin + offset * w.window_dilation) / w.base_dilation) : 0;
  *element_step = period;
  *element = w.reversal ? w.size - 1 - offset - std::max<int64_t>(phase.size - 1, 0) * period : offset;
  return phase;
}

}  // namespace

int64_t PhaseCount(const ConvolutionProblem& problem) {
  int64_t phases = 1, elements = 1;
  double rows = static_cast<double>(problem.output_batch());
  for (size_t j = 0; j < problem.window.size(); ++j) {
    if (__builtin_mul_overflow(phases, PhasesAlong(problem.window[j], problem.output_spatial[j]), &phases)) return 1;
    elements *= problem.window[j].size;
    rows *= static_cast<double>(problem.output_spatial[j]);
  }
  // What a phase takes beside its products.
  constexpr double kPhaseProducts = 1 << 15;
  const double products =
      rows * static_cast<double>(elements * problem.input_features()) * static_cast<double>(problem.output_features());
  return products >= static_cast<double>(phases) * kPhaseProducts ? phases : 1;
}

ConvolutionPhase PhaseOf(const ConvolutionProblem& problem, int64_t phase_count, int64_t phase) {
  const size_t rank = problem.window.size();
  ConvolutionPhase made = {problem, {}};
  PhaseRows& rows = made.rows;
  rows.first = rows.step = rows.strides = DimensionVector(rank, 0);
  for (size_t j = rank; j-- > 0;) {
    const int64_t outputs = problem.output_spatial[j];
    rows.step[j] = phase_count == 1 ? 1 : PhasesAlong(problem.window[j], outputs);
    rows.first[j] = phase % rows.step[j];
    phase /= rows.step[j];
    rows.strides[j] = rows.image_rows;
    rows.image_rows *= outputs;
    made.problem.output_spatial[j] = (outputs - rows.first[j] + rows.step[j] - 1) / rows.step[j];
    if (phase_count == 1) continue;
    int64_t element, element_step;
    made.problem.window[j] = WindowOfPhase(problem.window[j], rows.first[j], rows.step[j],
                                           made.problem.output_spatial[j], &element, &element_step);
    StridedArray& kernel = made.problem.kernel;
    kernel.sizes[j] = made.problem.window[j].size;
    // Of a problem that is only looked at there are no arrays yet.
    const bool has_data = kernel.sizes[j] > 0 && kernel.data != nullptr;
    if (has_data) kernel.data += element * kernel.strides[j] * StorageBytes(kernel.type);
    kernel.strides[j] *= element_step;
  }
  rows.counts = made.problem.output_spatial;
  return made;
}

}  // namespace hloscope::numerics
