#include "core/semantics/sharding_reader.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/ir/sharding_reduction.h"
#include "core/semantics/metadata_reader.h"
#include "core/semantics/sharding_normalization.h"
#include "core/semantics/value_readers.h"

namespace hloscope {
namespace {

using Kind = TokenKind;

// More devices than any machine has: guards against huge iota products.
constexpr int64_t kMaxDevices = int64_t{1} << 26;

// Product of the sizes, or -1 if one is not positive or the product is beyond kMaxDevices.
int64_t DeviceProduct(const std::vector<int64_t>& sizes) {
  int64_t product = 1;
  for (int64_t size : sizes) {
    if (size <= 0 || __builtin_mul_overflow(product, size, &product) || product > kMaxDevices) return -1;
  }
  return product;
}

bool IsPermutation(const std::vector<int64_t>& values, int64_t count) {
  if (static_cast<int64_t>(values.size()) != count) return false;
  std::vector<bool> seen(static_cast<size_t>(count), false);
  for (int64_t value : values) {
    if (value < 0 || value >= count || seen[static_cast<size_t>(value)]) return false;
    seen[static_cast<size_t>(value)] = true;
  }
  return true;
}

// `open` INT, ... `close`
std::optional<std::vector<int64_t>> ReadIntsBetween(TokenCursor& c, Kind open, Kind close) {
  if (!c.Expect(open)) return std::nullopt;
  std::vector<int64_t> values;
  while (!c.At(close)) {
    const auto value = c.Int();
    if (!value) return std::nullopt;
    values.push_back(*value);
    if (!c.Eat(Kind::kComma)) break;
  }
  if (!c.Expect(close)) return std::nullopt;
  return values;
}

// [r...]T(p...), standing at the bracket. `error` is the kind of finding for violated conditions.
std::optional<IotaTile> ReadIota(TokenCursor& c, DiagnosticKind error, std::vector<int64_t> dims) {
  IotaTile tile;
  tile.dims = std::move(dims);
  const TokenIndex first = c.position();
  auto reshape = ReadIntsBetween(c, Kind::kLeftBracket, Kind::kRightBracket);
  if (!reshape) return std::nullopt;
  tile.reshape_dims = *std::move(reshape);
  if (c.EatWord("T")) {
    auto transpose = ReadIntsBetween(c, Kind::kLeftParen, Kind::kRightParen);
    if (!transpose) return std::nullopt;
    tile.transpose = *std::move(transpose);
  }
  const int64_t rank = static_cast<int64_t>(tile.reshape_dims.size());
  const auto fail = [&](std::string message) -> std::optional<IotaTile> {
    c.Report(error, c.RangeFrom(first), message);
    return std::nullopt;
  };
  if (rank == 0) return fail("the iota needs at least one size");
  const int64_t count = DeviceProduct(tile.reshape_dims);
  if (count < 0)
    return fail(absl::StrCat("the sizes [", absl::StrJoin(tile.reshape_dims, ","),
                             "] must be positive with a product below 2^26"));
  if (rank == 1 && !tile.transpose.empty()) return fail("an iota of one size has no transposition");
  if (rank > 1 && tile.transpose.empty()) return fail("an iota of several sizes needs a transposition `T(...)`");
  if (rank > 1 && !IsPermutation(tile.transpose, rank)) {
    return fail(absl::StrCat("T(", absl::StrJoin(tile.transpose, ","), ") is not a permutation of 0 to ", rank - 1));
  }
  if (!tile.dims.empty() && DeviceProduct(tile.dims) != count) {
    return fail(absl::StrCat("[", absl::StrJoin(tile.dims, ","), "] and [", absl::StrJoin(tile.reshape_dims, ","),
                             "] have different products"));
  }
  return tile;
}

// mesh['x'=2,...][, device_ids=(...)] or maximal_mesh[device_id=N], standing at the word.
std::optional<Mesh> ReadMesh(TokenCursor& c, DiagnosticKind error) {
  Mesh mesh;
  if (c.EatWord("maximal_mesh")) {
    if (!c.Expect(Kind::kLeftBracket)) return std::nullopt;
    if (!c.AtAttribute("device_id")) {
      c.FailExpected("`device_id=`");
      return std::nullopt;
    }
    c.Advance();
    mesh.maximal_device = c.IntIn(0, std::numeric_limits<int64_t>::max());
    if (!mesh.maximal_device || !c.Expect(Kind::kRightBracket)) return std::nullopt;
    return mesh;
  }
  const TokenIndex first = c.position();
  c.Advance();
  if (!c.Expect(Kind::kLeftBracket)) return std::nullopt;
  std::vector<int64_t> sizes;
  while (!c.At(Kind::kRightBracket)) {
    auto name = c.String();
    if (!name || !c.Expect(Kind::kEquals)) return std::nullopt;
    const auto size = c.IntIn(1, kMaxDevices);
    if (!size) return std::nullopt;
    for (const auto& axis : mesh.axes) {
      if (axis.first == *name) {
        c.Report(error, c.RangeFrom(first), absl::StrCat("the mesh has two axes named '", *name, "'"));
        return std::nullopt;
      }
    }
    sizes.push_back(*size);
    mesh.axes.emplace_back(*std::move(name), *size);
    if (!c.Eat(Kind::kComma)) break;
  }
  if (!c.Expect(Kind::kRightBracket)) return std::nullopt;
  const int64_t count = DeviceProduct(sizes);
  if (count < 0) {
    c.Report(error, c.RangeFrom(first), "the mesh has more than 2^26 devices");
    return std::nullopt;
  }
  if (c.At(Kind::kComma) && c.Peek() == Kind::kAttributeName) {
    TokenCursor ahead = c;
    ahead.Advance();
    if (ahead.AtAttribute("device_ids")) {
      c.Advance();
      c.Advance();
      const TokenIndex ids_first = c.position();
      if (c.At(Kind::kLeftParen) && c.Peek() == Kind::kLeftBracket) {
        c.Advance();
        mesh.iota = ReadIota(c, error, {});
        if (!mesh.iota || !c.Expect(Kind::kRightParen)) return std::nullopt;
        if (DeviceProduct(mesh.iota->reshape_dims) != count) {
          c.Report(error, c.RangeFrom(ids_first),
                   absl::StrCat("device_ids must number the ", count, " devices of the mesh"));
          return std::nullopt;
        }
        SimplifyIota(&*mesh.iota);
        if (mesh.iota->transpose.empty()) mesh.iota.reset();  // the plain order
      } else {
        auto ids = ReadIntsBetween(c, Kind::kLeftParen, Kind::kRightParen);
        if (!ids) return std::nullopt;
        if (!IsPermutation(*ids, count)) {
          c.Report(error, c.RangeFrom(ids_first), absl::StrCat("device_ids must be a permutation of 0 to ", count - 1));
          return std::nullopt;
        }
        if (std::is_sorted(ids->begin(), ids->end()) && count > 0) {
          c.Report(error, c.RangeFrom(ids_first), "device_ids is the plain order; leave it out");
          return std::nullopt;
        }
        mesh.device_ids = *std::move(ids);
      }
    }
  }
  return mesh;
}

// STRING [ ':' '(' INT ')' INT ]
std::optional<MeshAxisRef> ReadAxis(TokenCursor& c, const Mesh& mesh, DiagnosticKind error) {
  const TokenIndex first = c.position();
  auto name = c.String();
  if (!name) return std::nullopt;
  MeshAxisRef axis;
  axis.name = *std::move(name);
  axis.axis = -1;
  for (size_t i = 0; i < mesh.axes.size(); ++i) {
    if (mesh.axes[i].first == axis.name) axis.axis = static_cast<int64_t>(i);
  }
  int64_t index;
  if (axis.axis < 0 && absl::SimpleAtoi(axis.name, &index) && index >= 0 &&
      index < static_cast<int64_t>(mesh.axes.size())) {
    axis.axis = index;
  }
  if (axis.axis < 0) {
    c.Report(error, c.RangeFrom(first), absl::StrCat("the mesh has no axis '", axis.name, "'"));
    return std::nullopt;
  }
  if (c.Eat(Kind::kColon)) {
    if (!c.Expect(Kind::kLeftParen)) return std::nullopt;
    const auto pre = c.Int();
    if (!pre || !c.Expect(Kind::kRightParen)) return std::nullopt;
    const auto size = c.Int();
    if (!size) return std::nullopt;
    const int64_t whole = mesh.axes[static_cast<size_t>(axis.axis)].second;
    int64_t product;
    if (*pre < 1 || *size < 2 || *size >= whole || __builtin_mul_overflow(*pre, *size, &product) ||
        whole % product != 0) {
      c.Report(error, c.RangeFrom(first),
               absl::StrCat("(", *pre, ")", *size, " is not a part of axis '", axis.name, "' of size ", whole));
      return std::nullopt;
    }
    axis.sub_axis = {*pre, *size};
  }
  return axis;
}

int64_t PreSize(const MeshAxisRef& axis) { return axis.sub_axis ? axis.sub_axis->first : 1; }
int64_t AxisSize(const MeshAxisRef& axis, const Mesh& mesh) {
  return axis.sub_axis ? axis.sub_axis->second : mesh.axes[static_cast<size_t>(axis.axis)].second;
}

// Conditions on axes that stand in one list; `used` collects all axes of the value.
bool CheckAxes(TokenCursor& c, TokenIndex first, const Mesh& mesh, const std::vector<MeshAxisRef>& axes, bool sorted,
               DiagnosticKind error, std::vector<MeshAxisRef>& used) {
  for (size_t i = 0; i < axes.size(); ++i) {
    const MeshAxisRef& axis = axes[i];
    for (const MeshAxisRef& other : used) {
      if (other.axis != axis.axis) continue;
      const int64_t low = std::max(PreSize(axis), PreSize(other));
      const int64_t high = std::min(PreSize(axis) * AxisSize(axis, mesh), PreSize(other) * AxisSize(other, mesh));
      if (low < high) {
        c.Report(error, c.RangeFrom(first), absl::StrCat("axis '", axis.name, "' is used twice"));
        return false;
      }
    }
    used.push_back(axis);
    if (i == 0) continue;
    const MeshAxisRef& last = axes[i - 1];
    if (last.axis == axis.axis && PreSize(last) * AxisSize(last, mesh) == PreSize(axis)) {
      c.Report(error, c.RangeFrom(first),
               absl::StrCat("the neighbouring parts of axis '", axis.name, "' must be merged into one"));
      return false;
    }
    if (sorted && (last.axis > axis.axis || (last.axis == axis.axis && PreSize(last) > PreSize(axis)))) {
      c.Report(error, c.RangeFrom(first), "the axes must be listed in the order of the mesh");
      return false;
    }
  }
  return true;
}

// `{` axis, ... `}`
std::optional<std::vector<MeshAxisRef>> ReadAxes(TokenCursor& c, const Mesh& mesh, bool sorted, DiagnosticKind error,
                                                 std::vector<MeshAxisRef>& used) {
  const TokenIndex first = c.position();
  if (!c.Expect(Kind::kLeftBrace)) return std::nullopt;
  std::vector<MeshAxisRef> axes;
  while (!c.At(Kind::kRightBrace)) {
    auto axis = ReadAxis(c, mesh, error);
    if (!axis) return std::nullopt;
    axes.push_back(*std::move(axis));
    if (!c.Eat(Kind::kComma)) break;
  }
  if (!c.Expect(Kind::kRightBrace) || !CheckAxes(c, first, mesh, axes, sorted, error, used)) return std::nullopt;
  return axes;
}

class ShardingReader {
 public:
  ShardingReader(TokenCursor& cursor, Module& module) : c_(cursor), module_(module) {}

