// SPDX-License-Identifier: Apache-2.0
// The statements of a text beside the parts of what is printed of it.
#ifndef HLOSCOPE_CORE_EDITING_STATEMENTS_H_
#define HLOSCOPE_CORE_EDITING_STATEMENTS_H_

#include <cstddef>
#include <vector>

#include "core/document/document.h"
#include "core/print/printer.h"

namespace hloscope {

// A part of a text that prints as one part; it lasts until the next one begins.
struct Statement {
  TokenIndex first = 0;
  PrintedModule::Part::Kind kind = PrintedModule::Part::Kind::kHeader;
  ComputationId computation;
  InstructionId instruction;
};

// In the order of the text: the header, its tables, and of each computation the heading, the instructions, the end.
std::vector<Statement> StatementsOf(const Document& document);

// By statement: the number of the printed part; parts.size() for statements that do not print.
std::vector<size_t> PartsOfStatements(const Module& module, const std::vector<Statement>& statements,
                                      const PrintedModule& printed);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_EDITING_STATEMENTS_H_
