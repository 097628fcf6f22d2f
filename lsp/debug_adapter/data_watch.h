// SPDX-License-Identifier: Apache-2.0
// Data and exception breakpoints: what stops the run because of a value.
#ifndef HLOSCOPE_LSP_DEBUG_ADAPTER_DATA_WATCH_H_
#define HLOSCOPE_LSP_DEBUG_ADAPTER_DATA_WATCH_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "evaluator/debugger/debugger.h"
#include "lsp/debug_adapter/breakpoint_store.h"

namespace hloscope::dap {

struct ExceptionFilter {
  absl::string_view name, label, description;
  evaluator::NumericEvent event;
};
absl::Span<const ExceptionFilter> ExceptionFilters();

// Data breakpoints are named so: a value "value:COMPUTATION::NAME", a condition "if:EXPRESSION".
std::string DataIdOfValue(const Module& module, InstructionId id);
std::string DataIdOfCondition(absl::string_view expression);

// Sets a watchpoint for a request of kData or kException and returns its number. The condition of an exception is a
// place (LocationsOf) that it is limited to. Errors: NotFound, InvalidArgument.
absl::StatusOr<int> SetWatch(const BreakpointRequest& request, const Module& module, evaluator::Debugger& debugger);

}  // namespace hloscope::dap

#endif  // HLOSCOPE_LSP_DEBUG_ADAPTER_DATA_WATCH_H_
