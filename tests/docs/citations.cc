// SPDX-License-Identifier: Apache-2.0
#include "tests/docs/citations.h"

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
#include "tests/docs/document_index.h"
#include "tests/docs/source_tree.h"

namespace hloscope {
namespace {

namespace fs = std::filesystem;

bool IsWordByte(char c) { return absl::ascii_isalnum(c) || c == '_'; }

// The section number at text[*i], "6.4" or "6"; empty if there is none. *i becomes its end.
std::string ReadSection(absl::string_view text, size_t* i) {
  size_t end = *i;
  const auto digits = [&] {
    const size_t begin = end;
    while (end < text.size() && absl::ascii_isdigit(text[end]) && end - begin < 3) ++end;
    return end > begin && (end == text.size() || !IsWordByte(text[end]));
  };
  if (!digits()) return "";
  while (end + 1 < text.size() && text[end] == '.' && absl::ascii_isdigit(text[end + 1])) {
    const size_t whole = end++;
    if (digits()) continue;
    end = whole;
    break;
  }
  const std::string section(text.substr(*i, end - *i));
  *i = end;
  return section;
}

// Over blanks, also those between the lines of a comment.
size_t SkipBlanks(absl::string_view text, size_t i) {
  while (i < text.size()) {
    if (text[i] == ' ') {
      ++i;
    } else if (text[i] == '\n') {
      ++i;
      while (i < text.size() && text[i] == ' ') ++i;
      while (i < text.size() && (text[i] == '/' || text[i] == '#' || text[i] == '*')) ++i;
    } else {
      break;
    }
  }
  return i;
}

// The citations of one file.
class Reader {
 public:
  Reader(const fs::path& root, const DocumentIndex& index, const std::string& file, absl::string_view text,
         std::vector<std::string>* problems)
      : root_(root),
        index_(index),
        file_(file),
        text_(text),
        is_markdown_(absl::EndsWith(file, ".md")),
        is_document_(absl::StartsWith(file, "docs/")),
        problems_(*problems) {}

  // With the documents that the file's header cites, if it has one.
  void Read(const std::set<std::string>& documents_of_header) {
    cited_documents_ = documents_of_header;
    if (is_document_) cited_documents_.insert(file_);
    for (size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] == '\n') {
        ++line_;
        in_comment_ = false;
        continue;
      }
      if (!in_comment_ && IsCommentStart(i)) in_comment_ = true;
      if (i > 0 && IsWordByte(text_[i - 1])) continue;
      if (ReadDocument(&i) || ReadForeignPath(i) || ReadRules(&i)) continue;
    }
    ReadSectionsAlone();
    if (is_markdown_) ReadLinks();
  }

  const std::set<std::string>& cited_documents() const { return cited_documents_; }
  const std::set<RuleId>& cited_rules() const { return cited_rules_; }

 private:
  void Report(int line, absl::string_view problem) {
    problems_.push_back(absl::StrCat(file_, ":", line, ": ", problem));
  }

  bool IsCommentStart(size_t i) const {
    if (is_markdown_) return is_document_;
    const absl::string_view rest = text_.substr(i);
    if (absl::StartsWith(rest, "//") || absl::StartsWith(rest, "/*")) return true;
    static constexpr absl::string_view kHashed[] = {".sh", ".txt", ".py", ".cmake"};
    return rest[0] == '#' && std::any_of(std::begin(kHashed), std::end(kHashed),
                                         [&](absl::string_view end) { return absl::EndsWith(file_, end); });
  }

