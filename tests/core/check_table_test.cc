// SPDX-License-Identifier: Apache-2.0
// The table of checks: what an edit makes the verifier look at again follows from the rows alone.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "core/analysis/module_index.h"
#include "core/document/document.h"
#include "core/verify/checks.h"
#include "core/verify/edit_scope.h"
#include "core/verify/instruction_traits.h"
#include "core/verify/verifier.h"
#include "gtest/gtest.h"
#include "tests/support/document_equality.h"
#include "tests/support/read_document.h"

namespace hloscope {
namespace {

using Ids = std::vector<uint32_t>;

class NoPlaces : public AnchorResolver {
 public:
  SourceRange Resolve(InstructionId, Anchor) const override { return {}; }
};

// How many diagnostics the check reports about the module.
int64_t CountOf(CheckStage stage, const Document& document) {
  DiagnosticSink sink;
  VerifyModule(document.module(), document.options().verify, NoPlaces(), sink);
  return std::count_if(sink.sources().begin(), sink.sources().end(),
                       [stage](const DiagnosticSource& source) { return source.stage == stage; });
}

VerifyOptions With(bool VerifyOptions::*member) {
  VerifyOptions options;
  options.*member = true;
  return options;
}

VerifyOptions WithoutCustomCalls() {
  VerifyOptions options = With(&VerifyOptions::check_custom_calls);
  options.knows_custom_call = [](absl::string_view) { return false; };
  return options;
}

// An edit that makes a diagnostic of the check come; the edit back makes it go.
struct EditOfCheck {
  CheckStage stage;
  std::string text, from, to;
  VerifyOptions options = {};
  bool is_update = true;  // false: which thread a computation runs on may change, so all is read again
};

std::vector<EditOfCheck> EditsOfChecks() {
  const std::string chain = "ENTRY e {\n p = f32[2] parameter(0)\n q = f32[2] negate(p)\n ROOT r = f32[2] copy(q)\n}\n";
  const std::string add = "add {\n x = f32[] parameter(0)\n y = f32[] parameter(1)\n ROOT s = f32[] add(x, y)\n}\n";
  const std::string called = "f {\n x = f32[] parameter(0)\n ROOT s = f32[] all-reduce(x), to_apply=add\n}\n";
  const std::string caller =
      "ENTRY e {\n p = f32[] parameter(0)\n c = f32[] call(p), to_apply=f\n ROOT r = f32[] copy(c)\n}\n";
  const std::string fused =
      "f {\n x = f32[2] parameter(0)\n ROOT s = f32[2] negate(x)\n}\n"
      "ENTRY e {\n p = f32[2] parameter(0)\n ROOT r = f32[2] fusion(p), kind=kLoop, calls=f\n}\n";
  const std::string start =
      "w {\n x = f32[2] parameter(0)\n ROOT s = f32[2] negate(x)\n}\n"
      "ENTRY e {\n p = f32[2] parameter(0)\n s = ((f32[2]), f32[2], s32[]) async-start(p), calls=w\n"
      " ROOT r = f32[2] async-done(s)\n}\n";
  const std::string pair =
      "ENTRY e {\n p = f32[2] parameter(0)\n s = (f32[2], f32[2], u32[]) copy-start(p)\n d = f32[2] copy-done(s)\n"
      " ROOT r = f32[2] copy(p)\n}\n";
  const std::string send =
      "ENTRY e {\n p = f32[2] parameter(0)\n t = token[] after-all()\n"
      " s = (f32[2], u32[], token[]) send(p, t), channel_id=2, is_host_transfer=true\n"
      " ROOT d = token[] send-done(s), channel_id=2, is_host_transfer=true\n}\n";
  const std::string all_reduces = add +
                                  "ENTRY e {\n p = f32[] parameter(0)\n a = f32[] all-reduce(p), to_apply=add\n"
                                  " ROOT b = f32[] all-reduce(a), to_apply=add\n}\n";
  const std::string sharded =
      "HloModule m, num_partitions=2\n\nENTRY e {\n p = f32[2] parameter(0), sharding={devices=[2]0,1}\n"
      " q = f32[2] copy(p)\n ROOT r = f32[2] negate(q)\n}\n";
  const std::string divided =
      "HloModule m, num_partitions=2\n\nENTRY e {\n p = f32[1] parameter(0), sharding={devices=[2]0,1}\n"
      " i = u32[] partition-id()\n ROOT r = (f32[1], u32[]) tuple(p, i)\n}\n";
  const std::string branches =
      "HloModule m, num_partitions=2\n\na {\n ROOT x = f32[4] parameter(0), sharding={replicated}\n}\n"
      "b {\n ROOT x = f32[4] parameter(0), sharding={replicated}\n}\n"
      "ENTRY e {\n i = s32[] parameter(0)\n p = f32[4] parameter(1)\n"
      " ROOT r = f32[4] conditional(i, p, p), branch_computations={a, b}\n}\n";
  const std::string pairs = ", channel_id=1, frontend_attributes={_xla_send_recv_source_target_pairs=\"{{0,1}}\"}\n";
  const std::string transfers =
      "HloModule m, is_scheduled=true\n\nENTRY e {\n p = f32[] parameter(0)\n t = token[] after-all()\n"
      " r = (f32[], u32[], token[]) recv(t)" +
      pairs + " s = (f32[], u32[], token[]) send(p, t)" + pairs +
      " d = (f32[], token[]) recv-done(r), channel_id=1\n f = token[] send-done(s), channel_id=1\n"
      " ROOT z = f32[] constant(0)\n}\n";
  const std::string sent = " s = (f32[], u32[], token[]) send(p, t)" + pairs;
  // Devices that part, where the edit is not of an instruction that communicates.
  const std::string parting =
      "HloModule m, num_partitions=2\n\n" + add +
      "f {\n x = f32[] parameter(0)\n ROOT s = f32[] all-reduce(x), channel_id=1, replica_groups={{0,1}},"
      " use_global_device_ids=true, to_apply=add\n}\ng {\n ROOT x = f32[] parameter(0)\n}\n"
      "ENTRY e {\n p = f32[] parameter(0)\n i = u32[] constant(0)\n n = u32[] constant(0)\n"
      " c = pred[] compare(i, n), direction=EQ\n"
      " ROOT r = f32[] conditional(c, p, p), true_computation=f, false_computation=g\n}\n";
  using S = CheckStage;
  return {
      {S::kShapes, chain, "q = f32[2]", "q = f32[3]"},
      {S::kUnbounded, chain, "p = f32[2]", "p = f32[?]"},
      {S::kOrigins, chain, "negate(p)", "negate(p), origin={({\"a\"}, {\"b\"})}"},
      {S::kStackFrames, chain, "negate(p)", "negate(p), metadata={stack_frame_id=7}"},
      {S::kEntrySignature, "HloModule m, entry_computation_layout={(f32[2]{0})->f32[2]{0}}\n\n" + chain, "p = f32[2]",
       "p = f32[3]"},
      {S::kEntrySignature, "HloModule m, input_output_alias={ {}: (7, {}) }\n\n" + chain, "negate(p)",
       "negate(nothing)"},
      {S::kCallers, add + called + caller, "call(p)", "map(p), dimensions={}"},
      {S::kFusions, fused, " ROOT s =", " dead = f32[2] copy(x)\n ROOT s ="},
      // The operation of a caller alone changes.
      {S::kFusions,
       "w {\n u = f32[2] constant(1)\n" + start.substr(4),
       "async-start(p)",
       "fusion(p), kind=kLoop",
       {},
       /*is_update=*/false},
      {S::kCustomCallBuffers, chain, "negate(p)", "custom-call(p), custom_call_target=\"Pin\""},
      {S::kBuffers, chain, "q = f32[2] negate(p)", "q = b(f32[2]) negate(p)"},
      {S::kCustomCalls, chain, "negate(p)", "custom-call(p), custom_call_target=\"x\"", WithoutCustomCalls()},
      {S::kAsyncPairs, pair, " d = f32[2] copy-done(s)\n", ""},
      {S::kAsyncBodies, start, " ROOT s = f32[2] negate(x)", " n = f32[2] negate(x)\n ROOT s = f32[2] negate(n)"},
      {S::kHostTransfers, send, "send-done(s), channel_id=2", "send-done(s), channel_id=3"},
      {S::kCollectives, all_reduces, "all-reduce(a)", "all-reduce(a), constrain_layout=true"},
      {S::kShardings, sharded, "{devices=[2]0,1}", "{devices=[3]0,1,2}"},
      {S::kShardings, divided, "u32[] partition-id()", "u32[] constant(0)"},
      {S::kShardingAgreement, branches, "a {\n ROOT x = f32[4] parameter(0), sharding={replicated}",
       "a {\n ROOT x = f32[4] parameter(0), sharding={devices=[2]0,1}"},
      {S::kSchedule, chain, "negate(p)", "negate(p), metadata={scheduling_name=\"other\"}",
       With(&VerifyOptions::check_renamed)},
      {S::kTransferOrder, transfers, sent, " s = (f32[], u32[], token[]) tuple(p, t)\n",
       With(&VerifyOptions::check_deadlocks)},
      {S::kCollectiveOrder, parting, "i = u32[] constant(0)", "i = u32[] partition-id()"},
      {S::kLayouts, chain, "q = f32[2]", "q = f32[2]{1}"},
      {S::kMemorySpaces, chain, "q = f32[2]", "q = f32[2]{0:S(5)}", With(&VerifyOptions::check_host_memory)},
      {S::kDeadCode, chain, "copy(q)", "copy(p)"},
      {S::kUncalled, add + called + caller, "call(p), to_apply=f", "negate(p)"},
  };
}

std::shared_ptr<const Document> Replaced(const Document& document, const std::string& from, const std::string& to) {
  const size_t at = document.source().text().find(from);
  EXPECT_NE(at, absl::string_view::npos) << from;
  if (at == absl::string_view::npos) return nullptr;
  return document.WithEdit({{{static_cast<uint32_t>(at), static_cast<uint32_t>(at + from.size())}, to}});
}

// A check whose row says too little, or that no edit here makes report, fails.
TEST(CheckTable, AnEditFindsTheDiagnosticsOfEveryCheckAgain) {
  std::set<CheckStage> seen;
  for (const EditOfCheck& edit : EditsOfChecks()) {
    const int stage = static_cast<int>(edit.stage);
    const DocumentOptions options = {edit.options};
    const auto parse = [&](const Document& like) {
      return Document::Parse(SourceText::FromString("t", std::string(like.source().text())), options);
    };
    const auto before = Document::Parse(SourceText::FromString("t", edit.text), options);
    const auto after = Replaced(*before, edit.from, edit.to);
    ASSERT_NE(after, nullptr);
    EXPECT_EQ(after->is_update(), edit.is_update) << stage << " " << edit.to;
    EXPECT_EQ(DocumentDifference(*after, *parse(*after), 10, 1), "") << stage << " " << edit.to;
    EXPECT_NE(CountOf(edit.stage, *before), CountOf(edit.stage, *after)) << stage << " " << edit.to;
    const auto back = edit.to.empty() ? after->WithEdit({{{0, after->source().size()}, edit.text}})
                                      : Replaced(*after, edit.to, edit.from);
    ASSERT_NE(back, nullptr);
    EXPECT_EQ(DocumentDifference(*back, *before, 10, 1), "") << stage << " " << edit.from;
    seen.insert(edit.stage);
  }
  for (const Check& check : Checks()) {
    EXPECT_EQ(seen.count(check.stage), check.looks_at == 0 ? 0u : 1u) << static_cast<int>(check.stage);
  }
}

// --- Rows of checks that there are not ---

class MadeUpChecks : public testing::Test {
 protected:
  MadeUpChecks()
      : document_(ReadDocument("f {\n x = f32[2] parameter(0)\n ROOT y = f32[2] negate(x)\n}\n"
                               "ENTRY e {\n p = f32[2] parameter(0)\n q = f32[2] copy(p)\n"
                               " c = f32[2] call(q), to_apply=f\n ROOT r = f32[2] negate(c)\n}\n")) {}