  std::optional<Sharding> Read() {
    if (!c_.Expect(Kind::kLeftBrace)) return std::nullopt;
    if (!c_.At(Kind::kLeftBrace) && !c_.At(Kind::kRightBrace)) return Single();
    Sharding tuple;
    tuple.kind = Sharding::Kind::kTuple;
    while (!c_.At(Kind::kRightBrace)) {
      if (!c_.Expect(Kind::kLeftBrace)) return std::nullopt;
      auto leaf = Single();
      if (!leaf) return std::nullopt;
      tuple.leaves.push_back(*std::move(leaf));
      if (!c_.Eat(Kind::kComma)) break;
    }
    if (!c_.Expect(Kind::kRightBrace)) return std::nullopt;
    return tuple;
  }

 private:
  std::optional<Sharding> Bad(TokenIndex first, std::string message) {
    c_.Report(DiagnosticKind::kBadSharding, c_.RangeFrom(first), message);
    return std::nullopt;
  }

  // Behind the opening brace, up to and with the closing one.
  std::optional<Sharding> Single() { return c_.AtWord("mesh") || c_.AtWord("maximal_mesh") ? Named() : Devices(); }

  std::optional<Sharding> Devices() {
    const TokenIndex first = c_.position();
    Sharding s;
    std::optional<Sharding::Kind> word;
    std::optional<int64_t> device;
    bool has_devices = false;
    const auto set_word = [&](Sharding::Kind kind) {
      // The first in this order wins (spec 6.12).
      static constexpr Sharding::Kind kOrder[] = {Sharding::Kind::kReplicated, Sharding::Kind::kMaximal,
                                                  Sharding::Kind::kManual, Sharding::Kind::kUnknown,
                                                  Sharding::Kind::kUnreduced};
      const auto rank = [](Sharding::Kind k) { return std::find(std::begin(kOrder), std::end(kOrder), k); };
      if (!word || rank(kind) < rank(*word)) word = kind;
      c_.Advance();
    };
    while (!c_.At(Kind::kRightBrace)) {
      switch (c_.kind()) {
        case Kind::kReplicated:
          set_word(Sharding::Kind::kReplicated);
          continue;
        case Kind::kMaximal:
          set_word(Sharding::Kind::kMaximal);
          continue;
        case Kind::kManual:
          set_word(Sharding::Kind::kManual);
          continue;
        case Kind::kUnknown:
          set_word(Sharding::Kind::kUnknown);
          continue;
        case Kind::kUnreduced:
          set_word(Sharding::Kind::kUnreduced);
          continue;
        case Kind::kLastTileDimReplicate:
          s.last_tile_dim_replicate = true;
          c_.Advance();
          continue;
        case Kind::kShardAs:
        case Kind::kShardLike: {
          const bool as = c_.At(Kind::kShardAs);
          c_.Advance();
          const auto group = c_.Int();
          if (!group) return std::nullopt;
          (as ? s.shard_as : s.shard_like) = *group;
          continue;
        }
        case Kind::kAttributeName:
          break;
        default:
          c_.FailExpected("a part of a sharding");
          return std::nullopt;
      }
      if (c_.AtAttribute("device")) {
        c_.Advance();
        device = c_.IntIn(0, std::numeric_limits<int64_t>::max());
        if (!device) return std::nullopt;
      } else if (c_.AtAttribute("devices")) {
        c_.Advance();
        has_devices = true;
        if (!ReadDevices(s)) return std::nullopt;
      } else if (c_.AtAttribute("last_tile_dims")) {
        c_.Advance();
        if (!ReadSubgroups(s)) return std::nullopt;
      } else if (c_.AtAttribute("metadata")) {
        c_.Advance();
        if (!ReadMetadataList(s)) return std::nullopt;
      } else {
        c_.Fail(DiagnosticKind::kUnknownField, "sharding", c_.name(), "");
        return std::nullopt;
      }
    }
    if (!c_.Expect(Kind::kRightBrace)) return std::nullopt;
    s.kind = word.value_or(Sharding::Kind::kTiled);
    if (s.kind == Sharding::Kind::kMaximal) {
      if (!device && s.devices.size() == 1) device = s.devices[0];
      if (!device) return Bad(first, "`maximal` needs exactly one device, `device=N`");
      s.device = *device;
      s.devices.clear();
      s.tile_dimensions.clear();
      return s;
    }
    if (s.kind != Sharding::Kind::kTiled) {
      if (device || has_devices) return Bad(first, "this kind of sharding takes no devices");
      if (s.kind == Sharding::Kind::kUnreduced) TakeReduction(s);
      s.last_tile_dim_replicate = false;
      s.last_tile_dims.clear();
      return s;
    }
    if (device) return Bad(first, "`device=` belongs to `maximal`; tiles take `devices=[...]`");
    if (!has_devices) return Bad(first, "a sharding is a word such as `replicated`, or has `devices=[...]`");
    if (s.last_tile_dim_replicate && !s.last_tile_dims.empty()) {
      return Bad(first, "`last_tile_dim_replicate` and `last_tile_dims` exclude each other");
    }
    if (s.last_tile_dims.size() > s.tile_dimensions.size()) {
      return Bad(first, absl::StrCat("`last_tile_dims` names ", s.last_tile_dims.size(), " dimensions, the tiles have ",
                                     s.tile_dimensions.size()));
    }
    NormalizeSharding(&s);
    return s;
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

  // [d...] followed by <= iota or by the list of devices.
  bool ReadDevices(Sharding& s) {
    const TokenIndex first = c_.position();
    auto dims = ReadIntsBetween(c_, Kind::kLeftBracket, Kind::kRightBracket);
    if (!dims) return false;
    s.tile_dimensions = *dims;
    const int64_t tiles = DeviceProduct(*dims);
    const auto bad = [&](std::string message) { return Bad(first, std::move(message)).has_value(); };
    if (dims->empty()) return bad("`devices=[...]` needs tile dimensions");
    if (tiles < 0) return bad("tile dimensions must be positive with a product below 2^26");
    if (c_.Eat(Kind::kLessEqual)) {
      s.iota = ReadIota(c_, DiagnosticKind::kBadSharding, *std::move(dims));
      return s.iota.has_value();
    }
    while (c_.At(Kind::kInteger)) {
      const auto device = c_.IntIn(0, std::numeric_limits<int64_t>::max());
      if (!device) return false;
      s.devices.push_back(*device);
      if (!c_.Eat(Kind::kComma)) break;
    }
    if (s.devices.size() == 1 && tiles == 1) {
      return bad("a list of devices must name more than one; `{maximal device=N}` puts everything on one device");
    }
    if (static_cast<int64_t>(s.devices.size()) != tiles) {
      return bad(absl::StrCat("[", absl::StrJoin(s.tile_dimensions, ","), "] needs ", tiles, " devices, ",
                              s.devices.size(), " are listed"));
    }
    return true;
  }

  bool ReadSubgroups(Sharding& s) {
    if (!c_.Expect(Kind::kLeftBrace)) return false;
    while (!c_.At(Kind::kRightBrace)) {
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
        default:
          return c_.FailExpected("`maximal`, `replicated`, `manual` or `unreduced`");
      }
      c_.Advance();
      if (!c_.Eat(Kind::kComma)) break;
    }
    return c_.Expect(Kind::kRightBrace);
  }

