// SPDX-License-Identifier: Apache-2.0
// Every collective of every element type in every form of groups gives the same bits, however many processes have the
// devices.
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "evaluator/devices/rank_group.h"
#include "evaluator/engine/device_run.h"
#include "evaluator/tensor/fill.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/collective_module.h"
#include "tests/support/rank_threads.h"
#include "tests/support/session_test_support.h"

namespace hloscope::evaluator {
namespace {

constexpr DeviceGrid kGrid{2, 4};

// The bytes of the results of each device that `run` has.
void RunAndTake(DeviceRun& run, const Module& module, std::vector<std::vector<std::string>>* results) {
  const InstructionId parameter = module.computation(module.entry()).parameters[0];
  for (int64_t f : run.local_devices()) {
    const absl::StatusOr<Value> value =
        FillValue(module.shape(parameter), FillKind::kRandom, static_cast<uint64_t>(3 + f), 0);
    ASSERT_TRUE(value.ok()) << value.status();
    ASSERT_TRUE(run.device(f).SetArgument(0, *value).ok());
  }
  ASSERT_EQ(run.Run(), StopReason::kFinished) << run.status();
  for (int64_t f : run.local_devices()) {
    run.device(f).result().ForEachTensor([&](const Tensor& tensor) {
      const absl::StatusOr<Tensor> dense = tensor.Contiguous();
      ASSERT_TRUE(dense.ok());
      (*results)[static_cast<size_t>(f)].emplace_back(reinterpret_cast<const char*>(dense->data()),
                                                      static_cast<size_t>(dense->byte_size()));
    });
  }
}

class CollectiveRanksTest : public ::testing::TestWithParam<ElementType> {};

TEST_P(CollectiveRanksTest, GivesTheBitsOfOneProcess) {
  const std::string text = EveryCollectiveOf(GetParam());
  const std::shared_ptr<const Module> module = ModuleFromText(text);
  ASSERT_NE(module, nullptr) << text;
  SessionOptions options;
  options.threads = 1;
  std::vector<std::vector<std::string>> alone(8);
  const auto run = DeviceRun::Create(module, kGrid, options);
  ASSERT_TRUE(run.ok()) << run.status();
  RunAndTake(**run, *module, &alone);
  EXPECT_GT(alone[0].size(), 60u);
  if (GetParam() != ElementType::kS1) {  // of which all are zeros
    EXPECT_NE(alone[0], alone[7]);
  }
  const std::vector<std::pair<int, std::vector<int>>> assignments = {{1, {0, 0, 0, 0, 0, 0, 0, 0}},
                                                                     {2, {0, 0, 0, 0, 1, 1, 1, 1}},
                                                                     {3, {2, 0, 1, 2, 0, 1, 2, 0}},
                                                                     {4, {0, 1, 2, 3, 3, 2, 1, 0}},
                                                                     {8, {0, 1, 2, 3, 4, 5, 6, 7}}};
  for (const auto& [ranks, rank_of] : assignments) {
    SCOPED_TRACE(absl::StrCat(ranks, " processes"));
    std::vector<std::vector<std::string>> results(8);
    RunRanks(ranks, [&, &of = rank_of](const HloscopeTransport& transport) {
      RankGroup group(transport);
      ASSERT_TRUE(group.Join({}, of).ok());
      const auto part = DeviceRun::Create(ModuleFromText(text), kGrid, options, &group);
      ASSERT_TRUE(part.ok()) << part.status();
      RunAndTake(**part, *module, &results);
      EXPECT_TRUE(group.Close().ok());
    });
    EXPECT_EQ(results, alone);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryType, CollectiveRanksTest, ::testing::ValuesIn(ArrayElementTypes()),
                         [](const auto& type) { return std::string(ElementTypeName(type.param)); });

}  // namespace
}  // namespace hloscope::evaluator
