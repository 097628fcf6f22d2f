// SPDX-License-Identifier: Apache-2.0
// Borders of the rules that look at a whole module: its header, the callers of its computations, chains of asynchronous
// operations, buffers, layouts, shardings.
#include "tests/support/rule_pair_rows.h"

namespace hloscope {

absl::Span<const RulePairModule> BorderModules() {
  static constexpr RulePairModule kModules[] = {
      // Asynchronous chains and copies. In each a single thing is wrong, though it shows in several places.
      {"", R"(w { x = f32[@n] parameter(0) ROOT r = f32[@n] negate(x) }
ENTRY e { p = f32[@n] parameter(0) s = ((f32[@n]), f32[@n], u32[]) async-start(p), calls=w ROOT d = f32[@n] async-done(s) })",
       R"(w { x = f32[@n] parameter(0) ROOT r = f32[@n] negate(x) }
ENTRY e { p = f32[@n] parameter(0) s = (f32[@n], f32[@n], u32[]) async-start(p), calls=w ROOT d = f32[@n] async-done(s) })",
       "async-shape"},
      {"", R"(w { x = f32[@n] parameter(0) ROOT r = f32[@n] negate(x) }
ENTRY e { p = f32[@n] parameter(0) s = ((f32[@n]), f32[@n], u32[]) async-start(p), calls=w ROOT d = f32[@n] async-done(s) })",
       R"(w { x = f32[@n+1] parameter(0) k = f32[] constant(1) ROOT r = f32[@n] slice(x), slice={[0:@n]} }, execution_thread="t"
ENTRY e { p = f32[@n] parameter(0) s = ((f32[@n]), f32[@n], u32[]) async-start(p), calls=w, async_execution_thread="t" ROOT d = f32[@n] async-done(s) })",
       "async-operands"},
      {"", R"(w { x = f32[@n] parameter(0) ROOT r = f32[@n] negate(x) }
ENTRY e { p = f32[@n] parameter(0) s = ((f32[@n]), f32[@n], u32[]) async-start(p), calls=w ROOT d = f32[@n] async-done(s) })",
       R"(w { x = f32[@n] parameter(0) ROOT r = f32[@n] negate(x) }
ENTRY e { p = f32[@n] parameter(0) s = ((f32[@n]), f32[@n+1], u32[]) async-start(p), calls=w ROOT d = f32[@n+1] async-done(s) })",
       "async-result"},
      {"", R"(w { x = f32[@n] parameter(0) ROOT r = f32[@n] negate(x) }
ENTRY e { p = f32[@n] parameter(0) s = ((), f32[@n], u32[]) async-start(), calls=w u = ((f32[@n]), f32[@n], u32[]) async-update(s, p) ROOT d = f32[@n] async-done(u) })",
       R"(w { x = f32[@n] parameter(0) ROOT r = f32[@n] negate(x) }
ENTRY e { p = f32[@n] parameter(0) s = ((), f32[@n], u32[]) async-start(), calls=w u = ((f32[@n]), f32[@n+1], u32[]) async-update(s, p) ROOT d = f32[@n] async-done(u) })",
       "async-result"},
      {"", R"(w { x = f32[@n] parameter(0) ROOT r = f32[@n] negate(x) }
ENTRY e { p = f32[@n] parameter(0) s = ((f32[@n]), f32[@n], u32[]) async-start(p), calls=w u = ((f32[@n]), f32[@n], u32[]) async-update(s) ROOT d = f32[@n] async-done(u) })",
       R"(w { x = f32[@n] parameter(0) ROOT r = f32[@n] negate(x) }
ENTRY e { p = f32[@n] parameter(0) s = ((f32[@n]), f32[@n], u32[]) async-start(p), calls=w u = ((f32[@n+1]), f32[@n], u32[]) async-update(s) ROOT d = f32[@n] async-done(u) })",
       "async-operands"},
      {"", R"(w { x = f32[@n] parameter(0) ROOT r = f32[@n] negate(x) }
ENTRY e { p = f32[@n] parameter(0) s = ((f32[@n]), f32[@n], u32[]) async-start(p), calls=w u = ((f32[@n]), f32[@n], u32[]) async-update(s) ROOT d = f32[@n] async-done(u) })",
       R"(w { x = f32[@n] parameter(0) ROOT r = f32[@n] negate(x) }
