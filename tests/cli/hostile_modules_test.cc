// SPDX-License-Identifier: Apache-2.0
// Modules that ask for more than there is: every run ends soon after its time limit and near its memory limit, whatever
// the sizes in the text say.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/command_line.h"
#include "tests/support/measured_command.h"

namespace hloscope::cli {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kMegabyte = 1 << 20;
constexpr int64_t kMemoryLimit = 200 * kMegabyte, kMemoryOverrun = 64 * kMegabyte, kProcess = 40 * kMegabyte;
// Seconds; of the processor where they are measured, since other processes of the machine must not matter.
constexpr double kTimeLimit = 0.5, kTimeOverrun = 0.2, kStart = 0.3;

struct Hostile {
  const char* name;
  const char* header;
  const char* computations;
  const char* entry;
};

constexpr absl::string_view kCommon = R"(
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a,b) }
ge { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = pred[] compare(a,b), direction=GE }
lt { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = pred[] compare(a,b), direction=LT }
odd { a = f32[] parameter(0) b = f32[] parameter(1) c = f32[] multiply(a,b) d = f32[] sine(c) ROOT s = f32[] add(d,a) }
)";

constexpr Hostile kModules[] = {
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

Usage Measure(const std::string& module) {
  return MeasureCommand({"run", module, "--fill=random", "--threads=1", absl::StrCat("--memory-limit=", kMemoryLimit),
                         absl::StrCat("--time-limit=", kTimeLimit)});
}

class HostileModulesTest : public CommandLineTest {};

TEST_F(HostileModulesTest, LimitsAreKept) {
  for (const Hostile& hostile : kModules) {
    SCOPED_TRACE(hostile.name);
    const std::string module = Module(absl::StrCat("HloModule m", hostile.header, "\n", kCommon, hostile.computations,
                                                   "\nENTRY e {\n", hostile.entry, "\n}\n"));
    const Usage usage = Measure(module);
    EXPECT_TRUE(usage.exit_status == 3 || usage.exit_status == 0) << usage.exit_status;
    EXPECT_LE(usage.processor_seconds, kTimeLimit + kTimeOverrun + kStart);
    EXPECT_LE(usage.peak_bytes, kMemoryLimit + kMemoryOverrun + kProcess);
  }
}

// What is printed and written of results takes time and memory too.
TEST_F(HostileModulesTest, ResultsArePutOutWithinTheLimits) {
  // Every device has the same megabytes.
  const std::string devices = Module(R"(HloModule m, replica_count=1000
ENTRY e {
  p = f32[1000000] parameter(0)
  ROOT r = f32[1000000] collective-permute(p), source_target_pairs={{0,1},{1,0}}
})");
  const std::string large = directory_ + "/large.hlo", archive = directory_ + "/r.npz";
  std::ofstream(large) << R"(HloModule m
ENTRY e {
  p = f32[] parameter(0)
  b = f32[20000000] broadcast(p), dimensions={}
  ROOT r = f32[20000000] sine(b)
})";
  const std::vector<std::vector<std::string>> commands = {{devices, "--print"},
                                                          {devices, "--print", "--stats", "--json"},
                                                          {devices, "--out=" + Out()},
                                                          {large, "--print"},
                                                          {large, "--print", "--stats", "--json"}};
  for (std::vector<std::string> command : commands) {
    SCOPED_TRACE(absl::StrJoin(command, " "));
    command.insert(command.begin(), "run");
    for (const char* option : {"--fill=random", "--threads=1", "--memory-limit=200M", "--time-limit=0.5"}) {
      command.emplace_back(option);
    }
    const Usage usage = MeasureCommand(command);
    EXPECT_EQ(usage.exit_status, 3);
    EXPECT_LE(usage.processor_seconds, kTimeLimit + kTimeOverrun + kStart);
    EXPECT_LE(usage.peak_bytes, kMemoryLimit + kMemoryOverrun + kProcess);
    EXPECT_TRUE(!std::filesystem::exists(Out()) || std::filesystem::is_empty(Out()));
  }
  // An archive takes no memory beside the results.
  const Usage usage = MeasureCommand({"run", large, "--fill=random", "--memory-limit=100M", "--out=" + archive});
  EXPECT_EQ(usage.exit_status, 0);
  EXPECT_LE(usage.peak_bytes, 100 * kMegabyte + kMemoryOverrun + kProcess);
  EXPECT_GT(std::filesystem::file_size(archive), 80'000'000u);
}

