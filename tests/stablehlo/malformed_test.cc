// SPDX-License-Identifier: Apache-2.0
// Malformed programs: each mistake is said where it is, in words that help.
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "gtest/gtest.h"
#include "stablehlo/import.h"

namespace hloscope::stablehlo {
namespace {

// "line:column: message" of each error, as `hloscope check` shows them.
std::string ErrorsOf(absl::string_view text) {
  const ImportedProgram program = ImportProgram(SourceText::FromString("p.mlir", std::string(text)));
  const auto document = Document::Parse(program.hlo);
  std::vector<Diagnostic> diagnostics = program.diagnostics;
  if (!program.has_errors) {
    for (const Diagnostic& d : document->diagnostics()) diagnostics.push_back(AtOrigin(*program.hlo, d));
  }
  std::string errors;
  for (const Diagnostic& d : diagnostics) {
    if (d.severity != Severity::kError) continue;
    const LineColumn at = program.hlo->origin()->source->LineColumnAt(d.range.begin);
    absl::StrAppend(&errors, at.line + 1, ":", at.column + 1, ": ", d.Message(), "\n");
  }
  return errors;
}

std::string WithBody(absl::string_view body) {
  return absl::StrCat("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n", body,
                      "\n  return %x : tensor<4xf32>\n}\n");
}

// What follows from an operation that nobody knows, or a location that is cut off, is not said.
TEST(StablehloMalformedTest, OneErrorForOneCause) {
  EXPECT_EQ(ErrorsOf(WithBody("  %0 = \"foo.bar\"(%x) : (tensor<4xf32>) -> tensor<4xf32>\n"
                              "  %1 = stablehlo.negate %0 : tensor<4xf32>")),
            "2:9: `foo.bar`: operations of dialect `foo` have no meaning in HLO\n");
  EXPECT_EQ(ErrorsOf(WithBody("  %0 = stablehlo.negate %x : tensor<4xf32> loc(\"f.py\n"
                              "  %1 = stablehlo.negate %x : tensor<4xf32>")),
            "2:47: this location is never closed; expected `)`, and `\"` at the end of each string\n");
}

struct MalformedRow {
  absl::string_view text, error;
};

// Between `func.func @main(%x: tensor<4xf32>, %i: tensor<i32>) -> tensor<4xf32> {` and the return of %x.
constexpr MalformedRow kBodies[] = {
    {"  %0 = stablehlo.add %x, %i : tensor<4xf32>", "2:26: `%i` is tensor<i32> (line 1), used here as tensor<4xf32>"},
    {"  %0 = stablehlo.reshape %x : (tensor<4xf32>) -> tensor<5xf32>",
     "2:3: `reshape` keeps the number of elements: f32[4] has 4 but f32[5] has 5"},
    {"  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<4xf32>) -> tensor<4xf32>",
     "2:3: `transpose`: `dimensions` has 2 entries, expected 1: one for each operand dimension"},
    {"  %0 = stablehlo.add %x : tensor<4xf32>", "2:3: `add` takes 2 operands, got 1"},
    {"  %0 = stablehlo.negate %x, %x : tensor<4xf32>", "2:3: `negate` takes 1 operand, got 2"},
    {"  %0 = stablehlo.add x, x : tensor<4xf32>",
     "2:22: expected an operand or `name = value`, found `x`; did you mean `%x`?"},
    {"  %0 = stablehlo.add %x, %x tensor<4xf32>", "2:29: expected `:` and the type of the operation, found `tensor`"},
    {"  %0 = stablehlo.add %x, %x", "3:3: expected `:` and the type of the operation, found `return`"},
    {"  %0 = stablehlo.add %x, %x : tensor<4xf32", "3:3: expected `>`, found `return`"},
    {"  %0 = stablehlo.add %x, %x : tensor<4xfloat32>", "2:40: `float32` is no element type; did you mean `f32`?"},
    {"  %0 = stablehlo.add %x, %x : f32[4]",
     "2:31: this is a shape as HLO writes it; StableHLO writes `tensor<2x3xf32>`"},
    {"  %0 = stablehlo.add %x, %x : tensor<4xf99>", "2:40: `f99` is no element type"},
    {"  %0 = stablehlo.add %x, %x : tensor<-4xf32>", "2:38: expected an element type such as `f32`, found `-`"},
    {"  %0 = stablehlo.add %x, %x : tensor<4*f32>", "2:39: expected `x` after the dimension, found `*`"},
    {"  %0 = stablehlo.add %x, %x : tensor<99999999999999999999xf32>", "2:38: this dimension does not fit 64 bits"},
    {"  %0 = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<4xf32>",
     "2:47: 3 items where dimension 0 of f32[4] has 4"},
    {"  %0 = stablehlo.constant dense<[[1, 2], [3]]> : tensor<2x2xi32>",
     "2:44: 1 item where dimension 1 of s32[2,2] has 2"},
    {"  %0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<4xi32>",
     "2:34: the value is nested deeper than the 1 dimensions of s32[4]"},
    {"  %0 = stablehlo.constant dense<300> : tensor<i8>", "2:33: 300 does not fit s8"},
    {"  %0 = stablehlo.constant dense<True> : tensor<i1>",
     "2:33: expected an element of pred in a value of pred[], found `True`; did you mean `true`?"},
    {"  %0 = stablehlo.constant dense<\"0x0011\"> : tensor<4xf32>",
     "2:33: 2 bytes for 4 elements of f32, which are 16"},
    {"  %0 = stablehlo.constant dense<[1.0, 2.0 : tensor<2xf32>",
     "3:3: expected `:` and the type of the value, found `return`"},
    {"  %0 = stablehlo.constant dense<\"abc\"> : tensor<4xf32>",
     "2:33: expected \"0x\" and an even number of hexadecimal digits"},
    {"  %0 = stablehlo.constant dense<[1.0 2.0]> : tensor<2xf32>",
     "2:38: expected `,` or `]` in a value of f32[2], found `2.0`"},
    {"  %0 = stablehlo.constant dense<inf> : tensor<f32>",
     "2:33: expected an element of f32 in a value of f32[], found `inf`; such values are written as their bits: of "
     "f32, it is 0x7F800000"},
    {"  %0 = stablehlo.constant dense<nan> : tensor<f32>",
     "2:33: expected an element of f32 in a value of f32[], found `nan`; such values are written as their bits: of "
     "f32, NaN is 0x7FC00000"},
    {"  %0 = stablehlo.constant dense<1e5> : tensor<f32>",
     "2:34: nothing may follow the value, found `e5`; a number with an exponent has a dot: 1.0e5"},
    {"  %0 = stablehlo.compare LESS, %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>",
     "2:26: expected EQ, NE, GE, GT, LE or LT, found `LESS`"},
    {"  %0 = stablehlo.compare lt, %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>",
     "2:26: expected EQ, NE, GE, GT, LE or LT, found `lt`; did you mean `LT`?"},
    {"  %0 = stablehlo.compare LT, %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>",
     "2:3: `compare`: declared shape f32[4] but the operands imply pred[4] (element type f32, expected pred)"},
    {"  %0 = stablehlo.select %x, %x, %x : tensor<4xf32>, tensor<4xf32>",
     "2:3: `select`: operand 0 must be pred, got f32"},
    {"  %0 = stablehlo.broadcast_in_dim %x, dims = [2] : (tensor<4xf32>) -> tensor<4x4xf32>",
     "2:8: `stablehlo.broadcast_in_dim` has no result dimension 2: the result is f32[4,4]"},
    {"  %0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<4xf32>) -> tensor<5x4xf32>",
     "2:3: `broadcast`: operand dimension 0 has size 4 but it becomes result dimension 0, which has size 5"},
    {"  %0 = stablehlo.concatenate %x, %x, dim = 1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>",
     "2:3: `concatenate`: `dimensions` names dimension 1, but operand 0 has only dimension 0"},
    {"  %0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<9xf32>",
     "2:3: `concatenate`: declared shape f32[9] but the operands imply f32[8] (dimension 0 is 9, expected 8)"},
    {"  %0 = stablehlo.slice %x [0:9] : (tensor<4xf32>) -> tensor<9xf32>",
     "2:3: `slice`: in dimension 0, the limit 9 exceeds the size 4"},
    {"  %0 = stablehlo.slice %x [0:2, 0:2] : (tensor<4xf32>) -> tensor<2xf32>",
     "2:3: `slice`: `slice` has 2 entries, expected 1: one for each operand dimension"},
    {"  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<4xf32>, tensor<4xf32>) -> "
     "tensor<f32>",
     "2:3: `dot`: `lhs_contracting_dims` names dimension 1, but the lhs has only dimension 0"},
    {"  %0 = stablehlo.iota dim = 2 : tensor<4xf32>",
     "2:3: `iota`: `iota_dimension` names dimension 2, but the result has only dimension 0"},
    {"  %0 = stablehlo.get_tuple_element %x[0] : (tensor<4xf32>) -> tensor<4xf32>",
     "2:8: element 0 of f32[4] does not exist"},
    {"  %0:2 = stablehlo.add %x, %x : tensor<4xf32>", "2:3: the text names 2 results, `stablehlo.add` has 1"},
    {"  %0 = stablehlo.add %x, %x : tensor<4xf32>\n  %0 = stablehlo.add %x, %x : tensor<4xf32>",
     "3:3: `%0` is defined twice"},
    {"  %0 = stablehlo.add %1, %x : tensor<4xf32>\n  %1 = stablehlo.add %x, %x : tensor<4xf32>",
     "2:22: `%1` is not defined here; it is defined on line 3, after this use"},
    {"  %0 = stablehlo.negate %x : tensor<5xf32>", "2:25: `%x` is tensor<4xf32> (line 1), used here as tensor<5xf32>"},
    {"  %0 = stablehlo.addd %x, %x : tensor<4xf32>",
     "2:8: `stablehlo.addd`: no such operation; did you mean `stablehlo.add`?"},
    {"  %0 = stablehlo.dynamic-slice %x, %i, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>",
     "2:8: `stablehlo.dynamic`: no such operation; did you mean `stablehlo.dynamic_slice`?"},
    {"  %0 = tosa.add %x, %x : tensor<4xf32>",
     "2:8: `tosa.add`: operations of dialect `tosa` have no meaning in HLO; did you mean `stablehlo.add`?"},
    {"  %0 = arith.addf %x, %x : tensor<4xf32>",
     "2:8: `arith.addf`: operations of dialect `arith` have no meaning in HLO; did you mean `stablehlo.add`?"},
    {"  %0 = add %x, %x : tensor<4xf32>",
     "2:8: `add`: no operation: its dialect is missing; did you mean `stablehlo.add`?"},
    {"  y = x + x", "2:3: `y`: no operation; the name of a value begins with %: `%y = stablehlo.add %a, %b : ...`"},
    {"  %0 = call @g(%x) : (tensor<4xf32>) -> tensor<4xf32>", "2:13: @g is not defined in this file"},
    {"  %0 = call @main(%x, %i) : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>",
     "2:8: @main calls itself, directly or through others; HLO has no recursion"},
    {"  %c = stablehlo.constant dense<0.0> : tensor<f32>\n  %z = stablehlo.sine %c : tensor<f32>\n  %0 = "
     "stablehlo.reduce(%x init: %c) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>\n   "
     "reducer(%a: tensor<f32>, %b: tensor<f32>) {\n    %s = stablehlo.add %a, %z : tensor<f32>\n    stablehlo.return "
     "%s : tensor<f32>\n  }",
     "6:28: the region of `stablehlo.reduce` uses %z (line 3), which is defined outside it; in HLO it can only use its "
     "own arguments and constants"},
    {"  %c = stablehlo.constant dense<0.0> : tensor<f32>\n  %0 = stablehlo.reduce(%x init: %c) across dimensions = [0] "
     ": (tensor<4xf32>, tensor<f32>) -> tensor<f32>\n   reducer(%a: tensor<f32>, %b: tensor<f32>) {\n    %s = "
     "stablehlo.add %a, %b : tensor<f32>\n  }",
     "6:3: the region has no terminator: it must end in `stablehlo.return`"},
    {"  %c = stablehlo.constant dense<0.0> : tensor<f32>\n  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.plus "
     "across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>",
     "3:46: expected add, maximum, minimum, multiply, and, or, xor, found `stablehlo.plus`"},
    {"  %r = stablehlo.while(%a = %x) : tensor<4xf32>\n  cond {\n    stablehlo.return %a : tensor<4xf32>\n  } do {\n   "
     " stablehlo.return %a : tensor<4xf32>\n  }",
     "2:3: `while`: `region_1.2` returns f32[4], expected pred[] (element type f32, expected pred)"},
    {"  %r = stablehlo.while(%a = %x) : tensor<5xf32>\n  cond {\n    %p = stablehlo.constant dense<true> : "
     "tensor<i1>\n    stablehlo.return %p : tensor<i1>\n  } do {\n    stablehlo.return %a : tensor<5xf32>\n  }",
     "2:29: `%x` is tensor<4xf32> (line 1), used here as tensor<5xf32>"},
    {"  %r = stablehlo.while(%a = %x) : tensor<4xf32>\n  cond {\n    %p = stablehlo.constant dense<true> : "
     "tensor<i1>\n    stablehlo.return %p : tensor<i1>\n  } do {\n    stablehlo.return %i : tensor<i32>\n  }",
     "2:3: `while`: `region_0.1` returns (s32[], s32[]), expected (f32[4], s32[]) (element {0}: element type s32, "
     "expected f32)"},
    {"  %r = \"stablehlo.if\"(%x) ({\n    stablehlo.return %x : tensor<4xf32>\n  }, {\n    stablehlo.return %x : "
     "tensor<4xf32>\n  }) : (tensor<4xf32>) -> tensor<4xf32>",
     "2:9: the predicate must be a scalar, it is f32[4]"},
    {"  %p = stablehlo.constant dense<true> : tensor<i1>\n  %r = \"stablehlo.if\"(%p) ({\n    stablehlo.return %x : "
     "tensor<4xf32>\n  }) : (tensor<i1>) -> tensor<4xf32>",
     "3:9: `stablehlo.if` has 2 regions, there are 1"},
    {"  %0 = \"stablehlo.transpose\"(%x) : (tensor<4xf32>) -> tensor<4xf32>",
     "2:9: `stablehlo.transpose` needs the attribute `permutation`"},
    {"  %0 = \"stablehlo.transpose\"(%x) <{permutation = array<i64: 0>, permutation = array<i64: 0>}> : "
     "(tensor<4xf32>) -> tensor<4xf32>",
     "2:65: attribute `permutation` is given twice"},
    {"  %0 = \"stablehlo.transpose\"(%x) <{permutation = \"0\"}> : (tensor<4xf32>) -> tensor<4xf32>",
     "2:50: `permutation` must be a list of integers, such as `array<i64: 0, 1>`"},
    {"  %0 = stablehlo.add %x, %x {a = #foo} : tensor<4xf32>", "2:34: `#foo` is not defined in this file"},
    {"  %0 = stablehlo.uniform_quantize %x : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.1>>",
     "2:8: quantized element type !quant.uniform<i8:f32, 0.1> has no HLO type"},
    {"  %0 = stablehlo.add %x#1, %x : tensor<4xf32>", "2:22: `%x#1` is not defined here: `%x` has 1 result"},
};

constexpr MalformedRow kPrograms[] = {
    {"func.func @f(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}\nfunc.func @g(%x: tensor<f32>) -> "
     "tensor<f32> {\n  return %x : tensor<f32>\n}\n",
     "1:1: the program has no function @main and 2 public functions: name the one to start from @main"},
    {"func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  %0 = stablehlo.add %x, %x : tensor<f32>\n}\n",
     "3:1: the function has no terminator: it must end in `return`"},
    {"func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  %c = stablehlo.constant dense<1> : tensor<i32>\n  return %c "
     ": tensor<i32>\n}\n",
     "3:10: `%c` is tensor<i32> (line 2), result 0 of @main is tensor<f32>"},
    {"func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  return %x, %x : tensor<f32>, tensor<f32>\n}\n",
     "2:3: @main has 1 result by its signature, `return` gives 2"},
    {"func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n",
     "1:49: this region is never closed; expected `}`"},
    {"module @m {\nfunc.func @main(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}\n",
     "5:1: expected `}` at the end of the module, found the end of the text"},
    {"func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}\n}\n",
     "4:1: expected `func.func`, `module` or the definition of an alias, found `}`"},
    {"func.func @main(%x) -> tensor<f32> {\n  return %x : tensor<f32>\n}\n",
     "1:19: expected `:` and the type of the argument, found `)`"},
    {"func.func @main(%x: tensor<f32>, %x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}\n",
     "1:34: `%x` is defined twice"},
    {"func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}\nfunc.func @main(%x: "
     "tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}\n",
     "4:11: `@main` is defined twice"},
    {"func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}\n// -----\nfunc.func @main(%x: "
     "tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}\n",
     "4:1: several programs in one file, separated by `// -----`; put each into a file of its own"},
    {"func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  cf.br ^bb1\n^bb1:\n  return %x : tensor<f32>\n}\n",
     "2:3: `cf.br`: operations of dialect `cf` have no meaning in HLO"},
};

TEST(StablehloMalformedTest, MistakesInOperationsAreSaidWhereTheyAre) {
  for (const MalformedRow& row : kBodies) {
    const std::string text = absl::StrCat("func.func @main(%x: tensor<4xf32>, %i: tensor<i32>) -> tensor<4xf32> {\n",
                                          row.text, "\n  return %x : tensor<4xf32>\n}\n");
    EXPECT_TRUE(absl::StartsWith(ErrorsOf(text), absl::StrCat(row.error, "\n"))) << text << ErrorsOf(text);
  }
}

TEST(StablehloMalformedTest, MistakesAroundFunctionsAreSaidWhereTheyAre) {
  for (const MalformedRow& row : kPrograms) {
    EXPECT_TRUE(absl::StartsWith(ErrorsOf(row.text), absl::StrCat(row.error, "\n"))) << row.text << ErrorsOf(row.text);
  }
}

// Operations whose parts do not fit one another, in ways that no printer writes.
TEST(StablehloMalformedTest, PartsThatDoNotFitAreSaid) {
  const MalformedRow rows[] = {
      {"  %0 = \"stablehlo.pad\"(%x) <{edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 0>, "
       "interior_padding = array<i64: 0>}> : (tensor<4xf32>) -> tensor<4xf32>",
       "2:9: `stablehlo.pad` takes 2 operands, there are 1"},
      {"  %0 = \"stablehlo.pad\"() <{edge_padding_low = array<i64>, edge_padding_high = array<i64>, "
       "interior_padding = array<i64>}> : () -> tensor<f32>",
       "2:9: `stablehlo.pad` takes 2 operands, there are 0"},
      {"  %0:3 = \"stablehlo.while\"(%x, %x) ({\n  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):\n    %c = "
       "stablehlo.constant dense<true> : tensor<i1>\n    stablehlo.return %c : tensor<i1>\n  }, {\n  ^bb0(%a: "
       "tensor<4xf32>, %b: tensor<4xf32>):\n    stablehlo.return %a, %b : tensor<4xf32>, tensor<4xf32>\n  }) : "
       "(tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)",
       "2:11: `stablehlo.while` has 2 results, the text says 3"},
      {"  %0 = \"stablehlo.collective_permute\"(%x) <{source_target_pairs = 7 : tensor<400x400xi64>}> : "
       "(tensor<4xf32>) -> tensor<4xf32>",
       "2:67: `source_target_pairs` must be pairs of integers, such as `dense<[[0, 1]]> : tensor<1x2xi64>`"},
      {"  %0 = \"stablehlo.collective_permute\"(%x) <{source_target_pairs = array<tensor<400x400xi64>: 1>}> : "
       "(tensor<4xf32>) -> tensor<4xf32>",
       "2:67: `source_target_pairs` must be pairs of integers, such as `dense<[[0, 1]]> : tensor<1x2xi64>`"},
      {"  %0 = \"stablehlo.collective_permute\"(%x) <{source_target_pairs = dense<> : tensor<10000000000x0xi64>}> : "
       "(tensor<4xf32>) -> tensor<4xf32>",
       "2:67: `source_target_pairs` must be pairs of integers, such as `dense<[[0, 1]]> : tensor<1x2xi64>`"},
      {"  %0 = \"stablehlo.transpose\"(%x) <{permutation = dense<0> : tensor<1000000xi64>}> : (tensor<4xf32>) -> "
       "tensor<4xf32>",
       "2:50: `permutation` must be a list of integers, such as `array<i64: 0, 1>`"},
      {"  %0 = stablehlo.reshape %x : (tensor<4xf32>) -> tensor<?x8589934592x8589934592xf32>",
       "2:8: dimension 0 of the result of `stablehlo.reshape` is unknown"},
  };
  for (const MalformedRow& row : rows) {
    EXPECT_TRUE(absl::StrContains(ErrorsOf(WithBody(row.text)), row.error)) << row.text << ErrorsOf(WithBody(row.text));
  }
}

// What a program is does not depend on how much is said before it.
TEST(StablehloMalformedTest, AProgramMayBeginWithAnyNumberOfComments) {
  std::string text;
  while (text.size() < (size_t{3} << 20)) text += "// licensed to nobody for nothing\n\n";
  EXPECT_TRUE(IsProgram(text + "module @jit_f {\n  func.func public @main() {\n    return\n  }\n}\n"));
  EXPECT_FALSE(IsProgram(text + "HloModule m\n"));
  EXPECT_FALSE(IsProgram(text));
}

// Half a program at every place it can end: located errors, and the functions before it are still read.
TEST(StablehloMalformedTest, CutProgramsEnd) {
  const std::string text =
      absl::StrCat("#l = loc(callsite(\"f\"(\"a.py\":1:2) at \"g\"(\"b.py\":3:4)))\n",
                   "func.func @main(%x: tensor<?x4xf32>) -> tensor<?xf32> {\n",
                   "  %c = stablehlo.constant dense<[[0.0, 1.0]]> : tensor<1x2xf32> loc(#l)\n",
                   "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n",
                   "  %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] ",
                   ": (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>\n", "  return %r : tensor<?xf32>\n}\n");
  for (size_t size = 0; size + 2 < text.size(); ++size) {
    const std::string cut = text.substr(0, size);
    if (!IsProgram(cut)) continue;
    EXPECT_NE(ErrorsOf(cut), "") << cut;
  }
}

}  // namespace
}  // namespace hloscope::stablehlo
