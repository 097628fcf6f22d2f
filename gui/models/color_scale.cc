// SPDX-License-Identifier: Apache-2.0
#include "gui/models/color_scale.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/types/span.h"

namespace hloscope::gui {
namespace {

struct ColorScaleText {
  Q_DECLARE_TR_FUNCTIONS(ColorScale)
};

// Colours at equal distances; what is between is interpolated.
constexpr QRgb kViridis[] = {0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725};
constexpr QRgb kCividis[] = {0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173,
                             0x8a8678, 0xa59c74, 0xc3b369, 0xe1cc55, 0xfee838};
constexpr QRgb kGray[] = {0x101010, 0xf6f6f6};
constexpr QRgb kBlueRed[] = {0x053061, 0x2166ac, 0x4393c3, 0x92c5de, 0xd1e5f0, 0xf7f7f7,
                             0xfddbc7, 0xf4a582, 0xd6604d, 0xb2182b, 0x67001f};
constexpr QRgb kPurpleOrange[] = {0x2d004b, 0x542788, 0x8073ac, 0xb2abd2, 0xd8daeb, 0xf7f7f7,
                                  0xfee0b6, 0xfdb863, 0xe08214, 0xb35806, 0x7f3b08};

absl::Span<const QRgb> StopsOf(ColorMap map) {
  switch (map) {
    case ColorMap::kViridis:
      return kViridis;
    case ColorMap::kCividis:
      return kCividis;
    case ColorMap::kGray:
      return kGray;
    case ColorMap::kBlueRed:
      return kBlueRed;
    case ColorMap::kPurpleOrange:
      return kPurpleOrange;
  }
  return kGray;
}

int Mixed(int a, int b, double part) { return static_cast<int>(std::lround(a + (b - a) * part)); }

}  // namespace

QString ColorMapName(ColorMap map) {
  switch (map) {
    case ColorMap::kViridis:
      return ColorScaleText::tr("Viridis");
    case ColorMap::kCividis:
      return ColorScaleText::tr("Cividis, colour-blind safe");
    case ColorMap::kGray:
      return ColorScaleText::tr("Grey");
    case ColorMap::kBlueRed:
      return ColorScaleText::tr("Blue - red, diverging");
    case ColorMap::kPurpleOrange:
      return ColorScaleText::tr("Purple - orange, diverging, colour-blind safe");
  }
  return QString();
}

bool IsDiverging(ColorMap map) { return map == ColorMap::kBlueRed || map == ColorMap::kPurpleOrange; }

QString NumberScaleName(NumberScale scale) {
  switch (scale) {
    case NumberScale::kLinear:
      return ColorScaleText::tr("Linear");
    case NumberScale::kLog:
      return ColorScaleText::tr("Logarithmic");
    case NumberScale::kSymmetricLog:
      return ColorScaleText::tr("Logarithmic on both sides of 0");
  }
  return QString();
}

QString OverlayName(Overlay overlay) {
  switch (overlay) {
    case Overlay::kNone:
      return ColorScaleText::tr("No marks");
    case Overlay::kNan:
      return ColorScaleText::tr("Mark NaN");
    case Overlay::kInfinity:
      return ColorScaleText::tr("Mark infinities");
    case Overlay::kNegative:
      return ColorScaleText::tr("Mark negative numbers");
    case Overlay::kOutOfRange:
      return ColorScaleText::tr("Mark numbers out of range");
  }
  return QString();
}

ColorScale::ColorScale() {
  UpdateTable();
  UpdateEnds();
}

void ColorScale::set_map(ColorMap map) {
  map_ = map;
  UpdateTable();
}

void ColorScale::set_scale(NumberScale scale) {
  scale_ = scale;
  UpdateEnds();
}

bool ColorScale::SetRange(double low, double high) {
  if (!std::isfinite(low) || !std::isfinite(high) || low > high) return false;
  low_ = low;
  high_ = high;
  UpdateEnds();
  return true;
}

void ColorScale::FitRange(double low, double high, double least) {
  if (IsDiverging(map_)) {
    high = std::max(std::abs(low), std::abs(high));
    low = -high;
  }
  near_zero_ = least > 0 ? least : 1;
  if (scale_ == NumberScale::kLog && low <= 0) low = std::min(near_zero_, std::max(high, 0.0));
  SetRange(low, std::max(low, high));
}

void ColorScale::UpdateTable() {
  const absl::Span<const QRgb> stops = StopsOf(map_);
  for (int i = 0; i < kSteps; ++i) {
    const double place = static_cast<double>(i) / (kSteps - 1) * static_cast<double>(stops.size() - 1);
    const size_t stop = std::min(static_cast<size_t>(place), stops.size() - 2);
    const double part = place - static_cast<double>(stop);
    const QRgb a = stops[stop], b = stops[stop + 1];
    table_[static_cast<size_t>(i)] =
        qRgb(Mixed(qRed(a), qRed(b), part), Mixed(qGreen(a), qGreen(b), part), Mixed(qBlue(a), qBlue(b), part));
  }
}

double ColorScale::Transform(double value) const {
  switch (scale_) {
    case NumberScale::kLinear:
      return value;
    case NumberScale::kLog:
      return value > 0 ? std::log(value) : -std::numeric_limits<double>::infinity();
    case NumberScale::kSymmetricLog:
      return std::copysign(std::log1p(std::abs(value) / near_zero_), value);
  }
  return value;
}

double ColorScale::Inverse(double transformed) const {
  switch (scale_) {
    case NumberScale::kLinear:
      return transformed;
    case NumberScale::kLog:
      return std::exp(transformed);
    case NumberScale::kSymmetricLog:
      return std::copysign(std::expm1(std::abs(transformed)) * near_zero_, transformed);
  }
  return transformed;
}

void ColorScale::UpdateEnds() {
  high_end_ = Transform(high_);
  low_end_ = Transform(low_);
  if (!std::isfinite(high_end_)) high_end_ = 0;
  // A logarithmic range that begins at or below 0 spans a few decades.
  if (!std::isfinite(low_end_)) low_end_ = high_end_ - std::log(1e6);
}

double ColorScale::FractionOf(double value) const {
  // Halves, because the width of a range of huge numbers may not be a number.
  const double width = high_end_ / 2 - low_end_ / 2;
  const double at = Transform(value);
  if (width > 0) return (at / 2 - low_end_ / 2) / width;
  return at < low_end_ ? -1.0 : at > high_end_ ? 2.0 : at != at ? at : 0.5;
}

double ColorScale::ValueAt(double fraction) const { return Inverse(low_end_ * (1 - fraction) + high_end_ * fraction); }

QRgb ColorScale::MapColor(double fraction) const {
  const double place = std::clamp(fraction, 0.0, 1.0) * (kSteps - 1);
  return table_[static_cast<size_t>(place + 0.5)];
}

QRgb ColorScale::ColorOf(double value) const { return ColorOf(value, value, value, value != value, std::isinf(value)); }

QRgb ColorScale::ColorOf(double value, double low, double high, bool has_nan, bool has_infinity) const {
  if (overlay_ != Overlay::kNone) {
    bool marked = false;
    switch (overlay_) {
      case Overlay::kNone:
        break;
      case Overlay::kNan:
        marked = has_nan;
        break;
      case Overlay::kInfinity:
        marked = has_infinity;
        break;
      case Overlay::kNegative:
        marked = low < 0;
        break;
      case Overlay::kOutOfRange:
        marked = low < low_ || high > high_;
        break;
    }
    if (marked) {
      if (overlay_ == Overlay::kInfinity) return InfinityColor(high > 0);
      if (overlay_ == Overlay::kOutOfRange) return high > high_ ? qRgb(0xff, 0x30, 0x30) : qRgb(0x30, 0x70, 0xff);
      return overlay_ == Overlay::kNan ? NanColor() : qRgb(0xff, 0x30, 0x30);
    }
    // Everything else recedes.
    const double fraction = FractionOf(value);
    const int gray = fraction != fraction ? 0x60 : static_cast<int>(0x30 + 0x90 * std::clamp(fraction, 0.0, 1.0));
    return qRgb(gray, gray, gray);
  }
  if (has_nan) return NanColor();
  if (has_infinity) return InfinityColor(high > 0 && std::isinf(high));
  return MapColor(FractionOf(value));
}

}  // namespace hloscope::gui
