// SPDX-License-Identifier: Apache-2.0
#include "lsp/server/scheduler.h"

#include <algorithm>
#include <utility>

namespace hloscope::lsp {

void Scheduler::Lane::Post(Task task) {
  {
    std::lock_guard<std::mutex> lock(scheduler_.mutex_);
    if (scheduler_.stopping_) return;
    tasks_.push_back(std::move(task));
    if (active_) return;
    active_ = true;
    scheduler_.ready_.push_back(shared_from_this());
  }
  scheduler_.wake_.notify_one();
}

Scheduler::Scheduler(int thread_count) {
  for (int i = 0; i < std::max(1, thread_count); ++i) threads_.emplace_back([this] { Run(); });
}

Scheduler::~Scheduler() {
  std::deque<std::shared_ptr<Lane>> dropped;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
    dropped.swap(ready_);
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  // Tasks may hold their lane: break the cycles.
  for (const std::shared_ptr<Lane>& lane : dropped) lane->tasks_.clear();
}

std::shared_ptr<Scheduler::Lane> Scheduler::MakeLane() { return std::shared_ptr<Lane>(new Lane(*this)); }

void Scheduler::Run() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopping_ || !ready_.empty(); });
    if (stopping_) return;
    const std::shared_ptr<Lane> lane = std::move(ready_.front());
    ready_.pop_front();
    Task task = std::move(lane->tasks_.front());
    lane->tasks_.pop_front();
    lock.unlock();
    task();
    task = nullptr;  // what it holds is released outside the lock
    lock.lock();
    if (stopping_) {
      lane->tasks_.clear();
      return;
    }
    if (lane->tasks_.empty()) {
      lane->active_ = false;
    } else {
      ready_.push_back(lane);
      wake_.notify_one();
    }
  }
}

}  // namespace hloscope::lsp
