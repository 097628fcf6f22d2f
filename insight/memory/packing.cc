// SPDX-License-Identifier: Apache-2.0
#include "insight/memory/packing.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <queue>
#include <set>
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

// Places within a block that grows, given and taken back.
class GrowingBlock {
 public:
  explicit GrowingBlock(int64_t begin) : end_(begin) {}

  // `bytes` is a multiple of the alignment.
  int64_t Take(int64_t bytes) {
    const auto fitting = by_size_.lower_bound({bytes, 0});
    if (fitting == by_size_.end()) {
      const int64_t at = end_;
      end_ = SaturatingSum(end_, bytes);
      return at;
    }
    const auto [size, at] = *fitting;
    Forget(at, size);
    if (size > bytes) Remember(at + bytes, size - bytes);
    return at;
  }

  void GiveBack(int64_t at, int64_t bytes) {
    if (SaturatingSum(at, bytes) == std::numeric_limits<int64_t>::max()) return;
    auto after = by_place_.lower_bound(at);
    if (after != by_place_.end() && after->first == at + bytes) {
      const auto [place, size] = *after;
      bytes += size;
      Forget(place, size);
    }
    after = by_place_.lower_bound(at);
    if (after != by_place_.begin()) {
      const auto [place, size] = *std::prev(after);
      if (place + size == at) {
        Forget(place, size);
        at = place;
        bytes += size;
      }
    }
    Remember(at, bytes);
  }

  int64_t end() const { return end_; }

 private:
  void Remember(int64_t at, int64_t bytes) {
    by_place_.emplace(at, bytes);
    by_size_.emplace(bytes, at);
  }
  void Forget(int64_t at, int64_t bytes) {
    by_place_.erase(at);
    by_size_.erase({bytes, at});
  }

  int64_t end_;
  std::map<int64_t, int64_t> by_place_;            // free ones
  std::set<std::pair<int64_t, int64_t>> by_size_;  // the same
};

int64_t Aligned(int64_t bytes) {
  const int64_t up = SaturatingSum(bytes, kPackingAlignment - 1);
  return up - up % kPackingAlignment;
}

// Places items in the order of their lives, from `begin` on; returns the end.
int64_t PlaceByBirth(absl::Span<PackedItem> items, std::vector<uint32_t> numbers, int64_t begin) {
  std::stable_sort(numbers.begin(), numbers.end(),
                   [&](uint32_t a, uint32_t b) { return items[a].begin < items[b].begin; });
  GrowingBlock block(Aligned(begin));
  using Death = std::pair<uint32_t, uint32_t>;  // step, item
  std::priority_queue<Death, std::vector<Death>, std::greater<>> alive;
  for (uint32_t number : numbers) {
    PackedItem& item = items[number];
    if (item.bytes <= 0) continue;
    while (!alive.empty() && alive.top().first < item.begin) {
      const PackedItem& dead = items[alive.top().second];
      block.GiveBack(dead.offset, Aligned(dead.bytes));
      alive.pop();
    }
    item.offset = block.Take(Aligned(item.bytes));
    alive.emplace(item.end, number);
  }
  return block.end();
}

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
  constexpr size_t kMaxCompared = 30'000'000;
  size_t compared = 0;
  for (size_t k = 0; k < order.size(); ++k) {
    const uint32_t number = order[k];
    PackedItem& item = items[number];
    if (item.bytes <= 0) continue;
    if (compared > kMaxCompared) {
      return std::max(size, PlaceByBirth(items, {order.begin() + static_cast<ptrdiff_t>(k), order.end()}, size));
    }
    taken.clear();
    placed.ForEachNear(item, [&](uint32_t other) {
      ++compared;
      const PackedItem& o = items[other];
      if (o.begin > item.end || o.end < item.begin) return;
      taken.emplace_back(o.offset, SaturatingSum(o.offset, o.bytes));
    });
    compared += 4 * taken.size();  // to sort them takes longer
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
