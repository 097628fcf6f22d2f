// SPDX-License-Identifier: Apache-2.0
// Portable artifacts give the modules of the programs that they were made of; damaged ones give errors.
#include "stablehlo/bytecode.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "stablehlo/import.h"
#include "tests/stablehlo/artifact_builder.h"

namespace hloscope::stablehlo {
namespace {

using ::testing::HasSubstr;

constexpr uint64_t kF32 = 4, kI1 = 0, kI32 = 13, kI64 = 14;

// The HLO of a program or an artifact, without the name of the file; its diagnostics if there are any.
std::string HloOfBytes(const std::string& bytes) {
  const ImportedProgram program = ImportProgram(SourceText::FromString("program", bytes));
  std::string text(program.hlo->text());
  for (const Diagnostic& diagnostic : program.diagnostics) absl::StrAppend(&text, "\n", diagnostic.Message());
  const auto document = Document::Parse(program.hlo);
  for (const Diagnostic& diagnostic : document->diagnostics()) absl::StrAppend(&text, "\n", diagnostic.Message());
  return text;
}

// Names of instructions are those of the text, which bytecode does not keep.
std::string Opcodes(const std::string& hlo) {
  std::string opcodes;
  for (const absl::string_view line : absl::StrSplit(hlo, '\n')) {
    const size_t equals = line.find(" = ");
    if (equals == absl::string_view::npos) {
      if (!absl::StrContains(line, "HloModule") && !absl::StrContains(line, "{") && line != "}")
        absl::StrAppend(&opcodes, line, "\n");
      continue;
    }
    std::string rest(line.substr(equals + 3));
    // Operands are left out by their first character.
    std::string kept;
    for (size_t i = 0; i < rest.size(); ++i) {
      if (rest[i] == '%') {
        while (i + 1 < rest.size() && (isalnum(static_cast<unsigned char>(rest[i + 1])) != 0 || rest[i + 1] == '.' ||
                                       rest[i + 1] == '_' || rest[i + 1] == '-'))
          ++i;
        kept.push_back('%');
      } else {
        kept.push_back(rest[i]);
      }
    }
    absl::StrAppend(&opcodes, kept, "\n");
  }
  return opcodes;
}

// A loop that counts to three, with a captured value, in all of the format's versions.
std::string LoopArtifact(uint64_t version) {
  ArtifactBuilder b(version);
  const size_t f32x4 = b.Tensor({4}, b.Scalar(kF32)), s32 = b.Tensor({}, b.Scalar(kI32)),
               pred = b.Tensor({}, b.Scalar(kI1));
  const auto constant = [&](int value) {
    return b.Operation("vhlo.constant_v1", {}, {s32},
                       {{"value", b.Dense(s32, std::string(1, static_cast<char>(value)) + std::string(3, '\0'))}});
  };
  // Values 0 and 1: the argument and the start; 2 and 3: results of the loop. In the regions: 4, 5 and following.
  ArtifactBuilder::Block condition;
  condition.arguments = {s32, f32x4};
  condition.values = 4;
  condition.operations = {
      constant(3),
      b.Operation("vhlo.compare_v1", {4, 6}, {pred},
                  {{"compare_type", b.Enumerator(4, 3)}, {"comparison_direction", b.Enumerator(3, 5)}}),
      b.Operation("vhlo.return_v1", {7}, {}),
  };
  ArtifactBuilder::Block body;
  body.arguments = {s32, f32x4};
  body.values = 5;
  body.operations = {
      constant(1),
      b.Operation("vhlo.add_v1", {4, 6}, {s32}),
      b.Operation("vhlo.add_v1", {5, 0}, {f32x4}),
      b.Operation("vhlo.return_v1", {7, 8}, {}),
  };
  ArtifactBuilder::Block main;
  main.arguments = {f32x4};
  main.values = 4;
  main.operations = {
      constant(0),
      b.Operation("vhlo.while_v1", {1, 0}, {s32, f32x4}, {}, {condition, body}),
      b.Operation("vhlo.return_v1", {3}, {}),
  };
  return b.Finish({b.Function("main", b.Function({f32x4}, {f32x4}), main)});
}

constexpr absl::string_view kLoopProgram = R"(module {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.while(%i = %0, %y = %x) : tensor<i32>, tensor<4xf32>
    cond {
      %2 = stablehlo.constant dense<3> : tensor<i32>
      %3 = stablehlo.compare LT, %i, %2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %2 = stablehlo.constant dense<1> : tensor<i32>
      %3 = stablehlo.add %i, %2 : tensor<i32>
      %4 = stablehlo.add %y, %x : tensor<4xf32>
      stablehlo.return %3, %4 : tensor<i32>, tensor<4xf32>
    }
    return %1#1 : tensor<4xf32>
  }
})";

