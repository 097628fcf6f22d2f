// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/convolution_patches.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "numerics/contraction/gemm.h"
#include "numerics/contraction/micro_kernel_choice.h"
#include "numerics/contraction/pack_lines.h"
#include "numerics/contraction/packed_gemm.h"
#include "numerics/contraction/tile_product.h"
#include "numerics/convolution/convolution_phases.h"
#include "numerics/convolution/convolution_wide.h"
#include "numerics/convolution/padded_planes.h"
#include "numerics/convolution/patch_runs.h"
#include "numerics/parallel/parallel_loop.h"
#include "numerics/windows/window_dimension.h"

namespace hloscope::numerics {
namespace {

// Images of fewer positions are brought side by side, so that a block of columns is wide.
constexpr int64_t kManyPatches = 1024, kBlockColumns = 2048;
// Columns that a thread packs and multiplies at a time, elements of each at a time, and how many such chunks keep
// threads busy.
constexpr int64_t kChunkColumns = 128, kInnerBlock = 256, kChunks = 6;
// Of the copies with zeros around them, which are kept for the next time; what cannot be cut may take more.
constexpr int64_t kCopiedBytes = int64_t{8} << 20, kMostCopiedBytes = int64_t{32} << 20;
constexpr int64_t kMostKernelBytes = int64_t{16} << 20;  // of a kernel that is packed as a whole
constexpr int64_t kMostElements = 1 << 13;               // of a window
constexpr int64_t kMostPhases = 64;

// As OwnRows of packed_gemm.cc.
template <typename T>
Workspace<T>& OwnColumns() {
  static thread_local Workspace<T> columns;
  return columns;
}

// The phases of `problem` that have elements of the kernel, and those that have none.
struct Phases {
  explicit Phases(const ConvolutionProblem& problem) {
    const int64_t count = std::min(PhaseCount(problem), kMostPhases + 1);
    is_whole = count == 1;
    for (int64_t n = 0; n < std::min(count, kMostPhases); ++n) {
      ConvolutionPhase phase = PhaseOf(problem, count, n);
      rows.push_back(phase.rows);
      is_empty.push_back(phase.problem.IsEmpty());
      if (!is_empty.back()) problems.push_back(std::move(phase.problem));
    }
    are_few = count <= kMostPhases;
  }
  std::vector<ConvolutionProblem> problems;
  std::vector<PhaseRows> rows;  // of all
  std::vector<bool> is_empty;
  bool is_whole, are_few;
};

// Of which rows of copies lie side by side. Of few features, planes are read faster.
int64_t FeaturesTogether(const ConvolutionProblem& problem) {
  constexpr int64_t kFew = 16;
  return problem.input_features() < kFew ? 1 : problem.input_features();
}

// Outputs along the first dimension that are computed at a time; 0 if what they need is too much.
int64_t OutputsOfStrip(const std::vector<ConvolutionProblem>& phases, const PaddedPlanes& planes) {
  const ConvolutionProblem& problem = phases.front();
  int64_t all = 0;
  for (const ConvolutionProblem& phase : phases) all = std::max(all, phase.output_spatial.front());
  const int64_t feature_bytes = StorageBytes(problem.type) * problem.input_features();
  if (!planes.is_copied() || planes.PlaneSize(all) <= kCopiedBytes / feature_bytes) return all;
  const bool can_be_cut = problem.window.size() > 1 && phases.size() == 1;
  const int64_t least = can_be_cut ? 1 : all;
  if (planes.PlaneSize(least) > kMostCopiedBytes / feature_bytes) return 0;
  int64_t most = least;
  while (most < all && planes.PlaneSize(most + 1) <= kCopiedBytes / feature_bytes) ++most;
  return (all - 1) / ((all - 1) / most + 1) + 1;
}

// The columns of a product: `columns` outputs of one image after the other.
template <typename T>
struct PatchColumns {
  const T* inputs;
  int64_t columns, image_stride, feature_stride;
};

// The matrices of one phase: rows are output features, columns outputs, and what is summed over are the elements of the
// window for one input feature after the other.
template <typename T>
class PatchMatrices {
 public:
  PatchMatrices(const ConvolutionProblem& problem, const PaddedPlanes& planes, int64_t strip) : problem_(problem) {
    const size_t rank = problem.window.size();
    for (const WindowDimension& w : problem.window) element_count_ *= w.size;
    for (int64_t element = 0; element < element_count_; ++element) AddElement(planes, element);
    kernel_feature_stride_ = problem.kernel.strides[rank];
    kernel_row_stride_ = problem.kernel.strides[rank + 1];
    is_dense_ = kernel_feature_stride_ == element_count_ && kernel_row_stride_ == inner();
    for (size_t k = 0; k < weights_.size(); ++k) is_dense_ = is_dense_ && weights_[k] == static_cast<int64_t>(k);
    size_t outer = rank;
    while (outer > 0 && planes.OutputStride(outer - 1) == row_size_) row_size_ *= problem.output_spatial[--outer];
    int64_t rows = 1;
    for (size_t j = 0; j < outer; ++j) {
      rows *= j == 0 ? std::min(strip, problem.output_spatial[0]) : problem.output_spatial[j];
    }
    for (int64_t row = 0; row < rows; ++row) row_starts_.push_back(StartOf(planes, outer, row));
  }

