// SPDX-License-Identifier: Apache-2.0
#include "insight/fingerprint/fingerprint.h"

#include <cstddef>
#include <string>

#include "core/analysis/call_graph.h"
#include "core/analysis/instruction_attributes.h"
#include "core/print/header_printer.h"
#include "core/print/print_order.h"
#include "core/print/printer.h"

namespace hloscope::insight {
namespace {

class Hasher {
 public:
  Hasher(const Module& module, const FingerprintOptions& options) : module_(module), options_(options) {
    shapes_.resize(module.shape_count());
    upward_.resize(module.instruction_count());
    down_.resize(module.instruction_count());
    computations_.resize(module.computations().size());
    const CallGraph calls(module);
    const InstructionOrder order(module);
    for (ComputationId id : calls.callees_first()) HashComputation(id, order.Of(id));
  }

  const std::vector<Fingerprint>& computations() const { return computations_; }

  Fingerprint OfModule() const {
    StableHash hash;
    AddHeader(&hash);
    if (module_.entry().has_value()) hash.Add(computations_[module_.entry().index()]);
    Fingerprint all;  // whatever the order; shared or copied makes a difference
    for (const Fingerprint& one : computations_) all += one;
    return hash.Add(all).Get();
  }

 private:
  // An instruction is what it computes (from its operands up) and what becomes of it (from its users down); a
  // computation is the set of its instructions.
  void HashComputation(ComputationId id, const std::vector<InstructionId>& order) {
    const Computation& computation = module_.computation(id);
    for (InstructionId instruction : order) upward_[instruction.index()] = Upward(instruction);
    for (size_t i = order.size(); i-- > 0;) {
      const InstructionId at = order[i];
      StableHash hash;
      hash.Add(upward_[at.index()]).Add(down_[at.index()]).Add(uint64_t{computation.root == at});
      down_[at.index()] = hash.Get();
      PassDown(at);
    }
    Fingerprint all;
    for (InstructionId instruction : order) all += down_[instruction.index()];
    StableHash hash;
    hash.Add(all).Add(computation.execution_thread);
    computations_[id.index()] = hash.Get();
  }

  // What the users of an operand add to it.
  void PassDown(InstructionId user) {
    uint64_t position = 0;
    const auto pass = [&](InstructionId to, uint64_t place) {
      if (!to.has_value()) return;
      StableHash edge;
      edge.Add(down_[user.index()]).Add(place);
      down_[to.index()] += edge.Get();
    };
    for (InstructionId operand : module_.operands(user)) pass(operand, ++position);
    for (InstructionId other : module_.InstructionsAttribute(user, AttributeKind::kControlPredecessors)) pass(other, 0);
  }

  Fingerprint Upward(InstructionId id) {
    StableHash hash;
    AddOwn(id, &hash);
    ForEachCalleeInOrder(module_, id, false, [&](ComputationId callee) {
      hash.Add(callee.has_value() ? computations_[callee.index()] : Fingerprint());
    });
    hash.Add(uint64_t{module_.operands(id).size()});
    for (InstructionId operand : module_.operands(id)) {
      hash.Add(operand.has_value() ? upward_[operand.index()] : Fingerprint());
    }
    Fingerprint before;
    for (InstructionId other : module_.InstructionsAttribute(id, AttributeKind::kControlPredecessors)) {
      if (other.has_value()) before += upward_[other.index()];
    }
    return hash.Add(before).Get();
  }

  // Opcode, shape, value and attributes.
  void AddOwn(InstructionId id, StableHash* hash) {
    const Instruction& instruction = module_.instruction(id);
    hash->Add(OpcodeName(instruction.opcode));
    hash->Add(ShapeHash(instruction.shape));
    if (instruction.opcode == Opcode::kParameter) hash->Add(uint64_t{instruction.parameter_number});
    if (instruction.literal.has_value()) AddLiteral(module_.literal(id), hash);
    for (const auto& [kind, text] : AttributeTexts(module_, id, AttributesCompared::kAll)) {
      if (kind == AttributeKind::kOrigin || kind == AttributeKind::kStatistics) continue;
      if (options_.ignore_backend_config && kind == AttributeKind::kBackendConfig) continue;
      hash->Add(AttributeName(kind));
      if (kind == AttributeKind::kLiteral && module_.LiteralAttribute(id, kind) != nullptr) {
        AddLiteral(*module_.LiteralAttribute(id, kind), hash);  // its text leaves out the values of large ones
      } else if (kind == AttributeKind::kSharding) {
        PrintOptions plain;
        plain.metadata = false;
        hash->Add(PrintAttributeValue(module_, id, kind, plain));
      } else {
        hash->Add(text);
      }
    }
  }

  void AddLiteral(const Literal& literal, StableHash* hash) const {
    if (!literal.shape().IsTuple()) {
      if (literal.IsElided()) return static_cast<void>(hash->Add(absl::string_view("...")));
      // Zeros at the end may be left out.
      absl::Span<const uint8_t> bytes = literal.bytes();
      while (!bytes.empty() && bytes.back() == 0) bytes.remove_suffix(1);
      hash->Add(absl::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
      return;
    }
    hash->Add(uint64_t{literal.elements().size()});
    for (const Literal& element : literal.elements()) AddLiteral(element, hash);
  }

  const Fingerprint& ShapeHash(ShapeId id) {
    Fingerprint& known = shapes_[id.index()];
    if (known == Fingerprint()) {
      StableHash hash;
      AddShape(module_.shape(id), &hash);
      known = hash.Get();
    }
    return known;
  }

  void AddShape(const Shape& shape, StableHash* hash) const {
    if (!options_.ignore_shapes) {
      hash->Add(options_.ignore_layouts ? shape.ToString(false) : shape.ToStringWithDefaultLayouts());
      return;
    }
    hash->Add(ElementTypeName(shape.element_type())).Add(uint64_t{static_cast<uint64_t>(shape.tuple_size())});
    for (const Shape& element : shape.elements()) AddShape(element, hash);
  }

  void AddHeader(StableHash* hash) const {
    // As it prints, but for names.
    Module plain;
    plain.mutable_header() = module_.header();
    ModuleHeader& header = plain.mutable_header();
    header.name.clear();
    header.stack_frames = {};
    header.entry_computation_layout.reset();
    header.origin_recovery_table.clear();
    header.debug_attributes.clear();
    std::string text;
    PrintOptions options;
    options.metadata = false;
    AppendHeader(plain, options, &text);
    hash->Add(text);
    const EntryComputationLayout layout = EntryLayoutOf(module_);
    for (const Shape& shape : layout.parameters) AddShape(shape, hash);
    AddShape(layout.result, hash);
  }

  const Module& module_;
  const FingerprintOptions options_;
  std::vector<Fingerprint> shapes_, upward_, down_, computations_;
};

}  // namespace

Fingerprint FingerprintOf(const Module& module, const FingerprintOptions& options) {
  return Hasher(module, options).OfModule();
}

std::vector<Fingerprint> ComputationFingerprints(const Module& module, const FingerprintOptions& options) {
  return Hasher(module, options).computations();
}

}  // namespace hloscope::insight
