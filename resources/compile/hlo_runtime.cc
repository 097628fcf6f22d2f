// SPDX-License-Identifier: Apache-2.0
#include "hlo_runtime.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "numerics/memory/page_ranges.h"
#include "numerics/parallel/thread_pool.h"

namespace hlo {

void Fail(const char* message) {
  std::fprintf(stderr, "%s\n", message);
  std::fflush(nullptr);
  std::_Exit(1);
}

// --- Arrays ---

struct Array::Block {
  std::atomic<int64_t> references{1};
  int64_t bytes = 0;
  int64_t capacity = 0;  // 0: not ours
  void* data = nullptr;
};

namespace {

constexpr size_t kAlignment = 64;

// Memory that was given back: small arrays by size, large ones as ranges of pages. Reused memory costs no page faults.
class Pool {
 public:
  static Pool& Get() {
    static Pool& pool = *new Pool;
    return pool;
  }
  static bool IsLarge(int64_t bytes) { return bytes > PageRanges::kPage / 8 * 7; }

  // Null if the system has none left.
  void* Take(int64_t capacity) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (void* const data = TakeWaiting(capacity); data != nullptr) return data;
    void* data = AllocateFromSystem(capacity);
    if (data == nullptr) {
      Release();
      data = AllocateFromSystem(capacity);
    }
    if (data != nullptr) Count(capacity);
    return data;
  }
  void Give(void* data, int64_t capacity) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (IsLarge(capacity)) {
      used_ -= capacity;
      ranges_.Put(static_cast<uint8_t*>(data), capacity);
      // With what is in use, no more than was once in use.
      ranges_.TrimTo(most_used_ - used_);
    } else if (small_ + capacity > kMostSmall) {
      std::free(data);
    } else {
      free_[capacity].push_back(data);
      small_ += capacity;
    }
  }

 private:
  using PageRanges = hloscope::numerics::PageRanges;
  static constexpr int64_t kMostSmall = int64_t{1} << 30;

  static void* AllocateFromSystem(int64_t capacity) {
    return IsLarge(capacity) ? PageRanges::Map(capacity)
                             : std::aligned_alloc(kAlignment, static_cast<size_t>(capacity));
  }
  void Count(int64_t capacity) {
    if (!IsLarge(capacity)) return;
    used_ += capacity;
    most_used_ = std::max(most_used_, used_);
  }
  void* TakeWaiting(int64_t capacity) {
    if (IsLarge(capacity)) {
      void* const data = ranges_.Take(capacity);
      if (data != nullptr) Count(capacity);
      return data;
    }
    const auto found = free_.find(capacity);
    if (found == free_.end() || found->second.empty()) return nullptr;
    void* const data = found->second.back();
    found->second.pop_back();
    small_ -= capacity;
    return data;
  }
  void Release() {
    for (auto& [capacity, blocks] : free_) {
      for (void* data : blocks) std::free(data);
    }
    free_.clear();
    small_ = 0;
    ranges_.TrimTo(0);
  }
  std::mutex mutex_;
  std::map<int64_t, std::vector<void*>> free_;  // small ones
  PageRanges ranges_;
  int64_t small_ = 0;                 // bytes of small ones that wait
  int64_t used_ = 0, most_used_ = 0;  // bytes of large ones that are in use, and that were at once
};

}  // namespace

Array::Array(const Array& other) : block_(other.block_) {
  if (block_ != nullptr) block_->references.fetch_add(1, std::memory_order_relaxed);
}

