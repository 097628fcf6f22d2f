// SPDX-License-Identifier: Apache-2.0
// Files of all kinds, whole and damaged.
#include "interop/files/open_file.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "interop/files/gzip.h"
#include "interop/files/split_modules.h"
#include "interop/files/write_file.h"
#include "interop/hlo_proto/module_reader.h"
#include "tests/support/module_generator.h"
#include "tests/support/shared_files.h"

namespace hloscope::interop {
namespace {

std::shared_ptr<const Document> Read(const std::string& text) {
  return Document::Parse(SourceText::FromString("test", text));
}

constexpr char kModule[] = R"(
  name: "m" entry_computation_id: 1
  computations {
    name: "e" id: 1 root_id: 3
    instructions { name: "a" opcode: "parameter" shape { element_type: F32 dimensions: 2 layout { minor_to_major: 0 } } id: 1 }
    instructions { name: "b" opcode: "constant" shape { element_type: F32 dimensions: 2 layout { minor_to_major: 0 } } id: 2
                   literal { shape { element_type: F32 dimensions: 2 layout { minor_to_major: 0 } } f32s: 1 f32s: 2 } }
    instructions { name: "c" opcode: "add" shape { element_type: F32 dimensions: 2 layout { minor_to_major: 0 } } id: 3
                   operand_ids: 1 operand_ids: 2 }
  })";

proto::HloModuleProto Parsed(const std::string& text = kModule) {
  proto::HloModuleProto module;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &module));
  return module;
}

std::string ErrorOf(const proto::HloModuleProto& module) {
  return std::string(OpenBytes("f", module.SerializeAsString()).status().message());
}

TEST(OpenFileTest, OldIdsAndNoLayoutOfTheInterface) {
  const absl::StatusOr<OpenedFile> file = OpenBytes("f", Parsed().SerializeAsString());
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->kind, FileKind::kModule);
  const auto document = Document::Parse(file->modules[0].text);
  EXPECT_FALSE(document->has_errors()) << file->modules[0].text->text();
  EXPECT_TRUE(absl::StrContains(file->modules[0].text->text(), "ROOT %c = f32[2]{0} add(%a, %b)"));
}

// A proto from a newer XLA: what we do not know is written again, in the message that it was in.
TEST(OpenFileTest, UnknownFieldsAreWrittenAgain) {
  const auto mark = [](google::protobuf::Message* message, int number) {
    message->GetReflection()->MutableUnknownFields(message)->AddVarint(number, static_cast<uint64_t>(number));
  };
  proto::HloSnapshot snapshot;
  const auto document = Read(RandomModule(7));
  ASSERT_TRUE(snapshot.mutable_hlo()->ParseFromString(*EncodeModule(document->module(), OutputForm::kProto)));
  const proto::HloSnapshot known = snapshot;
  proto::HloModuleProto* module = snapshot.mutable_hlo()->mutable_hlo_module();
  proto::HloComputationProto* computation = module->mutable_computations(module->computations_size() - 1);
  int64_t count = 3;
  mark(snapshot.mutable_hlo(), 1000);
  mark(module, 1001);
  mark(computation, 1002);
  for (auto& instruction : *computation->mutable_instructions()) {
    mark(&instruction, 1003);
    mark(instruction.mutable_shape(), 1004);
    count += 2;
  }
  const std::string hlo = snapshot.hlo().SerializeAsString();
  ReadProto read_from{hlo};
  const absl::StatusOr<OpenedFile> file = OpenBytes("f", hlo);
  ASSERT_TRUE(file.ok()) << file.status();
  const auto read = Document::Parse(file->modules[0].text);
  EXPECT_EQ(*EncodeModule(read->module(), OutputForm::kProto, {}, &read_from), hlo);
  EXPECT_EQ(read_from.lost_fields, 0);
  // As a snapshot, and from one.
  const std::string recorded = *EncodeModule(read->module(), OutputForm::kSnapshot, {}, &read_from);
  ReadProto from_snapshot{recorded};
  EXPECT_EQ(*EncodeModule(read->module(), OutputForm::kProto, {}, &from_snapshot), hlo);
  // Into another module: nothing is written, and all is counted.
  const auto other = Read("HloModule m\n\nENTRY other {\n  ROOT other_p = f32[] parameter(0)\n}\n");
  ReadProto into_other{hlo};
  proto::HloProto written;
  ASSERT_TRUE(written.ParseFromString(*EncodeModule(other->module(), OutputForm::kProto, {}, &into_other)));
  EXPECT_EQ(into_other.lost_fields, count - 2);  // those of the HloProto and of the module have their places
  // No such fields, and no proto.
  const std::string plain = known.hlo().SerializeAsString();
  ReadProto without{plain};
  EXPECT_EQ(*EncodeModule(document->module(), OutputForm::kProto, {}, &without), plain);
  ReadProto text{"HloModule m"};
  EXPECT_EQ(*EncodeModule(document->module(), OutputForm::kProto, {}, &text), plain);
  EXPECT_EQ(text.lost_fields, 0);
}