  const ConvolutionProblem& problem() const { return problem_; }
  int64_t inner() const { return problem_.input_features() * element_count_; }
  int64_t positions() const {
    int64_t positions = 1;
    for (const int64_t size : problem_.output_spatial) positions *= size;
    return positions;
  }

  // As PackPanel says.
  void PackRows(int64_t first, int64_t count, int64_t begin, int64_t end, int64_t panel, T* to) const {
    const T* const kernel = problem_.kernel.elements<T>();
    if (is_dense_) return PackStrided(kernel, inner(), 1, first, count, begin, end, panel, to);
    if (count < panel) std::fill_n(to, panel * (end - begin), T());
    int64_t element = begin % element_count_;
    const T* feature = kernel + first * kernel_row_stride_ + begin / element_count_ * kernel_feature_stride_;
    for (int64_t k = begin; k < end; ++k, to += panel) {
      const T* const weights = feature + weights_[static_cast<size_t>(element)];
      for (int64_t row = 0; row < count; ++row) to[row] = weights[row * kernel_row_stride_];
      if (++element == element_count_) {
        element = 0;
        feature += kernel_feature_stride_;
      }
    }
  }

  void PackColumns(const PatchColumns<T>& patches, int64_t first, int64_t count, int64_t begin, int64_t end,
                   int64_t panel, T* to) const {
    if (count < panel) std::fill_n(to, panel * (end - begin), T());
    for (int64_t column = 0; column < count;) {
      const int64_t image = (first + column) / patches.columns, position = (first + column) % patches.columns;
      const int64_t row = position / row_size_, x = position % row_size_;
      const int64_t run = std::min(row_size_ - x, count - column);
      const T* const from = patches.inputs + image * patches.image_stride + row_starts_[static_cast<size_t>(row)] + x;
      CopyPatchRun({reinterpret_cast<const uint8_t*>(from), patches.feature_stride * kSize, inputs_.data(),
                    element_count_, begin, end, run * kSize},
                   panel * kSize, reinterpret_cast<uint8_t*>(to + column));
      column += run;
    }
  }

  // Outputs whose window reaches beyond the input.
  std::vector<int64_t> PositionsBesideInput() const {
    const size_t last = problem_.window.size() - 1;
    const int64_t columns = problem_.output_spatial[last];
    std::vector<int64_t> all(static_cast<size_t>(columns)), beside_columns, beside;
    std::iota(all.begin(), all.end(), int64_t{0});
    std::copy_if(all.begin(), all.end(), std::back_inserter(beside_columns),
                 [&](int64_t column) { return IsBesideInput(last, column); });
    for (int64_t row = 0; row < positions() / columns; ++row) {
      bool is_beside = false;
      int64_t rest = row;
      for (size_t j = last; j-- > 0;) {
        is_beside = is_beside || IsBesideInput(j, rest % problem_.output_spatial[j]);
        rest /= problem_.output_spatial[j];
      }
      for (const int64_t column : is_beside ? all : beside_columns) beside.push_back(row * columns + column);
    }
    return beside;
  }

