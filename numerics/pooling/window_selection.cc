// SPDX-License-Identifier: Apache-2.0
#include "numerics/pooling/window_selection.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "numerics/data_movement/run_ahead.h"
#include "numerics/parallel/cpu_level.h"
#include "numerics/parallel/parallel_loop.h"
#include "numerics/parallel/small_vector.h"
#include "numerics/parallel/vector_loops.h"
#include "numerics/pooling/window_lanes.h"
#include "numerics/reduction/wide_numbers.h"
#include "numerics/windows/window_walk.h"

#ifdef HLOSCOPE_AVX512_FUNCTION
#include <immintrin.h>
#endif

namespace hloscope::numerics {
namespace {

// The most lanes that are selected from at a time, and the most bytes of their elements.
constexpr int64_t kMostSelected = 1024, kSelectedBytes = 1 << 16;
// What is so many bytes ahead of a row is soon read, and written, for another one.
constexpr int64_t kBytesAhead = 1 << 14;
// Parts for threads, and the fewest lanes of one.
constexpr int64_t kParts = 8, kFewestLanes = 16;

// Some lanes at a time, which stay in the first cache level over all rows.
template <typename T, typename Compare>
[[gnu::always_inline]] inline void SelectInBlocks(Compare compare, const SelectionRow<T>* rows, int64_t row_count,
                                                  int64_t lanes, int32_t* chosen) {
  constexpr int64_t kBlock = 64;
  for (int64_t l = 0; l < lanes; l += kBlock) {
    const int64_t count = std::min(kBlock, lanes - l);
    float best[kBlock];
    int32_t choices[kBlock];
    for (int64_t i = 0; i < kBlock; ++i) choices[i] = -1;
    for (int64_t r = 0; r < row_count; ++r) {
      const int64_t begin = std::max(rows[r].first - l, int64_t{0}), end = std::min(rows[r].end - l, count);
      const T* const x = rows[r].x + l;
      HLOSCOPE_INDEPENDENT_LANES
      for (int64_t i = begin; i < end; ++i) {
        const float number = Widened(x[i]);
        const bool keeps = (choices[i] >= 0) & (compare(best[i], number) != 0);
        best[i] = keeps ? best[i] : number;
        choices[i] = keeps ? choices[i] : static_cast<int32_t>(r);
      }
    }
    std::copy_n(choices, count, chosen + l);
  }
}

#define HLOSCOPE_SELECT(Compare, T)                                                                     \
  HLOSCOPE_VECTOR_CLONES void SelectInClones(elementwise::Compare compare, const SelectionRow<T>* rows, \
                                             int64_t row_count, int64_t lanes, int32_t* chosen) {       \
    SelectInBlocks(compare, rows, row_count, lanes, chosen);                                            \
  }
HLOSCOPE_SELECT(GreaterOrEqual, float)
HLOSCOPE_SELECT(LessOrEqual, float)
HLOSCOPE_SELECT(GreaterOrEqual, Bf16)
HLOSCOPE_SELECT(LessOrEqual, Bf16)
#undef HLOSCOPE_SELECT

#ifdef HLOSCOPE_AVX512_FUNCTION
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline __mmask16 Compared(elementwise::GreaterOrEqual, __m512 a,
                                                                          __m512 b) {
  return _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ);
}
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline __mmask16 Compared(elementwise::LessOrEqual, __m512 a,
                                                                          __m512 b) {
  return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ);
}

