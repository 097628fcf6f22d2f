// SPDX-License-Identifier: Apache-2.0
#include "interop/hlo_proto/attribute_fields.h"

namespace hloscope::interop {
namespace {

using Kind = AttributeKind;
using Proto = proto::HloInstructionProto;

// Of rows that fit, the first one counts: those of one opcode are before those of all others.
template <typename Field, size_t kCount>
const Field* Find(const Field (&rows)[kCount], Kind kind, Opcode opcode) {
  for (const Field& row : rows) {
    if (row.kind == kind && (row.opcode == opcode || row.opcode == Opcode::kInvalid)) return &row;
  }
  return nullptr;
}

#define HLO_VALUE(type, kind, field)                                                                 \
  {                                                                                                  \
    Kind::kind, Opcode::kInvalid, [](const Proto& from) { return static_cast<type>(from.field()); }, \
        [](Proto* to, type value) { to->set_##field(static_cast<decltype(to->field())>(value)); }    \
  }
#define HLO_INNER_VALUE(type, kind, opcode, message, field)                                       \
  {                                                                                               \
    Kind::kind, Opcode::opcode, [](const Proto& from) -> type { return from.message().field(); }, \
        [](Proto* to, type value) { to->mutable_##message()->set_##field(value); }                \
  }
#define HLO_FIELD(kind, field)                                                                  \
  {                                                                                             \
    Kind::kind, Opcode::kInvalid, [](const Proto& from) -> const auto& { return from.field(); } \
    , [](Proto* to) { return to->mutable_##field(); }                                           \
  }
#define HLO_INNER_FIELD(kind, opcode, message, field)                                                   \
  {                                                                                                     \
    Kind::kind, Opcode::opcode, [](const Proto& from) -> const auto& { return from.message().field(); } \
    , [](Proto* to) { return to->mutable_##message()->mutable_##field(); }                              \
  }
#define HLO_RAGGED_DOT_FIELD(kind, field)                                                                    \
  {                                                                                                          \
    Kind::kind, Opcode::kRaggedDot, [](const Proto& from) -> const auto& {                                   \
      return from.ragged_dot_dimension_numbers().dot_dimension_numbers().field();                            \
    }                                                                                                        \
    , [](Proto* to) {                                                                                        \
      return to->mutable_ragged_dot_dimension_numbers()->mutable_dot_dimension_numbers()->mutable_##field(); \
    }                                                                                                        \
  }

constexpr AttributeField<bool> kBools[] = {
    HLO_VALUE(bool, kLargest, largest),
    HLO_VALUE(bool, kIsStable, is_stable),
    HLO_VALUE(bool, kConstrainLayout, constrain_layout),
    HLO_VALUE(bool, kUseGlobalDeviceIds, use_global_device_ids),
    HLO_VALUE(bool, kHasDynamicRoot, has_dynamic_root),
    HLO_VALUE(bool, kIsHostTransfer, is_host_transfer),
    HLO_VALUE(bool, kIsComposite, is_composite),
    HLO_INNER_VALUE(bool, kLeftSide, kInvalid, triangular_solve_options, left_side),
    HLO_INNER_VALUE(bool, kLower, kCholesky, cholesky_options, lower),
    HLO_INNER_VALUE(bool, kLower, kInvalid, triangular_solve_options, lower),
    HLO_INNER_VALUE(bool, kUnitDiagonal, kInvalid, triangular_solve_options, unit_diagonal),
    HLO_VALUE(bool, kIsReverse, is_reverse),
    {Kind::kIsAssociative, Opcode::kInvalid,
     [](const Proto& from) { return from.is_associative() == proto::TRI_STATE_TRUE; },
     [](Proto* to, bool value) { to->set_is_associative(value ? proto::TRI_STATE_TRUE : proto::TRI_STATE_FALSE); }},
    HLO_VALUE(bool, kCustomCallHasSideEffect, custom_call_has_side_effect),
    HLO_VALUE(bool, kIndicesAreSorted, indices_are_sorted),
    HLO_VALUE(bool, kUniqueIndices, unique_indices),
};

constexpr AttributeField<int64_t> kInts[] = {
    HLO_VALUE(int64_t, kK, k),
    HLO_VALUE(int64_t, kChannelId, channel_id),
    HLO_VALUE(int64_t, kCrossProgramPrefetchIndex, cross_program_prefetch_index),
    HLO_VALUE(int64_t, kIndex, tuple_index),
    HLO_VALUE(int64_t, kFeatureGroupCount, feature_group_count),
    HLO_VALUE(int64_t, kBatchGroupCount, batch_group_count),
    HLO_VALUE(int64_t, kNumCarries, num_carries),
    HLO_VALUE(int64_t, kFeatureIndex, feature_index),
    HLO_VALUE(int64_t, kDelta, delta),
    HLO_VALUE(int64_t, kExponentBits, exponent_bits),
    HLO_VALUE(int64_t, kMantissaBits, mantissa_bits),
    HLO_INNER_VALUE(int64_t, kIndexVectorDim, kGather, gather_dimension_numbers, index_vector_dim),
    HLO_INNER_VALUE(int64_t, kIndexVectorDim, kInvalid, scatter_dimension_numbers, index_vector_dim),
};

constexpr IntsField kLists[] = {
    HLO_FIELD(kDimensions, dimensions),
    HLO_FIELD(kFftLength, fft_length),
    HLO_FIELD(kDynamicSliceSizes, dynamic_slice_sizes),
    HLO_FIELD(kSliceSizes, gather_slice_sizes),
    HLO_RAGGED_DOT_FIELD(kLhsContractingDims, lhs_contracting_dimensions),
    HLO_RAGGED_DOT_FIELD(kRhsContractingDims, rhs_contracting_dimensions),
    HLO_RAGGED_DOT_FIELD(kLhsBatchDims, lhs_batch_dimensions),
    HLO_RAGGED_DOT_FIELD(kRhsBatchDims, rhs_batch_dimensions),
    HLO_INNER_FIELD(kLhsContractingDims, kInvalid, dot_dimension_numbers, lhs_contracting_dimensions),
    HLO_INNER_FIELD(kRhsContractingDims, kInvalid, dot_dimension_numbers, rhs_contracting_dimensions),
    HLO_INNER_FIELD(kLhsBatchDims, kInvalid, dot_dimension_numbers, lhs_batch_dimensions),
    HLO_INNER_FIELD(kRhsBatchDims, kInvalid, dot_dimension_numbers, rhs_batch_dimensions),
    HLO_INNER_FIELD(kLhsRaggedDims, kInvalid, ragged_dot_dimension_numbers, lhs_ragged_dimensions),
    HLO_INNER_FIELD(kRhsGroupDims, kInvalid, ragged_dot_dimension_numbers, rhs_group_dimensions),
    HLO_INNER_FIELD(kOffsetDims, kInvalid, gather_dimension_numbers, offset_dims),
    HLO_INNER_FIELD(kCollapsedSliceDims, kInvalid, gather_dimension_numbers, collapsed_slice_dims),
    HLO_INNER_FIELD(kStartIndexMap, kInvalid, gather_dimension_numbers, start_index_map),
    HLO_INNER_FIELD(kOperandBatchingDims, kInvalid, gather_dimension_numbers, operand_batching_dims),
    HLO_INNER_FIELD(kStartIndicesBatchingDims, kInvalid, gather_dimension_numbers, start_indices_batching_dims),
    HLO_INNER_FIELD(kUpdateWindowDims, kInvalid, scatter_dimension_numbers, update_window_dims),
    HLO_INNER_FIELD(kInsertedWindowDims, kInvalid, scatter_dimension_numbers, inserted_window_dims),
    HLO_INNER_FIELD(kScatterDimsToOperandDims, kInvalid, scatter_dimension_numbers, scatter_dims_to_operand_dims),
    HLO_INNER_FIELD(kInputBatchingDims, kInvalid, scatter_dimension_numbers, input_batching_dims),
    HLO_INNER_FIELD(kScatterIndicesBatchingDims, kInvalid, scatter_dimension_numbers, scatter_indices_batching_dims),
};

constexpr StringField kStrings[] = {
    HLO_FIELD(kAsyncExecutionThread, async_execution_thread),
    HLO_FIELD(kInfeedConfig, infeed_config),
    HLO_FIELD(kOutfeedConfig, outfeed_config),
    HLO_FIELD(kCustomCallTarget, custom_call_target),
};

}  // namespace

const AttributeField<bool>* FindBoolField(Kind kind, Opcode opcode) { return Find(kBools, kind, opcode); }
const AttributeField<int64_t>* FindIntField(Kind kind, Opcode opcode) { return Find(kInts, kind, opcode); }
const IntsField* FindIntsField(Kind kind, Opcode opcode) { return Find(kLists, kind, opcode); }
const StringField* FindStringField(Kind kind, Opcode opcode) { return Find(kStrings, kind, opcode); }

}  // namespace hloscope::interop
