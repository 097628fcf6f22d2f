// SPDX-License-Identifier: Apache-2.0
#include "numerics/parallel/thread_placement.h"

#include <pthread.h>
#include <sched.h>

namespace hloscope::numerics {

int CurrentProcessor() { return sched_getcpu(); }

void KeepAway(int processor, std::span<std::thread> threads) {
  if (processor < 0 || processor >= CPU_SETSIZE) return;
  cpu_set_t allowed;
  if (pthread_getaffinity_np(pthread_self(), sizeof(allowed), &allowed) != 0) return;
  CPU_CLR(processor, &allowed);
  if (CPU_COUNT(&allowed) == 0) return;
  for (std::thread& thread : threads) pthread_setaffinity_np(thread.native_handle(), sizeof(allowed), &allowed);
}

}  // namespace hloscope::numerics
