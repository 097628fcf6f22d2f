// SPDX-License-Identifier: Apache-2.0
// gather, scatter and select-and-scatter (docs/ops/tensor.md 2).
#ifndef HLOSCOPE_CORE_OPS_GATHER_SCATTER_H_
#define HLOSCOPE_CORE_OPS_GATHER_SCATTER_H_

#include "absl/types/span.h"
#include "core/ir/module.h"
#include "core/ops/dimension_rules.h"

namespace hloscope {

// The dimension numbers of a gather or scatter under common names; spans into the module's attributes.
struct IndexedDimensions {
  absl::Span<const int64_t> window;            // offset_dims, update_window_dims
  absl::Span<const int64_t> dropped;           // collapsed_slice_dims, inserted_window_dims
  absl::Span<const int64_t> index_map;         // start_index_map, scatter_dims_to_operand_dims
  absl::Span<const int64_t> operand_batching;  // operand_batching_dims, input_batching_dims
  absl::Span<const int64_t> index_batching;    // start_indices_batching_dims, scatter_indices_batching_dims
  int64_t index_vector_dim = 0;
};
// Requires an instruction of opcode gather or scatter.
IndexedDimensions IndexedDimensionsOf(const Module& module, InstructionId id);

// The operand dimensions that the window dimensions stand for: neither dropped nor batching, ascending.
DimensionVector WindowOperandDimensions(const IndexedDimensions& dimensions, int64_t operand_rank);
// The dimensions of the indices other than index_vector_dim, ascending.
DimensionVector IndexBatchDimensions(const IndexedDimensions& dimensions, int64_t indices_rank);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_GATHER_SCATTER_H_