TEST(OpenFileTest, BufferAssignmentsAreWrittenAgain) {
  // Of a module with old ids, which are not those that are written.
  proto::HloProto hlo;
  *hlo.mutable_hlo_module() = Parsed();
  proto::BufferAssignmentProto* const assignment = hlo.mutable_buffer_assignment();
  proto::LogicalBufferProto* const value = assignment->add_logical_buffers();
  value->set_id(5);
  value->set_size(8);
  value->mutable_defined_at()->set_instruction_id(3);
  value->GetReflection()->MutableUnknownFields(value)->AddVarint(1000, 1);
  assignment->add_buffer_aliases()->mutable_location()->set_instruction_id((int64_t{1} << 32) | 1);
  const auto written = [](const proto::HloProto& from, OutputForm form, absl::Status* lost) {
    const std::string bytes = from.SerializeAsString();
    const absl::StatusOr<OpenedFile> file = OpenBytes("f", bytes);
    EXPECT_TRUE(file.ok()) << file.status();
    ReadProto read_from{bytes, file->buffer_assignment.get(), &file->instruction_names};
    const auto encoded = EncodeModule(Document::Parse(file->modules[0].text)->module(), form, {}, &read_from);
    EXPECT_TRUE(encoded.ok()) << encoded.status();
    *lost = read_from.lost_assignment;
    EXPECT_EQ(read_from.lost_fields, lost->ok() ? 0 : 1);
    proto::HloSnapshot snapshot;
    EXPECT_TRUE(form == OutputForm::kSnapshot ? snapshot.ParseFromString(*encoded)
                                              : snapshot.mutable_hlo()->ParseFromString(*encoded));
    return snapshot.hlo();
  };
  for (const OutputForm form : {OutputForm::kProto, OutputForm::kSnapshot}) {
    absl::Status lost;
    const proto::HloProto again = written(hlo, form, &lost);
    EXPECT_TRUE(lost.ok()) << lost;
    const auto& instructions = again.hlo_module().computations(0).instructions();
    proto::BufferAssignmentProto expected = *assignment;
    expected.mutable_logical_buffers(0)->mutable_defined_at()->set_instruction_id(instructions[2].id());
    expected.mutable_buffer_aliases(0)->mutable_location()->set_instruction_id(instructions[0].id());
    EXPECT_EQ(again.buffer_assignment().SerializeAsString(), expected.SerializeAsString());
    EXPECT_NE(instructions[2].id(), 3);
  }
  value->mutable_defined_at()->set_instruction_id(77);
  absl::Status lost;
  EXPECT_FALSE(written(hlo, OutputForm::kProto, &lost).has_buffer_assignment());
  EXPECT_TRUE(absl::StrContains(lost.message(), "an instruction of id 77")) << lost;
}

TEST(OpenFileTest, TheSameModuleInEveryForm) {
  const auto document = Read(RandomModule(7));
  const std::string expected = *EncodeModule(document->module(), OutputForm::kText);
  for (OutputForm form : {OutputForm::kText, OutputForm::kProto, OutputForm::kTextProto, OutputForm::kSnapshot}) {
    const absl::StatusOr<std::string> bytes = EncodeModule(document->module(), form);
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    for (const std::string& content : {*bytes, *Gzip(*bytes)}) {
      const absl::StatusOr<OpenedFile> file = OpenBytes("f", content);
      ASSERT_TRUE(file.ok()) << file.status();
      const auto again = Document::Parse(file->modules[0].text);
      EXPECT_EQ(*EncodeModule(again->module(), OutputForm::kText), expected) << static_cast<int>(form);
    }
  }
}

TEST(OpenFileTest, SnapshotsInThreeForms) {
  SKIP_WITHOUT_SHARED_FILES();
  std::string text;
  for (const char* suffix : {"pbtxt", "plain.pb", "delimited.pb"}) {
    const absl::StatusOr<OpenedFile> file =
        OpenFile(absl::StrCat(SharedDirectory(), "/interop/sharded_unoptimized_hlo_snapshot.", suffix));
    ASSERT_TRUE(file.ok()) << file.status();
    if (text.empty()) text = std::string(file->modules[0].text->text());
    EXPECT_EQ(file->modules[0].text->text(), text);
    ASSERT_TRUE(file->snapshot);
    ASSERT_EQ(file->snapshot->arguments.size(), 2);
    for (const std::vector<LiteralData>& partition : file->snapshot->arguments) {
      ASSERT_EQ(partition.size(), 1);
      const absl::StatusOr<Literal> literal = partition[0].Read();
      ASSERT_TRUE(literal.ok()) << literal.status();
      EXPECT_EQ(literal->shape().ToString(false), "s64[4,1]");
      EXPECT_EQ(literal->bytes().size(), 32);
    }
  }
}

