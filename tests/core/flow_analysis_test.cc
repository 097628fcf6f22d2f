// SPDX-License-Identifier: Apache-2.0
// Scopes, dead code and dominators.
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/analysis/dead_code.h"
#include "core/analysis/dominators.h"
#include "core/analysis/scopes.h"
#include "core/document/document.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace hloscope {
namespace {

using ::testing::ElementsAre;

std::shared_ptr<const Document> Parsed(const std::string& text) {
  const auto document = Document::Parse(SourceText::FromString("m", absl::StrCat("HloModule m\n", text)));
  EXPECT_FALSE(document->has_errors()) << document->diagnostics()[0].Message();
  return document;
}

TEST(ScopeTreeTest, FollowsOpNames) {
  const auto document = Parsed(R"(ENTRY e {
  p = f32[] parameter(0)
  a = f32[] negate(p), metadata={op_name="jit(f)/layer/neg"}
  b = f32[] negate(a), metadata={op_name="jit(f)/layer/sub/neg"}
  c = f32[] negate(b), metadata={op_name="jit(f)/layer/neg"}
  d = f32[] negate(c), metadata={op_name="jit(f)//neg"}
  ROOT r = f32[] negate(d), metadata={op_name="alone"}
})");
  const ScopeTree tree(document->module());
  std::vector<std::string> lines;
  for (uint32_t s = 0; s < tree.scopes().size(); ++s) {
    lines.push_back(absl::StrCat(tree.Path(s), " ", tree.scope(s).depth, " ", tree.scope(s).instructions));
  }
  EXPECT_THAT(lines,
              ElementsAre("(no scope) 0 2", "jit(f) 1 0", "jit(f)/layer 2 2", "jit(f)/layer/sub 3 1", "jit(f)/ 2 1"));
  EXPECT_EQ(tree.Of(InstructionId(1)), tree.Of(InstructionId(3)));
  EXPECT_THAT(tree.scope(1).children, ElementsAre(2u, 4u));
}

std::vector<std::string> DeadGroups(const Document& document) {
  const Module& module = document.module();
  const CallGraph calls(module);
  const SideEffects effects(module, calls);
  const auto names = [&](const std::vector<InstructionId>& ids) {
    return absl::StrJoin(ids, " ", [&](std::string* s, InstructionId id) {
      absl::StrAppend(s, std::string(module.InstructionName(id)));
    });
  };
  std::vector<std::string> lines;
  for (const DeadGroup& group : FindDeadCode(module, document.users(), effects)) {
    lines.push_back(absl::StrCat(names(group.instructions), " | ", names(group.tops)));
  }
  return lines;
}

TEST(DeadCodeTest, GroupsFallTogether) {
  const auto document = Parsed(R"(ENTRY e {
  p = f32[] parameter(0)
  q = f32[] parameter(1)
  a = f32[] negate(p)
  b = f32[] negate(a)
  c = f32[] add(a, b)
  x = f32[] negate(q)
  d = f32[] negate(b)
  t = token[] after-all()
  o = token[] outfeed(x, t), outfeed_shape=f32[]
  k = f32[] constant(1)
  before = f32[] negate(q)
  ROOT r = f32[] negate(p), control-predecessors={before}
})");
  EXPECT_THAT(DeadGroups(*document), ElementsAre("a b c d | c d", "k | k"));
}

TEST(DeadCodeTest, UnreachableComputations) {
  const auto document = Parsed(R"(
used { a = f32[] parameter(0) ROOT r = f32[] negate(a) }
inner { a = f32[] parameter(0) ROOT r = f32[] negate(a) }
unused { a = f32[] parameter(0) ROOT r = f32[] call(a), to_apply=inner }
ENTRY e { p = f32[] parameter(0) ROOT r = f32[] call(p), to_apply=used })");
  std::vector<std::string> names;
  for (ComputationId id : FindUnreachableComputations(document->module(), CallGraph(document->module()))) {
    names.emplace_back(document->module().ComputationName(id));
  }
  EXPECT_THAT(names, ElementsAre("inner", "unused"));
}

TEST(FlowDominatorsTest, ADiamond) {
  const auto document = Parsed(R"(ENTRY e {
  p = f32[] parameter(0)
  a = f32[] negate(p)
  b = f32[] abs(a)
  c = f32[] cosine(a)
  d = f32[] add(b, c)
  dead = f32[] negate(c)
  ROOT r = f32[] add(d, p)
})");
  const Module& module = document->module();
  const FlowDominators dominators(module, document->users(), module.entry());
  const auto id = [&](absl::string_view name) { return module.FindInstruction(module.entry(), name); };
  EXPECT_EQ(dominators.ImmediateDominator(id("b")), id("d"));
  EXPECT_EQ(dominators.ImmediateDominator(id("a")), id("d"));
  EXPECT_EQ(dominators.ImmediateDominator(id("d")), id("r"));
  EXPECT_EQ(dominators.ImmediateDominator(id("p")), id("r"));
  EXPECT_FALSE(dominators.ImmediateDominator(id("r")).has_value());
  EXPECT_FALSE(dominators.ImmediateDominator(id("dead")).has_value());
  EXPECT_TRUE(dominators.Dominates(id("r"), id("a")));
  EXPECT_TRUE(dominators.Dominates(id("a"), id("a")));
  EXPECT_FALSE(dominators.Dominates(id("b"), id("a")));
  EXPECT_FALSE(dominators.Dominates(id("dead"), id("c")));
  EXPECT_EQ(dominators.order().front(), id("r"));
  EXPECT_EQ(dominators.order().size(), 6u);
}

// On random graphs: `d` dominates `i` exactly if `i` no longer reaches the root without `d`.
TEST(FlowDominatorsTest, AgreesWithTheDefinition) {
  std::mt19937 random(11);
  for (int round = 0; round < 60; ++round) {
    const uint32_t n = 3 + random() % 40;
    std::string text = "ENTRY e {\n  i0 = f32[] parameter(0)\n";
    for (uint32_t i = 1; i < n; ++i) {
      absl::StrAppend(&text, i + 1 == n ? "  ROOT i" : "  i", i, " = f32[] add(i", random() % i, ", i",
                      i - 1 - random() % std::min(i, 4u), ")\n");
    }
    const auto document = Parsed(text + "}\n");
    const Module& module = document->module();
    const FlowDominators dominators(module, document->users(), module.entry());
    const auto reach = [&](uint32_t without) {
      std::vector<bool> reaches(n, false);
      for (uint32_t i = n; i-- > 0;) {
        if (i == without) continue;
        reaches[i] = i + 1 == n;
        for (InstructionId user : document->users().users(InstructionId(i))) {
          if (user.value != without && reaches[user.value]) reaches[i] = true;
        }
      }
      return reaches;
    };
    const std::vector<bool> all = reach(n);
    for (uint32_t d = 0; d < n; ++d) {
      const std::vector<bool> left = reach(d);
      for (uint32_t i = 0; i < n; ++i) {
        const bool expected = all[i] && all[d] && !left[i];
        ASSERT_EQ(dominators.Dominates(InstructionId(d), InstructionId(i)), expected) << text << d << " " << i;
      }
    }
  }
}

}  // namespace
}  // namespace hloscope
