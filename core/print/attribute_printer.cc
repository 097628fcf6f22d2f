// SPDX-License-Identifier: Apache-2.0
#include "core/print/attribute_printer.h"

#include <algorithm>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/ir/attribute_visitor.h"
#include "core/ir/default_layout.h"
#include "core/print/attribute_presence.h"
#include "core/print/literal_printer.h"
#include "core/print/number_printer.h"
#include "core/print/shape_printer.h"
#include "core/print/sharding_printer.h"
#include "core/print/sorted_json.h"
#include "core/print/string_printer.h"

namespace hloscope {
namespace {

void Append(absl::string_view text, std::string* out) { out->append(text.data(), text.size()); }

// --- Windows, labels, padding, slices, sparsity (6.10) ---

// ` name=AxBxC`, if some dimension is not at its default.
template <typename Differs, typename AppendDimension>
void AppendWindowField(const Window& window, absl::string_view name, Differs differs, AppendDimension append,
                       std::string* out) {
  if (std::none_of(window.dimensions.begin(), window.dimensions.end(), differs)) return;
  if (out->back() != '{') out->push_back(' ');
  Append(name, out);
  out->push_back('=');
  for (size_t i = 0; i < window.dimensions.size(); ++i) {
    if (i > 0) out->push_back('x');
    append(window.dimensions[i]);
  }
}

void AppendWindow(const Window& window, std::string* out) {
  out->push_back('{');
  AppendWindowField(
      window, "size", [](const WindowDimension&) { return true; },
      [&](const WindowDimension& d) { AppendInteger(d.size, out); }, out);
  AppendWindowField(
      window, "stride", [](const WindowDimension& d) { return d.stride != 1; },
      [&](const WindowDimension& d) { AppendInteger(d.stride, out); }, out);
  AppendWindowField(
      window, "pad", [](const WindowDimension& d) { return d.padding_low != 0 || d.padding_high != 0; },
      [&](const WindowDimension& d) {
        AppendInteger(d.padding_low, out);
        out->push_back('_');
        AppendInteger(d.padding_high, out);
      },
      out);
  AppendWindowField(
      window, "lhs_dilate", [](const WindowDimension& d) { return d.base_dilation != 1; },
      [&](const WindowDimension& d) { AppendInteger(d.base_dilation, out); }, out);
  AppendWindowField(
      window, "rhs_dilate", [](const WindowDimension& d) { return d.window_dilation != 1; },
      [&](const WindowDimension& d) { AppendInteger(d.window_dilation, out); }, out);
  AppendWindowField(
      window, "rhs_reversal", [](const WindowDimension& d) { return d.reversal; },
      [&](const WindowDimension& d) { out->push_back(d.reversal ? '1' : '0'); }, out);
  out->push_back('}');
}

// Labels of one part, from positions: `first` and `second` are the letters of the two named dimensions.
std::string LabelsFrom(int64_t first_position, char first, int64_t second_position, char second,
                       const std::vector<int64_t>& spatial) {
  std::string labels(spatial.size() + 2, '?');
  const auto put = [&](int64_t position, char c) {
    if (position >= 0 && static_cast<size_t>(position) < labels.size()) labels[static_cast<size_t>(position)] = c;
  };
  put(first_position, first);
  put(second_position, second);
  for (size_t i = 0; i < spatial.size(); ++i) put(spatial[i], static_cast<char>('0' + i % 10));
  return labels;
}

}  // namespace

void AppendDimLabels(const ConvolutionDimensionNumbers& d, std::string* out) {
  if (!d.labels[0].empty()) {
    out->append(d.labels[0]).append("_").append(d.labels[1]).append("->").append(d.labels[2]);
    return;
  }
  out->append(LabelsFrom(d.input_batch, 'b', d.input_feature, 'f', d.input_spatial)).push_back('_');
  out->append(LabelsFrom(d.kernel_input_feature, 'i', d.kernel_output_feature, 'o', d.kernel_spatial)).append("->");
  out->append(LabelsFrom(d.output_batch, 'b', d.output_feature, 'f', d.output_spatial));
}

namespace {

void AppendPadding(const PaddingConfig& padding, std::string* out) {
  const bool interior =
      std::any_of(padding.begin(), padding.end(), [](const PaddingDimension& d) { return d.interior != 0; });
  for (size_t i = 0; i < padding.size(); ++i) {
    if (i > 0) out->push_back('x');
    AppendInteger(padding[i].low, out);
    out->push_back('_');
    AppendInteger(padding[i].high, out);
    if (!interior) continue;
    out->push_back('_');
    AppendInteger(padding[i].interior, out);
  }
}

void AppendSliceRanges(const std::vector<SliceRange>& ranges, std::string* out) {
  const bool strides = std::any_of(ranges.begin(), ranges.end(), [](const SliceRange& r) { return r.stride != 1; });
  out->push_back('{');
  for (size_t i = 0; i < ranges.size(); ++i) {
    out->append(i > 0 ? ", [" : "[");
    AppendInteger(ranges[i].start, out);
    out->push_back(':');
    AppendInteger(ranges[i].limit, out);
    if (strides) {
      out->push_back(':');
      AppendInteger(ranges[i].stride, out);
    }
    out->push_back(']');
  }
  out->push_back('}');
}

template <typename Config, typename AppendSide>
void AppendSides(const Config& config, std::string* out, AppendSide&& append) {
  out->push_back('{');
  if (config.lhs) {
    out->append("lhs={");
    append(*config.lhs);
    out->push_back('}');
  }
  if (config.rhs) {
    out->append(config.lhs ? " rhs={" : "rhs={");
    append(*config.rhs);
    out->push_back('}');
  }
  out->push_back('}');
}

void AppendSparsity(const SparsityConfig& config, std::string* out) {
  AppendSides(config, out, [&](const SparsitySide& side) {
    absl::StrAppend(out, "sparsity=", side.nonzeros, "x", side.block, " dimension=", side.dimension,
                    " stride=", side.stride, " idx=", side.idx);
  });
}

void AppendBlockScaling(const BlockScalingConfig& config, std::string* out) {
  AppendSides(config, out, [&](const BlockScalingSide& side) {
    absl::StrAppend(out, "scale_idx=", side.scale_idx);
    if (side.zero_idx) absl::StrAppend(out, " zero_idx=", *side.zero_idx);
    if (!side.strides.empty()) absl::StrAppend(out, " strides=", absl::StrJoin(side.strides, "x"));
    if (!side.steps.empty()) absl::StrAppend(out, " steps=", absl::StrJoin(side.steps, "x"));
  });
}

// --- The other structured values ---

void AppendAliasing(const std::vector<AliasEntry>& entries, std::string* out) {
  out->push_back('{');
  for (size_t i = 0; i < entries.size(); ++i) {
    if (i > 0) out->append(", ");
    AppendShapeIndex(entries[i].output_index, out);
    out->append(": (");
    AppendInteger(entries[i].operand, out);
    out->append(", ");
    AppendShapeIndex(entries[i].operand_index, out);
    out->push_back(')');
  }
  out->push_back('}');
}

// A number that is not an element of a literal. Of the attributes, epsilon alone is an f32 (docs/ops/tensor.md 8).
void AppendNumber(double value, bool is_f32, const PrintOptions& options, std::string* out) {
  options.keep_written_digits ? AppendWrittenFloat(value, is_f32, out) : AppendPlainFloat(value, out);
}

void AppendStatistics(const Statistics& statistics, const PrintOptions& options, std::string* out) {
  out->append("{visualizing_index=");
  AppendInteger(statistics.visualizing_index, out);
  for (const auto& [name, value] : statistics.values) {
    out->append(",").append(name).append("=");
    AppendNumber(value, false, options, out);
  }
  out->push_back('}');
}

void AppendOrigin(const Origin& origin, std::string* out) {
  if (origin.synthetic_call) {
    out->append("{[synthetic_call]}");
    return;
  }
  out->push_back('{');
  // Children still to come of each open tuple.
  std::vector<uint32_t> open;
  for (const Origin::Node& node : origin.nodes) {
    if (node.is_tuple) {
      out->push_back('(');
      open.push_back(node.child_count);
    } else {
      AppendOriginArray(node.array, out);
      if (!open.empty()) --open.back();
    }
    while (!open.empty() && open.back() == 0) {
      out->push_back(')');
      open.pop_back();
      if (!open.empty()) --open.back();
    }
    if (!open.empty() && out->back() != '(') out->append(", ");
  }
  out->push_back('}');
}

void AppendResultAccuracy(const ResultAccuracy& accuracy, const PrintOptions& options, std::string* out) {
  if (!accuracy.is_tolerance) {
    out->append(accuracy.highest ? "{mode=highest}" : "{mode=default}");
    return;
  }
  out->append("{tolerance={atol=");
  AppendNumber(accuracy.atol, false, options, out);
  out->append(",rtol=");
  AppendNumber(accuracy.rtol, false, options, out);
  out->append(",ulps=");
  AppendInteger(accuracy.ulps, out);
  out->append("}}");
}

void AppendDomain(const Module& module, const DomainValue& domain, const PrintOptions& options, std::string* out) {
  out->append("{kind=");
  AppendQuoted(domain.kind, out);
  out->append(", entry=");
  AppendSharding(module, domain.entry, options.metadata, out, options.keep_written_defaults);
  out->append(", exit=");
  AppendSharding(module, domain.exit, options.metadata, out, options.keep_written_defaults);
  out->push_back('}');
}

void AppendShapes(const std::vector<Shape>& shapes, const PrintOptions& options, std::string* out) {
  out->push_back('{');
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (i > 0) out->append(", ");
    out->append(ShapeText(shapes[i], options));
  }
  out->push_back('}');
}

void AppendIntLists(const std::vector<std::vector<int64_t>>& lists, std::string* out) {
  out->push_back('{');
  for (size_t i = 0; i < lists.size(); ++i) {
    out->append(i > 0 ? ",{" : "{");
    AppendIntegers(lists[i], ",", out);
    out->push_back('}');
  }
  out->push_back('}');
}

// Spells one value.
struct ValueSpeller {
  const Module& module;
  AttributeKind kind;
  const PrintOptions& options;
  std::string* out;

