// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/extract.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/analysis/prune_stack_frames.h"
#include "core/print/printer.h"

namespace hloscope {
namespace {

bool IsDone(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAllGatherDone:
    case Opcode::kAllReduceDone:
    case Opcode::kAsyncDone:
    case Opcode::kAsyncUpdate:
    case Opcode::kCollectivePermuteDone:
    case Opcode::kCopyDone:
    case Opcode::kRecvDone:
    case Opcode::kSendDone:
      return true;
    default:
      return false;
  }
}

bool HoldsBuffer(const Shape& shape) {
  if (shape.IsBuffer()) return true;
  return std::any_of(shape.elements().begin(), shape.elements().end(), HoldsBuffer);
}

// Which instructions come along, and which become parameters.
class Selection {
 public:
  Selection(const Module& module, const UserIndex& users, const ExtractOptions& options)
      : module_(module), users_(users), options_(options) {}

  void Grow(InstructionId center) {
    Add(center, options_.depth);
    while (next_ < queue_.size()) {
      const InstructionId id = queue_[next_++];
      const int steps = steps_left_[id];
      if (IsDone(module_.opcode(id))) {
        for (InstructionId operand : module_.operands(id)) Add(operand, steps);
      }
      for (InstructionId user : users_.users(id)) {
        if (IsDone(module_.opcode(user))) Add(user, 0);
      }
      for (InstructionId operand : module_.operands(id)) {
        const bool must = HoldsBuffer(module_.shape(operand)) || module_.opcode(operand) == Opcode::kConstant;
        const bool stops = options_.stop && options_.stop(operand);
        if ((steps > 0 && !stops) || must) Add(operand, std::max(steps - 1, 0));
      }
    }
  }

  bool Has(InstructionId id) const { return steps_left_.contains(id); }

 private:
  // Breadth first, so that the first visit mostly has the most steps left; a later one that has more goes on again.
  void Add(InstructionId id, int steps) {
    if (!id.has_value() || module_.opcode(id) == Opcode::kParameter) return;
    const auto [it, inserted] = steps_left_.try_emplace(id, steps);
    if (!inserted && it->second >= steps) return;
    it->second = steps;
    queue_.push_back(id);
  }

  const Module& module_;
  const UserIndex& users_;
  const ExtractOptions& options_;
  absl::flat_hash_map<InstructionId, int> steps_left_;
  std::vector<InstructionId> queue_;
  size_t next_ = 0;
};

// The parts of a printed module by what they show.
struct PrintedParts {
  explicit PrintedParts(PrintedModule printed) : text(std::move(printed.text)) {
    using Kind = PrintedModule::Part::Kind;
    tables_end = static_cast<uint32_t>(text.size());
    for (const PrintedModule::Part& part : printed.parts) {
      if (part.kind == Kind::kHeader) header_end = part.end;
      if (part.kind == Kind::kInstruction) instructions[part.instruction] = {part.begin, part.end};
      if (part.kind == Kind::kComputationOpen) {
        computations[part.computation].first = part.begin;
        order.push_back(part.computation);
        tables_end = std::min(tables_end, part.begin);
      }
      if (part.kind == Kind::kComputationClose) computations[part.computation].second = part.end;
    }
  }
  absl::string_view Slice(std::pair<uint32_t, uint32_t> range) const {
    return absl::string_view(text).substr(range.first, range.second - range.first);
  }
  absl::string_view Of(InstructionId id) const {
    const auto it = instructions.find(id);
    return it == instructions.end() ? absl::string_view() : Slice(it->second);
  }

