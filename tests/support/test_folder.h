// SPDX-License-Identifier: Apache-2.0
// A folder of a test's own: tests of one suite, and of several builds, run at the same time.
#ifndef HLOSCOPE_TESTS_SUPPORT_TEST_FOLDER_H_
#define HLOSCOPE_TESTS_SUPPORT_TEST_FOLDER_H_

#include <string>

#include "absl/strings/string_view.h"

namespace hloscope {

// Empty at first; goes with everything in it when the object does.
class TestFolder {
 public:
  TestFolder();
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  // Absolute, without a slash at its end.
  const std::string& path() const { return path_; }
  // Of an entry of this name, which need not exist.
  std::string operator/(absl::string_view name) const;

 private:
  std::string path_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_TEST_FOLDER_H_
