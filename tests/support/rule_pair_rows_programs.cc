// SPDX-License-Identifier: Apache-2.0
// Borders of the rules of calls, loops, branches, transfers, collectives, asynchronous pairs, aliases and shardings.
#include "absl/strings/str_cat.h"
#include "tests/support/rule_pair_rows.h"

namespace hloscope {

absl::Span<const RulePairRow> BorderRowsOfPrograms() {
  static constexpr RulePairRow kRows[] = {
      {"after-all token[], token[] -> token[]", "after-all token[], f32[@n] -> token[]", "operand-not-token"},
      {"outfeed @A[@n], token[] -> token[]", "outfeed @A[@n], @A[@n] -> token[]", "operand-not-token"},
      {"outfeed{outfeed_shape=f32[@n]} f32[@n], token[] -> token[]",
       "outfeed{outfeed_shape=f32[@n+1]} f32[@n], token[] -> token[]", "outfeed-shape"},
      {"infeed token[] -> (@A[@n], token[])", "infeed @A[@n] -> (@A[@n], token[])", "operand-not-token"},
      {"infeed token[] -> (@A[@n], token[])", "infeed token[] -> @A[@n]", "transfer-shape"},
      {"fusion{kind=kLoop, calls=add_s32} s32[], s32[] -> s32[]",
       "fusion{kind=kLoop, calls=add_s32} s32[], s32[@n] -> s32[]", "argument-shape"},
      {"fusion{kind=kLoop, calls=add_s32} s32[], s32[] -> s32[]", "fusion{kind=kLoop, calls=add_s32} s32[] -> s32[]",
       "argument-count"},
      {"fusion{kind=kLoop, calls=add_s32} s32[], s32[] -> s32[]",
       "fusion{kind=kLoop, calls=add_s32} s32[], s32[] -> s32[@n]", "declared-shape"},
      {"fusion{kind=kLoop, calls=add_s32, output_to_operand_aliasing={{}: (0, {})}} s32[], s32[] -> s32[]",
       "fusion{kind=kLoop, calls=add_s32, output_to_operand_aliasing={{}: (2, {})}} s32[], s32[] -> s32[]",
       "operand-aliasing"},
      {"custom-call{custom_call_target=\"f\", operand_layout_constraints={f32[@n]{0}}} f32[@n] -> f32[@n]",
       "custom-call{custom_call_target=\"f\", operand_layout_constraints={f32[@n+1]{0}}} f32[@n] -> f32[@n]",
       "layout-constraint"},
      {"custom-call{custom_call_target=\"f\", operand_layout_constraints={f32[@n]{0}}} f32[@n] -> f32[@n]",
       "custom-call{custom_call_target=\"f\", operand_layout_constraints={f32[@n]{0}, f32[@n]{0}}} f32[@n] -> f32[@n]",
       "layout-constraint"},
      {"custom-call{custom_call_target=\"f\", output_to_operand_aliasing={{}: (0, {})}} f32[@n] -> f32[@n]",
       "custom-call{custom_call_target=\"f\", output_to_operand_aliasing={{}: (1, {})}} f32[@n] -> f32[@n]",
       "operand-aliasing"},
      {"custom-call{custom_call_target=\"f\", output_to_operand_aliasing={{}: (0, {})}} f32[@n] -> f32[@n]",
       "custom-call{custom_call_target=\"f\", output_to_operand_aliasing={{}: (0, {})}} f32[@n] -> f32[@n+1]",
       "operand-aliasing"},
      {"custom-call{custom_call_target=\"f\", output_to_operand_aliasing={{}: (0, {})}} f32[@n] -> f32[@n]",
       "custom-call{custom_call_target=\"f\", output_to_operand_aliasing={{0}: (0, {})}} f32[@n] -> f32[@n]",
       "operand-aliasing"},
      {"all-reduce{replica_groups={{0,1}}, channel_id=1, use_global_device_ids=true, to_apply=add_s32} s32[@n] -> "
       "s32[@n]",
       "all-reduce{replica_groups={{0,1}}, use_global_device_ids=true, to_apply=add_s32} s32[@n] -> s32[@n]",
       "global-device-ids"},
      {"all-gather{dimensions={0}, replica_groups={{0,1}}} @A[@n] -> @A[@n*2]",
       "all-gather{dimensions={0}, replica_groups={{0,1},{1,2}}} @A[@n] -> @A[@n*2]", "replica-groups"},
      {"reduce-scatter{dimensions={0}, replica_groups={{0,1}}, to_apply=add_s32} s32[@n*2] -> s32[@n]",
       "reduce-scatter{dimensions={0}, replica_groups={{0,1}}, to_apply=add_s32} s32[@n*2] -> s32[@n*2]",
       "declared-shape"},
      {"negate{sharding={devices=[2]0,1}} @F[@n] -> @F[@n]", "negate{sharding={devices=[2]0,0}} @F[@n] -> @F[@n]",
       "sharding-device"},
      {"negate{sharding={devices=[2]0,1}} @F[@n] -> @F[@n]", "negate{sharding={devices=[2,1]0,1}} @F[@n] -> @F[@n]",
       "sharding-rank"},
      {"negate{sharding={devices=[2]0,1}} @F[@n] -> @F[@n]", "negate{sharding={maximal device=-1}} @F[@n] -> @F[@n]",
       "sharding-device"},
      {"negate{sharding={devices=[2]0,1}} @F[@n] -> @F[@n]",
       "negate{sharding={{replicated}, {replicated}}} @F[@n] -> @F[@n]", "sharding-leaves"},
      {"negate{sharding={mesh['x'=2], [{'x'}]}} @F[@n] -> @F[@n]",
       "negate{sharding={mesh['x'=2], [{'x'}, {}]}} @F[@n] -> @F[@n]", "sharding-rank"},
      {"tuple{sharding={{replicated}, {replicated}}} @F[@n], @F[@n] -> (@F[@n], @F[@n])",
       "tuple{sharding={{replicated}}} @F[@n], @F[@n] -> (@F[@n], @F[@n])", "sharding-leaves"},
      {"get-tuple-element{index=0} (@A[@n]) -> @A[@n]", "get-tuple-element{index=0} @A[@n] -> @A[@n]",
       "operand-not-tuple"},
      {"domain{domain={kind=\"sharding\", entry={replicated}, exit={replicated}}} @A[@n] -> @A[@n]",
       "domain{domain={kind=\"sharding\", entry={replicated}, exit={replicated}}} @A[@n] -> @A[@n+1]",
       "declared-shape"},
      {"collective-broadcast{replica_groups={{0,1}}} @A[@n] -> @A[@n]",
       "collective-broadcast{replica_groups={{0,1},{1,2}}} @A[@n] -> @A[@n]", "replica-groups"},
      {"collective-broadcast{replica_groups={{0,1}}, has_dynamic_root=true} s32[@n], s32[1] -> s32[@n]",
       "collective-broadcast{replica_groups={{0,1}}, has_dynamic_root=true} s32[@n], f32[1] -> s32[@n]",
       "operand-element-type"},
      {"all-to-all{dimensions={0}, replica_groups={{0,1}}} @A[@n*2] -> @A[@n*2]",
       "all-to-all{dimensions={1}, replica_groups={{0,1}}} @A[@n*2] -> @A[@n*2]", "dimension-out-of-range"},
      {"call{to_apply=add_s32} s32[], s32[] -> s32[]",
       "call{to_apply=add_s32, is_composite=true} s32[], s32[] -> s32[]", "composite-call"},
  };
  return kRows;
}

std::string ModuleAroundLines(absl::string_view lines) {
  static constexpr absl::string_view kComputations = R"(HloModule m

sum { a = s32[] parameter(0) b = s32[] parameter(1) ROOT c = s32[] add(a, b) }
neg { a = s32[@n] parameter(0) ROOT c = s32[@n] negate(a) }
flip { a = s32[@n] parameter(0) ROOT c = s32[@n] abs(a) }
wrap { a = s32[@n] parameter(0) ROOT c = s32[@n] negate(a) }
wide { a = s32[@n] parameter(0) z = s32[] constant(0) ROOT c = s32[@n+1] pad(a, z), padding=0_1 }
two { a = s32[@n] parameter(0) b = s32[@n] parameter(1) ROOT c = s32[@n] add(a, b) }
less { a = s32[@n] parameter(0) ROOT c = pred[] constant(false) }
notpred { a = s32[@n] parameter(0) ROOT c = s32[] constant(0) }
otherless { a = s32[@n+1] parameter(0) ROOT c = pred[] constant(false) }
)";
  return absl::StrCat(kComputations,
                      "ENTRY e {\n  p = s32[@n] parameter(0)\n  i = s32[] parameter(1)\n  q = pred[] parameter(2)\n"
                      "  t = token[] after-all()\n",
                      lines, "\n}\n");
}

