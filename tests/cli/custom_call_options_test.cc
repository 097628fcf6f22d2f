// SPDX-License-Identifier: Apache-2.0
// --custom-calls and --custom-call: what stands in for custom calls that the evaluator does not know.
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "evaluator/tensor/npy.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/command_line.h"

namespace hloscope::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kCall[] = R"(HloModule m
ENTRY e {
  p = f32[2] parameter(0)
  ROOT c = f32[2] custom-call(p), custom_call_target="double_it"
})";
constexpr char kTuple[] = R"(HloModule m
ENTRY e {
  p = f32[2] parameter(0)
  ROOT c = (f32[2], s32[1]) custom-call(p), custom_call_target="two.results"
})";

class CustomCallOptionsTest : public CommandLineTest {
 protected:
  Outcome Run(const std::string& text, std::vector<std::string> options) const {
    std::vector<std::string> arguments = {"run", Module(text), "--fill=ones", "--print"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return RunHloscope(arguments);
  }
  std::string Npy(const std::string& name, const evaluator::Tensor& tensor) const {
    const std::string path = absl::StrCat(directory_, "/", name, ".npy");
    EXPECT_TRUE(evaluator::WriteNpy(path, tensor).ok());
    return path;
  }
};

TEST_F(CustomCallOptionsTest, UnknownTargetsStopTheRunAndSayWhatHelps) {
  const Outcome outcome = Run(kCall, {});
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_THAT(outcome.errors, AllOf(HasSubstr("module.hlo:4:"), HasSubstr("the target \"double_it\""),
                                    HasSubstr("--custom-call='double_it=FILE.npy'")));
}

TEST_F(CustomCallOptionsTest, APluginComputes) {
  const Outcome outcome = Run(kCall, {"--custom-calls", HLOSCOPE_DOUBLING_PLUGIN});
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_EQ(outcome.output, "result0 = f32[2] {2, 2}\n");
}

TEST_F(CustomCallOptionsTest, APluginFailsOrPassesOn) {
  const std::string refuse = absl::StrCat("ENTRY e { p = f32[2] parameter(0) ROOT no = f32[2] custom-call(p), ",
                                          "custom_call_target=\"refuse\" }");
  const Outcome failed = Run(refuse, {"--custom-calls", HLOSCOPE_DOUBLING_PLUGIN});
  EXPECT_EQ(failed.exit_status, 1);
  EXPECT_THAT(failed.errors, HasSubstr("no will not"));
  const Outcome passed = Run(kTuple, {"--custom-calls", HLOSCOPE_DOUBLING_PLUGIN});
  EXPECT_EQ(passed.exit_status, 1);
  EXPECT_THAT(passed.errors, HasSubstr("the target \"two.results\""));
}

TEST_F(CustomCallOptionsTest, FilesThatAreNoPlugins) {
  const std::string text = absl::StrCat(directory_, "/no.so");
  std::ofstream(text) << "text";
  const Outcome outcome = Run(kCall, {"--custom-calls", text});
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("no.so: cannot be loaded as a plug-in"));
  EXPECT_EQ(Run(kCall, {"--custom-calls", "missing.so"}).exit_status, 1);
  const Outcome library = Run(kCall, {"--custom-calls", "/lib/x86_64-linux-gnu/libm.so.6"});
  EXPECT_EQ(library.exit_status, 1);
  EXPECT_THAT(library.errors, HasSubstr("does not export hloscope_custom_call_version"));
}

TEST_F(CustomCallOptionsTest, ZerosAreReported) {
  for (const char* name : {"double_it", "c", "*"}) {
    const Outcome outcome = Run(kCall, {absl::StrCat("--custom-call=", name, "=zeros")});
    EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
    EXPECT_EQ(outcome.output, "result0 = f32[2] {0, 0}\n");
    EXPECT_THAT(outcome.errors, HasSubstr("custom-call c (target \"double_it\") was not computed: zeros"));
  }
}

TEST_F(CustomCallOptionsTest, FilesGiveResults) {
  const evaluator::Tensor x = *evaluator::Tensor::FromValues<float>(ElementType::kF32, {2}, {3, 4});
  const evaluator::Tensor y = *evaluator::Tensor::FromValues<int32_t>(ElementType::kS32, {1}, {7});
  const std::string f = Npy("x", x), g = Npy("y", y);
  const Outcome array = Run(kCall, {absl::StrCat("--custom-call=double_it=", f)});
  EXPECT_EQ(array.output, "result0 = f32[2] {3, 4}\n") << array.errors;
  const Outcome tuple =
      Run(kTuple, {absl::StrCat("--custom-call=two.results{0}=", f), absl::StrCat("--custom-call=two.results{1}=", g)});
  EXPECT_EQ(tuple.output, "result0 = f32[2] {3, 4}\nresult1 = s32[1] {7}\n") << tuple.errors;
  const Outcome wrong = Run(kCall, {absl::StrCat("--custom-call=c=", g)});
  EXPECT_EQ(wrong.exit_status, 1);
  EXPECT_THAT(wrong.errors, HasSubstr("--custom-call c: "));
  EXPECT_EQ(Run(kCall, {"--custom-call=double_it"}).exit_status, 2);
  EXPECT_EQ(Run(kCall, {"--custom-call=c{x}=zeros"}).exit_status, 2);
}

}  // namespace
}  // namespace hloscope::cli
