// SPDX-License-Identifier: Apache-2.0
// What is around a place on its line and above it.
#ifndef HLOSCOPE_CORE_SOURCE_LINE_TEXT_H_
#define HLOSCOPE_CORE_SOURCE_LINE_TEXT_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "core/source/source_text.h"

namespace hloscope {

// What is before the offset on its line, if that is blank; else nothing.
absl::string_view IndentationOf(const SourceText& source, uint32_t offset);

// Where the comment lines right above the offset begin, which must begin a line; the offset itself if there are none or
// it does not begin a line.
uint32_t BeginOfCommentsAbove(const SourceText& source, uint32_t offset);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SOURCE_LINE_TEXT_H_
