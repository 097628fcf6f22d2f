// SPDX-License-Identifier: Apache-2.0
// Running the rows of evaluator_rows.h, and their figures as text.
#ifndef HLOSCOPE_TESTS_BENCH_EVALUATOR_RUNS_H_
#define HLOSCOPE_TESTS_BENCH_EVALUATOR_RUNS_H_

#include <memory>
#include <string>
#include <vector>

#include "core/document/document.h"
#include "evaluator/engine/dense_result.h"
#include "evaluator/engine/session.h"
#include "evaluator/tensor/value.h"
#include "tests/bench/bench.h"
#include "tests/bench/evaluator_rows.h"

namespace hloscope::bench {

// Of everything that is measured: HLOSCOPE_BENCH_THREADS, or 2.
int ThreadCount();

// After so many seconds a row is not measured again, so that a slow one does not keep the others waiting:
// HLOSCOPE_BENCH_ROW_SECONDS, or 15. What one run of the evaluator or a peer may take is three times that.
double RowSeconds();
// "3 of 9 turns" if time was over before all had been made; else empty.
std::string TurnsText(int made, int wanted);

// Null, with a note, if the corpus is not there.
std::shared_ptr<const Document> DocumentOf(Report& report, const EvaluatorRow& row);
// The values of the entry parameters.
std::vector<evaluator::Value> ArgumentsOf(const EvaluatorRow& row, const Module& module);
// A session that is ready to run again and again; null, with a note, if the row cannot be measured.
std::unique_ptr<evaluator::Session> SessionOf(Report& report, const EvaluatorRow& row,
                                              std::shared_ptr<const Module> module, int threads);
// Copies results on so many threads, which stay, as those of a session and of the peers do.
evaluator::DenseResults& DenseResultsOf(int threads);
// Seconds of one run with its results in memory of their own; negative, with a note, if it fails or takes too long.
double RunOnce(Report& report, const EvaluatorRow& row, evaluator::Session& session, int threads);

// How many runs that take `seconds` each are made in a turn, one after the other: so many that caches and threads are
// those of steady work.
int RunsOfTurn(double seconds);
// The seconds of the runs of a turn; before several, as the peers do, a quarter as many that are not counted.
std::vector<double> RunTurn(Report& report, const EvaluatorRow& row, evaluator::Session& session, int threads,
                            int count);

double Median(std::vector<double> values);
double Least(const std::vector<double>& values);
// The figures that are not negative.
std::vector<double> Made(const std::vector<double>& seconds);
std::string Milliseconds(const std::vector<double>& seconds);
// Their time / ours; of the medians and of the best runs, which say more on a machine that does other work too.
std::string Ratio(const std::vector<double>& theirs, const std::vector<double>& ours);

}  // namespace hloscope::bench

#endif  // HLOSCOPE_TESTS_BENCH_EVALUATOR_RUNS_H_
