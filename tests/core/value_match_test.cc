// SPDX-License-Identifier: Apache-2.0
// Which instructions of two versions of a module stand for the same value.
#include "core/analysis/value_match.h"

#include <algorithm>
#include <ctime>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "core/analysis/instruction_attributes.h"
#include "core/document/document.h"
#include "core/print/literal_printer.h"
#include "core/print/printer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/read_document.h"
#include "tests/support/shared_files.h"
#include "tests/support/time_limit.h"

namespace hloscope {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

InstructionId Named(const Module& module, absl::string_view name) {
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    if (module.InstructionName(InstructionId(i)) == name) return InstructionId(i);
  }
  ADD_FAILURE() << "no " << name;
  return InstructionId();
}

std::vector<std::string> Names(const Module& module, absl::Span<const InstructionId> ids) {
  std::vector<std::string> names;
  for (InstructionId id : ids) names.emplace_back(module.InstructionName(id));
  return names;
}

// "a>x b>y": the pairs in order of a.
std::string Pairs(const std::string& text_a, const std::string& text_b) {
  const auto a = ReadCorrectDocument(text_a), b = ReadCorrectDocument(text_b);
  const ValueFlow flow_a(a->module()), flow_b(b->module());
  const ValueMatch match = MatchValues(flow_a, flow_b);
  std::vector<std::string> pairs;
  for (InstructionId id : flow_a.order()) {
    const InstructionId partner = match.partner_of_a[id.index()];
    if (!partner.has_value()) continue;
    EXPECT_EQ(match.partner_of_b[partner.index()], id);
    pairs.push_back(absl::StrCat(a->module().InstructionName(id), ">", b->module().InstructionName(partner)));
  }
  return absl::StrJoin(pairs, " ");
}

constexpr char kFused[] = R"(HloModule m
fc {
  q = f32[4] parameter(0)
  c = f32[4] copy(q)
  n = f32[4] negate(c)
  ROOT t = (f32[4], f32[4]) tuple(n, q)
}
ENTRY e {
  p = f32[4] parameter(0)
  f = (f32[4], f32[4]) fusion(p), kind=kLoop, calls=fc
  g0 = f32[4] get-tuple-element(f), index=0
  g1 = f32[4] get-tuple-element(f), index=1
  ROOT s = f32[4] subtract(g0, g1)
}
)";

TEST(ValueFlowTest, LooksThroughFusionsCopiesAndTuples) {
  const auto document = ReadCorrectDocument(kFused);
  const Module& module = document->module();
  const ValueFlow flow(module);
  EXPECT_THAT(Names(module, flow.order()), ElementsAre("p", "n", "s"));
  EXPECT_THAT(Names(module, flow.operands(Named(module, "s"))), ElementsAre("n", "p"));
  EXPECT_THAT(Names(module, flow.operands(Named(module, "n"))), ElementsAre("p"));
  EXPECT_THAT(Names(module, flow.users(Named(module, "p"))), ElementsAre("n", "s"));
  EXPECT_THAT(Names(module, flow.carriers(Named(module, "f"))), ElementsAre("n", "p"));
  EXPECT_THAT(Names(module, flow.carriers(Named(module, "c"))), ElementsAre("p"));
}

TEST(ValueFlowTest, KeepsComputationsWithSeveralCallersApart) {
  const auto document = ReadCorrectDocument(R"(HloModule m
twice { x = f32[4] parameter(0) ROOT d = f32[4] add(x, x) }
ENTRY e {
  p = f32[4] parameter(0)
  a = f32[4] call(p), to_apply=twice
  b = f32[4] call(a), to_apply=twice
  ROOT s = f32[4] subtract(a, b)
})");
  const Module& module = document->module();
  const ValueFlow flow(module);
  EXPECT_THAT(Names(module, flow.operands(Named(module, "s"))), ElementsAre("a", "b"));
  EXPECT_THAT(Names(module, flow.operands(Named(module, "b"))), ElementsAre("a"));
  EXPECT_THAT(flow.operands(Named(module, "x")), IsEmpty());
}

