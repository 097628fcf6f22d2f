// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/cost_table.h"

#include "lsp/transport/json_rpc.h"
#include "nlohmann/json.hpp"
#include "reports/cost_report.h"

namespace hloscope::lsp {

absl::StatusOr<std::string> CostTable(const DocumentView& view, size_t rows) {
  if (view.document.has_errors())
    return absl::FailedPreconditionError("the module has errors: what it costs is not certain");
  const reports::CostReport report(view.document);
  if (rows > 0) return JsonText({{"text", reports::CostReportText(report, rows, false)}});
  return reports::CostReportJson(report).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace hloscope::lsp
