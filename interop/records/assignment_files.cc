// SPDX-License-Identifier: Apache-2.0
#include "interop/records/assignment_files.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "interop/files/file_kind.h"

namespace hloscope::interop {
namespace {

// "X.txt" and "X.hlo.pb.gz" have "X-buffer-assignment.txt" beside them, which somebody may have compressed.
std::optional<std::string> FileBeside(const std::string& path) {
  absl::string_view stem = path;
  absl::ConsumeSuffix(&stem, ".gz");
  for (absl::string_view suffix : {".hlo.pb", ".txt", ".hlo", ".pb"}) {
    if (absl::ConsumeSuffix(&stem, suffix)) break;
  }
  for (absl::string_view suffix : {".txt", ".txt.gz"}) {
    std::string beside = absl::StrCat(stem, "-buffer-assignment", suffix);
    std::error_code error;
    if (beside != path && std::filesystem::is_regular_file(beside, error)) return beside;
  }
  return std::nullopt;
}

}  // namespace

absl::StatusOr<FoundAssignment> ReadAssignmentFile(const std::string& path, size_t max_expanded_bytes) {
  const absl::StatusOr<std::string> bytes = ReadFileBytes(path, max_expanded_bytes);
  if (!bytes.ok()) return bytes.status();
  const absl::string_view text = *bytes;
  if (LooksLikeText(text) && absl::StrContains(text, "allocation 0: size")) {
    absl::StatusOr<BufferAssignment> read = ReadBufferAssignmentText(text);
    if (!read.ok()) return absl::Status(read.status().code(), absl::StrCat(path, ": ", read.status().message()));
    return FoundAssignment{*std::move(read), path};
  }
  const absl::StatusOr<OpenedFile> file = OpenBytes(path, *bytes);
  if (!file.ok()) return file.status();
  if (file->buffer_assignment == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": this holds no buffer assignment"));
  }
  return FoundAssignment{ReadBufferAssignment(*file->buffer_assignment, &file->instruction_names), path};
}

absl::StatusOr<std::optional<FoundAssignment>> FindAssignment(const std::string& path, const OpenedFile& file,
                                                              size_t max_expanded_bytes) {
  if (file.buffer_assignment != nullptr && file.buffer_assignment->buffer_allocations_size() > 0) {
    return std::optional<FoundAssignment>(
        {ReadBufferAssignment(*file.buffer_assignment, &file.instruction_names), path});
  }
  const std::optional<std::string> beside = FileBeside(path);
  if (!beside) return std::optional<FoundAssignment>();
  absl::StatusOr<FoundAssignment> found = ReadAssignmentFile(*beside, max_expanded_bytes);
  if (!found.ok()) return found.status();
  return std::optional<FoundAssignment>(*std::move(found));
}

}  // namespace hloscope::interop
