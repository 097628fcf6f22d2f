// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/evaluator_rows.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"

namespace hloscope::bench {
namespace {

constexpr char kReducers[] = R"(
add_f32 { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] add(a, b) }
max_f32 { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] maximum(a, b) }
add_bf16 { a = bf16[] parameter(0)
  b = bf16[] parameter(1)
  ROOT r = bf16[] add(a, b) }
max_bf16 { a = bf16[] parameter(0)
  b = bf16[] parameter(1)
  ROOT r = bf16[] maximum(a, b) }
keeps { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = pred[] compare(a, b), direction=GE }
less { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = pred[] compare(a, b), direction=LT }
)";

std::string ModuleText(const std::string& entry) {
  return absl::StrCat("HloModule row\n", kReducers, "ENTRY e {\n", entry, "}\n");
}

std::string Dot(const std::string& lhs, const std::string& rhs, const std::string& result,
                const std::string& dimensions) {
  return ModuleText(absl::Substitute("a = $0 parameter(0)\nb = $1 parameter(1)\nROOT r = $2 dot(a, b), $3\n", lhs, rhs,
                                     result, dimensions));
}

std::string Convolution(const std::string& type, int64_t batch, int64_t size, int64_t features) {
  return ModuleText(
      absl::Substitute("x = $3[$0,$1,$1,$2] parameter(0)\nw = $3[3,3,$2,$2] parameter(1)\n"
                       "ROOT r = $3[$0,$1,$1,$2] convolution(x, w), window={size=3x3 pad=1_1x1_1}, "
                       "dim_labels=b01f_01io->b01f\n",
                       batch, size, features, type));
}

std::string PoolGradient(const std::string& sizes, const std::string& windows, const std::string& window) {
  return ModuleText(
      absl::Substitute("x = f32[$0] parameter(0)\ny = f32[$1] parameter(1)\nz = f32[] constant(0)\n"
                       "ROOT r = f32[$0] select-and-scatter(x, y, z), window={size=$2}, select=keeps, "
                       "scatter=add_f32\n",
                       sizes, windows, window));
}

// Ten elementwise instructions.
std::string Chain() {
  std::string entry = "a = f32[4194304] parameter(0)\n";
  std::string last = "a";
  for (int i = 0; i < 5; ++i) {
    absl::StrAppend(&entry, "mul.", i, " = f32[4194304] multiply(", last, ", ", last, ")\n");
    absl::StrAppend(&entry, i == 4 ? "ROOT " : "", "sum.", i, " = f32[4194304] add(mul.", i, ", a)\n");
    last = absl::StrCat("sum.", i);
  }
  return ModuleText(entry);
}

// Of the greatest number along a dimension and its place, NaN first, as frameworks write it.
std::string Argmax(int dimension) {
  return absl::StrCat(
      "HloModule m\nlater {\nv = f32[] parameter(0)\ni = s32[] parameter(1)\nw = f32[] parameter(2)\nj = s32[] "
      "parameter(3)\nmore = pred[] compare(v, w), direction=GT\nnone = pred[] compare(v, v), direction=NE\nkeep = "
      "pred[] or(more, none)\nsame = pred[] compare(v, w), direction=EQ\nbefore = pred[] compare(i, j), direction=LT\n"
      "first = pred[] and(same, before)\nstay = pred[] or(keep, first)\nvalue = f32[] select(keep, v, w)\nplace = "
      "s32[] select(stay, i, j)\nROOT r = (f32[], s32[]) tuple(value, place)\n}\nENTRY e {\nx = f32[4096,4096] "
      "parameter(0)\np = s32[4096,4096] iota(), iota_dimension=",
      dimension,
      "\nl = f32[] constant(-inf)\nz = s32[] constant(0)\nROOT r = (f32[4096], s32[4096]) reduce(x, p, l, z), "
      "dimensions={",
      dimension, "}, to_apply=later\n}\n");
}

}  // namespace

