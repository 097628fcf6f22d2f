// SPDX-License-Identifier: Apache-2.0
// Borders of the rules of transfers, collectives and shardings between devices, of layouts and of memory spaces.
#include "tests/support/rule_pair_rows.h"

namespace hloscope {

absl::Span<const RulePairModule> BorderModulesOfDevices() {
  static constexpr RulePairModule kModules[] = {
      // Transfers.
      {"no-collectives", R"(ENTRY e { p = f32[@n] parameter(0) t = token[] after-all()
  s = (f32[@n], u32[], token[]) send(p, t), channel_id=1, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1}}"}
  ROOT d = token[] send-done(s), channel_id=1 })",
       R"(ENTRY e { p = f32[@n] parameter(0) t = token[] after-all()
  s = (f32[@n], u32[], token[]) send(p, t), channel_id=1, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1},{0,2}}"}
  ROOT d = token[] send-done(s), channel_id=1 })",
       "transfer-pairs"},
      {"", R"(ENTRY e { p = f32[@n] parameter(0) t = token[] after-all()
  s = (f32[@n], u32[], token[]) send(p, t), channel_id=1, is_host_transfer=true
  d = token[] send-done(s), channel_id=1, is_host_transfer=true
  r = (f32[@n], u32[], token[]) send(p, d), channel_id=1, is_host_transfer=true
  ROOT o = token[] send-done(r), channel_id=1, is_host_transfer=true })",
       R"(ENTRY e { p = f32[@n] parameter(0) t = token[] after-all() q = f32[@n+1] parameter(1)
  s = (f32[@n], u32[], token[]) send(p, t), channel_id=1, is_host_transfer=true
  d = token[] send-done(s), channel_id=1, is_host_transfer=true
  r = (f32[@n+1], u32[], token[]) send(q, d), channel_id=1, is_host_transfer=true
  ROOT o = token[] send-done(r), channel_id=1, is_host_transfer=true })",
       "host-channel"},
      {"deadlocks,no-collectives", R"(HloModule m, is_scheduled=true
ENTRY e { p = f32[@n] parameter(0) t = token[] after-all()
  r = (f32[@n], u32[], token[]) recv(t), channel_id=1, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1}}"}
  s = (f32[@n], u32[], token[]) send(p, t), channel_id=1, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1}}"}
  sd = token[] send-done(s), channel_id=1
  rd = (f32[@n], token[]) recv-done(r), channel_id=1
  ROOT o = (token[], (f32[@n], token[])) tuple(sd, rd) })",
       R"(HloModule m, is_scheduled=true
ENTRY e { p = f32[@n] parameter(0) t = token[] after-all()
  s = (f32[@n], u32[], token[]) send(p, t), channel_id=1, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1}}"}
  ROOT sd = token[] send-done(s), channel_id=1 })",
       "unmatched-transfer"},

      {"deadlocks,no-collectives", R"(HloModule m, is_scheduled=true
ENTRY e { p = f32[@n] parameter(0) t = token[] after-all()
  c = f32[@n] collective-permute(p), channel_id=2, source_target_pairs={{0,1}}
  r = (f32[@n], u32[], token[]) recv(t), channel_id=1, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1}}"}
  s = (f32[@n], u32[], token[]) send(p, t), channel_id=1, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1}}"}
 sd = token[] send-done(s), channel_id=1
  rd = (f32[@n], token[]) recv-done(r), channel_id=1
  ROOT o = (token[], (f32[@n], token[]), f32[@n]) tuple(sd, rd, c) })",
       R"(HloModule m, is_scheduled=true
