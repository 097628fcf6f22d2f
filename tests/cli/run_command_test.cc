// SPDX-License-Identifier: Apache-2.0
// `hloscope run` as a process: files in, files out, exit status. Needs the `hloscope` binary beside this one.
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "evaluator/tensor/npy.h"
#include "evaluator/tensor/npz.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/command_line.h"
#include "tests/support/shared_files.h"
#include "tests/support/vector_case.h"

namespace hloscope::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class RunCommandTest : public CommandLineTest {
 protected:
  Outcome Run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "run");
    return RunHloscope(std::move(arguments));
  }
};

constexpr absl::string_view kDouble = "ENTRY e { p = f32[2] parameter(0) ROOT r = f32[2] add(p, p) }\n";

TEST_F(RunCommandTest, PrintsLiterals) {
  const Outcome outcome = Run({Module(kDouble), "--fill=iota", "--print"});
  EXPECT_EQ(outcome.exit_status, 0);
  EXPECT_EQ(outcome.output, "result0 = f32[2] {0, 2}\n");
  EXPECT_EQ(outcome.errors, "");
}

TEST_F(RunCommandTest, ReadsAndWritesFiles) {
  const float values[] = {1.5f, -4};
  const std::string argument = directory_ + "/arg0.npy";
  ASSERT_TRUE(
      evaluator::WriteNpy(argument, *evaluator::Tensor::FromValues<float>(ElementType::kF32, {2}, values)).ok());
  EXPECT_EQ(Run({Module(kDouble), "--arg", "0=" + argument, "--out", Out()}).exit_status, 0);
  EXPECT_EQ(evaluator::ReadNpy(Out() + "/result0.npy")->data_as<float>()[1], -8);
  EXPECT_EQ(Files(Out()), std::vector<std::string>{"result0.npy"});
  Clear(Out());
  EXPECT_EQ(Run({Module(kDouble), "--args-dir", directory_, "--out", Out()}).exit_status, 0);
  EXPECT_EQ(evaluator::ReadNpy(Out() + "/result0.npy")->data_as<float>()[0], 3);
}

TEST_F(RunCommandTest, SavesTheArgumentsOfARun) {
  const std::string module = Module(R"(ENTRY e {
      p = (f32[3], (s32[2])) parameter(0)
      x = f32[3] parameter(1)
      f = f32[3] get-tuple-element(p), index=0
      ROOT s = f32[3] add(f, x)
    })");
  const Outcome saved = Run({module, "--fill=random", "--seed=5", "--save-args", Out(), "--print"});
  EXPECT_EQ(saved.exit_status, 0) << saved.errors;
  EXPECT_THAT(Files(Out()), ::testing::UnorderedElementsAre("arg0.0.npy", "arg0.1.0.npy", "arg1.npy"));
  const Outcome again = Run({module, "--args-dir", Out(), "--print"});
  EXPECT_EQ(again.output, saved.output) << again.errors;
  EXPECT_EQ(Run({module, "--fill=ones", "--save-args", "/none/such"}).exit_status, 1);
}

TEST_F(RunCommandTest, IterationsTakeOneSeedAfterTheOther) {
  const std::string module = Module(kDouble);
  const Outcome outcome = Run({module, "--fill=random", "--seed=3", "--iterations=2", "--print"});
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  const auto alone = [&](const std::string& seed) {
    return Run({module, "--fill=random", "--seed", seed, "--print"}).output;
  };
  EXPECT_NE(alone("3"), alone("4"));
  EXPECT_EQ(outcome.output, absl::StrCat("iteration 0, seed 3\n", alone("3"), "iteration 1, seed 4\n", alone("4")));
  EXPECT_EQ(Run({module, "--fill=random", "--iterations=2", "--out", Out()}).exit_status, 2);
  EXPECT_EQ(Run({module, "--fill=random", "--iterations=0"}).exit_status, 2);
}

TEST_F(RunCommandTest, LeavesOfTupleParameters) {
  const int32_t value[] = {7};
  ASSERT_TRUE(evaluator::WriteNpy(directory_ + "/arg0.1.0.npy",
                                  *evaluator::Tensor::FromValues<int32_t>(ElementType::kS32, {}, value))
                  .ok());
  const Outcome good = Run({Module(R"(ENTRY e {
      p = (f32[], (s32[])) parameter(0)
      inner = (s32[]) get-tuple-element(p), index=1
      f = f32[] get-tuple-element(p), index=0
      ROOT t = (f32[], (s32[])) tuple(f, inner)
    })"),
                            "--print", "--args-dir", directory_, "--fill=ones"});
  EXPECT_EQ(good.output, "result0 = f32[] 1\nresult1 = s32[] 7\n") << good.errors;
}

