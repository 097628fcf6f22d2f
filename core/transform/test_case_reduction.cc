// SPDX-License-Identifier: Apache-2.0
#include "core/transform/test_case_reduction.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "core/analysis/prune_stack_frames.h"
#include "core/ir/checked_math.h"
#include "core/transform/module_editor.h"
#include "core/transform/smaller_sizes.h"
#include "core/transform/transform.h"

namespace hloscope {
namespace {

// Arrays and tuples of them can be made out of nothing.
bool CanBeParameter(const Shape& shape) {
  if (shape.IsArray()) return !shape.HasUnboundedDimension();
  if (!shape.IsTuple()) return false;
  return std::all_of(shape.elements().begin(), shape.elements().end(), CanBeParameter);
}
bool CanBeZero(const Shape& shape) { return shape.IsArray() && !shape.IsDynamic(); }

std::vector<InstructionId> InstructionsOf(ModuleEditor& editor, ComputationId computation) {
  std::vector<InstructionId> list;
  for (InstructionId id = editor.first(computation); id.has_value(); id = editor.next(id)) list.push_back(id);
  return list;
}

// A candidate in the making.
class Candidate {
 public:
  explicit Candidate(const Module& module) : editor_(module), module_(editor_.mutable_module()) {
    // They speak of the signature, which is about to change.
    ModuleHeader& header = module_.mutable_header();
    header.entry_computation_layout.reset();
    header.input_output_alias.clear();
    header.buffer_donor.clear();
  }

  ModuleEditor& editor() { return editor_; }
  Module& module() { return module_; }

  // Users take a parameter or zeros instead. False if there is neither for this shape.
  bool StandIn(InstructionId id) {
    const ComputationId computation = module_.instruction(id).computation;
    if (editor_.IsRoot(id) || module_.opcode(id) == Opcode::kParameter) return false;
    const Shape shape = module_.shape(id);
    InstructionId other;
    if (computation == module_.entry()) {
      if (!CanBeParameter(shape)) return false;
      other = editor_.Add(editor_.first(computation), Opcode::kParameter, "parameter", shape, {});
      std::vector<InstructionId>& parameters = module_.mutable_computation(computation).parameters;
      module_.mutable_instruction(other).parameter_number = static_cast<uint32_t>(parameters.size());
      parameters.push_back(other);
    } else {
      // Zeros are not replaced by zeros.
      const bool is_simple =
          module_.opcode(id) == Opcode::kConstant ||
          (module_.opcode(id) == Opcode::kBroadcast && module_.opcode(module_.operand(id, 0)) == Opcode::kConstant);
      if (is_simple || !CanBeZero(shape)) return false;
      const Shape scalar = Shape::Scalar(shape.element_type());
      other = editor_.Add(id, Opcode::kConstant, "zero", scalar, {});
      module_.SetLiteral(other, Literal(scalar));
      if (shape.rank() > 0) {
        other = editor_.Add(id, Opcode::kBroadcast, "zeros", shape, {other});
        module_.AddInts(other, AttributeKind::kDimensions, {});
      }
    }
    editor_.Replace(id, other);
    if (!editor_.IsRoot(id)) editor_.Erase(id);
    return true;
  }

  void KeepAttributes(absl::FunctionRef<bool(AttributeKind)> keep) {
    for (uint32_t c = 0; c < module_.computations().size(); ++c) {
      for (InstructionId id : InstructionsOf(editor_, ComputationId(c))) editor_.KeepAttributes(id, keep);
    }
  }

  // Nothing that is unused stays, but for what has effects.
  Module Finish() {
    for (uint32_t c = 0; c < module_.computations().size(); ++c) {
      std::vector<InstructionId> list = InstructionsOf(editor_, ComputationId(c));
      for (size_t i = list.size(); i-- > 0;) editor_.EraseIfUnused(list[i]);
    }
    std::vector<InstructionId> kept;
    for (InstructionId id : module_.computation(module_.entry()).parameters) {
      if (editor_.use_count(id) == 0 && !editor_.IsRoot(id) && !editor_.HasControlSuccessors(id)) {
        editor_.Erase(id);
        continue;
      }
      module_.mutable_instruction(id).parameter_number = static_cast<uint32_t>(kept.size());
      kept.push_back(id);
    }
    module_.mutable_computation(module_.entry()).parameters = std::move(kept);
    Module finished = editor_.Finish(/*drop_uncalled=*/true);
    PruneStackFrames(finished, [](InstructionId) { return true; });
    return finished;
  }

 private:
  ModuleEditor editor_;
  Module& module_;
};

class Reducer {
 public:
  Reducer(const Module& module, const ReductionOptions& options) : current_(module), options_(options) {}