  // Instructions in the order of the text: x 0, y 1, p 2, q 3, c 4, r 5; computations f 0, e 1.
  VerifyScope Scope(const Check& check, const ModuleChange& change) const {
    const ModuleIndex index(document_->module());
    return ScopeOfEdit({&check, 1}, document_->module(), index, options_, change);
  }
  Ids Owners(CheckOwner owner, CheckInputs looks_at, const ModuleChange& change) const {
    return Scope({CheckStage::kLayouts, owner, nullptr, looks_at, 0, nullptr}, change).owners(CheckStage::kLayouts);
  }
  bool Runs(CheckInputs looks_at, const ModuleChange& change, uint8_t traits = 0,
            bool VerifyOptions::*option = nullptr) const {
    return Scope({CheckStage::kBuffers, CheckOwner::kNothing, nullptr, looks_at, traits, option}, change)
        .Includes(CheckStage::kBuffers);
  }

  std::shared_ptr<const Document> document_;
  VerifyOptions options_;
};

TEST_F(MadeUpChecks, OfInstructionsLookAtWhatTheirRowSays) {
  ModuleChange change;
  change.instructions = {3};
  change.uses = {2};
  change.callees = {4};
  change.effects = {5};
  change.computations = {1};
  const CheckOwner owner = CheckOwner::kInstruction;
  EXPECT_EQ(Owners(owner, 0, change), Ids());
  EXPECT_EQ(Owners(owner, kInstructions, change), Ids({3}));
  EXPECT_EQ(Owners(owner, kOperands, change), Ids({4}));  // the user
  EXPECT_EQ(Owners(owner, kUses, change), Ids({2}));
  EXPECT_EQ(Owners(owner, kCallees, change), Ids({4}));
  EXPECT_EQ(Owners(owner, kEffects, change), Ids({5}));
  EXPECT_EQ(Owners(owner, kInstructions | kOperands | kCallees, change), Ids({3, 4}));  // each once
  EXPECT_EQ(Owners(owner, kWorkDivision, change), Ids());
  change.inputs = kWorkDivision;
  EXPECT_EQ(Owners(owner, kWorkDivision, change), Ids({0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(Owners(owner, kInstructions, change), Ids({3}));
  // Those of the computations that are called, or called by other instructions.
  EXPECT_EQ(Owners(owner, kCallers, change), Ids({0, 1}));  // q is an operand of their caller
  change.instructions = {5};
  EXPECT_EQ(Owners(owner, kCallers, change), Ids());
  change.inputs = kCallers;
  EXPECT_EQ(Owners(owner, kCallers, change), Ids({0, 1, 2, 3, 4, 5}));
}

TEST_F(MadeUpChecks, OfComputationsLookAtWhatTheirRowSays) {
  ModuleChange change;
  change.instructions = {3};
  change.effects = {1};
  change.computations = {1};
  const CheckOwner owner = CheckOwner::kComputation;
  EXPECT_EQ(Owners(owner, kInstructions, change), Ids({1}));
  EXPECT_EQ(Owners(owner, kCallers, change), Ids({0}));  // q is an operand of its caller
  EXPECT_EQ(Owners(owner, kEffects, change), Ids({0}));
  change.instructions = {5};
  EXPECT_EQ(Owners(owner, kCallers, change), Ids());
  change.inputs = kCallers;
  EXPECT_EQ(Owners(owner, kCallers, change), Ids({0, 1}));
}

TEST_F(MadeUpChecks, OfTheModuleRunIfWhatTheyLookAtChanged) {
  ModuleChange change;
  change.instructions = {3};
  EXPECT_FALSE(Runs(0, change));
  EXPECT_TRUE(Runs(kInstructions, change));
  for (CheckInputs input : {kCallees, kCallers, kComputationNames, kEffects, kReadability, kEntry}) {
    EXPECT_FALSE(Runs(input, change)) << input;
    change.inputs = input;
    EXPECT_TRUE(Runs(input, change)) << input;
    change.inputs = static_cast<CheckInputs>(~input);
    EXPECT_FALSE(Runs(input, change)) << input;
    change.inputs = 0;
  }
  // Instructions of a kind, and the neighbours of such.
  EXPECT_FALSE(Runs(kInstructions | kUses, change, kTransferTrait));
  change.module_traits = kTransferTrait;
  EXPECT_FALSE(Runs(kInstructions, change, kTransferTrait));
  EXPECT_TRUE(Runs(kInstructions | kUses, change, kTransferTrait));
  change.edited_traits = kTransferTrait;
  EXPECT_TRUE(Runs(kInstructions, change, kTransferTrait));
  // An option.
  EXPECT_FALSE(Runs(kInstructions, change, 0, &VerifyOptions::check_renamed));
  options_.check_renamed = true;
  EXPECT_TRUE(Runs(kInstructions, change, 0, &VerifyOptions::check_renamed));
}

TEST_F(MadeUpChecks, MakeTouchedDiagnosticsAgain) {
  ModuleChange change;
  change.touched = {{CheckStage::kLayouts, 1}, {CheckStage::kLayouts, 1}, {CheckStage::kShapes, 0}};
  EXPECT_EQ(Owners(CheckOwner::kInstruction, kInstructions, change), Ids({1}));
  EXPECT_FALSE(Runs(0, change));
  change.touched = {{CheckStage::kBuffers}};
  EXPECT_TRUE(Runs(0, change));
}

}  // namespace
}  // namespace hloscope
