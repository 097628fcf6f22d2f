// SPDX-License-Identifier: Apache-2.0
// Two versions of a module compute with the same made-up arguments and constants.
#include "insight/runs/made_up_numbers.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/print/printer.h"
#include "core/transform/transform.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "insight/blame/blame.h"
#include "insight/blame/reproduce.h"
#include "insight/runs/module_run.h"
#include "tests/insight/planted_faults.h"
#include "tests/insight/stages_fixture.h"
#include "tests/support/test_folder.h"

namespace hloscope::insight {
namespace {

using ::testing::SizeIs;

std::shared_ptr<const Document> Parsed(const std::string& text) {
  auto document = Document::Parse(SourceText::FromString("m.hlo", text));
  EXPECT_FALSE(document->has_errors()) << text;
  return document;
}

evaluator::RunOptions RandomFill() { return RandomInputs(3).run; }

evaluator::Value ResultOf(const std::shared_ptr<const Document>& document, const Module* like) {
  ModuleRun run(document, RandomFill(), like);
  EXPECT_TRUE(run.Prepare().ok());
  EXPECT_TRUE(run.Run().ok());
  return run.run().device(0).result();
}

bool Agree(const evaluator::Value& a, const evaluator::Value& b) {
  const auto leaves = evaluator::CompareValues(a, b, {});
  EXPECT_TRUE(leaves.ok());
  return std::all_of(leaves->begin(), leaves->end(), [](const auto& leaf) { return leaf.Agrees(); });
}

TEST(MadeUpNumbersTest, ParametersAreForWhatTheFirstVersionUsesThem) {
  const auto product = Parsed(R"(HloModule m
ENTRY e {
  p = f32[4,8] parameter(0)
  q = f32[8] parameter(1)
  ROOT r = f32[4] dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)");
  const auto sum = Parsed(R"(HloModule m
add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y)
}
ENTRY e {
  p = f32[4,8] parameter(0)
  q = f32[8] parameter(1)
  b = f32[4,8] broadcast(q), dimensions={1}
  m = f32[4,8] multiply(p, b)
  z = f32[] constant(0)
  ROOT r = f32[4] reduce(m, z), dimensions={1}, to_apply=add
}
)");
  const evaluator::Value expected = ResultOf(product, nullptr);
  EXPECT_TRUE(Agree(expected, ResultOf(sum, &product->module())));
  EXPECT_FALSE(Agree(expected, ResultOf(sum, nullptr))) << "weights of products are made up otherwise";
  // What the user says of a parameter stays.
  evaluator::RunOptions options = RandomFill();
  options.fills[1] = evaluator::FillKind::kZeros;
  NumbersLike(product->module(), sum->module(), options).ApplyTo(&options);
  EXPECT_EQ(options.fills.at(1).kind, evaluator::FillKind::kZeros);
  EXPECT_TRUE(options.fills.contains(0));
}

// A layer with weights of one shape that are told apart by what uses them, called by its name.
constexpr char kLayers[] = R"(HloModule m
layer {
  x = f32[4,4] parameter(0)
  w1 = f32[4,4] constant({...})
  d = f32[4,4] dot(x, w1), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  w2 = f32[4,4] constant({...})
  s = f32[4,4] subtract(d, w2)
  w3 = f32[4,4] constant({...})
  t = f32[4,4] subtract(s, w3), metadata={op_name="second"}
  ROOT h = f32[4,4] tanh(t)
}
ENTRY e {
  p = f32[4,4] parameter(0)
  a = f32[4,4] call(p), to_apply=layer
  b = f32[4,4] call(a), to_apply=layer
  ROOT c = f32[4,4] call(b), to_apply=layer
}
)";

std::string Inlined(const std::string& text) {
  const auto result = TransformModule(Parsed(text)->module(), {"inline-calls"}, {});
  EXPECT_TRUE(result.ok());
  return PrintModule(result->module, {});
}

TEST(MadeUpNumbersTest, CopiesOfConstantsHaveTheValuesOfTheConstant) {
  const auto before = Parsed(kLayers), after = Parsed(Inlined(kLayers));
  EXPECT_THAT(evaluator::ElidedConstants(after->module()), SizeIs(9)) << after->source().text();
  const SharedNumbers numbers = NumbersLike(before->module(), after->module(), RandomFill());
  EXPECT_THAT(numbers.alone, SizeIs(0));
  EXPECT_THAT(*numbers.streams, SizeIs(9));
  std::set<uint64_t> different;
  for (const auto& [id, stream] : *numbers.streams) different.insert(stream);
  EXPECT_THAT(different, SizeIs(3));
  EXPECT_TRUE(Agree(ResultOf(before, &before->module()), ResultOf(after, &before->module())));
}

