// SPDX-License-Identifier: Apache-2.0
#include "numerics/pooling/extremes_across.h"

#include <algorithm>
#include <bit>
#include <type_traits>

#include "numerics/data_movement/run_ahead.h"
#include "numerics/parallel/vector_loops.h"

namespace hloscope::numerics {
namespace {

// Windows further apart leave most of the elements between them out.
constexpr int64_t kLargestStep = 4;

// Of the bits of bf16 integers in the order of the numbers, and back: of negative ones the other bits are inverted.
[[gnu::always_inline]] inline int16_t InOrder(int16_t bits) {
  return static_cast<int16_t>(bits ^ ((bits >> 15) & 0x7fff));
}

// NaN, or a negative zero: with these the order matters.
[[gnu::always_inline]] inline int32_t IsStrange(float x) {
  return static_cast<int32_t>(x != x) | static_cast<int32_t>(std::bit_cast<uint32_t>(x) == 0x80000000u);
}
[[gnu::always_inline]] inline int16_t IsStrange(Bf16 x) {
  const int16_t bits = std::bit_cast<int16_t>(x);
  return static_cast<int16_t>(static_cast<int16_t>((bits & 0x7fff) > 0x7f80) |
                              static_cast<int16_t>(bits == int16_t{-0x8000}));
}

// What is compared: integers for bf16, of which the processor compares twice as many at a time.
[[gnu::always_inline]] inline float Ordered(float x) { return x; }
[[gnu::always_inline]] inline int16_t Ordered(Bf16 x) { return InOrder(std::bit_cast<int16_t>(x)); }
[[gnu::always_inline]] inline void Store(float x, float& to) { to = x; }
[[gnu::always_inline]] inline void Store(int16_t x, Bf16& to) { to = std::bit_cast<Bf16>(InOrder(x)); }

template <typename Op, typename T>
[[gnu::always_inline]] inline bool FoldRowsAcross(Op, const T* const* rows, int64_t row_count, int64_t count, T* to) {
  const auto chosen = [](auto a, auto b) { return (std::is_same_v<Op, elementwise::Maximum> ? a > b : a < b) ? a : b; };
  // Windows have two or three rows: these are in registers.
  constexpr int64_t kRows = 3;
  decltype(IsStrange(*to)) strange = 0;
  const T* const first = rows[0];
  const T* const second = rows[std::min<int64_t>(1, row_count - 1)];
  const T* const third = rows[std::min<int64_t>(2, row_count - 1)];
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t i = 0; i < count; ++i) {
    const T a = first[i], b = second[i], c = third[i];
    strange |= IsStrange(a) | IsStrange(b) | IsStrange(c);
    Store(chosen(chosen(Ordered(a), Ordered(b)), Ordered(c)), to[i]);
  }
  for (int64_t r = kRows; r < row_count; ++r) {
    const T* const x = rows[r];
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t i = 0; i < count; ++i) {
      strange |= IsStrange(x[i]);
      Store(chosen(Ordered(to[i]), Ordered(x[i])), to[i]);
    }
  }
  return strange == 0;
}

#define HLOSCOPE_FOLD_ACROSS(Name, T)                                                                       \
  HLOSCOPE_VECTOR_CLONES bool Name##Across(const T* const* rows, int64_t row_count, int64_t count, T* to) { \
    return FoldRowsAcross(elementwise::Name(), rows, row_count, count, to);                                 \
  }
HLOSCOPE_FOLD_ACROSS(Maximum, float)
HLOSCOPE_FOLD_ACROSS(Minimum, float)
HLOSCOPE_FOLD_ACROSS(Maximum, Bf16)
HLOSCOPE_FOLD_ACROSS(Minimum, Bf16)
#undef HLOSCOPE_FOLD_ACROSS

}  // namespace

