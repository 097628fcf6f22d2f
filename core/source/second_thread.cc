// SPDX-License-Identifier: Apache-2.0
#include "core/source/second_thread.h"

#include <system_error>
#include <utility>

namespace hloscope {

SecondThread::SecondThread(std::function<void()> body) {
  if (std::thread::hardware_concurrency() <= 1) return;
  try {
    thread_ = std::thread(std::move(body));
  } catch (const std::system_error&) {
    // The caller's thread does it all.
  }
}

void SecondThread::Join() {
  if (thread_.joinable()) thread_.join();
}

}  // namespace hloscope
