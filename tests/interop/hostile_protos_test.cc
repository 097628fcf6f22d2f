// SPDX-License-Identifier: Apache-2.0
// Files that are small, or of a usual size, and would take very much memory or time.
#include <ctime>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "interop/files/gzip.h"
#include "interop/files/open_file.h"
#include "interop/files/write_file.h"
#include "interop/profile/profile.h"
#include "interop/wire/wire.h"

namespace hloscope::interop {
namespace {

double ProcessorSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::string Varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<char>(value | 0x80));
  bytes.push_back(static_cast<char>(value));
  return bytes;
}

std::string Field(uint32_t number, const std::string& bytes) {
  return absl::StrCat(Varint(number << 3 | 2), Varint(bytes.size()), bytes);
}

std::string Number(uint32_t number, uint64_t value) { return absl::StrCat(Varint(number << 3), Varint(value)); }

// A parameter of f32[2] that is the root; `shape` holds the fields of its shape, or parts of them.
std::string ModuleWith(const std::string& shape_fields) {
  const std::string instruction = absl::StrCat(Field(1, "a"), Field(2, "parameter"), shape_fields, Number(35, 1));
  const std::string computation = absl::StrCat(Field(1, "e"), Field(2, instruction), Number(5, 1), Number(6, 1));
  return absl::StrCat(Field(1, "m"), Field(2, "e"), Field(3, computation), Number(6, 1));
}

TEST(HostileProtosTest, MessagesInVeryManyParts) {
  const std::string type = Number(2, 11), size = Number(3, 2), layout = Field(5, "");
  std::string parts = absl::StrCat(Field(3, type), Field(3, size));
  // Of shape and metadata in turns: a layout without anything, and a name.
  for (int i = 0; i < 100000; ++i) absl::StrAppend(&parts, Field(3, layout), Field(7, Field(2, "n")));
  const double start = ProcessorSeconds();
  const std::string module = ModuleWith(parts);
  const absl::StatusOr<OpenedFile> file = OpenBytes("f", module);
  EXPECT_LT(ProcessorSeconds() - start, 2);
  // What it says does not matter here; an empty layout does not fit the shape.
  EXPECT_FALSE(file.ok());
  EXPECT_TRUE(absl::StrContains(file.status().message(), "minor_to_major")) << file.status();

  // The same of the module in a HloProto: its name again and again.
  std::string proto = Field(1, ModuleWith(Field(3, absl::StrCat(type, size))));
  for (int i = 0; i < 100000; ++i) absl::StrAppend(&proto, Field(1, Field(1, "renamed")));
  const absl::StatusOr<OpenedFile> parted = OpenBytes("f", proto);
  ASSERT_TRUE(parted.ok()) << parted.status();
  EXPECT_EQ(parted->modules[0].name, "renamed");
  EXPECT_LT(ProcessorSeconds() - start, 4);
}

TEST(HostileProtosTest, OriginsOfVeryManyLeaves) {
  constexpr int kLeaves = 30000;
  proto::HloModuleProto module;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
      R"(name: "m" entry_computation_id: 1 computations { name: "e" id: 1 root_id: 1 instructions {
         name: "a" opcode: "parameter" id: 1 shape { element_type: TUPLE } } })",
      &module));
  proto::HloInstructionProto* const tuple = module.mutable_computations(0)->mutable_instructions(0);
  for (int i = 0; i < kLeaves; ++i) {
    tuple->mutable_shape()->add_tuple_shapes()->set_element_type(proto::F32);
    auto* const element = tuple->mutable_original_value()->add_elements();
    element->add_shape_index(i);
    element->mutable_original_array()->set_instruction_name(absl::StrCat("x", i));
  }
  const double start = ProcessorSeconds();
  const absl::StatusOr<OpenedFile> file = OpenBytes("f", module.SerializeAsString());
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_LT(ProcessorSeconds() - start, 2);
  EXPECT_TRUE(absl::StrContains(file->modules[0].text->text(), absl::StrCat("x", kLeaves - 1)));
}