ENTRY e { p = f32[@n] parameter(0) s = ((f32[@n]), f32[@n], u32[]) async-start(p), calls=w u = ((), f32[@n], u32[]) async-update(s) ROOT d = f32[@n] async-done(u) })",
       "declared-shape"},
      {"", R"(w { x = f32[@n] parameter(0) ROOT r = f32[@n] negate(x) }
ENTRY e { p = f32[@n] parameter(0) s = ((), f32[@n], u32[]) async-start(), calls=w u = ((f32[@n]), f32[@n], u32[]) async-update(s, p) ROOT d = f32[@n] async-done(u) })",
       R"(w { x = f32[@n] parameter(0) ROOT r = f32[@n] negate(x) }
ENTRY e { p = f32[@n] parameter(0) s = ((), f32[@n], u32[]) async-start(), calls=w u = ((), f32[@n], u32[]) async-update(s) ROOT d = f32[@n] async-done(u) })",
       "async-unbound"},
      {"", R"(w { x = f32[@n] parameter(0) ROOT r = f32[@n] negate(x) }
v { x = f32[@n] parameter(0) ROOT r = f32[@n] negate(x) }
ENTRY e { p = f32[@n] parameter(0) s = ((f32[@n]), f32[@n]) async-start(p), calls=w, async_execution_thread="a" d = f32[@n] async-done(s)
  t = ((f32[@n]), f32[@n]) async-start(d), calls=v, async_execution_thread="b" ROOT r = f32[@n] async-done(t) })",
       R"(w { x = f32[@n] parameter(0) ROOT r = f32[@n] negate(x) }
ENTRY e { p = f32[@n] parameter(0) s = ((f32[@n]), f32[@n]) async-start(p), calls=w, async_execution_thread="a" d = f32[@n] async-done(s)
  t = ((f32[@n]), f32[@n]) async-start(d), calls=w, async_execution_thread="b" ROOT r = f32[@n] async-done(t) })",
       "async-thread"},
      {"", R"(w { x = f32[@n] parameter(0) ROOT r = f32[@n] negate(x) }
ENTRY e { p = f32[@n] parameter(0) s = ((f32[@n]), f32[@n]) async-start(p), calls=w ROOT d = f32[@n] async-done(s), calls=w })",
       R"(w { x = f32[@n] parameter(0) ROOT r = f32[@n] negate(x) }
v { x = f32[@n] parameter(0) ROOT r = f32[@n] abs(x) }
ENTRY e { p = f32[@n] parameter(0) s = ((f32[@n]), f32[@n]) async-start(p), calls=w ROOT d = f32[@n] async-done(s), calls=v })",
       "async-computations"},
      {"", R"(w { x = f32[@n] parameter(0) ROOT r = f32[@n] negate(x) }
v { x = f32[@n] parameter(0) ROOT r = f32[@n] negate(x) }
ENTRY e { p = f32[@n] parameter(0) s = ((f32[@n]), f32[@n]) async-start(p), calls=w d = f32[@n] async-done(s) ROOT c = f32[@n] call(d), to_apply=v })",
       R"(w { x = f32[@n] parameter(0) ROOT r = f32[@n] negate(x) }
ENTRY e { p = f32[@n] parameter(0) s = ((f32[@n]), f32[@n]) async-start(p), calls=w d = f32[@n] async-done(s) ROOT c = f32[@n] call(d), to_apply=w })",
       "shared-async-computation"},
      {"", R"(w { x = f32[@n] parameter(0) a = f32[@n] abs(x) ROOT r = f32[@n] negate(a) }
ENTRY e { p = f32[@n] parameter(0) s = ((f32[@n]), f32[@n]) async-start(p), calls=w, async_execution_thread="a" ROOT d = f32[@n] async-done(s) })",
       R"(w { x = f32[@n] parameter(0) a = f32[@n] abs(x) ROOT r = f32[@n] negate(a) }