  // docs/x.md, and the sections or the anchor after it.
  bool ReadDocument(size_t* i) {
    if (!absl::StartsWith(text_.substr(*i), "docs/") || (*i > 0 && (text_[*i - 1] == '/' || text_[*i - 1] == '.'))) {
      return false;
    }
    size_t end = *i;
    while (end < text_.size() && (IsWordByte(text_[end]) || absl::StrContains("./-", text_.substr(end, 1)))) ++end;
    const absl::string_view stripped = absl::StripSuffix(text_.substr(*i, end - *i), ".");
    if (!absl::EndsWith(stripped, ".md")) return false;
    const std::string path(stripped);
    end = *i + path.size();
    const int line = line_;
    *i = end - 1;
    if (!index_.sections.contains(path)) {
      Report(line, absl::StrCat("there is no ", path));
      return true;
    }
    cited_documents_.insert(path);
    if (end < text_.size() && text_[end] == '#') {
      CheckAnchor(line, path, ReadAnchor(end + 1));
      return true;
    }
    ReadSections(line, path, end);
    return true;
  }

  // "6.4", "6.4, 6.5 and 7", "appendix B" from text_[i] on.
  void ReadSections(int line, const std::string& path, size_t i) {
    i = SkipBlanks(text_, i);
    if (absl::StartsWith(text_.substr(i), "appendix ")) {
      CheckSection(line, path, std::string(text_.substr(i + 9, 1)));
      return;
    }
    while (true) {
      const std::string section = ReadSection(text_, &i);
      if (section.empty()) return;
      CheckSection(line, path, section);
      absl::string_view rest = text_.substr(i);
      bool more = false;
      for (const absl::string_view joint : {", and", ",", " and", " to", "-"}) {
        if (!absl::ConsumePrefix(&rest, joint)) continue;
        more = true;
        break;
      }
      if (!more) return;
      i = SkipBlanks(text_, text_.size() - rest.size());
    }
  }

  void CheckSection(int line, const std::string& path, const std::string& section) {
    if (!index_.sections.at(path).contains(section)) Report(line, absl::StrCat(path, " has no section ", section));
  }

  std::string ReadAnchor(size_t i) const {
    size_t end = i;
    while (end < text_.size() && (IsWordByte(text_[end]) || text_[end] == '-')) ++end;
    return std::string(text_.substr(i, end - i));
  }

  void CheckAnchor(int line, const std::string& path, const std::string& anchor) {
    const auto anchors = index_.anchors.find(path);
    if (anchors == index_.anchors.end() || !anchors->second.contains(anchor)) {
      Report(line, absl::StrCat(path, " has no heading #", anchor));
    }
  }

  // A path into a folder that is not part of the repository, or a section of a file there. Paths in strings begin with
  // a slash.
  bool ReadForeignPath(size_t i) {
    if (i > 0 && (text_[i - 1] == '/' || text_[i - 1] == '-' || text_[i - 1] == '.')) return false;
    for (const absl::string_view folder : {"spec/", "design/"}) {
      absl::string_view rest = text_.substr(i);
      if (absl::ConsumePrefix(&rest, folder) && !rest.empty() && (absl::ascii_islower(rest[0]) || rest[0] == '*')) {
        Report(line_, absl::StrCat("the repository has no folder ", folder));
        return true;
      }
    }
    for (const absl::string_view name : {"spec ", "ops-a ", "ops-b ", "ops-c "}) {
      absl::string_view rest = text_.substr(i);
      if (!absl::ConsumePrefix(&rest, name) || rest.empty() || !absl::ascii_isdigit(rest[0])) continue;
      Report(line_, "a section of a document that is not named");
      return true;
    }
    return false;
  }

  bool IsCitation(const RuleId& id) const {
    if (!index_.families.contains(id.family)) return false;
    return id.family.size() > 1 || id.family == "V" || in_comment_;
  }

