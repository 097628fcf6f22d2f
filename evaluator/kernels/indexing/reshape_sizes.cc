// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/indexing/reshape_sizes.h"

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/ops/factor_groups.h"

namespace hloscope::evaluator {

absl::StatusOr<DimensionVector> ReshapedDynamicSizes(absl::Span<const int64_t> bounds, absl::Span<const int64_t> sizes,
                                                     const Shape& result) {
  int64_t valid_count = 1, bound_count = 1;
  for (int64_t size : sizes) valid_count *= size;
  for (int64_t bound : bounds) bound_count *= bound;
  DimensionVector new_sizes(result.dimensions().begin(), result.dimensions().end());
  absl::InlinedVector<FactorGroup, 6> groups = {{0, static_cast<int64_t>(bounds.size()), 0, result.rank()}};
  int64_t dynamic_count = 0;
  for (int64_t d = 0; d < result.rank(); ++d) dynamic_count += result.IsDynamicDimension(d) ? 1 : 0;
  // A single dynamic result dimension takes up everything.
  if (dynamic_count > 1 && bound_count > 0) groups = FactorGroups(bounds, new_sizes);
  int64_t new_count = 1;
  for (const FactorGroup& group : groups) {
    int64_t group_count = 1, others = 1;
    for (int64_t i = group.input_begin; i < group.input_end; ++i) group_count *= sizes[static_cast<size_t>(i)];
    int64_t dynamic = -1;  // the first dynamic result dimension of the group
    for (int64_t o = group.output_begin; o < group.output_end; ++o) {
      if (dynamic < 0 && result.IsDynamicDimension(o)) {
        dynamic = o;
      } else {
        others *= new_sizes[static_cast<size_t>(o)];
      }
    }
    if (dynamic >= 0) new_sizes[static_cast<size_t>(dynamic)] = others == 0 ? 0 : group_count / others;
    for (int64_t o = group.output_begin; o < group.output_end; ++o) new_count *= new_sizes[static_cast<size_t>(o)];
  }
  if (new_count != valid_count) {
    return absl::InvalidArgumentError(absl::StrCat("reshape: the ", valid_count, " valid elements of [",
                                                   absl::StrJoin(sizes, ","), "] do not fill ",
                                                   result.ToString(false)));
  }
  return new_sizes;
}

}  // namespace hloscope::evaluator
