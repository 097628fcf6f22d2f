// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/joined_columns.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "numerics/parallel/parallel_loop.h"

namespace hloscope::numerics {
namespace {

// Products with more features at a time run long enough.
constexpr int64_t kFewFeatures = 16;
// Wider windows take each element of the input many times over.
constexpr int64_t kWidestWindow = 64;
constexpr double kLeastProducts = 1 << 16;
constexpr double kByteNanoseconds = 0.1;

int64_t RoundedUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

struct Extent {
  int64_t features;  // of a column, with zeros at the end
  int64_t columns;   // of a row of the input, whole steps of the window
};

Extent ExtentOf(const ConvolutionProblem& problem, int64_t unit) {
  const WindowDimension& w = problem.window.back();
  const int64_t reached = (problem.output_spatial.back() - 1) * w.stride + w.size;
  const int64_t features = problem.input_features();
  // Rows and positions begin at whole units.
  const bool is_whole = w.size * features % unit == 0 && w.stride * features % unit == 0;
  return {is_whole ? features : RoundedUp(features, unit), RoundedUp(reached, w.stride)};
}

std::unique_ptr<uint8_t[]> Allocate(int64_t bytes) {
  return std::unique_ptr<uint8_t[]>(new (std::nothrow) uint8_t[static_cast<size_t>(bytes)]);
}

// Rows of the last spatial dimension as `extent` has them.
Outcome CopyInput(const ConvolutionProblem& problem, const Extent& extent, uint8_t* to, Executor& executor) {
  const int64_t bytes = StorageBytes(problem.lhs.type), features = problem.input_features();
  const int64_t size = problem.lhs.sizes[problem.lhs.rank() - 2], low = problem.window.back().padding_low;
  const int64_t rows = problem.lhs.element_count() / (size * features);
  const int64_t row_bytes = extent.columns * extent.features * bytes;
  // Columns [first, last) of the row are there.
  const int64_t first = std::clamp<int64_t>(low, 0, extent.columns);
  const int64_t last = std::clamp<int64_t>(size + low, first, extent.columns);
  return ParallelLoop(
      executor, rows, 20 + kByteNanoseconds * static_cast<double>(row_bytes), [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
          uint8_t* const out = to + row * row_bytes;
          const uint8_t* const in = problem.lhs.data + (row * size + first - low) * features * bytes;
          if (features == extent.features) {
            const int64_t column_bytes = features * bytes;
            std::memset(out, 0, static_cast<size_t>(first * column_bytes));
            std::memcpy(out + first * column_bytes, in, static_cast<size_t>((last - first) * column_bytes));
            std::memset(out + last * column_bytes, 0, static_cast<size_t>((extent.columns - last) * column_bytes));
            continue;
          }
          std::memset(out, 0, static_cast<size_t>(row_bytes));
          for (int64_t x = first; x < last; ++x) {
            std::memcpy(out + x * extent.features * bytes, in + (x - first) * features * bytes,
                        static_cast<size_t>(features * bytes));
          }
        }
      });
}

}  // namespace

bool SuitsJoinedColumns(const ConvolutionProblem& problem) {
  if (problem.window.empty() || problem.feature_group_count != 1 || problem.batch_group_count != 1) return false;
  const WindowDimension& w = problem.window.back();
  const int64_t features = problem.input_features();
  if (features >= kFewFeatures || features < 1 || w.size < 2 || w.size > kWidestWindow || w.stride > w.size ||
      w.base_dilation != 1 || w.window_dilation != 1 || w.reversal) {
    return false;
  }
  double products = static_cast<double>(problem.output_batch()) * static_cast<double>(problem.output_features()) *
                    static_cast<double>(features);
  for (size_t j = 0; j < problem.window.size(); ++j) {
    if (problem.output_spatial[j] < 1) return false;
    products *= static_cast<double>(problem.output_spatial[j]) * static_cast<double>(problem.window[j].size);
  }
  return products >= kLeastProducts;
}

int64_t JoinedColumnsBytes(const ConvolutionProblem& problem) {
  if (!SuitsJoinedColumns(problem)) return 0;
  const Extent extent = ExtentOf(problem, 2);
  const int64_t features = problem.input_features(), size = problem.lhs.sizes[problem.lhs.rank() - 2];
  const int64_t rows = problem.lhs.element_count() / (size * features);
  return (rows * extent.columns + problem.kernel.element_count() / features) * extent.features *
         StorageBytes(problem.lhs.type);
}

Outcome JoinColumns(const ConvolutionProblem& problem, int64_t unit, JoinedColumns& joined, Executor& executor) {
  const WindowDimension w = problem.window.back();
  const Extent extent = ExtentOf(problem, unit);
  const int64_t features = problem.input_features(), bytes = StorageBytes(problem.lhs.type);
  const size_t column = problem.lhs.rank() - 2;  // the dimension of columns of the input
  joined.problem = problem;
  ConvolutionProblem& result = joined.problem;
  result.window.back() = {};
  result.lhs.sizes[column] = extent.columns / w.stride;
  result.lhs.sizes.back() = w.size * extent.features;
  const bool is_in_place =
      w.padding_low == 0 && extent.features == features && extent.columns == problem.lhs.sizes[column];
  if (!is_in_place) {
    const int64_t rows = problem.lhs.element_count() / (problem.lhs.sizes[column] * features);
    // The last positions of the last row read beyond it.
    const int64_t row_bytes = extent.columns * extent.features * bytes, beyond = w.size * extent.features * bytes;
    joined.lhs = Allocate(rows * row_bytes + beyond);
    if (joined.lhs == nullptr) return Outcome::kNoMemory;
    std::memset(joined.lhs.get() + rows * row_bytes, 0, static_cast<size_t>(beyond));
    if (Outcome outcome = CopyInput(problem, extent, joined.lhs.get(), executor); !outcome.ok()) return outcome;
    result.lhs.data = joined.lhs.get();
  }
  result.input_pitch = w.stride * extent.features;
  // [spatial..., columns, features, output features] becomes [spatial..., 1, columns * features, output features].
  DimensionVector sizes = problem.kernel.sizes;
  sizes[sizes.size() - 3] = 1;
  sizes[sizes.size() - 2] = w.size * extent.features;
  const uint8_t* kernel = problem.kernel.data;
  if (extent.features != features) {
    const int64_t row_bytes = features * problem.output_features() * bytes;
    const int64_t joined_bytes = extent.features * problem.output_features() * bytes;
    const int64_t rows = problem.kernel.element_count() * bytes / row_bytes;
    joined.kernel = Allocate(rows * joined_bytes);
    if (joined.kernel == nullptr) return Outcome::kNoMemory;
    std::memset(joined.kernel.get(), 0, static_cast<size_t>(rows * joined_bytes));
    for (int64_t row = 0; row < rows; ++row) {
      std::memcpy(joined.kernel.get() + row * joined_bytes, kernel + row * row_bytes, static_cast<size_t>(row_bytes));
    }
    kernel = joined.kernel.get();
  }
  result.kernel = DenseArray(problem.kernel.type, kernel, std::move(sizes));
  return Outcome::kDone;
}

}  // namespace hloscope::numerics
