#include "core/transform/copy_attributes.h"

#include <utility>
#include <vector>

namespace hloscope {
namespace {

Metadata CopyMetadata(const Module& from, Metadata metadata, Module& to) {
  if (&from == &to) return metadata;
  for (StringId Metadata::*field :
       {&Metadata::op_type, &Metadata::op_name, &Metadata::source_file, &Metadata::deduplicated_name,
        &Metadata::scheduling_name, &Metadata::metadata_payload}) {
    StringId& text = metadata.*field;
    if (text.has_value()) text = to.InternString(from.string(text));
  }
  return metadata;
}

Sharding CopySharding(const Module& from, Sharding sharding, Module& to) {
  if (&from == &to) return sharding;
  for (MetadataId& id : sharding.metadata) id = to.InternMetadata(CopyMetadata(from, from.metadata(id), to));
  for (Sharding& leaf : sharding.leaves) leaf = CopySharding(from, std::move(leaf), to);
  return sharding;
}

// Copies of lists are made before anything is appended: both may lie in the same pool.
std::vector<int64_t> Ints(const Module& from, InstructionId source, AttributeKind kind) {
  const absl::Span<const int64_t> list = from.IntsAttribute(source, kind);
  return {list.begin(), list.end()};
}

}  // namespace

void CopyAttributes(const Module& from, InstructionId source, Module& to, InstructionId target,
                    const AttributeReferences& references, absl::FunctionRef<bool(AttributeKind)> keep) {
  // The list itself may move while attributes are added.
  const absl::Span<const Attribute> stored = from.attributes(source);
  const absl::InlinedVector<Attribute, 8> attributes(stored.begin(), stored.end());
  for (const Attribute& attribute : attributes) {
    const AttributeKind kind = attribute.kind;
    if (!keep(kind)) continue;
    switch (InfoOf(kind).type) {
      case AttributeType::kBool:
        to.AddBool(target, kind, attribute.payload != 0);
        break;
      case AttributeType::kWord:
        to.AddWord(target, kind, static_cast<int>(attribute.payload));
        break;
      case AttributeType::kInt:
      case AttributeType::kInt32:
        to.AddInt(target, kind, from.IntAttribute(source, kind));
        break;
      case AttributeType::kFloat:
        to.AddFloat(target, kind, from.FloatAttribute(source, kind));
        break;
      case AttributeType::kString:
        to.AddString(target, kind, std::string(from.StringAttribute(source, kind)));
        break;
      case AttributeType::kInts:
      case AttributeType::kBools:
      case AttributeType::kWords:
        to.AddInts(target, kind, Ints(from, source, kind));
        break;
      case AttributeType::kIntPairs:
      case AttributeType::kIntLists:
        to.AddIntLists(target, kind, *from.IntListsAttribute(source, kind));
        break;
      case AttributeType::kComputation:
      case AttributeType::kComputations: {
        std::vector<ComputationId> list;
        for (ComputationId id : from.ComputationsAttribute(source, kind)) {
          list.push_back(id.has_value() ? references.computation(id) : id);
        }
        to.AddComputations(target, kind, list);
        break;
      }
      case AttributeType::kInstructions: {
        std::vector<InstructionId> list;
        for (InstructionId id : from.InstructionsAttribute(source, kind)) {
          const InstructionId mapped = id.has_value() ? references.instruction(id) : id;
          if (mapped.has_value()) list.push_back(mapped);
        }
        if (!list.empty()) to.AddInstructions(target, kind, list);
        break;
      }
      case AttributeType::kShape:
        to.AddShape(target, kind, Shape(*from.ShapeAttribute(source, kind)));
        break;
      case AttributeType::kShapes:
        to.AddShapes(target, kind, *from.ShapesAttribute(source, kind));
        break;
      case AttributeType::kLiteral:
        to.AddLiteral(target, kind, *from.LiteralAttribute(source, kind));
        break;
      case AttributeType::kAliasing:
        to.AddAliasing(target, kind, *from.AliasingAttribute(source, kind));
        break;
      case AttributeType::kReplicaGroups:
        to.AddReplicaGroups(target, *from.ReplicaGroupsAttribute(source));
        break;
      case AttributeType::kWindow:
        to.AddWindow(target, *from.WindowAttribute(source));
        break;
      case AttributeType::kDimLabels:
        to.AddDimLabels(target, *from.DimLabelsAttribute(source));
        break;
      case AttributeType::kPadding:
        to.AddPadding(target, *from.PaddingAttribute(source));
        break;
      case AttributeType::kSliceRanges:
        to.AddSliceRanges(target, *from.SliceRangesAttribute(source));
        break;
      case AttributeType::kSparsity:
        to.AddSparsity(target, *from.SparsityAttribute(source));
        break;
      case AttributeType::kRaw:
        to.AddRaw(target, kind, *from.RawAttribute(source, kind));
        break;
      case AttributeType::kSharding:
        to.AddSharding(target, CopySharding(from, *from.ShardingAttribute(source), to));
        break;
      case AttributeType::kFrontendAttributes:
        to.AddFrontendAttributes(target, *from.FrontendAttributesOf(source));
        break;
      case AttributeType::kStatistics:
        to.AddStatistics(target, *from.StatisticsOf(source));
        break;
      case AttributeType::kOrigin:
        to.AddOrigin(target, *from.OriginOf(source));
        break;
      case AttributeType::kMetadata:
        to.AddMetadata(target, CopyMetadata(from, *from.MetadataOf(source), to));
        break;
      case AttributeType::kResultAccuracy:
        to.AddResultAccuracy(target, *from.ResultAccuracyOf(source));
        break;
      case AttributeType::kDomain: {
        DomainValue domain = *from.DomainOf(source);
        domain.entry = CopySharding(from, std::move(domain.entry), to);
        domain.exit = CopySharding(from, std::move(domain.exit), to);
        to.AddDomain(target, std::move(domain));
        break;
      }
    }
  }
}

}  // namespace hloscope
