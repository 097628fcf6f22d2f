// SPDX-License-Identifier: Apache-2.0
#include "tests/support/format_rows.h"

#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "core/document/document.h"
#include "gtest/gtest.h"

namespace hloscope {
namespace {

std::string Codes(const std::string& text, bool parse_only, bool hints) {
  const auto document = Document::Parse(SourceText::FromString("text", text), {{}, parse_only});
  std::vector<std::string> codes;
  for (const Diagnostic& d : document->diagnostics()) {
    if (d.severity == Severity::kError || (hints && d.severity == Severity::kHint)) codes.emplace_back(d.code());
  }
  return absl::StrJoin(codes, " ");
}

}  // namespace

std::string CodesOfReading(const std::string& text, bool hints) { return Codes(text, /*parse_only=*/true, hints); }

std::string FillIn(const char* where, const std::string& fragment) {
  return absl::StrReplaceAll(where, {{"$", fragment}});
}

void ExpectCodes(const std::vector<FormatRow>& rows) {
  for (const FormatRow& row : rows) {
    const std::string text = FillIn(row.where, row.fragment);
    EXPECT_EQ(CodesOfReading(text), row.codes) << text;
  }
}

void ExpectCodesOfCheck(const std::vector<FormatRow>& rows) {
  for (const FormatRow& row : rows) {
    const std::string text = FillIn(row.where, row.fragment);
    EXPECT_EQ(Codes(text, /*parse_only=*/false, /*hints=*/false), row.codes) << text;
  }
}

}  // namespace hloscope
