// SPDX-License-Identifier: Apache-2.0
// Files that are wrong in one place: the message names the message, the field and the byte.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "interop/dump/dump_folder.h"
#include "interop/files/open_file.h"
#include "interop/hlo_proto/literals.h"

namespace hloscope::interop {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

constexpr char kSmallModule[] = R"(
  name: "m" entry_computation_id: 1
  computations {
    name: "e" id: 1 root_id: 2
    instructions { name: "a" opcode: "parameter" shape { element_type: F32 dimensions: 2 } id: 1 }
    instructions { name: "b" opcode: "negate" shape { element_type: F32 dimensions: 2 } id: 2 operand_ids: 1 }
  })";

proto::HloModuleProto SmallModule() {
  proto::HloModuleProto module;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(kSmallModule, &module));
  return module;
}

std::string ErrorOf(const std::string& bytes) { return std::string(OpenBytes("f", bytes).status().message()); }

// A field with a length, in front of which nothing but the tag and the length stand.
std::string Field(int number, const std::string& bytes) {
  return absl::StrCat(std::string(1, static_cast<char>(number << 3 | 2)),
                      std::string(1, static_cast<char>(bytes.size())), bytes);
}

TEST(DamagedFileTest, WhatIsCutOffIsNamedInEveryMessage) {
  // The shape of the instruction says that ten bytes follow, of which there are two.
  const std::string shape = "\x1a\x0a\x10\x0b";
  const std::string instruction = Field(1, "b") + Field(2, "negate") + shape;
  const std::string module = Field(1, "m") + Field(3, Field(1, "e") + Field(2, instruction));
  EXPECT_THAT(ErrorOf(module), AllOf(HasSubstr("HloModuleProto: computations[0].instructions[0]: truncated: field 3 "
                                               "needs 10 bytes, 2 left"),
                                     ContainsRegex("at byte 21$")));
  EXPECT_THAT(ErrorOf(Field(1, module)),
              AllOf(HasSubstr("HloProto: hlo_module.computations[0].instructions[0]"), ContainsRegex("at byte 23$")));
}

TEST(DamagedFileTest, DamageInsideOfFieldsThatAreReadLater) {
  proto::HloModuleProto module = SmallModule();
  std::string bytes = module.SerializeAsString();
  const auto with_field = [&](const std::string& field) {
    std::string instruction = module.computations(0).instructions(1).SerializeAsString() + field;
    std::string computation = Field(1, "e") + Field(2, module.computations(0).instructions(0).SerializeAsString()) +
                              Field(2, instruction) + std::string("\x28\x01\x30\x02", 4);
    return Field(1, "m") + Field(3, computation) + std::string("\x30\x01", 2);
  };
  ASSERT_TRUE(OpenBytes("f", with_field("")).ok());
  // Metadata, whose op_name is longer than it; a shape; a window; numbers of operands.
  EXPECT_THAT(ErrorOf(with_field(Field(7, "\x12\x09"))),
              ContainsRegex("instructions\\[1\\].metadata: truncated: field 2 needs 9 bytes, 0 left, at byte [0-9]+$"));
  EXPECT_THAT(ErrorOf(with_field(Field(3, "\x1a\x09"))),
              ContainsRegex("instructions\\[1\\].shape.*field 3 needs 9 bytes, 0 left, at byte [0-9]+$"));
  EXPECT_THAT(ErrorOf(with_field(Field(15, "\x0a\x09"))),
              ContainsRegex("instructions\\[1\\].window: truncated: field 1 needs 9 bytes, 0 left, at byte [0-9]+$"));
  EXPECT_THAT(ErrorOf(with_field("\xa2\x02\x01\x80")),
              HasSubstr("instructions[1].operand_ids[1]: truncated or overlong number 0 of the list, at byte "));
}

TEST(DamagedFileTest, WrongWireTypes) {
  proto::HloModuleProto module = SmallModule();
  // The name as a number.
  const std::string first = module.computations(0).instructions(0).SerializeAsString();
  const std::string nameless = std::string("\x08\x05", 2) + Field(2, "negate") + Field(3, "\x10\x0b");
  EXPECT_THAT(ErrorOf(Field(1, "m") + Field(3, Field(1, "e") + Field(2, first) + Field(2, nameless))),
              AllOf(HasSubstr("computations[0] \"e\".instructions[1] \"\": name: it is empty"),
                    ContainsRegex("at byte [0-9]+$")));
  // A group, which no file of XLA has.
  EXPECT_THAT(ErrorOf(Field(1, "m") + Field(3, Field(1, "e") + Field(2, first) + std::string("\x0b"))),
              HasSubstr("computations[0]: wire type 3 of field 1"));
}