ENTRY e { p = f32[@n] parameter(0) t = token[] after-all()
  r = (f32[@n], u32[], token[]) recv(t), channel_id=1, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1}}"}
  c = f32[@n] collective-permute(p), channel_id=2, source_target_pairs={{0,1}}
  s = (f32[@n], u32[], token[]) send(p, t), channel_id=1, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1}}"}
 sd = token[] send-done(s), channel_id=1
  rd = (f32[@n], token[]) recv-done(r), channel_id=1
  ROOT o = (token[], (f32[@n], token[]), f32[@n]) tuple(sd, rd, c) })",
       "transfer-deadlock"},
      {"", R"(HloModule m, num_partitions=2
ENTRY e { p = f32[@n] parameter(0) t = token[] after-all()
  r = (f32[@n], u32[], token[]) recv(t), channel_id=1, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1}}"}
  s = (f32[@n], u32[], token[]) send(p, t), channel_id=1, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1}}"}
  sd = token[] send-done(s), channel_id=1
  rd = (f32[@n], token[]) recv-done(r), channel_id=1
  ROOT o = (token[], (f32[@n], token[])) tuple(sd, rd) })",
       R"(HloModule m, num_partitions=2
ENTRY e { p = f32[@n] parameter(0) t = token[] after-all()
  s = (f32[@n], u32[], token[]) send(p, t), channel_id=1, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1}}"}
  ROOT sd = token[] send-done(s), channel_id=1 })",
       "collective-deadlock"},
      {"", R"(HloModule m, is_scheduled=true, num_partitions=2
ENTRY e { p = f32[@n] parameter(0)
  s = (f32[@n], f32[@n]) collective-permute-start(p), channel_id=1, source_target_pairs={{0,1}}
  d = f32[@n] collective-permute-done(s)
  t = (f32[@n], f32[@n]) collective-permute-start(p), channel_id=1, source_target_pairs={{0,1}}
  f = f32[@n] collective-permute-done(t) ROOT r = (f32[@n], f32[@n]) tuple(d, f) })",
       R"(HloModule m, is_scheduled=true, num_partitions=2
ENTRY e { p = f32[@n] parameter(0)
  s = (f32[@n], f32[@n]) collective-permute-start(p), channel_id=1, source_target_pairs={{0,1}}
  t = (f32[@n], f32[@n]) collective-permute-start(p), channel_id=1, source_target_pairs={{0,1}}
  d = f32[@n] collective-permute-done(s)
  f = f32[@n] collective-permute-done(t) ROOT r = (f32[@n], f32[@n]) tuple(d, f) })",
       "channel-in-flight"},

      // Collectives.
      {"", R"(f { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
ENTRY e { p = f32[@n] parameter(0) a = f32[@n] all-reduce(p), replica_groups={{0,1}}, to_apply=f, constrain_layout=true
  ROOT r = f32[@n] all-reduce(a), replica_groups={{0,1}}, to_apply=f, constrain_layout=true })",
       R"(f { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
ENTRY e { p = f32[@n] parameter(0) a = f32[@n] all-reduce(p), replica_groups={{0,1}}, to_apply=f, constrain_layout=true
  ROOT r = f32[@n] all-reduce(a), replica_groups={{0,1}}, to_apply=f })",
       "constrain-layout-mix"},
      {"", R"(f { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
ENTRY e { p = f32[@n] parameter(0) ROOT a = f32[@n] all-reduce(p), channel_id=1, replica_groups={{0,1}}, to_apply=f })",
       R"(f { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
ENTRY e { p = f32[@n] parameter(0) ROOT a = f32[@n] all-reduce(p), channel_id=0, replica_groups={{0,1}}, to_apply=f })",
       "channel-id"},
      {"",
       R"(ENTRY e { a = f32[@n,4] parameter(0) b = f32[@n,4] parameter(1) k = s32[] constant(0) i = (s32[], s32[]) tuple(k, k)
  ROOT r = f32[@n,4] collective-permute(a, b, i, i), source_target_pairs={{0,1}}, slice_sizes={{1,1}} })",
       R"(ENTRY e { a = f32[@n,4] parameter(0) b = f32[@n,4] parameter(1) k = s32[] constant(0) i = (s32[], s32[]) tuple(k, k) j = (s32[]) tuple(k)
  ROOT r = f32[@n,4] collective-permute(a, b, i, j), source_target_pairs={{0,1}}, slice_sizes={{1,1}} })",
       "in-place-permute"},
      {"", R"(ENTRY e { x = f32[@n] parameter(0) o = f32[@m] parameter(1) i = s32[2] parameter(2)
  ROOT r = f32[@m] ragged-all-to-all(x, o, i, i, i, i), replica_groups={{0,1}} })",
       R"(ENTRY e { x = f32[@n] parameter(0) o = f32[@m] parameter(1) i = s32[2] parameter(2) j = s32[4] parameter(3)
  ROOT r = f32[@m] ragged-all-to-all(x, o, i, i, j, i), replica_groups={{0,1}} })",
       "ragged-operands"},

      // Shardings.
      {"", R"(b { p = f32[@n*2] parameter(0) ROOT r = f32[@n*2] negate(p), sharding={devices=[2]0,1} }
c { p = f32[@n*2] parameter(0) ROOT r = pred[] constant(false) }
ENTRY e { p = f32[@n*2] parameter(0) ROOT w = f32[@n*2] while(p), condition=c, body=b, sharding={devices=[2]0,1} })",
       R"(b { p = f32[@n*2] parameter(0) ROOT r = f32[@n*2] negate(p), sharding={devices=[2]0,1} }
