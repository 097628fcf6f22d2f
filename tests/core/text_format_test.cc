// The grammar of texts, headers and computations (spec/hlo-text.md 1-3), production by production: what is
// accepted, and what is rejected with which code.
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/support/format_rows.h"

namespace hloscope {
namespace {

// Where the fragment of a row stands.
constexpr char kText[] = "$";
constexpr char kHeader[] =
    "HloModule m$\nENTRY e { a = f32[4] parameter(0) b = (f32[4], f32[8]) parameter(1) "
    "b0 = f32[4] get-tuple-element(b), index=0 ROOT r = (f32[4], f32[4]) tuple(a, b0) }";
constexpr char kBody[] =
    "HloModule m\n"
    "sum { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }\n"
    "neg { x = f32[] parameter(0) ROOT n = f32[] negate(x) }\n"
    "less { x = f32[] parameter(0) y = f32[] parameter(1) ROOT c = pred[] compare(x, y), direction=LT }\n"
    "ENTRY e { p = f32[4] parameter(0) q = f32[4] parameter(1) z = f32[] constant(0) "
    "m = f32[4,4] parameter(2) t = (f32[4], (s32[], f32[4])) parameter(3) i = s32[] constant(1) "
    "c = pred[] constant(true)\n$\n}";
constexpr char kCall[] =
    "f { x = f32[] parameter(0) ROOT n = f32[] negate(x) }\n"
    "ENTRY e { x = f32[] parameter(0) ROOT r = f32[4]{0} custom-call(x), $ }";

TEST(TextFormat, SpaceAndComments) {
  ExpectCodes({
      {kText, "/* a */ENTRY/**/e{/*x*/ROOT/***/c = f32[]/* ( */constant(1)}//end"},
      {kText, "ENTRY e {\r\n ROOT c = f32[] // x\r constant(1) }"},
      {kText, "ENTRY e { ROOT c = f32[/*2*/2/**/]{/**/0} parameter(/*n*/0) }"},
      {kText, "ENTRY e { ROOT c = f32[] constant(1) } /* open", "unclosed-comment"},
      {kText, "ENTRY e { ROOT c = f32[] / constant(1) }", "bad-token"},
      {kText, "ENTRY e { \f ROOT c = f32[] constant(1) }", "stray-byte"},
      {kText, "ENTRY e { \v ROOT c = f32[] constant(1) }", "stray-byte"},
      {kText, "ENTRY e { ROOT c = f32[] constant(1) } // \xC3\xA9"},
      {kText, "ENTRY e { \xC3\xA9 ROOT c = f32[] constant(1) }", "stray-byte"},
  });
  EXPECT_EQ(CodesOfReading(std::string("ENTRY e { ROOT c = f32[] constant(1) }\0", 39)), "stray-byte");
}

TEST(TextFormat, Names) {
  ExpectCodes({
      {kBody, "a.b-c_d = f32[4] copy(p)"},
      {kBody, "%x=f32[4] copy(%p)"},
      {kBody, "x=f32[4] copy(p)", "name-touches-equals"},
      {kBody, "x = f32[4] add(p: , q)"},
      {kBody, "%1 = f32[4] copy(p)", "illegal-name"},
      {kBody, "% x = f32[4] copy(p)", "percent-without-name"},
      {kBody, "%true = f32[4] copy(p) %inf = f32[4] copy(%true) %ROOT = f32[4] copy(%inf)"},
      {kBody, "true = f32[4] copy(p)", "keyword-as-name"},
      {kBody, "inf = f32[4] copy(p)", "keyword-as-name"},
      {kBody, "f32 = f32[4] copy(p)", "illegal-name"},
      {kBody, "%f32 = f32[4] copy(p)", "illegal-name"},
      {kBody, "__x = f32[4] copy(p)", "illegal-name"},
      {kBody, "__xla_x = f32[4] copy(p)"},
      {kBody, "add = f32[4] add(p, q) mul = f32[4] multiply(add, add)"},
      {kBody, "tuple = f32[4] copy(p) buffer = f32[4] copy(tuple) b = f32[4] copy(buffer)"},
      {kBody, "\"x\" = f32[4] copy(p)", "expected-name"},
      {kText, "f32 { ROOT c = f32[] constant(1) }", "expected-name"},
      {kText, "HloModule m: ENTRY e { ROOT c = f32[] constant(1) }"},
      {kText, "HloModule %m ENTRY e: { ROOT c = f32[] constant(1) }"},
      {kText, "HloModule 1 ENTRY e { ROOT c = f32[] constant(1) }", "expected-name"},
  });
}

TEST(TextFormat, Strings) {
  const auto target = [](const std::string& string) {
    return CodesOfReading(FillIn(kCall, absl::StrCat("custom_call_target=", string)));
  };
  EXPECT_EQ(target(R"("plain")"), "");
  EXPECT_EQ(target(R"('single "quoted"')"), "");
  EXPECT_EQ(target(R"("\a\b\f\n\r\t\v\\\?\'\"")"), "");
  EXPECT_EQ(target(R"("\1\12\377\x1\xFF\X0f\u00e9\U0001F600")"), "");
  EXPECT_EQ(target("\"two\nlines \xC3\xA9\""), "");
  EXPECT_EQ(target(R"("\q")"), "bad-escape");
  EXPECT_EQ(target(R"("\400")"), "bad-escape");
  EXPECT_EQ(target(R"("\x")"), "bad-escape");
  EXPECT_EQ(target(R"("\x100")"), "bad-escape");
  EXPECT_EQ(target(R"("\u12")"), "bad-escape");
  EXPECT_EQ(target(R"("\U00110000")"), "bad-escape");
  EXPECT_EQ(target("\"open"), "unclosed-string unclosed-computation");
}

TEST(TextFormat, RawBlocks) {
  ExpectCodes({
      {kCall, "custom_call_target=\"t\", backend_config={a = {b} \"}\" 'c}"},
      {kCall, "custom_call_target=\"t\", backend_config={\"k\":[1,{\"n\":\"\\\"}\"}]}"},
      {kCall, "custom_call_target=\"t\", backend_config=\"opaque\""},
      {kCall, "custom_call_target=\"t\", backend_config=\"\""},
      {kCall, "custom_call_target=\"t\", backend_config=7", "bad-value"},
      {kCall, "custom_call_target=\"t\", frontend_attributes={a={x = #m<[\"y\"=2]>},b.c-d=\"v\"}"},
      {kCall, "custom_call_target=\"t\", frontend_attributes={}"},
      {kCall, "custom_call_target=\"t\", frontend_attributes={a=\"1\",a=\"2\"}"},
      {kCall, "custom_call_target=\"t\", frontend_attributes={a=b}", "bad-value"},
      {kCall, "custom_call_target=\"t\", frontend_attributes={a=1}", "bad-value"},
      {kCall, "custom_call_target=\"t\", frontend_attributes={a=\"1\",}", "surplus-comma"},
      {kCall, "custom_call_target=\"t\", frontend_attributes={a =\"1\"}", "bad-value"},
  });
}

TEST(TextFormat, KindsOfText) {
  ExpectCodes({
      {kText,
       "f { ROOT x = f32[] parameter(0) } ENTRY e { x = f32[] parameter(0) ROOT c = f32[] call(x), to_apply=f }"},
      {kText, "f (x: f32[]) -> f32[] { ROOT x = f32[] parameter(0) }", "missing-header"},
      {kText, "f32[2,4]{1,0} multiply(f32[2,4]{1,0}, f32[2,4]{1,0})"},
      {kText, "%s = f32[8] subtract(f32[8] %p, f32[8] %q)"},
      {kText, "ROOT %s = f32[8] subtract(f32[8] %p, f32[8] %p)"},
      {kText, "s = f32[8] subtract(f32[8] p, p)"},
      {kText, "multiply(f32[2,4] %a, f32[2,4] %b)", "missing-equals"},
      {kText, "%m = f32[2,4] multiply(%a, %b)", "unknown-instruction unknown-instruction"},
      {kText, "f32[2] negate(f32[2]) f32[2] negate(f32[2])", "trailing-input"},
      {kText, "FileNames 1 \"a\" ENTRY e { ROOT c = f32[] constant(1) }", "expected-name"},
      {kText, "HloModule m", "no-computation"},
      {kText, "", "empty-text"},
      {kText, "HloModule m ENTRY e { ROOT c = f32[] constant(1) } HloModule n", "second-module"},
  });
}

TEST(TextFormat, Header) {
  ExpectCodes({
      {kHeader, ", is_scheduled=false, replica_count=2, num_partitions=4, alias_passthrough_params=true"},
      {kHeader, ", is_scheduled=1", "expected-boolean"},
      {kHeader, ", replica_count=x", "expected-integer"},
      {kHeader, ", nosuch=1", "unknown-attribute"},
      {kHeader, ", replica_count=1, replica_count=1", "duplicate-attribute"},
      {kHeader, " is_scheduled=true", "missing-comma"},
      {kHeader, ", allow_spmd_sharding_propagation_to_parameters=true"},
      {kHeader, ", allow_spmd_sharding_propagation_to_output={true,false}"},
      {kHeader, ", allow_spmd_sharding_propagation_to_output={1}", "expected-boolean"},
      {kHeader, ", input_output_alias={ {0}: (0, {}, must-alias), {1}: (1, {0}), }, buffer_donor={ (1, {1,}), }"},
      {kHeader, ", input_output_alias={}, buffer_donor={}"},
      {kHeader, ", input_output_alias={ {0}: (0, {}), {0}: (1, {0}) }"},
      {kHeader, ", input_output_alias={ {0}: (-1, {}) }", "value-out-of-range"},
      {kHeader, ", input_output_alias={ {0}: (0, {}, no-alias) }", "unknown-word"},
      {kHeader, ", input_output_alias={ {0} (0, {}) }", "bad-value"},
      {kHeader, ", entry_computation_layout={(f32[4],(f32[4]{0}, f32[8]),)->(f32[4], f32[4]{0})}"},
      {kHeader, ", entry_computation_layout={()->f32[]}"},
      {kHeader, ", entry_computation_layout={(f32[4])}", "bad-value"},
      {kHeader, ", frontend_attributes={a={b},c=\"d\"}"},
      {kHeader, ", origin_recovery_table={}"},
      {kHeader, ", origin_recovery_table={ {\"x\" {1}} : {\"y\"} {\"z\"} : {} }"},
      {kHeader, ", origin_recovery_table={ {\"x\"} : {\"y\"}, \"ENTRY e { ROOT p = f32[] parameter(0) }\" }"},
      {kHeader, ", origin_recovery_table={ {\"x\"} : {\"y\"}, \"f32[2] negate(f32[2])\" {\"a\"} : {\"b\"} }"},
      {kHeader, ", origin_recovery_table={ {\"x\"} : {\"y\"}, \"ENTRY e { ROOT p = f32[] negat(q) }\" }",
       "recovery-module"},
      {kHeader, ", origin_recovery_table={ {\"x\"} : {\"y\"}, \"\" }", "recovery-module"},
      {kHeader, ", origin_recovery_table={ {\"x\"} : {\"y\"}, {\"z\"} : {\"w\"} }", "expected-string"},
      {kHeader, ", debug_attributes={}"},
      {kHeader,
       ", debug_attributes={ {\"a\"}:{log_mode=fusion_debugger}, "
       "{\"b\" {1}}:({callback_id=1,partitioned=true,op_id=2}, {op_id=3,op_id=4}) }"},
      {kHeader, ", debug_attributes={ {\"a\"}:() }"},
      {kHeader, ", debug_attributes={ {\"a\"}:{} }", "bad-value"},
      {kHeader, ", debug_attributes={ {\"a\"}:{nosuch=1} }", "unknown-field"},
      {kHeader, ", debug_attributes={ {\"a\"}:{log_mode=verbose} }", "unknown-word"},
  });
}

TEST(TextFormat, StackFrames) {
  const std::string location =
      "FileLocations 1 {file_name_id=1 function_name_id=1, line=1 end_line=1 column=1 end_column=2}";
  const auto tables = [](const std::string& middle, const std::string& metadata = "") {
    return CodesOfReading(
        absl::StrCat("HloModule m ", middle, " ENTRY e { ROOT c = f32[] constant(1)", metadata, " }"));
  };
  const std::string names = "FileNames 1 \"a\" FunctionNames 1 \"f\" ";
  const std::string frames = " StackFrames 1 {file_location_id=1 parent_frame_id=1}";
  EXPECT_EQ(tables(names + location + frames, ", metadata={stack_frame_id=1}"), "");
  EXPECT_EQ(tables("FileNames FunctionNames FileLocations StackFrames"), "");
  EXPECT_EQ(tables(names + "FileLocations 1 {file_name_id=1}" + frames), "missing-field");
  EXPECT_EQ(tables(names + location + " StackFrames 1 {file_location_id=1}"), "missing-field");
  EXPECT_EQ(tables(names + location + " StackFrames 1 {file_location_id=1 parent_frame_id=1 x=1}"), "unknown-field");
  EXPECT_EQ(tables(names + location + " StackFrames 1 {file_location_id=1 parent_frame_id=99999999999}"),
            "value-out-of-range");
  EXPECT_EQ(tables(names + frames), "incomplete-frame-tables");
  EXPECT_EQ(tables("FileNames 1 x FunctionNames FileLocations StackFrames"), "expected-string");
}

TEST(TextFormat, Computations) {
  ExpectCodes({
      {kText, "HloModule m ENTRY e (x: f32[], y f32[2], %z f32[]) -> f32[] { ROOT x = f32[] parameter(0) }"},
      {kText, "HloModule m ENTRY e () -> f32[] { ROOT c = f32[] constant(1) }, execution_thread=\"host\""},
      {kText, "HloModule m ENTRY e (%x: f32[]) -> f32[] { ROOT x = f32[] parameter(0) }", "expected-shape"},
      {kText, "HloModule m ENTRY e (x : f32[]) -> f32[] { ROOT x = f32[] parameter(0) }", "expected-shape"},
      {kText, "HloModule m ENTRY e (x: f32[]) { ROOT x = f32[] parameter(0) }", "missing-result-shape"},
      {kText, "HloModule m ENTRY e () -> f32[2] { ROOT c = f32[] constant(1) }", "signature-mismatch"},
      {kText, "HloModule m ENTRY e { ROOT c = f32[] constant(1) }, nosuch=1", "unknown-attribute"},
      {kText, "HloModule m ENTRY e { ROOT c = f32[] constant(1) }, execution_thread=main", "expected-string"},
      {kText, "HloModule m ENTRY e { }", "empty-computation"},
      {kText, "HloModule m ENTRY a { ROOT c = f32[] constant(1) } ENTRY b { ROOT c = f32[] constant(1) }",
       "second-entry"},
      {kText, "HloModule m f { ROOT c = f32[] constant(1) } f { ROOT c = f32[] constant(1) }", "duplicate-computation"},
      {kText, "HloModule m f { c = f32[] constant(1) d = f32[] constant(1) }"},
      {kText, "HloModule m f { ROOT c = f32[] constant(1) ROOT d = f32[] constant(1) }", "second-root"},
      {kText, "HloModule m f { c = f32[] constant(1) c = f32[] constant(1) }", "duplicate-instruction"},
      {kText, "HloModule m ENTRY e { ROOT c = f32[] call(), to_apply=f } f { ROOT c = f32[] constant(1) }",
       "called-before-definition"},
      {kText, "HloModule m ENTRY e { ROOT c = f32[] call(), to_apply=e }", "recursive-call"},
      {kText,
       "HloModule m ENTRY e { a = f32[] constant(1) ROOT c = f32[] call(a), to_apply={ ROOT a = f32[] parameter(0) } "
       "}"},
      {kText,
       "HloModule m ENTRY e { a = f32[] constant(1) ROOT c = f32[] call(), to_apply={ ROOT b = f32[] negate(a) } }",
       "name-out-of-scope"},
      {kText, "HloModule m ENTRY e { ROOT b = f32[] negate(a) a = f32[] constant(1) }", "used-before-definition"},
  });
}

}  // namespace
}  // namespace hloscope
