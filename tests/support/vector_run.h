// SPDX-License-Identifier: Apache-2.0
// Runs a module on the files of a vector case.
#ifndef HLOSCOPE_TESTS_SUPPORT_VECTOR_RUN_H_
#define HLOSCOPE_TESTS_SUPPORT_VECTOR_RUN_H_

#include <string>

#include "core/document/document.h"
#include "tests/support/vector_case.h"

namespace hloscope {

// Runs the module of `document` on all devices of the case, with the case's arguments unless `has_arguments` is false,
// and compares the results as the case asks. Empty if the case passes, else why not.
std::string RunVectorCase(const VectorCase& c, const Document& document, bool has_arguments = true);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_VECTOR_RUN_H_
