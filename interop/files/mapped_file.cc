#include "interop/files/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hloscope::interop {

std::shared_ptr<const MappedFile> MappedFile::Open(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return nullptr;
  std::shared_ptr<const MappedFile> mapped;
  struct stat status = {};
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && static_cast<size_t>(status.st_size) >= kLeastBytes) {
    const size_t size = static_cast<size_t>(status.st_size);
    void* const start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (start != MAP_FAILED) {
      mapped.reset(new MappedFile(absl::string_view(static_cast<const char*>(start), size)));
    }
  }
  ::close(file);
  return mapped;
}

MappedFile::~MappedFile() { ::munmap(const_cast<char*>(bytes_.data()), bytes_.size()); }

}  // namespace hloscope::interop
