// SPDX-License-Identifier: Apache-2.0
// The module that a client launches, whatever its file is: HLO text, a proto, a snapshot, a StableHLO program.
#ifndef HLOSCOPE_LSP_DEBUG_ADAPTER_LAUNCHED_MODULE_H_
#define HLOSCOPE_LSP_DEBUG_ADAPTER_LAUNCHED_MODULE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/document/document.h"
#include "evaluator/tensor/tensor.h"
#include "evaluator/tensor/value.h"
#include "stablehlo/import_options.h"

namespace hloscope::dap {

struct LaunchedModule {
  std::shared_ptr<const Document> document;
  bool is_in_file = true;                   // its text, or the program that it was made from, is that of the file
  std::vector<evaluator::Value> arguments;  // that were recorded with it; empty: none were
  std::vector<evaluator::Tensor> results;
};

// `wanted`: the name or number of one of several modules; `program`: how a StableHLO program is read; a compressed file
// expands to no more than the memory limit of its run (0: none). Errors: of the file; (InvalidArgument) a module with
// errors, all of which are appended to `*diagnostics` as they are shown to people; one that must not be executed.
absl::StatusOr<LaunchedModule> OpenLaunchedModule(const std::string& path, const std::optional<std::string>& wanted,
                                                  const stablehlo::ImportOptions& program, int64_t memory_limit_bytes,
                                                  std::string* diagnostics);

}  // namespace hloscope::dap

#endif  // HLOSCOPE_LSP_DEBUG_ADAPTER_LAUNCHED_MODULE_H_
