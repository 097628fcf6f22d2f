// SPDX-License-Identifier: Apache-2.0
// Every kind of statement is broken: exactly what is broken is lost.
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "tests/support/format_rows.h"
#include "tests/support/recovery.h"

namespace hloscope {
namespace {

// An entry computation with `statement` on line 6 (counted from 0), and a user of `broken` if `used`.
std::string ModuleWith(const std::string& statement, bool used = true) {
  return absl::StrCat(
      "HloModule m\n"
      "f { x = f32[4] parameter(0) ROOT n = f32[4] negate(x) }\n"
      "ENTRY e {\n"
      "  p = f32[4] parameter(0)\n"
      "  t = (f32[4], s32[]) parameter(1)\n"
      "  before = f32[4] negate(p)\n  ",
      statement, "\n  after = f32[4] call(p), to_apply=f, metadata={op_name=\"kept\"}\n",
      used ? "  user = f32[4] add(broken, after), control-predecessors={broken}\n" : "",
      "  ROOT r = f32[4] add(before, after)\n}\n");
}

TEST(StatementRecovery, EveryPartOfAnInstruction) {
  for (const char* statement : {
           "broken f32[4] negate(p)",                                // no `=`
           "broken == f32[4] negate(p)",                             //
           "broken = f32[4 negate(p)",                               // shape
           "broken = f32 negate(p)",                                 //
           "broken = f32[4]] negate(p)",                             //
           "broken = f32[a] negate(p)",                              //
           "broken = f32[-4] negate(p)",                             //
           "broken = (f32[4], negate(p)",                            //
           "broken = f32[4]{0:T(} negate(p)",                        //
           "broken = f32[4]{0,1} negate(p)",                         //
           "broken = f31[4] negate(p)",                              //
           "broken = f32[4] (p)",                                    // opcode
           "broken = f32[4] 7(p)",                                   //
           "broken = f32[4] negat(p)",                               //
           "broken = f32[4] copy-update(p)",                         //
           "broken = reshape(p)",                                    //
           "broken = f32[4]",                                        //
           "broken =",                                               //
           "broken = f32[4] negate p",                               // operands
           "broken = f32[4] negate(p",                               //
           "broken = f32[4] negate(p;)",                             //
           "broken = f32[4] negate(p p)",                            //
           "broken = f32[4] negate(nosuch)",                         //
           "broken = f32[4] negate(p#0)",                            //
           "broken = f32[4] negate(t#2)",                            //
           "broken = f32[4] negate(t#x)",                            //
           "broken = f32[4] negate(f32[3] p)",                       //
           "broken = f32[4] negate(f32[4])",                         //
           "broken = f32[4] negate(7)",                              //
           "broken = f32[4] parameter(x)",                           // arguments
           "broken = f32[4] parameter(-1)",                          //
           "broken = f32[4] parameter(1)",                           //
           "broken = f32[4] parameter(",                             //
           "broken = f32[4] constant({1, 2, 3, x})",                 //
           "broken = f32[4] constant({1, 2, 3})",                    //
           "broken = f32[4] constant({1, 2, 3, 4)",                  //
           "broken = f32[4] constant(",                              //
           "broken = f32[4] negate(p),",                             // attributes
           "broken = f32[4] negate(p), 7",                           //
           "broken = f32[4] negate(p), metadata",                    //
           "broken = f32[4] negate(p), metadata =",                  //
           "broken = f32[4] negate(p), nosuch={1}",                  //
           "broken = f32[4] negate(p) $",                            // bytes that make no token
           "broken = f32[4] $ negate(p)",                            //
           "broken = f32[4] negate($)",                              //
           "broken = f32[4] negate(p), metadata={op_name=\"\\q\"}",  //
           "broken = f32[4] negate(p), metadata={$}",                //
           "broken = f32[4] conditional(p), branch_computations={f f}",
           "broken = f32[4] conditional(p), branch_computations={f, 7}",
           "broken = f32[4] call(p), to_apply={}",
           "broken = f32[4]} negate(p)",  // braces too many
           "broken = f32[4] negate}(p)",  //
           "broken = f32[4] negate(p)}, metadata={}",
           "broken = f32[4] negate(p), metadata={op_name=\"a\"\"}",  // a quote too many
           "broken = f32[4] negate\"(p)",
           "broken = f32[4] negate(p), metadata={op_name='a}",
       }) {
    ExpectOneInstructionIsLost(ModuleWith(statement), 6, 7, "broken");
  }
  // A missing comma costs nothing but the diagnostic.
  EXPECT_EQ(CodesOfReading(ModuleWith("broken = f32[4] negate(p) metadata={}")), "missing-comma");
  ExpectOneInstructionIsLost(ModuleWith("__broken = f32[4] negate(p)", false), 6, 6, "__broken");
  ExpectOneInstructionIsLost(ModuleWith("%f32 = f32[4] negate(p)", false), 6, 6, "f32");
}

// The mistake is inside: one diagnostic from the whole check, at most the instruction around it is lost.
TEST(StatementRecovery, InlineComputationsAndNestedOperands) {
  for (const char* statement : {
           "broken = f32[4] call(p), to_apply={ a = f32[4] parameter(0) ROOT b = f32[4] ngate(a) }",
           "broken = f32[4] call(p), to_apply={ a = f32[4] parameter(0) ROOT b = f32[4] negate(nosuch) }",
           "broken = f32[4] call(p), to_apply={ a = f32[4] parameter(0) ROOT b = f32[4] negate(a), 7 }",
           "broken = f32[4] call(p), to_apply={ a = f32[4 parameter(0) ROOT b = f32[4] negate(a) }",
       }) {
    ExpectOneInstructionIsLost(ModuleWith(statement), 6, 7, "broken");
  }
  const std::string entry = ModuleWith("$");
  const char* const kEntry = entry.c_str();
  ExpectCodesOfCheck({
      {kEntry,
       "broken = f32[4] conditional(pred[] constant(true), p, p), true_computation=f, "
       "false_computation={ a = f32[4] parameter(0) ROOT b = f32[4] abs(a,) }"},
      {kEntry, "broken = f32[4] conditional(pred[] constant(yes), p, p), true_computation=f, false_computation=f",
       "literal-element"},
      {kEntry, "broken = f32[4] negate(f32[4] ngate(p))", "unknown-opcode"},
      {kEntry, "broken = f32[4] negate(f32[4] negate(nosuch))", "unknown-instruction"},
      {kEntry, "broken = f32[4] negate(f32[4] negate(f32[4] negate(p),))"},
      {kEntry, "broken = f32[4] add(f32[4] negate(p), f32[4] abs(p)", "unclosed-bracket"},
  });
}

// Headers, tables and computations: one diagnostic each, and the computations after them are read.
TEST(StatementRecovery, HeadersAndComputations) {
  constexpr char kHead[] = "HloModule m$\nENTRY e { ROOT c = f32[] constant(1) }";
  constexpr char kTables[] = "HloModule m\n$\nENTRY e { ROOT c = f32[] constant(1) }";
  constexpr char kBetween[] =
      "HloModule m\nf { x = f32[] parameter(0) ROOT n = f32[] negate(x) }\n$\n"
      "ENTRY e { c = f32[] constant(1) ROOT r = f32[] call(c), to_apply=f }";
  ExpectCodesOfCheck({
      {kHead, ", is_scheduled=maybe", "expected-boolean"},
      {kHead, ", is_scheduled=", "missing-value"},
      {kHead, ", nosuch=1, replica_count=2", "unknown-attribute"},
      {kHead, ", 7", "expected-attribute"},
      {kHead, ",", "surplus-comma"},
      {kHead, ", input_output_alias={ {0}: (0, {} }", "unclosed-bracket"},
      {kHead, ", frontend_attributes={a=b}", "bad-value"},
      {kHead, ", buffer_donor={(0)}", "bad-value"},
      {kTables, "FileNames 1 \"a\" FunctionNames 1 f FileLocations StackFrames", "expected-string"},
      {kTables, "FileNames 1 \"a\" FileLocations StackFrames", "incomplete-frame-tables"},
      {kTables, "FileNames FunctionNames FileLocations 1 {line=1 StackFrames", "unclosed-bracket"},
      {kTables, "FileNames FunctionNames FileLocations StackFrames 1 {parent_frame_id=1}", "missing-field"},
      {kBetween, "g (x: f32[] -> f32[] { ROOT x = f32[] parameter(0) }", "unclosed-bracket"},
      {kBetween, "g (x: f32[]) -> { ROOT x = f32[] parameter(0) }", "missing-result-shape"},
      {kBetween, "g (x: f32[]) f32[] { ROOT x = f32[] parameter(0) }", "missing-result-shape"},
      {kBetween, "g (x: f32[]) -> f32[2] { ROOT x = f32[] parameter(0) }", "signature-mismatch"},
      {kBetween, "g { ROOT x = f32[] parameter(0)", "unclosed-computation"},
      {kBetween, "g { }", "empty-computation"},
      {kBetween, "g { ROOT x = f32[] parameter(0) } }", "expected-name"},
      {kBetween, "{ ROOT x = f32[] parameter(0) }", "expected-name"},
      {kBetween, "g { ROOT x = f32[] parameter(0) }, execution_thread=7", "expected-string"},
      {kBetween, "g { ROOT x = f32[] parameter(0) }, thread=\"a\"", "unknown-attribute"},
      {kBetween, "f { ROOT x = f32[] parameter(0) }", "duplicate-computation"},
      {kBetween, "g { ROOT x = f32[] parameter(0) ROOT y = f32[] negate(x) }", "second-root"},
      {kBetween, "7", "expected-name"},
      {kBetween, "ENTRY g { ROOT x = f32[] parameter(0) }", "second-entry"},
  });
}

}  // namespace
}  // namespace hloscope
