// SPDX-License-Identifier: Apache-2.0
#include "interop/files/file_kind.h"

#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "interop/wire/wire.h"
#include "stablehlo/bytecode.h"

namespace hloscope::interop {
namespace {

// Of large files only the beginning is searched for signs of damage.
constexpr size_t kExaminedBytes = size_t{1} << 20;

DetectedFile Unknown(std::string explanation) { return {FileKind::kUnknown, false, std::move(explanation)}; }
DetectedFile Text(FileKind kind) { return {kind, true, ""}; }

bool IsPrintable(absl::string_view text) {
  for (unsigned char c : text) {
    if (c < 0x20 || c == 0x7f) return false;
  }
  return true;
}

bool IsOpcodeWord(absl::string_view word) {
  if (word.empty() || !absl::ascii_islower(static_cast<unsigned char>(word[0]))) return false;
  for (unsigned char c : word) {
    if (!absl::ascii_islower(c) && !absl::ascii_isdigit(c) && c != '-') return false;
  }
  return true;
}

// An instruction has a name and an opcode; a shape, if it has one, is a message.
bool LooksLikeInstruction(absl::string_view bytes) {
  WireReader reader(bytes, /*lenient=*/true);
  WireField field;
  bool name = false, opcode = false, shape = true;
  while (reader.Next(&field)) {
    const bool is_bytes = field.type == WireType::kBytes;
    if (field.number == 1) name = is_bytes;
    if (field.number == 2) opcode = is_bytes && IsOpcodeWord(field.bytes);
    if (field.number == 3) shape = is_bytes;
  }
  return name && opcode && shape;
}

bool LooksLikeComputation(absl::string_view bytes) {
  WireReader reader(bytes, /*lenient=*/true);
  WireField field;
  bool name = false, instruction = false;
  while (reader.Next(&field)) {
    if (field.number == 1) name = field.type == WireType::kBytes;
    if (field.number == 2 && field.type == WireType::kBytes) {
      if (!LooksLikeInstruction(field.bytes)) return false;
      instruction = true;
      break;  // the first one tells
    }
  }
  return name && instruction;
}

// A truncated module still looks like one: the reader says what is wrong with it.
bool LooksLikeModule(absl::string_view bytes) {
  WireReader reader(bytes, /*lenient=*/true);
  WireField field;
  while (reader.Next(&field)) {
    if (field.number <= 2 && (field.type != WireType::kBytes || !IsPrintable(field.bytes))) return false;
    if (field.number != 3) continue;
    return field.type == WireType::kBytes && LooksLikeComputation(field.bytes);
  }
  return false;
}

// A literal begins with its shape, and a shape with an element type.
bool LooksLikeLiteral(absl::string_view bytes) {
  WireReader reader(bytes);
  WireField field;
  if (!reader.Next(&field) || field.number != 1 || field.type != WireType::kBytes) return false;
  WireReader shape(field.bytes);
  return shape.Next(&field) && field.number == 2 && field.type == WireType::kVarint && field.value >= 1 &&
         field.value <= 36;
}

bool IsDelimited(absl::string_view bytes) {
  const std::optional<uint64_t> size = TakeVarint(&bytes);
  if (!size || *size == 0 || *size > bytes.size()) return false;
  WireReader reader(bytes.substr(0, *size));
  WireField field;
  return reader.Next(&field) && field.number == 1 && field.type == WireType::kBytes && LooksLikeModule(field.bytes);
}

// What is beside a module in field 1.
FileKind KindBesideModule(absl::string_view bytes) {
  WireReader reader(bytes);
  WireField field;
  while (reader.Next(&field)) {
    if (field.number != 2 || field.type != WireType::kBytes) continue;
    // A config has a layout of the entry, and counts; partitions have literals or descriptors of them.
    WireReader config(field.bytes);
    WireField inner;
    bool has_counts = false;
    while (config.Next(&inner)) {
      has_counts = has_counts || (inner.type == WireType::kVarint && (inner.number == 4 || inner.number == 5));
    }
    return has_counts ? FileKind::kModuleWithConfig : FileKind::kUnoptimizedSnapshot;
  }
  return FileKind::kHloProto;
}

bool LooksLikeProfile(absl::string_view bytes) {
  WireReader reader(bytes);
  WireField field;
  if (!reader.Next(&field) || field.number != 1 || field.type != WireType::kBytes) return false;
  WireReader plane(field.bytes);
  bool has_name = false, has_parts = false;
  while (plane.Next(&field)) {
    if (field.number == 2) has_name = field.type == WireType::kBytes && IsPrintable(field.bytes);
    has_parts = has_parts || (field.number >= 3 && field.number <= 5 && field.type == WireType::kBytes);
  }
  return !plane.fault() && has_name && has_parts;
}

bool HoldsOnlyLiterals(absl::string_view bytes) {
  WireReader reader(bytes);
  WireField field;
  bool any = false;
  while (reader.Next(&field)) {
    if ((field.number != 2 && field.number != 3) || field.type != WireType::kBytes) return false;
    if (!LooksLikeLiteral(field.bytes)) return false;
    any = true;
  }
  return any && !reader.fault();
}

DetectedFile DetectBinary(absl::string_view bytes) {
  if (absl::StartsWith(bytes, "\x83\xaf\x70\xd1\x0d\x88\x4a\x3f")) return Unknown("a Riegeli record file");
  if (absl::StartsWith(bytes, "PK\x03\x04")) return Unknown("a ZIP archive");
  if (absl::StartsWith(bytes,
                       "\x7f"
                       "ELF"))
    return Unknown("an ELF binary");
  if (absl::StartsWith(bytes, "\x89HDF")) return Unknown("an HDF5 file");
  // Whoever reads programs says what to do with it.
  if (stablehlo::IsBytecode(bytes)) return {FileKind::kHloText, false, ""};
  if (absl::StartsWith(bytes, "\x93NUMPY")) return Unknown("a .npy array");
  // Any byte order mark but that of UTF-8 has been met by now.
  const absl::string_view start = bytes.substr(0, kExaminedBytes);
  size_t replaced = 0;
  for (size_t at = start.find("\xef\xbf\xbd"); at != start.npos && replaced < 20;
       at = start.find("\xef\xbf\xbd", at + 3)) {
    ++replaced;
  }
  if (replaced == 20) return Unknown("a binary file that was damaged by a text conversion, and cannot be repaired");
  const auto is = [](FileKind kind) { return DetectedFile{kind, false, ""}; };
  if (LooksLikeModule(bytes)) return is(FileKind::kModule);
  WireReader reader(bytes, /*lenient=*/true);
  WireField first;
  if (reader.Next(&first) && first.number == 1 && first.type == WireType::kBytes) {
    if (LooksLikeModule(first.bytes)) return is(KindBesideModule(bytes));
    WireReader inner(first.bytes, /*lenient=*/true);
    WireField module;
    if (inner.Next(&module) && module.number == 1 && module.type == WireType::kBytes && LooksLikeModule(module.bytes)) {
      return is(FileKind::kSnapshot);
    }
  }
  if (IsDelimited(bytes)) return is(FileKind::kDelimitedSnapshot);
  if (HoldsOnlyLiterals(bytes)) return is(FileKind::kSnapshot);
  if (LooksLikeProfile(bytes)) return is(FileKind::kProfile);
  if (reader.fault() && first.number == 0) return Unknown(absl::StrCat("no protocol buffer: ", *reader.fault()));
  return Unknown("");
}

// Names of the fields at the top level of a text proto, with `{` after those that are messages.
std::set<std::string> TopLevelNames(absl::string_view text) {
  std::set<std::string> names;
  int depth = 0;
  size_t i = 0;
  while (i < text.size() && names.size() < 32) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      for (++i; i < text.size() && text[i] != c; ++i) i += text[i] == '\\';
      ++i;
    } else if (c == '#') {
      while (i < text.size() && text[i] != '\n') ++i;
    } else if (c == '{' || c == '<' || c == '[') {
      ++depth, ++i;
    } else if (c == '}' || c == '>' || c == ']') {
      --depth, ++i;
    } else if (depth == 0 && (absl::ascii_isalpha(static_cast<unsigned char>(c)) || c == '_')) {
      const size_t begin = i;
      while (i < text.size() && (absl::ascii_isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_')) ++i;
      size_t next = i;
      while (next < text.size() && absl::ascii_isspace(static_cast<unsigned char>(text[next]))) ++next;
      if (next < text.size() && (text[next] == ':' || text[next] == '{' || text[next] == '<')) {
        names.insert(std::string(text.substr(begin, i - begin)));
      }
    } else {
      ++i;
    }
  }
  return names;
}

DetectedFile DetectTextProto(absl::string_view text) {
  const std::set<std::string> names = TopLevelNames(text);
  const auto has = [&](const char* name) { return names.contains(name); };
  if (has("computations")) return Text(FileKind::kModule);
  if (has("hlo_module") && has("partitions")) return Text(FileKind::kUnoptimizedSnapshot);
  if (has("hlo_module") && has("config")) return Text(FileKind::kModuleWithConfig);
  if (has("hlo_module")) return Text(FileKind::kHloProto);
  if (has("hlo") || has("execution_platform")) return Text(FileKind::kSnapshot);
  if (has("cpu_executable") || has("gpu_executable")) return Text(FileKind::kExecutable);
  if (has("results") && !has("arguments")) return Text(FileKind::kAutotuneResults);
  if (has("pass_metadata") || has("canonical_module_id")) return Text(FileKind::kPassMetadata);
  if (has("memory_space_allocation_entries")) return Text(FileKind::kMemoryReport);
  if (has("planes")) return Text(FileKind::kProfile);
  if (has("iterations")) return Text(FileKind::kLiteralsList);
  if (has("arguments") || has("result")) return Text(FileKind::kLiterals);
  return Unknown("");
}

// After blank lines and comments of either kind.
absl::string_view FirstWords(absl::string_view text) {
  while (true) {
    text = absl::StripLeadingAsciiWhitespace(text);
    if (absl::StartsWith(text, "//") || absl::StartsWith(text, "#")) {
      const size_t end = text.find('\n');
      if (end == text.npos) return "";
      text.remove_prefix(end);
    } else if (absl::StartsWith(text, "/*")) {
      const size_t end = text.find("*/");
      if (end == text.npos) return "";
      text.remove_prefix(end + 2);
    } else {
      return text;
    }
  }
}

// `name {` or `name:` where a line of HLO text would not have it.
bool LooksLikeTextProto(absl::string_view text) {
  size_t i = 0;
  while (i < text.size() && (absl::ascii_islower(static_cast<unsigned char>(text[i])) || text[i] == '_' ||
                             (i > 0 && absl::ascii_isdigit(static_cast<unsigned char>(text[i]))))) {
    ++i;
  }
  if (i == 0) return false;
  absl::string_view rest = absl::StripLeadingAsciiWhitespace(text.substr(i));
  if (absl::StartsWith(rest, ":"))
    rest = absl::StripLeadingAsciiWhitespace(rest.substr(1));
  else if (!absl::StartsWith(rest, "{") && !absl::StartsWith(rest, "<"))
    return false;
  return true;
}

}  // namespace

bool LooksLikeText(absl::string_view bytes) {
  for (unsigned char c : bytes.substr(0, 4096)) {
    if (c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\v') return false;
  }
  return true;
}

DetectedFile DetectFile(absl::string_view bytes) {
  if (!LooksLikeText(bytes)) return DetectBinary(bytes);
  const absl::string_view first = FirstWords(bytes);
  if (absl::StartsWith(first, "HloModule") || absl::StartsWith(first, "ENTRY")) return Text(FileKind::kHloText);
  if (absl::StartsWith(bytes, "version https://git-lfs")) return Unknown("a Git LFS pointer, not the file");
  if (LooksLikeTextProto(first)) {
    DetectedFile found = DetectTextProto(bytes);
    if (found.kind != FileKind::kUnknown) return found;
  }
  // The reader of texts says what it is not.
  return Text(FileKind::kHloText);
}

absl::string_view FileKindName(FileKind kind) {
  switch (kind) {
    case FileKind::kHloText:
      return "HLO text";
    case FileKind::kModule:
      return "HloModuleProto";
    case FileKind::kHloProto:
      return "HloProto";
    case FileKind::kModuleWithConfig:
      return "HloModuleProtoWithConfig";
    case FileKind::kSnapshot:
      return "HloSnapshot";
    case FileKind::kUnoptimizedSnapshot:
    case FileKind::kDelimitedSnapshot:
      return "HloUnoptimizedSnapshot";
    case FileKind::kExecutable:
      return "compiled program";
    case FileKind::kLiterals:
      return "RunHloModuleIterationLiterals";
    case FileKind::kLiteralsList:
      return "RunHloModuleLiterals";
    case FileKind::kAutotuneResults:
      return "AutotuneResults";
    case FileKind::kPassMetadata:
      return "HloModuleMetadataProto";
    case FileKind::kMemoryReport:
      return "MemoryUsageReportProto";
    case FileKind::kProfile:
      return "XSpace";
    case FileKind::kUnknown:
      return "unknown";
  }
  return "unknown";
}

bool HasModule(FileKind kind) {
  switch (kind) {
    case FileKind::kHloText:
    case FileKind::kModule:
    case FileKind::kHloProto:
    case FileKind::kModuleWithConfig:
    case FileKind::kSnapshot:
    case FileKind::kUnoptimizedSnapshot:
    case FileKind::kDelimitedSnapshot:
    case FileKind::kExecutable:
      return true;
    case FileKind::kLiterals:
    case FileKind::kLiteralsList:
    case FileKind::kAutotuneResults:
    case FileKind::kPassMetadata:
    case FileKind::kMemoryReport:
    case FileKind::kProfile:
    case FileKind::kUnknown:
      break;
  }
  return false;
}

}  // namespace hloscope::interop
