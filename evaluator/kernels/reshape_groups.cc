#include "evaluator/kernels/reshape_groups.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace hloscope {
namespace {

// Dimensions [in_begin, in_end) and [out_begin, out_end) with equal products.
struct FactorGroup {
  size_t in_begin, in_end, out_begin, out_end;
};

// The factor groups of spec 1.2 for bounds without zeros: as many groups as the products allow.
std::vector<FactorGroup> FactorGroups(absl::Span<const int64_t> in, absl::Span<const int64_t> out) {
  std::vector<FactorGroup> groups;
  size_t i = 0, o = 0;
  while (i < in.size() || o < out.size()) {
    FactorGroup group = {i, i, o, o};
    int64_t in_product = 1, out_product = 1;
    do {
      const bool take_in = i < in.size() && (in_product < out_product || o == out.size() ||
                                             (in_product == out_product && in[i] <= out[o]));
      const bool take_out = o < out.size() && (out_product < in_product || i == in.size() ||
                                               (in_product == out_product && out[o] <= in[i]));
      if (!take_in && !take_out) break;
      if (take_in) in_product *= in[i++];
      if (take_out) out_product *= out[o++];
    } while (in_product != out_product);
    group.in_end = i;
    group.out_end = o;
    groups.push_back(group);
  }
  return groups;
}

}  // namespace

absl::StatusOr<DimensionVector> ReshapedDynamicSizes(absl::Span<const int64_t> bounds, absl::Span<const int64_t> sizes,
                                                     const Shape& result) {
  int64_t valid_count = 1, bound_count = 1;
  for (int64_t size : sizes) valid_count *= size;
  for (int64_t bound : bounds) bound_count *= bound;
  DimensionVector new_sizes(result.dimensions().begin(), result.dimensions().end());
  std::vector<FactorGroup> groups = {{0, bounds.size(), 0, new_sizes.size()}};
  int64_t dynamic_count = 0;
  for (int64_t d = 0; d < result.rank(); ++d) dynamic_count += result.IsDynamicDimension(d) ? 1 : 0;
  // A single dynamic result dimension takes up everything.
  if (dynamic_count > 1 && bound_count > 0) groups = FactorGroups(bounds, new_sizes);
  int64_t new_count = 1;
  for (const FactorGroup& group : groups) {
    int64_t group_count = 1, others = 1;
    for (size_t i = group.in_begin; i < group.in_end; ++i) group_count *= sizes[i];
    size_t dynamic = new_sizes.size();  // the first dynamic result dimension of the group
    for (size_t o = group.out_begin; o < group.out_end; ++o) {
      if (dynamic == new_sizes.size() && result.IsDynamicDimension(static_cast<int64_t>(o))) {
        dynamic = o;
      } else {
        others *= new_sizes[o];
      }
    }
    if (dynamic != new_sizes.size()) new_sizes[dynamic] = others == 0 ? 0 : group_count / others;
    for (size_t o = group.out_begin; o < group.out_end; ++o) new_count *= new_sizes[o];
  }
  if (new_count != valid_count) {
    return absl::InvalidArgumentError(absl::StrCat("reshape: the ", valid_count, " valid elements of [",
                                                   absl::StrJoin(sizes, ","), "] do not fill ", result.ToString(false)));
  }
  return new_sizes;
}

}  // namespace hloscope
