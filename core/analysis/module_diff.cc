// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/module_diff.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "core/analysis/instruction_attributes.h"
#include "core/diagnostics/count_text.h"
#include "core/print/attribute_printer.h"
#include "core/print/header_printer.h"
#include "core/print/printer.h"

namespace hloscope {
namespace {

std::string NameText(const Module& module, InstructionId id) {
  return id.has_value() ? absl::StrCat("%", module.InstructionName(id)) : "unreadable";
}

std::string NameText(const Module& module, ComputationId id) {
  return id.has_value() ? absl::StrCat("%", module.ComputationName(id)) : "unreadable";
}

std::vector<std::string> LayoutTexts(const EntryComputationLayout& layout, const IgnoredInDiff& ignored) {
  const auto text = [&](const Shape& shape) {
    return ignored.shapes || ignored.layouts ? ComparedShape(shape, ignored) : shape.ToString();
  };
  std::vector<std::string> texts;
  for (const Shape& shape : layout.parameters) texts.push_back(text(shape));
  texts.push_back(text(layout.result));
  return texts;
}

// Tables of origins and debugging as they print, alone.
std::string NotesText(const ModuleHeader& header) {
  Module notes;
  notes.mutable_header().origin_recovery_table = header.origin_recovery_table;
  notes.mutable_header().debug_attributes = header.debug_attributes;
  std::string text;
  AppendHeader(notes, PrintOptions(), &text);
  return text;
}

class Differ {
 public:
  Differ(const Module& a, const Module& b, const IgnoredInDiff& ignored)
      : a_(a), b_(b), ignored_(ignored), matching_(MatchModules(a, b, ignored)) {
    for (const auto& [from, to] : matching_.computations) PairOtherOpcodes(from, to);
  }

  ModuleDiff Run() const {
    ModuleDiff diff;
    diff.header = HeaderChanges();
    for (const auto& [a, b] : matching_.computations) diff.computations.push_back(Compare(a, b));
    const ByContent by_content_a = IndexOf(matching_.content_a), by_content_b = IndexOf(matching_.content_b);
    for (uint32_t c = 0; c < a_.computations().size(); ++c) {
      if (matching_.computation_in_b[c].has_value()) continue;
      diff.computations.push_back(Whole(ComputationId(c), {}, matching_.content_a[c], by_content_b));
    }
    for (uint32_t c = 0; c < b_.computations().size(); ++c) {
      if (matching_.computation_in_a[c].has_value()) continue;
      diff.computations.push_back(Whole({}, ComputationId(c), matching_.content_b[c], by_content_a));
    }
    return diff;
  }

 private:
  using ByContent = absl::flat_hash_map<uint64_t, ComputationId>;

  static ByContent IndexOf(const std::vector<uint64_t>& contents) {
    ByContent index;
    for (uint32_t c = 0; c < contents.size(); ++c) index.try_emplace(contents[c], ComputationId(c));
    return index;
  }

  // What is left of one name, shape and operands computes the same value in another way, or another value in its place.
  void PairOtherOpcodes(ComputationId from, ComputationId to) {
    absl::flat_hash_map<absl::string_view, InstructionId> left;
    for (InstructionId id : b_.computation(to).instructions) {
      if (!matching_.in_a[id.index()].has_value()) left.try_emplace(b_.InstructionName(id), id);
    }
    if (left.empty()) return;
    for (InstructionId id : a_.computation(from).instructions) {
      if (matching_.in_b[id.index()].has_value() || a_.operands(id).empty()) continue;
      const auto found = left.find(a_.InstructionName(id));
      if (found == left.end() || !absl::c_equal(a_.operands(id), b_.operands(found->second),
                                                [&](InstructionId x, InstructionId y) { return Correspond(x, y); })) {
        continue;
      }
      const InstructionId other = found->second;
      if (ComparedShape(a_.shape(id), ignored_) != ComparedShape(b_.shape(other), ignored_)) continue;
      matching_.in_b[id.index()] = other;
      matching_.in_a[other.index()] = id;
      left.erase(found);
    }
  }