ENTRY e { p = f32[@n] parameter(0) s = ((f32[@n]), f32[@n]) async-start(p), calls=w ROOT d = f32[@n] async-done(s) })",
       "async-body"},
      {"", R"(w { x = f32[@n] parameter(0) ROOT r = f32[@n] negate(x) }
ENTRY e { p = f32[@n] parameter(0) s = ((f32[@n]), f32[@n], u32[]) async-start(p), calls=w b = ((f32[@n]), f32[@n], u32[]) opt-barrier(s) ROOT d = f32[@n] async-done(b) })",
       R"(w { x = f32[@n] parameter(0) ROOT r = f32[@n] negate(x) }
ENTRY e { p = f32[@n] parameter(0) s = ((f32[@n]), f32[@n], u32[]) async-start(p), calls=w b = ((f32[@n]), f32[@n], u32[]) custom-call(s), custom_call_target="f" ROOT d = f32[@n] async-done(s) })",
       "async-use"},
      {"", R"(w { x = f32[@n] parameter(0) ROOT r = f32[@n] negate(x) }
ENTRY e { p = f32[@n] parameter(0) s = ((f32[@n]), f32[@n], u32[]) async-start(p), calls=w g = u32[] constant(0) d = f32[@n] async-done(s) ROOT t = (u32[], f32[@n]) tuple(g, d) })",
       R"(w { x = f32[@n] parameter(0) ROOT r = f32[@n] negate(x) }
ENTRY e { p = f32[@n] parameter(0) s = ((f32[@n]), f32[@n], u32[]) async-start(p), calls=w g = u32[] get-tuple-element(s), index=2 d = f32[@n] async-done(s) ROOT t = (u32[], f32[@n]) tuple(g, d) })",
       "async-read"},
      {"", "ENTRY e { p = @A[@n] parameter(0) s = (@A[@n], @A[@n], u32[]) copy-start(p) ROOT d = @A[@n] copy-done(s) }",
       "ENTRY e { p = @A[@n] parameter(0) s = (@A[@n], @A[@n+1], u32[]) copy-start(p) ROOT d = @A[@n] copy-done(s) }",
       "declared-shape"},
      {"", "ENTRY e { p = @A[@n] parameter(0) s = (@A[@n], @A[@n], u32[]) copy-start(p) ROOT d = @A[@n] copy-done(s) }",
       "ENTRY e { p = @A[@n] parameter(0) s = @A[@n] copy-start(p) ROOT d = @A[@n] copy-done(s) }", "declared-shape"},
      {"",
       R"(ENTRY e { p = ((s32[@n], s32[@n], u32[])) parameter(0) s = (s32[@n], s32[@n], u32[]) get-tuple-element(p), index=0
  ROOT d = s32[@n] copy-done(s) })",
       R"(ENTRY e { p = ((s32[@n], s32[@n+1], u32[])) parameter(0) s = (s32[@n], s32[@n+1], u32[]) get-tuple-element(p), index=0
  ROOT d = s32[@n] copy-done(s) })",
       "copy-pair"},
      {"",
       R"(ENTRY e { p = s32[@n] parameter(0) s = (s32[@n], s32[@n*2]) all-gather-start(p), dimensions={0}, replica_groups={{0,1}}
  ROOT d = s32[@n*2] all-gather-done(s) })",
       R"(ENTRY e { p = s32[@n] parameter(0) s = s32[@n*2] all-gather-start(p), dimensions={0}, replica_groups={{0,1}}
  ROOT d = s32[@n*2] all-gather-done(s) })",
       "declared-shape"},
      {"",
       R"(ENTRY e { p = s32[@n] parameter(0) s = (s32[@n], s32[@n]) collective-permute-start(p), source_target_pairs={{0,1}}
  ROOT d = s32[@n] collective-permute-done(s) })",
       R"(ENTRY e { p = s32[@n] parameter(0) s = s32[@n] collective-permute-start(p), source_target_pairs={{0,1}}
  ROOT d = s32[@n] collective-permute-done(s) })",
       "declared-shape"},

      {"",
       R"(f { x = s32[] parameter(0) c = s32[] parameter(1) s = s32[] add(x, c) ROOT t = (s32[], s32[]) tuple(s, s) }
ENTRY e { p = s32[@n] parameter(0) z = s32[] constant(0) ROOT r = (s32[@n], s32[]) scan(p, z), dimensions={0}, is_reverse=false, num_carries=1, to_apply=f })",
       R"(f { x = s32[] parameter(0) c = s32[] parameter(1) s = s32[] add(x, c) v = f32[] convert(s) ROOT t = (s32[], f32[]) tuple(s, v) }