// Lanes from `first` on, whose choices stay in registers over all rows.
template <int64_t kVectors, typename T, typename Compare>
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline void SelectVectors(Compare compare, const SelectionRow<T>* rows,
                                                                          int64_t row_count, int64_t first,
                                                                          int32_t* chosen) {
  constexpr int64_t kLanes = kSelectionLanes;
  // Bits [0, end) of a vector's lanes.
  const auto below = [](int64_t end) {
    return static_cast<__mmask16>((uint32_t{1} << std::clamp<int64_t>(end, 0, kSelectionLanes)) - 1);
  };
  __m512 best[kVectors];
  __m512i choices[kVectors];
  __mmask16 has_choice[kVectors];
#pragma GCC unroll 4
  for (int64_t v = 0; v < kVectors; ++v) {
    best[v] = _mm512_setzero_ps();
    choices[v] = _mm512_set1_epi32(-1);
    has_choice[v] = 0;
  }
  for (int64_t r = 0; r < row_count; ++r) {
    const SelectionRow<T>& row = rows[r];
    const bool is_whole = row.first <= first && row.end >= first + kVectors * kLanes;
    const __m512i number = _mm512_set1_epi32(static_cast<int32_t>(r));
#pragma GCC unroll 4
    for (int64_t v = 0; v < kVectors; ++v) {
      const int64_t lane = first + v * kLanes;
      const __m512 numbers = NumbersAt(row.x + lane, 0xffff);
      __mmask16 taken = static_cast<__mmask16>(~(has_choice[v] & Compared(compare, best[v], numbers)));
      if (!is_whole) taken &= below(row.end - lane) & ~below(row.first - lane);
      has_choice[v] |= taken;
      best[v] = _mm512_mask_mov_ps(best[v], taken, numbers);
      choices[v] = _mm512_mask_mov_epi32(choices[v], taken, number);
    }
  }
#pragma GCC unroll 4
  for (int64_t v = 0; v < kVectors; ++v) _mm512_storeu_si512(chosen + first + v * kLanes, choices[v]);
}

template <typename T, typename Compare>
HLOSCOPE_AVX512_FUNCTION void SelectWide(Compare compare, const SelectionRow<T>* rows, int64_t row_count, int64_t lanes,
                                         int32_t* chosen) {
  constexpr int64_t kVectors = 4, kBlock = kVectors * kSelectionLanes;
  int64_t l = 0;
  for (; l + kBlock <= lanes; l += kBlock) SelectVectors<kVectors>(compare, rows, row_count, l, chosen);
  for (; l < lanes; l += kSelectionLanes) SelectVectors<1>(compare, rows, row_count, l, chosen);
}
#endif

template <typename T, typename Compare>
void SelectNumbers(Compare compare, const SelectionRow<T>* rows, int64_t row_count, int64_t lanes, int32_t* chosen) {
#ifdef HLOSCOPE_AVX512_FUNCTION
  if (BestCpuLevel() == CpuLevel::kAvx512) return SelectWide(compare, rows, row_count, lanes, chosen);
#endif
  SelectInClones(compare, rows, row_count, lanes, chosen);
}

// Each row takes the sources of the lanes that chose it and writes its other elements again as they were.
HLOSCOPE_VECTOR_CLONES void AddToRows(const int32_t* chosen, const SelectionRow<float>* rows, const int64_t* origins,
                                      int64_t row_count, int64_t lanes, const float* source, float* result) {
  constexpr int64_t kBlock = 64;
  for (int64_t l = 0; l < lanes; l += kBlock) {
    const int64_t block_end = std::min(lanes, l + kBlock);
    for (int64_t r = 0; r < row_count; ++r) {
      const int64_t begin = std::max(rows[r].first, l), end = std::min(rows[r].end, block_end);
      float* const to = result + origins[r];
      HLOSCOPE_INDEPENDENT_LANES
      for (int64_t i = begin; i < end; ++i) {
        const float sum = to[i] + source[i];
        to[i] = chosen[i] == static_cast<int32_t>(r) ? sum : to[i];
      }
    }
  }
}

// A lane alone takes about as long as a vector of them in each of so many rows.
bool SuitsAddingToRows(int64_t row_count, int64_t lanes) {
  constexpr int64_t kFewest = 8;
  const int64_t most = BestCpuLevel() == CpuLevel::kBaseline ? 4 : 16;
  return row_count <= most && lanes >= kFewest;
}

// True if two windows can meet in one element of the dimension.
bool Overlaps(const WindowDimension& window, int64_t count) {
  return count > 1 && window.size > 1 && (window.size - 1) * window.window_dilation + 1 > window.stride;
}

// True if no two windows meet in one element of the dimension.
bool AreApart(const WindowSelection& selection, size_t dimension) {
  return selection.window.empty() || !Overlaps(selection.window[dimension], selection.window_counts[dimension]);
}

