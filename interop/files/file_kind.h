// SPDX-License-Identifier: Apache-2.0
// What a file holds, from its content alone.
#ifndef HLOSCOPE_INTEROP_FILES_FILE_KIND_H_
#define HLOSCOPE_INTEROP_FILES_FILE_KIND_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace hloscope::interop {

enum class FileKind : uint8_t {
  kHloText,
  kModule,               // HloModuleProto
  kHloProto,             // a module, perhaps with its buffer assignment
  kModuleWithConfig,     // HloModuleProtoWithConfig
  kSnapshot,             // HloSnapshot
  kUnoptimizedSnapshot,  // HloUnoptimizedSnapshot as one message
  kDelimitedSnapshot,    // HloUnoptimizedSnapshot as a header followed by the data
  kExecutable,           // text form of a compiled program
  kLiterals,             // RunHloModuleIterationLiterals
  kLiteralsList,         // RunHloModuleLiterals
  kAutotuneResults,
  kPassMetadata,
  kMemoryReport,
  kProfile,  // XSpace
  kUnknown,
};

struct DetectedFile {
  FileKind kind = FileKind::kUnknown;
  bool is_text = false;
  std::string explanation;  // of kUnknown: what it seems to be instead, for people
};

// `bytes` is the whole file, uncompressed.
DetectedFile DetectFile(absl::string_view bytes);

// "HloSnapshot", "HLO text": as messages name it.
absl::string_view FileKindName(FileKind kind);

// True for the kinds that hold a module.
bool HasModule(FileKind kind);

// No NUL and no control characters in the first 4 KB.
bool LooksLikeText(absl::string_view bytes);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_FILES_FILE_KIND_H_
