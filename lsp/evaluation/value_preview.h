// SPDX-License-Identifier: Apache-2.0
// hloscope/value: what an instruction computes when the entry computation is given made-up arguments.
#ifndef HLOSCOPE_LSP_EVALUATION_VALUE_PREVIEW_H_
#define HLOSCOPE_LSP_EVALUATION_VALUE_PREVIEW_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/document/document.h"
#include "evaluator/tensor/fill.h"
#include "evaluator/tensor/summary.h"

namespace hloscope::lsp {

struct ValueQuery {
  evaluator::FillRule fill =
      evaluator::FillKind::kRandom;  // of the parameters, and of constants that the text leaves out
  uint64_t seed = 0;
  std::map<int64_t, std::string> arguments;  // by parameter number: an .npy file
  double seconds = 10;
  int64_t memory_bytes = int64_t{2} << 30;  // of all values
  bool with_data = false;                   // the elements of arrays as they are in memory
};

// Asked and told many times each second while a value is computed, by another thread.
struct PreviewWatch {
  std::function<bool()> cancelled = [] { return false; };
  std::function<void(const std::string& progress)> report = [](const std::string&) {};  // what is being done, in words
};

struct ValuePreview {
  struct Leaf {
    std::string shape;
    evaluator::TensorSummary summary;
    std::string literal;  // as HLO writes it; shortened
    bool is_shortened = false;
    std::string data;  // elements in row-major order, if they were asked for and are at most kMaxData bytes
  };
  static constexpr int64_t kMaxData = int64_t{16} << 20;
  std::vector<Leaf> leaves;
  int64_t executed = 0;  // instructions that ran
  std::string where;     // the frame it was computed in: "e::w[body 0]/body"
  bool has_filled_constants = false;
};

// The instruction at the offset, if its value can be computed. Errors: FailedPrecondition, for the user.
absl::StatusOr<InstructionId> PreviewedInstruction(const Document& document, uint32_t offset);

// The value of the first execution of the instruction at the offset. Errors for the user: FailedPrecondition (the
// module has errors, or the instruction never runs), ResourceExhausted (a limit), Cancelled, and those of the
// evaluation.
absl::StatusOr<ValuePreview> PreviewValue(const Document& document, uint32_t offset, const ValueQuery& query,
                                          const PreviewWatch& watch);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_EVALUATION_VALUE_PREVIEW_H_
