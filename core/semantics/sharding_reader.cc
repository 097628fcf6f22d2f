// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/sharding_reader.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "core/diagnostics/count_text.h"
#include "core/ir/sharding_reduction.h"
#include "core/semantics/mesh_reader.h"
#include "core/semantics/metadata_reader.h"
#include "core/semantics/sharding_normalization.h"
#include "core/semantics/value_readers.h"

namespace hloscope {
namespace {

using Kind = TokenKind;

class ShardingReader {
 public:
  ShardingReader(TokenCursor& cursor, Module& module) : c_(cursor), module_(module) {}

  std::optional<Sharding> Read() {
    if (!c_.Expect(Kind::kLeftBrace)) return std::nullopt;
    if (!c_.At(Kind::kLeftBrace) && !c_.At(Kind::kRightBrace)) return Single();
    Sharding tuple;
    tuple.kind = Sharding::Kind::kTuple;
    if (c_.Eat(Kind::kRightBrace)) return tuple;
    while (true) {
      if (!c_.Expect(Kind::kLeftBrace)) return std::nullopt;
      auto leaf = Single();
      if (!leaf) return std::nullopt;
      tuple.leaves.push_back(*std::move(leaf));
      if (c_.Eat(Kind::kRightBrace)) return tuple;
      if (!c_.At(Kind::kComma)) {
        c_.FailListEnd(Kind::kRightBrace);
        return std::nullopt;
      }
      c_.Advance();
      if (c_.At(Kind::kRightBrace)) {
        c_.FailSurplusComma();
        return std::nullopt;
      }
    }
  }

 private:
  // After the opening brace, up to and with the closing one.
  std::optional<Sharding> Single() { return c_.AtWord("mesh") || c_.AtWord("maximal_mesh") ? Named() : Tiled(); }

  // What is written between the braces of a sharding without a mesh.
  struct WrittenParts {
    Sharding sharding;  // the fields that are taken as they are
    std::optional<Sharding::Kind> word;
    absl::string_view word_text;
    std::optional<int64_t> device;
    bool has_devices = false;
    SourceRange device_range, devices_range, list_range, subgroups_range, replicate_range;
  };

  std::optional<Sharding> Tiled() {
    const TokenIndex first = c_.position();
    WrittenParts parts;
    while (!c_.At(Kind::kRightBrace)) {
      if (!(c_.At(Kind::kAttributeName) ? ReadField(parts) : ReadWord(parts))) return std::nullopt;
    }
    const SourceRange whole = c_.RangeFrom(first);
    if (!c_.Expect(Kind::kRightBrace)) return std::nullopt;
    return Combined(std::move(parts), whole);
  }

  // A part that is a word, or begins with one.
  bool ReadWord(WrittenParts& parts) {
    const auto set_kind = [&](Sharding::Kind kind) {
      // The first in this order wins (6.12).
      static constexpr Sharding::Kind kOrder[] = {Sharding::Kind::kReplicated, Sharding::Kind::kMaximal,
                                                  Sharding::Kind::kManual, Sharding::Kind::kUnknown,
                                                  Sharding::Kind::kUnreduced};
      const auto rank = [](Sharding::Kind k) { return std::find(std::begin(kOrder), std::end(kOrder), k); };
      if (!parts.word || rank(kind) < rank(*parts.word)) {
        parts.word = kind;
        parts.word_text = c_.text();
      }
      c_.Advance();
      return true;
    };
    switch (c_.kind()) {
      case Kind::kReplicated:
        return set_kind(Sharding::Kind::kReplicated);
      case Kind::kMaximal:
        return set_kind(Sharding::Kind::kMaximal);
      case Kind::kManual:
        return set_kind(Sharding::Kind::kManual);
      case Kind::kUnknown:
        return set_kind(Sharding::Kind::kUnknown);
      case Kind::kUnreduced:
        return set_kind(Sharding::Kind::kUnreduced);
      case Kind::kLastTileDimReplicate:
        parts.sharding.last_tile_dim_replicate = true;
        parts.replicate_range = c_.range();
        c_.Advance();
        return true;
      case Kind::kShardAs:
      case Kind::kShardLike: {
        const bool as = c_.At(Kind::kShardAs);
        c_.Advance();
        const auto group = c_.Int();
        if (!group) return false;
        (as ? parts.sharding.shard_as : parts.sharding.shard_like) = *group;
        return true;
      }
      default:
        FailPart();
        return false;
    }
  }

