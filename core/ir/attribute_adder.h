// SPDX-License-Identifier: Apache-2.0
// Adds values of every type to an instruction: the counterpart of VisitAttribute (attribute_visitor.h).
#ifndef HLOSCOPE_CORE_IR_ATTRIBUTE_ADDER_H_
#define HLOSCOPE_CORE_IR_ATTRIBUTE_ADDER_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "core/ir/attribute_visitor.h"
#include "core/ir/module.h"

namespace hloscope {

// Values of types that hold references are those of `module`.
struct AttributeAdder {
  Module& module;
  InstructionId id;
  AttributeKind kind;
  uint32_t syntax = Module::kNoSyntax;

  void operator()(bool value) const { module.AddBool(id, kind, value, syntax); }
  void operator()(int64_t value) const { module.AddInt(id, kind, value, syntax); }
  void operator()(double value) const { module.AddFloat(id, kind, value, syntax); }
  void operator()(absl::string_view value) const { module.AddString(id, kind, value, syntax); }
  void operator()(absl::Span<const int64_t> value) const { module.AddInts(id, kind, value, syntax); }
  void operator()(const FlagList& value) const { (*this)(value.flags); }
  void operator()(const Word& value) const { module.AddWord(id, kind, static_cast<int>(value.word), syntax); }
  void operator()(const WordList& value) const { (*this)(value.words); }
  void operator()(std::vector<std::vector<int64_t>> value) const {
    module.AddIntLists(id, kind, std::move(value), syntax);
  }
  void operator()(absl::Span<const ComputationId> value) const { module.AddComputations(id, kind, value, syntax); }
  void operator()(absl::Span<const InstructionId> value) const { module.AddInstructions(id, kind, value, syntax); }
  void operator()(const Shape& value) const { module.AddShape(id, kind, value, syntax); }
  void operator()(std::vector<Shape> value) const { module.AddShapes(id, kind, std::move(value), syntax); }
  void operator()(Literal value) const { module.AddLiteral(id, kind, std::move(value), syntax); }
  void operator()(std::vector<AliasEntry> value) const { module.AddAliasing(id, kind, std::move(value), syntax); }
  void operator()(ReplicaGroups value) const { module.AddReplicaGroups(id, std::move(value), syntax); }
  void operator()(Window value) const { module.AddWindow(id, std::move(value), syntax); }
  void operator()(ConvolutionDimensionNumbers value) const { module.AddDimLabels(id, std::move(value), syntax); }
  void operator()(PaddingConfig value) const { module.AddPadding(id, std::move(value), syntax); }
  void operator()(std::vector<SliceRange> value) const { module.AddSliceRanges(id, std::move(value), syntax); }
  void operator()(SparsityConfig value) const { module.AddSparsity(id, std::move(value), syntax); }
  void operator()(BlockScalingConfig value) const { module.AddBlockScaling(id, std::move(value), syntax); }
  void operator()(RawValue value) const { module.AddRaw(id, kind, std::move(value), syntax); }
  void operator()(Sharding value) const { module.AddSharding(id, std::move(value), syntax); }
  void operator()(FrontendAttributes value) const { module.AddFrontendAttributes(id, std::move(value), syntax); }
  void operator()(Statistics value) const { module.AddStatistics(id, std::move(value), syntax); }
  void operator()(Origin value) const { module.AddOrigin(id, std::move(value), syntax); }
  void operator()(const Metadata& value) const { module.AddMetadata(id, value, syntax); }
  void operator()(ResultAccuracy value) const { module.AddResultAccuracy(id, value, syntax); }
  void operator()(DomainValue value) const { module.AddDomain(id, std::move(value), syntax); }
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_IR_ATTRIBUTE_ADDER_H_