TEST(DamagedFileTest, MessagesThatComeInPartsAreOne) {
  // The shape of `b` in two parts, as the wire format allows.
  proto::HloModuleProto module = SmallModule();
  const std::string whole = module.computations(0).instructions(1).SerializeAsString();
  const std::string parts = whole + Field(3, std::string("\x2a\x02\x08\x00", 4));
  const std::string bytes =
      Field(1, "m") +
      Field(3, Field(1, "e") + Field(2, module.computations(0).instructions(0).SerializeAsString()) + Field(2, parts) +
                   std::string("\x28\x01\x30\x02", 4)) +
      std::string("\x30\x01", 2);
  const auto file = OpenBytes("f", bytes);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_THAT(std::string(file->modules[0].text->text()), HasSubstr("%b = f32[2]{0} negate(%a)"));
  // And a module in two parts.
  const std::string serialized = module.SerializeAsString();
  const auto twice = OpenBytes("f", Field(1, serialized) + Field(1, Field(2, "e")));
  ASSERT_TRUE(twice.ok()) << twice.status();
}

TEST(DamagedFileTest, FilesThatWereJoinedAreCounted) {
  const std::string module = SmallModule().SerializeAsString(), proto = Field(1, module) + Field(3, "");
  proto::HloModuleProto other = SmallModule();
  other.set_name("other");
  other.mutable_computations(0)->set_id(7);  // no id tells them apart
  const std::string second = other.SerializeAsString();
  EXPECT_EQ(
      ErrorOf(module + second),
      absl::StrCat("f: these are 2 files of the kind HloModuleProto, one after the other: they begin at bytes 0, ",
                   module.size(), ". A file holds one: cut it there"));
  EXPECT_THAT(ErrorOf(proto + Field(1, second)), HasSubstr(absl::StrCat("2 files of the kind HloProto, one after the "
                                                                        "other: they begin at bytes 0, ",
                                                                        proto.size(), ".")));
  EXPECT_THAT(ErrorOf(proto + proto + proto + proto + proto), AllOf(HasSubstr("5 files"), HasSubstr(", ...")));
  proto::HloSnapshot snapshot;
  ASSERT_TRUE(snapshot.mutable_hlo()->ParseFromString(proto));
  snapshot.set_execution_platform("cpu");
  const std::string recorded = snapshot.SerializeAsString();
  EXPECT_THAT(ErrorOf(recorded + recorded), HasSubstr("2 files of the kind HloSnapshot"));
}

TEST(DamagedFileTest, SizesThatOverflow) {
  proto::HloModuleProto module = SmallModule();
  auto* const instruction = module.mutable_computations(0)->mutable_instructions(0);
  instruction->set_opcode("constant");
  proto::LiteralProto* const literal = instruction->mutable_literal();
  *literal->mutable_shape() = instruction->shape();
  for (int i = 0; i < 4; ++i) literal->mutable_shape()->add_dimensions(int64_t{1} << 40);
  literal->add_f32s(1);
  EXPECT_THAT(
      ErrorOf(module.SerializeAsString()),
      AllOf(HasSubstr("computations[0] \"e\".instructions[0] \"a\": literal: "), ContainsRegex("at byte [0-9]+$")));
}

TEST(DamagedFileTest, CallsThatLeadBack) {
  proto::HloModuleProto module = SmallModule();
  auto* const instruction = module.mutable_computations(0)->mutable_instructions(1);
  instruction->set_opcode("call");
  instruction->add_called_computation_ids(1);
  EXPECT_THAT(ErrorOf(module.SerializeAsString()),
              AllOf(HasSubstr("computations[0] \"e\": it needs itself: a cycle"), ContainsRegex("at byte [0-9]+$")));
  instruction->set_called_computation_ids(0, 99);
  EXPECT_THAT(
      ErrorOf(module.SerializeAsString()),
      AllOf(HasSubstr("called_computation_ids[0]: no computation has the id 99"), ContainsRegex("at byte [0-9]+$")));
}

TEST(DamagedFileTest, LiteralsOfSnapshotsAreNamedWhenTheyAreRead) {
  proto::HloSnapshot snapshot;
  *snapshot.mutable_hlo()->mutable_hlo_module() = SmallModule();
  proto::LiteralProto* const argument = snapshot.add_arguments();
  argument->mutable_shape()->set_element_type(proto::F32);
  argument->mutable_shape()->add_dimensions(2);
  for (int i = 0; i < 3; ++i) argument->add_f32s(1);
  const auto file = OpenBytes("f", snapshot.SerializeAsString());
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_FALSE(file->snapshot->arguments[0][0].InPlace().has_value());
  EXPECT_EQ(file->snapshot->arguments[0][0].Read().status().message(), "f32[2] needs 2 values, found 3");
}

