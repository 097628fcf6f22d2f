// SPDX-License-Identifier: Apache-2.0
// Modules to the bytes of files that XLA's tools read.
#ifndef HLOSCOPE_INTEROP_FILES_WRITE_FILE_H_
#define HLOSCOPE_INTEROP_FILES_WRITE_FILE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/ir/literal.h"
#include "core/ir/module.h"
#include "core/print/print_options.h"
#include "interop/proto/hlo.pb.h"

namespace hloscope::interop {

enum class OutputForm : uint8_t {
  kText,       // HLO text
  kProto,      // HloProto
  kTextProto,  // HloProto as text
  kSnapshot,   // HloSnapshot
};

// By the suffix of a file name, whether or not `.gz` follows: .hlo .txt; .hlo.pb and other .pb; .pbtxt .textproto
// .txtpb; .hlo_snapshot.pb. Nothing for others.
std::optional<OutputForm> OutputFormOf(absl::string_view path);

// What a snapshot holds beside the module.
struct RecordedValues {
  std::vector<Literal> arguments;
  std::optional<Literal> result;
};

// A proto that a module was read from, whose unknown fields and buffer assignment are written with it.
struct ReadProto {
  absl::string_view bytes;
  // Those of OpenedFile; null: there is none.
  const proto::BufferAssignmentProto* buffer_assignment = nullptr;
  const absl::flat_hash_map<int64_t, std::string>* instruction_names = nullptr;
  // Set by EncodeModule:
  int64_t lost_fields = 0;       // that have no place in what is written
  absl::Status lost_assignment;  // why the assignment is not written
};

// The same module gives the same bytes. Values that are moved in take memory until they are in the message. Errors:
// those of WriteHloModule; ResourceExhausted for more than a message holds.
absl::StatusOr<std::string> EncodeModule(const Module& module, OutputForm form, RecordedValues values = {},
                                         ReadProto* read_from = nullptr);

// The memory that EncodeModule takes for values, without doing it: a text of 60 bytes may declare zeros of any size,
// and for a snapshot the arguments and the result come along. The largest number if it is more than that.
int64_t BytesToEncode(const Module& module, OutputForm form);

// True for names that end in .gz.
bool IsCompressedName(absl::string_view path);

// The style of texts that are made from protos: nothing is left out.
PrintOptions MadeTextStyle();

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_FILES_WRITE_FILE_H_
