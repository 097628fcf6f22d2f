// SPDX-License-Identifier: Apache-2.0
// Which devices take part together in a collective: the names that this folder has them under.
#ifndef HLOSCOPE_EVALUATOR_DEVICES_DEVICE_GROUPS_H_
#define HLOSCOPE_EVALUATOR_DEVICES_DEVICE_GROUPS_H_

#include "core/ops/device_groups.h"

namespace hloscope::evaluator {

using hloscope::CheckedGroupingMode;
using hloscope::DeviceGrid;
using hloscope::DeviceGroups;

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_DEVICES_DEVICE_GROUPS_H_