  // One rule, and what continues it: "DOT-1 to DOT-7", "V033-V036", "DOT-3..6", and in comments "DOT-3, 5, 7".
  bool ReadRules(size_t* i) {
    if (*i > 0 && absl::StrContains("-#/.+", text_.substr(*i - 1, 1))) return false;
    RuleId id;
    size_t end = *i;
    if (!ReadRuleId(text_, &end, &id) || !IsCitation(id)) return false;
    CheckRule(id);
    *i = end - 1;
    while (true) {
      const size_t begin = end;
      absl::string_view rest = text_.substr(end);
      RuleId next = id;
      if (absl::ConsumePrefix(&rest, "..") || absl::ConsumePrefix(&rest, " to ") || absl::ConsumePrefix(&rest, "-")) {
        end = text_.size() - rest.size();
        if (!ReadNumber(&end, &next) && !(ReadRuleId(text_, &end, &next) && next.family == id.family)) return true;
        for (id.number += 1; id.number < next.number; ++id.number) CheckRule(id);
      } else if (in_comment_ && id.family.size() > 1 && absl::ConsumePrefix(&rest, ", ")) {
        end = text_.size() - rest.size();
        if (!ReadNumber(&end, &next)) return true;
        // "CONV-9, 10, 12." goes on; "EW-5, 3 elements" does not.
        if (end < text_.size() && !absl::StrContains(",.:;)\n", text_.substr(end, 1))) return true;
      } else {
        return true;
      }
      if (end == begin) return true;
      CheckRule(next);
      id = next;
      *i = end - 1;
    }
  }

  bool ReadNumber(size_t* i, RuleId* id) const {
    size_t end = *i;
    while (end < text_.size() && absl::ascii_isdigit(text_[end])) ++end;
    if (!absl::SimpleAtoi(text_.substr(*i, end - *i), &id->number)) return false;
    *i = end;
    return true;
  }

  void CheckRule(const RuleId& id) {
    cited_rules_.insert(id);
    if (!index_.rules.contains(id)) Report(line_, absl::StrCat("no document has a rule ", RuleName(id)));
  }

  // "(6.4)", "(6.4, 6.5)" and "// 6.4: " in comments: of one of the documents that the file cites.
  void ReadSectionsAlone() {
    if (is_markdown_ || cited_documents_.empty()) return;
    int number = 0;
    for (const absl::string_view line : absl::StrSplit(text_, '\n')) {
      ++number;
      const size_t comment = line.find("//");
      if (comment == absl::string_view::npos) continue;
      size_t i = comment + 3;
      if (i < line.size() && line[comment + 2] == ' ') {
        const std::string section = ReadSection(line, &i);
        if (absl::StrContains(section, '.') && i < line.size() && line[i] == ':') CheckSectionAlone(number, section);
      }
      for (i = line.find('(', comment); i != absl::string_view::npos; i = line.find('(', i + 1)) {
        std::vector<std::string> sections;
        size_t end = i + 1;
        do {
          if (!sections.empty()) end += 2;
          sections.push_back(ReadSection(line, &end));
        } while (!sections.back().empty() && absl::StartsWith(line.substr(end), ", "));
        if (end >= line.size() || line[end] != ')') continue;
        for (const std::string& section : sections) {
          if (absl::StrContains(section, '.')) CheckSectionAlone(number, section);
        }
      }
    }
  }

  void CheckSectionAlone(int line, const std::string& section) {
    for (const std::string& document : cited_documents_) {
      if (index_.sections.at(document).contains(section)) return;
    }
    Report(line, absl::StrCat("no document that this file cites has a section ", section));
  }

  // [text](path#anchor), relative to the file.
  void ReadLinks() {
    bool in_block = false;
    int number = 0;
    for (const absl::string_view line : absl::StrSplit(text_, '\n')) {
      ++number;
      if (absl::StartsWith(line, "```")) in_block = !in_block;
      if (in_block) continue;
      for (size_t i = line.find("]("); i != absl::string_view::npos; i = line.find("](", i + 1)) {
        const size_t end = line.find(')', i);
        if (end == absl::string_view::npos) break;
        CheckLink(number, line.substr(i + 2, end - i - 2));
      }
    }
  }

