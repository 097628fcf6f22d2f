// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/mesh_reader.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/diagnostics/suggestions.h"
#include "core/semantics/sharding_normalization.h"

namespace hloscope {
namespace {

using Kind = TokenKind;

// More devices than any machine has: guards against huge iota products.
constexpr int64_t kMaxDevices = int64_t{1} << 26;

void Tolerate(TokenCursor& c, DiagnosticKind kind, SourceRange range, std::vector<std::string> arguments) {
  c.sink().Add(kind, Severity::kWarning, range, std::move(arguments)).is_tolerated = true;
}

bool AreBelow(const std::vector<int64_t>& values, int64_t count) {
  return std::all_of(values.begin(), values.end(), [count](int64_t value) { return value >= 0 && value < count; });
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

// device_ids=(iota) or device_ids=(id, ...); after the `=`.
bool ReadMeshDevices(TokenCursor& c, int64_t count, Mesh& mesh) {
  const TokenIndex first = c.position();
  const auto fail = [&](std::string message) {
    c.Report(DiagnosticKind::kMeshDeviceIds, c.RangeFrom(first), message);
    return false;
  };
  if (c.At(Kind::kLeftParen) && c.Peek() == Kind::kLeftBracket) {
    c.Advance();
    mesh.iota = ReadIota(c, {});
    if (!mesh.iota || !c.Expect(Kind::kRightParen)) return false;
    const int64_t numbered = DeviceProduct(mesh.iota->reshape_dims);
    if (numbered == count) {
      SimplifyIota(&*mesh.iota);
      if (mesh.iota->transpose.empty()) mesh.iota.reset();  // the plain order
      return true;
    }
    return fail(absl::StrCat("device_ids numbers ", DeviceCount(numbered), ", but the mesh has ", count));
  }
  auto ids = ReadIntsBetween(c, Kind::kLeftParen, Kind::kRightParen);
  if (!ids) return false;
  if (!IsPermutation(*ids, count)) return fail(absl::StrCat("device_ids must list each of 0 to ", count - 1, " once"));
  if (std::is_sorted(ids->begin(), ids->end()) && count > 0) {
    return fail("device_ids is the plain order; leave it out");
  }
  mesh.device_ids = *std::move(ids);
  return true;
}

// At a word where the name of an axis in quotes is written today. `x:` and `x=` are tokens of their own.
std::string OldAxisName(TokenCursor& c) {
  std::string name(c.name());
  const SourceRange range = {c.range().begin, c.range().begin + static_cast<uint32_t>(name.size())};
  c.Report(DiagnosticKind::kOldSpelling, range, name, "names of axes are written in quotes")
      .Fix(absl::StrCat("write `'", name, "'`"), range, absl::StrCat("'", name, "'"));
  c.Advance();
  return name;
}

// STRING [ ':' '(' INT ')' INT ]
std::optional<MeshAxisRef> ReadAxis(TokenCursor& c, const Mesh& mesh) {
  const TokenIndex first = c.position();
  const bool is_old = (c.At(Kind::kIdentifier) || c.At(Kind::kName)) && !absl::StartsWith(c.text(), "%");
  const bool has_colon = is_old && c.At(Kind::kName);
  std::optional<std::string> name = is_old ? OldAxisName(c) : c.String();
  if (!name) return std::nullopt;
  MeshAxisRef axis;
  axis.name = *std::move(name);
  axis.axis = -1;
  std::vector<absl::string_view> names;
  for (size_t i = 0; i < mesh.axes.size(); ++i) {
    names.push_back(mesh.axes[i].first);
    if (mesh.axes[i].first == axis.name) axis.axis = static_cast<int64_t>(i);
  }
  int64_t index;
  if (axis.axis < 0 && absl::SimpleAtoi(axis.name, &index) && index >= 0 &&
      index < static_cast<int64_t>(mesh.axes.size())) {
    axis.axis = index;
  }
  if (axis.axis < 0) {
    const absl::string_view nearest = NearestName(axis.name, names);
    const auto quoted = [](absl::string_view name) { return absl::StrCat("'", name, "'"); };
    std::string hint;
    if (!nearest.empty()) {
      hint = absl::StrCat("; did you mean ", quoted(nearest), "?");
    } else if (!names.empty()) {
      hint = absl::StrCat("; it has ", absl::StrJoin(names, ", ", [&](std::string* out, absl::string_view name) {
                            out->append(quoted(name));
                          }));
    }
    Diagnostic& d = c.Report(DiagnosticKind::kUnknownMeshAxis, c.RangeFrom(first), axis.name, hint);
    if (!nearest.empty()) d.Fix(absl::StrCat("change to ", quoted(nearest)), c.RangeFrom(first), quoted(nearest));
    return std::nullopt;
  }
  if (has_colon || c.Eat(Kind::kColon)) {
    if (!c.Expect(Kind::kLeftParen)) return std::nullopt;
    const auto pre = c.Int();
    if (!pre || !c.Expect(Kind::kRightParen)) return std::nullopt;
    const auto size = c.Int();
    if (!size) return std::nullopt;
    const int64_t whole = mesh.axes[static_cast<size_t>(axis.axis)].second;
    int64_t product;
    if (*pre < 1 || *size < 2 || *size >= whole || __builtin_mul_overflow(*pre, *size, &product) ||
        whole % product != 0) {
      c.Report(DiagnosticKind::kMeshSubAxis, c.RangeFrom(first), *pre, *size, axis.name, whole);
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

// True if one division of the axis has both parts: of the sizes before and up to each part, smaller ones divide larger.
bool FitTogether(const MeshAxisRef& a, const MeshAxisRef& b) {
  if (!a.sub_axis || !b.sub_axis) return true;
  std::array<int64_t, 4> sizes = {a.sub_axis->first, a.sub_axis->first * a.sub_axis->second, b.sub_axis->first,
                                  b.sub_axis->first * b.sub_axis->second};
  std::sort(sizes.begin(), sizes.end());
  for (size_t i = 1; i < sizes.size(); ++i) {
    if (sizes[i] % sizes[i - 1] != 0) return false;
  }
  return true;
}

// Conditions on the axis that is added to a list after `last` (null for the first one); `used` collects all axes of
// the value.
bool CheckAxis(TokenCursor& c, const Mesh& mesh, const PlacedAxis& placed, const PlacedAxis* last, bool sorted,
               const std::vector<PlacedAxis>& used) {
  const MeshAxisRef& axis = placed.axis;
  for (const PlacedAxis& other : used) {
    if (other.axis.axis != axis.axis) continue;
    const int64_t low = std::max(PreSize(axis), PreSize(other.axis));
    const int64_t high =
        std::min(PreSize(axis) * AxisSize(axis, mesh), PreSize(other.axis) * AxisSize(other.axis, mesh));
    if (low < high) {
      c.Report(DiagnosticKind::kMeshAxisOverlap, placed.range, axis.name).Related(other.range, "the first use is here");
      return false;
    }
    if (!FitTogether(other.axis, axis)) {
      c.Report(DiagnosticKind::kMeshSubAxes, placed.range, other.axis.sub_axis->first, other.axis.sub_axis->second,
               axis.sub_axis->first, axis.sub_axis->second, axis.name, mesh.axes[static_cast<size_t>(axis.axis)].second)
          .Related(other.range, "the other part is here");
      return false;
    }
  }
  if (last == nullptr) return true;
  if (last->axis.axis == axis.axis && PreSize(last->axis) * AxisSize(last->axis, mesh) == PreSize(axis)) {
    c.Report(DiagnosticKind::kMeshAxesMergeable, SourceRange{last->range.begin, placed.range.end}, axis.name);
    return false;
  }
  if (sorted &&
      (last->axis.axis > axis.axis || (last->axis.axis == axis.axis && PreSize(last->axis) > PreSize(axis)))) {
    c.Report(DiagnosticKind::kMeshAxisOrder, placed.range, axis.name, last->axis.name)
        .Related(last->range, "it comes after this one");
    return false;
  }
  return true;
}

}  // namespace

int64_t DeviceProduct(const std::vector<int64_t>& sizes) {
  int64_t product = 1;
  for (int64_t size : sizes) {
    if (size <= 0 || __builtin_mul_overflow(product, size, &product) || product > kMaxDevices) return -1;
  }
  return product;
}

std::string Joined(absl::Span<const int64_t> values) { return absl::StrJoin(values, ","); }
std::string DeviceCount(int64_t n) { return absl::StrCat(n, n == 1 ? " device" : " devices"); }

std::optional<std::vector<int64_t>> ReadIntsBetween(TokenCursor& c, Kind open, Kind close) {
  std::vector<int64_t> values;
  values.reserve(4);
  const bool good = c.ReadList(open, close, false, [&] {
    const auto value = c.Int();
    if (value) values.push_back(*value);
    return value.has_value();
  });
  if (!good) return std::nullopt;
  return values;
}

std::optional<IotaTile> ReadIota(TokenCursor& c, std::vector<int64_t> dims) {
  IotaTile tile;
  tile.dims = std::move(dims);
  const TokenIndex first = c.position();
  auto reshape = ReadIntsBetween(c, Kind::kLeftBracket, Kind::kRightBracket);
  if (!reshape) return std::nullopt;
  tile.reshape_dims = *std::move(reshape);
  const SourceRange sizes = c.RangeFrom(first);
  const int64_t rank = static_cast<int64_t>(tile.reshape_dims.size());
  const int64_t count = DeviceProduct(tile.reshape_dims);
  if (count < 0 || rank == 0) {
    c.Report(DiagnosticKind::kIotaSizes, sizes, Joined(tile.reshape_dims));
    return std::nullopt;
  }
  const TokenIndex transposition = c.position();
  if (c.EatWord("T")) {
    auto transpose = ReadIntsBetween(c, Kind::kLeftParen, Kind::kRightParen);
    if (!transpose) return std::nullopt;
    tile.transpose = *std::move(transpose);
    const SourceRange range = c.RangeFrom(transposition);
    if (rank == 1) {
      c.Report(DiagnosticKind::kIotaTransposition, range, "one size cannot be transposed")
          .Fix("remove the transposition", range, "");
      return std::nullopt;
    }
    if (!IsPermutation(tile.transpose, rank)) {
      std::string problem = absl::StrCat("T(", Joined(tile.transpose), ") must list each of 0 to ", rank - 1, " once");
      if (static_cast<int64_t>(tile.transpose.size()) != rank || !AreBelow(tile.transpose, rank)) {
        c.Report(DiagnosticKind::kIotaTransposition, range, problem);
        return std::nullopt;
      }
      Tolerate(c, DiagnosticKind::kIotaTransposition, range, {std::move(problem)});
    }
  } else if (rank > 1) {
    c.Report(DiagnosticKind::kIotaTransposition, sizes,
             absl::StrCat("several sizes need a transposition `T(...)`; without one write the product, [", count, "]"))
        .Fix(absl::StrCat("write `[", count, "]`"), sizes, absl::StrCat("[", count, "]"));
    return std::nullopt;
  }
  if (const int64_t held = DeviceProduct(tile.dims); !tile.dims.empty() && held != count) {
    c.Report(DiagnosticKind::kIotaProduct, c.RangeFrom(first), Joined(tile.dims),
             held < 0 ? "no possible number of devices" : DeviceCount(held), Joined(tile.reshape_dims), count);
    return std::nullopt;
  }
  return tile;
}

std::optional<Mesh> ReadMesh(TokenCursor& c, MeshUse use) {
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
  std::vector<int64_t> sizes;
  absl::flat_hash_set<std::string> axis_names;
  const bool good = c.ReadList(Kind::kLeftBracket, Kind::kRightBracket, false, [&] {
    const SourceRange range = c.range();
    const bool is_old = c.At(Kind::kAttributeName);
    std::optional<std::string> name = is_old ? OldAxisName(c) : c.String();
    if (!name || (!is_old && !c.Expect(Kind::kEquals))) return false;
    const auto size = c.IntIn(1, use == MeshUse::kSharding ? std::numeric_limits<int64_t>::max() : kMaxDevices);
    if (!size) return false;
    if (!axis_names.insert(*name).second) {
      c.Report(DiagnosticKind::kMeshAxisRepeated, range, *name);
      return false;
    }
    sizes.push_back(*size);
    mesh.axes.emplace_back(*std::move(name), *size);
    return true;
  });
  if (!good) return std::nullopt;
  int64_t count = 1;
  bool is_countable = true;
  for (int64_t size : sizes) is_countable = is_countable && !__builtin_mul_overflow(count, size, &count);
  if (!is_countable || (count > kMaxDevices && use == MeshUse::kReplicaGroups)) {
    c.Report(DiagnosticKind::kMeshSize, c.RangeFrom(first));
    return std::nullopt;
  }
  if (count > kMaxDevices) Tolerate(c, DiagnosticKind::kMeshSize, c.RangeFrom(first), {});
  if (c.At(Kind::kComma) && c.Peek() == Kind::kAttributeName) {
    TokenCursor ahead = c;
    ahead.Advance();
    if (ahead.AtAttribute("device_ids")) {
      c.Advance();
      c.Advance();
      if (!ReadMeshDevices(c, count, mesh)) return std::nullopt;
    }
  }
  return mesh;
}

std::optional<std::vector<MeshAxisRef>> ReadAxes(TokenCursor& c, const Mesh& mesh, bool sorted,
                                                 std::vector<PlacedAxis>& used, bool* open) {
  std::vector<PlacedAxis> axes;
  const bool good = c.ReadList(Kind::kLeftBrace, Kind::kRightBrace, false, [&] {
    if (open != nullptr && *open) return c.FailExpected("`}` after `?`");
    if (open != nullptr && c.Eat(Kind::kQuestion)) {
      *open = true;
      return true;
    }
    const TokenIndex first = c.position();
    auto axis = ReadAxis(c, mesh);
    if (!axis) return false;
    const PlacedAxis placed{*std::move(axis), c.RangeFrom(first)};
    if (!CheckAxis(c, mesh, placed, axes.empty() ? nullptr : &axes.back(), sorted, used)) return false;
    used.push_back(placed);
    axes.push_back(placed);
    return true;
  });
  if (!good) return std::nullopt;
  std::vector<MeshAxisRef> result;
  result.reserve(axes.size());
  for (PlacedAxis& placed : axes) result.push_back(std::move(placed.axis));
  return result;
}

}  // namespace hloscope
