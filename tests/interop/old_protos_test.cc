// SPDX-License-Identifier: Apache-2.0
// Protos as they were written in earlier years, field by field (docs/interop.md, "From proto to text"; the shared
// specification's interop.md, 1.1, 1.3, 1.5, 1.8, 1.13).
#include <string>

#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "interop/files/open_file.h"

namespace hloscope::interop {
namespace {

using ::testing::HasSubstr;

constexpr char kFloats[] = "shape { element_type: F32 dimensions: 8 }";

// Plain numbers as ids, an entry that is known by its name alone, shapes without layouts, messages that are empty.
// `instructions` are those of the entry after its parameters `p`, 10, and `q`, 11; the last one, 30, is the root.
proto::HloModuleProto OldModule(const std::string& instructions, const std::string& fields = "") {
  proto::HloModuleProto module;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      absl::StrCat(R"(
        name: "old" entry_computation_name: "main.9" input_output_alias {} frontend_attributes {}
        computations {
          name: "sum" root_id: 2
          instructions { name: "x" opcode: "parameter" shape { element_type: F32 } }
          instructions { name: "y" opcode: "parameter" shape { element_type: F32 } id: 1 parameter_number: 1 }
          instructions { name: "s" opcode: "add" shape { element_type: F32 } id: 2 operand_ids: 0 operand_ids: 1 }
        }
        computations {
          name: "wrapped" id: 7 root_id: 4
          instructions { name: "w" opcode: "parameter" )",
                   kFloats, R"( id: 3 }
          instructions { name: "n" opcode: "negate" )",
                   kFloats, R"( id: 4 operand_ids: 3 }
        }
        computations {
          name: "main.9" id: 9 root_id: 30
          instructions { name: "p" opcode: "parameter" )",
                   kFloats, R"( id: 10 metadata {} frontend_attributes {} statistics_viz {} }
          instructions { name: "q" opcode: "parameter" shape { element_type: S32 dimensions: 1 } id: 11
                         parameter_number: 1 }
        )",
                   instructions, "}", fields),
      &module));
  return module;
}

// The text of the module, which has no errors.
std::string TextOf(const proto::HloModuleProto& module) {
  const absl::StatusOr<OpenedFile> file = OpenBytes("old", module.SerializeAsString());
  if (!file.ok()) return std::string(file.status().message());
  EXPECT_TRUE(file->obstacles.empty());
  const auto document = Document::Parse(file->modules[0].text);
  EXPECT_FALSE(document->has_errors()) << file->modules[0].text->text();
  return std::string(file->modules[0].text->text());
}

// One instruction, the root, of eight floats.
std::string TextOfRoot(const std::string& fields) {
  return TextOf(OldModule(absl::StrCat("instructions { name: \"r\" id: 30 ", kFloats, fields, " }")));
}

TEST(OldProtosTest, TheEntryByItsNameAlone) {
  const std::string root =
      absl::StrCat("instructions { name: \"r\" opcode: \"copy\" id: 30 operand_ids: 10 ", kFloats, "}");
  EXPECT_THAT(TextOf(OldModule(root)), HasSubstr("ENTRY %main.9 (p: f32[8], q: s32[1]) -> f32[8] {"));
  // The id says more than the name.
  EXPECT_THAT(TextOf(OldModule(root, "entry_computation_id: 7")), HasSubstr("ENTRY %wrapped (w: f32[8]) -> f32[8] {"));
  // A name that is none of the module's leaves what the field says that is not there.
  proto::HloModuleProto module = OldModule(root);
  module.set_entry_computation_name("main");
  EXPECT_THAT(TextOf(module), HasSubstr("ENTRY %sum (x: f32[], y: f32[]) -> f32[] {"));
}

