// SPDX-License-Identifier: Apache-2.0
// Whether the other processes of a run still live.
#ifndef HLOSCOPE_EVALUATOR_DEVICES_PROCESS_PLACE_H_
#define HLOSCOPE_EVALUATOR_DEVICES_PROCESS_PLACE_H_

#include <vector>

#include "evaluator/devices/process_transport.h"

namespace hloscope::evaluator {

// The ranks whose processes have ended, as far as the operating system of this machine knows: those of other machines
// are never among them. From any thread.
std::vector<int> GoneRanks(const HloscopeTransport& transport);

// Whether numbers of its process mean the same as here.
bool IsOfThisMachine(const HloscopeTransport& transport, int rank);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_DEVICES_PROCESS_PLACE_H_
