// SPDX-License-Identifier: Apache-2.0
// Compiled programs against the evaluator: small modules of every family, and real ones.
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "core/document/document.h"
#include "evaluator/engine/elided_constants.h"
#include "evaluator/tensor/fill.h"
#include "gtest/gtest.h"
#include "tests/codegen/compiled_program.h"
#include "tests/support/session_test_support.h"
#include "tests/support/shared_files.h"

namespace hloscope::codegen {
namespace {

constexpr char kReducers[] = R"(
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] add(a, b) }
max { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] maximum(a, b) }
add_bf16 { a = bf16[] parameter(0)
  b = bf16[] parameter(1)
  ROOT r = bf16[] add(a, b) }
first_max { v = f32[] parameter(0)
  i = s32[] parameter(1)
  w = f32[] parameter(2)
  j = s32[] parameter(3)
  keep = pred[] compare(v, w), direction=GE
  value = f32[] select(keep, v, w)
  index = s32[] select(keep, i, j)
  ROOT r = (f32[], s32[]) tuple(value, index) }
less { a = f32[] parameter(0)
  b = f32[] parameter(1)
  c = s32[] parameter(2)
  d = s32[] parameter(3)
  ROOT r = pred[] compare(a, b), direction=LT, type=TOTALORDER }
greater { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = pred[] compare(a, b), direction=GT }
)";

// A reducer to the greatest number and its lowest place, NaN before all others.
std::string PlacesText(const std::string& name, const std::string& type) {
  return absl::Substitute(
      "$0 { v = $1[] parameter(0)\n  i = s32[] parameter(1)\n  w = $1[] parameter(2)\n  j = s32[] parameter(3)\n"
      "  more = pred[] compare(v, w), direction=GT\n  is_nan = pred[] compare(v, v), direction=NE\n"
      "  keep = pred[] or(more, is_nan)\n  same = pred[] compare(v, w), direction=EQ\n"
      "  before = pred[] compare(i, j), direction=LT\n  first = pred[] and(same, before)\n"
      "  stay = pred[] or(keep, first)\n  value = $1[] select(keep, v, w)\n  place = s32[] select(stay, i, j)\n"
      "  ROOT r = ($1[], s32[]) tuple(value, place) }\n",
      name, type);
}

// A module around the instructions of its entry computation, which may be preceded by other computations.
NamedModule Entry(const std::string& name, const std::string& entry, const std::string& computations = "") {
  return {name, ModuleFromText(
                    absl::StrCat("HloModule ", name, "\n", kReducers, computations, "ENTRY e {\n", entry, "\n}\n"))};
}

