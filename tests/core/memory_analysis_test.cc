// SPDX-License-Identifier: Apache-2.0
// Buffers, liveness, peak memory and schedules, worked out by hand (docs/ops/control.md 7.7).
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/analysis/buffers.h"
#include "core/analysis/memory.h"
#include "core/document/document.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

using ::testing::ElementsAre;

class Analyzed {
 public:
  explicit Analyzed(const std::string& text)
      : document_(Document::Parse(SourceText::FromString("m", absl::StrCat("HloModule m", text)))),
        calls_(module()),
        buffers_(module(), calls_),
        memory_(module(), document_->users(), calls_, buffers_) {
    for (const Diagnostic& d : document_->diagnostics()) {
      EXPECT_NE(d.severity, Severity::kError) << d.Message();
    }
  }

  const Module& module() const { return document_->module(); }
  const MemoryAnalysis& memory() const { return memory_; }
  const BufferTable& buffers() const { return buffers_; }
  const ComputationMemory& entry() const { return memory_.Of(module().entry()); }
  InstructionId Named(absl::string_view name) const {
    for (uint32_t i = 0; i < module().instruction_count(); ++i) {
      if (module().InstructionName(InstructionId(i)) == name) return InstructionId(i);
    }
    ADD_FAILURE() << "no instruction " << name;
    return InstructionId();
  }
  // "negate.0 tuple.1": definers and leaves of the buffers of a value.
  std::string BuffersOf(absl::string_view name) const {
    std::vector<std::string> words;
    for (BufferTable::BufferId id : buffers_.Of(Named(name))) {
      const LogicalBuffer& buffer = buffers_.buffer(id);
      words.push_back(absl::StrCat(module().InstructionName(buffer.definer), ".", buffer.leaf));
    }
    std::string text;
    for (const std::string& word : words) absl::StrAppend(&text, text.empty() ? "" : " ", word);
    return text;
  }
  std::vector<std::string> Names(absl::Span<const InstructionId> ids) const {
    std::vector<std::string> names;
    for (InstructionId id : ids) names.emplace_back(module().InstructionName(id));
    return names;
  }

 private:
  std::shared_ptr<const Document> document_;
  CallGraph calls_;
  BufferTable buffers_;
  MemoryAnalysis memory_;
};

TEST(MemoryAnalysisTest, ExampleOfTheSpecification) {
  const Analyzed m(R"(, is_scheduled=true
ENTRY e {
  p = f32[1000] parameter(0)
  a = f32[1000] negate(p)
  b = f32[1000] add(a, a)
  ROOT c = f32[1000] multiply(b, p)
})");
  EXPECT_EQ(m.entry().kind, ScheduleKind::kGiven);
  EXPECT_THAT(m.entry().live_bytes, ElementsAre(4000, 8000, 12000, 12000));
  EXPECT_EQ(m.memory().peak_bytes(), 12000);
  EXPECT_EQ(m.entry().peak_step, 2u);
  EXPECT_THAT(m.Names(m.memory().PeakPath()), ElementsAre("b"));
  const auto live = m.memory().LiveAt(m.module().entry(), 2);
  ASSERT_EQ(live.size(), 3u);
}

TEST(MemoryAnalysisTest, TuplesShareTheirElements) {
  const Analyzed m(R"(, is_scheduled=true
ENTRY e {
  p = f32[10] parameter(0)
  a = f32[10] negate(p)
  t = (f32[10], f32[10]) tuple(a, p)
  o = (f32[10], f32[10]) opt-barrier(t)
  n = ((f32[10], f32[10]), f32[10]) tuple(o, a)
  i = (f32[10], f32[10]) get-tuple-element(n), index=0
  x = f32[10] get-tuple-element(i), index=0
  y = f32[10] get-tuple-element(n), index=1
  b = s32[10] bitcast(x)
  d = f32[20] concatenate(x, y), dimensions={0}
  ROOT r = (s32[10], f32[20]) tuple(b, d)
})");
  EXPECT_EQ(m.BuffersOf("n"), "a.0 p.0 a.0");
  EXPECT_EQ(m.BuffersOf("x"), "a.0");
  EXPECT_EQ(m.BuffersOf("b"), "a.0");
  EXPECT_EQ(m.BuffersOf("r"), "a.0 d.0");
  // p 40 always, a 40 from step 1 to the end, d 80 at the end.
  EXPECT_THAT(m.entry().live_bytes, ElementsAre(40, 80, 80, 80, 80, 80, 80, 80, 80, 160, 160));
}

