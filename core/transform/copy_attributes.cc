#include "core/transform/copy_attributes.h"

#include <string>
#include <utility>
#include <vector>

#include "core/ir/attribute_visitor.h"

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

// Adds a value to the target. Values are copied before anything is appended: both may lie in the same table.
struct ValueCopier {
  const Module& from;
  Module& to;
  InstructionId target;
  AttributeKind kind;
  const AttributeReferences& references;

  void operator()(bool value) const { to.AddBool(target, kind, value); }
  void operator()(int64_t value) const { to.AddInt(target, kind, value); }
  void operator()(double value) const { to.AddFloat(target, kind, value); }
  void operator()(absl::string_view value) const { to.AddString(target, kind, std::string(value)); }
  void operator()(absl::Span<const int64_t> value) const {
    to.AddInts(target, kind, std::vector<int64_t>(value.begin(), value.end()));
  }
  void operator()(const FlagList& value) const { (*this)(value.flags); }
  void operator()(const Word& value) const { to.AddWord(target, kind, static_cast<int>(value.word)); }
  void operator()(const WordList& value) const { (*this)(value.words); }
  void operator()(const std::vector<std::vector<int64_t>>& value) const { to.AddIntLists(target, kind, value); }
  void operator()(absl::Span<const ComputationId> value) const {
    std::vector<ComputationId> list;
    for (ComputationId id : value) list.push_back(id.has_value() ? references.computation(id) : id);
    to.AddComputations(target, kind, list);
  }
  void operator()(absl::Span<const InstructionId> value) const {
    std::vector<InstructionId> list;
    for (InstructionId id : value) {
      const InstructionId mapped = id.has_value() ? references.instruction(id) : id;
      if (mapped.has_value()) list.push_back(mapped);
    }
    if (!list.empty()) to.AddInstructions(target, kind, list);
  }
  void operator()(const Shape& value) const { to.AddShape(target, kind, Shape(value)); }
  void operator()(const std::vector<Shape>& value) const { to.AddShapes(target, kind, value); }
  void operator()(const Literal& value) const { to.AddLiteral(target, kind, value); }
  void operator()(const std::vector<AliasEntry>& value) const { to.AddAliasing(target, kind, value); }
  void operator()(const ReplicaGroups& value) const { to.AddReplicaGroups(target, value); }
  void operator()(const Window& value) const { to.AddWindow(target, value); }
  void operator()(const ConvolutionDimensionNumbers& value) const { to.AddDimLabels(target, value); }
  void operator()(const PaddingConfig& value) const { to.AddPadding(target, value); }
  void operator()(const std::vector<SliceRange>& value) const { to.AddSliceRanges(target, value); }
  void operator()(const SparsityConfig& value) const { to.AddSparsity(target, value); }
  void operator()(const RawValue& value) const { to.AddRaw(target, kind, value); }
  void operator()(const Sharding& value) const { to.AddSharding(target, CopySharding(from, value, to)); }
  void operator()(const FrontendAttributes& value) const { to.AddFrontendAttributes(target, value); }
  void operator()(const Statistics& value) const { to.AddStatistics(target, value); }
  void operator()(const Origin& value) const { to.AddOrigin(target, value); }
  void operator()(const Metadata& value) const { to.AddMetadata(target, CopyMetadata(from, value, to)); }
  void operator()(const ResultAccuracy& value) const { to.AddResultAccuracy(target, value); }
  void operator()(const DomainValue& value) const {
    DomainValue domain = value;
    domain.entry = CopySharding(from, std::move(domain.entry), to);
    domain.exit = CopySharding(from, std::move(domain.exit), to);
    to.AddDomain(target, std::move(domain));
  }
};

}  // namespace

void CopyAttributes(const Module& from, InstructionId source, Module& to, InstructionId target,
                    const AttributeReferences& references, absl::FunctionRef<bool(AttributeKind)> keep) {
  // The list itself may move while attributes are added.
  const absl::Span<const Attribute> stored = from.attributes(source);
  const absl::InlinedVector<Attribute, 8> attributes(stored.begin(), stored.end());
  for (const Attribute& attribute : attributes) {
    const AttributeKind kind = attribute.kind;
    if (!keep(kind)) continue;
    VisitAttribute(kind, ValueCopier{from, to, target, kind, references}, AttributeOwner{from, source});
  }
}

}  // namespace hloscope
