// SPDX-License-Identifier: Apache-2.0
// From events to instructions, sums and limits.
#include <ctime>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "insight/profile/analysis.h"
#include "insight/profile/devices.h"
#include "interop/files/write_file.h"
#include "interop/proto/xplane.pb.h"
#include "tests/support/processor_time.h"
#include "tests/support/shared_files.h"

namespace hloscope::insight {
namespace {

using ::testing::HasSubstr;

constexpr char kProgram[] = R"(HloModule jit_f, is_scheduled=true
plus { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }
ENTRY e {
  p = f32[1000,1000] parameter(0)
  dot.1 = f32[1000,1000] dot(p, p), lhs_contracting_dims={1}, rhs_contracting_dims={0}, metadata={op_name="jit(f)/layer/dot" source_file="m.py" source_line=3}
  ar = f32[1000,1000] all-reduce(dot.1), replica_groups={}, to_apply=plus
  ROOT neg-2 = f32[1000,1000] negate(ar), metadata={op_name="jit(f)/neg"}
}
)";

class SpaceBuilder {
 public:
  SpaceBuilder() {
    interop::proto::XPlane* plane = space_.add_planes();
    plane->set_name("/host:metadata");
    (*plane->mutable_stat_metadata())[1].set_name("Hlo Proto");
    Program(15);
  }
  void Program(int64_t id) {
    const auto document = Document::Parse(SourceText::FromString("m", kProgram));
    auto& program = (*space_.mutable_planes(0)->mutable_event_metadata())[id];
    program.set_id(id);
    program.set_name(absl::StrCat("jit_f(", id, ")"));
    program.add_stats()->set_metadata_id(1);
    program.mutable_stats(0)->set_bytes_value(*interop::EncodeModule(document->module(), interop::OutputForm::kProto));
  }
  interop::proto::XPlane* Plane(const std::string& name) {
    interop::proto::XPlane* plane = space_.add_planes();
    plane->set_name(name);
    int64_t id = 0;
    for (const char* stat : {"hlo_op", "program_id", "correlation_id", "device_id", "hlo_module"}) {
      (*plane->mutable_stat_metadata())[++id].set_name(stat);
    }
    return plane;
  }
  static interop::proto::XLine* Line(interop::proto::XPlane* plane, const std::string& name) {
    interop::proto::XLine* line = plane->add_lines();
    line->set_name(name);
    return line;
  }
  static interop::proto::XEvent* Event(interop::proto::XPlane* plane, interop::proto::XLine* line,
                                       const std::string& kernel, int64_t begin, int64_t duration,
                                       const std::string& op = "", int64_t program = 15, int64_t correlation = -1) {
    int64_t kind = 1;
    auto& kinds = *plane->mutable_event_metadata();
    while (kinds.count(kind) > 0 && kinds[kind].name() != kernel) ++kind;
    kinds[kind].set_name(kernel);
    interop::proto::XEvent* event = line->add_events();
    event->set_metadata_id(kind);
    event->set_offset_ps(begin);
    event->set_duration_ps(duration);
    if (!op.empty()) {
      event->add_stats()->set_metadata_id(1);
      event->mutable_stats(0)->set_str_value(op);
      event->add_stats()->set_metadata_id(2);
      event->mutable_stats(1)->set_int64_value(program);
    }
    if (correlation >= 0) {
      interop::proto::XStat* stat = event->add_stats();
      stat->set_metadata_id(3);
      stat->set_int64_value(correlation);
    }
    return event;
  }
  ProfileAnalysis Analyse(ProfileOptions options = {}) const {
    auto profile = interop::ReadProfile(std::make_shared<const std::string>(space_.SerializeAsString()));
    EXPECT_TRUE(profile.ok()) << profile.status();
    auto analysis = ProfileAnalysis::Of(std::make_shared<const interop::Profile>(*std::move(profile)), options);
    EXPECT_TRUE(analysis.ok()) << analysis.status();
    return *std::move(analysis);
  }