Array::~Array() {
  if (block_ == nullptr || block_->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (block_->capacity > 0) Pool::Get().Give(block_->data, block_->capacity);
  delete block_;
}

Array Array::Of(const void* data, int64_t bytes) {
  Block* const block = new Block;
  block->bytes = bytes;
  block->data = const_cast<void*>(data);
  return Array(block);
}

const void* Array::data() const { return block_ == nullptr ? nullptr : block_->data; }
int64_t Array::bytes() const { return block_ == nullptr ? 0 : block_->bytes; }
bool Array::IsMine() const {
  return block_ != nullptr && block_->capacity > 0 && block_->references.load(std::memory_order_acquire) == 1;
}

Array Allocate(int64_t bytes) {
  // Sizes are rounded up, so that small arrays of nearly the same size can use each other's memory.
  int64_t unit = static_cast<int64_t>(kAlignment);
  while (unit * 16 < bytes) unit *= 2;
  const int64_t capacity = Pool::IsLarge(bytes) ? hloscope::numerics::PageRanges::RoundUp(bytes)
                                                : std::max<int64_t>((bytes + unit - 1) / unit * unit, unit);
  Array::Block* const block = new Array::Block;
  block->bytes = bytes;
  block->capacity = capacity;
  block->data = Pool::Get().Take(capacity);
  if (block->data == nullptr) Fail("no memory is left");
  return Array(block);
}

Array Zeros(int64_t bytes) {
  Array array = Allocate(bytes);
  if (bytes > 0) std::memset(array.to<char>(), 0, static_cast<size_t>(bytes));
  return array;
}

Array Writable(Array array) {
  if (array.IsMine()) return array;
  Array copy = Allocate(array.bytes());
  if (array.bytes() > 0) std::memcpy(copy.to<char>(), array.as<char>(), static_cast<size_t>(array.bytes()));
  return copy;
}

// --- Control flow ---

void RunWhile(Function condition, Function body, Array* state, int64_t count) {
  const size_t n = static_cast<size_t>(count);
  std::vector<Array> copy(n), next(n);
  while (true) {
    Array goes_on;
    std::copy(state, state + count, copy.begin());
    condition(copy.data(), &goes_on);
    // The body may write over the arrays only if nobody else holds them.
    std::fill(copy.begin(), copy.end(), Array());
    if (*goes_on.as<uint8_t>() == 0) return;
    body(state, next.data());
    std::move(next.begin(), next.end(), state);
  }
}

void EndLoopAtOnce(Function condition, const Array* state, int64_t count, bool fits, const char* name) {
  std::vector<Array> copy(state, state + count);
  Array goes_on;
  condition(copy.data(), &goes_on);
  const bool iterates = *goes_on.as<uint8_t>() != 0;
  if (!iterates && fits) return;
  Fail(
      (std::string(name) + (iterates ? ": a second iteration cannot start: the body returns another shape than it takes"
                                     : ": it makes no iteration, and its state has not the shape of its result"))
          .c_str());
}

void RunScan(Function body, bool reverse, int64_t length, const ScannedArray* inputs, int64_t input_count,
             ScannedArray* outputs, int64_t output_count, Array* carries, int64_t carry_count) {
  for (int64_t step = 0; step < length; ++step) {
    const int64_t at = reverse ? length - 1 - step : step;
    std::vector<Array> in, out(static_cast<size_t>(output_count + carry_count));
    for (int64_t k = 0; k < input_count; ++k) {
      const size_t bytes = static_cast<size_t>(inputs[k].inner_bytes);
      Array part = Allocate(inputs[k].outer * inputs[k].inner_bytes);
      for (int64_t o = 0; o < inputs[k].outer; ++o) {
        std::memcpy(part.to<char>() + o * inputs[k].inner_bytes,
                    inputs[k].array.as<char>() + (o * length + at) * inputs[k].inner_bytes, bytes);
      }
      in.push_back(std::move(part));
    }
    for (int64_t k = 0; k < carry_count; ++k) in.push_back(std::move(carries[k]));
    body(in.data(), out.data());
    for (int64_t k = 0; k < output_count; ++k) {
      for (int64_t o = 0; o < outputs[k].outer; ++o) {
        std::memcpy(outputs[k].array.to<char>() + (o * length + at) * outputs[k].inner_bytes,
                    out[static_cast<size_t>(k)].as<char>() + o * outputs[k].inner_bytes,
                    static_cast<size_t>(outputs[k].inner_bytes));
      }
    }
    for (int64_t k = 0; k < carry_count; ++k) carries[k] = std::move(out[static_cast<size_t>(output_count + k)]);
  }
}

// --- Threads ---

namespace {

int wanted_threads = 0;

numerics::ThreadPool& AllThreads() {
  static numerics::ThreadPool& threads = *new numerics::ThreadPool(wanted_threads);
  return threads;
}

// Only one thread at a time shares its loops with the others.
std::mutex& LoopOwner() {
  static std::mutex& mutex = *new std::mutex;
  return mutex;
}

}  // namespace

void SetThreadCount(int count) { wanted_threads = count; }

void ParallelFor(int64_t count, int64_t grain, numerics::FunctionRef<void(int64_t begin, int64_t end)> body) {
  if (count <= 0) return;
  if (count <= grain || numerics::ThreadPool::IsInsideLoop() || !LoopOwner().try_lock()) {
    body(0, count);
    return;
  }
  AllThreads().ParallelFor(count, grain, body);
  LoopOwner().unlock();
}

numerics::Executor& ProgramThreads() {
  class Loops final : public numerics::Executor {
   public:
    void ParallelFor(int64_t count, int64_t grain,
                     numerics::FunctionRef<void(int64_t begin, int64_t end)> body) override {
      hlo::ParallelFor(count, grain, body);
    }
    bool IsCancelled() override { return false; }
  };
  static Loops loops;
  return loops;
}

// --- Elements ---

const float* ByteFloats(ElementType type) {
  struct Table {
    std::once_flag made;
    std::array<float, 256> floats;
  };
  static std::array<Table, 64> tables;
  Table& table = tables[static_cast<size_t>(type)];
  std::call_once(table.made, [&] {
    for (size_t code = 0; code < table.floats.size(); ++code) {
      table.floats[code] = static_cast<float>(numerics::DecodeFloat(type, code));
    }
  });
  return table.floats.data();
}

}  // namespace hlo
