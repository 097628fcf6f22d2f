// SPDX-License-Identifier: Apache-2.0
#include "reports/tensor_drawing.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "evaluator/tensor/summary.h"
#include "insight/html/html_report.h"

namespace hloscope::reports {
namespace {

// Points of the page.
constexpr double kEdge = 12, kLine = 18, kBetweenPlanes = 28, kPlaneSide = 256;
constexpr double kNumberWidth = 66, kNumberHeight = 22, kHeadWidth = 52;
constexpr int64_t kMostNumbers = 12;  // rows or columns of a plane whose elements are written
constexpr int64_t kMostPoints = 64;   // of a side
constexpr int64_t kMostPlanes = 6;    // of an array
constexpr int64_t kPlanesInRow = 3;
// Reading more elements for one point changes nothing that can be seen.
constexpr int64_t kMostRead = 16;

// A point of a plane and how many elements are at it.
struct DrawnPlane {
  std::string caption;
  int64_t rows = 0, columns = 0;              // of the array
  int64_t drawn_rows = 0, drawn_columns = 0;  // of the picture
  std::vector<double> values;
  bool has_numbers() const { return rows <= kMostNumbers && columns <= kMostNumbers; }
  double cell_width() const {
    return has_numbers() ? kNumberWidth
                         : std::max(2.0, kPlaneSide / static_cast<double>(std::max(drawn_rows, drawn_columns)));
  }
  double cell_height() const { return has_numbers() ? kNumberHeight : cell_width(); }
  double width() const { return kHeadWidth + cell_width() * static_cast<double>(drawn_columns); }
  double height() const { return 2 * kLine + cell_height() * static_cast<double>(drawn_rows); }
};

int64_t Extent(const evaluator::Tensor& tensor, int64_t from_last) {
  return tensor.rank() > from_last ? tensor.dimension(tensor.rank() - 1 - from_last) : 1;
}
int64_t Stride(const evaluator::Tensor& tensor, int64_t from_last) {
  return tensor.rank() > from_last ? tensor.strides()[static_cast<size_t>(tensor.rank() - 1 - from_last)] : 0;
}

// The mean of the finite elements of a block; of a single element, it.
double PointOf(const evaluator::Tensor& tensor, int64_t base, int64_t row, int64_t row_end, int64_t column,
               int64_t column_end) {
  const auto at = [&](int64_t r, int64_t c) {
    const int64_t element = base + r * Stride(tensor, 1) + c * Stride(tensor, 0);
    return evaluator::ElementAsDouble(tensor.element_type(), tensor.data() + element * tensor.element_bytes());
  };
  if (row_end - row == 1 && column_end - column == 1) return at(row, column);
  const int64_t row_step = std::max<int64_t>(1, (row_end - row) / kMostRead);
  const int64_t column_step = std::max<int64_t>(1, (column_end - column) / kMostRead);
  double sum = 0;
  int64_t count = 0;
  for (int64_t r = row; r < row_end; r += row_step) {
    for (int64_t c = column; c < column_end; c += column_step) {
      const double value = at(r, c);
      if (!std::isfinite(value)) continue;
      sum += value;
      ++count;
    }
  }
  return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
}

// Where part `k` of `parts` begins, of as many elements as there may be.
int64_t BeginOf(int64_t k, int64_t parts, int64_t elements) {
  return k * (elements / parts) + k * (elements % parts) / parts;
}

DrawnPlane PlaneOf(const evaluator::Tensor& tensor, int64_t number) {
  DrawnPlane plane;
  plane.rows = Extent(tensor, 1);
  plane.columns = Extent(tensor, 0);
  plane.drawn_rows = std::min(plane.rows, kMostPoints);
  plane.drawn_columns = std::min(plane.columns, kMostPoints);
  int64_t base = 0;
  std::vector<std::string> index;
  for (int64_t d = tensor.rank() - 3, rest = number; d >= 0; --d) {
    base += rest % tensor.dimension(d) * tensor.strides()[static_cast<size_t>(d)];
    index.insert(index.begin(), absl::StrCat(rest % tensor.dimension(d)));
    rest /= tensor.dimension(d);
  }
  if (!index.empty()) plane.caption = absl::StrCat("[", absl::StrJoin(index, ","), ",:,:]");
  for (int64_t y = 0; y < plane.drawn_rows; ++y) {
    for (int64_t x = 0; x < plane.drawn_columns; ++x) {
      plane.values.push_back(
          PointOf(tensor, base, BeginOf(y, plane.drawn_rows, plane.rows), BeginOf(y + 1, plane.drawn_rows, plane.rows),
                  BeginOf(x, plane.drawn_columns, plane.columns), BeginOf(x + 1, plane.drawn_columns, plane.columns)));
    }
  }
  return plane;
}

struct HeatRange {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void Add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  // 0 to 1.
  double PlaceOf(double value) const { return high > low ? (value / 2 - low / 2) / (high / 2 - low / 2) : 0.5; }
};

std::string ColorAt(double place) {
  constexpr size_t kLast = std::size(insight::kHeatColors) - 1;
  const double scaled = std::clamp(place, 0.0, 1.0) * static_cast<double>(kLast);
  const size_t below = std::min(static_cast<size_t>(scaled), kLast - 1);
  const double part = scaled - static_cast<double>(below);
  std::string color = "#";
  for (size_t channel = 0; channel < 3; ++channel) {
    const double from = insight::kHeatColors[below][channel], to = insight::kHeatColors[below + 1][channel];
    absl::StrAppendFormat(&color, "%02x", static_cast<int>(std::lround(from + (to - from) * part)));
  }
  return color;
}

constexpr const char* kBadColor = "#c80000";

void Write(std::string* out, double x, double y, absl::string_view style, absl::string_view text) {
  absl::StrAppendFormat(out, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, style);
  insight::AppendEscaped(text, out);
  *out += "</text>\n";
}

void AddPlane(std::string* out, const DrawnPlane& plane, const HeatRange& range, double left, double top) {
  constexpr absl::string_view kHeadStyle = "text-anchor=\"end\" fill=\"#666\"";
  Write(out, left, top + 12, "fill=\"#333\"", plane.caption);
  const double x0 = left + kHeadWidth, y0 = top + 2 * kLine, w = plane.cell_width(), h = plane.cell_height();
  const bool all_heads = plane.has_numbers();
  for (int64_t r = 0; r < plane.drawn_rows; ++r) {
    const double y = y0 + h * static_cast<double>(r);
    if (all_heads) Write(out, x0 - 6, y + 15, kHeadStyle, absl::StrCat(r));
    for (int64_t c = 0; c < plane.drawn_columns; ++c) {
      const double value = plane.values[static_cast<size_t>(r * plane.drawn_columns + c)];
      const double x = x0 + w * static_cast<double>(c), place = range.PlaceOf(value);
      absl::StrAppendFormat(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"/>\n", x, y, w,
                            h, std::isfinite(value) ? ColorAt(place) : kBadColor);
      if (!all_heads) continue;
      const bool is_bright = std::isfinite(value) && place > 0.65;
      Write(out, x + w / 2, y + 15,
            is_bright ? "text-anchor=\"middle\" fill=\"#111\"" : "text-anchor=\"middle\" fill=\"#fff\"",
            absl::StrFormat("%.4g", value));
    }
  }
  for (int64_t c = 0; all_heads && c < plane.columns; ++c) {
    Write(out, x0 + w * (static_cast<double>(c) + 0.5), y0 - 5, "text-anchor=\"middle\" fill=\"#666\"",
          absl::StrCat(c));
  }
  if (all_heads) return;
  Write(out, x0 - 6, y0 + 10, kHeadStyle, "0");
  if (plane.rows > 1) Write(out, x0 - 6, y0 + plane.height() - 2 * kLine, kHeadStyle, absl::StrCat(plane.rows - 1));
  Write(out, x0, y0 - 5, "fill=\"#666\"", "0");
  if (plane.columns > 1) {
    Write(out, left + plane.width(), y0 - 5, kHeadStyle, absl::StrCat(plane.columns - 1));
  }
}

void AddLegend(std::string* out, const HeatRange& range, double left, double top) {
  if (range.low > range.high) return;
  constexpr int kPieces = 32;
  const std::string low = absl::StrFormat("%.6g", range.low);
  const double x0 = left + 8.0 * static_cast<double>(low.size()) + 4;
  Write(out, left, top + 11, "fill=\"#333\"", low);
  for (int i = 0; i < kPieces; ++i) {
    absl::StrAppendFormat(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"4.2\" height=\"12\" fill=\"%s\"/>\n", x0 + 4.0 * i,
                          top, ColorAt(static_cast<double>(i) / (kPieces - 1)));
  }
  Write(out, x0 + 4.0 * kPieces + 6, top + 11, "fill=\"#333\"", absl::StrFormat("%.6g", range.high));
}

// Draws the array at `top`; the next one begins below what it returns. `right` becomes at least where it ends.
double AddTensor(std::string* out, const NamedTensor& named, double top, double* right) {
  const evaluator::Tensor& tensor = named.tensor;
  const std::string title = absl::StrCat(named.name, " ", tensor.shape().ToString(false));
  const std::string facts = tensor.element_count() == 0 ? "no elements" : TensorFacts(tensor);
  Write(out, kEdge, top + 13, "font-weight=\"bold\"", title);
  Write(out, kEdge, top + kLine + 13, "fill=\"#333\"", facts);
  *right = std::max(*right, kEdge + 7.6 * static_cast<double>(std::max(title.size(), facts.size())));
  top += 2 * kLine;
  if (tensor.element_count() == 0) return top;
  const int64_t all = tensor.element_count() / (Extent(tensor, 0) * Extent(tensor, 1));
  std::vector<DrawnPlane> planes;
  HeatRange range;
  for (int64_t i = 0; i < std::min(all, kMostPlanes); ++i) {
    planes.push_back(PlaneOf(tensor, i));
    for (double value : planes.back().values) range.Add(value);
  }
  AddLegend(out, range, kEdge, top + 4);
  top += kLine + 4;
  const double width = planes[0].width(), height = planes[0].height();
  for (size_t i = 0; i < planes.size(); ++i) {
    const size_t row = i / kPlanesInRow, column = i % kPlanesInRow;
    const double left = kEdge + static_cast<double>(column) * (width + kBetweenPlanes);
    AddPlane(out, planes[i], range, left, top + static_cast<double>(row) * (height + kLine));
    *right = std::max(*right, left + width);
  }
  top += static_cast<double>((planes.size() + kPlanesInRow - 1) / kPlanesInRow) * (height + kLine);
  if (all > kMostPlanes) {
    Write(out, kEdge, top + 13, "fill=\"#333\"", absl::StrCat("and ", all - kMostPlanes, " more planes"));
    top += kLine;
  }
  return top;
}

void AddLeaves(const std::string& name, const evaluator::Value& value, std::vector<NamedTensor>* out) {
  if (out->size() > kMostDrawnArrays) return;
  if (value.IsTensor()) out->push_back({name, value.tensor().WithRunTimeSizes()});
  for (size_t i = 0; i < value.elements().size() && out->size() <= kMostDrawnArrays; ++i) {
    AddLeaves(absl::StrCat(name, "{", i, "}"), value.elements()[i], out);
  }
}

}  // namespace

std::vector<NamedTensor> TensorsOf(const std::string& name, const evaluator::Value& value) {
  std::vector<NamedTensor> tensors;
  AddLeaves(name, value, &tensors);
  return tensors;
}

std::string TensorFacts(const evaluator::Tensor& tensor) {
  if (tensor.element_count() == 0) return "";
  const evaluator::TensorSummary summary = evaluator::Summarize(tensor);
  std::string facts = absl::StrFormat("min %g max %g mean %g", summary.min, summary.max, summary.mean);
  if (summary.nan_count > 0) absl::StrAppend(&facts, ", ", summary.nan_count, " NaN");
  if (summary.infinity_count > 0) absl::StrAppend(&facts, ", ", summary.infinity_count, " infinite");
  return facts;
}

std::string TensorsSvg(absl::Span<const NamedTensor> tensors) {
  std::string inside;
  double top = kEdge, right = 0;
  for (const NamedTensor& named : tensors.subspan(0, kMostDrawnArrays)) {
    top = AddTensor(&inside, named, top, &right) + kLine;
  }
  if (tensors.size() > kMostDrawnArrays) {
    Write(&inside, kEdge, top + 13, "fill=\"#333\"", absl::StrCat("and more arrays: ", kMostDrawnArrays, " are drawn"));
    right = std::max(right, 300.0);
    top += kLine;
  }
  return absl::StrCat(
      absl::StrFormat("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f "
                      "%.0f\" font-family=\"monospace\" font-size=\"12\">\n<rect width=\"%.0f\" height=\"%.0f\" "
                      "fill=\"white\"/>\n",
                      right + kEdge, top, right + kEdge, top, right + kEdge, top),
      inside, "</svg>\n");
}

}  // namespace hloscope::reports