TEST(CompiledModulesTest, EveryFamily) {
  if (!CompiledProgram::IsPossible()) GTEST_SKIP() << "there is no compiler or no make";
  const std::vector<NamedModule> modules = {
      Entry("names", R"(  if = f32[4] parameter(0)
  Array = f32[4] parameter(1)
  for.0 = f32[4] add(if, Array)
  std = f32[4] exponential(for.0)
  constants = f32[2] constant({1, 2.5})
  e = f32[2,4] broadcast(std), dimensions={1}
  loop_e = f32[2,4] broadcast(constants), dimensions={0}
  ROOT in = f32[2,4] multiply(e, loop_e))"),
      Entry("views", R"(  x = f32[6,5,4] parameter(0)
  t = f32[4,6,5] transpose(x), dimensions={2,0,1}
  s = f32[2,3,5] slice(t), slice={[1:4:2], [0:6:2], [0:5]}
  v = f32[2,3,5] reverse(s), dimensions={0,2}
  n = f32[2,3,5] negate(v)
  d = f32[2,1,3,5] reshape(n)
  m = f32[30] reshape(d)
  z = f32[] constant(-1)
  p = f32[63] pad(m, z), padding=3_1_1
  q = f32[28] pad(m, z), padding=-1_-1
  c = f32[93] concatenate(p, m), dimensions={0}
  ROOT r = (f32[2,1,3,5], f32[93], f32[28]) tuple(d, c, q))"),
      Entry("layouts", R"(  x = f32[3,4]{0,1} parameter(0)
  a = f32[4,3]{1,0} bitcast(x)
  b = f32[2,2,3]{1,0,2} bitcast(x)
  c = f32[12]{0} bitcast(x)
  ROOT r = (f32[4,3]{1,0}, f32[2,2,3]{1,0,2}, f32[12]{0}) tuple(a, b, c))"),
      Entry("narrow", R"(  x = bf16[40] parameter(0)
  h = f16[40] convert(x)
  f = f8e4m3fn[40] convert(h)
  g = f8e5m2[40] convert(x)
  i = s4[40] convert(x)
  j = s4[40] add(i, i)
  k = u2[40] convert(j)
  y = bf16[40] multiply(x, x)
  e = bf16[40] exponential(y)
  w = f32[40] convert(f)
  u = bf16[40] convert(g)
  q = f16[40] sine(h)
  o = s8[40] convert(h)
  z = bf16[] constant(0)
  s = bf16[] reduce(e, z), dimensions={0}, to_apply=add_bf16
  ROOT r = (f16[40], f8e4m3fn[40], f8e5m2[40], s4[40], u2[40], bf16[40], f32[40], bf16[40], s8[40], bf16[])
    tuple(q, f, g, j, k, e, w, u, o, s))"),
      Entry("reduces", R"(  x = f32[7,300,9] parameter(0)
  z = f32[] constant(0.5)
  l = f32[] constant(-inf)
  i = s32[7,300,9] iota(), iota_dimension=1
  zero = s32[] constant(0)
  a = f32[7,9] reduce(x, z), dimensions={1}, to_apply=add
  b = f32[7,300] reduce(x, z), dimensions={2}, to_apply=add
  c = f32[] reduce(x, l), dimensions={0,1,2}, to_apply=max
  d = (f32[7,9], s32[7,9]) reduce(x, i, l, zero), dimensions={1}, to_apply=first_max
  t = f32[9,7,300] transpose(x), dimensions={2,0,1}
  s = f32[9,7,300] multiply(t, t)
  f = f32[9,7] reduce(s, l), dimensions={2}, to_apply=max
  h = f32[9,7] reduce(s, z), dimensions={2}, to_apply=add
  w = f32[7,100,9] reduce-window(x, z), window={size=1x3x1 stride=1x3x1}, to_apply=add
  v = f32[7,300,9] reduce-window(x, l), window={size=1x3x3 pad=0_0x1_1x2_0 rhs_dilate=1x1x1}, to_apply=max
  u = f32[7,300,9] reduce-window(x, z), window={size=1x300x1 pad=0_0x299_0x0_0}, to_apply=add
  ROOT r = (f32[7,9], f32[7,300], f32[], (f32[7,9], s32[7,9]), f32[9,7], f32[9,7], f32[7,100,9], f32[7,300,9],
    f32[7,300,9]) tuple(a, b, c, d, f, h, w, v, u))"),
      Entry("pooling", R"(  x = f32[2,20,21,9] parameter(0)
  y = bf16[2,9,20,37] parameter(1)
  i = s32[200] parameter(2)
  g = f32[2,10,11,9] parameter(3)
  l = f32[] constant(-inf)
  h = bf16[] constant(0.5)
  z = f32[] constant(0.25)
  n = f32[] negate(z)
  s = s32[] constant(3)
  a = f32[2,10,11,9] reduce-window(x, l), window={size=1x3x3x1 stride=1x2x2x1 pad=0_0x1_0x1_1x0_0}, to_apply=max
  b = bf16[2,9,10,18] reduce-window(y, h), window={size=1x1x2x3 stride=1x1x2x2}, to_apply=add_bf16
  c = s32[401] reduce-window(i, s), window={size=3 pad=2_2 lhs_dilate=2}, to_apply=multiply_s32
  d = f32[2,20,21,9] reduce-window(x, n), window={size=1x3x3x1 pad=0_0x1_1x1_1x0_0}, to_apply=add
  e = f32[2,20,21,9] select-and-scatter(x, g, z), window={size=1x3x3x1 stride=1x2x2x1 pad=0_0x1_0x1_1x0_0},
    select=keeps, scatter=add
  w = bf16[2,9,20,37] select-and-scatter(y, b, h), window={size=1x1x2x3 stride=1x1x2x2}, select=keeps_bf16,
    scatter=add_bf16
  v = f32[2,20,21,9] select-and-scatter(x, g, z), window={size=1x3x3x1 stride=1x2x2x1 pad=0_0x1_0x1_1x0_0},
    select=keeps, scatter=larger_magnitude
  ROOT r = (f32[2,10,11,9], bf16[2,9,10,18], s32[401], f32[2,20,21,9], f32[2,20,21,9], bf16[2,9,20,37],
    f32[2,20,21,9]) tuple(a, b, c, d, e, w, v))",
            R"(multiply_s32 { a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT r = s32[] multiply(a, b) }
keeps { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = pred[] compare(a, b), direction=GE }
keeps_bf16 { a = bf16[] parameter(0)
  b = bf16[] parameter(1)
  ROOT r = pred[] compare(a, b), direction=GT }
larger_magnitude { a = f32[] parameter(0)
  b = f32[] parameter(1)
  c = f32[] abs(a)
  d = f32[] abs(b)
  e = pred[] compare(c, d), direction=GT
  ROOT r = f32[] select(e, a, b) }
)"),
      Entry("places", R"(  x = f32[40,300] parameter(0)
  y = bf16[40,300] parameter(1)
  o = s32[40,300] iota(), iota_dimension=0
  p = s32[40,300] iota(), iota_dimension=1
  l = f32[] constant(-inf)
  h = bf16[] constant(-inf)
  z = s32[] constant(0)
  a = (f32[300], s32[300]) reduce(x, o, l, z), dimensions={0}, to_apply=greatest
  b = (f32[40], s32[40]) reduce(x, p, l, z), dimensions={1}, to_apply=greatest
  c = (bf16[300], s32[300]) reduce(y, o, h, z), dimensions={0}, to_apply=greatest_bf16
  d = (bf16[], s32[]) reduce(y, p, h, z), dimensions={0,1}, to_apply=greatest_bf16
  ROOT r = ((f32[300], s32[300]), (f32[40], s32[40]), (bf16[300], s32[300]), (bf16[], s32[])) tuple(a, b, c, d))",
            absl::StrCat(PlacesText("greatest", "f32"), PlacesText("greatest_bf16", "bf16"))),
      // Operands that a product reads as they are stored, in both orders, and sums of integers that wrap.
      Entry("thin_products", R"(  a = s8[2,1300] parameter(0)
  b = s8[90,1300] parameter(1)
  c = s16[1300,7] parameter(2)
  d = u8[40,1300] parameter(3)
  e = bf16[1,1300] parameter(4)
  f = bf16[300,1300] parameter(5)
  g = bf16[1300,300] parameter(6)
  h = s32[33,1300] parameter(7)
  bt = s8[1300,90] transpose(b), dimensions={1,0}
  p = s32[2,90] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  q = s32[90,7] dot(b, c), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  r = s32[40,2] dot(d, a), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  s = s16[33,40] dot(h, d), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  t = s32[2,90] dot(a, bt), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  u = s64[33,90] dot(h, b), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  v = f32[1,300] dot(e, f), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  w = bf16[1,300] dot(e, g), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  x = f32[300,1] dot(f, e), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  y = f32[300,300] dot(f, g), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT all = (s32[2,90], s32[90,7], s32[40,2], s16[33,40], s32[2,90], s64[33,90], f32[1,300], bf16[1,300], f32[300,1], f32[300,300]) tuple(p, q, r, s, t, u, v, w, x, y))"),
      // Convolutions of bf16 whose arrays lie in another order, with wide windows, and with a result of f32.
      Entry("convolutions_of_bf16", R"(  x = bf16[3,17,14,14] parameter(0)
  k = bf16[40,17,3,3] parameter(1)
  y = bf16[5,12,12,6] parameter(2)
  g = bf16[5,12,12,35] parameter(3)
  u = f32[3,14,14,18] parameter(4)
  v = bf16[3,3,9,34] parameter(5)
  d = f32[6,9,9,20] parameter(6)
  h = f32[6,9,9,20] parameter(7)
  a = bf16[3,40,14,14] convolution(x, k), window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01
  b = f32[3,40,7,7] convolution(x, k), window={size=3x3 stride=2x2 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01
  c = bf16[3,3,6,35] convolution(y, g), window={size=12x12 pad=1_1x1_1}, dim_labels=f01b_i01o->01bf
  e = bf16[3,14,14,34] convolution(u, v), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, feature_group_count=2
  f = f32[3,3,1,20] convolution(d, h), window={size=9x9 pad=1_1x1_1}, dim_labels=f01b_i01o->01bf, batch_group_count=20
  ROOT r = (bf16[3,40,14,14], f32[3,40,7,7], bf16[3,3,6,35], bf16[3,14,14,34], f32[3,3,1,20]) tuple(a, b, c, e, f))"),
      // Elements that change both type and place, in numbers for which they do so one after the other.
      Entry("converted_orders", R"(  x = bf16[5,40,60,9] parameter(0)
  k = f32[60,7] parameter(1)
  y = s8[70,300] parameter(2)
  z = s8[60,70] parameter(3)
  a = bf16[5,40,9,7] dot(x, k), lhs_contracting_dims={2}, rhs_contracting_dims={0}
  c = s32[300,60] dot(y, z), lhs_contracting_dims={0}, rhs_contracting_dims={1}
  t = bf16[9,60,5,40] transpose(x), dimensions={3,2,0,1}
  w = f32[9,60,5,40] convert(t)
  ROOT r = (bf16[5,40,9,7], s32[300,60], f32[9,60,5,40]) tuple(a, c, w))"),
      // NaN here and there, and zeros of both signs.
      Entry("strange_places", R"(  x = f32[40,300] parameter(0)
  p = s32[40,300] iota(), iota_dimension=1
  o = s32[40,300] iota(), iota_dimension=0
  l = f32[] constant(-inf)
  z = s32[] constant(0)
  k = s32[] constant(7)
  ks = s32[40,300] broadcast(k), dimensions={}
  q = s32[40,300] remainder(o, ks)
  t = s32[40,300] multiply(q, q)
  m = pred[40,300] compare(t, p), direction=EQ
  n = f32[] constant(nan)
  ns = f32[40,300] broadcast(n), dimensions={}
  y = f32[40,300] select(m, ns, x)
  f = f32[] constant(0)
  fs = f32[40,300] broadcast(f), dimensions={}
  w = f32[40,300] multiply(x, fs)
  a = (f32[40], s32[40]) reduce(y, p, l, z), dimensions={1}, to_apply=greatest
  b = (f32[40], s32[40]) reduce(w, p, l, z), dimensions={1}, to_apply=greatest
  c = (f32[300], s32[300]) reduce(y, o, l, z), dimensions={0}, to_apply=greatest
  d = (f32[300], s32[300]) reduce(w, o, l, z), dimensions={0}, to_apply=greatest
  ROOT r = ((f32[40], s32[40]), (f32[40], s32[40]), (f32[300], s32[300]), (f32[300], s32[300])) tuple(a, b, c, d))",
            PlacesText("greatest", "f32")),
      // Blocks of lanes that a form for most arguments serves, and others: distant angles, quotients and NaN are here
      // and there.
      Entry("forms", R"(  x = f32[3,2500] parameter(0)
  y = f64[5000] parameter(1)
  n = s32[3,2500] iota(), iota_dimension=1
  e = s32[] constant(1300)
  ee = s32[3,2500] broadcast(e), dimensions={}
  late = pred[3,2500] compare(n, ee), direction=GT
  big = f32[] constant(1e30)
  bigs = f32[3,2500] broadcast(big), dimensions={}
  far = f32[3,2500] multiply(x, bigs)
  z = f32[3,2500] select(late, far, x)
  s = f32[3,2500] sine(z)
  c = f32[3,2500] cosine(z)
  t = f32[3,2500] tan(z)
  q = f32[3,2500] remainder(z, c)
  p = f32[3,2500] power(z, s)
  sc = f32[3,2500] multiply(s, c)
  w = f32[3,2500] subtract(sc, t)
  m = s64[5000] iota(), iota_dimension=0
  f = s64[] constant(4000)
  ff = s64[5000] broadcast(f), dimensions={}
  last = pred[5000] compare(m, ff), direction=GT
  huge = f64[] constant(1e300)
  huges = f64[5000] broadcast(huge), dimensions={}
  away = f64[5000] multiply(y, huges)
  u = f64[5000] select(last, away, y)
  sd = f64[5000] sine(u)
  cd = f64[5000] cosine(u)
  td = f64[5000] tan(u)
  qd = f64[5000] remainder(u, sd)
  ROOT r = (f32[3,2500], f32[3,2500], f32[3,2500], f64[5000], f64[5000], f64[5000]) tuple(w, q, p, cd, td, qd))"),
      Entry("batch_norms", R"(  x = f32[6,9,9,20] parameter(0)
  y = bf16[3,20,9,9] parameter(1)
  h = f16[70,7] parameter(2)
  w = f32[20] parameter(3)
  v = bf16[20] parameter(4)
  u = f16[7] parameter(5)
  q = f32[20] multiply(w, w)
  t = bf16[20] multiply(v, v)
  g = bf16[3,20,9,9] negate(y)
  a = (f32[6,9,9,20], f32[20], f32[20]) batch-norm-training(x, w, w), epsilon=0.125, feature_index=3
  b = f32[6,9,9,20] batch-norm-inference(x, w, w, w, q), epsilon=0.125, feature_index=3
  c = (bf16[3,20,9,9], bf16[20], bf16[20]) batch-norm-training(y, v, v), epsilon=0.125, feature_index=1
  d = (bf16[3,20,9,9], bf16[20], bf16[20]) batch-norm-grad(y, v, v, t, g), epsilon=0.125, feature_index=1
  e = (f16[70,7], f16[7], f16[7]) batch-norm-training(h, u, u), epsilon=0.125, feature_index=1
  ROOT r = ((f32[6,9,9,20], f32[20], f32[20]), f32[6,9,9,20], (bf16[3,20,9,9], bf16[20], bf16[20]),
    (bf16[3,20,9,9], bf16[20], bf16[20]), (f16[70,7], f16[7], f16[7])) tuple(a, b, c, d, e))"),
      Entry("long_rows", R"(  x = f32[3,9,700] parameter(0)
  z = f32[] constant(0.5)
  l = f32[] constant(-inf)
  a = f32[3,700] reduce(x, l), dimensions={1}, to_apply=max
  b = f32[9,700] reduce(x, z), dimensions={0}, to_apply=add
  n = f32[3,9,700] sqrt(x)
  c = f32[3,700] reduce(n, l), dimensions={1}, to_apply=max
  y = bf16[5,700] parameter(1)
  s = bf16[] constant(0)
  d = bf16[700] reduce(y, s), dimensions={0}, to_apply=add_bf16
  ROOT r = (f32[3,700], f32[9,700], f32[3,9,700], f32[3,700], bf16[700]) tuple(a, b, n, c, d))"),
      Entry("products", R"(  a = f32[3,20,30] parameter(0)
  b = f32[30,3,25] parameter(1)
  c = bf16[40,50] parameter(2)
  d = bf16[60,50] parameter(3)
  e = s8[5,6] parameter(4)
  p = f32[3,20,25] dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={1}, lhs_contracting_dims={2}, rhs_contracting_dims={0}
  q = bf16[40,60] dot(c, d), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  s = s32[5,5] dot(e, e), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  x = f32[2,9,10,4] parameter(5)
  k = f32[3,3,2,6] parameter(6)
  u = f32[2,5,5,6] convolution(x, k), window={size=3x3 stride=2x2 pad=1_1x1_0 rhs_reversal=1x0},
    dim_labels=b01f_01io->b01f, feature_group_count=2
  t = c64[4,4] parameter(7)
  v = c64[4,4] dot(t, t), lhs_contracting_dims={0}, rhs_contracting_dims={1}
  ROOT r = (f32[3,20,25], bf16[40,60], s32[5,5], f32[2,5,5,6], c64[4,4]) tuple(p, q, s, u, v))"),
      Entry("loops", R"(  x = f32[10,8] parameter(0)
  zero = s32[] constant(0)
  row = f32[8] parameter(1)
  start = (s32[], f32[10,8], f32[8]) tuple(zero, x, row)
  w = (s32[], f32[10,8], f32[8]) while(start), condition=goes_on, body=step
  y = f32[10,8] get-tuple-element(w), index=1
  p = pred[] parameter(2)
  i = s32[] constant(7)
  c = f32[8] conditional(p, row, row), true_computation=twice, false_computation=half
  d = f32[8] conditional(i, row, row), branch_computations={twice, half}
  f = f32[8] fusion(c, d), kind=kLoop, calls=fused
  m = f32[8] map(f, row), dimensions={0}, to_apply=add
  ROOT r = (f32[10,8], f32[10,8], f32[8], f32[8]) tuple(x, y, m, d))",
            R"(
