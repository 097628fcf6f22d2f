// SPDX-License-Identifier: Apache-2.0
// Where the time of a run goes, as spans: instructions one after another with what they call below them, or scopes of
// op_name with what is in them. Of measured times or, before a run, of estimated ones.
#ifndef HLOSCOPE_GUI_MODELS_TIME_SPANS_H_
#define HLOSCOPE_GUI_MODELS_TIME_SPANS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "core/analysis/graph.h"
#include "core/ir/module.h"
#include "evaluator/engine/inspection.h"
#include "gui/models/document_analyses.h"

namespace hloscope::gui {

// Seconds of each instruction.
struct InstructionTimes {
  std::vector<double> own;    // all its executions, without those of called computations
  std::vector<double> whole;  // with them
  bool measured = false;
};

// The measured ones if `statistics` has any, else estimates: operations at kEstimatedFlops or bytes at kEstimatedBytes
// a second, whichever takes longer.
inline constexpr double kEstimatedFlops = 1e12, kEstimatedBytes = 1e11;
InstructionTimes TimesOf(DocumentAnalyses& analyses, absl::Span<const evaluator::InstructionStatistics> statistics);

struct TimeSpans {
  static constexpr uint32_t kNone = 0xFFFFFFFFu;
  struct Span {
    double begin = 0, end = 0;  // seconds
    uint32_t lane = 0;
    InstructionId instruction;  // itself, or the longest one of a scope
    NodeCategory category = NodeCategory::kControlFlow;
    std::string name;  // of a scope, or of one kind of operation in it; empty: the instruction's
    bool is_scope = false;
    // How many executed steps it stands for; if it is mixed, those of other instructions of its caller, too, of which
    // none took longer.
    int64_t steps = 1;
    bool is_mixed = false;
  };
  std::vector<Span> spans;           // by lane, then begin
  std::vector<uint32_t> lane_begin;  // first span of each lane, and one more
  double total = 0;
  bool measured = false;
  // Neighbouring steps that together take no longer are one span; 0: each step is one.
  double joined_seconds = 0;
  // Written over lanes, which have no spans then; lanes beyond the last one have no name.
  std::vector<std::string> lane_names;
  // Bytes alive in the order of execution, where there is such an order.
  struct Alive {
    double begin = 0, end = 0;  // seconds
    int64_t bytes = 0;
  };
  std::vector<Alive> alive;

  uint32_t lanes() const { return lane_begin.empty() ? 0 : static_cast<uint32_t>(lane_begin.size()) - 1; }
  // The span at a time in a lane; kNone between them.
  uint32_t At(double seconds, uint32_t lane) const;
  // What is alive at a time; -1 if nobody knows.
  int64_t AliveAt(double seconds) const;
  // Sorts spans by lane and begin, and finds where lanes begin and how long all of it takes.
  void Arrange();
};

// The entry computation in the order of its schedule; computations that its instructions call lie below them.
TimeSpans SpansOfSchedule(DocumentAnalyses& analyses, const InstructionTimes& times);
// Scopes from the outermost inwards, the longest first; below the innermost what is computed in it, by opcode.
TimeSpans SpansOfScopes(DocumentAnalyses& analyses, const InstructionTimes& times);

// A row of a table of times, with the rows below it.
struct TimeRow {
  std::string name;
  InstructionId instruction;  // none: of several
  double seconds = 0, own = 0;
  int64_t instructions = 0;
  std::vector<TimeRow> rows;  // the longest first
};
// Scopes with what is in them.
std::vector<TimeRow> TopDown(DocumentAnalyses& analyses, const InstructionTimes& times);
// Opcodes with their instructions, those with the scope that they are in.
std::vector<TimeRow> BottomUp(DocumentAnalyses& analyses, const InstructionTimes& times);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_TIME_SPANS_H_
