// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/custom_calls/shardy_places.h"

#include <algorithm>
#include <optional>
#include <string>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace hloscope::evaluator {
namespace {

// Beyond it, a list of all devices is of no use to a simulation.
constexpr int64_t kMaxDevices = 1 << 16;

struct Axis {
  std::string name;
  int64_t size;
};
struct DeviceMesh {
  std::vector<Axis> axes;
  std::vector<int64_t> devices;  // row-major; empty: 0, 1, 2, ...
};
// "x", or "x":(2)4: the part of size 4 of the axis, of which a part of size 2 is more major.
struct AxisPart {
  std::string name;
  int64_t before = 1;
  std::optional<int64_t> size;
};
struct ArraySharding {
  std::string mesh;
  std::vector<std::vector<AxisPart>> dimensions;
};

// Reads the text from left to right; the first thing that does not fit is the end.
class Reader {
 public:
  // Quotes of attributes inside of strings are escaped.
  explicit Reader(absl::string_view text) : text_(absl::StrReplaceAll(text, {{"\\\"", "\""}})) {}

  bool failed() const { return failed_; }
  bool AtEnd() {
    SkipSpace();
    return place_ == text_.size();
  }
  bool Try(absl::string_view word) {
    SkipSpace();
    if (failed_ || !absl::StartsWith(absl::string_view(text_).substr(place_), word)) return false;
    place_ += word.size();
    return true;
  }
  void Expect(absl::string_view word) {
    if (!Try(word)) failed_ = true;
  }
  std::string Quoted() {
    Expect("\"");
    const std::string text = TakeWhile([](char c) { return c != '"'; });
    Expect("\"");
    return text;
  }
  std::string Word() {
    SkipSpace();
    std::string word = TakeWhile([](char c) { return absl::ascii_isalnum(c) || c == '_' || c == '.' || c == '-'; });
    if (word.empty()) failed_ = true;
    return word;
  }
  int64_t Number() {
    SkipSpace();
    int64_t number = 0;
    if (!absl::SimpleAtoi(TakeWhile(absl::ascii_isdigit), &number) || number < 0) failed_ = true;
    return number;
  }
  // `item` once for each of the items between `open` and `close`, which commas separate.
  template <typename Item>
  void List(absl::string_view open, absl::string_view close, const Item& item) {
    Expect(open);
    if (failed_ || Try(close)) return;
    do item();
    while (!failed_ && Try(","));
    Expect(close);
  }

 private:
  void SkipSpace() {
    while (place_ < text_.size() && absl::ascii_isspace(static_cast<unsigned char>(text_[place_]))) ++place_;
  }
  template <typename Condition>
  std::string TakeWhile(const Condition& condition) {
    const size_t begin = place_;
    while (place_ < text_.size() && condition(text_[place_])) ++place_;
    return text_.substr(begin, place_ - begin);
  }

