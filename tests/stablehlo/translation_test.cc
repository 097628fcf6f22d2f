// SPDX-License-Identifier: Apache-2.0
// Forms of operations, and what they become.
#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/document/document.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "stablehlo/import.h"
#include "tests/support/shared_files.h"

namespace hloscope::stablehlo {
namespace {

stablehlo::ImportedProgram Import(absl::string_view text) {
  return stablehlo::ImportProgram(SourceText::FromString("program.mlir", std::string(text)));
}

std::string MessagesOf(const stablehlo::ImportedProgram& program) {
  std::string messages;
  for (const Diagnostic& d : program.diagnostics) {
    const LineColumn at = program.hlo->origin()->source->LineColumnAt(d.range.begin);
    absl::StrAppend(&messages, at.line + 1, ":", at.column + 1, ": ", d.Message(), " [", d.code(), "]\n");
  }
  return messages;
}

// The HLO of a program without mistakes; what is wrong with it otherwise.
std::string HloOf(absl::string_view text) {
  const stablehlo::ImportedProgram program = Import(text);
  if (!program.diagnostics.empty()) return MessagesOf(program);
  const auto document = Document::Parse(program.hlo);
  std::string hlo(program.hlo->text());
  for (const Diagnostic& d : document->diagnostics())
    absl::StrAppend(&hlo, SeverityName(d.severity), ": ", d.Message(), "\n");
  return hlo;
}

std::string Main(absl::string_view arguments, absl::string_view body, absl::string_view result,
                 absl::string_view type) {
  return absl::StrCat("func.func @main(", arguments, ") -> ", type, " {\n", body, "\n  return ", result, " : ", type,
                      "\n}\n");
}

// `mlir-opt --mlir-print-op-generic` prints modules, functions and meshes like any operation.
TEST(StablehloTranslationTest, GenericModulesAndFunctionsGiveTheSameModule) {
  const std::string custom = HloOf(R"(module @m attributes {mhlo.num_partitions = 2 : i32} {
    sdy.mesh @mesh = <["x"=2]>
    func.func public @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4xf32> {jax.result_info = "r"}) {
      %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func private @f(%y: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.add %y, %y : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
  })");
  EXPECT_THAT(custom, testing::HasSubstr("num_partitions=2"));
  EXPECT_EQ(HloOf(R"("builtin.module"() <{sym_name = "m"}> ({
    "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2]>, sym_name = "mesh"}> : () -> ()
    "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}], function_type = (tensor<4xf32>) -> tensor<4xf32>,
                    res_attrs = [{jax.result_info = "r"}], sym_name = "main", sym_visibility = "public"}> ({
    ^bb0(%x: tensor<4xf32>):
      %0 = "func.call"(%x) <{callee = @f}> : (tensor<4xf32>) -> tensor<4xf32>
      "func.return"(%0) : (tensor<4xf32>) -> ()
    }) : () -> ()
    "func.func"() ({
    ^bb0(%y: tensor<4xf32>):
      %0 = "stablehlo.add"(%y, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      "func.return"(%0) : (tensor<4xf32>) -> ()
    }) {function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "f", sym_visibility = "private"} : () -> ()
  }) {mhlo.num_partitions = 2 : i32} : () -> ()
)"),
            custom);
  EXPECT_THAT(HloOf("\"func.func\"() ({\n}) {sym_name = \"main\"} : () -> ()\n"),
              testing::HasSubstr("needs `sym_name` and `function_type`"));
}

struct FormRow {
  absl::string_view arguments, custom, generic, type, hlo;
};

