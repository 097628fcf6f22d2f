// SPDX-License-Identifier: Apache-2.0
// Switches with a default branch: where a new enumerator compiles without anybody having thought of it.
#ifndef HLOSCOPE_TESTS_DOCS_SWITCH_DEFAULTS_H_
#define HLOSCOPE_TESTS_DOCS_SWITCH_DEFAULTS_H_

#include <filesystem>
#include <string>
#include <vector>

namespace hloscope {

// What is wrong with the default branches below `root`, as "FILE:LINE: what" or "FILE: what". A switch over characters,
// numbers or enumerations of other libraries may have one. One over an enumeration of this repository names every
// enumerator; but for the few of switch_defaults.cc that have more than a hundred, or grow by rows of a table: these
// may have as many as tests/docs/switch_defaults.txt says for the file, with the reason.
std::vector<std::string> UnlistedDefaults(const std::filesystem::path& root);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_DOCS_SWITCH_DEFAULTS_H_
