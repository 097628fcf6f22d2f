// SPDX-License-Identifier: Apache-2.0
// Rows that are executed together with their reductions give the bits of instructions that are executed one by one,
// whatever the layouts of the operands and the number of threads.
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "evaluator/engine/elementwise_groups.h"
#include "evaluator/engine/session.h"
#include "evaluator/tensor/fill.h"
#include "gtest/gtest.h"
#include "numerics/data_movement/past_cache.h"
#include "tests/support/session_test_support.h"

namespace hloscope::evaluator {
namespace {

std::unique_ptr<Session> SessionOn(const std::shared_ptr<const Module>& module, bool watched, int threads = 1) {
  SessionOptions options;
  options.threads = threads;
  std::unique_ptr<Session> session = *Session::Create(module, options);
  session->set_keep_values(watched);
  const auto& parameters = module->computation(module->entry()).parameters;
  for (size_t k = 0; k < parameters.size(); ++k) {
    const int64_t number = static_cast<int64_t>(k);
    EXPECT_TRUE(
        session->SetArgument(number, *FillValue(module->shape(parameters[k]), FillKind::kRandom, 7, number)).ok());
  }
  return session;
}

void ExpectSameUnwatched(const std::string& text) {
  const std::shared_ptr<const Module> module = ModuleFromText(text);
  ASSERT_NE(module, nullptr) << text;
  const std::unique_ptr<Session> watched = SessionOn(module, true);
  ASSERT_EQ(watched->Run(), StopReason::kFinished) << watched->status() << text;
  for (int threads : {1, 3}) {
    const std::unique_ptr<Session> unwatched = SessionOn(module, false, threads);
    for (int run = 0; run < 2; ++run) {  // the second one finds arguments as they were
      unwatched->Restart();
      ASSERT_EQ(unwatched->Run(), StopReason::kFinished) << unwatched->status() << text;
      EXPECT_TRUE(watched->result().BitwiseEqual(unwatched->result())) << text;
      EXPECT_EQ(watched->inspection().executed_count(), unwatched->inspection().executed_count());
      EXPECT_EQ(watched->position(), unwatched->position());
    }
  }
}

std::string Reducers(const std::string& type) {
  return absl::Substitute(
      "HloModule m\nplus { x = $0[] parameter(0)\n y = $0[] parameter(1)\n ROOT s = $0[] add(x, y) }\n"
      "times { x = $0[] parameter(0)\n y = $0[] parameter(1)\n ROOT s = $0[] multiply(x, y) }\n"
      "largest { x = $0[] parameter(0)\n y = $0[] parameter(1)\n ROOT s = $0[] maximum(x, y) }\n",
      type);
}

std::string Softmax(const std::string& type, int64_t rows, int64_t columns) {
  return Reducers(type) + absl::Substitute(
                              "ENTRY e { a = $0[$1,$2] parameter(0)\n l = $0[] constant(-inf)\n z = $0[] constant(0)\n"
                              " m = $0[$1] reduce(a, l), dimensions={1}, to_apply=largest\n"
                              " b = $0[$1,$2] broadcast(m), dimensions={0}\n s = $0[$1,$2] subtract(a, b)\n"
                              " x = $0[$1,$2] exponential(s)\n t = $0[$1] reduce(x, z), dimensions={1}, to_apply=plus\n"
                              " u = $0[$1,$2] broadcast(t), dimensions={0}\n ROOT r = $0[$1,$2] divide(x, u) }\n",
                              type, rows, columns);
}

// What the rows of a random graph are made of. Values are used once wherever possible: only such ones are executed with
// what uses them.
std::string RandomRows(uint32_t seed) {
  std::mt19937 random(seed);
  const auto pick = [&](size_t count) { return static_cast<size_t>(random() % count); };
  const std::string types[] = {"f32", "f64", "bf16"};
  const std::string type = types[pick(3)];
  const int64_t sizes[] = {64, 100, 257, 1030}, counts[] = {1, 3, 70};
  const int64_t outer = counts[pick(3)], inner = counts[pick(3)], columns = sizes[pick(4)];
  const std::string full = absl::Substitute("$0[$1,$2,$3]", type, outer, inner, columns);
  const std::string row = absl::Substitute("$0[$1,$2]", type, outer, inner);
  const std::string unit = absl::Substitute("$0[$1,$2,1]", type, outer, inner);
  std::string text = absl::StrCat(Reducers(type), "ENTRY e {\n p = ", full,
                                  " parameter(0)\n t = ", absl::Substitute("$0[$1,$2,$3]", type, columns, inner, outer),
                                  " parameter(1)\n q = ", full, " transpose(t), dimensions={2,1,0}\n c = ", type, "[",
                                  columns, "] parameter(2)\n bias = ", full,
                                  " broadcast(c), dimensions={2}\n w = ", row, " parameter(3)\n weight = ", full,
                                  " broadcast(w), dimensions={0,1}\n zero = ", type, "[] constant(0)\n one = ", type,
                                  "[] constant(0.5)\n half = ", full, " broadcast(one), dimensions={}\n");
  // Mostly the operand that lies row by row, sometimes one that does not.
  const std::vector<std::string> inputs = {"p", "p", "p", "p", "bias", "weight", "half", "q"};
  std::string last = pick(8) == 0 ? "q" : "p";
  for (int i = 0; i < 12; ++i) {
    const std::string f = absl::StrCat("f.", i), other = inputs[pick(inputs.size())];
    const char* const reducers[] = {"plus", "times", "largest"};
    switch (pick(5)) {
      case 0:
        absl::StrAppend(&text, " ", f, " = ", full, " ", pick(2) == 0 ? "tanh" : "negate", "(", last, ")\n");
        break;
      case 1:
      case 2:
        absl::StrAppend(&text, " ", f, " = ", full, " ", pick(2) == 0 ? "add" : "multiply", "(", last, ", ", other,
                        ")\n");
        break;
      case 3:  // normalised: the rows themselves are used again
        absl::StrAppend(&text, " r.", i, " = ", row, " reduce(", last,
                        ", zero), dimensions={2}, to_apply=", reducers[pick(3)], "\n b.", i, " = ", full,
                        " broadcast(r.", i, "), dimensions={0,1}\n ", f, " = ", full, " subtract(", last, ", b.", i,
                        ")\n");
        break;
      default:  // with instructions on what there is one of for each row
        absl::StrAppend(&text, " r.", i, " = ", row, " reduce(", last,
                        ", zero), dimensions={2}, to_apply=", reducers[pick(3)], "\n u.", i, " = ", unit, " reshape(r.",
                        i, ")\n k.", i, " = ", unit, " broadcast(one), dimensions={}\n v.", i, " = ", unit,
                        " multiply(u.", i, ", k.", i, ")\n x.", i, " = ", unit, " broadcast(v.", i,
                        "), dimensions={0,1,2}\n y.", i, " = ", row, " reshape(x.", i, ")\n b.", i, " = ", full,
                        " broadcast(y.", i, "), dimensions={0,1}\n ", f, " = ", full, " add(", other, ", b.", i, ")\n");
        break;
    }
    last = f;
  }
  if (pick(3) == 0) {
    return absl::StrCat(text, " ROOT r = ", row, " reduce(", last, ", zero), dimensions={2}, to_apply=plus }\n");
  }
  return absl::StrCat(text, " ROOT r = ", full, " negate(", last, ") }\n");
}

TEST(RowProgramTest, RandomRowsGiveTheSameResultsAndCounts) {
  for (uint32_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    ExpectSameUnwatched(RandomRows(seed));
    if (HasFailure()) return;
  }
}

TEST(RowProgramTest, SoftmaxOfEveryTypeAndSize) {
  for (const char* type : {"f32", "f64", "bf16", "f16"}) {
    for (int64_t rows : {1, 2, 7, 300}) {
      for (int64_t columns : {63, 64, 65, 1000, 4096, 70000}) {
        if (rows * columns <= 3000000) ExpectSameUnwatched(Softmax(type, rows, columns));
      }
    }
  }
}

// Rows that begin anywhere in a line of the cache.
TEST(RowProgramTest, ResultsThatAreWrittenPastTheCaches) {
  constexpr int64_t kRows = 2048, kColumns = 4099;
  static_assert(kRows * kColumns * 4 > numerics::kPastCacheBytes);
  ExpectSameUnwatched(Softmax("f32", kRows, kColumns));
}

TEST(RowProgramTest, CopiesPastTheCaches) {
  std::vector<uint8_t> from(1000);
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<uint8_t>(i * 7);
  for (size_t bytes : {0, 1, 15, 63, 64, 65, 200, 900}) {
    for (size_t offset : {0, 1, 16, 63}) {
      std::vector<uint8_t> to(from.size() + 64, 1), expected = to;
      std::copy_n(from.begin() + 3, bytes, expected.begin() + static_cast<std::ptrdiff_t>(offset));
      numerics::CopyPastCache(from.data() + 3, to.data() + offset, static_cast<int64_t>(bytes));
      numerics::FinishPastCache();
      EXPECT_EQ(to, expected) << bytes << " bytes at " << offset;
    }
  }
}

// A layer norm of bf16 with sums of f32, which takes the difference to the mean twice. `summed`: what the
// variance is the mean of, the squares as f32 (`v`) or their squares (`o`).
std::string LayerNorm(int64_t rows, int64_t columns, const std::string& summed) {
  return absl::Substitute(
      R"(HloModule m
plus { x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y) }
ENTRY e {
  x = bf16[$0,$1] parameter(0)
  z = f32[] constant(0)
  n = f32[] constant($1)
  ns = f32[$0] broadcast(n), dimensions={}
  w = f32[$0,$1] convert(x)
  t = f32[$0] reduce(w, z), dimensions={1}, to_apply=plus
  m = f32[$0] divide(t, ns)
  mean = bf16[$0] convert(m)
  b1 = bf16[$0,$1] broadcast(mean), dimensions={0}
  d1 = bf16[$0,$1] subtract(x, b1)
  b2 = bf16[$0,$1] broadcast(mean), dimensions={0}
  d2 = bf16[$0,$1] subtract(x, b2)
  q = bf16[$0,$1] multiply(d2, d2)
  v = f32[$0,$1] convert(q)
  o = f32[$0,$1] multiply(v, v)
  u = f32[$0] reduce($2, z), dimensions={1}, to_apply=plus
  k = f32[$0] divide(u, ns)
  h = bf16[$0] convert(k)
  r = bf16[$0] sqrt(h)
  b3 = bf16[$0,$1] broadcast(r), dimensions={0}
  ROOT y = bf16[$0,$1] divide(d1, b3) }
)",
      rows, columns, summed);
}

