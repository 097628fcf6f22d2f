// SPDX-License-Identifier: Apache-2.0
// Texts that printing them again does not change.
#ifndef HLOSCOPE_CLI_STABLE_TEXT_H_
#define HLOSCOPE_CLI_STABLE_TEXT_H_

#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "core/document/document.h"

namespace hloscope::cli {

// Prints the document, reads that and prints it again until nothing changes: printing may move instructions, and then
// the computations they call, once each (docs/text-format.md 7.11). A text that cannot be read is returned as it is.
std::string StableText(std::shared_ptr<const Document> document, absl::FunctionRef<std::string(const Document&)> print);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_STABLE_TEXT_H_
