// SPDX-License-Identifier: Apache-2.0
// Files that are written as a whole or not at all.
#ifndef HLOSCOPE_CORE_SOURCE_OUTPUT_FILE_H_
#define HLOSCOPE_CORE_SOURCE_OUTPUT_FILE_H_

#include <string>
#include <vector>

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
  // Flushes it to disk and puts it in its place, with the others if there is an OutputFilesTogether.
  absl::Status Finish();

  // Of a failed write to path(), for people: "result0.npy: cannot be written: No space left on device".
  absl::Status Error(int error) const;

  // For a signal handler before the process ends: removes the new files that have not taken their places, and the
  // folders that were made for them.
  static void RemoveUnfinished();

 private:
  friend class OutputFilesTogether;

  OutputFile() = default;
  absl::Status Flush() const;
  absl::Status Place();

  std::string wished_, target_, written_;
  void* entry_ = nullptr;  // in the list of RemoveUnfinished; null if there is nothing to remove
};

// While one of these lives, files that this thread finishes wait for the others: all take their places, or none. One
// inside of another leaves it to that one. Without Finish() no file takes its place, and the folders that MakeFolder
// and MakeFolders made meanwhile are removed.
class OutputFilesTogether {
 public:
  OutputFilesTogether();
  ~OutputFilesTogether();
  OutputFilesTogether(const OutputFilesTogether&) = delete;
  OutputFilesTogether& operator=(const OutputFilesTogether&) = delete;

  // Once all are written: a signal ends the process before the first one takes its place or after the last.
  absl::Status Finish();

 private:
  friend class OutputFile;
  friend absl::Status MakeFolder(const std::string& path);

  OutputFilesTogether* const outer_;
  std::vector<OutputFile> files_;
  std::vector<void*> folders_;  // as OutputFile::entry_
};

// Makes a folder unless something is there. Errors: Unknown, with the reason of the system.
absl::Status MakeFolder(const std::string& path);
// The same with those that it is in; what is there must be folders.
absl::Status MakeFolders(const std::string& path);

// Writes `content` to an OutputFile at `path`.
absl::Status WriteFileAtomically(const std::string& path, absl::string_view content);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SOURCE_OUTPUT_FILE_H_
