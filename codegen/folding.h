// SPDX-License-Identifier: Apache-2.0
// What the loops of reduce and reduce-window have in common.
#ifndef HLOSCOPE_CODEGEN_FOLDING_H_
#define HLOSCOPE_CODEGEN_FOLDING_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "codegen/computation_writer.h"

namespace hloscope::codegen {

// Results whose accumulators are side by side.
inline constexpr int64_t kFoldedLanes = 512;

// How a reduce folds.
struct Folding {
  bool sums_doubles = false;            // a float sum, in f64 (decision D3)
  std::string comparison;               // "Maximum" or "Minimum", if it takes the larger or the smaller number
  std::optional<std::string> identity;  // of a reducer whose elements may be taken in any order
  std::vector<std::string> types;       // of the accumulators
  ScalarFunction function;
};

// The lines that fold one element into accumulators named `accumulator`k.
std::string FoldText(const Folding& folding, absl::Span<const std::string> accumulators,
                     absl::Span<const std::string> numbers);

absl::Status WriteReduceWindow(ComputationWriter& writer, InstructionId id);

}  // namespace hloscope::codegen

#endif  // HLOSCOPE_CODEGEN_FOLDING_H_
