// SPDX-License-Identifier: Apache-2.0
// Files that are written as a whole or not at all.
#ifndef HLOSCOPE_CORE_SOURCE_OUTPUT_FILE_H_
#define HLOSCOPE_CORE_SOURCE_OUTPUT_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace hloscope {

// A new file of an unguessable name in the folder of the wished one, whose place it takes in the end. An existing file
// keeps its permissions; a symbolic link stays and its target is replaced. What is no regular file, such as
// /dev/stdout, is written directly.
class OutputFile {
 public:
  // Errors, here and below, with the reason of the system: Unknown; InvalidArgument for a folder.
  static absl::StatusOr<OutputFile> Create(const std::string& path);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  OutputFile& operator=(OutputFile&&) = delete;
  // Removes the new file, unless it took its place.
  ~OutputFile();

  // What is to be opened and written.
  const std::string& path() const { return written_; }
  // Flushes it to disk and puts it in its place.
  absl::Status Finish();

  // Of a failed write to path(), for people: "result0.npy: cannot be written: No space left on device".
  absl::Status Error(int error) const;

  // For a signal handler before the process ends: removes the new files that have not taken their places.
  static void RemoveUnfinished();

 private:
  OutputFile() = default;
  std::string wished_, target_, written_;
  int slot_ = -1;  // in the table of RemoveUnfinished
};

// Makes a folder, and those that it is in, unless they are there. Errors: Unknown, with the reason of the system.
absl::Status MakeFolders(const std::string& path);

// Writes `content` to an OutputFile at `path`.
absl::Status WriteFileAtomically(const std::string& path, absl::string_view content);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SOURCE_OUTPUT_FILE_H_
