// SPDX-License-Identifier: Apache-2.0
#include "tests/support/golden_file.h"

#include <algorithm>
#include <array>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/diagnostics/render.h"
#include "core/ops/custom_call.h"
#include "core/ops/verify_switches.h"

namespace hloscope {
namespace {

constexpr absl::string_view kSeparator = "// -----";
constexpr std::array<std::pair<absl::string_view, Severity>, 4> kExpectations = {
    {{"expect-error", Severity::kError},
     {"expect-warning", Severity::kWarning},
     {"expect-information", Severity::kInformation},
     {"expect-hint", Severity::kHint}}};

absl::Status Malformed(absl::string_view what) { return absl::InvalidArgumentError(what); }

bool ConsumeInt(absl::string_view* text, int* value) {
  size_t digits = 0;
  while (digits < text->size() && absl::ascii_isdigit(static_cast<unsigned char>((*text)[digits]))) ++digits;
  if (!absl::SimpleAtoi(text->substr(0, digits), value)) return false;
  text->remove_prefix(digits);
  return true;
}

// `@+N:COL-LAST`, each part optional; `line` is the directive's own.
absl::StatusOr<GoldenPlace> ConsumePlace(absl::string_view* text, int line) {
  GoldenPlace place;
  place.line = line;
  if (absl::ConsumePrefix(text, "@")) {
    const bool back = absl::StartsWith(*text, "-");
    int distance = 0;
    if (!absl::ConsumePrefix(text, "+") && !absl::ConsumePrefix(text, "-")) {
      return Malformed("expected + or - after @");
    }
    if (!ConsumeInt(text, &distance)) return Malformed("expected a number of lines after @");
    place.line += back ? -distance : distance;
  }
  if (absl::ConsumePrefix(text, ":")) {
    int column = 0;
    if (!ConsumeInt(text, &column)) return Malformed("expected a column after the colon");
    place.column = column;
    if (absl::ConsumePrefix(text, "-eol")) {
      place.end_column = GoldenPlace::kRestOfLine;
    } else if (absl::ConsumePrefix(text, "-")) {
      int last = 0;
      if (!ConsumeInt(text, &last)) return Malformed("expected a column or `eol` after the dash");
      place.end_column = last + 1;
    }
  }
  return place;
}

absl::StatusOr<std::string> ConsumeBraces(absl::string_view* text) {
  *text = absl::StripLeadingAsciiWhitespace(*text);
  if (!absl::ConsumePrefix(text, "{{")) return Malformed("expected {{text}}");
  size_t end = text->find("}}");
  if (end == absl::string_view::npos) return Malformed("expected }} after the text");
  while (end + 2 < text->size() && (*text)[end + 2] == '}') ++end;
  std::string content(text->substr(0, end));
  text->remove_prefix(end + 2);
  return content;
}

absl::Status ExpectEnd(absl::string_view text) {
  text = absl::StripAsciiWhitespace(text);
  return text.empty() ? absl::OkStatus() : Malformed(absl::StrCat("unexpected `", text, "`"));
}

absl::Status ReadExpectation(absl::string_view rest, Severity severity, int line, int directive_line,
                             GoldenSection* section) {
  GoldenExpectation expectation;
  expectation.directive_line = directive_line;
  expectation.severity = severity;
  auto place = ConsumePlace(&rest, line);
  if (!place.ok()) return place.status();
  expectation.place = *place;
  auto text = ConsumeBraces(&rest);
  if (!text.ok()) return text.status();
  expectation.text = *std::move(text);
  rest = absl::StripLeadingAsciiWhitespace(rest);
  const size_t close = rest.find(']');
  if (!absl::StartsWith(rest, "[") || close == absl::string_view::npos) return Malformed("expected [code]");
  expectation.code = std::string(rest.substr(1, close - 1));
  if (!DiagnosticKindFromCode(expectation.code)) return Malformed(absl::StrCat("no code ", expectation.code));
  section->expectations.push_back(std::move(expectation));
  return ExpectEnd(rest.substr(close + 1));
}

absl::Status ReadRelated(absl::string_view rest, int line, GoldenSection* section) {
  if (section->expectations.empty()) return Malformed("`related` before any expectation");
  auto place = ConsumePlace(&rest, line);
  if (!place.ok()) return place.status();
  auto text = ConsumeBraces(&rest);
  if (!text.ok()) return text.status();
  section->expectations.back().related.push_back({*place, *std::move(text)});
  return ExpectEnd(rest);
}

absl::Status ReadFix(absl::string_view rest, GoldenSection* section) {
  if (section->expectations.empty()) return Malformed("`fix` before any expectation");
  auto title = ConsumeBraces(&rest);
  if (!title.ok()) return title.status();
  rest = absl::StripLeadingAsciiWhitespace(rest);
  if (!absl::ConsumePrefix(&rest, "->")) return Malformed("expected -> between title and replacement");
  auto replacement = ConsumeBraces(&rest);
  if (!replacement.ok()) return replacement.status();
  section->expectations.back().fixes.push_back({*std::move(title), absl::StrReplaceAll(*replacement, {{"\\n", "\n"}})});
  return ExpectEnd(rest);
}

// Reads the directive of a line, if it has one.
absl::Status ReadDirective(absl::string_view source_line, int line, int file_line, GoldenSection* section) {
  for (const auto& [name, severity] : kExpectations) {
    const size_t begin = source_line.find(absl::StrCat("// ", name));
    if (begin == absl::string_view::npos) continue;
    return ReadExpectation(source_line.substr(begin + 3 + name.size()), severity, line, file_line, section);
  }
  if (const size_t begin = source_line.find("// related"); begin != absl::string_view::npos) {
    return ReadRelated(source_line.substr(begin + 10), line, section);
  }
  if (const size_t begin = source_line.find("// fix "); begin != absl::string_view::npos) {
    return ReadFix(source_line.substr(begin + 7), section);
  }
  if (const size_t begin = source_line.find("// options:"); begin != absl::string_view::npos) {
    return ReadGoldenOptions(source_line.substr(begin + 11), &section->options);
  }
  if (absl::StrContains(source_line, "// expect")) return Malformed("expected error, warning, information or hint");
  return absl::OkStatus();
}

// --- Comparing ---

std::string ColumnsText(const SourceText& source, SourceRange range) {
  const LineColumn begin = HumanPosition(source, range.begin), end = HumanPosition(source, range.end);
  if (begin.line != end.line) return absl::StrCat(begin.column, "-eol");
  return absl::StrCat(begin.column, "-", static_cast<int64_t>(end.column) - 1);
}

bool PlaceFits(const SourceText& source, SourceRange range, const GoldenPlace& place) {
  const LineColumn begin = HumanPosition(source, range.begin), end = HumanPosition(source, range.end);
  if (static_cast<int>(begin.line) != place.line) return false;
  if (place.column && static_cast<int>(begin.column) != *place.column) return false;
  if (!place.end_column) return true;
  if (*place.end_column == GoldenPlace::kRestOfLine) return end.line > begin.line;
  return begin.line == end.line && static_cast<int>(end.column) == *place.end_column;
}

std::string PlaceText(const GoldenPlace& place, int first_line) {
  std::string text = absl::StrCat("line ", place.line + first_line - 1);
  if (!place.column) return text;
  absl::StrAppend(&text, ":", *place.column);
  if (!place.end_column) return text;
  absl::StrAppend(&text, "-",
                  *place.end_column == GoldenPlace::kRestOfLine ? "eol" : absl::StrCat(*place.end_column - 1));
  return text;
}

// How a diagnostic would be written as an expectation.
std::string DiagnosticText(const SourceText& source, const Diagnostic& diagnostic, int first_line) {
  const uint32_t line = HumanPosition(source, diagnostic.range.begin).line;
  return absl::StrCat("line ", line + static_cast<uint32_t>(first_line) - 1, ":", ColumnsText(source, diagnostic.range),
                      " ", SeverityName(diagnostic.severity), " {{", diagnostic.Message(), "}} [", diagnostic.code(),
                      "]");
}

bool Fits(const SourceText& source, const Diagnostic& diagnostic, const GoldenExpectation& expected) {
  return diagnostic.severity == expected.severity && diagnostic.code() == expected.code &&
         absl::StrContains(diagnostic.Message(), expected.text) && PlaceFits(source, diagnostic.range, expected.place);
}

std::string ReplacementText(const FixIt& fix) {
  return absl::StrJoin(fix.edits, " | ",
                       [](std::string* out, const FixIt::Edit& edit) { out->append(edit.replacement); });
}

// Diagnostics of one code and message: what a fix must make fewer.
size_t CountOf(const Document& document, const Diagnostic& diagnostic) {
  size_t count = 0;
  for (const Diagnostic& d : document.diagnostics()) {
    if (d.kind == diagnostic.kind && d.arguments == diagnostic.arguments) ++count;
  }
  return count;
}

// Empty if applying the first fix takes the diagnostic away.
std::string CheckFirstFix(const Document& document, const Diagnostic& diagnostic) {
  if (diagnostic.fixes.empty()) return "";
  const FixIt& fix = diagnostic.fixes[0];
  std::vector<FixIt::Edit> edits = fix.edits;
  std::sort(edits.begin(), edits.end(),
            [](const FixIt::Edit& a, const FixIt::Edit& b) { return a.range.begin > b.range.begin; });
  std::string text(document.source().text());
  for (const FixIt::Edit& edit : edits) text.replace(edit.range.begin, edit.range.size(), edit.replacement);
  const auto fixed = Document::Parse(SourceText::FromString("fixed", text), document.options());
  if (CountOf(*fixed, diagnostic) < CountOf(document, diagnostic)) return "";
  return absl::StrCat("after the fix `", fix.title, "` the diagnostic is still there:\n", text);
}

void CheckDetails(const Document& document, const Diagnostic& diagnostic, const GoldenExpectation& expected,
                  int first_line, std::vector<std::string>* failures) {
  const SourceText& source = document.source();
  const auto fail = [&](auto&&... parts) {
    failures->push_back(absl::StrCat(expected.directive_line, ": ", parts...));
  };
  for (const auto& related : expected.related) {
    const bool found = std::any_of(diagnostic.related.begin(), diagnostic.related.end(), [&](const RelatedLocation& r) {
      return absl::StrContains(r.message, related.text) && PlaceFits(source, r.range, related.place);
    });
    if (found) continue;
    fail("no related location at ", PlaceText(related.place, first_line), " {{", related.text,
         "}}; there are:", absl::StrJoin(diagnostic.related, "", [&](std::string* out, const RelatedLocation& r) {
           absl::StrAppend(out, "\n    line ",
                           HumanPosition(source, r.range.begin).line + static_cast<uint32_t>(first_line) - 1, ":",
                           ColumnsText(source, r.range), " {{", r.message, "}}");
         }));
  }
  for (const auto& fix : expected.fixes) {
    const bool found = std::any_of(diagnostic.fixes.begin(), diagnostic.fixes.end(), [&](const FixIt& f) {
      return f.title == fix.title && ReplacementText(f) == fix.replacement;
    });
    if (found) continue;
    fail("no fix {{", fix.title, "}} -> {{", fix.replacement,
         "}}; there are:", absl::StrJoin(diagnostic.fixes, "", [](std::string* out, const FixIt& f) {
           absl::StrAppend(out, "\n    {{", f.title, "}} -> {{", ReplacementText(f), "}}");
         }));
  }
  const std::string fix_failure = CheckFirstFix(document, diagnostic);
  if (!fix_failure.empty()) fail(fix_failure);
}

}  // namespace

absl::Status ReadGoldenOptions(absl::string_view words, DocumentOptions* options) {
  // Only --checks=custom-calls asks.
  options->verify.knows_custom_call = [](absl::string_view target) {
    return absl::c_linear_search(IdentityCustomCallTargets(), target);
  };
  for (absl::string_view word : absl::StrSplit(words, ' ', absl::SkipEmpty())) {
    word = absl::StripAsciiWhitespace(word);
    if (word.empty()) continue;
    if (word == "--layout-sensitive") {
      options->verify.layout_sensitive = true;
    } else if (word == "--strict") {
      options->verify.strict = true;
    } else if (word == "--allow-mixed-precision") {
      options->verify.allow_mixed_precision = true;
    } else if (word == "--parse-only") {
      options->parse_only = true;
    } else if (absl::string_view checks = word; absl::ConsumePrefix(&checks, "--checks=")) {
      const absl::Status status = ApplyVerifySwitches(checks, &options->verify);
      if (!status.ok()) return status;
    } else if (absl::string_view count = word; (absl::ConsumePrefix(&count, "--replicas=") &&
                                                absl::SimpleAtoi(count, &options->verify.replica_count)) ||
                                               (absl::ConsumePrefix(&count, "--partitions=") &&
                                                absl::SimpleAtoi(count, &options->verify.num_partitions))) {
      continue;
    } else {
      return Malformed(absl::StrCat("unknown option `", word, "`"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<GoldenSection>> ParseGoldenFile(absl::string_view text) {
  std::vector<GoldenSection> sections(1);
  int file_line = 0, line = 0;
  for (absl::string_view source_line : absl::StrSplit(text, '\n')) {
    ++file_line;
    if (absl::StripTrailingAsciiWhitespace(source_line) == kSeparator) {
      sections.emplace_back();
      sections.back().first_line = file_line + 1;
      line = 0;
      continue;
    }
    ++line;
    GoldenSection& section = sections.back();
    if (line > 1) section.text.push_back('\n');
    section.text.append(source_line.data(), source_line.size());
    const absl::Status status = ReadDirective(source_line, line, file_line, &section);
    if (!status.ok()) return Malformed(absl::StrCat("line ", file_line, ": ", status.message()));
  }
  return sections;
}

std::vector<std::string> CheckGoldenSection(const GoldenSection& section) {
  const auto document = Document::Parse(SourceText::FromString("section", section.text), section.options);
  const SourceText& source = document->source();
  std::vector<std::string> failures;
  std::vector<bool> explained(document->diagnostics().size(), false);
  for (const GoldenExpectation& expected : section.expectations) {
    size_t i = 0;
    while (i < explained.size() && (explained[i] || !Fits(source, document->diagnostics()[i], expected))) ++i;
    if (i == explained.size()) {
      failures.push_back(
          absl::StrCat(expected.directive_line, ": not found: ", PlaceText(expected.place, section.first_line), " ",
                       SeverityName(expected.severity), " {{", expected.text, "}} [", expected.code, "]"));
      continue;
    }
    explained[i] = true;
    CheckDetails(*document, document->diagnostics()[i], expected, section.first_line, &failures);
  }
  for (size_t i = 0; i < explained.size(); ++i) {
    if (explained[i]) continue;
    const Diagnostic& diagnostic = document->diagnostics()[i];
    failures.push_back(
        absl::StrCat(HumanPosition(source, diagnostic.range.begin).line + static_cast<uint32_t>(section.first_line) - 1,
                     ": not expected: ", DiagnosticText(source, diagnostic, section.first_line)));
  }
  return failures;
}

const std::map<absl::string_view, absl::string_view>& CodesWithoutExample() {
  static const auto& codes = *new std::map<absl::string_view, absl::string_view>{
      {"too-many-findings", "needs a text with more than 10000 diagnostics"},
      {"constant-shape", "the literal of a text is read with the declared shape"},
      {"operand-elsewhere", "names of other computations are not found when a text is read"},
      {"dependency-cycle", "names are found only after their definition when a text is read"},
      {"recursive-call", "computations are found only after their definition when a text is read"},
      {"scheduled-twice", "the schedule of a text is the order of its lines"},
      {"schedule-order", "the schedule of a text is the order of its lines"},
      {"nesting-too-deep", "needs a text that is nested thousands of levels deep"},
      {"elided-constant-filled", "given by running, not by reading"},
      {"evaluation-failed", "given by running, not by reading"},
      {"evaluation-limit", "given by running, not by reading"},
      {"non-finite-value", "given by running, not by reading"},
      {"shlo-lexical", "given for StableHLO programs"},
      {"shlo-syntax", "given for StableHLO programs"},
      {"shlo-unknown-value", "given for StableHLO programs"},
      {"shlo-redefinition", "given for StableHLO programs"},
      {"shlo-count", "given for StableHLO programs"},
      {"shlo-type", "given for StableHLO programs"},
      {"shlo-attribute", "given for StableHLO programs"},
      {"shlo-constant", "given for StableHLO programs"},
      {"shlo-undefined", "given for StableHLO programs"},
      {"shlo-region", "given for StableHLO programs"},
      {"shlo-unknown-operation", "given for StableHLO programs"},
      {"shlo-no-hlo", "given for StableHLO programs"},
      {"shlo-dynamic", "given for StableHLO programs"},
      {"shlo-quantized", "given for StableHLO programs"},
      {"shlo-program", "given for StableHLO programs"},
      {"shlo-ignored", "given for StableHLO programs"},
      {"shlo-note", "given for StableHLO programs"},
  };
  return codes;
}

}  // namespace hloscope
