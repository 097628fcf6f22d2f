// SPDX-License-Identifier: Apache-2.0
#include "hlo_sort.h"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "numerics/data_movement/strided_copy.h"
#include "numerics/sorting/merge_sort.h"
#include "numerics/sorting/top_of_line.h"
#include "numerics/sorting/value_sort.h"

namespace hlo {
namespace {

constexpr double kComparisonNanoseconds = 5;

int64_t LinesPerThread(int64_t length) {
  return std::max<int64_t>(1,
                           static_cast<int64_t>(20e3 / (kComparisonNanoseconds * static_cast<double>(length * 8 + 1))));
}

// Lines whose elements are apart are brought side by side so many at a time: each row of them is a line of the cache or
// a good part of one.
constexpr int64_t kGatheredLines = 16;

// Runs `sort_line(lines, sorted)` for every line: both have one pointer for each operand, to elements side by side.
template <typename SortLine>
void SortEach(const SortedArrays& arrays, const SortLine& sort_line) {
  const int64_t length = arrays.length, inner = arrays.inner;
  const int64_t some = std::min(kGatheredLines, inner), blocks = (inner - 1) / some + 1;
  const int64_t units = inner == 1 ? arrays.outer : arrays.outer * blocks;
  ParallelFor(units, std::max<int64_t>(LinesPerThread(length) / some, 1), [&](int64_t begin, int64_t end) {
    const size_t count = static_cast<size_t>(arrays.count);
    std::vector<std::vector<uint8_t>> gathered(count), sorted(count);  // lines whose elements are apart
    std::vector<const uint8_t*> lines(count);
    std::vector<uint8_t*> targets(count);
    for (int64_t n = begin; n < end; ++n) {
      const int64_t at = inner == 1 ? 0 : n % blocks * some, line_count = std::min(some, inner - at);
      const int64_t first = (inner == 1 ? n : n / blocks) * length * inner + at;
      // The lines of `inner` ones that lie between each other, and those that follow one another.
      const std::array<int64_t, 2> sizes = {line_count, length}, apart = {1, inner}, together = {length, 1};
      for (size_t k = 0; k < count; ++k) {
        const int bytes = arrays.element_bytes[k];
        lines[k] = arrays.operands[k].as<uint8_t>() + first * bytes;
        targets[k] = arrays.results[k].to<uint8_t>() + first * bytes;
        if (inner == 1) continue;
        gathered[k].resize(static_cast<size_t>(some * length * bytes));
        sorted[k].resize(gathered[k].size());
        numerics::CopyStrided(bytes, sizes, lines[k], apart, gathered[k].data(), together);
        lines[k] = gathered[k].data();
        targets[k] = sorted[k].data();
      }
      for (int64_t l = 0; l < line_count; ++l) {
        sort_line(lines.data(), targets.data());
        for (size_t k = 0; k < count; ++k) {
          lines[k] += length * arrays.element_bytes[k];
          targets[k] += length * arrays.element_bytes[k];
        }
      }
      for (size_t k = 0; k < count && inner != 1; ++k) {
        const int bytes = arrays.element_bytes[k];
        uint8_t* const to = arrays.results[k].to<uint8_t>() + first * bytes;
        numerics::CopyStrided(bytes, sizes, sorted[k].data(), together, to, apart);
      }
    }
  });
}

// The same for lines that are permuted by an order: `order_line(lines, order)` makes that of one.
template <typename OrderLine>
void SortEachByOrder(const SortedArrays& arrays, const OrderLine& order_line) {
  SortEach(arrays, [&](const uint8_t* const* lines, uint8_t* const* targets) {
    const std::unique_ptr<int64_t[]> order(new int64_t[static_cast<size_t>(arrays.length)]);
    order_line(lines, order.get());
    for (int k = 0; k < arrays.count; ++k) {
      numerics::PermuteLine(arrays.element_bytes[k], lines[k], targets[k], arrays.length, order.get(), ProgramThreads())
          .Ignore();
    }
  });
}

}  // namespace

void SortLines(const SortedArrays& arrays, Before before) {
  const int64_t length = arrays.length;
  SortEachByOrder(arrays, [&](const uint8_t* const* lines, int64_t* order) {
    const std::vector<const void*> elements(lines, lines + arrays.count);
    const std::unique_ptr<int64_t[]> scratch(new int64_t[static_cast<size_t>(length)]);
    for (int64_t j = 0; j < length; ++j) order[j] = j;
    numerics::CancellationPoll poll(ProgramThreads());
    numerics::MergeSort(
        order, scratch.get(), length, [&](int64_t a, int64_t b) { return before(elements.data(), a, b); }, poll);
  });
}

void SortLinesByKey(const SortedArrays& arrays, int key, const StrictOrder& by) {
  if (arrays.count == 1) {
    return SortEach(arrays, [&](const uint8_t* const* lines, uint8_t* const* targets) {
      numerics::SortLine(by, lines[0], arrays.length, targets[0], ProgramThreads()).Ignore();
    });
  }
  SortEachByOrder(arrays, [&](const uint8_t* const* lines, int64_t* order) {
    numerics::OrderLine(by, lines[key], arrays.length, order, ProgramThreads()).Ignore();
  });
}

void TopK(int64_t lines, int64_t length, int64_t k, const StrictOrder& order, const Array& operand, Array& values,
          Array& indices) {
  const size_t bytes = static_cast<size_t>(numerics::StorageBytes(order.type));
  ParallelFor(lines, LinesPerThread(length), [&](int64_t begin, int64_t end) {
    std::vector<int64_t> positions(static_cast<size_t>(k));
    for (int64_t n = begin; n < end; ++n) {
      const uint8_t* const line = operand.as<uint8_t>() + static_cast<size_t>(n * length) * bytes;
      numerics::TopOfLine(order, line, length, k, positions.data());
      for (int64_t j = 0; j < k; ++j) {
        const int64_t from = positions[static_cast<size_t>(j)];
        std::memcpy(values.to<char>() + static_cast<size_t>(n * k + j) * bytes,
                    line + static_cast<size_t>(from) * bytes, bytes);
        indices.to<int32_t>()[n * k + j] = static_cast<int32_t>(from);
      }
    }
  });
}

}  // namespace hlo