std::vector<EvaluatorRow> EvaluatorRows() {
  const std::string matrix = "f32[1024,1024]", narrow = "bf16[1024,1024]", batch = "f32[16,512,512]";
  const std::string plain = "lhs_contracting_dims={1}, rhs_contracting_dims={0}";
  const std::string batched =
      "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}";
  return {
      {"gemm", "dot f32 1024^3", Dot(matrix, matrix, matrix, plain), "", 0, 11},
      {"batched_gemm", "dot f32 16 x 512^3", Dot(batch, batch, batch, batched), ""},
      {"bf16_gemm", "dot bf16 1024^3", Dot(narrow, narrow, narrow, plain), "", 0, 11},
      {"matrix_vector", "dot f32 4096^2 x vector", Dot("f32[4096,4096]", "f32[4096]", "f32[4096]", plain), "", 0, 11},
      {"vector_matrix", "dot f32 vector x 4096^2",
       Dot("f32[4096]", "f32[4096,4096]", "f32[4096]", "lhs_contracting_dims={0}, rhs_contracting_dims={0}"), "", 0,
       11},
      {"matrix_vector_f64", "dot f64 2048^2 x vector", Dot("f64[2048,2048]", "f64[2048]", "f64[2048]", plain), "", 0,
       11},
      {"vector_matrix_f64", "dot f64 vector x 2048^2",
       Dot("f64[2048]", "f64[2048,2048]", "f64[2048]", "lhs_contracting_dims={0}, rhs_contracting_dims={0}"), "", 0,
       11},
      {"vector_matrix_bf16", "dot bf16 vector x 4096^2 by rows, f32 result",
       Dot("bf16[1,4096]", "bf16[4096,4096]", "f32[1,4096]", "lhs_contracting_dims={1}, rhs_contracting_dims={1}"), "",
       0, 11},
      {"vector_matrix_s8", "dot s8 vector x 4096^2 by rows, s32 result",
       Dot("s8[1,4096]", "s8[4096,4096]", "s32[1,4096]", "lhs_contracting_dims={1}, rhs_contracting_dims={1}"), "", 0,
       11},
      {"conv56", "convolution 1x56x56x64, 3x3x64", Convolution("f32", 1, 56, 64), "", 0, 15},
      {"conv28", "convolution 8x28x28x128, 3x3x128", Convolution("f32", 8, 28, 128), "", 0, 11},
      {"conv28_bf16", "convolution bf16 8x28x28x128, 3x3x128", Convolution("bf16", 8, 28, 128), "", 0, 11},
      {"conv_patches", "convolution 8x224x224x3, 16x16x768 / 16",
       ModuleText("x = f32[8,224,224,3] parameter(0)\nw = f32[16,16,3,768] parameter(1)\n"
                  "ROOT r = f32[8,14,14,768] convolution(x, w), window={size=16x16 stride=16x16}, "
                  "dim_labels=b01f_01io->b01f\n"),
       "", 0, 11},
      {"depthwise_bf16", "depthwise convolution bf16 8x28x28x192, 3x3",
       ModuleText("x = bf16[8,28,28,192] parameter(0)\nw = bf16[3,3,1,192] parameter(1)\n"
                  "ROOT r = bf16[8,28,28,192] convolution(x, w), window={size=3x3 pad=1_1x1_1}, "
                  "dim_labels=b01f_01io->b01f, feature_group_count=192\n"),
       ""},
      {"conv28_bf16_planes", "convolution bf16 8x128x28x28, 128x3x3",
       ModuleText("x = bf16[8,128,28,28] parameter(0)\nw = bf16[128,128,3,3] parameter(1)\n"
                  "ROOT r = bf16[8,128,28,28] convolution(x, w), window={size=3x3 pad=1_1x1_1}, "
                  "dim_labels=bf01_oi01->bf01\n"),
       "", 0, 11},
      {"conv_points_planes", "convolution 8x512x7x7, 2048x1x1",
       ModuleText("x = f32[8,512,7,7] parameter(0)\nw = f32[2048,512,1,1] parameter(1)\n"
                  "ROOT r = f32[8,2048,7,7] convolution(x, w), window={size=1x1}, dim_labels=bf01_oi01->bf01\n"),
       "", 0, 11},
      {"conv_planes", "convolution 8x64x56x56, 64x3x3",
       ModuleText("x = f32[8,64,56,56] parameter(0)\nw = f32[64,64,3,3] parameter(1)\n"
                  "ROOT r = f32[8,64,56,56] convolution(x, w), window={size=3x3 pad=1_1x1_1}, "
                  "dim_labels=bf01_oi01->bf01\n"),
       "", 0, 11},
      {"conv_first_planes", "convolution 8x3x224x224, 64x7x7 / 2",
       ModuleText("x = f32[8,3,224,224] parameter(0)\nw = f32[64,3,7,7] parameter(1)\n"
                  "ROOT r = f32[8,64,112,112] convolution(x, w), window={size=7x7 stride=2x2 pad=3_3x3_3}, "
                  "dim_labels=bf01_oi01->bf01\n"),
       "", 0, 11},
      {"grouped_convolution", "convolution 8x28x28x128, 3x3, 32 groups",
       ModuleText("x = f32[8,28,28,128] parameter(0)\nw = f32[3,3,4,128] parameter(1)\n"
                  "ROOT r = f32[8,28,28,128] convolution(x, w), window={size=3x3 pad=1_1x1_1}, "
                  "dim_labels=b01f_01io->b01f, feature_group_count=32\n"),
       "", 0, 11},
      {"strided_gradient", "gradient of a convolution / 2, 8x128x28x28",
       ModuleText("x = f32[8,128,28,28] parameter(0)\nw = f32[128,64,3,3] parameter(1)\n"
                  "ROOT r = f32[8,64,56,56] convolution(x, w), window={size=3x3 pad=1_2x1_2 lhs_dilate=2x2 "
                  "rhs_reversal=1x1}, dim_labels=bf01_io01->bf01\n"),
       "", 0, 11},
      {"depthwise", "depthwise convolution bf16 (corpus)", "", "xla-benchmarks/depthwise_conv_3x3_1x256x56x56_bf16.hlo",
       0, 15},
      {"add", "add f32, 64 MiB each",
       ModuleText("a = f32[16777216] parameter(0)\nb = f32[16777216] parameter(1)\nROOT r = f32[16777216] add(a, b)\n"),
       ""},
      {"exp", "exponential f32, 16 M",
       ModuleText("a = f32[16777216] parameter(0)\nROOT r = f32[16777216] exponential(a)\n"), ""},
      {"erf", "erf f32, 16 M", ModuleText("a = f32[16777216] parameter(0)\nROOT r = f32[16777216] erf(a)\n"), ""},
      {"remainder", "remainder f32, 4 M",
       ModuleText("a = f32[4194304] parameter(0)\nb = f32[4194304] parameter(1)\n"
                  "ROOT r = f32[4194304] remainder(a, b)\n"),
       "", 0, 11},
      {"single", "one elementwise f32, 4 M",
       ModuleText("a = f32[4194304] parameter(0)\nb = f32[4194304] parameter(1)\nROOT r = f32[4194304] add(a, b)\n"),
       "", 0, 15},
      {"chain", "ten elementwise f32, 4 M", Chain(), "", 0, 15},
      {"reduce_last", "reduce add f32 4096^2, last axis",
       ModuleText("a = f32[4096,4096] parameter(0)\nz = f32[] constant(0)\n"
                  "ROOT r = f32[4096] reduce(a, z), dimensions={1}, to_apply=add_f32\n"),
       ""},
      {"reduce_first", "reduce add f32 4096^2, first axis",
       ModuleText("a = f32[4096,4096] parameter(0)\nz = f32[] constant(0)\n"
                  "ROOT r = f32[4096] reduce(a, z), dimensions={0}, to_apply=add_f32\n"),
       ""},
      {"maximum_first", "reduce maximum f32 4096^2, first axis",
       ModuleText("a = f32[4096,4096] parameter(0)\nl = f32[] constant(-inf)\n"
                  "ROOT r = f32[4096] reduce(a, l), dimensions={0}, to_apply=max_f32\n"),
       ""},
      {"argmax_last", "argmax f32 4096^2, last axis", Argmax(1), ""},
      {"argmax_first", "argmax f32 4096^2, first axis", Argmax(0), ""},
      {"reduce_groups", "sum f32 8x56x56x32x8 over groups of 8",
       ModuleText("a = f32[8,56,56,32,8] parameter(0)\nz = f32[] constant(0)\n"
                  "ROOT r = f32[8,32] reduce(a, z), dimensions={1,2,4}, to_apply=add_f32\n"),
       ""},
      {"transpose", "transpose f32 4096^2",
       ModuleText("a = f32[4096,4096] parameter(0)\nROOT r = f32[4096,4096] transpose(a), dimensions={1,0}\n"), ""},
      {"transpose_planes", "transpose bf16 8x64x56x56 to channels last",
       ModuleText("a = bf16[8,64,56,56] parameter(0)\nROOT r = bf16[8,56,56,64] transpose(a), dimensions={0,2,3,1}\n"),
       ""},
      {"softmax", "softmax f32 4096^2",
       ModuleText("a = f32[4096,4096] parameter(0)\nz = f32[] constant(0)\nl = f32[] constant(-inf)\n"
                  "m = f32[4096] reduce(a, l), dimensions={1}, to_apply=max_f32\n"
                  "mb = f32[4096,4096] broadcast(m), dimensions={0}\ns = f32[4096,4096] subtract(a, mb)\n"
                  "x = f32[4096,4096] exponential(s)\nt = f32[4096] reduce(x, z), dimensions={1}, to_apply=add_f32\n"
                  "tb = f32[4096,4096] broadcast(t), dimensions={0}\nROOT r = f32[4096,4096] divide(x, tb)\n"),
       ""},
      {"attention", "attention bf16 (corpus)", "", "xla-benchmarks/mha_block_1x12x128x64_bf16.hlo", 0, 15},
      {"layer_norm", "layer norm bf16 (corpus)", "", "xla-benchmarks/layer_norm_1x4096x768_bf16.hlo", 0, 11},
      {"batch_norm_bf16", "batch norm, training, bf16 16x56x56x128",
       ModuleText("x = bf16[16,56,56,128] parameter(0)\ns = bf16[128] parameter(1)\no = bf16[128] parameter(2)\n"
                  "ROOT r = (bf16[16,56,56,128], bf16[128], bf16[128]) batch-norm-training(x, s, o), epsilon=0.001, "
                  "feature_index=3\n"),
       ""},
      {"sort", "sort f32, 1 M",
       ModuleText("a = f32[1048576] parameter(0)\nROOT r = f32[1048576] sort(a), dimensions={0}, to_apply=less\n"), ""},
      {"gather", "gather 100 k rows of 64",
       ModuleText("x = f32[100000,64] parameter(0)\ni = s32[100000] parameter(1)\n"
                  "ROOT r = f32[100000,64] gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, "
                  "start_index_map={0}, index_vector_dim=1, slice_sizes={1,64}\n"),
       "", 100000, 11},
      {"scatter_add", "scatter-add 100 k rows of 64",
       ModuleText("x = f32[100000,64] parameter(0)\ni = s32[100000] parameter(1)\nu = f32[100000,64] parameter(2)\n"
                  "ROOT r = f32[100000,64] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={0}, "
                  "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_f32\n"),
       "", 100000, 11},
      {"scatter_add_bf16", "scatter-add 1 M numbers bf16",
       ModuleText("x = bf16[100000] parameter(0)\ni = s32[1048576] parameter(1)\nu = bf16[1048576] parameter(2)\n"
                  "ROOT r = bf16[100000] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, "
                  "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_bf16\n"),
       "", 100000, 11},
      {"max_pool", "reduce-window max 3x3 / 2, 8x112x112x64",
       ModuleText("x = f32[8,112,112,64] parameter(0)\nl = f32[] constant(-inf)\n"
                  "ROOT r = f32[8,56,56,64] reduce-window(x, l), window={size=1x3x3x1 stride=1x2x2x1 "
                  "pad=0_0x1_1x1_1x0_0}, to_apply=max_f32\n"),
       ""},
      {"max_pool_planes", "reduce-window max 3x3 / 2, 8x64x112x112",
       ModuleText("x = f32[8,64,112,112] parameter(0)\nl = f32[] constant(-inf)\n"
                  "ROOT r = f32[8,64,56,56] reduce-window(x, l), window={size=1x1x3x3 stride=1x1x2x2 "
                  "pad=0_0x0_0x1_1x1_1}, to_apply=max_f32\n"),
       ""},
      {"max_pool_bf16", "reduce-window max bf16 3x3 / 2, 8x112x112x64",
       ModuleText("x = bf16[8,112,112,64] parameter(0)\nl = bf16[] constant(-inf)\n"
                  "ROOT r = bf16[8,56,56,64] reduce-window(x, l), window={size=1x3x3x1 stride=1x2x2x1 "
                  "pad=0_0x1_1x1_1x0_0}, to_apply=max_bf16\n"),
       ""},
      {"sum_pool", "reduce-window add 3x3, 8x56x56x256",
       ModuleText("x = f32[8,56,56,256] parameter(0)\nz = f32[] constant(0)\n"
                  "ROOT r = f32[8,56,56,256] reduce-window(x, z), window={size=1x3x3x1 pad=0_0x1_1x1_1x0_0}, "
                  "to_apply=add_f32\n"),
       ""},
      {"max_pool_gradient", "select-and-scatter 3x3 / 2, 8x112x112x64",
       PoolGradient("8,112,112,64", "8,56,56,64", "1x3x3x1 stride=1x2x2x1 pad=0_0x1_1x1_1x0_0"), ""},
      {"max_pool_gradient_planes", "select-and-scatter 3x3 / 2, 8x64x112x112",
       PoolGradient("8,64,112,112", "8,64,56,56", "1x1x3x3 stride=1x1x2x2 pad=0_0x0_0x1_1x1_1"), ""},
      {"cumulative_sum", "cumulative sum f32 2048^2 (reduce-window)",
       ModuleText(
           "x = f32[2048,2048] parameter(0)\nz = f32[] constant(0)\n"
           "ROOT r = f32[2048,2048] reduce-window(x, z), window={size=1x2048 pad=0_0x2047_0}, to_apply=add_f32\n"),
       ""},
      {"fft_real", "RFFT f32 1024 x 1024",
       ModuleText("x = f32[1024,1024] parameter(0)\nROOT r = c64[1024,513] fft(x), fft_type=RFFT, fft_length={1024}\n"),
       ""},
      {"fft_planes", "FFT c64 1024^2, both dimensions",
       ModuleText(
           "x = c64[1024,1024] parameter(0)\nROOT r = c64[1024,1024] fft(x), fft_type=FFT, fft_length={1024,1024}\n"),
       ""},
      {"resnet50", "ResNet-50 inference, batch 1 (corpus)", "", "xla-benchmarks/resnet50_keras_jax_f32.hlo", 0, 7},
      {"mobilenet_v2", "MobileNet-v2 training step, batch 96 (corpus)", "", "xla-benchmarks/mobilenet_v2.hlo", 0, 5},
  };
}

}  // namespace hloscope::bench
