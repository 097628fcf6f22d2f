// SPDX-License-Identifier: Apache-2.0
#include "hlo_pooling.h"

#include <span>

#include "numerics/pooling/window_lanes.h"

namespace hlo {

void FoldWindows(const Windows& windows, const numerics::WindowLoops& loops, const void* base, const void* init,
                 void* result) {
  const size_t rank = static_cast<size_t>(windows.rank);
  const std::span<const int64_t> sizes(windows.sizes, rank), counts(windows.counts, rank);
  const numerics::DimensionVector strides = numerics::DenseStrides(sizes),
                                  result_strides = numerics::DenseStrides(counts);
  const numerics::WindowWalk walk({windows.window, rank}, sizes, strides, counts, numerics::kFewLanes);
  const numerics::WindowArrays arrays = {static_cast<const uint8_t*>(base), static_cast<const uint8_t*>(init),
                                         static_cast<uint8_t*>(result), result_strides};
  CheckDone(numerics::FoldWindows(walk, arrays, loops, ProgramThreads()));
}

void SelectAndScatter(const Windows& windows, const numerics::SelectionLoops& loops, const void* operand,
                      const void* source, const void* init, void* result) {
  const size_t rank = static_cast<size_t>(windows.rank);
  const numerics::WindowSelection selection = {{windows.window, rank},
                                               {windows.sizes, rank},
                                               {windows.counts, rank},
                                               static_cast<const uint8_t*>(operand),
                                               static_cast<const uint8_t*>(source),
                                               static_cast<const uint8_t*>(init),
                                               static_cast<uint8_t*>(result)};
  CheckDone(numerics::SelectAndScatter(selection, loops, ProgramThreads()));
}

}  // namespace hlo
