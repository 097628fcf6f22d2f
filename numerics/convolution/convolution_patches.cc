// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/convolution_patches.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "numerics/contraction/gemm.h"
#include "numerics/contraction/micro_kernel_choice.h"
#include "numerics/contraction/packed_gemm.h"
#include "numerics/contraction/tile_product.h"
#include "numerics/convolution/all_finite.h"
#include "numerics/convolution/convolution_phases.h"
#include "numerics/convolution/convolution_wide.h"
#include "numerics/convolution/padded_planes.h"
#include "numerics/convolution/patch_matrices.h"
#include "numerics/convolution/patch_strips.h"
#include "numerics/convolution/plane_products.h"
#include "numerics/parallel/parallel_loop.h"
#include "numerics/windows/window_dimension.h"

namespace hloscope::numerics {
namespace {

// Images of fewer positions are brought side by side, so that a block of columns is wide.
constexpr int64_t kManyPatches = 1024, kBlockColumns = 2048;
// Columns that a thread packs and multiplies at a time, elements of each at a time, and how many such chunks keep
// threads busy.
constexpr int64_t kChunkColumns = 128, kInnerBlock = 256, kChunks = 6;
constexpr int64_t kMostKernelBytes = int64_t{16} << 20;  // of a kernel that is packed as a whole
constexpr int64_t kMostElements = 1 << 13;               // of a window

// As OwnRows of packed_gemm.cc.
template <typename T>
Workspace<T>& OwnColumns() {
  static thread_local Workspace<T> columns;
  return columns;
}

// Of which rows of copies lie side by side. Of few features, planes are read faster.
int64_t FeaturesTogether(const ConvolutionProblem& problem) {
  constexpr int64_t kFew = 16;
  return problem.input_features() < kFew ? 1 : problem.input_features();
}

bool IsInOnePiece(const StridedArray& array) {
  int64_t span = 1;
  for (size_t d = 0; d < array.rank(); ++d) span += (array.sizes[d] - 1) * array.strides[d];
  return span == array.element_count();
}

template <typename T>
class PatchProducts {
 public:
  PatchProducts(const ConvolutionProblem& problem, T* result)
      : problem_(problem),
        result_(result),
        phases_(problem),
        strips_(PatchStripsOf<T>(phases_, kChunks * kChunkColumns, kMostKernelBytes / int64_t{sizeof(T)})),
        strip_(is_in_strips() ? strips_.outputs : OutputsOfStrip(phases_.problems)),
        planes_(phases_.problems, strips_.reads_planes ? 1 : FeaturesTogether(problem), strip_) {
    for (const ConvolutionProblem& phase : phases_.problems) {
      matrices_.emplace_back(phase, planes_, strip_);
      positions_ = std::max(positions_, matrices_.back().positions());
    }
    const int64_t features = problem.input_features();
    feature_stride_ = planes_.FeatureStride();
    image_stride_ = planes_.is_copied() ? planes_.PlaneSize() * features : problem.lhs.strides.front();
    if (strips_.reads_planes) {
      feature_stride_ = ApartInCaches(feature_stride_);
      image_stride_ = feature_stride_ * features;
    }
    if (is_in_strips()) return;
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
    if (is_in_strips()) return elements * int64_t{sizeof(T)};
    if (planes_.is_copied()) elements += images_ * image_stride_;
    if (!IsInPlace(images_)) elements += images_ * rows() * AllPositions();
    return elements * int64_t{sizeof(T)};
  }

