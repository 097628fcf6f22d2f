// SPDX-License-Identifier: Apache-2.0
// `hloscope_bench [SECTION [ROW]]`: prints every figure with its budget; exit status 1 if one was missed, 2 if there is
// no such section or row.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "memory_policy/memory_policy.h"
#include "tests/bench/bench.h"

namespace {

using hloscope::bench::Report;

struct Section {
  const char* name;
  void (*run)(Report& report, const char* row);
  // What can be measured alone; null: only the whole section.
  std::vector<std::string> (*rows)() = nullptr;
};

constexpr Section kSections[] = {
    {"parsing", [](Report& report, const char* row) { hloscope::bench::BenchParsing(report, row); },
     hloscope::bench::ParsingRows},
    {"scaling", [](Report& report, const char*) { hloscope::bench::BenchScaling(report); }},
    {"stablehlo", [](Report& report, const char*) { hloscope::bench::BenchStablehlo(report); }},
    {"interop", [](Report& report, const char* row) { hloscope::bench::BenchInterop(report, row); },
     hloscope::bench::InteropRows},
    {"startup", [](Report& report, const char*) { hloscope::bench::BenchStartup(report); }},
    {"analyses", [](Report& report, const char*) { hloscope::bench::BenchAnalyses(report); }},
    {"transforms", [](Report& report, const char*) { hloscope::bench::BenchTransforms(report); }},
    {"editing", [](Report& report, const char*) { hloscope::bench::BenchEditing(report); }},
    {"language-server", [](Report& report, const char*) { hloscope::bench::BenchLanguageServer(report); }},
    {"stepping", [](Report& report, const char*) { hloscope::bench::BenchStepping(report); }},
    {"cancellation", [](Report& report, const char* row) { hloscope::bench::BenchCancellation(report, row); },
     hloscope::bench::CancellationRows},
    {"debugger", [](Report& report, const char*) { hloscope::bench::BenchDebugger(report); }},
    {"debugged", [](Report& report, const char* row) { hloscope::bench::BenchDebugged(report, row); },
     hloscope::bench::EvaluatorRowNames},
    {"history", [](Report& report, const char* row) { hloscope::bench::BenchHistory(report, row); },
     hloscope::bench::HistoryRows},
    {"evaluator", [](Report& report, const char* row) { hloscope::bench::BenchEvaluator(report, row); },
     hloscope::bench::EvaluatorRowNames},
    {"compile", [](Report& report, const char* row) { hloscope::bench::BenchCompiled(report, row); },
     hloscope::bench::CompiledRowNames},
    {"elementwise", [](Report& report, const char*) { hloscope::bench::BenchElementwise(report); }},
#ifdef HLOSCOPE_BENCH_GUI
    {"gui", [](Report& report, const char*) { hloscope::bench::BenchGui(report); }},
#endif
};

void PrintChoices(const char* what, const std::vector<std::string>& choices) {
  std::fprintf(stderr, "%s; there are:\n", what);
  for (const std::string& choice : choices) std::fprintf(stderr, "  %s\n", choice.c_str());
}

// Whether the section can measure the row alone; says so if it cannot. Of files a part of the path will do.
bool HasRow(const Section& section, const std::string& row) {
  if (section.rows == nullptr) {
    std::fprintf(stderr, "the section `%s` is measured as a whole: it has no row `%s`\n", section.name, row.c_str());
    return false;
  }
  const std::vector<std::string> rows = section.rows();
  const bool found = std::any_of(rows.begin(), rows.end(), [&](const std::string& name) {
    return name == row || (name.ends_with(".hlo") && name.find(row) != std::string::npos);
  });
  if (found) return true;
  PrintChoices(("the section `" + std::string(section.name) + "` has no row `" + row + "`").c_str(), rows);
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  hloscope::memory_policy::SetUpMemory(
      hloscope::memory_policy::TextThreads::kMain);  // as the programs that are measured
  Report report;
  bool found = false;
  for (const Section& section : kSections) {
    if (argc > 1 && std::strcmp(argv[1], section.name) != 0) continue;
    if (argc > 2 && !HasRow(section, argv[2])) return 2;
    if (!found) hloscope::bench::UseMemoryOnce();
    found = true;
    section.run(report, argc > 2 ? argv[2] : "");
  }
  if (!found) {
    std::vector<std::string> names;
    for (const Section& section : kSections) names.emplace_back(section.name);
    PrintChoices(("there is no section `" + std::string(argv[1]) + "`").c_str(), names);
    return 2;
  }
  std::printf("\n%s\n", report.all_met() ? "every budget met" : "SOME BUDGETS WERE MISSED");
  return report.all_met() ? 0 : 1;
}
