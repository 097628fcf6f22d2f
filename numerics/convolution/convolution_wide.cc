// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/convolution_wide.h"

#include <algorithm>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "numerics/contraction/gemm.h"
#include "numerics/contraction/pack_lines.h"
#include "numerics/contraction/packed_gemm.h"
#include "numerics/convolution/all_finite.h"
#include "numerics/convolution/convolution_geometry.h"
#include "numerics/convolution/depthwise_lanes.h"
#include "numerics/convolution/group_planes.h"
#include "numerics/convolution/joined_columns.h"
#include "numerics/convolution/window_planes.h"
#include "numerics/data_movement/copy_few.h"
#include "numerics/data_movement/parallel_copy.h"
#include "numerics/parallel/parallel_loop.h"

namespace hloscope::numerics {
namespace {

// Pairs of output position and window element whose input is looked up in a table.
constexpr int64_t kMaxPairs = int64_t{1} << 21;
// The products of a sum are cut into at most this many parts, which are distributed over the threads.
constexpr int64_t kMaxParts = 64;
constexpr int64_t kMinPartProducts = 4096;

template <typename T>
constexpr ElementType kType = sizeof(T) == 4 ? ElementType::kF32 : ElementType::kF64;

// Parts of `products` that each leave `sums` numbers, of operands of `elements`.
int64_t PartCount(int64_t products, int64_t sums, int64_t elements) {
  const int64_t affordable = elements / std::max<int64_t>(4 * sums, 1);
  return std::clamp<int64_t>(std::min(products / kMinPartProducts, affordable), 1, kMaxParts);
}

int64_t LanePartCount(int64_t products, int64_t positions) { return PartCount(products, positions, products); }
int64_t WindowPartCount(int64_t inner, int64_t rows, int64_t columns) {
  return PartCount(inner, rows * columns, inner * (rows + columns));
}

// Of `parts` parts of `count` items, where number `part` starts.
int64_t PartStart(int64_t count, int64_t parts, int64_t part) {
  return count / parts * part + std::min(count % parts, part);
}

// The sums of all parts, one part after the other: visit(number, sum) for each of the `count` numbers of a part.
template <typename T, typename Visit>
void AddParts(const T* partial, int64_t parts, int64_t count, Visit&& visit) {
  for (int64_t n = 0; n < count; ++n) {
    double sum = 0;
    for (int64_t part = 0; part < parts; ++part) sum += static_cast<double>(partial[part * count + n]);
    visit(n, static_cast<T>(sum));
  }
}

// One batch group for each feature: products and sums run over all features side by side.
template <typename T>
class GroupLanes {
 public:
  explicit GroupLanes(const ConvolutionProblem& problem)
      : g_(problem),
        lhs_(problem.lhs.elements<T>()),
        kernel_(problem.kernel.elements<T>()),
        lanes_(g_.output_features),
        row_size_(g_.input_sizes.back()),
        kernel_row_size_(g_.kernel_sizes.back()),
        output_row_size_(g_.output_sizes.back()) {
    // Elements of a row of the kernel whose inputs are the same distance apart.
    for (int64_t x = 0; x < output_row_size_; ++x) {
      std::vector<Run>& runs = runs_.emplace_back();
      const int64_t* const positions = g_.positions.back().data() + x * kernel_row_size_;
      for (int64_t k = 0; k < kernel_row_size_; ++k) {
        const int64_t p = positions[k];
        if (p < 0) continue;
        if (!runs.empty() && runs.back().first + runs.back().count == k) {
          Run& run = runs.back();
          const int64_t step = p - positions[k - 1];
          if (run.count == 1) run.step = step;
          if (run.step == step) {
            ++run.count;
            continue;
          }
        }
        runs.push_back({k, 1, p, 0});
      }
    }
  }