// Each operation in its custom and generic form gives the same HLO.
TEST(StablehloTranslationTest, CustomAndGenericFormsGiveTheSameModule) {
  const FormRow rows[] = {
      {"%a: tensor<4xf32>, %b: tensor<4xf32>", "stablehlo.add %a, %b : tensor<4xf32>",
       "\"stablehlo.add\"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>", "tensor<4xf32>", " add(%a, %b)"},
      {"%a: tensor<4xf32>, %b: tensor<4xf32>",
       "stablehlo.compare LT, %a, %b, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>",
       "\"stablehlo.compare\"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = "
       "#stablehlo<comparison_type FLOAT>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>",
       "tensor<4xi1>", "compare(%a, %b), direction=LT, type=FLOAT"},
      {"%a: tensor<3xf32>", "stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>",
       "\"stablehlo.broadcast_in_dim\"(%a) {broadcast_dimensions = dense<1> : tensor<1xi64>} : (tensor<3xf32>) -> "
       "tensor<2x3xf32>",
       "tensor<2x3xf32>", "broadcast(%a), dimensions={1}"},
      {"%a: tensor<2x3xf32>", "stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>",
       "\"stablehlo.transpose\"(%a) {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>",
       "tensor<3x2xf32>", "transpose(%a), dimensions={1,0}"},
      {"%a: tensor<8x4xf32>", "stablehlo.slice %a [0:8:2, 1:3] : (tensor<8x4xf32>) -> tensor<4x2xf32>",
       "\"stablehlo.slice\"(%a) {start_indices = array<i64: 0, 1>, limit_indices = array<i64: 8, 3>, strides = "
       "array<i64: 2, 1>} : "
       "(tensor<8x4xf32>) -> tensor<4x2xf32>",
       "tensor<4x2xf32>", "slice(%a), slice={[0:8:2], [1:3]}"},
      {"%a: tensor<2x3xf32>, %b: tensor<3x5xf32>",
       "stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [HIGHEST, DEFAULT] : (tensor<2x3xf32>, "
       "tensor<3x5xf32>) -> tensor<2x5xf32>",
       "\"mhlo.dot_general\"(%a, %b) {dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], "
       "rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision HIGHEST>, #mhlo<precision DEFAULT>]} : "
       "(tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>",
       "tensor<2x5xf32>", "operand_precision={highest,default}"},
      {"%a: tensor<f32>, %b: tensor<4xf32>", "stablehlo.reduce_precision %b, format = e8m7 : tensor<4xf32>",
       "\"stablehlo.reduce_precision\"(%b) {exponent_bits = 8 : i32, mantissa_bits = 7 : i32} : (tensor<4xf32>) -> "
       "tensor<4xf32>",
       "tensor<4xf32>", "exponent_bits=8, mantissa_bits=7"},
      {"%b: tensor<4x4xf32>", "stablehlo.cholesky %b, lower = true : tensor<4x4xf32>",
       "\"stablehlo.cholesky\"(%b) {lower = true} : (tensor<4x4xf32>) -> tensor<4x4xf32>", "tensor<4x4xf32>",
       "lower=true"},
      {"%b: tensor<4xf32>, %i: tensor<f32>",
       "stablehlo.pad %b, %i, low = [1], high = [2], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<7xf32>",
       "\"stablehlo.pad\"(%b, %i) {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 2>, "
       "interior_padding = "
       "array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<7xf32>",
       "tensor<7xf32>", "padding=1_2"},
  };
  for (const FormRow& row : rows) {
    const std::string custom = HloOf(Main(row.arguments, absl::StrCat("  %r = ", row.custom), "%r", row.type));
    const std::string generic = HloOf(Main(row.arguments, absl::StrCat("  %r = ", row.generic), "%r", row.type));
    EXPECT_EQ(custom, generic);
    EXPECT_TRUE(absl::StrContains(custom, row.hlo)) << custom;
  }
}

constexpr absl::string_view kLoop = R"(func.func @main(%n: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c0, %acc = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %c1 : tensor<i32>
    %a = stablehlo.add %acc, %x : tensor<4xf32>
    stablehlo.return %j, %a : tensor<i32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}
)";

TEST(StablehloTranslationTest, LoopsCarryWhatTheyCapture) {
  const std::string hlo = HloOf(kLoop);
  EXPECT_TRUE(absl::StrContains(hlo, "(s32[], f32[4]{0}, s32[], f32[4]{0}) while(")) << hlo;
  EXPECT_FALSE(absl::StrContains(hlo, "error")) << hlo;
}

