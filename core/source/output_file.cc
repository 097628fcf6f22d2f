// SPDX-License-Identifier: Apache-2.0
#include "core/source/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"

namespace hloscope {
namespace {

// No signal ends the process while one of these lives: between making a file and knowing that it is to be removed.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

// A file or an empty folder that a signal handler removes. Never freed, because handlers of other threads read them.
struct Unfinished {
  std::atomic<const char*> path{nullptr};  // null: nothing to remove
  std::atomic<bool> is_folder{false};
  std::array<char, PATH_MAX> storage;
  Unfinished* next = nullptr;       // the one made before
  Unfinished* next_free = nullptr;  // while nothing uses it
};
std::atomic<Unfinished*> all_unfinished{nullptr};
std::mutex free_mutex;  // only held where signals are blocked
Unfinished* free_unfinished = nullptr;

// Null if the path is too long for the system.
Unfinished* Register(const std::string& path, bool is_folder) {
  if (path.size() >= PATH_MAX) return nullptr;
  const SignalsBlocked blocked;
  const std::lock_guard<std::mutex> lock(free_mutex);
  Unfinished* entry = free_unfinished;
  if (entry != nullptr) {
    free_unfinished = entry->next_free;
  } else {
    entry = new Unfinished;
    entry->next = all_unfinished.load();
    all_unfinished.store(entry);
  }
  std::memcpy(entry->storage.data(), path.c_str(), path.size() + 1);
  entry->is_folder.store(is_folder);
  entry->path.store(entry->storage.data());
  return entry;
}

void Unregister(void* pointer) {
  if (pointer == nullptr) return;
  const SignalsBlocked blocked;
  const std::lock_guard<std::mutex> lock(free_mutex);
  auto* const entry = static_cast<Unfinished*>(pointer);
  entry->path.store(nullptr);
  entry->next_free = free_unfinished;
  free_unfinished = entry;
}

thread_local OutputFilesTogether* together = nullptr;

// Where a link leads whose target does not exist yet.
std::string EndOfLinks(std::string path) {
  constexpr int kMostLinks = 40;  // as Linux
  for (int k = 0; k < kMostLinks; ++k) {
    std::array<char, PATH_MAX> target;
    const ssize_t length = readlink(path.c_str(), target.data(), target.size());
    if (length <= 0 || static_cast<size_t>(length) == target.size()) break;
    const absl::string_view next(target.data(), static_cast<size_t>(length));
    const size_t slash = path.rfind('/');
    path = next[0] == '/' || slash == std::string::npos ? std::string(next)
                                                        : absl::StrCat(path.substr(0, slash + 1), next);
  }
  return path;
}

// Writes everything; closes the descriptor in any case. Returns 0 or errno.
int WriteAllAndClose(int descriptor, absl::string_view content) {
  // Linux heeds a signal only between two calls, and copies hundreds of megabytes for a second.
  constexpr size_t kMaxAtOnce = 4 << 20;
  int error = 0;
  while (!content.empty() && error == 0) {
    const ssize_t written = write(descriptor, content.data(), std::min(content.size(), kMaxAtOnce));
    if (written >= 0) {
      content.remove_prefix(static_cast<size_t>(written));
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  if (close(descriptor) != 0 && error == 0) error = errno;
  return error;
}

}  // namespace

absl::StatusOr<OutputFile> OutputFile::Create(const std::string& path) {
  OutputFile file;
  file.wished_ = file.target_ = path;
  if (char* resolved = realpath(path.c_str(), nullptr)) {
    file.target_ = resolved;
    free(resolved);
  } else if (errno == ENOENT) {
    file.target_ = EndOfLinks(path);
  }
  struct stat old;
  // Where the link of /dev/stdout leads to a pipe there is no path to follow.
  const bool exists = stat(file.target_.c_str(), &old) == 0 || stat(path.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode))
    return absl::InvalidArgumentError(absl::StrCat(path, ": cannot be written: it is a folder"));
  if (exists && access(path.c_str(), W_OK) != 0) return file.Error(errno);
  if (exists && !S_ISREG(old.st_mode)) {
    file.written_ = path;
    return file;
  }
  // Not derived from the file's name, which may be as long as names can be.
  const size_t slash = file.target_.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : file.target_.substr(0, slash);
  std::string temporary = absl::StrCat(folder, "/.hloscope.XXXXXX");
  int descriptor = -1;
  {
    const SignalsBlocked blocked;
    descriptor = mkostemp(temporary.data(), O_CLOEXEC);
    if (descriptor < 0) return file.Error(errno);
    file.written_ = temporary;
    file.entry_ = Register(temporary, /*is_folder=*/false);
  }
  mode_t mode = old.st_mode & 07777;
  if (!exists) {
    const mode_t mask = umask(0);
    umask(mask);
    mode = 0666 & ~mask;
  }
  const int error = fchmod(descriptor, mode) != 0 ? errno : 0;
  close(descriptor);
  if (error != 0) return file.Error(error);
  return file;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : wished_(std::move(other.wished_)),
      target_(std::move(other.target_)),
      written_(std::exchange(other.written_, "")),
      entry_(std::exchange(other.entry_, nullptr)) {}

OutputFile::~OutputFile() {
  if (!written_.empty() && written_ != wished_) unlink(written_.c_str());
  Unregister(entry_);
}

absl::Status OutputFile::Error(int error) const {
  return absl::UnknownError(absl::StrCat(wished_, ": cannot be written: ", strerror(error)));
}

absl::Status OutputFile::Finish() {
  if (written_ == wished_) return absl::OkStatus();
  if (absl::Status status = Flush(); !status.ok()) return status;
  if (together == nullptr) return Place();
  together->files_.push_back(std::move(*this));
  return absl::OkStatus();
}

absl::Status OutputFile::Flush() const {
  const int descriptor = open(written_.c_str(), O_WRONLY | O_CLOEXEC);
  const int error = descriptor < 0 || fsync(descriptor) != 0 ? errno : 0;
  if (descriptor >= 0) close(descriptor);
  return error != 0 ? Error(error) : absl::OkStatus();
}

absl::Status OutputFile::Place() {
  if (rename(written_.c_str(), target_.c_str()) != 0) return Error(errno);
  // The new name survives a power failure too; the content did before.
  const std::string folder = written_.substr(0, written_.rfind('/'));
  const int parent = open(folder.empty() ? "/" : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (parent >= 0) {
    (void)!fsync(parent);
    close(parent);
  }
  Unregister(std::exchange(entry_, nullptr));
  written_.clear();
  return absl::OkStatus();
}

void OutputFile::RemoveUnfinished() {
  for (const Unfinished* entry = all_unfinished.load(); entry != nullptr; entry = entry->next) {
    const char* const path = entry->path.load();
    if (path != nullptr && !entry->is_folder.load()) unlink(path);
  }
  // Entries are used again in any order: as often as a folder in it may keep one.
  bool is_changed = true;
  while (is_changed) {
    is_changed = false;
    for (const Unfinished* entry = all_unfinished.load(); entry != nullptr; entry = entry->next) {
      const char* const path = entry->path.load();
      if (path != nullptr && entry->is_folder.load()) is_changed |= rmdir(path) == 0;
    }
  }
}

OutputFilesTogether::OutputFilesTogether() : outer_(together) { together = this; }

OutputFilesTogether::~OutputFilesTogether() {
  together = outer_;
  files_.clear();
  for (auto folder = folders_.rbegin(); folder != folders_.rend(); ++folder) {
    rmdir(static_cast<Unfinished*>(*folder)->storage.data());
    Unregister(*folder);
  }
}

absl::Status OutputFilesTogether::Finish() {
  absl::Status status;
  if (outer_ != nullptr) {
    for (OutputFile& file : files_) outer_->files_.push_back(std::move(file));
    outer_->folders_.insert(outer_->folders_.end(), folders_.begin(), folders_.end());
  } else {
    const SignalsBlocked blocked;
    for (OutputFile& file : files_) {
      if (status.ok()) status = file.Place();
    }
    if (!status.ok()) return status;
    for (void* const folder : folders_) Unregister(folder);
  }
  files_.clear();
  folders_.clear();
  return status;
}

absl::Status MakeFolder(const std::string& path) {
  const SignalsBlocked blocked;
  if (mkdir(path.c_str(), 0777) == 0) {
    if (together != nullptr) together->folders_.push_back(Register(path, /*is_folder=*/true));
    return absl::OkStatus();
  }
  if (errno == EEXIST) return absl::OkStatus();
  return absl::UnknownError(absl::StrCat(path, ": cannot be created: ", strerror(errno)));
}

absl::Status MakeFolders(const std::string& path) {
  for (size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    // What may not be made may be there all the same, as in a folder that cannot be written.
    const std::string outer = path.substr(0, slash);
    struct stat status;
    if (stat(outer.c_str(), &status) == 0) continue;
    if (absl::Status made = MakeFolder(outer); !made.ok()) return made;
  }
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return MakeFolder(path);
  if (S_ISDIR(status.st_mode)) return absl::OkStatus();
  return absl::UnknownError(absl::StrCat(path, ": cannot be created: ", strerror(ENOTDIR)));
}

absl::Status WriteFileAtomically(const std::string& path, absl::string_view content) {
  absl::StatusOr<OutputFile> file = OutputFile::Create(path);
  if (!file.ok()) return file.status();
  const int descriptor = open(file->path().c_str(), O_WRONLY | O_CLOEXEC);
  const int error = descriptor < 0 ? errno : WriteAllAndClose(descriptor, content);
  return error != 0 ? file->Error(error) : file->Finish();
}

}  // namespace hloscope
