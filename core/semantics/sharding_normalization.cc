// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/sharding_normalization.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace hloscope {
namespace {

using Subgroup = Sharding::Subgroup;

bool NamesAPositionTwice(const IotaTile& iota) {
  std::vector<int64_t> sorted = iota.transpose;
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
}

// The order of subgroups.
constexpr Subgroup kSubgroupOrder[] = {Subgroup::kMaximal, Subgroup::kManual, Subgroup::kUnreduced,
                                       Subgroup::kReplicated};

int64_t ProductOf(const std::vector<int64_t>& sizes, size_t begin, size_t end) {
  return std::accumulate(sizes.begin() + static_cast<std::ptrdiff_t>(begin),
                         sizes.begin() + static_cast<std::ptrdiff_t>(end), int64_t{1},
                         [](int64_t a, int64_t b) { return a * b; });
}

// The iota with the dimensions of `iota.dims` in another order; nothing if no iota gives these devices. The sizes are
// split until every tile dimension is a run of them, and the runs change places.
std::optional<IotaTile> TransposedIota(const IotaTile& iota, const std::vector<size_t>& order) {
  std::vector<int64_t> transpose = iota.transpose;
  if (transpose.empty()) transpose = {0};
  // Pieces of the transposed array, outermost first: the size each was split from, and its own size. The pieces of one
  // size are in its order.
  struct Piece {
    int64_t from;
    int64_t size;
  };
  std::vector<std::vector<Piece>> runs(iota.dims.size());  // by tile dimension
  size_t next = 0;
  int64_t rest = 1;  // what is left of the current size
  for (size_t d = 0; d < iota.dims.size(); ++d) {
    int64_t wanted = iota.dims[d];
    while (wanted > 1) {
      if (rest == 1) rest = iota.reshape_dims[static_cast<size_t>(transpose[next++])];
      if (rest == 1) continue;
      // The inner part of a size is what the next dimensions take.
      const int64_t piece = std::gcd(wanted, rest);
      if (piece != wanted && piece != rest) return std::nullopt;
      runs[d].push_back({transpose[next - 1], piece});
      wanted /= piece;
      rest /= piece;
    }
  }
  IotaTile result;
  // Pieces in the order of the numbers they come from, and where each one is.
  std::vector<std::pair<int64_t, std::pair<size_t, size_t>>> sources;  // size it was split from, (dimension, piece)
  for (size_t d = 0; d < runs.size(); ++d) {
    for (size_t i = 0; i < runs[d].size(); ++i) sources.push_back({runs[d][i].from, {d, i}});
  }
  std::stable_sort(sources.begin(), sources.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::vector<int64_t>> number_of(runs.size());
  for (size_t d = 0; d < runs.size(); ++d) number_of[d].resize(runs[d].size());
  for (size_t s = 0; s < sources.size(); ++s) {
    const auto [d, i] = sources[s].second;
    number_of[d][i] = static_cast<int64_t>(s);
    result.reshape_dims.push_back(runs[d][i].size);
  }
  if (result.reshape_dims.empty()) result.reshape_dims = {1};  // one device
  for (size_t d : order) {
    result.dims.push_back(iota.dims[d]);
    result.transpose.insert(result.transpose.end(), number_of[d].begin(), number_of[d].end());
  }
  return result;
}

// The devices of a tile assignment whose dimensions change places.
std::vector<int64_t> TransposedDevices(const std::vector<int64_t>& devices, const std::vector<int64_t>& sizes,
                                       const std::vector<size_t>& order) {
  std::vector<size_t> strides(sizes.size(), 1);
  for (size_t d = sizes.size(); d-- > 1;) strides[d - 1] = strides[d] * static_cast<size_t>(sizes[d]);
  std::vector<int64_t> result, index(sizes.size(), 0);
  result.reserve(devices.size());
  for (size_t n = 0; n < devices.size(); ++n) {
    size_t at = 0;
    for (size_t i = 0; i < order.size(); ++i) at += static_cast<size_t>(index[i]) * strides[order[i]];
    result.push_back(devices[at]);
    for (size_t i = order.size(); i-- > 0;) {
      if (++index[i] < sizes[order[i]]) break;
      index[i] = 0;
    }
  }
  return result;
}

// Puts the tile dimensions in another order.
void Transpose(Sharding* sharding, const std::vector<size_t>& order) {
  if (std::is_sorted(order.begin(), order.end())) return;
  std::vector<int64_t> dimensions;
  for (size_t d : order) dimensions.push_back(sharding->tile_dimensions[d]);
  std::optional<IotaTile> iota;
  if (sharding->iota && !NamesAPositionTwice(*sharding->iota)) iota = TransposedIota(*sharding->iota, order);
  if (!iota) sharding->devices = TransposedDevices(sharding->TileDevices(), sharding->tile_dimensions, order);
  sharding->iota = std::move(iota);
  sharding->tile_dimensions = std::move(dimensions);
}

// Becomes a word: only metadata and the shard group stay.
void BecomeWord(Sharding* sharding, Sharding::Kind kind) {
  sharding->kind = kind;
  sharding->tile_dimensions.clear();
  sharding->devices.clear();
  sharding->iota.reset();
  sharding->last_tile_dims.clear();
  sharding->last_tile_dim_replicate = false;
}

// Orders and merges subgroups; afterwards each type occurs at most once and has a size above 1.
void MergeSubgroups(Sharding* sharding) {
  const std::vector<Subgroup> types = std::exchange(sharding->last_tile_dims, {});
  const size_t data_rank = sharding->tile_dimensions.size() - types.size();
  std::vector<size_t> order(data_rank);
  std::iota(order.begin(), order.end(), size_t{0});
  std::vector<int64_t> merged(sharding->tile_dimensions.begin(),
                              sharding->tile_dimensions.begin() + static_cast<std::ptrdiff_t>(data_rank));
  for (Subgroup type : kSubgroupOrder) {
    int64_t size = 1;
    for (size_t i = 0; i < types.size(); ++i) {
      if (types[i] != type) continue;
      order.push_back(data_rank + i);
      size *= sharding->tile_dimensions[data_rank + i];
    }
    if (size == 1) continue;
    merged.push_back(size);
    sharding->last_tile_dims.push_back(type);
  }
  Transpose(sharding, order);
  sharding->tile_dimensions = std::move(merged);
}

}  // namespace

void SimplifyIota(IotaTile* iota) {
  if (NamesAPositionTwice(*iota)) return;
  std::vector<int64_t> transpose = iota->transpose;
  if (transpose.empty()) transpose = {0};
  // The transposed sizes without those of 1, neighbours merged: (first number, size), numbers ascending inside.
  std::vector<std::pair<int64_t, int64_t>> kept;
  int64_t last = -1;
  // Numbers with the sizes of 1 taken out, so that what is beside them counts as neighbours.
  std::vector<int64_t> number(iota->reshape_dims.size());
  int64_t next = 0;
  for (size_t i = 0; i < number.size(); ++i) number[i] = iota->reshape_dims[i] == 1 ? -1 : next++;
  for (int64_t from : transpose) {
    const int64_t at = number[static_cast<size_t>(from)];
    if (at < 0) continue;
    if (!kept.empty() && at == last + 1) {
      kept.back().second *= iota->reshape_dims[static_cast<size_t>(from)];
    } else {
      kept.emplace_back(at, iota->reshape_dims[static_cast<size_t>(from)]);
    }
    last = at;
  }
  if (kept.empty()) kept.emplace_back(0, 1);
  std::vector<size_t> by_number(kept.size());
  std::iota(by_number.begin(), by_number.end(), size_t{0});
  std::sort(by_number.begin(), by_number.end(), [&](size_t a, size_t b) { return kept[a].first < kept[b].first; });
  iota->reshape_dims.clear();
  iota->transpose.assign(kept.size(), 0);
  for (size_t i = 0; i < by_number.size(); ++i) {
    iota->reshape_dims.push_back(kept[by_number[i]].second);
    iota->transpose[by_number[i]] = static_cast<int64_t>(i);
  }
  if (kept.size() == 1) iota->transpose.clear();
}

void NormalizeSharding(Sharding* sharding) {
  if (sharding->kind != Sharding::Kind::kTiled) return;
  if (!sharding->last_tile_dims.empty()) {
    MergeSubgroups(sharding);
    const std::vector<Subgroup>& types = sharding->last_tile_dims;
    const size_t data_rank = sharding->tile_dimensions.size() - types.size();
    if (types.size() == 1 && ProductOf(sharding->tile_dimensions, 0, data_rank) == 1) {
      switch (types[0]) {
        case Subgroup::kReplicated:
          return BecomeWord(sharding, Sharding::Kind::kReplicated);
        case Subgroup::kManual:
          return BecomeWord(sharding, Sharding::Kind::kManual);
        case Subgroup::kUnreduced:
          return BecomeWord(sharding, Sharding::Kind::kUnreduced);
        case Subgroup::kMaximal:
          break;
      }
    }
    if (types == std::vector<Subgroup>{Subgroup::kReplicated}) {
      sharding->last_tile_dims.clear();
      sharding->last_tile_dim_replicate = true;
    }
  } else if (sharding->last_tile_dim_replicate) {
    const size_t data_rank = sharding->tile_dimensions.size() - 1;
    if (sharding->tile_dimensions.back() == 1) {
      sharding->tile_dimensions.pop_back();
      sharding->last_tile_dim_replicate = false;
    } else if (ProductOf(sharding->tile_dimensions, 0, data_rank) == 1) {
      return BecomeWord(sharding, Sharding::Kind::kReplicated);
    }
  }
  if (sharding->iota) {
    sharding->iota->dims = sharding->tile_dimensions;
    SimplifyIota(&*sharding->iota);
    return;
  }
  const bool has_replicated_groups =
      sharding->last_tile_dim_replicate ||
      (!sharding->last_tile_dims.empty() && sharding->last_tile_dims.back() == Subgroup::kReplicated);
  if (!has_replicated_groups) return;
  const std::ptrdiff_t group = static_cast<std::ptrdiff_t>(sharding->tile_dimensions.back());
  for (auto it = sharding->devices.begin(); it != sharding->devices.end(); it += group) std::sort(it, it + group);
}

}  // namespace hloscope
