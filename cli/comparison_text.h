// Comparisons of values in words and JSON, and the options that say when they agree.
#ifndef HLOSCOPE_CLI_COMPARISON_TEXT_H_
#define HLOSCOPE_CLI_COMPARISON_TEXT_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "evaluator/compare/run_comparison.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::cli {

// The rows of these options, for a command's array of OptionSpec.
#define HLOSCOPE_TOLERANCE_OPTIONS                                                         \
  {"rtol", OptionKind::kValue, "X", "elements may differ by this share of the first one"}, \
      {"atol", OptionKind::kValue, "X", "or by this much"}, {                              \
    "ulp", OptionKind::kValue, "N", "or by this many representable values"                 \
  }

// Nothing without any of them: the usual tolerance of each element type. Error InvalidArgument, for the user.
absl::StatusOr<std::optional<evaluator::Tolerance>> ReadTolerance(const Arguments& arguments);

// "{1,0}" of a leaf of a tuple, else nothing.
std::string LeafText(const evaluator::LeafComparison& comparison);
// "12 of 8192 elements (0.15 %) beyond the tolerance, first at [3,17]: 1.25 against 1.2501; largest difference ...".
std::string BeyondText(const evaluator::LeafComparison& comparison);
// {"leaf", "agrees", "elements", "different", "beyond", "not_finite", "max_absolute", "max_relative", "max_ulps",
// "first"}, or {"leaf", "agrees", "mismatch"}.
nlohmann::ordered_json ComparisonJson(const evaluator::LeafComparison& comparison);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_COMPARISON_TEXT_H_
