// SPDX-License-Identifier: Apache-2.0
// `hloscope compare` as one HTML file.
#ifndef HLOSCOPE_CLI_COMMANDS_COMPARE_PAGE_H_
#define HLOSCOPE_CLI_COMMANDS_COMPARE_PAGE_H_

#include <string>

#include "absl/status/statusor.h"
#include "core/analysis/value_flow.h"
#include "core/document/document.h"
#include "evaluator/compare/run_comparison.h"
#include "insight/html/html_report.h"

namespace hloscope::cli {

struct ComparedDocuments {
  const Document &a, &b;
  const ValueFlow& flow_a;
  const evaluator::RunComparison& comparison;
};

// The surroundings in the first module of the first place where agreement ends, as Graphviz draws them ("svg", "png" or
// "pdf"). Errors: NotFound where all values agree; those of reports::RunFilter.
absl::StatusOr<std::string> ComparePicture(const ComparedDocuments& compared, const std::string& format);

// `summary` is what is printed without --html. Pictures of where agreement ends are drawn by Graphviz, if it is there.
insight::HtmlReport ComparePage(const std::string& subtitle, const std::string& summary,
                                const ComparedDocuments& compared);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_COMMANDS_COMPARE_PAGE_H_
