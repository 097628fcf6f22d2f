// SPDX-License-Identifier: Apache-2.0
// Writes one computation as a C++ function on arrays.
#ifndef HLOSCOPE_CODEGEN_COMPUTATION_WRITER_H_
#define HLOSCOPE_CODEGEN_COMPUTATION_WRITER_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "codegen/computation_plan.h"
#include "codegen/module_writer.h"
#include "codegen/program_text.h"
#include "codegen/statement.h"

namespace hloscope::codegen {

class ComputationWriter {
 public:
  ComputationWriter(ModuleWriter& writer, ComputationId computation);

  // `void name(Array* in, Array* out)`: takes the leaves of its parameters out of `in`, and puts those of its result
  // into `out`. Arrays that nobody else holds may be written over.
  FunctionText Write(const std::string& name);

  ModuleWriter& writer() { return writer_; }
  const Module& module() const { return module_; }
  ProgramText& program() { return writer_.program(); }
  const ComputationPlan& plan() const { return plan_; }

  // --- For the statement that is being written ---

  // The variable of an array that an earlier statement made; the statement reads it.
  std::string Read(InstructionId id, int64_t leaf = 0);
  // "x.as<float>()".
  std::string ReadData(InstructionId id, int64_t leaf = 0);
  // A copy of the reference, or, where the statement is the last that needs it, the reference itself.
  std::string Take(InstructionId id, int64_t leaf = 0);
  std::vector<std::string> TakeAll(InstructionId id);
  // A new variable for an array of the result; the text must define it: `Array name = ...;`.
  std::string Define(InstructionId id, int64_t leaf = 0);
  // A line `Array name = Allocate(...);` for it; returns the name.
  std::string DefineAllocated(InstructionId id, int64_t leaf = 0);
  // A line `Array name = Allocate(...);` for what the statement at hand alone needs: it is freed after it.
  std::string AllocateScratch(const std::string& wish, int64_t bytes);
  // A name for something else than an array of a result.
  std::string LocalName(absl::string_view wish);
  void AddLine(std::string line);
  // Adds a loop function and a line that calls it.
  void CallLoop(InstructionId id, absl::Span<const LoopParameter> parameters, absl::Span<const std::string> arguments,
                const LoopText& text);
  // The same for a joined nest that only moves elements (FunctionOfMoves).
  void CallMoves(InstructionId id, absl::Span<const LoopParameter> parameters, absl::Span<const std::string> arguments,
                 const LoopNest& nest, double nanoseconds, int64_t element_bytes);
  // What to call a function made for an instruction.
  std::string NameFor(InstructionId id) const;

 private:
  void ShareOperands(InstructionId id);
  absl::Status WriteInstruction(InstructionId id);
  std::string TakeArray(ArrayId array);

  ModuleWriter& writer_;
  const Module& module_;
  const ComputationId computation_;
  const ComputationPlan plan_;
  std::vector<std::string> names_;  // by array
  absl::flat_hash_map<std::string, ArrayId> array_of_name_;
  absl::flat_hash_map<InstructionId, std::vector<ArrayId>> arrays_;
  absl::flat_hash_map<std::string, int> used_names_;
  std::vector<Statement> statements_;
};

}  // namespace hloscope::codegen

#endif  // HLOSCOPE_CODEGEN_COMPUTATION_WRITER_H_