TEST(RowProgramTest, WidenedSumsAndWhatIsComputedTwice) {
  for (int64_t rows : {1, 3, 100}) {
    for (int64_t columns : {64, 100, 768, 5000}) {
      ExpectSameUnwatched(LayerNorm(rows, columns, "v"));
      ExpectSameUnwatched(LayerNorm(rows, columns, "o"));
    }
  }
}

// The group that ends with the root of the entry computation.
const ElementwiseGroup* LastGroup(const Module& module, std::unique_ptr<ElementwiseGroups>& groups,
                                  bool single = false) {
  Schedules schedules(module, false);
  groups = std::make_unique<ElementwiseGroups>(module, schedules, **schedules.Of(module.entry()), single);
  return groups->EndingWith(module.computation(module.entry()).root);
}

TEST(RowProgramTest, SoftmaxIsOneGroup) {
  const std::shared_ptr<const Module> module = ModuleFromText(Softmax("f32", 5, 100));
  std::unique_ptr<ElementwiseGroups> groups;
  const ElementwiseGroup* group = LastGroup(*module, groups);
  ASSERT_NE(group, nullptr);
  ASSERT_NE(group->rows, nullptr);
  EXPECT_EQ(group->members.size(), 6u);  // all but the root, the parameter and the constants
  const Shape shape = Shape::Array(ElementType::kF32, {5, 100}), turned = Shape::Array(ElementType::kF32, {100, 5});
  const Value scalar = *FillValue(Shape::Array(ElementType::kF32, {}), FillKind::kRandom, 1, 1);
  std::vector<Value> operands;
  for (InstructionId input : group->inputs) {
    operands.push_back(module->shape(input).IsScalar() ? scalar : *FillValue(shape, FillKind::kRandom, 1, 0));
  }
  EXPECT_TRUE(group->rows->Fits(operands));
  const Tensor other = FillValue(turned, FillKind::kRandom, 1, 0)->tensor();
  for (Value& operand : operands) {
    if (operand.tensor().rank() == 2) operand = Value(other.View({5, 100}, {1, 5}, 0));
  }
  EXPECT_FALSE(group->rows->Fits(operands));
  // With statistics each instruction has its own time.
  group = LastGroup(*module, groups, /*single=*/true);
  ASSERT_NE(group, nullptr);
  EXPECT_EQ(group->rows, nullptr);
  EXPECT_TRUE(group->members.empty());
}

