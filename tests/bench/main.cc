// `hloscope_bench [SECTION [ROW]]`: prints every figure with its budget; exit status 1 if one was missed.
#include <cstdio>
#include <cstring>

#include "tests/bench/bench.h"

int main(int argc, char** argv) {
  const auto wanted = [&](const char* name) { return argc < 2 || std::strcmp(argv[1], name) == 0; };
  hloscope::bench::Report report;
  if (wanted("parsing")) hloscope::bench::BenchParsing(report, argc > 2 ? argv[2] : "");
  if (wanted("scaling")) hloscope::bench::BenchScaling(report);
  if (wanted("analyses")) hloscope::bench::BenchAnalyses(report);
  if (wanted("transforms")) hloscope::bench::BenchTransforms(report);
  if (wanted("editing")) hloscope::bench::BenchEditing(report);
  if (wanted("language-server")) hloscope::bench::BenchLanguageServer(report);
  if (wanted("stepping")) hloscope::bench::BenchStepping(report);
  if (wanted("cancellation")) hloscope::bench::BenchCancellation(report, argc > 2 ? argv[2] : "");
  if (wanted("debugger")) hloscope::bench::BenchDebugger(report);
  if (wanted("evaluator")) hloscope::bench::BenchEvaluator(report, argc > 2 ? argv[2] : "");
  if (wanted("compile")) hloscope::bench::BenchCompiled(report, argc > 2 ? argv[2] : "");
  if (wanted("elementwise")) hloscope::bench::BenchElementwise(report);
#ifdef HLOSCOPE_BENCH_GUI
  if (wanted("gui")) hloscope::bench::BenchGui(report);
#endif
  std::printf("\n%s\n", report.all_met() ? "every budget met" : "SOME BUDGETS WERE MISSED");
  return report.all_met() ? 0 : 1;
}
