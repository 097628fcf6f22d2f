// SPDX-License-Identifier: Apache-2.0
#include "numerics/pooling/window_folds.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "numerics/parallel/parallel_loop.h"
#include "numerics/pooling/window_lanes.h"

namespace hloscope::numerics {
namespace {

// So many lanes are folded at a time: rows of windows can be as long as the result.
constexpr int64_t kMostLanes = 4096;
// What is so many elements ahead of the rows of a window is soon read by another one: of floats 16 KiB, which are
// fetched while some windows are folded (`hloscope_bench evaluator max_pool`).
constexpr int64_t kElementsAhead = 4096;
// Elements that are no neighbours are packed: so many bytes of them at a time.
constexpr int64_t kPackedBytes = 1 << 15;
// Numbers of rows that are folded together before they are stored as other ones: so many stay in the first cache level.
constexpr int64_t kMostNumbers = 2048;
// Rows of windows that are like the one before are folded together for so long.
constexpr double kNanosecondsOfRepeats = 1e4;

class LaneFold {
 public:
  LaneFold(const WindowWalk& walk, const WindowArrays& arrays, const WindowLoops& loops, Executor& executor)
      : walk_(walk),
        arrays_(arrays),
        loops_(loops),
        poll_(executor),
        places_(walk),
        across_(loops.fold_across, loops.stored_bytes, loops.neutral, walk.lane_count()) {
    const int64_t lanes = std::min(walk.lane_count(), kMostLanes);
    starts_ = LaneBuffer(lanes * loops.number_bytes);
    loops.widen(arrays.init, starts_.data(), lanes);
    packed_lanes_ = std::max(lanes, kPackedBytes / loops.stored_bytes);
    result_step_ = arrays.result_strides.empty() ? 1 : arrays.result_strides[walk.lane_dimension()];
    // Of elements that are computed with as they are stored, numbers are the results.
    is_in_place_ = loops.stored_bytes == loops.number_bytes && (result_step_ == 1 || lanes == 1);
    if (!is_in_place_) {
      rows_of_numbers_ = std::max(kMostNumbers / std::max(lanes, int64_t{1}), int64_t{1});
      numbers_ = LaneBuffer(rows_of_numbers_ * lanes * loops.number_bytes);
    }
  }

  // Lanes [first, first + count) of a row; false if the loop is to end.
  bool Fold(int64_t row, int64_t first, int64_t count) {
    has_started_ = false;
    const bool repeats = row == row_ + 1 && first == first_ && count == count_ && walk_.RepeatsRowBefore(row);
    row_ = row;
    first_ = first;
    count_ = count;
    to_ = repeats ? to_ + arrays_.result_strides[walk_.RowDimension()] * loops_.stored_bytes
                  : arrays_.result +
                        (walk_.RowOffset(row, arrays_.result_strides) + first * result_step_) * loops_.stored_bytes;
    accumulators_ = is_in_place_ ? to_ : numbers_.data();
    if (is_all_ && repeats) {
      for (const uint8_t*& from : rows_) from += walk_.RowShift() * loops_.stored_bytes;
      FoldRows(kElementsAhead);
      Finish();
      return !poll_.Cancelled(NanosecondsOf(rows_.size(), count));
    }
    is_all_ = true;
    const bool goes_on = places_.ForRow(
        row, [&] { return !poll_.Cancelled(100e3); },
        [&](const std::vector<WindowPlace>& places) {
          if (count == walk_.lane_count() && across_.Take(places, arrays_.base)) {
            is_all_ = false;
            rows_ = across_.rows();
            FoldRows(0);
          } else {
            FoldPlaces(places);
          }
          return !poll_.Cancelled(NanosecondsOf(places.size(), count));
        });
    Finish();
    return goes_on;
  }

  // Of rows that repeat the one that was folded, `most` at most: folds some of them, all lanes, and returns how many;
  // 0 if they must be folded one by one.
  int64_t FoldRepeats(int64_t most) {
    if (!is_all_ || !has_started_ || count_ != walk_.lane_count()) return 0;
    const int64_t shift = walk_.RowShift(), to_step = arrays_.result_strides[walk_.RowDimension()];
    const double nanoseconds = NanosecondsOf(rows_.size(), count_);
    int64_t some = std::min(most, std::max(static_cast<int64_t>(kNanosecondsOfRepeats / nanoseconds), int64_t{1}));
    if (!is_in_place_) some = std::min(some, rows_of_numbers_);
    for (const uint8_t*& from : rows_) from += shift * loops_.stored_bytes;
    uint8_t* const results = is_in_place_ ? to_ + to_step * loops_.stored_bytes : numbers_.data();
    const int64_t step = is_in_place_ ? to_step : count_;
    loops_.fold_rows(rows_.data(), static_cast<int64_t>(rows_.size()), count_, starts_.data(), results, kElementsAhead,
                     {some, shift, step});
    for (const uint8_t*& from : rows_) from += (some - 1) * shift * loops_.stored_bytes;
    for (int64_t n = 0; n < some && !is_in_place_; ++n) {
      loops_.narrow(results + n * step * loops_.number_bytes, to_ + (n + 1) * to_step * loops_.stored_bytes,
                    result_step_, count_);
    }
    to_ += some * to_step * loops_.stored_bytes;
    if (is_in_place_) accumulators_ = to_;
    row_ += some;
    return some;
  }
  bool Cancelled(int64_t rows) {
    return poll_.Cancelled(static_cast<double>(rows) * NanosecondsOf(rows_.size(), count_));
  }

