// SPDX-License-Identifier: Apache-2.0
#include "numerics/normalization/batch_norm_arrays.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "numerics/elements/numeric.h"
#include "numerics/normalization/batch_norm_lanes.h"
#include "numerics/parallel/parallel_loop.h"
#include "numerics/reduction/vector_sums.h"

namespace hloscope::numerics {
namespace {

// Shorter runs of one feature are computed side by side with those of others.
constexpr int64_t kMinRun = 64;
constexpr int64_t kBatchNormLanes = 4096;
// What a thread takes at a time: it stays in the second cache level while it is read twice.
constexpr int64_t kPieceElements = int64_t{1} << 15;
// The numbers that a piece leaves for the end should be few beside its elements.
constexpr int64_t kMinPieceRows = 16;
constexpr double kBatchNormNanoseconds = 0.4;  // of an element

int64_t Quotient(int64_t n, int64_t d) { return n <= 0 ? 0 : (n - 1) / d + 1; }  // rounded up

// The array cut into pieces: rows of lanes, each lane with its feature, or runs of one feature.
class Pieces {
 public:
  explicit Pieces(const FeatureExtent& extent) : extent_(extent) {
    const int64_t period = extent.features * extent.inner;
    by_rows_ = extent.inner < kMinRun;
    if (period == 0 || extent.outer == 0) return;
    if (!by_rows_) {
      blocks_ = Quotient(extent.inner, kPieceElements);
      count_ = extent.outer * extent.features * blocks_;
      return;
    }
    // Rows of few features are joined to longer ones; what is left over makes a shorter row.
    const int64_t joined = std::clamp<int64_t>(kMinRun / period, 1, extent.outer);
    lanes_ = joined * period;
    rows_ = extent.outer / joined;
    rest_ = extent.outer % joined * period;
    width_ = std::min(lanes_, kBatchNormLanes);
    blocks_ = Quotient(lanes_, width_);
    piece_rows_ = std::max(kMinPieceRows, kPieceElements / width_);
    count_ = (Quotient(rows_, piece_rows_) + (rest_ > 0 ? 1 : 0)) * blocks_;
  }

  // Rows, or a run: a single row whose lanes all belong to `feature`.
  struct Piece {
    int64_t offset;
    LaneRows rows;
    int64_t first_lane;    // of rows
    int64_t feature;       // of a run
    int64_t first_number;  // where a piece's numbers lie: one for each lane of rows, one for a run
  };

  bool by_rows() const { return by_rows_; }
  int64_t count() const { return count_; }
  int64_t number_count() const { return count_ * width_; }
  int64_t lanes() const { return lanes_; }
  double nanoseconds() const {
    return kBatchNormNanoseconds *
           static_cast<double>(by_rows_ ? piece_rows_ * width_ : Quotient(extent_.inner, blocks_));
  }
  int64_t FeatureOf(int64_t lane) const { return lane / extent_.inner % extent_.features; }

  Piece operator[](int64_t n) const {
    const int64_t block = n % blocks_, chunk = n / blocks_;
    if (!by_rows_) {
      const int64_t first = block * kPieceElements, size = std::min(kPieceElements, extent_.inner - first);
      return {chunk * extent_.inner + first, {0, 1, size}, 0, chunk % extent_.features, n};
    }
    const int64_t first_lane = block * width_, first_row = chunk * piece_rows_;
    const bool is_rest = first_row >= rows_;
    const int64_t row = is_rest ? rows_ : first_row, lanes = is_rest ? rest_ : lanes_;
    return {
        row * lanes_ + first_lane,
        {lanes_, is_rest ? 1 : std::min(piece_rows_, rows_ - row), std::clamp<int64_t>(lanes - first_lane, 0, width_)},
        first_lane,
        0,
        n * width_};
  }

