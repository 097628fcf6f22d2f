// SPDX-License-Identifier: Apache-2.0
// Sorting keys that nothing hangs on: equal ones need no order.
#ifndef HLOSCOPE_NUMERICS_SORTING_KEY_SORT_H_
#define HLOSCOPE_NUMERICS_SORTING_KEY_SORT_H_

#include <cstdint>

#include "numerics/parallel/executor.h"

namespace hloscope::numerics {

// Sorts `keys` in ascending order, many of them on all threads. Errors: kCancelled, and then keys may be lost.
Outcome SortKeys(int32_t* keys, int64_t count, Executor& executor);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_SORTING_KEY_SORT_H_
