// Finding the corpus and the vectors beside a checkout. Tests that need them skip when they are absent.
#ifndef HLOSCOPE_TESTS_SUPPORT_SHARED_FILES_H_
#define HLOSCOPE_TESTS_SUPPORT_SHARED_FILES_H_

#include <string>
#include <vector>

namespace hloscope {

// Folder with corpus/ and vectors/: $HLOSCOPE_SHARED, or ../shared beside the source tree; empty if there is none.
std::string SharedDirectory();
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
#define SKIP_WITHOUT_SHARED_FILES()                                                            \
  if (::hloscope::SharedDirectory().empty()) {                                                 \
    GTEST_SKIP() << "the shared corpus and vectors are not beside this checkout (see README)"; \
  }                                                                                            \
  static_assert(true, "")

#endif  // HLOSCOPE_TESTS_SUPPORT_SHARED_FILES_H_