// Operands are numbers in a proto: a text repeats the name for each.
TEST(HostileProtosTest, LongNamesThatAreUsedVeryOften) {
  const std::string name(size_t{1} << 20, 'a');
  std::string operands;
  for (int i = 0; i < 5000; ++i) absl::StrAppend(&operands, Number(36, 2));
  const std::string f32 = Field(3, Number(2, 11));
  std::string leaves;
  for (int i = 0; i < 5000; ++i) absl::StrAppend(&leaves, Field(4, Number(2, 11)));
  const std::string tuple = Field(3, absl::StrCat(Number(2, 13), leaves));
  const std::string instructions =
      absl::StrCat(Field(2, absl::StrCat(Field(1, name), Field(2, "parameter"), f32, Number(35, 2))),
                   Field(2, absl::StrCat(Field(1, "t"), Field(2, "tuple"), tuple, Number(35, 3), operands)));
  const std::string module =
      absl::StrCat(Field(1, "m"), Field(2, "e"),
                   Field(3, absl::StrCat(Field(1, "e"), instructions, Number(5, 1), Number(6, 3))), Number(6, 1));
  const double start = ProcessorSeconds();
  const absl::StatusOr<OpenedFile> file = OpenBytes("f", module);
  EXPECT_EQ(file.status().code(), absl::StatusCode::kResourceExhausted) << file.status();
  EXPECT_TRUE(absl::StrContains(file.status().message(), "the names of instructions alone")) << file.status();
  EXPECT_LT(ProcessorSeconds() - start, 1);
}

TEST(HostileProtosTest, ProfilesWithVeryManyPrograms) {
  std::string plane = Field(2, "/host:metadata");
  for (int i = 1; i <= 60000; ++i) {
    absl::StrAppend(&plane, Field(4, absl::StrCat(Number(1, static_cast<uint64_t>(i)), Field(2, Field(2, "p")))));
  }
  const double start = ProcessorSeconds();
  const absl::StatusOr<Profile> profile = ReadProfile(std::make_shared<const std::string>(Field(1, plane)));
  ASSERT_TRUE(profile.ok()) << profile.status();
  EXPECT_EQ(profile->programs.size(), 60000u);
  EXPECT_LT(ProcessorSeconds() - start, 2);
}

TEST(HostileProtosTest, ARefusedBeginningIsNotExpandedFurther) {
  std::string zeros = *Gzip(std::string(size_t{64} << 20, '\0'));
  size_t seen = 0;
  const absl::Status status = Gunzip(zeros, size_t{1} << 30, [&](absl::string_view start) {
                                seen = start.size();
                                return absl::InvalidArgumentError("not this");
                              }).status();
  EXPECT_EQ(status.message(), "not this");
  EXPECT_EQ(seen, kExpandedStart);
  const absl::Status opened = OpenBytes("f", zeros).status();
  EXPECT_TRUE(absl::StrContains(opened.message(), "this is no protocol buffer: field number 0")) << opened;
}

TEST(HostileProtosTest, ConstantsThatNoMessageHoldsAreNotMade) {
  std::string text = "HloModule m\nENTRY e {\n";
  for (int i = 0; i < 5; ++i) absl::StrAppend(&text, "  c", i, " = f32[500000000] constant(0)\n");
  const auto document =
      Document::Parse(SourceText::FromString("m", absl::StrCat(text, "  ROOT r = f32[500000000] negate(c0)\n}\n")));
  ASSERT_FALSE(document->has_errors());
  const absl::Status status = EncodeModule(document->module(), OutputForm::kProto).status();
  EXPECT_EQ(status.message(), "the constants take 10000000000 bytes, and a message holds at most 2 GiB");
}

TEST(HostileProtosTest, ATextOfVeryManyModules) {
  std::string text;
  for (int i = 0; i < 45000; ++i) absl::StrAppend(&text, "HloModule m\nENTRY e { ROOT p = f32[] parameter(0) }\n");
  const absl::Status status = OpenBytes("f", text).status();
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  EXPECT_EQ(status.message(),
            "f: 45000 modules on 90001 lines are too many to be opened at once: cut the file into several");
}

TEST(HostileProtosTest, WhatACompressedFileExpandsToIsLimited) {
  const std::string bomb = *Gzip(absl::StrCat("HloModule m\n", std::string(size_t{16} << 20, ' ')));
  OpenFileOptions options;
  options.max_expanded_bytes = size_t{4} << 20;
  const absl::Status status = OpenBytes("f", bomb, options).status();
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  EXPECT_TRUE(absl::StrContains(status.message(), "expand to more than the limit of 4194304 bytes")) << status;
}

}  // namespace
}  // namespace hloscope::interop