 private:
  interop::proto::XSpace space_;
};

const InstructionTime* RowOf(const ProfileAnalysis& profile, absl::string_view name) {
  for (const InstructionTime& row : profile.instructions()) {
    if (profile.NameOf(row) == name) return &row;
  }
  return nullptr;
}

// Each event refers to its name, which may be longer than all of them.
TEST(ProfileAnalysisTest, LongNamesOfManyEventsTakeNoTime) {
  SpaceBuilder b;
  interop::proto::XPlane* gpu = b.Plane("/device:GPU:0");
  interop::proto::XLine* stream = b.Line(gpu, "Stream #1(Kernel)");
  const std::string name(size_t{1} << 20, 'k');
  b.Event(gpu, stream, name, 0, 1);
  constexpr int kEvents = 50000;
  for (int i = 1; i < kEvents; ++i) {
    interop::proto::XEvent* event = stream->add_events();
    event->set_metadata_id(1);
    event->set_offset_ps(i);
    event->set_duration_ps(1);
  }
  const double before = ProcessorSeconds();
  const ProfileAnalysis profile = b.Analyse();
  EXPECT_LE(ProcessorSeconds() - before, 1.5);
  ASSERT_EQ(profile.unattributed().size(), 1);
  EXPECT_EQ(profile.unattributed()[0].occurrences, kEvents);
  EXPECT_LE(profile.unattributed()[0].name.size(), 1000);
}

TEST(ProfileAnalysisTest, ExactNamesGuessesAndTheRest) {
  SpaceBuilder b;
  interop::proto::XPlane* gpu = b.Plane("/device:GPU:0");
  interop::proto::XLine* stream = b.Line(gpu, "Stream #1(Kernel)");
  b.Event(gpu, stream, "gemm", 0, 100, "dot.1");
  b.Event(gpu, stream, "split", 100, 10, "outer::dot.1");
  b.Event(gpu, stream, "gemm", 200, 100, "dot.1");
  b.Event(gpu, stream, "split", 300, 10, "dot.1");
  b.Event(gpu, stream, "neg_2", 400, 20, "neg_2");      // a name that a code generator changed
  b.Event(gpu, stream, "memcpy", 500, 30);              // no annotation
  b.Event(gpu, stream, "late", 600, 40, "", 15, 77);    // by its launch
  b.Event(gpu, stream, "other", 700, 50, "dot.1", 99);  // a program that is not there
  b.Event(gpu, stream, "gone", 800, 60, "fusion.9");    // no such instruction
  interop::proto::XLine* derived = b.Line(gpu, "XLA Ops");
  b.Event(gpu, derived, "dot.1", 0, 310, "dot.1");  // counts not again
  interop::proto::XPlane* host = b.Plane("/host:CPU");
  interop::proto::XLine* thread = b.Line(host, "Host Threads/1");
  interop::proto::XEvent* launch = b.Event(host, thread, "cuLaunchKernel", 5, 7, "neg-2", 15, 77);
  launch->add_stats()->set_metadata_id(4);
  const ProfileAnalysis profile = b.Analyse();
  EXPECT_EQ(profile.events(), 9);
  EXPECT_EQ(profile.attributed(), 6);
  EXPECT_EQ(profile.guessed(), 2);
  const InstructionTime* dot = RowOf(profile, "dot.1");
  ASSERT_NE(dot, nullptr);
  EXPECT_EQ(dot->occurrences, 4);
  EXPECT_EQ(dot->executions, 2);
  EXPECT_EQ(dot->total_ps, 220);
  EXPECT_EQ(dot->flops, 2'000'000'000);
  EXPECT_EQ(RowOf(profile, "neg-2")->total_ps, 60);
  ASSERT_EQ(profile.unattributed().size(), 3u);
  EXPECT_EQ(profile.unattributed()[0].total_ps, 60);
  EXPECT_THAT(profile.unattributed()[0].reason, HasSubstr("no instruction of that name"));
  EXPECT_THAT(profile.unattributed()[1].reason, HasSubstr("no program of that id"));
  EXPECT_THAT(profile.unattributed()[2].reason, HasSubstr("no annotation"));
  EXPECT_EQ(profile.BySourceLine()[0].name, "m.py:3");
  EXPECT_EQ(profile.ByScope()[0].name, "jit(f)/layer");
  EXPECT_EQ(profile.ByOpcode()[0].name, "dot");
}

// A CUDA graph is launched by a command buffer, which is no instruction: its kernels have the names of theirs.
TEST(ProfileAnalysisTest, KernelsOfCommandBuffers) {
  SpaceBuilder b;
  interop::proto::XPlane* gpu = b.Plane("/device:GPU:0");
  interop::proto::XLine* stream = b.Line(gpu, "Stream #1(Compute)");
  b.Event(gpu, stream, "dot_1", 0, 100, "command_buffer_2");
  b.Event(gpu, stream, "neg_2", 100, 10, "command_buffer_2");
  b.Event(gpu, stream, "memcpy32_post", 200, 5, "command_buffer_2");
  b.Event(gpu, stream, "MemcpyH2D", 300, 7);
  const ProfileAnalysis profile = b.Analyse();
  EXPECT_EQ(profile.attributed(), 2);
  EXPECT_EQ(profile.guessed(), 2);
  EXPECT_EQ(RowOf(profile, "dot.1")->total_ps, 100);
  EXPECT_EQ(RowOf(profile, "neg-2")->total_ps, 10);
  ASSERT_EQ(profile.unattributed().size(), 2u);
  EXPECT_THAT(profile.unattributed()[0].reason, HasSubstr("no program starts"));
  EXPECT_THAT(profile.unattributed()[1].reason, HasSubstr("command buffer"));
}

TEST(ProfileAnalysisTest, ScopesByNumbersAreNoProblem) {
  SpaceBuilder b;
  interop::proto::XPlane* scopes = b.Plane("/host:__ScopeRangeCallStack__");
  scopes->add_stats()->set_metadata_id(281474976710657);
  interop::proto::XPlane* gpu = b.Plane("/device:GPU:0");
  b.Event(gpu, b.Line(gpu, "Stream #1(Compute)"), "dot_1", 0, 100, "dot.1");
  const ProfileAnalysis profile = b.Analyse();
  EXPECT_EQ(profile.attributed(), 1);
  EXPECT_TRUE(profile.profile().problems.empty());
}

TEST(ProfileAnalysisTest, EventsInsideOfOthersCountOnce) {
  SpaceBuilder b;
  interop::proto::XPlane* tpu = b.Plane("/device:TPU:0");
  interop::proto::XLine* ops = b.Line(tpu, "XLA Ops");
  b.Event(tpu, ops, "outer", 0, 100, "dot.1");
  b.Event(tpu, ops, "inner", 10, 30, "neg-2");
  const ProfileAnalysis profile = b.Analyse();
  EXPECT_EQ(profile.total_ps(), 100);
  EXPECT_EQ(RowOf(profile, "dot.1")->self_ps, 70);
  EXPECT_EQ(RowOf(profile, "dot.1")->total_ps, 100);
}

TEST(ProfileAnalysisTest, LimitsAndExposedCommunication) {
  SpaceBuilder b;
  interop::proto::XPlane* gpu = b.Plane("/device:GPU:0");
  interop::proto::XLine* compute = b.Line(gpu, "Stream #1(Kernel)");
  interop::proto::XLine* collective = b.Line(gpu, "Stream #2(Kernel)");
  b.Event(gpu, compute, "gemm", 0, 400'000'000, "dot.1");
  b.Event(gpu, collective, "nccl", 300'000'000, 300'000'000, "ar");
  b.Event(gpu, compute, "neg", 600'000'000, 10'000'000, "neg-2");
  ProfileOptions options;
  ASSERT_TRUE(options.devices.Add("toy bandwidth=1000 f32=10", "table").ok());
  options.device = "TOY";
  const ProfileAnalysis profile = b.Analyse(options);
  // 2 GFLOP at 10 TFLOP/s.
  const InstructionTime* dot = RowOf(profile, "dot.1");
  EXPECT_DOUBLE_EQ(dot->limit_ps, 200'000'000);
  EXPECT_DOUBLE_EQ(dot->gain_ps, 200'000'000);
  EXPECT_EQ(dot->limit, TimeLimit::kCompute);
  // 8 MB at 1000 GB/s.
  EXPECT_EQ(RowOf(profile, "neg-2")->limit, TimeLimit::kMemory);
  EXPECT_DOUBLE_EQ(RowOf(profile, "neg-2")->limit_ps, 8'000'000);
  EXPECT_EQ(RowOf(profile, "ar")->exposed_ps, 200'000'000);
  EXPECT_EQ(RowOf(profile, "ar")->limit, TimeLimit::kCommunication);
  options.device = "none";
  auto file = interop::ReadProfile(profile.profile().bytes);
  EXPECT_FALSE(ProfileAnalysis::Of(std::make_shared<const interop::Profile>(*std::move(file)), options).ok());
}

// Each of very many collectives overlaps all of very much computation.
TEST(ProfileAnalysisTest, ExposedTimeOfVeryManyOverlaps) {
  constexpr int64_t kEvents = 30000;
  SpaceBuilder b;
  interop::proto::XPlane* gpu = b.Plane("/device:GPU:0");
  interop::proto::XLine *compute = b.Line(gpu, "Stream #1(Kernel)"), *ring = b.Line(gpu, "Stream #2(Kernel)");
  for (int64_t i = 0; i < kEvents; ++i) {
    b.Event(gpu, compute, "gemm", 10 * i, 4, "dot.1");
    b.Event(gpu, ring, "nccl", 0, 10 * kEvents + 7, "ar");
  }
  const std::clock_t start = std::clock();
  const ProfileAnalysis profile = b.Analyse();
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 3);
  ASSERT_NE(RowOf(profile, "ar"), nullptr);
  EXPECT_EQ(RowOf(profile, "ar")->exposed_ps, kEvents * (6 * kEvents + 7));
}

TEST(ProfileAnalysisTest, TheTableOfDevices) {
  const DeviceTable table = DeviceTable::Shipped();
  ASSERT_NE(table.Find("h100"), nullptr);
  EXPECT_GT(table.Find("TPU-v6e")->FlopsOf(ElementType::kBF16), 9e14);
  DeviceTable own;
  EXPECT_FALSE(own.Add("x speed=3", "t").ok());
  EXPECT_FALSE(own.Add("x f32=fast", "t").ok());
  EXPECT_EQ(own.Add("# nothing\nx f32=nan", "t.txt").message().substr(0, 8), "t.txt:2:");
  interop::ProfilePlane plane;
  plane.facts = {{"device_vendor", "AMD"}, {"core_count", "304"}, {"memory_size", "206141652992"}};
  EXPECT_EQ(table.Of(plane).name, "MI300X");
  plane.facts = {{"device_vendor", "Nvidia"}, {"core_count", "132"}, {"memory_size", "150000000000"}};
  EXPECT_EQ(table.Of(plane).name, "H200");
  plane.facts = {{"device_vendor", "none"}, {"memory_bandwidth", "5e11"}};
  EXPECT_EQ(table.Of(plane).bytes_per_second, 5e11);
}

TEST(ProfileAnalysisTest, TwoProfiles) {
  SpaceBuilder before, after;
  for (SpaceBuilder* b : {&before, &after}) {
    interop::proto::XPlane* gpu = b->Plane("/device:GPU:0");
    interop::proto::XLine* stream = b->Line(gpu, "Stream #1(Kernel)");
    b->Event(gpu, stream, "gemm", 0, b == &before ? 100 : 300, "dot.1");
    if (b == &after) b->Event(gpu, stream, "neg", 500, 20, "neg-2");
  }
  const auto rows = CompareProfiles(before.Analyse(), after.Analyse());
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].name, "dot.1");
  EXPECT_EQ(rows[0].before_ps, 100);
  EXPECT_EQ(rows[0].after_ps, 300);
  EXPECT_EQ(rows[1].before_ps, 0);
}

