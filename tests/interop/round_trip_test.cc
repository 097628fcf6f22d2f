// SPDX-License-Identifier: Apache-2.0
// Texts become protos and texts again, and nothing is lost on the way.
#include <cstdlib>
#include <filesystem>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "core/print/printer.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"
#include "interop/files/open_file.h"
#include "interop/files/write_file.h"
#include "interop/hlo_proto/module_reader.h"
#include "interop/hlo_proto/module_writer.h"
#include "tests/support/module_generator.h"
#include "tests/support/shared_files.h"

namespace hloscope::interop {
namespace {

std::shared_ptr<const Document> Read(const std::string& text) {
  return Document::Parse(SourceText::FromString("test", text), {{}, /*parse_only=*/true});
}

// What a module proto does not hold, and what a text may leave out although it is not the default.
Module WithoutConfig(const Module& from) {
  Module module = from;
  ModuleHeader& header = module.mutable_header();
  header.replica_count = header.num_partitions = 1;
  header.alias_passthrough_params = false;
  header.allow_spmd_sharding_propagation_to_parameters = {false};
  header.allow_spmd_sharding_propagation_to_output = {false};
  return module;
}

// The style that prints all defaults, so that those which are written and those which are not look the same.
PrintOptions Style() {
  PrintOptions options = MadeTextStyle();
  options.order = PrintOrder::kXla;
  return options;
}

std::string Bits(const proto::HloModuleProto& module) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    module.SerializeToCodedStream(&coded);
  }
  return bytes;
}

// HLOSCOPE_LONG_TESTS takes all files, whatever they take.
bool IsShort(const std::string& file) {
  const char* const all = std::getenv("HLOSCOPE_LONG_TESTS");
  return (all != nullptr && *all != '\0') || std::filesystem::file_size(file) <= 600000;
}

// Text to proto to text, and the proto again to the same proto.
void ExpectRoundTrip(const std::string& name, const std::string& text) {
  const auto document = Read(text);
  ASSERT_FALSE(document->has_errors()) << name;
  proto::HloModuleProto first;
  ASSERT_TRUE(WriteHloModule(document->module(), &first).ok()) << name;
  ProtoPlace place;
  const absl::StatusOr<ReadModule> read = ReadHloModule(first, &place);
  ASSERT_TRUE(read.ok()) << name << ": " << read.status();
  EXPECT_TRUE(read->notes.empty()) << name << ": " << read->notes[0];
  const std::string expected = PrintModule(WithoutConfig(document->module()), Style());
  const std::string again = PrintModule(read->module, Style());
  EXPECT_TRUE(expected == again) << name << ": the text is another one";

  const auto printed = Read(PrintModule(read->module, MadeTextStyle()));
  ASSERT_FALSE(printed->has_errors()) << name;
  proto::HloModuleProto second;
  ASSERT_TRUE(WriteHloModule(printed->module(), &second).ok()) << name;
  // By bits, so that a NaN equals itself; the fields that differ are for the message.
  if (Bits(first) == Bits(second)) return;
  google::protobuf::util::MessageDifferencer differencer;
  std::string difference;
  differencer.ReportDifferencesToString(&difference);
  differencer.Compare(first, second);
  FAIL() << name << ": " << difference.substr(0, 2000);
}

TEST(RoundTripTest, GeneratedModules) {
  for (uint64_t seed = 0; seed < 150; ++seed) {
    ExpectRoundTrip(absl::StrCat("seed ", seed), RandomModule(seed));
    if (HasFailure()) return;
  }
}

TEST(RoundTripTest, Corpus) {
  SKIP_WITHOUT_SHARED_FILES();
  for (const std::string& file : CorpusFiles()) {
    if (!IsShort(file)) continue;
    ExpectRoundTrip(file, ReadFileOrDie(file));
    if (HasFailure()) return;
  }
}

TEST(RoundTripTest, LiteralsOfAllTypesAndLayouts) {
  std::string body;
  int count = 0;
  const auto add = [&](absl::string_view shape, absl::string_view value) {
    absl::StrAppend(&body, "  c", count++, " = ", shape, " constant(", value, ")\n");
  };
  for (const char* type : {"s1", "s2", "s4", "s8", "s16", "s32", "s64"}) {
    add(absl::StrCat(type, "[2,2]{0,1}"), "{{0,-1},{-1,0}}");
  }
  for (const char* type : {"u1", "u2", "u4", "u8", "u16", "u32", "u64"}) {
    add(absl::StrCat(type, "[2,3]{0,1}"), "{{0,1,1},{1,0,0}}");
  }
  for (const char* type : {"f8e3m4", "f8e4m3", "f8e4m3fn", "f8e4m3b11fnuz", "f8e4m3fnuz", "f8e5m2", "f8e5m2fnuz", "f16",
                           "bf16", "f32", "f64", "f4e2m1fn", "f6e2m3fn", "f6e3m2fn"}) {
    add(absl::StrCat(type, "[3]{0}"), "{0,1,-1.5}");
  }
  add("f8e8m0fnu[2]{0}", "{1,4}");
  add("pred[2,2]{0,1}", "{{true,false},{true,true}}");
  add("c64[2]{0}", "{(1,-2),(0,3)}");
  add("c128[]", "(0.1,-2)");
  add("f32[2]{0}", "{nan,-inf}");
  add("f32[3,0]{1,0}", "{{},{},{}}");
  add("s64[2,3,2]{1,0,2}", "{{{1,2},{3,4},{5,6}},{{7,8},{9,10},{11,-12}}}");
  ExpectRoundTrip("literals", absl::StrCat("HloModule m\n\nENTRY e {\n", body,
                                           "  ROOT t = (f32[], (s32[2]{0}, pred[])) constant((1,({2,3},true)))\n}\n"));
}

