// SPDX-License-Identifier: Apache-2.0
// HloModuleProto to a module.
#ifndef HLOSCOPE_INTEROP_HLO_PROTO_MODULE_READER_H_
#define HLOSCOPE_INTEROP_HLO_PROTO_MODULE_READER_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/ir/module.h"
#include "interop/proto/containers.pb.h"

namespace hloscope::interop {

// A name as the module's text spells it, as the reference does when it reads names: letters, digits, `_`, `.` and `-`,
// no name of a type, no leading `__`.
std::string ValidName(absl::string_view name);

// A part of a HloModuleProto by position; -1: none.
struct ProtoPlace {
  int computation = -1;
  int instruction = -1;  // of the computation
};

struct ReadModule {
  Module module;
  // Of instructions whose opcode is not known: kInvalid in the module.
  std::vector<std::pair<InstructionId, std::string>> unknown_opcodes;
  // What is odd but does not keep the module from being read; for people.
  std::vector<std::string> notes;
  // Why the module must not be executed: fields of instructions that mean what nobody here knows, and fields that were
  // written as another type.
  std::vector<std::string> obstacles;
  // What the names of all instructions take at most, and once more where other instructions refer to them, in bytes.
  uint64_t most_name_bytes = 0;
  // Ids in the proto, by instruction and by computation of the module.
  std::vector<int64_t> instruction_ids, computation_ids;
};

// Ids of both generations: inside a computation the low 32 bits name an instruction. Computations and instructions are
// stored callees and operands first, schedules as they are; what is stored otherwise is sorted, with a note. Errors
// (InvalidArgument), after `computations[3] "body".instructions[7] "add.2": `, with the place in `*place`: ids that
// name nothing or twice the same, cycles, a missing name, shape or opcode, parameter numbers that are not 0, 1, ...,
// and whatever the shapes, literals and attributes say that cannot be; (DataLoss): bytes that are no HloModuleProto,
// without a place.
absl::StatusOr<ReadModule> ReadHloModule(absl::string_view bytes, ProtoPlace* place);
absl::StatusOr<ReadModule> ReadHloModule(const proto::HloModuleProto& from, ProtoPlace* place);

// What HloModuleConfigProto says beside the module: numbers of devices and propagation of shardings.
void ApplyConfig(const proto::HloModuleConfigProto& config, Module* module);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_HLO_PROTO_MODULE_READER_H_