TEST(StablehloTranslationTest, EveryInstructionKnowsItsOperation) {
  const stablehlo::ImportedProgram program = Import(kLoop);
  const auto document = Document::Parse(program.hlo);
  ASSERT_FALSE(document->has_errors());
  const TextOrigin& origin = *program.hlo->origin();
  int instructions = 0;
  for (uint32_t k = 0; k < document->module().instruction_count(); ++k) {
    const SourceRange made = document->InstructionRange(InstructionId(k));
    const TextOrigin::Part* const part = origin.PartAt(made.begin);
    ASSERT_NE(part, nullptr);
    EXPECT_LE(part->made.begin, made.begin);
    EXPECT_GE(part->made.end, made.end);
    if (document->module().opcode(InstructionId(k)) != Opcode::kCompare) continue;
    EXPECT_EQ(origin.source->LineColumnAt(part->original.begin).line + 1, 6u);
    ++instructions;
  }
  EXPECT_EQ(instructions, 1);
}

// Formulas and constants of several instructions among them.
TEST(StablehloTranslationTest, EveryOperationHasOneInstructionThatGivesItsValue) {
  const stablehlo::ImportedProgram program =
      Import(Main("%a: tensor<4xf32>",
                  "  %splat = stablehlo.constant dense<1.0> : tensor<64xf32>\n"
                  "  %square = chlo.square %a : tensor<4xf32> -> tensor<4xf32>\n"
                  "  %gamma = chlo.lgamma %square : tensor<4xf32> -> tensor<4xf32>\n"
                  "  %3 = chlo.erf_inv %gamma : tensor<4xf32> -> tensor<4xf32>\n"
                  "  %r = stablehlo.negate %3 : tensor<4xf32>",
                  "%r", "tensor<4xf32>"));
  ASSERT_FALSE(program.has_errors) << MessagesOf(program);
  const TextOrigin& origin = *program.hlo->origin();
  std::map<uint32_t, int> results;
  for (const TextOrigin::Part& part : origin.parts) {
    results[origin.source->LineColumnAt(part.original.begin).line] += part.role == TextOrigin::Role::kResult;
  }
  for (uint32_t line = 2; line <= 5; ++line) EXPECT_EQ(results[line], 1) << line;
  for (const char* name : {"%square = ", "%gamma = ", "%r = "}) {
    EXPECT_TRUE(absl::StrContains(program.hlo->text(), name)) << program.hlo->text();
  }
}