  // `name=` and its value.
  bool ReadField(WrittenParts& parts) {
    const TokenIndex field = c_.position();
    if (c_.AtAttribute("device")) {
      c_.Advance();
      parts.device = c_.Int();  // whether it exists is the verifier's matter
      if (!parts.device) return false;
      parts.device_range = parts.devices_range = c_.RangeFrom(field);
      return true;
    }
    if (c_.AtAttribute("devices")) {
      c_.Advance();
      parts.has_devices = true;
      if (!ReadDevices(parts)) return false;
      parts.devices_range = c_.RangeFrom(field);
      return true;
    }
    if (c_.AtAttribute("last_tile_dims")) {
      c_.Advance();
      if (!ReadSubgroups(parts.sharding)) return false;
      parts.subgroups_range = c_.RangeFrom(field);
      return true;
    }
    if (c_.AtAttribute("metadata")) {
      c_.Advance();
      return ReadMetadataList(parts.sharding);
    }
    static constexpr absl::string_view kFields[] = {"device", "devices", "last_tile_dims", "metadata"};
    c_.FailUnknownField("sharding", kFields);
    return false;
  }

  // The sharding that the parts make together; nothing, and a diagnostic, where they contradict each other. `whole` is
  // the range of all of them.
  std::optional<Sharding> Combined(WrittenParts parts, SourceRange whole) {
    const auto fail = [&](DiagnosticKind kind, SourceRange range, const auto&... arguments) -> std::optional<Sharding> {
      c_.Report(kind, range, arguments...);
      return std::nullopt;
    };
    Sharding& s = parts.sharding;
    s.kind = parts.word.value_or(Sharding::Kind::kTiled);
    if (s.kind == Sharding::Kind::kMaximal) {
      if (!parts.device && s.devices.size() == 1) parts.device = s.devices[0];
      if (!parts.device || s.devices.size() > 1)
        return fail(DiagnosticKind::kShardingMaximalDevice, whole, "`maximal` needs exactly one device, `device=N`");
      s.device = *parts.device;
      s.devices.clear();
      s.tile_dimensions.clear();
      s.iota.reset();
      return std::move(s);
    }
    if (s.kind != Sharding::Kind::kTiled) {
      // Only devices that are listed are looked at: the iota form beside a word counts for nothing.
      if (parts.device || !s.devices.empty()) {
        return fail(DiagnosticKind::kShardingSurplusDevices, parts.devices_range, parts.word_text);
      }
      s.tile_dimensions.clear();
      s.iota.reset();
      if (s.kind == Sharding::Kind::kUnreduced) TakeReduction(s);
      s.last_tile_dim_replicate = false;
      s.last_tile_dims.clear();
      return std::move(s);
    }
    if (parts.device)
      return fail(DiagnosticKind::kShardingMaximalDevice, parts.device_range,
                  "`device=` belongs to `maximal`; tiles take `devices=[...]`");
    if (!parts.has_devices) return fail(DiagnosticKind::kShardingWithoutDevices, whole);
    if (s.devices.size() == 1) return fail(DiagnosticKind::kShardingOneDevice, parts.list_range);
    if (s.last_tile_dim_replicate && !s.last_tile_dims.empty()) {
      return fail(DiagnosticKind::kShardingSubgroups, parts.replicate_range,
                  "`last_tile_dim_replicate` and `last_tile_dims` exclude each other; `last_tile_dims={replicated}` "
                  "says the same");
    }
    if (s.last_tile_dims.size() > s.tile_dimensions.size()) {
      return fail(DiagnosticKind::kShardingSubgroups, parts.subgroups_range,
                  absl::StrCat("`last_tile_dims` names ", CountOf(s.last_tile_dims.size(), "dimension"),
                               ", the tiles have ", s.tile_dimensions.size()));
    }
    NormalizeSharding(&s);
    return std::move(s);
  }

  // An entry of the metadata that says how partial results are to be combined: it prints from the sharding.
  void TakeReduction(Sharding& s) {
    for (auto it = s.metadata.begin(); it != s.metadata.end();) {
      const Metadata& metadata = module_.metadata(*it);
      if (module_.string(metadata.op_type) != kReductionOpType) {
        ++it;
        continue;
      }
      const std::string name = absl::AsciiStrToLower(module_.string(metadata.op_name));
      if (name == "sum" || name == "max" || name == "min") s.reduction = name;
      it = s.metadata.erase(it);
    }
  }

  // Not at a part of a sharding.
  void FailPart() {
    static constexpr absl::string_view kWords[] = {
        "replicated", "manual",     "unknown",      "unreduced", "maximal", "last_tile_dim_replicate",
        "shard_as",   "shard_like", "maximal_mesh", "mesh"};
    if (c_.At(Kind::kComma)) {
      const SourceRange comma = c_.range();
      c_.Report(DiagnosticKind::kBadValue, comma, "sharding", "its parts separated by blanks", "`,`")
          .Fix("remove the comma", comma, "");
    } else if (c_.At(Kind::kIdentifier)) {
      c_.FailUnknownWord("sharding", kWords);
    } else {
      c_.FailExpected("a word such as `replicated`, or `devices=[...]`");
    }
  }

