// SPDX-License-Identifier: Apache-2.0
// Carrying a change of a printed text over to a text that is written in another way.
#ifndef HLOSCOPE_CORE_EDITING_WORD_MERGE_H_
#define HLOSCOPE_CORE_EDITING_WORD_MERGE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/document/document.h"

namespace hloscope {

// `written` says the same as `before` with other white space, comments and defaults. The edits of `written`, whose
// first byte is at `offset` of its text, that make it say what `after` does: the words that differ between `before` and
// `after` are replaced, all others stay.
std::vector<TextEdit> MergeWords(absl::string_view written, uint32_t offset, absl::string_view before,
                                 absl::string_view after);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_EDITING_WORD_MERGE_H_
