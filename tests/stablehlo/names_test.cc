// SPDX-License-Identifier: Apache-2.0
// Names as XLA numbers them, and stack frames.
#include <string>

#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "stablehlo/import.h"

namespace hloscope::stablehlo {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string NamedHlo(absl::string_view text, NameStyle names) {
  ImportOptions options;
  options.names = names;
  const ImportedProgram program = ImportProgram(SourceText::FromString("p.mlir", std::string(text)), options);
  std::string hlo(program.hlo->text());
  for (const Diagnostic& d : program.diagnostics) absl::StrAppend(&hlo, d.Message(), "\n");
  const auto document = Document::Parse(program.hlo);
  for (const Diagnostic& d : document->diagnostics()) absl::StrAppend(&hlo, d.Message(), "\n");
  return hlo;
}

std::string Xla(absl::string_view text) { return NamedHlo(text, NameStyle::kXla); }

// Names are looked up when an instruction is made and again when its computation is finished.
TEST(StablehloNamesTest, XlaNumbersOneFromOneAndTwoFromTwo) {
  const std::string hlo = Xla(R"(
func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %s = stablehlo.add %a, %b : tensor<f32>
  %t = stablehlo.add %s, %b : tensor<f32>
  %u = stablehlo.multiply %t, %b : tensor<f32>
  return %u : tensor<f32>
}
)");
  EXPECT_THAT(hlo, HasSubstr("%Arg_0.1 = f32[] parameter(0)"));
  EXPECT_THAT(hlo, HasSubstr("%Arg_1.1 = f32[] parameter(1)")) << hlo;
  EXPECT_THAT(hlo, HasSubstr("%add.2 = f32[] add(%Arg_0.1, %Arg_1."));
  EXPECT_THAT(hlo, HasSubstr("%add.3 = f32[] add(%add.2, %Arg_1."));
  EXPECT_THAT(hlo, HasSubstr("ROOT %multiply.1 = f32[] multiply(%add.3"));
  EXPECT_THAT(hlo, HasSubstr("ENTRY %main.1 {"));
}

