// SPDX-License-Identifier: Apache-2.0
// The JSON of `hloscope profile`.
#include <utility>

#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"
#include "reports/profile_report.h"

namespace hloscope::reports {
namespace {

using Json = nlohmann::ordered_json;

Json GroupsJson(const std::vector<insight::GroupTime>& groups) {
  Json json = Json::array();
  for (const insight::GroupTime& group : groups) {
    json.push_back({{"name", group.name},
                    {"occurrences", group.occurrences},
                    {"self_ps", group.self_ps},
                    {"flops", group.flops},
                    {"bytes", group.bytes}});
  }
  return json;
}

Json InstructionTimeJson(const insight::ProfileAnalysis& profile, const insight::InstructionTime& row) {
  const insight::ProgramModule& program = *profile.programs()[row.program];
  const double seconds = static_cast<double>(row.self_ps) * 1e-12, runs = static_cast<double>(row.executions);
  return {{"program", program.id()},
          {"name", profile.NameOf(row)},
          {"occurrences", row.occurrences},
          {"total_ps", row.total_ps},
          {"module", program.name()},
          {"opcode", std::string(OpcodeName(profile.OpcodeOf(row)))},
          {"self_ps", row.self_ps},
          {"executions", row.executions},
          {"guessed", row.guessed},
          {"flops", row.flops},
          {"bytes", row.bytes},
          {"flops_per_second", seconds > 0 ? static_cast<double>(row.flops) * runs / seconds : 0},
          {"bytes_per_second", seconds > 0 ? static_cast<double>(row.bytes) * runs / seconds : 0},
          {"limit_ps", row.limit_ps},
          {"gain_ps", row.gain_ps},
          {"exposed_ps", row.exposed_ps},
          {"bound_by", std::string(TimeLimitName(row.limit))}};
}

Json DeviceJson(const insight::DeviceLimits& device) {
  Json flops = Json::object();
  for (const auto& [type, value] : device.flops) flops[type] = value;
  return {{"name", device.name},
          {"bytes_per_second", device.bytes_per_second},
          {"flops_per_second", std::move(flops)},
          {"source", device.source}};
}

Json ComparisonJson(const insight::ProfileAnalysis& before, const insight::ProfileAnalysis& after) {
  Json rows = Json::array();
  for (const insight::ComparedTime& row : CompareProfiles(before, after)) {
    rows.push_back({{"module", row.module},
                    {"name", row.name},
                    {"before_ps", row.before_ps},
                    {"after_ps", row.after_ps},
                    {"before_total_ps", row.before_total_ps},
                    {"after_total_ps", row.after_total_ps}});
  }
  return {{"before_ps", before.total_ps()}, {"after_ps", after.total_ps()}, {"instructions", std::move(rows)}};
}

}  // namespace

nlohmann::ordered_json ProfileReportJson(const insight::ProfileAnalysis& profile,
                                         const insight::ProfileAnalysis* before) {
  Json programs = Json::array(), instructions = Json::array(), unattributed = Json::array(), lanes = Json::array();
  Json problems = Json::array(), gains = Json::array();
  for (const auto& program : profile.programs()) {
    programs.push_back({{"id", program->id()},
                        {"module", program->name()},
                        {"has_module", program->has_module()},
                        {"problem", program->problem()}});
  }
  for (const insight::InstructionTime& row : profile.instructions())
    instructions.push_back(InstructionTimeJson(profile, row));
  for (const insight::InstructionTime* row : profile.MostToGain(10))
    gains.push_back(InstructionTimeJson(profile, *row));
  for (const insight::UnattributedTime& row : profile.unattributed()) {
    unattributed.push_back(
        {{"name", row.name}, {"reason", row.reason}, {"occurrences", row.occurrences}, {"total_ps", row.total_ps}});
  }
  for (const insight::TimelineLane& lane : profile.lanes()) {
    lanes.push_back({{"name", lane.name}, {"events", lane.events.size()}, {"busy_ps", lane.busy_ps}});
  }
  const interop::Profile& file = profile.profile();
  for (const auto& [problem, count] : file.problems) problems.push_back({{"problem", problem}, {"times", count}});
  Json json = {{"programs", std::move(programs)},
               {"events", profile.events()},
               {"attributed", profile.attributed()},
               {"instructions", std::move(instructions)},
               {"guessed", profile.guessed()},
               {"total_ps", profile.total_ps()},
               {"attributed_ps", profile.attributed_ps()},
               {"unattributed", std::move(unattributed)},
               {"device", DeviceJson(profile.device())},
               {"most_to_gain", std::move(gains)},
               {"opcodes", GroupsJson(profile.ByOpcode())},
               {"source_lines", GroupsJson(profile.BySourceLine())},
               {"scopes", GroupsJson(profile.ByScope())},
               {"lanes", std::move(lanes)},
               {"problems", std::move(problems)},
               {"errors", file.errors},
               {"warnings", file.warnings},
               {"hostnames", file.hostnames}};
  if (before != nullptr) json["comparison"] = ComparisonJson(*before, profile);
  return json;
}

}  // namespace hloscope::reports
