// SPDX-License-Identifier: Apache-2.0
#ifndef HLOSCOPE_TESTS_GUI_STALL_METER_H_
#define HLOSCOPE_TESTS_GUI_STALL_METER_H_

#include <QElapsedTimer>
#include <QObject>

namespace hloscope::gui {

// Measures how long the event loop was blocked at most while the object lived, and what of that was its own work: on a
// busy machine, other programs make it wait, too.
class StallMeter : public QObject {
 public:
  StallMeter();
  int longest_stall_ms() const { return longest_; }
  // Processor time of this thread between two turns of the event loop.
  int longest_work_ms() const { return static_cast<int>(longest_work_ * 1000); }

 protected:
  void timerEvent(QTimerEvent* event) override;

 private:
  QElapsedTimer clock_;
  int longest_ = 0;
  double work_ = 0, longest_work_ = 0;  // seconds
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_TESTS_GUI_STALL_METER_H_
