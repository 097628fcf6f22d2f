#include "core/print/attribute_printer.h"

#include <algorithm>
#include <numeric>

#include "core/ir/default_layout.h"
#include "core/print/literal_printer.h"
#include "core/print/number_printer.h"
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

void AppendDimLabels(const ConvolutionDimensionNumbers& d, std::string* out) {
  if (!d.labels[0].empty()) {
    out->append(d.labels[0]).append("_").append(d.labels[1]).append("->").append(d.labels[2]);
    return;
  }
  out->append(LabelsFrom(d.input_batch, 'b', d.input_feature, 'f', d.input_spatial)).push_back('_');
  out->append(LabelsFrom(d.kernel_input_feature, 'i', d.kernel_output_feature, 'o', d.kernel_spatial)).append("->");
  out->append(LabelsFrom(d.output_batch, 'b', d.output_feature, 'f', d.output_spatial));
}

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

void AppendSparsity(const SparsityConfig& config, std::string* out) {
  out->push_back('{');
  const auto side = [&](absl::string_view name, const std::optional<SparsitySide>& value) {
    if (!value) return;
    if (out->back() != '{') out->push_back(' ');
    Append(name, out);
    out->append("={sparsity=");
    AppendInteger(value->nonzeros, out);
    out->push_back('x');
    AppendInteger(value->block, out);
    out->append(" dimension=");
    AppendInteger(value->dimension, out);
    out->append(" stride=");
    AppendInteger(value->stride, out);
    out->append(" idx=");
    AppendInteger(value->idx, out);
    out->push_back('}');
  };
  side("lhs", config.lhs);
  side("rhs", config.rhs);
  out->push_back('}');
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

void AppendStatistics(const Statistics& statistics, std::string* out) {
  out->append("{visualizing_index=");
  AppendInteger(statistics.visualizing_index, out);
  for (const auto& [name, value] : statistics.values) {
    out->append(",").append(name).append("=");
    AppendPlainFloat(value, out);
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

void AppendResultAccuracy(const ResultAccuracy& accuracy, std::string* out) {
  if (!accuracy.is_tolerance) {
    out->append(accuracy.highest ? "{mode=highest}" : "{mode=default}");
    return;
  }
  out->append("{tolerance={atol=");
  AppendPlainFloat(accuracy.atol, out);
  out->append(",rtol=");
  AppendPlainFloat(accuracy.rtol, out);
  out->append(",ulps=");
  AppendInteger(accuracy.ulps, out);
  out->append("}}");
}

void AppendDomain(const Module& module, const DomainValue& domain, bool with_metadata, std::string* out) {
  out->append("{kind=");
  AppendQuoted(domain.kind, out);
  out->append(", entry=");
  AppendSharding(module, domain.entry, with_metadata, out);
  out->append(", exit=");
  AppendSharding(module, domain.exit, with_metadata, out);
  out->push_back('}');
}

void AppendShapes(const std::vector<Shape>& shapes, std::string* out) {
  out->push_back('{');
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (i > 0) out->append(", ");
    out->append(shapes[i].ToStringWithDefaultLayouts());
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

// --- Which attributes print ---

// The comparison type that a text without `type=` means: by the element type of the operands (6.9).
ComparisonType DefaultComparisonType(const Module& module, InstructionId id) {
  if (module.operands(id).empty() || !module.operand(id, 0).has_value()) return ComparisonType::kFloat;
  const ElementType type = module.shape(module.operand(id, 0)).element_type();
  if (IsSigned(type)) return ComparisonType::kSigned;
  if (IsUnsigned(type) || type == ElementType::kPred) return ComparisonType::kUnsigned;
  return ComparisonType::kFloat;
}

// Attributes that print whether or not the text gave them, because they have a default that always prints.
bool AlwaysPrints(Opcode opcode, AttributeKind kind) {
  switch (kind) {
    case AttributeKind::kReplicaGroups:
    case AttributeKind::kHasDynamicRoot:
    case AttributeKind::kLhsContractingDims:
    case AttributeKind::kRhsContractingDims:
    case AttributeKind::kLargest:
    case AttributeKind::kIsAssociative:
    case AttributeKind::kOutfeedShape:
      return true;
    case AttributeKind::kIsStable:
      return opcode == Opcode::kTopk;
    case AttributeKind::kDimensions:
      return opcode == Opcode::kBroadcast || opcode == Opcode::kMap;
    default:
      return false;
  }
}

int64_t DefaultInt(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::kFeatureGroupCount:
    case AttributeKind::kBatchGroupCount:
      return 1;
    case AttributeKind::kInferredDimension:
      return -1;
    default:
      return 0;
  }
}

// True for integers with a default that does not print (the others always print when present).
bool HasSilentDefault(AttributeKind kind) {
  return kind == AttributeKind::kFeatureGroupCount || kind == AttributeKind::kBatchGroupCount ||
         kind == AttributeKind::kInferredDimension;
}

bool DefaultBool(AttributeKind kind, Opcode opcode) {
  return kind == AttributeKind::kLargest || (kind == AttributeKind::kIsStable && opcode == Opcode::kTopk);
}

bool PresentAttributePrints(const Module& module, InstructionId id, const Attribute& attribute) {
  const AttributeKind kind = attribute.kind;
  switch (InfoOf(kind).type) {
    case AttributeType::kBool:
      return module.BoolAttribute(id, kind);
    case AttributeType::kInt:
    case AttributeType::kInt32:
      return !HasSilentDefault(kind) || module.IntAttribute(id, kind) != DefaultInt(kind);
    case AttributeType::kString:
      if (kind == AttributeKind::kAsyncExecutionThread) {
        return module.opcode(id) == Opcode::kAsyncStart && module.StringAttribute(id, kind) != "main";
      }
      return kind == AttributeKind::kCustomCallTarget || !module.StringAttribute(id, kind).empty();
    case AttributeType::kInts:
      if (kind == AttributeKind::kDimensions) return module.opcode(id) != Opcode::kRaggedAllToAll;
      // Required lists print even if they are empty.
      if (const auto required = InfoOf(module.opcode(id)).required;
          std::find(required.begin(), required.end(), kind) != required.end()) {
        return true;
      }
      return !module.IntsAttribute(id, kind).empty();
    case AttributeType::kIntLists:
      return !module.IntListsAttribute(id, kind)->empty();
    case AttributeType::kWord:
      switch (kind) {
        case AttributeKind::kMode:
          return false;  // read and ignored
        case AttributeKind::kComparisonType:
          return static_cast<ComparisonType>(attribute.payload) != DefaultComparisonType(module, id);
        case AttributeKind::kTransposeA:
        case AttributeKind::kPaddingType:
        case AttributeKind::kDotAlgorithm:
        case AttributeKind::kConvolutionKind:
        case AttributeKind::kCustomCallSchedule:
        case AttributeKind::kApiVersion:
          return attribute.payload != 0;  // the first word is the default
        default:
          return true;
      }
    case AttributeType::kWords: {
      const absl::Span<const int64_t> words = module.IntsAttribute(id, kind);
      return std::any_of(words.begin(), words.end(), [](int64_t word) { return word != 0; });
    }
    case AttributeType::kWindow:
      return module.opcode(id) == Opcode::kCustomCall || !module.WindowAttribute(id)->dimensions.empty();
    case AttributeType::kAliasing:
      return !module.AliasingAttribute(id, kind)->empty();
    case AttributeType::kRaw:
      return !module.RawAttribute(id, kind)->text.empty();
    case AttributeType::kFrontendAttributes:
      return !module.FrontendAttributesOf(id)->empty();
    case AttributeType::kStatistics:
      return !module.StatisticsOf(id)->values.empty();
    case AttributeType::kInstructions:
      return !module.InstructionsAttribute(id, kind).empty();
    case AttributeType::kComputation:
    case AttributeType::kComputations:
      return !module.ComputationsAttribute(id, kind).empty();
    case AttributeType::kResultAccuracy: {
      const ResultAccuracy& accuracy = *module.ResultAccuracyOf(id);
      return accuracy.is_tolerance || accuracy.highest;
    }
    case AttributeType::kMetadata:
      return IsPrintable(*module.MetadataOf(id));
    default:
      return true;
  }
}

}  // namespace

bool AttributePrints(const Module& module, InstructionId id, AttributeKind kind) {
  if (AlwaysPrints(module.opcode(id), kind)) {
    // The default of outfeed_shape is the shape of operand 0.
    return kind != AttributeKind::kOutfeedShape || module.HasAttribute(id, kind) ||
           (!module.operands(id).empty() && module.operand(id, 0).has_value());
  }
  const Attribute* attribute = module.FindAttribute(id, kind);
  return attribute != nullptr && PresentAttributePrints(module, id, *attribute);
}

void AppendAttributeValue(const Module& module, InstructionId id, AttributeKind kind, const PrintOptions& options,
                          std::string* out) {
  const AttributeInfo& info = InfoOf(kind);
  const Attribute* attribute = module.FindAttribute(id, kind);
  switch (info.type) {
    case AttributeType::kBool:
      out->append(module.BoolAttribute(id, kind, DefaultBool(kind, module.opcode(id))) ? "true" : "false");
      return;
    case AttributeType::kInt:
    case AttributeType::kInt32:
      if (kind == AttributeKind::kChannelId && !options.channel_ids) {
        out->push_back('_');
      } else {
        AppendInteger(module.IntAttribute(id, kind, DefaultInt(kind)), out);
      }
      return;
    case AttributeType::kFloat:
      AppendPlainFloat(module.FloatAttribute(id, kind), out);
      return;
    case AttributeType::kString:
      if (kind == AttributeKind::kAsyncExecutionThread) {
        AppendQuotedName(module.StringAttribute(id, kind), out);
      } else {
        AppendQuoted(module.StringAttribute(id, kind), out);
      }
      return;
    case AttributeType::kInts: {
      out->push_back('{');
      if (attribute == nullptr && module.opcode(id) == Opcode::kMap) {
        // A map works on all dimensions.
        std::vector<int64_t> all(static_cast<size_t>(module.shape(id).rank()));
        std::iota(all.begin(), all.end(), 0);
        AppendIntegers(all, ",", out);
      } else {
        AppendIntegers(module.IntsAttribute(id, kind), ",", out);
      }
      out->push_back('}');
      return;
    }
    case AttributeType::kBools: {
      out->push_back('{');
      const absl::Span<const int64_t> flags = module.IntsAttribute(id, kind);
      for (size_t i = 0; i < flags.size(); ++i) {
        if (i > 0) out->push_back(',');
        out->append(flags[i] != 0 ? "true" : "false");
      }
      out->push_back('}');
      return;
    }
    case AttributeType::kWords: {
      out->push_back('{');
      const absl::Span<const absl::string_view> words = WordsOf(info.enumeration);
      const absl::Span<const int64_t> values = module.IntsAttribute(id, kind);
      for (size_t i = 0; i < values.size(); ++i) {
        if (i > 0) out->push_back(',');
        Append(words[static_cast<size_t>(values[i])], out);
      }
      out->push_back('}');
      return;
    }
    case AttributeType::kShape:
      out->append((attribute != nullptr ? *module.ShapeAttribute(id, kind) : module.shape(module.operand(id, 0)))
                      .ToStringWithDefaultLayouts());
      return;
    case AttributeType::kReplicaGroups:
      if (attribute == nullptr) {
        out->append("{}");
      } else if (options.explicit_replica_groups) {
        AppendReplicaGroups({.groups = module.ReplicaGroupsAttribute(id)->Expand()}, out);
      } else {
        AppendReplicaGroups(*module.ReplicaGroupsAttribute(id), out);
      }
      return;
    default:
      break;
  }
  if (attribute == nullptr) return;
  switch (info.type) {
    case AttributeType::kIntPairs:
    case AttributeType::kIntLists:
      AppendIntLists(*module.IntListsAttribute(id, kind), out);
      return;
    case AttributeType::kWord:
      Append(WordsOf(info.enumeration)[attribute->payload], out);
      return;
    case AttributeType::kShapes:
      AppendShapes(*module.ShapesAttribute(id, kind), out);
      return;
    case AttributeType::kLiteral:
      AppendLiteral(*module.LiteralAttribute(id, kind), {.large = true, .shapes = true}, out);
      return;
    case AttributeType::kAliasing:
      AppendAliasing(*module.AliasingAttribute(id, kind), out);
      return;
    case AttributeType::kWindow:
      AppendWindow(*module.WindowAttribute(id), out);
      return;
    case AttributeType::kDimLabels:
      AppendDimLabels(*module.DimLabelsAttribute(id), out);
      return;
    case AttributeType::kPadding:
      AppendPadding(*module.PaddingAttribute(id), out);
      return;
    case AttributeType::kSliceRanges:
      AppendSliceRanges(*module.SliceRangesAttribute(id), out);
      return;
    case AttributeType::kSparsity:
      AppendSparsity(*module.SparsityAttribute(id), out);
      return;
    case AttributeType::kRaw:
      AppendRawOrQuoted(options.sorted_backend_config ? SortedJson(module.RawAttribute(id, kind)->text)
                                                      : module.RawAttribute(id, kind)->text,
                        out);
      return;
    case AttributeType::kSharding:
      AppendSharding(module, *module.ShardingAttribute(id), options.metadata, out);
      return;
    case AttributeType::kFrontendAttributes:
      AppendFrontendAttributes(*module.FrontendAttributesOf(id), out);
      return;
    case AttributeType::kStatistics:
      AppendStatistics(*module.StatisticsOf(id), out);
      return;
    case AttributeType::kOrigin:
      AppendOrigin(*module.OriginOf(id), out);
      return;
    case AttributeType::kMetadata:
      out->push_back('{');
      if (options.only_op_name) {
        AppendMetadataFields(module, {.op_name = module.MetadataOf(id)->op_name}, out);
      } else {
        AppendMetadataFields(module, *module.MetadataOf(id), out);
      }
      out->push_back('}');
      return;
    case AttributeType::kResultAccuracy:
      AppendResultAccuracy(*module.ResultAccuracyOf(id), out);
      return;
    case AttributeType::kDomain:
      AppendDomain(module, *module.DomainOf(id), options.metadata, out);
      return;
    default:
      return;
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
