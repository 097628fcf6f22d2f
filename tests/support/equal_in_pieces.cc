// SPDX-License-Identifier: Apache-2.0
#include "tests/support/equal_in_pieces.h"

#include <deque>
#include <limits>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/analysis/extract.h"
#include "core/analysis/users.h"
#include "core/document/document.h"
#include "core/print/printer.h"
#include "core/transform/transform.h"
#include "evaluator/engine/device_run.h"
#include "evaluator/tensor/fill.h"
#include "evaluator/tensor/tensor.h"
#include "tests/support/module_evaluation.h"

namespace hloscope {
namespace {

// Instructions that only move elements, or make them from nothing: rewrites rely on what comes before them.
bool IsTransparent(Opcode opcode) {
  switch (opcode) {
    case Opcode::kBitcast:
    case Opcode::kBroadcast:
    case Opcode::kConstant:
    case Opcode::kConvert:
    case Opcode::kCopy:
    case Opcode::kGetTupleElement:
    case Opcode::kIota:
    case Opcode::kReshape:
    case Opcode::kTranspose:
    case Opcode::kTuple:
      return true;
    default:
      return false;
  }
}

// One of the two modules.
struct Side {
  explicit Side(std::shared_ptr<const Module> m) : module(std::move(m)), users(*module) {
    for (const Computation& computation : module->computations()) {
      for (InstructionId id : computation.instructions) by_name[std::string(module->InstructionName(id))] = id;
    }
  }
  // With its name and those of its operands if `names`.
  std::string Definition(InstructionId id, bool names) const {
    PrintOptions options = PrintOptions::Long();
    options.metadata = false;
    options.backend_config = false;
    options.large_constants = true;
    options.control_predecessors = false;
    options.canonical_names = !names;
    return PrintInstruction(*module, id, options);
  }

  std::shared_ptr<const Module> module;
  UserIndex users;
  absl::flat_hash_map<std::string, InstructionId> by_name;
};

// A piece as a module, and the names of the values that it takes.
struct Piece {
  std::shared_ptr<const Module> module;
  std::vector<std::string> parameters;
};

class PieceComparison {
 public:
  PieceComparison(const std::shared_ptr<const Module>& before, const std::shared_ptr<const Module>& after,
                  const PieceLimits& limits)
      : before_(before), after_(after), limits_(limits) {}

  PieceReport Run() {
    for (const auto& [name, id] : before_.by_name) {
      const auto other = after_.by_name.find(name);
      if (other == after_.by_name.end() || !IsSame(name)) continue;
      if (before_.Definition(id, true) != after_.Definition(other->second, true)) ComparePair(id, other->second);
    }
    for (const Computation& computation : before_.module->computations()) {
      const ComputationId other = after_.module->FindComputation(computation_name(*before_.module, computation.root));
      if (!other.has_value()) continue;
      const InstructionId root = after_.module->computation(other).root;
      if (before_.module->InstructionName(computation.root) != after_.module->InstructionName(root)) {
        ComparePair(computation.root, root);
      }
    }
    return std::move(report_);
  }

 private:
  static absl::string_view computation_name(const Module& module, InstructionId id) {
    return module.ComputationName(module.instruction(id).computation);
  }

  // Taken for the same value in both modules.
  bool IsSame(absl::string_view name) const {
    const auto a = before_.by_name.find(name), b = after_.by_name.find(name);
    if (a == before_.by_name.end() || b == after_.by_name.end()) return false;
    return ShapesCompatible(before_.module->shape(a->second), after_.module->shape(b->second)) &&
           computation_name(*before_.module, a->second) == computation_name(*after_.module, b->second);
  }

