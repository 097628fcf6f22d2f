// SPDX-License-Identifier: Apache-2.0
// What `hloscope cost --topology` prints about collectives.
#ifndef HLOSCOPE_CLI_COMMUNICATION_REPORT_H_
#define HLOSCOPE_CLI_COMMUNICATION_REPORT_H_

#include <string>
#include <vector>

#include "core/communication/communication_cost.h"
#include "core/ir/module.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::cli {

struct CommunicationReport {
  Topology topology;
  CommunicationCost cost;
  std::vector<ShardingChange> changes;
};
// Of the grid that the header gives, or that the groups need at least.
CommunicationReport MakeCommunicationReport(const Module& module, const Topology& topology);

// Tables of at most `rows` rows, those that take longest first.
std::string CommunicationText(const Module& module, const CommunicationReport& report, size_t rows);
nlohmann::ordered_json CommunicationJson(const Module& module, const CommunicationReport& report);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_COMMUNICATION_REPORT_H_
