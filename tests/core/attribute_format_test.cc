// SPDX-License-Identifier: Apache-2.0
// The grammar of attributes (docs/text-format.md 6.6-6.17), and old spellings (9), production by production: what is
// accepted, and what is rejected with which code.
#include <string>

#include "gtest/gtest.h"
#include "tests/support/format_rows.h"

namespace hloscope {
namespace {

// Where the fragment of a row is.
constexpr char kAttributeFormatText[] = "$";
constexpr char kAttributeFormatHeader[] =
    "HloModule m$\nENTRY e { a = f32[4] parameter(0) b = (f32[4], f32[8]) parameter(1) "
    "b0 = f32[4] get-tuple-element(b), index=0 ROOT r = (f32[4], f32[4]) tuple(a, b0) }";
constexpr char kAttributeFormatBody[] =
    "HloModule m\n"
    "sum { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }\n"
    "neg { x = f32[] parameter(0) ROOT n = f32[] negate(x) }\n"
    "less { x = f32[] parameter(0) y = f32[] parameter(1) ROOT c = pred[] compare(x, y), direction=LT }\n"
    "ENTRY e { p = f32[4] parameter(0) q = f32[4] parameter(1) z = f32[] constant(0) "
    "m = f32[4,4] parameter(2) t = (f32[4], (s32[], f32[4])) parameter(3) i = s32[] constant(1) "
    "c = pred[] constant(true)\n$\n}";
constexpr char kAttributeFormatShape[] = "ENTRY e { ROOT p = $ parameter(0) }";
constexpr char kAttribute[] = "ENTRY e { ROOT p = f32[4,4] parameter(0), $ }";
constexpr char kTuple[] = "ENTRY e { ROOT p = (f32[4], (f32[4], f32[4])) parameter(0), $ }";
constexpr char kGroups[] =
    "sum { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }\n"
    "ENTRY e { x = f32[8] parameter(0) ROOT a = f32[8] all-reduce(x), to_apply=sum, $ }";
constexpr char kWindow[] =
    "sum { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }\n"
    "ENTRY e { x = f32[8,8] parameter(0) z = f32[] constant(0) "
    "ROOT a = f32[7,7] reduce-window(x, z), to_apply=sum, window=$ }";
constexpr char kLabels[] =
    "ENTRY e { x = f32[1,8,8,4] parameter(0) k = f32[3,3,4,8] parameter(1) "
    "ROOT c = f32[1,6,6,8] convolution(x, k), window={size=3x3}, dim_labels=$ }";
constexpr char kAttributeFormatCall[] =
    "f { x = f32[] parameter(0) ROOT n = f32[] negate(x) }\n"
    "ENTRY e { x = f32[] parameter(0) ROOT r = f32[4]{0} custom-call(x), $ }";

TEST(AttributeFormat, AttributeLists) {
  ExpectCodes({
      {kAttributeFormatBody, "r = f32[2] slice(p), metadata={op_name=\"a\"}, slice={[0:2]}"},
      {kAttributeFormatBody, "r = f32[2] slice(p), slice= {[0:2]}"},
      {kAttributeFormatBody, "r = f32[2] slice(p), slice ={[0:2]}", "attribute-apart"},
      {kAttributeFormatBody, "r = f32[2] slice(p), slice={[0:2]},", "surplus-comma"},
      {kAttributeFormatBody, "r = f32[2] slice(p) slice={[0:2]}", "missing-comma"},
      {kAttributeFormatBody, "r = f32[2] slice(p)", "missing-attribute"},
      {kAttributeFormatBody, "r = f32[2] slice(p), slice={[0:2]}, slice={[0:2]}", "duplicate-attribute"},
      {kAttributeFormatBody, "r = f32[2] slice(p), slices={[0:2]}, slice={[0:2]}", "unknown-attribute"},
      {kAttributeFormatBody, "r = f32[2] slice(p), slice={[0:2}", "unclosed-bracket"},
      {kAttributeFormatBody, "r = f32[2] slice(p), slice=", "missing-value"},
      {kAttributeFormatBody, "r = f32[2] slice(p), slice={[0:2:1]}"},
      {kAttributeFormatBody, "r = f32[] slice(z), slice={}"},
      {kAttributeFormatBody, "r = f32[2] slice(p), slice={[-1:2]}"},
      {kAttributeFormatBody, "r = f32[2] slice(p), slice={[0,2]}", "bad-value"},
  });
}

TEST(AttributeFormat, CommonAttributes) {
  ExpectCodes({
      {kAttributeFormatBody, "r = f32[4] add(p, q), control-predecessors={p, %q}"},
      {kAttributeFormatBody, "r = f32[4] add(p, q), control-predecessors={}", "bad-value"},
      {kAttributeFormatBody, "r = f32[4] add(p, q), control-predecessors={nosuch}", "unknown-instruction"},
      {kAttributeFormatBody, "r = f32[4] add(p, q), control_predecessors={p}", "unknown-attribute"},
      {kTuple, "parameter_replication={true,false,true}"},
      {kAttribute, "statistics={}"},
      {kAttribute, "statistics={visualizing_index=1,nan_count=0,abs_max=3.5}"},
      {kAttribute, "statistics={visualizing_index=1.5}", "expected-integer"},
      {kAttribute, "statistics={visualizing_index=1,x=nan,y=-nan}"},
      {kAttribute, "statistics={visualizing_index=1,x=inf}", "expected-number"},
      {kAttribute, "statistics={visualizing_index=1,}", "surplus-comma"},
      {kAttribute, "origin={{\"x\"}}"},
      {kAttribute, "origin={{\"x\" {1,0}}}"},
      {kAttribute, "origin={{}}"},
      {kAttribute, "origin={[synthetic_call]}"},
      {kTuple, "origin={({\"a\"}, ({}, {\"b\" {1}}))}"},
      {kAttribute, "origin={\"x\"}", "bad-value"},
      {kAttribute, "origin={[other]}", "bad-value"},
      {kTuple, "origin={({\"a\"}, ({\"b\"})}", "unclosed-bracket"},
      {kTuple, "origin={({\"a\"}))}", "mismatched-bracket"},
      {kAttribute, "origin={()}"},
  });
}

TEST(AttributeFormat, Metadata) {
  ExpectCodes({
      {kAttribute, "metadata={}"},
      {kAttribute,
       "metadata={op_type=\"a\" op_name=\"b\", source_file=\"c\" source_line=1 source_end_line=2 "
       "source_column=3 source_end_column=4 profile_type={1,2} deduplicated_name=\"d\" "
       "scheduling_name=\"e\" stack_frame_id=0 metadata_payload=\"\\001\"}"},
      {kAttribute, "metadata={, op_name=\"a\"}"},
      {kAttribute, "metadata={op_name=\"a\",}", "surplus-comma"},
      {kAttribute, "metadata={op_name=\"a\" op_name=\"b\"}", "duplicate-field"},
      {kAttribute, "metadata={nosuch=1}", "unknown-field"},
      {kAttribute, "metadata={preserve_layout=true}", "unknown-field"},
      {kAttribute, "metadata={source_line=3000000000}", "value-out-of-range"},
      {kAttribute, "metadata={source_line=\"3\"}", "expected-integer"},
      {kAttribute, "metadata={op_name=3}", "expected-string"},
      {kAttribute, "metadata={profile_type={4}}", "value-out-of-range"},
      {kAttribute, "metadata=\"x\"", "bad-value"},
  });
}

TEST(AttributeFormat, Windows) {
  ExpectCodes({
      {kWindow, "{size=2x2}"},
      {kWindow, "{size=3x3 stride=2x2 pad=1_1x0_-1 lhs_dilate=1x2 rhs_reversal=1x1}"},
      {kWindow, "{pad=0_0x0_0 size=2x2 rhs_dilate=1x1}"},
      {kWindow, "{}"},
      {kWindow, "{size=2}"},
      {kWindow, "{size=2x2 rhs_reversal=0x2}"},
      {kWindow, "{size=2x2, stride=1x1}", "window-commas"},
      {kWindow, "{size=2x2 stride=1}", "window-field-length"},
      {kWindow, "{size=2x2 size=2x2}", "duplicate-field"},
      {kWindow, "{size=2x2 pad=1_1_1x0_0_0}", "window-padding-parts"},
      {kWindow, "{size=2x2 shift=1x1}", "unknown-field"},
      {kWindow, "{size=axb}", "bad-value"},
      {kWindow, "{size=2x2 pad=1x1}", "bad-value"},
      {kWindow, "{stride=2x2}", "window-field-length"},
      {kWindow, "size=2x2", "missing-value expected-name"},
  });
}

TEST(AttributeFormat, DimLabels) {
  ExpectCodes({
      {kLabels, "b01f_01io->b01f"},
      {kLabels, "bf01_oi01->bf01"},
      {kLabels, "01bf_01io->01bf"},
      {kLabels, "b?01f_01io?->b01f?"},
      {kLabels, "b01f_01io->b0f", "dim-label-spatial"},
      {kLabels, "b00f_01io->b01f", "dim-label-repeated"},
      {kLabels, "b02f_01io->b01f", "dim-label-range"},
      {kLabels, "bb01_01io->b01f", "dim-label-repeated"},
      {kLabels, "b01f_01io", "bad-value"},
      {kLabels, "b_01io->b01f", "stray-byte"},
      {kLabels, "\"b01f_01io->b01f\"", "bad-value"},
      {kLabels, "b01f_01if->b01f", "stray-byte"},
  });
}

TEST(AttributeFormat, PaddingAndSparsity) {
  ExpectCodes({
      {kAttributeFormatBody, "r = f32[5] pad(p, z), padding=0_1"},
      {kAttributeFormatBody, "r = f32[4,4] pad(m, z), padding=0_0_0x-1_1"},
      {kAttributeFormatBody, "r = f32[5] pad(p, z), padding=1", "bad-value"},
      {kAttributeFormatBody, "r = f32[5] pad(p, z), padding={0_1}", "bad-value"},
      {kLabels, "b01f_01io->b01f, sparsity_config={lhs={sparsity=2x4 dimension=1 stride=1 idx=0} rhs={sparsity=2x4}}"},
      {kLabels,
       "b01f_01io->b01f, block_scaling_config={lhs={scale_idx=2 strides=1x32} rhs={zero_idx=3 steps=1 scale_idx=4}}"},
      {kLabels, "b01f_01io->b01f, block_scaling_config={}"},
      {kLabels, "b01f_01io->b01f, block_scaling_config={mid={}}", "unknown-field"},
      {kLabels, "b01f_01io->b01f, block_scaling_config={lhs={scale_idx=2x3}}", "bad-value"},
      {kLabels, "b01f_01io->b01f, block_scaling_config={lhs={idx=2}}", "unknown-field"},
      {kLabels, "b01f_01io->b01f, sparsity_config={}"},
      {kLabels, "b01f_01io->b01f, sparsity_config={mid={}}", "unknown-field"},
      {kLabels, "b01f_01io->b01f, sparsity_config={lhs={sparsity=2}}", "bad-value"},
      {kLabels, "b01f_01io->b01f, sparsity_config={lhs={nosuch=2}}", "unknown-field"},
      {kLabels, "b01f_01io->b01f, operand_precision={HIGH,default}, algorithm=DOT_F32_F32_F32, convolution_kind=fprop"},
      {kLabels, "b01f_01io->b01f, convolution_kind=FPROP", "unknown-word"},
      {kLabels, "b01f_01io->b01f, operand_precision={fast}", "unknown-word"},
  });
}

TEST(AttributeFormat, ReplicaGroups) {
  ExpectCodes({
      {kGroups, "replica_groups={}"},
      {kGroups, "replica_groups={{0,1},{2,3}}"},
      {kGroups, "replica_groups={{}}"},
      {kGroups, "replica_groups=[2,4]<=[4,2]T(1,0)"},
      {kGroups, "replica_groups=[1,8]<=[8]"},
      {kGroups, "replica_groups=mesh['x'=2,'y'=4] {'y':(1)2}"},
      {kGroups, "replica_groups=mesh['x'=2,'y'=2], device_ids=(0,2,1,3) {'x'}"},
      {kGroups, "replica_groups=mesh['x'=4,'y'=2], device_ids=([2,4]T(1,0)) {'x','y'}, channel_id=1"},
      {kGroups, "replica_groups=mesh['x'=2,'y'=2] {'1'}"},
      {kGroups, "replica_groups=mesh[] {}"},
      {kGroups, "replica_groups={{0,1},{2,3}", "unclosed-computation"},
      {kGroups, "replica_groups={0,1}", "bad-value"},
      {kGroups, "replica_groups=[8]<=[8]", "replica-group-dimensions"},
      {kGroups, "replica_groups=[2,2,2]<=[8]", "replica-group-dimensions"},
      {kGroups, "replica_groups=[2,4]<=[4]", "iota-product"},
      {kGroups, "replica_groups=[2,4]<=[4,2]", "iota-transposition"},
      {kGroups, "replica_groups=[2,4]<=[8]T(0)", "iota-transposition"},
      {kGroups, "replica_groups=[2,4]<=[4,2]T(0,2)", "iota-transposition"},
      {kGroups, "replica_groups=mesh['x'=2] {'z'}", "unknown-mesh-axis"},
      {kGroups, "replica_groups=mesh['x'=2,'x'=2] {'x'}", "mesh-axis-repeated"},
      {kGroups, "replica_groups=mesh['x'=4] {'x':(1)4}", "mesh-sub-axis"},
      {kGroups, "replica_groups=mesh['x'=4] {'x':(3)2}", "mesh-sub-axis"},
      {kGroups, "replica_groups=mesh['x'=8] {'x':(1)2,'x':(2)4}", "mesh-axes-mergeable"},
      {kGroups, "replica_groups=mesh['x'=4] {'x','x'}", "mesh-axis-overlap"},
      {kGroups, "replica_groups=mesh['x'=12] {'x':(1)4,'x':(6)2}", "mesh-sub-axes"},
      {kGroups, "replica_groups=mesh['x'=12] {'x':(1)3,'x':(6)2}"},
      {kGroups, "replica_groups=mesh['x'=24] {'x':(1)2,'x':(6)4}"},
      {kGroups, "replica_groups=mesh['x'=24] {'x':(12)2,'x':(1)8}", "mesh-sub-axes"},
      {kGroups, "replica_groups=mesh['x'=2], device_ids=(0,1) {'x'}", "mesh-device-ids"},
      {kGroups, "replica_groups=mesh['x'=2], device_ids=(0,0) {'x'}", "mesh-device-ids"},
      {kGroups, "replica_groups=x", "bad-value"},
      {kGroups, "use_global_device_ids=true, channel_id=1"},
      {kGroups, "channel_id=1, use_global_device_ids=true, mode=flattened_id"},
  });
}

TEST(AttributeFormat, Shardings) {
  ExpectCodes({
      {kAttribute, "sharding={replicated}"},
      {kAttribute, "sharding={maximal device=3}"},
      {kAttribute, "sharding={manual shard_as 1}"},
      {kAttribute, "sharding={unknown}"},
      {kAttribute, "sharding={unreduced}"},
      {kAttribute, "sharding={devices=[2,2]0,2,1,3}"},
      {kAttribute, "sharding={devices=[2,2]<=[4]}"},
      {kAttribute, "sharding={devices=[4,2]<=[2,4]T(1,0)}"},
      {kAttribute, "sharding={devices=[2,1,2]<=[4] last_tile_dim_replicate}"},
      {kAttribute, "sharding={devices=[2,1,2,2]<=[8] last_tile_dims={manual, replicated} shard_like 7}"},
      {kAttribute, "sharding={devices=[4,1]<=[4] metadata={op_name=\"w\"}}"},
      {kAttribute, "sharding={replicated metadata={{op_name=\"a\"}, {op_name=\"b\"}}}"},
      {kAttribute, "sharding={metadata={op_name=\"a\"} last_tile_dim_replicate devices=[1,1,2]0,1}"},
      {kTuple, "sharding={{replicated}, {devices=[2]<=[2]}, {maximal device=0}}"},
      {kTuple, "sharding={}"},
      {kTuple, "sharding={replicated}"},
      {kTuple, "sharding={{mesh['x'=2], [{'x'}]}, {replicated}, {manual}}"},
      {kAttribute, "sharding={maximal}", "sharding-maximal-device"},
      // Only devices that are listed count beside a word.
      {kAttribute, "sharding={replicated devices=[2]<=[2]}"},
      {kAttribute, "sharding={manual devices=[2,2]<=[4]}"},
      {kAttribute, "sharding={maximal devices=[1]3}"},
      {kAttribute, "sharding={devices=[2,1]0,-1}"},
      {kAttribute, "sharding={maximal devices=[2]0,1}", "sharding-maximal-device"},
      {kAttribute, "sharding={replicated devices=[2]0,1}", "sharding-surplus-devices"},
      {kAttribute, "sharding={manual device=1}", "sharding-surplus-devices"},
      {kAttribute, "sharding={devices=[2,2]0,1,2}", "sharding-device-count"},
      {kAttribute, "sharding={devices=[1,1]0}", "sharding-one-device"},
      {kAttribute, "sharding={devices=[2,2]<=[5]}", "iota-product"},
      {kAttribute, "sharding={devices=[]<=[1]}", "sharding-tile-sizes"},
      {kAttribute, "sharding={shard_as 1}", "sharding-without-devices"},
      {kAttribute, "sharding={devices=[2,2,1]<=[4] last_tile_dim_replicate last_tile_dims={manual}}",
       "sharding-subgroups"},
      {kAttribute, "sharding={devices=[2]<=[2] last_tile_dims={manual,manual}}", "sharding-subgroups"},
      {kAttribute, "sharding={devices=[2,2]<=[4] last_tile_dims={tiled}}", "unknown-word"},
      {kAttribute, "sharding={devices=[2,2]<=[2,2]}", "iota-transposition"},
      {kAttribute, "sharding={devices=[2,2]<=[2,2]T(1,2)}", "iota-transposition"},
      {kAttribute, "sharding={replicated, manual}", "bad-value"},
      {kAttribute, "sharding={nosuch=1}", "unknown-field"},
      {kAttribute, "sharding=replicated", "bad-value"},
      {kAttribute, "sharding={unreduced=max}", "unknown-field"},
  });
}

TEST(AttributeFormat, NamedShardings) {
  ExpectCodes({
      {kAttribute, "sharding={mesh['x'=2,'y'=4], [{'x'}, {}]}"},
      {kAttribute, "sharding={mesh['x'=2,'y'=4], [{'y':(2)2, ?}, {?}], replicated={'x'}}"},
      {kAttribute, "sharding={mesh['x'=2,'y'=4] [{'x','y'}, {}]}"},
      {kAttribute, "sharding={mesh['x'=2,'y'=2], device_ids=([2,2]T(1,0)), [{'x'}, {}]}"},
      {kAttribute, "sharding={mesh['x'=2], manual}"},
      {kAttribute, "sharding={mesh['x'=2], replicated}"},
      {kAttribute, "sharding={mesh['x'=2], unreduced}"},
      {kAttribute, "sharding={mesh['x'=2], unreduced=max{'x'}}"},
      {kAttribute, "sharding={mesh['x'=2], unreduced{'x'}}"},
      {kAttribute,
       "sharding={mesh['x'=2,'y'=2], [{}, {}], unreduced=max{'x'}, manual={'y'}, metadata={{op_name=\"g\"}}}"},
      {kAttribute, "sharding={maximal_mesh[device_id=5]}"},
      {kAttribute, "sharding={maximal_mesh[device_id=5], metadata={op_name=\"g\"}}"},
      {kAttribute, "sharding={mesh['x'=2], replicated, metadata={op_name=\"g\"}}"},
      {kAttribute, "sharding={mesh['x'=2], [{'z'}, {}]}", "unknown-mesh-axis"},
      {kAttribute, "sharding={mesh['x'=2], [{'x'}, {'x'}]}", "mesh-axis-overlap"},
      {kAttribute, "sharding={mesh['x'=2,'y'=2], [{}, {}], replicated={'y','x'}}", "mesh-axis-order"},
      {kAttribute, "sharding={mesh['x'=4], [{'x':(1)2,'x':(2)2}, {}]}", "mesh-axes-mergeable"},
      {kAttribute, "sharding={mesh['x'=2], [{?, 'x'}, {}]}", "bad-value"},
      {kAttribute, "sharding={mesh['x'=2], unreduced=prod{'x'}}", "unknown-word"},
      {kAttribute, "sharding={mesh['x'=2], nosuch}", "bad-value"},
      {kAttribute, "sharding={mesh['x'=2,'y'=2], [{}, {}], replicated={'x'}, replicated={'y'}}"},
      {kAttribute, "sharding={mesh['x'=2], replicated, replicated={'x'}}", "bad-value"},
      {kAttribute, "sharding={mesh['x'=2], manual, metadata={op_name=\"g\"}, manual={'x'}}", "bad-value"},
      {kAttribute, "sharding={mesh[x=2,y=4], [{x, y:(1)2}, {}]}"},
      {kAttribute, "sharding={mesh[x=2], [{z}, {}]}", "unknown-mesh-axis"},
      {kAttribute, "sharding={mesh['x'=0], replicated}", "value-out-of-range"},
      {kAttribute, "sharding={maximal_mesh[device_id=-1]}", "value-out-of-range"},
      {kAttribute, "sharding={mesh['x'=4], [{'x':(2)3}, {}]}", "mesh-sub-axis"},
      {kAttribute, "sharding={mesh['x'=4], [{'x':(0)2}, {}]}", "mesh-sub-axis"},
      {kAttribute, "sharding={mesh['x'=4], [{'x':(1)1}, {}]}", "mesh-sub-axis"},
  });
}

TEST(AttributeFormat, ValueKinds) {
  ExpectCodes({
      {kAttributeFormatBody,
       "r = f32[4] copy(p) s = (f32[4], f32[4], u32[]) copy-start(p), cross_program_prefetch_index=0"},
      {kAttributeFormatBody, "s = (f32[4], f32[4], u32[]) copy-start(p), cross_program_prefetch_index=3000000000",
       "value-out-of-range"},
      {kAttributeFormatBody, "r = f32[4,4] transpose(m), dimensions={1,0}"},
      {kAttributeFormatBody, "r = f32[4,4] transpose(m), dimensions={1,0,}", "surplus-comma"},
      {kAttributeFormatBody, "r = f32[4,4] transpose(m), dimensions=1", "missing-braces"},
      {kAttributeFormatBody, "r = f32[4,4] transpose(m), dimensions={1 0}", "missing-comma"},
      {kAttributeFormatBody, "r = pred[4] compare(p, q), direction=EQ, type=FLOAT"},
      {kAttributeFormatBody, "r = pred[4] compare(p, q), direction=eq", "unknown-word"},
      {kAttributeFormatBody, "r = pred[4] compare(p, q), direction=\"EQ\"", "bad-value"},
      {kAttributeFormatBody, "r = pred[4] compare(p, q), direction=EQ, type=FLOATS", "unknown-word"},
      {kAttributeFormatBody, "r = pred[4] compare(p, q), direction=EQ, order=TOTAL"},
      {kAttributeFormatBody, "r = pred[4] compare(p, q), order=PARTIAL, direction=EQ"},
      {kAttributeFormatBody, "r = pred[4] compare(p, q), direction=EQ, order=TOTALORDER", "unknown-word"},
      {kAttributeFormatBody, "r = pred[4] compare(p, q), direction=EQ, order=\"TOTAL\"", "bad-value"},
      {kAttributeFormatBody, "r = pred[4] compare(p, q), direction=EQ, order=TOTAL TOTAL", "surplus-value"},
      {kAttributeFormatBody, "r = pred[4] compare(p, q), direction=EQ, type=FLOAT, order=PARTIAL", "unknown-attribute"},
      {kAttributeFormatBody, "r = pred[4] compare(p, q), direction=EQ, order=TOTAL, order=TOTAL",
       "duplicate-attribute"},
      {kAttributeFormatBody, "r = f32[4] negate(p), order=TOTAL", "unknown-attribute"},
      {kAttributeFormatBody, "r = f32[4] exponential(p), result_accuracy={mode=HIGHEST}"},
      {kAttributeFormatBody, "r = f32[4] exponential(p), result_accuracy={tolerance={atol=0.1,rtol=0,ulps=4}}"},
      {kAttributeFormatBody, "r = f32[4] exponential(p), result_accuracy={tolerance={ulps=1,ulps=2}}"},
      {kAttributeFormatBody, "r = f32[4] exponential(p), result_accuracy={tolerance={}}"},
      {kAttributeFormatBody, "r = f32[4] exponential(p), result_accuracy={tolerance={ulps=2.5,atol=inf,rtol=nan}}"},
      {kAttributeFormatBody, "r = f32[4] exponential(p), result_accuracy={tolerance={ulps=nan}}", "bad-value"},
      {kAttributeFormatBody, "r = f32[4] exponential(p), result_accuracy={tolerance={ulps=1e300}}", "bad-value"},
      {kAttributeFormatBody, "r = f32[4] exponential(p), result_accuracy={mode=fast}", "unknown-word"},
      {kAttributeFormatBody, "r = f32[4] exponential(p), result_accuracy={}", "bad-value"},
      {kAttributeFormatBody, "r = f32[4] exponential(p), result_accuracy={tolerance={ulps=1},mode=highest}",
       "bad-value"},
      {kAttributeFormatBody, "r = f32[4] negate(p), result_accuracy={mode=highest}", "unknown-attribute"},
      {kAttributeFormatBody, "r = f32[] reduce(p, z), dimensions={0}, to_apply=sum"},
      {kAttributeFormatBody, "r = f32[] reduce(p, z), dimensions={0}, to_apply=%sum"},
      {kAttributeFormatBody,
       "r = f32[] reduce(p, z), dimensions={0}, to_apply={ a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = "
       "f32[] add(a, b) }"},
      {kAttributeFormatBody, "r = f32[] reduce(p, z), dimensions={0}, to_apply=nosuch", "unknown-computation"},
      {kAttributeFormatBody, "r = f32[] reduce(p, z), dimensions={0}, to_apply={}", "empty-computation"},
      {kAttributeFormatBody, "r = f32[] reduce(p, z), dimensions={0}, to_apply=7", "bad-value"},
      {kAttributeFormatBody, "r = f32[] conditional(i, z, z), branch_computations={neg, %neg}"},
      {kAttributeFormatBody, "r = f32[] conditional(c, z, z), true_computation=neg, false_computation=neg"},
      {kAttributeFormatBody,
       "r = f32[] conditional(i, z), branch_computations={{ x = f32[] parameter(0) ROOT y = f32[] abs(x) }}"},
      {kAttributeFormatBody, "r = f32[] conditional(i, z, z), branch_computations={neg neg}", "expected-token"},
      {kAttributeFormatBody,
       "r = f32[4] fusion(p), kind=kLoop, calls={ x = f32[4] parameter(0) ROOT y = f32[4] abs(x) }, "
       "output_to_operand_aliasing={{}: (0, {}),}"},
      {kAttributeFormatBody,
       "r = f32[4] fusion(p), kind=loop, calls={ x = f32[4] parameter(0) ROOT y = f32[4] abs(x) }", "unknown-word"},
      {kAttributeFormatBody,
       "d = f32[4] domain(p), domain={kind=\"sharding\", entry={replicated}, exit={maximal device=0}}"},
      {kAttributeFormatBody, "d = f32[4] domain(p), domain={, kind=\"sharding\" entry={replicated} exit={}}"},
      {kAttributeFormatBody, "d = f32[4] domain(p), domain={kind=\"sharding\", entry={replicated}, exit={},}",
       "surplus-comma"},
      {kAttributeFormatBody, "d = f32[4] domain(p), domain={kind=\"sharding\", entry={replicated}}", "missing-field"},
      {kAttributeFormatBody, "d = f32[4] domain(p), domain={kind=\"sharding\", entry={replicated}, exit={}, x=1}",
       "unknown-field"},
      {kAttributeFormatBody, "r = f32[4] rng(z, z), distribution=RNG_UNIFORM"},
      {kAttributeFormatBody, "r = f32[4] rng(z, z), distribution=uniform", "unknown-word"},
      {kAttributeFormatBody, "r = (f32[4], f32[], f32[]) batch-norm-training(p, z, z), epsilon=0.001, feature_index=0"},
      {kAttributeFormatBody, "r = (f32[4], f32[], f32[]) batch-norm-training(p, z, z), epsilon=nan, feature_index=0"},
      {kAttributeFormatBody, "r = (f32[4], f32[], f32[]) batch-norm-training(p, z, z), epsilon=1e39, feature_index=0",
       "value-out-of-range"},
      {kAttributeFormatBody, "r = (f32[4], f32[], f32[]) batch-norm-training(p, z, z), epsilon=inf, feature_index=0",
       "expected-number"},
  });
}

TEST(AttributeFormat, CustomCalls) {
  ExpectCodes({
      {kAttributeFormatCall,
       "custom_call_target=\"t\", api_version=API_VERSION_TYPED_FFI, schedule=schedule_latest, "
       "custom_call_has_side_effect=true"},
      {kAttributeFormatCall, "custom_call_target=\"t\", operand_layout_constraints={f32[]}"},
      {kAttributeFormatCall, "custom_call_target=\"t\", called_computations={f}"},
      {kAttributeFormatCall, "custom_call_target=\"t\", called_computations={}"},
      {kAttributeFormatCall, "custom_call_target=\"t\", to_apply=f"},
      {kAttributeFormatCall,
       "custom_call_target=\"t\", padding_type=PADDING_VALID, window={size=1}, dim_labels=bf_io->bf"},
      {kAttributeFormatCall, "custom_call_target=\"t\", output_to_operand_aliasing={{}: (0, {}),}"},
      {kAttributeFormatCall, "custom_call_target=t", "expected-string"},
      {kAttributeFormatCall, "api_version=API_VERSION_ORIGINAL", "missing-attribute"},
      {kAttributeFormatCall, "custom_call_target=\"t\", api_version=API_VERSION_UNSPECIFIED", "unknown-word"},
      {kAttributeFormatCall, "custom_call_target=\"t\", calls=f", "unknown-attribute"},
  });
}

TEST(AttributeFormat, Async) {
  const std::string head =
      "w { p = f32[8] parameter(0) ROOT n = f32[8] negate(p) }\nENTRY e { x = f32[8] parameter(0) ";
  const auto async = [&](const std::string& body) { return CodesOfReading(head + body + " }"); };
  const std::string start = "s = ((f32[8]), f32[8], u32[]) async-start(x), calls=w, async_execution_thread=\"dma\" ";
  EXPECT_EQ(async(start + "u = ((f32[8]), f32[8], u32[]) async-update(s) d = f32[8] async-done(u)"), "");
  EXPECT_EQ(async(start + "d = f32[8] async-done(s), calls=w, async_execution_thread=\"dma\""), "");
  const std::string sugar = "s = ((f32[8]), f32[8], u32[]) negate-start(x) ";
  EXPECT_EQ(async(sugar + "u = ((f32[8]), f32[8], u32[]) negate-update(s) d = f32[8] negate-done(u)"), "");
  EXPECT_EQ(async(sugar + "d = f32[8] abs-done(s)"), "async-link");
  EXPECT_EQ(async("s = ((f32[8]), f32[8], u32[]) custom-call-start(x), custom_call_target=\"f\" "
                  "d = f32[8] custom-call-done(s), custom_call_target=\"f\""),
            "unknown-attribute");
  EXPECT_EQ(async("s = ((f32[8]), f32[8], u32[]) negate-start(x), calls=w"), "unknown-attribute");
  EXPECT_EQ(async("s = ((f32[8]), f32[8], u32[]) fusion-start(x), kind=kLoop, calls=w d = f32[8] fusion-done(s)"), "");
}

TEST(AttributeFormat, OldSpellingsAreReadAndNoted) {
  const auto note = [](const char* where, const std::string& fragment) {
    return CodesOfReading(FillIn(where, fragment), /*hints=*/true);
  };
  EXPECT_EQ(note(kAttributeFormatText, "HloModule m: ENTRY e { ROOT c = f32[] constant(1) }"), "old-spelling");
  EXPECT_EQ(note(kAttributeFormatCall, "custom_call_target=\"t\", opaque=\"x\""), "old-spelling");
  EXPECT_EQ(note(kAttributeFormatCall, "custom_call_target=\"t\", opaque=\"x\", backend_config=\"y\""),
            "duplicate-attribute");
  EXPECT_EQ(note(kAttributeFormatCall, "custom_call_target=\"t\", to_apply=f"), "old-spelling");
  EXPECT_EQ(note(kGroups, "mode=cross_replica"), "old-spelling");
  EXPECT_EQ(note(kGroups, "all_reduce_id=7"), "old-spelling");
  EXPECT_EQ(note(kAttribute, "sharding={mesh[x=2,y=4], [{x}, {y:(2)2, ?}]}"),
            "old-spelling old-spelling old-spelling old-spelling");
  EXPECT_EQ(note(kGroups, "replica_groups=mesh['x'=2,'y'=2] {y}"), "old-spelling");
  EXPECT_EQ(note(kLabels, "b01f_01io->b01f, conv_kind=fprop"), "old-spelling");
  EXPECT_EQ(note(kAttributeFormatBody, "r = f32[4] cross-replica-sum(p), to_apply=sum"), "old-spelling");
  EXPECT_EQ(note(kAttributeFormatBody, "s = (f32[4], f32[4], u32[]) copy-start(p), is_cross_program_prefetch=true"),
            "old-spelling");
  EXPECT_EQ(note(kAttributeFormatBody, "s = (f32[4], f32[4], u32[]) copy-start(p), is_cross_program_prefetch=1"),
            "expected-boolean");
  EXPECT_EQ(note(kAttributeFormatBody, "s = ((f32[4]), f32[4], u32[]) negate-start(p), async_group_id=3"),
            "old-spelling");
  EXPECT_EQ(note(kAttribute, "metadata={op_name=\"a\" creation_pass_id=3 size_of_generated_code_in_bytes=10}"),
            "old-spelling old-spelling");
  EXPECT_EQ(note(kAttribute, "metadata={creation_pass_id=x}"), "old-spelling expected-integer");
  EXPECT_EQ(note(kAttributeFormatShape, "f32[4,4]{1,0:D(D,C)}"), "old-spelling");
  EXPECT_EQ(note(kAttributeFormatText, "HloModule m ENTRY e { ROOT c = f32[] constant(1) }"), "");
}

TEST(AttributeFormat, RulesThatOnlyTheVerifierChecks) {
  ExpectCodesOfCheck({
      {kAttributeFormatHeader, ", input_output_alias={ {2}: (0, {}) }", "module-alias"},
      {kAttributeFormatHeader, ", input_output_alias={ {0,0}: (0, {}) }", "module-alias"},
      {kTuple, "parameter_replication={true}", "bad-value"},
      {kAttributeFormatBody, "r = f32[4] add(p, q), parameter_replication={true}", "unknown-attribute"},
      {kGroups, "use_global_device_ids=true", "global-device-ids"},
      {kAttributeFormatText,
       "HloModule m f { p = f32[] parameter(0) ROOT n = f32[] negate(p) } ENTRY e { x = f32[] parameter(0) "
       "s = ((f32[]), f32[], u32[]) async-start(x), calls=f d = f32[] async-done(s) "
       "ROOT c = f32[] call(x), to_apply=f }",
       "shared-async-computation"},
      {kAttribute, "sharding={devices=[2,2]0,1,2,2}", "sharding-device"},
  });
}

}  // namespace
}  // namespace hloscope
