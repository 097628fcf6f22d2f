// SPDX-License-Identifier: Apache-2.0
// Valid modules of any size, for tests and figures of how reading scales.
#ifndef HLOSCOPE_TESTS_SUPPORT_GENERATED_MODULE_H_
#define HLOSCOPE_TESTS_SUPPORT_GENERATED_MODULE_H_

#include <cstddef>
#include <string>

namespace hloscope {

// At least `bytes` of what dumps are made of: fusions, reducers, loops, and an entry that calls them all, with layouts,
// names that are used once, and metadata. A check finds nothing.
std::string GenerateModule(size_t bytes);

// One computation of large constants and tuples, at least `bytes`: each written on a line of about 77 000 characters,
// or with a line for each element. Both texts have the same size and meaning.
enum class LineBreaks { kPerInstruction, kPerElement };
std::string GenerateLongInstructions(size_t bytes, LineBreaks breaks);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_GENERATED_MODULE_H_
