// SPDX-License-Identifier: Apache-2.0
#include "core/ir/attribute_values.h"

#include <numeric>
#include <utility>

namespace hloscope {
namespace {

int64_t Product(const std::vector<int64_t>& sizes) {
  int64_t product = 1;
  for (int64_t size : sizes) product *= size;
  return product;
}

// Enumerates 0..n-1 reshaped to `sizes` and transposed by `permutation`, in row-major order of the transposed array. Of
// a dimension that `permutation` names twice the first place counts, and one that it does not name stays 0.
std::vector<int64_t> TransposedIota(const std::vector<int64_t>& sizes, const std::vector<int64_t>& permutation) {
  const size_t rank = sizes.size();
  std::vector<int64_t> strides(rank, 1);
  for (size_t i = rank; i-- > 1;) strides[i - 1] = strides[i] * sizes[i];
  std::vector<int64_t> steps;
  for (int64_t d : permutation) steps.push_back(std::exchange(strides[static_cast<size_t>(d)], 0));
  std::vector<int64_t> result;
  const int64_t count = Product(sizes);
  result.reserve(static_cast<size_t>(count));
  std::vector<int64_t> index(rank, 0);
  for (int64_t n = 0; n < count; ++n) {
    int64_t value = 0;
    for (size_t i = 0; i < rank; ++i) value += index[i] * steps[i];
    result.push_back(value);
    for (size_t i = rank; i-- > 0;) {
      if (++index[i] < sizes[static_cast<size_t>(permutation[i])]) break;
      index[i] = 0;
    }
  }
  return result;
}

// A mesh axis split at sub-axis boundaries: the digits of a device number.
struct AxisPiece {
  int64_t size;
  bool listed_at = false;
  size_t position = 0;  // in the list of axes
};

}  // namespace

std::vector<int64_t> IotaTile::Devices() const {
  if (!transpose.empty()) return TransposedIota(reshape_dims, transpose);
  std::vector<int64_t> devices(static_cast<size_t>(Product(reshape_dims)));
  std::iota(devices.begin(), devices.end(), 0);
  return devices;
}

std::vector<std::vector<int64_t>> ReplicaGroups::Expand() const {
  if (form == Form::kExplicit) return groups;
  std::vector<std::vector<int64_t>> result;
  if (form == Form::kIota) {
    const std::vector<int64_t> devices = iota.Devices();
    const size_t size = static_cast<size_t>(iota.dims[1]);
    for (size_t g = 0; g < static_cast<size_t>(iota.dims[0]); ++g) {
      result.emplace_back(devices.begin() + static_cast<std::ptrdiff_t>(g * size),
                          devices.begin() + static_cast<std::ptrdiff_t>((g + 1) * size));
    }
    return result;
  }
  // Mesh: view the device numbers as an array with one dimension per axis piece, move the listed pieces last.
  std::vector<AxisPiece> pieces;
  for (size_t a = 0; a < mesh.axes.size(); ++a) {
    int64_t rest = mesh.axes[a].second;
    // Sub-axes of this axis in order of their pre-size.
    int64_t before = 1;
    while (rest > 1 || before == 1) {
      size_t best = axes.size();
      for (size_t i = 0; i < axes.size(); ++i) {
        if (static_cast<size_t>(axes[i].axis) != a) continue;
        const int64_t pre = axes[i].sub_axis ? axes[i].sub_axis->first : 1;
        if (pre < before) continue;
        const int64_t best_pre =
            best == axes.size() ? -1 : (axes[best].sub_axis ? axes[best].sub_axis->first : int64_t{1});
        if (best_pre < 0 || pre < best_pre) best = i;
      }
      if (best == axes.size()) {
        pieces.push_back({rest});
        break;
      }
      const int64_t pre = axes[best].sub_axis ? axes[best].sub_axis->first : 1;
      const int64_t size = axes[best].sub_axis ? axes[best].sub_axis->second : mesh.axes[a].second;
      if (pre > before) {
        pieces.push_back({pre / before});
        rest /= pre / before;
      }
      pieces.push_back({size, true, best});
      rest /= size;
      before = pre * size;
      if (rest <= 1) break;
    }
  }
  std::vector<int64_t> sizes, permutation;
  for (const AxisPiece& piece : pieces) sizes.push_back(piece.size);
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (!pieces[i].listed_at) permutation.push_back(static_cast<int64_t>(i));
  }
  int64_t group_size = 1;
  for (size_t position = 0; position < axes.size(); ++position) {
    for (size_t i = 0; i < pieces.size(); ++i) {
      if (pieces[i].listed_at && pieces[i].position == position) {
        permutation.push_back(static_cast<int64_t>(i));
        group_size *= pieces[i].size;
      }
    }
  }
  std::vector<int64_t> devices = TransposedIota(sizes, permutation);
  std::vector<int64_t> renumber = mesh.iota ? mesh.iota->Devices() : mesh.device_ids;
  if (!renumber.empty()) {
    for (int64_t& device : devices) device = renumber[static_cast<size_t>(device)];
  }
  for (size_t i = 0; i < devices.size(); i += static_cast<size_t>(group_size)) {
    result.emplace_back(devices.begin() + static_cast<std::ptrdiff_t>(i),
                        devices.begin() + static_cast<std::ptrdiff_t>(i + static_cast<size_t>(group_size)));
  }
  return result;
}

std::vector<int64_t> Sharding::TileDevices() const { return iota ? iota->Devices() : devices; }

}  // namespace hloscope
