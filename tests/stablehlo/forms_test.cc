// SPDX-License-Identifier: Apache-2.0
// Seldom forms of programs: reshardings, parts of axes, layouts, sizes of other dialects, old names.
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

// The HLO of a program with its findings after it, those of the HLO too.
std::string HloWithFindings(absl::string_view text, const ImportOptions& options = {}) {
  const ImportedProgram program = ImportProgram(SourceText::FromString("program.mlir", std::string(text)), options);
  std::string hlo(program.hlo->text());
  for (const Diagnostic& d : program.diagnostics) absl::StrAppend(&hlo, d.code(), ": ", d.Message(), "\n");
  if (program.has_errors) return hlo;
  const auto document = Document::Parse(program.hlo);
  for (const Diagnostic& d : document->diagnostics()) {
    if (d.severity != Severity::kHint) absl::StrAppend(&hlo, SeverityName(d.severity), ": ", d.Message(), "\n");
  }
  return hlo;
}

std::string HloOfMain(absl::string_view arguments, absl::string_view body, absl::string_view result,
                      absl::string_view type, absl::string_view around = "") {
  return HloWithFindings(absl::StrCat("module {\n", around, "func.func @main(", arguments, ") -> ", type, " {\n", body,
                                      "\n  return ", result, " : ", type, "\n}\n}\n"));
}

std::string HloOfSharding(absl::string_view mesh, absl::string_view sharding) {
  return HloOfMain(absl::StrCat("%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, ", sharding, ">}"), "", "%a",
                   "tensor<8x8xf32>", absl::StrCat("sdy.mesh @m = ", mesh, "\n"));
}

TEST(StablehloFormsTest, ShardingsOnPartsOfAxes) {
  constexpr absl::string_view kMesh = "<[\"x\"=8, \"y\"=2]>";
  // The axis of 8 is an array [2,2,2].
  EXPECT_THAT(HloOfSharding(kMesh, "[{\"x\":(1)2}, {}]"),
              HasSubstr("sharding={devices=[2,1,8]<=[16] last_tile_dim_replicate}"));
  EXPECT_THAT(HloOfSharding(kMesh, "[{\"x\":(2)2}, {}]"),
              HasSubstr("sharding={devices=[2,1,8]<=[2,2,4]T(1,0,2) last_tile_dim_replicate}"));
  EXPECT_THAT(HloOfSharding(kMesh, "[{\"x\":(4)2, ?}, {\"x\":(1)4, \"y\"}]"),
              HasSubstr("sharding={devices=[2,8]<=[4,2,2]T(1,0,2)}"));
  EXPECT_THAT(HloOfSharding(kMesh, "[{\"x\":(1)3}, {}]"), HasSubstr("(1)3 is no part of the axis \"x\" of size 8"));
  EXPECT_THAT(HloOfSharding(kMesh, "[{\"x\":(1)4}, {\"x\":(2)2}]"), HasSubstr("divides more than once"));
  EXPECT_THAT(HloOfSharding(kMesh, "[{\"z\"}, {}]"), HasSubstr("no axis \"z\""));
}

TEST(StablehloFormsTest, ShardingsOfListedDevicesAndSumsThatAreNotReduced) {
  EXPECT_THAT(HloOfSharding("<[\"x\"=2, \"y\"=2], device_ids=[3, 2, 1, 0]>", "[{\"y\"}, {\"x\"}]"),
              HasSubstr("sharding={devices=[2,2]3,1,2,0}"));
  EXPECT_THAT(HloOfSharding("<[\"x\"=2, \"y\"=2], device_ids=[1, 0]>", "[{\"y\"}, {}]"),
              HasSubstr("lists 2 devices, its axes have 4"));
  EXPECT_THAT(HloOfSharding("<[\"x\"=2, \"y\"=2]>", "[{\"y\"}, {}], unreduced={\"x\"}"),
              HasSubstr("sharding={devices=[2,1,2]<=[2,2]T(1,0) last_tile_dims={unreduced}}"));
}

