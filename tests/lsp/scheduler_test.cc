// SPDX-License-Identifier: Apache-2.0
#include "lsp/server/scheduler.h"

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace hloscope::lsp {
namespace {

TEST(SchedulerTest, TasksOfALaneRunInOrderAndNeverTogether) {
  std::vector<int> order;  // unguarded: the lane must order the accesses
  std::promise<void> done;
  Scheduler scheduler(4);
  const auto lane = scheduler.MakeLane();
  for (int i = 0; i < 1000; ++i) lane->Post([&, i] { order.push_back(i); });
  lane->Post([&] { done.set_value(); });
  ASSERT_EQ(done.get_future().wait_for(std::chrono::seconds(30)), std::future_status::ready);
  ASSERT_EQ(order.size(), 1000u);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(order[static_cast<size_t>(i)], i);
}

TEST(SchedulerTest, LanesRunBesideEachOther) {
  Scheduler scheduler(2);
  const auto first = scheduler.MakeLane();
  const auto second = scheduler.MakeLane();
  std::promise<void> release, done;
  first->Post([waits = release.get_future().share()] { waits.wait(); });
  second->Post([&] { done.set_value(); });
  EXPECT_EQ(done.get_future().wait_for(std::chrono::seconds(30)), std::future_status::ready);
  release.set_value();
}

TEST(SchedulerTest, ABusyLaneDoesNotStarveOthers) {
  Scheduler scheduler(1);
  const auto busy = scheduler.MakeLane();
  const auto other = scheduler.MakeLane();
  std::atomic<int> count = 0;
  std::promise<int> seen;
  std::promise<void> start;
  busy->Post([waits = start.get_future().share()] { waits.wait(); });
  for (int i = 0; i < 100; ++i) busy->Post([&] { ++count; });
  other->Post([&] { seen.set_value(count); });
  start.set_value();
  std::future<int> result = seen.get_future();
  ASSERT_EQ(result.wait_for(std::chrono::seconds(30)), std::future_status::ready);
  EXPECT_LT(result.get(), 10);
}

TEST(SchedulerTest, DropsWaitingTasksAtTheEnd) {
  const auto witness = std::make_shared<int>(0);
  std::promise<void> release, started;
  std::atomic<int> ran = 0;
  std::thread releaser;
  {
    Scheduler scheduler(1);
    const auto lane = scheduler.MakeLane();
    lane->Post([&, waits = release.get_future().share()] {
      started.set_value();
      waits.wait();
    });
    for (int i = 0; i < 10; ++i) lane->Post([&, witness, lane] { ++ran; });
    started.get_future().wait();
    releaser = std::thread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));  // the scheduler is stopping by then
      release.set_value();
    });
  }
  releaser.join();
  EXPECT_EQ(ran, 0);
  EXPECT_EQ(witness.use_count(), 1);  // nothing leaked, though the tasks held their own lane
}

}  // namespace
}  // namespace hloscope::lsp
