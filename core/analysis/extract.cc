// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/extract.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/analysis/prune_stack_frames.h"
#include "core/print/header_printer.h"
#include "core/print/printer.h"
#include "core/print/shape_printer.h"

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

  std::vector<InstructionId> All() const {
    std::vector<InstructionId> all;
    for (const auto& [id, steps] : steps_left_) all.push_back(id);
    return all;
  }

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

}  // namespace

// The parts of a printed module by what they show.
struct PrintedParts {
  explicit PrintedParts(PrintedModule printed)
      : text(std::move(printed.text)), stack_frame_numbers(std::move(printed.stack_frame_numbers)) {
    using Kind = PrintedModule::Part::Kind;
    for (const PrintedModule::Part& part : printed.parts) {
      if (part.kind == Kind::kInstruction) instructions[part.instruction] = {part.begin, part.end};
      if (part.kind == Kind::kComputationOpen) {
        computations[part.computation] = {{part.begin, part.end}, computations.size()};
      }
      if (part.kind == Kind::kComputationClose) computations[part.computation].end = part.end;
    }
  }

  struct Range {
    uint32_t begin = 0, end = 0;
  };
  struct ComputationRange : Range {
    size_t order = 0;
  };

  absl::string_view Of(InstructionId id) const {
    const auto it = instructions.find(id);
    if (it == instructions.end()) return "";
    return absl::string_view(text).substr(it->second.begin, it->second.end - it->second.begin);
  }

  std::string text;
  absl::flat_hash_map<InstructionId, Range> instructions;
  absl::flat_hash_map<ComputationId, ComputationRange> computations;
  std::vector<PrintedModule::StackFrameNumber> stack_frame_numbers;
};

namespace {

PrintOptions Options(LayoutText layouts, bool control_predecessors) {
  PrintOptions options = PrintOptions::Long();
  options.large_constants = options.keep_written_digits = true;
  options.async_sugar = false;
  options.layouts = layouts;
  options.control_predecessors = control_predecessors;
  return options;
}

// Computations called from the selected instructions, directly or not.
std::vector<ComputationId> CalledComputations(const Module& module, const std::vector<InstructionId>& selected) {
  absl::flat_hash_set<ComputationId> seen;
  std::vector<ComputationId> called;
  const auto visit = [&](InstructionId id) {
    if (module.instruction(id).attribute_count == 0) return;
    module.ForEachCalledComputation(id, [&](AttributeKind, ComputationId callee) {
      if (callee.has_value() && seen.insert(callee).second) called.push_back(callee);
    });
  };
  for (InstructionId id : selected) visit(id);
  for (size_t next = 0; next < called.size(); ++next) {
    for (InstructionId id : module.computation(called[next]).instructions) visit(id);
  }
  return called;
}

// The name that an instruction's text begins with: "%add.3".
absl::string_view PrintedName(absl::string_view text) {
  text = absl::StripPrefix(text, "ROOT ");
  return text.substr(0, text.find(" = "));
}

// Text whose numbers of stack frames change.
class RenumberedText {
 public:
  explicit RenumberedText(const StackFrameTables& tables) : tables_(tables) {}

  void Add(absl::string_view text) { parts_.push_back({nullptr, text}); }
  void Add(const PrintedParts& parts, PrintedParts::Range range) {
    parts_.push_back({&parts, absl::string_view(parts.text).substr(range.begin, range.end - range.begin)});
    for (const PrintedModule::StackFrameNumber* number = First(parts_.back()); number != nullptr;
         number = Next(parts_.back(), number)) {
      frames_.push_back(number->number);
    }
  }

  // The tables, and then the text.
  std::string Finish() const {
    std::string text;
    const PrunedStackFrames pruned = PruneStackFrames(tables_, frames_);
    if (!pruned.tables.empty()) AppendStackFrames(pruned.tables, &text);
    for (const Part& part : parts_) {
      size_t done = 0;
      for (const PrintedModule::StackFrameNumber* number = First(part); number != nullptr;
           number = Next(part, number)) {
        const size_t offset = static_cast<size_t>(part.text.data() - part.printed->text.data());
        const auto it = pruned.numbers.find(number->number);
        const int32_t now = it == pruned.numbers.end() ? number->number : it->second;
        absl::StrAppend(&text, part.text.substr(done, number->begin - offset - done), now);
        done = number->end - offset;
      }
      absl::StrAppend(&text, part.text.substr(done));
    }
    return text;
  }

 private:
  struct Part {
    const PrintedParts* printed;  // null: without numbers
    absl::string_view text;
  };

  // The first number in the part; null if there is none.
  static const PrintedModule::StackFrameNumber* First(const Part& part) {
    if (part.printed == nullptr) return nullptr;
    const auto& numbers = part.printed->stack_frame_numbers;
    const size_t begin = static_cast<size_t>(part.text.data() - part.printed->text.data());
    const auto it = std::lower_bound(
        numbers.begin(), numbers.end(), begin,
        [](const PrintedModule::StackFrameNumber& number, size_t offset) { return number.begin < offset; });
    return it == numbers.end() || it->begin >= begin + part.text.size() ? nullptr : &*it;
  }
  static const PrintedModule::StackFrameNumber* Next(const Part& part, const PrintedModule::StackFrameNumber* number) {
    const auto& numbers = part.printed->stack_frame_numbers;
    const size_t end = static_cast<size_t>(part.text.data() - part.printed->text.data()) + part.text.size();
    return ++number == numbers.data() + numbers.size() || number->begin >= end ? nullptr : number;
  }