TEST(BytecodeTest, EveryFormatVersionGivesTheModuleOfTheText) {
  for (const uint64_t version : {0, 1, 2, 3, 4, 5, 6}) {
    EXPECT_EQ(Opcodes(HloOfBytes(LoopArtifact(version))), Opcodes(HloOfBytes(std::string(kLoopProgram)))) << version;
  }
}

// One operation with operands and a result, in a function of its own.
std::string OneOperation(
    uint64_t version,
    const std::function<std::string(ArtifactBuilder&, std::vector<size_t>& operands, size_t& result)>& make) {
  ArtifactBuilder b(version);
  std::vector<size_t> operands;
  size_t result = 0;
  const std::string operation = make(b, operands, result);
  ArtifactBuilder::Block main;
  main.arguments = operands;
  main.values = operands.size() + 1;
  main.operations = {operation, b.Operation("vhlo.return_v1", {operands.size()}, {})};
  return b.Finish({b.Function("main", b.Function(operands, {result}), main)});
}

struct AttributeRow {
  absl::string_view text;  // the operation in StableHLO
  std::function<std::string(ArtifactBuilder&, std::vector<size_t>&, size_t&)> make;
};

// Dimension numbers that VHLO holds one by one become structures again.
TEST(BytecodeTest, AttributesBecomeThoseOfStableHlo) {
  using Operands = std::vector<size_t>;
  const AttributeRow rows[] = {
      {"func.func @main(%a: tensor<5x2x3xf32>, %b: tensor<5x3x4xf32>) -> tensor<5x2x4xf32> {\n"
       "%0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = "
       "[HIGHEST, DEFAULT] : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>\n"
       "return %0 : tensor<5x2x4xf32>\n}",
       [](ArtifactBuilder& b, Operands& operands, size_t& result) {
         operands = {b.Tensor({5, 2, 3}, b.Scalar(kF32)), b.Tensor({5, 3, 4}, b.Scalar(kF32))};
         result = b.Tensor({5, 2, 4}, b.Scalar(kF32));
         const size_t none = b.TypeOf(b.Scalar(33)), zero = b.Integer(b.Scalar(kI64), 0);
         return b.Operation("vhlo.dot_general_v2", {0, 1}, {result},
                            {{"accumulation_type", none},
                             {"allow_imprecise_accumulation", b.Bool(false)},
                             {"lhs_batching_dimensions", b.Integers({0})},
                             {"lhs_component_count", zero},
                             {"lhs_contracting_dimensions", b.Integers({2})},
                             {"lhs_precision_type", none},
                             {"num_primitive_operations", zero},
                             {"precision_config", b.Array({b.Enumerator(11, 2), b.Enumerator(11, 0)})},
                             {"rhs_batching_dimensions", b.Integers({0})},
                             {"rhs_component_count", zero},
                             {"rhs_contracting_dimensions", b.Integers({1})},
                             {"rhs_precision_type", none}});
       }},
      {"func.func @main(%a: tensor<5x3xf32>, %b: tensor<2x1xi32>) -> tensor<2x3xf32> {\n"
       "%0 = \"stablehlo.gather\"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], "
       "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>, "
       "indices_are_sorted = true}> : (tensor<5x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>\n"
       "return %0 : tensor<2x3xf32>\n}",
       [](ArtifactBuilder& b, Operands& operands, size_t& result) {
         operands = {b.Tensor({5, 3}, b.Scalar(kF32)), b.Tensor({2, 1}, b.Scalar(kI32))};
         result = b.Tensor({2, 3}, b.Scalar(kF32));
         return b.Operation("vhlo.gather_v2", {0, 1}, {result},
                            {{"collapsed_slice_dims", b.Integers({0})},
                             {"index_vector_dim", b.Integer(b.Scalar(kI64), 1)},
                             {"indices_are_sorted", b.Bool(true)},
                             {"offset_dims", b.Integers({1})},
                             {"operand_batching_dims", b.Integers({})},
                             {"slice_sizes", b.Integers({1, 3})},
                             {"start_index_map", b.Integers({0})},
                             {"start_indices_batching_dims", b.Integers({})}});
       }},
      {"func.func @main(%a: tensor<1x8x8x2xf32>, %b: tensor<3x3x2x4xf32>) -> tensor<1x4x4x4xf32> {\n"
       "%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = "
       "[2, 2], pad = [[0, 1], [0, 1]], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 "
       ": "
       "i64} : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x4x4x4xf32>\n"
       "return %0 : tensor<1x4x4x4xf32>\n}",
       [](ArtifactBuilder& b, Operands& operands, size_t& result) {
         operands = {b.Tensor({1, 8, 8, 2}, b.Scalar(kF32)), b.Tensor({3, 3, 2, 4}, b.Scalar(kF32))};
         result = b.Tensor({1, 4, 4, 4}, b.Scalar(kF32));
         const size_t i64 = b.Scalar(kI64);
         const auto integer = [&](int64_t value) { return b.Integer(i64, value); };
         std::string padding;
         for (const char value : {0, 1, 0, 1}) padding += std::string(1, value) + std::string(7, '\0');
         return b.Operation("vhlo.convolution_v1", {0, 1}, {result},
                            {{"batch_group_count", integer(1)},
                             {"feature_group_count", integer(1)},
                             {"input_batch_dimension", integer(0)},
                             {"input_feature_dimension", integer(3)},
                             {"input_spatial_dimensions", b.Integers({1, 2})},
                             {"kernel_input_feature_dimension", integer(2)},
                             {"kernel_output_feature_dimension", integer(3)},
                             {"kernel_spatial_dimensions", b.Integers({0, 1})},
                             {"lhs_dilation", b.Integers({})},
                             {"output_batch_dimension", integer(0)},
                             {"output_feature_dimension", integer(3)},
                             {"output_spatial_dimensions", b.Integers({1, 2})},
                             {"padding", b.Dense(b.Tensor({2, 2}, i64), padding)},
                             {"precision_config", b.Array({})},
                             {"rhs_dilation", b.Integers({})},
                             {"window_reversal", b.Dense(b.Tensor({2}, b.Scalar(kI1)), std::string("\1", 1))},
                             {"window_strides", b.Integers({2, 2})}});
       }},
      {"func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
       "%0 = \"stablehlo.all_reduce\"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, "
       "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({\n"
       "^bb0(%x: tensor<f32>, %y: tensor<f32>):\n%1 = stablehlo.add %x, %y : tensor<f32>\nstablehlo.return %1 : "
       "tensor<f32>\n"
       "}) : (tensor<4xf32>) -> tensor<4xf32>\nreturn %0 : tensor<4xf32>\n}",
       [](ArtifactBuilder& b, Operands& operands, size_t& result) {
         operands = {b.Tensor({4}, b.Scalar(kF32))};
         result = operands[0];
         const size_t scalar = b.Tensor({}, b.Scalar(kF32));
         ArtifactBuilder::Block sum;
         sum.arguments = {scalar, scalar};
         sum.values = 3;
         sum.operations = {b.Operation("vhlo.add_v1", {0, 1}, {scalar}), b.Operation("vhlo.return_v1", {2}, {})};
         return b.Operation("vhlo.all_reduce_v2", {0}, {result},
                            {{"channel_id", b.Integer(b.Scalar(kI64), 5)},
                             {"replica_groups", b.Dense(b.Tensor({1, 2}, b.Scalar(kI64)),
                                                        std::string(8, '\0') + '\1' + std::string(7, '\0'))},
                             {"use_global_device_ids", b.Bool(true)}},
                            {sum}, /*is_isolated=*/true);
       }},
      {"func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
       "%0 = stablehlo.custom_call @target(%a) {api_version = 2 : i32, backend_config = \"a\\\"b\", has_side_effect = "
       "true} : (tensor<4xf32>) -> "
       "tensor<4xf32>\nreturn %0 : tensor<4xf32>\n}",
       [](ArtifactBuilder& b, Operands& operands, size_t& result) {
         operands = {b.Tensor({4}, b.Scalar(kF32))};
         result = operands[0];
         return b.Operation("vhlo.custom_call_v1", {0}, {result},
                            {{"api_version", b.Enumerator(5, 2)},
                             {"backend_config", b.String("a\"b")},
                             {"call_target_name", b.String("target")},
                             {"called_computations", b.Array({})},
                             {"has_side_effect", b.Bool(true)},
                             {"operand_layouts", b.Array({})},
                             {"output_operand_aliases", b.Array({})},
                             {"result_layouts", b.Array({})}});
       }},
  };
  for (const AttributeRow& row : rows) {
    const std::string expected = Opcodes(HloOfBytes(std::string(row.text)));
    for (const uint64_t version : {4, 6})
      EXPECT_EQ(Opcodes(HloOfBytes(OneOperation(version, row.make))), expected) << version;
  }
}

