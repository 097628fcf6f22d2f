// SPDX-License-Identifier: Apache-2.0
// Tables of single instructions and what the checks say about them.
#ifndef HLOSCOPE_TESTS_SUPPORT_RULE_TEST_H_
#define HLOSCOPE_TESTS_SUPPORT_RULE_TEST_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/ops/rule_context.h"

namespace hloscope {

// A complete module around one instruction in this notation:
//   opcode[{attributes}] operand shapes [-> declared shape]
// The operands become parameters p0, p1, ... of the entry computation, the instruction its root, preceded by the
// computations of tests/evaluator/data/helper_computations.hlo and by `computations`.
std::string ModuleAround(absl::string_view instruction, absl::string_view computations = "");

// Checks every line of `table`, blank ones and those that start with // aside. A line is an instruction as above and
// one of
//   : ok                         no diagnostic
//   : code [at TEXT] | code ...  exactly these diagnostics, in text order, each at TEXT if it is given
//   => shape                     no diagnostic, and the rule infers this shape
// "[at TEXT]" compares with the text the diagnostic is anchored at; operands are written p0, p1, ...
void ExpectRules(absl::string_view table, absl::string_view computations = "", const VerifyOptions& options = {});

// The message of the first diagnostic about the instruction; empty if there is none.
std::string FirstMessage(absl::string_view instruction, absl::string_view computations = "",
                         const VerifyOptions& options = {});

// Codes of what the rule of one instruction reports, for modules that no text can express.
std::vector<std::string> DiagnosticCodes(const Module& module, InstructionId id);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_RULE_TEST_H_
