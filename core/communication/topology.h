// SPDX-License-Identifier: Apache-2.0
// How the devices of a run are connected, and what goes over each link (docs/communication.md).
#ifndef HLOSCOPE_CORE_COMMUNICATION_TOPOLOGY_H_
#define HLOSCOPE_CORE_COMMUNICATION_TOPOLOGY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace hloscope {

// Devices at the points of a grid, device 0 first, the last dimension fastest. Neighbours along a dimension have a link
// in each direction; where the dimension is closed, also its two ends.
struct Topology {
  std::vector<int64_t> sizes;
  bool is_closed = true;
  double bytes_per_second = 50e9;  // of a link, in one direction
  double seconds_per_hop = 1e-6;

  // "ring:8", "mesh:4x4", "torus:8x8x8", with ",bandwidth=50G" (bytes a second; K, M, G, T are powers of 1000) and
  // ",latency=1us" (ns, us, ms, s) after it. Error InvalidArgument with what is wrong.
  static absl::StatusOr<Topology> Parse(absl::string_view text);

  int64_t device_count() const;
  std::string name() const;  // "torus:8x8x8"
};

// The loads of all links.
class LinkLoads {
 public:
  explicit LinkLoads(const Topology& topology);

  // Adds `bytes` to each link on the way, dimension by dimension, the shorter way round. Returns the number of links.
  // Devices beyond the topology's are taken modulo their number.
  int64_t Send(int64_t from, int64_t to, double bytes);
  // Of the busiest link, and of all together.
  double most() const;
  double total() const;
  // Links in one direction that carry something.
  int64_t used() const;
  void Clear();
  void Add(const LinkLoads& other, double times);

 private:
  const Topology& topology_;
  std::vector<double> bytes_;  // by device, dimension and direction
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_COMMUNICATION_TOPOLOGY_H_
