// SPDX-License-Identifier: Apache-2.0
// Puts the statements of a function together.
#ifndef HLOSCOPE_CODEGEN_FUNCTION_BODY_H_
#define HLOSCOPE_CODEGEN_FUNCTION_BODY_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "codegen/program_text.h"
#include "codegen/statement.h"

namespace hloscope::codegen {

// Lines of a function, and the loop functions that they call, which are added to `program`. A reference is given away
// by the last statement that needs it, so that arrays are freed early and may be written over. `names`: of the
// variables by array; `local_name` makes one that nothing else in the function has.
std::string FunctionBody(ProgramText& program, absl::Span<const Statement> statements,
                         absl::Span<const std::string> names,
                         const std::function<std::string(const std::string& wish)>& local_name);

}  // namespace hloscope::codegen

#endif  // HLOSCOPE_CODEGEN_FUNCTION_BODY_H_