FoldAcrossOf<float> FoldAcross(elementwise::Maximum, const float*) { return &MaximumAcross; }
FoldAcrossOf<float> FoldAcross(elementwise::Minimum, const float*) { return &MinimumAcross; }
FoldAcrossOf<Bf16> FoldAcross(elementwise::Maximum, const Bf16*) { return &MaximumAcross; }
FoldAcrossOf<Bf16> FoldAcross(elementwise::Minimum, const Bf16*) { return &MinimumAcross; }

bool ExtremesAcross::FindLayout(const std::vector<WindowPlace>& places) {
  size_t in_row = 1;
  while (in_row < places.size() && places[in_row].base == places[0].base) ++in_row;
  if (in_row < 2) return false;
  int64_t low = places[0].lanes.first_offset, high = low, step = 0;
  for (size_t p = 0; p < in_row; ++p) {
    const WindowLanes& lanes = places[p].lanes;
    if (lanes.window_step != 1) return false;
    if (lanes.count > 1 && step != 0 && lanes.offset_step != step) return false;
    if (lanes.count > 1) step = lanes.offset_step;
    low = std::min(low, lanes.first_offset);
    high = std::max(high, lanes.first_offset + (lanes.count - 1) * lanes.offset_step);
  }
  if (step < 1 || step > kLargestStep) return false;
  places_in_row_ = in_row;
  low_ = low;
  span_ = high - low + 1;
  step_ = step;
  // Window w meets element (w + shift) * step + phase of those that are folded; beside them there is padding.
  struct Lie {
    int64_t phase, shift;
  };
  std::vector<Lie> lies;
  int64_t before = 0, after = 0;
  const auto size_of = [&](int64_t phase) { return (span_ - phase + step - 1) / step; };
  for (size_t p = 0; p < in_row; ++p) {
    const int64_t start = places[p].lanes.first_offset - low - places[p].lanes.first_window * step;
    const int64_t phase = (start % step + step) % step;
    lies.push_back({phase, (start - phase) / step});
    before = std::max(before, -lies.back().shift);
    after = std::max(after, lies.back().shift + lane_count_ - size_of(phase));
  }
  const int64_t size = before + size_of(0) + after;
  folded_ = LaneBuffer(span_ * bytes_);
  packed_ = LaneBuffer(step * size * bytes_);
  FillElements(bytes_, neutral_.data(), packed_.data(), step * size);
  for (int64_t k = 0; k < step; ++k) phases_.push_back(packed_.data() + (k * size + before) * bytes_);
  for (const Lie& lie : lies) rows_.push_back(phases_[static_cast<size_t>(lie.phase)] + lie.shift * bytes_);
  return true;
}

bool ExtremesAcross::Take(const std::vector<WindowPlace>& places, const uint8_t* base) {
  if (fold_ == nullptr || !is_suitable_ || places.size() < 2) return false;
  if (places_in_row_ == 0 && !FindLayout(places)) return is_suitable_ = false;
  // Places of a row of a window follow each other; there is at least one more row.
  if (places.size() % places_in_row_ != 0 || places.size() == places_in_row_) return false;
  across_.clear();
  for (size_t p = 0; p < places.size(); p += places_in_row_) {
    if (places[p + places_in_row_ - 1].base != places[p].base) return false;
    const uint8_t* const row = base + (places[p].base + low_) * bytes_;
    across_.push_back(row);
    FetchAhead(row, span_ * bytes_);
  }
  // Elements one after the other are what neighbouring windows meet.
  uint8_t* const folded = step_ == 1 ? phases_[0] : folded_.data();
  if (!fold_(across_.data(), static_cast<int64_t>(across_.size()), span_, folded)) return false;
  for (int64_t k = 0; k < step_ && step_ > 1; ++k) {
    CopySteps(bytes_, folded + k * bytes_, step_, phases_[static_cast<size_t>(k)], 1, (span_ - k + step_ - 1) / step_);
  }
  return true;
}

}  // namespace hloscope::numerics
