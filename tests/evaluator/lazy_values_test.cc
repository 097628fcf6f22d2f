// SPDX-License-Identifier: Apache-2.0
// Arguments and constants whose text is left out are made when something reads them, and never else.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/document/document.h"
#include "evaluator/engine/elided_constants.h"
#include "evaluator/engine/plausible_fills.h"
#include "evaluator/engine/session.h"
#include "evaluator/tensor/fill.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "numerics/elements/numeric.h"

namespace hloscope::evaluator {
namespace {

using ::testing::HasSubstr;

std::shared_ptr<const Module> Read(absl::string_view text) {
  const auto document = Document::Parse(SourceText::FromString("m.hlo", std::string(text)));
  EXPECT_FALSE(document->has_errors());
  return document->shared_module();
}

// A run whose arguments are filled and which remembers which were made.
struct LazyRun {
  LazyRun(std::shared_ptr<const Module> module, SessionOptions options = {}) {
    const auto& parameters = module->computation(module->entry()).parameters;
    session = *Session::Create(module, options);
    for (size_t k = 0; k < parameters.size(); ++k) {
      const auto make = [this, k, shape = module->shape(parameters[k])](numerics::Executor* executor) {
        made.push_back(k);
        return FillValue(shape, FillKind::kRandom, 0, static_cast<int64_t>(k), executor);
      };
      EXPECT_TRUE(session->SetArgumentMaker(static_cast<int64_t>(k), make).ok());
    }
  }
  std::vector<size_t> made;  // in the order in which they were made
  std::unique_ptr<Session> session;
};

constexpr absl::string_view kUnread = R"(HloModule m
ENTRY e {
  big = f32[1000000000000] parameter(0)
  p = f32[50000] parameter(1)
  q = f32[50000] parameter(2)
  n = f32[50000] negate(q)
  ROOT s = f32[50000] add(p, n)
})";

TEST(LazyValuesTest, ArgumentsAreMadeWhenAnInstructionReadsThem) {
  LazyRun run(Read(kUnread));
  EXPECT_EQ(run.session->Begin(), StopReason::kStep);
  EXPECT_TRUE(run.made.empty());
  EXPECT_EQ(run.session->StepOver(), StopReason::kStep);  // n
  EXPECT_EQ(run.made, (std::vector<size_t>{2}));
  EXPECT_EQ(run.session->Run(), StopReason::kFinished) << run.session->status();
  EXPECT_EQ(run.made, (std::vector<size_t>{2, 1}));
  run.session->Restart();
  EXPECT_EQ(run.session->Run(), StopReason::kFinished);
  EXPECT_EQ(run.made.size(), 2u);
}

TEST(LazyValuesTest, InspectionTellsWhatIsUnreadAndMakesItOnRequest) {
  const std::shared_ptr<const Module> module = Read(kUnread);
  LazyRun run(module);
  run.session->Begin();
  const Inspection& inspection = run.session->inspection();
  const std::vector<InstructionId>& parameters = module->computation(module->entry()).parameters;
  EXPECT_TRUE(inspection.IsUnread(0, parameters[1]));
  EXPECT_EQ(inspection.ValueOf(0, parameters[1]), nullptr);
  const absl::StatusOr<Value> given = run.session->intervention().GivenValue(parameters[1]);
  ASSERT_TRUE(given.ok()) << given.status();
  EXPECT_FALSE(inspection.IsUnread(0, parameters[1]));
  ASSERT_NE(inspection.ValueOf(0, parameters[1]), nullptr);
  EXPECT_TRUE(inspection.ValueOf(0, parameters[1])->BitwiseEqual(*given));
  EXPECT_EQ(run.session->intervention().GivenValue(module->computation(module->entry()).root).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(LazyValuesTest, TheRootMayBeAnArgument) {
  LazyRun run(Read("ENTRY e { a = f32[50000] parameter(0) ROOT p = f32[50000] parameter(1) }"));
  EXPECT_EQ(run.session->Run(), StopReason::kFinished);
  EXPECT_EQ(run.made, (std::vector<size_t>{1}));
  EXPECT_TRUE(run.session->result().BitwiseEqual(
      *FillValue(Shape::Array(ElementType::kF32, {50000}), FillKind::kRandom, 0, 1)));
}

TEST(LazyValuesTest, GoingBackKeepsWhatWasMade) {
  LazyRun run(Read(kUnread));
  run.session->Begin();
  const auto start = run.session->time_travel().Save();
  ASSERT_EQ(run.session->Run(), StopReason::kFinished);
  const Value first = run.session->result();
  run.session->time_travel().Restore(*start);
  ASSERT_EQ(run.session->Run(), StopReason::kFinished);
  EXPECT_TRUE(run.session->result().BitwiseEqual(first));
  EXPECT_EQ(run.made.size(), 2u);
}

// 30 seconds of work in the parameter alone.
TEST(LazyValuesTest, FillingObeysTheTimeLimit) {
  SessionOptions options;
  options.time_limit_seconds = 0.2;
  LazyRun run(Read("ENTRY e { p = f8e4m3fn[2000000000] parameter(0) ROOT n = f8e4m3fn[2000000000] negate(p) }"),
              options);
  EXPECT_EQ(run.session->Run(), StopReason::kFailed);
  EXPECT_EQ(run.session->status().code(), absl::StatusCode::kResourceExhausted) << run.session->status();
  EXPECT_THAT(std::string(run.session->status().message()), HasSubstr("time limit"));
}

TEST(LazyValuesTest, ElidedConstantsAreMadeWhenRead) {
  const std::shared_ptr<const Module> module = Read(R"(HloModule m
ENTRY e {
  never = f32[1000000000000] constant({...})
  small = f32[20000] constant({...})
  ROOT n = f32[20000] negate(small)
})");
  const auto filled = FillElidedConstantsLazily(module, FillOfConstants(*module, FillKind::kRandom, 7));
  ASSERT_TRUE(filled.ok()) << filled.status();
  EXPECT_EQ(filled->filled.size(), 2u);
  SessionOptions options;
  options.elided_constants = filled->make;
  const auto session = *Session::Create(filled->module, options);
  EXPECT_EQ(session->Run(), StopReason::kFinished) << session->status();
}

// What a pass leaves of a module has the values it had, in whatever order it is.
TEST(LazyValuesTest, MadeUpNumbersGoByNameAndShape) {
  constexpr absl::string_view kFirst = R"(HloModule m
ENTRY e {
  gone = f32[3000] constant({...})
  c = f32[3000] constant({...})
  zero = f32[] constant(0)
  one = f32[] constant(1)
  dead = f32[3000] rng(zero, one), distribution=rng_uniform
  r = f32[3000] rng(zero, one), distribution=rng_uniform
  ROOT s = f32[3000] add(c, r)
})";
  constexpr absl::string_view kSecond = R"(HloModule m
ENTRY e {
  one = f32[] constant(1)
  zero = f32[] constant(0)
  r = f32[3000] rng(zero, one), distribution=rng_uniform
  c = f32[3000] constant({...})
  ROOT s = f32[3000] add(c, r)
})";
  std::vector<Value> results;
  for (const absl::string_view text : {kFirst, kSecond}) {
    const std::shared_ptr<const Module> module = Read(text);
    const auto filled = FillElidedConstants(module, FillKind::kRandom, 3);
    ASSERT_TRUE(filled.ok());
    const auto session = *Session::Create(filled->module, SessionOptions());
    ASSERT_EQ(session->Run(), StopReason::kFinished) << session->status();
    results.push_back(session->result());
  }
  EXPECT_TRUE(results[0].BitwiseEqual(results[1]));
}

TEST(PlausibleFillsTest, UsesSayWhatValuesAreFor) {
  const std::shared_ptr<const Module> module = Read(R"(HloModule m
fused {
  v = f32[64] parameter(0)
  eps = f32[] constant(1e-5)
  b = f32[64] broadcast(eps), dimensions={}
  a = f32[64] add(v, b)
  ROOT r = f32[64] rsqrt(a)
}
ENTRY e {
  variance = f32[64] parameter(0)
  x = f32[8,300] parameter(1)
  w = f32[300,64] parameter(2)
  table = f32[100,64] parameter(3)
  ids = s32[8,1] parameter(4)
  d = f32[64] parameter(5)
  plain = f32[64] parameter(6)
  f = f32[64] fusion(variance), kind=kLoop, calls=fused
  wt = f32[300,64] copy(w)
  m = f32[8,64] dot(x, wt), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  g = f32[8,64] gather(table, ids), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,64}
  q = f32[64] divide(plain, d)
  s = f32[64] add(q, f)
  ROOT t = (f32[8,64], f32[8,64], f32[64]) tuple(m, g, s)
})");
  const auto rules = PlausibleFills(*module);
  const std::vector<InstructionId>& parameters = module->computation(module->entry()).parameters;
  EXPECT_EQ(rules.at(parameters[0]), FillRule(FillKind::kPositive));
  EXPECT_EQ(rules.at(parameters[2]).kind, FillKind::kUniform);
  EXPECT_DOUBLE_EQ(rules.at(parameters[2]).high, 0.1);  // sqrt(3 / 300)
  EXPECT_EQ(rules.at(parameters[4]), FillRule::Uniform(0, 100));
  EXPECT_EQ(rules.at(parameters[5]), FillRule(FillKind::kPositive));
  EXPECT_FALSE(rules.contains(parameters[3]));
  EXPECT_FALSE(rules.contains(parameters[6]));
}