TEST(OpenFileTest, SeveralModulesInOneText) {
  const std::string text =
      "HloModule a\n\nENTRY e { ROOT x = f32[] constant(1) }\n\nHloModule b, frontend_attributes={k=\"\nHloModule "
      "no\"}\n\n"
      "ENTRY e { ROOT x = f32[ constant(1) }\n";
  const absl::StatusOr<OpenedFile> file = OpenBytes("f", text);
  ASSERT_TRUE(file.ok());
  ASSERT_EQ(file->modules.size(), 2);
  EXPECT_EQ(file->modules[0].name, "a");
  EXPECT_EQ(file->modules[1].name, "b");
  EXPECT_FALSE(Document::Parse(file->modules[0].text)->has_errors());
  const auto second = Document::Parse(file->modules[1].text);
  ASSERT_TRUE(second->has_errors());
  // Where it is in the file.
  EXPECT_EQ(second->source().LineColumnAt(second->diagnostics()[0].range.begin).line, 7);
}

TEST(OpenFileTest, UnknownFieldsAreListedAndMayKeepItFromRunning) {
  proto::HloModuleProto module = Parsed();
  auto* instruction = module.mutable_computations(0)->mutable_instructions(2);
  instruction->GetReflection()->MutableUnknownFields(instruction)->AddVarint(217, 1);
  module.GetReflection()->MutableUnknownFields(&module)->AddVarint(90, 1);
  const absl::StatusOr<OpenedFile> file = OpenBytes("f", module.SerializeAsString(), {.list_unknown_fields = true});
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_EQ(file->unknown_fields.size(), 2);
  EXPECT_TRUE(
      absl::StrContains(file->unknown_fields[0], "computations[0].instructions[2]: unknown field 217, at byte"));
  ASSERT_EQ(file->obstacles.size(), 1);
  EXPECT_TRUE(absl::StrContains(file->obstacles[0], "\"c\" has an unknown field, number 217"));
}

// A comparison says its order beside its type, a convolution has a message that is empty.
TEST(OpenFileTest, OrdersOfComparisonsAndConvolutionsOfToday) {
  const auto text_with = [](absl::string_view type, absl::string_view order) {
    proto::HloModuleProto module = Parsed();
    auto* instruction = module.mutable_computations(0)->mutable_instructions(2);
    instruction->set_opcode("compare");
    instruction->set_comparison_direction("LT");
    instruction->set_comparison_type(std::string(type));
    auto* unknown = instruction->GetReflection()->MutableUnknownFields(instruction);
    unknown->AddLengthDelimited(102)->assign(order.data(), order.size());
    const absl::StatusOr<OpenedFile> file = OpenBytes("f", module.SerializeAsString());
    if (!file.ok()) return std::string(file.status().message());
    EXPECT_TRUE(file->obstacles.empty());
    return std::string(file->modules[0].text->text());
  };
  EXPECT_TRUE(absl::StrContains(text_with("FLOAT", "TOTAL"), "type=TOTALORDER"));
  EXPECT_TRUE(absl::StrContains(text_with("TOTALORDER", "TOTAL"), "type=TOTALORDER"));
  EXPECT_FALSE(absl::StrContains(text_with("FLOAT", "PARTIAL"), "TOTALORDER"));
  EXPECT_FALSE(absl::StrContains(text_with("SIGNED", "TOTAL"), "TOTALORDER"));
}

TEST(OpenFileTest, AnUnknownOpcodeIsShown) {
  proto::HloModuleProto module = Parsed();
  module.mutable_computations(0)->mutable_instructions(2)->set_opcode("frobnicate");
  const absl::StatusOr<OpenedFile> file = OpenBytes("f", module.SerializeAsString());
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_TRUE(absl::StrContains(file->modules[0].text->text(), "ROOT %c = f32[2]{0} frobnicate(%a, %b)"))
      << file->modules[0].text->text();
  EXPECT_TRUE(Document::Parse(file->modules[0].text)->has_errors());
}

