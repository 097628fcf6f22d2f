// SPDX-License-Identifier: Apache-2.0
#include "insight/memory/covered_bytes.h"

#include <algorithm>

namespace hloscope::insight {

CoveredBytes::CoveredBytes(const std::vector<ByteRange>& ranges) {
  for (const ByteRange& range : ranges) {
    if (range.begin >= range.end) continue;
    bounds_.push_back(range.begin);
    bounds_.push_back(range.end);
  }
  std::sort(bounds_.begin(), bounds_.end());
  bounds_.erase(std::unique(bounds_.begin(), bounds_.end()), bounds_.end());
  if (!bounds_.empty()) nodes_.resize(4 * (bounds_.size() - 1));
}

void CoveredBytes::Change(const ByteRange& range, int64_t by) {
  if (range.begin >= range.end) return;
  const auto place = [this](int64_t bound) {
    return static_cast<size_t>(std::lower_bound(bounds_.begin(), bounds_.end(), bound) - bounds_.begin());
  };
  ChangeIn(0, 0, bounds_.size() - 1, place(range.begin), place(range.end), by);
}

// The node has the gaps [first, last), the change is for the gaps [begin, end).
void CoveredBytes::ChangeIn(size_t node, size_t first, size_t last, size_t begin, size_t end, int64_t by) {
  if (end <= first || last <= begin) return;
  const size_t left = 2 * node + 1, right = left + 1;
  if (begin <= first && last <= end) {
    nodes_[node].count += by;
  } else {
    const size_t middle = first + (last - first) / 2;
    ChangeIn(left, first, middle, begin, end, by);
    ChangeIn(right, middle, last, begin, end, by);
  }
  if (nodes_[node].count > 0) {
    nodes_[node].covered = bounds_[last] - bounds_[first];
  } else {
    nodes_[node].covered = last - first == 1 ? 0 : nodes_[left].covered + nodes_[right].covered;
  }
}

}  // namespace hloscope::insight
