// SPDX-License-Identifier: Apache-2.0
#include "stablehlo/shardings.h"

#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "stablehlo/hlo_writer.h"
#include "stablehlo/lexer.h"
#include "stablehlo/meshes.h"

namespace hloscope::stablehlo {
namespace {

// --- Serialized OpSharding ---

class ProtoReader {
 public:
  explicit ProtoReader(absl::string_view bytes) : bytes_(bytes) {}
  bool AtEnd() const { return at_ == bytes_.size(); }
  bool Varint(uint64_t& value) {
    value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (at_ == bytes_.size()) return false;
      const uint8_t byte = static_cast<uint8_t>(bytes_[at_++]);
      value |= uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }
  bool Bytes(absl::string_view& value) {
    uint64_t size;
    if (!Varint(size) || size > bytes_.size() - at_) return false;
    value = bytes_.substr(at_, size);
    at_ += size;
    return true;
  }

 private:
  absl::string_view bytes_;
  size_t at_ = 0;
};

struct OpSharding {
  uint64_t type = 0;
  std::vector<int64_t> dimensions, devices, last_dimensions, reshape, transpose;
  std::vector<absl::string_view> tuple;
  bool replicate_last = false;
};

bool ReadPacked(absl::string_view bytes, std::vector<int64_t>& list) {
  ProtoReader reader(bytes);
  uint64_t value;
  while (!reader.AtEnd()) {
    if (!reader.Varint(value)) return false;
    list.push_back(static_cast<int64_t>(value));
  }
  return true;
}

bool ReadOpSharding(absl::string_view bytes, OpSharding& sharding) {
  ProtoReader reader(bytes);
  while (!reader.AtEnd()) {
    uint64_t tag, value = 0;
    absl::string_view data;
    if (!reader.Varint(tag)) return false;
    const uint64_t wire = tag & 7;
    if (wire == 0 ? !reader.Varint(value) : wire != 2 || !reader.Bytes(data)) return false;
    std::vector<int64_t>* const lists[] = {nullptr,
                                           nullptr,
                                           nullptr,
                                           &sharding.dimensions,
                                           &sharding.devices,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           &sharding.last_dimensions,
                                           &sharding.reshape,
                                           &sharding.transpose};
    const uint64_t field = tag >> 3;
    if (field == 0 || field > 13) return false;
    if (field == 1) sharding.type = value;
    if (field == 5) sharding.tuple.push_back(data);
    if (field == 6) sharding.replicate_last = value != 0;
    if (field >= std::size(lists) || lists[field] == nullptr) continue;
    if (wire == 0) {
      lists[field]->push_back(static_cast<int64_t>(value));
    } else if (!ReadPacked(data, *lists[field])) {
      return false;
    }
  }
  return true;
}

std::string TiledText(const OpSharding& sharding) {
  std::string text = absl::StrCat("{devices=[", absl::StrJoin(sharding.dimensions, ","), "]");
  if (!sharding.reshape.empty()) {
    absl::StrAppend(&text, "<=[", absl::StrJoin(sharding.reshape, ","), "]");
    if (sharding.reshape.size() > 1) absl::StrAppend(&text, "T(", absl::StrJoin(sharding.transpose, ","), ")");
  } else {
    absl::StrAppend(&text, absl::StrJoin(sharding.devices, ","));
  }
  if (sharding.replicate_last) absl::StrAppend(&text, " last_tile_dim_replicate");
  if (!sharding.last_dimensions.empty()) {
    static constexpr absl::string_view kNames[] = {"replicated", "maximal", "tuple",    "other",
                                                   "manual",     "unknown", "unreduced"};
    std::vector<absl::string_view> names;
    for (const int64_t type : sharding.last_dimensions) names.push_back(kNames[type >= 0 && type < 7 ? type : 5]);
    absl::StrAppend(&text, " last_tile_dims={", absl::StrJoin(names, ","), "}");
  }
  return text + "}";
}

// Empty if the bytes are no OpSharding.
std::string ProtoText(absl::string_view bytes, int level = 0) {
  OpSharding sharding;
  if (level > 20 || !ReadOpSharding(bytes, sharding)) return "";
  switch (sharding.type) {
    case 0:
      return "{replicated}";
    case 1:
      return absl::StrCat("{maximal device=", sharding.devices.empty() ? 0 : sharding.devices[0], "}");
    case 2: {
      std::vector<std::string> parts;
      for (const absl::string_view part : sharding.tuple) {
        parts.push_back(ProtoText(part, level + 1));
        if (parts.back().empty()) return "";
      }
      return absl::StrCat("{", absl::StrJoin(parts, ", "), "}");
    }
    case 3:
      return TiledText(sharding);
    case 4:
      return "{manual}";
    case 5:
      return "{unknown}";
    case 6:
      return "{unreduced}";
    default:
      return "";
  }
}

// --- Shardy ---

// Axes of each dimension of `<@mesh, [{"x"}, {"y", ?}, {}]>`; false if it uses parts of axes or is no such list.
bool DimensionAxes(absl::string_view text, std::vector<std::vector<std::string>>& dimensions, std::string& mesh) {
  DiagnosticSink ignored;
  Lexer lexer(text, &ignored);
  int brackets = 0, braces = 0;
  for (Token token = lexer.ReadFrom(0); token.kind != TokenKind::kEnd; token = lexer.ReadFrom(token.end)) {
    const absl::string_view word = lexer.Slice(token.range());
    if (token.kind == TokenKind::kSymbol && mesh.empty()) mesh = std::string(word.substr(1));
    if (token.kind == TokenKind::kLeftBracket) ++brackets;
    if (token.kind == TokenKind::kRightBracket) return true;  // what follows says which axes are replicated
    if (token.kind == TokenKind::kLeftBrace && brackets > 0 && ++braces > 0) dimensions.emplace_back();
    if (token.kind == TokenKind::kRightBrace) --braces;
    if (token.kind == TokenKind::kString && braces > 0) dimensions.back().emplace_back(word.substr(1, word.size() - 2));
    if (token.kind == TokenKind::kColon) return false;  // "x":(1)2
  }
  return false;
}

std::string ShardyText(const Program& program, absl::string_view text, std::string& why) {
  std::vector<std::vector<std::string>> dimensions;
  std::string mesh_name;
  if (!DimensionAxes(text, dimensions, mesh_name)) {
    why = "only whole axes of a mesh are supported";
    return "";
  }
  const std::optional<MeshAxes> mesh = FindMesh(program, mesh_name);
  if (!mesh.has_value()) {
    why = absl::StrCat("@", mesh_name, " is no mesh of this program");
    return "";
  }
  const MeshAxes& axes = *mesh;
  if (axes.names.empty() && axes.device_ids.size() == 1)
    return absl::StrCat("{maximal device=", axes.device_ids[0], "}");
  if (!IsPossible(axes)) {
    why = absl::StrCat("@", mesh_name, " has more axes or devices than a mesh can have");
    return "";
  }
  std::vector<int64_t> order, tile;
  std::vector<bool> is_taken(axes.names.size(), false);
  for (const std::vector<std::string>& dimension : dimensions) {
    int64_t product = 1;
    for (const std::string& axis : dimension) {
      const auto found = absl::c_find(axes.names, axis);
      if (found == axes.names.end()) {
        why = absl::StrCat("the mesh has no axis \"", axis, "\"");
        return "";
      }
      order.push_back(found - axes.names.begin());
      if (is_taken[static_cast<size_t>(order.back())]) {
        why = absl::StrCat("the axis \"", axis, "\" divides more than once");
        return "";
      }
      is_taken[static_cast<size_t>(order.back())] = true;
      product *= axes.sizes[static_cast<size_t>(order.back())];
    }
    tile.push_back(product);
  }
  int64_t unused = 1, all = 1;
  for (size_t k = 0; k < axes.sizes.size(); ++k) {
    all *= axes.sizes[k];
    if (is_taken[k]) continue;
    order.push_back(static_cast<int64_t>(k));
    unused *= axes.sizes[k];
  }
  if (unused == all) return "{replicated}";
  if (unused > 1) tile.push_back(unused);
  OpSharding sharding;
  sharding.dimensions = tile;
  sharding.replicate_last = unused > 1;
  // Neighbouring axes that stay neighbours are one.
  std::vector<std::vector<int64_t>> runs;
  for (const int64_t axis : order) {
    if (!runs.empty() && runs.back().back() + 1 == axis) {
      runs.back().push_back(axis);
    } else {
      runs.push_back({axis});
    }
  }
  std::vector<size_t> by_axis(runs.size());
  for (size_t k = 0; k < runs.size(); ++k) by_axis[k] = k;
  absl::c_sort(by_axis, [&](size_t a, size_t b) { return runs[a][0] < runs[b][0]; });
  for (const size_t run : by_axis) {
    int64_t size = 1;
    for (const int64_t axis : runs[run]) size *= axes.sizes[static_cast<size_t>(axis)];
    sharding.reshape.push_back(size);
  }
  for (size_t k = 0; k < runs.size(); ++k) {
    sharding.transpose.push_back(absl::c_find(by_axis, k) - by_axis.begin());
  }
  return TiledText(sharding);
}

// The parts of `text` between commas at the level of its first bracket of kind `open`, without what is around that. In
// lists of Shardy `<` is a bracket too.
std::vector<absl::string_view> PartsOf(absl::string_view text, TokenKind open) {
  const bool has_angles = open == TokenKind::kLeftBracket;
  DiagnosticSink ignored;
  Lexer lexer(text, &ignored);
  std::vector<absl::string_view> parts;
  int depth = 0;
  uint32_t begin = 0;
  for (Token token = lexer.ReadFrom(0); token.kind != TokenKind::kEnd; token = lexer.ReadFrom(token.end)) {
    const bool opens = token.kind == TokenKind::kLeftBracket || token.kind == TokenKind::kLeftBrace ||
                       (has_angles && token.kind == TokenKind::kLess);
    const bool closes = token.kind == TokenKind::kRightBracket || token.kind == TokenKind::kRightBrace ||
                        (has_angles && token.kind == TokenKind::kGreater);
    if (opens && (depth > 0 || token.kind == open)) {
      if (++depth == 1) begin = token.end;
    } else if ((closes && depth == 1) || (token.kind == TokenKind::kComma && depth == 1)) {
      parts.push_back(text.substr(begin, token.begin - begin));
      begin = token.end;
      if (closes) return parts;
    } else if (closes && depth > 0) {
      --depth;
    }
  }
  return {};
}

}  // namespace

std::vector<std::string> ResultShardings(const Program& program, const AttributeValue& value, size_t count,
                                         std::string& why) {
  if (count <= 1) return {HloSharding(program, value, why)};
  std::vector<std::string> shardings;
  if (value.form == AttributeForm::kOther) {
    for (const absl::string_view part : PartsOf(value.text, TokenKind::kLeftBracket)) {
      shardings.push_back(ShardyText(program, part, why));
      if (shardings.back().empty()) return std::vector<std::string>(count);
    }
  } else {
    const std::string whole = HloSharding(program, value, why);
    if (!absl::StartsWith(whole, "{{")) return std::vector<std::string>(count, whole);
    for (const absl::string_view part : PartsOf(whole, TokenKind::kLeftBrace)) {
      shardings.emplace_back(absl::StripAsciiWhitespace(part));
    }
  }
  if (shardings.size() == count) return shardings;
  why = absl::StrCat("it has ", shardings.size(), " parts for ", count, " results");
  return std::vector<std::string>(count);
}

std::string HloSharding(const Program& program, const AttributeValue& value, std::string& why) {
  if (value.form == AttributeForm::kOther) return ShardyText(program, value.text, why);
  if (value.form != AttributeForm::kString) {
    why = "it is neither a string nor a sharding of Shardy";
    return "";
  }
  const std::string text = DecodeString(value.text);
  if (text.empty()) return "{replicated}";
  std::string proto = absl::StartsWith(text, "{") ? "" : ProtoText(text);
  if (!proto.empty()) return proto;
  if (absl::StartsWith(text, "{") && absl::EndsWith(text, "}")) return text;
  why = "it is neither HLO text such as {replicated} nor a serialized OpSharding";
  return "";
}

}  // namespace hloscope::stablehlo
