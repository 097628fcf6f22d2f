// SPDX-License-Identifier: Apache-2.0
// Which processors the threads of a loop run on.
#ifndef HLOSCOPE_NUMERICS_PARALLEL_THREAD_PLACEMENT_H_
#define HLOSCOPE_NUMERICS_PARALLEL_THREAD_PLACEMENT_H_

#include <span>
#include <thread>

namespace hloscope::numerics {

// The processor that the calling thread runs on; -1 if the system does not say.
int CurrentProcessor();

// From now on `threads` run where the calling thread may run, but not on `processor`. Nothing changes where that is the
// only one. Linux looks for no idle processor when a thread wakes up on a busy machine of few: one that is woken where
// its caller runs would wait there until the caller has done all the work alone, for tens of milliseconds of loops.
void KeepAway(int processor, std::span<std::thread> threads);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_PARALLEL_THREAD_PLACEMENT_H_
