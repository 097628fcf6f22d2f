// SPDX-License-Identifier: Apache-2.0
#include "core/communication/topology.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/ir/checked_math.h"

namespace hloscope {
namespace {

// More devices than this have no pictures of their links.
constexpr int64_t kMostPoints = 1 << 20;

struct Unit {
  absl::string_view suffix;
  double factor;
};

// A positive number with one of the units after it.
absl::StatusOr<double> Quantity(absl::string_view text, absl::Span<const Unit> units) {
  double factor = 1;
  absl::string_view number = text;
  for (const Unit& unit : units) {
    if (!absl::ConsumeSuffix(&number, unit.suffix)) continue;
    factor = unit.factor;
    break;
  }
  double value;
  if (absl::SimpleAtod(number, &value) && std::isfinite(value) && value > 0) return value * factor;
  return absl::InvalidArgumentError(absl::StrCat("`", text, "` is no positive quantity"));
}

absl::Status ReadProperty(absl::string_view text, Topology* topology) {
  static constexpr Unit kBytes[] = {{"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}};
  static constexpr Unit kSeconds[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};
  absl::string_view value = text;
  if (absl::ConsumePrefix(&value, "bandwidth=")) {
    absl::StatusOr<double> quantity = Quantity(value, kBytes);
    if (!quantity.ok()) return quantity.status();
    topology->bytes_per_second = *quantity;
    return absl::OkStatus();
  }
  if (absl::ConsumePrefix(&value, "latency=")) {
    absl::StatusOr<double> quantity = Quantity(value, kSeconds);
    if (!quantity.ok()) return quantity.status();
    topology->seconds_per_hop = *quantity;
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat("`", text, "` is neither bandwidth=BYTES nor latency=TIME"));
}

}  // namespace

absl::StatusOr<Topology> Topology::Parse(absl::string_view text) {
  const std::vector<absl::string_view> parts = absl::StrSplit(text, ',');
  const std::vector<absl::string_view> kind = absl::StrSplit(parts[0], ':');
  const auto wrong = [&] {
    return absl::InvalidArgumentError(absl::StrCat(
        "a topology is ring:N, mesh:AxB... or torus:AxB..., with ,bandwidth=50G and ,latency=1us, not `", text, "`"));
  };
  if (kind.size() != 2 || (kind[0] != "ring" && kind[0] != "mesh" && kind[0] != "torus")) return wrong();
  Topology topology;
  topology.is_closed = kind[0] != "mesh";
  int64_t count = 1;
  for (absl::string_view part : absl::StrSplit(kind[1], 'x')) {
    int64_t size;
    if (!absl::SimpleAtoi(part, &size) || size < 1) return wrong();
    count = SaturatingProduct(count, size);
    topology.sizes.push_back(size);
  }
  if (kind[0] == "ring" && topology.sizes.size() != 1) return wrong();
  if (count > kMostPoints) {
    return absl::InvalidArgumentError(absl::StrCat("a topology has at most ", kMostPoints, " devices"));
  }
  for (size_t i = 1; i < parts.size(); ++i) {
    if (absl::Status status = ReadProperty(parts[i], &topology); !status.ok()) return status;
  }
  return topology;
}

int64_t Topology::device_count() const {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<int64_t>());
}

std::string Topology::name() const {
  const absl::string_view kind = !is_closed ? "mesh" : sizes.size() == 1 ? "ring" : "torus";
  return absl::StrCat(kind, ":", absl::StrJoin(sizes, "x"));
}

LinkLoads::LinkLoads(const Topology& topology)
    : topology_(topology), bytes_(static_cast<size_t>(topology.device_count()) * topology.sizes.size() * 2, 0) {}

int64_t LinkLoads::Send(int64_t from, int64_t to, double bytes) {
  const int64_t count = topology_.device_count();
  const size_t rank = topology_.sizes.size();
  int64_t at = from % count, hops = 0;
  const int64_t goal = to % count;
  int64_t stride = 1;
  for (size_t d = rank; d-- > 0;) {
    const int64_t size = topology_.sizes[d];
    const int64_t target = goal / stride % size;
    for (int64_t own = at / stride % size; own != target; ++hops) {
      const int64_t ahead = (target - own + size) % size;
      const bool forward = topology_.is_closed ? 2 * ahead <= size : target > own;
      bytes_[(static_cast<size_t>(at) * rank + d) * 2 + (forward ? 0 : 1)] += bytes;
      const int64_t next = (own + (forward ? 1 : size - 1)) % size;
      at += (next - own) * stride;
      own = next;
    }
    stride *= size;
  }
  return hops;
}

double LinkLoads::most() const { return bytes_.empty() ? 0 : *std::max_element(bytes_.begin(), bytes_.end()); }

double LinkLoads::total() const { return std::accumulate(bytes_.begin(), bytes_.end(), 0.0); }

int64_t LinkLoads::used() const {
  return std::count_if(bytes_.begin(), bytes_.end(), [](double bytes) { return bytes > 0; });
}

void LinkLoads::Clear() { std::fill(bytes_.begin(), bytes_.end(), 0); }

void LinkLoads::Add(const LinkLoads& other, double times) {
  for (size_t i = 0; i < bytes_.size(); ++i) bytes_[i] += times * other.bytes_[i];
}

}  // namespace hloscope