TEST(FillRuleTest, Texts) {
  EXPECT_EQ(FillRuleFromText("positive"), FillRule(FillKind::kPositive));
  EXPECT_EQ(FillRuleFromText("uniform:-2:3.5"), FillRule::Uniform(-2, 3.5));
  for (const absl::string_view wrong : {"", "uniform", "uniform:1", "uniform:3:2", "uniform:1:1", "uniform:nan:1",
                                        "uniform:0:inf", "uniform:1:2:3", "Positive"}) {
    EXPECT_FALSE(FillRuleFromText(wrong).has_value()) << wrong;
  }
}

TEST(FillRuleTest, ValuesAreInTheRange) {
  for (ElementType type : {ElementType::kF32, ElementType::kBF16, ElementType::kF8E4M3FN, ElementType::kS32,
                           ElementType::kU8, ElementType::kS4, ElementType::kF64}) {
    const Tensor positive = FillValue(Shape::Array(type, {2000}), FillKind::kPositive, 1, 0)->tensor();
    const Tensor uniform = FillValue(Shape::Array(type, {2000}), FillRule::Uniform(2, 5), 1, 0)->tensor();
    for (int64_t i = 0; i < 2000; ++i) {
      ASSERT_GT(ReadReal(type, positive.data() + i * positive.element_bytes()), 0) << ElementTypeName(type);
      const double x = ReadReal(type, uniform.data() + i * uniform.element_bytes());
      ASSERT_GE(x, 2) << ElementTypeName(type);
      ASSERT_LT(x, 5) << ElementTypeName(type);
    }
  }
  const Tensor normal = FillValue(Shape::Array(ElementType::kF64, {20000}), FillKind::kNormal, 1, 0)->tensor();
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < 20000; ++i) {
    const double x = normal.data_as<double>()[i];
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / 20000, 0, 0.03);
  EXPECT_NEAR(squares / 20000, 1, 0.05);
}

