// SPDX-License-Identifier: Apache-2.0
// A thread beside the caller's, for work on large texts that can be divided.
#ifndef HLOSCOPE_CORE_SOURCE_SECOND_THREAD_H_
#define HLOSCOPE_CORE_SOURCE_SECOND_THREAD_H_

#include <functional>
#include <thread>

namespace hloscope {

class SecondThread {
 public:
  // Does not run where there is one processor only, or the system gives no more threads. What `body` uses must outlive
  // this.
  explicit SecondThread(std::function<void()> body);
  ~SecondThread() { Join(); }
  SecondThread(const SecondThread&) = delete;
  SecondThread& operator=(const SecondThread&) = delete;

  // The body is run, until Join().
  bool runs() const { return thread_.joinable(); }
  // Waits for its end.
  void Join();

 private:
  std::thread thread_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SOURCE_SECOND_THREAD_H_
