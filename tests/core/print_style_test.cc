// SPDX-License-Identifier: Apache-2.0
// The text that printing gives, rule by rule (docs/text-format.md 7).
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "core/print/printer.h"

namespace hloscope {
namespace {

// In the order of the reference.
std::string Printed(const std::string& text, PrintOptions options) {
  options.order = PrintOrder::kXla;
  const auto document = Document::Parse(SourceText::FromString("text", text), {{}, /*parse_only=*/true});
  for (const Diagnostic& d : document->diagnostics()) {
    if (d.severity == Severity::kError) return absl::StrCat("error: ", d.Message());
  }
  return PrintModule(document->module(), options);
}

// What follows `NAME = ` in the line of the instruction `r`.
std::string PrintedInstruction(const std::string& body, PrintOptions options = PrintOptions::Long()) {
  const std::string printed = Printed("HloModule m\nENTRY e {\n" + body + "\n}", options);
  const size_t at = printed.find(options.percent ? "%r = " : " r = ");
  if (at == std::string::npos) return printed;
  const size_t begin = at + 5;
  return printed.substr(begin, printed.find('\n', begin) - begin);
}

constexpr char kPrintStyleModule[] = R"(HloModule m
sum { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y), metadata={op_name="a" source_line=3} }
ENTRY e {
  p = f32[2,8]{1,0} parameter(0)
  z = f32[] constant(0)
  c = f32[11] constant({1,2,3,4,5,6,7,8,9,10,11})
  t = (f32[2,8]{1,0}, f32[]) tuple(p, z)
  g = f32[] get-tuple-element(t), index=1
  ROOT r = f32[2]{0} reduce(p, g), dimensions={1}, to_apply=sum, control-predecessors={c}, backend_config={"k":1}
})";

