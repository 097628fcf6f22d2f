// SPDX-License-Identifier: Apache-2.0
// Programs whose sizes the text leaves open, with sizes from the user.
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/document/document.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "stablehlo/import.h"

namespace hloscope::stablehlo {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The HLO with the shapes, and what is wrong with the program or with the HLO.
std::string RefinedHlo(absl::string_view text, const std::vector<std::string>& shapes,
                       NameStyle names = NameStyle::kReadable) {
  ImportOptions options;
  options.names = names;
  for (const std::string& shape : shapes) options.shapes.push_back(*ParseArgumentShape(shape));
  const ImportedProgram program = ImportProgram(SourceText::FromString("p.mlir", std::string(text)), options);
  std::string hlo(program.hlo->text());
  for (const Diagnostic& d : program.diagnostics) {
    const LineColumn at = program.hlo->origin()->source->LineColumnAt(d.range.begin);
    absl::StrAppend(&hlo, at.line + 1, ":", at.column + 1, ": ", d.Message(), "\n");
  }
  if (!program.has_errors) {
    const auto document = Document::Parse(program.hlo);
    for (const Diagnostic& d : document->diagnostics()) {
      absl::StrAppend(&hlo, SeverityName(d.severity), ": ", d.Message(), "\n");
    }
  }
  return hlo;
}

std::string OpenMain(absl::string_view arguments, absl::string_view body, absl::string_view result) {
  return absl::StrCat("func.func @main(", arguments, ") -> ", result, " {\n", body, "}\n");
}

// A body of one operation on %x of open size, and what `x = f32[3,4]` makes of it.
struct RefinedRow {
  const char *operation, *type, *expected;
};

TEST(StablehloShapesTest, SizesFollowThroughOperations) {
  const RefinedRow kRows[] = {
      {"stablehlo.add %x, %x : tensor<?x4xf32>", "tensor<?x4xf32>", "f32[3,4]{1,0} add("},
      {"stablehlo.convert %x : (tensor<?x4xf32>) -> tensor<?x4xbf16>", "tensor<?x4xbf16>", "bf16[3,4]{1,0} convert("},
      {"stablehlo.transpose %x, dims = [1, 0] : (tensor<?x4xf32>) -> tensor<4x?xf32>", "tensor<4x?xf32>",
       "f32[4,3]{1,0} transpose("},
      {"stablehlo.reshape %x : (tensor<?x4xf32>) -> tensor<?xf32>", "tensor<?xf32>", "f32[12]{0} reshape("},
      {"stablehlo.concatenate %x, %x, dim = 0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>",
       "tensor<?x4xf32>", "f32[6,4]{1,0} concatenate("},
      {"stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : (tensor<?x4xf32>, tensor<?x4xf32>) -> "
       "tensor<?x?xf32>",
       "tensor<?x?xf32>", "f32[3,3]{1,0} dot("},
      {"stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) "
       "-> tensor<?xf32>",
       "tensor<?xf32>", "f32[3]{0} reduce("},
      {"stablehlo.compare LT, %x, %x : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xi1>", "tensor<?x4xi1>",
       "pred[3,4]{1,0} compare("},
      {"stablehlo.select %t, %x, %x : tensor<i1>, tensor<?x4xf32>", "tensor<?x4xf32>", "f32[3,4]{1,0} select("},
      {"stablehlo.pad %x, %c, low = [1, 0], high = [2, 0], interior = [0, 0] : (tensor<?x4xf32>, tensor<f32>) -> "
       "tensor<?x4xf32>",
       "tensor<?x4xf32>", "f32[6,4]{1,0} pad("},
      {"\"stablehlo.all_gather\"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> "
       ": "
       "(tensor<?x4xf32>) -> tensor<?x4xf32>",
       "tensor<?x4xf32>", "f32[6,4]{1,0} all-gather("},
      {"\"stablehlo.reduce_scatter\"(%x) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2]]> : "
       "tensor<1x3xi64>}> ({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n  %s = stablehlo.add %a, %b : tensor<f32>\n  "
       "stablehlo.return %s : tensor<f32>\n}) : (tensor<?x4xf32>) -> tensor<?x4xf32>",
       "tensor<?x4xf32>", "f32[1,4]{1,0} reduce-scatter("},
      {"\"stablehlo.all_to_all\"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, "
       "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<?x4xf32>) -> tensor<?x2xf32>",
       "tensor<?x2xf32>", "f32[6,2]{1,0} reshape("},
      {"chlo.broadcast_add %x, %c : (tensor<?x4xf32>, tensor<f32>) -> tensor<?x4xf32>", "tensor<?x4xf32>",
       "f32[3,4]{1,0} add("},
      {"chlo.square %x : tensor<?x4xf32> -> tensor<?x4xf32>", "tensor<?x4xf32>", "f32[3,4]{1,0} multiply("},
      {"\"stablehlo.sort\"(%x) <{dimension = 0 : i64}> ({\n ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n  %l = "
       "stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>\n  stablehlo.return %l : tensor<i1>\n "
       "}) : (tensor<?x4xf32>) -> tensor<?x4xf32>",
       "tensor<?x4xf32>", "f32[3,4]{1,0} sort("},
  };
  for (const RefinedRow& row : kRows) {
    const std::string program = OpenMain(
        "%x: tensor<?x4xf32>",
        absl::StrCat("  %c = stablehlo.constant dense<0.0> : tensor<f32>\n  %t = stablehlo.constant dense<true> : "
                     "tensor<i1>\n  %r = ",
                     row.operation, "\n  return %r : ", row.type, "\n"),
        row.type);
    const std::string hlo = RefinedHlo(program, {"0=3x4"});
    EXPECT_THAT(hlo, HasSubstr(row.expected)) << program;
    EXPECT_THAT(hlo, Not(HasSubstr("rror"))) << program;
    EXPECT_THAT(RefinedHlo(program, {}), HasSubstr("dimension 0 of %x is unknown: tensor<?x4xf32>"));
  }
}

// What jax.export prints for symbolic sizes: they are asked for and computed with.
TEST(StablehloShapesTest, ComputedSizesAreFolded) {
  const std::string program = R"(module @jit_f attributes {jax.uses_shape_polymorphism = true} {
  func.func public @main(%x: tensor<?x4xf32>) -> tensor<?xf32> {
    %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %ok = stablehlo.compare GE, %b, %one, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%ok, %b) {api_version = 2 : i32, error_message = "b must be at least 1, is {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %r = call @wrapped(%b, %x) : (tensor<i32>, tensor<?x4xf32>) -> tensor<?xf32>
    return %r : tensor<?xf32>
  }
  func.func private @wrapped(%b: tensor<i32>, %x: tensor<?x4xf32>) -> tensor<?xf32> {
    %four = stablehlo.constant dense<4> : tensor<i32>
    %n = stablehlo.multiply %b, %four : tensor<i32>
    %s = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
    %flat = stablehlo.dynamic_reshape %x, %s : (tensor<?x4xf32>, tensor<1xi32>) -> tensor<?xf32>
    %i = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
    %c = stablehlo.constant dense<2.0> : tensor<f32>
    %w = stablehlo.dynamic_broadcast_in_dim %c, %s, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %p = stablehlo.multiply %i, %w : tensor<?xf32>
    %r = stablehlo.add %flat, %p : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}
)";
  const std::string hlo = RefinedHlo(program, {"%x=5x4"});
  EXPECT_THAT(hlo, HasSubstr("f32[20]{0} iota(), iota_dimension=0"));
  EXPECT_THAT(hlo, HasSubstr("f32[20]{0} reshape(%x"));
  EXPECT_THAT(hlo, HasSubstr("f32[20]{0} call("));
  EXPECT_THAT(hlo, Not(HasSubstr("custom-call")));
  EXPECT_THAT(hlo, Not(HasSubstr("rror")));
  EXPECT_THAT(RefinedHlo(program, {"0=0x4"}), HasSubstr("the shapes do not fit: b must be at least 1, is 0"));
  // A size that comes from nowhere.
  EXPECT_THAT(RefinedHlo(absl::StrReplaceAll(program, {{"%b, %four", "%v, %four"},
                                                       {"%b: tensor<i32>, %x", "%v: tensor<i32>, %x"},
                                                       {"@wrapped(%b, %x)", "@wrapped(%u, %x)"},
                                                       {"@main(%x", "@main(%u: tensor<i32>, %x"}}),
                         {"1=5x4"}),
              HasSubstr("dimension 0 of the result of `stablehlo.dynamic_reshape` is unknown"));
}

