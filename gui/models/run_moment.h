// SPDX-License-Identifier: Apache-2.0
// A place in a run, so that another run can be taken there.
#ifndef HLOSCOPE_GUI_MODELS_RUN_MOMENT_H_
#define HLOSCOPE_GUI_MODELS_RUN_MOMENT_H_

#include <cstdint>
#include <vector>

namespace hloscope::gui {

// A place in a run that can be reached again from its begin, as long as the module and the arguments are the same.
struct RunMoment {
  // An application of a computation to one element that was stepped into.
  struct Entered {
    int device = 0;
    int64_t position = 0;  // of the device, before
    std::vector<int64_t> index;
    friend bool operator==(const Entered&, const Entered&) = default;
  };
  std::vector<int64_t> positions;  // of each device; empty: no place
  int device = 0;                  // that is looked at
  std::vector<Entered> entered;    // in order
  friend bool operator==(const RunMoment&, const RunMoment&) = default;

  int64_t steps() const {
    int64_t steps = 0;
    for (int64_t position : positions) steps += position;
    return steps;
  }
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_RUN_MOMENT_H_