WindowWalk WalkOf(const WindowSelection& selection) {
  return WindowWalk(selection.window, selection.sizes, DenseStrides(selection.sizes), selection.window_counts,
                    kFewLanes);
}

// Groups of rows one after the other, whose windows meet no element of another group.
struct Groups {
  int64_t count = 1;
  bool are_blocks = true;  // each has a block of the result for itself
};

Groups GroupsOf(const WindowSelection& selection, size_t lane_dimension) {
  Groups groups;
  for (size_t d = 0; d < selection.window.size(); ++d) {
    const WindowDimension& w = selection.window[d];
    const int64_t windows = selection.window_counts[d];
    const bool is_whole = w.size == 1 && w.stride == 1 && w.padding_low == 0 && windows == selection.sizes[d];
    if (!is_whole || d == lane_dimension) {
      if (groups.count >= kParts || Overlaps(w, windows)) break;
      groups.are_blocks = false;
    }
    if (d != lane_dimension) groups.count *= windows;
  }
  return groups;
}

void FillResult(const WindowSelection& selection, int64_t bytes, int64_t first, int64_t count) {
  FillElements(bytes, selection.init, selection.result + first * bytes, count);
}

class RowSelection {
 public:
  RowSelection(const WindowWalk& walk, const WindowSelection& selection, const SelectionLoops& loops,
               Executor& executor)
      : selection_(selection),
        loops_(loops),
        walk_(walk),
        source_strides_(DenseStrides(selection.window_counts)),
        source_step_(source_strides_.empty() ? 1 : source_strides_[walk.lane_dimension()]),
        are_lanes_apart_(AreApart(selection, walk.lane_dimension())),
        poll_(executor),
        places_(walk),
        block_(BlockOf(walk.window_size() * loops.stored_bytes)),
        packed_(walk.window_size() * block_ * loops.stored_bytes),
        chosen_(block_ * int64_t{sizeof(int32_t)}) {}

  // Elements [first, end) of the result get their initial value shortly before windows meet them, or in EndFilling:
  // what was filled long before has left the cache.
  void FillAlongTheWay(int64_t first, int64_t end) {
    filled_ = first;
    fill_end_ = end;
  }
  void EndFilling() { FillUpTo(fill_end_); }

  // Lanes [first, end) of a row; false if the loop is to end.
  bool Select(int64_t row, int64_t first, int64_t end) {
    if (is_all_ && row == row_ + 1 && first == first_ && end == end_ && walk_.RepeatsRowBefore(row)) {
      row_ = row;
      const int64_t shift = walk_.RowShift();
      for (SelectionRow<uint8_t>& from : rows_) from.x += shift * loops_.stored_bytes;
      for (int64_t& origin : origins_) origin += shift;
      source_ += source_strides_[walk_.RowDimension()];
      ScatterRows(first, end - first);
      return !poll_.Cancelled(WorkOf(rows_.size(), end - first));
    }
    row_ = row;
    first_ = first;
    end_ = end;
    source_ = walk_.RowOffset(row, source_strides_);
    is_all_ = end - first <= block_;
    const auto take = [&](const std::vector<WindowPlace>& places) {
      for (int64_t block = first; block < end; block += block_) {
        const int64_t count = std::min(block_, end - block);
        FindRows(places, block, count);
        ScatterRows(block, count);
        if (poll_.Cancelled(WorkOf(places.size(), count))) return false;
      }
      return true;
    };
    return places_.ForRow(
        row, [&] { return !poll_.Cancelled(100e3); }, take);
  }

 private:
  // How many lanes are selected from at a time.
  static int64_t BlockOf(int64_t lane_bytes) {
    const int64_t lanes = std::min(kMostSelected, kSelectedBytes / lane_bytes);
    return std::max(lanes / kSelectionLanes, int64_t{1}) * kSelectionLanes;
  }

  // Nanoseconds.
  static double WorkOf(size_t places, int64_t lanes) {
    return static_cast<double>(places + 1) * (10 + static_cast<double>(lanes));
  }

