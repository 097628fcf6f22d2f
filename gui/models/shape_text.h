// SPDX-License-Identifier: Apache-2.0
// Shapes and lists of numbers that a person types.
#ifndef HLOSCOPE_GUI_MODELS_SHAPE_TEXT_H_
#define HLOSCOPE_GUI_MODELS_SHAPE_TEXT_H_

#include <QString>
#include <optional>
#include <vector>

#include "core/ir/shape.h"

namespace hloscope::gui {

// Why a text could not be read, and which of its characters are to blame.
struct TextProblem {
  QString message;  // empty: none
  int begin = 0, length = 0;
};

// One shape, "f32[2,3]{0,1}"; nothing after a problem.
std::optional<Shape> ReadTypedShape(const QString& text, TextProblem* problem);
// The same for one array; tuples are refused.
std::optional<Shape> ReadTypedArray(const QString& text, TextProblem* problem);

// "0,2,1", also with braces around it or empty.
std::optional<std::vector<int64_t>> ReadTypedList(const QString& text, TextProblem* problem);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_SHAPE_TEXT_H_