  Outcome Run(Executor& executor) {
    Outcome outcome;
    if (PacksKernels()) outcome = PackKernels(executor);
    if (outcome.ok() && is_in_strips()) {
      outcome = MultiplyStrips(executor);
      return outcome.ok() ? MendBesideInput(executor) : outcome;
    }
    const int64_t outputs = AllOutputs(), strip = phases_.is_whole ? strip_ : outputs;
    for (int64_t image = 0; image < problem_.output_batch(); image += images_) {
      const int64_t images = std::min(images_, problem_.output_batch() - image);
      for (int64_t first = 0; first < outputs && outcome.ok(); first += strip) {
        outcome = MultiplyBlock({image, images, first, std::min(strip, outputs - first)}, executor);
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

  // Along the first dimension, also of phases that meet no element of the kernel.
  int64_t AllOutputs() const {
    int64_t outputs = 0;
    for (const PhaseRows& rows : phases_.rows) outputs = std::max(outputs, rows.counts.front());
    return outputs;
  }

  bool is_in_strips() const { return strips_.outputs > 0; }

  bool IsInPlace(int64_t images) const { return phases_.is_whole && (images == 1 || PacksKernels()); }

  int64_t KernelElements() const {
    int64_t elements = 0;
    for (const PatchMatrices<T>& matrices : matrices_) elements += matrices.inner() * rows();
    return elements;
  }
  bool PacksKernels() const {
    if (is_in_strips()) return true;
    return images_ * positions_ >= kChunks * kChunkColumns && KernelElements() <= kMostKernelBytes / int64_t{sizeof(T)};
  }

  // Elements from one feature to the next that are not the same place of a cache again and again.
  static int64_t ApartInCaches(int64_t stride) {
    constexpr int64_t kLine = 64 / sizeof(T), kPage = 4096 / sizeof(T);
    const int64_t lines = RoundUp(stride, kLine);
    return lines % kPage == 0 ? lines + kLine : lines;
  }

  // Elements of the rows of a packed kernel that lie together.
  int64_t InnerBlock(const PatchMatrices<T>& matrices) const {
    return strips_.reads_planes ? matrices.inner() : kInnerBlock;
  }

  // For MultiplyChunks: of each phase blocks of elements of a row, of each all panels of rows.
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
          const int64_t block = InnerBlock(matrices_[p]);
          for (int64_t k = 0; k < matrices_[p].inner(); k += block) {
            const int64_t k_end = std::min(matrices_[p].inner(), k + block);
            matrices_[p].PackRows(first, count, k, k_end, panel, packed + kernels_[p] + k * all + first * (k_end - k));
          }
        }
      }
    });
  }

  // No thread waits for another.
  Outcome MultiplyStrips(Executor& executor) const {
    const int64_t outputs = AllOutputs(), strips = (outputs - 1) / strip_ + 1;
    const double nanoseconds =
        static_cast<double>(positions_ / outputs * strip_ * KernelElements()) * MultiplyAddNanoseconds(problem_.type);
    std::atomic<bool> out_of_memory{false};
    const Outcome outcome =
        ParallelLoop(executor, problem_.output_batch() * strips, nanoseconds, [&](int64_t begin, int64_t end) {
          for (int64_t n = begin; n < end; ++n) {
            const int64_t first = n % strips * strip_;
            const Outcome of_strip = MultiplyBlock({n / strips, 1, first, std::min(strip_, outputs - first)}, executor);
            if (of_strip.kind() == Outcome::kNoMemory) out_of_memory = true;
            if (!of_strip.ok()) return;
          }
        });
    if (out_of_memory) return Outcome::kNoMemory;
    return outcome.ok() ? executor.CheckCancelled() : outcome;
  }