// Numbers of 1 to 10 bytes each, which the library of protocol buffers reads alike.
TEST(DamagedFileTest, IntegersOfSnapshotsAreCopiedFromTheFile) {
  proto::HloSnapshot snapshot;
  *snapshot.mutable_hlo()->mutable_hlo_module() = SmallModule();
  const auto add = [&](proto::PrimitiveType type, int count) {
    proto::LiteralProto* const argument = snapshot.add_arguments();
    argument->mutable_shape()->set_element_type(type);
    argument->mutable_shape()->add_dimensions(count);
    return argument;
  };
  constexpr int64_t kNumbers[] = {0, -1, 300, INT32_MIN, INT32_MAX, 127, 128};
  constexpr int kCount = std::size(kNumbers);
  proto::LiteralProto* const s32 = add(proto::S32, kCount);
  proto::LiteralProto* const s64 = add(proto::S64, kCount);
  proto::LiteralProto* const u32 = add(proto::U32, kCount);
  proto::LiteralProto* const u64 = add(proto::U64, kCount);
  proto::LiteralProto* const pred = add(proto::PRED, kCount);
  proto::LiteralProto* const more = add(proto::S32, kCount - 1);
  proto::LiteralProto* const fewer = add(proto::S32, kCount + 1);
  for (const int64_t number : kNumbers) {
    for (proto::LiteralProto* const literal : {s32, more, fewer}) literal->add_s32s(static_cast<int32_t>(number));
    s64->add_s64s(number << 20);
    u32->add_u32s(static_cast<uint32_t>(number));
    u64->add_u64s(static_cast<uint64_t>(number));
    pred->add_preds(number % 2 != 0);
  }
  const auto file = OpenBytes("f", snapshot.SerializeAsString());
  ASSERT_TRUE(file.ok()) << file.status();
  const std::vector<LiteralData>& arguments = file->snapshot->arguments[0];
  for (int i = 0; i < 5; ++i) {
    const std::optional<LiteralData::Array> array = arguments[static_cast<size_t>(i)].InPlace();
    ASSERT_TRUE(array && array->is_varints) << i;
    const absl::StatusOr<Literal> expected = LiteralFromProto(snapshot.arguments(i));
    const absl::StatusOr<Literal> literal = arguments[static_cast<size_t>(i)].Read();
    ASSERT_TRUE(expected.ok() && literal.ok()) << literal.status();
    EXPECT_TRUE(*expected == *literal) << i;
    // What is done with comes in pieces that make up all of it.
    std::vector<uint8_t> elements(expected->bytes().size());
    size_t done = 0;
    EXPECT_TRUE(CopyElements(*array, absl::MakeSpan(elements), [&](auto part) { done += part.size(); }).ok());
    EXPECT_EQ(done, array->bytes.size());
    EXPECT_EQ(absl::MakeConstSpan(elements), absl::MakeConstSpan(expected->bytes()));
  }
  EXPECT_EQ(arguments[5].Read().status().message(), "s32s: s32[6] needs 6 values, found 7");
  EXPECT_EQ(arguments[6].Read().status().message(), "s32s: s32[8] needs 8 values, found 7");
}

TEST(DamagedFileTest, FoldersAndFilesWithoutRights) {
  const std::string folder = absl::StrCat(testing::TempDir(), "/rights_", getpid());
  mkdir(folder.c_str(), 0700);
  mkdir(absl::StrCat(folder, "/closed").c_str(), 0000);
  const std::string file = absl::StrCat(folder, "/module_0001.a\nb.before_optimizations.txt");
  std::ofstream(file) << "HloModule m\n";
  const auto listed = ListDumpFolder(folder);
  ASSERT_TRUE(listed.ok());
  ASSERT_EQ(listed->modules.size(), 1u);
  EXPECT_EQ(listed->modules[0].name, "a\nb");
  // Nothing is closed for root.
  if (geteuid() != 0) {
    EXPECT_EQ(listed->unreadable, std::vector<std::string>{"closed"});
  }
  unlink(file.c_str());
  rmdir(absl::StrCat(folder, "/closed").c_str());
  rmdir(folder.c_str());
}

}  // namespace
}  // namespace hloscope::interop