// What Shardy inserts between operations whose shardings differ is another sharding of the same array.
TEST(StablehloFormsTest, ReshardingsOfShardy) {
  const std::string hlo =
      HloOfMain("%a: tensor<8x8xf32>",
                R"(  %0 = sdy.all_slice [{"x"}, {}] %a out_sharding=<@m, [{"x"}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_gather [{"x"}, {}] %0 out_sharding=<@m, [{}, {}]> : tensor<8x8xf32>
  %2 = sdy.all_to_all [{"x"}: 0->1] %1 out_sharding=<@m, [{}, {"x"}]> : tensor<8x8xf32>
  %3 = sdy.collective_permute %2 out_sharding=<@m, [{"y"}, {}]> : tensor<8x8xf32>
  %4 = sdy.all_reduce {"x"} %3 out_sharding=<@m, [{}, {}]> : tensor<8x8xf32>
  %5 = sdy.data_flow_edge %4 sharding=<@m, [{}, {}]> : tensor<8x8xf32>
  %6 = sdy.named_computation<"block">(%5) in_shardings=[<@m, [{}, {}]>] out_shardings=[<@m, [{}, {}]>] (%p: tensor<8x8xf32>) {
    %7 = stablehlo.negate %p : tensor<8x8xf32>
    sdy.return %7 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>)",
                "%6", "tensor<8x8xf32>", "sdy.mesh @m = <[\"x\"=2, \"y\"=2]>\n");
  EXPECT_THAT(hlo,
              HasSubstr("custom_call_target=\"Sharding\", sharding={devices=[2,1,2]<=[4] last_tile_dim_replicate}"));
  EXPECT_THAT(hlo, HasSubstr("custom_call_target=\"Sharding\", sharding={replicated}"));
  EXPECT_THAT(hlo, HasSubstr("%block."));
  EXPECT_THAT(hlo, HasSubstr(" call("));
  EXPECT_THAT(hlo, Not(HasSubstr("error"))) << hlo;
}