  // Calls `visit(feature, number, elements)` for what the pieces have left, in their order.
  template <typename Visit>
  void ForEachNumber(Visit&& visit) const {
    for (int64_t n = 0; n < count_; ++n) {
      const Piece piece = (*this)[n];
      if (!by_rows_) {
        visit(piece.feature, piece.first_number, piece.rows.lanes);
        continue;
      }
      int64_t feature = FeatureOf(piece.first_lane), left = extent_.inner - piece.first_lane % extent_.inner;
      for (int64_t l = 0; l < piece.rows.lanes; ++l) {
        visit(feature, piece.first_number + l, piece.rows.rows);
        if (--left > 0) continue;
        left = extent_.inner;
        if (++feature == extent_.features) feature = 0;
      }
    }
  }

 private:
  const FeatureExtent extent_;
  bool by_rows_ = false;
  int64_t count_ = 0, blocks_ = 1, width_ = 1;
  int64_t lanes_ = 0, rows_ = 0, rest_ = 0, piece_rows_ = 1;
};

template <typename X>
class ArrayBatchNorm {
 public:
  ArrayBatchNorm(const BatchNormArrays<X>& batch, double* scratch, Executor& executor)
      : batch_(batch),
        executor_(executor),
        pieces_(batch.extent),
        sums_(scratch),
        products_(scratch == nullptr ? nullptr : scratch + pieces_.number_count()),
        features_(batch.extent.features),
        count_(static_cast<double>(batch.extent.per_feature())),
        x_(batch.operands[0]) {}

  Outcome Inference() { return Normalize(NumbersOf<double>(3), NumbersOf<double>(4)); }

  Outcome Training() {
    // Of every piece the sum and the squared distances from its own mean.
    const Outcome outcome = ForEachPiece([&](const Pieces::Piece& piece) {
      if (pieces_.by_rows()) {
        MomentsOfRows(piece);
      } else {
        MomentsOfRun(piece);
      }
    });
    if (!outcome.ok()) return outcome;
    std::vector<double> means(Size()), variances(Size());
    pieces_.ForEachNumber([&](int64_t feature, int64_t n, int64_t) { means[At(feature)] += sums_[n]; });
    for (double& mean : means) mean /= count_;
    // The squared distances from another point than the mean of n elements are greater by n times its distance squared.
    pieces_.ForEachNumber([&](int64_t feature, int64_t n, int64_t elements) {
      const double size = static_cast<double>(elements), distance = sums_[n] / size - means[At(feature)];
      variances[At(feature)] += products_[n] + size * distance * distance;
    });
    for (double& variance : variances) variance /= count_;
    for (int64_t c = 0; c < features_; ++c) {
      batch_.results[1][c] = Stored(means[At(c)]);
      batch_.results[2][c] = Stored(variances[At(c)]);
    }
    return Normalize(means, variances);
  }

