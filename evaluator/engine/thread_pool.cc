#include "evaluator/engine/thread_pool.h"

#include <algorithm>

namespace hloscope {
namespace {

thread_local bool inside_loop = false;

int CountThreads(int threads) {
  if (threads > 0) return std::min(threads, 1024);
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

ThreadPool::ThreadPool(int threads) : thread_count_(CountThreads(threads)) {}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::RunBlocks(Loop& loop) {
  inside_loop = true;
  for (;;) {
    const int64_t begin = loop.next.fetch_add(loop.block);
    if (begin >= loop.count) break;
    loop.body(begin, std::min(loop.count, begin + loop.block));
  }
  inside_loop = false;
}

void ThreadPool::Work() {
  std::unique_lock<std::mutex> lock(mutex_);
  uint64_t seen = 0;
  for (;;) {
    wake_.wait(lock, [&] { return stop_ || (loop_ != nullptr && generation_ != seen); });
    if (stop_) return;
    seen = generation_;
    Loop& loop = *loop_;
    ++busy_;
    lock.unlock();
    RunBlocks(loop);
    lock.lock();
    if (--busy_ == 0) done_.notify_one();
  }
}

void ThreadPool::ParallelFor(int64_t count, int64_t grain, absl::FunctionRef<void(int64_t, int64_t)> body) {
  if (count <= 0) return;
  grain = std::max<int64_t>(grain, 1);
  if (thread_count_ == 1 || count <= grain || inside_loop) {
    body(0, count);
    return;
  }
  // A few blocks for each thread even out differences of speed.
  const int64_t block = std::max(grain, (count - 1) / (4 * thread_count_) + 1);
  Loop loop{body, count, block};
  {
    std::lock_guard<std::mutex> lock(mutex_);
    while (static_cast<int>(threads_.size()) + 1 < thread_count_) threads_.emplace_back(&ThreadPool::Work, this);
    loop_ = &loop;
    ++generation_;
  }
  wake_.notify_all();
  RunBlocks(loop);
  std::unique_lock<std::mutex> lock(mutex_);
  loop_ = nullptr;  // threads that did not wake up yet have nothing left to do
  done_.wait(lock, [&] { return busy_ == 0; });
}

}  // namespace hloscope