  void operator()(bool value) const { out->append(value ? "true" : "false"); }
  void operator()(int64_t value) const {
    if (kind == AttributeKind::kChannelId && !options.channel_ids) {
      out->push_back('_');
    } else {
      AppendInteger(value, out);
    }
  }
  void operator()(double value) const { AppendNumber(value, kind == AttributeKind::kEpsilon, options, out); }
  void operator()(absl::string_view text) const {
    if (kind == AttributeKind::kAsyncExecutionThread) {
      AppendQuotedName(text, out);
    } else {
      AppendQuoted(text, out);
    }
  }
  void operator()(absl::Span<const int64_t> ints) const {
    out->push_back('{');
    AppendIntegers(ints, ",", out);
    out->push_back('}');
  }
  void operator()(const FlagList& list) const {
    AppendList(list.flags, [&](int64_t flag) { out->append(flag != 0 ? "true" : "false"); });
  }
  void operator()(const Word& value) const { Append(WordsOf(value.enumeration)[value.word], out); }
  void operator()(const WordList& list) const {
    const absl::Span<const absl::string_view> words = WordsOf(list.enumeration);
    AppendList(list.words, [&](int64_t word) { Append(words[static_cast<size_t>(word)], out); });
  }
  void operator()(const std::vector<std::vector<int64_t>>& lists) const { AppendIntLists(lists, out); }
  void operator()(absl::Span<const ComputationId>) const {}  // the printer of instructions spells names
  void operator()(absl::Span<const InstructionId>) const {}
  void operator()(const Shape& shape) const { out->append(ShapeText(shape, options)); }
  void operator()(const std::vector<Shape>& shapes) const { AppendShapes(shapes, options, out); }
  void operator()(const Literal& literal) const {
    AppendLiteral(literal, {.large = true, .shapes = true, .layouts = options.layouts}, out);
  }
  void operator()(const std::vector<AliasEntry>& entries) const { AppendAliasing(entries, out); }
  void operator()(const ReplicaGroups& groups) const {
    if (options.explicit_replica_groups) {
      AppendReplicaGroups({.groups = groups.Expand()}, out);
    } else {
      AppendReplicaGroups(groups, out);
    }
  }
  void operator()(const Window& window) const { AppendWindow(window, out); }
  void operator()(const ConvolutionDimensionNumbers& numbers) const { AppendDimLabels(numbers, out); }
  void operator()(const PaddingConfig& padding) const { AppendPadding(padding, out); }
  void operator()(const std::vector<SliceRange>& ranges) const { AppendSliceRanges(ranges, out); }
  void operator()(const SparsityConfig& config) const { AppendSparsity(config, out); }
  void operator()(const BlockScalingConfig& config) const { AppendBlockScaling(config, out); }
  void operator()(const RawValue& raw) const {
    const std::string text = options.sorted_backend_config ? SortedJson(raw.text) : raw.text;
    options.quoted_backend_config ? AppendQuoted(text, out) : AppendRawOrQuoted(text, out);
  }
  void operator()(const Sharding& sharding) const {
    AppendSharding(module, sharding, options.metadata, out, options.keep_written_defaults);
  }
  void operator()(const FrontendAttributes& attributes) const { AppendFrontendAttributes(attributes, out); }
  void operator()(const Statistics& statistics) const { AppendStatistics(statistics, options, out); }
  void operator()(const Origin& origin) const { AppendOrigin(origin, out); }
  void operator()(const Metadata& metadata) const {
    out->push_back('{');
    AppendMetadataFields(module, options.only_op_name ? Metadata{.op_name = metadata.op_name} : metadata, out);
    out->push_back('}');
  }
  void operator()(const ResultAccuracy& accuracy) const { AppendResultAccuracy(accuracy, options, out); }
  void operator()(const DomainValue& domain) const { AppendDomain(module, domain, options, out); }