c { p = f32[@n*2] parameter(0) ROOT r = pred[] constant(false) }
ENTRY e { p = f32[@n*2] parameter(0) ROOT w = f32[@n*2] while(p), condition=c, body=b, sharding={replicated} })",
       "sharding-disagreement"},

      // Layouts and memory spaces.
      {"", "ENTRY e { p = @R[@n,@m]{0,1} parameter(0) ROOT r = @R[@n,@m]{0,1} copy(p) }",
       "ENTRY e { p = @R[@n,@m]{0,1} parameter(0) ROOT r = @R[@n,@m]{0,0} copy(p) }", "layout-permutation"},
      {"layout-sensitive", "ENTRY e { p = @R[@n,@m]{0,1} parameter(0) ROOT r = @R[@n,@m]{0,1} add(p, p) }",
       "ENTRY e { p = @R[@n,@m]{0,1} parameter(0) ROOT r = @R[@n,@m]{1,0} add(p, p) }", "layout-change"},
      {"layout-sensitive", "ENTRY e { p = f32[@n,@m] parameter(0) ROOT r = u32[@m,@n] bitcast(p) }",
       "ENTRY e { p = f32[@n,@m] parameter(0) ROOT r = u16[@m,@n] bitcast(p) }", "bitcast-size"},
      {"layout-sensitive",
       "ENTRY e { p = f32[@n,@m]{1,0:S(5)} parameter(0) z = s32[] constant(0) ROOT r = f32[1,@m]{1,0} dynamic-slice(p, "
       "z, z), dynamic_slice_sizes={1,@m} }",
       "ENTRY e { p = f32[@n,@m]{1,0} parameter(0) z = s32[] constant(0) ROOT r = f32[1,@m]{1,0:S(5)} dynamic-slice(p, "
       "z, z), dynamic_slice_sizes={1,@m} }",
       "memory-space"},
      {"layout-sensitive", "ENTRY e { p = f32[@n,@m]{1,0} parameter(0) ROOT r = f32[@n,@m]{1,0} negate(p) }",
       "ENTRY e { p = f32[@n,@m]{1,0} parameter(0) ROOT r = f32[@n,@m]{1,0:S(5)} negate(p) }", "memory-space"},
      {"layout-sensitive", "ENTRY e { p = f32[@n,@m]{1,0} parameter(0) ROOT r = f32[@m,@n]{1,0} bitcast(p) }",
       "ENTRY e { p = f32[@n,@m]{1,0} parameter(0) ROOT r = f32[@m,@n]{1,0:S(5)} bitcast(p) }", "host-memory"},
      {"host-memory", "ENTRY e { p = f32[@n,@m]{1,0:S(1)} parameter(0) ROOT r = f32[@n,@m]{1,0} copy(p) }",
       "ENTRY e { p = f32[@n,@m]{1,0:S(5)} parameter(0) ROOT r = f32[@n,@m]{1,0} copy(p) }", "host-memory"},
      {"free-reshapes",
       "ENTRY e { p = f32[@n,@m]{1,0} parameter(0) ROOT r = f32[@n*2,@m]{1,0} concatenate(p, p), dimensions={0} }",
       "ENTRY e { p = f32[@n,@m]{0,1} parameter(0) ROOT r = f32[@m,@n]{1,0} reshape(p) }", "reshape-moves-data"},
      {"", "ENTRY e { p = f32[@n,@m]{1,0:T(8,128)} parameter(0) ROOT r = f32[@n,@m]{1,0} copy(p) }",
       "ENTRY e { p = f32[@n,@m]{1,0:T(0,128)} parameter(0) ROOT r = f32[@n,@m]{1,0} copy(p) }", "unusable-layout"},
      {"layout-sensitive",
       R"(ENTRY e { p = f32[@n] parameter(0) ROOT c = f32[@n] custom-call(p), custom_call_target="f", output_to_operand_aliasing={{}: (0, {})} })",
       R"(ENTRY e { p = f32[@n]{0:S(1)} parameter(0) ROOT c = f32[@n] custom-call(p), custom_call_target="f", output_to_operand_aliasing={{}: (0, {})} })",
       "operand-aliasing"},
      {"layout-sensitive", R"(f { a = f32[@n,@m]{0,1} parameter(0) ROOT r = f32[@n,@m]{0,1} negate(a) }
ENTRY e { p = f32[@n,@m]{0,1} parameter(0) ROOT r = f32[@n,@m]{0,1} call(p), to_apply=f })",
       R"(f { a = f32[@n,@m]{0,1} parameter(0) ROOT r = f32[@n,@m]{0,1} negate(a) }