  Outcome MultiplyBlock(const Block& block, Executor& executor) const {
    static thread_local Workspace<T> products;
    const T* inputs = nullptr;
    if (Outcome outcome = FindInputs(block, inputs, executor); !outcome.ok()) return outcome;
    T* const place = result_ + block.first_image * rows() * AllPositions();
    const bool is_in_place = IsInPlace(block.images);
    int64_t columns = 0;
    for (const PatchMatrices<T>& matrices : matrices_) columns += matrices.ColumnsOf(block.first, block.outputs);
    T* product = is_in_place ? nullptr : products.Get(block.images * rows() * columns);
    if (!is_in_place && product == nullptr) return Outcome::kNoMemory;
    std::vector<const T*> of_phases;
    for (size_t p = 0; p < matrices_.size(); ++p) {
      const int64_t positions = matrices_[p].positions();
      const PatchColumns<T> patches = {inputs, matrices_[p].ColumnsOf(block.first, block.outputs), image_stride_,
                                       feature_stride_};
      of_phases.push_back(product);
      if (patches.columns == 0) continue;
      const GemmSizes sizes = {rows(), block.images * patches.columns, matrices_[p].inner()};
      T* const to = is_in_place ? place + matrices_[p].ColumnsOf(0, block.first) : product;
      const int64_t stride = is_in_place ? positions : sizes.columns;
      const Planes planes = {to, stride, is_in_place ? rows() * positions : patches.columns, patches.columns};
      const Outcome outcome = kernel_ == nullptr     ? Multiply(matrices_[p], sizes, patches, to, stride, executor)
                              : strips_.reads_planes ? MultiplyWhereTheyLie(p, block, patches, planes, executor)
                                                     : MultiplyChunks(matrices_[p], kernel_ + kernels_[p], sizes,
                                                                      patches, planes, executor);
      if (!outcome.ok()) return outcome;
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
    T* const copy = copies.Get(block.images * image_stride_ + kPlaneSlack);
    if (copy == nullptr) return Outcome::kNoMemory;
    inputs = copy;
    const int64_t features = problem_.input_features();
    return ParallelLoop(
        executor, block.images * features, 0.5 * static_cast<double>(image_stride_) / static_cast<double>(features),
        [&](int64_t begin, int64_t end) {
          for (int64_t n = begin; n < end; ++n) {
            const T* const plane = images + n / features * lhs.strides.front() + n % features * lhs.strides.back();
            T* const to = copy + n / features * image_stride_ + n % features * feature_stride_;
            planes_.Copy(plane, block.first, to);
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

  Outcome MultiplyWhereTheyLie(size_t phase, const Block& block, const PatchColumns<T>& patches, const Planes& to,
                               Executor& executor) const {
    const PatchMatrices<T>& matrices = matrices_[phase];
    OutputRows outputs = matrices.outputs();
    outputs.row_size = std::min(outputs.row_size, patches.columns);
    outputs.starts = outputs.starts.first(static_cast<size_t>(patches.columns / outputs.row_size));
    const std::vector<int64_t>& elements = matrices.elements();
    return MultiplyPlanes<T>(kernel_ + kernels_[phase], rows(),
                             {patches.inputs, problem_.input_features(), patches.feature_stride, elements.data(),
                              static_cast<int64_t>(elements.size())},
                             outputs, block.images, patches.image_stride, {to.data, to.row_stride, to.image_stride},
                             executor);
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
              planes[p] = phases_.is_empty[p]
                              ? nullptr
                              : products[next] + plane * matrices_[next].ColumnsOf(block.first, block.outputs);
              next += phases_.is_empty[p] ? 0 : 1;
            }
            // Phases whose rows are the same follow each other.
            const size_t together = static_cast<size_t>(phases_.rows.front().step.back());
            for (size_t p = 0; p < planes.size(); p += together) {
              SpreadRows(planes.data() + p, phases_.rows.data() + p, block, to + n * all);
            }
          }
        });
  }

  // The phases of the same rows, one for each place of a step. Null: zeros.
  static void SpreadRows(const T* const* planes, const PhaseRows* phases, const Block& block, T* to) {
    const size_t last = phases[0].counts.size() - 1;
    const int64_t step = phases[0].step[last];
    int64_t first_line = 0, lines = 1;
    for (size_t j = 0; j < last; ++j) {
      lines *= j == 0 ? std::clamp<int64_t>(phases[0].counts[0] - block.first, 0, block.outputs) : phases[0].counts[j];
      first_line = j == 0 ? block.first : first_line * phases[0].counts[j];
    }
    for (int64_t line = 0; line < lines; ++line) {
      T* const at = to + phases[0].PlaceOf((first_line + line) * phases[0].counts[last]);
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
    const StridedArray& kernel = problem_.kernel;
    if (IsInOnePiece(kernel) && AllFinite(kernel.type, kernel.data, kernel.element_count(), executor)) {
      return executor.CheckCancelled();
    }
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
  const PatchStrips strips_;
  const int64_t strip_;  // outputs along the first dimension that are computed at a time
  const PaddedPlanes planes_;
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
         OutputsOfStrip(phases.problems) > 0;
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