TEST(RowProgramTest, ShortRowsAndValuesThatOthersUseAreLeftAlone) {
  std::unique_ptr<ElementwiseGroups> groups;
  const std::shared_ptr<const Module> narrow = ModuleFromText(Softmax("f32", 100, 8));
  const ElementwiseGroup* const group = LastGroup(*narrow, groups);
  ASSERT_NE(group, nullptr);
  EXPECT_EQ(group->rows, nullptr);
  const std::shared_ptr<const Module> used = ModuleFromText(
      Reducers("f32") +
      "ENTRY e { a = f32[4,100] parameter(0)\n z = f32[] constant(0)\n"
      " m = f32[4] reduce(a, z), dimensions={1}, to_apply=plus\n b = f32[4,100] broadcast(m), dimensions={0}\n"
      " s = f32[4,100] subtract(a, b)\n ROOT r = (f32[4,100], f32[4]) tuple(s, m) }\n");
  Schedules schedules(*used, false);
  const ElementwiseGroups all(*used, schedules, **schedules.Of(used->entry()), false);
  const InstructionId difference = used->FindInstruction(used->entry(), "s");
  ASSERT_NE(all.EndingWith(difference), nullptr);
  EXPECT_EQ(all.EndingWith(difference)->rows, nullptr);
}

TEST(RowProgramTest, CanBePausedAnywhere) {
  for (uint32_t seed = 0; seed < 12; ++seed) {
    const std::shared_ptr<const Module> module = ModuleFromText(RandomRows(seed));
    ASSERT_NE(module, nullptr);
    const std::unique_ptr<Session> watched = SessionOn(module, true), paused = SessionOn(module, false);
    ASSERT_EQ(watched->Run(), StopReason::kFinished);
    for (int command = 0; !paused->finished(); ++command) {
      if (command % 5 == 4) {
        paused->StepInto();
        continue;
      }
      paused->RequestPause();  // one instruction, then the pause
      const StopReason reason = paused->Run();
      ASSERT_TRUE(reason == StopReason::kPaused || reason == StopReason::kFinished) << paused->status();
    }
    EXPECT_TRUE(watched->result().BitwiseEqual(paused->result())) << seed;
    EXPECT_EQ(watched->inspection().executed_count(), paused->inspection().executed_count());
  }
}

}  // namespace
}  // namespace hloscope::evaluator
