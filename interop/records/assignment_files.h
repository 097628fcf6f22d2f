// SPDX-License-Identifier: Apache-2.0
// The buffer assignment that a compiler has written for a module: in the module's own file, or beside it.
#ifndef HLOSCOPE_INTEROP_RECORDS_ASSIGNMENT_FILES_H_
#define HLOSCOPE_INTEROP_RECORDS_ASSIGNMENT_FILES_H_

#include <cstddef>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "interop/files/open_file.h"
#include "interop/records/records.h"

namespace hloscope::interop {

struct FoundAssignment {
  BufferAssignment assignment;
  std::string source;  // the file
};

// Of a text, or of a proto that has a module and its assignment. Errors: the file cannot be read; InvalidArgument: it
// holds no assignment; ResourceExhausted: it expands to more than `max_expanded_bytes` (0: as ReadFileBytes says).
absl::StatusOr<FoundAssignment> ReadAssignmentFile(const std::string& path, size_t max_expanded_bytes = 0);

// What `file`, which was opened from `path`, holds; else NAME-buffer-assignment.txt beside it. Nothing: neither is
// there. Errors: what is beside it is damaged, or
// expands to more than `max_expanded_bytes`.
absl::StatusOr<std::optional<FoundAssignment>> FindAssignment(const std::string& path, const OpenedFile& file,
                                                              size_t max_expanded_bytes = 0);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_RECORDS_ASSIGNMENT_FILES_H_