TEST(RoundTripTest, AttributesThatModelsRarelyHave) {
  ExpectRoundTrip(
      "attributes",
      R"(HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {}, must-alias) }, buffer_donor={ (1, {}) }, frontend_attributes={a="b",c={"d":1}}

add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y)
}

ENTRY e {
  p = f32[8,4]{1,0} parameter(0), sharding={devices=[2,1,2]<=[4] last_tile_dim_replicate}, parameter_replication={true}
  q = f32[8,4]{1,0:T(8,128)S(1)} parameter(1), sharding={devices=[2,2]0,2,1,3 metadata={op_name="n"}}
  all = f32[8,4]{1,0} all-reduce(p), channel_id=3, replica_groups=[2,2]<=[2,2]T(1,0), use_global_device_ids=true, to_apply=add
  sine = f32[8,4]{1,0} sine(all), result_accuracy={tolerance={atol=0.5,rtol=0,ulps=3}}, origin={{"o" {1}}}, statistics={visualizing_index=0,flops=2.5}
  call = f32[8,4]{1,0} custom-call(sine, q), custom_call_target="t", operand_layout_constraints={f32[8,4]{1,0}, f32[8,4]{0,1}}, custom_call_has_side_effect=true, api_version=API_VERSION_TYPED_FFI, control-predecessors={all}, backend_config={"k":[1]}
  less = pred[8,4]{1,0} compare(p, q), direction=LT, type=SIGNED
  square = f32[4,4]{1,0} parameter(2)
  scaled = f32[8,4]{1,0} convolution(p, square, q, q), dim_labels=bf_io->bf, block_scaling_config={lhs={scale_idx=2 zero_idx=0 strides=1x2 steps=1x1} rhs={scale_idx=3}}
  ROOT r = (f32[8,4]{1,0}) tuple(call), metadata={op_type="T" op_name="a/b" source_file="f.py" source_line=3 scheduling_name="s"}
}
)");
}

TEST(RoundTripTest, NumbersAsTheReferenceDoes) {
  const auto document = Read(
      "HloModule m\n\nf {\n  x = f32[4]{0} parameter(0)\n  ROOT n = f32[4]{0} negate(x)\n}\n\nENTRY e {\n"
      "  a = f32[4]{0} parameter(0)\n  ROOT c = f32[4]{0} call(a), to_apply=f\n}\n");
  proto::HloModuleProto module;
  ASSERT_TRUE(WriteHloModule(document->module(), &module).ok());
  EXPECT_EQ(module.entry_computation_id(), 1);
  ASSERT_EQ(module.computations_size(), 2);
  EXPECT_EQ(module.computations(0).id(), 0);
  EXPECT_EQ(module.computations(0).root_id(), 1);
  const proto::HloComputationProto& entry = module.computations(1);
  EXPECT_EQ(entry.instructions(0).id(), int64_t{1} << 32);
  EXPECT_EQ(entry.instructions(1).operand_ids(0), int64_t{1} << 32);
  EXPECT_EQ(entry.instructions(1).called_computation_ids(0), 0);
}

TEST(RoundTripTest, ComparisonsSayTheirOrder) {
  const auto written = [](const std::string& type, const std::string& attribute) {
    const auto document =
        Read("HloModule m\n\nENTRY e {\n  a = " + type +
             "[4]{0} parameter(0)\n  ROOT c = pred[4]{0} compare(a, a), direction=LT" + attribute + "\n}\n");
    proto::HloModuleProto module;
    if (!WriteHloModule(document->module(), &module).ok()) return std::string("not written");
    const proto::HloInstructionProto& compare = module.computations(0).instructions(1);
    return absl::StrCat(compare.comparison_type(), " ", compare.comparison_order());
  };
  EXPECT_EQ(written("f32", ""), "FLOAT PARTIAL");
  EXPECT_EQ(written("f32", ", type=TOTALORDER"), "TOTALORDER TOTAL");
  EXPECT_EQ(written("f32", ", order=PARTIAL"), "FLOAT PARTIAL");
  EXPECT_EQ(written("s32", ""), "SIGNED TOTAL");
  EXPECT_EQ(written("pred", ""), "UNSIGNED TOTAL");
}

TEST(RoundTripTest, RealProtosKeepTheirFields) {
  SKIP_WITHOUT_SHARED_FILES();
  for (const char* name : {"legacy.jit__multi_slice.hlo.pb", "legacy.jit_forward_3d_conv.hlo.pb"}) {
    const std::string path = absl::StrCat(SharedDirectory(), "/interop/", name);
    const absl::StatusOr<OpenedFile> file = OpenFile(path);
    ASSERT_TRUE(file.ok()) << file.status();
    const auto document = Document::Parse(file->modules[0].text);
    EXPECT_FALSE(document->has_errors()) << name;
    const absl::StatusOr<std::string> bytes = EncodeModule(document->module(), OutputForm::kProto);
    ASSERT_TRUE(bytes.ok());
    const absl::StatusOr<OpenedFile> again = OpenBytes(path, *bytes);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(again->modules[0].text->text(), file->modules[0].text->text());
  }
}

}  // namespace
}  // namespace hloscope::interop