TEST(StablehloFormsTest, StartsOfCollectivesAreThoseOfHlo) {
  const std::string hlo = HloOfMain("%a: tensor<4xf32>",
                                    R"(  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<4xf32>):
    %g = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<8xf32>
    stablehlo.return %g : tensor<8xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<8xf32>>
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<8xf32>>) -> tensor<8xf32>
  %2 = "stablehlo.async_start"(%1) ({
  ^bb0(%x: tensor<8xf32>):
    %r = "stablehlo.all_reduce"(%x) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<8xf32>
    stablehlo.return %r : tensor<8xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<8xf32>>
  %3 = "stablehlo.async_done"(%2) : (!stablehlo.future<tensor<8xf32>>) -> tensor<8xf32>
  %4 = "stablehlo.async_start"(%3) ({
  ^bb0(%x: tensor<8xf32>):
    %c = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<8xf32>
    stablehlo.return %c : tensor<8xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<8xf32>>
  %5 = "stablehlo.async_done"(%4) : (!stablehlo.future<tensor<8xf32>>) -> tensor<8xf32>)",
                                    "%5", "tensor<8xf32>");
  EXPECT_THAT(hlo, HasSubstr("(f32[4]{0}, f32[8]{0}) all-gather-start(%a), replica_groups={{0,1}}, dimensions={0}"));
  EXPECT_THAT(hlo, HasSubstr("f32[8]{0} all-gather-done("));
  EXPECT_THAT(hlo, HasSubstr("f32[8]{0} all-reduce-start("));
  EXPECT_THAT(hlo, HasSubstr("f32[8]{0} all-reduce-done("));
  EXPECT_THAT(hlo, HasSubstr("(f32[8]{0}, f32[8]{0}) collective-permute-start("));
  EXPECT_THAT(hlo, HasSubstr("f32[8]{0} collective-permute-done("));
  EXPECT_THAT(hlo, Not(HasSubstr("error"))) << hlo;
}

TEST(StablehloFormsTest, RaggedOperationsBehindOtherNames) {
  const std::string exchange = HloOfMain(
      "%x: tensor<8xf32>, %o: tensor<8xf32>, %i: tensor<2xi64>",
      "  %r = stablehlo.custom_call @ragged_all_to_all(%x, %o, %i, %i, %i, %i) {api_version = 4 : i32, backend_config "
      "= "
      "{channel_id = 3 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}} : (tensor<8xf32>, tensor<8xf32>, "
      "tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<8xf32>",
      "%r", "tensor<8xf32>");
  EXPECT_THAT(exchange, HasSubstr("ragged-all-to-all(%x, %o, %i, %i, %i, %i), channel_id=3, replica_groups={{0,1}}"));
  const auto ragged = [](absl::string_view lists, absl::string_view result) {
    return HloOfMain("%x: tensor<3x4x5xf32>, %y: tensor<3x5x6xf32>, %s: tensor<3xi32>",
                     absl::StrCat("  %r = stablehlo.composite \"chlo.ragged_dot\" %x, %y, %s {composite_attributes = "
                                  "{precision_config = [\"DEFAULT\", \"DEFAULT\"], ragged_dot_dimension_numbers = [",
                                  lists,
                                  "]}, decomposition = @f, version = 1 : i32} : (tensor<3x4x5xf32>, tensor<3x5x6xf32>, "
                                  "tensor<3xi32>) -> ",
                                  result),
                     "%r", result,
                     absl::StrCat("func.func private @f(%x: tensor<3x4x5xf32>, %y: tensor<3x5x6xf32>, %s: "
                                  "tensor<3xi32>) -> ",
                                  result, "\n"));
  };
  // The rows of a batch are of one group.
  EXPECT_THAT(ragged("dense<0> : tensor<1xi64>, dense<0> : tensor<1xi64>, dense<2> : tensor<1xi64>, dense<1> : "
                     "tensor<1xi64>, dense<0> : tensor<1xi64>, dense<> : tensor<0xi64>",
                     "tensor<3x4x6xf32>"),
              HasSubstr(" dot(%x, %y), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, "
                        "rhs_contracting_dims={1}"));
}

TEST(StablehloFormsTest, OldOperationsOfMhlo) {
  const std::string hlo = HloOfMain("%a: tensor<8xf32>, %n: tensor<8xui32>",
                                    R"(  %0 = mhlo.erf %a : tensor<8xf32>
  %1 = "mhlo.bitcast"(%0) : (tensor<8xf32>) -> tensor<2x4xf32>
  %2:2 = mhlo.topk(%a, k = 2, largest = true) : tensor<8xf32> -> (tensor<2xf32>, tensor<2xi32>)
  %3 = "mhlo.stochastic_convert"(%a, %n) : (tensor<8xf32>, tensor<8xui32>) -> tensor<8xi8>
  %4 = "mhlo.xla.rng_get_and_update_state"() {delta = 1 : i64} : () -> tensor<2xui64>
  %5 = mhlo.sinh %a : tensor<8xf32>)",
                                    "%5", "tensor<8xf32>");
  for (const char* expected : {" erf(%a)", " bitcast(", " topk(%a), k=2, largest=true", " stochastic-convert(%a, %n)",
                               " rng-get-and-update-state(), delta=1", " sinh(%a)"}) {
    EXPECT_THAT(hlo, HasSubstr(expected));
  }
  EXPECT_THAT(hlo, Not(HasSubstr("error"))) << hlo;
  EXPECT_THAT(
      HloOfMain("%a: tensor<8xf32>",
                "  %r:2 = chlo.top_k(%a, k = 2, is_stable = false) : tensor<8xf32> -> (tensor<2xf32>, tensor<2xi32>)",
                "%r#0", "tensor<2xf32>"),
      HasSubstr("k=2, largest=true, is_stable=false"));
}

TEST(StablehloFormsTest, EllipsesInEquations) {
  EXPECT_THAT(HloOfMain("%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>",
                        "  %r = stablehlo.einsum %a, %b, config = \"...ab,...bc->...ac\" : (tensor<2x3x4xf32>, "
                        "tensor<2x4x5xf32>) -> tensor<2x3x5xf32>",
                        "%r", "tensor<2x3x5xf32>"),
              HasSubstr("dot(%a, %b), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, "
                        "rhs_contracting_dims={1}"));
  EXPECT_THAT(HloOfMain("%a: tensor<2x3xf32>, %b: tensor<3xf32>",
                        "  %r = stablehlo.einsum %a, %b, config = \"0a,a->0\" : (tensor<2x3xf32>, tensor<3xf32>) -> "
                        "tensor<2xf32>",
                        "%r", "tensor<2xf32>"),
              HasSubstr("expected an equation"));
}

TEST(StablehloFormsTest, LayoutsThatAreAskedFor) {
  EXPECT_THAT(
      HloWithFindings(
          "module @m {\n  func.func @main(%a: tensor<2x3xf32> {mhlo.layout_mode = \"{0,1}\"}, %b: tensor<4xf32> "
          "{mhlo.layout_mode = \"default\"}) -> (tensor<2x3xf32> {mhlo.layout_mode = \"auto\"}) {\n    return %a : "
          "tensor<2x3xf32>\n  }\n}\n"),
      HasSubstr("entry_computation_layout={(f32[2,3]{0,1}, f32[4]{0})->f32[2,3]{1,0}}"));
  EXPECT_THAT(
      HloWithFindings(
          "module @m attributes {mhlo.xla_entry_computation_parameter_layouts = [dense<[0, 1]> : tensor<2xindex>], "
          "mhlo.xla_entry_computation_result_layout = [dense<[0, 1]> : tensor<2xindex>], mhlo.input_output_alias = "
          "[{alias = {kind = \"may_alias\", parameter_index = array<i64>, parameter_number = 0 : i64}, output_index = "
          "array<i64>}]} {\n  func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {\n    %0 = stablehlo.negate %a "
          "{xla_shape = \"f32[2,3]{0,1}\"} : tensor<2x3xf32>\n    return %0 : tensor<2x3xf32>\n  }\n}\n"),
      ::testing::AllOf(HasSubstr("input_output_alias={ {}: (0, {}, may-alias) }"),
                       HasSubstr("entry_computation_layout={(f32[2,3]{0,1})->f32[2,3]{0,1}}"),
                       HasSubstr("f32[2,3]{0,1} negate("), Not(HasSubstr("error"))));
  EXPECT_THAT(HloOfMain("%a: tensor<2x3xf32> {mhlo.layout_mode = \"{0,2}\"}", "", "%a", "tensor<2x3xf32>"),
              HasSubstr("this layout is ignored"));
  EXPECT_THAT(HloOfMain("%a: tensor<2xf32>", "  %r = stablehlo.negate %a {xla_shape = \"f32[3]{0}\"} : tensor<2xf32>",
                        "%r", "tensor<2xf32>"),
              HasSubstr("`xla_shape` is ignored"));
}

TEST(StablehloFormsTest, ConfigurationsOfCalls) {
  const std::string hlo =
      HloOfMain("%a: tensor<2xf32>",
                "  %r = call @f(%a) {mhlo.frontend_attributes = {backend_config = \"x=1\", k = \"v\"}} : "
                "(tensor<2xf32>) -> tensor<2xf32>",
                "%r", "tensor<2xf32>",
                "func.func private @f(%a: tensor<2xf32>) -> tensor<2xf32> {\n  return %a : tensor<2xf32>\n}\n");
  EXPECT_THAT(hlo, HasSubstr(", frontend_attributes={k=\"v\"}, backend_config=\"x=1\""));
  EXPECT_THAT(hlo, Not(HasSubstr("error"))) << hlo;
}

// What programs without static shapes hold between their operations.
constexpr absl::string_view kSizes = R"(func.func @main(%x: tensor<?x4xf32>, %y: tensor<4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %w = shape.cstr_broadcastable %s, %s : tensor<2xindex>, tensor<2xindex>
  %d = tensor.dim %x, %c0 : tensor<?x4xf32>
  %n = arith.muli %d, %c4 : index
  %is = arith.cmpi sgt, %n, %c4 : index
  %m = arith.select %is, %d, %c4 : index
  %e = tensor.from_elements %m, %c4 : tensor<2xindex>
  %b = stablehlo.dynamic_broadcast_in_dim %y, %e, dims = [1] : (tensor<4xf32>, tensor<2xindex>) -> tensor<?x4xf32>
  %r = stablehlo.add %x, %b : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
})";

