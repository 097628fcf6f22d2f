// What snapshots hold becomes arguments and results of runs.
#include "replay/recorded_values.h"

#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "core/document/document.h"
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

}  // namespace
}  // namespace hloscope::replay