  Outcome Gradient() {
    const X* const g = batch_.operands[4];
    const std::vector<Number> means = NumbersOf<Number>(2), lane_means = OfLanes(means);
    const Outcome outcome = ForEachPiece([&](const Pieces::Piece& piece) {
      const X* const x = x_ + piece.offset;
      double* const sum = sums_ + piece.first_number;
      double* const product = products_ + piece.first_number;
      if (!pieces_.by_rows()) {
        Run::SumGradients(x, g + piece.offset, piece.rows.lanes, means[At(piece.feature)], sum, product);
        return;
      }
      std::fill_n(sum, piece.rows.lanes, 0.0);
      std::fill_n(product, piece.rows.lanes, 0.0);
      rows_.add_gradients(x, g + piece.offset, piece.rows, lane_means.data() + piece.first_lane, sum, product);
    });
    if (!outcome.ok()) return outcome;
    std::vector<double> sums(Size()), weighted(Size());
    pieces_.ForEachNumber([&](int64_t feature, int64_t n, int64_t) {
      sums[At(feature)] += sums_[n];
      weighted[At(feature)] += products_[n];
    });
    std::vector<Number> shares(Size()), slopes(Size()), factors(Size());
    for (int64_t c = 0; c < features_; ++c) {
      const double variance = Wide(batch_.operands[3][c]) + static_cast<double>(batch_.epsilon);
      batch_.results[1][c] = Stored(weighted[At(c)] / std::sqrt(variance));
      batch_.results[2][c] = Stored(sums[At(c)]);
      factors[At(c)] = static_cast<Number>(Wide(batch_.operands[1][c]) / std::sqrt(variance));
      shares[At(c)] = static_cast<Number>(sums[At(c)] / count_);
      slopes[At(c)] = static_cast<Number>(weighted[At(c)] / (count_ * variance));
    }
    const std::vector<Number> lane_factors = OfLanes(factors), lane_shares = OfLanes(shares);
    const std::vector<Number> lane_slopes = OfLanes(slopes);
    return ForEachPiece([&](const Pieces::Piece& piece) {
      const X* const x = x_ + piece.offset;
      X* const y = batch_.results[0] + piece.offset;
      if (pieces_.by_rows()) {
        rows_.gradients(x, g + piece.offset, piece.rows, lane_means.data() + piece.first_lane,
                        lane_factors.data() + piece.first_lane, lane_shares.data() + piece.first_lane,
                        lane_slopes.data() + piece.first_lane, y);
      } else {
        const size_t c = At(piece.feature);
        Run::Gradients(x, g + piece.offset, piece.rows.lanes, means[c], factors[c], shares[c], slopes[c], y);
      }
    });
  }

 private:
  using Run = BatchNormRun<X>;
  using Number = BatchNormNumber<X>;

  static size_t At(int64_t n) { return static_cast<size_t>(n); }
  static double Wide(X x) { return static_cast<double>(Widened(x)); }
  static X Stored(double number) { return Narrowed<X>(static_cast<float>(number)); }
  size_t Size() const { return At(features_); }

  // An operand with one element for each feature.
  template <typename To>
  std::vector<To> NumbersOf(size_t operand) const {
    std::vector<To> numbers(Size());
    for (size_t c = 0; c < Size(); ++c) numbers[c] = static_cast<To>(Widened(batch_.operands[operand][c]));
    return numbers;
  }
  // For each lane of a row what its feature has; empty where there are no rows.
  template <typename To>
  std::vector<To> OfLanes(const std::vector<To>& of_features) const {
    std::vector<To> of_lanes(At(pieces_.lanes()));
    if (of_lanes.empty()) return of_lanes;
    auto lane = of_lanes.begin();
    for (const To number : of_features) lane = std::fill_n(lane, batch_.extent.inner, number);
    for (size_t l = of_features.size() * At(batch_.extent.inner); l < of_lanes.size(); ++l) {
      of_lanes[l] = of_lanes[l - of_features.size() * At(batch_.extent.inner)];
    }
    return of_lanes;
  }