  // What lanes [first, first + count) choose from.
  void FindRows(const std::vector<WindowPlace>& places, int64_t first, int64_t count) {
    const int64_t bytes = loops_.stored_bytes;
    rows_.clear();
    origins_.clear();
    step_ = 0;
    for (const WindowPlace& place : places) {
      const WindowLanes& lanes = place.lanes;
      const LaneRun run = LanesWithin(lanes, first, count);
      if (run.count == 0) continue;
      step_ = lanes.offset_step;
      const int64_t at = lanes.first_window + run.first - first;
      const int64_t origin = place.base + lanes.first_offset + (first - lanes.first_window) * step_;
      const uint8_t* x = selection_.operand + origin * bytes;
      if (step_ != 1 || run.count != count || count % kSelectionLanes != 0) {
        is_all_ = false;
        uint8_t* const packed = packed_.data() + static_cast<int64_t>(rows_.size()) * block_ * bytes;
        CopySteps(bytes, x + at * step_ * bytes, step_, packed + at * bytes, 1, run.count);
        x = packed;
      }
      rows_.push_back({x, at, at + run.count});
      origins_.push_back(origin);
    }
    FindNewRows();
  }

  // The rows that the next row of windows reads and this one does not.
  void FindNewRows() {
    new_rows_.clear();
    if (!is_all_ || walk_.RowDimension() == selection_.window.size()) return;
    for (size_t r = 0; r < origins_.size(); ++r) {
      const auto next = std::find(origins_.begin(), origins_.end(), origins_[r] + walk_.RowShift());
      if (next == origins_.end()) new_rows_.push_back(r);
    }
  }

  void ScatterRows(int64_t first, int64_t count) {
    for (size_t r : new_rows_) FetchLines(origins_[r] * loops_.stored_bytes + kBytesAhead, count * loops_.stored_bytes);
    int32_t* const chosen = reinterpret_cast<int32_t*>(chosen_.data());
    loops_.select(rows_.data(), static_cast<int64_t>(rows_.size()), count, chosen);
    if (filled_ < fill_end_ && !origins_.empty()) {
      FillUpTo(*std::max_element(origins_.begin(), origins_.end()) + (count - 1) * step_ + 1);
    }
    loops_.scatter(chosen, rows_.data(), origins_.data(), static_cast<int64_t>(rows_.size()), are_lanes_apart_, step_,
                   count, selection_.source + (source_ + first * source_step_) * loops_.stored_bytes, source_step_,
                   selection_.result);
  }

  void FillUpTo(int64_t end) {
    constexpr int64_t kFewest = 1024;
    if (end <= filled_) return;
    end = std::min(fill_end_, std::max(end, filled_ + kFewest));
    FillResult(selection_, loops_.stored_bytes, filled_, end - filled_);
    filled_ = end;
  }

  void FetchLines(int64_t ahead, int64_t bytes) const {
    constexpr int64_t kLine = 64;
    for (int64_t line = 0; line < bytes; line += kLine) {
      FetchLine(selection_.operand + ahead + line);
      FetchLine(selection_.result + ahead + line);
    }
  }

  const WindowSelection& selection_;
  const SelectionLoops& loops_;
  const WindowWalk& walk_;
  const DimensionVector source_strides_;
  const int64_t source_step_;
  const bool are_lanes_apart_;
  CancellationPoll poll_;
  WindowPlaces places_;
  const int64_t block_;  // lanes at a time
  LaneBuffer packed_, chosen_;
  std::vector<SelectionRow<uint8_t>> rows_;
  std::vector<int64_t> origins_;  // by row: the element that lane 0 of the block would meet
  std::vector<size_t> new_rows_;
  int64_t step_ = 0, source_ = 0;           // of origins, and the element of the source that lane 0 of the row has
  int64_t row_ = -2, first_ = 0, end_ = 0;  // the lanes that chose
  bool is_all_ = false;                     // rows_ has all that they chose from, where it lies
  int64_t filled_ = 0, fill_end_ = 0;       // of the result
};

}  // namespace

