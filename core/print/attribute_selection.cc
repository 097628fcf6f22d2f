// SPDX-License-Identifier: Apache-2.0
#include "core/print/attribute_selection.h"

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/print/attribute_presence.h"
#include "core/print/attribute_printer.h"

namespace hloscope {
namespace {

// Attributes that always print, and that the text does not have.
bool IsLeftOut(const Module& module, const PrintOptions& options, InstructionId id, AttributeKind kind) {
  // Of a custom call that says its computations twice, once is enough.
  if (kind == AttributeKind::kToApply && module.HasAttribute(id, AttributeKind::kCalledComputations)) return true;
  if (module.HasAttribute(id, kind)) return false;
  if (options.keep_written_defaults) return true;
  // Versions of not long ago did not print it (section 9).
  return options.order == PrintOrder::kText && kind == AttributeKind::kIsStable;
}

// Whether instructions without attributes print some.
bool HasAlwaysPrinted(Opcode opcode) {
  static const std::vector<bool>* const kHas = [] {
    auto* has = new std::vector<bool>(static_cast<size_t>(Opcode::kInvalid) + AllOpcodes().size() + 1);
    for (Opcode op : AllOpcodes()) {
      const auto attributes = InfoOf(op).attributes;
      (*has)[static_cast<size_t>(op)] =
          std::any_of(attributes.begin(), attributes.end(), [&](AttributeKind kind) { return AlwaysPrints(op, kind); });
    }
    return has;
  }();
  return (*kHas)[static_cast<size_t>(opcode)];
}

class Selection {
 public:
  Selection(const Module& module, const PrintOptions& options, InstructionId id)
      : module_(module), options_(options), id_(id) {
    for (const Attribute& attribute : module.attributes(id)) own_.set(static_cast<size_t>(attribute.kind));
  }

  void Add(InstructionId owner, AttributeKind kind) {
    const bool may_have = owner == id_ ? own_.test(static_cast<size_t>(kind)) : module_.MayHave(kind);
    if (!may_have && !AlwaysPrints(module_.opcode(owner), kind)) return;
    if (IsSelected(module_, options_, owner, kind)) attributes_.push_back({owner, kind});
  }

  // What the opcode has of its own.
  void AddOwn(InstructionId id) {
    const Opcode opcode = module_.opcode(id);
    for (AttributeKind kind : InfoOf(opcode).attributes) {
      // The other links of a chain never repeat what the start says.
      if (kind == AttributeKind::kCalls && !options_.keep_written_defaults &&
          (opcode == Opcode::kAsyncUpdate || opcode == Opcode::kAsyncDone)) {
        continue;
      }
      if (kind != AttributeKind::kResultAccuracy) Add(id, kind);
    }
    if (opcode == Opcode::kParameter) Add(id, AttributeKind::kParameterReplication);
  }

  // Of an asynchronous start: everything of the wrapped instruction, items 1 to 7 of 7.4.
  void AddSugared(InstructionId id, InstructionId wrapped) {
    Add(id, AttributeKind::kAsyncExecutionThread);
    for (AttributeKind kind : InfoOf(module_.opcode(wrapped)).attributes) {
      if (kind != AttributeKind::kResultAccuracy) Add(wrapped, kind);
    }
    // Both may carry these.
    for (AttributeKind kind : TrailingAttributes()) {
      if (kind == AttributeKind::kOrigin) break;
      if (!IsSelected(module_, options_, id, kind)) Add(wrapped, kind);
    }
  }

  // Attributes that the text has, in its order, in the places that they take together.
  void RestoreWrittenOrder() {
    absl::InlinedVector<size_t, 12> places;
    absl::InlinedVector<std::pair<uint32_t, SelectedAttribute>, 12> written;
    for (size_t i = 0; i < attributes_.size(); ++i) {
      const Attribute* const attribute = module_.FindAttribute(attributes_[i].owner, attributes_[i].kind);
      if (attribute == nullptr || attribute->syntax == Module::kNoSyntax) continue;
      places.push_back(i);
      written.emplace_back(attribute->syntax, attributes_[i]);
    }
    std::stable_sort(written.begin(), written.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t i = 0; i < places.size(); ++i) attributes_[places[i]] = written[i].second;
  }

  SelectedAttributes Take() { return std::move(attributes_); }

 private:
  const Module& module_;
  const PrintOptions& options_;
  const InstructionId id_;
  std::bitset<256> own_;  // kinds that the instruction has
  SelectedAttributes attributes_;
};

}  // namespace

bool IsSelected(const Module& module, const PrintOptions& options, InstructionId id, AttributeKind kind) {
  if (kind == AttributeKind::kMetadata && !options.metadata) return false;
  if (kind == AttributeKind::kBackendConfig && !options.backend_config) return false;
  if (kind == AttributeKind::kControlPredecessors && !options.control_predecessors) return false;
  // What is written stays, defaults and what readers ignore too.
  if (options.keep_written_defaults && module.HasAttribute(id, kind)) return true;
  return AttributePrints(module, id, kind) && !IsLeftOut(module, options, id, kind);
}

SelectedAttributes SelectAttributes(const Module& module, const PrintOptions& options, InstructionId id,
                                    InstructionId wrapped) {
  if (!wrapped.has_value() && module.attributes(id).empty() && !HasAlwaysPrinted(module.opcode(id))) return {};
  Selection selection(module, options, id);
  if (!wrapped.has_value()) {
    selection.AddOwn(id);
  } else {
    if (module.opcode(id) == Opcode::kAsyncStart) selection.AddSugared(id, wrapped);
    selection.Add(id, AttributeKind::kOutputToOperandAliasing);
  }
  for (AttributeKind kind : TrailingAttributes()) selection.Add(id, kind);
  if (options.keep_written_defaults && options.order == PrintOrder::kText) selection.RestoreWrittenOrder();
  return selection.Take();
}

}  // namespace hloscope