 private:
  static double NanosecondsOf(size_t places, int64_t count) {
    return static_cast<double>(places) * (10 + static_cast<double>(count));
  }

  void FoldPlaces(const std::vector<WindowPlace>& places) {
    is_all_ = is_all_ && !has_started_;  // else there were others before
    rows_.clear();
    const int64_t first = first_, count = count_;
    const int64_t bytes = loops_.stored_bytes;
    for (const WindowPlace& place : places) {
      const LaneRun run = LanesWithin(place.lanes, first, count);
      if (run.count == 0) continue;
      const WindowLanes& lanes = place.lanes;
      const uint8_t* const from =
          arrays_.base + (place.base + lanes.first_offset + run.first * lanes.offset_step) * bytes;
      if (run.count == count && lanes.offset_step == 1) {
        rows_.push_back(from);
        continue;
      }
      is_all_ = false;
      if (packed_count_ + count > packed_lanes_) {
        FoldRows(0);
        rows_.clear();
        packed_count_ = 0;
      }
      if (packed_.data() == nullptr) packed_ = LaneBuffer(packed_lanes_ * bytes);
      uint8_t* const packed = packed_.data() + packed_count_ * bytes;
      const int64_t at = lanes.first_window + run.first * lanes.window_step - first;
      const int64_t end = lanes.window_step == 1 ? at + run.count : 0;  // lanes with holes are filled first
      const int64_t filled = lanes.window_step == 1 ? at : count;
      if (filled > 0) FillElements(bytes, loops_.neutral.data(), packed, filled);
      if (end > 0 && end < count) FillElements(bytes, loops_.neutral.data(), packed + end * bytes, count - end);
      CopySteps(bytes, from, lanes.offset_step, packed + at * bytes, lanes.window_step, run.count);
      rows_.push_back(packed);
      packed_count_ += count;
    }
    FoldRows(packed_count_ > 0 ? 0 : kElementsAhead);
    packed_count_ = 0;
  }

  // `ahead` as in FoldRowsOf.
  void FoldRows(int64_t ahead) {
    if (rows_.empty()) return;
    const uint8_t* const starts = has_started_ ? accumulators_ : starts_.data();
    loops_.fold_rows(rows_.data(), static_cast<int64_t>(rows_.size()), count_, starts, accumulators_, ahead, {});
    has_started_ = true;
  }

  void Finish() {
    if (!has_started_) std::memcpy(accumulators_, starts_.data(), static_cast<size_t>(count_ * loops_.number_bytes));
    if (!is_in_place_) loops_.narrow(accumulators_, to_, result_step_, count_);
  }

  const WindowWalk& walk_;
  const WindowArrays& arrays_;
  const WindowLoops& loops_;
  CancellationPoll poll_;
  WindowPlaces places_;
  ExtremesAcross across_;
  LaneBuffer starts_;   // what lanes start with, as numbers
  LaneBuffer numbers_;  // accumulators, unless those are the results
  LaneBuffer packed_;
  std::vector<const uint8_t*> rows_;  // to be folded into all lanes, in order
  int64_t packed_count_ = 0, packed_lanes_ = 0, result_step_ = 1;
  int64_t rows_of_numbers_ = 1;               // for which there is room in numbers_
  int64_t row_ = -2, first_ = 0, count_ = 0;  // the lanes that are folded
  uint8_t *to_ = nullptr, *accumulators_ = nullptr;
  bool is_all_ = false;  // rows_ has all that is folded into them, where it lies
  bool is_in_place_ = false, has_started_ = false;
};

}  // namespace

Outcome FoldWindows(const WindowWalk& walk, const WindowArrays& arrays, const WindowLoops& loops, Executor& executor) {
  const int64_t blocks = (walk.lane_count() - 1) / kMostLanes + 1;
  const int64_t block = std::min(walk.lane_count(), kMostLanes);
  const double nanoseconds = static_cast<double>(walk.window_size()) * (10 + static_cast<double>(block) / 2);
  const Outcome outcome =
      ParallelLoop(executor, walk.row_count() * blocks, nanoseconds, [&](int64_t begin, int64_t end) {
        LaneFold fold(walk, arrays, loops, executor);
        for (int64_t unit = begin; unit < end; ++unit) {
          const int64_t first = unit % blocks * block;
          if (!fold.Fold(unit / blocks, first, std::min(block, walk.lane_count() - first))) return;
          if (blocks > 1) continue;
          for (int64_t most = std::min(walk.RepeatsAfter(unit), end - unit - 1); most > 0;) {
            const int64_t some = fold.FoldRepeats(most);
            if (some == 0) break;
            if (fold.Cancelled(some)) return;
            unit += some;
            most -= some;
          }
        }
      });
  return outcome.ok() ? executor.CheckCancelled() : outcome;
}

}  // namespace hloscope::numerics
