// SPDX-License-Identifier: Apache-2.0
// The fields of an instruction's proto that hold attributes of plain types: a row for each, which both directions read.
// Attributes without a row have a meaning that depends on more than one field; see attribute_reader.cc.
#ifndef HLOSCOPE_INTEROP_HLO_PROTO_ATTRIBUTE_FIELDS_H_
#define HLOSCOPE_INTEROP_HLO_PROTO_ATTRIBUTE_FIELDS_H_

#include <cstdint>
#include <string>

#include "core/ir/opcode.h"
#include "interop/proto/hlo.pb.h"

namespace hloscope::interop {

template <typename Value>
struct AttributeField {
  AttributeKind kind;
  Opcode opcode;  // the one that has the field; kInvalid: all that have no row of their own
  Value (*get)(const proto::HloInstructionProto& from);
  void (*set)(proto::HloInstructionProto* to, Value value);
};

struct IntsField {
  AttributeKind kind;
  Opcode opcode;
  const google::protobuf::RepeatedField<int64_t>& (*get)(const proto::HloInstructionProto& from);
  google::protobuf::RepeatedField<int64_t>* (*get_mutable)(proto::HloInstructionProto* to);
};

struct StringField {
  AttributeKind kind;
  Opcode opcode;
  const std::string& (*get)(const proto::HloInstructionProto& from);
  std::string* (*get_mutable)(proto::HloInstructionProto* to);
};

// Null if the attribute has no row.
const AttributeField<bool>* FindBoolField(AttributeKind kind, Opcode opcode);
const AttributeField<int64_t>* FindIntField(AttributeKind kind, Opcode opcode);
const IntsField* FindIntsField(AttributeKind kind, Opcode opcode);
const StringField* FindStringField(AttributeKind kind, Opcode opcode);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_HLO_PROTO_ATTRIBUTE_FIELDS_H_