// What a window costs does not depend on how far it reaches into the padding.
TEST_F(HostileModulesTest, WindowsOfPaddingAreWalkedInNoTime) {
  const std::string text = absl::StrCat("HloModule m\n", kCommon, R"(
ENTRY e {
  p = f32[10] iota(), iota_dimension=0
  s = f32[1] constant({5})
  z = f32[] constant(0)
  sum = f32[1] reduce-window(p, z), window={size=1000000000 pad=499999995_499999995}, to_apply=add
  last = f32[10] select-and-scatter(p, s, z), window={size=1000000000 pad=499999995_499999995}, select=ge, scatter=add
  ROOT t = (f32[1], f32[10]) tuple(sum, last)
})");
  const std::string module = Module(text);
  const Usage usage = Measure(module);
  EXPECT_EQ(usage.exit_status, 0);
  EXPECT_LE(usage.processor_seconds, kStart);
  const Outcome printed = RunHloscope({"run", module, "--print"});
  EXPECT_THAT(printed.output, HasSubstr("result0 = f32[1] {45}"));
  EXPECT_THAT(printed.output, HasSubstr("result1 = f32[10] {0, 0, 0, 0, 0, 0, 0, 0, 0, 5}"));
}

// A literal takes more than the few bytes of a small array, and each of nested ones has its whole shape.
TEST_F(HostileModulesTest, SnapshotsOfManyArraysObeyTheMemoryLimit) {
  std::string wide = "HloModule m\nENTRY e {\np = f32[4] parameter(0)\nROOT r = (f32[4]";
  for (int i = 1; i < 200000; ++i) wide += ", f32[4]";
  wide += ") tuple(p";
  for (int i = 1; i < 200000; ++i) wide += ", p";
  std::string nested = "HloModule m\nENTRY e {\nx0 = f32[4] parameter(0)\n";
  for (int i = 0; i < 1500; ++i) absl::StrAppend(&nested, "x", i + 1, " = tuple(x", i, ")\n");
  nested += "ROOT r = tuple(x1500)\n}\n";
  for (const std::string& text : {wide + ")\n}\n", nested}) {
    const std::string module = Module(text);
    const Usage run = MeasureCommand({"run", module, "--fill=zeros", absl::StrCat("--memory-limit=", kMemoryLimit)});
    EXPECT_EQ(run.exit_status, 0);
    const std::string path = directory_ + "/many.hlo_snapshot.pb";
    const Usage usage =
        MeasureCommand({"convert", module, "-o", path, "--fill=zeros", absl::StrCat("--memory-limit=", kMemoryLimit)});
    EXPECT_EQ(usage.exit_status, 3);
    EXPECT_LE(usage.peak_bytes, std::max(run.peak_bytes, kMemoryLimit) + kMemoryOverrun);
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_EQ(RunHloscope({"convert", module, "-o", path, "--fill=zeros", "--memory-limit=2G"}).exit_status, 0);
    std::filesystem::remove(path);
  }
}

// Each value exists twice at most: as it was computed and as a literal, as a literal and in the message, in the message
// and as bytes.
TEST_F(HostileModulesTest, ASnapshotTakesTwiceTheMemoryOfItsValues) {
  const std::string module =
      Module("HloModule m\nENTRY e {\np = f32[50000000] parameter(0)\nROOT s = f32[1] slice(p), slice={[5:6]}\n}\n");
  const std::string path = directory_ + "/one.hlo_snapshot.pb";
  const Usage usage = MeasureCommand({"convert", module, "-o", path, "--fill=random", "--memory-limit=450M"});
  EXPECT_EQ(usage.exit_status, 0);
  EXPECT_LE(usage.peak_bytes, 2 * 200 * kMegabyte + kMemoryOverrun + kProcess);
  EXPECT_GE(std::filesystem::file_size(path), 200000000u);
}

// Sixty bytes declare a constant of 2 GB, which a text leaves as it is and other forms write out.
TEST_F(HostileModulesTest, FilesWithLargeConstantsObeyTheMemoryLimit) {
  const std::string module = Module("HloModule m\nENTRY e { ROOT c = f32[500000000] constant(0) }\n");
  for (const char* name : {"c.pb", "c.pbtxt", "c.hlo_snapshot.pb", "c.pb.gz"}) {
    SCOPED_TRACE(name);
    const std::string path = absl::StrCat(directory_, "/", name);
    const Usage usage = MeasureCommand({"convert", module, "-o", path, absl::StrCat("--memory-limit=", kMemoryLimit)});
    EXPECT_EQ(usage.exit_status, 3);
    EXPECT_LE(usage.peak_bytes, kMemoryLimit + kMemoryOverrun);
    EXPECT_FALSE(std::filesystem::exists(path));
  }
  const Outcome refused = RunHloscope({"convert", module, "--to=proto", "--memory-limit=1G"});
  EXPECT_THAT(refused.errors, HasSubstr("which is more than the memory limit of "));
  EXPECT_THAT(refused.errors, HasSubstr("--memory-limit=BYTES raises the limit"));
  const Outcome text = RunHloscope({"convert", module, "--memory-limit=1M"});
  EXPECT_EQ(text.exit_status, 0) << text.errors;
  EXPECT_THAT(text.output, HasSubstr("constant(0)"));
  const Usage traced = MeasureCommand({"run", module, "--fill=zeros", absl::StrCat("--memory-limit=", kMemoryLimit),
                                       absl::StrCat("--trace=", directory_, "/t.xplane.pb")});
  EXPECT_EQ(traced.exit_status, 3);
  EXPECT_LE(traced.peak_bytes, kMemoryLimit + kMemoryOverrun + kProcess);
}

