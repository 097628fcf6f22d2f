// SPDX-License-Identifier: Apache-2.0
#include "gui/models/tensor_statistics.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <limits>

#include "gui/models/plurals.h"
#include "gui/models/text.h"

namespace hloscope::gui {
namespace {

struct TensorStatisticsText {
  Q_DECLARE_TR_FUNCTIONS(TensorStatistics)
};

constexpr int64_t kBlock = 4096;  // elements read at once; small enough for the first cache
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Calls `visit` with the numbers of all elements, a block at a time, until it is cancelled.
template <typename Visit>
void ForEachBlock(const ElementReader& reader, const std::atomic<bool>& cancelled, Visit visit) {
  const absl::Span<const int64_t> sizes = reader.dimensions();
  if (reader.element_count() == 0) return;
  double block[kBlock];
  const int64_t axis = static_cast<int64_t>(sizes.size()) - 1;
  const int64_t row = axis < 0 ? 1 : sizes.back();
  evaluator::DimensionVector index(sizes.size(), 0);
  for (int64_t filled = 0;;) {
    // Short rows share a block.
    const int64_t position = axis < 0 ? 0 : index.back();
    const int64_t count = std::min(row - position, kBlock - filled);
    reader.Read(index, axis, count, block + filled);
    filled += count;
    bool more = true;
    if (position + count < row) {
      index.back() += count;
    } else {
      if (axis >= 0) index.back() = 0;
      int64_t d = axis - 1;
      while (d >= 0 && ++index[static_cast<size_t>(d)] == sizes[static_cast<size_t>(d)]) {
        index[static_cast<size_t>(d--)] = 0;
      }
      more = d >= 0;
    }
    if (filled < kBlock && more) continue;
    visit(block, filled);
    filled = 0;
    if (!more || cancelled.load(std::memory_order_relaxed)) return;
  }
}

// The smallest normal number of a float type; 0 for others, which have no denormal ones.
double SmallestNormal(ElementType type) {
  const ElementType component = IsComplex(type) ? ComplexComponent(type) : type;
  return IsFloat(component) ? std::ldexp(1.0, 1 - FloatFormatOf(component).bias) : 0;
}

// Means and squares are merged block by block (Chan et al.), so that large means do not swallow small spreads.
class Accumulator {
 public:
  explicit Accumulator(double smallest_normal) : smallest_normal_(smallest_normal) {}

  void AddBlock(const double* values, int64_t count) {
    int64_t finite = 0;
    double sum = 0;
    for (int64_t i = 0; i < count; ++i) {
      const double x = values[i], magnitude = std::abs(x);
      const bool is_finite = magnitude < kInfinity;
      s_.nan_count += x != x;
      s_.infinity_count += magnitude == kInfinity;
      s_.zero_count += x == 0;
      out_.negative_count += x < 0;
      out_.denormal_count += (magnitude < smallest_normal_) & (magnitude > 0);
      min_ = x < min_ ? x : min_;
      max_ = x > max_ ? x : max_;
      finite += is_finite;
      sum += is_finite ? x : 0;
      finite_min_ = is_finite && x < finite_min_ ? x : finite_min_;
      finite_max_ = is_finite && x > finite_max_ ? x : finite_max_;
      least_ = (magnitude > 0) & (magnitude < least_) ? magnitude : least_;
    }
    s_.count += count;
    if (finite == 0) return;
    const double mean = sum / static_cast<double>(finite);
    double squares = 0;
    for (int64_t i = 0; i < count; ++i) {
      const double difference = std::abs(values[i]) < kInfinity ? values[i] - mean : 0;
      squares += difference * difference;
    }
    const double both = static_cast<double>(finite_ + finite);
    const double apart = mean - s_.mean;
    squares_ += squares + apart * apart * static_cast<double>(finite_) * (static_cast<double>(finite) / both);
    s_.mean += apart * static_cast<double>(finite) / both;
    finite_ += finite;
  }