TEST(ValueFlowTest, KnowsTheInitialValuesOfALoopsState) {
  const auto document = ReadCorrectDocument(R"(HloModule m
body {
  s = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  v = f32[4] get-tuple-element(s), index=1
  o = s32[] constant(1)
  j = s32[] add(i, o)
  w = f32[4] add(v, v)
  ROOT r = (s32[], f32[4]) tuple(j, w)
}
cond {
  cs = (s32[], f32[4]) parameter(0)
  ci = s32[] get-tuple-element(cs), index=0
  l = s32[] constant(3)
  ROOT lt = pred[] compare(ci, l), direction=LT
}
ENTRY e {
  p = f32[4] parameter(0)
  z = s32[] constant(0)
  t = (s32[], f32[4]) tuple(z, p)
  k = (s32[], f32[4]) while(t), condition=cond, body=body
  ROOT g = f32[4] get-tuple-element(k), index=1
})");
  const Module& module = document->module();
  const ValueFlow flow(module);
  EXPECT_THAT(Names(module, flow.initial_values(Named(module, "v"))), ElementsAre("p"));
  EXPECT_THAT(Names(module, flow.initial_values(Named(module, "ci"))), ElementsAre("z"));
  EXPECT_THAT(Names(module, flow.operands(Named(module, "k"))), ElementsAre("z", "p"));
  EXPECT_THAT(Names(module, flow.callee_results(Named(module, "k"))), ElementsAre("j", "w", "lt"));
  EXPECT_THAT(Names(module, flow.operands(Named(module, "g"))), ElementsAre("k"));
}

TEST(ValueFlowTest, NestedTuplesThatDoubleDoNotExplode) {
  std::string text = "HloModule m\nENTRY e {\n  t0 = f32[] parameter(0)\n";
  std::string shape = "f32[]";
  for (int k = 1; k <= 17; ++k) {
    shape = absl::StrCat("(", shape, ", ", shape, ")");
    absl::StrAppend(&text, "  t", k, " = tuple(t", k - 1, ", t", k - 1, ")\n");
  }
  absl::StrAppend(&text, "  ROOT r = f32[] negate(t0)\n}\n");
  const auto document = ReadCorrectDocument(text);
  const ValueFlow flow(document->module());
  EXPECT_LE(flow.carriers(Named(document->module(), "t17")).size(), size_t{1} << 16);
}

TEST(ValueMatchTest, FusedAndPlain) {
  EXPECT_EQ(Pairs(kFused, R"(HloModule other
ENTRY main {
  x = f32[4] parameter(0)
  y = f32[4] negate(x)
  ROOT z = f32[4] subtract(y, x)
})"),
            "p>x n>y s>z");
}

TEST(ValueMatchTest, WhatChangedAtTheTopDoesNotSpoilTheRest) {
  // The constant changed, so that no instruction below it is equal all the way up.
  const std::string a = R"(HloModule m
ENTRY e {
  p = f32[4] parameter(0)
  c = f32[] constant(1)
  b = f32[4] broadcast(c), dimensions={}
  s = f32[4] add(p, b)
  t = f32[4] tanh(s)
  u = f32[4] multiply(t, s)
  ROOT v = f32[4] exponential(u)
})";
  const std::string b = absl::StrReplaceAll(a, {{"constant(1)", "constant(2)"},
                                                {"s =", "sum ="},
                                                {"tanh(s)", "tanh(sum)"},
                                                {"t =", "tan ="},
                                                {"multiply(t, s)", "multiply(tan, sum)"}});
  EXPECT_EQ(Pairs(a, b), "p>p b>b s>sum t>tan u>u v>v");
}

TEST(ValueMatchTest, LoopsOfOtherStates) {
  // The second loop carries one more value in front.
  const auto loop = [](const std::string& extra_shape, const std::string& extra_init, int first) {
    return absl::StrReplaceAll(R"(HloModule m
body {
  s = ($xf32[4], s32[]) parameter(0)
  v = f32[4] get-tuple-element(s), index=$0
  i = s32[] get-tuple-element(s), index=$1
  o = s32[] constant(1)
  j = s32[] add(i, o)
  w = f32[4] cosine(v)
  $keepROOT r = ($xf32[4], s32[]) tuple($eew, j)
}
cond {
  cs = ($xf32[4], s32[]) parameter(0)
  ci = s32[] get-tuple-element(cs), index=$1
  l = s32[] constant(3)
  ROOT lt = pred[] compare(ci, l), direction=LT
}
ENTRY e {
  p = f32[4] parameter(0)
  z = s32[] constant(0)
  t = ($xf32[4], s32[]) tuple($ip, z)
  k = ($xf32[4], s32[]) while(t), condition=cond, body=body
  ROOT g = f32[4] get-tuple-element(k), index=$0
})",
                               {{"$x", extra_shape},
                                {"$i", extra_init},
                                {"$0", absl::StrCat(first)},
                                {"$1", absl::StrCat(first + 1)},
                                {"$keep", first == 0 ? "" : "kept = f32[4] get-tuple-element(s), index=0\n  "},
                                {"$ee", first == 0 ? "" : "kept, "}});
  };
  const std::string pairs = Pairs(loop("", "", 0), loop("f32[4], ", "p, ", 1));
  EXPECT_THAT(pairs, ::testing::HasSubstr("w>w"));
  EXPECT_THAT(pairs, ::testing::HasSubstr("j>j"));
  EXPECT_THAT(pairs, ::testing::HasSubstr("lt>lt"));
}