  void CheckLink(int line, absl::string_view target) {
    if (target.empty() || absl::StrContains(target, "://") || absl::StartsWith(target, "mailto:")) return;
    const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(target, absl::MaxSplits('#', 1));
    const std::string path =
        parts.first.empty()
            ? file_
            : (fs::path(file_).parent_path() / std::string(parts.first)).lexically_normal().generic_string();
    if (!fs::exists(root_ / path)) {
      Report(line, absl::StrCat("there is no ", path));
    } else if (!parts.second.empty() && absl::EndsWith(path, ".md")) {
      CheckAnchor(line, path, std::string(parts.second));
    }
  }

  const fs::path& root_;
  const DocumentIndex& index_;
  const std::string& file_;
  const absl::string_view text_;
  const bool is_markdown_, is_document_;
  std::vector<std::string>& problems_;
  std::set<std::string> cited_documents_;
  std::set<RuleId> cited_rules_;
  int line_ = 1;
  bool in_comment_ = false;
};

// Of the first arguments' second strings in core/diagnostics/kinds.def.
std::set<std::string> DiagnosticCodes(const fs::path& root) {
  std::set<std::string> codes;
  const std::string table = FileContents(root / "core/diagnostics/kinds.def");
  for (const absl::string_view line : absl::StrSplit(table, '\n')) {
    if (!absl::StartsWith(line, "HLO_DIAGNOSTIC(")) continue;
    const std::vector<absl::string_view> parts = absl::StrSplit(line, absl::MaxSplits('"', 2));
    if (parts.size() == 3) codes.emplace(parts[1]);
  }
  return codes;
}

void CheckRows(const fs::path& root, const DocumentIndex& index,
               const std::map<std::string, std::set<RuleId>>& rules_by_file, std::vector<std::string>* problems) {
  const std::set<std::string> codes = DiagnosticCodes(root);
  std::set<RuleId> seen;
  for (const RuleRow& row : index.rows) {
    const auto report = [&](const std::string& problem) {
      problems->push_back(absl::StrCat(row.document, ":", row.line, ": ", RuleName(row.id), " ", problem));
    };
    if (!seen.insert(row.id).second) report("has a second row");
    if (!row.tests_given) report("names no test");
    for (const std::string& code : row.codes) {
      if (!codes.contains(code)) report(absl::StrCat("names a diagnostic ", code, " that does not exist"));
    }
    for (const std::string& test : row.tests) {
      if (!fs::exists(root / test)) {
        report(absl::StrCat("names a test ", test, " that does not exist"));
      } else if (const auto rules = rules_by_file.find(test);
                 absl::EndsWith(test, ".hlo") && (rules == rules_by_file.end() || !rules->second.contains(row.id))) {
        report(absl::StrCat("is not named in ", test));
      }
    }
  }
}

}  // namespace

std::vector<std::string> UnresolvedCitations(const fs::path& root) {
  const std::vector<std::string> files = TextFiles(root);
  std::vector<std::string> markdown;
  std::copy_if(files.begin(), files.end(), std::back_inserter(markdown),
               [](const std::string& file) { return absl::EndsWith(file, ".md"); });
  const DocumentIndex index = ReadDocuments(root, markdown);

  std::vector<std::string> problems;
  std::map<std::string, std::set<std::string>> documents_by_file;
  std::map<std::string, std::set<RuleId>> rules_by_file;
  // Headers first: sections alone in a source file are those of the documents that its header cites.
  for (const bool headers : {true, false}) {
    for (const std::string& file : files) {
      // The tests of this library are full of citations that must not resolve.
      if (absl::EndsWith(file, ".h") != headers || absl::StartsWith(file, "tests/docs/")) continue;
      const std::string text = FileContents(root / file);
      Reader reader(root, index, file, text, &problems);
      const std::string header = absl::StrCat(absl::StripSuffix(file, ".cc"), ".h");
      const auto documents = documents_by_file.find(header);
      reader.Read(documents == documents_by_file.end() ? std::set<std::string>() : documents->second);
      documents_by_file[file] = reader.cited_documents();
      rules_by_file[file] = reader.cited_rules();
    }
  }
  CheckRows(root, index, rules_by_file, &problems);
  return problems;
}

}  // namespace hloscope