 private:
  template <typename AppendEntry>
  void AppendList(absl::Span<const int64_t> list, AppendEntry append) const {
    out->push_back('{');
    for (size_t i = 0; i < list.size(); ++i) {
      if (i > 0) out->push_back(',');
      append(list[i]);
    }
    out->push_back('}');
  }
};

// What an absent attribute means; nothing for values without default.
void AppendDefault(const Module& module, InstructionId id, const ValueSpeller& spell) {
  switch (InfoOf(spell.kind).type) {
    case AttributeType::kBool:
      spell(DefaultBool(spell.kind, module.opcode(id)));
      return;
    case AttributeType::kInt:
    case AttributeType::kInt32:
      spell(DefaultInt(spell.kind));
      return;
    case AttributeType::kFloat:
      spell(0.0);
      return;
    case AttributeType::kString:
      spell(absl::string_view());
      return;
    case AttributeType::kInts: {
      // A map works on all dimensions.
      const bool is_map = module.opcode(id) == Opcode::kMap;
      std::vector<int64_t> all(is_map ? static_cast<size_t>(module.shape(id).rank()) : 0);
      std::iota(all.begin(), all.end(), 0);
      spell(absl::MakeConstSpan(all));
      return;
    }
    case AttributeType::kBools:
    case AttributeType::kWords:
      spell(absl::Span<const int64_t>());
      return;
    case AttributeType::kShape:
      spell(module.shape(module.operand(id, 0)));
      return;
    case AttributeType::kReplicaGroups:
      spell.out->append("{}");
      return;
    case AttributeType::kIntPairs:
    case AttributeType::kIntLists:
    case AttributeType::kComputation:
    case AttributeType::kComputations:
    case AttributeType::kWord:
    case AttributeType::kShapes:
    case AttributeType::kLiteral:
    case AttributeType::kAliasing:
    case AttributeType::kWindow:
    case AttributeType::kDimLabels:
    case AttributeType::kPadding:
    case AttributeType::kSliceRanges:
    case AttributeType::kSparsity:
    case AttributeType::kBlockScaling:
    case AttributeType::kRaw:
    case AttributeType::kSharding:
    case AttributeType::kFrontendAttributes:
    case AttributeType::kStatistics:
    case AttributeType::kInstructions:
    case AttributeType::kOrigin:
    case AttributeType::kMetadata:
    case AttributeType::kResultAccuracy:
    case AttributeType::kDomain:
      return;
  }
}

}  // namespace