TEST(MemoryAnalysisTest, LoopsKeepOldAndNewState) {
  const Analyzed m(R"(
body {
  s = (s32[], f32[100], f32[50]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[100] get-tuple-element(s), index=1
  w = f32[50] get-tuple-element(s), index=2
  one = s32[] constant(1)
  i2 = s32[] add(i, one)
  x2 = f32[100] negate(x)
  ROOT t = (s32[], f32[100], f32[50]) tuple(i2, x2, w)
}
cond {
  s = (s32[], f32[100], f32[50]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(5)
  ROOT lt = pred[] compare(i, n), direction=LT
}
ENTRY e {
  z = s32[] constant(0)
  x0 = f32[100] parameter(0)
  w0 = f32[50] parameter(1)
  init = (s32[], f32[100], f32[50]) tuple(z, x0, w0)
  ROOT l = (s32[], f32[100], f32[50]) while(init), condition=cond, body=body
})");
  EXPECT_EQ(m.BuffersOf("l"), "l.0 l.1 w0.0");  // w goes round unchanged
  // The body at its end: i2 and x2 (one is gone after its use, or lives before x2 in another order).
  EXPECT_EQ(m.memory().Of(m.module().FindComputation("body")).peak_bytes, 404);
  EXPECT_EQ(m.memory().Of(m.module().FindComputation("cond")).peak_bytes, 4 + 1);
  // 600 of parameters, 4 of z, new state 404, body 404.
  EXPECT_EQ(m.memory().peak_bytes(), 600 + 4 + 404 + 404);
  const std::vector<std::string> path = m.Names(m.memory().PeakPath());
  ASSERT_EQ(path.size(), 2u);
  EXPECT_EQ(path[0], "l");
}

TEST(MemoryAnalysisTest, CallsPassTheirArgumentsThrough) {
  const Analyzed m(R"(
twice {
  a = f32[] parameter(0)
  b = f32[10] parameter(1)
  big = f32[100] broadcast(a), dimensions={}
  c = f32[10] slice(big), slice={[0:10]}
  ROOT t = (f32[10], f32[10], f32[10]) tuple(b, c, c)
}
ENTRY e {
  p = f32[] parameter(0)
  q = f32[10] parameter(1)
  r = (f32[10], f32[10], f32[10]) call(p, q), to_apply=twice
  ROOT x = f32[10] get-tuple-element(r), index=0
})");
  EXPECT_EQ(m.BuffersOf("r"), "q.0 r.1 r.1");
  EXPECT_EQ(m.BuffersOf("x"), "q.0");
  EXPECT_EQ(m.memory().Of(m.module().FindComputation("twice")).peak_bytes, 440);
  // Parameters 44, and in the call big and c.
  EXPECT_EQ(m.memory().peak_bytes(), 44 + 440);
  EXPECT_THAT(m.Names(m.memory().PeakPath()), ElementsAre("r", "c"));
}

TEST(MemoryAnalysisTest, Branches) {
  const Analyzed m(R"(
left {
  a = (f32[10], f32[10]) parameter(0)
  x = f32[10] get-tuple-element(a), index=0
  y = f32[10] get-tuple-element(a), index=1
  ROOT t = (f32[10], f32[10]) tuple(x, y)
}
right {
  a = (f32[10], f32[10]) parameter(0)
  x = f32[10] get-tuple-element(a), index=0
  y = f32[10] get-tuple-element(a), index=1
  z = f32[10] add(x, y)
  ROOT t = (f32[10], f32[10]) tuple(x, z)
}
ENTRY e {
  p = pred[] parameter(0)
  a = f32[10] parameter(1)
  b = f32[10] parameter(2)
  t = (f32[10], f32[10]) tuple(a, b)
  ROOT c = (f32[10], f32[10]) conditional(p, t, t), false_computation=right, true_computation=left
})");
  EXPECT_EQ(m.BuffersOf("c"), "a.0 c.1");
  EXPECT_EQ(m.memory().peak_bytes(), 1 + 80 + 40);
}

TEST(MemoryAnalysisTest, StartsHoldTheirOperands) {
  const Analyzed m(R"(, is_scheduled=true
add { x = f32[] parameter(0) y = f32[] parameter(1) ROOT r = f32[] add(x, y) }
ENTRY e {
  p = f32[10] parameter(0)
  a = f32[10] negate(p)
  s = f32[10] all-reduce-start(a), to_apply=add
  n = f32[10] negate(p)
  d = f32[10] all-reduce-done(s)
  b = f32[10] add(d, n)
  cs = (f32[10], f32[10], u32[]) copy-start(b)
  cd = f32[10] copy-done(cs)
  ROOT r = f32[10] negate(cd)
})");
  EXPECT_EQ(m.BuffersOf("d"), "s.0");
  EXPECT_EQ(m.BuffersOf("cs"), "cs.0 b.0 cs.2");
  EXPECT_EQ(m.BuffersOf("cd"), "cs.0");
  // p; p a; p a s; p a s n (a is read until the done); p a s n; p s n b; p b cs+4; the same; p cs r.
  EXPECT_THAT(m.entry().live_bytes, ElementsAre(40, 80, 120, 160, 160, 160, 124, 124, 120));
}

TEST(MemoryAnalysisTest, FusionsAreOneKernelAndMayWriteInPlace) {
  const Analyzed m(R"(
f {
  a = f32[10] parameter(0)
  b = f32[10] negate(a)
  ROOT r = f32[10] exponential(b)
}
g {
  a = f32[10] parameter(0)
  b = f32[10] negate(a)
  ROOT r = f32[10] exponential(b)
}
ENTRY e {
  p = f32[10] parameter(0)
  x = f32[10] fusion(p), kind=kLoop, calls=f
  y = f32[10] fusion(x), kind=kLoop, calls=g, output_to_operand_aliasing={{}: (0, {})}
  ROOT z = f32[10] custom-call(y), custom_call_target="Sharding"
})");
  EXPECT_EQ(m.BuffersOf("y"), "x.0");
  EXPECT_EQ(m.BuffersOf("z"), "x.0");
  EXPECT_EQ(m.memory().peak_bytes(), 80);
}

TEST(MemoryAnalysisTest, TheBestOrderWins) {
  // In text order both large values exist before the first is used; one after the other needs less.
  const Analyzed m(R"(
ENTRY e {
  p = f32[] parameter(0)
  a = f32[1000] broadcast(p), dimensions={}
  b = f32[1000] broadcast(p), dimensions={}
  c = f32[1000] broadcast(p), dimensions={}
  a1 = f32[1] slice(a), slice={[0:1]}
  b1 = f32[1] slice(b), slice={[0:1]}
  c1 = f32[1] slice(c), slice={[0:1]}
  ab = f32[1] add(a1, b1)
  ROOT r = f32[1] add(ab, c1)
})");
  EXPECT_NE(m.entry().kind, ScheduleKind::kText);
  // p, one large value, and at the last of them the sums or slices of the others.
  EXPECT_EQ(m.memory().peak_bytes(), 4 + 4000 + 4 + 4);
}

TEST(MemoryAnalysisTest, SchedulesAreTopological) {
  SKIP_WITHOUT_SHARED_FILES();
  for (const std::string& file : CorpusFiles()) {
    const auto document = Document::Parse(*SourceText::FromFile(file));
    if (document->has_errors()) continue;
    const Module& module = document->module();
    const CallGraph calls(module);
    const BufferTable buffers(module, calls);
    EXPECT_TRUE(buffers.complete()) << file;
    std::vector<size_t> step(module.instruction_count());
    for (uint32_t c = 0; c < module.computations().size(); ++c) {
      for (ScheduleKind kind : {ScheduleKind::kPostOrder, ScheduleKind::kLargest, ScheduleKind::kList}) {
        const std::vector<InstructionId> schedule = ScheduleOf(module, buffers, ComputationId(c), kind);
        ASSERT_EQ(schedule.size(), module.computations()[c].instructions.size()) << file << ScheduleKindName(kind);
        for (size_t t = 0; t < schedule.size(); ++t) step[schedule[t].index()] = t;
        for (InstructionId id : schedule) {
          for (InstructionId operand : module.operands(id)) ASSERT_LT(step[operand.index()], step[id.index()]);
          for (InstructionId before : module.InstructionsAttribute(id, AttributeKind::kControlPredecessors)) {
            ASSERT_LT(step[before.index()], step[id.index()]);
          }
        }
      }
    }
    const MemoryAnalysis memory(module, document->users(), calls, buffers);
    // Parameters and result exist at once at the end.
    int64_t parameters = 0;
    for (InstructionId id : module.computation(module.entry()).parameters) {
      for (BufferTable::BufferId buffer : buffers.Of(id)) parameters += buffers.buffer(buffer).bytes;
    }
    EXPECT_GE(memory.peak_bytes(), parameters) << file;
  }
}

TEST(MemoryAnalysisTest, HugeTuplesAreLeftOut) {
  std::string text = "\nENTRY e {\n  t0 = f32[1] parameter(0)\n";
  for (int i = 1; i <= 17; ++i) absl::StrAppend(&text, "  t", i, " = tuple(t", i - 1, ", t", i - 1, ")\n");
  const Analyzed m(text + "}\n");
  EXPECT_FALSE(m.buffers().complete());
  EXPECT_EQ(m.memory().peak_bytes(), 4);
}

TEST(MemoryAnalysisTest, AModuleWithoutEntryHasNoPeak) {
  const auto document = Document::Parse(SourceText::FromString("m", "HloModule m\n"));
  const CallGraph calls(document->module());
  const BufferTable buffers(document->module(), calls);
  const MemoryAnalysis memory(document->module(), document->users(), calls, buffers);
  EXPECT_EQ(memory.peak_bytes(), 0);
  EXPECT_TRUE(memory.PeakPath().empty());
}

}  // namespace
}  // namespace hloscope
