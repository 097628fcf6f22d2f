// SPDX-License-Identifier: Apache-2.0
// Every attribute of a plain type has a field in protos, one that no other attribute of its opcode has.
#include "interop/hlo_proto/attribute_fields.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace hloscope::interop {
namespace {

using Kind = AttributeKind;

// What the fields hold that the opcode's attributes have rows for.
std::vector<std::string> Values(Opcode opcode, const proto::HloInstructionProto& from) {
  std::vector<std::string> values;
  for (Kind kind : InfoOf(opcode).attributes) {
    const AttributeField<bool>* const flag = FindBoolField(kind, opcode);
    if (flag != nullptr && flag->get(from)) values.push_back(std::string(AttributeName(kind)));
    const AttributeField<int64_t>* const number = FindIntField(kind, opcode);
    if (number != nullptr && number->get(from) != 0) values.push_back(std::string(AttributeName(kind)));
    const IntsField* const list = FindIntsField(kind, opcode);
    if (list != nullptr && !list->get(from).empty()) values.push_back(std::string(AttributeName(kind)));
    const StringField* const text = FindStringField(kind, opcode);
    if (text != nullptr && !text->get(from).empty()) values.push_back(std::string(AttributeName(kind)));
  }
  return values;
}

// Sets the field of an attribute; false if it has no row.
bool Set(Opcode opcode, Kind kind, proto::HloInstructionProto* to) {
  if (const AttributeField<bool>* field = FindBoolField(kind, opcode)) return field->set(to, true), true;
  if (const AttributeField<int64_t>* field = FindIntField(kind, opcode)) return field->set(to, 3), true;
  if (const IntsField* field = FindIntsField(kind, opcode)) return field->get_mutable(to)->Add(3), true;
  if (const StringField* field = FindStringField(kind, opcode)) return field->get_mutable(to)->assign("x"), true;
  return false;
}

TEST(AttributeFieldsTest, EveryPlainAttributeHasAFieldOfItsOwn) {
  for (Opcode opcode : AllOpcodes()) {
    for (Kind kind : InfoOf(opcode).attributes) {
      const AttributeType type = InfoOf(kind).type;
      const bool is_plain = type == AttributeType::kBool || type == AttributeType::kInt ||
                            type == AttributeType::kInt32 || type == AttributeType::kInts ||
                            type == AttributeType::kString;
      // These two are the list `dimensions`.
      if (!is_plain || kind == Kind::kIotaDimension || kind == Kind::kInferredDimension) continue;
      proto::HloInstructionProto instruction;
      const std::string name = absl::StrCat(OpcodeName(opcode), " ", AttributeName(kind));
      ASSERT_TRUE(Set(opcode, kind, &instruction)) << name << " has no row";
      EXPECT_EQ(Values(opcode, instruction), std::vector<std::string>{std::string(AttributeName(kind))}) << name;
      proto::HloInstructionProto read;
      ASSERT_TRUE(read.ParseFromString(instruction.SerializeAsString()));
      EXPECT_EQ(Values(opcode, read).size(), 1u) << name;
    }
  }
}

// Attributes whose field depends on the opcode.
TEST(AttributeFieldsTest, FieldsOfOneOpcodeComeFirst) {
  proto::HloInstructionProto to;
  FindBoolField(Kind::kLower, Opcode::kCholesky)->set(&to, true);
  EXPECT_TRUE(to.cholesky_options().lower());
  EXPECT_FALSE(to.has_triangular_solve_options());
  FindIntsField(Kind::kLhsContractingDims, Opcode::kRaggedDot)->get_mutable(&to)->Add(1);
  EXPECT_FALSE(to.has_dot_dimension_numbers());
  EXPECT_EQ(to.ragged_dot_dimension_numbers().dot_dimension_numbers().lhs_contracting_dimensions_size(), 1);
}

}  // namespace
}  // namespace hloscope::interop
