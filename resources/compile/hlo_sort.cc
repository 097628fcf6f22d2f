// SPDX-License-Identifier: Apache-2.0
#include "hlo_sort.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "numerics/elements/element_bits.h"
#include "numerics/sorting/merge_sort.h"

namespace hlo {
namespace {

constexpr double kComparisonNanoseconds = 5;

int64_t LinesPerThread(int64_t length) {
  return std::max<int64_t>(1,
                           static_cast<int64_t>(20e3 / (kComparisonNanoseconds * static_cast<double>(length * 8 + 1))));
}

// Runs `order_line(lines, order)` for every line: `lines` has one pointer for each operand, to elements side by side.
template <typename OrderLine>
void SortEach(const SortedArrays& arrays, const OrderLine& order_line) {
  const int64_t length = arrays.length, inner = arrays.inner;
  ParallelFor(arrays.outer * inner, LinesPerThread(length), [&](int64_t begin, int64_t end) {
    const size_t count = static_cast<size_t>(arrays.count);
    std::vector<std::vector<uint8_t>> gathered(count), sorted(count);  // lines whose elements are apart
    std::vector<const void*> lines(count);
    const std::unique_ptr<int64_t[]> order(new int64_t[static_cast<size_t>(length)]);
    // Moves the elements of a line between an array and neighbouring places.
    const auto move = [&](int bytes, const uint8_t* from, int64_t from_step, uint8_t* to, int64_t to_step) {
      numerics::VisitElementBytes(bytes, [&](auto bits) {
        using T = decltype(bits);
        for (int64_t j = 0; j < length; ++j) {
          reinterpret_cast<T*>(to)[j * to_step] = reinterpret_cast<const T*>(from)[j * from_step];
        }
      });
    };
    for (int64_t n = begin; n < end; ++n) {
      const int64_t first = n / inner * length * inner + n % inner;
      for (size_t k = 0; k < count; ++k) {
        const int bytes = arrays.element_bytes[k];
        const uint8_t* const from = arrays.operands[k].as<uint8_t>() + first * bytes;
        lines[k] = from;
        if (inner == 1) continue;
        gathered[k].resize(static_cast<size_t>(length * bytes));
        sorted[k].resize(gathered[k].size());
        move(bytes, from, inner, gathered[k].data(), 1);
        lines[k] = gathered[k].data();
      }
      order_line(lines.data(), order.get());
      for (size_t k = 0; k < count; ++k) {
        const int bytes = arrays.element_bytes[k];
        uint8_t* const to = arrays.results[k].to<uint8_t>() + first * bytes;
        uint8_t* const target = inner == 1 ? to : sorted[k].data();
        numerics::PermuteLine(bytes, static_cast<const uint8_t*>(lines[k]), target, length, order.get(),
                              ProgramThreads())
            .Ignore();
        if (inner != 1) move(bytes, target, 1, to, inner);
      }
    }
  });
}

}  // namespace

void SortLines(const SortedArrays& arrays, Before before) {
  const int64_t length = arrays.length;
  SortEach(arrays, [&](const void* const* lines, int64_t* order) {
    const std::unique_ptr<int64_t[]> scratch(new int64_t[static_cast<size_t>(length)]);
    for (int64_t j = 0; j < length; ++j) order[j] = j;
    numerics::CancellationPoll poll(ProgramThreads());
    numerics::MergeSort(
        order, scratch.get(), length, [&](int64_t a, int64_t b) { return before(lines, a, b); }, poll);
  });
}

void SortLinesByKey(const SortedArrays& arrays, int key, const StrictOrder& by) {
  SortEach(arrays, [&](const void* const* lines, int64_t* order) {
    numerics::OrderLine(by, static_cast<const uint8_t*>(lines[key]), arrays.length, order, ProgramThreads()).Ignore();
  });
}

void TopK(int64_t lines, int64_t length, int64_t k, int element_bytes, Before before, const Array& operand,
          Array& values, Array& indices) {
  const size_t bytes = static_cast<size_t>(element_bytes);
  ParallelFor(lines, LinesPerThread(length), [&](int64_t begin, int64_t end) {
    std::vector<int64_t> order(static_cast<size_t>(length));
    for (int64_t n = begin; n < end; ++n) {
      const char* const line = operand.as<char>() + static_cast<size_t>(n * length) * bytes;
      const void* const pointers[] = {line};
      for (int64_t j = 0; j < length; ++j) order[static_cast<size_t>(j)] = j;
      std::partial_sort(order.begin(), order.begin() + k, order.end(), [&](int64_t a, int64_t b) {
        // Of equal elements the first one comes first.
        return before(pointers, a, b) || (!before(pointers, b, a) && a < b);
      });
      for (int64_t j = 0; j < k; ++j) {
        const int64_t from = order[static_cast<size_t>(j)];
        std::memcpy(values.to<char>() + static_cast<size_t>(n * k + j) * bytes,
                    line + static_cast<size_t>(from) * bytes, bytes);
        indices.to<int32_t>()[n * k + j] = static_cast<int32_t>(from);
      }
    }
  });
}

}  // namespace hlo
