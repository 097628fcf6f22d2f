// SPDX-License-Identifier: Apache-2.0
// Finds the corpus and the vectors beside a checkout. Tests that need them are skipped when they are absent, or fail
// where they are expected.
#ifndef HLOSCOPE_TESTS_SUPPORT_SHARED_FILES_H_
#define HLOSCOPE_TESTS_SUPPORT_SHARED_FILES_H_

#include <filesystem>
#include <string>
#include <vector>

namespace hloscope {

// Folder with corpus/ and vectors/: $HLOSCOPE_SHARED if that is set, else ../shared beside the source tree; empty if
// there is none, or one of the two is missing.
std::string SharedDirectory();
// Absence is a mistake: HLOSCOPE_SHARED names a folder, or HLOSCOPE_EXPECT_SHARED is set to anything but 0.
bool SharedFilesAreExpected();
// Absolute paths of every *.hlo file of the corpus, sorted; empty if the corpus is absent.
std::vector<std::string> CorpusFiles();
// Path of one corpus file ("xla-benchmarks/gpu_hlo.hlo"); empty if the corpus is absent.
std::string CorpusFile(const std::string& name);
// Folders of the vector cases, sorted; empty if the vectors are absent.
std::vector<std::string> VectorCases();
// Reads a whole file; aborts the test if it cannot.
std::string ReadFileOrDie(const std::string& path);

}  // namespace hloscope

// First statement of a test that needs shared files.
#define SKIP_WITHOUT_SHARED_FILES()                                                                               \
  if (::hloscope::SharedDirectory().empty()) {                                                                    \
    if (::hloscope::SharedFilesAreExpected()) FAIL() << "the shared corpus and vectors are expected and missing"; \
    GTEST_SKIP() << "the shared corpus and vectors are not beside this checkout (see README)";                    \
  }                                                                                                               \
  static_assert(true, "")

// The same for a test that reads one more file of that folder (`name`: below it, from the slash on).
#define SKIP_WITHOUT_SHARED_FILE(name)                                                                              \
  SKIP_WITHOUT_SHARED_FILES();                                                                                      \
  if (!std::filesystem::exists(::hloscope::SharedDirectory() + (name))) {                                           \
    if (::hloscope::SharedFilesAreExpected()) FAIL() << "the shared file " << (name) << " is expected and missing"; \
    GTEST_SKIP() << "no shared file " << (name);                                                                    \
  }                                                                                                                 \
  static_assert(true, "")

#endif  // HLOSCOPE_TESTS_SUPPORT_SHARED_FILES_H_
