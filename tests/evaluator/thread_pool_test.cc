// SPDX-License-Identifier: Apache-2.0
#include "numerics/parallel/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace hloscope {
namespace {

TEST(ThreadPoolTest, BlocksMakeUpTheLoop) {
  for (const int threads : {1, 2, 3, 7}) {
    numerics::ThreadPool pool(threads);
    for (const int64_t count : {0, 1, 2, 5, 6, 7, 100, 1001}) {
      for (const int64_t grain : {0, 1, 3, 10, 2000}) {
        std::vector<std::atomic<int>> seen(static_cast<size_t>(count));
        pool.ParallelFor(count, grain, [&](int64_t begin, int64_t end) {
          EXPECT_LT(begin, end);
          EXPECT_TRUE(numerics::ThreadPool::IsInsideLoop() || count <= std::max<int64_t>(grain, 1) || threads == 1);
          for (int64_t i = begin; i < end; ++i) ++seen[static_cast<size_t>(i)];
        });
        EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](const auto& times) { return times == 1; }))
            << threads << " threads, " << count << " by " << grain;
      }
    }
  }
}

// Small blocks cost more than they bring: only the last one of a thread's part may be one.
TEST(ThreadPoolTest, FewBlocksAreSmallerThanTheGrain) {
  constexpr int kThreads = 4;
  numerics::ThreadPool pool(kThreads);
  std::atomic<int> smaller = 0;
  pool.ParallelFor(1003, 10, [&](int64_t begin, int64_t end) { smaller += end - begin < 10 ? 1 : 0; });
  EXPECT_LE(smaller, kThreads);
}

// Also where one thread is stuck in the first block of its part.
TEST(ThreadPoolTest, OthersDoWhatIsLeftOfAPart) {
  numerics::ThreadPool pool(2);
  std::mutex mutex;
  std::vector<std::pair<int64_t, std::thread::id>> done;
  const std::thread::id caller = std::this_thread::get_id();
  pool.ParallelFor(1000, 1, [&](int64_t begin, int64_t end) {
    if (begin == 0) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const std::lock_guard<std::mutex> lock(mutex);
    for (int64_t i = begin; i < end; ++i) done.emplace_back(i, std::this_thread::get_id());
  });
  ASSERT_EQ(done.size(), 1000U);
  const auto by_others =
      std::count_if(done.begin(), done.end(), [&](const auto& of) { return of.first < 500 && of.second != caller; });
  EXPECT_GT(by_others, 0);
}

}  // namespace
}  // namespace hloscope
