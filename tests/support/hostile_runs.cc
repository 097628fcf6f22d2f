// SPDX-License-Identifier: Apache-2.0
#include "tests/support/hostile_runs.h"

#include "absl/strings/str_cat.h"

namespace hloscope {
namespace {

struct Hostile {
  const char* name;
  const char* header;
  const char* computations;
  const char* entry;
};

constexpr absl::string_view kComputations = R"(
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a,b) }
ge { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = pred[] compare(a,b), direction=GE }
lt { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = pred[] compare(a,b), direction=LT }
odd { a = f32[] parameter(0) b = f32[] parameter(1) c = f32[] multiply(a,b) d = f32[] sine(c) ROOT s = f32[] add(d,a) }
)";

constexpr Hostile kRuns[] = {
    {"rw_2d", "", R"()",
     R"(p = f32[1000,1000] parameter(0)
       z = f32[] constant(0)
       ROOT r = f32[1000,1000] reduce-window(p,z), window={size=1999x1999 pad=999_999x999_999}, to_apply=add)"},
    {"rw_big", "", R"()",
     R"(p = f32[100000] parameter(0)
       z = f32[] constant(0)
       ROOT r = f32[100000] reduce-window(p,z), window={size=199999 pad=99999_99999}, to_apply=odd)"},
    {"rw_dil", "", R"()",
     R"(p = f32[2] parameter(0)
       z = f32[] constant(0)
       ROOT r = f32[1] reduce-window(p,z), window={size=1000000001 lhs_dilate=1000000000}, to_apply=add)"},
    {"rw_dil2", "", R"()",
     R"(p = f32[3,3] parameter(0)
       z = f32[] constant(0)
       ROOT r = f32[2,2] reduce-window(p,z), window={size=1000000000x1000000000 lhs_dilate=500000000x500000000}, to_apply=add)"},
    {"rw_out", "", R"()",
     R"(p = f32[10] parameter(0)
       z = f32[] constant(0)
       ROOT r = f32[10000000000] reduce-window(p,z), window={size=1 pad=0_9999999990}, to_apply=add)"},
    {"sas_2d", "", R"()",
     R"(p = f32[1000,1000] parameter(0)
       s = f32[1000,1000] parameter(1)
       z = f32[] constant(0)
       ROOT r = f32[1000,1000] select-and-scatter(p,s,z), window={size=1999x1999 pad=999_999x999_999}, select=ge, scatter=add)"},
    {"conv_window", "", R"()",
     R"(p = f32[1,10,1] parameter(0)
       k = f32[1000000000,1,1] parameter(1)
       ROOT r = f32[1,1,1] convolution(p,k), window={size=1000000000 pad=499999995_499999995}, dim_labels=b0f_0io->b0f)"},
    {"conv_pad", "", R"()",
     R"(p = f32[1,10,1] parameter(0)
       k = f32[1,1,1] parameter(1)
       ROOT r = f32[1,2000000010,1] convolution(p,k), window={size=1 pad=1000000000_1000000000}, dim_labels=b0f_0io->b0f)"},
    {"conv_dil", "", R"()",
     R"(p = f32[1,10,10,3] parameter(0)
       k = f32[3,3,3,4] parameter(1)
       ROOT r = f32[1,9998,9998,4] convolution(p,k), window={size=3x3 lhs_dilate=1111x1111}, dim_labels=b01f_01io->b01f)"},
    {"conv_heavy", "", R"()",
     R"(p = f32[8,512,512,64] parameter(0)
       k = f32[7,7,64,256] parameter(1)
       ROOT r = f32[8,506,506,256] convolution(p,k), window={size=7x7}, dim_labels=b01f_01io->b01f)"},
    {"conv_square", "", R"()",
     R"(p = f32[1,60000,1] parameter(0)
       k = f32[30000,1,1] parameter(1)
       ROOT r = f32[1,30001,1] convolution(p,k), window={size=30000}, dim_labels=b0f_0io->b0f)"},
    {"conv_int", "", R"()",
     R"(p = s32[8,128,128,64] parameter(0)
       k = s32[7,7,64,256] parameter(1)
       ROOT r = s32[8,122,122,256] convolution(p,k), window={size=7x7}, dim_labels=b01f_01io->b01f)"},
    {"iota", "", R"()", R"(ROOT r = s32[100000000000] iota(), iota_dimension=0)"},
    {"iota_sum", "", R"()",
     R"(i = f32[100000000000] iota(), iota_dimension=0
       z = f32[] constant(0)
       ROOT r = f32[] reduce(i,z), dimensions={0}, to_apply=add)"},
    {"bcast_reduce", "", R"()",
     R"(p = f32[] parameter(0)
       i = f32[100000000000] broadcast(p), dimensions={}
       z = f32[] constant(0)
       ROOT r = f32[] reduce(i,z), dimensions={0}, to_apply=add)"},
    {"bcast_reduce_odd", "", R"()",
     R"(p = f32[] parameter(0)
       i = f32[100000000000] broadcast(p), dimensions={}
       z = f32[] constant(0)
       ROOT r = f32[] reduce(i,z), dimensions={0}, to_apply=odd)"},
    {"bcast_neg", "", R"()",
     R"(p = f32[] parameter(0)
       i = f32[100000000000] broadcast(p), dimensions={}
       ROOT r = f32[100000000000] negate(i))"},
    {"bcast_print", "", R"()",
     R"(p = f32[] parameter(0)
       ROOT i = f32[100000000000] broadcast(p), dimensions={})"},
    {"bcast_argmax", "", R"()",
     R"(p = f32[] parameter(0)
       i = f32[1000000000] broadcast(p), dimensions={}
       ROOT s = f32[1000000000] sort(i), dimensions={0}, to_apply=lt)"},
    {"sort", "", R"()",
     R"(p = f32[40000000] parameter(0)
       ROOT s = f32[40000000] sort(p), dimensions={0}, to_apply=lt)"},
    {"sort_odd", "",
     R"(l { a = f32[] parameter(0) b = f32[] parameter(1) c = f32[] sine(a) d = f32[] cosine(b) ROOT s = pred[] compare(c,d), direction=LT })",
     R"(p = f32[20000000] parameter(0)
       ROOT s = f32[20000000] sort(p), dimensions={0}, to_apply=l)"},
    {"topk", "", R"()",
     R"(p = f32[30000000] parameter(0)
       ROOT t = (f32[1000000],s32[1000000]) topk(p), k=1000000, largest=true)"},
    {"fft", "", R"()",
     R"(p = c64[16777216] parameter(0)
       ROOT f = c64[16777216] fft(p), fft_type=FFT, fft_length={16777216})"},
    {"fft_prime", "", R"()",
     R"(p = c64[9999991] parameter(0)
       ROOT f = c64[9999991] fft(p), fft_type=FFT, fft_length={9999991})"},
    {"fft_big", "", R"()",
     R"(p = c64[] parameter(0)
       b = c64[10000000000] broadcast(p), dimensions={}
       ROOT f = c64[10000000000] fft(b), fft_type=FFT, fft_length={10000000000})"},
    {"cholesky", "", R"()",
     R"(p = f32[5000,5000] parameter(0)
       ROOT c = f32[5000,5000] cholesky(p), lower=true)"},
    {"trisolve", "", R"()",
     R"(p = f32[5000,5000] parameter(0)
       q = f32[5000,3000] parameter(1)
       ROOT c = f32[5000,3000] triangular-solve(p,q), left_side=true, lower=true, transpose_a=NO_TRANSPOSE)"},
    {"rngbits", "", R"()",
     R"(p = u64[2] parameter(0)
       ROOT c = (u64[2],u32[100000000000]) rng-bit-generator(p), algorithm=rng_philox)"},
    {"rngbits2", "", R"()",
     R"(p = u64[2] parameter(0)
       ROOT c = (u64[2],u32[45000000]) rng-bit-generator(p), algorithm=rng_three_fry)"},
    {"rng", "", R"()",
     R"(a = f64[] constant(0)
       b = f64[] constant(1)
       ROOT c = f64[20000000] rng(a,b), distribution=rng_normal)"},
    {"dot", "", R"()",
     R"(a = f32[6000,6000] parameter(0)
       ROOT c = f32[6000,6000] dot(a,a), lhs_contracting_dims={1}, rhs_contracting_dims={0})"},
    {"dot_big", "", R"()",
     R"(p = f32[] parameter(0)
       a = f32[100000,100000] broadcast(p), dimensions={}
       ROOT c = f32[100000,100000] dot(a,a), lhs_contracting_dims={1}, rhs_contracting_dims={0})"},
    {"dot_int", "", R"()",
     R"(p = s8[] parameter(0)
       a = s8[4000,4000] broadcast(p), dimensions={}
       ROOT c = s8[4000,4000] dot(a,a), lhs_contracting_dims={1}, rhs_contracting_dims={0})"},
    {"dot_inner", "", R"()",
     R"(p = f32[] parameter(0)
       a = f32[1,100000000000] broadcast(p), dimensions={}
       b = f32[100000000000,1] broadcast(p), dimensions={}
       ROOT c = f32[1,1] dot(a,b), lhs_contracting_dims={1}, rhs_contracting_dims={0})"},
    {"dot_batch", "", R"()",
     R"(p = f64[] parameter(0)
       a = f64[30000,40,40] broadcast(p), dimensions={}
       ROOT c = f64[30000,40,40] dot(a,a), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={2})"},
    {"gather", "", R"()",
     R"(a = f32[1000] parameter(0)
       i = s32[40000000,1] parameter(1)
       ROOT c = f32[40000000] gather(a,i), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1})"},
    {"gather_b", "", R"()",
     R"(a = f32[1000] parameter(0)
       z = s32[] parameter(1)
       i = s32[100000000000,1] broadcast(z), dimensions={}
       ROOT c = f32[100000000000] gather(a,i), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1})"},
    {"scatter", "", R"()",
     R"(a = f32[1000] parameter(0)
       z = s32[] parameter(1)
       u = f32[] parameter(2)
       i = s32[100000000000,1] broadcast(z), dimensions={}
       v = f32[100000000000] broadcast(u), dimensions={}
       ROOT c = f32[1000] scatter(a,i,v), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add)"},
    {"scatter_odd", "", R"()",
     R"(a = f32[1000] parameter(0)
       z = s32[] parameter(1)
       u = f32[] parameter(2)
       i = s32[100000000000,1] broadcast(z), dimensions={}
       v = f32[100000000000] broadcast(u), dimensions={}
       ROOT c = f32[1000] scatter(a,i,v), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=odd)"},
    {"scatter_windows", "", R"()",
     R"(u = f32[] parameter(0)
       a = f32[1000000] broadcast(u), dimensions={}
       z = s32[] constant(0)
       i = s32[1000000,1] broadcast(z), dimensions={}
       v = f32[1000000,1000000] broadcast(u), dimensions={}
       ROOT c = f32[1000000] scatter(a,i,v), update_window_dims={1}, inserted_window_dims={}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add)"},
    {"conv_groups", "", R"()",
     R"(q = f32[] parameter(0)
       p = f32[100000,100,3] broadcast(q), dimensions={}
       k = f32[50,3,100000] broadcast(q), dimensions={}
       ROOT r = f32[1,51,100000] convolution(p,k), window={size=50}, dim_labels=b0f_0io->b0f, batch_group_count=100000)"},
    {"sort_many", "",
     R"(first { a = f32[] parameter(0) b = f32[] parameter(1) c = s32[] parameter(2) d = s32[] parameter(3) ROOT s = pred[] compare(a,b), direction=LT })",
     R"(p = f32[10000000] parameter(0)
       q = s32[10000000] parameter(1)
       ROOT s = (f32[10000000],s32[10000000]) sort(p,q), dimensions={0}, to_apply=first)"},
    {"irfft", "", R"()",
     R"(p = c64[] parameter(0)
       b = c64[1000,50001] broadcast(p), dimensions={}
       ROOT f = f32[1000,100001] fft(b), fft_type=IRFFT, fft_length={100001})"},
    {"cholesky_many", "", R"()",
     R"(p = f64[] parameter(0)
       b = f64[1000000000,1,1] broadcast(p), dimensions={}
       ROOT f = f64[1000000000,1,1] cholesky(b), lower=true)"},
    {"permuted", ", replica_count=1000", R"()",
     R"(p = f32[1000000] parameter(0)
       ROOT r = f32[1000000] collective-permute(p), source_target_pairs={{0,1},{1,0}})"},
    {"while", "", R"(c { p = s32[] parameter(0) ROOT t = pred[] constant(true) }
b { p = s32[] parameter(0) o = s32[] constant(1) ROOT a = s32[] add(p,o) })",
     R"(p = s32[] parameter(0)
       ROOT w = s32[] while(p), condition=c, body=b)"},
    {"while_arr", "", R"(c { p = f32[100] parameter(0) ROOT t = pred[] constant(true) }
b { p = f32[100] parameter(0) ROOT a = f32[100] add(p,p) })",
     R"(p = f32[100] parameter(0)
       ROOT w = f32[100] while(p), condition=c, body=b)"},
    {"while_grow", "", R"(c { p = f32[1] parameter(0) ROOT t = pred[] constant(true) }
b { p = f32[1] parameter(0) p0 = f32[] constant(1) q = f32[1000000] pad(p,p0), padding=0_999999 ROOT s = f32[1] slice(q), slice={[0:1]} })",
     R"(p = f32[1] parameter(0)
       ROOT w = f32[1] while(p), condition=c, body=b)"},
    {"pad", "", R"()",
     R"(p = f32[1] parameter(0)
       z = f32[] constant(0)
       ROOT r = f32[100000000001] pad(p,z), padding=100000000000_0)"},
    {"concat", "", R"()",
     R"(p = f32[] parameter(0)
       b = f32[30000000000] broadcast(p), dimensions={}
       ROOT r = f32[60000000000] concatenate(b,b), dimensions={0})"},
    {"transpose", "", R"()",
     R"(p = f32[5000,9000] parameter(0)
       t = f32[9000,5000] transpose(p), dimensions={1,0}
       ROOT n = f32[45000000] reshape(t))"},
    {"cumsum", "", R"()",
     R"(p = f32[] parameter(0)
       b = f32[40000000] broadcast(p), dimensions={}
       z = f32[] constant(0)
       ROOT r = f32[40000000] reduce-window(b,z), window={size=40000000 pad=39999999_0}, to_apply=odd)"},
    {"devices_4k", ", replica_count=4096", R"()",
     R"(p = f32[4] parameter(0)
       ROOT r = f32[4] all-reduce(p), to_apply=add)"},
    {"allgather", ", replica_count=1024", R"()",
     R"(p = f32[100000] parameter(0)
       ROOT r = f32[102400000] all-gather(p), dimensions={0})"},
    {"infeed", "", R"()",
     R"(t = token[] after-all()
       ROOT r = (f32[10000000000],token[]) infeed(t))"},
    {"f8", "", R"()",
     R"(p = f8e4m3fn[150000000] parameter(0)
       ROOT r = f8e4m3fn[150000000] negate(p))"},
    {"f8_wide", "", R"()",
     R"(p = f8e5m2[100000000] parameter(0)
       ROOT r = f8e5m2[100000000] add(p,p))"},
    {"s4", "", R"()",
     R"(p = s4[150000000] parameter(0)
       ROOT r = s4[150000000] negate(p))"},
    {"constant0", "", R"()",
     R"(c = f32[100000000000] constant(0)
       ROOT r = f32[100000000000] negate(c))"},
    {"constant_root", "", R"()", R"(ROOT c = f32[100000000000] constant(0))"},
    {"map", "", R"()",
     R"(p = f32[] parameter(0)
       b = f32[100000000] broadcast(p), dimensions={}
       ROOT r = f32[100000000] map(b,b), dimensions={0}, to_apply=odd)"},
    {"bn", "", R"()",
     R"(p = f32[] parameter(0)
       b = f32[1000,1000,1000,1] broadcast(p), dimensions={}
       v = f32[1] parameter(1)
       ROOT n = (f32[1000,1000,1000,1],f32[1],f32[1]) batch-norm-training(b,v,v), epsilon=0.1, feature_index=3)"},
    {"reduce_prec", "", R"()",
     R"(p = f64[] parameter(0)
       b = f64[10000000000] broadcast(p), dimensions={}
       ROOT n = f64[10000000000] reduce-precision(b), exponent_bits=5, mantissa_bits=3)"},
    {"select", "", R"()",
     R"(p = pred[] parameter(0)
       q = f32[] parameter(1)
       b = pred[10000000000] broadcast(p), dimensions={}
       c = f32[10000000000] broadcast(q), dimensions={}
       ROOT n = f32[10000000000] select(b,c,c))"},
    {"dus", "", R"()",
     R"(p = f32[] parameter(0)
       b = f32[10000000000] broadcast(p), dimensions={}
       u = f32[1] parameter(1)
       i = s32[] parameter(2)
       ROOT n = f32[10000000000] dynamic-update-slice(b,u,i))"},
    {"reverse_n", "", R"()",
     R"(p = f32[45000000] parameter(0)
       r = f32[45000000] reverse(p), dimensions={0}
       ROOT n = f32[45000000] copy(r))"},
    {"topk_b", "", R"()",
     R"(p = f32[] parameter(0)
       b = f32[100,10000000] broadcast(p), dimensions={}
       ROOT t = (f32[100,3],s32[100,3]) topk(b), k=3, largest=true)"},
    {"resh", "", R"()",
     R"(p = f32[] parameter(0)
       b = f32[100000,1,100000] broadcast(p), dimensions={}
       t = f32[100000,100000,1] transpose(b), dimensions={2,0,1}
       ROOT r = f32[10000000000] reshape(t))"},
    {"lu_many", "", R"()",
     R"(p = f32[] parameter(0)
       b = f32[100000000000,0,0] broadcast(p), dimensions={}
       ROOT l = (f32[100000000000,0,0],s32[100000000000,0],s32[100000000000,0]) custom-call(b), custom_call_target="LuDecomposition")"},
    {"ragged", "", R"()",
     R"(a = f32[100000,1000] parameter(0)
       b = f32[8,1000,1000] parameter(1)
       g = s32[8] parameter(2)
       ROOT d = f32[100000,1000] ragged-dot(a,b,g), lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0})"},
};

}  // namespace

std::vector<HostileRun> HostileRuns() {
  std::vector<HostileRun> runs;
  for (const Hostile& run : kRuns) {
    runs.push_back({run.name, absl::StrCat("HloModule m", run.header, "\n", kComputations, run.computations,
                                           "\nENTRY e {\n", run.entry, "\n}\n")});
  }
  return runs;
}

absl::string_view HostileComputations() { return kComputations; }

}  // namespace hloscope