  std::vector<std::string> HeaderChanges() const {
    const ModuleHeader &a = a_.header(), &b = b_.header();
    std::vector<std::string> changes;
    const auto differ = [&](absl::string_view what, bool same) {
      if (!same) changes.push_back(absl::StrCat(what, " differs"));
    };
    differ("is_scheduled", a.is_scheduled == b.is_scheduled);
    differ("replica_count", a.replica_count == b.replica_count);
    differ("num_partitions", a.num_partitions == b.num_partitions);
    differ("input_output_alias", a.input_output_alias == b.input_output_alias);
    differ("buffer_donor", a.buffer_donor == b.buffer_donor);
    differ("alias_passthrough_params", a.alias_passthrough_params == b.alias_passthrough_params);
    differ("entry_computation_layout",
           LayoutTexts(EntryLayoutOf(a_), ignored_) == LayoutTexts(EntryLayoutOf(b_), ignored_));
    differ("allow_spmd_sharding_propagation_to_parameters",
           a.allow_spmd_sharding_propagation_to_parameters == b.allow_spmd_sharding_propagation_to_parameters);
    differ("allow_spmd_sharding_propagation_to_output",
           a.allow_spmd_sharding_propagation_to_output == b.allow_spmd_sharding_propagation_to_output);
    differ("frontend_attributes", a.frontend_attributes == b.frontend_attributes);
    differ("origin_recovery_table or debug_attributes", NotesText(a) == NotesText(b));
    return changes;
  }

  bool Correspond(InstructionId a, InstructionId b) const {
    return a.has_value() && b.has_value() ? matching_.in_b[a.index()] == b : a == b;
  }
  // Callers may share one computation in one module and have equal copies of it in the other.
  bool Correspond(ComputationId a, ComputationId b) const {
    if (!a.has_value() || !b.has_value()) return a == b;
    return matching_.computation_in_b[a.index()] == b ||
           matching_.content_a[a.index()] == matching_.content_b[b.index()];
  }

  // What an attribute refers to. The order of control predecessors and of operands' users never counts.
  template <typename Id>
  void AddReferenceChanges(AttributeKind kind, absl::Span<const Id> a, absl::Span<const Id> b,
                           std::vector<std::string>* changes) const {
    const absl::string_view name = AttributeName(kind);
    if (a.size() != b.size()) {
      changes->push_back(absl::StrCat("attribute ", name, " has ", b.size(), " instead of ", a.size(), " elements"));
      return;
    }
    const bool is_set = InfoOf(kind).type == AttributeType::kInstructions;
    for (size_t k = 0; k < a.size(); ++k) {
      const auto corresponds = [&](Id other) { return Correspond(a[k], other); };
      if (is_set ? std::any_of(b.begin(), b.end(), corresponds) : corresponds(b[k])) continue;
      changes->push_back(absl::StrCat("attribute ", name, a.size() > 1 ? absl::StrCat("[", k, "]") : "", " was ",
                                      NameText(a_, a[k]), ", is now ", NameText(b_, b[k])));
    }
  }

  void AddReferenceChanges(InstructionId x, InstructionId y, std::vector<std::string>* changes) const {
    const auto compare = [&](AttributeKind kind) {
      const AttributeType type = InfoOf(kind).type;
      if (type == AttributeType::kComputation || type == AttributeType::kComputations) {
        AddReferenceChanges(kind, a_.ComputationsAttribute(x, kind), b_.ComputationsAttribute(y, kind), changes);
      } else if (type == AttributeType::kInstructions) {
        AddReferenceChanges(kind, a_.InstructionsAttribute(x, kind), b_.InstructionsAttribute(y, kind), changes);
      }
    };
    for (AttributeKind kind : InfoOf(a_.opcode(x)).attributes) compare(kind);
    for (AttributeKind kind : CommonAttributes()) compare(kind);
  }

  void AddAttributeChanges(InstructionId x, InstructionId y, std::vector<std::string>* changes) const {
    const auto texts = [&](const Module& module, InstructionId id) {
      auto list = AttributeTexts(module, id, AttributesCompared::kAll);
      if (ignored_.backend_config) {
        std::erase_if(list, [](const auto& one) { return one.first == AttributeKind::kBackendConfig; });
      }
      return list;
    };
    const auto attributes_a = texts(a_, x), attributes_b = texts(b_, y);
    const auto find = [](const auto& list, AttributeKind kind) -> const std::string* {
      for (const auto& [other, text] : list) {
        if (other == kind) return &text;
      }
      return nullptr;
    };
    for (const auto& [kind, text] : attributes_a) {
      const std::string* other = find(attributes_b, kind);
      if (other == nullptr) {
        changes->push_back(absl::StrCat("attribute ", AttributeName(kind), "=", text, " is gone"));
      } else if (*other != text) {
        changes->push_back(absl::StrCat("attribute ", AttributeName(kind), " ", text, " became ", *other));
      }
    }
    for (const auto& [kind, text] : attributes_b) {
      if (find(attributes_a, kind) == nullptr) {
        changes->push_back(absl::StrCat("attribute ", AttributeName(kind), "=", text, " is new"));
      }
    }
    AddReferenceChanges(x, y, changes);
  }