TEST(ValueMatchTest, ACollectiveAndItsAsynchronousPair) {
  const std::string sync = R"(HloModule m
plus { x = f32[] parameter(0) y = f32[] parameter(1) ROOT r = f32[] add(x, y) }
ENTRY e {
  p = f32[4] parameter(0)
  ROOT a = f32[4] all-reduce(p), replica_groups={}, to_apply=plus
})";
  const std::string async = R"(HloModule m
plus { x = f32[] parameter(0) y = f32[] parameter(1) ROOT r = f32[] add(x, y) }
ENTRY e {
  p = f32[4] parameter(0)
  s = f32[4] all-reduce-start(p), replica_groups={}, to_apply=plus
  ROOT d = f32[4] all-reduce-done(s)
})";
  EXPECT_EQ(Pairs(sync, async), "p>p a>d");
}

TEST(ValueMatchTest, ModulesWithoutEntryMatchNothing) {
  const auto empty = Document::Parse(SourceText::FromString("m", "HloModule m\n"));
  const auto other = ReadCorrectDocument(kFused);
  const ValueFlow a(empty->module()), b(other->module());
  EXPECT_EQ(MatchValues(a, b).matched_b, 0u);
}

// A second version of a module: every name is new, some operands go through copies, some instructions are in fusions
// of their own, and the first constant with a number has another value. Fills `twin` with the carrier that stands for
// each instruction now.
Module SecondVersion(const Module& first, uint32_t seed, std::vector<InstructionId>* twin) {
  std::mt19937 random(seed);
  Module module = first;
  const size_t count = first.instruction_count();
  twin->resize(count);
  for (uint32_t i = 0; i < count; ++i) {
    (*twin)[i] = InstructionId(i);
    module.mutable_instruction(InstructionId(i)).name = module.InternString(absl::StrCat("second.", i));
  }
  for (uint32_t c = 0; c < first.computations().size(); ++c) {
    module.mutable_computation(ComputationId(c)).name = module.InternString(absl::StrCat("part.", c));
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (first.opcode(InstructionId(i)) != Opcode::kConstant ||
        !first.instruction(InstructionId(i)).literal.has_value() ||
        first.shape(InstructionId(i)).element_type() != ElementType::kF32) {
      continue;
    }
    for (uint32_t j = 0; j < count; ++j) {
      const Instruction& other = first.instruction(InstructionId(j));
      if (other.opcode == Opcode::kConstant && other.literal.has_value() &&
          other.shape == first.instruction(InstructionId(i)).shape &&
          !(first.literal(InstructionId(j)) == first.literal(InstructionId(i)))) {
        module.SetLiteral(InstructionId(i), first.literal(InstructionId(j)));
        break;
      }
    }
    break;
  }
  std::vector<InstructionId> now(count);  // what users have as operand instead
  for (uint32_t i = 0; i < count; ++i) {
    const InstructionId id(i);
    now[i] = id;
    const Opcode opcode = first.opcode(id);
    const ComputationId home = first.instruction(id).computation;
    const int dice = static_cast<int>(random() % 10);
    if (dice == 0 && first.shape(id).IsArray() && first.computation(home).root != id) {
      now[i] = module.AddInstruction(home, Opcode::kCopy, absl::StrCat("copy.of.", i), first.shape(id), {id});
    } else if (dice == 1 && (opcode == Opcode::kAdd || opcode == Opcode::kMultiply || opcode == Opcode::kBroadcast ||
                             opcode == Opcode::kConvert || opcode == Opcode::kTranspose)) {
      const ComputationId fused = module.AddComputation(absl::StrCat("fused.", i));
      std::vector<InstructionId> parameters;
      for (InstructionId operand : first.operands(id)) {
        const InstructionId parameter = module.AddInstruction(
            fused, Opcode::kParameter, absl::StrCat("in.", i, ".", parameters.size()), first.shape(operand), {});
        module.mutable_instruction(parameter).parameter_number = static_cast<uint32_t>(parameters.size());
        parameters.push_back(parameter);
      }
      module.mutable_computation(fused).parameters = parameters;
      const InstructionId inner =
          module.AddInstruction(fused, opcode, absl::StrCat("inner.", i), first.shape(id), parameters);
      module.mutable_instruction(inner).first_attribute = first.instruction(id).first_attribute;
      module.mutable_instruction(inner).attribute_count = first.instruction(id).attribute_count;
      module.mutable_computation(fused).root = inner;
      (*twin)[i] = inner;
      const std::vector<InstructionId> operands(first.operands(id).begin(), first.operands(id).end());
      now[i] = module.AddInstruction(home, Opcode::kFusion, absl::StrCat("fusion.", i), first.shape(id), operands);
      module.AddWord(now[i], AttributeKind::kKind, 0);
      module.AddComputations(now[i], AttributeKind::kCalls, {fused});
      std::vector<InstructionId>& list = module.mutable_computation(home).instructions;
      list.erase(std::find(list.begin(), list.end(), id));
      if (module.computation(home).root == id) module.mutable_computation(home).root = now[i];
    }
  }
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    if (module.opcode(id) == Opcode::kCopy && i >= count) continue;
    std::vector<InstructionId> operands(module.operands(id).begin(), module.operands(id).end());
    for (InstructionId& operand : operands) {
      if (operand.has_value() && operand.index() < count) operand = now[operand.index()];
    }
    module.SetOperands(id, operands);
  }
  return module;
}

