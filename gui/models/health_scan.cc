// SPDX-License-Identifier: Apache-2.0
#include "gui/models/health_scan.h"

#include <algorithm>

namespace hloscope::gui {
namespace {

void ScanTiles(const evaluator::Tensor& tensor, int64_t tile_bytes, const std::atomic<bool>& cancelled,
               evaluator::NonFinite* found) {
  if (cancelled.load(std::memory_order_relaxed) || (found->nan && found->infinity)) return;
  evaluator::DimensionVector sizes(tensor.dimensions().begin(), tensor.dimensions().end());
  const int64_t bytes = tensor.element_count() * tensor.element_bytes();
  const auto first = std::find_if(sizes.begin(), sizes.end(), [](int64_t size) { return size > 1; });
  if (bytes <= tile_bytes || first == sizes.end()) {
    const evaluator::NonFinite tile = evaluator::FindNonFinite(evaluator::Value(tensor));
    found->nan = found->nan || tile.nan;
    found->infinity = found->infinity || tile.infinity;
    return;
  }
  // Along the outermost dimension; what is still too large is cut along the next one.
  const auto axis = static_cast<size_t>(first - sizes.begin());
  const int64_t total = sizes[axis];
  const int64_t step = std::clamp<int64_t>(tile_bytes / std::max<int64_t>(1, bytes / total), 1, total);
  for (int64_t begin = 0; begin < total; begin += step) {
    sizes[axis] = std::min(step, total - begin);
    ScanTiles(tensor.View(sizes, tensor.strides(), begin * tensor.strides()[axis]), tile_bytes, cancelled, found);
    if (cancelled.load(std::memory_order_relaxed)) return;
  }
}

}  // namespace

evaluator::NonFinite FindNonFiniteInTiles(const evaluator::Value& value, int64_t tile_bytes,
                                          const std::atomic<bool>& cancelled) {
  evaluator::NonFinite found;
  value.ForEachTensor([&](const evaluator::Tensor& tensor) {
    if (tensor.has_buffer() && tensor.element_count() > 0) ScanTiles(tensor, tile_bytes, cancelled, &found);
  });
  return found;
}

}  // namespace hloscope::gui