  bool HasFiniteWeights(int64_t row) const {
    for (int64_t z = 0; z < problem_.input_features(); ++z) {
      const T* const weights = problem_.kernel.elements<T>() + row * kernel_row_stride_ + z * kernel_feature_stride_;
      for (const int64_t weight : weights_) {
        if (!std::isfinite(weights[weight])) return false;
      }
    }
    return true;
  }

  T SumByFormula(int64_t image, int64_t row, int64_t position) const {
    const StridedArray& lhs = problem_.lhs;
    const T* const weights = problem_.kernel.elements<T>() + row * kernel_row_stride_;
    T sum = T();
    for (int64_t element = 0; element < element_count_; ++element) {
      int64_t offset = image * lhs.strides.front(), place = element, output = position;
      bool is_inside = true;
      for (size_t j = problem_.window.size(); j-- > 0;) {
        const WindowDimension& w = problem_.window[j];
        const int64_t k = place % w.size, y = output % problem_.output_spatial[j];
        const int64_t input = BasePosition(w, lhs.sizes[j + 1], y, w.reversal ? w.size - 1 - k : k);
        is_inside = is_inside && input >= 0;
        offset += input * lhs.strides[j + 1];
        place /= w.size;
        output /= problem_.output_spatial[j];
      }
      if (!is_inside) continue;
      for (int64_t z = 0; z < problem_.input_features(); ++z) {
        sum += lhs.elements<T>()[offset + z * lhs.strides.back()] *
               weights[weights_[static_cast<size_t>(element)] + z * kernel_feature_stride_];
      }
    }
    return sum;
  }

 private:
  static constexpr int64_t kSize = sizeof(T);

  void AddElement(const PaddedPlanes& planes, int64_t element) {
    int64_t input = 0, weight = 0;
    for (size_t j = problem_.window.size(); j-- > 0;) {
      const WindowDimension& w = problem_.window[j];
      const int64_t place = element % w.size;
      element /= w.size;
      weight += place * problem_.kernel.strides[j];
      input += planes.OffsetOf(problem_, j, w.reversal ? w.size - 1 - place : place);
    }
    inputs_.push_back(input * kSize);
    weights_.push_back(weight);
  }

  // Whether what an output meets in dimension `j` reaches beyond the input.
  bool IsBesideInput(size_t j, int64_t output) const {
    const WindowDimension& w = problem_.window[j];
    const int64_t first = output * w.stride - w.padding_low;
    return first < 0 || first + (w.size - 1) * w.window_dilation >= problem_.lhs.sizes[j + 1];
  }

  // Where what a row of outputs meets starts; the rows are counted along the dimensions before `outer`.
  int64_t StartOf(const PaddedPlanes& planes, size_t outer, int64_t row) const {
    int64_t start = 0;
    for (size_t j = outer; j-- > 0;) {
      const int64_t size = j == 0 ? row + 1 : problem_.output_spatial[j];
      start += row % size * planes.OutputStride(j);
      row /= size;
    }
    return start;
  }

  const ConvolutionProblem& problem_;
  int64_t element_count_ = 1;     // of the window
  std::vector<int64_t> inputs_;   // where its elements are in planes, in bytes
  std::vector<int64_t> weights_;  // and in the kernel
  int64_t kernel_feature_stride_, kernel_row_stride_;
  bool is_dense_;                    // the kernel: [output feature, input feature, element]
  int64_t row_size_ = 1;             // outputs that meet neighbours
  std::vector<int64_t> row_starts_;  // of what each row of outputs meets
};

template <typename T>
class PatchProducts {
 public:
  PatchProducts(const ConvolutionProblem& problem, T* result)
      : problem_(problem),
        result_(result),
        phases_(problem),
        planes_(phases_.problems, FeaturesTogether(problem)),
        strip_(OutputsOfStrip(phases_.problems, planes_)) {
    for (const ConvolutionProblem& phase : phases_.problems) {
      matrices_.emplace_back(phase, planes_, strip_);
      positions_ = std::max(positions_, matrices_.back().positions());
    }
    const int64_t features = problem.input_features();
    feature_stride_ = planes_.FeatureStride(strip_);
    image_stride_ = planes_.is_copied() ? planes_.PlaneSize(strip_) * features : problem.lhs.strides.front();
    const int64_t outputs = phases_.problems.front().output_spatial.front();
    if (phases_.is_whole && !planes_.is_copied()) {
      images_ = problem.output_batch();
      if (!PacksKernels()) images_ = 1;
    }
    if (images_ == 1 && positions_ < kManyPatches && strip_ >= outputs) {
      const int64_t image = std::max(image_stride_, rows() * AllPositions());
      const int64_t affordable = kCopiedBytes / (image * int64_t{sizeof(T)});
      images_ = std::clamp<int64_t>(std::min(kBlockColumns / positions_, affordable), 1, problem.output_batch());
    }
  }

