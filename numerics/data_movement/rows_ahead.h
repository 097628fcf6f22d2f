// SPDX-License-Identifier: Apache-2.0
// Asks for memory that is read next, a few lines at a time between pieces of work on what is in the cache: the
// processor itself looks ahead neither across pages nor while it computes.
#ifndef HLOSCOPE_NUMERICS_DATA_MOVEMENT_ROWS_AHEAD_H_
#define HLOSCOPE_NUMERICS_DATA_MOVEMENT_ROWS_AHEAD_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "numerics/data_movement/run_ahead.h"

namespace hloscope::numerics {

class RowsAhead {
 public:
  // Of more than kMostRanges that are not fetched yet, the others are left to the processor.
  void Add(const void* data, int64_t bytes) {
    const uint8_t* const begin = static_cast<const uint8_t*>(data);
    if (bytes > 0 && count_ < kMostRanges) ranges_[count_++] = {begin, begin + bytes};
  }
  // Fetch will be called that often.
  void SpreadOver(int64_t pieces) {
    int64_t bytes = 0;
    for (size_t k = 0; k < count_; ++k) bytes += ranges_[k].end - ranges_[k].at;
    share_ = (bytes / kLine / std::max<int64_t>(pieces, 1) + 1) * kLine;
  }
  void Fetch() {
    for (int64_t left = share_; left > 0 && count_ > 0;) {
      Range& range = ranges_[count_ - 1];
      for (; left > 0 && range.at < range.end; left -= kLine, range.at += kLine) FetchLine(range.at);
      if (range.at >= range.end) --count_;
    }
  }

 private:
  static constexpr int64_t kLine = 64;
  static constexpr size_t kMostRanges = 8;
  struct Range {
    const uint8_t *at, *end;
  };

  std::array<Range, kMostRanges> ranges_;
  size_t count_ = 0;
  int64_t share_ = 0;
};

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_DATA_MOVEMENT_ROWS_AHEAD_H_