  // [d...] followed by <= iota or by the list of devices.
  bool ReadDevices(WrittenParts& parts) {
    Sharding& s = parts.sharding;
    const TokenIndex first = c_.position();
    auto dims = ReadIntsBetween(c_, Kind::kLeftBracket, Kind::kRightBracket);
    if (!dims) return false;
    s.tile_dimensions = *dims;
    const int64_t tiles = DeviceProduct(*dims);
    if (dims->empty() || tiles < 0) {
      c_.Report(DiagnosticKind::kShardingTileSizes, c_.RangeFrom(first), Joined(*dims));
      return false;
    }
    if (c_.Eat(Kind::kLessEqual)) {
      s.iota = ReadIota(c_, *std::move(dims));
      return s.iota.has_value();
    }
    const TokenIndex list = c_.position();
    while (c_.At(Kind::kInteger)) {
      const auto device = c_.Int();  // whether it exists is the verifier's matter
      if (!device) return false;
      s.devices.push_back(*device);
      if (!c_.Eat(Kind::kComma)) break;
      if (!c_.At(Kind::kInteger)) return c_.FailSurplusComma();
    }
    const int64_t listed = static_cast<int64_t>(s.devices.size());
    if (listed > 0) parts.list_range = c_.RangeFrom(list);
    if (listed == tiles) return true;
    c_.Report(DiagnosticKind::kShardingDeviceCount, c_.RangeFrom(listed > 0 ? list : first), Joined(s.tile_dimensions),
              DeviceCount(tiles), absl::StrCat(listed, listed == 1 ? " is" : " are"));
    return false;
  }

  bool ReadSubgroups(Sharding& s) {
    return c_.ReadList(Kind::kLeftBrace, Kind::kRightBrace, false, [&] {
      switch (c_.kind()) {
        case Kind::kMaximal:
          s.last_tile_dims.push_back(Sharding::Subgroup::kMaximal);
          break;
        case Kind::kReplicated:
          s.last_tile_dims.push_back(Sharding::Subgroup::kReplicated);
          break;
        case Kind::kManual:
          s.last_tile_dims.push_back(Sharding::Subgroup::kManual);
          break;
        case Kind::kUnreduced:
          s.last_tile_dims.push_back(Sharding::Subgroup::kUnreduced);
          break;
        default: {
          static constexpr absl::string_view kWords[] = {"maximal", "replicated", "manual", "unreduced"};
          return c_.FailUnknownWord("last_tile_dims", kWords);
        }
      }
      c_.Advance();
      return true;
    });
  }

  // One metadata block, or a list of them.
  bool ReadMetadataList(Sharding& s) {
    if (c_.At(Kind::kLeftBrace) && c_.Peek() == Kind::kLeftBrace) {
      s.metadata_is_list = true;
      return c_.ReadList(Kind::kLeftBrace, Kind::kRightBrace, false, [&] {
        const auto metadata = ReadMetadata(c_, module_);
        if (metadata) s.metadata.push_back(module_.InternMetadata(*metadata));
        return metadata.has_value();
      });
    }
    const auto metadata = ReadMetadata(c_, module_);
    if (!metadata) return false;
    s.metadata.push_back(module_.InternMetadata(*metadata));
    return true;
  }

  std::optional<Sharding> Named() {
    Sharding s;
    s.kind = Sharding::Kind::kNamed;
    auto mesh = ReadMesh(c_, MeshUse::kSharding);
    if (!mesh) return std::nullopt;
    s.mesh = *std::move(mesh);
    std::vector<PlacedAxis> used;
    if (s.mesh.maximal_device) {
      s.named_form = Sharding::NamedForm::kMaximalMesh;
    } else {
      c_.Eat(Kind::kComma);
      if (c_.Eat(Kind::kReplicated)) {
        s.named_form = Sharding::NamedForm::kReplicated;
      } else if (c_.Eat(Kind::kManual)) {
        s.named_form = Sharding::NamedForm::kManual;
      } else if (c_.At(Kind::kUnreduced) || c_.AtAttribute("unreduced")) {
        s.named_form = Sharding::NamedForm::kUnreduced;
        const bool has_op = c_.At(Kind::kAttributeName);
        c_.Advance();
        if (has_op && !c_.At(Kind::kLeftBrace) && !ReadReduction(s)) return std::nullopt;
        if (c_.At(Kind::kLeftBrace)) {
          auto axes = ReadAxes(c_, s.mesh, true, used);
          if (!axes) return std::nullopt;
          s.unreduced_axes = *std::move(axes);
        }
      } else if (!ReadDimensionAxes(s, used)) {
        return std::nullopt;
      }
    }
    while (c_.Eat(Kind::kComma)) {
      if (!ReadNamedAttribute(s, used)) return std::nullopt;
      // Whole shardings take one list of metadata, those with dimensions also lists of axes.
      if (s.named_form != Sharding::NamedForm::kDimensions) break;
    }
    if (!c_.Expect(Kind::kRightBrace)) return std::nullopt;
    return s;
  }

