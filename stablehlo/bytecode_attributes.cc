// SPDX-License-Identifier: Apache-2.0
#include "stablehlo/bytecode_attributes.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace hloscope::stablehlo {
namespace {

// Operations with own attributes, and their names. Where versions of an operation differ, the newest comes first.
struct OperationAttributes {
  absl::string_view operation, names;
};
constexpr OperationAttributes kOperationAttributes[] = {
    {"all_gather", "all_gather_dim channel_id replica_groups use_global_device_ids"},
    {"all_reduce", "channel_id replica_groups use_global_device_ids"},
    {"all_to_all", "channel_id concat_dimension replica_groups split_count split_dimension"},
    {"batch_norm_grad", "epsilon feature_index"},
    {"batch_norm_inference", "epsilon feature_index"},
    {"batch_norm_training", "epsilon feature_index"},
    {"broadcast", "broadcast_sizes"},
    {"broadcast_in_dim", "broadcast_dimensions"},
    {"call", "callee"},
    {"cbrt", "result_accuracy"},
    {"cholesky", "lower"},
    {"collective_broadcast", "channel_id has_dynamic_root replica_groups"},
    {"collective_broadcast", "channel_id replica_groups"},
    {"collective_permute", "channel_id source_target_pairs"},
    {"collective_reduce", "channel_id has_dynamic_root replica_groups use_global_device_ids"},
    {"compare", "compare_type comparison_direction"},
    {"composite", "composite_attributes decomposition name version"},
    {"concatenate", "dimension"},
    {"constant", "value"},
    {"convolution",
     "batch_group_count feature_group_count input_batch_dimension input_feature_dimension input_spatial_dimensions "
     "kernel_input_feature_dimension kernel_output_feature_dimension kernel_spatial_dimensions lhs_dilation "
     "output_batch_dimension output_feature_dimension output_spatial_dimensions padding precision_config rhs_dilation "
     "window_reversal window_strides"},
    {"cosine", "result_accuracy"},
    {"cross-replica-sum", "replica_groups"},
    {"custom_call",
     "api_version backend_config call_target_name called_computations has_side_effect operand_layouts "
     "output_operand_aliases result_layouts result_tilings"},
    {"custom_call",
     "api_version backend_config call_target_name called_computations has_side_effect operand_layouts "
     "output_operand_aliases result_layouts"},
    {"dot", "precision_config"},
    {"dot_general",
     "accumulation_type allow_imprecise_accumulation lhs_batching_dimensions lhs_component_count "
     "lhs_contracting_dimensions lhs_precision_type num_primitive_operations precision_config rhs_batching_dimensions "
     "rhs_component_count rhs_contracting_dimensions rhs_precision_type"},
    {"dot_general",
     "lhs_batching_dimensions lhs_contracting_dimensions precision_config rhs_batching_dimensions "
     "rhs_contracting_dimensions"},
    {"dynamic_broadcast_in_dim", "broadcast_dimensions known_expanding_dimensions known_nonexpanding_dimensions"},
    {"dynamic_conv",
     "batch_group_count feature_group_count input_batch_dimension input_feature_dimension input_spatial_dimensions "
     "kernel_input_feature_dimension kernel_output_feature_dimension kernel_spatial_dimensions lhs_dilation "
     "output_batch_dimension output_feature_dimension output_spatial_dimensions precision_config rhs_dilation "
     "window_reversal window_strides"},
    {"dynamic_gather",
     "collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims operand_batching_dims start_index_map "
     "start_indices_batching_dims"},
    {"dynamic_gather", "collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims start_index_map"},
    {"dynamic_iota", "iota_dimension"},
    {"dynamic_slice", "slice_sizes"},
    {"einsum", "einsum_config"},
    {"exponential", "result_accuracy"},
    {"exponential_minus_one", "result_accuracy"},
    {"fft", "fft_length fft_type"},
    {"func", "arg_attrs function_type res_attrs sym_name sym_visibility"},
    {"gather",
     "collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims operand_batching_dims slice_sizes "
     "start_index_map start_indices_batching_dims"},
    {"gather", "collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims slice_sizes start_index_map"},
    {"get_dimension_size", "dimension"},
    {"get_tuple_element", "index"},
    {"infeed", "infeed_config layout"},
    {"iota", "iota_dimension"},
    {"log", "result_accuracy"},
    {"log_plus_one", "result_accuracy"},
    {"logistic", "result_accuracy"},
    {"map", "dimensions"},
    {"outfeed", "outfeed_config"},
    {"pad", "edge_padding_high edge_padding_low interior_padding"},
    {"recv", "channel_id channel_type is_host_transfer source_target_pairs"},
    {"recv", "channel_id channel_type is_host_transfer"},
    {"reduce", "dimensions"},
    {"reduce_precision", "exponent_bits mantissa_bits"},
    {"reduce_scatter", "channel_id replica_groups scatter_dimension use_global_device_ids"},
    {"reduce_window", "base_dilations padding window_dilations window_dimensions window_strides"},
    {"reverse", "dimensions"},
    {"rng", "rng_distribution"},
    {"rng_bit_generator", "rng_algorithm"},
    {"rsqrt", "result_accuracy"},
    {"scatter",
     "index_vector_dim indices_are_sorted input_batching_dims inserted_window_dims scatter_dims_to_operand_dims "
     "scatter_indices_batching_dims unique_indices update_window_dims"},
    {"scatter",
     "index_vector_dim indices_are_sorted inserted_window_dims scatter_dims_to_operand_dims unique_indices "
     "update_window_dims"},
    {"select_and_scatter", "padding window_dimensions window_strides"},
    {"send", "channel_id channel_type is_host_transfer source_target_pairs"},
    {"send", "channel_id channel_type is_host_transfer"},
    {"set_dimension_size", "dimension"},
    {"sine", "result_accuracy"},
    {"slice", "limit_indices start_indices strides"},
    {"sort", "dimension is_stable"},
    {"sqrt", "result_accuracy"},
    {"tan", "result_accuracy"},
    {"tanh", "result_accuracy"},
    {"torch_index_select", "batch_dims dim"},
    {"transpose", "permutation"},
    {"triangular_solve", "left_side lower transpose_a unit_diagonal"},
    {"unary_einsum", "einsum_config"},
};

// Attributes that VHLO holds one by one, and the structure that StableHLO makes of them.
struct Structure {
  absl::string_view operations;  // separated by blanks
  absl::string_view attribute, name, members;
};
constexpr Structure kStructures[] = {
    {"gather dynamic_gather", "dimension_numbers", "gather",
     "offset_dims collapsed_slice_dims operand_batching_dims start_indices_batching_dims start_index_map "
     "index_vector_dim"},
    {"scatter", "scatter_dimension_numbers", "scatter",
     "update_window_dims inserted_window_dims input_batching_dims scatter_indices_batching_dims "
     "scatter_dims_to_operand_dims index_vector_dim"},
    {"dot_general", "dot_dimension_numbers", "dot",
     "lhs_batching_dimensions rhs_batching_dimensions lhs_contracting_dimensions rhs_contracting_dimensions"},
    {"dot_general", "algorithm", "dot_algorithm",
     "lhs_precision_type rhs_precision_type accumulation_type lhs_component_count rhs_component_count "
     "num_primitive_operations allow_imprecise_accumulation"},
};

bool HasWord(absl::string_view words, absl::string_view word) {
  const std::vector<absl::string_view> all = absl::StrSplit(words, ' ');
  return absl::c_linear_search(all, word);
}

// The attributes of one operation, of which those that were written are crossed out.
class Writer {
 public:
  Writer(ElementTable& table, absl::string_view operation, const NamedElements& attributes)
      : table_(table), operation_(operation), attributes_(attributes), is_written_(attributes.size()) {}

