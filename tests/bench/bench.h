// SPDX-License-Identifier: Apache-2.0
// A small harness: medians of repeated runs, one line per figure with its budget.
#ifndef HLOSCOPE_TESTS_BENCH_BENCH_H_
#define HLOSCOPE_TESTS_BENCH_BENCH_H_

#include <functional>
#include <string>
#include <vector>

namespace hloscope::bench {

// Collects the lines and whether every budget was met.
class Report {
 public:
  void Section(const std::string& title);
  // A figure that must be at least (`at_least`) or at most the budget.
  void Figure(const std::string& name, double value, const std::string& unit, double budget, bool at_least);
  // A figure without a budget.
  void Info(const std::string& name, double value, const std::string& unit);
  void Note(const std::string& text);
  bool all_met() const { return all_met_; }

 private:
  bool all_met_ = true;
};

// Median seconds of `runs` calls (at least 5), after one call that is not counted.
double MedianSeconds(int runs, const std::function<void()>& body);
// Seconds of one call.
double SecondsOf(const std::function<void()>& body);

// Uses memory once, in a process of its own. The first use of a virtual machine's memory since it started can take
// longer than all that is measured; afterwards it costs what memory costs.
void UseMemoryOnce();

// What a child process took (stdout and stderr discarded); all -1 if it fails.
struct CommandCost {
  double peak_bytes = -1;         // resident memory
  double processor_seconds = -1;  // of the program and of the system for it
  double seconds = -1;            // until it had ended
};
CommandCost CostOfCommand(const std::string& program, const std::vector<std::string>& arguments);

void BenchParsing(Report& report, const std::string& only);  // files with this in their paths
void BenchScaling(Report& report);
void BenchStablehlo(Report& report);
void BenchInterop(Report& report, const std::string& only);  // as above; empty: folders of dumps too
void BenchStartup(Report& report);
void BenchAnalyses(Report& report);
void BenchLanguageServer(Report& report);
void BenchTransforms(Report& report);
void BenchStepping(Report& report);
// `only`: the row to measure, by its name; empty: all of them.
void BenchCancellation(Report& report, const std::string& only);
void BenchDebugger(Report& report);
void BenchDebugged(Report& report, const std::string& only);  // rows as of `evaluator`
void BenchHistory(Report& report, const std::string& only);   // files with this in their paths
void BenchElementwise(Report& report);
// `only`: the row to measure, by its name in peers.py; empty: all of them.
void BenchEvaluator(Report& report, const std::string& only);
// The same of compiled programs.
void BenchCompiled(Report& report, const std::string& only);
void BenchEditing(Report& report);
// The rows that these sections can measure alone: for parsing and interop, files.
std::vector<std::string> ParsingRows();
std::vector<std::string> InteropRows();
std::vector<std::string> CancellationRows();
std::vector<std::string> HistoryRows();
std::vector<std::string> EvaluatorRowNames();
std::vector<std::string> CompiledRowNames();
#ifdef HLOSCOPE_BENCH_GUI
void BenchGui(Report& report);
#endif

}  // namespace hloscope::bench

#endif  // HLOSCOPE_TESTS_BENCH_BENCH_H_