  TensorStatistics Finish(bool incomplete) {
    if (s_.count > s_.nan_count) {
      s_.min = min_;
      s_.max = max_;
    }
    if (finite_ > 0) {
      s_.standard_deviation = std::sqrt(squares_ / static_cast<double>(finite_));
      out_.finite_min = finite_min_;
      out_.finite_max = finite_max_;
    }
    if (least_ < kInfinity) out_.least_magnitude = least_;
    s_.incomplete = incomplete;
    out_.summary = s_;
    return out_;
  }

 private:
  const double smallest_normal_;
  evaluator::TensorSummary s_;
  TensorStatistics out_;
  int64_t finite_ = 0;
  double squares_ = 0;
  double min_ = kInfinity, max_ = -kInfinity;
  double finite_min_ = kInfinity, finite_max_ = -kInfinity;
  double least_ = kInfinity;
};

}  // namespace

TensorStatistics StatisticsOf(const ElementReader& reader, const std::atomic<bool>& cancelled) {
  Accumulator accumulator(SmallestNormal(reader.element_type()));
  ForEachBlock(reader, cancelled, [&](const double* values, int64_t count) { accumulator.AddBlock(values, count); });
  return accumulator.Finish(cancelled.load());
}

Histogram HistogramOf(const ElementReader& reader, double low, double high, int bins,
                      const std::atomic<bool>& cancelled) {
  Histogram histogram;
  histogram.low = low;
  histogram.high = high;
  histogram.bins.assign(static_cast<size_t>(std::max(bins, 1)), 0);
  if (!(low <= high)) return histogram;
  const double last = static_cast<double>(histogram.bins.size() - 1);
  // Halves, because the width of a range of huge numbers may not be a number.
  const double width = high / 2 - low / 2;
  const double scale = width > 0 ? static_cast<double>(histogram.bins.size()) / width : 0;
  ForEachBlock(reader, cancelled, [&](const double* values, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      const double x = values[i];
      if (!(std::abs(x) < kInfinity)) continue;
      if (x < low || x > high) {
        ++(x < low ? histogram.below : histogram.above);
        continue;
      }
      ++histogram.bins[static_cast<size_t>(std::min((x / 2 - low / 2) * scale, last))];
    }
  });
  return histogram;
}

QString StatisticsText(const TensorStatistics& statistics, ElementType type) {
  const evaluator::TensorSummary& s = statistics.summary;
  const auto number = [](double value) { return QString::number(value, 'g', 6); };
  if (s.count == 0) return TensorStatisticsText::tr("no elements");
  QStringList parts;
  if (s.count > s.nan_count) {
    parts << TensorStatisticsText::tr("min %1").arg(number(s.min))
          << TensorStatisticsText::tr("max %1").arg(number(s.max))
          << TensorStatisticsText::tr("mean %1").arg(number(s.mean))
          << TensorStatisticsText::tr("std %1").arg(number(s.standard_deviation));
  }
  parts << TensorStatisticsText::tr("%1 zero(s)", nullptr, ForPlural(s.zero_count)).arg(FormatCount(s.zero_count));
  if (IsFloat(type) || IsComplex(type)) {
    parts << TensorStatisticsText::tr("%1 NaN").arg(FormatCount(s.nan_count))
          << TensorStatisticsText::tr("%1 Inf").arg(FormatCount(s.infinity_count))
          << TensorStatisticsText::tr("%1 denormal").arg(FormatCount(statistics.denormal_count));
  }
  if (KindOf(type) != ElementKind::kPredicate && !IsUnsigned(type) && !IsComplex(type)) {
    parts << TensorStatisticsText::tr("%1 negative").arg(FormatCount(statistics.negative_count));
  }
  // A line may break between the parts, not inside one.
  for (QString& part : parts) part.replace(QLatin1Char(' '), QChar(QChar::Nbsp));
  return parts.join(QStringLiteral("   "));
}

}  // namespace hloscope::gui
