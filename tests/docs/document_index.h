// SPDX-License-Identifier: Apache-2.0
// What the documents under docs/ define: numbered sections, anchors of headings, and rules.
#ifndef HLOSCOPE_TESTS_DOCS_DOCUMENT_INDEX_H_
#define HLOSCOPE_TESTS_DOCS_DOCUMENT_INDEX_H_

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace hloscope {

// A rule's number: "DOT-3" is {"DOT-", 3}, "V014" is {"V", 14}.
struct RuleId {
  std::string family;
  int number = 0;
  auto operator<=>(const RuleId&) const = default;
};

// The id at text[*i], which begins a word; false if there is none. *i becomes its end.
bool ReadRuleId(absl::string_view text, size_t* i, RuleId* id);
// "DOT-3", "V014".
std::string RuleName(const RuleId& id);

// A row of a table whose first column is called Rule or Decision.
struct RuleRow {
  RuleId id;
  std::string document;  // path from the root
  int line = 0;
  std::vector<std::string> codes;  // in backquotes, of the column Diagnostic
  std::vector<std::string> tests;  // in backquotes, of the column Test
  bool tests_given = false;        // the cell is not empty
};

struct DocumentIndex {
  std::map<std::string, std::set<std::string>> sections;  // by path of the document: "6", "6.4", "A"
  std::map<std::string, std::set<std::string>> anchors;   // by path of any Markdown file, as GitHub makes them
  std::vector<RuleRow> rows;
  std::set<RuleId> rules;
  std::set<std::string> families;
};

// Reads docs/**/*.md, and the headings of the Markdown files named.
DocumentIndex ReadDocuments(const std::filesystem::path& root, const std::vector<std::string>& markdown_files);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_DOCS_DOCUMENT_INDEX_H_
