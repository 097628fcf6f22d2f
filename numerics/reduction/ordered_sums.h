// SPDX-License-Identifier: Apache-2.0
// Steps of sums of f64 in a fixed order (decision D3), compiled for several instruction sets.
#ifndef HLOSCOPE_NUMERICS_REDUCTION_ORDERED_SUMS_H_
#define HLOSCOPE_NUMERICS_REDUCTION_ORDERED_SUMS_H_

#include <cstdint>

namespace hloscope::numerics {

// Partial sums that take turns.
inline constexpr int64_t kSumWays = 8;

// ways[w] += the numbers at x[g * kSumWays + w] for g in [0, groups), one after the other.
void AddGroupsToWays(const double* x, int64_t groups, double* ways);

// sums[l] += the numbers at rows[r * step][l] for r in [0, count), one after the other.
void AddRowsInOrder(const double* const* rows, int64_t step, int64_t count, int64_t lanes, double* sums);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_REDUCTION_ORDERED_SUMS_H_
