// SPDX-License-Identifier: Apache-2.0
#include "core/source/source_text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <utility>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/source/file_reader.h"

namespace hloscope {
namespace {

// Length in bytes of the UTF-8 character whose first byte is `lead`; 1 for bytes that start none.
uint32_t CharacterBytes(uint8_t lead) {
  if (lead >= 0xF0 && lead < 0xF8) return 4;
  if (lead >= 0xE0) return lead < 0xF0 ? 3 : 1;
  if (lead >= 0xC2) return 2;
  return 1;
}

// Distance between two checkpoints.
constexpr uint32_t kCheckpointBytes = 1024;

bool IsAscii(absl::string_view text) {
  uint8_t all = 0;
  for (char c : text) all |= static_cast<uint8_t>(c);
  return all < 0x80;
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

bool SourceText::Content::IsLineStart(uint32_t offset) const {
  const char before = text[offset - 1];
  return before == '\n' || (before == '\r' && (offset == text.size() || text[offset] != '\n'));
}

void SourceText::Content::Index() {
  constexpr size_t kUsualLine = 96;
  line_starts.clear();
  line_starts.reserve(text.size() / kUsualLine + 1);
  line_starts.push_back(0);
  checkpoints.clear();
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  bool has_cr = false, is_ascii = true;
  const char* p = begin;
#ifdef __SSE2__
  // Bit i of a mask is about byte i of a block.
  constexpr std::ptrdiff_t kVector = 16, kBlock = 64;
  const __m128i line_feed = _mm_set1_epi8('\n'), carriage_return = _mm_set1_epi8('\r');
  __m128i returns = _mm_setzero_si128(), bits = _mm_setzero_si128();
  for (; end - p >= kBlock; p += kBlock) {
    uint64_t feeds = 0;
    for (int k = 0; k < kBlock / kVector; ++k) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + k * kVector));
      returns = _mm_or_si128(returns, _mm_cmpeq_epi8(bytes, carriage_return));
      bits = _mm_or_si128(bits, bytes);
      const auto mask = static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, line_feed)));
      feeds |= uint64_t{mask} << (k * kVector);
    }
    for (; feeds != 0; feeds &= feeds - 1) {
      line_starts.push_back(static_cast<uint32_t>(p - begin + __builtin_ctzll(feeds) + 1));
    }
  }
  has_cr = _mm_movemask_epi8(returns) != 0;
  is_ascii = _mm_movemask_epi8(bits) == 0;
#endif
  for (; p < end; ++p) {
    has_cr = has_cr || *p == '\r';
    is_ascii = is_ascii && static_cast<uint8_t>(*p) < 0x80;
    if (*p == '\n') line_starts.push_back(static_cast<uint32_t>(p + 1 - begin));
  }
  if (has_cr) IndexLinesWithReturns();
  if (!is_ascii) IndexCharacters();
}

void SourceText::Content::IndexLinesWithReturns() {
  line_starts.assign(1, 0);
  for (uint32_t next = 1; next <= text.size(); ++next) {
    if (IsLineStart(next)) line_starts.push_back(next);
  }
}

void SourceText::Content::IndexCharacters() {
  checkpoints.reserve(text.size() / kCheckpointBytes + 1);
  Checkpoint at = {0, 0, 0};
  while (at.offset < text.size()) {
    if (at.offset >= checkpoints.size() * kCheckpointBytes) checkpoints.push_back(at);
    // Eight ASCII characters at once, up to the next checkpoint.
    uint64_t word = 0;
    if (at.offset + 8 <= std::min<size_t>(text.size(), checkpoints.size() * kCheckpointBytes)) {
      std::memcpy(&word, text.data() + at.offset, 8);
      if ((word & 0x8080808080808080u) == 0) {
        at.offset += 8;
        at.utf16_units += 8;
        at.utf32_units += 8;
        continue;
      }
    }
    const uint32_t bytes = CharacterBytesAt(text, at.offset);
    at.utf16_units += CharacterUnits(bytes, ColumnUnit::kUtf16);
    at.utf32_units += CharacterUnits(bytes, ColumnUnit::kUtf32);
    at.offset += bytes;
  }
}

uint32_t SourceText::Checkpoint::Units(ColumnUnit unit) const {
  if (unit == ColumnUnit::kUtf8) return offset;
  return unit == ColumnUnit::kUtf16 ? utf16_units : utf32_units;
}

uint32_t SourceText::UnitsBefore(uint32_t offset, ColumnUnit unit) const {
  const std::vector<Checkpoint>& checkpoints = content().checkpoints;
  if (checkpoints.empty() || unit == ColumnUnit::kUtf8) return offset;
  // A checkpoint may lie up to three bytes after its place.
  size_t k = std::min<size_t>(offset / kCheckpointBytes, checkpoints.size() - 1);
  if (checkpoints[k].offset > offset) --k;
  uint32_t units = checkpoints[k].Units(unit);
  for (uint32_t i = checkpoints[k].offset; i < offset;) {
    const uint32_t bytes = CharacterBytesAt(text(), i);
    if (i + bytes > offset) break;
    units += CharacterUnits(bytes, unit);
    i += bytes;
  }
  return units;
}