// What JAX writes since MLIR has places with an end: as many numbers as the place needs.
TEST(BytecodeTest, RangesOfFilesAreLocations) {
  const struct {
    std::vector<uint64_t> numbers;
    absl::string_view text;
  } rows[] = {{{}, "loc(\"f.py\":0:0)"},
              {{7}, "loc(\"f.py\":7:0)"},
              {{7, 3}, "loc(\"f.py\":7:3)"},
              {{7, 3, 9}, "loc(\"f.py\":7:3 to :9)"},
              {{7, 3, 8, 1}, "loc(\"f.py\":7:3 to 8:1)"}};
  for (const auto& row : rows) {
    ArtifactBuilder b(6);
    b.LocateAt(b.FileRange("f.py", row.numbers));
    const size_t f32 = b.Tensor({4}, b.Scalar(kF32));
    ArtifactBuilder::Block main;
    main.arguments = {f32};
    main.values = 2;
    main.operations = {b.Operation("vhlo.negate_v1", {0}, {f32}), b.Operation("vhlo.return_v1", {1}, {})};
    const std::string file = b.Finish({b.Function("main", b.Function({f32}, {f32}), main)});
    const absl::StatusOr<std::string> text = TextOfBytecode(file);
    ASSERT_TRUE(text.ok()) << text.status();
    EXPECT_THAT(*text, HasSubstr(row.text));
  }
  ArtifactBuilder b(6);
  b.LocateAt(b.FileRange("f.py", {1, 2, 3, 4, 5}));
  ArtifactBuilder::Block main;
  main.operations = {b.Operation("vhlo.return_v1", {}, {})};
  const std::string file = b.Finish({b.Function("main", b.Function(std::vector<size_t>(), {}), main)});
  EXPECT_THAT(std::string(TextOfBytecode(file).status().message()), HasSubstr("count of numbers of a range"));
}

