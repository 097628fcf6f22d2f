// SPDX-License-Identifier: Apache-2.0
// Sums of f64 in an order that memory has no part in (D3, docs/ops/tensor.md).
#ifndef HLOSCOPE_EVALUATOR_KERNELS_REDUCTION_ORDERED_SUM_H_
#define HLOSCOPE_EVALUATOR_KERNELS_REDUCTION_ORDERED_SUM_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "numerics/reduction/ordered_sums.h"

namespace hloscope::evaluator {

// D3: partial sums run over this many consecutive elements.
inline constexpr int64_t kPartialSum = 512;

// Sums of f64 show the order of their additions: it depends on the numbers of the elements alone, not on how memory
// holds them. Eight partial sums take turns; what is left of a partial sum after its last eight elements goes to the
// first.
class OrderedSum {
 public:
  void Add(const double* x, int64_t stride, int64_t count) {
    for (; count > 0; --count, x += stride) {
      if (waiting_ == 0) {
        // Whole groups, without a detour.
        while (count >= kWays) {
          const int64_t groups = std::min(count, kPartialSum - filled_) / kWays;
          stride == 1 ? numerics::AddGroupsToWays(x, groups, ways_.data()) : AddGroups(x, stride, groups);
          x += groups * kWays * stride;
          count -= groups * kWays;
          if ((filled_ += groups * kWays) == kPartialSum) Flush();
        }
        if (count == 0) return;
      }
      group_[static_cast<size_t>(waiting_)] = *x;
      if (++waiting_ < kWays) continue;
      for (size_t w = 0; w < kWays; ++w) ways_[w] += group_[w];
      waiting_ = 0;
      if ((filled_ += kWays) == kPartialSum) Flush();
    }
  }
  double Total() {
    Flush();
    return total_;
  }

  static constexpr int64_t kWays = numerics::kSumWays;
  static double Sum(const std::array<double, kWays>& ways) {
    return ((ways[0] + ways[4]) + (ways[1] + ways[5])) + ((ways[2] + ways[6]) + (ways[3] + ways[7]));
  }

 private:
  // The partial sums stay in registers.
  void AddGroups(const double* x, int64_t stride, int64_t groups) {
    std::array<double, kWays> ways = ways_;
    for (int64_t g = 0; g < groups; ++g, x += kWays * stride) {
      for (int64_t w = 0; w < kWays; ++w) ways[static_cast<size_t>(w)] += x[w * stride];
    }
    ways_ = ways;
  }
  void Flush() {
    for (int64_t w = 0; w < waiting_; ++w) ways_[0] += group_[static_cast<size_t>(w)];
    total_ += Sum(ways_);
    ways_.fill(0);
    filled_ = waiting_ = 0;
  }

  double total_ = 0;
  std::array<double, kWays> ways_{}, group_{};
  int64_t filled_ = 0, waiting_ = 0;  // elements in ways_, and in group_
};

// OrderedSum for neighbouring results at once, row after row of reduced elements. The sum of each `segment` rows is
// added to `totals`.
class OrderedLanes {
 public:
  OrderedLanes(int64_t segment, double* totals, int64_t lanes)
      : segment_(segment), lanes_(static_cast<size_t>(lanes)), totals_(totals) {
    for (auto& way : ways_) way.resize(lanes_);
    sums_.resize(lanes_);
  }

  void Add(const double* row, int64_t stride, int64_t count) {
    for (int64_t i = 0; i < count; ++i, row += stride) {
      waiting_rows_[static_cast<size_t>(waiting_++)] = row;
      ++added_;
      if (waiting_ == kMostWaiting) AddGroups();
      if (filled_ == kPartialSum) Flush();
      if (added_ == segment_) EndSegment();
    }
  }
  void Finish() {
    if (added_ > 0) EndSegment();
  }

 private:
  static constexpr int64_t kWays = OrderedSum::kWays, kMostWaiting = 4 * kWays;
  static_assert(kPartialSum % kMostWaiting == 0);

  // The whole groups of rows that wait: each partial sum takes in all of its rows at once, so that it is loaded and
  // stored once.
  void AddGroups() {
    const int64_t groups = waiting_ / kWays;
    for (int64_t w = 0; w < kWays; ++w) {
      numerics::AddRowsInOrder(waiting_rows_.data() + w, kWays, groups, static_cast<int64_t>(lanes_),
                               ways_[static_cast<size_t>(w)].data());
    }
    std::copy(waiting_rows_.begin() + groups * kWays, waiting_rows_.begin() + waiting_, waiting_rows_.begin());
    waiting_ -= groups * kWays;
    filled_ += groups * kWays;
  }
  void Flush() {
    AddGroups();
    numerics::AddRowsInOrder(waiting_rows_.data(), 1, waiting_, static_cast<int64_t>(lanes_), ways_[0].data());
    for (size_t l = 0; l < lanes_; ++l) {
      sums_[l] += OrderedSum::Sum(
          {ways_[0][l], ways_[1][l], ways_[2][l], ways_[3][l], ways_[4][l], ways_[5][l], ways_[6][l], ways_[7][l]});
    }
    for (auto& way : ways_) std::fill(way.begin(), way.end(), 0.0);
    filled_ = waiting_ = 0;
  }
  void EndSegment() {
    Flush();
    for (size_t l = 0; l < lanes_; ++l) totals_[l] += sums_[l];
    std::fill(sums_.begin(), sums_.end(), 0.0);
    added_ = 0;
  }

  const int64_t segment_;
  const size_t lanes_;
  double* const totals_;
  std::array<std::vector<double>, kWays> ways_;
  std::vector<double> sums_;  // of the segment
  std::array<const double*, kMostWaiting> waiting_rows_{};
  int64_t filled_ = 0, waiting_ = 0, added_ = 0;  // rows in ways_, in waiting_rows_, in the segment
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_REDUCTION_ORDERED_SUM_H_
