// SPDX-License-Identifier: Apache-2.0
// Data beside the checkout: where it is expected, all of it is there, so that no test is silently left out. Tests with
// a case for each file have no case at all without them.
#include "tests/support/shared_files.h"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/test_folder.h"

namespace hloscope {
namespace {

namespace fs = std::filesystem;

TEST(SharedFiles, AreCompleteWhereTheyAreExpected) {
  SKIP_WITHOUT_SHARED_FILES();
  EXPECT_GT(CorpusFiles().size(), 20u);
  EXPECT_GT(VectorCases().size(), 900u);
}

// Sets a variable of the environment (or removes it) for as long as it lives.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    Set(value);
  }
  ~ScopedVariable() { Set(before_ ? before_->c_str() : nullptr); }

 private:
  void Set(const char* value) {
    if (value != nullptr) {
      setenv(name_, value, 1);
    } else {
      unsetenv(name_);
    }
  }
  const char* name_;
  std::optional<std::string> before_;
};

TEST(SharedFiles, ExpectationFollowsTheEnvironment) {
  const ScopedVariable no_folder("HLOSCOPE_SHARED", nullptr);
  {
    const ScopedVariable unset("HLOSCOPE_EXPECT_SHARED", nullptr);
    EXPECT_FALSE(SharedFilesAreExpected());
  }
  {
    const ScopedVariable off("HLOSCOPE_EXPECT_SHARED", "0");
    EXPECT_FALSE(SharedFilesAreExpected());
  }
  const ScopedVariable on("HLOSCOPE_EXPECT_SHARED", "1");
  EXPECT_TRUE(SharedFilesAreExpected());
}

// A folder that is named counts alone, and is of no use without one of its two parts.
TEST(SharedFiles, ANamedFolderMustHaveBothParts) {
  const TestFolder test_folder;
  const fs::path folder = test_folder.path();
  const ScopedVariable named("HLOSCOPE_SHARED", folder.c_str());
  fs::create_directories(folder / "corpus");
  EXPECT_TRUE(SharedFilesAreExpected());
  EXPECT_EQ(SharedDirectory(), "");
  fs::create_directories(folder / "vectors");
  EXPECT_EQ(SharedDirectory(), fs::weakly_canonical(folder).string());
}

}  // namespace
}  // namespace hloscope
