// SPDX-License-Identifier: Apache-2.0
// Attributes and run-time values that verification does not or cannot look at: a reason at the instruction, and no byte
// outside of an array. `evaluator_guarded_*` runs these with a page after every array that may not be touched.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "evaluator/engine/session.h"
#include "evaluator/tensor/fill.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/module_diagnostics.h"

namespace hloscope::evaluator {
namespace {

using ::testing::HasSubstr;

constexpr char kComputations[] = R"(HloModule m
lt { a = f32[] parameter(0)
 b = f32[] parameter(1)
 c = s32[] parameter(2)
 d = s32[] parameter(3)
 ROOT r = pred[] compare(a, b), direction=LT }
lt3 { a = f32[] parameter(0)
 b = f32[] parameter(1)
 c = s32[] parameter(2)
 d = s32[] parameter(3)
 e = f32[] parameter(4)
 f = f32[] parameter(5)
 ROOT r = pred[] compare(e, f), direction=LT }
one { a = f32[] parameter(0)
 ROOT b = f32[] add(a, a) }
arrays { a = f32[100] parameter(0)
 b = f32[100] parameter(1)
 ROOT r = pred[100] compare(a, b), direction=LT }
mixed { a = f32[] parameter(0)
 b = f64[] parameter(1)
 ROOT r = pred[] compare(a, b), direction=GE }
add { a = f32[] parameter(0)
 b = f32[] parameter(1)
 ROOT r = f32[] add(a, b) }
add2 { a = f32[] parameter(0)
 b = f32[] parameter(1)
 c = f32[] parameter(2)
 d = f32[] parameter(3)
 x = f32[] add(a, c)
 y = f32[] add(b, d)
 ROOT r = (f32[], f32[]) tuple(x, y) }
seconds { a = f32[] parameter(0)
 b = f32[] parameter(1)
 c = f32[] parameter(2)
 d = f32[] parameter(3)
 ROOT r = (f32[], f32[]) tuple(c, d) }
)";

// Runs the instructions of an entry computation on arguments of `fill`. Empty if the run finishes, else why not.
std::string RunEntry(const std::string& header, const std::string& entry, FillKind fill = FillKind::kRandom,
                     Value* result = nullptr) {
  std::string text = absl::StrCat(kComputations, "ENTRY e {\n", entry, "\n}\n");
  if (!header.empty()) text.replace(0, std::string("HloModule m").size(), "HloModule m, " + header);
  DocumentOptions accepting;
  accepting.verify.allow_mixed_precision = true;
  const auto document = Document::Parse(SourceText::FromString("m.hlo", text), accepting);
  if (document->has_errors()) return FirstDiagnosticOf(text, accepting.verify, Severity::kError);
  SessionOptions options;
  options.threads = 1;
  auto session = Session::Create(document->shared_module(), options);
  if (!session.ok()) return std::string(session.status().message());
  const Module& module = document->module();
  const auto& parameters = module.computation(module.entry()).parameters;
  for (size_t k = 0; k < parameters.size(); ++k) {
    auto value = FillValue(module.shape(parameters[k]), fill, 1, static_cast<int64_t>(k));
    EXPECT_TRUE(value.ok());
    EXPECT_TRUE((*session)->SetArgument(static_cast<int64_t>(k), *std::move(value)).ok());
  }
  if ((*session)->Run() == StopReason::kFinished) {
    if (result != nullptr) *result = (*session)->result();
    return "";
  }
  return std::string((*session)->status().message());
}

struct Row {
  const char* entry;
  const char* reason;
  const char* header = "";
};

// `two` elements of a dynamic dimension, where others have all.
constexpr char kTwo[] = "two = s32[] constant(2)\n";

TEST(HostileSizesTest, DynamicSizesThatDoNotAgree) {
  const Row rows[] = {
      {R"(p = f32[64] parameter(0)
       u = f32[63] parameter(1)
       d = f32[<=64] set-dimension-size(p, two), dimensions={0}
       z = s32[] constant(0)
       ROOT r = f32[<=64] dynamic-update-slice(d, u, z))",
       "dimension 0 of the update has size 63, the operand at run time 2"},
      {R"(p = f32[1000] parameter(0)
       q = s32[1000] parameter(1)
       n = s32[] constant(999)
       d = f32[<=1000] set-dimension-size(p, n), dimensions={0}
       f = s32[<=1000] set-dimension-size(q, two), dimensions={0}
       ROOT r = (f32[<=1000], s32[<=1000]) sort(d, f), dimensions={0}, to_apply=lt)",
       "sort: the operands' run-time sizes [999] and [2] differ"},
      {R"(p = f32[1000,2] parameter(0)
       q = f32[1000,2] parameter(1)
       d = f32[<=1000,2] set-dimension-size(p, two), dimensions={0}
       ROOT r = f32[<=1000,4] concatenate(d, q), dimensions={1})",
       "differ in another dimension than 1"},
      {R"(p = f32[4,1000] parameter(0)
       s = f32[1000] parameter(1)
       d = f32[<=1000] set-dimension-size(s, two), dimensions={0}
       ROOT r = (f32[4,1000], f32[1000], f32[1000]) batch-norm-training(p, d, s), epsilon=0.1, feature_index=1)",
       "operand 1 has run-time sizes [2], operand 0 has 1000 features"},
      {R"(p = f32[8,1000] parameter(0)
       s = f32[1000] parameter(1)
       g = f32[8,1000] parameter(2)
       d = f32[8,<=1000] set-dimension-size(g, two), dimensions={1}
       ROOT r = (f32[8,1000], f32[1000], f32[1000]) batch-norm-grad(p, s, s, s, d), epsilon=0.1, feature_index=1)",
       "operand 4 has run-time sizes [8,2]"},
      {R"(p = f32[200,200] parameter(0)
       d = f32[200,<=200] set-dimension-size(p, two), dimensions={1}
       ROOT r = f32[200,<=200] cholesky(d), lower=true)",
       "the matrix has 200 rows and 2 columns at run time"},
      {R"(p = f32[200,200] parameter(0)
       b = f32[200,200] parameter(1)
       d = f32[<=200,200] set-dimension-size(b, two), dimensions={0}
       ROOT r = f32[<=200,200] triangular-solve(p, d), left_side=true, lower=true, transpose_a=NO_TRANSPOSE)",
       "do not fit together"},
      {R"(p = f32[9,20,20] parameter(0)
       b = f32[9,20,20] parameter(1)
       d = f32[<=9,20,20] set-dimension-size(p, two), dimensions={0}
       ROOT r = f32[9,20,20] triangular-solve(d, b), left_side=true, lower=true, transpose_a=NO_TRANSPOSE)",
       "do not fit together"},
      {R"(p = f32[1000,100] parameter(0)
       q = f32[1000,100] parameter(1)
       z = f32[] constant(0)
       d = f32[1000,<=100] set-dimension-size(q, two), dimensions={1}
       ROOT r = (f32[100], f32[100]) reduce(p, d, z, z), dimensions={0}, to_apply=add2)",
       "reduce: the operands' run-time sizes [1000,100] and [1000,2] differ"},
      {R"(p = f32[1000,100] parameter(0)
       q = f32[1000,100] parameter(1)
       z = f32[] constant(0)
       d = f32[1000,<=100] set-dimension-size(q, two), dimensions={1}
       ROOT r = (f32[999,100], f32[999,100]) reduce-window(p, d, z, z), window={size=2x1}, to_apply=add2)",
       "reduce-window: the operands' run-time sizes"},
      {R"(p = f16[1000] parameter(0)
       i = s32[500,1] parameter(1)
       u = f16[500] parameter(2)
       d = f16[<=500] set-dimension-size(u, two), dimensions={0}
       ROOT r = (f16[1000], f16[1000]) scatter(p, p, i, u, d), update_window_dims={}, inserted_window_dims={0},
           scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=seconds)",
       "scatter: the operands' run-time sizes [500] and [2] differ"},
  };
  for (const Row& row : rows) {
    EXPECT_THAT(RunEntry(row.header, absl::StrCat(kTwo, row.entry)), HasSubstr(row.reason)) << row.entry;
  }
}