TEST_F(RunCommandTest, WrongUsage) {
  const std::string module = Module(kDouble);
  EXPECT_EQ(Run({}).exit_status, 2);
  EXPECT_EQ(Run({module, "--fill=seven"}).exit_status, 2);
  EXPECT_EQ(Run({module, "--arg", "zero=x.npy"}).exit_status, 2);
  EXPECT_EQ(Run({module, "--arg", "0"}).exit_status, 2);
  EXPECT_EQ(Run({module, "--seed", "-1"}).exit_status, 2);
  EXPECT_EQ(Run({module, "--no-such-option"}).exit_status, 2);
}

TEST_F(RunCommandTest, BadInput) {
  const std::string module = Module(kDouble);
  EXPECT_EQ(Run({directory_ + "/missing.hlo"}).exit_status, 1);
  const Outcome missing = Run({module, "--out", Out()});
  EXPECT_EQ(missing.exit_status, 1);
  EXPECT_THAT(missing.errors, HasSubstr("parameter 0"));
  EXPECT_TRUE(Files(Out()).empty());
  const Outcome unknown = Run({module, "--fill=ones", "--arg", "1=x.npy"});
  EXPECT_EQ(unknown.exit_status, 1);
  std::ofstream(directory_ + "/bad.npy") << "not an array";
  EXPECT_EQ(Run({module, "--arg", "0=" + directory_ + "/bad.npy"}).exit_status, 1);
  EXPECT_EQ(Run({Module("ENTRY e { ROOT r = f32[2] add(p, p) }")}).exit_status, 1);
}

TEST_F(RunCommandTest, ElidedConstants) {
  const Outcome outcome =
      Run({Module("ENTRY e {\n  weights = f32[3] constant({...})\n  ROOT n = f32[3] negate(weights)\n}\n"), "--out",
           Out()});
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("module.hlo:2:3: error: "));
  EXPECT_THAT(outcome.errors, HasSubstr("weights"));
  EXPECT_TRUE(Files(Out()).empty());
}

TEST_F(RunCommandTest, FillStandsInForElidedConstantsAndSaysSo) {
  const Outcome outcome = Run(
      {Module("ENTRY e {\n  w = f32[3] constant({...})\n  ROOT n = f32[3] negate(w)\n}\n"), "--fill=ones", "--print"});
  EXPECT_EQ(outcome.exit_status, 0);
  EXPECT_THAT(outcome.errors, HasSubstr("module.hlo:2:3: warning: "));
  EXPECT_THAT(outcome.output, HasSubstr("{-1, -1, -1}"));
}

TEST_F(RunCommandTest, Limits) {
  const std::string loop = Module(R"(
    body { x = s32[] parameter(0) one = s32[] constant(1) ROOT y = s32[] add(x, one) }
    cond { x = s32[] parameter(0) ROOT t = pred[] constant(true) }
    ENTRY e { p = s32[] constant(0) ROOT w = s32[] while(p), condition=cond, body=body })");
  EXPECT_EQ(Run({loop, "--step-limit", "1000", "--out", Out()}).exit_status, 3);
  EXPECT_EQ(Run({loop, "--time-limit", "0.1"}).exit_status, 3);
  EXPECT_TRUE(Files(Out()).empty());
  const std::string large = Module("ENTRY e { ROOT i = f32[1000000] iota(), iota_dimension=0 }");
  const Outcome limited = Run({large, "--memory-limit", "1M"});
  EXPECT_EQ(limited.exit_status, 3);
  EXPECT_THAT(limited.errors, HasSubstr("--memory-limit=BYTES raises the limit"));
  EXPECT_EQ(Run({large, "--memory-limit", "8M"}).exit_status, 0);
  EXPECT_EQ(Run({Module("ENTRY e { ROOT i = f32[1000000,1000000,1000] iota(), iota_dimension=0 }")}).exit_status, 3);
}