TEST(PrintStyle, Dump) {
  EXPECT_EQ(Printed(kPrintStyleModule, PrintOptions::Dump()),
            R"(HloModule m, entry_computation_layout={(f32[2,8]{1,0})->f32[2]{0}}

%sum (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %s = f32[] add(%x, %y), metadata={op_name="a" source_line=3}
}

ENTRY %e (p: f32[2,8]) -> f32[2] {
  %c = f32[11]{0} constant({...})
  %p = f32[2,8]{1,0} parameter(0)
  %z = f32[] constant(0)
  %t = (f32[2,8]{1,0}, f32[]) tuple(%p, %z)
  ROOT %r = f32[2]{0} reduce(%p, %t#1), dimensions={1}, to_apply=%sum, control-predecessors={%c}, backend_config={"k":1}
}

)");
}

TEST(PrintStyle, Long) {
  EXPECT_EQ(Printed(kPrintStyleModule, PrintOptions::Long()),
            R"(HloModule m, entry_computation_layout={(f32[2,8]{1,0})->f32[2]{0}}

%sum (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %s = f32[] add(%x, %y), metadata={op_name="a" source_line=3}
}

ENTRY %e (p: f32[2,8]) -> f32[2] {
  %c = f32[11]{0} constant({...})
  %p = f32[2,8]{1,0} parameter(0)
  %z = f32[] constant(0)
  %t = (f32[2,8]{1,0}, f32[]) tuple(%p, %z)
  %g = f32[] get-tuple-element(%t), index=1
  ROOT %r = f32[2]{0} reduce(%p, %g), dimensions={1}, to_apply=%sum, control-predecessors={%c}, backend_config={"k":1}
}

)");
}

TEST(PrintStyle, Short) {
  EXPECT_EQ(Printed(kPrintStyleModule, PrintOptions::Short()),
            R"(HloModule m, entry_computation_layout={(f32[2,8]{1,0})->f32[2]{0}}

sum {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y)
}

ENTRY e {
  c = f32[11]{0} constant({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
  p = f32[2,8]{1,0} parameter(0)
  z = f32[] constant(0)
  t = (f32[2,8]{1,0}, f32[]) tuple(p, z)
  g = f32[] get-tuple-element(t), index=1
  ROOT r = f32[2]{0} reduce(p, g), dimensions={1}, to_apply=sum, backend_config={"k":1}
}

)");
}

TEST(PrintStyle, Canonical) {
  const std::string printed = R"(HloModule m, entry_computation_layout={(f32[2,8]{1,0})->f32[2]{0}}

sum {
  tmp_0 = f32[] parameter(0)
  tmp_1 = f32[] parameter(1)
  ROOT tmp_2 = f32[] add(f32[] tmp_0, f32[] tmp_1)
}

ENTRY e {
  tmp_0 = f32[11]{0} constant({...})
  tmp_1 = f32[2,8]{1,0} parameter(0)
  tmp_2 = f32[] constant(0)
  tmp_3 = (f32[2,8]{1,0}, f32[]) tuple(f32[2,8]{1,0} tmp_1, f32[] tmp_2)
  tmp_4 = f32[] get-tuple-element((f32[2,8]{1,0}, f32[]) tmp_3), index=1
  ROOT tmp_5 = f32[2]{0} reduce(f32[2,8]{1,0} tmp_1, f32[] tmp_4), dimensions={1}, to_apply=
  {
    tmp_0 = f32[] parameter(0)
    tmp_1 = f32[] parameter(1)
    ROOT tmp_2 = f32[] add(f32[] tmp_0, f32[] tmp_1)
  }
}

)";
  EXPECT_EQ(Printed(kPrintStyleModule, PrintOptions::Canonical()), printed);
  // What was written in place prints in place only: nothing grows.
  EXPECT_EQ(Printed(printed, PrintOptions::Canonical()).find("_ {"), std::string::npos);
  EXPECT_EQ(PrintedInstruction("a = f32[4] parameter(0)\n r = f32[4] negate(a)"), "f32[4]{0} negate(%a)");
  const auto document =
      Document::Parse(SourceText::FromString("t", "f32[4] add(f32[4], f32[4])"), {{}, /*parse_only=*/true});
  const Module& module = document->module();
  EXPECT_EQ(PrintInstruction(module, module.computation(module.entry()).root, PrintOptions::Canonical()),
            "f32[4]{0} add(f32[4]{0}, f32[4]{0})");
}

TEST(PrintStyle, FurtherSwitches) {
  const auto with = [](auto change) {
    PrintOptions options = PrintOptions::Long();
    change(options);
    return options;
  };
  const std::string operands = "a = f32[4] parameter(0)\n b = f32[4] parameter(1)\n";
  const std::string call =
      operands +
      "r = f32[4] custom-call(a, b, a), custom_call_target=\"t\", "
      "metadata={op_type=\"x\" op_name=\"n\"}, backend_config={\"z\":[1, 2],\"a\":{\"y\":1, \"b\":\"q r\"}}";
  EXPECT_EQ(PrintedInstruction(call, with([](PrintOptions& o) { o.only_op_name = true; })),
            "f32[4]{0} custom-call(%a, %b, %a), custom_call_target=\"t\", metadata={op_name=\"n\"}, "
            "backend_config={\"z\":[1, 2],\"a\":{\"y\":1, \"b\":\"q r\"}}");
  EXPECT_EQ(PrintedInstruction(call, with([](PrintOptions& o) { o.sorted_backend_config = true; })),
            "f32[4]{0} custom-call(%a, %b, %a), custom_call_target=\"t\", metadata={op_type=\"x\" op_name=\"n\"}, "
            "backend_config={\"a\":{\"b\":\"q r\",\"y\":1},\"z\":[1,2]}");
  EXPECT_EQ(PrintedInstruction(call, with([](PrintOptions& o) {
                                 o.max_operands = 1;
                                 o.metadata = o.backend_config = false;
                               })),
            "f32[4]{0} custom-call(%a, ...(+2)), custom_call_target=\"t\"");
  EXPECT_EQ(PrintedInstruction(operands + "r = f32[4] add(a, b)", with([](PrintOptions& o) {
                                 o.operand_names = false;
                                 o.operand_shapes = true;
                               })),
            "f32[4]{0} add(f32[4]{0}, f32[4]{0})");
  const std::string collective =
      "a = f32[4] parameter(0)\n r = f32[4] collective-broadcast(a), channel_id=3, replica_groups=[2,2]<=[2,2]T(1,0)";
  EXPECT_EQ(PrintedInstruction(collective, with([](PrintOptions& o) { o.explicit_replica_groups = true; })),
            "f32[4]{0} collective-broadcast(%a), channel_id=3, replica_groups={{0,2},{1,3}}, has_dynamic_root=false");
  EXPECT_EQ(PrintedInstruction(collective, with([](PrintOptions& o) { o.channel_ids = false; })),
            "f32[4]{0} collective-broadcast(%a), channel_id=_, replica_groups=[2,2]<=[2,2]T(1,0), "
            "has_dynamic_root=false");
  const auto constant = [&](const std::string& text) {
    return PrintedInstruction("r = " + text, with([](PrintOptions& o) { o.essential_constants = true; }));
  };
  EXPECT_EQ(constant("f32[2] constant({0, 0})"), "f32[2]{0} constant(0)");
  EXPECT_EQ(constant("f32[2] constant({1, 1})"), "f32[2]{0} constant(1)");
  EXPECT_EQ(constant("f32[2] constant({1, 2})"), "f32[2]{0} constant({...})");
  EXPECT_EQ(constant("s32[2] constant({1, 2})"), "s32[2]{0} constant({1, 2})");
  EXPECT_EQ(constant("s32[2] constant({1, 1})"), "s32[2]{0} constant(1)");
  EXPECT_EQ(Printed("HloModule jit.1\nENTRY main.2 { ROOT a.3 = f32[] parameter(0) }",
                    with([](PrintOptions& o) { o.ids = false; })),
            "HloModule , entry_computation_layout={(f32[])->f32[]}\n\nENTRY % (a.3: f32[]) -> f32[] {\n"
            "  ROOT %a = f32[] parameter(0)\n}\n\n");
  const std::string named = Printed(kPrintStyleModule, with([](PrintOptions& o) { o.closing_names = true; }));
  EXPECT_NE(named.find("\n} // e\n\n"), std::string::npos) << named;
  EXPECT_EQ(named.find("// sum"), std::string::npos) << named;
}

TEST(PrintStyle, Header) {
  const std::string text =
      R"(HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias), {1}: (1, {0}, must-alias) }, buffer_donor={ (1, {1}) }, alias_passthrough_params=true, entry_computation_layout={(f32[4]{0}, (f32[4]{0}, f32[8]{0}))->(f32[4]{0}, f32[4]{0})}, allow_spmd_sharding_propagation_to_parameters={true,false}, allow_spmd_sharding_propagation_to_output={true}, replica_count=2, num_partitions=4, frontend_attributes={a="x",b={y = 1}}, origin_recovery_table={
  {"x" {1}} : {"y"}
  {"z"} : {"w"},
  "
    HloModule r, entry_computation_layout={(f32[])->f32[]}

    ENTRY %e (p: f32[]) -> f32[] {
      %p = f32[] parameter(0)
      ROOT %q = f32[] negate(%p), metadata={op_name=\"a\"}
    }


  "
}
,
debug_attributes={
  {"a"}:({log_mode=default,callback_id=7,partitioned=true,op_id=3}),
  {"b" {0}}:({log_mode=fusion_debugger}),
  {"c"}:({callback_id=7})
}

FileNames
1 "model.py"

FunctionNames
1 "main"

FileLocations
1 {file_name_id=1 function_name_id=1 line=10 end_line=10 column=2 end_column=9}

StackFrames
1 {file_location_id=1 parent_frame_id=1}


ENTRY %e (a: f32[4], b: (f32[4], f32[8])) -> (f32[4], f32[4]) {
  %a = f32[4]{0} parameter(0), metadata={op_name="a" stack_frame_id=1}
  %b = (f32[4]{0}, f32[8]{0}) parameter(1)
  %b0 = f32[4]{0} get-tuple-element(%b), index=0
  ROOT %r = (f32[4]{0}, f32[4]{0}) tuple(%a, %b0)
}, execution_thread="host"

)";
  EXPECT_EQ(Printed(text, PrintOptions::Long()), text);
}

