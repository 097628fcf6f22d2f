// SPDX-License-Identifier: Apache-2.0
// What a mistake in a text costs.
#ifndef HLOSCOPE_TESTS_SUPPORT_RECOVERY_H_
#define HLOSCOPE_TESTS_SUPPORT_RECOVERY_H_

#include <string>

namespace hloscope {

// Expects that reading `text` gives exactly one error, on line `line` (counted from 0), that the entry computation has
// `instruction_count` instructions, and that all of them are as written but, at most, for `lost`, whose users are not
// reported. Inference and verification of the whole text add no error, unless the mistake has one obvious meaning and
// the instruction, read as it is meant, breaks a rule: then they may say so of it and of its users.
void ExpectOneInstructionIsLost(const std::string& text, int line, size_t instruction_count, const std::string& lost);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_RECOVERY_H_
