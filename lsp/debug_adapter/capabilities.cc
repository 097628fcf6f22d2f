// SPDX-License-Identifier: Apache-2.0
#include "lsp/debug_adapter/capabilities.h"

#include <string>
#include <utility>

#include "lsp/debug_adapter/data_watch.h"
#include "nlohmann/json.hpp"

namespace hloscope::dap {

using nlohmann::json;

json Capabilities() {
  json filters = json::array();
  for (const ExceptionFilter& filter : ExceptionFilters()) {
    filters.push_back(
        {{"filter", std::string(filter.name)},
         {"label", std::string(filter.label)},
         {"description", std::string(filter.description)},
         {"default", false},
         {"supportsCondition", true},
         {"conditionDescription", "only there: an instruction, a computation, opcode:OPCODE or op_name:PATTERN"}});
  }
  const auto column = [](const char* name, const char* label) {
    return json{{"attributeName", name}, {"label", label}, {"type", "number"}};
  };
  json capabilities = {
      {"exceptionBreakpointFilters", std::move(filters)},
      {"completionTriggerCharacters", {".", "%", "("}},
      {"additionalModuleColumns",
       {column("computations", "Computations"), column("instructions", "Instructions"), column("devices", "Devices")}}};
  for (const char* name : {"supportsConfigurationDoneRequest",
                           "supportsFunctionBreakpoints",
                           "supportsConditionalBreakpoints",
                           "supportsHitConditionalBreakpoints",
                           "supportsEvaluateForHovers",
                           "supportsStepBack",
                           "supportsSetVariable",
                           "supportsRestartFrame",
                           "supportsGotoTargetsRequest",
                           "supportsStepInTargetsRequest",
                           "supportsCompletionsRequest",
                           "supportsModulesRequest",
                           "supportsRestartRequest",
                           "supportsExceptionOptions",
                           "supportsValueFormattingOptions",
                           "supportsExceptionInfoRequest",
                           "supportTerminateDebuggee",
                           "supportSuspendDebuggee",
                           "supportsDelayedStackTraceLoading",
                           "supportsLoadedSourcesRequest",
                           "supportsLogPoints",
                           "supportsTerminateThreadsRequest",
                           "supportsSetExpression",
                           "supportsTerminateRequest",
                           "supportsDataBreakpoints",
                           "supportsReadMemoryRequest",
                           "supportsWriteMemoryRequest",
                           "supportsDisassembleRequest",
                           "supportsCancelRequest",
                           "supportsBreakpointLocationsRequest",
                           "supportsClipboardContext",
                           "supportsSteppingGranularity",
                           "supportsInstructionBreakpoints",
                           "supportsExceptionFilterOptions",
                           "supportsSingleThreadExecutionRequests"}) {
    capabilities[name] = true;
  }
  return capabilities;
}

}  // namespace hloscope::dap