#define HLOSCOPE_SELECT_LANES(Compare, T)                                                                       \
  void SelectLanes(elementwise::Compare compare, const SelectionRow<T>* rows, int64_t row_count, int64_t lanes, \
                   int32_t* chosen) {                                                                           \
    SelectNumbers(compare, rows, row_count, lanes, chosen);                                                     \
  }
HLOSCOPE_SELECT_LANES(GreaterOrEqual, float)
HLOSCOPE_SELECT_LANES(LessOrEqual, float)
HLOSCOPE_SELECT_LANES(GreaterOrEqual, Bf16)
HLOSCOPE_SELECT_LANES(LessOrEqual, Bf16)
#undef HLOSCOPE_SELECT_LANES

bool ScatterLanes(elementwise::Add, const int32_t* chosen, const SelectionRow<float>* rows, const int64_t* origins,
                  int64_t row_count, int64_t lanes, const float* source, float* result) {
  if (!SuitsAddingToRows(row_count, lanes)) return false;
  AddToRows(chosen, rows, origins, row_count, lanes, source, result);
  return true;
}

bool SuitsRows(const WindowSelection& selection) {
  const WindowWalk walk = WalkOf(selection);
  if (walk.window_size() > static_cast<int64_t>(WindowPlaces::kMost)) return false;
  // Rows go in the order of the definition, and so do lanes in a row: windows that meet in an element must not differ
  // in a dimension after that of lanes and in that of lanes.
  size_t last_overlapping = 0;
  for (size_t d = 0; d < selection.window.size(); ++d) {
    if (selection.window[d].base_dilation != 1) return false;
    if (Overlaps(selection.window[d], selection.window_counts[d])) last_overlapping = d;
  }
  const size_t lanes = walk.lane_dimension();
  return selection.window.empty() || last_overlapping <= lanes ||
         !Overlaps(selection.window[lanes], selection.window_counts[lanes]);
}

Outcome SelectAndScatter(const WindowSelection& selection, const SelectionLoops& loops, Executor& executor) {
  const WindowWalk walk = WalkOf(selection);
  const size_t lane_dimension = walk.lane_dimension();
  const Groups groups = GroupsOf(selection, lane_dimension);
  const int64_t rows = walk.row_count() / groups.count;
  // Lanes that meet no element of another one can be in different threads, too.
  int64_t parts = 1;
  if (AreApart(selection, lane_dimension) && groups.count < kParts) {
    parts = std::clamp(walk.lane_count() / kFewestLanes, int64_t{1}, kParts / groups.count);
  }
  const int64_t lanes = (walk.lane_count() - 1) / parts + 1;
  int64_t elements = 1;
  for (const int64_t size : selection.sizes) elements *= size;
  // Each group's elements are filled just before they are used, if nobody else uses them.
  const int64_t block = elements / groups.count;
  const bool fills_groups = groups.are_blocks && parts == 1;
  if (!fills_groups) {
    const Outcome filled = ParallelLoop(executor, elements, 0.3, [&](int64_t begin, int64_t end) {
      FillResult(selection, loops.stored_bytes, begin, end - begin);
    });
    if (!filled.ok()) return filled;
  }
  const double nanoseconds =
      static_cast<double>(rows) * static_cast<double>(walk.window_size()) * (20 + static_cast<double>(lanes));
  const Outcome outcome = ParallelLoop(executor, groups.count * parts, nanoseconds, [&](int64_t begin, int64_t end) {
    RowSelection rows_of(walk, selection, loops, executor);
    for (int64_t unit = begin; unit < end; ++unit) {
      if (fills_groups) rows_of.FillAlongTheWay(unit * block, (unit + 1) * block);
      const int64_t first_row = unit / parts * rows, first = unit % parts * lanes;
      const int64_t end_lane = std::min(first + lanes, walk.lane_count());
      for (int64_t row = first_row; row < first_row + rows && first < end_lane; ++row) {
        if (!rows_of.Select(row, first, end_lane)) return;
      }
      rows_of.EndFilling();
    }
  });
  return outcome.ok() ? executor.CheckCancelled() : outcome;
}

}  // namespace hloscope::numerics
