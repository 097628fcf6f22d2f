// SPDX-License-Identifier: Apache-2.0
#include "numerics/parallel/thread_pool.h"

#include <algorithm>

#include "numerics/parallel/thread_placement.h"

namespace hloscope::numerics {
namespace {

thread_local bool inside_loop = false;

// How long a thread looks for more work, or waits for the last block of others, before it sleeps: about 0.1 ms. Kernels
// are a row of short loops, and waking a sleeping thread takes longer than many of those.
constexpr int kLooks = 4000;

// Gives the processor's other thread, or the host of a virtual machine, its turn.
void Relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

template <typename Condition>
void LookFor(int looks, const Condition& condition) {
  for (int i = 0; i < looks && !condition(); ++i) Relax();
}

// Asked once: the system reads a file for every answer.
int ProcessorCount() {
  static const int count = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return count;
}

int64_t FirstOfPart(int64_t part, int64_t parts, int64_t count) {
  return count / parts * part + std::min(part, count % parts);
}

int CountThreads(int threads) { return threads > 0 ? std::min(threads, 1024) : ProcessorCount(); }

}  // namespace

ThreadPool::ThreadPool(int threads)
    : thread_count_(CountThreads(threads)),
      looks_(thread_count_ <= ProcessorCount() ? kLooks : 0),
      parts_(static_cast<size_t>(thread_count_)) {}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool ThreadPool::IsInsideLoop() { return inside_loop; }

// A block is a share of what is left of a part: few are handed out while there is much, and all threads end at nearly
// the same time. Who is done with its own part helps with the next one.
void ThreadPool::RunBlocks(const Loop& loop, int64_t thread) {
  inside_loop = true;
  for (int64_t n = 0; n < loop.parts; ++n) {
    Part& part = parts_[static_cast<size_t>((thread + n) % loop.parts)];
    const int64_t divisor = n == 0 ? 2 : 2 * int64_t{thread_count_};
    for (int64_t begin = part.next.load(); begin < part.end;) {
      const int64_t end = std::min(part.end, begin + std::max(loop.grain, (part.end - begin) / divisor));
      if (!part.next.compare_exchange_weak(begin, end)) continue;
      loop.body(begin, end);
      begin = part.next.load();
    }
  }
  inside_loop = false;
}

void ThreadPool::Work(int64_t thread) {
  uint64_t seen = 0;
  for (;;) {
    LookFor(looks_, [&] { return generation_.load(std::memory_order_relaxed) != seen; });
    std::unique_lock<std::mutex> lock(mutex_);
    wake_.wait(lock, [&] { return stop_ || generation_ != seen; });
    if (stop_) return;
    seen = generation_;
    if (loop_ == nullptr) continue;  // others have done it
    const Loop& loop = *loop_;
    ++busy_;
    lock.unlock();
    RunBlocks(loop, thread);
    lock.lock();
    if (--busy_ == 0) done_.notify_one();
  }
}

void ThreadPool::PlaceThreads() {
  const size_t wanted = static_cast<size_t>(thread_count_) - 1;
  const bool is_first = threads_.size() < wanted;
  while (threads_.size() < wanted) threads_.emplace_back(&ThreadPool::Work, this, int64_t(threads_.size()) + 1);
  if (thread_count_ > ProcessorCount()) return;  // they share processors anyway
  const int processor = CurrentProcessor();
  if (processor == caller_processor_ && !is_first) return;
  caller_processor_ = processor;
  KeepAway(processor, threads_);
}

void ThreadPool::ParallelFor(int64_t count, int64_t grain, FunctionRef<void(int64_t, int64_t)> body) {
  if (count <= 0) return;
  grain = std::max<int64_t>(grain, 1);
  if (thread_count_ == 1 || count <= grain || inside_loop) {
    body(0, count);
    return;
  }
  const Loop loop{body, grain, std::clamp<int64_t>(count / grain, 1, thread_count_)};
  {
    std::lock_guard<std::mutex> lock(mutex_);
    PlaceThreads();
    for (int64_t n = 0; n < loop.parts; ++n) {
      Part& part = parts_[static_cast<size_t>(n)];
      part.next = FirstOfPart(n, loop.parts, count);
      part.end = FirstOfPart(n + 1, loop.parts, count);
    }
    loop_ = &loop;
    ++generation_;
  }
  wake_.notify_all();
  RunBlocks(loop, 0);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    loop_ = nullptr;  // threads that did not wake up yet have nothing left to do
  }
  LookFor(looks_, [&] { return busy_.load(std::memory_order_relaxed) == 0; });
  std::unique_lock<std::mutex> lock(mutex_);
  done_.wait(lock, [&] { return busy_ == 0; });
}

}  // namespace hloscope::numerics
