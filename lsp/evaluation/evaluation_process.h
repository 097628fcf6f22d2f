// SPDX-License-Identifier: Apache-2.0
// Evaluation for the editor happens in a process of its own: whatever it takes or breaks there, the server goes on.
#ifndef HLOSCOPE_LSP_EVALUATION_EVALUATION_PROCESS_H_
#define HLOSCOPE_LSP_EVALUATION_EVALUATION_PROCESS_H_

#include <string>

#include "absl/status/statusor.h"
#include "core/document/document.h"
#include "lsp/evaluation/value_preview.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::lsp {

struct EvaluationLimits {
  double seconds = 10;
  int64_t bytes = int64_t{2} << 30;  // of all values; 0: none
};

// PreviewValue in a child process, as JSON text (PROTOCOL.md, hloscope/value). `query` is what
// ReadValueQuery reads. `program` is this program, or another
// that calls RunEvaluation when its only argument is kEvaluateArgument. The child is killed at once when `watch` says
// that the request is cancelled, some seconds after its limit of time, and by the system when this process ends.
// Errors, for the user: those of PreviewValue; Internal if the child ends without an answer, with the reason.
absl::StatusOr<std::string> EvaluateInProcess(const std::string& program, const Document& document, uint32_t offset,
                                              const nlohmann::json& query, const EvaluationLimits& limits,
                                              const PreviewWatch& watch);

inline constexpr char kEvaluateArgument[] = "--evaluate";

// The child: a question on `input_fd`, progress and the answer on `output_fd`. Takes no more memory than the question
// allows, with a part for what is not values. Returns the exit status of the process.
int RunEvaluation(int input_fd, int output_fd);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_EVALUATION_EVALUATION_PROCESS_H_