TEST_F(RunCommandTest, NonFiniteValues) {
  const std::string module =
      Module("ENTRY e {\n  z = f32[] constant(0)\n  q = f32[] divide(z, z)\n  ROOT r = f32[] add(q, z)\n}\n");
  const Outcome warned = Run({module, "--check-nan=warn"});
  EXPECT_EQ(warned.exit_status, 0);
  EXPECT_THAT(warned.errors, HasSubstr("module.hlo:3:3: warning: "));
  const Outcome stopped = Run({module, "--check-nan=break"});
  EXPECT_EQ(stopped.exit_status, 1);
  EXPECT_THAT(stopped.errors, HasSubstr("operand 0"));
  EXPECT_EQ(Run({module}).exit_status, 0);
}

TEST_F(RunCommandTest, ReproducesTheFirstNonFiniteValueAlone) {
  const std::string module = Module(R"(HloModule m
f { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
ENTRY e {
  x = f32[3] iota(), iota_dimension=0
  y = f32[3] multiply(x, x)
  q = f32[3] divide(x, y)
  z = f32[] constant(0)
  ROOT r = f32[] reduce(q, z), dimensions={0}, to_apply=f
})");
  EXPECT_EQ(Run({module, "--reproducer", Out()}).exit_status, 2);
  EXPECT_EQ(Run({module, "--check-nan=break", "--reproducer", Out() + "/none/there"}).exit_status, 1);
  const Outcome outcome = Run({module, "--check-nan=break", "--reproducer", Out()});
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("alone: hloscope run"));
  EXPECT_THAT(Files(Out()), ::testing::UnorderedElementsAre("module.hlo", "arg0.npy", "arg1.npy"));
  const Outcome alone = Run({Out() + "/module.hlo", "--args-dir", Out(), "--print"});
  EXPECT_EQ(alone.exit_status, 0) << alone.errors;
  EXPECT_THAT(alone.output, HasSubstr("f32[3]"));
  EXPECT_THAT(alone.output, HasSubstr("nan, 1, 0.5}"));
}

// docs/ops/control.md 7.7: what a run needs, against what is alive at once.
TEST_F(RunCommandTest, PeakStaysNearTheLivenessBound) {
  SKIP_WITHOUT_SHARED_FILES();
  for (const char* file : {"layer_norm_1x4096x768_bf16.hlo", "mha_block_1x12x128x64_bf16.hlo",
                           "dynamic_slice_loop_1x2048x768_bf16.hlo", "depthwise_conv_3x3_1x256x56x56_bf16.hlo",
                           "argsort_axis_1024x512_bf16.hlo", "dlrm_keras_jax_f32_train_step.hlo"}) {
    const Outcome outcome =
        Run({CorpusFile(absl::StrCat("xla-benchmarks/", file)), "--fill=random", "--stats", "--json"});
    ASSERT_EQ(outcome.exit_status, 0) << outcome.errors;
    const auto number = [&](const std::string& key) {
      const size_t at = outcome.output.find("\"" + key + "\":");
      EXPECT_NE(at, std::string::npos) << key;
      return at == std::string::npos ? 0.0 : std::strtod(outcome.output.c_str() + at + key.size() + 3, nullptr);
    };
    EXPECT_GT(number("lower_bound_bytes"), 1e6) << file;
    EXPECT_LE(number("peak_bytes"), 1.15 * number("lower_bound_bytes")) << file;
  }
}

TEST_F(RunCommandTest, SeveralIndependentDevices) {
  const std::string module = Module(R"(HloModule m, replica_count=2, num_partitions=2
    ENTRY e { r = u32[] replica-id() p = u32[] partition-id() ROOT t = (u32[], u32[]) tuple(r, p) })");
  EXPECT_EQ(Run({module, "--out", Out()}).exit_status, 0);
  EXPECT_EQ(Files(Out()).size(), 8u);
  EXPECT_EQ(evaluator::ReadNpy(Out() + "/result0.r1.p0.npy")->data_as<uint32_t>()[0], 1u);
  EXPECT_EQ(evaluator::ReadNpy(Out() + "/result1.r1.p0.npy")->data_as<uint32_t>()[0], 0u);
}

TEST_F(RunCommandTest, StatisticsAreJson) {
  const Outcome both = Run({Module(kDouble), "--fill=ones", "--print", "--stats", "--json"});
  const auto whole = nlohmann::json::parse(both.output, nullptr, /*allow_exceptions=*/false);
  ASSERT_TRUE(whole.is_object()) << both.output;
  EXPECT_TRUE(whole.contains("seconds"));
  EXPECT_TRUE(whole["results"]["result0"].is_string());
  const Outcome outcome = Run({Module(kDouble), "--fill=ones", "--stats", "--json"});
  EXPECT_EQ(outcome.exit_status, 0);
  EXPECT_THAT(outcome.output, HasSubstr("\"opcode\": \"add\""));
  EXPECT_THAT(outcome.output, HasSubstr("\"peak_bytes\""));
}

