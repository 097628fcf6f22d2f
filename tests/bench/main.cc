// `hloscope_bench [SECTION [ROW]]`: prints every figure with its budget; exit status 1 if one was missed.
#include <cstdio>
#include <cstring>

#include "tests/bench/bench.h"

namespace {

using hloscope::bench::Report;

struct Section {
  const char* name;
  void (*run)(Report& report, const char* row);
};

constexpr Section kSections[] = {
    {"parsing", [](Report& report, const char* row) { hloscope::bench::BenchParsing(report, row); }},
    {"scaling", [](Report& report, const char*) { hloscope::bench::BenchScaling(report); }},
    {"analyses", [](Report& report, const char*) { hloscope::bench::BenchAnalyses(report); }},
    {"transforms", [](Report& report, const char*) { hloscope::bench::BenchTransforms(report); }},
    {"editing", [](Report& report, const char*) { hloscope::bench::BenchEditing(report); }},
    {"language-server", [](Report& report, const char*) { hloscope::bench::BenchLanguageServer(report); }},
    {"stepping", [](Report& report, const char*) { hloscope::bench::BenchStepping(report); }},
    {"cancellation", [](Report& report, const char* row) { hloscope::bench::BenchCancellation(report, row); }},
    {"debugger", [](Report& report, const char*) { hloscope::bench::BenchDebugger(report); }},
    {"evaluator", [](Report& report, const char* row) { hloscope::bench::BenchEvaluator(report, row); }},
    {"compile", [](Report& report, const char* row) { hloscope::bench::BenchCompiled(report, row); }},
    {"elementwise", [](Report& report, const char*) { hloscope::bench::BenchElementwise(report); }},
#ifdef HLOSCOPE_BENCH_GUI
    {"gui", [](Report& report, const char*) { hloscope::bench::BenchGui(report); }},
#endif
};

}  // namespace

int main(int argc, char** argv) {
  Report report;
  bool found = false;
  for (const Section& section : kSections) {
    if (argc > 1 && std::strcmp(argv[1], section.name) != 0) continue;
    found = true;
    section.run(report, argc > 2 ? argv[2] : "");
  }
  if (!found) {
    std::fprintf(stderr, "there is no section `%s`; there are:", argv[1]);
    for (const Section& section : kSections) std::fprintf(stderr, " %s", section.name);
    std::fprintf(stderr, "\n");
    return 2;
  }
  std::printf("\n%s\n", report.all_met() ? "every budget met" : "SOME BUDGETS WERE MISSED");
  return report.all_met() ? 0 : 1;
}