  Outcome Sum(T* result, Executor& executor) const {
    const int64_t kernel_rows = g_.kernel_count / kernel_row_size_, units = g_.input_features * kernel_rows;
    const int64_t sums = g_.output_count * lanes_;
    const int64_t products = g_.input_features * g_.kernel_count;
    const int64_t parts = std::min(units, LanePartCount(products, g_.output_count));
    const std::unique_ptr<T[]> partial(new (std::nothrow) T[static_cast<size_t>(parts * sums)]);
    if (partial == nullptr) return Outcome::kNoMemory;
    T* const numbers = partial.get();
    const int64_t part_units = units / parts;
    const double unit_nanoseconds = 0.1 * static_cast<double>(g_.output_count * kernel_row_size_ * lanes_);
    Outcome outcome = ParallelLoop(
        executor, parts, static_cast<double>(part_units) * unit_nanoseconds, [&](int64_t begin, int64_t end) {
          CancellationPoll poll(executor);
          for (int64_t part = begin; part < end; ++part) {
            T* const part_sums = numbers + part * sums;
            std::fill_n(part_sums, sums, T());
            for (int64_t u = PartStart(units, parts, part); u < PartStart(units, parts, part + 1); ++u) {
              AddKernelRow(u / kernel_rows, u % kernel_rows, kernel_rows, part_sums);
              if (poll.Cancelled(unit_nanoseconds)) return;
            }
          }
        });
    if (outcome.ok()) outcome = executor.CheckCancelled();
    if (!outcome.ok()) return outcome;
    AddParts(numbers, parts, sums, [&](int64_t n, T sum) { result[n] = sum; });
    return Outcome::kDone;
  }

 private:
  struct Run {
    int64_t first, count;  // in the kernel's row
    int64_t input, step;   // in the input's row
  };

  // The products of one row of the kernel's plane `z`.
  void AddKernelRow(int64_t z, int64_t kernel_row, int64_t kernel_rows, T* sums) const {
    const int64_t input_rows = g_.input_count / row_size_;
    const T* const factors = kernel_ + (z * kernel_rows + kernel_row) * kernel_row_size_ * lanes_;
    for (int64_t y = 0; y < g_.output_count / output_row_size_; ++y) {
      const int64_t row = g_.InputRowOf(y, kernel_row);
      if (row < 0) continue;
      const T* const inputs = lhs_ + (z * input_rows + row) * row_size_ * lanes_;
      for (int64_t x = 0; x < output_row_size_; ++x) {
        for (const Run& run : runs_[static_cast<size_t>(x)]) {
          SumProductRows(inputs + run.input * lanes_, run.step * lanes_, factors + run.first * lanes_, lanes_,
                         run.count, sums + (y * output_row_size_ + x) * lanes_, lanes_);
        }
      }
    }
  }

  const ConvolutionGeometry g_;
  const T* const lhs_;
  const T* const kernel_;
  const int64_t lanes_, row_size_, kernel_row_size_, output_row_size_;
  std::vector<std::vector<Run>> runs_;  // by output position along the row
};

// A product of matrices: rows are pairs of output position and batch, columns output features, and what is summed over
// are elements of the window for one input feature after the other. T: of sums; Element: of the arrays, T or, of bf16,
// uint16_t.
template <typename T, typename Element = T>
class WindowProduct {
 public:
  // All output positions. Where a window element meets no input, a zero is multiplied. `inputs` and `kernel` are given
  // where those arrays lie in planes.
  WindowProduct(const ConvolutionProblem& problem, const ConvolutionGeometry& geometry,
                const WindowInputs<T>* inputs = nullptr, const WindowKernel<T>* kernel = nullptr)
      : WindowProduct(problem, geometry, 0, geometry.output_count) {
    input_planes_ = inputs;
    kernel_planes_ = kernel;
    elements_.resize(static_cast<size_t>(g_.kernel_count));
    std::iota(elements_.begin(), elements_.end(), 0);
    LookUp();
  }
  // One output position. Window elements that meet no input are left out.
  WindowProduct(const ConvolutionProblem& problem, const ConvolutionGeometry& geometry, int64_t position)
      : WindowProduct(problem, geometry, position, 1) {
    for (int64_t k = 0; k < g_.kernel_count; ++k) {
      if (g_.InputOf(position, k) >= 0) elements_.push_back(static_cast<int32_t>(k));
    }
    LookUp();
  }

