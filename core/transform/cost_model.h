// SPDX-License-Identifier: Apache-2.0
// What a machine of a given memory layout moves to run a module (docs/rewrites.md 6).
#ifndef HLOSCOPE_CORE_TRANSFORM_COST_MODEL_H_
#define HLOSCOPE_CORE_TRANSFORM_COST_MODEL_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/ir/module.h"
#include "core/layout/physical_layout.h"

namespace hloscope {

// How a machine lays out arrays: in tiles of their two minor-most dimensions, or linearly. Arrays keep the order of
// dimensions that the module gives them, and tiles that it spells out; a linear target has no tiles at all.
class CostTarget {
 public:
  // T(8,128); T(8,128)(2,1) for 16-bit and T(8,128)(4,1) for 8-bit elements. Scalars have no tiles.
  static CostTarget Tpu();
  static CostTarget Linear();
  // "tpu", "linear", or tiles as layouts spell them, for elements of every width: "T(8,128)(2,1)". Error
  // InvalidArgument, a sentence for the user.
  static absl::StatusOr<CostTarget> Parse(absl::string_view text);

  const std::string& name() const { return name_; }
  // The array with the layout that it has on this machine.
  Shape Place(const Shape& array) const;

 private:
  enum class Kind : uint8_t { kByWidth, kLinear, kTiles };
  Kind kind_ = Kind::kByWidth;
  std::string name_;
  std::vector<Tile> tiles_;  // kTiles
};

// Bytes are physical ones, padding included, read plus written, each instruction counted once as if it ran by itself.
// Sums saturate.
struct TransformCost {
  int64_t reshapes = 0;           // instructions
  int64_t reshaped_elements = 0;  // logical elements of their results, whether they move or not
  int64_t relayout_bytes = 0;     // reshape, transpose, copy and bitcast whose layouts do not coincide
  int64_t reduce_bytes = 0;
  int64_t elementwise_bytes = 0;  // with conversions
  int64_t broadcast_bytes = 0;
  int64_t data_bytes = 0, physical_bytes = 0;  // of all results that are not scalars

  // What rewrites lower.
  int64_t moved_bytes() const;
  int64_t padding_bytes() const { return physical_bytes - data_bytes; }
  // Less moved, or as much and fewer elements reshaped.
  bool IsLessThan(const TransformCost& other) const;
  TransformCost& operator+=(const TransformCost& other);
  friend bool operator==(const TransformCost&, const TransformCost&) = default;
};

class CostModel {
 public:
  // The module may grow while the object lives: results are remembered by shape.
  CostModel(const Module& module, CostTarget target) : module_(module), target_(std::move(target)) {}

  const CostTarget& target() const { return target_; }
  // Requires array operands and results without unbounded dimensions to be more than zero.
  TransformCost Of(InstructionId id);
  // Of all leaves, under the target.
  int64_t PhysicalBytes(InstructionId id) { return Placed(module_.instruction(id).shape).physical_bytes; }
  // Whether a reshape, transpose or copy between arrays keeps every element's address. Other opcodes: false.
  bool IsFree(InstructionId id);

 private:
  struct PlacedShape {
    bool known = false;
    int64_t data_bytes = 0, physical_bytes = 0;
    std::optional<PhysicalLayout> layout;  // of an array
  };
  const PlacedShape& Placed(ShapeId id);

  const Module& module_;
  CostTarget target_;
  std::deque<PlacedShape> placed_;  // by shape; references stay valid
  // By both shapes, then the permutation of a transpose.
  absl::flat_hash_map<absl::InlinedVector<int64_t, 8>, bool> is_free_;
};

struct ComputationCost {
  std::string computation;
  TransformCost cost;
};
struct ModuleCost {
  std::vector<ComputationCost> computations;  // in the module's order, those that cost nothing left out
  TransformCost total;                        // each computation once
  int64_t peak_live_bytes = 0;                // of the entry computation, under the layouts of the module
};
// O(instructions + operands) but for liveness, O(n log n).
ModuleCost MeasureCost(const Module& module, const CostTarget& target);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_TRANSFORM_COST_MODEL_H_