  // Bytes of all that is made beside the result, but for what each thread has in its cache.
  int64_t Bytes() const {
    int64_t elements = PacksKernels() ? KernelElements() : 0;
    if (planes_.is_copied()) elements += images_ * image_stride_;
    if (!IsInPlace(images_)) elements += images_ * rows() * AllPositions();
    return elements * int64_t{sizeof(T)};
  }

  Outcome Run(Executor& executor) {
    Outcome outcome;
    if (PacksKernels()) outcome = PackKernels(executor);
    // Of phases one strip is all.
    const int64_t outputs = phases_.is_whole ? problem_.output_spatial.front() : strip_;
    for (int64_t image = 0; image < problem_.output_batch(); image += images_) {
      const int64_t images = std::min(images_, problem_.output_batch() - image);
      for (int64_t first = 0; first < outputs && outcome.ok(); first += strip_) {
        outcome = MultiplyBlock({image, images, first, std::min(strip_, outputs - first)}, executor);
      }
      if (!outcome.ok()) return outcome;
    }
    return MendBesideInput(executor);
  }

 private:
  struct Block {
    int64_t first_image, images;
    int64_t first, outputs;  // along the first dimension
  };

  // Where products go: column c of a row to image c / columns.
  struct Planes {
    T* data;
    int64_t row_stride, image_stride, columns;
  };

  int64_t rows() const { return problem_.output_features(); }

  bool IsInPlace(int64_t images) const { return phases_.is_whole && (images == 1 || PacksKernels()); }

  int64_t KernelElements() const {
    int64_t elements = 0;
    for (const PatchMatrices<T>& matrices : matrices_) elements += matrices.inner() * rows();
    return elements;
  }
  bool PacksKernels() const {
    return images_ * positions_ >= kChunks * kChunkColumns && KernelElements() <= kMostKernelBytes / int64_t{sizeof(T)};
  }

  // For MultiplyChunks: of each phase blocks of kInnerBlock elements of a row, of each all panels of rows.
  Outcome PackKernels(Executor& executor) {
    static thread_local Workspace<T> workspace;
    const int64_t panel = BestMicroKernel<T>().rows, all = RoundUp(rows(), panel);
    int64_t size = 0;
    for (const PatchMatrices<T>& matrices : matrices_) {
      kernels_.push_back(size);
      size += all * matrices.inner();
    }
    T* const packed = workspace.Get(size);
    if (packed == nullptr) return Outcome::kNoMemory;
    kernel_ = packed;
    const double nanoseconds = static_cast<double>(panel * size) / static_cast<double>(all);
    return ParallelLoop(executor, all / panel, nanoseconds, [&](int64_t begin, int64_t end) {
      for (int64_t n = begin; n < end; ++n) {
        const int64_t first = n * panel, count = std::min(panel, rows() - first);
        for (size_t p = 0; p < matrices_.size(); ++p) {
          for (int64_t k = 0; k < matrices_[p].inner(); k += kInnerBlock) {
            const int64_t k_end = std::min(matrices_[p].inner(), k + kInnerBlock);
            matrices_[p].PackRows(first, count, k, k_end, panel, packed + kernels_[p] + k * all + first * (k_end - k));
          }
        }
      }
    });
  }

