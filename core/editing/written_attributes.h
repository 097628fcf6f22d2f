// SPDX-License-Identifier: Apache-2.0
// Attributes that the printer leaves out or shortens because they say nothing, as the text has them.
#ifndef HLOSCOPE_CORE_EDITING_WRITTEN_ATTRIBUTES_H_
#define HLOSCOPE_CORE_EDITING_WRITTEN_ATTRIBUTES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "core/document/document.h"
#include "core/print/print_options.h"
#include "core/print/printer.h"

namespace hloscope {

struct Replacement {
  size_t begin = 0, end = 0;  // in the printed text
  std::string text;
};

// What brings them back in one part of `printed`, in the order of the text: `backend_config=""`, `replica_count=1`,
// `metadata={op_name=""}`, `window={size=2 stride=1}`; and what takes the place of those that say more than it:
// `outfeed_shape=f32[2]`. Only attributes that `options` prints.
std::vector<Replacement> WrittenAttributes(const Document& document, const PrintOptions& options,
                                           const PrintedModule& printed, const PrintedModule::Part& part);

// Without blanks and comments.
std::string Squeezed(absl::string_view text);
// The same, and without layouts of shapes.
std::string WithoutLayouts(absl::string_view shapes);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_EDITING_WRITTEN_ATTRIBUTES_H_