  bool ReadReduction(Sharding& s) {
    static constexpr absl::string_view kOperations[] = {"sum", "max", "min"};
    if (!c_.AtWord("sum") && !c_.AtWord("max") && !c_.AtWord("min")) {
      return c_.FailUnknownWord("unreduced", kOperations);
    }
    s.reduction = std::string(c_.text());
    c_.Advance();
    return true;
  }

  bool ReadDimensionAxes(Sharding& s, std::vector<PlacedAxis>& used) {
    return c_.ReadList(Kind::kLeftBracket, Kind::kRightBracket, false, [&] {
      Sharding::DimensionAxes dimension;
      auto axes = ReadAxes(c_, s.mesh, false, used, &dimension.open);
      if (!axes) return false;
      dimension.axes = *std::move(axes);
      s.dimension_axes.push_back(std::move(dimension));
      return true;
    });
  }

  bool ReadNamedAttribute(Sharding& s, std::vector<PlacedAxis>& used) {
    if (c_.AtAttribute("metadata")) {
      c_.Advance();
      return ReadMetadataList(s);
    }
    if (s.named_form != Sharding::NamedForm::kDimensions) return c_.FailExpected("`metadata=`");
    std::vector<MeshAxisRef>* target = c_.AtAttribute("replicated")  ? &s.replicated_axes
                                       : c_.AtAttribute("manual")    ? &s.manual_axes
                                       : c_.AtAttribute("unreduced") ? &s.unreduced_axes
                                                                     : nullptr;
    if (target == nullptr) return c_.FailExpected("`replicated=`, `manual=`, `unreduced=` or `metadata=`");
    c_.Advance();
    if (target == &s.unreduced_axes && !c_.At(Kind::kLeftBrace) && !ReadReduction(s)) return false;
    auto axes = ReadAxes(c_, s.mesh, true, used);
    if (!axes) return false;
    target->insert(target->end(), axes->begin(), axes->end());
    return true;
  }

  TokenCursor& c_;
  Module& module_;
};

}  // namespace

std::optional<ReplicaGroups> ReadReplicaGroups(TokenCursor& c) {
  ReplicaGroups groups;
  if (c.At(Kind::kLeftBrace)) {
    auto lists = ReadIntLists(c);
    if (!lists) return std::nullopt;
    groups.groups = *std::move(lists);
    return groups;
  }
  const TokenIndex first = c.position();
  if (c.At(Kind::kLeftBracket)) {
    groups.form = ReplicaGroups::Form::kIota;
    auto dims = ReadIntsBetween(c, Kind::kLeftBracket, Kind::kRightBracket);
    if (!dims) return std::nullopt;
    if (dims->size() != 2) {
      c.Report(DiagnosticKind::kReplicaGroupDimensions, c.RangeFrom(first), dims->size());
      return std::nullopt;
    }
    if (!c.Expect(Kind::kLessEqual)) return std::nullopt;
    auto iota = ReadIota(c, *std::move(dims));
    if (!iota) return std::nullopt;
    SimplifyIota(&*iota);
    groups.iota = *std::move(iota);
    return groups;
  }
  if (!c.AtWord("mesh") && !c.AtWord("maximal_mesh")) {
    c.FailExpected("`{{...}}`, `[groups,devices]<=[...]` or a mesh");
    return std::nullopt;
  }
  groups.form = ReplicaGroups::Form::kMesh;
  auto mesh = ReadMesh(c, MeshUse::kReplicaGroups);
  if (!mesh) return std::nullopt;
  groups.mesh = *std::move(mesh);
  std::vector<PlacedAxis> used;
  auto axes = ReadAxes(c, groups.mesh, false, used);
  if (!axes) return std::nullopt;
  groups.axes = *std::move(axes);
  return groups;
}

std::optional<Sharding> ReadSharding(TokenCursor& c, Module& module) { return ShardingReader(c, module).Read(); }

}  // namespace hloscope