goes_on { s = (s32[], f32[10,8], f32[8]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(6)
  ROOT r = pred[] compare(i, n), direction=LT }
step { s = (s32[], f32[10,8], f32[8]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[10,8] get-tuple-element(s), index=1
  row = f32[8] get-tuple-element(s), index=2
  one = s32[] constant(1)
  zero = s32[] constant(0)
  next = s32[] add(i, one)
  old = f32[1,8] dynamic-slice(x, i, zero), dynamic_slice_sizes={1,8}
  flat = f32[8] reshape(old)
  sum = f32[8] add(flat, row)
  new = f32[1,8] reshape(sum)
  y = f32[10,8] dynamic-update-slice(x, new, next, zero)
  ROOT r = (s32[], f32[10,8], f32[8]) tuple(next, y, sum) }
twice { x = f32[8] parameter(0)
  ROOT r = f32[8] add(x, x) }
half { x = f32[8] parameter(0)
  h = f32[] constant(0.5)
  b = f32[8] broadcast(h), dimensions={}
  ROOT r = f32[8] multiply(x, b) }
fused { a = f32[8] parameter(0)
  b = f32[8] parameter(1)
  ROOT r = f32[8] subtract(a, b) }
)"),
      Entry("indexing", R"(  x = f32[20,6] parameter(0)
  i = s32[5,2] parameter(1)
  u = f32[5,3] parameter(2)
  g = f32[5,3] gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0,1}, index_vector_dim=1,
    slice_sizes={1,3}
  s = f32[20,6] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0,1},
    index_vector_dim=1, to_apply=add
  k = s32[20,6] iota(), iota_dimension=0
  o = (f32[20,6], s32[20,6]) sort(x, k), dimensions={0}, to_apply=less
  v = f32[20,6] sort(x), dimensions={0}, to_apply=greater
  l = f32[120] reshape(x)
  w = f32[120] sort(l), dimensions={0}, to_apply=greater
  ROOT r = (f32[5,3], f32[20,6], (f32[20,6], s32[20,6]), f32[20,6], f32[120]) tuple(g, s, o, v, w))"),
      Entry("algebra", R"(  a = f32[2,5,5] parameter(0)
  b = f32[2,5,3] parameter(1)
  e = f32[5,5] iota(), iota_dimension=0
  f = f32[5,5] iota(), iota_dimension=1
  q = pred[5,5] compare(e, f), direction=EQ
  ten = f32[] constant(10)
  tens = f32[5,5] broadcast(ten), dimensions={}
  none = f32[] constant(0)
  nones = f32[5,5] broadcast(none), dimensions={}
  d = f32[5,5] select(q, tens, nones)
  ds = f32[2,5,5] broadcast(d), dimensions={1,2}
  p = f32[2,5,5] dot(a, a), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={2}
  n = f32[2,5,5] add(p, ds)
  c = f32[2,5,5] cholesky(n), lower=true
  s = f32[2,5,3] triangular-solve(c, b), left_side=true, lower=true, transpose_a=NO_TRANSPOSE
  y = c64[6,10] parameter(2)
  x = c64[6,10] fft(y), fft_type=FFT, fft_length={6,10}
  h = f32[4,12] parameter(3)
  rf = c64[4,7] fft(h), fft_type=RFFT, fft_length={12}
  ir = f32[4,12] fft(rf), fft_type=IRFFT, fft_length={12}
  scale = f32[5] parameter(4)
  offset = f32[5] parameter(5)
  bn = (f32[2,5,5], f32[5], f32[5]) batch-norm-training(a, scale, offset), epsilon=0.001, feature_index=1
  st = u64[2] constant({5, 9})
  rg = (u64[2], u32[3,4]) rng-bit-generator(st), algorithm=rng_three_fry
  rp = (u64[2], u8[7]) rng-bit-generator(st), algorithm=rng_philox
  ROOT r = (f32[2,5,5], f32[2,5,3], c64[6,10], c64[4,7], f32[4,12], (f32[2,5,5], f32[5], f32[5]), (u64[2], u32[3,4]),
    (u64[2], u8[7])) tuple(c, s, x, rf, ir, bn, rg, rp))"),
      Entry("parallel", R"(  x = f32[300,400] parameter(0)
  y = f32[400] parameter(1)
  b = f32[300,400] broadcast(y), dimensions={1}
  s = f32[300,400] tanh(x)
  m = f32[300,400] multiply(s, b)
  t = f32[400,300] transpose(m), dimensions={1,0}
  z = f32[] constant(0)
  c = f32[400] reduce(m, z), dimensions={0}, to_apply=add
  ROOT r = (f32[400,300], f32[400]) tuple(t, c))"),
  };
  ExpectSameResults(modules, /*seed=*/7, 1e-6);
}

