// SPDX-License-Identifier: Apache-2.0
#include "interop/dump/dump_watch.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace hloscope::interop {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kEvents = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_ONLYDIR;

}  // namespace

absl::StatusOr<std::unique_ptr<DumpWatch>> DumpWatch::Create(const std::string& folder) {
  const int queue = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (queue >= 0) {
    std::unique_ptr<DumpWatch> watch(new DumpWatch(queue, folder));
    if (watch->AddFolders()) return watch;
  }
  return absl::UnavailableError(absl::StrCat(folder, " cannot be watched: ", std::strerror(errno)));
}

DumpWatch::~DumpWatch() { ::close(queue_); }

// What is watched already stays so.
bool DumpWatch::AddFolders() {
  if (::inotify_add_watch(queue_, folder_.c_str(), kEvents) < 0) return false;
  std::error_code error;
  fs::recursive_directory_iterator entries(folder_, fs::directory_options::skip_permission_denied, error);
  for (; !error && entries != fs::recursive_directory_iterator(); entries.increment(error)) {
    std::error_code ignored;
    if (entries->is_directory(ignored) && !entries->is_symlink(ignored)) {
      ::inotify_add_watch(queue_, entries->path().c_str(), kEvents);
    }
  }
  return true;
}

bool DumpWatch::Wait(int milliseconds) {
  pollfd waits = {queue_, POLLIN, 0};
  if (::poll(&waits, 1, milliseconds) <= 0) return false;
  alignas(inotify_event) std::array<char, 1 << 14> buffer;
  bool is_new = false, has_folders = false;
  for (ssize_t size; (size = ::read(queue_, buffer.data(), buffer.size())) > 0;) {
    for (ssize_t at = 0; at < size;) {
      inotify_event event;
      std::memcpy(&event, buffer.data() + at, sizeof(event));
      const bool is_folder = (event.mask & IN_ISDIR) != 0;
      has_folders = has_folders || is_folder;
      // A file that was only created is still being written.
      is_new = is_new || is_folder || (event.mask & ~uint32_t{IN_CREATE}) != 0;
      at += static_cast<ssize_t>(sizeof(event) + event.len);
    }
  }
  if (has_folders) AddFolders();
  return is_new;
}

}  // namespace hloscope::interop
