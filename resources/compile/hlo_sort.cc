#include "hlo_sort.h"

#include <algorithm>
#include <vector>

#include "evaluator/kernels/merge_sort.h"

namespace hlo {
namespace {

constexpr double kComparisonNanoseconds = 5;

int64_t LinesPerThread(int64_t length) {
  return std::max<int64_t>(1,
                           static_cast<int64_t>(20e3 / (kComparisonNanoseconds * static_cast<double>(length * 8 + 1))));
}

void Order(Before before, const void* const* lines, int64_t length, std::vector<int64_t>& order,
           std::vector<int64_t>& scratch) {
  order.resize(static_cast<size_t>(length));
  scratch.resize(order.size());
  for (int64_t j = 0; j < length; ++j) order[static_cast<size_t>(j)] = j;
  hloscope::KernelRuntime runtime;
  hloscope::CancellationPoll poll(runtime);
  hloscope::MergeSort(
      order.data(), scratch.data(), length, [&](int64_t a, int64_t b) { return before(lines, a, b); }, poll);
}

}  // namespace

void SortLines(int64_t outer, int64_t length, int64_t inner, int count, const int* element_bytes, Before before,
               const Array* operands, Array* results) {
  ParallelFor(outer * inner, LinesPerThread(length), [&](int64_t begin, int64_t end) {
    std::vector<std::vector<char>> lines(static_cast<size_t>(count));
    std::vector<const void*> pointers;
    for (int k = 0; k < count; ++k) {
      lines[static_cast<size_t>(k)].resize(static_cast<size_t>(length * element_bytes[k]));
      pointers.push_back(lines[static_cast<size_t>(k)].data());
    }
    std::vector<int64_t> order, scratch;
    for (int64_t n = begin; n < end; ++n) {
      const int64_t first = n / inner * length * inner + n % inner;
      for (int k = 0; k < count; ++k) {
        const size_t bytes = static_cast<size_t>(element_bytes[k]);
        for (int64_t j = 0; j < length; ++j) {
          std::memcpy(lines[static_cast<size_t>(k)].data() + static_cast<size_t>(j) * bytes,
                      operands[k].as<char>() + static_cast<size_t>(first + j * inner) * bytes, bytes);
        }
      }
      Order(before, pointers.data(), length, order, scratch);
      for (int k = 0; k < count; ++k) {
        const size_t bytes = static_cast<size_t>(element_bytes[k]);
        for (int64_t j = 0; j < length; ++j) {
          std::memcpy(results[k].to<char>() + static_cast<size_t>(first + j * inner) * bytes,
                      lines[static_cast<size_t>(k)].data() + static_cast<size_t>(order[static_cast<size_t>(j)]) * bytes,
                      bytes);
        }
      }
    }
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