TEST(PrintStyle, OrderOfInstructionsAndComputations) {
  // Control predecessors, the last first, then operands from the left; unused instructions where they are.
  EXPECT_EQ(Printed("ENTRY e { a = f32[] parameter(1) b = f32[] parameter(0) u = f32[] negate(b) "
                    "c = f32[] constant(1) d = f32[] constant(2) "
                    "ROOT r = (f32[], f32[], f32[]) tuple(a, c, d), control-predecessors={c, d} }",
                    PrintOptions::Short()),
            "HloModule module_e, entry_computation_layout={(f32[], f32[])->(f32[], f32[], f32[])}\n\nENTRY e {\n"
            "  b = f32[] parameter(0)\n  u = f32[] negate(b)\n  d = f32[] constant(2)\n  c = f32[] constant(1)\n"
            "  a = f32[] parameter(1)\n  ROOT r = (f32[], f32[], f32[]) tuple(a, c, d)\n}\n\n");
  // A tuple access that nobody uses does not print, and its operand is where it would be.
  EXPECT_EQ(Printed("ENTRY e { t = (f32[]) parameter(0) a = f32[] constant(1) n = f32[] negate(a) "
                    "g = f32[] get-tuple-element(t), index=0 ROOT r = f32[] abs(a) }",
                    PrintOptions::Dump()),
            "HloModule module_e, entry_computation_layout={((f32[]))->f32[]}\n\nENTRY %e (t: (f32[])) -> f32[] {\n"
            "  %a = f32[] constant(1)\n  %n = f32[] negate(%a)\n  %t = (f32[]) parameter(0)\n"
            "  ROOT %r = f32[] abs(%a)\n}\n\n");
  // A schedule stays as it is. The body of a `while` comes before its condition.
  const std::string scheduled = Printed(
      "HloModule m, is_scheduled=true\nc { x = s32[] parameter(0) ROOT t = pred[] constant(false) }\n"
      "b { ROOT y = s32[] parameter(0) }\n"
      "ENTRY e { q = s32[] constant(2) i = s32[] constant(1) ROOT w = s32[] while(i), condition=c, body=b }",
      PrintOptions::Short());
  EXPECT_LT(scheduled.find("\nb {"), scheduled.find("\nc {"));
  EXPECT_LT(scheduled.find("q = "), scheduled.find("i = "));
  EXPECT_NE(scheduled.find("condition=c, body=b"), std::string::npos);
}

