#include <string>
#include <vector>

#include "core/ir/attribute_visitor.h"
#include "core/ir/default_layout.h"
#include "interop/hlo_proto/attribute_words.h"
#include "interop/hlo_proto/attributes.h"
#include "interop/hlo_proto/literals.h"
#include "interop/hlo_proto/shapes.h"
#include "interop/hlo_proto/shardings.h"

namespace hloscope::interop {
namespace {

using Kind = AttributeKind;
using google::protobuf::RepeatedField;

// Writes the value of one attribute; one overload for each type of values.
struct ValueWriter {
  const Module& module;
  InstructionId id;
  Kind kind;
  const IdNumbering& numbers;
  proto::HloInstructionProto* to;

  bool IsOf(Opcode opcode) const { return module.opcode(id) == opcode; }

  absl::Status operator()(bool value) const {
    switch (kind) {
      case Kind::kLargest:
        to->set_largest(value);
        break;
      case Kind::kIsStable:
        to->set_is_stable(value);
        break;
      case Kind::kConstrainLayout:
        to->set_constrain_layout(value);
        break;
      case Kind::kUseGlobalDeviceIds:
        to->set_use_global_device_ids(value);
        break;
      case Kind::kHasDynamicRoot:
        to->set_has_dynamic_root(value);
        break;
      case Kind::kIsHostTransfer:
        to->set_is_host_transfer(value);
        break;
      case Kind::kIsComposite:
        to->set_is_composite(value);
        break;
      case Kind::kLeftSide:
        to->mutable_triangular_solve_options()->set_left_side(value);
        break;
      case Kind::kLower:
        IsOf(Opcode::kCholesky) ? to->mutable_cholesky_options()->set_lower(value)
                                : to->mutable_triangular_solve_options()->set_lower(value);
        break;
      case Kind::kUnitDiagonal:
        to->mutable_triangular_solve_options()->set_unit_diagonal(value);
        break;
      case Kind::kIsReverse:
        to->set_is_reverse(value);
        break;
      case Kind::kIsAssociative:
        to->set_is_associative(value ? proto::TRI_STATE_TRUE : proto::TRI_STATE_FALSE);
        break;
      case Kind::kCustomCallHasSideEffect:
        to->set_custom_call_has_side_effect(value);
        break;
      case Kind::kIndicesAreSorted:
        to->set_indices_are_sorted(value);
        break;
      case Kind::kUniqueIndices:
        to->set_unique_indices(value);
        break;
      default:
        break;
    }
    return absl::OkStatus();
  }

  absl::Status operator()(int64_t value) const {
    switch (kind) {
      case Kind::kIotaDimension:
      case Kind::kInferredDimension:
        if (value >= 0) to->add_dimensions(value);
        break;
      case Kind::kK:
        to->set_k(value);
        break;
      case Kind::kChannelId:
        to->set_channel_id(value);
        break;
      case Kind::kCrossProgramPrefetchIndex:
        to->set_cross_program_prefetch_index(static_cast<int32_t>(value));
        break;
      case Kind::kIndex:
        to->set_tuple_index(value);
        break;
      case Kind::kFeatureGroupCount:
        to->set_feature_group_count(value);
        break;
      case Kind::kBatchGroupCount:
        to->set_batch_group_count(value);
        break;
      case Kind::kNumCarries:
        to->set_num_carries(value);
        break;
      case Kind::kFeatureIndex:
        to->set_feature_index(value);
        break;
      case Kind::kDelta:
        to->set_delta(value);
        break;
      case Kind::kExponentBits:
        to->set_exponent_bits(static_cast<int32_t>(value));
        break;
      case Kind::kMantissaBits:
        to->set_mantissa_bits(static_cast<int32_t>(value));
        break;
      case Kind::kIndexVectorDim:
        IsOf(Opcode::kGather) ? to->mutable_gather_dimension_numbers()->set_index_vector_dim(value)
                              : to->mutable_scatter_dimension_numbers()->set_index_vector_dim(value);
        break;
      default:
        break;
    }
    return absl::OkStatus();
  }

  absl::Status operator()(double value) const {
    to->set_epsilon(static_cast<float>(value));
    return absl::OkStatus();
  }

