// SPDX-License-Identifier: Apache-2.0
// The bytes of a HloModuleProto, cut into computations and instructions. What nearly every instruction has is found
// without making a message of it; the rest becomes a message when it is asked for, one instruction after the other.
#ifndef HLOSCOPE_INTEROP_HLO_PROTO_MODULE_BYTES_H_
#define HLOSCOPE_INTEROP_HLO_PROTO_MODULE_BYTES_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "interop/proto/hlo.pb.h"
#include "interop/wire/wire.h"

namespace hloscope::interop {

class ModuleBytes {
 public:
  struct Instruction {
    int64_t id = 0, parameter_number = 0;
    absl::string_view name, opcode;
    absl::string_view shape, metadata, literal;  // messages; without data if the field is missing
    uint32_t first_number = 0;                   // of all lists of numbers: those of an instruction follow each other
    uint32_t operand_count = 0, predecessor_count = 0, callee_count = 0;
    uint32_t first_run = 0, run_count = 0;  // stretches of all other fields
  };
  struct Computation {
    int64_t id = 0, root_id = 0;
    absl::string_view name, execution_thread;
    uint32_t first = 0, count = 0;  // instructions
  };

  // Reads `bytes`, which must outlive this. False if something in them is damaged.
  bool Cut(absl::string_view bytes);

  // The module without its computations and its program shape.
  const proto::HloModuleProto& message() const { return message_; }
  // A serialized ProgramShapeProto; nothing if the module has none.
  const std::optional<std::string>& program_shape() const { return program_shape_; }
  absl::Span<const Computation> computations() const { return computations_; }
  const Computation& computation(int position) const { return computations_[static_cast<size_t>(position)]; }
  absl::Span<const Instruction> instructions(const Computation& computation) const {
    return absl::MakeConstSpan(instructions_).subspan(computation.first, computation.count);
  }
  absl::Span<const Instruction> instructions() const { return instructions_; }
  absl::Span<const int64_t> operands(const Instruction& i) const { return Numbers(i.first_number, i.operand_count); }
  absl::Span<const int64_t> predecessors(const Instruction& i) const {
    return Numbers(i.first_number + i.operand_count, i.predecessor_count);
  }
  absl::Span<const int64_t> callees(const Instruction& i) const {
    return Numbers(i.first_number + i.operand_count + i.predecessor_count, i.callee_count);
  }
  // All other fields, as stretches of bytes.
  absl::Span<const absl::string_view> runs(const Instruction& i) const {
    return absl::MakeConstSpan(runs_).subspan(i.first_run, i.run_count);
  }
  // What the names of all instructions and of all that they refer to take at most.
  uint64_t MostNameBytes() const;
  // Fills `message` with the fields that are not in Instruction. False if they are damaged.
  bool Rest(const Instruction& instruction, proto::HloInstructionProto* message) const;

 private:
  absl::Span<const int64_t> Numbers(uint32_t first, uint32_t count) const {
    return absl::MakeConstSpan(numbers_).subspan(first, count);
  }
  bool CutComputation(absl::string_view bytes);
  bool CutInstruction(absl::string_view bytes);
  // Adds to a list of the instruction that is being cut; `later`: how many numbers there are of its later lists.
  bool TakeList(const WireField& field, uint32_t* count, uint32_t later);
  // Takes the lists of an instruction, which were good, again: one after the other.
  void SortLists(absl::string_view bytes, size_t first);
  bool TakeKnown(const WireField& field, Instruction* to, bool* is_known);
  void TakeMessage(absl::string_view part, absl::string_view* whole);

  proto::HloModuleProto message_;
  std::optional<std::string> program_shape_;
  std::vector<Computation> computations_;
  std::vector<Instruction> instructions_;
  std::vector<int64_t> numbers_;
  std::vector<absl::string_view> runs_;
  std::deque<std::string> merged_;  // messages that came in several parts
  bool has_mixed_lists_ = false;    // of the instruction that is being cut: one goes on after the next has begun
};

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_HLO_PROTO_MODULE_BYTES_H_