  Outcome MultiplyBlock(const Block& block, Executor& executor) const {
    static thread_local Workspace<T> products;
    const T* inputs = nullptr;
    if (Outcome outcome = FindInputs(block, inputs, executor); !outcome.ok()) return outcome;
    T* const place = result_ + block.first_image * rows() * AllPositions();
    const bool is_in_place = IsInPlace(block.images);
    T* product = is_in_place ? nullptr : products.Get(block.images * rows() * AllPositions());
    if (!is_in_place && product == nullptr) return Outcome::kNoMemory;
    std::vector<const T*> of_phases;
    for (size_t p = 0; p < matrices_.size(); ++p) {
      const int64_t positions = matrices_[p].positions();
      const int64_t row = positions / matrices_[p].problem().output_spatial.front();  // of the first dimension
      const bool is_strip = block.outputs < matrices_[p].problem().output_spatial.front();
      const PatchColumns<T> patches = {inputs, is_strip ? block.outputs * row : positions, image_stride_,
                                       feature_stride_};
      const GemmSizes sizes = {rows(), block.images * patches.columns, matrices_[p].inner()};
      T* const to = is_in_place ? place + block.first * row : product;
      const int64_t stride = is_in_place ? positions : sizes.columns;
      const Planes planes = {to, stride, is_in_place ? rows() * positions : patches.columns, patches.columns};
      const Outcome outcome =
          kernel_ != nullptr ? MultiplyChunks(matrices_[p], kernel_ + kernels_[p], sizes, patches, planes, executor)
                             : Multiply(matrices_[p], sizes, patches, to, stride, executor);
      if (!outcome.ok()) return outcome;
      of_phases.push_back(product);
      if (!is_in_place) product += sizes.rows * sizes.columns;
    }
    if (is_in_place) return {};
    if (phases_.is_whole) return SpreadImages(of_phases[0], block.images, place, executor);
    return SpreadPhases(block, of_phases, place, executor);
  }

  // Of the whole result.
  int64_t AllPositions() const {
    int64_t positions = 1;
    for (const int64_t size : problem_.output_spatial) positions *= size;
    return positions;
  }

  Outcome FindInputs(const Block& block, const T*& inputs, Executor& executor) const {
    static thread_local Workspace<T> copies;
    const StridedArray& lhs = problem_.lhs;
    const T* const images = lhs.elements<T>() + block.first_image * lhs.strides.front();
    if (!planes_.is_copied()) {
      inputs = images + planes_.Start(block.first);
      return {};
    }
    T* const copy = copies.Get(block.images * image_stride_);
    if (copy == nullptr) return Outcome::kNoMemory;
    inputs = copy;
    const int64_t features = problem_.input_features();
    return ParallelLoop(
        executor, block.images * features, 0.5 * static_cast<double>(image_stride_) / static_cast<double>(features),
        [&](int64_t begin, int64_t end) {
          for (int64_t n = begin; n < end; ++n) {
            const T* const plane = images + n / features * lhs.strides.front() + n % features * lhs.strides.back();
            T* const to = copy + n / features * image_stride_ + n % features * feature_stride_;
            planes_.Copy(plane, block.first, block.outputs, to);
          }
        });
  }

  // Few columns: threads share what is packed of them.
  static Outcome Multiply(const PatchMatrices<T>& matrices, const GemmSizes& sizes, const PatchColumns<T>& patches,
                          T* to, int64_t stride, Executor& executor) {
    return MultiplyPacked<T>(
        sizes,
        [&](int64_t row, int64_t count, int64_t begin, int64_t end, int64_t panel, T* packed) {
          matrices.PackRows(row, count, begin, end, panel, packed);
        },
        [&](int64_t column, int64_t count, int64_t begin, int64_t end, int64_t panel, T* packed) {
          matrices.PackColumns(patches, column, count, begin, end, panel, packed);
        },
        to, stride, executor);
  }