  const StackFrameTables& tables_;
  std::vector<Part> parts_;
  std::vector<int32_t> frames_;
};

}  // namespace

class ModuleExtractor::Texts {
 public:
  explicit Texts(const Module& module)
      : layouts(LayoutHabit(module)),
        whole(PrintModuleWithPositions(module, Options(layouts, true))),
        parts(PrintModuleWithPositions(module, Options(layouts, false))),
        position(module.instruction_count()) {
    for (const Computation& computation : module.computations()) {
      for (size_t k = 0; k < computation.instructions.size(); ++k) {
        position[computation.instructions[k].index()] = static_cast<uint32_t>(k);
      }
    }
  }

  const LayoutText layouts;
  const PrintedParts whole, parts;  // with control dependencies, and without
  std::vector<uint32_t> position;   // of an instruction in its computation
};

ModuleExtractor::ModuleExtractor(const Module& module, const UserIndex& users) : module_(module), users_(users) {}
ModuleExtractor::~ModuleExtractor() = default;

std::string ModuleExtractor::NameOf(InstructionId id) const {
  if (texts_ == nullptr) texts_ = std::make_unique<const Texts>(module_);
  return std::string(absl::StripPrefix(PrintedName(texts_->parts.Of(id)), "%"));
}

std::string ModuleExtractor::Extract(InstructionId center, const ExtractOptions& options,
                                     std::vector<InstructionId>* parameter_ids) const {
  if (parameter_ids != nullptr) parameter_ids->clear();
  if (texts_ == nullptr) texts_ = std::make_unique<const Texts>(module_);
  const PrintedParts &whole = texts_->whole, &parts = texts_->parts;
  Selection selection(module_, users_, options);
  selection.Grow(center);
  const ComputationId computation = module_.instruction(center).computation;
  std::vector<InstructionId> selected;
  for (InstructionId id : selection.All()) {
    if (module_.instruction(id).computation == computation) selected.push_back(id);
  }
  std::sort(selected.begin(), selected.end(), [&](InstructionId a, InstructionId b) {
    return texts_->position[a.index()] < texts_->position[b.index()];
  });

  RenumberedText text(module_.header().stack_frames);
  std::vector<PrintedParts::ComputationRange> called;
  for (ComputationId id : CalledComputations(module_, selected)) {
    if (const auto it = whole.computations.find(id); it != whole.computations.end()) called.push_back(it->second);
  }
  std::sort(called.begin(), called.end(),
            [](const PrintedParts::ComputationRange& a, const PrintedParts::ComputationRange& b) {
              return a.order < b.order;
            });
  for (const PrintedParts::ComputationRange& range : called) {
    text.Add(whole, range);
    text.Add("\n\n");
  }

  text.Add("ENTRY %extract_entry {\n");
  std::string new_parameters;
  absl::flat_hash_map<InstructionId, size_t> parameters;
  const auto add_parameter = [&](InstructionId id, bool is_root) {
    if (!id.has_value() || selection.Has(id)) return;
    const size_t number = parameters.size();
    if (!parameters.emplace(id, number).second) return;
    if (parameter_ids != nullptr) parameter_ids->push_back(id);
    absl::StrAppend(&new_parameters, is_root ? "  ROOT " : "  ", PrintedName(parts.Of(id)), " = ",
                    ShapeText(module_.shape(id), texts_->layouts), " parameter(", number, ")\n");
  };
  if (selected.empty()) add_parameter(center, /*is_root=*/true);
  for (InstructionId id : selected) {
    for (InstructionId operand : module_.operands(id)) add_parameter(operand, /*is_root=*/false);
  }
  text.Add(new_parameters);
  for (InstructionId id : selected) {
    const auto it = parts.instructions.find(id);
    if (it == parts.instructions.end()) continue;
    PrintedParts::Range range = it->second;
    if (absl::StartsWith(parts.Of(id), "ROOT "))
      range.begin += static_cast<uint32_t>(absl::string_view("ROOT ").size());
    text.Add(id == center ? "  ROOT " : "  ");
    text.Add(parts, range);
    text.Add("\n");
  }
  text.Add("}\n");

  const ModuleHeader& header = module_.header();
  std::string line = "HloModule extract";
  if (header.replica_count != 1) absl::StrAppend(&line, ", replica_count=", header.replica_count);
  if (header.num_partitions != 1) absl::StrAppend(&line, ", num_partitions=", header.num_partitions);
  return absl::StrCat(line, "\n\n", text.Finish());
}

std::string ExtractModule(const Module& module, const UserIndex& users, InstructionId center,
                          const ExtractOptions& options) {
  return ModuleExtractor(module, users).Extract(center, options, nullptr);
}

std::string ExtractModule(const Module& module, const UserIndex& users, InstructionId center,
                          const ExtractOptions& options, std::vector<InstructionId>* parameters) {
  return ModuleExtractor(module, users).Extract(center, options, parameters);
}

}  // namespace hloscope
