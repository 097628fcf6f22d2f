// SPDX-License-Identifier: Apache-2.0
// The buffer assignment that a compiler has written for a module: in the module's own file, or beside it.
#ifndef HLOSCOPE_INTEROP_RECORDS_ASSIGNMENT_FILES_H_
#define HLOSCOPE_INTEROP_RECORDS_ASSIGNMENT_FILES_H_

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
// holds no assignment.
absl::StatusOr<FoundAssignment> ReadAssignmentFile(const std::string& path);

// What `file`, which was opened from `path`, holds; else NAME-buffer-assignment.txt beside it. Nothing: neither is
// there. Errors: what is beside it is damaged.
absl::StatusOr<std::optional<FoundAssignment>> FindAssignment(const std::string& path, const OpenedFile& file);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_RECORDS_ASSIGNMENT_FILES_H_