TEST(CompiledModulesTest, ResultsTakeTheirPlacesWholeAndTouchNothingElse) {
  if (!CompiledProgram::IsPossible()) GTEST_SKIP() << "there is no compiler or no make";
  CompiledProgram program;
  const NamedModule module = Entry("iota", "  ROOT r = f32[4] iota(), iota_dimension=0");
  const ProgramModule parts[] = {{module.module.get(), module.name}};
  ASSERT_TRUE(program.Build(parts).ok());
  const std::string results = absl::StrCat(program.folder(), "/results");
  const auto files = [&] {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(results)) names.insert(entry.path().filename());
    return names;
  };
  const CompiledProgram::Request requests[] = {{module.name, program.folder(), results}};
  // Somebody else's.
  std::filesystem::create_directories(absl::StrCat(results, "/result0.npy.part"));
  EXPECT_TRUE(program.Run(requests).ok());
  EXPECT_EQ(files(), (std::set<std::string>{"result0.npy", "result0.npy.part"}));
  // Where the file cannot take its place nothing is left.
  std::filesystem::remove(absl::StrCat(results, "/result0.npy"));
  std::filesystem::create_directories(absl::StrCat(results, "/result0.npy/full"));
  EXPECT_FALSE(program.Run(requests).ok());
  EXPECT_EQ(files(), (std::set<std::string>{"result0.npy", "result0.npy.part"}));
}