// A pause while the value of a root is made that no instruction computes: it is made with the next command, and the
// root is not executed in its place.
TEST(LazyValuesTest, RootsThatAreMadeCanBePaused) {
  constexpr absl::string_view kArgument = R"(HloModule m
ENTRY e {
  p = f32[50000] parameter(0)
  q = f32[50000] parameter(1)
  t = token[] after-all()
  o = token[] outfeed(q, t)
  ROOT r = f32[50000] parameter(2)
})";
  constexpr absl::string_view kAtOnce = "HloModule m\nENTRY e { ROOT r = f32[50000] parameter(0) }";
  for (const absl::string_view text : {kArgument, kAtOnce}) {
    const auto module = Read(text);
    const int64_t root = static_cast<int64_t>(module->computation(module->entry()).parameters.size()) - 1;
    HostChannel host;
    SessionOptions options;
    options.host = &host;
    LazyRun run(module, options);
    int times = 0;
    ASSERT_TRUE(run.session
                    ->SetArgumentMaker(root,
                                       [&](numerics::Executor* executor) -> absl::StatusOr<Value> {
                                         if (++times > 1) {
                                           return FillValue(Shape::Array(ElementType::kF32, {50000}), FillKind::kOnes,
                                                            0, 0, executor);
                                         }
                                         run.session->RequestPause();
                                         return absl::CancelledError("");
                                       })
                    .ok());
    EXPECT_EQ(run.session->Run(), StopReason::kPaused);
    EXPECT_TRUE(run.session->status().ok()) << run.session->status();
    EXPECT_FALSE(run.session->finished());
    EXPECT_EQ(run.session->Run(), StopReason::kFinished) << run.session->status();
    EXPECT_EQ(times, 2);
    EXPECT_EQ(run.session->result().tensor().data_as<float>()[49999], 1.0f);
  }
}

}  // namespace
}  // namespace hloscope::evaluator
