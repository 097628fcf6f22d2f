// SPDX-License-Identifier: Apache-2.0
// One instruction through all stages: what it was, what it became, and how sure that is.
#ifndef HLOSCOPE_INSIGHT_PASSES_INSTRUCTION_TRACE_H_
#define HLOSCOPE_INSIGHT_PASSES_INSTRUCTION_TRACE_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "insight/passes/stage_changes.h"
#include "insight/passes/stages.h"

namespace hloscope::insight {

// The counterpart of an instruction in another version of its module.
struct InstructionLink {
  InstructionId to;          // none: it is gone, or was not there
  double sureness = 0;       // 0 to 1
  std::string why;           // "same name, operation and operands"
  bool takes_place = false;  // not the same value: what takes its place
};

// By what both compute, by names, metadata, origins and places, whichever tells most.
class InstructionLinker {
 public:
  // Both outlive the object.
  InstructionLinker(const Document& a, const Document& b);
  ~InstructionLinker();
  InstructionLink Of(InstructionId in_a) const;

 private:
  struct Tables;
  const std::unique_ptr<const Tables> tables_;
};

struct TraceStep {
  size_t stage = 0;                      // in the list of stages
  std::string computation, instruction;  // empty: it is not in this stage
  std::string text;                      // the instruction on one line
  std::string fusion;                    // the fusion that it is part of; empty: none
  std::string what;     // what happened to it here: "renamed", "fused into f", "removed"; empty: nothing
  double sureness = 1;  // that this is what the neighbouring stage had, from the start on
  std::string why;
};

struct InstructionTrace {
  size_t start = 0;              // of steps: where the name was found
  std::vector<TraceStep> steps;  // stages in order, without those that could not be read
  std::string op_name, source;   // of its metadata, where any stage has it; "file.py:12"
  // Of all steps together: the product of each direction's steps, the less sure one of both.
  double sureness = 1;
};

// Finds `name` in the first stage that has it, or in stage `from` (an index) only, and follows it to both ends. Errors:
// NotFound; Cancelled.
absl::StatusOr<InstructionTrace> FollowInstruction(const std::vector<Stage>& stages, const StageReader& read,
                                                   const std::string& name, std::optional<size_t> from,
                                                   const StageProgress& progress = {});

// "sure", "likely" or "a guess".
const char* SurenessWord(double sureness);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_PASSES_INSTRUCTION_TRACE_H_