// Programs take the loops of the evaluator, and so its order of sums: every bit is equal.
TEST(CompiledModulesTest, ConvolutionsOfEveryForm) {
  if (!CompiledProgram::IsPossible()) GTEST_SKIP() << "there is no compiler or no make";
  const auto convolution = [](absl::string_view name, absl::string_view result, absl::string_view input,
                              absl::string_view kernel, absl::string_view attributes) {
    return Entry(std::string(name),
                 absl::StrCat("  x = ", input, " parameter(0)\n  k = ", kernel, " parameter(1)\n  ROOT r = ", result,
                              " convolution(x, k), ", attributes));
  };
  ExpectSameResults(
      {convolution("patches", "f32[1,2,2,64]", "f32[1,32,32,3]", "f32[16,16,3,64]",
                   "window={size=16x16 stride=16x16}, dim_labels=b01f_01io->b01f"),
       convolution("gradient", "f32[64,3,3,32]", "f32[8,30,30,64]", "f32[28,28,8,32]",
                   "window={size=28x28}, dim_labels=f01b_01io->b01f"),
       convolution("padded", "f32[2,3,3,40]", "f32[2,9,9,30]", "f32[9,9,30,40]",
                   "window={size=9x9 pad=1_1x1_1 rhs_reversal=1x0}, dim_labels=b01f_01io->b01f"),
       convolution("double", "f64[1,2,2,64]", "f64[1,32,32,3]", "f64[16,16,3,64]",
                   "window={size=16x16 stride=16x16}, dim_labels=b01f_01io->b01f"),
       convolution("bfloat", "bf16[1,64,2,2]", "bf16[1,3,32,32]", "bf16[64,3,16,16]",
                   "window={size=16x16 stride=16x16}, dim_labels=bf01_oi01->bf01"),
       convolution("batch_groups", "f32[1,3,3,16]", "f32[16,20,20,2]", "f32[18,18,2,16]",
                   "window={size=18x18}, dim_labels=b01f_01io->b01f, batch_group_count=16"),
       convolution("usual", "f32[2,16,16,24]", "f32[2,16,16,8]", "f32[3,3,8,24]",
                   "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f"),
       convolution("dilated", "f32[2,9,9,24]", "f32[2,5,5,8]", "f32[3,3,8,24]",
                   "window={size=3x3 pad=2_2x2_2 lhs_dilate=2x2 rhs_dilate=2x2}, dim_labels=b01f_01io->b01f"),
       convolution("gradient_of_input", "f32[2,24,20,20]", "f32[2,16,10,10]", "f32[16,24,3,3]",
                   "window={size=3x3 pad=1_2x1_2 lhs_dilate=2x2 rhs_reversal=1x1}, dim_labels=bf01_io01->bf01"),
       convolution("transposed", "bf16[2,20,20,24]", "bf16[2,10,10,16]", "bf16[4,4,16,24]",
                   "window={size=4x4 pad=2_2x2_2 lhs_dilate=2x2}, dim_labels=b01f_01io->b01f"),
       convolution("apart", "f64[2,20,27,24]", "f64[2,10,10,16]", "f64[1,3,16,24]",
                   "window={size=1x3 pad=0_1x-1_4 lhs_dilate=2x3 rhs_dilate=1x2}, dim_labels=b01f_01io->b01f"),
       convolution("grouped", "f32[2,16,16,24]", "f32[2,16,16,8]", "f32[3,3,2,24]",
                   "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, feature_group_count=4"),
       convolution("strided_groups", "f32[2,24,8,8]", "f32[2,16,16,16]", "f32[24,2,3,3]",
                   "window={size=3x3 stride=2x2 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01, feature_group_count=8"),
       convolution("narrow_groups", "bf16[2,16,16,12]", "bf16[2,16,16,16]", "bf16[3,3,4,12]",
                   "window={size=3x3 pad=1_1x1_1 rhs_reversal=0x1}, dim_labels=b01f_01io->b01f, "
                   "feature_group_count=4"),
       convolution("lanes", "f32[2,16,16,24]", "f32[2,16,16,24]", "f32[3,3,1,24]",
                   "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, feature_group_count=24"),
       convolution("patches_of_planes", "f32[3,20,17,19]", "f32[3,6,17,19]", "f32[20,6,3,3]",
                   "window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01"),
       convolution("patches_of_strided_planes", "f64[2,20,11,13]", "f64[2,3,27,27]", "f64[5,7,3,20]",
                   "window={size=5x7 stride=2x2 pad=0_-1x2_2 rhs_reversal=0x1}, dim_labels=bf01_01io->bf01"),
       convolution("patches_of_large_planes", "f32[1,8,260,258]", "f32[1,32,260,260]", "f32[8,32,3,3]",
                   "window={size=3x3 pad=2_2x1_1 rhs_dilate=2x2}, dim_labels=bf01_oi01->bf01"),
       convolution("planes_to_features", "f32[3,17,19,20]", "f32[3,6,17,19]", "f32[20,6,3,3]",
                   "window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->b01f"),
       convolution("planes_of_batches", "f32[3,20,17,19]", "f32[6,3,17,19]", "f32[20,6,3,3]",
                   "window={size=3x3 pad=1_1x1_1}, dim_labels=fb01_oi01->bf01"),
       convolution("pointwise_planes", "f32[3,24,14,14]", "f32[3,16,14,14]", "f32[24,16,1,1]",
                   "window={size=1x1}, dim_labels=bf01_oi01->bf01"),
       convolution("wide_planes", "f32[1,1,16,24]", "f32[6,16,14,14]", "f32[6,24,14,14]",
                   "window={size=14x14}, dim_labels=fb01_io01->01bf"),
       convolution("wide_padded_planes", "f64[3,3,16,24]", "f64[6,16,14,14]", "f64[6,24,14,14]",
                   "window={size=14x14 pad=1_1x1_1}, dim_labels=fb01_io01->01bf"),
       convolution("wide_strided_planes", "f32[3,3,16,24]", "f32[6,16,27,28]", "f32[6,24,14,14]",
                   "window={size=14x14 pad=1_1x1_0 rhs_dilate=2x2}, dim_labels=fb01_io01->01bf"),
       convolution("wide_group_planes", "f32[3,3,1,24]", "f32[6,24,14,14]", "f32[6,24,14,14]",
                   "window={size=14x14 pad=1_1x1_1}, dim_labels=fb01_io01->01bf, batch_group_count=24"),
       convolution("wide_strided_group_planes", "f32[3,3,1,24]", "f32[6,24,28,27]", "f32[6,24,14,14]",
                   "window={size=14x14 pad=1_0x1_1 rhs_dilate=2x2}, dim_labels=fb01_io01->01bf, "
                   "batch_group_count=24"),
       convolution("wide_planes_and_features", "f32[1,1,16,24]", "f32[6,16,14,14]", "f32[6,14,14,24]",
                   "window={size=14x14}, dim_labels=fb01_i01o->01bf"),
       convolution("small_planes", "f32[2,6,7,7]", "f32[2,6,7,7]", "f32[6,1,3,3]",
                   "window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01, feature_group_count=6"),
       convolution("dilated_planes", "f32[2,6,14,14]", "f32[2,6,7,7]", "f32[6,1,3,3]",
                   "window={size=3x3 pad=1_2x1_2 lhs_dilate=2x2}, dim_labels=bf01_oi01->bf01, feature_group_count=6"),
       convolution("strided_narrow_planes", "bf16[2,6,14,14]", "bf16[2,6,28,28]", "bf16[6,1,3,3]",
                   "window={size=3x3 stride=2x2 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01, feature_group_count=6"),
       convolution("patches_of_lines", "f32[3,20,80]", "f32[3,6,80]", "f32[20,6,3]",
                   "window={size=3 pad=1_1}, dim_labels=bf0_oi0->bf0"),
       convolution("planes", "f32[2,6,16,16]", "f32[2,6,16,16]", "f32[6,1,3,3]",
                   "window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01, feature_group_count=6"),
       convolution("reversed_planes", "f32[2,6,16,16]", "f32[2,6,16,16]", "f32[6,1,5,5]",
                   "window={size=5x5 pad=2_2x2_2 rhs_reversal=1x1}, dim_labels=bf01_oi01->bf01, feature_group_count=6"),
       convolution("strided_planes", "f32[2,6,8,8]", "f32[2,6,16,16]", "f32[6,1,4,2]",
                   "window={size=4x2 pad=1_1x0_0 stride=2x2 rhs_reversal=1x0}, dim_labels=bf01_oi01->bf01, "
                   "feature_group_count=6"),
       convolution("narrow_planes", "bf16[2,6,16,16]", "bf16[2,6,16,16]", "bf16[6,1,3,3]",
                   "window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01, feature_group_count=6"),
       convolution("points", "f32[3,24,9,9]", "f32[3,16,9,9]", "f32[24,16,1,1]",
                   "window={size=1x1}, dim_labels=bf01_oi01->bf01"),
       convolution("points_apart", "f32[3,24,5,3]", "f32[3,16,9,9]", "f32[24,16,1,1]",
                   "window={size=1x1 stride=2x3}, dim_labels=bf01_oi01->bf01"),
       convolution("points_cut", "f32[3,24,7,8]", "f32[3,16,9,9]", "f32[24,16,1,1]",
                   "window={size=1x1 pad=0_-2x0_-1}, dim_labels=bf01_oi01->bf01"),
       convolution("points_of_large_images", "f32[2,24,30,30]", "f32[2,16,30,30]", "f32[16,24,1,1]",
                   "window={size=1x1}, dim_labels=bf01_io01->bf01"),
       convolution("points_channels_last", "f32[2,9,9,24]", "f32[2,16,9,9]", "f32[1,1,16,24]",
                   "window={size=1x1}, dim_labels=bf01_01io->b01f"),
       convolution("points_of_lines", "f64[5,20,40]", "f64[5,12,40]", "f64[1,12,20]",
                   "window={size=1 rhs_reversal=1}, dim_labels=bf0_0io->bf0"),
       convolution("points_of_bfloat", "bf16[2,24,9,9]", "bf16[2,16,9,9]", "bf16[24,16,1,1]",
                   "window={size=1x1}, dim_labels=bf01_oi01->bf01"),
       convolution("line", "f64[3,5,40]", "f64[3,5,40]", "f64[7,1,5]",
                   "window={size=7 pad=3_3}, dim_labels=bf0_0io->bf0, feature_group_count=5")},
      /*seed=*/7, 0);
}