// What follows from the module is made once, not for each device.
TEST_F(HostileModulesTest, ManyDevicesWithManyInstructions) {
  std::string text = absl::StrCat("HloModule m, replica_count=4096\n", kCommon, "ENTRY e { x0 = f32[4] parameter(0)\n");
  constexpr int kCount = 300;
  for (int i = 1; i < kCount; ++i) {
    absl::StrAppend(&text, i == kCount - 1 ? "ROOT " : "", "x", i, " = f32[4] ", i % 100 == 0 ? "all-reduce" : "negate",
                    "(x", i - 1, ")", i % 100 == 0 ? ", to_apply=add" : "", "\n");
  }
  const Usage usage = Measure(Module(absl::StrCat(text, "}\n")));
  EXPECT_EQ(usage.exit_status, 3);  // the time is not enough
  EXPECT_LE(usage.processor_seconds, kTimeLimit + kTimeOverrun + kStart);
  EXPECT_LE(usage.peak_bytes, kMemoryLimit + kMemoryOverrun + kProcess);
}

TEST_F(HostileModulesTest, IsolateKeepsItsTimeLimit) {
  std::string text = "HloModule m\nd0 { p = f32[] parameter(0) ROOT r = f32[] negate(p) }\n";
  constexpr int kDeepest = 20000;
  for (int i = 1; i <= kDeepest; ++i) {
    absl::StrAppend(&text, i == kDeepest ? "ENTRY e" : absl::StrCat("d", i),
                    " { p = f32[] parameter(0) ROOT r = f32[] call(p), to_apply=d", i - 1, " }\n");
  }
  const Usage usage = MeasureCommand({"isolate", "--fill=zeros", "--threads=1", "--time-limit=0.5", Module(text)});
  EXPECT_EQ(usage.exit_status, 3);
  EXPECT_LE(usage.processor_seconds, kTimeLimit + kTimeOverrun + kStart);
}

// Windows wider than the input of a convolution leave partial sums, and complex kernels are copied: both count.
TEST_F(HostileModulesTest, ScratchMemoryOfConvolutionsCounts) {
  constexpr const char* kConvolutions[] = {
      R"(a = c64[1,1024,1] parameter(0)
         k = c64[2,1,8000000] parameter(1)
         ROOT r = c64[1,1023,8000000] convolution(a, k), window={size=2}, dim_labels=b0f_0io->b0f)",
      R"(a = f32[4096,64,512] parameter(0)
         k = f32[64,512,512] parameter(1)
         ROOT r = f32[4096,1,512] convolution(a, k), window={size=64}, dim_labels=b0f_0io->b0f)"};
  for (const char* convolution : kConvolutions) {
    const Usage usage = Measure(Module(absl::StrCat("HloModule m\nENTRY e {\n", convolution, "\n}\n")));
    EXPECT_EQ(usage.exit_status, 3);
    EXPECT_LE(usage.peak_bytes, kMemoryLimit + kMemoryOverrun + kProcess);
  }
}

// A length that is prime has tables several times as large as the values.
TEST_F(HostileModulesTest, TablesOfFourierTransformsCount) {
  const std::string module = Module(R"(HloModule m
ENTRY e {
  p = c64[2097169] parameter(0)
  ROOT f = c64[2097169] fft(p), fft_type=FFT, fft_length={2097169}
})");
  const Usage usage = MeasureCommand({"run", module, "--fill=random", "--threads=1", "--memory-limit=400M"});
  EXPECT_EQ(usage.exit_status, 3);
  EXPECT_LE(usage.peak_bytes, 400 * kMegabyte + kMemoryOverrun + kProcess);
}

TEST_F(HostileModulesTest, EmptyArraysHaveNoStatistics) {
  const Outcome outcome = RunHloscope({"run", Module("ENTRY e { ROOT p = f32[0,3] parameter(0) }"), "--fill=zeros"});
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("f32[0,3]  no elements"));
}

TEST_F(HostileModulesTest, DevicesOfTheHeaderAreCapped) {
  const std::string text = absl::StrCat("HloModule m, replica_count=2000000\n", kCommon, R"(
ENTRY e {
  p = f32[4] parameter(0)
  ROOT r = f32[4] all-reduce(p), to_apply=add
})");
  const Outcome outcome = RunHloscope({"run", Module(text), "--fill=ones"});
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("more devices than can be simulated: at most 4096"));
}

}  // namespace
}  // namespace hloscope::cli