  std::string text;
  absl::flat_hash_map<InstructionId, std::pair<uint32_t, uint32_t>> instructions;
  absl::flat_hash_map<ComputationId, std::pair<uint32_t, uint32_t>> computations;
  std::vector<ComputationId> order;
  uint32_t header_end = 0, tables_end = 0;  // the stack-frame tables are between them
};

PrintOptions Options(bool control_predecessors) {
  PrintOptions options = PrintOptions::Long();
  options.large_constants = options.keep_written_digits = true;
  options.async_sugar = false;
  options.control_predecessors = control_predecessors;
  return options;
}

// Computations called from the selected instructions, directly or not.
std::vector<bool> CalledComputations(const Module& module, const std::vector<InstructionId>& selected) {
  std::vector<bool> called(module.computations().size(), false);
  std::vector<ComputationId> open;
  const auto visit = [&](InstructionId id) {
    if (module.instruction(id).attribute_count == 0) return;
    module.ForEachCalledComputation(id, [&](AttributeKind, ComputationId callee) {
      if (!callee.has_value() || called[callee.index()]) return;
      called[callee.index()] = true;
      open.push_back(callee);
    });
  };
  for (InstructionId id : selected) visit(id);
  while (!open.empty()) {
    const ComputationId at = open.back();
    open.pop_back();
    for (InstructionId id : module.computation(at).instructions) visit(id);
  }
  return called;
}

// The name that an instruction's text begins with: "%add.3".
absl::string_view PrintedName(absl::string_view text) {
  text = absl::StripPrefix(text, "ROOT ");
  return text.substr(0, text.find(" = "));
}

}  // namespace

std::string ExtractModule(const Module& module, const UserIndex& users, InstructionId center,
                          const ExtractOptions& options) {
  std::vector<InstructionId> parameters;
  return ExtractModule(module, users, center, options, &parameters);
}

std::string ExtractModule(const Module& module, const UserIndex& users, InstructionId center,
                          const ExtractOptions& options, std::vector<InstructionId>* parameter_ids) {
  parameter_ids->clear();
  Selection selection(module, users, options);
  selection.Grow(center);
  const ComputationId computation = module.instruction(center).computation;
  std::vector<InstructionId> selected;
  for (InstructionId id : module.computation(computation).instructions) {
    if (selection.Has(id)) selected.push_back(id);
  }

  const std::vector<bool> called = CalledComputations(module, selected);
  Module pruned = module;
  PruneStackFrames(pruned, [&](InstructionId id) {
    return selection.Has(id) || called[module.instruction(id).computation.index()];
  });
  const PrintedParts whole(PrintModuleWithPositions(pruned, Options(true)));
  const PrintedParts parts(PrintModuleWithPositions(pruned, Options(false)));
  const ModuleHeader& header = module.header();
  std::string text = "HloModule extract";
  if (header.replica_count != 1) absl::StrAppend(&text, ", replica_count=", header.replica_count);
  if (header.num_partitions != 1) absl::StrAppend(&text, ", num_partitions=", header.num_partitions);
  absl::StrAppend(&text, whole.Slice({whole.header_end, whole.tables_end}));
  if (!absl::EndsWith(text, "\n")) absl::StrAppend(&text, "\n");
  for (ComputationId id : whole.order) {
    if (called[id.index()]) absl::StrAppend(&text, whole.Slice(whole.computations.at(id)), "\n\n");
  }

  absl::StrAppend(&text, "ENTRY %extract_entry {\n");
  absl::flat_hash_map<InstructionId, size_t> parameters;
  const auto add_parameter = [&](InstructionId id, bool is_root) {
    if (!id.has_value() || selection.Has(id)) return;
    const size_t number = parameters.size();
    if (!parameters.emplace(id, number).second) return;
    parameter_ids->push_back(id);
    absl::StrAppend(&text, is_root ? "  ROOT " : "  ", PrintedName(parts.Of(id)), " = ",
                    module.shape(id).ToStringWithDefaultLayouts(), " parameter(", number, ")\n");
  };
  if (selected.empty()) add_parameter(center, /*is_root=*/true);
  for (InstructionId id : selected) {
    for (InstructionId operand : module.operands(id)) add_parameter(operand, /*is_root=*/false);
  }
  for (InstructionId id : selected) {
    absl::StrAppend(&text, id == center ? "  ROOT " : "  ", absl::StripPrefix(parts.Of(id), "ROOT "), "\n");
  }
  return absl::StrCat(text, "}\n");
}

}  // namespace hloscope
