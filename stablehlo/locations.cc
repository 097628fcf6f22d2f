// SPDX-License-Identifier: Apache-2.0
#include "stablehlo/locations.h"

#include <algorithm>
#include <limits>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "stablehlo/hlo_writer.h"

namespace hloscope::stablehlo {
namespace {

constexpr int kMostLevels = 200;
constexpr int kMostParts = 10000;

// `name` up to its first `@`.
std::string BeforeAt(const std::string& name) { return name.substr(0, name.find('@')); }

// The number of `key` in a table, which is appended if it is new; numbers count from 1.
int32_t Number(absl::flat_hash_map<std::string, int32_t>& ids, const std::string& key, bool* is_new) {
  const auto [at, added] = ids.emplace(key, static_cast<int32_t>(ids.size()) + 1);
  *is_new = added;
  return at->second;
}

}  // namespace

// --- Reading ---

const Locations::Node* Locations::Keep(Node node) {
  for (const Node* child : node.children) node.depth = std::max(node.depth, child->depth + 1);
  if (node.depth > kMostLevels) {
    is_cut_ = true;
    node = Node();
  }
  return &nodes_.emplace_back(std::move(node));
}

// What is between the parentheses of loc(...).
const Locations::Node* Locations::Read(SourceRange range) {
  const Token outer = token_;
  token_ = lexer_.ReadFrom(range.begin);
  const Node* const node = ReadOne(range.end);
  token_ = outer;
  return node;
}

const Locations::Node* Locations::ReadAlias() {
  const absl::string_view name = text();
  Advance();
  const auto [known, is_new] = alias_.emplace(name, nullptr);
  if (!is_new) return known->second != nullptr ? known->second : Keep({});  // null: it refers to itself
  const auto written = program_.alias_of_name.find(name);
  const Node* node = nullptr;
  if (written == program_.alias_of_name.end()) {
    node = Keep({});
  } else {
    SourceRange value = written->second;
    if (absl::StartsWith(program_.Slice(value), "loc(")) value.begin += 4;
    node = Read(value);
  }
  // What was cut because of the place it is used at may be read in full elsewhere.
  if (is_cut_) {
    alias_.erase(name);
  } else {
    alias_[name] = node;
  }
  return node;
}

const Locations::Node* Locations::ReadOne(uint32_t end) {
  if (level_ >= kMostLevels || ++reads_ > kMostParts) is_cut_ = true;
  if (is_cut_ || token_.begin >= end) return Keep({});
  ++level_;
  const Node* node = nullptr;
  if (At(TokenKind::kHash)) {
    node = ReadAlias();
  } else if (At(TokenKind::kString)) {
    node = ReadString(end);
  } else if (At(TokenKind::kWord) && (text() == "callsite" || text() == "loc")) {
    Node made;
    const bool is_call = text() == "callsite";
    made.form = Form::kCallSite;
    Advance();
    if (At(TokenKind::kLeftParen)) {
      Advance();
      made.children.push_back(ReadOne(end));
      if (is_call && At(TokenKind::kWord) && text() == "at") {
        Advance();
        made.children.push_back(ReadOne(end));
      }
      if (At(TokenKind::kRightParen)) Advance();
    }
    if (!is_call && !made.children.empty()) {
      node = made.children[0];
    } else if (made.children.size() == 2) {
      node = Keep(std::move(made));
    }
  } else if (At(TokenKind::kWord) && text() == "fused") {
    Node made;
    made.form = Form::kFused;
    Advance();
    if (At(TokenKind::kLess)) token_ = lexer_.ReadFrom(lexer_.EndOfBracket(token_.begin));
    while (!is_cut_ && (At(TokenKind::kLeftBracket) || At(TokenKind::kComma)) && token_.begin < end) {
      Advance();
      made.children.push_back(ReadOne(end));
    }
    if (At(TokenKind::kRightBracket)) Advance();
    node = Keep(std::move(made));
  }
  --level_;
  return node != nullptr ? node : Keep({});
}

int32_t Locations::ReadNumber() {
  int32_t number = 0;
  if (At(TokenKind::kInteger)) {
    if (!absl::SimpleAtoi(text(), &number) || number < 0) number = 0;
    Advance();
  }
  return number;
}

// :line:column, and `to line:column` or `to :column`.
void Locations::ReadFilePlace(uint32_t end, Node& node) {
  node.form = Form::kFile;
  Advance();
  node.line = node.end_line = ReadNumber();
  if (At(TokenKind::kColon)) Advance();
  node.column = node.end_column = ReadNumber();
  if (!At(TokenKind::kWord) || text() != "to" || token_.begin >= end) return;
  Advance();
  if (At(TokenKind::kInteger)) node.end_line = ReadNumber();
  if (At(TokenKind::kColon)) Advance();
  node.end_column = ReadNumber();
}

// "name", "name"(child) or "file":line:column.
const Locations::Node* Locations::ReadString(uint32_t end) {
  const absl::string_view quoted = text();
  Node node;
  node.form = Form::kName;
  node.name = DecodeString(quoted.substr(1, quoted.size() >= 2 ? quoted.size() - 2 : 0));
  Advance();
  if (At(TokenKind::kColon) && token_.begin < end) {
    ReadFilePlace(end, node);
  } else if (At(TokenKind::kLeftParen) && token_.begin < end) {
    Advance();
    node.children.push_back(ReadOne(end));
    if (At(TokenKind::kRightParen)) Advance();
  }
  return Keep(std::move(node));
}

// --- What it says ---

void Locations::CollectNames(const Node& node, std::vector<std::string>& names, std::string& op_type,
                             int& visits) const {
  if (++visits > kMostParts) return;
  switch (node.form) {
    case Form::kName: {
      const std::string name = BeforeAt(node.name);
      if (!absl::EndsWith(name, ":")) {
        names.push_back(name);
      } else {
        if (op_type.empty()) op_type = name.substr(0, name.size() - 1);
        for (const Node* child : node.children) CollectNames(*child, names, op_type, visits);
      }
      break;
    }
    case Form::kCallSite:
      CollectNames(*node.children[0], names, op_type, visits);
      break;
    case Form::kFused:
      for (const Node* child : node.children) CollectNames(*child, names, op_type, visits);
      break;
    case Form::kFile:
    case Form::kUnknown:
      break;
  }
}

// Whether the node is a frame, or a call of frames.
bool Locations::IsFrames(const Node& node, int& visits) {
  if (++visits > kMostParts) return false;
  if (node.form != Form::kCallSite) return IsFrame(node);
  return IsFrames(*node.children[0], visits) && IsFrames(*node.children[1], visits);
}

// The number of the innermost frame, whose outermost caller is `caller` (0: nobody).
int32_t Locations::FrameOf(const Node& node, int32_t caller, int& visits) {
  if (++visits > kMostParts) return caller;
  if (node.form == Form::kCallSite) {
    return FrameOf(*node.children[0], FrameOf(*node.children[1], caller, visits), visits);
  }
  const Node& file = *node.children[0];
  bool is_new = false;
  StackFrameTables::Location location;
  location.file_name_id = Number(file_ids_, file.name, &is_new);
  if (is_new) tables_.file_names.push_back(file.name);
  const std::string function = BeforeAt(node.name);
  location.function_name_id = Number(function_ids_, function, &is_new);
  if (is_new) tables_.function_names.push_back(function);
  location.line = file.line;
  location.column = file.column;
  location.end_line = file.end_line;
  location.end_column = file.end_column;
  const std::string key = absl::StrCat(location.file_name_id, ",", location.function_name_id, ",", file.line, ",",
                                       file.column, ",", absl::StrCat(file.end_line, ",", file.end_column));
  const int32_t place = Number(place_ids_, key, &is_new);
  if (is_new) tables_.locations.push_back(location);
  const auto [frame, added] =
      frame_ids_.emplace(std::make_pair(place, caller), static_cast<int32_t>(frame_ids_.size()) + 1);
  if (added) tables_.frames.push_back({place, caller + 1});
  return frame->second;
}

// The last file location; callers do not count. Null if there is none.
const Locations::Node* Locations::LastFile(const Node& node, int& visits) {
  if (++visits > kMostParts) return nullptr;
  if (node.form == Form::kFile) return &node;
  const size_t count = node.form == Form::kCallSite ? 1 : node.children.size();
  for (size_t k = count; k > 0; --k) {
    if (const Node* file = LastFile(*node.children[k - 1], visits); file != nullptr) return file;
  }
  return nullptr;
}

// The fields of the place in the source.
std::string Locations::SourceFields(const Node& node) {
  const Node* at = &node;
  while (at->form == Form::kName && !IsFrame(*at) && !at->children.empty()) at = at->children[0];
  int visits = 0;
  if (IsFrames(*at, visits)) {
    visits = 0;
    return absl::StrCat("stack_frame_id=", FrameOf(*at, 0, visits));
  }
  visits = 0;
  const Node* const file = LastFile(*at, visits);
  if (file == nullptr) return "";
  std::string text = absl::StrCat("source_file=", Quoted(file->name));
  if (file->line > 0) {
    absl::StrAppend(&text, " source_line=", file->line, " source_end_line=", std::max(file->line, file->end_line));
    if (file->column > 0) {
      absl::StrAppend(&text, " source_column=", file->column, " source_end_column=", std::max(1, file->end_column));
    }
  }
  return text;
}

const LocationMetadata& Locations::Of(const AttributeValue& location) {
  const absl::string_view written = program_.Slice(location.payload);
  const auto [known, is_new] = metadata_of_text_.emplace(written, nullptr);
  if (!is_new) return *known->second;
  reads_ = level_ = 0;
  is_cut_ = false;
  const Node& node = *Read(location.payload);
  LocationMetadata metadata;
  std::vector<std::string> names, fields;
  std::string op_type;
  int visits = 0;
  CollectNames(node, names, op_type, visits);
  if (!op_type.empty()) fields.push_back(absl::StrCat("op_type=", Quoted(op_type)));
  if (!names.empty()) {
    metadata.op_name = absl::StrJoin(names, ";");
    fields.push_back(absl::StrCat("op_name=", Quoted(metadata.op_name)));
    metadata.argument = absl::StrCat(", metadata={", fields.back(), "}");
  }
  if (std::string source = SourceFields(node); !source.empty()) fields.push_back(std::move(source));
  if (!fields.empty()) metadata.operation = absl::StrCat(", metadata={", absl::StrJoin(fields, " "), "}");
  const LocationMetadata& kept = metadata_.emplace_back(std::move(metadata));
  metadata_of_text_[written] = &kept;
  return kept;
}

}  // namespace hloscope::stablehlo
