// SPDX-License-Identifier: Apache-2.0
// The modules that the evaluator and its peers run.
#ifndef HLOSCOPE_TESTS_BENCH_EVALUATOR_ROWS_H_
#define HLOSCOPE_TESTS_BENCH_EVALUATOR_ROWS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace hloscope::bench {

struct EvaluatorRow {
  std::string peer_row;     // of peers.py
  std::string name;         // what is printed
  std::string text;         // of the module, or
  std::string corpus_file;  // where it is
  int64_t index_bound = 0;  // integers of the arguments are below this; 0: as `--fill=random` makes them
  int rounds = 9;
};

std::vector<EvaluatorRow> EvaluatorRows();

}  // namespace hloscope::bench

#endif  // HLOSCOPE_TESTS_BENCH_EVALUATOR_ROWS_H_
