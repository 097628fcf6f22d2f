// SPDX-License-Identifier: Apache-2.0
#include "reports/memory_drawing.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/print/quantity.h"
#include "insight/html/html_text.h"

namespace hloscope::reports {
namespace {

constexpr size_t kMostBars = 300;
constexpr int kPictureWidth = 1100, kCurveHeight = 220, kBarHeight = 9;

std::string PictureNumber(double value) { return absl::StrFormat("%.1f", value); }

// The curve of live bytes, at most two points a pixel so that no peak is lost, and below it the lives of the largest
// arrays as bars.
class MemoryPicture {
 public:
  MemoryPicture(const insight::MemoryExplanation& memory, std::vector<uint32_t> bars)
      : memory_(memory), bars_(std::move(bars)), steps_(std::max<size_t>(memory.timeline().steps.size(), 1)) {}

  std::string Draw() {
    const size_t height = kCurveHeight + 30 + bars_.size() * kBarHeight;
    std::string svg = absl::StrCat("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"", kPictureWidth, "\" height=\"",
                                   height, "\" font-family=\"sans-serif\" font-size=\"11\">");
    Curve(&svg);
    const double peak_x = X(memory_.peak_step());
    absl::StrAppend(&svg, "<line x1=\"", PictureNumber(peak_x), "\" y1=\"0\" x2=\"", PictureNumber(peak_x), "\" y2=\"",
                    height, "\" stroke=\"#d1242f\" stroke-dasharray=\"3 3\"/><text x=\"4\" y=\"12\">",
                    BytesText(memory_.peak_bytes()), "</text><text x=\"4\" y=\"", kCurveHeight + 16,
                    "\">lives of the largest arrays, from the largest down</text>");
    for (size_t i = 0; i < bars_.size(); ++i) {
      const insight::MemoryValue& value = memory_.values()[bars_[i]];
      const double begin = X(value.live.begin), end = std::max(begin + 1, X(value.live.end + 1));
      absl::StrAppend(&svg, "<rect x=\"", PictureNumber(begin), "\" y=\"", kCurveHeight + 24 + i * kBarHeight,
                      "\" width=\"", PictureNumber(end - begin), "\" height=\"", kBarHeight - 2, "\" fill=\"",
                      ColorOf(value.kind), "\"><title>", TitleOf(bars_[i]), "</title></rect>");
    }
    return absl::StrCat(svg, "</svg>");
  }

 private:
  std::string TitleOf(uint32_t bar) const {
    const insight::MemoryValue& value = memory_.values()[bar];
    std::string title;
    insight::AppendEscaped(memory_.ValueName(value), &title);
    return absl::StrCat(title, " ", BytesText(value.padded_bytes));
  }
  double X(uint32_t step) const { return static_cast<double>(step) * kPictureWidth / static_cast<double>(steps_); }
  double Y(int64_t bytes) const {
    const double peak = std::max<double>(1, static_cast<double>(memory_.peak_bytes()));
    return 16 + (kCurveHeight - 16) * (1 - static_cast<double>(bytes) / peak);
  }
  static const char* ColorOf(insight::ValueKind kind) {
    switch (kind) {
      case insight::ValueKind::kParameter:
        return "#0969da";
      case insight::ValueKind::kResult:
        return "#1a7f37";
      case insight::ValueKind::kConstant:
        return "#8250df";
      case insight::ValueKind::kTemporary:
      case insight::ValueKind::kComputation:
        break;
    }
    return "#bf8700";
  }
  void Curve(std::string* svg) const {
    const std::vector<int64_t>& live = memory_.live_bytes();
    absl::StrAppend(svg, "<polyline fill=\"none\" stroke=\"#0550ae\" points=\"");
    const size_t stretch = std::max<size_t>(1, live.size() / kPictureWidth);
    for (size_t t = 0; t < live.size(); t += stretch) {
      const auto end = live.begin() + static_cast<ptrdiff_t>(std::min(live.size(), t + stretch));
      const auto [low, high] = std::minmax_element(live.begin() + static_cast<ptrdiff_t>(t), end);
      const std::string x = PictureNumber(X(static_cast<uint32_t>(t)));
      absl::StrAppend(svg, x, ",", PictureNumber(Y(*high)), " ");
      if (low != high) absl::StrAppend(svg, x, ",", PictureNumber(Y(*low)), " ");
    }
    absl::StrAppend(svg, "\"/>");
  }

  const insight::MemoryExplanation& memory_;
  const std::vector<uint32_t> bars_;
  const size_t steps_;
};

}  // namespace

std::string MemorySvg(const insight::MemoryExplanation& memory) {
  std::vector<uint32_t> bars;
  for (uint32_t v = 0; v < memory.values().size(); ++v) bars.push_back(v);
  std::stable_sort(bars.begin(), bars.end(), [&](uint32_t a, uint32_t b) {
    return memory.values()[a].padded_bytes > memory.values()[b].padded_bytes;
  });
  bars.resize(std::min(kMostBars, bars.size()));
  return MemoryPicture(memory, std::move(bars)).Draw();
}

}  // namespace hloscope::reports
