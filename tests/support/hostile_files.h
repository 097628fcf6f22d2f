// SPDX-License-Identifier: Apache-2.0
// Files that ask for more than there is, are nested without end, or are no modules at all.
#ifndef HLOSCOPE_TESTS_SUPPORT_HOSTILE_FILES_H_
#define HLOSCOPE_TESTS_SUPPORT_HOSTILE_FILES_H_

#include <string>
#include <vector>

namespace hloscope {

struct HostileFile {
  std::string name;  // with the suffix that dumps give to such files
  std::string bytes;
  bool is_quick;  // for the tests that always run
};

// HLO texts and StableHLO programs.
std::vector<HostileFile> HostileTexts();
std::vector<HostileFile> HostilePrograms();

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_HOSTILE_FILES_H_