TEST(ProfileAnalysisTest, TwoProfilesOfProgramsWithOneName) {
  SpaceBuilder before, after;
  for (SpaceBuilder* b : {&before, &after}) {
    b->Program(16);
    interop::proto::XPlane* gpu = b->Plane("/device:GPU:0");
    interop::proto::XLine* stream = b->Line(gpu, "Stream #1(Kernel)");
    b->Event(gpu, stream, "gemm", 0, b == &before ? 100 : 300, "dot.1");
    b->Event(gpu, stream, "gemm", 1000, b == &before ? 200 : 500, "dot.1", 16);
  }
  const auto rows = CompareProfiles(before.Analyse(), after.Analyse());
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].before_total_ps, 300);
  EXPECT_EQ(rows[0].after_total_ps, 800);
  // One run, whichever program it belongs to.
  EXPECT_EQ(rows[0].before_ps, 150);
  EXPECT_EQ(rows[0].after_ps, 400);
}

TEST(ProfileAnalysisTest, ARealProfile) {
  SKIP_WITHOUT_SHARED_FILES();
  auto file = interop::ReadProfile(
      std::make_shared<const std::string>(ReadFileOrDie(absl::StrCat(SharedDirectory(), "/interop/legacy.xplane.pb"))));
  ASSERT_TRUE(file.ok());
  ProfileOptions options;
  options.devices = DeviceTable::Shipped();
  const auto profile = ProfileAnalysis::Of(std::make_shared<const interop::Profile>(*std::move(file)), options);
  ASSERT_TRUE(profile.ok());
  EXPECT_EQ(profile->events(), 78);
  EXPECT_EQ(profile->attributed(), 25);
  EXPECT_EQ(profile->guessed(), 0);
  EXPECT_EQ(profile->device().name, "MI300X");
  const InstructionTime* conv = RowOf(*profile, "cudnn-conv.1.0");
  ASSERT_NE(conv, nullptr);
  EXPECT_EQ(conv->occurrences, 10);
  EXPECT_EQ(conv->executions, 5);
  EXPECT_GT(conv->flops, 0);
  for (const auto& program : profile->programs()) EXPECT_EQ(program->problem(), "") << program->name();
}

}  // namespace
}  // namespace hloscope::insight