  // Each thread packs the columns that it multiplies, which stay in its cache, and none waits for another.
  Outcome MultiplyChunks(const PatchMatrices<T>& matrices, const T* kernel, const GemmSizes& sizes,
                         const PatchColumns<T>& patches, const Planes& to, Executor& executor) const {
    const MicroKernel<T>& micro = BestMicroKernel<T>();
    const int64_t chunk = RoundUp(kChunkColumns, micro.columns), chunks = (sizes.columns - 1) / chunk + 1;
    std::atomic<bool> out_of_memory{false};
    const double nanoseconds = static_cast<double>(chunk * sizes.inner) *
                               (1 + MultiplyAddNanoseconds(problem_.type) * static_cast<double>(sizes.rows));
    const Outcome outcome = ParallelLoop(executor, chunks, nanoseconds, [&](int64_t begin, int64_t end) {
      T* const packed = OwnColumns<T>().Get(chunk * std::min(kInnerBlock, sizes.inner));
      if (packed == nullptr) {
        out_of_memory = true;
        return;
      }
      CancellationPoll poll(executor);
      for (int64_t n = begin; n < end; ++n) {
        const int64_t first = n * chunk, count = std::min(chunk, sizes.columns - first);
        for (int64_t k = 0; k < sizes.inner; k += kInnerBlock) {
          const int64_t inner = std::min(kInnerBlock, sizes.inner - k);
          for (int64_t column = 0; column < count; column += micro.columns) {
            matrices.PackColumns(patches, first + column, std::min(micro.columns, count - column), k, k + inner,
                                 micro.columns, packed + column * inner);
          }
          MultiplyPanels(micro, kernel + k * RoundUp(sizes.rows, micro.rows), packed, {sizes.rows, count, inner}, to,
                         first, k > 0);
          if (poll.Cancelled(nanoseconds * static_cast<double>(inner) / static_cast<double>(sizes.inner))) return;
        }
      }
    });
    if (out_of_memory) return Outcome::kNoMemory;
    return outcome.ok() ? executor.CheckCancelled() : outcome;
  }

  // A panel of rows with one panel of columns after the other: rows of the result may be pages apart.
  static void MultiplyPanels(const MicroKernel<T>& micro, const T* rows, const T* columns, const GemmSizes& sizes,
                             const Planes& to, int64_t first, bool accumulate) {
    for (int64_t row = 0; row < sizes.rows; row += micro.rows) {
      const T* const row_panel = rows + row * sizes.inner;
      const int64_t height = std::min(micro.rows, sizes.rows - row);
      for (int64_t column = 0; column < sizes.columns; column += micro.columns) {
        const T* const column_panel = columns + column * sizes.inner;
        const int64_t width = std::min(micro.columns, sizes.columns - column);
        const int64_t image = (first + column) / to.columns, position = (first + column) % to.columns;
        T* const place = to.data + image * to.image_stride + row * to.row_stride + position;
        if (position + width <= to.columns) {
          MultiplyTilePart(micro, sizes.inner, row_panel, column_panel, height, width, place, to.row_stride,
                           accumulate);
          continue;
        }
        alignas(64) T tile[kMaxTile];
        micro.multiply(height, sizes.inner, row_panel, column_panel, tile, micro.columns, false);
        for (int64_t i = 0; i < height; ++i) {
          T* out = place + i * to.row_stride;
          for (int64_t j = 0, rest = to.columns - position; j < width; ++j, ++out, --rest) {
            if (rest == 0) {
              out += to.image_stride - to.columns;
              rest = to.columns;
            }
            const T sum = tile[i * micro.columns + j];
            *out = accumulate ? *out + sum : sum;
          }
        }
      }
    }
  }

  // Products, [output feature, image, position], to their places.
  Outcome SpreadImages(const T* product, int64_t images, T* to, Executor& executor) const {
    const double nanoseconds = static_cast<double>(images * positions_) / 2;
    return ParallelLoop(executor, rows(), nanoseconds, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        for (int64_t i = 0; i < images; ++i) {
          std::copy_n(product + (row * images + i) * positions_, positions_, to + (i * rows() + row) * positions_);
        }
      }
    });
  }

