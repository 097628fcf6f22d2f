// SPDX-License-Identifier: Apache-2.0
// The first few elements of a line.
#ifndef HLOSCOPE_NUMERICS_SORTING_TOP_OF_LINE_H_
#define HLOSCOPE_NUMERICS_SORTING_TOP_OF_LINE_H_

#include <cstdint>

#include "numerics/sorting/line_order.h"

namespace hloscope::numerics {

// The positions of the first `k` elements, at most `length`, in the order `by`, which must be total; of equal ones the
// lower position comes first. Takes time in proportion to the length, and room to `k`.
void TopOfLine(const StrictOrder& by, const uint8_t* line, int64_t length, int64_t k, int64_t* positions);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_SORTING_TOP_OF_LINE_H_
