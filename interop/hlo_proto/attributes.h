// Attributes of instructions between protos and modules. What a field means is in attribute_fields.h (plain
// types), attribute_words.h (enumerations) and attribute_structures.h (the rest).
#ifndef HLOSCOPE_INTEROP_HLO_PROTO_ATTRIBUTES_H_
#define HLOSCOPE_INTEROP_HLO_PROTO_ATTRIBUTES_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/ir/module.h"
#include "interop/proto/hlo.pb.h"

namespace hloscope::interop {

// What ids of a proto name.
struct IdResolver {
  absl::FunctionRef<ComputationId(int64_t id)> computation;  // none if there is none
  absl::FunctionRef<InstructionId(int64_t id)> instruction;  // in the computation of the instruction
};

// What an instruction's attributes are read from.
struct AttributeSource {
  const proto::HloInstructionProto& fields;  // without those that are beside it here
  absl::string_view metadata;                // a message; without data if there is none
  absl::Span<const int64_t> predecessors, callees;
  const proto::HloModuleProto& owner;
};

// Adds all attributes of the instruction to `id`, whose name, opcode, shape and operands are there. Errors
// (InvalidArgument): what the fields say contradicts itself, or names what is not there; (DataLoss): metadata that is
// damaged.
absl::Status ReadAttributes(const AttributeSource& from, const IdResolver& resolve, InstructionId id, Module& module);

// The ids that the fields get.
struct IdNumbering {
  absl::FunctionRef<int64_t(ComputationId)> computation;
  absl::FunctionRef<int64_t(InstructionId)> instruction;
};

// Errors (ResourceExhausted): a literal that no message can hold.
absl::Status WriteAttributes(const Module& module, InstructionId id, const IdNumbering& numbers,
                             proto::HloInstructionProto* to);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_HLO_PROTO_ATTRIBUTES_H_
