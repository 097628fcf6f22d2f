// SPDX-License-Identifier: Apache-2.0
// Where in the original program an instruction comes from.
#ifndef HLOSCOPE_CORE_ANALYSIS_SOURCE_FRAMES_H_
#define HLOSCOPE_CORE_ANALYSIS_SOURCE_FRAMES_H_

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/ir/module.h"

namespace hloscope {

// Lines and columns as the module gives them, 0 if it does not.
struct SourceFrame {
  absl::string_view file;
  absl::string_view function;  // empty if unknown
  int32_t line = 0;
  int32_t column = 0;
};

// The call stack that `metadata` names, innermost frame first: through stack_frame_id and the module's tables
// (docs/text-format.md 2.8), else source_file and source_line of the metadata itself. References out of range, cycles
// and frames without a location end the stack. The views live as long as the module.
std::vector<SourceFrame> SourceFramesOf(const Module& module, const Metadata& metadata);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_SOURCE_FRAMES_H_
