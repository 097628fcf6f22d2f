// SPDX-License-Identifier: Apache-2.0
// Whether a document that came from an edit equals one that was parsed from the same text.
#ifndef HLOSCOPE_TESTS_SUPPORT_DOCUMENT_EQUALITY_H_
#define HLOSCOPE_TESTS_SUPPORT_DOCUMENT_EQUALITY_H_

#include <cstdint>
#include <string>

#include "core/document/document.h"

namespace hloscope {

// The first difference in words, or "": text and lines, diagnostics in their order with all ranges and texts, ids,
// names, shapes, operands, attributes and literals of the modules, users and callers. With `positions` > 0 also the
// answers about that many positions of the text, and about the instructions there; and what the modules print as.
std::string DocumentDifference(const Document& a, const Document& b, int positions, uint64_t seed);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_DOCUMENT_EQUALITY_H_