  // Products of the phases, [output feature, image, position] each, to their places.
  Outcome SpreadPhases(const Block& block, const std::vector<const T*>& products, T* to, Executor& executor) const {
    const int64_t all = AllPositions();
    return ParallelLoop(
        executor, block.images * rows(), 2.0 * static_cast<double>(all), [&](int64_t begin, int64_t end) {
          std::vector<const T*> planes(phases_.rows.size());
          for (int64_t n = begin; n < end; ++n) {
            const int64_t plane = n % rows() * block.images + n / rows();
            size_t next = 0;
            for (size_t p = 0; p < planes.size(); ++p) {
              planes[p] = phases_.is_empty[p] ? nullptr : products[next] + plane * matrices_[next].positions();
              next += phases_.is_empty[p] ? 0 : 1;
            }
            // Phases whose rows are the same follow each other.
            const size_t together = static_cast<size_t>(phases_.rows.front().step.back());
            for (size_t p = 0; p < planes.size(); p += together) {
              SpreadRows(planes.data() + p, phases_.rows.data() + p, to + n * all);
            }
          }
        });
  }

  // The phases of the same rows, one for each place of a step. Null: zeros.
  static void SpreadRows(const T* const* planes, const PhaseRows* phases, T* to) {
    const size_t last = phases[0].counts.size() - 1;
    const int64_t step = phases[0].step[last];
    int64_t lines = 1;
    for (size_t j = 0; j < last; ++j) lines *= phases[0].counts[j];
    for (int64_t line = 0; line < lines; ++line) {
      T* const at = to + phases[0].PlaceOf(line * phases[0].counts[last]);
      int64_t pairs = 0;
      if (step == 2 && planes[0] != nullptr && planes[1] != nullptr) {
        const T* const even = planes[0] + line * phases[0].counts[last];
        const T* const odd = planes[1] + line * phases[1].counts[last];
        pairs = phases[1].counts[last];
        for (int64_t x = 0; x < pairs; ++x) {
          at[2 * x] = even[x];
          at[2 * x + 1] = odd[x];
        }
      }
      for (int64_t p = 0; p < step; ++p) {
        const int64_t count = phases[p].counts[last];
        const T* const from = planes[p] == nullptr ? nullptr : planes[p] + line * count;
        for (int64_t x = pairs; x < count; ++x) at[x * step + p] = from == nullptr ? T() : from[x];
      }
    }
  }

  // The formula leaves out products with what is beside the input. Zero times a weight that is infinite, or no number,
  // is none: then the sum is none, either.
  Outcome MendBesideInput(Executor& executor) const {
    if (!planes_.is_copied()) return {};
    const int64_t all = AllPositions();
    size_t next = 0;
    for (size_t p = 0; p < phases_.rows.size(); ++p) {
      if (phases_.is_empty[p]) continue;
      const PatchMatrices<T>& matrices = matrices_[next++];
      const std::vector<int64_t> beside = matrices.PositionsBesideInput();
      if (beside.empty()) continue;
      std::vector<int64_t> places = beside;
      if (!phases_.is_whole) {
        for (int64_t& place : places) place = phases_.rows[p].PlaceOf(place);
      }
      const double formula = 10.0 * static_cast<double>(matrices.inner());
      const Outcome outcome =
          ParallelLoop(executor, problem_.output_batch() * rows(), static_cast<double>(beside.size()),
                       [&](int64_t begin, int64_t end) {
                         CancellationPoll poll(executor);
                         for (int64_t n = begin; n < end; ++n) {
                           T* const plane = result_ + n * all;
                           const auto is_nan = [&](int64_t place) { return std::isnan(plane[place]); };
                           if (std::none_of(places.begin(), places.end(), is_nan)) continue;
                           if (matrices.HasFiniteWeights(n % rows())) continue;
                           for (size_t i = 0; i < places.size(); ++i) {
                             if (!is_nan(places[i])) continue;
                             plane[places[i]] = matrices.SumByFormula(n / rows(), n % rows(), beside[i]);
                             if (poll.Cancelled(formula)) return;
                           }
                         }
                       });
      if (!outcome.ok()) return outcome;
    }
    return executor.CheckCancelled();
  }