TEST(OldProtosTest, ComparisonsAsOpcodes) {
  constexpr const char* kWords[][2] = {{"equal-to", "EQ"},     {"not-equal-to", "NE"},
                                       {"greater-than", "GT"}, {"greater-than-or-equal-to", "GE"},
                                       {"less-than", "LT"},    {"less-than-or-equal-to", "LE"}};
  for (const auto& [word, direction] : kWords) {
    const std::string text = TextOf(OldModule(absl::StrCat("instructions { name: \"r\" opcode: \"", word,
                                                           "\" shape { element_type: PRED dimensions: 8 } id: 30 "
                                                           "operand_ids: 10 operand_ids: 10 }")));
    EXPECT_THAT(text, HasSubstr(absl::StrCat("ROOT %r = pred[8]{0} compare(%p, %p), direction=", direction, "\n")));
  }
}

TEST(OldProtosTest, ChannelsAndGroupsOfCollectives) {
  constexpr char kSum[] = " operand_ids: 10 called_computation_ids: 0 ";
  EXPECT_THAT(
      TextOfRoot(absl::StrCat(" opcode: \"cross-replica-sum\" all_reduce_id: 5", kSum,
                              "replica_groups { replica_ids: 0 replica_ids: 1 } replica_groups { replica_ids: 2 "
                              "replica_ids: 3 }")),
      HasSubstr("all-reduce(%p), channel_id=5, replica_groups={{0,1},{2,3}}, to_apply=%sum\n"));
  // No group is one group of all; a channel that is not positive is none.
  EXPECT_THAT(TextOfRoot(absl::StrCat(" opcode: \"all-reduce\" channel_id: -1", kSum)),
              HasSubstr("all-reduce(%p), replica_groups={}, to_apply=%sum\n"));
  EXPECT_THAT(TextOfRoot(absl::StrCat(" opcode: \"all-reduce\" channel_id: 6", kSum)),
              HasSubstr("all-reduce(%p), channel_id=6, replica_groups={}, to_apply=%sum\n"));
  EXPECT_THAT(TextOfRoot(absl::StrCat(" opcode: \"all-reduce\" channel_id: 6 all_reduce_id: 5", kSum)),
              HasSubstr("\"r\": all_reduce_id: the instruction has a channel_id too"));
  // Of two forms the newer one counts.
  EXPECT_THAT(TextOfRoot(absl::StrCat(" opcode: \"all-reduce\"", kSum,
                                      "replica_groups { replica_ids: 0 } iota_collective_device_list { "
                                      "num_replica_groups: 2 num_devices_per_group: 2 iota_reshape_dims: [2, 2] "
                                      "iota_transpose_perm: [1, 0] }")),
              HasSubstr("replica_groups=[2,2]<=[2,2]T(1,0), to_apply"));
}

TEST(OldProtosTest, SlicesPrefetchesAndTransforms) {
  const std::string text = TextOf(OldModule(absl::StrCat(
      R"(
      instructions { name: "ds" opcode: "dynamic-slice" shape { element_type: F32 dimensions: 2 } id: 12
                     operand_ids: 10 operand_ids: 11 dynamic_slice_sizes: 2 }
      instructions { name: "cs" opcode: "copy-start" id: 13 operand_ids: 10 is_cross_program_prefetch: true
                     shape { element_type: TUPLE tuple_shapes { element_type: F32 dimensions: 8 }
                             tuple_shapes { element_type: F32 dimensions: 8 } tuple_shapes { element_type: U32 } } }
      instructions { name: "f" opcode: "fft" shape { element_type: C64 dimensions: 5 } id: 14 operand_ids: 10
                     fft_type: RFFT fft_length: 8 }
      instructions { name: "r" opcode: "copy-done" id: 30 operand_ids: 13 )",
      kFloats, "}")));
  EXPECT_THAT(text, HasSubstr("%ds = f32[2]{0} dynamic-slice(%p, %q), dynamic_slice_sizes={2}\n"));
  EXPECT_THAT(text, HasSubstr("%cs = (f32[8]{0}, f32[8]{0}, u32[]) copy-start(%p), cross_program_prefetch_index=0\n"));
  EXPECT_THAT(text, HasSubstr("%f = c64[5]{0} fft(%p), fft_type=RFFT, fft_length={8}\n"));
}

