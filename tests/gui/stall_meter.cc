// SPDX-License-Identifier: Apache-2.0
#include "tests/gui/stall_meter.h"

#include <QTimerEvent>
#include <algorithm>
#include <utility>

#include "tests/support/processor_time.h"

namespace hloscope::gui {

StallMeter::StallMeter() {
  clock_.start();
  work_ = ProcessorSeconds();
  startTimer(1, Qt::PreciseTimer);
}

void StallMeter::timerEvent(QTimerEvent*) {
  longest_ = std::max(longest_, static_cast<int>(clock_.restart()));
  const double work = ProcessorSeconds();
  longest_work_ = std::max(longest_work_, work - std::exchange(work_, work));
}

}  // namespace hloscope::gui
