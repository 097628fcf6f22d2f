// SPDX-License-Identifier: Apache-2.0
// The peak if something about a module were otherwise.
#ifndef HLOSCOPE_INSIGHT_MEMORY_WHAT_IF_H_
#define HLOSCOPE_INSIGHT_MEMORY_WHAT_IF_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "insight/memory/explanation.h"
#include "insight/memory/readers.h"

namespace hloscope::insight {

struct WhatIf {
  std::string what;  // as it was asked
  int64_t peak_bytes = 0;
  int64_t saved_bytes = 0;  // of the arrays that are alive at once; negative: it needs more
  int64_t extra_flops = 0;  // what is computed again
  std::string note;
};

// `question` is one of
//   recompute:NAME            the value is made again before each use but the first
//   donate:N or donate:N{I,J} the caller gives parameter N away
//   schedule:text|post-order|largest|list   the order of every computation
//   type:NAME=TYPE            the arrays of a value have another element type
// The answer is about arrays that are alive at once, without places. Errors (InvalidArgument): another question, or
// nothing of that name.
absl::StatusOr<WhatIf> AskWhatIf(const MemoryExplanation& memory, const ReaderIndex& readers,
                                 absl::string_view question);

// For values at the peak that wait there: recomputing them, the best first, as questions with their answers.
std::vector<WhatIf> SuggestRecomputation(const MemoryExplanation& memory, const ReaderIndex& readers, size_t count);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_MEMORY_WHAT_IF_H_
