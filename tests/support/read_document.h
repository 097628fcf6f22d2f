// SPDX-License-Identifier: Apache-2.0
// Documents of texts that tests hold.
#ifndef HLOSCOPE_TESTS_SUPPORT_READ_DOCUMENT_H_
#define HLOSCOPE_TESTS_SUPPORT_READ_DOCUMENT_H_

#include <memory>
#include <string>

#include "core/document/document.h"

namespace hloscope {

// Parsed, inferred and verified; the file is called test.hlo.
std::shared_ptr<const Document> ReadDocument(std::string text);
// The same; errors are the test's.
std::shared_ptr<const Document> ReadCorrectDocument(const std::string& text);
// Parsed only.
std::shared_ptr<const Document> ParseDocument(std::string text);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_READ_DOCUMENT_H_