  absl::Status operator()(absl::string_view value) const {
    std::string* text = kind == Kind::kAsyncExecutionThread ? to->mutable_async_execution_thread()
                        : kind == Kind::kInfeedConfig       ? to->mutable_infeed_config()
                        : kind == Kind::kOutfeedConfig      ? to->mutable_outfeed_config()
                                                            : to->mutable_custom_call_target();
    text->assign(value.data(), value.size());
    return absl::OkStatus();
  }

  RepeatedField<int64_t>* ListOf() const {
    proto::DotDimensionNumbers* dot = nullptr;
    if (kind == Kind::kLhsContractingDims || kind == Kind::kRhsContractingDims || kind == Kind::kLhsBatchDims ||
        kind == Kind::kRhsBatchDims) {
      dot = IsOf(Opcode::kRaggedDot) ? to->mutable_ragged_dot_dimension_numbers()->mutable_dot_dimension_numbers()
                                     : to->mutable_dot_dimension_numbers();
    }
    switch (kind) {
      case Kind::kDimensions:
        return to->mutable_dimensions();
      case Kind::kFftLength:
        return to->mutable_fft_length();
      case Kind::kDynamicSliceSizes:
        return to->mutable_dynamic_slice_sizes();
      case Kind::kLhsContractingDims:
        return dot->mutable_lhs_contracting_dimensions();
      case Kind::kRhsContractingDims:
        return dot->mutable_rhs_contracting_dimensions();
      case Kind::kLhsBatchDims:
        return dot->mutable_lhs_batch_dimensions();
      case Kind::kRhsBatchDims:
        return dot->mutable_rhs_batch_dimensions();
      case Kind::kLhsRaggedDims:
        return to->mutable_ragged_dot_dimension_numbers()->mutable_lhs_ragged_dimensions();
      case Kind::kRhsGroupDims:
        return to->mutable_ragged_dot_dimension_numbers()->mutable_rhs_group_dimensions();
      case Kind::kOffsetDims:
        return to->mutable_gather_dimension_numbers()->mutable_offset_dims();
      case Kind::kCollapsedSliceDims:
        return to->mutable_gather_dimension_numbers()->mutable_collapsed_slice_dims();
      case Kind::kStartIndexMap:
        return to->mutable_gather_dimension_numbers()->mutable_start_index_map();
      case Kind::kSliceSizes:
        return to->mutable_gather_slice_sizes();
      case Kind::kOperandBatchingDims:
        return to->mutable_gather_dimension_numbers()->mutable_operand_batching_dims();
      case Kind::kStartIndicesBatchingDims:
        return to->mutable_gather_dimension_numbers()->mutable_start_indices_batching_dims();
      case Kind::kUpdateWindowDims:
        return to->mutable_scatter_dimension_numbers()->mutable_update_window_dims();
      case Kind::kInsertedWindowDims:
        return to->mutable_scatter_dimension_numbers()->mutable_inserted_window_dims();
      case Kind::kScatterDimsToOperandDims:
        return to->mutable_scatter_dimension_numbers()->mutable_scatter_dims_to_operand_dims();
      case Kind::kInputBatchingDims:
        return to->mutable_scatter_dimension_numbers()->mutable_input_batching_dims();
      case Kind::kScatterIndicesBatchingDims:
        return to->mutable_scatter_dimension_numbers()->mutable_scatter_indices_batching_dims();
      default:
        return nullptr;
    }
  }

