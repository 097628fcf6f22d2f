// SPDX-License-Identifier: Apache-2.0
// Owns all threads that compute. Everything else in the server is free of threads.
#ifndef HLOSCOPE_LSP_SERVER_SCHEDULER_H_
#define HLOSCOPE_LSP_SERVER_SCHEDULER_H_

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace hloscope::lsp {

// A fixed set of threads that run lanes. The tasks of one lane run one at a time in the order they came; lanes run
// beside each other and take turns after every task, so that one busy document does not hold up the others.
class Scheduler {
 public:
  using Task = std::function<void()>;

  // A queue of tasks; see MakeLane. The scheduler must outlive it.
  class Lane : public std::enable_shared_from_this<Lane> {
   public:
    // Thread-safe, never waits for a task.
    void Post(Task task);

   private:
    friend class Scheduler;
    explicit Lane(Scheduler& scheduler) : scheduler_(scheduler) {}

    Scheduler& scheduler_;
    std::deque<Task> tasks_;  // guarded by the scheduler's mutex
    bool active_ = false;     // waits for its turn, or a task of it is running
  };

  explicit Scheduler(int thread_count);
  // Waits for running tasks; drops the others.
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  std::shared_ptr<Lane> MakeLane();

 private:
  void Run();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::shared_ptr<Lane>> ready_;  // lanes with tasks of which none is running
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_SERVER_SCHEDULER_H_
