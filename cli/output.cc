#include "cli/output.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "cli/command.h"

namespace hloscope {
namespace {

// errno of the first write to standard output that failed; 0 if none did.
int output_error = 0;

absl::Status ErrnoStatus(absl::string_view what, const std::string& path, int error) {
  return absl::UnknownError(absl::StrCat("cannot ", what, " ", path, ": ", strerror(error)));
}

// Writes everything and flushes it to disk; closes the descriptor in any case. Returns 0 or errno.
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
  if (error == 0 && fsync(descriptor) != 0) error = errno;
  if (close(descriptor) != 0 && error == 0) error = errno;
  return error;
}

}  // namespace

void WriteOutput(absl::string_view text) {
  if (output_error != 0 || text.empty()) return;
  if (fwrite(text.data(), 1, text.size(), stdout) != text.size()) output_error = errno != 0 ? errno : EIO;
}

void FlushOutput() {
  if (fflush(stdout) != 0 && output_error == 0) output_error = errno;
}

void WriteError(absl::string_view text) {
  // Nothing useful can be done if standard error cannot be written.
  (void)!fwrite(text.data(), 1, text.size(), stderr);
}

int FinishOutput(int status) {
  if (fflush(stdout) != 0 && output_error == 0) output_error = errno;
  if (output_error == 0 || output_error == EPIPE) return status;
  WriteError(absl::StrCat("hloscope: cannot write the output: ", strerror(output_error), "\n"));
  return status == kExitGood ? kExitBadInput : status;
}

absl::Status WriteFileAtomically(const std::string& path, absl::string_view content) {
  std::string target = path;
  if (char* resolved = realpath(path.c_str(), nullptr)) {
    target = resolved;
    free(resolved);
  }
  struct stat old;
  const bool exists = stat(target.c_str(), &old) == 0;
  if (exists && !S_ISREG(old.st_mode)) {
    return absl::InvalidArgumentError(absl::StrCat(path, " is not a regular file"));
  }
  if (exists && access(target.c_str(), W_OK) != 0) return ErrnoStatus("write", path, errno);
  // Not derived from the file's name, which may be as long as names can be.
  const size_t slash = target.rfind('/');
  const std::string directory = slash == std::string::npos ? "." : slash == 0 ? "/" : target.substr(0, slash);
  std::string temporary = absl::StrCat(directory, "/.hloscope.XXXXXX");
  const int descriptor = mkstemp(temporary.data());
  if (descriptor < 0) return ErrnoStatus("create a temporary file beside", path, errno);
  int error = 0;
  if (exists) {
    if (fchmod(descriptor, old.st_mode & 07777) != 0) error = errno;
  } else {
    const mode_t mask = umask(0);
    umask(mask);
    if (fchmod(descriptor, 0666 & ~mask) != 0) error = errno;
  }
  const int write_error = WriteAllAndClose(descriptor, content);
  if (error == 0) error = write_error;
  if (error == 0 && rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) {
    unlink(temporary.c_str());
    return ErrnoStatus("write", path, error);
  }
  // The new name survives a power failure too; the content did before.
  const int folder = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {
    (void)!fsync(folder);
    close(folder);
  }
  return absl::OkStatus();
}

bool IsTerminal(int file_descriptor) { return isatty(file_descriptor) != 0; }

int TerminalWidth(int file_descriptor) {
  constexpr int kDefault = 100;
  struct winsize size;
  if (ioctl(file_descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col < 20) return kDefault;
  return size.ws_col;
}

}  // namespace hloscope
