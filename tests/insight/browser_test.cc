// SPDX-License-Identifier: Apache-2.0
// Reports in a real browser, if one is installed: nothing of a module runs, and the page's own script does.
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "core/document/document.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "insight/html/html_report.h"
#include "insight/pages/module_page.h"
#include "tests/support/test_folder.h"

namespace hloscope::insight {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Empty if there is none.
std::string Browser() {
  const char* path = std::getenv("PATH");
  for (absl::string_view folder : absl::StrSplit(path == nullptr ? "" : path, ':')) {
    for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
      const std::string program = absl::StrCat(folder, "/", name);
      std::error_code error;
      if (std::filesystem::exists(program, error)) return program;
    }
  }
  return "";
}

class BrowserTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (Browser().empty()) GTEST_SKIP() << "no Chromium is installed";
  }

  // The document as the browser has it after scripts ran; `fragment` follows #. A browser on a busy machine may end
  // without a page, so it is started up to three times, each time with a profile of its own. Empty if none of them gave
  // a page.
  std::string DomOf(const std::string& page, const std::string& fragment = "") {
    std::string dom;
    for (int attempt = 0; attempt < 3 && dom.empty(); ++attempt) dom = DomOfOneStart(page, fragment);
    return dom;
  }

 private:
  std::string DomOfOneStart(const std::string& page, const std::string& fragment) {
    std::ofstream(folder_ / "page.html") << page;
    const std::string command = absl::StrCat(
        "timeout 120 '", Browser(), "' --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir='",
        folder_.path(), "/profile", ++starts_, "' --virtual-time-budget=2000 --dump-dom 'file://", folder_.path(),
        "/page.html", fragment.empty() ? "" : "#", fragment, "' 2>'", folder_.path(), "/messages'");
    std::FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return "";
    std::string dom;
    char buffer[65536];
    for (size_t n; (n = std::fread(buffer, 1, sizeof(buffer), pipe)) > 0;) dom.append(buffer, n);
    const int status = pclose(pipe);
    if (status == 0) return dom;
    std::ifstream messages(folder_ / "messages");
    std::cout << "the browser ended with status " << status << ":\n" << messages.rdbuf() << "\n";
    return "";
  }

  const TestFolder folder_;
  int starts_ = 0;
};

constexpr char kHostile[] =
    "</p></details></script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
    "<svg onload=\"document.title='owned'\">";

TEST_F(BrowserTest, NothingOfAModuleRuns) {
  HtmlReport report("plain title", kHostile);
  report.BeginPart(HtmlText(kHostile).Code(kHostile));
  report.BeginTable({{{kHostile, false}}});
  report.AddRow({HtmlText(kHostile)});
  report.EndTable();
  const std::vector<CodeLine> lines = {{LineKind::kSame, kHostile}, {LineKind::kSame, "the line that is looked for"}};
  report.AddCode(lines);
  report.AddPicture(absl::StrCat("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" "
                                 "height=\"9\"><script>top.document.title='owned'</script></svg>"),
                    kHostile);
  report.EndPart();
  std::string page = std::move(report).Finish();
  const std::string dom = DomOf(page, "q=looked%20for");
  if (dom.empty()) GTEST_SKIP() << "the browser does not start here";
  EXPECT_THAT(dom, HasSubstr("<title>plain title</title>"));
  EXPECT_THAT(dom, Not(HasSubstr("<img src=\"x\"")));
  // The page's own script ran, and found what the address asks for.
  EXPECT_THAT(dom, HasSubstr("data-ready=\"1\""));
  EXPECT_THAT(dom, HasSubstr("1 of 1"));
  // Even where markup gets into the page, the browser runs only the script that the page names.
  page = absl::StrReplaceAll(page, {{"<main>", absl::StrCat("<main>", "<script>document.title='owned'</script>",
                                                            "<img src=x onerror=\"document.title='owned'\">")}});
  const std::string changed = DomOf(page);
  if (changed.empty()) GTEST_SKIP() << "the browser does not start here";
  EXPECT_THAT(changed, HasSubstr("document.title='owned'"));
  EXPECT_THAT(changed, HasSubstr("<title>plain title</title>"));
}

