// SPDX-License-Identifier: Apache-2.0
// Comparisons of values in words and JSON, and the options that say when they agree.
#ifndef HLOSCOPE_CLI_COMPARISON_TEXT_H_
#define HLOSCOPE_CLI_COMPARISON_TEXT_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "evaluator/compare/comparison_text.h"
#include "evaluator/compare/run_comparison.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::cli {

// The rows of these options, for a command's array of OptionSpec.
#define HLOSCOPE_TOLERANCE_OPTIONS                                                         \
  {"rtol", OptionKind::kValue, "X", "elements may differ by this share of the first one"}, \
      {"atol", OptionKind::kValue, "X", "or by this much"},                                \
      {"ulp", OptionKind::kValue, "N", "or by this many representable values"}, {          \
    "tolerance", OptionKind::kValue, "[TYPE:][OPCODE:]rtol=X,atol=Y,ulp=N",                \
        "that of arrays of a type, of an opcode, or both; repeatable"                      \
  }

// Nothing without any of them. Error InvalidArgument, for the user.
absl::StatusOr<std::vector<evaluator::ToleranceRule>> ReadTolerances(const Arguments& arguments);

using evaluator::BeyondText;
using evaluator::LeafText;
// How the values of two arrays that differ are distributed, and how far apart they are: a few lines that begin with
// `indent`; empty if they are equal or cannot be compared.
std::string StatisticsText(const evaluator::LeafComparison& comparison, const std::string& indent);
// The same distribution in one word: a block for each entry of by_ulps, as high as the logarithm of its count.
std::string UlpBlocks(const evaluator::TensorDifference& difference);
// {"leaf", "agrees", "elements", "different", "beyond", "not_finite", "max_absolute", "max_relative", "max_ulps",
// "root_mean_square", "tolerance", "by_ulps", "values", "first"}, or {"leaf", "agrees", "mismatch"}.
nlohmann::ordered_json ComparisonJson(const evaluator::LeafComparison& comparison);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_COMPARISON_TEXT_H_