absl::Span<const RulePairRow> BorderRowsOfModules() {
  static constexpr RulePairRow kRows[] = {
      {"  ROOT r = s32[@n] while(p), condition=less, body=neg",
       "  ROOT r = s32[@n] while(p), condition=notpred, body=neg", "callee-result"},
      {"  ROOT r = s32[@n] while(p), condition=less, body=neg",
       "  ROOT r = s32[@n] while(p), condition=otherless, body=neg", "argument-shape"},
      {"  ROOT r = s32[@n] while(p), condition=less, body=neg", "  ROOT r = s32[@n] while(p), condition=less, body=two",
       "argument-count"},
      {"  ROOT r = s32[@n] while(p), condition=less, body=neg",
       "  ROOT r = s32[@n] while(p), condition=less, body=wide", "callee-result"},
      {"  ROOT r = s32[@n] while(p), condition=less, body=neg",
       "  ROOT r = s32[@n+1] while(p), condition=less, body=neg", "declared-shape"},
      {"  ROOT r = s32[@n] conditional(i, p, p), branch_computations={neg, flip}",
       "  ROOT r = s32[@n] conditional(p, p, p), branch_computations={neg, flip}", "branch-selector"},
      {"  ROOT r = s32[@n] conditional(i, p, p), branch_computations={neg, flip}",
       "  ROOT r = s32[@n] conditional(i, p), branch_computations={neg, flip}", "operand-count"},
      {"  ROOT r = s32[@n] conditional(i, p, p), branch_computations={neg, flip}",
       "  ROOT r = s32[@n] conditional(i, p, p), branch_computations={neg, wide}", "callee-result"},
      {"  ROOT r = s32[@n] conditional(i, p, p), branch_computations={neg, flip}",
       "  ROOT r = s32[@n] conditional(i, p, p), branch_computations={neg, two}", "argument-count"},
      {"  ROOT r = s32[@n] conditional(q, p, p), true_computation=neg, false_computation=flip",
       "  ROOT r = s32[@n] conditional(i, p, p), true_computation=neg, false_computation=flip", "branch-attributes"},
      {"  ROOT r = s32[@n] conditional(q, p, p), true_computation=neg, false_computation=flip",
       "  ROOT r = s32[@n+1] conditional(q, p, p), true_computation=neg, false_computation=flip", "declared-shape"},
      {"  ROOT r = s32[@n] call(p), to_apply=neg", "  ROOT r = s32[@n+1] call(p), to_apply=neg", "declared-shape"},
      {"  s = (s32[@n], s32[@n*2]) all-gather-start(p), dimensions={0}, replica_groups={{0,1}}\n  ROOT r = s32[@n*2] "
       "all-gather-done(s)",
       "  s = (s32[@n], s32[@n*2+1]) all-gather-start(p), dimensions={0}, replica_groups={{0,1}}\n  ROOT r = "
       "s32[@n*2+1] all-gather-done(s)",
       "declared-shape"},
      {"  s = (s32[@n], s32[@n*2]) all-gather-start(p), dimensions={0}, replica_groups={{0,1}}\n  ROOT r = s32[@n*2] "
       "all-gather-done(s)",
       "  s = (s32[@n], s32[@n*2]) all-gather-start(p), dimensions={0}, replica_groups={{0,1}}\n  ROOT r = s32[@n] "
       "all-gather-done(s)",
       "declared-shape"},
      {"  s = (s32[@n], s32[@n*2]) all-gather-start(p), dimensions={0}, replica_groups={{0,1}}\n  ROOT r = s32[@n*2] "
       "all-gather-done(s)",
       "  s = (s32[@n], s32[@n*2]) all-gather-start(p), dimensions={0}, replica_groups={{0,1}}\n  ROOT r = s32[@n] "
       "negate(p)",
       "start-without-done"},
      {"  s = s32[@n] all-reduce-start(p), replica_groups={{0,1}}, to_apply=sum\n  ROOT r = s32[@n] all-reduce-done(s)",
       "  s = s32[@n+1] all-reduce-start(p), replica_groups={{0,1}}, to_apply=sum\n  ROOT r = s32[@n+1] "
       "all-reduce-done(s)",
       "declared-shape"},
      {"  s = s32[@n] all-reduce-start(p), replica_groups={{0,1}}, to_apply=sum\n  ROOT r = s32[@n] all-reduce-done(s)",
       "  s = s32[@n] all-reduce-start(p), replica_groups={{0,1}}, to_apply=sum\n  ROOT r = s32[@n+1] "
       "all-reduce-done(s)",
       "declared-shape"},
      {"  s = s32[@n] all-reduce-start(p), replica_groups={{0,1}}, to_apply=sum\n  ROOT r = s32[@n] all-reduce-done(s)",
       "  s = s32[@n] all-reduce-start(p), replica_groups={{0,0}}, to_apply=sum\n  ROOT r = s32[@n] all-reduce-done(s)",
       "replica-groups"},
      {"  s = s32[@n] all-reduce-start(p), replica_groups={{0,1}}, to_apply=sum\n  ROOT r = s32[@n] all-reduce-done(s)",
       "  ROOT r = s32[@n] all-reduce-done(p)", "async-producer"},
      {"  s = (s32[@n], s32[@n]) collective-permute-start(p), source_target_pairs={{0,1}}\n  ROOT r = s32[@n] "
       "collective-permute-done(s)",
       "  s = (s32[@n], s32[@n]) collective-permute-start(p), source_target_pairs={{0,1},{0,2}}\n  ROOT r = s32[@n] "
       "collective-permute-done(s)",
       "source-target-pairs"},
      {"  s = (s32[@n], s32[@n]) collective-permute-start(p), source_target_pairs={{0,1}}\n  ROOT r = s32[@n] "
       "collective-permute-done(s)",
       "  s = (s32[@n], s32[@n+1]) collective-permute-start(p), source_target_pairs={{0,1}}\n  ROOT r = s32[@n+1] "
       "collective-permute-done(s)",
       "declared-shape"},
      {"  s = (s32[@n], s32[@n]) collective-permute-start(p), source_target_pairs={{0,1}}\n  ROOT r = s32[@n] "
       "collective-permute-done(s)",
       "  s = (s32[@n], s32[@n]) collective-permute-start(p), source_target_pairs={{0,1}}\n  ROOT r = s32[@n+1] "
       "collective-permute-done(s)",
       "declared-shape"},
      {"  s = (s32[@n], s32[@n], u32[]) copy-start(p)\n  ROOT r = s32[@n] copy-done(s)",
       "  s = (s32[@n], s32[@n], u32[]) copy-start(p)\n  ROOT r = s32[@n+1] copy-done(s)", "declared-shape"},
      {"  s = (s32[@n], s32[@n], u32[]) copy-start(p)\n  ROOT r = s32[@n] copy-done(s)",
       "  s = (s32[@n], s32[@n], s32[]) copy-start(p)\n  ROOT r = s32[@n] copy-done(s)", "declared-shape"},
      {"  s = (s32[@n], s32[@n], u32[]) copy-start(p)\n  ROOT r = s32[@n] copy-done(s)",
       "  s = (s32[@n], s32[@n], u32[]) copy-start(p)\n  d = s32[@n] copy-done(s)\n  ROOT r = s32[@n] copy-done(s)",
       "several-dones"},
      {"  s = ((s32[@n]), s32[@n], u32[]) async-start(p), calls=wrap\n  ROOT r = s32[@n] async-done(s)",
       "  s = ((s32[@n]), s32[@n], u32[]) async-start(p), calls=wrap\n  ROOT r = s32[@n+1] async-done(s)",
       "declared-shape"},
      {"  s = ((s32[@n]), s32[@n], u32[]) async-start(p), calls=wrap\n  ROOT r = s32[@n] async-done(s)",
       "  s = ((s32[@n]), s32[@n], u32[]) async-start(p), calls=wrap\n  ROOT r = s32[@n] negate(p)",
       "start-without-done"},
      {"  s = (s32[@n], u32[], token[]) send(p, t), channel_id=1, is_host_transfer=true\n  ROOT r = token[] "
       "send-done(s), channel_id=1, is_host_transfer=true",
       "  s = (s32[@n], u32[], token[]) send(p, t), channel_id=1, is_host_transfer=true\n  ROOT r = token[] "
       "send-done(s), channel_id=2, is_host_transfer=true",
       "transfer-channel"},
      {"  s = (s32[@n], u32[], token[]) send(p, t), channel_id=1, is_host_transfer=true\n  ROOT r = token[] "
       "send-done(s), channel_id=1, is_host_transfer=true",
       "  s = (s32[@n], u32[], token[]) send(p, t), channel_id=1, is_host_transfer=true\n  ROOT r = token[] "
       "send-done(s), channel_id=1",
       "transfer-channel"},
      {"  s = (s32[@n], u32[], token[]) send(p, t), channel_id=1, is_host_transfer=true\n  ROOT r = token[] "
       "send-done(s), channel_id=1, is_host_transfer=true",
       "  ROOT s = (s32[@n], u32[], token[]) send(p, t), channel_id=1, is_host_transfer=true", "transfer-consumer"},
      {"  s = (s32[@n], u32[], token[]) recv(t), channel_id=1, is_host_transfer=true\n  ROOT r = (s32[@n], token[]) "
       "recv-done(s), channel_id=1, is_host_transfer=true",
       "  s = (s32[@n], u32[], token[]) recv(t), channel_id=1, is_host_transfer=true\n  ROOT r = (s32[@n+1], token[]) "
       "recv-done(s), channel_id=1, is_host_transfer=true",
       "ignored-shape"},
      {"  s = (s32[@n], u32[], token[]) recv(t), channel_id=1, is_host_transfer=true\n  ROOT r = (s32[@n], token[]) "
       "recv-done(s), channel_id=1, is_host_transfer=true",
       "  s = (s32[@n], u32[], token[]) recv(t), channel_id=1, is_host_transfer=true\n  ROOT r = (s32[@n], token[]) "
       "recv-done(s), channel_id=3, is_host_transfer=true",
       "transfer-channel"},
      {"  s = (s32[@n], u32[], token[]) recv(t), channel_id=1, is_host_transfer=true\n  ROOT r = (s32[@n], token[]) "
       "recv-done(s), channel_id=1, is_host_transfer=true",
       "  s = (s32[@n], s32[], token[]) recv(t), channel_id=1, is_host_transfer=true\n  ROOT r = (s32[@n], token[]) "
       "recv-done(s), channel_id=1, is_host_transfer=true",
       "ignored-shape"},
      {"  a = s32[@n] negate(p)\n  ROOT r = s32[@n] negate(p), control-predecessors={a}",
       "  a = s32[@n] negate(p), control-predecessors={r}\n  ROOT r = s32[@n] negate(a)", "used-before-definition"},

      {"  ROOT r = s32[@n] fusion(p), kind=kLoop, calls=neg", "  ROOT r = s32[@n] fusion(p), kind=kLoop, calls=two",
       "argument-count"},
      {"  a = s32[@n] fusion(p), kind=kLoop, calls=neg\n  ROOT r = s32[@n] fusion(p), kind=kLoop, calls=flip",
       "  a = s32[@n] fusion(p), kind=kLoop, calls=neg\n  ROOT r = s32[@n] fusion(a), kind=kLoop, calls=neg",
       "shared-fusion"},
      {"  s = ((s32[@n]), s32[@n], u32[]) custom-call-start(p), custom_call_target=\"f\"\n  ROOT r = s32[@n] "
       "custom-call-done(s)",
       "  s = ((s32[@n]), s32[@n], u32[]) custom-call-start(p), custom_call_target=\"f\"\n  ROOT r = s32[@n+1] "
       "custom-call-done(s)",
       "declared-shape"},
      {"  o = token[] outfeed(p, t)\n  ROOT r = token[] outfeed(p, o)",
       "  o = token[] outfeed(p, t)\n  ROOT r = token[] outfeed(p, t)", "unordered-transfers"},
      {"  ROOT r = s32[@n] all-reduce(p), replica_groups={{0,1},{2,3}}, to_apply=sum",
       "  ROOT r = s32[@n] all-reduce(p), replica_groups={{0,1},{1,2}}, to_apply=sum", "replica-groups"},
  };
  return kRows;
}

}  // namespace hloscope