TEST_F(RunCommandTest, OutfeedAndInfeedAreFiles) {
  const std::string module = Module(R"(HloModule m, replica_count=2
    ENTRY e {
      t = token[] after-all()
      i = (s32[2], token[]) infeed(t)
      d = s32[2] get-tuple-element(i), index=0
      k = token[] get-tuple-element(i), index=1
      r = u32[] replica-id()
      f = token[] outfeed(d, k), outfeed_shape=s32[2]
      ROOT n = s32[2] negate(d)
    })");
  const std::string feed = Out() + "_feed";
  ASSERT_EQ(mkdir(feed.c_str(), 0777), 0);
  ASSERT_TRUE(evaluator::WriteNpy(feed + "/infeed0.r1.npy",
                                  *evaluator::Tensor::FromValues<int32_t>(ElementType::kS32, {2}, {3, 4}))
                  .ok());
  const Outcome missing = Run({module, "--infeed", feed, "--out", Out()});
  EXPECT_EQ(missing.exit_status, 1);
  EXPECT_THAT(missing.errors, HasSubstr("infeed0.npy"));
  EXPECT_THAT(missing.errors, HasSubstr("on device 0 (r0,p0)"));
  ASSERT_TRUE(evaluator::WriteNpy(feed + "/infeed0.npy",
                                  *evaluator::Tensor::FromValues<int32_t>(ElementType::kS32, {2}, {1, 2}))
                  .ok());
  EXPECT_EQ(Run({module, "--infeed", feed, "--out", Out()}).exit_status, 0);
  EXPECT_EQ(evaluator::ReadNpy(Out() + "/outfeed0.r0.npy")->data_as<int32_t>()[1], 2);
  EXPECT_EQ(evaluator::ReadNpy(Out() + "/outfeed0.r1.npy")->data_as<int32_t>()[1], 4);
  EXPECT_EQ(evaluator::ReadNpy(Out() + "/result0.r1.npy")->data_as<int32_t>()[0], -3);
  EXPECT_EQ(Run({module, "--fill=iota", "--out", Out()}).exit_status, 0);
}

TEST_F(RunCommandTest, ArgumentsAndResultsInArchives) {
  const std::string inputs = Out() + "_inputs.npz", outputs = Out() + "_outputs.npz";
  evaluator::NpzWriter writer(inputs);
  writer.Add("arg0", *evaluator::Tensor::FromValues<float>(ElementType::kF32, {2}, {1.5f, -2}));
  ASSERT_TRUE(writer.Write().ok());
  const std::string module = Module("ENTRY e { p = f32[2] parameter(0) ROOT r = f32[2] add(p, p) }");
  EXPECT_EQ(Run({module, "--args-dir", inputs, "--out", outputs}).exit_status, 0);
  const Shape shape = Shape::Array(ElementType::kF32, {2});
  EXPECT_EQ((*evaluator::NpzReader::Open(outputs))->Read("result0", shape)->data_as<float>()[1], -4);
  EXPECT_EQ(Run({module, "--arg", absl::StrCat("0=", outputs, ":result0"), "--out", outputs}).exit_status, 0);
  EXPECT_EQ((*evaluator::NpzReader::Open(outputs))->Read("result0", shape)->data_as<float>()[0], 6);
  const Outcome absent = Run({module, "--arg", absl::StrCat("0=", outputs, ":result7")});
  EXPECT_EQ(absent.exit_status, 1);
  EXPECT_THAT(absent.errors, HasSubstr("result7.npy"));
}

