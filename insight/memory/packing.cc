// SPDX-License-Identifier: Apache-2.0
#include "insight/memory/packing.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "core/ir/checked_math.h"

namespace hloscope::insight {
namespace {

// Which items were placed at steps near a range: lists by stretches of the line, so that a short life looks at few.
class PlacedItems {
 public:
  explicit PlacedItems(uint32_t steps) {
    while ((steps >> shift_) > kMaxStretches) ++shift_;
    stretches_.resize((steps >> shift_) + 1);
    long_.reserve(64);
  }

  void Add(const PackedItem& item, uint32_t number) {
    const uint32_t first = item.begin >> shift_, last = item.end >> shift_;
    if (last - first > kLong) {
      long_.push_back(number);
      return;
    }
    for (uint32_t s = first; s <= last; ++s) stretches_[s].push_back(number);
  }

  template <typename Visit>
  void ForEachNear(const PackedItem& item, Visit visit) const {
    for (uint32_t number : long_) visit(number);
    for (uint32_t s = item.begin >> shift_; s <= item.end >> shift_; ++s) {
      for (uint32_t number : stretches_[s]) visit(number);
    }
  }

 private:
  static constexpr uint32_t kMaxStretches = 1 << 12, kLong = 64;
  uint32_t shift_ = 0;
  std::vector<std::vector<uint32_t>> stretches_;
  std::vector<uint32_t> long_;
};

}  // namespace

int64_t PackItems(absl::Span<PackedItem> items) {
  std::vector<uint32_t> order(items.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return items[a].bytes > items[b].bytes; });
  uint32_t steps = 0;
  for (const PackedItem& item : items) steps = std::max(steps, item.end);
  PlacedItems placed(steps);
  std::vector<std::pair<int64_t, int64_t>> taken;  // begin, end of what is in the way
  int64_t size = 0;
  for (uint32_t number : order) {
    PackedItem& item = items[number];
    if (item.bytes <= 0) continue;
    taken.clear();
    placed.ForEachNear(item, [&](uint32_t other) {
      const PackedItem& o = items[other];
      if (o.begin > item.end || o.end < item.begin) return;
      taken.emplace_back(o.offset, SaturatingSum(o.offset, o.bytes));
    });
    std::sort(taken.begin(), taken.end());
    int64_t at = 0;
    for (const auto& [begin, end] : taken) {
      if (begin >= SaturatingSum(at, item.bytes)) break;
      const int64_t next = SaturatingSum(end, kPackingAlignment - 1);
      at = std::max(at, next - next % kPackingAlignment);
    }
    item.offset = at;
    size = std::max(size, SaturatingSum(at, item.bytes));
    placed.Add(item, number);
  }
  return size;
}

}  // namespace hloscope::insight
