// SPDX-License-Identifier: Apache-2.0
#include "stablehlo/shardings.h"

#include <algorithm>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
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

// "x", or "x":(2)4: of the axis as an array of 2 rows of 4 of the rest, the 4.
struct AxisPart {
  std::string axis;
  int64_t before = 1, size = 0;  // size 0: the whole axis
};

// <@mesh, [{"x"}, {"y":(1)2, ?}, {}], replicated={"z"}, unreduced={"w"}>
struct ShardyAxes {
  std::string mesh;
  std::vector<std::vector<AxisPart>> dimensions;
  std::vector<AxisPart> unreduced;
};

std::optional<ShardyAxes> ReadShardyAxes(absl::string_view text) {
  DiagnosticSink ignored;
  Lexer lexer(text, &ignored);
  ShardyAxes result;
  std::vector<AxisPart> replicated;  // as what nobody names
  std::vector<AxisPart>* list = nullptr;
  bool in_dimensions = false, saw_dimensions = false;
  absl::string_view section;
  Token token = lexer.ReadFrom(0);
  const auto word = [&] { return lexer.Slice(token.range()); };
  const auto advance = [&] { token = lexer.ReadFrom(token.end); };
  const auto integer = [&](int64_t& number) {
    advance();
    return token.kind == TokenKind::kInteger && absl::SimpleAtoi(word(), &number);
  };
  for (; token.kind != TokenKind::kEnd; advance()) {
    if (token.kind == TokenKind::kSymbol && result.mesh.empty()) result.mesh = std::string(word().substr(1));
    if (token.kind == TokenKind::kLeftBracket) in_dimensions = saw_dimensions = true;
    if (token.kind == TokenKind::kRightBracket) in_dimensions = false;
    if (token.kind == TokenKind::kWord) section = word();
    if (token.kind == TokenKind::kLeftBrace) {
      if (in_dimensions) result.dimensions.emplace_back();
      list = in_dimensions ? &result.dimensions.back() : section == "unreduced" ? &result.unreduced : &replicated;
    }
    if (token.kind == TokenKind::kRightBrace) list = nullptr;
    if (token.kind == TokenKind::kString && list != nullptr)
      list->push_back({DecodeString(word().substr(1, word().size() - 2))});
    if (token.kind != TokenKind::kColon) continue;
    if (list == nullptr || list->empty()) return std::nullopt;
    advance();
    if (token.kind != TokenKind::kLeftParen || !integer(list->back().before)) return std::nullopt;
    advance();
    if (token.kind != TokenKind::kRightParen || !integer(list->back().size)) return std::nullopt;
  }
  return saw_dimensions ? std::optional<ShardyAxes>(std::move(result)) : std::nullopt;
}

// A mesh whose axes are divided where a sharding uses parts of them.
class DividedMesh {
 public:
  // Empty, or why the parts do not fit.
  std::string Divide(const MeshAxes& mesh, const ShardyAxes& used) {
    std::vector<std::vector<int64_t>> cuts(mesh.names.size());
    const auto add = [&](const std::vector<AxisPart>& parts) -> std::string {
      for (const AxisPart& part : parts) {
        const auto found = absl::c_find(mesh.names, part.axis);
        if (found == mesh.names.end()) return absl::StrCat("the mesh has no axis \"", part.axis, "\"");
        if (part.size == 0) continue;
        const size_t axis = static_cast<size_t>(found - mesh.names.begin());
        const int64_t size = mesh.sizes[axis];
        if (part.before < 1 || part.size < 1 || size % part.before != 0 || size / part.before % part.size != 0) {
          return absl::StrCat("(", part.before, ")", part.size, " is no part of the axis \"", part.axis, "\" of size ",
                              size);
        }
        cuts[axis].push_back(part.before);
        cuts[axis].push_back(part.before * part.size);
      }
      return "";
    };
    for (const std::vector<AxisPart>& dimension : used.dimensions) {
      if (std::string why = add(dimension); !why.empty()) return why;
    }
    if (std::string why = add(used.unreduced); !why.empty()) return why;
    for (size_t axis = 0; axis < cuts.size(); ++axis) {
      std::vector<int64_t>& at = cuts[axis];
      at.push_back(1);
      at.push_back(mesh.sizes[axis]);
      absl::c_sort(at);
      at.erase(std::unique(at.begin(), at.end()), at.end());
      if (at.size() == 1) at.push_back(at[0]);  // an axis of size 1
      for (size_t k = 0; k + 1 < at.size(); ++k) {
        if (at[k + 1] % at[k] != 0) return absl::StrCat("parts of the axis \"", mesh.names[axis], "\" overlap");
        parts_.push_back({mesh.names[axis], at[k], at[k + 1] / at[k]});
      }
    }
    taken_.assign(parts_.size(), false);
    return "";
  }

