// SPDX-License-Identifier: Apache-2.0
#include "interop/files/joined_files.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "interop/proto/containers.pb.h"
#include "interop/wire/wire.h"

namespace hloscope::interop {
namespace {

// At least so many beginnings are named.
constexpr size_t kNamedFiles = 4;

bool IsModuleStart(const WireField& field) {
  return field.number == proto::HloModuleProto::kNameFieldNumber && field.type == WireType::kBytes;
}

// Where modules begin that have a name and then computations.
std::vector<size_t> ModuleStarts(absl::string_view bytes) {
  std::vector<size_t> starts;
  size_t start = 0;
  bool is_named = false;
  WireReader reader(bytes);
  WireField field;
  while (reader.Next(&field)) {
    if (IsModuleStart(field)) {
      start = field.offset;
      is_named = true;
    } else if (is_named && field.number == proto::HloModuleProto::kComputationsFieldNumber) {
      starts.push_back(start);
      is_named = false;
    }
  }
  return starts;
}

bool HoldsModule(absl::string_view bytes, int depth) {
  if (depth == 0) return !ModuleStarts(bytes).empty();
  WireReader reader(bytes);
  WireField field;
  while (reader.Next(&field)) {
    if (field.number == 1 && field.type == WireType::kBytes && HoldsModule(field.bytes, depth - 1)) return true;
  }
  return false;
}

// Where fields with number 1 begin that hold a module, `depth` messages inside.
std::vector<size_t> StartsAround(absl::string_view bytes, int depth) {
  std::vector<WireField> first;
  WireReader reader(bytes);
  WireField field;
  while (reader.Next(&field)) {
    if (field.number == 1 && field.type == WireType::kBytes) first.push_back(field);
  }
  std::vector<size_t> starts;
  for (const WireField& each : first) {
    if (first.size() > 1 && HoldsModule(each.bytes, depth - 1)) starts.push_back(each.offset);
  }
  return starts;
}

// Of the module in messages of the kind; -1: there is none that begins with it.
int DepthOfModule(FileKind kind) {
  switch (kind) {
    case FileKind::kModule:
      return 0;
    case FileKind::kHloProto:
    case FileKind::kModuleWithConfig:
    case FileKind::kUnoptimizedSnapshot:
      return 1;
    case FileKind::kSnapshot:
      return 2;
    case FileKind::kHloText:
    case FileKind::kDelimitedSnapshot:
    case FileKind::kExecutable:
    case FileKind::kLiterals:
    case FileKind::kLiteralsList:
    case FileKind::kAutotuneResults:
    case FileKind::kPassMetadata:
    case FileKind::kMemoryReport:
    case FileKind::kProfile:
    case FileKind::kUnknown:
      break;
  }
  return -1;
}

}  // namespace

absl::Status CheckIsOneFile(absl::string_view bytes, const DetectedFile& detected) {
  const int depth = DepthOfModule(detected.kind);
  if (detected.is_text || depth < 0) return absl::OkStatus();
  const std::vector<size_t> starts = depth == 0 ? ModuleStarts(bytes) : StartsAround(bytes, depth);
  if (starts.size() < 2) return absl::OkStatus();
  const auto end = starts.begin() + static_cast<ptrdiff_t>(std::min(starts.size(), kNamedFiles));
  return absl::InvalidArgumentError(
      absl::StrCat("these are ", starts.size(), " files of the kind ", FileKindName(detected.kind),
                   ", one after the other: they begin at bytes ", absl::StrJoin(starts.begin(), end, ", "),
                   starts.size() > kNamedFiles ? ", ..." : "", ". A file holds one: cut it there"));
}

}  // namespace hloscope::interop
