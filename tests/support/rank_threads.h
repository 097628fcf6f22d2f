// SPDX-License-Identifier: Apache-2.0
// The processes of a run as threads of one: what sends messages between them without MPI.
#ifndef HLOSCOPE_TESTS_SUPPORT_RANK_THREADS_H_
#define HLOSCOPE_TESTS_SUPPORT_RANK_THREADS_H_

#include <functional>

#include "evaluator/devices/process_transport.h"

namespace hloscope {

// Calls `body` once for each rank, side by side: for rank 0 in the calling thread. One at a time.
void RunRanks(int count, const std::function<void(const HloscopeTransport& transport)>& body);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_RANK_THREADS_H_