  absl::Status operator()(absl::Span<const int64_t> value) const {
    if (RepeatedField<int64_t>* list = ListOf()) list->Add(value.begin(), value.end());
    return absl::OkStatus();
  }
  absl::Status operator()(const FlagList& value) const {
    for (int64_t flag : value.flags) to->mutable_parameter_replication()->add_replicated_at_leaf_buffers(flag != 0);
    return absl::OkStatus();
  }
  absl::Status operator()(const Word& value) const {
    WordToProto(kind, static_cast<int>(value.word), to);
    return absl::OkStatus();
  }
  absl::Status operator()(const WordList& value) const {
    auto* precisions = to->mutable_precision_config()->mutable_operand_precision();
    precisions->Clear();
    for (int64_t word : value.words) precisions->Add(static_cast<int>(word));
    return absl::OkStatus();
  }
  absl::Status operator()(const std::vector<std::vector<int64_t>>& lists) const {
    for (const std::vector<int64_t>& list : lists) {
      if (kind == Kind::kSliceSizesList) {
        to->mutable_dynamic_slice_sizes()->Add(list.begin(), list.end());
      } else if (list.size() == 2) {
        proto::SourceTarget* pair = to->add_source_target_pairs();
        pair->set_source(list[0]);
        pair->set_target(list[1]);
      }
    }
    return absl::OkStatus();
  }
  // Their order is that of the opcode, not of the attributes: see WriteCalled.
  absl::Status operator()(absl::Span<const ComputationId>) const { return absl::OkStatus(); }
  absl::Status operator()(absl::Span<const InstructionId> value) const {
    for (InstructionId predecessor : value) {
      if (predecessor.has_value()) to->add_control_predecessor_ids(numbers.instruction(predecessor));
    }
    return absl::OkStatus();
  }
  absl::Status operator()(const Shape& value) const {
    ShapeToProto(WithDefaultLayouts(value), to->mutable_outfeed_shape());
    return absl::OkStatus();
  }
  absl::Status operator()(const std::vector<Shape>& value) const {
    to->set_constrain_layout(true);
    for (const Shape& shape : value) ShapeToProto(WithDefaultLayouts(shape), to->add_operand_shapes_with_layout());
    return absl::OkStatus();
  }
  absl::Status operator()(const Literal& value) const { return LiteralToProto(value, to->mutable_literal()); }
  absl::Status operator()(const std::vector<AliasEntry>& value) const {
    for (const AliasEntry& entry : value) {
      proto::OutputOperandAliasing* aliasing = to->add_output_operand_aliasing();
      aliasing->mutable_output_shape_index()->Add(entry.output_index.begin(), entry.output_index.end());
      aliasing->set_operand_index(entry.operand);
      aliasing->mutable_operand_shape_index()->Add(entry.operand_index.begin(), entry.operand_index.end());
    }
    return absl::OkStatus();
  }
  absl::Status operator()(const ReplicaGroups& value) const {
    ReplicaGroupsToProto(value, to);
    return absl::OkStatus();
  }
  absl::Status operator()(const Window& value) const {
    to->mutable_window();
    for (const WindowDimension& d : value.dimensions) {
      proto::WindowDimension* dimension = to->mutable_window()->add_dimensions();
      dimension->set_size(d.size);
      dimension->set_stride(d.stride);
      dimension->set_padding_low(d.padding_low);
      dimension->set_padding_high(d.padding_high);
      dimension->set_base_dilation(d.base_dilation);
      dimension->set_window_dilation(d.window_dilation);
      dimension->set_window_reversal(d.reversal);
    }
    return absl::OkStatus();
  }
  absl::Status operator()(const ConvolutionDimensionNumbers& d) const {
    proto::ConvolutionDimensionNumbers* numbers_of = to->mutable_convolution_dimension_numbers();
    numbers_of->set_input_batch_dimension(d.input_batch);
    numbers_of->set_input_feature_dimension(d.input_feature);
    numbers_of->mutable_input_spatial_dimensions()->Add(d.input_spatial.begin(), d.input_spatial.end());
    numbers_of->set_kernel_input_feature_dimension(d.kernel_input_feature);
    numbers_of->set_kernel_output_feature_dimension(d.kernel_output_feature);
    numbers_of->mutable_kernel_spatial_dimensions()->Add(d.kernel_spatial.begin(), d.kernel_spatial.end());
    numbers_of->set_output_batch_dimension(d.output_batch);
    numbers_of->set_output_feature_dimension(d.output_feature);
    numbers_of->mutable_output_spatial_dimensions()->Add(d.output_spatial.begin(), d.output_spatial.end());
    return absl::OkStatus();
  }
  absl::Status operator()(const PaddingConfig& value) const {
    to->mutable_padding_config();
    for (const PaddingDimension& d : value) {
      proto::PaddingConfig::PaddingConfigDimension* dimension = to->mutable_padding_config()->add_dimensions();
      dimension->set_edge_padding_low(d.low);
      dimension->set_edge_padding_high(d.high);
      dimension->set_interior_padding(d.interior);
    }
    return absl::OkStatus();
  }
  absl::Status operator()(const std::vector<SliceRange>& value) const {
    for (const SliceRange& range : value) {
      proto::HloInstructionProto::SliceDimensions* dimension = to->add_slice_dimensions();
      dimension->set_start(range.start);
      dimension->set_limit(range.limit);
      dimension->set_stride(range.stride);
    }
    return absl::OkStatus();
  }
  absl::Status operator()(const SparsityConfig& value) const {
    const auto write = [](const SparsitySide& side, proto::SparsityConfig::TensorSparsityConfig* config) {
      config->set_num_non_zero(side.nonzeros);
      config->set_block_size(side.block);
      config->set_dimension(side.dimension);
      config->set_stride(side.stride);
      config->set_idx(static_cast<int32_t>(side.idx));
    };
    if (value.lhs) write(*value.lhs, to->mutable_sparsity_config()->mutable_lhs());
    if (value.rhs) write(*value.rhs, to->mutable_sparsity_config()->mutable_rhs());
    return absl::OkStatus();
  }
  absl::Status operator()(const RawValue& value) const {
    to->set_backend_config(value.text);
    return absl::OkStatus();
  }
  absl::Status operator()(const Sharding& value) const {
    ShardingToProto(module, value, to->mutable_sharding());
    return absl::OkStatus();
  }
  absl::Status operator()(const FrontendAttributes& value) const {
    FrontendAttributesToProto(value, to->mutable_frontend_attributes());
    return absl::OkStatus();
  }
  absl::Status operator()(const Statistics& value) const {
    to->mutable_statistics_viz()->set_stat_index_to_visualize(value.visualizing_index);
    for (const auto& [name, number] : value.values) {
      proto::Statistic* statistic = to->mutable_statistics_viz()->add_statistics();
      statistic->set_stat_name(name);
      statistic->set_stat_val(number);
    }
    return absl::OkStatus();
  }
  absl::Status operator()(const Origin& value) const {
    proto::OriginalValueProto* origin = to->mutable_original_value();
    origin->set_is_synthetic_call(value.synthetic_call);
    ShapeIndex index;
    std::vector<uint32_t> left;  // children still to come of each open tuple
    for (const Origin::Node& node : value.nodes) {
      if (node.is_tuple) {
        left.push_back(node.child_count);
        index.push_back(0);
      } else {
        proto::OriginalValueElementProto* element = origin->add_elements();
        element->mutable_shape_index()->Add(index.begin(), index.end());
        if (!node.array.instruction.empty()) OriginArrayToProto(node.array, element->mutable_original_array());
        if (!left.empty()) --left.back(), ++index.back();
      }
      while (!left.empty() && left.back() == 0) {
        left.pop_back();
        index.pop_back();
        if (!left.empty()) --left.back(), ++index.back();
      }
    }
    return absl::OkStatus();
  }
  absl::Status operator()(const Metadata& value) const {
    if (value == Metadata()) return absl::OkStatus();
    MetadataToProto(module, value, to->mutable_metadata());
    return absl::OkStatus();
  }
  absl::Status operator()(const ResultAccuracy& value) const {
    if (!value.is_tolerance && !value.highest) return absl::OkStatus();
    proto::ResultAccuracy* accuracy = to->mutable_result_accuracy();
    if (!value.is_tolerance) {
      accuracy->set_mode(proto::ResultAccuracy::HIGHEST);
      return absl::OkStatus();
    }
    accuracy->mutable_tolerance()->set_atol(value.atol);
    accuracy->mutable_tolerance()->set_rtol(value.rtol);
    accuracy->mutable_tolerance()->set_ulps(value.ulps);
    return absl::OkStatus();
  }
  absl::Status operator()(const DomainValue& value) const {
    ShardingToProto(module, value.entry, to->mutable_domain_entry_sharding());
    ShardingToProto(module, value.exit, to->mutable_domain_exit_sharding());
    return absl::OkStatus();
  }
};

// Called computations have an order of their own: a loop has its body first.
void WriteCalled(const Module& module, InstructionId id, const IdNumbering& numbers, proto::HloInstructionProto* to) {
  const Opcode opcode = module.opcode(id);
  if (opcode == Opcode::kAsyncUpdate || opcode == Opcode::kAsyncDone) return;
  static constexpr Kind kOrder[] = {Kind::kBody,
                                    Kind::kCondition,
                                    Kind::kSelect,
                                    Kind::kScatter,
                                    Kind::kTrueComputation,
                                    Kind::kFalseComputation,
                                    Kind::kCalls,
                                    Kind::kToApply,
                                    Kind::kBranchComputations,
                                    Kind::kCalledComputations};
  for (Kind kind : kOrder) {
    if (!module.HasAttribute(id, kind)) continue;
    for (ComputationId callee : module.ComputationsAttribute(id, kind)) {
      if (callee.has_value()) to->add_called_computation_ids(numbers.computation(callee));
    }
  }
}

ComparisonType ComparisonTypeOf(const Module& module, InstructionId id) {
  const bool has_operand = !module.operands(id).empty() && module.operand(id, 0).has_value();
  const ElementType type = has_operand ? module.shape(module.operand(id, 0)).element_type() : ElementType::kF32;
  if (IsSigned(type)) return ComparisonType::kSigned;
  return IsUnsigned(type) || type == ElementType::kPred ? ComparisonType::kUnsigned : ComparisonType::kFloat;
}

// What a text may leave out and the reference always writes.
void WriteDefaults(const Module& module, InstructionId id, proto::HloInstructionProto* to) {
  const Opcode opcode = module.opcode(id);
  if (opcode == Opcode::kConvolution || opcode == Opcode::kCustomCall) {
    to->set_feature_group_count(1);
    to->set_batch_group_count(1);
  }
  if (opcode == Opcode::kCustomCall) to->set_custom_call_api_version(proto::API_VERSION_ORIGINAL);
  if (AcceptsAttribute(opcode, Kind::kReplicaGroups) && !module.HasAttribute(id, Kind::kReplicaGroups)) {
    to->mutable_collective_device_list();
  }
  if (opcode == Opcode::kTopk) {
    to->set_largest(true);
    to->set_is_stable(true);
  }
  if (opcode == Opcode::kCholesky) to->mutable_cholesky_options();
  if (opcode == Opcode::kTriangularSolve) to->mutable_triangular_solve_options();
  if (opcode == Opcode::kAsyncStart) to->set_async_execution_thread("main");
  // The text always says it.
  if (opcode == Opcode::kScan) to->set_is_associative(proto::TRI_STATE_FALSE);
  if (opcode == Opcode::kConvolution) {
    to->mutable_window();
    to->mutable_convolution_dimension_numbers();
  }
  if (opcode == Opcode::kDot || opcode == Opcode::kScaledDot) to->mutable_dot_dimension_numbers();
  if (opcode == Opcode::kRaggedDot) {
    to->mutable_ragged_dot_dimension_numbers()->mutable_dot_dimension_numbers();
  }
  if (AcceptsAttribute(opcode, Kind::kOperandPrecision) && opcode != Opcode::kCustomCall) {
    for (int k = 0; k < 2; ++k) to->mutable_precision_config()->add_operand_precision(proto::PrecisionConfig::DEFAULT);
  }
  if (opcode == Opcode::kCompare) {
    WordToProto(Kind::kComparisonType, static_cast<int>(ComparisonTypeOf(module, id)), to);
  }
  if (opcode == Opcode::kMap && !module.HasAttribute(id, Kind::kDimensions)) {
    for (int64_t d = 0; d < module.shape(id).rank(); ++d) to->add_dimensions(d);
  }
  if (opcode == Opcode::kOutfeed && !module.operands(id).empty() && module.operand(id, 0).has_value()) {
    ShapeToProto(WithDefaultLayouts(module.shape(module.operand(id, 0))), to->mutable_outfeed_shape());
  }
}

}  // namespace

void FrontendAttributesToProto(const FrontendAttributes& from, proto::FrontendAttributes* to) {
  for (const auto& [key, value] : from) {
    proto::FrontendAttributes::MapEntry* entry = to->add_map();
    entry->set_key(key);
    entry->set_value(value.text);
  }
}

void OriginArrayToProto(const OriginArray& from, proto::OriginalArrayProto* to) {
  to->set_instruction_name(from.instruction);
  to->mutable_shape_index()->Add(from.index.begin(), from.index.end());
}

absl::Status WriteAttributes(const Module& module, InstructionId id, const IdNumbering& numbers,
                             proto::HloInstructionProto* to) {
  WriteDefaults(module, id, to);
  for (const Attribute& attribute : module.attributes(id)) {
    if (attribute.kind == Kind::kOutfeedShape) to->clear_outfeed_shape();
    const absl::Status status = VisitAttribute(attribute.kind, ValueWriter{module, id, attribute.kind, numbers, to},
                                               AttributeOwner{module, id});
    if (!status.ok()) return status;
  }
  WriteCalled(module, id, numbers, to);
  return absl::OkStatus();
}

}  // namespace hloscope::interop