  const ConvolutionProblem& problem_;
  T* const result_;
  const Phases phases_;
  const PaddedPlanes planes_;
  const int64_t strip_;                     // outputs along the first dimension that are computed at a time
  std::vector<PatchMatrices<T>> matrices_;  // of the phases that are not empty
  int64_t positions_ = 0;                   // the most of a phase
  int64_t feature_stride_, image_stride_;
  int64_t images_ = 1;            // side by side
  const T* kernel_ = nullptr;     // packed
  std::vector<int64_t> kernels_;  // where those of the phases start in it
};

// True if a product of matrices of patches computes `problem`, whose types and groups are right, and has no holes.
bool SuitsProduct(const ConvolutionProblem& problem) {
  constexpr int64_t kMost = int64_t{1} << 40;
  int64_t positions = 1, elements = 1;
  for (size_t j = 0; j < problem.window.size(); ++j) {
    const WindowDimension& w = problem.window[j];
    const int64_t outputs = problem.output_spatial[j];
    if (w.base_dilation != 1 || outputs < 1 || w.size > kMostElements ||
        std::max(w.stride, w.window_dilation) > kMost || std::abs(w.padding_low) > kMost ||
        outputs > (int64_t{1} << 31)) {
      return false;
    }
    elements *= w.size;
    positions *= outputs;
    // Not where nearly all that is copied would be padding.
    const double padded = static_cast<double>(outputs - 1) * static_cast<double>(w.stride) +
                          static_cast<double>(w.size - 1) * static_cast<double>(w.window_dilation) + 1;
    const double most = 4.0 * static_cast<double>(problem.lhs.sizes[j + 1]) + 64;
    if (elements > kMostElements || positions > kMost || padded > most) return false;
  }
  return IsWorthPacking(
      {problem.output_features(), positions * problem.output_batch(), problem.input_features() * elements});
}

}  // namespace

bool SuitsPatches(const ConvolutionProblem& problem, ElementType result_type) {
  const bool is_float = problem.type == ElementType::kF32 || problem.type == ElementType::kF64;
  if (!is_float || problem.lhs.type != problem.type || result_type != problem.type || problem.window.empty() ||
      problem.feature_group_count != 1 || problem.batch_group_count != 1 || problem.IsEmpty() ||
      problem.lhs.strides[problem.window.size()] != 1 || SuitsWideWindows(problem)) {
    return false;
  }
  GemmSizes sizes = {problem.output_features(), problem.output_batch(), problem.input_features()};
  for (size_t j = 0; j < problem.window.size(); ++j) {
    constexpr int64_t kEnough = 1 << 16;
    sizes.columns = std::min(kEnough, sizes.columns * std::min(kEnough, problem.output_spatial[j]));
    sizes.inner = std::min(kEnough, sizes.inner * std::min(kEnough, problem.window[j].size));
  }
  if (!IsWorthPacking(sizes)) return false;
  // The products of all phases for one image are kept.
  double image_bytes = static_cast<double>(problem.output_features() * StorageBytes(problem.type));
  for (const int64_t size : problem.output_spatial) image_bytes *= static_cast<double>(size);
  const Phases phases(problem);
  if (!phases.is_whole && image_bytes > static_cast<double>(kMostCopiedBytes)) return false;
  return phases.are_few && !phases.problems.empty() &&
         std::all_of(phases.problems.begin(), phases.problems.end(), SuitsProduct) &&
         OutputsOfStrip(phases.problems, PaddedPlanes(phases.problems, FeaturesTogether(problem))) > 0;
}

int64_t PatchBytes(const ConvolutionProblem& problem) {
  return problem.type == ElementType::kF32 ? PatchProducts<float>(problem, nullptr).Bytes()
                                           : PatchProducts<double>(problem, nullptr).Bytes();
}

Outcome ConvolvePatches(const ConvolutionProblem& problem, uint8_t* result, Executor& executor) {
  if (problem.type == ElementType::kF32) {
    return PatchProducts<float>(problem, reinterpret_cast<float*>(result)).Run(executor);
  }
  return PatchProducts<double>(problem, reinterpret_cast<double*>(result)).Run(executor);
}

}  // namespace hloscope::numerics
