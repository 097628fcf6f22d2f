// SPDX-License-Identifier: Apache-2.0
// Whether a rewritten module computes what it did, without evaluating the whole of it.
#ifndef HLOSCOPE_TESTS_SUPPORT_EQUAL_IN_PIECES_H_
#define HLOSCOPE_TESTS_SUPPORT_EQUAL_IN_PIECES_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/ir/module.h"

namespace hloscope {

struct PieceLimits {
  double seconds = 60;               // of one evaluation
  int64_t bytes = int64_t{1} << 33;  // of values at a time
  double tolerance = 2e-2;           // of ValuesAgree
  // Called with every piece that is about to be evaluated; may be empty.
  std::function<void(const std::string&)> progress;
};

struct PieceReport {
  int changed = 0;                        // instructions of both modules that are written differently
  int compared = 0;                       // distinct pieces that were evaluated and agree
  std::vector<std::string> different;     // what does not agree, and why
  std::vector<std::string> not_compared;  // what could not be evaluated, and why
};

// Compares modules of which `after` is a rewritten `before`, both with names that are unique in the module.
//
// Instructions with the same name and shape in the same computation of both are taken for the same value. Those that
// are also written the same way are so if their operands are. Each other one, and each root, is cut out of both modules
// with all that leads to it from instructions that are the same in both; the two pieces are evaluated with the same
// random arguments. By induction along the operands and the calls, whole modules agree if all of their pieces do. Where
// a piece does not agree it is cut out again with more around it: a rewrite may rely on what is further away (that a
// value is a broadcast one).
PieceReport CompareInPieces(const std::shared_ptr<const Module>& before, const std::shared_ptr<const Module>& after,
                            const PieceLimits& limits);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_EQUAL_IN_PIECES_H_