ENTRY e { p = s32[@n] parameter(0) z = s32[] constant(0) ROOT r = (s32[@n], f32[]) scan(p, z), dimensions={0}, is_reverse=false, num_carries=1, to_apply=f })",
       "scan-carry"},

      {"",
       R"(f { x = s32[] parameter(0) c = s32[] parameter(1) s = s32[] add(x, c) ROOT t = (s32[], s32[]) tuple(s, s) }
ENTRY e { p = s32[@n] parameter(0) z = s32[] constant(0) ROOT r = (s32[@n], s32[]) scan(p, z), dimensions={0}, num_carries=1, to_apply=f })",
       R"(f { c = s32[] parameter(0) s = s32[] negate(c) ROOT t = (s32[]) tuple(s) }
ENTRY e { z = s32[] constant(0) ROOT r = (s32[]) scan(z), dimensions={0}, num_carries=1, to_apply=f })",
       "scan-empty"},
      {"", "ENTRY e { p = @A[@n] parameter(0) a = (@A[@n]) tuple(p) ROOT r = ((@A[@n]), (@A[@n])) tuple(a, a) }",
       R"(ENTRY e { p = @A[@n] parameter(0) a = tuple(p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p) b = tuple(a, a, a, a, a, a, a, a)
  c = tuple(b, b, b, b, b, b, b, b) d = tuple(c, c, c, c, c, c, c, c) ROOT r = tuple(d, d, d, d, d, d, d, d, d, d, d, d, d, d, d, d, d) })",
       "tuple-too-large"},

      // Computations that lead back to themselves, that never run, that are more than one thing.
      {"", R"(f { x = s32[@n] parameter(0) ROOT y = s32[@n] negate(x) }
g { x = s32[@n] parameter(0) ROOT y = s32[@n] call(x), to_apply=f }
ENTRY e { p = s32[@n] parameter(0) ROOT r = s32[@n] call(p), to_apply=g })",
       R"(g { x = s32[@n] parameter(0) ROOT y = s32[@n] call(x), to_apply=g }
ENTRY e { p = s32[@n] parameter(0) ROOT r = s32[@n] call(p), to_apply=g })",
       "recursive-call"},
      {"", R"(g { x = s32[@n] parameter(0) ROOT y = s32[@n] negate(x) }
f { x = s32[@n] parameter(0) ROOT y = s32[@n] negate(x) }
ENTRY e { p = s32[@n] parameter(0) ROOT r = s32[@n] call(p), to_apply=g })",
       R"(g { x = s32[@n] parameter(0) ROOT y = s32[@n] negate(x) }
f { x = s32[@n] parameter(0) ROOT y = s32[@n] call(x), to_apply=g }
ENTRY e { p = s32[@n] parameter(0) ROOT r = s32[@n] negate(p) })",
       "unreachable-computation", "uncalled-computation"},
      {"", R"(g { x = s32[@n] parameter(0) ROOT y = s32[@n] negate(x) }
ENTRY e { p = s32[@n] parameter(0) ROOT r = s32[@n] call(p), to_apply=g }
f { x = s32[@n] parameter(0) ROOT y = s32[@n] negate(x) })",
       R"(g { x = s32[@n] parameter(0) ROOT y = s32[@n] negate(x) }
ENTRY e { p = s32[@n] parameter(0) ROOT r = s32[@n] call(p), to_apply=g }
f { x = s32[@n] parameter(0) ROOT y = s32[@n] fusion(x), kind=kLoop, calls=e })",
       "entry-is-fused", "uncalled-computation"},

      // What instructions take from others: recursion, dynamic shapes, origins, names.
      {"", "ENTRY e { p = f32[<=@n] parameter(0) ROOT r = f32[<=@n] negate(p) }",
       "ENTRY e { p = f32[<=@n] parameter(0) ROOT r = f32[?] negate(p) }", "unbounded-dimension"},
      {"", R"(ENTRY e { p = f32[@n] parameter(0) ROOT r = (f32[@n], f32[@n]) tuple(p, p), origin={({"a"}, {"b"})} })",
       R"(ENTRY e { p = f32[@n] parameter(0) ROOT r = (f32[@n], f32[@n]) tuple(p, p), origin={({"a"}, {"b"}, {"c"})} })",
       "origin-leaves"},
      {"renamed", R"(ENTRY e { p = f32[@n] parameter(0) ROOT r = f32[@n] negate(p), metadata={scheduling_name="r"} })",
       R"(ENTRY e { p = f32[@n] parameter(0) ROOT r = f32[@n] negate(p), metadata={scheduling_name="q"} })",
       "renamed-instruction"},
      {"", R"(f { a = f32[@n] parameter(0) ROOT r = f32[@n] negate(a) }
ENTRY e { p = f32[@n] parameter(0) ROOT r = f32[@n] call(p), to_apply=f })",
       R"(f { a = f32[@n] parameter(0) ROOT r = f32[@n] negate(a) }