// For each carrier the first one that certainly has the same value: the same operation on the same values.
std::vector<InstructionId> FirstOfEqualValue(const ValueFlow& flow) {
  const Module& module = flow.module();
  std::vector<InstructionId> first(module.instruction_count());
  std::map<std::string, InstructionId> seen;
  for (InstructionId id : flow.order()) {
    first[id.index()] = id;
    const Opcode opcode = module.opcode(id);
    std::string key = absl::StrCat(OpcodeName(opcode), module.shape(id).ToString(false));
    if (opcode == Opcode::kParameter && flow.initial_values(id).empty()) continue;
    if (module.instruction(id).literal.has_value()) {
      absl::StrAppend(&key, PrintLiteral(module.literal(id), {.large = true}));
    }
    for (const auto& [kind, text] : AttributeTexts(module, id, AttributesCompared::kValues)) {
      absl::StrAppend(&key, " ", static_cast<int>(kind), text);
    }
    // Loops are equal if they begin equal and do the same: elements of a state are known by where they begin.
    const absl::Span<const InstructionId> initial = flow.initial_values(id);
    const absl::Span<const InstructionId> results = flow.callee_results(id);
    if (results.empty()) {
      // Clones of one reducer are one; in this module their roots tell reducers apart.
      module.ForEachCalledComputation(id, [&](AttributeKind, ComputationId callee) {
        absl::StrAppend(&key, " c", OpcodeName(module.opcode(module.computation(callee).root)));
      });
    }
    for (absl::Span<const InstructionId> list : {initial.empty() ? flow.operands(id) : initial, results}) {
      absl::StrAppend(&key, " |");
      for (InstructionId one : list) absl::StrAppend(&key, " ", first[one.index()].value);
    }
    first[id.index()] = seen.try_emplace(key, id).first->second;
  }
  return first;
}

TEST(ValueMatchTest, TheLargestModuleAndItsSecondVersion) {
  SKIP_WITHOUT_SHARED_FILES();
  std::string text;
  for (const std::string& name : CorpusFiles()) {
    const std::string candidate = ReadFileOrDie(CorpusFile(name));
    if (candidate.size() > text.size()) text = candidate;
  }
  const auto document = ReadCorrectDocument(text);
  const Module& first = document->module();
  std::vector<InstructionId> twin;
  const Module second = SecondVersion(first, 7, &twin);
  const std::clock_t start = std::clock();
  const ValueFlow flow_a(first), flow_b(second);
  const ValueMatch match = MatchValues(flow_a, flow_b);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  RecordProperty("seconds", absl::StrCat(seconds));
  EXPECT_GT(match.running_a, 20000u);
  EXPECT_GE(static_cast<double>(match.matched_a), 0.95 * static_cast<double>(match.running_a))
      << match.matched_a << " of " << match.running_a;
  const std::vector<InstructionId> value = FirstOfEqualValue(flow_b);
  size_t pairs = 0, wrong = 0;
  std::string examples;
  for (InstructionId id : flow_a.order()) {
    const InstructionId partner = match.partner_of_a[id.index()];
    if (!partner.has_value()) continue;
    ++pairs;
    const absl::Span<const InstructionId> expected = flow_b.carriers(twin[id.index()]);
    if (expected.size() == 1 && value[expected[0].index()] == value[partner.index()]) continue;
    if (++wrong <= 5) {
      // The first ones say what went wrong if there are too many.
      examples += absl::StrCat("\n", id.value, " twin ", twin[id.index()].value, " -> ",
                               expected.empty() ? 0u : expected[0].value, " partner ", partner.value, " ",
                               PrintInstruction(first, id), "\n  against ", PrintInstruction(second, partner));
    }
  }
  EXPECT_LE(wrong * 200, pairs) << wrong << " of " << pairs << examples;
#ifdef NDEBUG
  EXPECT_LT(seconds, TimeLimit(2.0));  // tests/bench has the budget
#endif
}

}  // namespace
}  // namespace hloscope
