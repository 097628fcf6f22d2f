// SPDX-License-Identifier: Apache-2.0
// How often the body of a loop runs, as far as the module shows.
#ifndef HLOSCOPE_CORE_ANALYSIS_TRIP_COUNT_H_
#define HLOSCOPE_CORE_ANALYSIS_TRIP_COUNT_H_

#include <cstdint>
#include <optional>

#include "core/ir/module.h"

namespace hloscope {

// known_trip_count of a while's backend_config; nothing if there is none.
std::optional<int64_t> KnownTripCount(const Module& module, InstructionId id);

// Of a counted loop: an integer of the state that starts from a constant, to which the body adds a constant, and which
// the condition compares with a constant or with an element of the state that does not change. Copies, bitcasts,
// converts between integers, fusions and calls on the way are looked through. Nothing for other loops. That the counter
// wraps around is not considered.
std::optional<int64_t> InferredTripCount(const Module& module, InstructionId id);

// The first of both that is there.
std::optional<int64_t> TripCount(const Module& module, InstructionId id);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_TRIP_COUNT_H_