  std::string Write() {
    for (const Structure& structure : kStructures) {
      if (HasWord(structure.operations, operation_)) WriteStructure(structure);
    }
    if (operation_ == "convolution" || operation_ == "dynamic_conv") WriteLabels();
    WriteChannel();
    for (size_t i = 0; i < attributes_.size(); ++i) {
      if (!is_written_[i]) WriteOne(attributes_[i].first, table_.Attribute(attributes_[i].second));
    }
    return absl::StrJoin(parts_, ", ");
  }

 private:
  // Crosses the attribute out; null if there is none.
  const DecodedAttribute* Take(absl::string_view name) {
    for (size_t i = 0; i < attributes_.size(); ++i) {
      if (attributes_[i].first != name) continue;
      is_written_[i] = true;
      return &table_.Attribute(attributes_[i].second);
    }
    return nullptr;
  }

  // Before the whole is put together: a dictionary may name one long value in each of its bytes.
  void AddPart(std::string part) {
    table_.Spend(part.size());
    if (table_.status().ok()) parts_.push_back(std::move(part));
  }
  void Add(absl::string_view name, absl::string_view value) { AddPart(absl::StrCat(name, " = ", value)); }

  void WriteStructure(const Structure& structure) {
    std::vector<std::string> members;
    bool is_absent = true;
    for (const absl::string_view member : absl::StrSplit(structure.members, ' ')) {
      const DecodedAttribute* const value = Take(member);
      if (value == nullptr) continue;
      // An algorithm that is absent has the type `none` everywhere.
      if (value->form != ElementForm::kType || value->text != "none") is_absent = false;
      if (value->form == ElementForm::kType && value->text == "none") return TakeAll(structure);
      if (value->form == ElementForm::kTensor) {
        members.push_back(absl::StrCat(member, " = [", absl::StrJoin(value->integers, ", "), "]"));
      } else if (value->form == ElementForm::kInteger) {
        members.push_back(absl::StrCat(member, " = ", value->integer));
      } else {
        members.push_back(absl::StrCat(member, " = ", value->text));
      }
    }
    if (!is_absent)
      Add(structure.attribute, absl::StrCat("#stablehlo.", structure.name, "<", absl::StrJoin(members, ", "), ">"));
  }

