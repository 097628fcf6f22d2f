// SPDX-License-Identifier: Apache-2.0
#include "interop/hlo_proto/attribute_structures.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "core/print/attribute_printer.h"
#include "interop/hlo_proto/int_list.h"

namespace hloscope::interop {

// --- Aliasing ---

std::vector<AliasEntry> AliasingFromProto(const RepeatedPtrField<proto::OutputOperandAliasing>& from) {
  std::vector<AliasEntry> entries;
  for (const proto::OutputOperandAliasing& entry : from) {
    entries.push_back(
        {Ints(entry.output_shape_index()), entry.operand_index(), Ints(entry.operand_shape_index()), false});
  }
  return entries;
}

void AliasingToProto(const std::vector<AliasEntry>& from, RepeatedPtrField<proto::OutputOperandAliasing>* to) {
  for (const AliasEntry& entry : from) {
    proto::OutputOperandAliasing* const aliasing = to->Add();
    aliasing->mutable_output_shape_index()->Add(entry.output_index.begin(), entry.output_index.end());
    aliasing->set_operand_index(entry.operand);
    aliasing->mutable_operand_shape_index()->Add(entry.operand_index.begin(), entry.operand_index.end());
  }
}

// --- Windows, labels of convolutions, padding, slices ---

Window WindowFromProto(const proto::Window& from) {
  Window window;
  for (const proto::WindowDimension& d : from.dimensions()) {
    window.dimensions.push_back({.size = d.size(),
                                 .stride = d.stride(),
                                 .padding_low = d.padding_low(),
                                 .padding_high = d.padding_high(),
                                 .base_dilation = d.base_dilation(),
                                 .window_dilation = d.window_dilation(),
                                 .reversal = d.window_reversal()});
  }
  return window;
}

void WindowToProto(const Window& from, proto::Window* to) {
  for (const WindowDimension& d : from.dimensions) {
    proto::WindowDimension* const dimension = to->add_dimensions();
    dimension->set_size(d.size);
    dimension->set_stride(d.stride);
    dimension->set_padding_low(d.padding_low);
    dimension->set_padding_high(d.padding_high);
    dimension->set_base_dilation(d.base_dilation);
    dimension->set_window_dilation(d.window_dilation);
    dimension->set_window_reversal(d.reversal);
  }
}

ConvolutionDimensionNumbers DimLabelsFromProto(const proto::ConvolutionDimensionNumbers& from) {
  ConvolutionDimensionNumbers to;
  to.input_batch = from.input_batch_dimension();
  to.input_feature = from.input_feature_dimension();
  to.input_spatial = Ints(from.input_spatial_dimensions());
  to.kernel_input_feature = from.kernel_input_feature_dimension();
  to.kernel_output_feature = from.kernel_output_feature_dimension();
  to.kernel_spatial = Ints(from.kernel_spatial_dimensions());
  to.output_batch = from.output_batch_dimension();
  to.output_feature = from.output_feature_dimension();
  to.output_spatial = Ints(from.output_spatial_dimensions());
  // As a text has them, so that modules of both are equal.
  std::string text;
  AppendDimLabels(to, &text);
  const size_t kernel = text.find('_') + 1, output = text.find("->", kernel) + 2;
  to.labels = {text.substr(0, kernel - 1), text.substr(kernel, output - 2 - kernel), text.substr(output)};
  return to;
}

void DimLabelsToProto(const ConvolutionDimensionNumbers& from, proto::ConvolutionDimensionNumbers* to) {
  to->set_input_batch_dimension(from.input_batch);
  to->set_input_feature_dimension(from.input_feature);
  to->mutable_input_spatial_dimensions()->Add(from.input_spatial.begin(), from.input_spatial.end());
  to->set_kernel_input_feature_dimension(from.kernel_input_feature);
  to->set_kernel_output_feature_dimension(from.kernel_output_feature);
  to->mutable_kernel_spatial_dimensions()->Add(from.kernel_spatial.begin(), from.kernel_spatial.end());
  to->set_output_batch_dimension(from.output_batch);
  to->set_output_feature_dimension(from.output_feature);
  to->mutable_output_spatial_dimensions()->Add(from.output_spatial.begin(), from.output_spatial.end());
}

PaddingConfig PaddingFromProto(const proto::PaddingConfig& from) {
  PaddingConfig padding;
  for (const proto::PaddingConfig::PaddingConfigDimension& d : from.dimensions()) {
    padding.push_back({d.edge_padding_low(), d.edge_padding_high(), d.interior_padding()});
  }
  return padding;
}

void PaddingToProto(const PaddingConfig& from, proto::PaddingConfig* to) {
  for (const PaddingDimension& d : from) {
    proto::PaddingConfig::PaddingConfigDimension* const dimension = to->add_dimensions();
    dimension->set_edge_padding_low(d.low);
    dimension->set_edge_padding_high(d.high);
    dimension->set_interior_padding(d.interior);
  }
}

std::vector<SliceRange> SliceRangesFromProto(
    const RepeatedPtrField<proto::HloInstructionProto::SliceDimensions>& from) {
  std::vector<SliceRange> ranges;
  for (const proto::HloInstructionProto::SliceDimensions& d : from) {
    ranges.push_back({d.start(), d.limit(), d.stride()});
  }
  return ranges;
}

void SliceRangesToProto(const std::vector<SliceRange>& from,
                        RepeatedPtrField<proto::HloInstructionProto::SliceDimensions>* to) {
  for (const SliceRange& range : from) {
    proto::HloInstructionProto::SliceDimensions* const dimension = to->Add();
    dimension->set_start(range.start);
    dimension->set_limit(range.limit);
    dimension->set_stride(range.stride);
  }
}

// --- Sparsity, statistics, accuracy ---

SparsityConfig SparsityFromProto(const proto::SparsityConfig& from) {
  const auto side = [](const proto::SparsityConfig::TensorSparsityConfig& s) {
    return SparsitySide{s.num_non_zero(), s.block_size(), s.dimension(), s.stride(), s.idx()};
  };
  SparsityConfig config;
  if (from.has_lhs()) config.lhs = side(from.lhs());
  if (from.has_rhs()) config.rhs = side(from.rhs());
  return config;
}

void SparsityToProto(const SparsityConfig& from, proto::SparsityConfig* to) {
  const auto write = [](const SparsitySide& side, proto::SparsityConfig::TensorSparsityConfig* config) {
    config->set_num_non_zero(side.nonzeros);
    config->set_block_size(side.block);
    config->set_dimension(side.dimension);
    config->set_stride(side.stride);
    config->set_idx(static_cast<int32_t>(side.idx));
  };
  if (from.lhs) write(*from.lhs, to->mutable_lhs());
  if (from.rhs) write(*from.rhs, to->mutable_rhs());
}

BlockScalingConfig BlockScalingFromProto(const proto::BlockScalingConfig& from) {
  const auto side = [](const proto::BlockScalingConfig::TensorBlockScalingConfig& s) {
    BlockScalingSide scaling{
        s.scale_idx(), std::nullopt, {s.strides().begin(), s.strides().end()}, {s.steps().begin(), s.steps().end()}};
    if (s.has_zero_idx()) scaling.zero_idx = s.zero_idx();
    return scaling;
  };
  BlockScalingConfig config;
  if (from.has_lhs()) config.lhs = side(from.lhs());
  if (from.has_rhs()) config.rhs = side(from.rhs());
  return config;
}

void BlockScalingToProto(const BlockScalingConfig& from, proto::BlockScalingConfig* to) {
  const auto write = [](const BlockScalingSide& side, proto::BlockScalingConfig::TensorBlockScalingConfig* config) {
    config->set_scale_idx(static_cast<int32_t>(side.scale_idx));
    if (side.zero_idx) config->set_zero_idx(static_cast<int32_t>(*side.zero_idx));
    config->mutable_strides()->Assign(side.strides.begin(), side.strides.end());
    config->mutable_steps()->Assign(side.steps.begin(), side.steps.end());
  };
  if (from.lhs) write(*from.lhs, to->mutable_lhs());
  if (from.rhs) write(*from.rhs, to->mutable_rhs());
}

Statistics StatisticsFromProto(const proto::StatisticsViz& from) {
  Statistics statistics;
  statistics.visualizing_index = from.stat_index_to_visualize();
  for (const proto::Statistic& value : from.statistics()) {
    statistics.values.emplace_back(value.stat_name(), value.stat_val());
  }
  return statistics;
}

void StatisticsToProto(const Statistics& from, proto::StatisticsViz* to) {
  to->set_stat_index_to_visualize(from.visualizing_index);
  for (const auto& [name, number] : from.values) {
    proto::Statistic* const statistic = to->add_statistics();
    statistic->set_stat_name(name);
    statistic->set_stat_val(number);
  }
}

absl::StatusOr<std::optional<ResultAccuracy>> AccuracyFromProto(const proto::ResultAccuracy& from) {
  if (from.specs_case() == proto::ResultAccuracy::kTolerance) {
    const proto::ResultAccuracy::Tolerance& tolerance = from.tolerance();
    if (tolerance.atol() < 0 || tolerance.rtol() < 0 || tolerance.ulps() < 0) {
      return absl::InvalidArgumentError("a tolerance is negative");
    }
    return ResultAccuracy{true, false, tolerance.atol(), tolerance.rtol(), tolerance.ulps()};
  }
  if (from.mode() != proto::ResultAccuracy::HIGHEST) return std::nullopt;
  return ResultAccuracy{.highest = true};
}

void AccuracyToProto(const ResultAccuracy& from, proto::ResultAccuracy* to) {
  if (!from.is_tolerance) {
    to->set_mode(proto::ResultAccuracy::HIGHEST);
    return;
  }
  to->mutable_tolerance()->set_atol(from.atol);
  to->mutable_tolerance()->set_rtol(from.rtol);
  to->mutable_tolerance()->set_ulps(from.ulps);
}

// --- Original values ---

namespace {

using ElementsByIndex = absl::flat_hash_map<ShapeIndex, const proto::OriginalValueElementProto*>;

bool AddOrigin(const ElementsByIndex& elements, const Shape& shape, ShapeIndex& index, Origin& to) {
  const size_t node = to.nodes.size();
  to.nodes.emplace_back();
  if (shape.IsTuple()) {
    to.nodes[node].is_tuple = true;
    to.nodes[node].child_count = static_cast<uint32_t>(shape.tuple_size());
    for (int64_t i = 0; i < shape.tuple_size(); ++i) {
      index.push_back(i);
      if (!AddOrigin(elements, shape.element(i), index, to)) return false;
      index.pop_back();
    }
    return true;
  }
  const auto element = elements.find(index);
  if (element != elements.end() && element->second->has_original_array()) {
    to.nodes[node].array = OriginArrayFromProto(element->second->original_array());
  }
  return std::all_of(to.nodes[node].array.index.begin(), to.nodes[node].array.index.end(),
                     [](int64_t i) { return i >= 0; });
}

}  // namespace

std::optional<Origin> OriginFromProto(const proto::OriginalValueProto& from, const Shape& shape) {
  Origin origin;
  origin.synthetic_call = from.is_synthetic_call();
  if (origin.synthetic_call) return origin;
  // Of several for one leaf the first one counts.
  ElementsByIndex elements;
  for (const proto::OriginalValueElementProto& element : from.elements()) {
    elements.try_emplace(Ints(element.shape_index()), &element);
  }
  ShapeIndex index;
  if (elements.empty() || !AddOrigin(elements, shape, index, origin)) return std::nullopt;
  return origin;
}

void OriginToProto(const Origin& from, proto::OriginalValueProto* to) {
  to->set_is_synthetic_call(from.synthetic_call);
  ShapeIndex index;
  std::vector<uint32_t> left;  // children still to come of each open tuple
  for (const Origin::Node& node : from.nodes) {
    if (node.is_tuple) {
      left.push_back(node.child_count);
      index.push_back(0);
    } else {
      proto::OriginalValueElementProto* const element = to->add_elements();
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
}

OriginArray OriginArrayFromProto(const proto::OriginalArrayProto& from) {
  return {from.instruction_name(), Ints(from.shape_index())};
}

void OriginArrayToProto(const OriginArray& from, proto::OriginalArrayProto* to) {
  to->set_instruction_name(from.instruction);
  to->mutable_shape_index()->Add(from.index.begin(), from.index.end());
}

// --- Frontend attributes ---

FrontendAttributes FrontendAttributesFromProto(const proto::FrontendAttributes& from) {
  FrontendAttributes attributes;
  for (const auto& entry : from.map()) attributes.emplace_back(entry.key(), RawValue{entry.value()});
  // Of equal keys the last one counts.
  std::stable_sort(attributes.begin(), attributes.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto same_key = [](const auto& a, const auto& b) { return a.first == b.first; };
  attributes.erase(attributes.begin(), std::unique(attributes.rbegin(), attributes.rend(), same_key).base());
  return attributes;
}

void FrontendAttributesToProto(const FrontendAttributes& from, proto::FrontendAttributes* to) {
  for (const auto& [key, value] : from) {
    proto::FrontendAttributes::MapEntry* entry = to->add_map();
    entry->set_key(key);
    entry->set_value(value.text);
  }
}

}  // namespace hloscope::interop
