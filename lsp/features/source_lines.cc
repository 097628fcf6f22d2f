// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/source_lines.h"

#include <map>
#include <optional>
#include <utility>

#include "core/analysis/call_graph.h"
#include "core/analysis/cost.h"

namespace hloscope::lsp {
namespace {

// Where the instructions of a computation are executed.
enum class Inside : uint8_t { kNothing, kFusion, kElements };

class LineCosts {
 public:
  explicit LineCosts(const Module& module)
      : module_(module), calls_(module), costs_(module, calls_), places_(module.computations().size()) {
    // Callers come last: from them to what they call.
    const absl::Span<const ComputationId> order = calls_.callees_first();
    for (size_t i = order.size(); i-- > 0;) {
      for (const CallGraph::Call& call : calls_.calls(order[i])) Enter(order[i], call);
    }
  }

  void AddTo(InstructionId id, SourceLine* line) const {
    const ComputationId computation = module_.instruction(id).computation;
    const Place& place = places_[computation.index()];
    if (place.inside == Inside::kElements) return;
    const int64_t runs = place.inside == Inside::kFusion ? place.runs : costs_.Runs(computation);
    const Cost cost = costs_.Of(id).Times(runs);
    if (!CountsCallees(module_.opcode(id))) line->flops += cost.flops;
    const bool touches_memory = place.inside == Inside::kNothing &&
                                (module_.opcode(id) == Opcode::kFusion || !CountsCallees(module_.opcode(id)));
    if (touches_memory) line->bytes += cost.bytes();
  }

 private:
  struct Place {
    Inside inside = Inside::kNothing;
    int64_t runs = 0;  // of the fusion around
  };

  // Their cost is that of the instructions in what they call.
  static bool CountsCallees(Opcode opcode) {
    return opcode == Opcode::kFusion || opcode == Opcode::kCall || opcode == Opcode::kWhile ||
           opcode == Opcode::kConditional || opcode == Opcode::kAsyncStart;
  }

  void Enter(ComputationId from, const CallGraph::Call& call) {
    if (!call.callee.has_value()) return;
    const Place& around = places_[from.index()];
    Place& place = places_[call.callee.index()];
    const Opcode opcode = module_.opcode(call.caller);
    if (around.inside == Inside::kElements || !CountsCallees(opcode)) {
      place.inside = Inside::kElements;
    } else if (opcode == Opcode::kFusion || around.inside == Inside::kFusion) {
      place.inside = Inside::kFusion;
      place.runs += around.inside == Inside::kFusion ? around.runs : costs_.Runs(from);
    }
  }

  const Module& module_;
  const CallGraph calls_;
  const CostAnalysis costs_;
  std::vector<Place> places_;  // by computation
};

}  // namespace

std::vector<SourceLinesOfFile> ComputeSourceLines(const DocumentView& view, SourceFinder& finder) {
  const Module& module = view.module();
  std::optional<LineCosts> costs;
  // What a broken module costs is not certain.
  if (!view.document.has_errors()) costs.emplace(module);
  std::map<absl::string_view, std::map<int32_t, SourceLine>> files;
  for (size_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    const std::optional<SourceFrame> frame = SourceFrameOf(module, id);
    if (!frame.has_value() || frame->line < 1) continue;
    SourceLine& line = files[frame->file][frame->line];
    line.line = frame->line;
    line.instructions.push_back(id);
    if (costs.has_value()) costs->AddTo(id, &line);
  }
  std::vector<SourceLinesOfFile> result;
  for (auto& [name, lines] : files) {
    SourceLinesOfFile file{std::string(name), finder.PathOf(name), {}};
    for (auto& [number, line] : lines) file.lines.push_back(std::move(line));
    result.push_back(std::move(file));
  }
  return result;
}

}  // namespace hloscope::lsp
