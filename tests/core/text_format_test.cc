// SPDX-License-Identifier: Apache-2.0
// The grammar of texts, headers and computations (docs/text-format.md 1-3), production by production: what is
// accepted, and what is rejected with which code.
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/support/format_rows.h"

namespace hloscope {
namespace {

// Where the fragment of a row is.
constexpr char kTextFormatText[] = "$";
constexpr char kTextFormatHeader[] =
    "HloModule m$\nENTRY e { a = f32[4] parameter(0) b = (f32[4], f32[8]) parameter(1) "
    "b0 = f32[4] get-tuple-element(b), index=0 ROOT r = (f32[4], f32[4]) tuple(a, b0) }";
constexpr char kTextFormatBody[] =
    "HloModule m\n"
    "sum { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }\n"
    "neg { x = f32[] parameter(0) ROOT n = f32[] negate(x) }\n"
    "less { x = f32[] parameter(0) y = f32[] parameter(1) ROOT c = pred[] compare(x, y), direction=LT }\n"
    "ENTRY e { p = f32[4] parameter(0) q = f32[4] parameter(1) z = f32[] constant(0) "
    "m = f32[4,4] parameter(2) t = (f32[4], (s32[], f32[4])) parameter(3) i = s32[] constant(1) "
    "c = pred[] constant(true)\n$\n}";
constexpr char kTextFormatCall[] =
    "f { x = f32[] parameter(0) ROOT n = f32[] negate(x) }\n"
    "ENTRY e { x = f32[] parameter(0) ROOT r = f32[4]{0} custom-call(x), $ }";

TEST(TextFormat, SpaceAndComments) {
  ExpectCodes({
      {kTextFormatText, "/* a */ENTRY/**/e{/*x*/ROOT/***/c = f32[]/* ( */constant(1)}//end"},
      {kTextFormatText, "ENTRY e {\r\n ROOT c = f32[] // x\r constant(1) }"},
      {kTextFormatText, "ENTRY e { ROOT c = f32[/*2*/2/**/]{/**/0} parameter(/*n*/0) }"},
      {kTextFormatText, "ENTRY e { ROOT c = f32[] constant(1) } /* open", "unclosed-comment"},
      {kTextFormatText, "ENTRY e { ROOT c = f32[] / constant(1) }", "bad-token"},
      {kTextFormatText, "ENTRY e { \f ROOT c = f32[] constant(1) }", "stray-byte"},
      {kTextFormatText, "ENTRY e { \v ROOT c = f32[] constant(1) }", "stray-byte"},
      {kTextFormatText, "ENTRY e { ROOT c = f32[] constant(1) } // \xC3\xA9"},
      {kTextFormatText, "ENTRY e { \xC3\xA9 ROOT c = f32[] constant(1) }", "stray-byte"},
  });
  EXPECT_EQ(CodesOfReading(std::string("ENTRY e { ROOT c = f32[] constant(1) }\0", 39)), "stray-byte");
}

TEST(TextFormat, Names) {
  ExpectCodes({
      {kTextFormatBody, "a.b-c_d = f32[4] copy(p)"},
      {kTextFormatBody, "%x=f32[4] copy(%p)"},
      {kTextFormatBody, "x=f32[4] copy(p)", "name-touches-equals"},
      {kTextFormatBody, "x = f32[4] add(p: , q)"},
      {kTextFormatBody, "%1 = f32[4] copy(p)", "illegal-name"},
      {kTextFormatBody, "% x = f32[4] copy(p)", "percent-without-name"},
      {kTextFormatBody, "%true = f32[4] copy(p) %inf = f32[4] copy(%true) %ROOT = f32[4] copy(%inf)"},
      {kTextFormatBody, "true = f32[4] copy(p)", "keyword-as-name"},
      {kTextFormatBody, "inf = f32[4] copy(p)", "keyword-as-name"},
      {kTextFormatBody, "f32 = f32[4] copy(p)", "illegal-name"},
      {kTextFormatBody, "%f32 = f32[4] copy(p)", "illegal-name"},
      {kTextFormatBody, "__x = f32[4] copy(p)", "illegal-name"},
      {kTextFormatBody, "__xla_x = f32[4] copy(p)"},
      {kTextFormatBody, "add = f32[4] add(p, q) mul = f32[4] multiply(add, add)"},
      {kTextFormatBody, "tuple = f32[4] copy(p) buffer = f32[4] copy(tuple) b = f32[4] copy(buffer)"},
      {kTextFormatBody, "\"x\" = f32[4] copy(p)", "expected-name"},
      {kTextFormatText, "f32 { ROOT c = f32[] constant(1) }", "expected-name"},
      {kTextFormatText, "HloModule m: ENTRY e { ROOT c = f32[] constant(1) }"},
      {kTextFormatText, "HloModule %m ENTRY e: { ROOT c = f32[] constant(1) }"},
      {kTextFormatText, "HloModule 1 ENTRY e { ROOT c = f32[] constant(1) }", "expected-name"},
  });
}

TEST(TextFormat, Strings) {
  const auto target = [](const std::string& string) {
    return CodesOfReading(FillIn(kTextFormatCall, absl::StrCat("custom_call_target=", string)));
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
      {kTextFormatCall, "custom_call_target=\"t\", backend_config={a = {b} \"}\" 'c}"},
      {kTextFormatCall, "custom_call_target=\"t\", backend_config={\"k\":[1,{\"n\":\"\\\"}\"}]}"},
      {kTextFormatCall, "custom_call_target=\"t\", backend_config=\"opaque\""},
      {kTextFormatCall, "custom_call_target=\"t\", backend_config=\"\""},
      {kTextFormatCall, "custom_call_target=\"t\", backend_config=7", "bad-value"},
      {kTextFormatCall, "custom_call_target=\"t\", frontend_attributes={a={x = #m<[\"y\"=2]>},b.c-d=\"v\"}"},
      {kTextFormatCall, "custom_call_target=\"t\", frontend_attributes={}"},
      {kTextFormatCall, "custom_call_target=\"t\", frontend_attributes={a=\"1\",a=\"2\"}"},
      {kTextFormatCall, "custom_call_target=\"t\", frontend_attributes={a=b}", "bad-value"},
      {kTextFormatCall, "custom_call_target=\"t\", frontend_attributes={a=1}", "bad-value"},
      {kTextFormatCall, "custom_call_target=\"t\", frontend_attributes={a=\"1\",}", "surplus-comma"},
      {kTextFormatCall, "custom_call_target=\"t\", frontend_attributes={a =\"1\"}", "bad-value"},
  });
}

TEST(TextFormat, KindsOfText) {
  ExpectCodes({
      {kTextFormatText,
       "f { ROOT x = f32[] parameter(0) } ENTRY e { x = f32[] parameter(0) ROOT c = f32[] call(x), to_apply=f }"},
      {kTextFormatText, "f (x: f32[]) -> f32[] { ROOT x = f32[] parameter(0) }", "missing-header"},
      {kTextFormatText, "f32[2,4]{1,0} multiply(f32[2,4]{1,0}, f32[2,4]{1,0})"},
      {kTextFormatText, "%s = f32[8] subtract(f32[8] %p, f32[8] %q)"},
      {kTextFormatText, "ROOT %s = f32[8] subtract(f32[8] %p, f32[8] %p)"},
      {kTextFormatText, "s = f32[8] subtract(f32[8] p, p)"},
      {kTextFormatText, "multiply(f32[2,4] %a, f32[2,4] %b)", "missing-equals"},
      {kTextFormatText, "%m = f32[2,4] multiply(%a, %b)", "unknown-instruction unknown-instruction"},
      {kTextFormatText, "f32[2] negate(f32[2]) f32[2] negate(f32[2])", "trailing-input"},
      {kTextFormatText, "FileNames 1 \"a\" ENTRY e { ROOT c = f32[] constant(1) }", "expected-name"},
      {kTextFormatText, "HloModule m", "no-computation"},
      {kTextFormatText, "", "empty-text"},
      {kTextFormatText, "HloModule m ENTRY e { ROOT c = f32[] constant(1) } HloModule n", "second-module"},
  });
}

TEST(TextFormat, Header) {
  ExpectCodes({
      {kTextFormatHeader, ", is_scheduled=false, replica_count=2, num_partitions=4, alias_passthrough_params=true"},
      {kTextFormatHeader, ", is_scheduled=1", "expected-boolean"},
      {kTextFormatHeader, ", replica_count=x", "expected-integer"},
      {kTextFormatHeader, ", nosuch=1", "unknown-attribute"},
      {kTextFormatHeader, ", replica_count=1, replica_count=1", "duplicate-attribute"},
      {kTextFormatHeader, " is_scheduled=true", "missing-comma"},
      {kTextFormatHeader, ", allow_spmd_sharding_propagation_to_parameters=true"},
      {kTextFormatHeader, ", allow_spmd_sharding_propagation_to_output={true,false}"},
      {kTextFormatHeader, ", allow_spmd_sharding_propagation_to_output={1}", "expected-boolean"},
      {kTextFormatHeader,
       ", input_output_alias={ {0}: (0, {}, must-alias), {1}: (1, {0}), }, buffer_donor={ (1, {1,}), }"},
      {kTextFormatHeader, ", input_output_alias={}, buffer_donor={}"},
      {kTextFormatHeader, ", input_output_alias={ {0}: (0, {}), {0}: (1, {0}) }"},
      {kTextFormatHeader, ", input_output_alias={ {0}: (-1, {}) }", "value-out-of-range"},
      {kTextFormatHeader, ", input_output_alias={ {0}: (0, {}, no-alias) }", "unknown-word"},
      {kTextFormatHeader, ", input_output_alias={ {0} (0, {}) }", "bad-value"},
      {kTextFormatHeader, ", entry_computation_layout={(f32[4],(f32[4]{0}, f32[8]),)->(f32[4], f32[4]{0})}"},
      {kTextFormatHeader, ", entry_computation_layout={()->f32[]}"},
      {kTextFormatHeader, ", entry_computation_layout={(f32[4])}", "bad-value"},
      {kTextFormatHeader, ", frontend_attributes={a={b},c=\"d\"}"},
      {kTextFormatHeader, ", origin_recovery_table={}"},
      {kTextFormatHeader, ", origin_recovery_table={ {\"x\" {1}} : {\"y\"} {\"z\"} : {} }"},
      {kTextFormatHeader, ", origin_recovery_table={ {\"x\"} : {\"y\"}, \"ENTRY e { ROOT p = f32[] parameter(0) }\" }"},
      {kTextFormatHeader, ", origin_recovery_table={ {\"x\"} : {\"y\"}, \"f32[2] negate(f32[2])\" {\"a\"} : {\"b\"} }"},
      {kTextFormatHeader, ", origin_recovery_table={ {\"x\"} : {\"y\"}, \"ENTRY e { ROOT p = f32[] negat(q) }\" }",
       "recovery-module"},
      {kTextFormatHeader, ", origin_recovery_table={ {\"x\"} : {\"y\"}, \"\" }", "recovery-module"},
      {kTextFormatHeader, ", origin_recovery_table={ {\"x\"} : {\"y\"}, {\"z\"} : {\"w\"} }", "expected-string"},
      {kTextFormatHeader, ", debug_attributes={}"},
      {kTextFormatHeader,
       ", debug_attributes={ {\"a\"}:{log_mode=fusion_debugger}, "
       "{\"b\" {1}}:({callback_id=1,partitioned=true,op_id=2}, {op_id=3,op_id=4}) }"},
      {kTextFormatHeader, ", debug_attributes={ {\"a\"}:() }"},
      {kTextFormatHeader, ", debug_attributes={ {\"a\"}:{} }", "bad-value"},
      {kTextFormatHeader, ", debug_attributes={ {\"a\"}:{nosuch=1} }", "unknown-field"},
      {kTextFormatHeader, ", debug_attributes={ {\"a\"}:{log_mode=verbose} }", "unknown-word"},
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
      {kTextFormatText, "HloModule m ENTRY e (x: f32[], y f32[2], %z f32[]) -> f32[] { ROOT x = f32[] parameter(0) }"},
      {kTextFormatText, "HloModule m ENTRY e () -> f32[] { ROOT c = f32[] constant(1) }, execution_thread=\"host\""},
      {kTextFormatText, "HloModule m ENTRY e (%x: f32[]) -> f32[] { ROOT x = f32[] parameter(0) }", "expected-shape"},
      {kTextFormatText, "HloModule m ENTRY e (x : f32[]) -> f32[] { ROOT x = f32[] parameter(0) }", "expected-shape"},
      {kTextFormatText, "HloModule m ENTRY e (x: f32[]) { ROOT x = f32[] parameter(0) }", "missing-result-shape"},
      {kTextFormatText, "HloModule m ENTRY e () -> f32[2] { ROOT c = f32[] constant(1) }", "signature-mismatch"},
      {kTextFormatText, "HloModule m ENTRY e { ROOT c = f32[] constant(1) }, nosuch=1", "unknown-attribute"},
      {kTextFormatText, "HloModule m ENTRY e { ROOT c = f32[] constant(1) }, execution_thread=main", "expected-string"},
      {kTextFormatText, "HloModule m ENTRY e { }", "empty-computation"},
      {kTextFormatText, "HloModule m ENTRY a { ROOT c = f32[] constant(1) } ENTRY b { ROOT c = f32[] constant(1) }",
       "second-entry"},
      {kTextFormatText, "HloModule m f { ROOT c = f32[] constant(1) } f { ROOT c = f32[] constant(1) }",
       "duplicate-computation"},
      {kTextFormatText, "HloModule m f { c = f32[] constant(1) d = f32[] constant(1) }"},
      {kTextFormatText, "HloModule m f { ROOT c = f32[] constant(1) ROOT d = f32[] constant(1) }", "second-root"},
      {kTextFormatText, "HloModule m f { c = f32[] constant(1) c = f32[] constant(1) }", "duplicate-instruction"},
      {kTextFormatText, "HloModule m ENTRY e { ROOT c = f32[] call(), to_apply=f } f { ROOT c = f32[] constant(1) }",
       "called-before-definition"},
      {kTextFormatText, "HloModule m ENTRY e { ROOT c = f32[] call(), to_apply=e }", "recursive-call"},
      {kTextFormatText,
       "HloModule m ENTRY e { a = f32[] constant(1) ROOT c = f32[] call(a), to_apply={ ROOT a = f32[] parameter(0) } "
       "}"},
      {kTextFormatText,
       "HloModule m ENTRY e { a = f32[] constant(1) ROOT c = f32[] call(), to_apply={ ROOT b = f32[] negate(a) } }",
       "name-out-of-scope"},
      {kTextFormatText, "HloModule m ENTRY e { ROOT b = f32[] negate(a) a = f32[] constant(1) }",
       "used-before-definition"},
  });
}

}  // namespace
}  // namespace hloscope