  ReductionResult Run() {
    if (current_.entry().has_value()) {
      bool changed = true;
      while (changed && HasTries()) {
        changed = false;
        const auto step = [&](bool done) { changed = changed || done; };
        step(TryEdit([](Candidate&) { return true; }));  // what is unused already
        step(MoveRoot());
        step(ShrinkTuple());
        step(CutEverywhere());
        step(BypassEverywhere());
        for (const char* pass : {"strip-metadata", "inline-calls", "unfuse", "algebraic"}) step(TryPass(pass));
        step(DropAttributes());
        step(ShrinkSizes());
      }
    }
    return {std::move(current_), candidates_, HasTries()};
  }

 private:
  bool HasTries() const {
    return candidates_ < options_.max_candidates && !(options_.is_cancelled && options_.is_cancelled());
  }

  bool Try(Module candidate) {
    if (!HasTries()) return false;
    ++candidates_;
    if (!options_.shows_fault(candidate)) return false;
    current_ = std::move(candidate);
    return true;
  }

  // An edit that finds nothing to do returns false. What gets neither smaller nor simpler is no progress.
  bool TryEdit(absl::FunctionRef<bool(Candidate&)> edit) {
    if (!HasTries()) return false;
    Candidate candidate(current_);
    if (!edit(candidate)) return false;
    Module module = candidate.Finish();
    if (module.instruction_count() > current_.instruction_count()) return false;
    const bool smaller = module.instruction_count() < current_.instruction_count();
    return (smaller || candidate.editor().has_changes()) && Try(std::move(module));
  }

  bool TryPass(absl::string_view pass) {
    const std::string name(pass);
    const auto result = TransformModule(current_, {name}, {});
    return result.ok() && result->changed && Try(result->module);
  }

  // Another instruction of the entry computation becomes its root, the earliest that will do.
  bool MoveRoot() {
    const std::vector<InstructionId> list = EntryInstructions();
    for (size_t eighth = 1; eighth < 8; ++eighth) {
      if (TryRoot(list[list.size() * eighth / 8])) return true;
    }
    const auto span = current_.operands(current_.computation(current_.entry()).root);
    const std::vector<InstructionId> operands(span.begin(),
                                              span.begin() + static_cast<ptrdiff_t>(std::min<size_t>(span.size(), 64)));
    for (InstructionId operand : operands) {
      if (TryRoot(operand)) return true;
    }
    return false;
  }
  std::vector<InstructionId> EntryInstructions() const {
    const auto& list = current_.computation(current_.entry()).instructions;
    return {list.begin(), list.end()};
  }
  bool TryRoot(InstructionId root) {
    if (root == current_.computation(current_.entry()).root) return false;
    return TryEdit([&](Candidate& candidate) {
      const InstructionId old_root = current_.computation(current_.entry()).root;
      candidate.editor().SetRoot(current_.entry(), root);
      candidate.editor().EraseIfUnused(old_root);
      return !candidate.editor().IsAlive(old_root);
    });
  }

  // Elements of the result go, in ever smaller runs.
  bool ShrinkTuple() {
    const InstructionId root = current_.computation(current_.entry()).root;
    if (current_.opcode(root) != Opcode::kTuple) return false;
    bool any = false;
    for (size_t size = current_.operands(root).size() / 2; size > 0; size /= 2) {
      for (size_t begin = 0; HasTries();) {
        const InstructionId tuple = current_.computation(current_.entry()).root;
        const size_t count = current_.operands(tuple).size();
        if (begin + size > count || count <= 1) break;
        const bool gone = TryEdit([&](Candidate& candidate) {
          std::vector<InstructionId> operands;
          std::vector<Shape> shapes;
          for (size_t k = 0; k < count; ++k) {
            if (k >= begin && k < begin + size) continue;
            operands.push_back(current_.operand(tuple, k));
            shapes.push_back(current_.shape(operands.back()));
          }
          const InstructionId smaller =
              candidate.editor().Add(tuple, Opcode::kTuple, "tuple", Shape::Tuple(shapes), operands);
          candidate.editor().SetRoot(current_.entry(), smaller);
          candidate.editor().EraseIfUnused(tuple);
          return true;
        });
        any = any || gone;
        if (!gone) begin += size;
      }
    }
    return any;
  }

  // Runs of instructions are stood in for, in ever smaller runs.
  bool CutEverywhere() {
    bool any = false;
    for (size_t c = current_.computations().size(); c-- > 0;) {
      if (c >= current_.computations().size()) continue;  // some went with others
      any = Cut(ComputationId(c)) || any;
    }
    return any;
  }
  bool Cut(ComputationId computation) {
    bool any = false;
    for (size_t size = current_.computation(computation).instructions.size(); size > 0; size /= 2) {
      for (size_t begin = 0; HasTries();) {
        const size_t computations = current_.computations().size();
        if (computation.index() >= computations) return any;
        const auto& stored = current_.computation(computation).instructions;
        if (begin >= stored.size()) break;
        const std::vector<InstructionId> list(stored.begin(), stored.end());
        const bool gone = TryEdit([&](Candidate& candidate) {
          bool found = false;
          for (size_t i = begin; i < std::min(list.size(), begin + size); ++i) {
            // What is not used by others goes with its users.
            found = (candidate.editor().IsAlive(list[i]) && candidate.StandIn(list[i])) || found;
          }
          return found;
        });
        any = any || gone;
        // The numbers of computations change when some go: what is left is for the next round.
        if (gone && current_.computations().size() != computations) return true;
        if (!gone) begin += size;
      }
    }
    return any;
  }