TEST(PrintStyle, TupleAccessKeepsWhatWasWritten) {
  const std::string text =
      "ENTRY e { t = (f32[], f32[]) parameter(0) g = f32[] get-tuple-element(t), index=0, sharding={replicated} "
      "ROOT r = f32[] add(g, t#1) }";
  PrintOptions options = PrintOptions::Dump();
  EXPECT_NE(Printed(text, options).find("add(%t#0, %t#1)"), std::string::npos);
  options.keep_written_tuple_access = true;
  EXPECT_NE(Printed(text, options).find("add(%g, %t#1)"), std::string::npos);
  EXPECT_NE(Printed(text, options).find("%g = f32[] get-tuple-element(%t), index=0, sharding={replicated}"),
            std::string::npos);
}

TEST(PrintStyle, Shardings) {
  const auto sharding = [](const std::string& text) {
    const std::string line = PrintedInstruction("r = f32[4,4,4] parameter(0), sharding=" + text);
    const std::string prefix = "f32[4,4,4]{2,1,0} parameter(0), sharding=";
    return line.rfind(prefix, 0) == 0 ? line.substr(prefix.size()) : line;
  };
  // As written.
  for (const char* same :
       {"{replicated}", "{maximal device=3}", "{manual shard_as 1}", "{unknown}", "{devices=[2,2,1]0,2,1,3}",
        "{devices=[4,1,1]<=[2,2]T(1,0)}", "{devices=[2,1,1,2]<=[4] last_tile_dim_replicate}",
        "{devices=[2,1,1,2,2]<=[8] last_tile_dims={manual, replicated} shard_like 7}",
        "{replicated metadata={{op_name=\"a\"}, {op_name=\"b\"}}}", "{devices=[4,1,1]<=[4] metadata={op_name=\"w\"}}",
        "{mesh['x'=2,'y'=4], [{'x'}, {'y':(1)2, ?}, {?}]}", "{mesh['x'=2], manual}", "{maximal_mesh[device_id=5]}",
        "{mesh['x'=2,'y'=2], device_ids=([2,2]T(1,0)), [{'x'}, {}, {}], replicated={'y'}}",
        "{mesh['x'=2,'y'=2], device_ids=(0,2,1,3), [{'x'}, {}, {}], unreduced=max{'y'}, metadata={{op_name=\"g\"}}}",
        "{mesh['x'=2], unreduced=max}"}) {
    EXPECT_EQ(sharding(same), same);
  }
  // Normalised on reading (6.12).
  const std::pair<const char*, const char*> changed[] = {
      {"{devices=[4,1,1]<=[2,2]T(0,1)}", "{devices=[4,1,1]<=[4]}"},
      {"{devices=[4,1,1]<=[1,4,1]T(2,1,0)}", "{devices=[4,1,1]<=[4]}"},
      {"{devices=[2,2,2]<=[2,2,2]T(2,0,1)}", "{devices=[2,2,2]<=[4,2]T(1,0)}"},
      {"{devices=[2,1,1,1]<=[2] last_tile_dim_replicate}", "{devices=[2,1,1]<=[2]}"},
      {"{devices=[1,1,1,2]<=[2] last_tile_dim_replicate}", "{replicated}"},
      {"{devices=[1,1,1,2]<=[2] last_tile_dims={manual}}", "{manual}"},
      {"{devices=[1,1,1,2,2]<=[4] last_tile_dims={manual, manual} shard_as 3}", "{manual shard_as 3}"},
      {"{devices=[2,1,1,2]<=[4] last_tile_dims={replicated}}", "{devices=[2,1,1,2]<=[4] last_tile_dim_replicate}"},
      {"{devices=[2,1,1,2,1]<=[4] last_tile_dims={manual, replicated}}",
       "{devices=[2,1,1,2]<=[4] last_tile_dims={manual}}"},
      {"{devices=[2,1,1,2,2]<=[8] last_tile_dims={replicated, manual}}",
       "{devices=[2,1,1,2,2]<=[2,2,2]T(0,2,1) last_tile_dims={manual, replicated}}"},
      {"{devices=[2,1,1,2,2,2]<=[16] last_tile_dims={manual, replicated, manual}}",
       "{devices=[2,1,1,4,2]<=[4,2,2]T(0,2,1) last_tile_dims={manual, replicated}}"},
      {"{devices=[2,1,1,2]3,1,2,0 last_tile_dim_replicate}", "{devices=[2,1,1,2]1,3,0,2 last_tile_dim_replicate}"},
      {"{devices=[2,1,1,2,2]0,1,2,3,4,5,6,7 last_tile_dims={replicated, manual}}",
       "{devices=[2,1,1,2,2]0,2,1,3,4,6,5,7 last_tile_dims={manual, replicated}}"},
      {"{unreduced}", "{unreduced metadata={op_type=\"sdy::reduction_op\" op_name=\"SUM\"}}"},
      {"{unreduced metadata={op_type=\"sdy::reduction_op\" op_name=\"MAX\"}}",
       "{unreduced metadata={op_type=\"sdy::reduction_op\" op_name=\"MAX\"}}"},
      {"{unreduced metadata={op_name=\"a\"}}",
       "{unreduced metadata={{op_name=\"a\"}, {op_type=\"sdy::reduction_op\" op_name=\"SUM\"}}}"},
      {"{mesh['x'=2], replicated}", "{replicated}"},
      {"{mesh['x'=2], unreduced}", "{unreduced}"},
      {"{mesh['x'=2], unreduced=sum{'x'}}", "{mesh['x'=2], unreduced{'x'}}"},
      {"{mesh['x'=2,'y'=2], device_ids=([2,2]T(0,1)), [{'x'}, {}, {}]}", "{mesh['x'=2,'y'=2], [{'x'}, {}, {}]}"},
  };
  for (const auto& [text, printed] : changed) EXPECT_EQ(sharding(text), printed) << text;
  const std::string tuple =
      "(f32[2]{0}, f32[2]{0}, f32[2]{0}, f32[2]{0}, f32[2]{0}, /*index=5*/f32[2]{0}) parameter(0), "
      "sharding={{replicated}, {manual}, {replicated}, {devices=[2]<=[2]}, {replicated}, /*index=5*/{maximal "
      "device=0}}";
  EXPECT_EQ(PrintedInstruction("r = " + tuple), tuple);
}

