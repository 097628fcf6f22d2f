// SPDX-License-Identifier: Apache-2.0
#include "numerics/parallel/thread_placement.h"

#include <pthread.h>
#include <sched.h>

#include <future>
#include <span>
#include <thread>

#include "gtest/gtest.h"

namespace hloscope {
namespace {

cpu_set_t ProcessorsOf(pthread_t thread) {
  cpu_set_t processors;
  EXPECT_EQ(pthread_getaffinity_np(thread, sizeof(processors), &processors), 0);
  return processors;
}

// Where a thread that this one has made may run after KeepAway(processor).
cpu_set_t ProcessorsAwayFrom(int processor) {
  std::promise<void> end;
  std::thread thread([&end] { end.get_future().wait(); });
  numerics::KeepAway(processor, std::span(&thread, 1));
  const cpu_set_t processors = ProcessorsOf(thread.native_handle());
  end.set_value();
  thread.join();
  return processors;
}

TEST(ThreadPlacementTest, ThreadsRunWhereTheirCallerMayButNotOnItsProcessor) {
  const cpu_set_t allowed = ProcessorsOf(pthread_self());
  for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (CPU_ISSET(processor, &allowed) == 0) continue;
    cpu_set_t expected = allowed, processors = ProcessorsAwayFrom(processor);
    CPU_CLR(processor, &expected);
    if (CPU_COUNT(&expected) == 0) expected = allowed;  // there is no other
    EXPECT_NE(CPU_EQUAL(&processors, &expected), 0) << processor;
  }
}

TEST(ThreadPlacementTest, NothingChangesWhereThereIsNoOtherProcessor) {
  std::thread([] {
    cpu_set_t one;
    const int processor = numerics::CurrentProcessor();
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    ASSERT_EQ(pthread_setaffinity_np(pthread_self(), sizeof(one), &one), 0);
    cpu_set_t processors = ProcessorsAwayFrom(processor);
    EXPECT_NE(CPU_EQUAL(&processors, &one), 0);
  }).join();
  const cpu_set_t allowed = ProcessorsOf(pthread_self());
  for (const int unknown : {-1, CPU_SETSIZE, CPU_SETSIZE + 7}) {
    cpu_set_t processors = ProcessorsAwayFrom(unknown);
    EXPECT_NE(CPU_EQUAL(&processors, &allowed), 0) << unknown;
  }
}

}  // namespace
}  // namespace hloscope
