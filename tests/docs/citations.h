// SPDX-License-Identifier: Apache-2.0
// Citations in a source tree, and whether they resolve in its documents.
#ifndef HLOSCOPE_TESTS_DOCS_CITATIONS_H_
#define HLOSCOPE_TESTS_DOCS_CITATIONS_H_

#include <filesystem>
#include <string>
#include <vector>

namespace hloscope {

// What does not resolve, as "FILE:LINE: what". Checked are, in all text files of the tree but build folders:
//   docs/x.md, with a section ("docs/x.md 6.4 and 6.5") or an anchor ("docs/x.md#heading")
//   sections alone, in parentheses or at the beginning of a comment, in files that cite a document: "(6.4)", "// 6.4:
//   ..." rules ("DOT-3", "DOT-1 to DOT-7", "DOT-3..6", "V014"), by the families of the tables in docs/; those of one
//   letter but V only in comments and documents paths into folders that a clone does not have: spec/..., design/...,
//   and "spec 6.4" relative links in Markdown files the tables of rules: codes of core/diagnostics/kinds.def, tests
//   that exist and, if .hlo, name the rule
std::vector<std::string> UnresolvedCitations(const std::filesystem::path& root);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_DOCS_CITATIONS_H_
