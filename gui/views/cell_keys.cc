// SPDX-License-Identifier: Apache-2.0
#include "gui/views/cell_keys.h"

namespace hloscope::gui {

std::optional<TensorSlice::Cell> CellAfterKey(int key, TensorSlice::Cell from, int64_t page, int64_t columns) {
  switch (key) {
    case Qt::Key_Left:
      --from.column;
      break;
    case Qt::Key_Right:
      ++from.column;
      break;
    case Qt::Key_Up:
      --from.row;
      break;
    case Qt::Key_Down:
      ++from.row;
      break;
    case Qt::Key_PageUp:
      from.row -= page;
      break;
    case Qt::Key_PageDown:
      from.row += page;
      break;
    case Qt::Key_Home:
      from.column = 0;
      break;
    case Qt::Key_End:
      from.column = columns - 1;
      break;
    default:
      return std::nullopt;
  }
  return from;
}

}  // namespace hloscope::gui