  // Sums and squares are taken about a pivot that is an element, or a mean of elements, of the piece itself: what they
  // lose by its distance from the mean is at most as many units in the last place as the piece has rows.
  void MomentsOfRows(const Pieces::Piece& piece) {
    const X* const x = x_ + piece.offset;
    const LaneRows& rows = piece.rows;
    double* const sums = sums_ + piece.first_number;
    double* const squares = products_ + piece.first_number;
    Number pivots[kBatchNormLanes];
    for (int64_t l = 0; l < rows.lanes; ++l) pivots[l] = static_cast<Number>(Widened(x[l]));
    for (bool is_done = false; !is_done;) {
      std::fill_n(sums, rows.lanes, 0.0);
      std::fill_n(squares, rows.lanes, 0.0);
      rows_.add_moments(x, rows, pivots, sums, squares);
      is_done = true;
      for (int64_t l = 0; l < rows.lanes; ++l) is_done = IsUsable(sums[l], pivots[l]) && is_done;
    }
    for (int64_t l = 0; l < rows.lanes; ++l) MoveToMean(rows.rows, pivots[l], sums[l], squares[l]);
  }
  void MomentsOfRun(const Pieces::Piece& piece) {
    const X* const x = x_ + piece.offset;
    const int64_t count = piece.rows.lanes, few = std::min(count, kMinRun);
    double& sum = sums_[piece.first_number];
    double& square = products_[piece.first_number];
    Number pivot = static_cast<Number>(SumFloats(x, few) / static_cast<double>(few));
    do {
      Run::SumMoments(x, count, pivot, &sum, &square);
    } while (!IsUsable(sum, pivot));
    MoveToMean(count, pivot, sum, square);
  }
  // False after replacing a pivot that hides an infinite mean.
  static bool IsUsable(double sum, Number& pivot) {
    if (std::isfinite(sum) || pivot == 0) return true;
    pivot = 0;
    return false;
  }
  // From sums about `pivot` to the sum of the elements, and their squared distances from their mean.
  static void MoveToMean(int64_t count, Number pivot, double& sum, double& square) {
    const double size = static_cast<double>(count), squares = square - sum * sum / size;
    square = squares < 0 ? 0 : squares;
    sum += size * static_cast<double>(pivot);
  }

  template <typename Body>
  Outcome ForEachPiece(const Body& body) {
    return ParallelLoop(executor_, pieces_.count(), pieces_.nanoseconds(), [&](int64_t begin, int64_t end) {
      for (int64_t n = begin; n < end; ++n) body(pieces_[n]);
    });
  }

  Outcome Normalize(const std::vector<double>& means, const std::vector<double>& variances) {
    const std::vector<Number> numbers(means.begin(), means.end()), offsets = NumbersOf<Number>(2);
    std::vector<Number> factors(Size());
    for (size_t c = 0; c < factors.size(); ++c) {
      const double deviation = std::sqrt(variances[c] + static_cast<double>(batch_.epsilon));
      factors[c] = static_cast<Number>(Wide(batch_.operands[1][c]) / deviation);
    }
    const std::vector<Number> lane_means = OfLanes(numbers), lane_factors = OfLanes(factors);
    const std::vector<Number> lane_offsets = OfLanes(offsets);
    return ForEachPiece([&](const Pieces::Piece& piece) {
      const X* const x = x_ + piece.offset;
      X* const y = batch_.results[0] + piece.offset;
      if (pieces_.by_rows()) {
        rows_.normalize(x, piece.rows, lane_means.data() + piece.first_lane, lane_factors.data() + piece.first_lane,
                        lane_offsets.data() + piece.first_lane, y);
      } else {
        const size_t c = At(piece.feature);
        Run::Normalize(x, piece.rows.lanes, numbers[c], factors[c], offsets[c], y);
      }
    });
  }

  const BatchNormArrays<X>& batch_;
  Executor& executor_;
  const BatchNormRows<X> rows_ = BestBatchNormRows<X>();
  const Pieces pieces_;
  double *const sums_, *const products_;
  const int64_t features_;
  const double count_;  // elements of a feature
  const X* const x_;
};

}  // namespace

int64_t BatchNormScratch(BatchNorm kind, const FeatureExtent& extent) {
  return kind == BatchNorm::kInference ? 0 : 2 * Pieces(extent).number_count();
}

template <typename X>
Outcome NormalizeArrays(BatchNorm kind, const BatchNormArrays<X>& batch, double* scratch, Executor& executor) {
  ArrayBatchNorm<X> norm(batch, scratch, executor);
  if (kind == BatchNorm::kTraining) return norm.Training();
  return kind == BatchNorm::kInference ? norm.Inference() : norm.Gradient();
}
template Outcome NormalizeArrays<float>(BatchNorm, const BatchNormArrays<float>&, double*, Executor&);
template Outcome NormalizeArrays<Bf16>(BatchNorm, const BatchNormArrays<Bf16>&, double*, Executor&);

}  // namespace hloscope::numerics
