// SPDX-License-Identifier: Apache-2.0
// The JSON of `hloscope memory`.
#include <utility>

#include "insight/memory/value_facts.h"
#include "nlohmann/json.hpp"
#include "reports/memory_report.h"

namespace hloscope::reports {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kListedUsers = 8;

Json NameJson(const Module& module, InstructionId id) { return Json(std::string(module.InstructionName(id))); }

Json ValueJson(const MemoryReport& report, const insight::MemoryValue& value) {
  const insight::MemoryExplanation& memory = report.memory;
  const Module& module = memory.module();
  Json json = {{"value", memory.ValueName(value)},   {"bytes", value.bytes},
               {"padded_bytes", value.padded_bytes}, {"kind", std::string(ValueKindName(value.kind))},
               {"begin", value.live.begin},          {"end", value.live.end},
               {"memory_space", value.memory_space}};
  if (value.definer.has_value()) {
    json["instruction"] = NameJson(module, value.definer);
    json["opcode"] = std::string(OpcodeName(module.opcode(value.definer)));
  }
  if (value.allocation >= 0) {
    json["allocation"] = value.allocation;
    json["offset"] = value.offset;
  }
  return json;
}

Json LiveJson(const MemoryReport& report) {
  const insight::MemoryExplanation& memory = report.memory;
  Json live = Json::array();
  for (uint32_t v : memory.LiveAt(memory.peak_step())) {
    const insight::MemoryValue& value = memory.values()[v];
    Json json = ValueJson(report, value);
    json["shape"] = insight::ShapeTextOf(memory, value);
    json["source"] = value.definer.has_value() ? insight::SourceOf(memory.module(), value.definer) : "";
    Json users = Json::array();
    for (InstructionId id : insight::KeepersOf(memory, report.readers, value, memory.peak_step(), kListedUsers)) {
      users.push_back(NameJson(memory.module(), id));
    }
    json["users"] = std::move(users);
    Json way = Json::array();
    for (InstructionId id : insight::PassedOnBy(memory, report.readers, report.users, value, memory.peak_step())) {
      way.push_back(NameJson(memory.module(), id));
    }
    json["way"] = std::move(way);
    live.push_back(std::move(json));
  }
  return live;
}

Json DonationJson(const MemoryReport& report, const insight::Donation& donation) {
  const insight::MemoryExplanation& memory = report.memory;
  const Module& module = memory.module();
  Json json = {{"parameter", module.instruction(donation.parameter).parameter_number},
               {"value", memory.leaves().Name(donation.parameter, donation.leaf)},
               {"index", memory.leaves().At(donation.parameter, donation.leaf)->index},
               {"bytes", donation.bytes},
               {"state", std::string(DonationStateName(donation.state))},
               {"reason", std::string(DonationLossName(donation.loss))},
               {"detail", donation.detail},
               {"result", Json()}};
  if (donation.result) {
    const insight::Leaf* leaf = memory.leaves().At(module.computation(module.entry()).root, *donation.result);
    if (leaf != nullptr) json["result"] = leaf->index;
  }
  return json;
}

Json AnswersJson(const std::vector<insight::WhatIf>& answers) {
  Json json = Json::array();
  for (const insight::WhatIf& answer : answers) {
    json.push_back({{"what", answer.what},
                    {"peak_bytes", answer.peak_bytes},
                    {"saved_bytes", answer.saved_bytes},
                    {"extra_flops", answer.extra_flops},
                    {"note", answer.note}});
  }
  return json;
}

Json AllocationsJson(const insight::MemoryExplanation& memory) {
  Json json = Json::array();
  for (size_t a = 0; a < memory.allocations().size(); ++a) {
    const insight::MemoryAllocation& allocation = memory.allocations()[a];
    json.push_back({{"index", a},
                    {"size", allocation.size},
                    {"kind", allocation.kind},
                    {"memory_space", allocation.memory_space},
                    {"counted", allocation.is_counted}});
  }
  return json;
}

Json RecordedJson(const insight::RecordedMemory& recorded) {
  Json json = {{"total_bytes", recorded.total_bytes},
               {"temporary_bytes", recorded.temporary_bytes},
               {"heap_peak_bytes", Json()},
               {"difference", recorded.difference},
               {"deviations", recorded.deviations}};
  if (recorded.heap_peak_bytes >= 0) {
    json["heap_peak_bytes"] = recorded.heap_peak_bytes;
    json["heap_peak_values"] = recorded.heap_peak_values;
  }
  return json;
}

}  // namespace

nlohmann::ordered_json MemoryReportJson(const MemoryReport& report) {
  const insight::MemoryExplanation& memory = report.memory;
  const Module& module = memory.module();
  Json path = Json::array(), steps = Json::array(), values = Json::array(), spaces = Json::array();
  Json donations = Json::array(), lost = Json::array(), copies = Json::array();
  for (InstructionId id : memory.PeakPath()) path.push_back(NameJson(module, id));
  for (size_t t = 0; t < memory.timeline().steps.size(); ++t) {
    const insight::TimelineStep& step = memory.timeline().steps[t];
    steps.push_back({{"instruction", NameJson(module, step.instruction)},
                     {"depth", step.depth},
                     {"live_bytes", memory.live_bytes()[t]}});
  }
  for (const insight::MemoryValue& value : memory.values()) values.push_back(ValueJson(report, value));
  for (const insight::MemorySpace& space : memory.spaces()) {
    spaces.push_back({{"memory_space", space.number},
                      {"peak_bytes", space.peak_bytes},
                      {"peak_step", space.peak_step},
                      {"assigned_bytes", space.assigned_bytes}});
  }
  for (const insight::Donation& donation : report.donations) {
    Json json = DonationJson(report, donation);
    if (donation.state == insight::DonationState::kLost) lost.push_back(json);
    donations.push_back(std::move(json));
  }
  for (const insight::CopyReason& copy : report.copies) {
    copies.push_back({{"instruction", NameJson(module, copy.id)},
                      {"bytes", copy.bytes},
                      {"runs", copy.runs},
                      {"reason", copy.reason},
                      {"added", copy.is_added}});
  }
  Json json = {{"module", std::string(module.name())},
               {"peak_bytes", memory.peak_bytes()},
               {"peak_instruction", path.empty() ? Json() : path.back()},
               {"schedule", memory.is_module_schedule() ? "module" : "own"},
               {"assigned_bytes", memory.assigned_bytes()},
               {"live_at_peak", LiveJson(report)},
               {"lost_donations", std::move(lost)},
               {"schedule_kind", std::string(ScheduleKindName(memory.schedule_kind()))},
               {"peak_step", memory.peak_step()},
               {"peak_path", std::move(path)},
               {"complete", memory.timeline().complete && memory.buffers().complete()},
               {"assignment", memory.is_recorded() ? "recorded" : "own"},
               {"assignment_file", report.source},
               {"compiler", memory.is_recorded() ? RecordedJson(*memory.recorded()) : Json()},
               {"steps", std::move(steps)},
               {"values", std::move(values)},
               {"allocations", AllocationsJson(memory)},
               {"memory_spaces", std::move(spaces)},
               {"donations", std::move(donations)},
               {"copies", std::move(copies)},
               {"what_if", AnswersJson(report.answers)},
               {"suggestions", AnswersJson(report.suggestions)}};
  return json;
}

}  // namespace hloscope::reports
