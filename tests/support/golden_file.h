// SPDX-License-Identifier: Apache-2.0
// Golden diagnostics tests: HLO texts that say in comments what is found in them.
//
// A file holds one or more sections, separated by a line `// -----`. Each section is a text of its own, comments
// included. Directives are in comments, at most one on a line, at the line's start or after HLO:
//
//   // expect-error@+1:5-9 {{part of the message}} [code]
//     also expect-warning, expect-information, expect-hint. @+N or @-N counts lines from the directive's own line, none
//     means that line. `:COL` checks the first column of the range, `:COL-LAST` the last one too; columns count
//     characters from 1, and an empty range is one with LAST = COL - 1. A range that reaches into a later line is
//     written `:COL-eol` (it reaches the end of its first line).
//   // related@+2:3 {{part of the message}}
//     a related location of the expectation before it; position and columns as above, counted from this line.
//   // fix {{title}} -> {{replacement}}
//     a fix of the expectation before it. Several edits are joined by ` | `; a line feed is written \n.
//   // options: --layout-sensitive --allow-mixed-precision --strict --replicas=2 --partitions=4 --parse-only
//
// `{{` ends at the last brace of the first `}}`, so that {{a }}} is `a }`.
//
// A section passes if every diagnostic is expected and every expectation found. The runner also applies the first fix
// of each expected diagnostic and demands that the diagnostic is gone from the text.
#ifndef HLOSCOPE_TESTS_SUPPORT_GOLDEN_FILE_H_
#define HLOSCOPE_TESTS_SUPPORT_GOLDEN_FILE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/document/document.h"

namespace hloscope {

struct GoldenPlace {
  int line = 0;                   // of the section's text, from 1
  std::optional<int> column;      // from 1
  std::optional<int> end_column;  // after the last character; kRestOfLine for :COL-eol
  static constexpr int kRestOfLine = -1;
};

struct GoldenExpectation {
  struct Related {
    GoldenPlace place;
    std::string text;  // part of the message
  };
  struct Fix {
    std::string title, replacement;
  };
  int directive_line = 0;  // of the file, from 1
  Severity severity = Severity::kError;
  GoldenPlace place;
  std::string text;  // part of the message
  std::string code;
  std::vector<Related> related;
  std::vector<Fix> fixes;
};

struct GoldenSection {
  int first_line = 1;  // of the file, from 1
  std::string text;
  DocumentOptions options;
  std::vector<GoldenExpectation> expectations;
};

// Errors name the line of the file. Codes that do not exist are errors.
absl::StatusOr<std::vector<GoldenSection>> ParseGoldenFile(absl::string_view text);

// Reads `--layout-sensitive --replicas=2 ...` into the options.
absl::Status ReadGoldenOptions(absl::string_view words, DocumentOptions* options);

// What differs between the expectations and what is found, one line each ("12: ..." with the line of the file); empty
// if the section passes.
std::vector<std::string> CheckGoldenSection(const GoldenSection& section);

// Codes that no text gives, or none that is short enough for a page or a golden file, each with the reason.
const std::map<absl::string_view, absl::string_view>& CodesWithoutExample();

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_GOLDEN_FILE_H_