// What compilers accept beyond plain modules.
constexpr char kChains[] = R"(
w { a = f32[4] parameter(0)
  b = f32[4] parameter(1)
  ROOT d = f32[4] subtract(a, b) }
v { a = f32[4] parameter(0)
  b = f32[4] parameter(1)
  ROOT d = f32[4] divide(a, b) }
both { a = f32[] parameter(0)
  b = f32[] parameter(1)
  c = f32[] parameter(2)
  d = f32[] parameter(3)
  x = f32[] add(a, c)
  y = f32[] multiply(b, d)
  ROOT t = (f32[], f32[]) tuple(x, y) }
)";

TEST(CompiledModulesTest, ChainsAndScattersThatOnlyCompilersAccept) {
  if (!CompiledProgram::IsPossible()) GTEST_SKIP() << "there is no compiler or no make";
  ExpectSameResults({Entry("chains", R"(  x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  s = ((f32[4], f32[4]), f32[4], u32[]) async-start(x, y), calls=w, async_execution_thread="dma"
  d = f32[4] async-done(s), async_execution_thread="dma"
  late = ((f32[4]), (), u32[]) call-start(x), to_apply=v
  more = ((f32[4], f32[4]), f32[4], u32[]) call-update(late, d)
  again = ((f32[4], f32[4]), f32[4], u32[]) call-update(more)
  e = f32[4] call-done(again)
  last = ((f32[4], f32[4]), (), u32[]) multiply-start(d, e)
  f = f32[4] multiply-done(last)
  ROOT r = (f32[4], f32[4], f32[4], f32[4]) tuple(d, e, f, x))",
                           kChains),
                     Entry("sizes", R"(  x = f32[4,2] parameter(0)
  y = f32[6,3] parameter(1)
  i = s32[3,1] constant({{0}, {5}, {3}})
  u = f32[3,2] parameter(2)
  ROOT s = (f32[4,2], f32[6,3]) scatter(x, y, i, u, u), update_window_dims={1}, inserted_window_dims={0},
    scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=both)",
                           kChains)},
                    /*seed=*/7, 0);
}

