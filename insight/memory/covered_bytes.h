// SPDX-License-Identifier: Apache-2.0
// How many bytes of a block of memory are taken while ranges of it come and go.
#ifndef HLOSCOPE_INSIGHT_MEMORY_COVERED_BYTES_H_
#define HLOSCOPE_INSIGHT_MEMORY_COVERED_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hloscope::insight {

// Bytes [begin, end) of a block.
struct ByteRange {
  int64_t begin = 0, end = 0;
};

// A byte that several ranges take counts once. Adding and removing take logarithmic time.
class CoveredBytes {
 public:
  // All ranges that will ever be added.
  explicit CoveredBytes(const std::vector<ByteRange>& ranges);

  void Add(const ByteRange& range) { Change(range, 1); }
  // One that was added before.
  void Remove(const ByteRange& range) { Change(range, -1); }
  int64_t covered() const { return nodes_.empty() ? 0 : nodes_[0].covered; }

 private:
  struct Node {
    int64_t covered = 0;
    int64_t count = 0;  // of ranges that take the whole node, but not the whole node above
  };
  void Change(const ByteRange& range, int64_t by);
  void ChangeIn(size_t node, size_t first, size_t last, size_t begin, size_t end, int64_t by);

  std::vector<int64_t> bounds_;  // sorted
  std::vector<Node> nodes_;      // a binary tree over the gaps between neighbouring bounds
};

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_MEMORY_COVERED_BYTES_H_
