// SPDX-License-Identifier: Apache-2.0
// A measured profile as a picture.
#ifndef HLOSCOPE_REPORTS_PROFILE_DRAWING_H_
#define HLOSCOPE_REPORTS_PROFILE_DRAWING_H_

#include <string>

#include "insight/profile/analysis.h"

namespace hloscope::reports {

// An SVG: the lanes of the devices over time, and below them the instructions that take most time, as bars with their
// shares. Events of less than a pixel are drawn together; at most 40 lanes and 30 instructions.
std::string ProfileSvg(const insight::ProfileAnalysis& profile);

}  // namespace hloscope::reports

#endif  // HLOSCOPE_REPORTS_PROFILE_DRAWING_H_
