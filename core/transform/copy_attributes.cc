// SPDX-License-Identifier: Apache-2.0
#include "core/transform/copy_attributes.h"

#include <string>
#include <utility>
#include <vector>

#include "core/ir/attribute_adder.h"
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

// Adds a value to the target; references become those of the other module. Values are copied before anything is
// appended: both may lie in the same table.
struct ValueCopier {
  const Module& from;
  AttributeAdder add;
  const AttributeReferences& references;

  template <typename Value>
  void operator()(const Value& value) const {
    add(Value(value));
  }
  void operator()(absl::string_view value) const { add(absl::string_view(std::string(value))); }
  void operator()(absl::Span<const int64_t> value) const {
    add(absl::MakeConstSpan(std::vector<int64_t>(value.begin(), value.end())));
  }
  void operator()(const FlagList& value) const { (*this)(value.flags); }
  void operator()(const WordList& value) const { (*this)(value.words); }
  void operator()(absl::Span<const ComputationId> value) const {
    std::vector<ComputationId> list;
    for (ComputationId id : value) list.push_back(id.has_value() ? references.computation(id) : id);
    add(absl::MakeConstSpan(list));
  }
  void operator()(absl::Span<const InstructionId> value) const {
    std::vector<InstructionId> list;
    for (InstructionId id : value) {
      const InstructionId mapped = id.has_value() ? references.instruction(id) : id;
      if (mapped.has_value()) list.push_back(mapped);
    }
    if (!list.empty()) add(absl::MakeConstSpan(list));
  }
  void operator()(const Sharding& value) const { add(CopySharding(from, value, add.module)); }
  void operator()(const Metadata& value) const { add(CopyMetadata(from, value, add.module)); }
  void operator()(const DomainValue& value) const {
    DomainValue domain = value;
    domain.entry = CopySharding(from, std::move(domain.entry), add.module);
    domain.exit = CopySharding(from, std::move(domain.exit), add.module);
    add(std::move(domain));
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
    VisitAttribute(kind, ValueCopier{from, {to, target, kind}, references}, AttributeOwner{from, source});
  }
}

}  // namespace hloscope