  // The piece around an instruction: up to what is the same in both modules, and is `distance` steps away.
  Piece Cut(const Side& side, InstructionId center, int distance) const {
    absl::flat_hash_map<InstructionId, int> steps = {{center, 0}};
    std::deque<InstructionId> open = {center};
    absl::flat_hash_set<InstructionId> stops;
    while (!open.empty()) {
      const InstructionId id = open.front();
      open.pop_front();
      const int at = steps[id];
      if (id != center && at > distance && !IsTransparent(side.module->opcode(id)) &&
          IsSame(side.module->InstructionName(id))) {
        stops.insert(id);
        continue;
      }
      for (InstructionId operand : side.module->operands(id)) {
        if (steps.try_emplace(operand, at + 1).second) open.push_back(operand);
      }
    }
    ExtractOptions options;
    options.depth = std::numeric_limits<int>::max();
    options.stop = [&](InstructionId id) { return stops.contains(id); };
    std::vector<InstructionId> parameters;
    const std::string text = ExtractModule(*side.module, side.users, center, options, &parameters);
    const auto document = Document::Parse(SourceText::FromString("piece", text));
    Piece piece;
    if (!document->has_errors()) piece.module = document->shared_module();
    for (InstructionId id : parameters) piece.parameters.emplace_back(side.module->InstructionName(id));
    return piece;
  }

  // What two pieces are, whatever their instructions are called.
  static std::string Fingerprint(const Piece& before, const Piece& after) {
    std::string text;
    absl::flat_hash_map<std::string, size_t> numbers;
    for (const Piece* piece : {&before, &after}) {
      const auto canonical = TransformModule(*piece->module, {"canonicalize"}, TransformOptions());
      if (!canonical.ok()) return "";
      PrintOptions options = PrintOptions::Long();
      options.large_constants = true;
      absl::StrAppend(&text, PrintModule(canonical->module, options));
      for (const std::string& name : piece->parameters) {
        absl::StrAppend(&text, " ", numbers.try_emplace(name, numbers.size()).first->second);
      }
    }
    return text;
  }

  // Whether devices depend on each other or on who they are. Else what one computes, all do.
  static bool MindsDevices(const Module& module) {
    for (const Computation& computation : module.computations()) {
      for (InstructionId id : computation.instructions) {
        const OpFamily family = InfoOf(module.opcode(id)).family;
        if (family == OpFamily::kCollective || family == OpFamily::kHostTransfer || family == OpFamily::kCustomCall) {
          return true;
        }
      }
    }
    return false;
  }

  absl::StatusOr<std::vector<evaluator::Value>> Evaluate(const Piece& piece) const {
    evaluator::SessionOptions options;
    options.time_limit_seconds = limits_.seconds;
    const ModuleHeader& header = piece.module->header();
    evaluator::DeviceGrid devices;
    if (MindsDevices(*piece.module)) devices = {header.replica_count, header.num_partitions};
    auto run = evaluator::DeviceRun::Create(piece.module, devices, options);
    if (!run.ok()) return run.status();
    std::vector<evaluator::Value> results;
    for (int64_t f = 0; f < (*run)->device_count(); ++f) {
      evaluator::Session& session = (*run)->device(f);
      session.set_keep_values(false);
      const auto& parameters = piece.module->computation(piece.module->entry()).parameters;
      for (size_t k = 0; k < parameters.size(); ++k) {
        // The same values for the same name, and others on each device.
        const uint64_t seed = std::hash<std::string>()(piece.parameters[k]) + static_cast<uint64_t>(f);
        auto value = evaluator::FillValue(piece.module->shape(parameters[k]), evaluator::FillKind::kRandom, seed, 0);
        if (!value.ok()) return value.status();
        absl::Status set = session.SetArgument(static_cast<int64_t>(k), *std::move(value));
        if (!set.ok()) return set;
      }
    }
    if ((*run)->Run() != evaluator::StopReason::kFinished) return (*run)->status();
    for (int64_t f = 0; f < (*run)->device_count(); ++f) results.push_back((*run)->device(f).result());
    return results;
  }

  // One instruction, or root, that is written differently.
  void ComparePair(InstructionId before, InstructionId after) {
    ++report_.changed;
    bool evaluated = false;
    std::string reason;
    if (OperandsAgree(before, after, kDeepest) || PiecesAgree(before, after, &evaluated, &reason)) return;
    const std::string name(before_.module->InstructionName(before));
    (evaluated ? report_.different : report_.not_compared).push_back(absl::StrCat(name, ": ", reason));
  }

