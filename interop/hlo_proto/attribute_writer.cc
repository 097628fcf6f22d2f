// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "core/ir/attribute_visitor.h"
#include "core/ir/default_layout.h"
#include "interop/hlo_proto/attribute_fields.h"
#include "interop/hlo_proto/attribute_structures.h"
#include "interop/hlo_proto/attribute_words.h"
#include "interop/hlo_proto/attributes.h"
#include "interop/hlo_proto/literals.h"
#include "interop/hlo_proto/metadata.h"
#include "interop/hlo_proto/shapes.h"
#include "interop/hlo_proto/shardings.h"

namespace hloscope::interop {
namespace {

using Kind = AttributeKind;

// Writes the value of one attribute; one overload for each type of values.
struct ValueWriter {
  const Module& module;
  InstructionId id;
  Kind kind;
  const IdNumbering& numbers;
  proto::HloInstructionProto* to;

  absl::Status operator()(bool value) const {
    if (const AttributeField<bool>* field = FindBoolField(kind, module.opcode(id))) field->set(to, value);
    return absl::OkStatus();
  }

  absl::Status operator()(int64_t value) const {
    if (kind == Kind::kIotaDimension || kind == Kind::kInferredDimension) {
      if (value >= 0) to->add_dimensions(value);
    } else if (const AttributeField<int64_t>* field = FindIntField(kind, module.opcode(id))) {
      field->set(to, value);
    }
    return absl::OkStatus();
  }

  absl::Status operator()(double value) const {
    to->set_epsilon(static_cast<float>(value));
    return absl::OkStatus();
  }

  absl::Status operator()(absl::string_view value) const {
    if (const StringField* field = FindStringField(kind, module.opcode(id))) {
      field->get_mutable(to)->assign(value.data(), value.size());
    }
    return absl::OkStatus();
  }

  absl::Status operator()(absl::Span<const int64_t> value) const {
    if (const IntsField* field = FindIntsField(kind, module.opcode(id))) {
      field->get_mutable(to)->Add(value.begin(), value.end());
    }
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
    AliasingToProto(value, to->mutable_output_operand_aliasing());
    return absl::OkStatus();
  }
  absl::Status operator()(const ReplicaGroups& value) const {
    ReplicaGroupsToProto(value, to);
    return absl::OkStatus();
  }
  absl::Status operator()(const Window& value) const {
    WindowToProto(value, to->mutable_window());
    return absl::OkStatus();
  }
  absl::Status operator()(const ConvolutionDimensionNumbers& value) const {
    DimLabelsToProto(value, to->mutable_convolution_dimension_numbers());
    return absl::OkStatus();
  }
  absl::Status operator()(const PaddingConfig& value) const {
    PaddingToProto(value, to->mutable_padding_config());
    return absl::OkStatus();
  }
  absl::Status operator()(const std::vector<SliceRange>& value) const {
    SliceRangesToProto(value, to->mutable_slice_dimensions());
    return absl::OkStatus();
  }
  absl::Status operator()(const SparsityConfig& value) const {
    if (value.lhs || value.rhs) SparsityToProto(value, to->mutable_sparsity_config());
    return absl::OkStatus();
  }
  absl::Status operator()(const BlockScalingConfig& value) const {
    if (value.lhs || value.rhs) BlockScalingToProto(value, to->mutable_block_scaling_config());
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
    StatisticsToProto(value, to->mutable_statistics_viz());
    return absl::OkStatus();
  }
  absl::Status operator()(const Origin& value) const {
    OriginToProto(value, to->mutable_original_value());
    return absl::OkStatus();
  }
  absl::Status operator()(const Metadata& value) const {
    if (value == Metadata()) return absl::OkStatus();
    MetadataToProto(module, value, to->mutable_metadata());
    return absl::OkStatus();
  }
  absl::Status operator()(const ResultAccuracy& value) const {
    if (value.is_tolerance || value.highest) AccuracyToProto(value, to->mutable_result_accuracy());
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