// A callee is made at its first call: its names come between those of its caller.
TEST(StablehloNamesTest, XlaMakesCalleesAndRegionsWhereTheyAreMet) {
  constexpr absl::string_view kProgram = R"(
func.func @main(%a: tensor<4xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %1 = call @f(%a) : (tensor<4xf32>) -> tensor<f32>
  %2 = call @f(%a) : (tensor<4xf32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @f(%a: tensor<4xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
)";
  const std::string hlo = Xla(kProgram);
  EXPECT_THAT(hlo, HasSubstr("%region_0.1 {"));
  EXPECT_THAT(hlo, HasSubstr("%region_1.2 {"));
  EXPECT_THAT(hlo, HasSubstr("%f.3 {"));
  EXPECT_THAT(hlo, HasSubstr("ENTRY %main.4 {"));
  EXPECT_LT(hlo.find(" add("), hlo.find(" maximum(")) << "region 0 is that of @main";
  EXPECT_EQ(hlo.find("%f.3 {"), hlo.rfind("%f.3 {")) << "one computation for two calls";
  const std::string readable = NamedHlo(kProgram, NameStyle::kReadable);
  EXPECT_LT(readable.find(" maximum("), readable.find(" add("));
}

TEST(StablehloNamesTest, XlaNamesAreThoseOfLocations) {
  const std::string hlo = Xla(R"(
#loc1 = loc("x")
func.func @main(%a: tensor<4xf32> loc("args[0].w.3"), %b: tensor<4xf32> loc(#loc1)) -> tensor<4xf32> {
  %s = stablehlo.add %a, %b : tensor<4xf32> loc("jit(f)/jit(main)/my op")
  %q = stablehlo.constant dense<1.0> : tensor<4xf32>
  %t = stablehlo.multiply %s, %q : tensor<4xf32>
  return %t : tensor<4xf32>
}
)");
  EXPECT_THAT(hlo, HasSubstr("%args_0__w.1 = f32[4]{0} parameter(0), metadata={op_name=\"args[0].w.3\"}")) << hlo;
  EXPECT_THAT(hlo, HasSubstr("%x.1 = f32[4]{0} parameter(1), metadata={op_name=\"x\"}"));
  EXPECT_THAT(hlo, HasSubstr("%my_op.1 = f32[4]{0} add("));
  EXPECT_THAT(hlo, HasSubstr("%constant.1 = "));
}

TEST(StablehloNamesTest, CallsNestedTooDeepAreNotNumbered) {
  std::string program =
      "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n  %0 = call @f0(%a) : (tensor<f32>) -> "
      "tensor<f32>\n  return %0 : tensor<f32>\n}\n";
  constexpr int kFunctions = 5000;
  for (int k = 0; k < kFunctions; ++k) {
    absl::StrAppend(&program, "func.func private @f", k, "(%a: tensor<f32>) -> tensor<f32> {\n  %0 = ",
                    k + 1 < kFunctions ? absl::StrCat("call @f", k + 1, "(%a) : (tensor<f32>) -> tensor<f32>")
                                       : "stablehlo.negate %a : tensor<f32>",
                    "\n  return %0 : tensor<f32>\n}\n");
  }
  EXPECT_THAT(Xla(program), HasSubstr("leave --names=xla out"));
  EXPECT_THAT(NamedHlo(program, NameStyle::kReadable), Not(HasSubstr("nested")));
}

// --- Stack frames ---

constexpr absl::string_view kFrames = R"(
#loc1 = loc("main"("/x/train.py":10:4 to :20))
#loc2 = loc("step"("/x/model.py":31:8 to 33:2))
#loc3 = loc(callsite(#loc2 at #loc1))
#loc4 = loc("jit(step)/add"(#loc3))
#loc5 = loc("jit(step)/mul"(callsite("other"("/x/model.py":40:1) at #loc1)))
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %a : tensor<f32> loc(#loc4)
  %1 = stablehlo.multiply %0, %a : tensor<f32> loc(#loc5)
  %2 = stablehlo.negate %1 : tensor<f32> loc(#loc4)
  %3 = stablehlo.sine %2 : tensor<f32> loc("jit(f)/sin"("/x/y.py":12:3))
  %4 = stablehlo.abs %3 : tensor<f32> loc("abs:"("jit(f)/abs"("/x/y.py":13:3)))
  %5 = stablehlo.floor %4 : tensor<f32> loc(fused["a", "/x/z.py":1:2, "b"("/x/w.py":3:4 to :9)])
  %6 = stablehlo.ceil %5 : tensor<f32> loc("/x/y.py":14:3)
  return %6 : tensor<f32>
}
)";

TEST(StablehloNamesTest, CallsOfFramesBecomeTables) {
  const std::string hlo = NamedHlo(kFrames, NameStyle::kReadable);
  EXPECT_THAT(hlo,
              HasSubstr("FileNames\n1 \"/x/train.py\"\n2 \"/x/model.py\"\n3 \"/x/y.py\"\n\n"
                        "FunctionNames\n1 \"main\"\n2 \"step\"\n3 \"other\"\n4 \"jit(f)/sin\"\n5 \"jit(f)/abs\"\n\n"
                        "FileLocations\n"
                        "1 {file_name_id=1 function_name_id=1 line=10 end_line=10 column=4 end_column=20}\n"
                        "2 {file_name_id=2 function_name_id=2 line=31 end_line=33 column=8 end_column=2}\n"
                        "3 {file_name_id=2 function_name_id=3 line=40 end_line=40 column=1 end_column=1}\n"
                        "4 {file_name_id=3 function_name_id=4 line=12 end_line=12 column=3 end_column=3}\n"
                        "5 {file_name_id=3 function_name_id=5 line=13 end_line=13 column=3 end_column=3}\n\n"
                        "StackFrames\n"
                        "1 {file_location_id=1 parent_frame_id=1}\n"
                        "2 {file_location_id=2 parent_frame_id=2}\n"
                        "3 {file_location_id=3 parent_frame_id=2}\n"
                        "4 {file_location_id=4 parent_frame_id=1}\n"
                        "5 {file_location_id=5 parent_frame_id=1}\n"));
  EXPECT_THAT(hlo, HasSubstr("add(%a, %a), metadata={op_name=\"jit(step)/add\" stack_frame_id=2}"));
  EXPECT_THAT(hlo, HasSubstr("metadata={op_name=\"jit(step)/mul\" stack_frame_id=3}"));
  EXPECT_THAT(hlo, HasSubstr("metadata={op_name=\"jit(f)/sin\" stack_frame_id=4}"));
  EXPECT_THAT(hlo, HasSubstr("metadata={op_type=\"abs\" op_name=\"jit(f)/abs\" stack_frame_id=5}"));
  EXPECT_THAT(hlo, HasSubstr("metadata={op_name=\"a;b\" source_file=\"/x/w.py\" source_line=3 source_end_line=3 "
                             "source_column=4 source_end_column=9}"));
  EXPECT_THAT(hlo, HasSubstr("metadata={source_file=\"/x/y.py\" source_line=14 source_end_line=14"));
  // The reader finds the frames of every instruction.
  ImportOptions options;
  const ImportedProgram program = ImportProgram(SourceText::FromString("p.mlir", std::string(kFrames)), options);
  const auto document = Document::Parse(program.hlo);
  EXPECT_TRUE(document->diagnostics().empty());
  // Places of instructions are after the tables.
  for (const TextOrigin::Part& part : program.hlo->origin()->parts) {
    const absl::string_view made = program.hlo->Slice(part.made);
    EXPECT_TRUE(made[0] == '%' || made.substr(0, 6) == "ROOT %") << made;
  }
}

TEST(StablehloNamesTest, LocationsThatReferToThemselvesOrNestDeeplyEnd) {
  std::string program = "#loc0 = loc(callsite(#loc0 at #loc1))\n#loc1 = loc(\"f\"(#loc1))\n";
  for (int k = 2; k < 3000; ++k)
    absl::StrAppend(&program, "#loc", k, " = loc(callsite(#loc", k + 1, " at #loc", k + 1, "))\n");
  absl::StrAppend(&program, "#loc3000 = loc(\"g\"(\"g.py\":1:2))\nfunc.func @main(%a: tensor<f32>) -> tensor<f32> {\n");
  for (const int k : {0, 1, 2, 2900, 2980, 2995, 3000}) {
    absl::StrAppend(&program, "  %b", k, " = stablehlo.negate %a : tensor<f32> loc(#loc", k, ")\n");
  }
  absl::StrAppend(&program, "  return %a : tensor<f32>\n}\n");
  const std::string hlo = NamedHlo(program, NameStyle::kReadable);
  EXPECT_THAT(hlo, HasSubstr("%b3000 = f32[] negate(%a), metadata={op_name=\"g\" stack_frame_id="));
}

}  // namespace
}  // namespace hloscope::stablehlo