TEST(StablehloTranslationTest, LocationsBecomeMetadata) {
  const std::string hlo = HloOf(R"(#loc0 = loc("/x/y.py":12:6)
func.func @main(%x: tensor<4xf32> loc("x")) -> tensor<4xf32> {
  %0 = stablehlo.sine %x : tensor<4xf32> loc(#loc1)
  return %0 : tensor<4xf32> loc(#loc0)
} loc(#loc0)
#loc1 = loc("jit(f)/jit(main)/sin"(#loc0))
)");
  // A name directly around a file location is a stack frame.
  EXPECT_TRUE(absl::StrContains(hlo, "metadata={op_name=\"jit(f)/jit(main)/sin\" stack_frame_id=1}")) << hlo;
  EXPECT_TRUE(absl::StrContains(hlo, "parameter(0), metadata={op_name=\"x\"}")) << hlo;
}

TEST(StablehloTranslationTest, ShardingsOfBothKinds) {
  const std::string hlo =
      HloOf(R"(module @jit_f attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>},
                         %b: tensor<8x4xf32> {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"},
                         %c: tensor<f32> {mhlo.sharding = ""}) -> tensor<8x4xf32> {
    %0 = stablehlo.add %a, %b : tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
})");
  EXPECT_TRUE(absl::StrContains(hlo, "HloModule jit_f, num_partitions=8")) << hlo;
  EXPECT_TRUE(absl::StrContains(hlo, "sharding={devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}")) << hlo;
  EXPECT_TRUE(absl::StrContains(hlo, "sharding={devices=[2,1,4]<=[8] last_tile_dim_replicate}")) << hlo;
  EXPECT_TRUE(absl::StrContains(hlo, "sharding={replicated}")) << hlo;
  EXPECT_FALSE(absl::StrContains(hlo, "error")) << hlo;
}

TEST(StablehloTranslationTest, ShardingsOfOperations) {
  const std::string hlo = HloOf(R"(module @jit_f attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%a: tensor<8x4xf32>, %k: tensor<i32>) -> tensor<8x4xf32> {
    %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x4xf32>
    %1:2 = "stablehlo.custom_call"(%0) {call_target_name = "foo",
        sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {?}], replicated={"x"}>, <@mesh, [{}, {"y"}]>]>} : (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
    %2:2 = "stablehlo.custom_call"(%0) {call_target_name = "bar", mhlo.sharding = "{{replicated}, {devices=[2,1,4]<=[8] last_tile_dim_replicate}}"} : (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
    %3 = stablehlo.add %1#1, %2#1 : tensor<8x4xf32>
    %4:2 = stablehlo.while(%i = %k, %x = %3) : tensor<i32>, tensor<8x4xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{"x"}, {}]>]>}
    cond {
      %c = stablehlo.compare LT, %i, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %n = stablehlo.add %i, %k : tensor<i32>
      stablehlo.return %n, %x : tensor<i32>, tensor<8x4xf32>
    }
    return %4#1 : tensor<8x4xf32>
  }
})");
  for (const char* expected :
       {"add(%a, %a), sharding={devices=[2,1,4]<=[8] last_tile_dim_replicate}",
        "custom_call_target=\"foo\", sharding={{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}, "
        "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}}",
        "index=0, sharding={devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}",
        "index=1, sharding={devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}",
        "custom_call_target=\"bar\", sharding={{replicated}, {devices=[2,1,4]<=[8] last_tile_dim_replicate}}",
        "index=0, sharding={replicated}",
        // The loop also carries what it captures.
        "sharding={{replicated}, {devices=[2,1,4]<=[8] last_tile_dim_replicate}, {replicated}}"}) {
    EXPECT_TRUE(absl::StrContains(hlo, expected)) << expected << "\n" << hlo;
  }
  const std::string other = HloOf(R"(func.func public @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@other, [{"x"}]>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
})");
  EXPECT_TRUE(absl::StrContains(other, "2:44: the sharding is ignored: @other is no mesh of this program")) << other;
}

// A region on the parts of a mesh, as jax.shard_map writes it.
constexpr absl::string_view kManual = R"(module @m attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 2 : i64}]}}
  func.func @main(%a: tensor<4x4xf32>, %b: tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>) {
    %0:2 = sdy.manual_computation(%a, %b) in_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, [{"x"}]>] manual_axes={"x", "y"} (%p: tensor<2x2xf32>, %q: tensor<2xf32> loc("q")) {
      %1 = "stablehlo.all_reduce"(%p) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "y">]>, use_global_device_ids}> ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %3 = stablehlo.add %x, %y : tensor<f32>
        stablehlo.return %3 : tensor<f32>
      }) : (tensor<2x2xf32>) -> tensor<2x2xf32>
      %2 = stablehlo.negate %q : tensor<2xf32>
      sdy.return %1, %2 : tensor<2x2xf32>, tensor<2xf32>
    } : (tensor<4x4xf32>, tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>)
    return %0#0, %0#1 : tensor<4x4xf32>, tensor<4xf32>
  }
})";

