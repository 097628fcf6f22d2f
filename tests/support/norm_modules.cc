// SPDX-License-Identifier: Apache-2.0
#include "tests/support/norm_modules.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace hloscope {
namespace {

constexpr absl::string_view kAdd = R"(
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
)";

// `x`: the input's shape, `r`: the shape with the groups apart, `g`: one number for each group, `kept`: its dimensions
// in `r`, `sum`: the others.
struct Shapes {
  std::string x, r, g, kept, sum;
  int64_t count;  // elements of a group
};

std::string Fill(absl::string_view text, const Shapes& shapes) {
  return absl::StrReplaceAll(text, {{"XSHAPE", shapes.x},
                                    {"RSHAPE", shapes.r},
                                    {"GSHAPE", shapes.g},
                                    {"KEPT", shapes.kept},
                                    {"SUM", shapes.sum},
                                    {"COUNT", absl::StrCat(shapes.count)}});
}

// From `grouped` to `centered` and `inverse_b`.
constexpr absl::string_view kStatistics = R"(
  zero = f32[] constant(0)
  count = f32[] constant(COUNT)
  epsilon = f32[] constant(0.001)
  counts = GSHAPE broadcast(count), dimensions={}
  epsilons = GSHAPE broadcast(epsilon), dimensions={}
  sum = GSHAPE reduce(grouped, zero), dimensions={SUM}, to_apply=add
  mean = GSHAPE divide(sum, counts)
  mean_b = RSHAPE broadcast(mean), dimensions={KEPT}
  centered = RSHAPE subtract(grouped, mean_b)
  square = RSHAPE multiply(centered, centered)
  square_sum = GSHAPE reduce(square, zero), dimensions={SUM}, to_apply=add
  variance = GSHAPE divide(square_sum, counts)
  stable = GSHAPE add(variance, epsilons)
  inverse = GSHAPE rsqrt(stable)
  inverse_b = RSHAPE broadcast(inverse), dimensions={KEPT}
)";

Shapes GroupShapes(const NormSizes& s) {
  const int64_t inner = s.channels / s.groups;
  return {absl::StrCat("f32[", s.batch, ",", s.height, ",", s.width, ",", s.channels, "]"),
          absl::StrCat("f32[", s.batch, ",", s.height, ",", s.width, ",", inner, ",", s.groups, "]"),
          absl::StrCat("f32[", s.batch, ",", s.groups, "]"),
          "0,4",
          "1,2,3",
          s.height * s.width * inner};
}

std::string Forward(absl::string_view name, const Shapes& shapes) {
  return Fill(absl::StrCat("HloModule ", name, "\n", kAdd, R"(
ENTRY e {
  x = XSHAPE parameter(0)
  grouped = RSHAPE reshape(x))",
                           kStatistics, R"(  normalised = RSHAPE multiply(centered, inverse_b)
  ROOT result = XSHAPE reshape(normalised)
}
)"),
              shapes);
}

}  // namespace

std::string GroupNormForward(const NormSizes& sizes) { return Forward("group_norm_forward", GroupShapes(sizes)); }

std::string GroupNormBackward(const NormSizes& sizes) {
  // With n elements in a group and h = centered * inverse:
  // dx = inverse / n * (n * dh - sum(dh) - h * sum(dh * h)), dh = dy * scale.
  const std::string text = Fill(absl::StrCat("HloModule group_norm_backward\n", kAdd, R"(
ENTRY e {
  x = XSHAPE parameter(0)
  scale = f32[CHANNELS] parameter(1)
  dy = XSHAPE parameter(2)
  scale_b = XSHAPE broadcast(scale), dimensions={3}
  dscaled = XSHAPE multiply(dy, scale_b)
  dh = RSHAPE reshape(dscaled)
  grouped = RSHAPE reshape(x))",
                                             kStatistics, R"(  h = RSHAPE multiply(centered, inverse_b)
  dh_h = RSHAPE multiply(dh, h)
  dh_sum = GSHAPE reduce(dh, zero), dimensions={SUM}, to_apply=add
  dh_h_sum = GSHAPE reduce(dh_h, zero), dimensions={SUM}, to_apply=add
  dh_sum_b = RSHAPE broadcast(dh_sum), dimensions={KEPT}
  dh_h_sum_b = RSHAPE broadcast(dh_h_sum), dimensions={KEPT}
  counts_b = RSHAPE broadcast(count), dimensions={}
  n_dh = RSHAPE multiply(counts_b, dh)
  difference = RSHAPE subtract(n_dh, dh_sum_b)
  h_part = RSHAPE multiply(h, dh_h_sum_b)
  inside = RSHAPE subtract(difference, h_part)
  weight = GSHAPE divide(inverse, counts)
  weight_b = RSHAPE broadcast(weight), dimensions={KEPT}
  dx = RSHAPE multiply(inside, weight_b)
  ROOT result = XSHAPE reshape(dx)
}
)"),
                                GroupShapes(sizes));
  return absl::StrReplaceAll(text, {{"CHANNELS", absl::StrCat(sizes.channels)}});
}

std::string GhostBatchNorm(const NormSizes& s, int64_t virtual_batch) {
  const std::string image = absl::StrCat(s.height, ",", s.width, ",", s.channels, "]");
  const int64_t batches = s.batch / virtual_batch;
  return Forward(
      "ghost_batch_norm",
      {absl::StrCat("f32[", s.batch, ",", image), absl::StrCat("f32[", batches, ",", virtual_batch, ",", image),
       absl::StrCat("f32[", batches, ",", s.channels, "]"), "0,4", "1,2,3", virtual_batch * s.height * s.width});
}

std::string LayerNorm(int64_t rows, int64_t features) {
  const std::string x = absl::StrCat("f32[", rows, ",", features, "]");
  const std::string text = Fill(absl::StrCat("HloModule layer_norm\n", kAdd, R"(
ENTRY e {
  grouped = XSHAPE parameter(0))",
                                             kStatistics, R"(  ROOT result = XSHAPE multiply(centered, inverse_b)
}
)"),
                                {x, x, absl::StrCat("f32[", rows, "]"), "0", "1", features});
  return text;
}

}  // namespace hloscope