  std::vector<std::string> Changes(InstructionId x, InstructionId y) const {
    std::vector<std::string> changes;
    if (a_.opcode(x) != b_.opcode(y)) {
      changes.push_back(absl::StrCat("opcode ", OpcodeName(a_.opcode(x)), " became ", OpcodeName(b_.opcode(y))));
    }
    const std::string shape_a = ComparedShape(a_.shape(x), ignored_), shape_b = ComparedShape(b_.shape(y), ignored_);
    if (shape_a != shape_b) changes.push_back(absl::StrCat("shape ", shape_a, " became ", shape_b));
    const Instruction &from = a_.instruction(x), &to = b_.instruction(y);
    if (from.opcode == Opcode::kParameter && from.parameter_number != to.parameter_number) {
      changes.push_back(absl::StrCat("parameter number ", from.parameter_number, " became ", to.parameter_number));
    }
    if (from.operand_count != to.operand_count) {
      changes.push_back(
          absl::StrCat("it has ", CountOf(to.operand_count, "operand"), " instead of ", from.operand_count));
    }
    for (size_t k = 0; k < std::min(a_.operands(x).size(), b_.operands(y).size()); ++k) {
      if (Correspond(a_.operand(x, k), b_.operand(y, k))) continue;
      changes.push_back(absl::StrCat("operand ", k, " was ", NameText(a_, a_.operand(x, k)), ", is now ",
                                     NameText(b_, b_.operand(y, k))));
    }
    if (from.literal.has_value() != to.literal.has_value() ||
        (from.literal.has_value() && !(a_.literal(x) == b_.literal(y)))) {
      changes.emplace_back("the value of the constant changed");
    }
    AddAttributeChanges(x, y, &changes);
    return changes;
  }

  ComputationDiff Compare(ComputationId a, ComputationId b) const {
    ComputationDiff diff;
    diff.a = a;
    diff.b = b;
    const Computation &from = a_.computation(a), &to = b_.computation(b);
    if (from.execution_thread != to.execution_thread) {
      diff.changes.push_back(
          absl::StrCat("execution_thread \"", from.execution_thread, "\" became \"", to.execution_thread, "\""));
    }
    for (InstructionId id : from.instructions) {
      const InstructionId other = matching_.in_b[id.index()];
      if (!other.has_value()) {
        diff.removed.push_back(id);
        continue;
      }
      std::vector<std::string> changes = Changes(id, other);
      const bool was_root = from.root == id, is_root = to.root == other;
      if (was_root != is_root) changes.emplace_back(is_root ? "it is the root now" : "it is no longer the root");
      if (!changes.empty()) {
        diff.changed.push_back({id, other, std::move(changes)});
        continue;
      }
      ++diff.unchanged;
      diff.same.emplace_back(id, other);
      diff.renamed += a_.InstructionName(id) != b_.InstructionName(other);
    }
    for (InstructionId id : to.instructions) {
      if (!matching_.in_a[id.index()].has_value()) diff.added.push_back(id);
    }
    return diff;
  }

  // A computation of one module only.
  ComputationDiff Whole(ComputationId a, ComputationId b, uint64_t content, const ByContent& of_other) const {
    ComputationDiff diff;
    diff.a = a;
    diff.b = b;
    diff.content = content;
    if (const auto it = of_other.find(content); it != of_other.end()) diff.equal = it->second;
    (a.has_value() ? diff.removed : diff.added) =
        a.has_value() ? a_.computation(a).instructions : b_.computation(b).instructions;
    return diff;
  }

  const Module &a_, &b_;
  const IgnoredInDiff ignored_;
  ModuleMatching matching_;
};

}  // namespace

bool ModuleDiff::IsEmpty() const {
  return header.empty() && std::all_of(computations.begin(), computations.end(),
                                       [](const ComputationDiff& computation) { return computation.IsEmpty(); });
}

ModuleDiff DiffModules(const Module& a, const Module& b, const IgnoredInDiff& ignored) {
  return Differ(a, b, ignored).Run();
}

}  // namespace hloscope
