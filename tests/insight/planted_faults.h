// SPDX-License-Identifier: Apache-2.0
// Dumps with one wrong stage, and whether blame names what is wrong.
#ifndef HLOSCOPE_TESTS_INSIGHT_PLANTED_FAULTS_H_
#define HLOSCOPE_TESTS_INSIGHT_PLANTED_FAULTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "insight/blame/blame.h"
#include "tests/support/dump_stages.h"

namespace hloscope::insight {

// Made-up arguments, one thread.
BlameOptions RandomInputs(uint64_t seed);

// A dump of `steps` stages in which stage `at` is wrong, visibly: its results differ from those of the first stage.
struct BrokenDump {
  std::vector<DumpedStage> stages;
  size_t at = 0;
  PlantedFault fault;
};

// Nothing if there is no place for such a fault, or none that the results show.
std::optional<BrokenDump> PlantVisibleFault(const std::string& text, FaultKind kind, uint64_t seed, size_t steps);

struct FaultVerdict {
  bool is_right_stage = false;
  bool is_exact = false;        // an instruction that the fault changed or added is named
  bool is_same_fusion = false;  // one in the same fusion or other called computation is, or this is exact
  std::string words;            // what was planted and what was named
  // Why the two small modules that blame writes do not show the difference; empty: they do.
  std::string reproduction_problem;
};

// Asks blame, and runs what it writes below `folder`, which exists and is empty.
FaultVerdict JudgeFault(const BrokenDump& broken, uint64_t seed, const std::string& folder);

// Runs good/module.hlo and bad/module.hlo below `folder` with their own arguments. Empty if their results differ, else
// what is wrong.
std::string ProblemOfReproduction(const std::string& folder);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_TESTS_INSIGHT_PLANTED_FAULTS_H_
