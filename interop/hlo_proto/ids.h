// SPDX-License-Identifier: Apache-2.0
// Ids of computations and instructions in protos, and the order in which they can be read.
#ifndef HLOSCOPE_INTEROP_HLO_PROTO_IDS_H_
#define HLOSCOPE_INTEROP_HLO_PROTO_IDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "interop/hlo_proto/module_bytes.h"

namespace hloscope::interop {

// Files of both generations: a plain number, or (computation id << 32) | number in the computation. Inside a
// computation the low half names an instruction in either.
inline uint32_t LocalId(int64_t id) { return static_cast<uint32_t>(id & 0xFFFFFFFF); }

// `computations[3] "body"`, `computations[3] "body".instructions[7] "add.2"`; -1: none.
std::string PlaceName(const ModuleBytes& module, int computation, int instruction = -1);

// Positions of the instructions of a computation by the low half of their ids, most of which are small.
class LocalIdTable {
 public:
  // Empty, for about `count` instructions.
  void Reset(size_t count);
  // The position that holds the id: the given one, or an earlier one.
  int Insert(uint32_t id, int position);
  // -1 if there is none.
  int Find(uint32_t id) const {
    if (id < dense_.size()) return dense_[id];
    const auto it = others_.find(id);
    return it == others_.end() ? -1 : it->second;
  }

 private:
  std::vector<int> dense_;
  absl::flat_hash_map<uint32_t, int> others_;
};

// Positions by id. Error (InvalidArgument): two of one id, with the second in `*at`.
absl::StatusOr<absl::flat_hash_map<int64_t, int>> ComputationsById(const ModuleBytes& module, int* at);
absl::Status InstructionsById(absl::Span<const ModuleBytes::Instruction> instructions, LocalIdTable* table, int* at);

// Positions 0 to count - 1 such that each comes after those that visit(position, take) hands to `take`; the given order
// where that is so already. Error (InvalidArgument): a cycle, with one of its positions in `*at`.
absl::StatusOr<std::vector<int>> OrderByNeeds(const std::vector<int>& given,
                                              absl::FunctionRef<void(int, absl::FunctionRef<void(int)>)> visit,
                                              int* at);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_HLO_PROTO_IDS_H_
