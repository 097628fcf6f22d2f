// SPDX-License-Identifier: Apache-2.0
// Reports as HTML: nothing of a text is markup, and the page names the only script it may run.
#include "insight/html/html_report.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "insight/html/page_assets.h"
#include "insight/html/sha256.h"

namespace hloscope::insight {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Escaped(absl::string_view text) {
  std::string out;
  AppendEscaped(text, &out);
  return out;
}

TEST(HtmlTextTest, NothingIsMarkup) {
  EXPECT_EQ(Escaped("<script>alert('1')</script>"), "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;");
  EXPECT_EQ(Escaped("a\" onload=\"x & y"), "a&quot; onload=&quot;x &amp; y");
  EXPECT_EQ(Escaped("grün \xF0\x9F\x99\x82"), "grün \xF0\x9F\x99\x82");
  // What a terminal or a reader could be misled by, and what is not UTF-8.
  EXPECT_EQ(Escaped("a\x1b[31mb"), "a\\x1b[31mb");
  EXPECT_EQ(Escaped("a\xE2\x80\xAE"
                    "b"),
            "a\\u{202e}b");
  EXPECT_EQ(Escaped("\xff\xc0\x80\xed\xa0\x80\xe2\x82"), "\\xff\\xc0\\x80\\xed\\xa0\\x80\\xe2\\x82");
  EXPECT_EQ(Escaped(absl::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(HtmlText().Link("<i>", 3).html(), "<a href=\"#a3\">&lt;i&gt;</a>");
  EXPECT_EQ(HtmlText("a<").Code("b>").Strong("c&").html(), "a&lt;<code>b&gt;</code><b>c&amp;</b>");
}

// A report with `text` at every place that takes one.
std::string ReportOf(const std::string& text) {
  HtmlReport report(text, text);
  report.BeginPart(HtmlText(text), true, report.NewAnchor());
  report.AddParagraph(HtmlText(text).Removed(text).Added(text).Bar(1, 2));
  report.AddFacts({{{text, HtmlText(text)}}});
  report.BeginTable({{{text, false}, {text, true}}});
  report.AddRow({HtmlText(text), HtmlText(text)});
  report.EndTable();
  const std::vector<CodeLine> lines = {{LineKind::kSame, text}, {LineKind::kMarked, text, report.NewAnchor()}};
  report.AddCode(lines);
  const std::vector<CodePair> pairs = {{LineKind::kChanged, text, text}};
  report.AddCodePairs(text, text, pairs);
  report.AddPicture(absl::StrCat("<svg xmlns='http://www.w3.org/2000/svg'><script>", text, "</script></svg>"), text);
  report.EndPart();
  return std::move(report).Finish();
}

size_t CountIn(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

TEST(HtmlReportTest, HostileTextsChangeNoMarkup) {
  const std::string plain = ReportOf("x");
  for (const char* hostile : {"</script><script>document.title='owned'</script>", "\"><img src=x onerror=alert(1)>",
                              "'--><svg onload=alert(1)>", "]]></style></title><script src=//example.com></script>",
                              "javascript:alert(1)", "\\u003cscript\\u003e"}) {
    const std::string page = ReportOf(hostile);
    EXPECT_EQ(CountIn(page, "<"), CountIn(plain, "<")) << hostile;
    EXPECT_EQ(CountIn(page, "<script"), 1) << hostile;
    EXPECT_EQ(CountIn(page, "\""), CountIn(plain, "\"")) << hostile;
    EXPECT_EQ(CountIn(page, ">"), CountIn(plain, ">")) << hostile;
  }
}

TEST(HtmlReportTest, OnlyItsOwnScriptMayRunAndNothingIsLoaded) {
  const std::string page = ReportOf("x");
  EXPECT_THAT(page, HasSubstr(absl::StrCat("script-src '", PolicyHash(PageScript()), "'")));
  EXPECT_THAT(page, HasSubstr(absl::StrCat("style-src '", PolicyHash(PageStyle()), "'")));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  // The hash is of exactly what is between the tags.
  EXPECT_THAT(page, HasSubstr(absl::StrCat("<script>", PageScript(), "</script>")));
  for (const char* outside : {"http:", "https:", "url(", "@import", "fetch("})
    EXPECT_THAT(page, Not(HasSubstr(outside)));
}

TEST(HtmlReportTest, LinesCostLittle) {
  HtmlReport report("t", "");
  std::vector<CodeLine> lines;
  size_t text_bytes = 0;
  for (int i = 0; i < 10000; ++i) {
    lines.push_back({LineKind::kSame, absl::StrCat("  %add.", i, " = f32[4]{0} add(%x, %y)")});
    text_bytes += lines.back().text.size() + 1;
  }
  report.AddCode(lines);
  EXPECT_LT(report.size(), text_bytes * 5 / 4);
}

TEST(HtmlReportTest, OpenPartsAreEnded) {
  HtmlReport report("t", "");
  report.BeginPart("a");
  report.BeginPart("b", false);
  const std::string page = std::move(report).Finish();
  EXPECT_EQ(CountIn(page, "<details"), 2);
  EXPECT_EQ(CountIn(page, "</details>"), 2);
  EXPECT_EQ(CountIn(page, "<details open>"), 1);
}

}  // namespace
}  // namespace hloscope::insight