ENTRY e { p = f32[@n] parameter(0) ROOT r = f32[@n] negate(p) })",
       "uncalled-computation"},
      {"", R"(f { a = f32[@n] parameter(0) ROOT r = f32[@n] negate(a) }
e { p = f32[@n] parameter(0) ROOT r = f32[@n] call(p), to_apply=f })",
       R"(f { a = f32[@n] parameter(0) ROOT r = f32[@n] negate(a) }
e { p = f32[@n] parameter(0) ROOT r = f32[@n] negate(p) })",
       "unmarked-entry"},

      // The signature of the entry computation.
      {"",
       "HloModule m, entry_computation_layout={(@R[@n]{0})->@R[@n]{0}}\nENTRY e { p = @R[@n] parameter(0) ROOT r = "
       "@R[@n] copy(p) }",
       "HloModule m, entry_computation_layout={(@R[@n]{0}, @R[@n]{0})->@R[@n]{0}}\nENTRY e { p = @R[@n] parameter(0) "
       "ROOT r = @R[@n] copy(p) }",
       "entry-layout-count"},
      {"",
       "HloModule m, entry_computation_layout={(@R[@n]{0})->@R[@n]{0}}\nENTRY e { p = @R[@n] parameter(0) ROOT r = "
       "@R[@n] copy(p) }",
       "HloModule m, entry_computation_layout={(@R[@n]{0})->@R[@n+1]{0}}\nENTRY e { p = @R[@n] parameter(0) ROOT r = "
       "@R[@n] copy(p) }",
       "entry-layout-shape"},
      {"",
       "HloModule m, entry_computation_layout={(@R[@n]{0})->@R[@n]{0}}\nENTRY e { p = @R[@n] parameter(0) ROOT r = "
       "@R[@n] copy(p) }",
       "HloModule m, entry_computation_layout={(@R[@n+1]{0})->@R[@n]{0}}\nENTRY e { p = @R[@n] parameter(0) ROOT r = "
       "@R[@n] copy(p) }",
       "entry-layout-shape"},
      {"",
       "HloModule m, input_output_alias={ {}: (0, {}, may-alias) }\nENTRY e { p = @R[@n] parameter(0) ROOT r = @R[@n] "
       "copy(p) }",
       "HloModule m, input_output_alias={ {}: (1, {}, may-alias) }\nENTRY e { p = @R[@n] parameter(0) ROOT r = @R[@n] "
       "copy(p) }",
       "module-alias"},
      {"",
       "HloModule m, input_output_alias={ {}: (0, {}, may-alias) }\nENTRY e { p = @R[@n] parameter(0) ROOT r = @R[@n] "
       "copy(p) }",
       "HloModule m, input_output_alias={ {0}: (0, {}, may-alias) }\nENTRY e { p = @R[@n] parameter(0) ROOT r = @R[@n] "
       "copy(p) }",
       "module-alias"},
      {"", "HloModule m, buffer_donor={ (0, {}) }\nENTRY e { p = @R[@n] parameter(0) ROOT r = @R[@n] copy(p) }",
       "HloModule m, buffer_donor={ (1, {}) }\nENTRY e { p = @R[@n] parameter(0) ROOT r = @R[@n] copy(p) }",
       "buffer-donor"},
      {"", "HloModule m, buffer_donor={ (0, {}) }\nENTRY e { p = @R[@n] parameter(0) ROOT r = @R[@n] copy(p) }",
       "HloModule m, buffer_donor={ (0, {0}) }\nENTRY e { p = @R[@n] parameter(0) ROOT r = @R[@n] copy(p) }",
       "buffer-donor"},

      // Callers and fusions.
      {"", R"(f { a = f32[@n] parameter(0) ROOT r = f32[@n] negate(a) }
ENTRY e { p = f32[@n] parameter(0) ROOT r = f32[@n] fusion(p), kind=kLoop, calls=f })",
       R"(f { a = f32[@n] parameter(0) ROOT r = f32[@n] negate(a) }, execution_thread="t"