ENTRY e { p = f32[@n,@m]{1,0} parameter(0) ROOT r = f32[@n,@m]{0,1} call(p), to_apply=f })",
       "argument-shape"},
      {"layout-sensitive", "ENTRY e { p = f32[@n,@m]{0,1} parameter(0) ROOT t = (f32[@n,@m]{0,1}) tuple(p) }",
       "ENTRY e { p = f32[@n,@m]{0,1} parameter(0) ROOT t = (f32[@n,@m]{1,0}) tuple(p) }", "declared-shape"},
      {"layout-sensitive",
       "HloModule m, entry_computation_layout={(f32[@n,@m]{0,1})->f32[@n,@m]{0,1}}\nENTRY e { p = f32[@n,@m]{0,1} "
       "parameter(0) ROOT r = f32[@n,@m]{0,1} negate(p) }",
       "HloModule m, entry_computation_layout={(f32[@n,@m]{1,0})->f32[@n,@m]{0,1}}\nENTRY e { p = f32[@n,@m]{0,1} "
       "parameter(0) ROOT r = f32[@n,@m]{0,1} negate(p) }",
       "entry-layout-shape"},
      {"layout-sensitive",
       R"(f { x = f32[] parameter(0) c = f32[] parameter(1) s = f32[] add(x, c) ROOT t = (f32[], f32[]) tuple(s, s) }
ENTRY e { p = f32[@n] parameter(0) z = f32[] constant(0) ROOT r = (f32[@n], f32[]) scan(p, z), dimensions={0}, is_reverse=false, num_carries=1, is_associative=true, to_apply=f })",
       R"(f { x = f32[] parameter(0) c = f32[] parameter(1) s = f32[] add(x, c) ROOT t = (f32[], f32[]) tuple(s, s) }
ENTRY e { p = f32[@n] parameter(0) z = f32[] constant(0) ROOT r = (f32[@n], f32[]) scan(p, z), dimensions={0}, is_reverse=false, num_carries=1, to_apply=f })",
       "scan-not-expanded"},

      // Custom calls.
      {"", R"(f { a = f32[] parameter(0) ROOT r = f32[] negate(a) }
ENTRY e { p = f32[@n] parameter(0) ROOT r = f32[@n] custom-call(p), custom_call_target="t", called_computations={f} })",
       R"(f { a = f32[] parameter(0) ROOT r = f32[] negate(a) }
ENTRY e { p = f32[@n] parameter(0) ROOT r = f32[@n] custom-call(p), custom_call_target="t", to_apply=f, called_computations={f} })",
       "two-callees"},
  };
  return kModules;
}

}  // namespace hloscope