TEST(PrintStyle, Literals) {
  const auto value = [](const std::string& text) {
    const std::string line = PrintedInstruction("r = " + text);
    const size_t at = line.find(" constant(");
    return at == std::string::npos ? line : line.substr(at + 10, line.size() - at - 11);
  };
  EXPECT_EQ(value("f32[1,2,1,1] constant({{{{1}},{{2}}}})"), "{ { /*i0=0*/ { /*i1=0*/ {1} }, { /*i1=1*/ {2} } } }");
  EXPECT_EQ(value("s32[1,2,2] constant({{{0,1},{2,3}}})"), "{ { { 0, 1 }, { 2, 3 } } }");
  EXPECT_EQ(value("f32[2,0] constant({{},{}})"), "{ {}, {} }");
  EXPECT_EQ(value("f32[0] constant({})"), "{}");
  EXPECT_EQ(value("(s32[2], (pred[], f32[])) constant(({1, 2}, (true, -nan)))"), "( {1, 2}, ( true, -nan ) )");
  EXPECT_EQ(value("pred[2] constant({true, false})"), "{1, 0}");
  EXPECT_EQ(value("c64[2] constant({(1, -2.5), (-inf, 0)})"), "{(1, -2.5), (-inf, 0)}");
  EXPECT_EQ(value("f32[4] constant({...})"), "{...}");
  // Numbers (7.9).
  const std::pair<const char*, const char*> numbers[] = {
      {"f32[] constant(0.1)", "0.1"},
      {"f32[] constant(0.3333333333)", "0.333333343"},
      {"f32[] constant(1000000)", "1e+06"},
      {"f32[] constant(16777216)", "16777216"},
      {"f32[] constant(3.4028234e38)", "3.40282347e+38"},
      {"f32[] constant(42)", "42"},
      {"f32[] constant(2.5e-7)", "2.5e-07"},
      {"f32[] constant(-0.0)", "-0"},
      {"f64[] constant(0.1)", "0.1"},
      {"f64[] constant(0.30000000000000004)", "0.30000000000000004"},
      {"f16[] constant(65519)", "65504"},
      {"f16[] constant(0.1)", "0.099976"},
      {"bf16[] constant(998244352)", "9.982e+08"},
      {"f8e4m3fn[] constant(448)", "448"},
      {"f8e5m2[] constant(57344)", "5.7e+04"},
      {"f32[] constant(nan)", "nan"},
      {"f32[] constant(nan(0x400000))", "nan"},
      {"f32[] constant(-nan(0x7F))", "-nan(0x7f)"},
      {"f32[] constant(-inf)", "-inf"},
      {"u64[] constant(-1)", "18446744073709551615"},
      {"pred[] constant(7)", "true"},
  };
  for (const auto& [text, printed] : numbers) EXPECT_EQ(value(text), printed) << text;
}