  void TakeAll(const Structure& structure) {
    for (const absl::string_view member : absl::StrSplit(structure.members, ' ')) Take(member);
  }

  // One side of [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f].
  std::string Labels(absl::string_view side, absl::string_view first, char first_label, absl::string_view second,
                     char second_label) {
    const DecodedAttribute* const spatial = Take(absl::StrCat(side, "_spatial_dimensions"));
    std::vector<std::string> labels(spatial == nullptr ? 2 : spatial->integers.size() + 2);
    const auto set = [&](int64_t dimension, std::string label) {
      if (dimension >= 0 && dimension < static_cast<int64_t>(labels.size())) {
        labels[static_cast<size_t>(dimension)] = std::move(label);
      }
    };
    for (size_t i = 0; spatial != nullptr && i < spatial->integers.size(); ++i)
      set(spatial->integers[i], absl::StrCat(i));
    for (const auto& [name, label] : {std::pair(first, first_label), std::pair(second, second_label)}) {
      const DecodedAttribute* const dimension = Take(absl::StrCat(side, "_", name, "_dimension"));
      if (dimension != nullptr) set(dimension->integer, std::string(1, label));
    }
    return absl::StrCat("[", absl::StrJoin(labels, ", "), "]");
  }

  void WriteLabels() {
    const std::string input = Labels("input", "batch", 'b', "feature", 'f');
    const std::string kernel = Labels("kernel", "input_feature", 'i', "output_feature", 'o');
    Add("dimension_numbers", absl::StrCat("#stablehlo.conv<", input, "x", kernel, "->",
                                          Labels("output", "batch", 'b', "feature", 'f'), ">"));
  }