// Attributes beside the own ones of an operation: arrays of integers, and what only another dialect can read.
TEST(BytecodeTest, ArraysOfIntegersAndAttributesOfOtherDialects) {
  ArtifactBuilder b(4);
  const size_t f32 = b.Tensor({4}, b.Scalar(kF32));
  const size_t array = b.AddAttributeOf(
      0, Varint(17) + Varint(b.Scalar(kI32)) + Varint(2) + Varint(8) + std::string("\x01\0\0\0\xFF\xFF\xFF\xFF", 8));
  const size_t rule = b.AddAttributeOf(2, "\x07\x07\x07");
  ArtifactBuilder::Block main;
  main.arguments = {f32};
  main.values = 2;
  main.operations = {b.Operation("vhlo.negate_v1", {0}, {f32}, {{"mhlo.sizes", array}, {"sdy.rule", rule}}),
                     b.Operation("vhlo.return_v1", {1}, {})};
  const absl::StatusOr<std::string> text =
      TextOfBytecode(b.Finish({b.Function("main", b.Function({f32}, {f32}), main)}));
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_THAT(*text, HasSubstr("mhlo.sizes\" = array<i32: 1, -1>"));
  EXPECT_THAT(*text, testing::Not(HasSubstr("sdy.rule")));
}

// A FlatBuffer whose root table has a number, and `held` as bytes.
std::string Exported(const std::string& held) {
  const auto number = [](uint64_t value, size_t size) {
    std::string bytes;
    for (size_t i = 0; i < size; ++i) bytes.push_back(static_cast<char>(value >> (8 * i)));
    return bytes;
  };
  // 0: the root, 12; 4: sizes of the list and of the table, its fields; 12: the table; 24: the bytes.
  return number(12, 4) + number(8, 2) + number(12, 2) + number(8, 2) + number(4, 2) + number(8, 4) + number(8, 4) +
         number(2, 4) + number(held.size(), 4) + held;
}

