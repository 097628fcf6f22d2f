// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/few_rows.h"

#include <algorithm>
#include <atomic>
#include <span>
#include <vector>

#include "numerics/contraction/gemm.h"
#include "numerics/contraction/micro_kernel_choice.h"
#include "numerics/convolution/store_sums.h"
#include "numerics/data_movement/run_ahead.h"
#include "numerics/parallel/parallel_loop.h"

namespace hloscope::numerics {
namespace {

// Input features, of one element of the kernel or of some, that are packed at a time.
constexpr int64_t kPieceFeatures = 256;

// Features [first, first + run) of the elements [begin, end) of a kernel; all features if there are several elements.
struct Piece {
  int64_t begin, end, first, run;
};

std::vector<Piece> PiecesOf(int64_t kernel_count, int64_t features) {
  std::vector<Piece> pieces;
  const int64_t together = std::max<int64_t>(kPieceFeatures / features, 1);
  for (int64_t element = 0; element < kernel_count; element += together) {
    for (int64_t first = 0; first < features; first += kPieceFeatures) {
      pieces.push_back({element, std::min(element + together, kernel_count), first,
                        together > 1 ? features : std::min(kPieceFeatures, features - first)});
    }
  }
  return pieces;
}

template <typename T, typename Packed, typename Result>
class FewRows {
 public:
  FewRows(const ConvolutionGeometry& geometry, const MicroKernel<T, Packed>& micro, const InputLines<Packed>& lines,
          const KernelMatrix<Packed>& kernel, std::span<const int64_t> places, Result* result, int64_t stride)
      : features_(geometry.input_features),
        micro_(micro),
        lines_(lines),
        kernel_(kernel),
        places_(places),
        tiles_((static_cast<int64_t>(places.size()) - 1) / micro.rows + 1),
        panels_((kernel.columns - 1) / micro.columns + 1),
        pieces_(PiecesOf(geometry.kernel_count, features_)),
        result_(result),
        stride_(stride) {}

  int64_t panels() const { return panels_; }
  int64_t SumCount() const { return tiles_ * micro_.rows * micro_.columns; }
  int64_t PackedCount() const { return kPieceFeatures * micro_.columns; }

  // With room for SumCount() sums, and PackedCount() elements of a piece.
  void ComputePanel(int64_t panel, T* sums, Packed* packed) const {
    const int64_t tile_elements = micro_.rows * micro_.columns;
    std::vector<bool> has_sums(static_cast<size_t>(tiles_), false);
    for (size_t i = 0; i < pieces_.size(); ++i) {
      const Piece& piece = pieces_[i];
      const int64_t first_row = piece.begin * features_ + piece.first;
      const int64_t row_count = (piece.end - piece.begin) * piece.run;
      kernel_.PackPanel(first_row, first_row + row_count, panel * micro_.columns, micro_.columns, packed);
      RowsToFetch next = i + 1 < pieces_.size() ? RowsOf(pieces_[i + 1], panel) : RowsOf(pieces_[0], panel + 1);
      for (int64_t tile = 0; tile < tiles_; ++tile) {
        Fetch(next);
        // Elements outside of those that are used meet padding alone.
        const auto& used = lines_.UsedOf(tile);
        const int64_t begin = std::max(piece.begin, used.begin), end = std::min(piece.end, used.end);
        if (begin >= end) continue;
        micro_.multiply_lines(end - begin, piece.first, piece.run, lines_.Of(tile, begin),
                              packed + (begin - piece.begin) * piece.run * micro_.columns, sums + tile * tile_elements,
                              micro_.columns, has_sums[static_cast<size_t>(tile)]);
        has_sums[static_cast<size_t>(tile)] = true;
      }
    }
    for (int64_t tile = 0; tile < tiles_; ++tile) {
      if (!has_sums[static_cast<size_t>(tile)]) std::fill_n(sums + tile * tile_elements, tile_elements, T());
    }
    const int64_t first = panel * micro_.columns, width = std::min(micro_.columns, kernel_.columns - first);
    const T* row = sums;
    for (int64_t place : places_) {
      StoreSums(row, width, result_ + place * stride_ + first);
      row += micro_.columns;
    }
  }

