// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/metadata_reader.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "core/semantics/old_spellings.h"
#include "core/semantics/value_readers.h"
#include "core/syntax/syntax_parser.h"

namespace hloscope {
namespace {

using Kind = TokenKind;

constexpr int64_t kInt32Min = std::numeric_limits<int32_t>::min();
constexpr int64_t kInt32Max = std::numeric_limits<int32_t>::max();

// `{` name=value [,] name=value ... `}`: calls field(index) at the value.
template <typename Field>
bool ReadSubAttributes(TokenCursor& c, absl::string_view owner, absl::Span<const absl::string_view> names,
                       uint32_t* seen, Field field) {
  if (!c.Expect(Kind::kLeftBrace)) return false;
  while (!c.At(Kind::kRightBrace)) {
    // Allowed before every field, the first too.
    if (c.Eat(Kind::kComma) && c.At(Kind::kRightBrace)) return c.FailSurplusComma();
    if (!c.At(Kind::kAttributeName)) return c.FailExpected("`name=value` or `}`");
    const absl::string_view name = c.name();
    const size_t index = static_cast<size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    if (index == names.size() && owner == "metadata" && IsOldMetadataField(name)) {
      const SourceRange range = {c.range().begin, c.range().end - 1};
      c.Report(DiagnosticKind::kOldSpelling, range, name, "it has no meaning any more");
      c.Advance();
      if (!c.Int()) return false;
      continue;
    }
    if (index == names.size()) return c.FailUnknownField(owner, names);
    if ((*seen >> index & 1) != 0) return c.FailDuplicateField();
    *seen |= 1u << index;
    const absl::string_view subject = c.subject();
    c.set_subject(names[index]);  // diagnostics about the value name the field
    c.Advance();
    if (!field(index)) return false;
    c.set_subject(subject);
  }
  return c.Expect(Kind::kRightBrace);
}

// A row of int32 fields, all required.
bool ReadIntFields(TokenCursor& c, absl::string_view owner, absl::Span<const absl::string_view> names,
                   absl::Span<int32_t* const> fields) {
  uint32_t seen = 0;
  const SourceRange row = c.range();
  if (!ReadSubAttributes(c, owner, names, &seen, [&](size_t i) {
        const auto value = c.IntIn(kInt32Min, kInt32Max);
        if (value) *fields[i] = static_cast<int32_t>(*value);
        return value.has_value();
      })) {
    return false;
  }
  for (size_t i = 0; i < names.size(); ++i) {
    if ((seen >> i & 1) == 0) {
      c.Report(DiagnosticKind::kMissingField, row, owner, names[i]);
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<Metadata> ReadMetadata(TokenCursor& c, Module& module) {
  static constexpr absl::string_view kNames[] = {"op_type",           "op_name",         "source_file",
                                                 "source_line",       "source_end_line", "source_column",
                                                 "source_end_column", "profile_type",    "deduplicated_name",
                                                 "scheduling_name",   "stack_frame_id",  "metadata_payload"};
  Metadata m;
  uint32_t seen = 0;
  const bool good = ReadSubAttributes(c, "metadata", kNames, &seen, [&](size_t field) {
    StringId* string = nullptr;
    int32_t* number = nullptr;
    switch (field) {
      case 0:
        string = &m.op_type;
        break;
      case 1:
        string = &m.op_name;
        break;
      case 2:
        string = &m.source_file;
        break;
      case 3:
        number = &m.source_line;
        break;
      case 4:
        number = &m.source_end_line;
        break;
      case 5:
        number = &m.source_column;
        break;
      case 6:
        number = &m.source_end_column;
        break;
      case 7: {
        return c.ReadList(Kind::kLeftBrace, Kind::kRightBrace, false, [&] {
          const auto type = c.IntIn(0, 3);
          if (type) m.profile_type.push_back(*type);
          return type.has_value();
        });
      }
      case 8:
        string = &m.deduplicated_name;
        break;
      case 9:
        string = &m.scheduling_name;
        break;
      case 10:
        number = &m.stack_frame_id;
        break;
      default:
        string = &m.metadata_payload;
        break;
    }
    if (number != nullptr) {
      const auto value = c.IntIn(kInt32Min, kInt32Max);
      if (value) *number = static_cast<int32_t>(*value);
      return value.has_value();
    }
    const absl::string_view token = c.text();
    if (c.At(Kind::kString) && token.find('\\') == absl::string_view::npos) {
      // The common case: no escape, so the bytes between the quotes are the value.
      if (token.size() > 2) *string = module.InternString(token.substr(1, token.size() - 2));
      c.Advance();
      return true;
    }
    const auto value = c.String();
    if (value && !value->empty()) *string = module.InternString(*value);
    return value.has_value();
  });
  if (!good) return std::nullopt;
  return m;
}

std::optional<OriginArray> ReadOriginArray(TokenCursor& c) {
  OriginArray array;
  if (!c.Expect(Kind::kLeftBrace)) return std::nullopt;
  if (c.At(Kind::kString)) {
    auto name = c.String();
    if (!name) return std::nullopt;
    array.instruction = *std::move(name);
    if (c.At(Kind::kLeftBrace)) {
      auto index = ReadShapeIndex(c);
      if (!index) return std::nullopt;
      array.index = *std::move(index);
    }
  }
  if (!c.Expect(Kind::kRightBrace)) return std::nullopt;
  return array;
}

std::optional<Origin> ReadOrigin(TokenCursor& c) {
  Origin origin;
  if (!c.Expect(Kind::kLeftBrace)) return std::nullopt;
  if (c.Eat(Kind::kLeftBracket)) {
    if (!c.EatWord("synthetic_call")) {
      c.FailExpected("`synthetic_call`");
      return std::nullopt;
    }
    if (!c.Expect(Kind::kRightBracket) || !c.Expect(Kind::kRightBrace)) return std::nullopt;
    origin.synthetic_call = true;
    return origin;
  }
  std::vector<size_t> open;  // tuple nodes being read
  while (true) {
    if (c.At(Kind::kLeftParen)) {
      if (open.size() >= static_cast<size_t>(kMaxNesting)) {
        c.Fail(DiagnosticKind::kNestingTooDeep, kMaxNesting);
        return std::nullopt;
      }
      if (!open.empty()) ++origin.nodes[open.back()].child_count;
      open.push_back(origin.nodes.size());
      origin.nodes.emplace_back().is_tuple = true;
      c.Advance();
      if (!c.At(Kind::kRightParen)) continue;
    } else {
      const TokenIndex first = c.position();
      auto array = ReadOriginArray(c);
      if (!array) return std::nullopt;
      if (array->instruction.empty()) c.Report(DiagnosticKind::kEmptyOrigin, c.RangeFrom(first));
      if (!open.empty()) ++origin.nodes[open.back()].child_count;
      origin.nodes.emplace_back().array = *std::move(array);
    }
    bool next_sibling = false;
    while (!open.empty()) {
      if (origin.nodes[open.back()].child_count > 0 && c.Eat(Kind::kComma)) {
        next_sibling = true;
        break;
      }
      if (!c.Eat(Kind::kRightParen)) {
        c.FailListEnd(Kind::kRightParen);
        return std::nullopt;
      }
      open.pop_back();
    }
    if (!next_sibling) break;
  }
  if (!c.Expect(Kind::kRightBrace)) return std::nullopt;
  return origin;
}

bool ReadStringRows(TokenCursor& c, std::vector<std::string>& rows) {
  while (!c.AtEnd()) {
    if (!c.Int()) return false;
    auto text = c.String();
    if (!text) return false;
    rows.push_back(*std::move(text));
  }
  return true;
}

bool ReadLocationRows(TokenCursor& c, std::vector<StackFrameTables::Location>& rows) {
  static constexpr absl::string_view kNames[] = {"file_name_id", "function_name_id", "line",
                                                 "end_line",     "column",           "end_column"};
  while (!c.AtEnd()) {
    StackFrameTables::Location row;
    int32_t* const fields[] = {&row.file_name_id, &row.function_name_id, &row.line,
                               &row.end_line,     &row.column,           &row.end_column};
    if (!c.Int() || !ReadIntFields(c, "FileLocations", kNames, fields)) return false;
    rows.push_back(row);
  }
  return true;
}

bool ReadFrameRows(TokenCursor& c, std::vector<StackFrameTables::Frame>& rows) {
  static constexpr absl::string_view kNames[] = {"file_location_id", "parent_frame_id"};
  while (!c.AtEnd()) {
    StackFrameTables::Frame row;
    int32_t* const fields[] = {&row.file_location_id, &row.parent_frame_id};
    if (!c.Int() || !ReadIntFields(c, "StackFrames", kNames, fields)) return false;
    rows.push_back(row);
  }
  return true;
}

}  // namespace hloscope
