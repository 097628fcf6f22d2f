// SPDX-License-Identifier: Apache-2.0
// Device groups, and collectives as functions of what the members of a group contribute
// (docs/ops/control.md 4).
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "evaluator/devices/device_groups.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/kernel_test_support.h"
#include "tests/support/module_evaluation.h"
#include "tests/support/session_test_support.h"

namespace hloscope::evaluator {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Groups = std::vector<std::vector<int64_t>>;

// A module around one collective, on s32 parameters a, b, ... of the given shapes.
std::shared_ptr<const Module> CollectiveModule(const std::vector<std::string>& parameters,
                                               const std::string& instruction, int replicas, int partitions) {
  std::string text =
      absl::StrCat("HloModule m, replica_count=", replicas, ", num_partitions=", partitions,
                   "\nadd {\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n  ROOT r = s32[] add(a, b)\n}\n"
                   "ENTRY e {\n");
  for (size_t k = 0; k < parameters.size(); ++k) {
    absl::StrAppend(&text, "  ", std::string(1, static_cast<char>('a' + k)), " = ", parameters[k], " parameter(", k,
                    ")\n");
  }
  return ModuleFromText(absl::StrCat(text, "  ROOT r = ", instruction, "\n}\n"));
}

Groups GroupsOf(const std::string& attributes, DeviceGrid grid) {
  const std::shared_ptr<const Module> module =
      CollectiveModule({"s32[2]"}, absl::StrCat("s32[2] all-reduce(a), to_apply=add", attributes),
                       static_cast<int>(grid.replicas), static_cast<int>(grid.partitions));
  if (module == nullptr) return {};
  return *DeviceGroups(*module, module->computation(module->entry()).root, grid);
}

TEST(DeviceGroupsTest, FollowTheModes) {
  const DeviceGrid grid = {4, 2};
  EXPECT_THAT(GroupsOf(", replica_groups={{0,1},{2,3}}", grid),
              ElementsAre(ElementsAre(0, 2), ElementsAre(1, 3), ElementsAre(4, 6), ElementsAre(5, 7)));
  EXPECT_THAT(GroupsOf(", channel_id=1, replica_groups={{1,0},{2,3}}", grid),
              ElementsAre(ElementsAre(2, 3, 0, 1), ElementsAre(4, 5, 6, 7)));
  EXPECT_THAT(GroupsOf(", channel_id=1, use_global_device_ids=true, replica_groups={{0,5},{4,1},{2,3},{6,7}}", grid),
              ElementsAre(ElementsAre(0, 5), ElementsAre(4, 1), ElementsAre(2, 3), ElementsAre(6, 7)));
  EXPECT_THAT(GroupsOf("", {3, 1}), ElementsAre(ElementsAre(0, 1, 2)));
}

// One device of a grid.
class DeviceRuntime : public SerialRuntime {
 public:
  DeviceRuntime(DeviceGrid grid, int64_t device, DeviceExchange& exchange)
      : grid_(grid), device_(device), link_(exchange, device) {}

  int64_t replica_id() const override { return device_ / grid_.partitions; }
  int64_t partition_id() const override { return device_ % grid_.partitions; }
  DeviceGrid grid() const override { return grid_; }
  DeviceLink* link() override { return &link_; }

