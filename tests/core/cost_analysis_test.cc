// SPDX-License-Identifier: Apache-2.0
// Operations and bytes of single instructions, worked out by hand.
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/analysis/cost.h"
#include "core/document/document.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/module_diagnostics.h"
#include "tests/support/rule_test.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

constexpr char kComputations[] = R"(
sum3 {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  s = f32[] add(x, y)
  n = f32[] negate(s)
  ROOT r = f32[] exponential(n)
}
ge {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT r = pred[] compare(x, y), direction=GE
}
plus {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT r = f32[] add(x, y)
}
)";

// The cost of one instruction in the notation of ModuleAround.
Cost CostOf(absl::string_view instruction) {
  const std::string text = ModuleAround(instruction, kComputations);
  const auto document = Document::Parse(SourceText::FromString("m", text));
  for (const Diagnostic& d : document->diagnostics()) {
    EXPECT_NE(d.severity, Severity::kError) << instruction << ": " << d.Message();
  }
  const Module& module = document->module();
  const CallGraph calls(module);
  return CostAnalysis(module, calls).Of(module.computation(module.entry()).root);
}

// Every window of a dimension against one multiplication after the other.
TEST(CostAnalysisTest, ConvolutionsMultiplyElementsOnly) {
  constexpr int64_t kInput = 5;
  for (int64_t size = 1; size <= 4; ++size) {
    for (int64_t stride = 1; stride <= 4; ++stride) {
      for (int64_t base = 1; base <= 6; ++base) {
        for (int64_t dilation = 1; dilation <= 3; ++dilation) {
          for (const auto& [low, high] : {std::pair<int64_t, int64_t>(0, 0), {2, 1}, {-1, 3}, {3, -2}}) {
            const int64_t room = low + (kInput - 1) * base + 1 + high - ((size - 1) * dilation + 1);
            const int64_t output = room < 0 ? 0 : room / stride + 1;
            int64_t pairs = 0;
            for (int64_t y = 0; y < output; ++y) {
              for (int64_t k = 0; k < size; ++k) {
                const int64_t place = y * stride + k * dilation - low;
                pairs += place >= 0 && place <= (kInput - 1) * base && place % base == 0;
              }
            }
            const std::string text =
                absl::StrCat("convolution{window={size=", size, " stride=", stride, " pad=", low, "_", high,
                             " lhs_dilate=", base, " rhs_dilate=", dilation, "}, dim_labels=bf0_oi0->bf0} f32[1,1,",
                             kInput, "], f32[1,1,", size, "] -> f32[1,1,", output, "]");
            EXPECT_EQ(CostOf(text).flops, 2 * pairs) << text;
          }
        }
      }
    }
  }
}

TEST(CostAnalysisTest, Flops) {
  EXPECT_EQ(CostOf("add f32[2,3], f32[2,3] -> f32[2,3]"), (Cost{6, 0, 48, 24}));
  EXPECT_EQ(CostOf("tanh f32[5] -> f32[5]"), (Cost{5, 5, 20, 20}));
  EXPECT_EQ(CostOf("convert f32[5] -> bf16[5]"), (Cost{5, 0, 20, 10}));
  EXPECT_EQ(CostOf("dot{lhs_contracting_dims={1}, rhs_contracting_dims={0}} f32[2,3], f32[3,5] -> f32[2,5]"),
            (Cost{2 * 2 * 3 * 5, 0, 24 + 60, 40}));
  EXPECT_EQ(CostOf("dot{lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}} "
                   "f32[7,2,3], f32[7,3,5] -> f32[7,2,5]")
                .flops,
            2 * 7 * 2 * 3 * 5);
  // 5 positions, window 3, one zero on each side: 4 windows see all but one... 2 + 3 + 3 + 3 + 2 multiplications.
  EXPECT_EQ(CostOf("convolution{window={size=3 pad=1_1}, dim_labels=bf0_oi0->bf0} f32[1,1,5], f32[1,1,3] -> f32[1,1,5]")
                .flops,
            2 * 13);
  // Stride 2 on a padded base of 6: windows at -1, 1, 3: 2 + 3 + 2... of 5 elements.
  EXPECT_EQ(
      CostOf(
          "convolution{window={size=3 stride=2 pad=1_1}, dim_labels=bf0_oi0->bf0} f32[4,6,5], f32[8,6,3] -> f32[4,8,3]")
          .flops,
      2 * 4 * 8 * 6 * (2 + 3 + 2));
  EXPECT_EQ(
      CostOf("convolution{window={size=1}, dim_labels=b0f_0io->b0f, feature_group_count=2} f32[1,2,2], f32[1,1,4] -> "
             "f32[1,2,4]")
          .flops,
      2 * 2 * 4);
  EXPECT_EQ(CostOf("reduce{dimensions={1}, to_apply=plus} f32[2,3], f32[] -> f32[2]"), (Cost{4, 0, 28, 8}));
  EXPECT_EQ(CostOf("reduce{dimensions={1}, to_apply=sum3} f32[2,3], f32[] -> f32[2]"), (Cost{12, 4, 28, 8}));
  EXPECT_EQ(CostOf("reduce-window{window={size=2x2 stride=2x2}, to_apply=plus} f32[4,4], f32[] -> f32[2,2]").flops, 12);
  EXPECT_EQ(CostOf("map{dimensions={0}, to_apply=sum3} f32[4], f32[4] -> f32[4]"), (Cost{12, 4, 32, 16}));
  EXPECT_EQ(CostOf("sort{dimensions={1}, to_apply=ge} f32[3,8] -> f32[3,8]").flops, 24 * 3);
  EXPECT_EQ(CostOf("all-reduce{replica_groups={}, to_apply=plus} f32[4] -> f32[4]").flops, 4);
  EXPECT_EQ(CostOf("fft{fft_type=FFT, fft_length={8}} c64[2,8] -> c64[2,8]").flops, 2 * 5 * 8 * 3);
  EXPECT_EQ(CostOf("fft{fft_type=RFFT, fft_length={8}} f32[2,8] -> c64[2,5]").flops, 5 * 8 * 3);
  EXPECT_EQ(CostOf("cholesky{lower=true} f32[2,6,6] -> f32[2,6,6]").flops, 2 * 6 * 6 * 6 / 3);
  EXPECT_EQ(
      CostOf("triangular-solve{left_side=true, lower=true, transpose_a=NO_TRANSPOSE} f32[3,3], f32[3,2] -> f32[3,2]")
          .flops,
      3 * 3 * 2);
  EXPECT_EQ(
      CostOf("batch-norm-inference{epsilon=0.1, feature_index=1} f32[2,3], f32[3], f32[3], f32[3], f32[3] -> f32[2,3]")
          .flops,
      24);
}

