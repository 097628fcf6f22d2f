// SPDX-License-Identifier: Apache-2.0
// Asks for memory that is read next, a few lines at a time between pieces of work on what is in the cache: the
// processor itself looks ahead neither across pages nor while it computes.
#ifndef HLOSCOPE_EVALUATOR_ENGINE_ROWS_AHEAD_H_
#define HLOSCOPE_EVALUATOR_ENGINE_ROWS_AHEAD_H_

#include <algorithm>
#include <cstdint>

#include "absl/container/inlined_vector.h"

namespace hloscope::evaluator {

class RowsAhead {
 public:
  void Add(const uint8_t* data, int64_t bytes) {
    if (bytes > 0) ranges_.push_back({data, data + bytes});
  }
  // Fetch will be called that often.
  void SpreadOver(int64_t pieces) {
    int64_t bytes = 0;
    for (const Range& range : ranges_) bytes += range.end - range.at;
    share_ = (bytes / kLine / std::max<int64_t>(pieces, 1) + 1) * kLine;
  }
  void Fetch() {
    for (int64_t left = share_; left > 0 && !ranges_.empty();) {
      Range& range = ranges_.back();
      constexpr int kReads = 0, kSecondLevel = 2;
      for (; left > 0 && range.at < range.end; left -= kLine, range.at += kLine) {
        __builtin_prefetch(range.at, kReads, kSecondLevel);
      }
      if (range.at >= range.end) ranges_.pop_back();
    }
  }

 private:
  static constexpr int64_t kLine = 64;
  struct Range {
    const uint8_t *at, *end;
  };

  absl::InlinedVector<Range, 4> ranges_;
  int64_t share_ = 0;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_ROWS_AHEAD_H_