  // Users of an instruction take an operand of the same shape.
  bool BypassEverywhere() {
    bool any = false;
    for (size_t i = current_.instruction_count(); i-- > 0 && HasTries();) {
      if (i >= current_.instruction_count()) continue;  // some went with others
      const InstructionId id(i);
      const auto span = current_.operands(id);
      const auto same = std::find_if(span.begin(), span.end(), [&](InstructionId operand) {
        return operand.has_value() && current_.shape(operand) == current_.shape(id);
      });
      if (same == span.end()) continue;
      const InstructionId operand = *same;
      any = TryEdit([&](Candidate& candidate) {
              candidate.editor().Replace(id, operand);
              candidate.editor().EraseIfUnused(id);
              return true;
            }) ||
            any;
    }
    return any;
  }

  bool DropAttributes() {
    bool any = false;
    for (AttributeKind kind :
         {AttributeKind::kSharding, AttributeKind::kFrontendAttributes, AttributeKind::kBackendConfig,
          AttributeKind::kControlPredecessors, AttributeKind::kResultAccuracy}) {
      any = TryEdit([&](Candidate& candidate) {
              const uint64_t version = candidate.editor().version();
              candidate.KeepAttributes([&](AttributeKind other) { return other != kind; });
              return candidate.editor().version() != version;
            }) ||
            any;
    }
    return DropHeader() || any;
  }

  // Parts of the header, one by one.
  bool DropHeader() {
    static const ModuleHeader& usual = *new ModuleHeader();
    bool any = false;
    const auto drop = [&](bool is_there, absl::FunctionRef<void(ModuleHeader&)> reset) {
      if (!is_there) return;
      any = TryEdit([&](Candidate& candidate) {
              reset(candidate.module().mutable_header());
              candidate.editor().NoteChange();
              return true;
            }) ||
            any;
    };
    const ModuleHeader& header = current_.header();
    drop(header.is_scheduled, [](ModuleHeader& h) { h.is_scheduled = false; });
    drop(!header.frontend_attributes.empty(), [](ModuleHeader& h) { h.frontend_attributes.clear(); });
    drop(!header.origin_recovery_table.empty(), [](ModuleHeader& h) { h.origin_recovery_table.clear(); });
    drop(!header.debug_attributes.empty(), [](ModuleHeader& h) { h.debug_attributes.clear(); });
    drop(header.alias_passthrough_params, [](ModuleHeader& h) { h.alias_passthrough_params = false; });
    drop(header.allow_spmd_sharding_propagation_to_parameters != usual.allow_spmd_sharding_propagation_to_parameters ||
             header.allow_spmd_sharding_propagation_to_output != usual.allow_spmd_sharding_propagation_to_output,
         [](ModuleHeader& h) {
           h.allow_spmd_sharding_propagation_to_parameters = usual.allow_spmd_sharding_propagation_to_parameters;
           h.allow_spmd_sharding_propagation_to_output = usual.allow_spmd_sharding_propagation_to_output;
         });
    drop(header.replica_count != 1, [](ModuleHeader& h) { h.replica_count = 1; });
    drop(header.num_partitions != 1, [](ModuleHeader& h) { h.num_partitions = 1; });
    return any;
  }

  // Every size is tried as small ones and as half of itself, the largest first.
  bool ShrinkSizes() {
    bool any = false;
    for (int64_t size : DimensionSizes(current_)) {
      for (int64_t smaller : {int64_t{1}, int64_t{2}, int64_t{3}, size / 8, size / 2}) {
        if (smaller < 1 || smaller >= size || !HasTries()) continue;
        std::optional<Module> candidate = WithSize(current_, size, smaller);
        if (!candidate || TotalElements(*candidate) >= TotalElements(current_)) continue;
        if (!Try(*std::move(candidate))) continue;
        any = true;
        break;
      }
    }
    return any;
  }
  static int64_t TotalElements(const Module& module) {
    int64_t total = 0;
    for (uint32_t i = 0; i < module.instruction_count(); ++i) {
      total = SaturatingSum(total, ElementsOf(module.shape(InstructionId(i))));
    }
    return total;
  }
  static int64_t ElementsOf(const Shape& shape) {
    int64_t total = shape.IsArray() ? std::max<int64_t>(shape.ElementCount(), 0) : 0;
    for (const Shape& element : shape.elements()) total = SaturatingSum(total, ElementsOf(element));
    return total;
  }

  Module current_;
  const ReductionOptions& options_;
  int candidates_ = 0;
};

}  // namespace

ReductionResult ReduceTestCase(const Module& module, const ReductionOptions& options) {
  return Reducer(module, options).Run();
}

}  // namespace hloscope
