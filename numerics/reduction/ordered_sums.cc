// SPDX-License-Identifier: Apache-2.0
#include "numerics/reduction/ordered_sums.h"

#include <algorithm>

#include "numerics/data_movement/run_ahead.h"
#include "numerics/parallel/vector_loops.h"

namespace hloscope::numerics {
namespace {

HLOSCOPE_VECTOR_CLONES void AddGroupsVectors(const double* x, int64_t groups, double* ways) {
  double sums[kSumWays];
  std::copy_n(ways, kSumWays, sums);
  for (int64_t g = 0; g < groups; ++g, x += kSumWays) {
    FetchAhead(x, kSumWays);
    for (int64_t w = 0; w < kSumWays; ++w) sums[w] += x[w];
  }
  std::copy_n(sums, kSumWays, ways);
}

HLOSCOPE_VECTOR_CLONES void AddFourRows(const double* a, const double* b, const double* c, const double* d,
                                        int64_t lanes, double* sums) {
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t l = 0; l < lanes; ++l) sums[l] = sums[l] + a[l] + b[l] + c[l] + d[l];
}

HLOSCOPE_VECTOR_CLONES void AddRowOfDoubles(const double* a, int64_t lanes, double* sums) {
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t l = 0; l < lanes; ++l) sums[l] += a[l];
}

}  // namespace

void AddGroupsToWays(const double* x, int64_t groups, double* ways) { AddGroupsVectors(x, groups, ways); }

void AddRowsInOrder(const double* const* rows, int64_t step, int64_t count, int64_t lanes, double* sums) {
  for (; count >= 4; count -= 4, rows += 4 * step) {
    AddFourRows(rows[0], rows[step], rows[2 * step], rows[3 * step], lanes, sums);
  }
  for (; count > 0; --count, rows += step) AddRowOfDoubles(rows[0], lanes, sums);
}

}  // namespace hloscope::numerics