TEST(MadeUpNumbersTest, ConstantsThatSharedComputationsAreGivenAreFollowed) {
  const std::string text = R"(HloModule m
scale {
  x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  m = f32[4] multiply(x, y)
  ROOT s = f32[4] sine(m)
}
ENTRY e {
  p = f32[4] parameter(0)
  w1 = f32[4] constant({...})
  a = f32[4] call(p, w1), to_apply=scale
  w2 = f32[4] constant({...})
  b = f32[4] call(a, w2), to_apply=scale
  w3 = f32[4] constant({...})
  ROOT c = f32[4] power(b, w3)
}
)";
  const auto before = Parsed(text);
  // As a pass leaves it that numbers constants again.
  std::string inlined = Inlined(text);
  for (const char* name : {"w1", "w2", "w3"}) inlined = absl::StrReplaceAll(inlined, {{name, absl::StrCat("c", name)}});
  const auto after = Parsed(inlined);
  EXPECT_THAT(NumbersLike(before->module(), after->module(), RandomFill()).alone, SizeIs(0));
  EXPECT_TRUE(Agree(ResultOf(before, &before->module()), ResultOf(after, &before->module())));
}

TEST(MadeUpNumbersTest, ConstantsWithAUseInCommonAreOne) {
  const auto module = Parsed(R"(HloModule m
ENTRY e {
  p = f32[4] parameter(0)
  a = f32[4] constant({...})
  b = f32[4] constant({...})
  c = f32[4] constant({...})
  d = f32[4] constant({...})
  a.1 = f32[4] add(p, a)
  b.1 = f32[4] subtract(a.1, b)
  b.2 = f32[4] multiply(b.1, b)
  c.1 = f32[4] add(p, c)
  c.2 = f32[4] subtract(c.1, c)
  d.1 = f32[4] power(p, d)
  ROOT r = (f32[4], f32[4], f32[4]) tuple(b.2, c.2, d.1)
}
)");
  const Module& m = module->module();
  const SharedNumbers numbers = NumbersLike(m, m, RandomFill());
  const auto stream = [&](const char* name) {
    for (const auto& [id, number] : *numbers.streams) {
      if (m.InstructionName(id) == name) return number;
    }
    return uint64_t{0};
  };
  EXPECT_EQ(stream("a"), stream("c")) << "added to the parameter";
  EXPECT_NE(stream("a"), stream("d"));
  EXPECT_NE(stream("a"), 0u);
}

TEST(MadeUpNumbersTest, ConstantsOfNoOtherModuleAreNamed) {
  const auto before = Parsed(kLayers);
  const auto after = Parsed(R"(HloModule m
ENTRY e {
  p = f32[4,4] parameter(0)
  lone = f32[4,4] constant({...})
  longer = f32[5,4] constant({...})
  part = f32[4,4] slice(longer), slice={[0:4], [0:4]}
  q = f32[4,4] power(p, lone)
  ROOT r = f32[4,4] power(q, part)
}
)");
  const SharedNumbers numbers = NumbersLike(before->module(), after->module(), RandomFill());
  EXPECT_EQ(LoneConstantsText(after->module(), numbers.alone, "m.hlo"),
            "constant `lone` and 1 more have no counterpart in m.hlo");
  EXPECT_EQ(LoneConstantsText(after->module(), {numbers.alone[1]}, "m.hlo"),
            "constant `longer` has no counterpart in m.hlo");
  EXPECT_EQ(LoneConstantsText(after->module(), {}, "m.hlo"), "");
}

TEST(MadeUpNumbersTest, BlameNamesTheWrongPassAndNotTheOneThatInlines) {
  std::string wrong = Inlined(kLayers);
  const std::string right = wrong;
  wrong.replace(wrong.rfind("tanh("), 5, "sine(");
  const std::vector<DumpedStage> stages = {
      {"a", "a", kLayers}, {"b", "b", right}, {"c", "c", right}, {"d", "d", wrong}};
  const BlameOptions options = RandomInputs(3);
  const auto result = Blame(StagesOfTexts(stages), ReaderOfTexts(stages), options);
  ASSERT_TRUE(result.ok()) << result.status().message();
  EXPECT_FALSE(result->agree);
  EXPECT_EQ(result->bad, 3);
  EXPECT_THAT(result->lone_constants, SizeIs(0));
  ASSERT_TRUE(result->culprit);
  EXPECT_EQ(result->bad_document->module().opcode(result->culprit->instruction), Opcode::kSine);
  // What the text leaves out is an argument of the small modules.
  const TestFolder folder;
  const auto written = WriteReproduction(*result, options, folder.path());
  ASSERT_TRUE(written.ok()) << written.status().message();
  EXPECT_EQ(ProblemOfReproduction(folder.path()), "");
}

}  // namespace
}  // namespace hloscope::insight