std::shared_ptr<const SourceText> SourceText::FromString(std::string name, std::string text) {
  return Made(std::move(name), std::move(text), nullptr);
}

SourceText::Content SourceText::ContentOf(std::string text) {
  Content content;
  content.text = std::move(text);
  if (content.text.size() > kMaxBytes) content.text.resize(kMaxBytes);
  content.Index();
  return content;
}

std::shared_ptr<const SourceText> SourceText::Made(std::string name, std::string text,
                                                   std::shared_ptr<const TextOrigin> origin) {
  const std::shared_ptr<SourceText> source(new SourceText(std::move(name), ContentOf(std::move(text))));
  source->origin_ = std::move(origin);
  return source;
}

std::shared_ptr<const SourceText> SourceText::Later(std::string name, std::shared_ptr<const TextMaker> maker) {
  const std::shared_ptr<SourceText> source(new SourceText(std::move(name), Content()));
  source->maker_ = std::move(maker);
  return source;
}

std::shared_ptr<const SourceText> SourceText::WithChanges(std::string text,
                                                          const std::vector<TextChange>& changes) const {
  if (text.size() > kMaxBytes) return FromString(name_, std::move(text));
  const Content& old = content();
  Content made;
  made.text = std::move(text);
  std::vector<uint32_t>& starts = made.line_starts;
  starts.reserve(old.line_starts.size() + 16);
  bool ascii = old.checkpoints.empty();
  size_t next = 0;     // of the old line starts
  uint32_t shift = 0;  // of offsets after the change before, modulo 2^32
  for (const TextChange& change : changes) {
    // Whether a line starts somewhere depends on the bytes at both sides of the place.
    for (; next < old.line_starts.size() && old.line_starts[next] < change.before.begin; ++next) {
      starts.push_back(old.line_starts[next] + shift);
    }
    for (uint32_t at = change.after.begin; at <= change.after.end; ++at) {
      const bool seen = !starts.empty() && starts.back() >= at;  // at the end of the change before
      if (!seen && (at == 0 || made.IsLineStart(at))) starts.push_back(at);
    }
    while (next < old.line_starts.size() && old.line_starts[next] <= change.before.end) ++next;
    shift = change.after.end - change.before.end;
    ascii = ascii && IsAscii(absl::string_view(made.text).substr(change.after.begin, change.after.size()));
  }
  for (; next < old.line_starts.size(); ++next) starts.push_back(old.line_starts[next] + shift);
  if (!ascii && !IsAscii(made.text)) made.IndexCharacters();
  return std::shared_ptr<const SourceText>(new SourceText(name_, std::move(made)));
}

absl::StatusOr<std::shared_ptr<const SourceText>> SourceText::FromFile(const std::string& path) {
  absl::StatusOr<std::string> text = ReadWholeFile(path);
  if (!text.ok()) return text.status();
  return FromString(path == "-" ? "<stdin>" : path, *std::move(text));
}

absl::string_view SourceText::Line(uint32_t line) const {
  const absl::string_view text = content().text;
  const uint32_t begin = LineStart(line);
  uint32_t end = line + 1 < line_count() ? LineStart(line + 1) : size();
  while (end > begin && (text[end - 1] == '\n' || text[end - 1] == '\r')) --end;
  return text.substr(begin, end - begin);
}

LineColumn SourceText::LineColumnAt(uint32_t offset, ColumnUnit unit) const {
  offset = std::min(offset, size());
  const std::vector<uint32_t>& line_starts = content().line_starts;
  const auto it = std::upper_bound(line_starts.begin(), line_starts.end(), offset);
  LineColumn result;
  result.line = static_cast<uint32_t>(it - line_starts.begin()) - 1;
  result.column = UnitsBefore(offset, unit) - UnitsBefore(line_starts[result.line], unit);
  return result;
}

uint32_t SourceText::OffsetAt(LineColumn position, ColumnUnit unit) const {
  if (position.line >= line_count()) return size();
  const std::vector<Checkpoint>& checkpoints = content().checkpoints;
  const uint32_t start = LineStart(position.line);
  const uint32_t end = start + static_cast<uint32_t>(Line(position.line).size());
  if (checkpoints.empty()) return position.column < end - start ? start + position.column : end;

  const uint64_t wanted = uint64_t{UnitsBefore(start, unit)} + position.column;
  // The last checkpoint of the line at or before the wanted place, or the line's start.
  const auto after = std::upper_bound(checkpoints.begin(), checkpoints.end(), wanted,
                                      [&](uint64_t units, const Checkpoint& c) { return units < c.Units(unit); });
  uint32_t i = start;
  uint64_t units = UnitsBefore(start, unit);
  if (after != checkpoints.begin() && std::prev(after)->offset > start) {
    i = std::prev(after)->offset;
    units = std::prev(after)->Units(unit);
  }
  while (i < end) {
    const uint32_t bytes = CharacterBytesAt(text(), i);
    units += CharacterUnits(bytes, unit);
    if (units > wanted) break;
    i += bytes;
  }
  return std::min(i, end);
}

}  // namespace hloscope
