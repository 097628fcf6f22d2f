// SPDX-License-Identifier: Apache-2.0
// All arguments of a run from one place.
#include "replay/run_inputs.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/match.h"
#include "core/document/document.h"
#include "gtest/gtest.h"
#include "interop/files/write_file.h"

namespace hloscope::replay {
namespace {

TEST(RunInputsTest, FoldersArchivesAndSnapshots) {
  const std::string text = "HloModule m\nENTRY e {\n  ROOT p = f32[2] parameter(0)\n}\n";
  const auto document = Document::Parse(SourceText::FromString("m", text));
  const Module& module = document->module();
  const std::string folder = testing::TempDir() + "run_inputs";
  std::filesystem::create_directories(folder);
  evaluator::RunOptions options;
  ASSERT_TRUE(TakeInputs(folder, module, &options).ok());
  EXPECT_EQ(options.arguments_directory, folder);
  options = {};
  ASSERT_TRUE(TakeInputs(folder + "/values.npz", module, &options).ok());
  EXPECT_EQ(options.arguments_directory, folder + "/values.npz");
  EXPECT_TRUE(options.recorded.empty());

  const auto write = [&](const std::string& name, const interop::RecordedValues& values, interop::OutputForm form) {
    const auto bytes = interop::EncodeModule(module, form, values);
    EXPECT_TRUE(bytes.ok()) << bytes.status();
    std::ofstream(folder + name, std::ios::binary) << *bytes;
    return folder + name;
  };
  interop::RecordedValues values;
  const auto constant =
      Document::Parse(SourceText::FromString("l", "HloModule l\nENTRY e { ROOT c = f32[2] constant({1, 2}) }"));
  values.arguments = {constant->module().literal(constant->module().computation(constant->module().entry()).root)};
  options = {};
  ASSERT_TRUE(TakeInputs(write("/s.pb", values, interop::OutputForm::kSnapshot), module, &options).ok());
  EXPECT_EQ(options.recorded.size(), 1u);
  EXPECT_TRUE(options.arguments_directory.empty());
  // A module alone has none, and a file that is not there is named.
  const absl::Status none = TakeInputs(write("/m.pb", {}, interop::OutputForm::kProto), module, &options);
  EXPECT_TRUE(absl::StrContains(none.message(), "no snapshot")) << none;
  const absl::Status missing = TakeInputs(folder + "/missing.pb", module, &options);
  EXPECT_TRUE(absl::StrContains(missing.message(), "missing.pb")) << missing;
}

}  // namespace
}  // namespace hloscope::replay
