// SPDX-License-Identifier: Apache-2.0
// The part of a line, of time or of steps, that a view shows.
#ifndef HLOSCOPE_GUI_VIEWS_ZOOM_RANGE_H_
#define HLOSCOPE_GUI_VIEWS_ZOOM_RANGE_H_

#include <algorithm>

namespace hloscope::gui {

class ZoomRange {
 public:
  static constexpr double kMostZoom = 1e6;

  // All of a line of this length.
  void Fit(double total) {
    total_ = total;
    begin_ = 0;
    length_ = total > 0 ? total : 1;
  }
  // Keeps what lies at the share `at` of the view where it is.
  void Zoom(double factor, double at) {
    if (total_ <= 0) return;
    const double fixed = begin_ + at * length_;
    length_ = std::clamp(length_ / factor, total_ / kMostZoom, total_);
    MoveTo(fixed - at * length_);
  }
  void MoveTo(double begin) { begin_ = std::clamp(begin, 0.0, std::max(0.0, total_ - length_)); }

  double begin() const { return begin_; }
  double length() const { return length_; }
  double total() const { return total_; }
  // From and to places in a view of this width.
  double At(double x, int width) const { return begin_ + x / std::max(1, width) * length_; }
  double XOf(double at, int width) const { return (at - begin_) / length_ * width; }

 private:
  double begin_ = 0, length_ = 1, total_ = 0;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_ZOOM_RANGE_H_
