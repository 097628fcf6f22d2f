// SPDX-License-Identifier: Apache-2.0
// Sorting single lines of elements that nothing else is permuted with.
#ifndef HLOSCOPE_NUMERICS_SORTING_VALUE_SORT_H_
#define HLOSCOPE_NUMERICS_SORTING_VALUE_SORT_H_

#include <cstdint>

#include "numerics/parallel/executor.h"
#include "numerics/sorting/line_order.h"

namespace hloscope::numerics {

// sorted[j] = line[order[j]] for the order of OrderLine, without making it where values alone say what it is: much
// faster. `sorted` does not overlap `line`. Errors: kCancelled.
Outcome SortLine(const StrictOrder& by, const uint8_t* line, int64_t length, uint8_t* sorted, Executor& executor);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_SORTING_VALUE_SORT_H_