TEST(StablehloFormsTest, SizesOfOtherDialectsAreConstants) {
  std::string text(kSizes);
  text.erase(text.find("  %w ="), text.find("  %d =") - text.find("  %w ="));
  ImportOptions options;
  options.shapes.push_back(*ParseArgumentShape("0=3x4"));
  const std::string hlo = HloWithFindings(text, options);
  EXPECT_THAT(hlo, HasSubstr("f32[3,4]{1,0} add("));
  EXPECT_THAT(hlo, Not(HasSubstr("error"))) << hlo;
  EXPECT_THAT(HloWithFindings(text), HasSubstr("--shape 0=3x4"));
  // A use before the definition, in an operation of another dialect.
  EXPECT_THAT(HloWithFindings(kSizes, options), HasSubstr("%s"));
}

TEST(StablehloFormsTest, AssumptionsAboutShapes) {
  ImportOptions options;
  options.shapes.push_back(*ParseArgumentShape("0=3"));
  const std::string hlo =
      HloWithFindings(R"(func.func @main(%x: tensor<?xf32>, %y: tensor<2x1xf32>) -> tensor<2x?xf32> {
  %0 = shape.shape_of %x : tensor<?xf32> -> tensor<1xindex>
  %1 = shape.shape_of %y : tensor<2x1xf32> -> tensor<2xindex>
  %2 = shape.cstr_broadcastable %0, %1 : tensor<1xindex>, tensor<2xindex>
  %3 = shape.assuming %2 -> (tensor<2x?xf32>) {
    %4 = shape.broadcast %0, %1 : tensor<1xindex>, tensor<2xindex> -> tensor<2xindex>
    %5 = stablehlo.dynamic_broadcast_in_dim %x, %4, dims = [1] : (tensor<?xf32>, tensor<2xindex>) -> tensor<2x?xf32>
    shape.assuming_yield %5 : tensor<2x?xf32>
  }
  %6 = shape.num_elements %1 : tensor<2xindex> -> index
  return %3 : tensor<2x?xf32>
})",
                      options);
  EXPECT_THAT(hlo, HasSubstr("f32[2,3]{1,0} broadcast(%x), dimensions={1}"));
  EXPECT_THAT(hlo, Not(HasSubstr("error"))) << hlo;
}

}  // namespace
}  // namespace hloscope::stablehlo