TEST(CostAnalysisTest, Bytes) {
  EXPECT_EQ(CostOf("reshape f32[2,3] -> f32[6]"), Cost());
  EXPECT_EQ(CostOf("reshape f32[2,3]{0,1} -> f32[6]").bytes(), 48);
  EXPECT_EQ(CostOf("transpose{dimensions={1,0}} f32[2,3] -> f32[3,2]").bytes(), 48);
  EXPECT_EQ(CostOf("transpose{dimensions={1,0}} f32[2,3] -> f32[3,2]{0,1}"), Cost());
  EXPECT_EQ(CostOf("copy f32[2,3] -> f32[2,3]").bytes(), 48);
  EXPECT_EQ(CostOf("bitcast f32[2,3] -> f32[6]"), Cost());
  EXPECT_EQ(CostOf("tuple f32[2], f32[3] -> (f32[2], f32[3])"), Cost());
  EXPECT_EQ(CostOf("slice{slice={[0:2]}} f32[100] -> f32[2]"), (Cost{0, 0, 8, 8}));
  EXPECT_EQ(CostOf("dynamic-slice{dynamic_slice_sizes={2}} f32[100], s32[] -> f32[2]"), (Cost{0, 0, 12, 8}));
  EXPECT_EQ(CostOf("dynamic-update-slice f32[100], f32[2], s32[] -> f32[100]"), (Cost{0, 0, 12, 8}));
  EXPECT_EQ(CostOf("broadcast{dimensions={0}} f32[2] -> f32[2,3]"), (Cost{0, 0, 8, 24}));
  // What a tiled layout pads is touched too.
  EXPECT_EQ(CostOf("negate f32[5,6]{1,0:T(2,4)} -> f32[5,6]{1,0:T(2,4)}"), (Cost{30, 0, 192, 192}));
}

