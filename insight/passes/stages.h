// SPDX-License-Identifier: Apache-2.0
// The stages of a module in a folder of dumps: in order, with the pass that made each.
#ifndef HLOSCOPE_INSIGHT_PASSES_STAGES_H_
#define HLOSCOPE_INSIGHT_PASSES_STAGES_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/document/document.h"
#include "interop/dump/dump_folder.h"

namespace hloscope::insight {

struct Stage {
  int64_t order = 0;              // of interop::DumpStage
  std::string name;               // "0003.fusion.after_dce.before_fusion"
  std::string pass;               // what ran last: "dce"; the name of a stage that has no number
  std::string pipeline;           // "fusion"; empty for those
  std::string file;               // below the folder
  std::string path;               // the folder and the file
  std::optional<double> seconds;  // of the pass, where the folder says so
};

// What the name of a stage says of passes: "0003.fusion.after_dce.before_fusion" is the pass dce of the pipeline
// fusion, "0007.copy-insertion.after_removing_copies" is inside of the pass copy-insertion.
struct StagePass {
  std::string pass, pipeline;
};
StagePass PassOfStage(absl::string_view name);

// Those of which the folder has the module. Times come from the module's pass metadata, expanded to at most
// `max_expanded_bytes` (0: as interop::ReadFileBytes says); notes say what is wrong there.
std::vector<Stage> StagesOf(const std::string& folder, const interop::DumpFolder& listed,
                            const interop::DumpModule& module, std::vector<std::string>* notes,
                            size_t max_expanded_bytes = 0);

// Reads the module of a stage. Errors say in one line why it cannot be used.
using StageReader = std::function<absl::StatusOr<std::shared_ptr<const Document>>(const Stage& stage)>;

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_PASSES_STAGES_H_