// The end of an asynchronous chain repeats the computation of its start.
TEST(OldProtosTest, AsynchronousChains) {
  const std::string text = TextOf(OldModule(absl::StrCat(
      R"(
      instructions { name: "as" opcode: "async-start" id: 12 operand_ids: 10 called_computation_ids: 7
                     async_execution_thread: "t0"
                     shape { element_type: TUPLE tuple_shapes { element_type: TUPLE tuple_shapes { element_type: F32
                             dimensions: 8 } } tuple_shapes { element_type: F32 dimensions: 8 } } }
      instructions { name: "r" opcode: "async-done" id: 30 operand_ids: 12 called_computation_ids: 7
                     async_execution_thread: "t0" )",
      kFloats, "}")));
  EXPECT_THAT(text, HasSubstr("async-start(%p), async_execution_thread=\"t0\", calls=%wrapped\n"));
  EXPECT_THAT(text, HasSubstr("ROOT %r = f32[8]{0} async-done(%as)\n"));
}

// A version of 0 is from before there were versions; groups of 0 are 1; missing precisions are the default.
TEST(OldProtosTest, NumbersThatAreNotThere) {
  EXPECT_THAT(TextOfRoot(" opcode: \"custom-call\" operand_ids: 10 custom_call_target: \"t\""),
              HasSubstr("ROOT %r = f32[8]{0} custom-call(%p), custom_call_target=\"t\"\n"));
  const std::string text = TextOf(OldModule(R"(
      instructions { name: "m" opcode: "reshape" shape { element_type: F32 dimensions: [2, 4] } id: 12 operand_ids: 10 }
      instructions { name: "k" opcode: "reshape" shape { element_type: F32 dimensions: [4, 2] } id: 13 operand_ids: 10 }
      instructions { name: "r" opcode: "dot" shape { element_type: F32 dimensions: [2, 2] } id: 30
                     operand_ids: 12 operand_ids: 13
                     dot_dimension_numbers { lhs_contracting_dimensions: 1 rhs_contracting_dimensions: 0 }
                     precision_config { operand_precision: HIGHEST } })"));
  EXPECT_THAT(text, HasSubstr("dot(%m, %k), lhs_contracting_dims={1}, rhs_contracting_dims={0}, "
                              "operand_precision={highest,default}\n"));
}

TEST(OldProtosTest, LiteralsOfNarrowTypes) {
  const std::string text = TextOf(OldModule(R"(
      instructions { name: "a" opcode: "constant" shape { element_type: S4 dimensions: 3 } id: 12
        literal { shape { element_type: S4 dimensions: 3 layout { minor_to_major: 0 } } s4s: "\x01\xff\x08" } }
      instructions { name: "b" opcode: "constant" shape { element_type: F16 dimensions: 2 } id: 13
        literal { shape { element_type: F16 dimensions: 2 layout { minor_to_major: 0 } } f16s: "\x00\x3c\x00\xc0" } }
      instructions { name: "c" opcode: "constant" id: 14
        shape { element_type: S32 dimensions: [2, 2] layout { minor_to_major: [0, 1] } }
        literal { shape { element_type: S32 dimensions: [2, 2] layout { minor_to_major: [0, 1] } }
                  s32s: [1, 2, 3, -4] } }
      instructions { name: "r" opcode: "constant" shape { element_type: F32 dimensions: 9 } id: 30 })"));
  EXPECT_THAT(text, HasSubstr("%a = s4[3]{0} constant({1, -1, -8})\n"));
  EXPECT_THAT(text, HasSubstr("%b = f16[2]{0} constant({1, -2})\n"));
  EXPECT_THAT(text, HasSubstr("%c = s32[2,2]{0,1} constant({ { 1, 3 }, { 2, -4 } })\n"));
  EXPECT_THAT(text, HasSubstr("ROOT %r = f32[9]{0} constant({...})\n"));
}

}  // namespace
}  // namespace hloscope::interop