  // Writes the results of its positions; `result` is that of all positions.
  Outcome Multiply(T* result, Executor& executor) const {
    const int64_t rows = positions_ * batch_, columns = g_.output_features, sums = rows * columns;
    const int64_t inner = g_.input_features * ElementCount();
    const int64_t parts = WindowPartCount(inner, rows, columns);
    const std::unique_ptr<T[]> partial(new (std::nothrow) T[static_cast<size_t>(parts * sums)]);
    if (partial == nullptr) return Outcome::kNoMemory;
    T* const numbers = partial.get();
    const auto multiply = [&](int64_t part) {
      const int64_t first = PartStart(inner, parts, part);
      const GemmSizes sizes = {rows, columns, PartStart(inner, parts, part + 1) - first};
      T* const part_sums = numbers + part * sums;
      if (sizes.inner == 0) std::fill_n(part_sums, sums, T());
      if constexpr (std::is_same_v<T, Element>) {
        return MultiplyPacked<T>(
            sizes,
            [&](int64_t row, int64_t count, int64_t begin, int64_t end, int64_t panel, T* to) {
              PackRows(row, count, first + begin, first + end, panel, to);
            },
            [&](int64_t column, int64_t count, int64_t begin, int64_t end, int64_t panel, T* to) {
              PackColumns(column, count, first + begin, first + end, panel, to);
            },
            part_sums, columns, executor);
      } else {
        const int64_t last = first + sizes.inner;
        return MultiplyPackedPairs(
            {rows, columns, (sizes.inner + 1) / 2},
            [&](int64_t row, int64_t count, int64_t begin, int64_t end, int64_t panel, uint32_t* to) {
              PackRowPairs(row, count, first + 2 * begin, std::min(first + 2 * end, last), panel, to);
            },
            [&](int64_t column, int64_t count, int64_t begin, int64_t end, int64_t panel, uint32_t* to) {
              const Bf16Lines lines = {kernel_ + first * columns, 1, columns, sizes.inner};
              lines.PackPairs(column, count, begin, end, panel, to);
            },
            part_sums, columns, executor);
      }
    };
    const double products = static_cast<double>(sums) * static_cast<double>(inner) / static_cast<double>(parts);
    const Outcome outcome = MultiplyEach(parts, products * MultiplyAddNanoseconds(kType<T>), multiply, executor);
    if (!outcome.ok()) return outcome;
    AddParts(numbers, parts, sums, [&](int64_t n, T sum) {
      const int64_t row = n / columns, position = first_ + row / batch_;
      result[(row % batch_ * g_.output_count + position) * columns + n % columns] = sum;
    });
    return Outcome::kDone;
  }

 private:
  WindowProduct(const ConvolutionProblem& problem, const ConvolutionGeometry& geometry, int64_t first,
                int64_t positions)
      : g_(geometry),
        lhs_(problem.lhs.elements<Element>()),
        kernel_(problem.kernel.elements<Element>()),
        batch_(geometry.output_batch),
        first_(first),
        positions_(positions) {}

  void LookUp() {
    is_plain_ = positions_ == 1 && ElementCount() == g_.input_count && ElementCount() == g_.kernel_count;
    for (int64_t y = 0; y < positions_; ++y) {
      for (int32_t k : elements_) {
        inputs_.push_back(static_cast<int32_t>(g_.InputOf(first_ + y, k)));
        is_plain_ = is_plain_ && inputs_.back() == k;
      }
    }
  }

  int64_t ElementCount() const { return static_cast<int64_t>(elements_.size()); }