TEST_F(RunCommandTest, ADeadlockIsExplained) {
  const Outcome outcome = Run({Module(R"(HloModule m, replica_count=2
    add { a = s32[] parameter(0) b = s32[] parameter(1) ROOT c = s32[] add(a, b) }
    talk { x = s32[] parameter(0) ROOT y = s32[] all-reduce(x), to_apply=add, replica_groups={{0,1}} }
    quiet { ROOT x = s32[] parameter(0) }
    ENTRY e {
      r = u32[] replica-id()
      z = u32[] constant(0)
      first = pred[] compare(r, z), direction=EQ
      v = s32[] constant(4)
      ROOT c = s32[] conditional(first, v, v), true_computation=talk, false_computation=quiet
    })")});
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("deadlock"));
  EXPECT_THAT(outcome.errors, HasSubstr("device 0 (r0,p0): waits at talk::y (all-reduce, execution 1)"));
  EXPECT_THAT(outcome.errors, HasSubstr("device 1 (r1,p0): finished"));
}

// Every case once through files and a process.
TEST_F(RunCommandTest, EveryVector) {
  SKIP_WITHOUT_SHARED_FILES();
  for (const std::string& directory : VectorCases()) {
    const absl::StatusOr<VectorCase> c = VectorCase::Load(directory);
    ASSERT_TRUE(c.ok()) << c.status().message();
    Clear(Out());
    const Outcome outcome = Run({c->module_path, "--args-dir", directory, "--out", Out(), "--replicas",
                                 absl::StrCat(c->replica_count), "--partitions", absl::StrCat(c->num_partitions)});
    EXPECT_EQ(outcome.exit_status, 0) << c->name << ": " << outcome.errors;
    const int64_t devices = c->replica_count * c->num_partitions;
    EXPECT_EQ(Files(Out()).size(), c->results.size() * static_cast<size_t>(devices)) << c->name;
    for (int64_t f = 0; f < devices; ++f) {
      for (size_t k = 0; k < c->results.size(); ++k) {
        const std::string path = c->PathOf(absl::StrCat(Out(), "/result", k, ".npy"), f);
        const absl::StatusOr<evaluator::Tensor> actual = evaluator::ReadNpy(path, c->results[k].shape);
        const absl::StatusOr<evaluator::Tensor> expected =
            evaluator::ReadNpy(c->PathOf(c->results[k].path, f), c->results[k].shape);
        ASSERT_TRUE(expected.ok()) << expected.status().message();
        ASSERT_TRUE(actual.ok()) << actual.status().message();
        EXPECT_EQ(CompareTensors(*expected, *actual, c->results[k].rule), "") << c->name << " on device " << f;
      }
    }
  }
}

TEST_F(RunCommandTest, NumbersOfDevices) {
  const std::string replicas = Module("HloModule m\nENTRY e { ROOT r = u32[] replica-id() }\n");
  const Outcome three = RunHloscope({"run", replicas, "--devices=3", "--print"});
  EXPECT_EQ(three.exit_status, 0) << three.errors;
  EXPECT_EQ(three.output, "result0.r0 = u32[] 0\nresult0.r1 = u32[] 1\nresult0.r2 = u32[] 2\n");
  const std::string partitions = Module("HloModule m\nENTRY e { ROOT p = u32[] partition-id() }\n");
  EXPECT_THAT(RunHloscope({"run", partitions, "--devices=4", "--replicas=2", "--print"}).output,
              HasSubstr("result0.r1.p1 = u32[] 1\n"));
  EXPECT_EQ(RunHloscope({"run", partitions, "--devices=3", "--partitions=2"}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"run", partitions, "--devices=0"}).exit_status, 2);
}

// What goes to the host: by channel, in order; channels have names that lead nowhere.
TEST_F(RunCommandTest, SendsToTheHostAreResults) {
  const std::string module = Module(R"(HloModule m
ENTRY e {
  t = token[] after-all()
  x = s32[] constant(7)
  y = s32[] constant(8)
  a = (s32[], u32[], token[]) send(x, t), channel_id=1, is_host_transfer=true
  b = token[] send-done(a), channel_id=1, is_host_transfer=true
  c = (s32[], u32[], token[]) send(y, b), channel_id=1, is_host_transfer=true
  d = token[] send-done(c), channel_id=1, is_host_transfer=true
  f = (s32[], u32[], token[]) send(x, d), channel_id=2, is_host_transfer=true, frontend_attributes={_xla_host_transfer_rendezvous="../up"}
  g = token[] send-done(f), channel_id=2, is_host_transfer=true
  h = (s32[], u32[], token[]) send(y, g), channel_id=3, is_host_transfer=true, frontend_attributes={_xla_host_transfer_rendezvous=".. up"}
  ROOT j = token[] send-done(h), channel_id=3, is_host_transfer=true
})");
  const Outcome outcome = RunHloscope({"run", module, "--print", "--out", Out()});
  EXPECT_EQ(outcome.output, "send1.0 = s32[] 7\nsend1.1 = s32[] 8\nsend___up.0 = s32[] 7\nsend___up.1 = s32[] 8\n")
      << outcome.errors;
  EXPECT_EQ(evaluator::ReadNpy(Out() + "/send1.1.npy")->data_as<int32_t>()[0], 8);
}

