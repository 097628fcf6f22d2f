// SPDX-License-Identifier: Apache-2.0
// Arguments whose memory the caller gives away, and what became of that.
#ifndef HLOSCOPE_INSIGHT_MEMORY_DONATIONS_H_
#define HLOSCOPE_INSIGHT_MEMORY_DONATIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/module.h"
#include "insight/memory/explanation.h"
#include "insight/memory/readers.h"

namespace hloscope::insight {

enum class DonationState : uint8_t {
  kUsed,      // a result takes the memory over
  kLost,      // given, but no result can use it
  kPossible,  // not given, and a result could use it
};
enum class DonationLoss : uint8_t { kNone, kShape, kLayout, kStillRead, kMemorySpace, kNoResult, kNotTaken };
absl::string_view DonationStateName(DonationState state);  // "used", "lost", "possible"
absl::string_view DonationLossName(DonationLoss loss);     // "", "shape", "layout", "still read", ...

struct Donation {
  DonationState state = DonationState::kUsed;
  DonationLoss loss = DonationLoss::kNone;
  InstructionId parameter;
  uint32_t leaf = 0;
  int64_t bytes = 0;
  std::optional<uint32_t> result;  // leaf of the entry computation's result
  bool is_alias = false;           // input_output_alias names the result; else buffer_donor, or nothing
  bool must_alias = false;
  std::string detail;  // a sentence
};

// All that the header gives, in its order, then what it could give, the largest first.
std::vector<Donation> FindDonations(const MemoryExplanation& memory, const ReaderIndex& readers);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_MEMORY_DONATIONS_H_
