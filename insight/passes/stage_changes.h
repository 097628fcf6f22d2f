// SPDX-License-Identifier: Apache-2.0
// What each stage of a dump changed.
#ifndef HLOSCOPE_INSIGHT_PASSES_STAGE_CHANGES_H_
#define HLOSCOPE_INSIGHT_PASSES_STAGE_CHANGES_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "insight/fingerprint/fingerprint.h"
#include "insight/passes/module_size.h"
#include "insight/passes/stages.h"

namespace hloscope::insight {

// Compared with the stage before that could be read.
struct StageChange {
  std::string problem;   // why the stage could not be read; empty: it could
  bool changed = false;  // false for the first stage, and where only names, metadata or the order changed
  std::vector<std::string> added, modified;  // names in this stage
  std::vector<std::string> removed;          // names in the stage before
  std::vector<std::string> others;           // changes of the module and of computations, in words
  size_t instructions = 0;
  int64_t flop = 0, bytes = 0, peak_bytes = 0;
  ModuleSize before;  // of the stage before; the same as after it where nothing changed
  Fingerprint fingerprint;
};

struct StageProgress {
  std::function<void(size_t done, size_t all)> on_stage;  // may be empty
  const std::atomic<bool>* cancelled = nullptr;
};

// One for each stage. Stages that cannot be read are reported and passed over. Two modules are in memory at a time.
// Error Cancelled.
absl::StatusOr<std::vector<StageChange>> ChangesOf(const std::vector<Stage>& stages, const StageReader& read,
                                                   const StageProgress& progress = {});

// Whether a pass, a pipeline or an instruction that was added, removed or modified has the text in its name.
bool Mentions(const Stage& stage, const StageChange& change, absl::string_view text);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_PASSES_STAGE_CHANGES_H_