// Lines that print back as they are: attributes in the order of 7.5, values as 7.5 spells them.
TEST(PrintStyle, AttributesByOpcode) {
  const std::string head =
      "HloModule m, entry_computation_layout={(f32[4]{0}, f32[4,4]{1,0})->f32[4]{0}}\n\n"
      "%sum (x: f32[], y: f32[]) -> f32[] {\n  %x = f32[] parameter(0)\n  %y = f32[] parameter(1)\n"
      "  ROOT %s = f32[] add(%x, %y)\n}\n\n"
      "%less (v: f32[], w: f32[]) -> pred[] {\n  %v = f32[] parameter(0)\n  %w = f32[] parameter(1)\n"
      "  ROOT %c = pred[] compare(%v, %w), direction=LT\n}\n\n"
      "ENTRY %e (p: f32[4], q: f32[4,4]) -> f32[4] {\n  %p = f32[4]{0} parameter(0)\n  %q = f32[4,4]{1,0} "
      "parameter(1)\n"
      "  %k = f32[] constant(0)\n"
      "  %user.1 = f32[] reduce(%p, %k), dimensions={0}, to_apply=%sum\n"
      "  %user.2 = (f32[4]{0}) sort(%p), dimensions={0}, to_apply=%less\n";
  for (const char* line : {
           "f32[4]{0} all-gather(%p), channel_id=1, replica_groups={{0,1},{2,3}}, constrain_layout=true, "
           "dimensions={0}, use_global_device_ids=true",
           "f32[4]{0} all-reduce(%p), channel_id=1, replica_groups=[2,4]<=[8], constrain_layout=true, "
           "use_global_device_ids=true, to_apply=%sum",
           "f32[4]{0} reduce-scatter(%p), channel_id=1, replica_groups={}, constrain_layout=true, "
           "use_global_device_ids=true, dimensions={0}, to_apply=%sum",
           "f32[4]{0} all-to-all(%p), channel_id=1, replica_groups=mesh['x'=2,'y'=4] {'x','y':(1)2}, "
           "constrain_layout=true, dimensions={0}",
           "f32[4]{0} ragged-all-to-all(%p, %p, %p, %p, %p, /*index=5*/%p), channel_id=1, replica_groups={{0}}",
           "f32[4]{0} collective-broadcast(%p), replica_groups={{0,1}}, has_dynamic_root=false",
           "f32[4]{0} collective-permute(%p, %p, %k, %k), channel_id=1, source_target_pairs={{0,1},{1,0}}, "
           "slice_sizes={{1},{2}}",
           "f32[4]{0} fusion(%p), kind=kLoop, output_to_operand_aliasing={{0}: (1, {}), {1}: (0, {0})}, calls=%sum",
           "f32[4]{0} custom-call(%p), window={size=2 stride=2 pad=0_1}, dim_labels=bf_io->bf, feature_group_count=2, "
           "batch_group_count=3, operand_precision={high}, padding_type=PADDING_SAME, custom_call_target=\"t\", "
           "operand_layout_constraints={f32[4]{0}}, custom_call_has_side_effect=true, literal=( s32[2]{0} {1, 2}, "
           "f32[] 0.5 ), output_to_operand_aliasing={{}: (0, {})}, schedule=SCHEDULE_LATEST, "
           "api_version=API_VERSION_TYPED_FFI, called_computations={%sum, %less}",
           "f32[4]{0} custom-call(%p), window={}, custom_call_target=\"\"",
           "f32[4]{0} convolution(%p, %p), window={size=2x2 stride=2x1 pad=0_1x-1_0 lhs_dilate=1x2 rhs_dilate=2x1 "
           "rhs_reversal=1x0}, dim_labels=b01f_01io->b01f, feature_group_count=2, batch_group_count=3, "
           "convolution_kind=fprop, operand_precision={high,default}, algorithm=dot_f32_f32_f32, "
           "sparsity_config={lhs={sparsity=2x4 dimension=1 stride=1 idx=0}}, "
           "block_scaling_config={lhs={scale_idx=2 zero_idx=0 strides=1x32 steps=1x1} rhs={scale_idx=3}}",
           "f32[4,4]{1,0} dot(%q, %q), lhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_batch_dims={0}, "
           "rhs_contracting_dims={1}, operand_precision={high,highest}, algorithm=dot_bf16_bf16_f32",
           "f32[4,4]{1,0} dot(%q, %q), lhs_contracting_dims={}, rhs_contracting_dims={}",
           "f32[4,4]{1,0} ragged-dot(%q, %q, %q), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
           "lhs_ragged_dims={0}, rhs_group_dims={0}, operand_precision={high,high}",
           "f32[4]{0} gather(%q, %p), offset_dims={0}, collapsed_slice_dims={0}, start_index_map={0}, "
           "operand_batching_dims={1}, start_indices_batching_dims={1}, index_vector_dim=1, slice_sizes={1,4}, "
           "indices_are_sorted=true",
           "f32[4]{0} scatter(%q, %p, %p), update_window_dims={0}, inserted_window_dims={}, "
           "scatter_dims_to_operand_dims={0}, input_batching_dims={1}, scatter_indices_batching_dims={1}, "
           "index_vector_dim=1, indices_are_sorted=true, unique_indices=true, to_apply=%sum",
           "f32[4]{0} sort(%p), dimensions={0}, is_stable=true, to_apply=%less",
           "(f32[2]{0}, s32[2]{0}) topk(%p), k=2, largest=true, is_stable=true",
           "(f32[4]{0}, f32[]) scan(%p, %k), dimensions={0}, num_carries=1, is_reverse=true, is_associative=false, "
           "to_apply=%sum",
           "f32[4]{0} map(%p, %p), dimensions={0}, to_apply=%sum",
           "f32[3]{0} reduce-window(%p, %k), window={size=2}, to_apply=%sum",
           "f32[4]{0} select-and-scatter(%p, %p, %k), window={size=2}, select=%less, scatter=%sum",
           "f32[] call(%k, %k), to_apply=%sum, is_composite=true, frontend_attributes={composite.name=\"a.b\"}",
           "f32[4]{0} while(%p), condition=%less, body=%sum",
           "pred[4]{0} compare(%p, %p), direction=GE, type=TOTALORDER",
           "f32[4]{0} batch-norm-inference(%p, %p, %p, %p, %p), epsilon=0.001, feature_index=0",
           "c64[4]{0} fft(%p), fft_type=RFFT, fft_length={4}",
           "f32[4,4]{1,0} triangular-solve(%q, %q), left_side=true, lower=true, unit_diagonal=true, "
           "transpose_a=NO_TRANSPOSE",
           "f32[4,4]{1,0} cholesky(%q), lower=true",
           "f32[4]{0} reduce-precision(%p), exponent_bits=5, mantissa_bits=10",
           "f32[2]{0} slice(%p), slice={[0:4:2]}",
           "f32[2,2]{1,0} slice(%q), slice={[0:2], [1:3]}",
           "f32[5]{0} pad(%p, %k), padding=0_1",
           "f32[5,4]{1,0} pad(%q, %k), padding=0_1_0x-1_1_1",
           "f32[4]{0} domain(%p), domain={kind=\"sharding\", entry={replicated}, exit={maximal device=0}}",
           "f32[4]{0} rng(%k, %k), distribution=rng_uniform",
           "u32[4]{0} rng-bit-generator(%p), algorithm=rng_three_fry",
           "f32[4]{0} reshape(%p), inferred_dimension=0",
           "f32[4]{0} exponential(%p), sharding={replicated}, frontend_attributes={a=\"x\"}, "
           "control-predecessors={%k}, statistics={visualizing_index=0,x=1.5}, "
           "result_accuracy={tolerance={atol=0.5,rtol=0,ulps=2}}, origin={{\"v\" {0,1}}}, metadata={op_type=\"t\" "
           "op_name=\"n\" source_file=\"f\" source_line=1 source_end_line=2 source_column=3 source_end_column=4 "
           "profile_type={1,2} deduplicated_name=\"d\" scheduling_name=\"s\" metadata_payload=\"\\001\"}, "
           "backend_config=\"q\\n\\303\\251\"",
       }) {
    const std::string text = absl::StrCat(head, "  %r = ", line, "\n  ROOT %end = f32[4]{0} copy(%p)\n}\n\n");
    const std::string printed = Printed(text, PrintOptions::Long());
    const size_t begin = printed.find("%r = ");
    ASSERT_NE(begin, std::string::npos) << printed << line;
    EXPECT_EQ(printed.substr(begin + 5, printed.find('\n', begin) - begin - 5), line);
  }
}

TEST(PrintStyle, NamesThatMeanTheSameAreMadeUnique) {
  const auto names = [](const std::string& first, const std::string& second) {
    const std::string printed =
        Printed(absl::StrCat("HloModule m\nENTRY e {\n  ", first, " = f32[] parameter(0)\n  ROOT ", second,
                             " = f32[] negate(", first, ")\n}\n"),
                PrintOptions::Short());
    const size_t root = printed.find("ROOT ") + 5;
    return printed.substr(root, printed.find(' ', root) - root);
  };
  EXPECT_EQ(names("a.0", "b.0"), "b.0");
  EXPECT_EQ(names("a", "a.1"), "a.1");
  EXPECT_EQ(names("a", "a.0"), "a.1");
  EXPECT_EQ(names("a.0", "a"), "a.1");
  EXPECT_EQ(names("a.1", "a.01"), "a.0");
  EXPECT_EQ(names("negate", "b.0"), "b.0");
}

}  // namespace
}  // namespace hloscope