TEST(CompiledModulesTest, MixedPrecision) {
  if (!CompiledProgram::IsPossible()) GTEST_SKIP() << "there is no compiler or no make";
  DocumentOptions options;
  options.verify.allow_mixed_precision = true;
  const auto parsed = [&](absl::string_view body) {
    const auto document =
        Document::Parse(SourceText::FromString(
                            "mixed", absl::StrCat("HloModule m\nENTRY e {\n  x = f32[40] parameter(0)\n  y = bf16[40] "
                                                  "parameter(1)\n  z = f64[40] parameter(2)\n",
                                                  body, "\n}\n")),
                        options);
    EXPECT_FALSE(document->has_errors());
    return document->shared_module();
  };
  ExpectSameResults({{"mixed", parsed(R"(  p = bf16[40] multiply(x, y)
  q = f32[40] subtract(z, x)
  r = f64[40] exponential(x)
  k = pred[40] compare(x, y), direction=GE
  s = bf16[40] select(k, x, z)
  ROOT t = (bf16[40], f32[40], f64[40], bf16[40]) tuple(p, q, r, s))")},
                     // Elements that are moved are converted first, each operand by itself.
                     {"moved", parsed(R"(  a = bf16[40] copy(x)
  b = bf16[8,5] reshape(x)
  c = bf16[4] slice(z), slice={[0:40:10]}
  d = f32[2,40] broadcast(y), dimensions={1}
  e = f32[120] concatenate(x, y, z), dimensions={0}
  v = f64[] constant(-0.1)
  f = f32[43] pad(y, v), padding=1_2
  g = bf16[40] reverse(x), dimensions={0}
  i = s32[] constant(7)
  h = bf16[3] dynamic-slice(z, i), dynamic_slice_sizes={3}
  u = f32[40] dynamic-update-slice(x, h, i)
  n = s32[2,1] constant({{3}, {39}})
  o = bf16[2] gather(x, n), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}
  ROOT t = (bf16[40], bf16[8,5], bf16[4], f32[2,40], f32[120], f32[43], bf16[40], f32[40], bf16[2])
    tuple(a, b, c, d, e, f, g, u, o))")},
                     // Parts of complex numbers are rounded, or widened, to the declared type.
                     {"parts", parsed(R"(  w = c128[40] parameter(3)
  v = c64[40] parameter(4)
  a = f32[40] abs(w)
  b = bf16[40] real(w)
  c = f16[40] imag(w)
  d = f64[40] abs(v)
  e = bf16[40] abs(v)
  f = f64[40] imag(v)
  g = bf16[40] real(x)
  ROOT t = (f32[40], bf16[40], f16[40], f64[40], bf16[40], f64[40], bf16[40]) tuple(a, b, c, d, e, f, g))")}},
                    /*seed=*/7, 0);
}

TEST(CompiledModulesTest, LoopsWhoseBodyReturnsAnotherShape) {
  if (!CompiledProgram::IsPossible()) GTEST_SKIP() << "there is no compiler or no make";
  constexpr char kLoop[] = R"(
grows { p = (f32[2], f32[3]) parameter(0)
  x = f32[2] get-tuple-element(p), index=0
  ROOT t = (f32[2], f32[2], f32[2]) tuple(x, x, x) }
shrinks { p = (f32[2], f32[3]) parameter(0)
  x = f32[2] get-tuple-element(p), index=0
  ROOT t = (f32[2]) tuple(x) }
never { p = (f32[2], f32[3]) parameter(0)
  ROOT k = pred[] constant(false) }
f { p = (f32[2], f32[3]) parameter(0)
  w = (f32[2], f32[2], f32[2]) while(p), condition=never, body=grows
  ROOT x = f32[2] get-tuple-element(w), index=0 }
g { p = (f32[2], f32[3]) parameter(0)
  ROOT x = f32[2] get-tuple-element(p), index=0 }
)";
  // The state is the result where it has the arrays of it; a loop that is not reached does not matter.
  ExpectSameResults({Entry("loops", R"(  p = (f32[2], f32[3]) parameter(0)
  w = (f32[2]) while(p), condition=never, body=shrinks
  x = f32[2] get-tuple-element(w), index=0
  c = pred[] constant(false)
  y = f32[2] conditional(c, p, p), true_computation=f, false_computation=g
  ROOT t = (f32[2], f32[2]) tuple(x, y))",
                           kLoop)},
                    /*seed=*/7, 0);
}

// Small real modules; with HLOSCOPE_LONG_TESTS larger ones too.
TEST(CompiledModulesTest, TheCorpus) {
  SKIP_WITHOUT_SHARED_FILES();
  if (!CompiledProgram::IsPossible()) GTEST_SKIP() << "there is no compiler or no make";
  std::vector<std::string> names = {"bench_scan_N2000_M3", "mha_block_1x12x128x64_bf16", "xnn.parallel_dots.optimized"};
  if (std::getenv("HLOSCOPE_LONG_TESTS") != nullptr) {
    for (const char* name :
         {"argsort_axis_1024x512_bf16", "bench_mass_matrix_35", "depthwise_conv_3x3_1x256x56x56_bf16",
          "diffrax.b380012920", "gpu_hlo", "layer_norm_1x4096x768_bf16", "sum_axis_1x4096x1024_bf16",
          "topk_logits_k10_1x50000_bf16", "sort_full_1024x4096_bf16", "jax.issue.33666.linx.frag_0428.module_0009",
          "resnet50_keras_jax_f32"}) {
      names.push_back(name);
    }
  }
  std::vector<NamedModule> modules;
  for (const std::string& name : names) {
    const auto document = Document::Open(CorpusFile(absl::StrCat("xla-benchmarks/", name, ".hlo")));
    ASSERT_TRUE(document.ok()) << document.status();
    const auto filled = evaluator::FillElidedConstants((*document)->shared_module(), evaluator::FillKind::kRandom, 0);
    ASSERT_TRUE(filled.ok()) << filled.status();
    modules.push_back({name, filled->module});
  }
  ExpectSameResults(modules, /*seed=*/7, 1e-5);
}

}  // namespace
}  // namespace hloscope::codegen