  // Appends the parts that `named` stands for to `order` and gives their product; nullopt if one is taken.
  std::optional<int64_t> Take(const std::vector<AxisPart>& named, std::vector<int64_t>& order, std::string& why) {
    int64_t product = 1;
    for (const AxisPart& name : named) {
      for (size_t k = 0; k < parts_.size(); ++k) {
        const AxisPart& part = parts_[k];
        const bool is_in = part.axis == name.axis &&
                           (name.size == 0 || (part.before >= name.before && part.before < name.before * name.size));
        if (!is_in) continue;
        if (taken_[k]) {
          why = absl::StrCat("the axis \"", name.axis, "\" divides more than once");
          return std::nullopt;
        }
        taken_[k] = true;
        order.push_back(static_cast<int64_t>(k));
        product *= part.size;
      }
    }
    return product;
  }
  // The same of all that are left.
  int64_t TakeRest(std::vector<int64_t>& order) {
    int64_t product = 1;
    for (size_t k = 0; k < parts_.size(); ++k) {
      if (taken_[k]) continue;
      order.push_back(static_cast<int64_t>(k));
      product *= parts_[k].size;
    }
    return product;
  }
  int64_t size(int64_t part) const { return parts_[static_cast<size_t>(part)].size; }
  size_t part_count() const { return parts_.size(); }

 private:
  std::vector<AxisPart> parts_;
  std::vector<bool> taken_;
};

// The devices in the order of the parts of the mesh, which is given as a permutation of them.
void SetDevices(const DividedMesh& mesh, const std::vector<int64_t>& order, OpSharding& sharding) {
  // Neighbouring axes that stay neighbours are one.
  std::vector<std::vector<int64_t>> runs;
  for (const int64_t part : order) {
    if (!runs.empty() && runs.back().back() + 1 == part) {
      runs.back().push_back(part);
    } else {
      runs.push_back({part});
    }
  }
  std::vector<size_t> by_part(runs.size());
  for (size_t k = 0; k < runs.size(); ++k) by_part[k] = k;
  absl::c_sort(by_part, [&](size_t a, size_t b) { return runs[a][0] < runs[b][0]; });
  for (const size_t run : by_part) {
    int64_t size = 1;
    for (const int64_t part : runs[run]) size *= mesh.size(part);
    sharding.reshape.push_back(size);
  }
  for (size_t k = 0; k < runs.size(); ++k) {
    sharding.transpose.push_back(absl::c_find(by_part, k) - by_part.begin());
  }
}

// The same of a mesh that lists its devices.
void SetListedDevices(const DividedMesh& mesh, const std::vector<int64_t>& order, const std::vector<int64_t>& devices,
                      OpSharding& sharding) {
  std::vector<int64_t> stride(mesh.part_count(), 1), index(order.size(), 0);
  for (size_t k = mesh.part_count(); k-- > 1;) stride[k - 1] = stride[k] * mesh.size(static_cast<int64_t>(k));
  for (size_t n = 0; n < devices.size(); ++n) {
    int64_t at = 0;
    for (size_t k = 0; k < order.size(); ++k) at += index[k] * stride[static_cast<size_t>(order[k])];
    sharding.devices.push_back(devices[static_cast<size_t>(at)]);
    for (size_t k = order.size(); k-- > 0 && ++index[k] == mesh.size(order[k]);) index[k] = 0;
  }
}

std::string ShardyText(const Program& program, absl::string_view text, std::string& why) {
  const std::optional<ShardyAxes> used = ReadShardyAxes(text);
  if (!used.has_value()) {
    why = "it is no list of axes for each dimension, such as <@mesh, [{\"x\"}, {}]>";
    return "";
  }
  const MeshAxes* const mesh = FindMesh(program, used->mesh);
  if (mesh == nullptr) {
    why = absl::StrCat("@", used->mesh, " is no mesh of this program");
    return "";
  }
  if (mesh->names.empty() && mesh->device_ids.size() == 1)
    return absl::StrCat("{maximal device=", mesh->device_ids[0], "}");
  if (!IsPossible(*mesh)) {
    why = absl::StrCat("@", used->mesh, " has more axes or devices than a mesh can have");
    return "";
  }
  int64_t all = 1;
  for (const int64_t size : mesh->sizes) all *= size;
  if (!mesh->device_ids.empty() && mesh->device_ids.size() != static_cast<size_t>(all)) {
    why = absl::StrCat("@", used->mesh, " lists ", mesh->device_ids.size(), " devices, its axes have ", all);
    return "";
  }
  DividedMesh divided;
  why = divided.Divide(*mesh, *used);
  if (!why.empty()) return "";
  OpSharding sharding;
  std::vector<int64_t> order;
  bool is_tiled = false;
  for (const std::vector<AxisPart>& dimension : used->dimensions) {
    const std::optional<int64_t> tiles = divided.Take(dimension, order, why);
    if (!tiles.has_value()) return "";
    sharding.dimensions.push_back(*tiles);
    is_tiled = is_tiled || *tiles > 1;
  }
  const std::optional<int64_t> unreduced = divided.Take(used->unreduced, order, why);
  if (!unreduced.has_value()) return "";
  const int64_t replicated = divided.TakeRest(order);
  if (!is_tiled && *unreduced == 1) return "{replicated}";
  if (!is_tiled && replicated == 1) return "{unreduced}";
  if (*unreduced > 1) {
    sharding.dimensions.push_back(*unreduced);
    sharding.last_dimensions.push_back(6);
  }
  if (replicated > 1) {
    sharding.dimensions.push_back(replicated);
    if (*unreduced > 1) sharding.last_dimensions.push_back(0);
    sharding.replicate_last = *unreduced == 1;
  }
  if (mesh->device_ids.empty()) {
    SetDevices(divided, order, sharding);
  } else {
    SetListedDevices(divided, order, mesh->device_ids, sharding);
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
