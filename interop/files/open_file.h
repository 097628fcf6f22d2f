// SPDX-License-Identifier: Apache-2.0
// Opens whatever XLA writes: texts, protos in binary and text form, snapshots; compressed or not.
#ifndef HLOSCOPE_INTEROP_FILES_OPEN_FILE_H_
#define HLOSCOPE_INTEROP_FILES_OPEN_FILE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "core/source/source_text.h"
#include "interop/files/file_kind.h"
#include "interop/files/literal_data.h"
#include "interop/files/mapped_file.h"
#include "interop/proto/hlo.pb.h"

namespace hloscope::interop {

// Inputs and results that were recorded with a module.
struct Snapshot {
  std::vector<std::vector<LiteralData>> arguments;  // for each partition; one if there are none
  std::optional<LiteralData> result;
  std::string platform;
  bool are_shards = false;                   // the arguments are parts of the module's parameters, one for each device
  std::shared_ptr<const MappedFile> mapped;  // where the values are; null: in memory
};

struct OpenedModule {
  std::string name;                        // of the HloModule line; empty if there is none
  std::shared_ptr<const SourceText> text;  // of one module of several: with its lines where they are in the file
};

struct OpenedFile {
  FileKind kind = FileKind::kHloText;
  bool is_proto = false;  // its text was made from a proto, in binary or text form
  bool is_compressed = false;
  std::vector<OpenedModule> modules;  // not empty
  std::optional<Snapshot> snapshot;
  std::vector<std::string> notes;           // what is odd in a proto
  std::vector<std::string> unknown_fields;  // with `list_unknown_fields`, one line each
  std::vector<std::string> obstacles;       // why the module must not be executed
  // Of a HloProto that has one, and the names in the module's text of the instructions that it mentions, by their ids.
  std::shared_ptr<const proto::BufferAssignmentProto> buffer_assignment;
  absl::flat_hash_map<int64_t, std::string> instruction_names;
};

struct OpenFileOptions {
  bool list_unknown_fields = false;
  size_t max_expanded_bytes = 0;  // of a compressed file; 0: MaxExpandedBytes() (gzip.h)
};

// Reads a file; "-" reads standard input. What the bytes hold decides, never the name. A HLO text with several modules
// gives each of them with a text of its own. Errors: those of SourceText::FromFile; InvalidArgument for a file that
// holds no module, and, with the message, the field and its offset, for one that is damaged; ResourceExhausted.
absl::StatusOr<OpenedFile> OpenFile(const std::string& path, const OpenFileOptions& options = {});
// The same for bytes in memory; `name` is what diagnostics call them.
absl::StatusOr<OpenedFile> OpenBytes(const std::string& name, std::string bytes, const OpenFileOptions& options = {});

// All bytes of a file, expanded to at most so many; 0: MaxExpandedBytes() (gzip.h).
absl::StatusOr<std::string> ReadFileBytes(const std::string& path, size_t max_expanded_bytes = 0);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_FILES_OPEN_FILE_H_