TEST(CostAnalysisTest, CallsAndLoops) {
  const auto document = Document::Parse(SourceText::FromString("m", R"(HloModule m
body {
  s = f32[10] parameter(0)
  ROOT n = f32[10] negate(s)
}
cond {
  s = f32[10] parameter(0)
  ROOT t = pred[] constant(true)
}
busy {
  s = f32[10] parameter(0)
  n = f32[10] negate(s)
  ROOT t = pred[] constant(true)
}
left { a = f32[10] parameter(0) ROOT r = f32[10] tanh(a) }
right {
  a = f32[10] parameter(0)
  b = f32[10] add(a, a)
  ROOT r = f32[10] add(b, b)
}
fused {
  a = f32[10] parameter(0)
  b = f32[10] add(a, a)
  ROOT r = f32[10] tanh(b)
}
ENTRY e {
  p = f32[10] parameter(0)
  q = pred[] parameter(1)
  known = f32[10] while(p), condition=cond, body=body, backend_config={"known_trip_count":{"n":"7"}}
  counted = f32[10] while(known), condition=busy, body=body, backend_config={"known_trip_count":{"n":"4"}}
  loose = f32[10] while(counted), condition=cond, body=body
  branch = f32[10] conditional(q, loose, loose), true_computation=left, false_computation=right
  f = f32[10] fusion(branch), kind=kLoop, calls=fused
  ROOT c = f32[10] call(f), to_apply=right
})"));
  ASSERT_FALSE(document->has_errors()) << document->diagnostics()[0].Message();
  const Module& module = document->module();
  const CallGraph calls(module);
  const CostAnalysis cost(module, calls);
  const auto of = [&](absl::string_view name) { return cost.Of(module.FindInstruction(module.entry(), name)); };
  EXPECT_EQ(of("known"), (Cost{70, 0, 280, 280}));
  // The condition runs once more than the body.
  EXPECT_EQ(of("counted"), (Cost{90, 0, 360, 360}));
  EXPECT_EQ(cost.Runs(module.FindComputation("busy")), 5);
  EXPECT_EQ(of("loose"), (Cost{10, 0, 40, 40}));
  EXPECT_EQ(of("branch").flops, 20);
  EXPECT_EQ(of("f"), (Cost{20, 10, 40, 40}));
  // An operand that is there twice is read once.
  EXPECT_EQ(of("c"), (Cost{20, 0, 80, 80}));
  EXPECT_EQ(cost.Of(module.entry()).flops, 70 + 90 + 10 + 20 + 20 + 20);
  EXPECT_EQ(cost.Runs(module.FindComputation("body")), 12);
  EXPECT_EQ(cost.Runs(module.FindComputation("right")), 2);
  EXPECT_EQ(cost.Runs(module.FindComputation("fused")), 0);
  EXPECT_EQ(cost.unknown_trip_counts(), 1);
}

TEST(CostAnalysisTest, OneInstructionCostsTheSameAlone) {
  const std::string text = absl::StrCat("HloModule m\n", kComputations, R"(
inner {
  v = f32[8] parameter(0)
  z = f32[] constant(0)
  t = f32[] reduce(v, z), dimensions={0}, to_apply=sum3
  ROOT w = f32[8] broadcast(t), dimensions={}
}
fused {
  v = f32[8] parameter(0)
  n = f32[8] negate(v)
  ROOT m = f32[8] multiply(n, v)
}
body {
  v = f32[8] parameter(0)
  a = f32[8] call(v), to_apply=inner
  ROOT b = f32[8] fusion(a), kind=kLoop, calls=fused
}
condition {
  v = f32[8] parameter(0)
  ROOT p = pred[] constant(true)
}
ENTRY e {
  v = f32[8] parameter(0)
  l = f32[8] while(v), condition=condition, body=body, backend_config={"known_trip_count":{"n":"5"}}
  k = f32[8] call(l), to_apply=inner
  ROOT m = f32[8] map(k, v), dimensions={0}, to_apply=plus
}
)");
  const auto document = Document::Parse(SourceText::FromString("m", text));
  ASSERT_FALSE(document->has_errors());
  const Module& module = document->module();
  const CostAnalysis whole(module, CallGraph(module));
  for (size_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    EXPECT_EQ(CostAnalysis::OfOne(module, id, 1000), whole.Of(id)) << module.InstructionName(id);
  }
  const InstructionId loop = module.FindInstruction(module.entry(), "l");
  EXPECT_EQ(CostAnalysis::OfOne(module, loop, 8), std::nullopt);
}

TEST(CostAnalysisTest, TripCountsAreReadWithCare) {
  const auto trips = [](const std::string& config) {
    const auto document = Document::Parse(SourceText::FromString("m", absl::StrCat(R"(HloModule m
body { s = f32[] parameter(0) ROOT n = f32[] negate(s) }
cond { s = f32[] parameter(0) ROOT t = pred[] constant(true) }
ENTRY e { p = f32[] parameter(0) ROOT w = f32[] while(p), condition=cond, body=body, backend_config=)",
                                                                                   config, " }\n")));
    EXPECT_FALSE(document->has_errors()) << config;
    const Module& module = document->module();
    return KnownTripCount(module, module.computation(module.entry()).root);
  };
  EXPECT_EQ(trips(R"({"known_trip_count": {"n": "12"}, "x":3})"), 12);
  EXPECT_EQ(trips(R"("{\"known_trip_count\":{\"n\":\"3\"}}")"), 3);
  EXPECT_EQ(trips(R"({"known_trip_count":{"n":4}})"), 4);
  EXPECT_EQ(trips(R"({"known_trip_count":{}})"), std::nullopt);
  EXPECT_EQ(trips(R"({"known_trip_count":{"n":"-4"}})"), std::nullopt);
  EXPECT_EQ(trips(R"({"known_trip_count":{"n":"99999999999999999999"}})"), std::nullopt);
  EXPECT_EQ(trips(R"({"other":{"n":"4"}})"), std::nullopt);
}

TEST(CostAnalysisTest, TheCorpusHasCosts) {
  SKIP_WITHOUT_SHARED_FILES();
  for (const std::string& file : CorpusFiles()) {
    const auto document = Document::Parse(*SourceText::FromFile(file));
    if (document->has_errors()) continue;
    const CallGraph calls(document->module());
    const CostAnalysis cost(document->module(), calls);
    for (uint32_t i = 0; i < document->module().instruction_count(); ++i) {
      EXPECT_GE(cost.Of(InstructionId(i)).flops, 0);
      EXPECT_GE(cost.Of(InstructionId(i)).bytes(), 0);
    }
  }
}

}  // namespace
}  // namespace hloscope
