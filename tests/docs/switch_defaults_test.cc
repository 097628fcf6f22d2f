// SPDX-License-Identifier: Apache-2.0
// A new enumerator is an error of the compiler wherever a switch should know it.
#include "tests/docs/switch_defaults.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace hloscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(SwitchDefaults, ThoseOfTheRepositoryAreListedWithTheirReasons) {
  const std::vector<std::string> problems = UnlistedDefaults(HLOSCOPE_SOURCE_DIR);
  EXPECT_TRUE(problems.empty()) << absl::StrJoin(problems, "\n");
}

class SwitchDefaultsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = std::filesystem::path(::testing::TempDir()) / "switch_defaults" /
            ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(root_);
    Write("tests/docs/switch_defaults.txt", "");
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void Write(const std::string& file, const std::string& text) {
    std::filesystem::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  // Of a file with a switch of this one label and a default branch.
  std::vector<std::string> ProblemsOf(const std::string& label) {
    Write("core/a.cc", absl::StrCat("int F(int x) {\n  switch (x) {\n    case ", label,
                                    ":\n      return 1;\n    default:\n      return 0;\n  }\n}\n"));
    return UnlistedDefaults(root_);
  }

  std::filesystem::path root_;
};

TEST_F(SwitchDefaultsTest, NumbersCharactersAndForeignEnumerationsMayHaveOne) {
  for (const char* label : {"1", "'x'", "':'", "kCode", "absl::StatusCode::kNotFound", "Qt::Key_Plus", "proto::F32"}) {
    EXPECT_THAT(ProblemsOf(label), IsEmpty()) << label;
  }
}

TEST_F(SwitchDefaultsTest, SmallEnumerationsMayNot) {
  EXPECT_THAT(ProblemsOf("FrameKind::kBody"), ElementsAre(HasSubstr("core/a.cc:5: a switch over FrameKind has a ")));
  EXPECT_THAT(ProblemsOf("insight::ValueKind::kResult"), ElementsAre(HasSubstr("a switch over ValueKind has a ")));
}

TEST_F(SwitchDefaultsTest, TablesMayWhereTheListSaysWhy) {
  EXPECT_THAT(ProblemsOf("Opcode::kAdd"), ElementsAre(HasSubstr("core/a.cc: 1 default branches over tables, ")));
  Write("tests/docs/switch_defaults.txt", "# asks about one opcode\n1 core/a.cc\n");
  EXPECT_THAT(ProblemsOf("Opcode::kAdd"), IsEmpty());
}

TEST_F(SwitchDefaultsTest, TheListHasReasonsAndNothingThatIsGone) {
  Write("tests/docs/switch_defaults.txt", "1 core/a.cc\n");
  EXPECT_THAT(ProblemsOf("1"), ElementsAre(HasSubstr("expected `COUNT FILE` below a reason")));
  Write("tests/docs/switch_defaults.txt", "# reason\n2 core/a.cc\n1 core/b.cc\n");
  EXPECT_THAT(ProblemsOf("Opcode::kAdd"), ElementsAre(HasSubstr("core/a.cc: 1 default branches over tables"),
                                                      HasSubstr("there is no file core/b.cc")));
}

TEST_F(SwitchDefaultsTest, LabelsOfSwitchesInsideDoNotCount) {
  Write("core/a.cc",
        "void F() {\n  switch (x) {\n    case 'a':\n      switch (k) {\n        case FrameKind::kBody:\n          "
        "break;\n      }\n      break;\n    default:\n      break;\n  }\n}\n");
  EXPECT_THAT(UnlistedDefaults(root_), IsEmpty());
}

}  // namespace
}  // namespace hloscope
