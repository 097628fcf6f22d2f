// SPDX-License-Identifier: Apache-2.0
// Gzip around whole files.
#ifndef HLOSCOPE_INTEROP_FILES_GZIP_H_
#define HLOSCOPE_INTEROP_FILES_GZIP_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace hloscope::interop {

// A message holds at most 2 GiB: a file that expands to more is no file of ours. Nor may a small file take more memory
// than a pipe could: an eighth of the machine's.
size_t MaxExpandedBytes();
// No more than a run may take either; 0: it may take any.
size_t MaxExpandedBytes(int64_t memory_limit_bytes);

bool IsGzip(absl::string_view bytes);

// What is looked at before the rest is expanded.
inline constexpr size_t kExpandedStart = size_t{1} << 20;

// One member or several, one after the other. `check_start` sees the beginning, kExpandedStart bytes if there are so
// many, before anything after it is expanded, and can refuse it. Errors: that of `check_start`; truncated, damaged or
// not gzip (InvalidArgument, with the offset); more than `limit` bytes (ResourceExhausted).
absl::StatusOr<std::string> Gunzip(absl::string_view bytes, size_t limit = MaxExpandedBytes());
absl::StatusOr<std::string> Gunzip(absl::string_view bytes, size_t limit,
                                   absl::FunctionRef<absl::Status(absl::string_view start)> check_start);
absl::StatusOr<std::string> Gzip(absl::string_view bytes);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_FILES_GZIP_H_
