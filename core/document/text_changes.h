// SPDX-License-Identifier: Apache-2.0
// A text after edits.
#ifndef HLOSCOPE_CORE_DOCUMENT_TEXT_CHANGES_H_
#define HLOSCOPE_CORE_DOCUMENT_TEXT_CHANGES_H_

#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "core/source/source_text.h"
#include "core/source/text_change.h"

namespace hloscope {

struct TextEdit;

// The text after the edits, and what changed in ascending order. Ranges beyond the text are cut; of overlapping ones
// the later loses what the earlier has taken.
std::shared_ptr<const SourceText> ApplyEdits(const SourceText& source, absl::Span<const TextEdit> edits,
                                             std::vector<TextChange>* changes);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_DOCUMENT_TEXT_CHANGES_H_
