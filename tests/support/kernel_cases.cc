// SPDX-License-Identifier: Apache-2.0
#include "tests/support/kernel_cases.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"

namespace hloscope {
namespace {

// $0 is the element type, $1 one of indices; arrays are parameters.
constexpr KernelCase kCases[] = {
    {"reduce_rows",
     "x = $0[45,40] parameter(0) i = $0[] constant(1) ROOT r = $0[45] reduce(x, i), dimensions={1}, "
     "to_apply=add"},
    {"reduce_columns",
     "x = $0[45,40] parameter(0) i = $0[] constant(1) ROOT r = $0[40] reduce(x, i), dimensions={0}, to_apply=add"},
    {"reduce_many",
     "x = $0[70,130] parameter(0) i = $0[] constant(1) ROOT r = $0[130] reduce(x, i), dimensions={0}, "
     "to_apply=add"},
    {"reduce_long",
     "x = $0[3,700] parameter(0) i = $0[] constant(1) ROOT r = $0[3] reduce(x, i), dimensions={1}, "
     "to_apply=add"},
    {"reduce_all",
     "x = $0[45,40] parameter(0) i = $0[] constant(1) ROOT r = $0[] reduce(x, i), dimensions={0,1}, "
     "to_apply=add"},
    {"reduce_middle",
     "x = $0[5,30,9] parameter(0) i = $0[] constant(1) ROOT r = $0[5,9] reduce(x, i), "
     "dimensions={1}, to_apply=add"},
    {"maximum_rows",
     "x = $0[45,80] parameter(0) i = $0[] constant(1) ROOT r = $0[45] reduce(x, i), dimensions={1}, "
     "to_apply=maximum"},
    {"maximum_columns",
     "x = $0[45,80] parameter(0) i = $0[] constant(1) ROOT r = $0[80] reduce(x, i), "
     "dimensions={0}, to_apply=maximum"},
    {"variadic",
     "x = $0[9,20] parameter(0) y = $0[9,20] parameter(1) i = $0[] constant(1) "
     "ROOT r = ($0[9], $0[9]) reduce(x, y, i, i), dimensions={1}, to_apply=both"},
    {"window",
     "x = $0[20,70] parameter(0) i = $0[] constant(1) ROOT r = $0[10,68] reduce-window(x, i), "
     "window={size=3x3 stride=2x1 pad=1_0x0_0}, to_apply=maximum"},
    {"window_sums",
     "x = $0[20,33] parameter(0) i = $0[] constant(1) ROOT r = $0[18,31] reduce-window(x, i), "
     "window={size=3x3}, to_apply=add"},
    {"cumulative_columns",
     "x = $0[20,33] parameter(0) i = $0[] constant(0) ROOT r = $0[20,33] reduce-window(x, i), "
     "window={size=20x1 pad=19_0x0_0}, to_apply=add"},
    {"cumulative_rows",
     "x = $0[20,33] parameter(0) i = $0[] constant(0) ROOT r = $0[20,33] reduce-window(x, i), "
     "window={size=1x33 pad=0_0x32_0}, to_apply=add"},
    {"select_and_scatter",
     "x = $0[8,12] parameter(0) s = $0[4,6] parameter(1) i = $0[] constant(0) "
     "ROOT r = $0[8,12] select-and-scatter(x, s, i), window={size=2x2 stride=2x2}, select=ge, "
     "scatter=add"},
    {"sort_rows", "x = $0[9,70] parameter(0) ROOT r = $0[9,70] sort(x), dimensions={1}, to_apply=lt"},
    {"sort_columns", "x = $0[70,9] parameter(0) ROOT r = $0[70,9] sort(x), dimensions={0}, to_apply=lt"},
    {"product",
     "x = $0[33,70] parameter(0) y = $0[70,45] parameter(1) ROOT r = $0[33,45] dot(x, y), "
     "lhs_contracting_dims={1}, rhs_contracting_dims={0}"},
    {"product_turned",
     "x = $0[70,33] parameter(0) y = $0[45,70] parameter(1) ROOT r = $0[33,45] dot(x, y), "
     "lhs_contracting_dims={0}, rhs_contracting_dims={1}"},
    {"matrix_vector",
     "x = $0[33,300] parameter(0) y = $0[300] parameter(1) ROOT r = $0[33] dot(x, y), "
     "lhs_contracting_dims={1}, rhs_contracting_dims={0}"},
    {"vector_matrix",
     "x = $0[300] parameter(0) y = $0[300,33] parameter(1) ROOT r = $0[33] dot(x, y), "
     "lhs_contracting_dims={0}, rhs_contracting_dims={0}"},
    {"dot_of_vectors",
     "x = $0[5000] parameter(0) y = $0[5000] parameter(1) ROOT r = $0[] dot(x, y), "
     "lhs_contracting_dims={0}, rhs_contracting_dims={0}"},
    {"batched",
     "x = $0[5,9,20] parameter(0) y = $0[5,20,11] parameter(1) ROOT r = $0[5,9,11] dot(x, y), "
     "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}"},
    {"convolution",
     "x = $0[2,9,9,8] parameter(0) y = $0[3,3,8,20] parameter(1) ROOT r = $0[2,9,9,20] "
     "convolution(x, y), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f"},
    {"convolution_planes",
     "x = $0[2,8,9,9] parameter(0) y = $0[20,8,3,3] parameter(1) ROOT r = $0[2,20,9,9] "
     "convolution(x, y), window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01"},
    {"depthwise",
     "x = $0[2,9,9,24] parameter(0) y = $0[3,3,1,24] parameter(1) ROOT r = $0[2,9,9,24] "
     "convolution(x, y), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, "
     "feature_group_count=24"},
    {"depthwise_planes",
     "x = $0[2,6,20,20] parameter(0) y = $0[6,1,3,3] parameter(1) ROOT r = $0[2,6,20,20] "
     "convolution(x, y), window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01, "
     "feature_group_count=6"},
    {"gather",
     "x = $0[30,20] parameter(0) n = $1[6] constant({3, 29, 0, 7, 7, 12}) ROOT r = $0[6,20] gather(x, n), "
     "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
     "slice_sizes={1,20}"},
    {"scatter",
     "x = $0[30,20] parameter(0) u = $0[6,20] parameter(1) n = $1[6] constant({3, 29, 0, 7, 7, 12}) "
     "ROOT r = $0[30,20] scatter(x, n, u), update_window_dims={1}, inserted_window_dims={0}, "
     "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add"},
    {"dynamic_slice",
     "x = $0[30,20] parameter(0) a = $1[] constant(4) b = $1[] constant(3) ROOT r = $0[9,11] "
     "dynamic-slice(x, a, b), dynamic_slice_sizes={9,11}"},
    {"dynamic_update_slice",
     "x = $0[30,20] parameter(0) u = $0[9,11] parameter(1) a = $1[] constant(4) "
     "b = $1[] constant(3) ROOT r = $0[30,20] dynamic-update-slice(x, u, a, b)"},
    {"pad", "x = $0[30,20] parameter(0) i = $0[] constant(1) ROOT r = $0[64,18] pad(x, i), padding=1_4_1x-1_-1"},
    {"concatenate",
     "x = $0[30,20] parameter(0) y = $0[30,11] parameter(1) ROOT r = $0[30,31] concatenate(x, y), "
     "dimensions={1}"},
    {"reshape", "x = $0[30,20] parameter(0) ROOT r = $0[4,150] reshape(x)"},
    {"reverse", "x = $0[30,20] parameter(0) ROOT r = $0[30,20] reverse(x), dimensions={0,1}"},
    {"map",
     "x = $0[30,20] parameter(0) y = $0[30,20] parameter(1) ROOT r = $0[30,20] map(x, y), dimensions={0,1}, "
     "to_apply=add"},
    {"loops",
     "x = $0[40,120] parameter(0) y = $0[40] parameter(1) b = $0[40,120] broadcast(y), dimensions={0} "
     "d = $0[40,120] subtract(x, b) m = $0[40,120] multiply(d, x) ROOT r = $0[40,120] add(m, b)"},
    {"columns",
     "x = $0[40,120] parameter(0) y = $0[120] parameter(1) b = $0[40,120] broadcast(y), dimensions={1} "
     "d = $0[40,120] subtract(x, b) ROOT r = $0[40,120] multiply(d, x)"},
};
constexpr KernelCase kFloatCases[] = {
    {"softmax",
     "x = $0[40,120] parameter(0) i = $0[] constant(-1000) m = $0[40] reduce(x, i), dimensions={1}, "
     "to_apply=maximum b = $0[40,120] broadcast(m), dimensions={0} d = $0[40,120] subtract(x, b) "
     "e = $0[40,120] exponential(d) z = $0[] constant(0) s = $0[40] reduce(e, z), dimensions={1}, "
     "to_apply=add t = $0[40,120] broadcast(s), dimensions={0} ROOT r = $0[40,120] divide(e, t)"},
    {"batch_norm",
     "x = $0[6,9,20] parameter(0) a = $0[20] parameter(1) b = $0[20] parameter(2) "
     "ROOT r = ($0[6,9,20], $0[20], $0[20]) batch-norm-training(x, a, b), epsilon=0.001, "
     "feature_index=2"},
    {"triangular_solve",
     "y = $0[9,9] parameter(0) x = $0[9,4] parameter(1) i = $0[9,9] iota(), iota_dimension=0 "
     "j = $0[9,9] iota(), iota_dimension=1 p = pred[9,9] compare(i, j), direction=EQ "
     "h = $0[] constant(400) d = $0[9,9] broadcast(h), dimensions={} "
     "a = $0[9,9] select(p, d, y) ROOT r = $0[9,4] triangular-solve(a, x), left_side=true, "
     "lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE"},
};

}  // namespace

absl::Span<const KernelCase> KernelCases() { return kCases; }
absl::Span<const KernelCase> FloatKernelCases() { return kFloatCases; }

std::string KernelCaseText(const KernelCase& test, ElementType element_type) {
  const std::string type(ElementTypeName(element_type));
  std::string text = "HloModule m\n";
  for (const char* opcode : {"add", "maximum"}) {
    absl::StrAppend(&text, opcode, " { a = ", type, "[] parameter(0) b = ", type, "[] parameter(1) ROOT r = ", type,
                    "[] ", opcode, "(a, b) }\n");
  }
  for (const auto& [name, direction] : {std::pair("lt", "LT"), std::pair("ge", "GE")}) {
    absl::StrAppend(&text, name, " { a = ", type, "[] parameter(0) b = ", type,
                    "[] parameter(1) ROOT r = pred[] compare(a, b), direction=", direction, " }\n");
  }
  absl::StrAppend(&text, absl::Substitute("both { a = $0[] parameter(0) b = $0[] parameter(1) c = $0[] parameter(2) "
                                          "d = $0[] parameter(3) e = $0[] add(a, c) f = $0[] maximum(b, d) "
                                          "ROOT r = ($0[], $0[]) tuple(e, f) }\n",
                                          type));
  return absl::StrCat(text, "ENTRY e { ", absl::Substitute(test.entry, type, "s32"), " }\n");
}

}  // namespace hloscope
