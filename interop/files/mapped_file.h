// Files whose bytes are mapped rather than read: what nobody looks at takes no memory.
#ifndef HLOSCOPE_INTEROP_FILES_MAPPED_FILE_H_
#define HLOSCOPE_INTEROP_FILES_MAPPED_FILE_H_

#include <cstddef>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"

namespace hloscope::interop {

class MappedFile {
 public:
  // Smaller files are as well read.
  static constexpr size_t kLeastBytes = size_t{1} << 20;

  // Null if the path is no regular file of at least kLeastBytes, or cannot be mapped: who reads it says why.
  static std::shared_ptr<const MappedFile> Open(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // They must not be cut off while this lives.
  absl::string_view bytes() const { return bytes_; }

 private:
  explicit MappedFile(absl::string_view bytes) : bytes_(bytes) {}

  absl::string_view bytes_;
};

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_FILES_MAPPED_FILE_H_
