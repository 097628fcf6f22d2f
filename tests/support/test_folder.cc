// SPDX-License-Identifier: Apache-2.0
#include "tests/support/test_folder.h"

#include <cstdlib>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace hloscope {

TestFolder::TestFolder() : path_(absl::StrCat(testing::TempDir(), "hloscope_test_XXXXXX")) {
  if (mkdtemp(path_.data()) == nullptr) std::abort();
}

TestFolder::~TestFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TestFolder::operator/(absl::string_view name) const { return absl::StrCat(path_, "/", name); }

}  // namespace hloscope
