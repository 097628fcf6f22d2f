// SPDX-License-Identifier: Apache-2.0
#include "tests/docs/document_index.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "tests/docs/source_tree.h"

namespace hloscope {
namespace {

// "6.4" of "6.4 Title", "A" of "Appendix A: title"; empty if the heading has no number.
std::string SectionOf(absl::string_view heading) {
  if (absl::ConsumePrefix(&heading, "Appendix ")) return std::string(heading.substr(0, 1));
  size_t end = 0;
  while (end < heading.size() && (absl::ascii_isdigit(heading[end]) || heading[end] == '.')) ++end;
  if (end == 0 || (end < heading.size() && heading[end] != ' ')) return "";
  return std::string(absl::StripSuffix(heading.substr(0, end), "."));
}

std::string AnchorOf(absl::string_view heading) {
  std::string anchor;
  for (const char c : heading) {
    if (absl::ascii_isalnum(c) || c == '-' || c == '_') anchor += absl::ascii_tolower(c);
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

std::vector<std::string> Backquoted(absl::string_view cell) {
  std::vector<std::string> result;
  const std::vector<absl::string_view> parts = absl::StrSplit(cell, '`');
  for (size_t i = 1; i < parts.size(); i += 2) result.emplace_back(parts[i]);
  return result;
}

void ReadHeadings(absl::string_view text, std::set<std::string>* sections, std::set<std::string>* anchors) {
  bool in_block = false;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (absl::StartsWith(line, "```")) in_block = !in_block;
    const size_t level = line.find_first_not_of('#');
    if (in_block || level == 0 || level == absl::string_view::npos || line[level] != ' ') continue;
    const absl::string_view heading = absl::StripAsciiWhitespace(line.substr(level));
    anchors->insert(AnchorOf(heading));
    if (const std::string section = SectionOf(heading); sections != nullptr && !section.empty()) {
      sections->insert(section);
    }
  }
}

void ReadRows(const std::string& document, absl::string_view text, DocumentIndex* index) {
  std::vector<absl::string_view> columns;
  int number = 0;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    if (!absl::StartsWith(line, "| ")) {
      if (!absl::StartsWith(line, "|")) columns.clear();
      continue;
    }
    std::vector<absl::string_view> cells = absl::StrSplit(line, '|');
    for (absl::string_view& cell : cells) cell = absl::StripAsciiWhitespace(cell);
    if (columns.empty()) {
      columns = cells;
      continue;
    }
    if (columns[1] != "Rule" && columns[1] != "Decision") continue;
    RuleRow row;
    row.document = document;
    row.line = number;
    size_t end = 0;
    if (!ReadRuleId(cells[1], &end, &row.id)) continue;
    for (size_t k = 2; k < cells.size() && k < columns.size(); ++k) {
      if (columns[k] == "Diagnostic") row.codes = Backquoted(cells[k]);
      if (columns[k] != "Test") continue;
      row.tests = Backquoted(cells[k]);
      row.tests_given = !cells[k].empty();
    }
    index->rules.insert(row.id);
    index->families.insert(row.id.family);
    index->rows.push_back(std::move(row));
  }
}

}  // namespace

bool ReadRuleId(absl::string_view text, size_t* i, RuleId* id) {
  size_t end = *i;
  while (end < text.size() && absl::ascii_isupper(text[end])) ++end;
  if (end == *i) return false;
  if (end < text.size() && text[end] == '-') ++end;
  const absl::string_view family = text.substr(*i, end - *i);
  const size_t digits = end;
  while (end < text.size() && absl::ascii_isdigit(text[end])) ++end;
  if (end == digits || end - digits > 3 ||
      (end < text.size() && (absl::ascii_isalnum(text[end]) || text[end] == '_'))) {
    return false;
  }
  // Numbers of the verifier have three digits; one or two after a V are something else.
  if (family == "V" && end - digits != 3) return false;
  if (!absl::SimpleAtoi(text.substr(digits, end - digits), &id->number)) return false;
  id->family = std::string(family);
  *i = end;
  return true;
}

std::string RuleName(const RuleId& id) {
  return id.family == "V" ? absl::StrFormat("V%03d", id.number) : absl::StrCat(id.family, id.number);
}

DocumentIndex ReadDocuments(const std::filesystem::path& root, const std::vector<std::string>& markdown_files) {
  DocumentIndex index;
  for (const std::string& file : markdown_files) {
    const bool document = absl::StartsWith(file, "docs/");
    const std::string text = FileContents(root / file);
    ReadHeadings(text, document ? &index.sections[file] : nullptr, &index.anchors[file]);
    if (document) ReadRows(file, text, &index);
  }
  return index;
}

}  // namespace hloscope
