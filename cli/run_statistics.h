// What `hloscope run --stats` prints.
#ifndef HLOSCOPE_CLI_RUN_STATISTICS_H_
#define HLOSCOPE_CLI_RUN_STATISTICS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/ir/module.h"
#include "evaluator/engine/session.h"

namespace hloscope {

struct RunStatistics {
  double seconds = 0;  // of the whole run
  int64_t steps = 0;
  int64_t peak_bytes = 0;                                      // of live values
  std::vector<Session::InstructionStatistics> by_instruction;  // summed over devices

  void Add(const Session& session);
};

// Bytes of the largest value that an executed instruction reads or makes: no schedule can do with less.
int64_t LowerBoundBytes(const Module& module, const RunStatistics& statistics);

// Tables for people: opcodes, then the instructions that took longest.
std::string StatisticsText(const Module& module, const RunStatistics& statistics);
// One JSON object.
std::string StatisticsJson(const Module& module, const RunStatistics& statistics);

}  // namespace hloscope

#endif  // HLOSCOPE_CLI_RUN_STATISTICS_H_
