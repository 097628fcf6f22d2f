// SPDX-License-Identifier: Apache-2.0
// Looking for NaNs and infinities in large values, a tile at a time, so that it can be given up soon.
#ifndef HLOSCOPE_GUI_MODELS_HEALTH_SCAN_H_
#define HLOSCOPE_GUI_MODELS_HEALTH_SCAN_H_

#include <atomic>
#include <cstdint>

#include "evaluator/engine/non_finite.h"
#include "evaluator/tensor/value.h"

namespace hloscope::gui {

// What FindNonFinite finds, or what was found until `cancelled` was set. Tiles have at most about `tile_bytes`. Ends
// early when there is nothing more to be learnt.
evaluator::NonFinite FindNonFiniteInTiles(const evaluator::Value& value, int64_t tile_bytes,
                                          const std::atomic<bool>& cancelled);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_HEALTH_SCAN_H_
