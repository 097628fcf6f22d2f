// SPDX-License-Identifier: Apache-2.0
// The threads of a session of the evaluator, or of a compiled program.
#ifndef HLOSCOPE_NUMERICS_PARALLEL_THREAD_POOL_H_
#define HLOSCOPE_NUMERICS_PARALLEL_THREAD_POOL_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "numerics/parallel/function_ref.h"

namespace hloscope::numerics {

// One loop at a time, started by one thread, which takes part in it. The other threads start with the first loop that
// is worth sharing; between loops they look for the next one for a moment and then sleep.
class ThreadPool {
 public:
  // 0: one thread for each core.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int thread_count() const { return thread_count_; }
  // True in a body, of any pool.
  static bool IsInsideLoop();

  // Calls `body` for disjoint blocks that make up [0, count), of at least `grain` but for the last one of each thread,
  // and returns when all are done. A loop inside a body runs in its thread alone.
  void ParallelFor(int64_t count, int64_t grain, FunctionRef<void(int64_t begin, int64_t end)> body);

 private:
  struct Loop {
    FunctionRef<void(int64_t, int64_t)> body;
    int64_t grain;
    int64_t parts;
  };
  // Of a loop, one for each thread, which begins with its own: from loop to loop it meets the elements that are in its
  // cache. A line of the cache for each: some processors take microseconds to hand one over.
  struct alignas(64) Part {
    std::atomic<int64_t> next{0};
    int64_t end = 0;
  };

  void Work(int64_t thread);
  // Makes the threads that are missing, and has all run elsewhere than the caller. Requires the mutex.
  void PlaceThreads();
  void RunBlocks(const Loop& loop, int64_t thread);

  const int thread_count_;
  const int looks_;  // before a thread sleeps
  std::vector<std::thread> threads_;
  std::vector<Part> parts_;    // of loop_, by thread; the caller's first
  int caller_processor_ = -1;  // where the caller was when the threads were placed
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const Loop* loop_ = nullptr;            // the one to help with
  std::atomic<uint64_t> generation_ = 0;  // counts the loops; changes under the mutex
  std::atomic<int> busy_ = 0;             // threads inside loop_; changes under the mutex
  bool stop_ = false;
};

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_PARALLEL_THREAD_POOL_H_