TEST(StablehloShapesTest, AFunctionIsMadeOncePerShape) {
  const std::string program = R"(
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %0 = call @f(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = call @f(%y) : (tensor<?xf32>) -> tensor<?xf32>
  %2 = call @f(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %0, %1, %2 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
func.func private @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.negate %a : tensor<?xf32>
  return %0 : tensor<?xf32>
}
)";
  const std::string hlo = RefinedHlo(program, {"0=3", "y=5"});
  EXPECT_THAT(hlo, HasSubstr("f32[3]{0} negate("));
  EXPECT_THAT(hlo, HasSubstr("f32[5]{0} negate("));
  EXPECT_THAT(hlo, Not(HasSubstr("rror")));
  size_t made = 0;
  for (size_t at = hlo.find(" negate("); at != std::string::npos; at = hlo.find(" negate(", at + 1)) ++made;
  EXPECT_EQ(made, 2u);
}

TEST(StablehloShapesTest, LoopsAndBranchesTakeTheSizesOfTheirState) {
  const std::string hlo = RefinedHlo(R"(
func.func @main(%n: tensor<i32>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c0, %acc = %x) : tensor<i32>, tensor<?xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %c1 : tensor<i32>
    %a = stablehlo.add %acc, %x : tensor<?xf32>
    stablehlo.return %j, %a : tensor<i32>, tensor<?xf32>
  }
  %p = stablehlo.compare LT, %n, %c1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %s = "stablehlo.if"(%p) ({
    %q = stablehlo.negate %r#1 : tensor<?xf32>
    stablehlo.return %q : tensor<?xf32>
  }, {
    stablehlo.return %x : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %s : tensor<?xf32>
}
)",
                                     {"x=7"});
  EXPECT_THAT(hlo, HasSubstr("f32[7]{0} conditional("));
  EXPECT_THAT(hlo, Not(HasSubstr("?")));
  EXPECT_THAT(hlo, Not(HasSubstr("rror")));
}

