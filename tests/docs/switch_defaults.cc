// SPDX-License-Identifier: Apache-2.0
#include "tests/docs/switch_defaults.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "tests/docs/source_tree.h"

namespace hloscope {
namespace {

constexpr absl::string_view kList = "tests/docs/switch_defaults.txt";

// Opcodes, attributes, types, diagnostics, tokens of HLO (also as Kind) and checks are rows of tables.
bool IsLarge(absl::string_view enumeration) {
  static const auto& large = *new std::set<absl::string_view>{
      "Opcode", "AttributeKind", "ElementType", "DiagnosticKind", "TokenKind", "CheckStage", "Kind"};
  return large.contains(enumeration);
}

// Enumerations of others may get enumerators without this repository being built.
bool IsForeign(absl::string_view label) {
  for (absl::string_view prefix :
       {"absl::", "Qt::", "QEvent::", "QStyle::", "proto::", "google::", "FieldDescriptor::"}) {
    if (absl::StartsWith(label, prefix)) return true;
  }
  // Numbers of fields that protoc makes.
  return absl::EndsWith(label, "FieldNumber");
}

size_t IndentOf(absl::string_view line) { return line.size() - absl::StripLeadingAsciiWhitespace(line).size(); }

// The label of a line `case LABEL:`; empty if it is none.
absl::string_view LabelOf(absl::string_view line) {
  line = absl::StripLeadingAsciiWhitespace(line);
  if (!absl::ConsumePrefix(&line, "case ")) return "";
  size_t end = 0;
  while (end < line.size() && (line[end] != ':' || absl::StartsWith(line.substr(end), "::"))) {
    end += absl::StartsWith(line.substr(end), "::") ? 2 : 1;
  }
  return line.substr(0, end);
}

// The enumeration of this repository whose enumerators the labels above line `at` are, which has the default branch;
// empty if the switch is over something else. Formatted sources: labels of one switch have one indentation.
std::string EnumerationOf(const std::vector<absl::string_view>& lines, size_t at) {
  const size_t indent = IndentOf(lines[at]);
  for (size_t i = at; i-- > 0;) {
    if (absl::StrContains(lines[i], "switch (") && IndentOf(lines[i]) < indent) return "";
    if (IndentOf(lines[i]) != indent) continue;
    const absl::string_view label = LabelOf(lines[i]);
    if (label.empty()) continue;
    const size_t enumerator = label.rfind("::");
    if (enumerator == absl::string_view::npos || IsForeign(label)) return "";
    const absl::string_view qualified = label.substr(0, enumerator);
    const size_t scope = qualified.rfind("::");
    return std::string(scope == absl::string_view::npos ? qualified : qualified.substr(scope + 2));
  }
  return "";
}

// How many each file may have. Lines are `COUNT FILE` below a line `# REASON`.
std::map<std::string, int> Allowed(const std::filesystem::path& root, std::vector<std::string>& problems) {
  std::map<std::string, int> allowed;
  bool has_reason = false;
  const std::string text = FileContents(root / std::string(kList));
  for (absl::string_view line : absl::StrSplit(text, '\n', absl::SkipWhitespace())) {
    if (absl::ConsumePrefix(&line, "#")) {
      has_reason = !absl::StripAsciiWhitespace(line).empty();
      continue;
    }
    const std::pair<absl::string_view, absl::string_view> entry = absl::StrSplit(line, absl::MaxSplits(' ', 1));
    int count = 0;
    if (!has_reason || !absl::SimpleAtoi(entry.first, &count) || count < 1) {
      problems.push_back(absl::StrCat(kList, ": expected `COUNT FILE` below a reason, found `", line, "`"));
      continue;
    }
    allowed[std::string(entry.second)] += count;
  }
  return allowed;
}

bool IsChecked(absl::string_view file) {
  return (absl::EndsWith(file, ".cc") || absl::EndsWith(file, ".h")) && !absl::StartsWith(file, "tests/") &&
         !absl::StartsWith(file, "resources/");
}

}  // namespace

std::vector<std::string> UnlistedDefaults(const std::filesystem::path& root) {
  std::vector<std::string> problems;
  std::map<std::string, int> allowed = Allowed(root, problems);
  for (const std::string& file : TextFiles(root)) {
    if (!IsChecked(file)) continue;
    const std::string text = FileContents(root / file);
    const std::vector<absl::string_view> lines = absl::StrSplit(text, '\n');
    int count = 0;
    for (size_t i = 0; i < lines.size(); ++i) {
      if (!absl::StartsWith(absl::StripLeadingAsciiWhitespace(lines[i]), "default:")) continue;
      const std::string enumeration = EnumerationOf(lines, i);
      if (enumeration.empty()) continue;
      if (IsLarge(enumeration)) {
        ++count;
      } else {
        problems.push_back(absl::StrCat(file, ":", i + 1, ": a switch over ", enumeration,
                                        " has a default branch: name the enumerators, so that a new one is an error"));
      }
    }
    const auto entry = allowed.find(file);
    const int expected = entry == allowed.end() ? 0 : entry->second;
    if (entry != allowed.end()) allowed.erase(entry);
    if (count == expected) continue;
    problems.push_back(
        absl::StrCat(file, ": ", count, " default branches over tables, ", kList, " says ", expected,
                     count > expected ? ": name the cases, let a table decide, or give the reason there" : ""));
  }
  for (const auto& [file, count] : allowed) problems.push_back(absl::StrCat(kList, ": there is no file ", file));
  return problems;
}

}  // namespace hloscope