  // Both as PackPanel says.
  void PackRows(int64_t first, int64_t count, int64_t begin, int64_t end, int64_t panel, T* to) const {
    if (input_planes_ != nullptr) return input_planes_->Pack(first, count, begin, end, panel, to);
    if (is_plain_) {
      PackStrided(lhs_, 1, batch_, first, count, begin, end, panel, to);
      return;
    }
    if (count < panel) std::fill_n(to, panel * (end - begin), T());
    // Lines of one position are neighbours in memory.
    for (int64_t line = 0; line < count;) {
      const int64_t position = (first + line) / batch_, b = (first + line) % batch_;
      const int64_t run = std::min(batch_ - b, count - line);
      const int32_t* const inputs = inputs_.data() + position * ElementCount();
      int64_t k = begin % ElementCount();
      const T* image = lhs_ + begin / ElementCount() * g_.input_count * batch_ + b;
      T* out = to + line;
      for (int64_t n = begin; n < end; ++n, out += panel) {
        const int32_t input = inputs[k];
        if (input < 0) {
          std::fill_n(out, run, T());
        } else {
          CopyFew(image + input * batch_, run, out);
        }
        if (++k == ElementCount()) {
          k = 0;
          image += g_.input_count * batch_;
        }
      }
      line += run;
    }
  }
  // Products [begin, end) two by two; those of a pair are 2 * pair and the next one from `begin` on.
  void PackRowPairs(int64_t first, int64_t count, int64_t begin, int64_t end, int64_t panel, uint32_t* to) const {
    static constexpr Element kZeros[kMostPanel] = {};
    constexpr int64_t kPairs = 128;
    const Element* lines[2 * kPairs];
    const int64_t pairs = (end - begin + 1) / 2;
    if (count < panel) std::fill_n(to, panel * pairs, 0);
    for (int64_t line = 0; line < count;) {
      const int64_t position = (first + line) / batch_, b = (first + line) % batch_;
      const int64_t run = std::min({batch_ - b, count - line, kMostPanel});
      const int32_t* const inputs = inputs_.data() + position * ElementCount();
      int64_t k = begin % ElementCount();
      const Element* image = lhs_ + begin / ElementCount() * g_.input_count * batch_ + b;
      for (int64_t pair = 0; pair < pairs; pair += kPairs) {
        const int64_t some = std::min(kPairs, pairs - pair);
        for (int64_t n = 0; n < 2 * some; ++n) {
          const bool is_product = begin + 2 * pair + n < end && inputs[k] >= 0;
          lines[n] = is_product ? image + inputs[k] * batch_ : kZeros;
          if (++k == ElementCount()) {
            k = 0;
            image += g_.input_count * batch_;
          }
        }
        PackLinePairs(lines, some, run, panel, to + pair * panel + line);
      }
      line += run;
    }
  }
  void PackColumns(int64_t first, int64_t count, int64_t begin, int64_t end, int64_t panel, T* to) const {
    if (kernel_planes_ != nullptr) return kernel_planes_->Pack(first, count, begin, end, panel, to);
    const int64_t columns = g_.output_features;
    if (ElementCount() == g_.kernel_count) {
      PackStrided(kernel_, 1, columns, first, count, begin, end, panel, to);
      return;
    }
    if (count < panel) std::fill_n(to, panel * (end - begin), T());
    for (int64_t n = begin; n < end; ++n, to += panel) {
      const int64_t row = n / ElementCount() * g_.kernel_count + elements_[static_cast<size_t>(n % ElementCount())];
      std::copy_n(kernel_ + row * columns + first, count, to);
    }
  }

  static constexpr int64_t kMostPanel = 64;  // lines of a panel of pairs that are packed together