void AppendAttributeValue(const Module& module, InstructionId id, AttributeKind kind, const PrintOptions& options,
                          std::string* out) {
  const ValueSpeller spell = {module, kind, options, out};
  if (module.HasAttribute(id, kind)) {
    VisitAttribute(kind, spell, AttributeOwner{module, id});
  } else {
    AppendDefault(module, id, spell);
  }
}

void AppendFrontendAttributes(const FrontendAttributes& attributes, std::string* out) {
  out->push_back('{');
  for (size_t i = 0; i < attributes.size(); ++i) {
    if (i > 0) out->push_back(',');
    out->append(attributes[i].first).push_back('=');
    AppendRawOrQuoted(attributes[i].second.text, out);
  }
  out->push_back('}');
}

void AppendShapeIndex(const ShapeIndex& index, std::string* out) {
  out->push_back('{');
  AppendIntegers(index, ",", out);
  out->push_back('}');
}

void AppendOriginArray(const OriginArray& array, std::string* out) {
  out->push_back('{');
  if (!array.instruction.empty()) {
    AppendQuotedName(array.instruction, out);
    if (!array.index.empty()) {
      out->push_back(' ');
      AppendShapeIndex(array.index, out);
    }
  }
  out->push_back('}');
}

}  // namespace hloscope
