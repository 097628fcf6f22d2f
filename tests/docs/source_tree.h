// SPDX-License-Identifier: Apache-2.0
// The text files of a source tree.
#ifndef HLOSCOPE_TESTS_DOCS_SOURCE_TREE_H_
#define HLOSCOPE_TESTS_DOCS_SOURCE_TREE_H_

#include <filesystem>
#include <string>
#include <vector>

namespace hloscope {

// Paths from the root, in order; without folders of builds and of tools, and what lies beside the sources in a
// checkout.
std::vector<std::string> TextFiles(const std::filesystem::path& root);

// Empty if there is no such file.
std::string FileContents(const std::filesystem::path& file);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_DOCS_SOURCE_TREE_H_