TEST(StablehloTranslationTest, ManualComputationsAreCallsOnParts) {
  const std::string hlo = HloOf(kManual);
  EXPECT_THAT(hlo, testing::HasSubstr(R"(xla.sdy.meshes="{mesh = #sdy.mesh<[\"x\"=2, \"y\"=2]>}")"));
  EXPECT_THAT(hlo, testing::HasSubstr("= (f32[2,2]{1,0}, f32[2]{0}) custom-call(%a, %b), "
                                      "custom_call_target=\"xla.sdy.GlobalToLocalShape\""));
  EXPECT_THAT(
      hlo,
      testing::HasSubstr(
          R"(xla.sdy.in_shardings="#sdy.sharding_per_value<[<@mesh, [{\"x\"}, {\"y\"}]>, <@mesh, [{\"x\"}]>]>",xla.sdy.manual_axes="#sdy<manual_axes{\"x\", \"y\"}>")"));
  EXPECT_THAT(hlo, testing::HasSubstr("to_apply=%xla.sdy.manual_computation_body."));
  EXPECT_THAT(hlo, testing::HasSubstr("custom_call_target=\"xla.sdy.LocalToGlobalShape\""));
  EXPECT_THAT(hlo, testing::HasSubstr("replica_groups=mesh['x'=2,'y'=2] {'y'}"));
  EXPECT_THAT(hlo, testing::Not(testing::HasSubstr("error")));
}

TEST(StablehloTranslationTest, ManualComputationsInGenericForm) {
  std::string generic(kManual);
  const size_t begin = generic.find("sdy.manual_computation"), region = generic.find("(%p:", begin);
  generic.replace(
      begin, generic.find('{', region) + 1 - begin,
      R"("sdy.manual_computation"(%a, %b) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>, <@mesh, [{"x"}]>]>, manual_axes = #sdy<manual_axes{"x", "y"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>, <@mesh, [{"x"}]>]>}> ({
    ^bb0(%p: tensor<2x2xf32>, %q: tensor<2xf32> loc("q")):)");
  const std::string end = "    } : (tensor<4x4xf32>, tensor<4xf32>) -> (";
  generic.replace(generic.find(end), end.size(), "    }) : (tensor<4x4xf32>, tensor<4xf32>) -> (");
  EXPECT_EQ(HloOf(generic), HloOf(kManual));
}

TEST(StablehloTranslationTest, ManualComputationsThatDoNotFit) {
  const auto message = [](const std::string& from, const std::string& to) {
    std::string text(kManual);
    text.replace(text.find(from), from.size(), to);
    return MessagesOf(Import(text));
  };
  EXPECT_THAT(message(", %q: tensor<2xf32> loc(\"q\")", ""), testing::HasSubstr("its region takes 1"));
  EXPECT_THAT(message("mesh = @mesh, axes", "mesh = @other, axes"), testing::HasSubstr("@other is no mesh"));
  EXPECT_THAT(message("axis_ref<name = \"y\">", "axis_ref<name = \"z\">"), testing::HasSubstr("no axis \"z\""));
  EXPECT_THAT(message(" manual_axes={\"x\", \"y\"}", ""), testing::HasSubstr("manual_axes"));
}

// Groups along a part of an axis, of a mesh that is written out.
TEST(StablehloTranslationTest, GroupsAlongPartsOfAxes) {
  const std::string hlo = HloOf(Main(
      "%a: tensor<4xf32>",
      "  %r = \"stablehlo.all_gather\"(%a) <{all_gather_dim = 0 : i64, replica_groups = "
      "#stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = \"x\", size = "
      "4>], "
      "device_ids = dense<[1, 0, 3, 2]> : tensor<4xi64>>, axes = [#stablehlo.axis_ref<name = \"x\", sub_axis_info = "
      "(1)2>]>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : "
      "(tensor<4xf32>) -> tensor<8xf32>",
      "%r", "tensor<8xf32>"));
  EXPECT_THAT(hlo, testing::HasSubstr("replica_groups=mesh['x'=4], device_ids=(1,0,3,2) {'x':(1)2}")) << hlo;
}

// A typed configuration stands beside an empty text.
TEST(StablehloTranslationTest, ConfigurationsOfTypedCalls) {
  const std::string hlo = HloOf(Main("%a: tensor<2x2xf32>",
                                     "  %r = stablehlo.custom_call @lapack_x(%a) {backend_config = \"\", "
                                     "mhlo.backend_config = {uplo = 85 : ui8}} : (tensor<2x2xf32>) -> tensor<2x2xf32>",
                                     "%r", "tensor<2x2xf32>"));
  EXPECT_THAT(hlo, testing::HasSubstr("api_version=API_VERSION_TYPED_FFI")) << hlo;
  EXPECT_THAT(hlo, testing::HasSubstr("backend_config={uplo = 85 : ui8}")) << hlo;
}

// What jax.export writes for a CHLO operation, with the region of a scan.
TEST(StablehloTranslationTest, CompositesThatMeanChlo) {
  const std::string hlo = HloOf(R"(module {
  func.func @main(%a: tensor<8xf32>, %i: tensor<f32>) -> (tensor<3xf32>, tensor<8xf32>) {
    %0:2 = stablehlo.composite "chlo.top_k" %a {composite_attributes = {is_stable = true, k = 3 : i64}, decomposition = @f, version = 1 : i32} : (tensor<8xf32>) -> (tensor<3xf32>, tensor<3xi32>)
    %1:2 = stablehlo.composite "chlo.scan" %a, %i ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %2 = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %2, %2 : tensor<f32>, tensor<f32>
    }) {composite_attributes = {dimension = 0 : i64, is_associative = true, is_reverse = false, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}, decomposition = @g, version = 1 : i32} : (tensor<8xf32>, tensor<f32>) -> (tensor<8xf32>, tensor<f32>)
    return %0#0, %1#0 : tensor<3xf32>, tensor<8xf32>
  }
  func.func private @f(%a: tensor<8xf32>) -> (tensor<3xf32>, tensor<3xi32>) {
    %0:2 = chlo.top_k(%a, k = 3) : tensor<8xf32> -> (tensor<3xf32>, tensor<3xi32>)
    return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>
  }
  func.func private @g(%a: tensor<8xf32>, %i: tensor<f32>) -> (tensor<8xf32>, tensor<f32>) {
    return %a, %i : tensor<8xf32>, tensor<f32>
  }
})");
  EXPECT_THAT(hlo, testing::HasSubstr(" topk(%a), k=3, largest=true")) << hlo;
  EXPECT_THAT(hlo, testing::HasSubstr(" scan(%a, %i), dimensions={0}, num_carries=1, is_associative=true")) << hlo;
}

// Operations of each kind, and regions of all: nothing is said about them but hints about what is not used.
TEST(StablehloTranslationTest, EveryKindOfOperationBecomesValidHlo) {
  const std::string path = absl::StrCat(HLOSCOPE_SOURCE_DIR, "/tests/stablehlo/data/every_operation.mlir");
  const stablehlo::ImportedProgram program = Import(ReadFileOrDie(path));
  EXPECT_EQ(MessagesOf(program), "");
  const auto document = Document::Parse(program.hlo);
  for (const Diagnostic& d : document->diagnostics()) {
    EXPECT_EQ(d.severity, Severity::kHint) << d.Message() << "\n"
                                           << program.hlo->Line(program.hlo->LineColumnAt(d.range.begin).line);
  }
  EXPECT_GT(document->module().instruction_count(), 300u);
}

TEST(StablehloTranslationTest, CustomCallsThatMeanChlo) {
  const std::string hlo =
      HloOf(Main("%a: tensor<8xf32>",
                 "  %r:2 = stablehlo.custom_call @mhlo.topk(%a) {mhlo.attributes = {k = 3 : i64, largest = true}, "
                 "mhlo.version = 1 : i64} : (tensor<8xf32>) -> (tensor<3xf32>, tensor<3xi32>)",
                 "%r#0", "tensor<3xf32>"));
  EXPECT_TRUE(absl::StrContains(hlo, " topk(%a), k=3, largest=true")) << hlo;
}

TEST(StablehloTranslationTest, DonationAndCalls) {
  const std::string hlo = HloOf(R"(module {
  func.func public @main(%a: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<4xf32> {jax.buffer_donor = true}) -> (tensor<4xf32>, tensor<4xf32>) {
    %0:2 = call @swap(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
  }
  func.func private @swap(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    return %b, %a : tensor<4xf32>, tensor<4xf32>
  }
})");
  EXPECT_TRUE(absl::StrContains(hlo, "input_output_alias={ {0}: (0, {}, may-alias) }, buffer_donor={ (1, {}) }"))
      << hlo;
  EXPECT_TRUE(absl::StrContains(hlo, "call(%a.1, %b.1), to_apply=%swap.1")) << hlo;
  EXPECT_FALSE(absl::StrContains(hlo, "error")) << hlo;
}

struct MistakeRow {
  absl::string_view body, message;
};

TEST(StablehloMistakesTest, EachIsSaidWhereItIs) {
  const MistakeRow rows[] = {
      {"  %r = stablehlo.add %a, %zz : tensor<4xf32>", "2:26: `%zz` is not defined here [shlo-unknown-value]"},
      {"  %r = stablehlo.add %a, %b : tensor<4xf32>\n  %b = stablehlo.abs %a : tensor<4xf32>",
       "it is defined on line 3, after this use"},
      {"  %r = stablehlo.ad %a, %a : tensor<4xf32>",
       "2:8: `stablehlo.ad`: no such operation; did you mean `stablehlo.add`?"},
      {"  %r = foo.bar %a, %a : tensor<4xf32>", "2:8: `foo.bar`: operations of dialect `foo` have no meaning in HLO"},
      {"  %r = stablehlo.add %a, %a : tensor<5xf32>", "`%a` is tensor<4xf32> (line 1), used here as tensor<5xf32>"},
      {"  %a = stablehlo.add %a, %a : tensor<4xf32>\n  %r = stablehlo.abs %a : tensor<4xf32>",
       "2:3: `%a` is defined twice"},
      {"  %r = stablehlo.abs %a#3 : tensor<4xf32>", "`%a#3` is not defined here: `%a` has 1 result"},
      {"  %r = stablehlo.constant dense<[1.0, 2.0]> : tensor<4xf32>", "2 items where dimension 0 of f32[4] has 4"},
      {"  %r = stablehlo.constant dense<\"0x0000803F\"> : tensor<1xf64>", "4 bytes for 1 elements of f64, which are 8"},
      {"  %r = stablehlo.constant dense<\"0x\"> : tensor<2305843009213693952xf64>",
       "0 bytes for 2305843009213693952 elements of f64"},
      {"  %r = stablehlo.transpose %a : (tensor<4xf32>) -> tensor<4xf32>",
       "`stablehlo.transpose` needs the attribute `permutation`"},
      {"  %r = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>", "@f is not defined in this file"},
      {"  %r:2 = stablehlo.abs %a : tensor<4xf32>", "the text names 2 results, `stablehlo.abs` has 1"},
      {"  %r = stablehlo.uniform_quantize %a : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>",
       "quantized element type"},
      {"  %r = stablehlo.abs %a : tensor<4xf32", "expected"},
      {"  %c = stablehlo.constant dense<0.0> : tensor<9223372036854775807x4xf32>\n  %r = stablehlo.abs %a : "
       "tensor<4xf32>",
       "2:8: it has more than 2^63 elements"},
      {"  %c = stablehlo.constant dense<[1, 2, 3]> : tensor<4000000000xi8>\n  %r = stablehlo.abs %a : tensor<4xf32>",
       "3 items where dimension 0 of s8[4000000000] has 4000000000"},
      {"  %c = stablehlo.constant dense<999999999999999999999> : tensor<i8>\n  %r = stablehlo.abs %a : tensor<4xf32>",
       "999999999999999999999 does not fit s8"},
      {"  %i = stablehlo.constant dense<0.0> : tensor<f32>\n  %s = \"stablehlo.reduce\"(%a, %i) ({\n  ^bb0(%x: "
       "tensor<f32>, "
       "%y: tensor<f32>):\n    %z = stablehlo.add %x, %y : tensor<f32>\n  }) {dimensions = array<i64: 0>} : "
       "(tensor<4xf32>, tensor<f32>) -> tensor<f32>\n  %r = stablehlo.abs %a : tensor<4xf32>",
       "the region has no terminator: it must end in `stablehlo.return`"},
  };
  for (const MistakeRow& row : rows) {
    const std::string messages = MessagesOf(Import(Main("%a: tensor<4xf32>", row.body, "%r", "tensor<4xf32>")));
    EXPECT_TRUE(absl::StrContains(messages, row.message)) << row.body << "\n" << messages;
  }
}

TEST(StablehloMistakesTest, AMistakeCostsOneOperation) {
  const stablehlo::ImportedProgram program = Import(Main("%a: tensor<4xf32>",
                                                         "  %0 = stablehlo.add %a %a : tensor<4xf32>\n"
                                                         "  %1 = stablehlo.abs %0 : tensor<4xf32>\n"
                                                         "  %2 = stablehlo.sine %1, dims = : tensor<4xf32>\n"
                                                         "  %r = stablehlo.abs %2 : tensor<4xf32>",
                                                         "%r", "tensor<4xf32>"));
  EXPECT_EQ(program.diagnostics.size(), 2u) << MessagesOf(program);
}

TEST(StablehloMistakesTest, WholePrograms) {
  EXPECT_TRUE(absl::StrContains(MessagesOf(Import("func.func @main() {\n")), "never closed"));
  EXPECT_TRUE(absl::StrContains(MessagesOf(Import("module {}\n")), "no function @main"));
  EXPECT_TRUE(absl::StrContains(MessagesOf(Import(absl::string_view("ML\xEFR\x0dStableHLO_v1.8.0\0", 23))),
                                "stablehlo-translate"));
  EXPECT_TRUE(absl::StrContains(
      MessagesOf(Import("func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n  return %a : tensor<?xf32>\n}\n")),
      "dimension 0 of %a is unknown"));
  EXPECT_TRUE(absl::StrContains(MessagesOf(Import("func.func @main() {\n  call @main() : () -> ()\n  return\n}\n")),
                                "calls itself"));
  EXPECT_TRUE(
      absl::StrContains(MessagesOf(Import("#a = #b\n#b = #a\nfunc.func @main() attributes {x = #a} {\n  return\n}\n")),
                        "refers to itself"));
}

TEST(StablehloMistakesTest, DeepRegionsAndBracketsAreRefused) {
  std::string regions, brackets = "func.func @main() attributes {x = ";
  for (int k = 0; k < 100000; ++k) {
    absl::StrAppend(&regions, "\"stablehlo.case\"(%i) ({\n");
    brackets.push_back('[');
  }
  EXPECT_TRUE(absl::StrContains(MessagesOf(Import(absl::StrCat("func.func @main(%i: tensor<i32>) {\n", regions))),
                                "levels deep"));
  EXPECT_TRUE(absl::StrContains(MessagesOf(Import(brackets)), "levels deep"));
}

// 40 lines of which each is a pair of the one before are a type of 2^40 parts.
TEST(StablehloMistakesTest, AliasesOfTypesThatGrowWithoutBoundAreRefused) {
  std::string aliases = "!a0 = tensor<f32>\n";
  for (int k = 1; k < 40; ++k) absl::StrAppend(&aliases, "!a", k, " = tuple<!a", k - 1, ", !a", k - 1, ">\n");
  constexpr absl::string_view kUse =
      "func.func @main() {\n  %0 = \"stablehlo.custom_call\"() <{call_target_name = \"x\"}> : () -> !aN\n  return\n}\n";
  EXPECT_THAT(MessagesOf(Import(absl::StrCat(aliases, absl::StrReplaceAll(kUse, {{"aN", "a39"}})))),
              ::testing::HasSubstr("all that aliases stand for is much longer than the program"));
  EXPECT_EQ(MessagesOf(Import(absl::StrCat(aliases, absl::StrReplaceAll(kUse, {{"aN", "a9"}})))), "");
}

TEST(StablehloMistakesTest, MeshesThatCannotBeAreNotMultiplied) {
  constexpr absl::string_view kProgram = R"(module @m {
  sdy.mesh @mesh = <["a"=A, "b"=B]>
  func.func public @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{AXES}]>}) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
})";
  const auto messages = [&](absl::string_view a, absl::string_view b, absl::string_view axes) {
    return MessagesOf(Import(
        absl::StrReplaceAll(kProgram, {{"=A", absl::StrCat("=", a)}, {"=B", absl::StrCat("=", b)}, {"AXES", axes}})));
  };
  EXPECT_THAT(messages("1000000000000", "1000000000", R"("a", "b")"),
              ::testing::HasSubstr("more axes or devices than a mesh can have"));
  EXPECT_THAT(messages("2", "2", R"("a", "a")"), ::testing::HasSubstr("divides more than once"));
}

TEST(StablehloMistakesTest, EveryPrefixAndEveryLostByteIsSurvived) {
  for (size_t k = 0; k < kLoop.size(); ++k) {
    Import(kLoop.substr(0, k));
    std::string without(kLoop);
    without.erase(k, 1);
    const stablehlo::ImportedProgram program = Import(without);
    Document::Parse(program.hlo);
  }
}

}  // namespace
}  // namespace hloscope::stablehlo
