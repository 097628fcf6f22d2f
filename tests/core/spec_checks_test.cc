// Every check that the specification numbers has a golden test.
//
// The ids stand in the tables of the specification: `| DOT-3 | ... |`. A golden file tests a check if it names the id
// in a comment. Those that no text can fail are listed here.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/diagnostics/diagnostic.h"
#include "tests/support/golden_file.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

// By id: why no text fails the check, and where it is tested if anywhere.
const std::map<std::string, absl::string_view>& NotOfTexts() {
  static constexpr absl::string_view kBroadcasting = "of the builder: broadcasting_test";
  static constexpr absl::string_view kExpansions = "of the builder: evaluator/builder_test";
  static constexpr absl::string_view kHandMade = "only of modules made by hand: verify_structure_test";
  static constexpr absl::string_view kConstruction = "holds by construction of Module";
  static constexpr absl::string_view kRun = "of a run: tests of the evaluator";
  static const auto& reasons = *new std::map<std::string, absl::string_view>{
      {"BLD-1", kBroadcasting},
      {"BLD-2", kBroadcasting},
      {"BLD-3", kBroadcasting},
      {"BLD-4", kBroadcasting},
      {"BLD-5", kBroadcasting},
      {"BLD-6", kBroadcasting},
      {"BLD-7", kBroadcasting},
      {"BID-1", kExpansions},
      {"BID-2", kExpansions},
      {"BID-3", kExpansions},
      {"BID-4", kExpansions},
      {"BID-5", kExpansions},
      {"BID-6", kExpansions},
      {"BC-3", kRun},
      {"RNG-5", kRun},
      {"DRSH-6", kRun},
      {"V162", kRun},
      {"DRSH-5", "of a builder call that is not offered"},
      {"PAD-6", "the padding value is a scalar: it has no dimension to be dynamic"},
      {"V004", kConstruction},
      {"V006", kConstruction},
      {"V200", kConstruction},
      {"V005", kHandMade},
      {"V013", kHandMade},
      {"V016", kHandMade},
      {"V201", kHandMade},
      {"V202", kHandMade},
      {"V008", "names are made unique when a module is printed: print_round_trip_test"},
      {"V010", "of the binary form"},
  };
  return reasons;
}

bool IsIdStart(absl::string_view text, size_t i) {
  return std::isupper(static_cast<unsigned char>(text[i])) != 0 &&
         (i == 0 || std::isalnum(static_cast<unsigned char>(text[i - 1])) == 0);
}

struct Id {
  std::string prefix, digits;
};

// The id at text[*i] ("DOT-3", "V014"), if there is one; *i then stands behind it.
std::optional<Id> ReadId(absl::string_view text, size_t* i) {
  size_t end = *i;
  while (end < text.size() && std::isupper(static_cast<unsigned char>(text[end])) != 0) ++end;
  if (end < text.size() && text[end] == '-' && end > *i) ++end;
  Id id{std::string(text.substr(*i, end - *i)), ""};
  while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) id.digits += text[end++];
  if (id.prefix.empty() || id.digits.empty()) return std::nullopt;
  *i = end;
  return id;
}

// Adds the ids in the text, also those of "DOT-1 to DOT-4" and "V033-V036".
void AddIds(absl::string_view text, std::set<std::string>* ids) {
  std::optional<Id> range_begin;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!IsIdStart(text, i)) continue;
    const auto id = ReadId(text, &i);
    if (!id) continue;
    ids->insert(id->prefix + id->digits);
    int first = 0, last = 0;
    if (range_begin && range_begin->prefix == id->prefix && absl::SimpleAtoi(range_begin->digits, &first) &&
        absl::SimpleAtoi(id->digits, &last)) {
      for (int n = first; n < last; ++n) {
        ids->insert(absl::StrCat(id->prefix, absl::StrFormat("%0*d", static_cast<int>(range_begin->digits.size()), n)));
      }
    }
    range_begin.reset();
    absl::string_view rest = text.substr(i);
    if (absl::ConsumePrefix(&rest, "-") || absl::ConsumePrefix(&rest, " to ")) {
      if (!rest.empty() && std::isupper(static_cast<unsigned char>(rest[0])) != 0) range_begin = id;
    }
    --i;
  }
}

// Ids in the first column of the tables of the specification. Those of one letter but V list decisions, not checks.
std::set<std::string> SpecifiedIds() {
  std::set<std::string> ids;
  for (const char* file : {"ops-a-elementwise", "ops-b-tensor", "ops-c-control-collectives"}) {
    const std::string text = ReadFileOrDie(absl::StrCat(SharedDirectory(), "/spec/", file, ".md"));
    for (absl::string_view line : absl::StrSplit(text, '\n')) {
      if (!absl::ConsumePrefix(&line, "| ")) continue;
      size_t i = 0;
      const auto id = ReadId(line, &i);
      if (!id || (i < line.size() && line[i] != ' ') || (id->prefix.size() == 1 && id->prefix != "V")) continue;
      ids.insert(id->prefix + id->digits);
    }
  }
  return ids;
}

struct GoldenCheck {
  std::set<std::string> ids, codes;
};

GoldenCheck ReadGoldenFiles() {
  GoldenCheck golden;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(absl::StrCat(HLOSCOPE_SOURCE_DIR, "/tests/corpus"))) {
    if (entry.path().extension() != ".hlo") continue;
    const std::string text = ReadFileOrDie(entry.path().string());
    for (const absl::string_view line : absl::StrSplit(text, '\n')) {
      const size_t comment = line.find("//");
      if (comment != absl::string_view::npos) AddIds(line.substr(comment), &golden.ids);
    }
    const auto sections = ParseGoldenFile(text);
    if (!sections.ok()) continue;  // a failure of golden_test
    for (const GoldenSection& section : *sections) {
      for (const GoldenExpectation& expectation : section.expectations) golden.codes.insert(expectation.code);
    }
  }
  return golden;
}

TEST(SpecChecks, EveryNumberedCheckHasAGoldenTest) {
  SKIP_WITHOUT_SHARED_FILES();
  if (!std::filesystem::exists(SharedDirectory() + "/spec/ops-b-tensor.md")) GTEST_SKIP() << "no specification";
  const std::set<std::string> specified = SpecifiedIds();
  EXPECT_GT(specified.size(), 400u);
  const GoldenCheck golden = ReadGoldenFiles();
  for (const std::string& id : specified) {
    if (golden.ids.contains(id) || NotOfTexts().contains(id)) continue;
    ADD_FAILURE() << "no golden file names " << id;
  }
  for (const auto& [id, reason] : NotOfTexts()) EXPECT_TRUE(specified.contains(id)) << id << " is not in the tables";
}

// Sections without the diagnostic are there in plenty: all of them expect nothing but what they say.
TEST(SpecChecks, EveryCodeIsExpectedByAGoldenFile) {
  const GoldenCheck golden = ReadGoldenFiles();
  for (const absl::string_view code : AllDiagnosticCodes()) {
    if (CodesWithoutExample().contains(code)) continue;
    EXPECT_TRUE(golden.codes.contains(std::string(code))) << "no golden file expects " << code;
  }
}

}  // namespace
}  // namespace hloscope
