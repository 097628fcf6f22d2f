// SPDX-License-Identifier: Apache-2.0
// Statements whose parts are not put together as in HLO: another sign than `=`, ROOT elsewhere, no name.
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/editing/repair_line.h"
#include "core/editing/statement_edits.h"

namespace hloscope {
namespace {

// Names that something of the text reads and nothing defines, at most a few.
std::vector<std::string> NamesWithoutDefinition(const Document& document) {
  constexpr size_t kMaxNames = 4;
  std::vector<std::string> names;
  for (const Diagnostic& diagnostic : document.diagnostics()) {
    if (names.size() == kMaxNames) break;
    if (diagnostic.kind == DiagnosticKind::kUnknownInstruction) {
      names.emplace_back(document.source().Slice(diagnostic.range));
    }
  }
  return names;
}

// `:=`, `==`, `<-`, `:` and `->` between the name and the rest.
void AddAssignments(RepairLine& line) {
  const size_t name = line.word(0) == "ROOT" ? 1 : 0;
  if (!line.IsName(name)) return;
  uint32_t from = line.End(name), to = from;
  if (absl::EndsWith(line.word(name), ":")) --from;
  const absl::string_view rest = line.Between(from, line.line_end());
  const size_t begin = std::min(rest.find_first_not_of(" \t"), rest.size());
  size_t end = begin;
  while (end < rest.size() && absl::StrContains(":=<>-", rest.substr(end, 1))) ++end;
  if (end == begin || rest.substr(begin, end - begin) == "=") return;
  to = from + static_cast<uint32_t>(end);
  line.Add("write `=`", {{{from, to}, " ="}});
}

void AddRoots(RepairLine& line) {
  if (line.word(0) == "ROOT") {
    line.Add("remove this `ROOT`", {{{line.At(0), line.size() > 1 ? line.At(1) : line.End(0)}, ""}});
  }
  const std::string free = FreeName(line.document().module(), "result");
  if (line.word(0) == "ROOT" && line.word(1) == "=") {
    line.ReplaceBetween("name it", line.End(0), line.At(1), absl::StrCat(" ", line.Named(free), " "));
  }
  for (size_t i = 1; i + 1 < line.size(); ++i) {
    if (line.word(i) != "ROOT") continue;
    line.Add("put `ROOT` before the name", {{{line.At(0), line.At(0)}, "ROOT "}, {{line.At(i), line.At(i + 1)}, ""}});
  }
  if (line.word(0) != "return" || line.size() < 2) return;
  const absl::string_view value = absl::StripAsciiWhitespace(line.Between(line.At(1), line.line_end()));
  line.Write(line.At(0), line.line_end(), absl::StrCat("ROOT ", line.Named(free), " = ", value));
  line.Write(line.At(0), line.line_end(), absl::StrCat("ROOT ", line.Named(free), " = copy(", value, ")"));
}

// `= f32[] add(a, b)`, `add(a, b)`: a name that others read.
void AddNames(RepairLine& line) {
  // `ROOT f32[] add(a, b)`: nothing reads it.
  if (line.word(0) == "ROOT" && !line.Equals() && line.kind(1) == TokenKind::kPrimitiveType) {
    line.Write(line.At(1), line.At(1), absl::StrCat(line.Named(FreeName(line.document().module(), "result")), " = "));
  }
  const bool has_equals = line.kind(0) == TokenKind::kEquals;
  if (!has_equals && (line.Equals() || line.kind(0) != TokenKind::kIdentifier)) return;
  std::vector<std::string> names = NamesWithoutDefinition(line.document());
  names.push_back(line.Named(FreeName(line.document().module(), "value")));
  for (const std::string& name : names) {
    line.Write(line.At(0), line.At(0), absl::StrCat(name, has_equals ? " " : " = "));
  }
}

// A name that is taken, where something reads one that nothing has: `x = add(x, one)` and then `y`.
void AddOtherNames(RepairLine& line) {
  const size_t name = line.word(0) == "ROOT" ? 1 : 0;
  if (!line.IsName(name) || line.Equals() != name + 1) return;
  for (const std::string& other : NamesWithoutDefinition(line.document())) {
    line.Replace(absl::StrCat("call it `", other, "`"), name, name, other);
  }
}

// Signs without meaning; `#` and `--` before a comment.
void AddWithoutStrays(RepairLine& line) {
  for (size_t i = 0; i < line.size(); ++i) {
    const absl::string_view word = line.word(i);
    // `[1,2]<-[2]`, `[1,2]=<[2]`: iota lists.
    if (i > 0 && line.kind(i - 1) == TokenKind::kRightBracket) {
      size_t open = i;
      while (open < line.size() && line.kind(open) != TokenKind::kLeftBracket) ++open;
      const absl::string_view sign = line.Between(line.At(i), line.At(open));
      if (open < line.size() && sign.size() <= 3 && sign.find_first_not_of("<-= ") == absl::string_view::npos) {
        line.ReplaceBetween("write `<=`", line.At(i), line.At(open), "<=");
      }
    }
    if (word == "#" || word == "--") line.Replace("begin the comment with `//`", i, i, "//");
    if (line.kind(i) != TokenKind::kError && word != "#" && word != ":" && word != ".") continue;
    if (word == "$" || word == "@" || word == "%") {
      line.ReplaceBetween("remove it", line.At(i), i + 1 < line.size() ? line.At(i + 1) : line.End(i), "");
      line.Replace("write `%`", i, i, "%");
    } else if (word.size() <= 2 && !(i > 0 && line.IsNumber(i - 1) && line.IsNumber(i + 1))) {
      line.Replace(absl::StrCat("remove `", word, "`"), i, i, "");
    }
  }
  const std::optional<size_t> equals = line.Equals();
  if (equals) {
    if (const std::optional<size_t> second = line.Find("=", *equals + 1)) {
      line.Replace("remove the second `=`", *second, *second, "");
    }
  }
}

}  // namespace

void AddStatementSpellings(RepairLine& line) {
  AddAssignments(line);
  AddRoots(line);
  AddNames(line);
  AddOtherNames(line);
  AddWithoutStrays(line);
}

}  // namespace hloscope
