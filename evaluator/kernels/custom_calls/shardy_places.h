// SPDX-License-Identifier: Apache-2.0
// The parts of arrays that devices hold inside of a manual region, by Shardy's attributes
// (docs/ops/control.md 3.3, 5.3).
#ifndef HLOSCOPE_EVALUATOR_KERNELS_CUSTOM_CALLS_SHARDY_PLACES_H_
#define HLOSCOPE_EVALUATOR_KERNELS_CUSTOM_CALLS_SHARDY_PLACES_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/analysis/sharding_places.h"
#include "core/ir/shape.h"

namespace hloscope::evaluator {

struct ShardyAttributes {
  absl::string_view meshes;       // of the module: {mesh = #sdy.mesh<["x"=2, "y"=4]>}
  absl::string_view shardings;    // #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <...>]>
  absl::string_view manual_axes;  // #sdy<manual_axes{"x"}>; empty: all axes
};

// For each of `arrays`, which must have one sharding each, the part of every device of its mesh, in the order of the
// devices. Axes that are not manual do not cut. Error InvalidArgument, with the text, if an attribute cannot be read,
// names a mesh or an axis that is not there, or does not fit the arrays.
absl::StatusOr<std::vector<std::vector<ShardPlace>>> PlacesByShardy(const ShardyAttributes& attributes,
                                                                    absl::Span<const Shape> arrays);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_CUSTOM_CALLS_SHARDY_PLACES_H_
