// SPDX-License-Identifier: Apache-2.0
// The first line of a module and those of computations that are not written as in HLO.
#include <algorithm>
#include <optional>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "core/diagnostics/suggestions.h"
#include "core/editing/repair_line.h"
#include "core/ir/opcode.h"

namespace hloscope {
namespace {

void AddModuleLines(RepairLine& line) {
  absl::string_view first = line.word(0);
  absl::ConsumeSuffix(&first, ":");
  const bool is_header =
      first == "HloModule" || first == "Module" || first == "module" || !NearestName(first, {"HloModule"}).empty();
  if (!is_header) return;
  const absl::string_view rest = line.Between(line.End(0), line.line_end());
  line.Write(line.At(0), line.line_end(), absl::StrCat("HloModule", rest));
  if (line.kind(1) == TokenKind::kString) {
    line.Write(line.At(1), line.End(1), std::string(line.word(1).substr(1, line.word(1).size() - 2)));
  }
  if (line.kind(1) == TokenKind::kComma) line.Write(line.End(0), line.At(1), " m");
  // `, is_scheduled`, `, is_scheduled:true`.
  for (size_t i = 2; i < line.size(); ++i) {
    absl::string_view name = line.word(i);
    const bool has_colon = absl::ConsumeSuffix(&name, ":");
    if (line.kind(i - 1) != TokenKind::kComma || !line.IsName(i)) continue;
    if (has_colon) line.Write(line.At(i), line.End(i), absl::StrCat(name, "="));
    if (!has_colon) line.Write(line.End(i), line.End(i), "=true");
    line.Write(line.At(i - 1), line.line_end(), "");
  }
  if (const size_t arrow = line.text().find("->"), end = line.text().rfind('}');
      arrow != absl::string_view::npos && end != absl::string_view::npos && end > arrow + 2) {
    const uint32_t from = line.begin() + static_cast<uint32_t>(arrow + 2);
    const uint32_t to = line.begin() + static_cast<uint32_t>(end);
    line.Write(from, to, absl::StrCat("(", absl::StripAsciiWhitespace(line.Between(from, to)), ")"));
  }
  if (absl::StrContains(line.text(), "=>")) {
    line.Write(line.begin(), line.line_end(), absl::StrReplaceAll(line.text(), {{"=>", "->"}}));
  }
}

// `def main(x: f32[4]) -> f32[4] {`: the words in front and what is between the name and the brace.
void AddComputationLines(RepairLine& line) {
  const bool has_brace = line.word(line.size() - 1) == "{";
  const bool has_statement = line.Opcode().has_value();
  if (has_statement || absl::StartsWith(line.word(0), "HloModule")) return;
  // The name: the last word before the signature, the brace, a colon or `=`.
  size_t end = 0;
  while (end < line.size() && line.kind(end) != TokenKind::kLeftParen && line.kind(end) != TokenKind::kLeftBrace &&
         line.kind(end) != TokenKind::kEquals && line.kind(end) != TokenKind::kColon &&
         line.kind(end) != TokenKind::kArrow) {
    const bool is_signature = end > 0 && absl::EndsWith(line.word(end), ":") && line.word(end) != "ENTRY:";
    if (is_signature) break;
    ++end;
  }
  if (end == 0) return;
  const bool is_name = line.IsName(end - 1) || line.kind(end - 1) == TokenKind::kPrimitiveType;
  if (!is_name) return;
  absl::string_view name = line.word(end - 1);
  absl::ConsumeSuffix(&name, ":");
  const std::string front(absl::StripAsciiWhitespace(line.Between(line.At(0), line.At(end - 1))));
  const std::string rest(absl::StripAsciiWhitespace(line.Between(line.End(end - 1), line.line_end())));
  const std::string brace = has_brace ? "" : " {";
  // One is enough: where another line has it, it is meant here only if it is written here.
  absl::string_view first = line.word(0);
  absl::ConsumeSuffix(&first, ":");
  const bool is_entry =
      absl::EqualsIgnoreCase(first, "ENTRY") || !absl::StrContains(line.document().source().text(), "\nENTRY ");
  for (const absl::string_view entry : {is_entry ? "ENTRY " : "", is_entry ? "" : "ENTRY "}) {
    const std::string start = absl::StrCat(entry, name);
    // With the signature as it is, with arrow and brace as they must be, without it.
    line.Write(line.At(0), line.line_end(), absl::StrCat(start, rest.empty() ? "" : " ", rest));
    line.Write(
        line.At(0), line.line_end(),
        absl::StrCat(start, " ", absl::StrReplaceAll(rest, {{"=>", "->"}, {") :", ") ->"}, {"]:", "]"}}), brace));
    const size_t open = rest.find('('), close = rest.rfind(')');
    if (open == std::string::npos && absl::StrContains(rest, "->")) {
      const size_t arrow = rest.find("->");
      line.Write(line.At(0), line.line_end(),
                 absl::StrCat(start, " (", absl::StripAsciiWhitespace(rest.substr(0, arrow)), ") ", rest.substr(arrow),
                              brace));
    }
    if (open != std::string::npos && close != std::string::npos) {
      // `f32[4] x` and `x = f32[4]` are `x: f32[4]`.
      line.Write(
          line.At(0), line.line_end(),
          absl::StrCat(start, " ", absl::StrReplaceAll(rest, {{" = f", ": f"}, {" = s", ": s"}, {"= ", ""}}), brace));
    }
    line.Write(line.At(0), line.line_end(), absl::StrCat(start, " {"));
  }
}

}  // namespace

void AddHeaderSpellings(RepairLine& line) {
  AddModuleLines(line);
  AddComputationLines(line);
}

}  // namespace hloscope
