// SPDX-License-Identifier: Apache-2.0
// What the keys for moving about mean in a picture of cells.
#ifndef HLOSCOPE_GUI_VIEWS_CELL_KEYS_H_
#define HLOSCOPE_GUI_VIEWS_CELL_KEYS_H_

#include <Qt>
#include <optional>

#include "gui/models/tensor_slice.h"

namespace hloscope::gui {

// The cell that an arrow, page, Home or End key leads to, which may lie outside of the picture; none for other keys.
// `page`: rows that a page key moves by.
std::optional<TensorSlice::Cell> CellAfterKey(int key, TensorSlice::Cell from, int64_t page, int64_t columns);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_CELL_KEYS_H_
