// SPDX-License-Identifier: Apache-2.0
// Reducers of pairs of a number and its position to the greatest or the least number and where it is: argmax and
// argmin.
#ifndef HLOSCOPE_CORE_ANALYSIS_POSITION_REDUCER_H_
#define HLOSCOPE_CORE_ANALYSIS_POSITION_REDUCER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/ir/module.h"

namespace hloscope {

// How the first of two numbers, or of two positions, compares with the second. Positions are never NaN.
enum class PairOrder : uint8_t { kLess, kEqual, kGreater, kFirstIsNan, kSecondIsNan, kBothAreNan };

// A computation of (number, position, number, position) that returns the number and the position of one of the two
// pairs, as their order says. Of two different numbers it takes the greater one (or always the lesser one) with its
// position, of equal numbers the lower position; which of two zeros, and what NaN does, the table alone says.
struct PositionReducer {
  bool takes_greatest;
  // By the order of the numbers, then by that of the positions: whether it is the first pair's.
  std::array<std::array<bool, 3>, 6> first_number, first_position;

  bool TakesFirstNumber(PairOrder numbers, PairOrder positions) const {
    return first_number[static_cast<size_t>(numbers)][static_cast<size_t>(positions)];
  }
  bool TakesFirstPosition(PairOrder numbers, PairOrder positions) const {
    return first_position[static_cast<size_t>(numbers)][static_cast<size_t>(positions)];
  }
};

// However it is written with comparisons, logic and select: it is tried with every order. Nothing if it is something
// else, or compares in total order.
std::optional<PositionReducer> RecognizePositionReducer(const Module& module, ComputationId computation);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_POSITION_REDUCER_H_
