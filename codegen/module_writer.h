// SPDX-License-Identifier: Apache-2.0
// Writes the functions of one module into a program.
#ifndef HLOSCOPE_CODEGEN_MODULE_WRITER_H_
#define HLOSCOPE_CODEGEN_MODULE_WRITER_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "codegen/program_text.h"
#include "core/ir/module.h"

namespace hloscope::codegen {

// What prevents compiling a module.
struct NotCompiled {
  InstructionId instruction;
  std::string reason;
};

// A computation of scalars as a C++ function of numbers. With several results it returns a struct with the members r0,
// r1, ...
struct ScalarFunction {
  std::string name;
  std::vector<ElementType> parameters, results;
};

// The arrays (and tokens) of a value, depth first.
std::vector<Shape> LeavesOf(const Shape& shape);
// Number of the first leaf of element `index` of a tuple.
int64_t FirstLeafOf(const Shape& tuple, int64_t index);

class ModuleWriter {
 public:
  ModuleWriter(const Module& module, ProgramText& program);

  // Writes everything that the entry computation needs. `not_compiled()` says what could not be written.
  void Write();

  const Module& module() const { return module_; }
  ProgramText& program() { return program_; }
  const std::vector<NotCompiled>& not_compiled() const { return not_compiled_; }
  void Report(InstructionId id, std::string reason) { not_compiled_.push_back({id, std::move(reason)}); }

  // The function that computes a computation on arrays: `void name(Array* in, Array* out)`. It is written later.
  std::string FunctionOf(ComputationId computation);
  // The function that computes a computation on numbers. Errors: Unimplemented.
  absl::StatusOr<ScalarFunction> ScalarFunctionOf(ComputationId computation);

 private:
  absl::StatusOr<ScalarFunction> WriteScalarFunction(ComputationId computation);
  absl::StatusOr<std::string> ScalarBody(ComputationId computation, const ScalarFunction& function);
  absl::StatusOr<std::vector<std::string>> ScalarCall(InstructionId id, ComputationId callee,
                                                      absl::Span<const std::vector<std::string>> operands,
                                                      const std::string& name, std::string& text);
  std::string ScalarBodyThroughArrays(ComputationId computation, const ScalarFunction& function);

  const Module& module_;
  ProgramText& program_;
  absl::flat_hash_map<ComputationId, std::string> functions_;
  std::vector<ComputationId> to_write_;
  absl::flat_hash_map<ComputationId, ScalarFunction> scalar_functions_;
  int scalar_depth_ = 0;  // of those that are being written
  std::vector<NotCompiled> not_compiled_;
};

}  // namespace hloscope::codegen

#endif  // HLOSCOPE_CODEGEN_MODULE_WRITER_H_