ENTRY e { p = f32[@n] parameter(0) ROOT r = f32[@n] fusion(p), kind=kLoop, calls=f })",
       "thread-mismatch"},
      {"call-threads", R"(f { a = f32[@n] parameter(0) ROOT r = f32[@n] negate(a) }
ENTRY e { p = f32[@n] parameter(0) ROOT r = f32[@n] call(p), to_apply=f })",
       R"(f { a = f32[@n] parameter(0) ROOT r = f32[@n] negate(a) }, execution_thread="t"
ENTRY e { p = f32[@n] parameter(0) ROOT r = f32[@n] call(p), to_apply=f })",
       "thread-mismatch"},
      {"", R"(f { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
ENTRY e { p = f32[@n] parameter(0) z = f32[] constant(0) ROOT r = f32[] reduce(p, z), dimensions={0}, to_apply=f })",
       R"(f { a = f32[] parameter(0) b = f32[] parameter(1) t = token[] after-all() o = token[] outfeed(a, t) ROOT r = f32[] add(a, b) }
ENTRY e { p = f32[@n] parameter(0) z = f32[] constant(0) ROOT r = f32[] reduce(p, z), dimensions={0}, to_apply=f })",
       "blocking-reducer"},
      {"", R"(f { a = f32[@n] parameter(0) x = f32[@n] abs(a) ROOT r = f32[@n] negate(x) }
ENTRY e { p = f32[@n] parameter(0) ROOT r = f32[@n] fusion(p), kind=kLoop, calls=f })",
       R"(f { a = f32[@n] parameter(0) t = token[] after-all() ROOT x = f32[@n] abs(a) o = token[] outfeed(x, t) }
ENTRY e { p = f32[@n] parameter(0) ROOT r = f32[@n] fusion(p), kind=kLoop, calls=f })",
       "fused-root-used"},
      {"", R"(f { a = f32[@n] parameter(0) x = f32[@n] abs(a) ROOT r = f32[@n] negate(x) }
ENTRY e { p = f32[@n] parameter(0) ROOT r = f32[@n] fusion(p), kind=kLoop, calls=f })",
       R"(f { a = f32[@n] parameter(0) x = f32[@n] abs(a) ROOT r = f32[@n] negate(a) }
ENTRY e { p = f32[@n] parameter(0) ROOT r = f32[@n] fusion(p), kind=kLoop, calls=f })",
       "fused-unused"},
      {"", R"(f { a = f32[@n] parameter(0) ROOT r = f32[@n] negate(a) }
ENTRY e { p = f32[@n] parameter(0) ROOT r = f32[@n] fusion(p), kind=kLoop, calls=f })",
       R"(f { a = f32[@n] parameter(0) ROOT r = f32[@n] negate(a) }
ENTRY e { p = f32[@n] parameter(0) ROOT r = f32[@n] fusion(p, p), kind=kLoop, calls=f })",
       "surplus-operands"},
      {"", R"(f { a = s32[] parameter(0) b = s32[] parameter(1) ROOT r = s32[] add(a, b) }
ENTRY e { p = s32[] parameter(0) ROOT r = s32[] call(p, p), to_apply=f, is_composite=true, frontend_attributes={composite.name="n",composite.version="1"} })",
       R"(f { a = s32[] parameter(0) b = s32[] parameter(1) ROOT r = s32[] add(a, b) }
ENTRY e { p = s32[] parameter(0) ROOT r = s32[] call(p, p), to_apply=f, is_composite=true, frontend_attributes={composite.name="n",composite.version="-1"} })",
       "composite-call"},
      {"", R"(f { a = s32[] parameter(0) b = s32[] parameter(1) ROOT r = s32[] add(a, b) }
ENTRY e { p = s32[] parameter(0) ROOT r = s32[] call(p, p), to_apply=f, is_composite=true, frontend_attributes={composite.attributes={},composite.name="n"} })",
       R"(f { a = s32[] parameter(0) b = s32[] parameter(1) ROOT r = s32[] add(a, b) }
