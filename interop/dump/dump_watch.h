// SPDX-License-Identifier: Apache-2.0
// Waits for new files in a folder of dumps, while a program writes them.
#ifndef HLOSCOPE_INTEROP_DUMP_DUMP_WATCH_H_
#define HLOSCOPE_INTEROP_DUMP_DUMP_WATCH_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace hloscope::interop {

class DumpWatch {
 public:
  // Watches the folder and those in it that are there. Errors (Unavailable): the system gives no more watches.
  static absl::StatusOr<std::unique_ptr<DumpWatch>> Create(const std::string& folder);
  ~DumpWatch();
  DumpWatch(const DumpWatch&) = delete;
  DumpWatch& operator=(const DumpWatch&) = delete;

  // Whether a file was completed, moved or removed, or a folder made, since the last call; waits so long for it.
  // Folders that were made are watched from then on.
  bool Wait(int milliseconds);

 private:
  DumpWatch(int queue, std::string folder) : queue_(queue), folder_(std::move(folder)) {}
  bool AddFolders();

  const int queue_;
  const std::string folder_;
};

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_DUMP_DUMP_WATCH_H_