TEST(BytecodeTest, FilesOfJaxExportHoldAnArtifact) {
  const std::string artifact = LoopArtifact(6), exported = Exported(artifact);
  EXPECT_EQ(BytecodeOf(exported), artifact);
  EXPECT_EQ(Opcodes(HloOfBytes(exported)), Opcodes(HloOfBytes(artifact)));
  EXPECT_FALSE(IsBytecode(Exported("other bytes")));
  for (size_t size = 0; size < exported.size(); ++size) EXPECT_FALSE(IsBytecode(exported.substr(0, size))) << size;
  for (size_t at = 0; at < 28; ++at) {
    std::string damaged = exported;
    damaged[at] = static_cast<char>(damaged[at] ^ 0xFF);
    BytecodeOf(damaged);
  }
}

TEST(BytecodeTest, EveryDamagedByteAndEveryCutIsReadWithoutHarm) {
  const std::string artifact = LoopArtifact(6);
  for (size_t size = 4; size < artifact.size(); ++size) {
    EXPECT_FALSE(TextOfBytecode(artifact.substr(0, size)).ok()) << size;
  }
  for (size_t at = 4; at < artifact.size(); ++at) {
    for (const int change : {1, 0x80, 0xFF}) {
      std::string damaged = artifact;
      damaged[at] = static_cast<char>(damaged[at] ^ change);
      const absl::StatusOr<std::string> text = TextOfBytecode(damaged);
      if (text.ok()) continue;
      EXPECT_NE(text.status().message(), "");
    }
  }
}

TEST(BytecodeTest, WhatIsWrongIsSaidWithItsPlace) {
  const std::string artifact = LoopArtifact(6);
  EXPECT_THAT(std::string(TextOfBytecode(artifact.substr(0, 100)).status().message()), HasSubstr(", at byte "));
  std::string newer = artifact;
  newer[4] = static_cast<char>(9 << 1 | 1);
  EXPECT_TRUE(absl::IsUnimplemented(TextOfBytecode(newer).status()));
  EXPECT_THAT(HloOfBytes(newer), HasSubstr("written by StableHLO_v1.8.0"));
}

// A file whose strings are named often must not become a text of any size.
TEST(BytecodeTest, ArtifactsThatExpandWithoutBoundAreRefused) {
  ArtifactBuilder b(6);
  size_t array = b.String(std::string(1000, 'x'));
  for (int level = 0; level < 40; ++level) array = b.Array({array, array, array, array});
  const size_t s32 = b.Tensor({}, b.Scalar(kI32));
  ArtifactBuilder::Block main;
  main.values = 1;
  main.operations = {b.Operation("vhlo.constant_v1", {}, {s32}, {{"value", array}}),
                     b.Operation("vhlo.return_v1", {0}, {})};
  const std::string file = b.Finish({b.Function("main", b.Function(std::vector<size_t>(), {s32}), main)});
  EXPECT_TRUE(absl::IsResourceExhausted(TextOfBytecode(file).status())) << TextOfBytecode(file).status();
}

