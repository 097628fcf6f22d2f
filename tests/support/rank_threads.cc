// SPDX-License-Identifier: Apache-2.0
#include "tests/support/rank_threads.h"

#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace hloscope {
namespace {

// The functions of a transport have no context.
thread_local int own_rank = 0;

struct Mail {
  std::mutex mutex;
  std::condition_variable arrived;
  std::map<std::pair<int, int>, std::deque<std::pair<int, std::string>>> boxes;  // by receiver and tag; with senders
};
Mail* mail = nullptr;

int64_t Send(int to, int tag, const void* data, size_t bytes) {
  {
    const std::lock_guard<std::mutex> lock(mail->mutex);
    mail->boxes[{to, tag}].emplace_back(own_rank, std::string(static_cast<const char*>(data), bytes));
  }
  mail->arrived.notify_all();
  return 0;
}

int IsSent(int64_t) { return 1; }

int Probe(int* from, size_t* bytes) {
  const std::lock_guard<std::mutex> lock(mail->mutex);
  const auto& box = mail->boxes[{own_rank, HLOSCOPE_TAG_CONTROL}];
  if (box.empty()) return 0;
  *from = box.front().first;
  *bytes = box.front().second.size();
  return 1;
}

void Receive(int from, int tag, void* data, size_t bytes) {
  std::unique_lock<std::mutex> lock(mail->mutex);
  for (;;) {
    auto& box = mail->boxes[{own_rank, tag}];
    for (auto message = box.begin(); message != box.end(); ++message) {
      if (message->first != from) continue;
      EXPECT_EQ(message->second.size(), bytes);
      std::memcpy(data, message->second.data(), bytes);
      box.erase(message);
      return;
    }
    mail->arrived.wait(lock);
  }
}

int TakePause(const HloscopeTransport* self, int64_t* number) {
  const std::lock_guard<std::mutex> lock(mail->mutex);
  auto& box = mail->boxes[{self->rank, HLOSCOPE_TAG_PAUSE}];
  if (box.empty()) return 0;
  EXPECT_EQ(box.front().second.size(), sizeof(*number));
  std::memcpy(number, box.front().second.data(), sizeof(*number));
  box.pop_front();
  return 1;
}

void Close() {}

}  // namespace

void RunRanks(int count, const std::function<void(const HloscopeTransport&)>& body) {
  Mail of_run;
  mail = &of_run;
  std::vector<HloscopeTransport> transports;
  for (int rank = 0; rank < count; ++rank) {
    transports.push_back({HLOSCOPE_TRANSPORT_VERSION, rank, count, Send, IsSent, Probe, Receive, TakePause, Close});
  }
  std::vector<std::thread> threads;
  for (int rank = 1; rank < count; ++rank) {
    threads.emplace_back([&, rank] {
      own_rank = rank;
      body(transports[static_cast<size_t>(rank)]);
    });
  }
  own_rank = 0;
  body(transports[0]);
  for (std::thread& thread : threads) thread.join();
  mail = nullptr;
}

}  // namespace hloscope