  const ConvolutionGeometry& g_;
  const Element* const lhs_;
  const Element* const kernel_;
  const int64_t batch_, first_, positions_;
  const WindowInputs<T>* input_planes_ = nullptr;
  const WindowKernel<T>* kernel_planes_ = nullptr;
  bool is_plain_ = false;          // window element k always meets input k
  std::vector<int32_t> elements_;  // of the window
  std::vector<int32_t> inputs_;    // by output position and element; -1 for none
};

// Zero times infinity: only with a kernel that is finite padding may be multiplied, not left out. (In one piece.)
bool MultipliesZeros(const ConvolutionProblem& problem, const ConvolutionGeometry& geometry, Executor& executor) {
  return !geometry.has_holes || AllFinite(problem.type, problem.kernel.data, problem.kernel.element_count(), executor);
}

// `planes`: of the arrays that are not arranged.
template <typename T>
Outcome ConvolveTyped(const ConvolutionProblem& problem, const WidePlanes& planes, T* result, Executor& executor) {
  if (problem.batch_group_count > 1) {
    return planes.lhs ? ConvolveGroupPlanes(problem, result, executor) : GroupLanes<T>(problem).Sum(result, executor);
  }
  const ConvolutionGeometry geometry(problem);
  if (planes.lhs || planes.kernel) {
    std::optional<WindowInputs<T>> inputs;
    std::optional<WindowKernel<T>> kernel;
    if (planes.lhs) {
      inputs.emplace(problem);
      if (Outcome outcome = inputs->Copy(executor); !outcome.ok()) return outcome;
    }
    if (planes.kernel) kernel.emplace(problem);
    return WindowProduct<T>(problem, geometry, inputs ? &*inputs : nullptr, kernel ? &*kernel : nullptr)
        .Multiply(result, executor);
  }
  if (MultipliesZeros(problem, geometry, executor)) {
    return WindowProduct<T>(problem, geometry).Multiply(result, executor);
  }
  for (int64_t position = 0; position < geometry.output_count; ++position) {
    Outcome outcome = WindowProduct<T>(problem, geometry, position).Multiply(result, executor);
    if (!outcome.ok()) return outcome;
  }
  return Outcome::kDone;
}

// The strides of an array that is dense in `order`.
DimensionVector StridesIn(const DimensionVector& order, const StridedArray& array) {
  DimensionVector strides(order.size(), 1);
  int64_t count = 1;
  for (size_t i = order.size(); i-- > 0;) {
    const size_t d = static_cast<size_t>(order[i]);
    strides[d] = count;
    count *= array.sizes[d];
  }
  return strides;
}

bool IsArranged(const DimensionVector& order, const StridedArray& array) {
  const DimensionVector strides = StridesIn(order, array);
  for (size_t d = 0; d < strides.size(); ++d) {
    if (array.sizes[d] != 1 && array.strides[d] != strides[d]) return false;
  }
  return true;
}

// Makes the elements of `array` dense in `order`; where they are not, `copy` holds them then.
Outcome Arrange(const DimensionVector& order, StridedArray* array, std::unique_ptr<uint8_t[]>* copy,
                Executor& executor) {
  if (IsArranged(order, *array)) return Outcome::kDone;
  const DimensionVector strides = StridesIn(order, *array);
  const int64_t bytes = StorageBytes(array->type), count = array->element_count();
  copy->reset(new (std::nothrow) uint8_t[static_cast<size_t>(count * bytes)]);
  if (*copy == nullptr) return Outcome::kNoMemory;
  const auto span_of = [](const DimensionVector& values) {
    return std::span<const int64_t>(values.data(), values.size());
  };
  const Outcome outcome = CopyStridedInParallel(bytes, span_of(array->sizes), array->data, span_of(array->strides),
                                                copy->get(), span_of(strides), executor);
  array->data = copy->get();
  array->strides = strides;
  return outcome;
}

}  // namespace

bool SuitsWideWindows(const ConvolutionProblem& problem) {
  if (problem.window.empty() || problem.feature_group_count != 1 ||
      (problem.type != ElementType::kF32 && problem.type != ElementType::kF64) || problem.IsEmpty()) {
    return false;
  }
  // Windows that cut the image into patches.
  if (problem.window.back().stride > 1 && SuitsJoinedColumns(problem)) return false;
  int64_t positions = 1, window = 1, inputs = 1;
  for (size_t j = 0; j < problem.window.size(); ++j) {
    positions *= problem.output_spatial[j];
    window *= problem.window[j].size;
    inputs *= problem.lhs.sizes[j + 1];
  }
  if (positions == 0 || positions >= window || positions * window > kMaxPairs || inputs > kMaxPairs) return false;
  const int64_t products = window * problem.input_features();
  if (problem.batch_group_count > 1) {
    return problem.output_batch() == 1 && problem.output_features() == problem.batch_group_count &&
           problem.output_features() >= 8 && products >= 4 * positions;
  }
  const GemmSizes sizes = {positions * problem.output_batch(), problem.output_features(), products};
  return IsWorthPacking(sizes);
}

int64_t WideScratchBytes(const ConvolutionProblem& problem) {
  int64_t positions = 1, window = 1;
  for (size_t j = 0; j < problem.window.size(); ++j) {
    positions *= problem.output_spatial[j];
    window *= problem.window[j].size;
  }
  const int64_t products = window * problem.input_features(), columns = problem.output_features();
  const int64_t rows = problem.batch_group_count > 1 ? positions : positions * problem.output_batch();
  const int64_t parts =
      problem.batch_group_count > 1 ? LanePartCount(products, positions) : WindowPartCount(products, rows, columns);
  const WidePlanes planes = PlanesOfWideWindows(problem);
  if (problem.batch_group_count > 1 && planes.lhs) return GroupPlanesBytes(problem);
  const int64_t copied = !planes.lhs                         ? 0
                         : problem.type == ElementType::kF32 ? WindowInputs<float>(problem).CopiedBytes()
                                                             : WindowInputs<double>(problem).CopiedBytes();
  return parts * rows * columns * StorageBytes(problem.type) + copied;
}

WidePlanes PlanesOfWideWindows(const ConvolutionProblem& problem) {
  if (!SuitsWideWindows(problem)) return {};
  if (problem.batch_group_count > 1) {
    const bool suits = GroupPlanesSuit(problem);
    return {suits, suits};
  }
  const WideOrders orders = OrdersOfWideWindows(problem.window.size());
  return {!IsArranged(orders.lhs, problem.lhs) && WindowInputsSuit(problem),
          !IsArranged(orders.kernel, problem.kernel) && WindowKernelSuits(problem)};
}

WideOrders OrdersOfWideWindows(size_t spatial_rank) {
  const auto in_sequence = [&] {
    DimensionVector order(spatial_rank + 2, 0);
    std::iota(order.begin(), order.end(), int64_t{0});
    return order;
  };
  WideOrders orders = {in_sequence(), in_sequence()};
  std::swap(orders.lhs.front(), orders.lhs.back());
  std::rotate(orders.kernel.begin(), orders.kernel.end() - 2, orders.kernel.end() - 1);
  return orders;
}

Outcome ConvolveWideWindows(const ConvolutionProblem& problem, uint8_t* result, Executor& executor) {
  const WideOrders orders = OrdersOfWideWindows(problem.window.size());
  ConvolutionProblem arranged = problem;
  std::unique_ptr<uint8_t[]> lhs, kernel;
  WidePlanes planes = PlanesOfWideWindows(problem);
  Outcome outcome;
  if (!planes.kernel) outcome = Arrange(orders.kernel, &arranged.kernel, &kernel, executor);
  if (!outcome.ok()) return outcome;
  const bool reads_planes = problem.batch_group_count == 1 && (planes.lhs || planes.kernel);
  if (reads_planes && !MultipliesZeros(arranged, ConvolutionGeometry(arranged), executor)) {
    planes = {};
    outcome = Arrange(orders.kernel, &arranged.kernel, &kernel, executor);
  }
  if (outcome.ok() && !planes.lhs) outcome = Arrange(orders.lhs, &arranged.lhs, &lhs, executor);
  if (!outcome.ok()) return outcome;
  if (problem.lhs.type == ElementType::kBF16) {
    const ConvolutionGeometry geometry(arranged);
    return WindowProduct<float, uint16_t>(arranged, geometry).Multiply(reinterpret_cast<float*>(result), executor);
  }
  if (problem.type == ElementType::kF32) {
    return ConvolveTyped(arranged, planes, reinterpret_cast<float*>(result), executor);
  }
  return ConvolveTyped(arranged, planes, reinterpret_cast<double*>(result), executor);
}

}  // namespace hloscope::numerics
