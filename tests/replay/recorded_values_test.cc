// SPDX-License-Identifier: Apache-2.0
// What snapshots hold becomes arguments and results of runs.
#include "replay/recorded_values.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "core/document/document.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "interop/files/write_file.h"

namespace hloscope::replay {
namespace {

Literal Numbers(const std::string& literal) {
  const auto document =
      Document::Parse(SourceText::FromString("l", "HloModule l\nENTRY e { ROOT c = " + literal + " }"));
  EXPECT_FALSE(document->has_errors());
  const Module& module = document->module();
  return module.literal(module.computation(module.entry()).root);
}

constexpr char kModule[] = R"(HloModule m

ENTRY e {
  p = (f32[2], s32[]) parameter(0)
  q = f32[] parameter(1)
  g = s32[] get-tuple-element(p), index=1
  ROOT t = (f32[], s32[]) tuple(q, g)
})";

TEST(RecordedValuesTest, ArraysFillTheLeavesOfParameters) {
  const auto document = Document::Parse(SourceText::FromString("m", kModule));
  interop::RecordedValues values;
  values.arguments = {Numbers("f32[2] constant({1, 2})"), Numbers("s32[] constant(3)"), Numbers("f32[] constant(4)")};
  values.result = Numbers("f32[2] constant({5, 6})");
  const auto bytes = interop::EncodeModule(document->module(), interop::OutputForm::kSnapshot, values);
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  const auto file = interop::OpenBytes("m", *bytes);
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_TRUE(file->snapshot.has_value());
  const auto arguments = RecordedArguments(*file->snapshot, document->module());
  ASSERT_TRUE(arguments.ok()) << arguments.status();
  ASSERT_EQ(arguments->size(), 2u);
  EXPECT_TRUE((*arguments)[0].IsTuple());
  const auto result = RecordedResult(*file->snapshot);
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_EQ(result->size(), 1u);
  EXPECT_EQ((*result)[0].shape().ToString(false), "f32[2]");
}

TEST(RecordedValuesTest, ArgumentsThatDoNotFitAreNamed) {
  const auto document = Document::Parse(SourceText::FromString("m", kModule));
  interop::RecordedValues values;
  values.arguments = {Numbers("f32[2] constant({1, 2})"), Numbers("f32[] constant(3)"), Numbers("f32[] constant(4)")};
  const auto bytes = interop::EncodeModule(document->module(), interop::OutputForm::kSnapshot, values);
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  const auto file = interop::OpenBytes("m", *bytes);
  ASSERT_TRUE(file.ok()) << file.status();
  const auto arguments = RecordedArguments(*file->snapshot, document->module());
  EXPECT_EQ(arguments.status().message(), "the argument 1 that was recorded is f32[], the module takes s32[]");
}

// Deeper than any recursion bears: the message of a literal is read by hand where the values stay in the file.
TEST(RecordedValuesTest, TuplesAreNotNestedWithoutEnd) {
  const auto document = Document::Parse(SourceText::FromString("m", kModule));
  interop::Snapshot snapshot;
  auto bytes = std::make_shared<std::string>();
  const auto varint = [](size_t value) {
    std::string out;
    for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
    out.push_back(static_cast<char>(value));
    return out;
  };
  // From the inside: every literal is the one element of the next. Written backwards.
  constexpr int kDepth = 200000;
  std::string reversed;
  for (int i = 0; i < kDepth; ++i) {
    std::string head = "\x52" + varint(reversed.size());  // field 10
    reversed.append(head.rbegin(), head.rend());
  }
  bytes->assign(reversed.rbegin(), reversed.rend());
  snapshot.arguments.push_back({interop::LiteralData(interop::LiteralData::Form::kMessage, *bytes, bytes)});
  const auto arguments = RecordedArguments(snapshot, document->module());
  ASSERT_FALSE(arguments.ok());
  EXPECT_TRUE(absl::StrContains(arguments.status().message(), "nested more than 100 deep")) << arguments.status();
}

// A part without values has a size that nobody has to believe.
TEST(RecordedValuesTest, PartsWithoutValuesAreRefused) {
  const auto document = Document::Parse(SourceText::FromString(
      "m", "HloModule m, num_partitions=2\nENTRY e { ROOT p = f32[4] parameter(0), sharding={devices=[2]<=[2]} }\n"));
  ASSERT_FALSE(document->has_errors());
  const auto literal = [](const std::string& shape_and_data) {
    interop::proto::LiteralProto message;
    EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(shape_and_data, &message));
    auto bytes = std::make_shared<std::string>(message.SerializeAsString());
    return interop::LiteralData(interop::LiteralData::Form::kMessage, *bytes, bytes);
  };
  interop::Snapshot snapshot;
  snapshot.are_shards = true;
  snapshot.arguments.push_back({literal("shape { element_type: F32 dimensions: 1000000000000 }")});
  snapshot.arguments.push_back({literal("shape { element_type: F32 dimensions: 4 } f32s: 1 f32s: 2 f32s: 3 f32s: 4")});
  const auto arguments = RecordedArguments(snapshot, document->module());
  EXPECT_EQ(arguments.status().message(), "argument 0: the part of device 0 has no values");
}

}  // namespace
}  // namespace hloscope::replay
