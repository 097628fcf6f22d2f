#include "core/source/source_text.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace hloscope {
namespace {

absl::Status ErrorFromErrno(const std::string& path, int error) {
  const std::string message = absl::StrCat(path, ": ", std::strerror(error));
  if (error == ENOENT || error == ENOTDIR) return absl::NotFoundError(message);
  if (error == EACCES || error == EPERM) return absl::PermissionDeniedError(message);
  return absl::InvalidArgumentError(message);
}

absl::StatusOr<std::string> ReadAll(std::FILE* file, const std::string& path, size_t size_hint) {
  std::string text;
  text.resize(size_hint + 1);
  size_t used = 0;
  while (true) {
    const size_t got = std::fread(text.data() + used, 1, text.size() - used, file);
    used += got;
    if (used > SourceText::kMaxBytes) {
      return absl::InvalidArgumentError(absl::StrCat(path, ": larger than 4 GB"));
    }
    if (used < text.size()) break;
    text.resize(text.size() * 2);
  }
  if (std::ferror(file) != 0) return ErrorFromErrno(path, errno);
  text.resize(used);
  if (text.capacity() > used + used / 8 + 4096) text.shrink_to_fit();
  return text;
}

// Length in bytes of the UTF-8 character whose first byte is `lead`; 1 for bytes that start none.
uint32_t CharacterBytes(uint8_t lead) {
  if (lead >= 0xF0 && lead < 0xF8) return 4;
  if (lead >= 0xE0) return lead < 0xF0 ? 3 : 1;
  if (lead >= 0xC2) return 2;
  return 1;
}

uint32_t CharacterUnits(uint32_t bytes, ColumnUnit unit) {
  if (unit == ColumnUnit::kUtf8) return bytes;
  return unit == ColumnUnit::kUtf16 && bytes == 4 ? 2 : 1;
}

// Bytes of the character at `i`, never past the end of `line`, 1 if the sequence is broken.
uint32_t CharacterBytesAt(absl::string_view line, size_t i) {
  const uint32_t bytes = CharacterBytes(static_cast<uint8_t>(line[i]));
  if (i + bytes > line.size()) return 1;
  for (uint32_t k = 1; k < bytes; ++k) {
    if ((static_cast<uint8_t>(line[i + k]) & 0xC0) != 0x80) return 1;
  }
  return bytes;
}

}  // namespace

SourceText::SourceText(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {
  line_starts_.push_back(0);
  const char* const begin = text_.data();
  const char* const end = begin + text_.size();
  const bool has_cr = std::memchr(begin, '\r', text_.size()) != nullptr;
  if (!has_cr) {
    for (const char* p = begin; p < end;) {
      p = static_cast<const char*>(std::memchr(p, '\n', static_cast<size_t>(end - p)));
      if (p == nullptr) break;
      line_starts_.push_back(static_cast<uint32_t>(++p - begin));
    }
    return;
  }
  for (const char* p = begin; p < end; ++p) {
    if (*p == '\n' || (*p == '\r' && (p + 1 == end || p[1] != '\n'))) {
      line_starts_.push_back(static_cast<uint32_t>(p + 1 - begin));
    }
  }
}

std::shared_ptr<const SourceText> SourceText::FromString(std::string name, std::string text) {
  if (text.size() > kMaxBytes) text.resize(kMaxBytes);
  return std::shared_ptr<const SourceText>(new SourceText(std::move(name), std::move(text)));
}

absl::StatusOr<std::shared_ptr<const SourceText>> SourceText::FromFile(const std::string& path) {
  absl::StatusOr<std::string> text;
  if (path == "-") {
    text = ReadAll(stdin, "<stdin>", 1 << 16);
  } else {
    struct stat info;
    if (stat(path.c_str(), &info) != 0) return ErrorFromErrno(path, errno);
    if (S_ISDIR(info.st_mode)) return absl::InvalidArgumentError(absl::StrCat(path, ": is a directory"));
    if (static_cast<uint64_t>(info.st_size) > kMaxBytes) {
      return absl::InvalidArgumentError(absl::StrCat(path, ": larger than 4 GB"));
    }
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) return ErrorFromErrno(path, errno);
    text = ReadAll(file, path, static_cast<size_t>(info.st_size));
    std::fclose(file);
  }
  if (!text.ok()) return text.status();
  return FromString(path == "-" ? "<stdin>" : path, *std::move(text));
}

absl::string_view SourceText::Line(uint32_t line) const {
  const uint32_t begin = line_starts_[line];
  uint32_t end = line + 1 < line_count() ? line_starts_[line + 1] : size();
  while (end > begin && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
  return text().substr(begin, end - begin);
}

LineColumn SourceText::LineColumnAt(uint32_t offset, ColumnUnit unit) const {
  offset = std::min(offset, size());
  const auto it = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  LineColumn result;
  result.line = static_cast<uint32_t>(it - line_starts_.begin()) - 1;
  const uint32_t start = line_starts_[result.line];
  if (unit == ColumnUnit::kUtf8) {
    result.column = offset - start;
    return result;
  }
  const absl::string_view line = text().substr(start, offset - start);
  for (size_t i = 0; i < line.size();) {
    const uint32_t bytes = CharacterBytesAt(line, i);
    result.column += CharacterUnits(bytes, unit);
    i += bytes;
  }
  return result;
}

uint32_t SourceText::OffsetAt(LineColumn position, ColumnUnit unit) const {
  if (position.line >= line_count()) return size();
  const absl::string_view line = Line(position.line);
  const uint32_t start = line_starts_[position.line];
  size_t i = 0;
  uint32_t column = 0;
  while (i < line.size()) {
    const uint32_t bytes = CharacterBytesAt(line, i);
    const uint32_t units = CharacterUnits(bytes, unit);
    if (column + units > position.column) break;
    column += units;
    i += bytes;
  }
  return start + static_cast<uint32_t>(i);
}

}  // namespace hloscope
