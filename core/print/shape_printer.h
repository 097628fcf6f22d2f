// SPDX-License-Identifier: Apache-2.0
// Shapes as a text writes them: with or without the layouts that it means anyway (docs/text-format.md 4.3, 7.7).
#ifndef HLOSCOPE_CORE_PRINT_SHAPE_PRINTER_H_
#define HLOSCOPE_CORE_PRINT_SHAPE_PRINTER_H_

#include <string>

#include "absl/strings/string_view.h"
#include "core/ir/module.h"
#include "core/ir/shape.h"
#include "core/print/print_options.h"

namespace hloscope {

// "(f32[2,3]{1,0}, s32[])" with the layouts, and the comments before every fifth element, that the options want.
std::string ShapeText(const Shape& shape, LayoutText layouts);
std::string ShapeText(const Shape& shape, const PrintOptions& options);

// What a module that was read from a text shows of the habit of this text: kAll where every array of one dimension or
// more has its layout, and where there is none; kUnlikeDefault where layouts are written only if they are not the
// default; kAsWritten where the text has both `f32[2]` and `f32[2]{0}`. Shapes that the text leaves out do not count.
LayoutText LayoutHabit(const Module& module);

// Without the comments that printers write before every fifth element, `/*index=5*/`.
std::string WithoutIndexComments(absl::string_view text);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_PRINT_SHAPE_PRINTER_H_