// Each operand of two bytes, each result, each argument and each attribute brings a text that is as long as the file.
TEST(BytecodeTest, ListsOfLongTextsAreRefusedBeforeTheyAreMade) {
  constexpr size_t kMany = 20000;
  const auto is_refused = [](ArtifactBuilder& b, const ArtifactBuilder::Block& main,
                             const std::vector<size_t>& parameters) {
    const std::string file = b.Finish({b.Function("main", b.Function(parameters, {}), main)});
    EXPECT_LT(file.size(), 1'000'000u);
    const absl::Status status = TextOfBytecode(file).status();
    return absl::IsResourceExhausted(status) ? "refused" : std::string(status.message());
  };
  const auto long_type = [](ArtifactBuilder& b) {
    size_t type = b.Tensor({}, b.Scalar(kF32));
    for (int level = 0; level < 18; ++level) {
      type = b.AddType(Varint(23) + Varint(2) + Varint(type) + Varint(type));  // tuple
    }
    return type;
  };
  {
    ArtifactBuilder b(6);
    const size_t type = long_type(b);
    ArtifactBuilder::Block main;
    main.values = 1;
    main.operations = {b.Operation("vhlo.custom_call_v1", {}, {type}),
                       b.Operation("vhlo.custom_call_v1", std::vector<uint64_t>(kMany, 0), {}),
                       b.Operation("vhlo.return_v1", {}, {})};
    EXPECT_EQ(is_refused(b, main, {}), "refused");
  }
  {
    ArtifactBuilder b(6);
    ArtifactBuilder::Block main;
    main.values = kMany;
    main.operations = {b.Operation("vhlo.custom_call_v1", {}, std::vector<size_t>(kMany, long_type(b))),
                       b.Operation("vhlo.return_v1", {}, {})};
    EXPECT_EQ(is_refused(b, main, {}), "refused");
  }
  {
    ArtifactBuilder b(6);
    ArtifactBuilder::Block main;
    main.arguments = std::vector<size_t>(kMany, long_type(b));
    main.values = kMany;
    main.operations = {b.Operation("vhlo.return_v1", {}, {})};
    EXPECT_EQ(is_refused(b, main, {}), "refused");
  }
  {
    ArtifactBuilder b(4);
    ArtifactBuilder::Named own;
    const size_t text = b.String(std::string(100'000, 'x'));
    for (size_t i = 0; i < kMany; ++i) own.emplace_back("value", text);
    ArtifactBuilder::Block main;
    main.operations = {b.Operation("vhlo.custom_call_v1", {}, {}, own), b.Operation("vhlo.return_v1", {}, {})};
    EXPECT_EQ(is_refused(b, main, {}), "refused");
  }
}

// Brackets of a constant are nested as deep as its type has dimensions.
// Or each of many regions could ask for room for as many values as the file has bytes.
TEST(BytecodeTest, RegionsDefineAsManyValuesAsTheySay) {
  ArtifactBuilder b(6);
  const size_t f32 = b.Tensor({4}, b.Scalar(kF32));
  ArtifactBuilder::Block main;
  main.arguments = {f32};
  main.values = 3;
  main.operations = {b.Operation("vhlo.negate_v1", {0}, {f32}), b.Operation("vhlo.return_v1", {1}, {})};
  EXPECT_THAT(
      std::string(TextOfBytecode(b.Finish({b.Function("main", b.Function({f32}, {f32}), main)})).status().message()),
      HasSubstr("a region defines fewer values than it says"));
}

TEST(BytecodeTest, ConstantsOfVeryManyDimensions) {
  ArtifactBuilder b(6);
  std::vector<int64_t> dimensions(1000000, 1);
  dimensions.push_back(2);
  const size_t type = b.Tensor(dimensions, b.Scalar(kI32));
  ArtifactBuilder::Block main;
  main.values = 1;
  main.operations = {b.Operation("vhlo.constant_v1", {}, {type}, {{"value", b.Dense(type, std::string(8, '\1'))}}),
                     b.Operation("vhlo.return_v1", {0}, {})};
  const std::string file = b.Finish({b.Function("main", b.Function(std::vector<size_t>(), {type}), main)});
  const absl::StatusOr<std::string> text = TextOfBytecode(file);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_THAT(*text, HasSubstr("dense<\"0x0101010101010101\">"));
}

}  // namespace
}  // namespace hloscope::stablehlo
