// SPDX-License-Identifier: Apache-2.0
// Files whose bytes are mapped rather than read: what nobody looks at takes no memory.
#ifndef HLOSCOPE_INTEROP_FILES_MAPPED_FILE_H_
#define HLOSCOPE_INTEROP_FILES_MAPPED_FILE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace hloscope::interop {

class MappedFile {
 public:
  // Smaller files are as well read.
  static constexpr size_t kLeastBytes = size_t{1} << 20;

  // Null if the path is no regular file of at least kLeastBytes, or cannot be mapped, or if
  // very many are: who reads it says why.
  static std::shared_ptr<const MappedFile> Open(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // Somebody may shorten the file meanwhile: what is gone then reads as zeros, and CheckWhole says so.
  absl::string_view bytes() const { return bytes_; }
  // `part` is not looked at again soon: of a part of the mapping, the pages take no memory then.
  void Release(absl::Span<const uint8_t> part) const;
  // Error DataLoss if something was read that is no longer in the file.
  absl::Status CheckWhole() const;

 private:
  MappedFile(absl::string_view bytes, size_t slot) : bytes_(bytes), slot_(slot) {}

  absl::string_view bytes_;
  size_t slot_;
};

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_FILES_MAPPED_FILE_H_