ENTRY e { p = s32[] parameter(0) ROOT r = s32[] call(p, p), to_apply=f, is_composite=true, frontend_attributes={composite.attributes="",composite.name="n"} })",
       "composite-call"},

      // Buffers.
      {"", R"(ENTRY e { p = f32[@n] parameter(0)
  b = b(f32[@n]) custom-call(p), custom_call_target="Pin", output_to_operand_aliasing={{}: (0, {})}
  ROOT u = f32[@n] custom-call(b), custom_call_target="Unpin", output_to_operand_aliasing={{}: (0, {})} })",
       R"(ENTRY e { p = f32[@n] parameter(0)
  b = b(f32[@n]) custom-call(p), custom_call_target="Pin", output_to_operand_aliasing={{}: (0, {})}
  ROOT u = f32[@n] custom-call(b), custom_call_target="Unpin" })",
       "custom-call-signature"},
      {"", R"(ENTRY e { p = f32[@n] parameter(0)
  b = b(f32[@n]) custom-call(p), custom_call_target="Pin", output_to_operand_aliasing={{}: (0, {})}
  c = b(f32[@n]) custom-call(b), custom_call_target="f", output_to_operand_aliasing={{}: (0, {})}
  ROOT u = f32[@n] custom-call(c), custom_call_target="Unpin", output_to_operand_aliasing={{}: (0, {})} })",
       R"(ENTRY e { p = f32[@n] parameter(0)
  b = b(f32[@n]) custom-call(p), custom_call_target="Pin", output_to_operand_aliasing={{}: (0, {})}
  ROOT u = f32[@n] custom-call(b), custom_call_target="f" })",
       "buffer-aliasing"},
      {"", R"(ENTRY e { p = f32[@n] parameter(0)
  b = b(f32[@n]) custom-call(p), custom_call_target="Pin", output_to_operand_aliasing={{}: (0, {})}
  ROOT u = f32[@n] custom-call(b), custom_call_target="Unpin", output_to_operand_aliasing={{}: (0, {})} })",
       R"(ENTRY e { b = b(f32[@n]) parameter(0)
  ROOT u = f32[@n] custom-call(b), custom_call_target="Unpin", output_to_operand_aliasing={{}: (0, {})} })",
       "entry-buffer"},
      {"", R"(ENTRY e { p = f32[@n] parameter(0)
  b = b(f32[@n]) custom-call(p), custom_call_target="Pin", output_to_operand_aliasing={{}: (0, {})}
  ROOT u = f32[@n] custom-call(b), custom_call_target="Unpin", output_to_operand_aliasing={{}: (0, {})} })",
       R"(ENTRY e { p = f32[@n] parameter(0)
  b = b(f32[@n]) custom-call(p), custom_call_target="Pin", output_to_operand_aliasing={{}: (0, {})}
  c = b(f32[@n]) opt-barrier(b)
  ROOT u = f32[@n] custom-call(c), custom_call_target="Unpin", output_to_operand_aliasing={{}: (0, {})} })",
       "buffer-use"},
      {"", R"(ENTRY e { p = f32[@n] parameter(0)
  b = b(f32[@n]) custom-call(p), custom_call_target="Pin", output_to_operand_aliasing={{}: (0, {})}
  c = b(f32[@n]) custom-call(b), custom_call_target="f", output_to_operand_aliasing={{}: (0, {})}
  ROOT u = f32[@n] custom-call(c), custom_call_target="Unpin", output_to_operand_aliasing={{}: (0, {})} })",
       R"(ENTRY e { p = f32[@n] parameter(0)
  b = b(f32[@n]) custom-call(p), custom_call_target="Pin", output_to_operand_aliasing={{}: (0, {})}
  c = f32[@n] custom-call(b), custom_call_target="Unpin", output_to_operand_aliasing={{}: (0, {})}
  u = f32[@n] custom-call(b), custom_call_target="Unpin", output_to_operand_aliasing={{}: (0, {})}
  ROOT s = f32[@n] add(c, u) })",
       "buffer-writers"},
  };
  return kModules;
}

}  // namespace hloscope