// Replicas are those of the header, also where they have nothing to do with each other.
TEST_F(RunCommandTest, ReplicasOfTheHeader) {
  const std::string module =
      Module("HloModule m, replica_count=2, num_partitions=2\nENTRY e { ROOT p = s32[] constant(7) }\n");
  EXPECT_EQ(RunHloscope({"run", module, "--print"}).output, "result0.r0 = s32[] 7\nresult0.r1 = s32[] 7\n");
}

// Where neither the header nor the command line says how many there are.
TEST_F(RunCommandTest, TheCollectivesTellHowManyDevicesThereAre) {
  const std::string module = Module(
      "HloModule m\nadd { a = u32[] parameter(0) b = u32[] parameter(1) ROOT c = u32[] add(a, b) }\n"
      "ENTRY e { r = u32[] replica-id() ROOT a = u32[] all-reduce(r), replica_groups={{0,1},{2,3}}, to_apply=add }\n");
  const Outcome four = RunHloscope({"run", module, "--print"});
  EXPECT_EQ(four.output, "result0.r0 = u32[] 1\nresult0.r1 = u32[] 1\nresult0.r2 = u32[] 5\nresult0.r3 = u32[] 5\n");
  EXPECT_THAT(four.errors, HasSubstr("its collectives need 4 replicas and 1 partition"));
  const Outcome told = RunHloscope({"run", module, "--print", "--replicas=4"});
  EXPECT_EQ(told.output, four.output);
  EXPECT_EQ(told.errors, "");
  EXPECT_THAT(RunHloscope({"debug", module, "--batch"}, "info devices\n").output, HasSubstr("device 3"));
  // More than anybody means to simulate.
  const std::string many = Module(
      "HloModule m\nENTRY e { p = u32[] replica-id() ROOT r = u32[] collective-permute(p), "
      "source_target_pairs={{0,99999}} }\n");
  EXPECT_EQ(RunHloscope({"run", many}).exit_status, 1);
  // Groups that a short text names are counted, not made.
  const std::string groups = Module(
      "HloModule m\nadd { a = u32[] parameter(0) b = u32[] parameter(1) ROOT c = u32[] add(a, b) }\nENTRY e { "
      "r = u32[] replica-id() ROOT a = u32[] all-reduce(r), replica_groups=[60000000,1]<=[60000000], to_apply=add }\n");
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(RunHloscope({"run", groups}).errors, HasSubstr("id 1 in replica_groups"));
  EXPECT_LE(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));  // 26 s when they were made
}

TEST_F(RunCommandTest, ATraceThatIsCutSaysSo) {
  const std::string module = Module(
      "HloModule m\n"
      "cond { s = (s32[], f32[]) parameter(0) i = s32[] get-tuple-element(s), index=0 n = s32[] constant(300000)\n"
      "  ROOT l = pred[] compare(i, n), direction=LT }\n"
      "body { s = (s32[], f32[]) parameter(0) i = s32[] get-tuple-element(s), index=0 one = s32[] constant(1)\n"
      "  j = s32[] add(i, one) x = f32[] get-tuple-element(s), index=1 ROOT t = (s32[], f32[]) tuple(j, x) }\n"
      "ENTRY e { z = s32[] constant(0) p = f32[] parameter(0) init = (s32[], f32[]) tuple(z, p)\n"
      "  w = (s32[], f32[]) while(init), condition=cond, body=body ROOT r = f32[] get-tuple-element(w), index=1 }\n");
  const Outcome cut = RunHloscope({"run", module, "--fill=ones", "--trace=" + directory_ + "/t.xplane.pb"});
  EXPECT_EQ(cut.exit_status, 0);
  EXPECT_THAT(cut.errors, HasSubstr("/t.xplane.pb has the first 1048576 steps of the run; "));
  EXPECT_THAT(cut.errors, HasSubstr(" later ones are left out"));
  // Sums have all.
  const Outcome sums = RunHloscope({"run", module, "--fill=ones", "--trace=" + directory_ + "/t.folded"});
  EXPECT_EQ(sums.exit_status, 0);
  EXPECT_THAT(sums.errors, Not(HasSubstr("left out")));
}

}  // namespace
}  // namespace hloscope::cli