  const std::string text_;
  size_t place_ = 0;
  bool failed_ = false;
};

absl::Status CannotRead(absl::string_view what, absl::string_view text) {
  return absl::InvalidArgumentError(absl::StrCat("the ", what, " ", text, " cannot be read"));
}

absl::StatusOr<DeviceMesh> FindMesh(absl::string_view meshes, const std::string& name) {
  Reader reader(meshes);
  std::optional<DeviceMesh> found;
  reader.List("{", "}", [&] {
    const std::string own_name = reader.Word();
    reader.Expect("=");
    reader.Expect("#sdy.mesh<");
    DeviceMesh mesh;
    reader.List("[", "]", [&] {
      std::string axis = reader.Quoted();
      reader.Expect("=");
      mesh.axes.push_back({std::move(axis), reader.Number()});
    });
    if (reader.Try(",")) {
      reader.Expect("device_ids");
      reader.Expect("=");
      reader.List("[", "]", [&] { mesh.devices.push_back(reader.Number()); });
    }
    reader.Expect(">");
    if (own_name == name) found = std::move(mesh);
  });
  if (reader.failed()) return CannotRead("list of meshes", meshes);
  if (!found) return absl::InvalidArgumentError(absl::StrCat("the module has no mesh @", name));
  int64_t devices = 1;
  for (const Axis& axis : found->axes) {
    if (axis.size < 1 || axis.size > kMaxDevices || (devices *= axis.size) > kMaxDevices) {
      return absl::InvalidArgumentError(absl::StrCat("mesh @", name, " has no or too many devices"));
    }
  }
  if (!found->devices.empty() && static_cast<int64_t>(found->devices.size()) != devices) {
    return absl::InvalidArgumentError(absl::StrCat("mesh @", name, " does not list ", devices, " devices"));
  }
  if (found->devices.empty()) {
    found->devices.resize(static_cast<size_t>(devices));
    absl::c_iota(found->devices, 0);
  }
  return *std::move(found);
}

std::vector<AxisPart> ReadAxes(Reader& reader) {
  std::vector<AxisPart> axes;
  reader.List("{", "}", [&] {
    if (reader.Try("?")) return;  // open: propagation might have cut it further
    AxisPart part;
    part.name = reader.Quoted();
    if (reader.Try(":")) {
      reader.Expect("(");
      part.before = reader.Number();
      reader.Expect(")");
      part.size = reader.Number();
    }
    axes.push_back(std::move(part));
  });
  return axes;
}

absl::StatusOr<std::vector<ArraySharding>> ReadShardings(absl::string_view text) {
  Reader reader(text);
  std::vector<ArraySharding> shardings;
  reader.Expect("#sdy.sharding_per_value<");
  reader.List("[", "]", [&] {
    ArraySharding sharding;
    reader.Expect("<");
    reader.Expect("@");
    sharding.mesh = reader.Word();
    reader.Expect(",");
    reader.List("[", "]", [&] {
      sharding.dimensions.push_back(ReadAxes(reader));
      if (reader.Try("p")) reader.Number();  // a priority of propagation
    });
    while (reader.Try(",")) {
      if (!reader.Try("replicated") && !reader.Try("unreduced")) reader.Expect("a list of axes");
      reader.Expect("=");
      ReadAxes(reader);
    }
    reader.Expect(">");
    shardings.push_back(std::move(sharding));
  });
  reader.Expect(">");
  if (reader.failed() || !reader.AtEnd()) return CannotRead("shardings", text);
  return shardings;
}

// Names of the axes that cut; none: all do.
absl::StatusOr<std::optional<std::vector<std::string>>> ReadManualAxes(absl::string_view text) {
  if (text.empty()) return std::optional<std::vector<std::string>>();
  Reader reader(text);
  std::vector<std::string> names;
  reader.Expect("#sdy<manual_axes");
  reader.List("{", "}", [&] { names.push_back(reader.Quoted()); });
  reader.Expect(">");
  if (reader.failed()) return CannotRead("manual axes", text);
  return std::optional<std::vector<std::string>>(std::move(names));
}

// The parts of one dimension and which of them the device at `place` of the mesh holds.
struct DimensionPart {
  int64_t count = 1, index = 0;
};
absl::StatusOr<DimensionPart> PartOf(const DeviceMesh& mesh, const std::vector<AxisPart>& axes,
                                     const std::optional<std::vector<std::string>>& manual, int64_t place) {
  DimensionPart part;
  for (const AxisPart& axis : axes) {
    if (manual && !absl::c_linear_search(*manual, axis.name)) continue;
    const auto found = absl::c_find_if(mesh.axes, [&](const Axis& a) { return a.name == axis.name; });
    if (found == mesh.axes.end()) return absl::InvalidArgumentError(absl::StrCat("the mesh has no axis ", axis.name));
    int64_t after = 1;
    for (auto later = found + 1; later != mesh.axes.end(); ++later) after *= later->size;
    const int64_t size = axis.size.value_or(found->size);
    // None is larger than the axis, so that the product does not overflow.
    const bool is_part = size >= 1 && axis.before >= 1 && size <= found->size && axis.before <= found->size;
    if (!is_part || found->size % (axis.before * size) != 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("axis ", axis.name, " of size ", found->size, " has no part (", axis.before, ")", size));
    }
    const int64_t coordinate = place / after % found->size / (found->size / axis.before / size) % size;
    part.index = part.index * size + coordinate;
    part.count *= size;
    if (part.count > kMaxDevices) return absl::InvalidArgumentError("a dimension is cut into too many parts");
  }
  return part;
}

}  // namespace

absl::StatusOr<std::vector<std::vector<ShardPlace>>> PlacesByShardy(const ShardyAttributes& attributes,
                                                                    absl::Span<const Shape> arrays) {
  const absl::StatusOr<std::vector<ArraySharding>> shardings = ReadShardings(attributes.shardings);
  if (!shardings.ok()) return shardings.status();
  const auto manual = ReadManualAxes(attributes.manual_axes);
  if (!manual.ok()) return manual.status();
  if (shardings->size() != arrays.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("there are ", shardings->size(), " shardings of ", arrays.size(), " arrays"));
  }
  std::vector<std::vector<ShardPlace>> result;
  for (size_t n = 0; n < arrays.size(); ++n) {
    const absl::StatusOr<DeviceMesh> mesh = FindMesh(attributes.meshes, (*shardings)[n].mesh);
    if (!mesh.ok()) return mesh.status();
    const auto& dimensions = (*shardings)[n].dimensions;
    if (static_cast<int64_t>(dimensions.size()) != arrays[n].rank()) {
      return absl::InvalidArgumentError(
          absl::StrCat("a sharding of rank ", dimensions.size(), " is given for ", arrays[n].ToString(false)));
    }
    std::vector<ShardPlace> places;
    for (size_t place = 0; place < mesh->devices.size(); ++place) {
      ShardPlace shard;
      shard.device = mesh->devices[place];
      for (size_t d = 0; d < dimensions.size(); ++d) {
        const absl::StatusOr<DimensionPart> part = PartOf(*mesh, dimensions[d], *manual, static_cast<int64_t>(place));
        if (!part.ok()) return part.status();
        const int64_t size = arrays[n].dimensions()[d];
        const int64_t tile = (size + part->count - 1) / part->count;
        SliceRange range;
        range.start = std::min(size, part->index * tile);
        range.limit = std::min(size, range.start + tile);
        shard.ranges.push_back(range);
      }
      places.push_back(std::move(shard));
    }
    absl::c_sort(places, [](const ShardPlace& a, const ShardPlace& b) { return a.device < b.device; });
    result.push_back(std::move(places));
  }
  return result;
}

}  // namespace hloscope::evaluator
