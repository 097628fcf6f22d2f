// SPDX-License-Identifier: Apache-2.0
// Whole files as bytes, whatever a path leads to.
#ifndef HLOSCOPE_CORE_SOURCE_FILE_READER_H_
#define HLOSCOPE_CORE_SOURCE_FILE_READER_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace hloscope {

// An eighth of the machine's memory, but no more than a text may have.
uint64_t MostBytesOfStream();

// Reads a file of at most SourceText::kMaxBytes; "-" reads standard input. Pipes, terminals and what the system makes
// up (/proc) do not say how long they are: of these at most `most_of_stream` bytes. Errors: NotFound, PermissionDenied,
// InvalidArgument (a directory, a device, too large).
absl::StatusOr<std::string> ReadWholeFile(const std::string& path, uint64_t most_of_stream = MostBytesOfStream());

// For who reads a file piece by piece: errors as above where its end would never come.
absl::Status CheckReadable(const std::string& path);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SOURCE_FILE_READER_H_
