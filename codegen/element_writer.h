// SPDX-License-Identifier: Apache-2.0
// Writes what computes one element of an instruction into the body of a loop nest.
#ifndef HLOSCOPE_CODEGEN_ELEMENT_WRITER_H_
#define HLOSCOPE_CODEGEN_ELEMENT_WRITER_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "codegen/computation_writer.h"
#include "codegen/loop_function.h"

namespace hloscope::codegen {

// The parameters of a loop function, and the arguments of its call.
class LoopArguments {
 public:
  // The name of the parameter; equal arguments share one.
  std::string Input(std::string type, std::string argument);
  std::string Output(std::string type, std::string argument);
  const std::vector<LoopParameter>& parameters() const { return parameters_; }
  const std::vector<std::string>& arguments() const { return arguments_; }

 private:
  std::vector<LoopParameter> parameters_;
  std::vector<std::string> arguments_;
  int inputs_ = 0, outputs_ = 0;
};

class ElementWriter {
 public:
  ElementWriter(ComputationWriter& writer, LoopArguments& arguments, LoopNest& nest)
      : writer_(writer), arguments_(arguments), nest_(nest) {}

  // A name for the number of the element of `id` at `map`.
  absl::StatusOr<std::string> Number(InstructionId id, const IndexMap& map);
  // The same for an instruction that becomes an array by this very loop.
  absl::StatusOr<std::string> ComputedNumber(InstructionId id, const IndexMap& map);
  // The stored element of an array, which must not be inline: "a0[...]", read as bits if `as_bits`.
  std::string Element(InstructionId id, const IndexMap& map, bool as_bits);

  // Nanoseconds of one round of the body, roughly.
  double nanoseconds() const { return nanoseconds_; }

 private:
  absl::StatusOr<std::string> MappedNumber(InstructionId id, const IndexMap& map);

  ComputationWriter& writer_;
  LoopArguments& arguments_;
  LoopNest& nest_;
  absl::flat_hash_map<std::string, std::string> names_;  // by instruction and map
  double nanoseconds_ = 0.2;
};

}  // namespace hloscope::codegen

#endif  // HLOSCOPE_CODEGEN_ELEMENT_WRITER_H_
