// SPDX-License-Identifier: Apache-2.0
#include "core/source/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"

namespace hloscope {
namespace {

// Fixed storage, because signal handlers read it.
struct Unfinished {
  std::atomic<bool> taken{false}, written{false};
  std::array<char, PATH_MAX> path;
};
std::array<Unfinished, 16> unfinished;

// -1 if all slots are taken or the path is too long: then nobody removes the file after a signal.
int Register(const std::string& path) {
  if (path.size() >= PATH_MAX) return -1;
  for (size_t k = 0; k < unfinished.size(); ++k) {
    if (unfinished[k].taken.exchange(true)) continue;
    std::memcpy(unfinished[k].path.data(), path.c_str(), path.size() + 1);
    unfinished[k].written.store(true);
    return static_cast<int>(k);
  }
  return -1;
}

void Unregister(int slot) {
  if (slot < 0) return;
  unfinished[static_cast<size_t>(slot)].written.store(false);
  unfinished[static_cast<size_t>(slot)].taken.store(false);
}

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
  int error = 0;
  while (!content.empty() && error == 0) {
    const ssize_t written = write(descriptor, content.data(), content.size());
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
    file.slot_ = Register(temporary);
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
      slot_(std::exchange(other.slot_, -1)) {}

OutputFile::~OutputFile() {
  if (!written_.empty() && written_ != wished_) unlink(written_.c_str());
  Unregister(slot_);
}

absl::Status OutputFile::Error(int error) const {
  return absl::UnknownError(absl::StrCat(wished_, ": cannot be written: ", strerror(error)));
}

absl::Status OutputFile::Finish() {
  if (written_ == wished_) return absl::OkStatus();
  const int descriptor = open(written_.c_str(), O_WRONLY | O_CLOEXEC);
  int error = descriptor < 0 || fsync(descriptor) != 0 ? errno : 0;
  if (descriptor >= 0) close(descriptor);
  if (error == 0 && rename(written_.c_str(), target_.c_str()) != 0) error = errno;
  if (error != 0) return Error(error);
  // The new name survives a power failure too; the content did before.
  const std::string folder = written_.substr(0, written_.rfind('/'));
  const int parent = open(folder.empty() ? "/" : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (parent >= 0) {
    (void)!fsync(parent);
    close(parent);
  }
  Unregister(std::exchange(slot_, -1));
  written_.clear();
  return absl::OkStatus();
}

void OutputFile::RemoveUnfinished() {
  for (const Unfinished& file : unfinished) {
    if (file.written.load()) unlink(file.path.data());
  }
}

absl::Status MakeFolders(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  // It says nothing of a file in that place.
  if (!error && !std::filesystem::is_directory(path, error) && !error) {
    error = std::make_error_code(std::errc::not_a_directory);
  }
  if (error) return absl::UnknownError(absl::StrCat(path, ": cannot be created: ", error.message()));
  return absl::OkStatus();
}

absl::Status WriteFileAtomically(const std::string& path, absl::string_view content) {
  absl::StatusOr<OutputFile> file = OutputFile::Create(path);
  if (!file.ok()) return file.status();
  const int descriptor = open(file->path().c_str(), O_WRONLY | O_CLOEXEC);
  const int error = descriptor < 0 ? errno : WriteAllAndClose(descriptor, content);
  return error != 0 ? file->Error(error) : file->Finish();
}

}  // namespace hloscope
