// SPDX-License-Identifier: Apache-2.0
// Which instructions of a graph tell where one is, when only a few names can be read.
#ifndef HLOSCOPE_GUI_MODELS_LANDMARKS_H_
#define HLOSCOPE_GUI_MODELS_LANDMARKS_H_

#include <cstdint>
#include <vector>

#include "core/ir/module.h"
#include "gui/models/visible_graph.h"

namespace hloscope::gui {

// Boxes of instructions, the most telling first: the result of the computation and what it is made of, then in turn
// what calls most instructions, and the largest products, convolutions and transfers between devices. O(boxes).
std::vector<uint32_t> LandmarksOf(const Module& module, const VisibleGraph& graph);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_LANDMARKS_H_
