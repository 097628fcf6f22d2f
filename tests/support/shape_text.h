// SPDX-License-Identifier: Apache-2.0
// Shapes from their text.
#ifndef HLOSCOPE_TESTS_SUPPORT_SHAPE_TEXT_H_
#define HLOSCOPE_TESTS_SUPPORT_SHAPE_TEXT_H_

#include "absl/strings/string_view.h"
#include "core/ir/shape.h"

namespace hloscope {

// The shape that "f32[2,3]{0,1:T(2,2)}" spells; reports a test failure and returns the invalid shape if it cannot be
// read.
Shape ShapeFromText(absl::string_view text);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_SHAPE_TEXT_H_
