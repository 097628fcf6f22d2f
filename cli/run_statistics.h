// SPDX-License-Identifier: Apache-2.0
// What `hloscope run --stats` prints.
#ifndef HLOSCOPE_CLI_RUN_STATISTICS_H_
#define HLOSCOPE_CLI_RUN_STATISTICS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/ir/module.h"
#include "evaluator/engine/inspection.h"

namespace hloscope::cli {

struct RunStatistics {
  double seconds = 0;  // of the whole run
  int64_t steps = 0;
  int64_t peak_bytes = 0;                                        // of live values
  int64_t liveness_bytes = 0;                                    // LivenessBytes
  std::vector<evaluator::InstructionStatistics> by_instruction;  // summed over devices

  // Of one more device.
  void Add(const evaluator::Inspection& device);
};

// Bytes that are alive at once on all devices if every instruction makes its result in memory of its own and nothing is
// kept longer than needed (docs/ops/control.md 7.7): what a run is measured against. A run that computes
// views and fused chains may need less.
int64_t LivenessBytes(const Module& module, int64_t device_count);

// Tables for people: opcodes, then the instructions that took longest.
std::string StatisticsText(const Module& module, const RunStatistics& statistics);
// One JSON object.
std::string StatisticsJson(const Module& module, const RunStatistics& statistics);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_RUN_STATISTICS_H_