  // One metadata block, or a list of them.
  bool ReadMetadataList(Sharding& s) {
    if (c_.At(Kind::kLeftBrace) && c_.Peek() == Kind::kLeftBrace) {
      s.metadata_is_list = true;
      c_.Advance();
      while (!c_.At(Kind::kRightBrace)) {
        const auto metadata = ReadMetadata(c_, module_);
        if (!metadata) return false;
        s.metadata.push_back(module_.InternMetadata(*metadata));
        if (!c_.Eat(Kind::kComma)) break;
      }
      return c_.Expect(Kind::kRightBrace);
    }
    const auto metadata = ReadMetadata(c_, module_);
    if (!metadata) return false;
    s.metadata.push_back(module_.InternMetadata(*metadata));
    return true;
  }

  std::optional<Sharding> Named() {
    Sharding s;
    s.kind = Sharding::Kind::kNamed;
    auto mesh = ReadMesh(c_, DiagnosticKind::kBadSharding);
    if (!mesh) return std::nullopt;
    s.mesh = *std::move(mesh);
    std::vector<MeshAxisRef> used;
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
          auto axes = ReadAxes(c_, s.mesh, true, DiagnosticKind::kBadSharding, used);
          if (!axes) return std::nullopt;
          s.unreduced_axes = *std::move(axes);
        }
      } else if (!ReadDimensionAxes(s, used)) {
        return std::nullopt;
      }
    }
    while (c_.Eat(Kind::kComma)) {
      if (!ReadNamedAttribute(s, used)) return std::nullopt;
    }
    if (!c_.Expect(Kind::kRightBrace)) return std::nullopt;
    return s;
  }

  bool ReadReduction(Sharding& s) {
    if (!c_.AtWord("sum") && !c_.AtWord("max") && !c_.AtWord("min")) return c_.FailExpected("`sum`, `max` or `min`");
    s.reduction = std::string(c_.text());
    c_.Advance();
    return true;
  }

  bool ReadDimensionAxes(Sharding& s, std::vector<MeshAxisRef>& used) {
    if (!c_.Expect(Kind::kLeftBracket)) return false;
    while (!c_.At(Kind::kRightBracket)) {
      Sharding::DimensionAxes dimension;
      const TokenIndex first = c_.position();
      if (!c_.Expect(Kind::kLeftBrace)) return false;
      while (!c_.At(Kind::kRightBrace)) {
        if (c_.Eat(Kind::kQuestion)) {
          dimension.open = true;
          break;
        }
        auto axis = ReadAxis(c_, s.mesh, DiagnosticKind::kBadSharding);
        if (!axis) return false;
        dimension.axes.push_back(*std::move(axis));
        if (!c_.Eat(Kind::kComma)) break;
      }
      if (!c_.Expect(Kind::kRightBrace)) return false;
      if (!CheckAxes(c_, first, s.mesh, dimension.axes, false, DiagnosticKind::kBadSharding, used)) return false;
      s.dimension_axes.push_back(std::move(dimension));
      if (!c_.Eat(Kind::kComma)) break;
    }
    return c_.Expect(Kind::kRightBracket);
  }

  bool ReadNamedAttribute(Sharding& s, std::vector<MeshAxisRef>& used) {
    if (c_.AtAttribute("metadata")) {
      c_.Advance();
      return ReadMetadataList(s);
    }
    std::vector<MeshAxisRef>* target = c_.AtAttribute("replicated")  ? &s.replicated_axes
                                       : c_.AtAttribute("manual")    ? &s.manual_axes
                                       : c_.AtAttribute("unreduced") ? &s.unreduced_axes
                                                                     : nullptr;
    if (target == nullptr) return c_.FailExpected("`replicated=`, `manual=`, `unreduced=` or `metadata=`");
    c_.Advance();
    if (target == &s.unreduced_axes && !c_.At(Kind::kLeftBrace) && !ReadReduction(s)) return false;
    auto axes = ReadAxes(c_, s.mesh, true, DiagnosticKind::kBadSharding, used);
    if (!axes) return false;
    *target = *std::move(axes);
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
      c.Report(DiagnosticKind::kBadReplicaGroups, c.RangeFrom(first),
               absl::StrCat("expected two numbers, [groups,devices per group], found ", dims->size()));
      return std::nullopt;
    }
    if (!c.Expect(Kind::kLessEqual)) return std::nullopt;
    auto iota = ReadIota(c, DiagnosticKind::kBadReplicaGroups, *std::move(dims));
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
  auto mesh = ReadMesh(c, DiagnosticKind::kBadReplicaGroups);
  if (!mesh) return std::nullopt;
  groups.mesh = *std::move(mesh);
  std::vector<MeshAxisRef> used;
  auto axes = ReadAxes(c, groups.mesh, false, DiagnosticKind::kBadReplicaGroups, used);
  if (!axes) return std::nullopt;
  groups.axes = *std::move(axes);
  return groups;
}

std::optional<Sharding> ReadSharding(TokenCursor& c, Module& module) { return ShardingReader(c, module).Read(); }

}  // namespace hloscope
