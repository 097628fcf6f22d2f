// Gzip around whole files.
#ifndef HLOSCOPE_INTEROP_FILES_GZIP_H_
#define HLOSCOPE_INTEROP_FILES_GZIP_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace hloscope::interop {

// A message holds at most 2 GiB; a file that expands to more is no file of ours.
inline constexpr size_t kMaxExpandedBytes = size_t{1} << 31;

bool IsGzip(absl::string_view bytes);

// One member or several, one after the other. Errors: truncated, damaged or not gzip (InvalidArgument, with the
// offset); more than `limit` bytes (ResourceExhausted).
absl::StatusOr<std::string> Gunzip(absl::string_view bytes, size_t limit = kMaxExpandedBytes);
absl::StatusOr<std::string> Gzip(absl::string_view bytes);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_FILES_GZIP_H_