TEST(StablehloShapesTest, BoundsStayAndSizesWithinBoundsAreTaken) {
  const std::string open =
      OpenMain("%x: tensor<?x4xf32>", "  %r = stablehlo.add %x, %x : tensor<?x4xf32>\n  return %r : tensor<?x4xf32>\n",
               "tensor<?x4xf32>");
  EXPECT_THAT(RefinedHlo(open, {"0=<=8x4"}), HasSubstr("f32[<=8,4]{1,0} add("));
  const std::string bounded = absl::StrReplaceAll(open, {{"4xf32>", "4xf32, #stablehlo.bounds<8, ?>>"}});
  EXPECT_THAT(RefinedHlo(bounded, {}), HasSubstr("f32[<=8,4]{1,0} add("));
  EXPECT_THAT(RefinedHlo(bounded, {"0=9x4"}), HasSubstr("dimension 0 of %x is at most 8"));
}

TEST(StablehloShapesTest, ShapesThatDoNotFitAreNamed) {
  const std::string program =
      OpenMain("%x: tensor<?x4xf32>, %t: !stablehlo.token", "  return %x : tensor<?x4xf32>\n", "tensor<?x4xf32>");
  EXPECT_THAT(RefinedHlo(program, {"0=3x5"}), HasSubstr("1:17: --shape 0=3x5: dimension 1 of %x is 4"));
  EXPECT_THAT(RefinedHlo(program, {"0=3"}), HasSubstr("which has 2 dimensions, not 1"));
  EXPECT_THAT(RefinedHlo(program, {"2=3"}), HasSubstr("@main has no such argument; it has 2"));
  EXPECT_THAT(RefinedHlo(program, {"%y=3"}), HasSubstr("@main has no such argument; it has 2"));
  EXPECT_THAT(RefinedHlo(program, {"t="}), HasSubstr("which has no sizes"));
  for (const char* text : {"3x4", "=3", "0=ax4", "0=-1", "0=<8", "0=3x"}) {
    EXPECT_FALSE(ParseArgumentShape(text).ok()) << text;
  }
  EXPECT_TRUE(ParseArgumentShape("0=").ok());
}

}  // namespace
}  // namespace hloscope::stablehlo
