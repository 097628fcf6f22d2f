// SPDX-License-Identifier: Apache-2.0
#include "numerics/sorting/key_sort.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "numerics/parallel/parallel_loop.h"
#include "numerics/sorting/vector_sort.h"

namespace hloscope::numerics {
namespace {

// Fewer are sorted faster by comparing.
constexpr int64_t kMinDigitKeys = 512;

// By three digits of 11 bits, the lowest first. `scratch`: room for as many keys.
Outcome SortByDigits(int32_t* keys, int32_t* scratch, int64_t count, Executor& executor) {
  constexpr int kDigitBits = 11, kPasses = 3;
  constexpr uint32_t kDigits = uint32_t{1} << kDigitBits;
  constexpr double kKeyNanoseconds = 4;
  const auto digit = [](int32_t key, int pass) {
    return ((static_cast<uint32_t>(key) ^ 0x80000000) >> (pass * kDigitBits)) & (kDigits - 1);
  };
  std::array<std::vector<int64_t>, kPasses> places;
  for (std::vector<int64_t>& of_pass : places) of_pass.assign(kDigits, 0);
  Outcome outcome = SerialLoop(executor, count, kKeyNanoseconds, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      for (int p = 0; p < kPasses; ++p) ++places[static_cast<size_t>(p)][digit(keys[i], p)];
    }
  });
  if (!outcome.ok()) return outcome;
  int32_t *from = keys, *to = scratch;
  for (int p = 0; p < kPasses; ++p) {
    std::vector<int64_t>& place = places[static_cast<size_t>(p)];
    // A digit that all keys share moves nothing.
    if (std::find(place.begin(), place.end(), count) != place.end()) continue;
    int64_t next = 0;
    for (int64_t& of_digit : place) next += std::exchange(of_digit, next);
    outcome = SerialLoop(executor, count, kKeyNanoseconds, [&, p](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) to[place[digit(from[i], p)]++] = from[i];
    });
    if (!outcome.ok()) return outcome;
    std::swap(from, to);
  }
  if (from == keys) return Outcome::kDone;
  return SerialLoop(executor, count, 0.5,
                    [&](int64_t begin, int64_t end) { std::copy(from + begin, from + end, keys + begin); });
}

Outcome SortByDigits(int32_t* keys, int64_t count, Executor& executor) {
  const std::unique_ptr<int32_t[]> scratch(new int32_t[static_cast<size_t>(count)]);
  return SortByDigits(keys, scratch.get(), count, executor);
}

// A key that some of the others are likely below and some above.
int32_t PivotOf(const int32_t* keys, int64_t count) {
  constexpr int64_t kSamples = 64;
  int32_t samples[kSamples];
  for (int64_t i = 0; i < kSamples; ++i) samples[i] = keys[(2 * i + 1) * (count / (2 * kSamples))];
  SortFewKeys(samples, kSamples);
  return samples[kSamples / 2];
}

// Where keys, already in two parts, are to be sorted further: [0, low_end) and [high_begin, count).
struct Cut {
  int64_t low_end, high_begin;
};

// Cuts more than kFewKeys keys in two parts of which neither holds them all; what is between is in its place. False if
// the run was cancelled.
bool CutKeys(int32_t* keys, int64_t count, CancellationPoll& poll, Cut& cut) {
  const int32_t pivot = PivotOf(keys, count);
  const int64_t low = PartitionKeys(keys, count, pivot, poll);
  if (low < 0) return false;
  cut = {low, low};
  if (low < count) return true;
  // None is above the pivot: those that equal it are done.
  cut = {0, count};
  if (pivot == std::numeric_limits<int32_t>::min()) return true;
  cut.low_end = PartitionKeys(keys, count, pivot - 1, poll);
  return cut.low_end >= 0;
}

int DepthLimit(int64_t count) {
  int bits = 0;
  while (count >> bits != 0) ++bits;
  return 2 * bits;
}

// `depth`: how often the keys may be cut before they are sorted by digits, for which no order of keys is a bad one.
Outcome SortByCuts(int32_t* keys, int64_t count, int depth, CancellationPoll& poll, Executor& executor) {
  while (count > kFewKeys) {
    if (depth-- == 0) return SortByDigits(keys, count, executor);
    Cut cut;
    if (!CutKeys(keys, count, poll, cut)) return Outcome::kCancelled;
    if (Outcome low = SortByCuts(keys, cut.low_end, depth, poll, executor); !low.ok()) return low;
    keys += cut.high_begin;
    count -= cut.high_begin;
  }
  SortFewKeys(keys, count);
  return poll.Cancelled(2 * static_cast<double>(count)) ? Outcome::kCancelled : Outcome::kDone;
}

struct Part {
  int32_t* keys;
  int64_t count;
};

// Calls `body(part, poll)` for each, on all threads. `body` returns false if the run was cancelled.
template <typename Body>
Outcome ForParts(const std::vector<Part>& parts, Executor& executor, const Body& body) {
  std::atomic<bool> cancelled = false;
  executor.ParallelFor(static_cast<int64_t>(parts.size()), 1, [&](int64_t begin, int64_t end) {
    CancellationPoll poll(executor);
    for (int64_t p = begin; p < end && !cancelled; ++p) {
      if (!body(static_cast<size_t>(p), poll)) cancelled = true;
    }
  });
  return cancelled ? Outcome::kCancelled : Outcome::kDone;
}

// Cuts all parts in two, until there are enough of them for threads to have much the same to do.
Outcome SortOnThreads(int32_t* keys, int64_t count, Executor& executor) {
  constexpr int kCuts = 5;
  constexpr int64_t kMinPart = 1 << 13;  // worth a thread
  std::vector<Part> parts = {{keys, count}};
  for (int c = 0; c < kCuts; ++c) {
    std::vector<Cut> cuts(parts.size());
    Outcome outcome = ForParts(parts, executor, [&](size_t p, CancellationPoll& poll) {
      cuts[p] = {parts[p].count, parts[p].count};
      return parts[p].count < kMinPart || CutKeys(parts[p].keys, parts[p].count, poll, cuts[p]);
    });
    if (!outcome.ok()) return outcome;
    std::vector<Part> halves;
    for (size_t p = 0; p < parts.size(); ++p) {
      if (cuts[p].low_end > 0) halves.push_back({parts[p].keys, cuts[p].low_end});
      if (cuts[p].high_begin < parts[p].count) {
        halves.push_back({parts[p].keys + cuts[p].high_begin, parts[p].count - cuts[p].high_begin});
      }
    }
    parts = std::move(halves);
  }
  return ForParts(parts, executor, [&](size_t p, CancellationPoll& poll) {
    return SortByCuts(parts[p].keys, parts[p].count, DepthLimit(parts[p].count), poll, executor).ok();
  });
}

}  // namespace

Outcome SortKeys(int32_t* keys, int64_t count, Executor& executor) {
  constexpr int64_t kManyKeys = 1 << 15;  // enough for several threads
  if (HasVectorSort()) {
    if (count >= kManyKeys) return SortOnThreads(keys, count, executor);
    CancellationPoll poll(executor);
    return SortByCuts(keys, count, DepthLimit(count), poll, executor);
  }
  if (count >= kMinDigitKeys) return SortByDigits(keys, count, executor);
  std::sort(keys, keys + count);
  return Outcome::kDone;
}

}  // namespace hloscope::numerics
