// SPDX-License-Identifier: Apache-2.0
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
#include "core/semantics/recent_attributes.h"
#include "interop/proto/hlo.pb.h"

namespace hloscope::interop {

// What ids of a proto name.
struct IdResolver {
  absl::FunctionRef<ComputationId(int64_t id)> computation;  // none if there is none
  absl::FunctionRef<InstructionId(int64_t id)> instruction;  // in the computation of the instruction
};

// What other messages an instruction's attributes come from.
struct AttributeLinks {
  absl::string_view metadata;  // a message; without data if there is none
  absl::Span<const int64_t> predecessors, callees;
};

// Adds the attributes of the instruction to `id`, whose name, opcode, shape and operands are there: those in its
// fields, then those that lead elsewhere. Errors (InvalidArgument): what they say contradicts itself, or names what is
// not there; (DataLoss): metadata that is damaged.
absl::Status ReadFieldAttributes(const proto::HloInstructionProto& from, const proto::HloModuleProto& owner,
                                 InstructionId id, Module& module);
absl::Status ReadLinkAttributes(const AttributeLinks& from, const proto::HloModuleProto& owner,
                                const IdResolver& resolve, InstructionId id, RecentAttributes* recent, Module& module);

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