  // What the instruction passes on without a change: itself, or something after copies and reshapes to the same shape.
  static InstructionId ValueOf(const Module& module, InstructionId id) {
    while ((module.opcode(id) == Opcode::kReshape || module.opcode(id) == Opcode::kCopy) &&
           ShapesCompatible(module.shape(module.operand(id, 0)), module.shape(id))) {
      id = module.operand(id, 0);
    }
    return id;
  }

  // Whether both do the same with values that agree: then they need not be evaluated.
  bool OperandsAgree(InstructionId before, InstructionId after, int depth) {
    const absl::Span<const InstructionId> a = before_.module->operands(before), b = after_.module->operands(after);
    if (depth == 0 || a.size() != b.size() || a.empty()) return false;
    if (before_.Definition(before, /*names=*/false) != after_.Definition(after, /*names=*/false)) return false;
    for (size_t k = 0; k < a.size(); ++k) {
      const absl::string_view name = before_.module->InstructionName(ValueOf(*before_.module, a[k]));
      if (name == after_.module->InstructionName(ValueOf(*after_.module, b[k])) && IsSame(name)) continue;
      const auto [known, is_new] = agree_.try_emplace(std::make_pair(a[k], b[k]), false);
      if (is_new) {
        bool evaluated = false;
        std::string reason;
        const bool agree = OperandsAgree(a[k], b[k], depth - 1) || PiecesAgree(a[k], b[k], &evaluated, &reason);
        agree_[std::make_pair(a[k], b[k])] = agree;
        if (!agree) return false;
      } else if (!known->second) {
        return false;
      }
    }
    return true;
  }

  // Cuts the values out and evaluates them. If they do not agree: why, and whether they could be evaluated at all.
  bool PiecesAgree(InstructionId before, InstructionId after, bool* evaluated, std::string* reason) {
    if (!ShapesCompatible(before_.module->shape(before), after_.module->shape(after))) {
      *reason = "their shapes differ";
      return false;
    }
    size_t last_size = 0;
    for (const int distance : {0, 2, 5, 12, 30}) {
      const Piece a = Cut(before_, before, distance), b = Cut(after_, after, distance);
      if (a.module == nullptr || b.module == nullptr) {
        *reason = "the piece is no module";
        continue;
      }
      const size_t size = a.module->instruction_count() + b.module->instruction_count();
      if (size == last_size) continue;  // nothing more to be had
      last_size = size;
      const std::string fingerprint = Fingerprint(a, b);
      if (seen_.contains(fingerprint)) return true;
      if (failed_.contains(fingerprint)) {
        *reason = "like one above";
        return false;
      }
      if (limits_.progress) {
        limits_.progress(absl::StrCat(before_.module->InstructionName(before), ": two pieces of ", size,
                                      " instructions, up to ", distance, " steps away"));
      }
      const absl::StatusOr<std::vector<evaluator::Value>> expected = Evaluate(a);
      const absl::StatusOr<std::vector<evaluator::Value>> actual = expected.ok() ? Evaluate(b) : expected;
      if (!actual.ok()) {
        failed_.insert(fingerprint);
        *reason = actual.status().ToString();
        return false;  // a larger one will not be cheaper
      }
      *evaluated = true;
      ::testing::AssertionResult agree = ::testing::AssertionSuccess();
      for (size_t f = 0; f < expected->size() && agree; ++f) {
        agree = ValuesAgree((*actual)[f], (*expected)[f], limits_.tolerance);
      }
      if (agree) {
        seen_.insert(fingerprint);
        ++report_.compared;
        return true;
      }
      *reason = agree.message();
    }
    return false;
  }

  static constexpr int kDeepest = 20;
  const Side before_, after_;
  const PieceLimits limits_;
  absl::flat_hash_set<std::string> seen_, failed_;  // fingerprints of pieces that agree, that cannot be evaluated
  absl::flat_hash_map<std::pair<InstructionId, InstructionId>, bool> agree_;
  PieceReport report_;
};

}  // namespace

PieceReport CompareInPieces(const std::shared_ptr<const Module>& before, const std::shared_ptr<const Module>& after,
                            const PieceLimits& limits) {
  evaluator::Buffer::SetLimit(limits.bytes);
  PieceReport report = PieceComparison(before, after, limits).Run();
  evaluator::Buffer::SetLimit(0);
  return report;
}

}  // namespace hloscope
