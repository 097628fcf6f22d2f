// SPDX-License-Identifier: Apache-2.0
#include "core/source/file_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/source/memory_hooks.h"
#include "core/source/source_text.h"

namespace hloscope {
namespace {

constexpr size_t kReadBytes = size_t{1} << 16;

absl::Status ErrorFromErrno(const std::string& path, int error) {
  const std::string message = absl::StrCat(path, ": ", std::strerror(error));
  if (error == ENOENT || error == ENOTDIR) return absl::NotFoundError(message);
  if (error == EACCES || error == EPERM) return absl::PermissionDeniedError(message);
  return absl::InvalidArgumentError(message);
}

// /dev/null is an empty file, and a terminal ends where somebody says so. Others, such as /dev/zero, never end.
bool IsEndless(const struct stat& info, int descriptor) {
  // A socket is what some programs give as standard input: read as a pipe is.
  if (!S_ISCHR(info.st_mode)) return S_ISBLK(info.st_mode);
  const bool is_null = major(info.st_rdev) == 1 && minor(info.st_rdev) == 3;
  return !is_null && isatty(descriptor) == 0;
}

absl::Status CheckKind(const std::string& path, const struct stat& info, int descriptor) {
  if (S_ISDIR(info.st_mode)) return absl::InvalidArgumentError(absl::StrCat(path, ": is a directory"));
  if (IsEndless(info, descriptor)) return absl::InvalidArgumentError(absl::StrCat(path, ": is a device, not a file"));
  if (S_ISREG(info.st_mode) && static_cast<uint64_t>(info.st_size) > SourceText::kMaxBytes) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": larger than 4 GB"));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReadAll(std::FILE* file, const std::string& path, size_t size_hint,
                                    uint64_t most_of_stream) {
  ReportReading(size_hint);
  // By way of a part that stays in the caches: a string of the whole size would first be filled with zeros.
  std::array<char, kReadBytes> part;
  std::string text;
  text.reserve(size_hint);
  ReportFreshBlock(text.data(), text.capacity());
  // A regular file may grow meanwhile.
  const uint64_t most = std::max<uint64_t>(size_hint, most_of_stream);
  while (const size_t got = std::fread(part.data(), 1, part.size(), file)) {
    if (text.size() + got > most) {
      return absl::InvalidArgumentError(
          absl::StrCat(path, ": goes on after ", most, " bytes, more than can be read here"));
    }
    text.append(part.data(), got);
  }
  if (std::ferror(file) != 0) return ErrorFromErrno(path, errno);
  if (text.capacity() > text.size() + text.size() / 8 + 4096) text.shrink_to_fit();
  return text;
}

}  // namespace

uint64_t MostBytesOfStream() {
  const int64_t pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
  const int64_t eighth = pages > 0 && page_bytes > 0 ? pages / 8 * page_bytes : int64_t{1} << 30;
  return std::min(static_cast<uint64_t>(eighth), SourceText::kMaxBytes);
}

absl::Status CheckReadable(const std::string& path) {
  struct stat info = {};
  if (stat(path.c_str(), &info) != 0) return ErrorFromErrno(path, errno);
  // Whoever writes into a pipe notices when it is opened and closed.
  if (!S_ISCHR(info.st_mode)) return CheckKind(path, info, -1);
  const int descriptor = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) return ErrorFromErrno(path, errno);
  const absl::Status status = CheckKind(path, info, descriptor);
  close(descriptor);
  return status;
}

absl::StatusOr<std::string> ReadWholeFile(const std::string& path, uint64_t most_of_stream) {
  const bool is_input = path == "-";
  const std::string name = is_input ? "<stdin>" : path;
  std::FILE* const file = is_input ? stdin : std::fopen(path.c_str(), "rb");
  if (file == nullptr) return ErrorFromErrno(name, errno);
  struct stat info = {};
  const absl::Status status =
      fstat(fileno(file), &info) == 0 ? CheckKind(name, info, fileno(file)) : ErrorFromErrno(name, errno);
  absl::StatusOr<std::string> text = std::string();
  const size_t size = S_ISREG(info.st_mode) ? static_cast<size_t>(info.st_size) : 0;
  if (status.ok()) text = ReadAll(file, name, size, most_of_stream);
  if (!is_input) std::fclose(file);
  if (!status.ok()) return status;
  return text;
}

}  // namespace hloscope