TEST(DamagedProtoTest, NamesThePlace) {
  const auto change = [](auto edit) {
    proto::HloModuleProto module = Parsed();
    edit(*module.mutable_computations(0), module);
    return ErrorOf(module);
  };
  const auto expect = [](const std::string& message, absl::string_view part) {
    EXPECT_TRUE(absl::StrContains(message, part)) << message;
    EXPECT_TRUE(absl::StrContains(message, ", at byte ")) << message;
  };
  expect(
      change([](auto& c, auto&) { c.mutable_instructions(2)->set_operand_ids(1, 77); }),
      "computations[0] \"e\".instructions[2] \"c\": operand_ids[1]: no instruction of the computation has the id 77");
  expect(change([](auto& c, auto&) { c.mutable_instructions(1)->set_id(1); }), "is that of instructions[0] \"a\" too");
  expect(change([](auto& c, auto&) { c.set_root_id(9); }), "root_id: no instruction");
  expect(change([](auto& c, auto&) { c.mutable_instructions(1)->add_control_predecessor_ids(3); }), "a cycle");
  expect(change([](auto& c, auto&) { c.mutable_instructions(0)->set_parameter_number(1 << 30); }), "out of range");
  expect(change([](auto& c, auto&) { c.mutable_instructions(1)->mutable_literal()->add_f32s(3); }),
         "literal: f32s: f32[2] needs 2 values, found 3");
  expect(change([](auto& c, auto&) {
           auto* literal = c.mutable_instructions(1)->mutable_literal();
           literal->clear_f32s();
           literal->add_s32s(1);
         }),
         "needs its values in f32s, found s32s");
  expect(change([](auto& c, auto&) { c.mutable_instructions(1)->mutable_shape()->set_dimensions(0, -4); }),
         "a dimension of size -4");
  expect(change([](auto& c, auto&) {
           c.mutable_instructions(0)->mutable_shape()->mutable_layout()->set_minor_to_major(0, 5);
         }),
         "minor_to_major {5}");
  expect(change([](auto& c, auto&) { c.mutable_instructions(2)->clear_operand_ids(); }), "add takes 2 of them");
  expect(change([](auto& c, auto&) { c.mutable_instructions(0)->clear_shape(); }), "shape: it is missing");
  expect(change([](auto& c, auto& m) { *m.add_computations() = c; }), "computations[1] \"e\": id: 1 is that of");
  expect(change([](auto& c, auto&) {
           auto* literal = c.mutable_instructions(1)->mutable_literal();
           for (int i = 0; i < 4; ++i) literal->mutable_shape()->add_dimensions(int64_t{1} << 40);
           literal->mutable_shape()->clear_layout();
         }),
         "values, found 2");
}

TEST(DamagedProtoTest, NoPrefixOrChangedByteCrashes) {
  const std::string whole = Parsed().SerializeAsString();
  for (size_t size = 0; size < whole.size(); ++size) {
    const absl::StatusOr<OpenedFile> file = OpenBytes("f", whole.substr(0, size));
    EXPECT_TRUE(file.ok() || absl::StartsWith(file.status().message(), "f: ")) << size << file.status();
  }
  for (size_t at = 0; at < whole.size(); ++at) {
    for (int byte : {0x00, 0x7f, 0x80, 0xff}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(byte);
      const absl::StatusOr<OpenedFile> file = OpenBytes("f", damaged, {.list_unknown_fields = true});
      if (file.ok()) Document::Parse(file->modules[0].text);
    }
  }
}

TEST(DamagedProtoTest, TruncationSaysWhatIsMissing) {
  const std::string whole = Parsed().SerializeAsString();
  const std::string message(OpenBytes("f", whole.substr(0, whole.size() - 20)).status().message());
  EXPECT_TRUE(absl::StrContains(message, "truncated: field ")) << message;
  EXPECT_TRUE(absl::StrContains(message, " left, at byte ")) << message;
}

TEST(GzipTest, MembersBombsAndDamage) {
  const std::string packed = *Gzip("some text");
  EXPECT_TRUE(absl::StrContains(OpenBytes("m", *Gzip(packed)).status().message(), "compressed twice"));
  EXPECT_EQ(*Gunzip(packed + packed), "some textsome text");
  EXPECT_EQ(Gunzip(packed.substr(0, packed.size() - 3)).status().message(),
            absl::StrCat("gzip: truncated at byte ", packed.size() - 3));
  std::string damaged = packed;
  damaged[damaged.size() - 5] ^= 1;
  EXPECT_FALSE(Gunzip(damaged).ok());
  const absl::Status bomb = Gunzip(*Gzip(std::string(1 << 20, 'a')), 1000).status();
  EXPECT_TRUE(absl::IsResourceExhausted(bomb)) << bomb;
  EXPECT_TRUE(absl::StrContains(Gunzip(packed + "junk").status().message(), "not gzip"));
}

}  // namespace
}  // namespace hloscope::interop