TEST(HostileSizesTest, CustomCallsThatDoNotFit) {
  const Row rows[] = {
      {R"(p = s32[2,3] parameter(0)
       ROOT r = s32[100000,3] custom-call(p), custom_call_target="cu_lu_pivots_to_permutation")",
       "are those of other permutations than s32[100000,3]"},
      {R"(p = f32[1000] parameter(0)
       ROOT r = (f32[10], s32[10]) custom-call(p), custom_call_target="TopK", called_computations={lt3})",
       "does not compare two elements of the sorted arrays"},
      {R"(p = f32[1000] parameter(0)
       ROOT r = (f32[10], s32[10]) custom-call(p), custom_call_target="TopK", called_computations={one})",
       "does not compare two elements of the sorted arrays"},
      {R"(p = f32[1000] parameter(0)
       ROOT r = (f32[10], s32[10]) custom-call(p), custom_call_target="TopK", called_computations={arrays})",
       "does not compare two elements of the sorted arrays"},
      {R"(p = f32[10,1000] parameter(0)
       q = s32[2] parameter(1)
       z = f32[] constant(0)
       i = s32[] constant(0)
       ROOT r = (f32[10,1], s32[1]) custom-call(p, q, z, i), custom_call_target="PartialReduce", called_computations={lt})",
       "run-time sizes [10,1000] and [2] differ"},
      {R"(p = f32[4] parameter(0)
       ROOT r = f32[4,8] custom-call(p), custom_call_target="xla.sdy.LocalToGlobalShape",
           frontend_attributes={xla.sdy.out_shardings="#sdy.sharding_per_value<[<@mesh, [{}, {}]>]>"})",
       "changes the number of dimensions", R"(frontend_attributes={xla.sdy.meshes="{mesh = #sdy.mesh<[\"a\"=1]>}"})"},
      {R"(p = f32[4,8] parameter(0)
       ROOT r = f32[4] custom-call(p), custom_call_target="xla.sdy.GlobalToLocalShape",
           frontend_attributes={xla.sdy.in_shardings="#sdy.sharding_per_value<[<@mesh, [{}, {}]>]>"})",
       "changes the number of dimensions", R"(frontend_attributes={xla.sdy.meshes="{mesh = #sdy.mesh<[\"a\"=1]>}"})"},
      {R"(p = f32[4,8] parameter(0)
       ROOT r = f32[4,4] custom-call(p), custom_call_target="xla.sdy.GlobalToLocalShape",
           frontend_attributes={xla.sdy.in_shardings="#sdy.sharding_per_value<[<@mesh, [{\"a\":(4294967296)4294967296}, {}]>]>"})",
       "has no part", R"(frontend_attributes={xla.sdy.meshes="{mesh = #sdy.mesh<[\"a\"=1]>}"})"},
  };
  for (const Row& row : rows) {
    EXPECT_THAT(RunEntry(row.header, row.entry), HasSubstr(row.reason)) << row.entry;
  }
}

// Elements wider or narrower in memory than their type.
TEST(HostileSizesTest, BitcastsOfElementsOfAnotherWidth) {
  EXPECT_EQ(RunEntry("", R"(p = f32[1000]{0:E(64)} parameter(0)
       ROOT r = f64[1000] bitcast(p))"),
            "");
  EXPECT_EQ(RunEntry("", R"(p = f64[1000] parameter(0)
       ROOT r = f32[1000]{0:E(64)} bitcast(p))"),
            "");
}

// Windows so wide that no table of all positions is made, also in reverse and with padding.
TEST(HostileSizesTest, WideConvolutionsWithoutTables) {
  Value result;
  ASSERT_EQ(RunEntry("", R"(p = f32[1,3000,1] parameter(0)
       k = f32[1500,1,1] parameter(1)
       ROOT r = f32[1,2901,1] convolution(p, k), window={size=1500 pad=700_700 rhs_reversal=1}, dim_labels=b0f_0io->b0f)",
                     FillKind::kOnes, &result),
            "");
  for (int64_t y = 0; y < 2901; ++y) {
    const int64_t begin = std::max<int64_t>(y - 700, 0), end = std::min<int64_t>(y - 700 + 1500, 3000);
    ASSERT_EQ(result.tensor().data_as<float>()[y], static_cast<float>(end - begin)) << y;
  }
}

// Mixed precision: parameters of one comparator in two types.
TEST(HostileSizesTest, ComparatorsOfTwoTypes) {
  EXPECT_EQ(RunEntry("", R"(p = f32[1000] parameter(0)
       ROOT r = f32[1000] sort(p), dimensions={0}, to_apply=mixed)"),
            "");
  EXPECT_EQ(RunEntry("", R"(p = f32[1000] parameter(0)
       s = f32[999] parameter(1)
       z = f32[] constant(0)
       ROOT r = f32[1000] select-and-scatter(p, s, z), window={size=2}, select=mixed, scatter=add)"),
            "");
}

}  // namespace
}  // namespace hloscope::evaluator