TEST_F(BrowserTest, AnArrayIsATableAndAHeatMap) {
  HtmlTensor tensor;
  tensor.numbers = HtmlTensor::Numbers::kInt32;
  tensor.dimensions = {2, 3};
  tensor.steps = {1, 4};
  for (char i : {1, 2, 3, 40, 50, 60}) tensor.elements += std::string({i, 0, 0, 0});
  HtmlReport report("Value", "x");
  report.AddTensor(tensor, "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "a picture");
  const std::string dom = DomOf(std::move(report).Finish());
  if (dom.empty()) GTEST_SKIP() << "the browser does not start here";
  EXPECT_THAT(dom,
              HasSubstr("<tr><th>1</th><td class=\"n\">40</td><td class=\"n\">50</td><td class=\"n\">60</td></tr>"));
  // Columns have the indices of the whole array.
  EXPECT_THAT(dom, HasSubstr("<tr><td></td><th>0</th><th>4</th><th>8</th></tr>"));
  EXPECT_THAT(dom, HasSubstr("dark: 1, bright: 60"));
  EXPECT_THAT(dom, HasSubstr("dimension 1 (3 of them, every 4)"));
  EXPECT_THAT(dom, Not(HasSubstr("alt=\"a picture\"")));
}

TEST_F(BrowserTest, WhatIsAliveAtAStepIsChosen) {
  const std::vector<std::string> arrays = {"large", absl::StrCat("middle", kHostile), "small"};
  const std::vector<HtmlLife> lives = {{0, 1, 5 << 20}, {1, 2, 3000}, {2, 2, 7}};
  const std::vector<std::string> steps = {"p", kHostile, "r"};
  const std::vector<int64_t> alive = {5 << 20, (5 << 20) + 3000, 3007};
  const auto page = [&] {
    HtmlReport report("plain title", "");
    report.AddLives(arrays, lives, steps, alive, 1, "of a run");
    return std::move(report).Finish();
  }();
  const std::string dom = DomOf(page), asked = DomOf(page, "step=2");
  if (dom.empty() || asked.empty()) GTEST_SKIP() << "the browser does not start here";
  EXPECT_THAT(dom, HasSubstr("<title>plain title</title>"));
  EXPECT_THAT(dom, HasSubstr("<td><code>large</code></td><td>5.00 MiB</td><td class=\"n\">5242880</td>"
                             "<td class=\"n\">0</td><td class=\"n\">1</td>"));
  EXPECT_THAT(dom, HasSubstr("5.00 MiB alive in 2 arrays"));
  EXPECT_THAT(dom, Not(HasSubstr("<code>small</code>")));
  EXPECT_THAT(asked, HasSubstr(" of 2: r, 2.94 KiB alive in 2 arrays"));
  EXPECT_THAT(asked, HasSubstr("<td><code>small</code></td><td>7 B</td>"));
  EXPECT_THAT(asked, Not(HasSubstr("<code>large</code>")));
}

TEST_F(BrowserTest, AModuleCanBeReadAndSearched) {
  const auto document = Document::Parse(SourceText::FromString(
      "m.hlo",
      "HloModule m\n\nf {\n  q = f32[4] parameter(0)\n  ROOT inner.1 = f32[4] tanh(q)\n}\n\nENTRY e {\n"
      "  p = f32[4] parameter(0)\n  ROOT r = f32[4] call(p), to_apply=f\n}\n"));
  ASSERT_FALSE(document->has_errors());
  HtmlReport report("m", "");
  AddModule(document->module(), InstructionId(), &report);
  const std::string dom = DomOf(std::move(report).Finish(), "q=inner.1");
  if (dom.empty()) GTEST_SKIP() << "the browser does not start here";
  EXPECT_THAT(dom, HasSubstr("1 of 1"));
  // The part with the line was folded, and is open now.
  EXPECT_THAT(dom, HasSubstr("class=\"y\""));
  EXPECT_THAT(dom, Not(HasSubstr("<details><summary><code>f</code>")));
}

// Processor time of programs that were started and have ended.
double ChildrenSeconds() {
  rusage used = {};
  getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

TEST_F(BrowserTest, ALargeModuleOpensInTime) {
  std::string text = "HloModule large\n\nENTRY e {\n  v0 = f32[1024,1024]{1,0} parameter(0)\n";
  constexpr int kInstructions = 31'000;
  for (int k = 1; k < kInstructions; ++k) {
    absl::StrAppend(&text, "  ", k + 1 == kInstructions ? "ROOT " : "", "v", k, " = f32[1024,1024]{1,0} add(v", k - 1,
                    ", v", k / 2, "), metadata={op_name=\"jit(step)/layer_", k / 100, "/add\"}\n");
  }
  text += "}\n";
  const auto document = Document::Parse(SourceText::FromString("large.hlo", text));
  ASSERT_FALSE(document->has_errors());
  HtmlReport report("large", "");
  AddModule(document->module(), InstructionId(), &report);
  const std::string page = std::move(report).Finish();
  EXPECT_LE(page.size(), 4 * text.size());
  // What the browser itself takes to start and to end is not the page's.
  const double before = ChildrenSeconds();
  DomOf("<!DOCTYPE html><p>empty</p>", "");
  const double between = ChildrenSeconds();
  const std::string dom = DomOf(page, "q=v30999");
  const double seconds = ChildrenSeconds() - between - (between - before);
  if (dom.empty()) GTEST_SKIP() << "the browser does not start here";
  EXPECT_THAT(dom, HasSubstr("1 of 1"));
  // On a machine that does nothing else, this is about the time that passes.
  EXPECT_LT(seconds, 3);
  RecordProperty("milliseconds", static_cast<int>(1000 * seconds));
}

}  // namespace
}  // namespace hloscope::insight