  void WriteChannel() {
    const DecodedAttribute* const channel = Take("channel_id");
    const DecodedAttribute* const type = Take("channel_type");
    // Channel 0 is none, but for transfers, which always have one.
    if (channel == nullptr || (channel->integer == 0 && type == nullptr)) return;
    Add("channel_handle", absl::StrCat("#stablehlo.channel_handle<handle = ", channel->integer,
                                       ", type = ", type == nullptr ? 1 : type->integer, ">"));
  }

  void WriteOne(absl::string_view name, const DecodedAttribute& value) {
    constexpr absl::string_view kUnits = "use_global_device_ids has_dynamic_root";
    constexpr absl::string_view kSymbols = "callee decomposition";
    if (HasWord(kUnits, name)) {
      if (value.integer != 0) AddPart(std::string(name));
    } else if (HasWord(kSymbols, name) && value.form == ElementForm::kString) {
      Add(name, absl::StrCat("@", QuotedString(value.string)));
    } else if (name == "called_computations") {
      std::vector<std::string> symbols;
      for (const size_t item : value.items) {
        symbols.push_back(absl::StrCat("@", QuotedString(table_.Attribute(item).string)));
        table_.Spend(symbols.back().size());
        if (!table_.status().ok()) return;
      }
      Add(name, absl::StrCat("[", absl::StrJoin(symbols, ", "), "]"));
    } else if (!IsAbsent(name, value)) {
      value.form == ElementForm::kUnit ? AddPart(std::string(name)) : Add(name, value.text);
    }
  }

  // Whether the value is what stands for an attribute that is not there.
  bool IsAbsent(absl::string_view name, const DecodedAttribute& value) const {
    constexpr absl::string_view kOptionalTensors =
        "known_expanding_dimensions known_nonexpanding_dimensions window_strides lhs_dilation rhs_dilation "
        "window_reversal base_dilations window_dilations source_target_pairs padding window_dimensions";
    switch (value.form) {
      case ElementForm::kEnumerator:
        return (name == "compare_type" && value.string == "NOTYPE") ||
               (name == "result_accuracy" && value.string == "DEFAULT");
      case ElementForm::kArray:
        return value.items.empty();
      case ElementForm::kTensor:
        return HasWord(kOptionalTensors, name) && absl::c_linear_search(table_.Type(value.type).dimensions, 0);
      case ElementForm::kForeign:
        return true;
      case ElementForm::kOther:
      case ElementForm::kUnit:
      case ElementForm::kBool:
      case ElementForm::kInteger:
      case ElementForm::kString:
      case ElementForm::kDictionary:
      case ElementForm::kType:
        return false;
    }
    return false;
  }

  ElementTable& table_;
  absl::string_view operation_;
  const NamedElements& attributes_;
  std::vector<bool> is_written_;
  std::vector<std::string> parts_;
};

}  // namespace

NamedElements ReadProperties(ElementTable& table, absl::string_view operation, ByteReader entry) {
  std::vector<size_t> numbers;
  while (!entry.AtEnd()) numbers.push_back(table.ReadAttributeNumber(entry));
  table.Fail(entry.status());
  NamedElements attributes;
  if (!entry.ok() || numbers.empty()) return attributes;
  for (const OperationAttributes& row : kOperationAttributes) {
    const std::vector<absl::string_view> names = absl::StrSplit(row.names, ' ');
    if (row.operation != operation || names.size() != numbers.size()) continue;
    for (size_t i = 0; i < names.size(); ++i) attributes.emplace_back(names[i], numbers[i]);
    return attributes;
  }
  table.Fail(absl::InvalidArgumentError(absl::StrCat("vhlo.", operation, " with ", numbers.size(),
                                                     " properties is not known, at byte ", entry.position())));
  return attributes;
}

std::string PropertiesText(ElementTable& table, absl::string_view operation, const NamedElements& attributes) {
  return Writer(table, operation, attributes).Write();
}

}  // namespace hloscope::stablehlo
