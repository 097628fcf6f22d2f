// SPDX-License-Identifier: Apache-2.0
// From numbers to colours.
#ifndef HLOSCOPE_GUI_MODELS_COLOR_SCALE_H_
#define HLOSCOPE_GUI_MODELS_COLOR_SCALE_H_

#include <QColor>
#include <QString>
#include <array>
#include <cstdint>

namespace hloscope::gui {

enum class ColorMap : uint8_t {
  kViridis,       // sequential, readable for the colour-blind and in grey print
  kCividis,       // sequential, looks the same to the red-green-blind
  kGray,          // sequential
  kBlueRed,       // diverging
  kPurpleOrange,  // diverging, for the colour-blind
};
inline constexpr int kColorMapCount = 5;
QString ColorMapName(ColorMap map);
bool IsDiverging(ColorMap map);

enum class NumberScale : uint8_t {
  kLinear,
  kLog,           // numbers up to 0 are below every range
  kSymmetricLog,  // logarithmic away from 0 on both sides, linear close to it
};
inline constexpr int kNumberScaleCount = 3;
QString NumberScaleName(NumberScale scale);

// What is drawn in signal colours over a grey picture.
enum class Overlay : uint8_t { kNone, kNan, kInfinity, kNegative, kOutOfRange };
inline constexpr int kOverlayCount = 5;
QString OverlayName(Overlay overlay);

class ColorScale {
 public:
  ColorScale();

  ColorMap map() const { return map_; }
  NumberScale scale() const { return scale_; }
  Overlay overlay() const { return overlay_; }
  double low() const { return low_; }
  double high() const { return high_; }
  void set_map(ColorMap map);
  void set_scale(NumberScale scale);
  void set_overlay(Overlay overlay) { overlay_ = overlay; }
  // The numbers at the ends of the map. Not finite or low > high: ignored, false.
  bool SetRange(double low, double high);
  // The range that shows these numbers: symmetric about 0 for diverging maps, above 0 for a logarithmic scale.
  // `least` is the smallest magnitude above 0.
  void FitRange(double low, double high, double least);

  // 0 at low, 1 at high; below and above outside of the range; NaN for NaN.
  double FractionOf(double value) const;
  // The number at a fraction.
  double ValueAt(double fraction) const;

  // NaN and infinities have colours that no map has.
  QRgb ColorOf(double value) const;
  // The colour of a cell that stands for numbers from `low` to `high`, of which `value` is shown.
  QRgb ColorOf(double value, double low, double high, bool has_nan, bool has_infinity) const;
  QRgb MapColor(double fraction) const;

  static QRgb NanColor() { return qRgb(0xff, 0x00, 0xd4); }
  static QRgb InfinityColor(bool positive) { return positive ? qRgb(0x00, 0xe5, 0xff) : qRgb(0xff, 0xa3, 0x00); }

 private:
  static constexpr int kSteps = 256;
  double Transform(double value) const;
  double Inverse(double transformed) const;
  void UpdateTable();
  void UpdateEnds();

  ColorMap map_ = ColorMap::kViridis;
  NumberScale scale_ = NumberScale::kLinear;
  Overlay overlay_ = Overlay::kNone;
  double low_ = 0, high_ = 1;
  double near_zero_ = 1;               // of kSymmetricLog: linear up to here
  double low_end_ = 0, high_end_ = 1;  // transformed
  std::array<QRgb, kSteps> table_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_COLOR_SCALE_H_