 private:
  const DeviceGrid grid_;
  const int64_t device_;
  DeviceLink link_;
};

// Evaluates the root on every device and compares.
void CheckCollective(const std::vector<std::string>& parameters, const std::string& instruction, DeviceGrid grid,
                     const std::vector<std::vector<std::string>>& operands, const std::vector<std::string>& expected) {
  SCOPED_TRACE(instruction);
  const std::shared_ptr<const Module> module =
      CollectiveModule(parameters, instruction, static_cast<int>(grid.replicas), static_cast<int>(grid.partitions));
  ASSERT_NE(module, nullptr);
  const InstructionId root = module->computation(module->entry()).root;
  std::map<int64_t, std::vector<Value>> values;
  for (size_t device = 0; device < operands.size(); ++device) {
    for (size_t k = 0; k < parameters.size(); ++k) {
      const Shape& shape = module->shape(module->operand(root, k));
      values[static_cast<int64_t>(device)].push_back(*ValueFromText(shape, operands[device][k]));
    }
  }
  // In the first round devices post, and those that need later ones wait; in the second all is there.
  DeviceExchange exchange;
  std::vector<std::unique_ptr<DeviceRuntime>> runtimes;
  std::vector<absl::StatusOr<Value>> results;
  for (size_t device = 0; device < operands.size(); ++device) {
    runtimes.push_back(std::make_unique<DeviceRuntime>(grid, static_cast<int64_t>(device), exchange));
    results.push_back(
        EvaluateInstruction(KernelContext{*module, root, values[static_cast<int64_t>(device)], *runtimes[device]}));
  }
  for (size_t device = 0; device < operands.size(); ++device) {
    SCOPED_TRACE(device);
    absl::StatusOr<Value>& result = results[device];
    if (absl::IsUnavailable(result.status())) {
      result =
          EvaluateInstruction(KernelContext{*module, root, values[static_cast<int64_t>(device)], *runtimes[device]});
    }
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_TRUE(ValuesAgree(*result, *ValueFromText(module->shape(root), expected[device])));
  }
}

TEST(CollectiveKernelTest, ComputesFromContributionsInRankOrder) {
  CheckCollective({"s32[2,2]"}, "s32[2,4] all-gather(a), dimensions={1}, replica_groups={{1,0}}", {2, 1},
                  {{"{{1, 2}, {3, 4}}"}, {"{{5, 6}, {7, 8}}"}},
                  {"{{5, 6, 1, 2}, {7, 8, 3, 4}}", "{{5, 6, 1, 2}, {7, 8, 3, 4}}"});
  CheckCollective({"s32[]"}, "s32[] all-reduce(a), to_apply=add, replica_groups={{0},{1,2}}", {3, 1},
                  {{"5"}, {"7"}, {"-1"}}, {"5", "6", "6"});
  CheckCollective({"s32[2]"},
                  "s32[1] reduce-scatter(a), to_apply=add, dimensions={0}, channel_id=2, use_global_device_ids=true, "
                  "replica_groups={{2,0},{3,1}}",
                  {1, 4}, {{"{1, 2}"}, {"{3, 4}"}, {"{5, 6}"}, {"{7, 8}"}}, {"{8}", "{12}", "{6}", "{10}"});
  CheckCollective({"s32[4]"}, "s32[4] all-to-all(a), dimensions={0}, replica_groups={{0,1}}", {2, 1},
                  {{"{1, 2, 3, 4}"}, {"{5, 6, 7, 8}"}}, {"{1, 2, 5, 6}", "{3, 4, 7, 8}"});
  CheckCollective({"s32[1]", "s32[1]"}, "(s32[1], s32[1]) all-to-all(a, b), replica_groups={{2,1},{3,0}}", {4, 1},
                  {{"{10}", "{20}"}, {"{11}", "{21}"}, {"{12}", "{22}"}, {"{13}", "{23}"}},
                  {"({23}, {20})", "({22}, {21})", "({12}, {11})", "({13}, {10})"});
  CheckCollective({"s32[2]"}, "s32[2] collective-permute(a), source_target_pairs={{0,1},{1,2}}", {3, 1},
                  {{"{1, 2}"}, {"{3, 4}"}, {"{5, 6}"}}, {"{0, 0}", "{1, 2}", "{3, 4}"});
  CheckCollective({"s32[2]"}, "s32[2] collective-broadcast(a), replica_groups={{2,1}}", {4, 1},
                  {{"{1, 2}"}, {"{3, 4}"}, {"{5, 6}"}, {"{7, 8}"}}, {"{0, 0}", "{5, 6}", "{5, 6}", "{0, 0}"});
  CheckCollective({"s32[2]", "s32[1]"},
                  "s32[2] collective-broadcast(a, b), replica_groups={{2,1,0}}, has_dynamic_root=true", {3, 1},
                  {{"{1, 2}", "{2}"}, {"{3, 4}", "{2}"}, {"{5, 6}", "{2}"}}, {"{1, 2}", "{1, 2}", "{1, 2}"});
  CheckCollective({"s32[3,2]", "s32[4,2]", "s32[2,2]", "s32[2,2]", "s32[2,2]", "s32[2,2]"},
                  "s32[4,2] ragged-all-to-all(a, b, c, d, e, f), replica_groups={{0,1}}, channel_id=1", {1, 2},
                  {{"{{1, 1}, {2, 2}, {3, 3}}", "{{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}}", "{{0, 2}, {1, 0}}",
                    "{{0, 1}, {1, 1}}", "{{0, 3}, {0, 3}}", "{{0, 1}, {1, 0}}"},
                   {"{{7, 7}, {8, 8}, {9, 9}}", "{{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}}", "{{2, 0}, {0, 1}}",
                    "{{1, 0}, {1, 0}}", "{{1, 0}, {2, 0}}", "{{1, 1}, {1, 0}}"}},
                  {"{{-1, -1}, {9, 9}, {-1, -1}, {3, 3}}", "{{2, 2}, {-1, -1}, {7, 7}, {1, 1}}"});
}

TEST(CollectiveKernelTest, OneDeviceIsAGroupOfItsOwn) {
  const std::shared_ptr<const Module> module = ModuleFromText(R"(HloModule m
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}
ENTRY e {
  x = f32[2] parameter(0)
  gs = (f32[2], f32[2]) all-gather-start(x), dimensions={0}, replica_groups={{0}}
  rs = f32[2] all-reduce-start(x), to_apply=add, replica_groups={}
  ps = (f32[2], f32[2], u32[], u32[]) collective-permute-start(x), source_target_pairs={{0,0}}
  gd = f32[2] all-gather-done(gs)
  rd = f32[2] all-reduce-done(rs)
  pd = f32[2] collective-permute-done(ps)
  s = f32[2] reduce-scatter(x), to_apply=add, dimensions={0}
  r = u32[] replica-id()
  ROOT t = (f32[2], f32[2], f32[2], f32[2], u32[]) tuple(gd, rd, pd, s, r)
}
)");
  ASSERT_NE(module, nullptr);
  const Value x = *ValueFromTypedText("f32[2] {1.5, -0.0}");
  const absl::StatusOr<Value> result = EvaluateModule(module, {x});
  ASSERT_TRUE(result.ok()) << result.status();
  for (size_t k = 0; k < 4; ++k) EXPECT_TRUE(result->elements()[k].BitwiseEqual(x)) << k;
}

TEST(CollectiveKernelTest, AModuleForSeveralDevicesIsNotPassedThroughOnOne) {
  const std::shared_ptr<const Module> module = CollectiveModule({"s32[2]"}, "s32[2] all-reduce(a), to_apply=add", 2, 1);
  ASSERT_NE(module, nullptr);
  const InstructionId root = module->computation(module->entry()).root;
  SerialRuntime runtime;
  const std::vector<Value> operands = {*ValueFromTypedText("s32[2] {1, 2}")};
  const absl::StatusOr<Value> result = EvaluateInstruction(KernelContext{*module, root, operands, runtime});
  EXPECT_EQ(result.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(result.status().message()), HasSubstr("2 replicas"));
}

}  // namespace
}  // namespace hloscope::evaluator
