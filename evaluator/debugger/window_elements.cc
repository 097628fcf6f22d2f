// SPDX-License-Identifier: Apache-2.0
#include "evaluator/debugger/window_elements.h"

#include "absl/algorithm/container.h"
#include "numerics/windows/window_walk.h"

namespace hloscope::evaluator {

bool ForEachInWindow(const Window& window, absl::Span<const int64_t> sizes, absl::Span<const int64_t> number,
                     absl::FunctionRef<bool(const std::vector<int64_t>& index)> visit, QuestionLimit& limit) {
  if (absl::c_linear_search(sizes, 0)) return true;
  // The window as the first one of an array that has more padding or less.
  std::vector<WindowDimension> moved(window.dimensions.begin(), window.dimensions.end());
  std::vector<int64_t> strides(sizes.size(), 1);
  for (size_t d = sizes.size(); d-- > 0;) {
    moved[d].padding_low -= number[d] * moved[d].stride;
    if (d + 1 < sizes.size()) strides[d] = strides[d + 1] * sizes[d + 1];
  }
  const std::vector<int64_t> one(sizes.size(), 1);
  const numerics::WindowWalk walk(moved, sizes, strides, one);
  std::vector<int64_t> index(sizes.size(), 0);
  bool all = true;
  walk.ForEachOffset(0, [&](int64_t base, const numerics::WindowLanes& lanes) {
    all = lanes.count == 0 ? !limit.Look() : !limit.IsOver();
    if (!all || lanes.count == 0) return all;
    int64_t rest = base + lanes.first_offset;
    for (size_t d = 0; d < sizes.size(); ++d) {
      index[d] = rest / strides[d];
      rest %= strides[d];
    }
    all = visit(index);
    return all;
  });
  return all;
}

}  // namespace hloscope::evaluator
