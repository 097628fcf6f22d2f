// SPDX-License-Identifier: Apache-2.0
// Modules for tests of the debug adapter.
#ifndef HLOSCOPE_TESTS_LSP_DEBUG_ADAPTER_MODULES_H_
#define HLOSCOPE_TESTS_LSP_DEBUG_ADAPTER_MODULES_H_

namespace hloscope::dap {

// A loop of three iterations, a reduction, a conditional.
inline constexpr char kLoopModule[] = R"(HloModule loop

sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT total = f32[] add(a, b)
}

cond {
  cs = (s32[], f32[4]) parameter(0)
  ci = s32[] get-tuple-element(cs), index=0
  n = s32[] constant(3)
  ROOT lt = pred[] compare(ci, n), direction=LT
}

body {
  s = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  one = s32[] constant(1)
  j = s32[] add(i, one)
  x = f32[4] get-tuple-element(s), index=1
  y = f32[4] add(x, x)
  ROOT t = (s32[], f32[4]) tuple(j, y)
}

double {
  da = f32[4] parameter(0)
  ROOT doubled = f32[4] add(da, da)
}

half {
  ha = f32[4] parameter(0)
  two = f32[4] constant({2, 2, 2, 2})
  ROOT halved = f32[4] divide(ha, two)
}

ENTRY e {
  p = f32[4] parameter(0)
  zero = s32[] constant(0)
  init = (s32[], f32[4]) tuple(zero, p)
  w = (s32[], f32[4]) while(init), condition=cond, body=body
  r = f32[4] get-tuple-element(w), index=1, metadata={op_name="jit(f)/loop" source_file="/home/me/model.py" source_line=12}
  which = pred[] constant(false)
  c = f32[4] conditional(which, r, r), true_computation=double, false_computation=half
  fz = f32[] constant(0)
  ROOT d = f32[] reduce(c, fz), dimensions={0}, to_apply=sum
}
)";

// A logarithm of zero and of a negative number.
inline constexpr char kNanModule[] = R"(HloModule bad

ENTRY e {
  p = f32[4] parameter(0)
  one = f32[] constant(1)
  ones = f32[4] broadcast(one), dimensions={}
  q = f32[4] subtract(p, ones)
  l = f32[4] log(q)
  m = f32[4] add(l, p)
  big = f32[] constant(300)
  bigs = f32[4] broadcast(big), dimensions={}
  small = s8[4] convert(bigs)
  start = s32[] constant(3)
  cut = f32[2] dynamic-slice(m, start), dynamic_slice_sizes={2}
  ROOT out = (f32[2], s8[4]) tuple(cut, small)
}
)";

// A loop that takes minutes, if nobody stops it.
inline constexpr char kLongModule[] = R"(HloModule long

cond {
  cs = (s32[], f32[64,64]) parameter(0)
  ci = s32[] get-tuple-element(cs), index=0
  n = s32[] constant(100000000)
  ROOT lt = pred[] compare(ci, n), direction=LT
}

body {
  s = (s32[], f32[64,64]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  one = s32[] constant(1)
  j = s32[] add(i, one)
  x = f32[64,64] get-tuple-element(s), index=1
  y = f32[64,64] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT t = (s32[], f32[64,64]) tuple(j, y)
}

ENTRY e {
  p = f32[64,64] parameter(0)
  zero = s32[] constant(0)
  init = (s32[], f32[64,64]) tuple(zero, p)
  w = (s32[], f32[64,64]) while(init), condition=cond, body=body
  ROOT r = f32[64,64] get-tuple-element(w), index=1
}
)";

// Takes four megabytes.
inline constexpr char kMemoryModule[] = R"(HloModule memory

ENTRY e {
  p = f32[] parameter(0)
  n = f32[] negate(p)
  b = f32[1000000] broadcast(n), dimensions={}
  i = f32[1000000] iota(), iota_dimension=0
  ROOT c = f32[1000000] add(b, i)
}
)";

// Two replicas that wait for each other.
inline constexpr char kReplicaModule[] = R"(HloModule replicas, replica_count=2

add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT total = f32[] add(a, b)
}

ENTRY e {
  p = f32[4] parameter(0)
  q = f32[4] add(p, p)
  ar = f32[4] all-reduce(q), replica_groups={{0,1}}, to_apply=add
  ROOT r = f32[4] negate(ar)
}
)";

}  // namespace hloscope::dap

#endif  // HLOSCOPE_TESTS_LSP_DEBUG_ADAPTER_MODULES_H_