 private:
  // Rows of the kernel, at the columns of a panel, that are asked for a part at a time.
  struct RowsToFetch {
    int64_t row = 0, column = 0, count = 0, part = 0;
  };

  RowsToFetch RowsOf(const Piece& piece, int64_t panel) const {
    if (panel >= panels_) return {};
    const int64_t count = (piece.end - piece.begin) * piece.run;
    return {piece.begin * features_ + piece.first, panel * micro_.columns, count, (count - 1) / tiles_ + 1};
  }

  void Fetch(RowsToFetch& rows) const {
    constexpr int64_t kLine = 64 / sizeof(Packed);
    const int64_t part = std::min(rows.part, rows.count);
    for (int64_t k = 0; k < part; ++k) {
      const Packed* const at = kernel_.Row(rows.row++) + rows.column;
      for (int64_t column = 0; column < micro_.columns; column += kLine) FetchLine(at + column);
    }
    rows.count -= part;
  }

  const int64_t features_;
  const MicroKernel<T, Packed>& micro_;
  const InputLines<Packed>& lines_;
  const KernelMatrix<Packed> kernel_;
  const std::span<const int64_t> places_;
  const int64_t tiles_, panels_;
  const std::vector<Piece> pieces_;
  Result* const result_;
  const int64_t stride_;
};

}  // namespace

template <typename T, typename Packed, typename Result>
Outcome ConvolveFewRows(const ConvolutionGeometry& geometry, const MicroKernel<T, Packed>& micro,
                        const InputLines<Packed>& lines, const KernelMatrix<Packed>& kernel,
                        std::span<const int64_t> places, Result* result, int64_t stride, Executor& executor) {
  const FewRows<T, Packed, Result> few(geometry, micro, lines, kernel, places, result, stride);
  const int64_t rows = static_cast<int64_t>(places.size());
  const double nanoseconds = static_cast<double>(RoundUp(rows, micro.rows) * kernel.inner * micro.columns) *
                             MultiplyAddNanoseconds(sizeof(T) == sizeof(float) ? ElementType::kF32 : ElementType::kF64);
  std::atomic<bool> has_memory{true};
  const Outcome outcome = ParallelLoop(executor, few.panels(), nanoseconds, [&](int64_t begin, int64_t end) {
    static thread_local Workspace<T> own_sums;
    static thread_local Workspace<Packed> own_piece;
    T* const sums = own_sums.Get(few.SumCount());
    Packed* const piece = own_piece.Get(few.PackedCount());
    if (sums == nullptr || piece == nullptr) {
      has_memory = false;
      return;
    }
    for (int64_t panel = begin; panel < end; ++panel) few.ComputePanel(panel, sums, piece);
  });
  return has_memory ? outcome : Outcome::kNoMemory;
}

// clang-format off
#define HLOSCOPE_FEW_ROWS(T, Packed, Result)                                                                        \
  template Outcome ConvolveFewRows<T, Packed, Result>(const ConvolutionGeometry&, const MicroKernel<T, Packed>&,    \
                                                      const InputLines<Packed>&, const KernelMatrix<Packed>&,       \
                                                      std::span<const int64_t>, Result*, int64_t, Executor&);
// clang-format on
HLOSCOPE_FEW_ROWS(float, float, float)
HLOSCOPE_FEW_ROWS(double, double, double)
HLOSCOPE_FEW_ROWS(float, uint32_t, float)
HLOSCOPE_FEW_ROWS(float, uint32_t, uint16_t)
#undef HLOSCOPE_FEW_ROWS

}  // namespace hloscope::numerics
