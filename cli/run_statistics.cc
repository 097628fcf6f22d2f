// SPDX-License-Identifier: Apache-2.0
#include "cli/run_statistics.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/analysis/buffers.h"
#include "core/analysis/call_graph.h"
#include "core/analysis/cost.h"
#include "core/analysis/memory.h"
#include "core/analysis/users.h"
#include "evaluator/engine/run_progress.h"

namespace hloscope::cli {
namespace {

constexpr size_t kMaxListedInstructions = 20;

struct RunSum {
  evaluator::InstructionStatistics measured;
  int64_t flops = 0;
};
struct OpcodeStatistics {
  absl::string_view name;
  RunSum sum;
};

// Saturating.
int64_t Total(int64_t flops, int64_t runs) { return Cost{.flops = flops}.Times(runs).flops; }

// Slowest first.
std::vector<OpcodeStatistics> ByOpcode(const Module& module, const RunStatistics& statistics,
                                       const std::vector<int64_t>& flops) {
  std::map<absl::string_view, RunSum> sums;
  for (size_t i = 0; i < statistics.by_instruction.size(); ++i) {
    const evaluator::InstructionStatistics& one = statistics.by_instruction[i];
    if (one.runs == 0) continue;
    RunSum& sum = sums[OpcodeName(module.opcode(InstructionId(i)))];
    sum.measured.runs += one.runs;
    sum.measured.seconds += one.seconds;
    sum.measured.output_bytes += one.output_bytes;
    sum.flops += Total(flops[i], one.runs);
  }
  std::vector<OpcodeStatistics> rows;
  for (const auto& [name, sum] : sums) rows.push_back({name, sum});
  std::stable_sort(rows.begin(), rows.end(), [](const OpcodeStatistics& a, const OpcodeStatistics& b) {
    return a.sum.measured.seconds > b.sum.measured.seconds;
  });
  return rows;
}

// The executed instructions, slowest first.
std::vector<InstructionId> ByTime(const RunStatistics& statistics) {
  std::vector<InstructionId> ids;
  for (size_t i = 0; i < statistics.by_instruction.size(); ++i) {
    if (statistics.by_instruction[i].runs > 0) ids.push_back(InstructionId(i));
  }
  std::stable_sort(ids.begin(), ids.end(), [&](InstructionId a, InstructionId b) {
    return statistics.by_instruction[a.index()].seconds > statistics.by_instruction[b.index()].seconds;
  });
  return ids;
}

std::string Row(absl::string_view name, const RunSum& sum) {
  const evaluator::InstructionStatistics& s = sum.measured;
  const std::string speed =
      s.seconds > 0 && sum.flops > 0 ? absl::StrFormat("%.3f", static_cast<double>(sum.flops) / s.seconds * 1e-9) : "";
  return absl::StrFormat("%12d %14.6f %16d %18d %10s  %s\n", s.runs, s.seconds, s.output_bytes, sum.flops, speed, name);
}

nlohmann::json JsonOf(const RunSum& sum) {
  return {{"runs", sum.measured.runs},
          {"seconds", sum.measured.seconds},
          {"bytes", sum.measured.output_bytes},
          {"flops", sum.flops}};
}

}  // namespace

void RunStatistics::Add(const evaluator::Inspection& device) {
  steps += device.executed_count();
  by_instruction.resize(device.statistics().size());
  for (size_t i = 0; i < by_instruction.size(); ++i) {
    const evaluator::InstructionStatistics& one = device.statistics()[i];
    by_instruction[i].runs += one.runs;
    by_instruction[i].seconds += one.seconds;
    by_instruction[i].output_bytes += one.output_bytes;
  }
}

int64_t LivenessBytes(const Module& module, int64_t device_count) {
  const UserIndex users(module);
  const CallGraph calls(module);
  const BufferTable buffers(module, calls);
  const int64_t bytes = MemoryAnalysis(module, users, calls, buffers).peak_bytes();
  return bytes > INT64_MAX / device_count ? INT64_MAX : bytes * device_count;
}

std::string StatisticsText(const Module& module, const RunStatistics& statistics) {
  const std::vector<int64_t> flops = evaluator::StepFlops(module);
  const std::vector<OpcodeStatistics> opcodes = ByOpcode(module, statistics, flops);
  int64_t total = 0;
  for (const OpcodeStatistics& row : opcodes) total += row.sum.flops;
  std::string out =
      absl::StrFormat("%.6f s, %d steps, %d FLOP, peak %d bytes, live at once by the schedule %d bytes\n",
                      statistics.seconds, statistics.steps, total, statistics.peak_bytes, statistics.liveness_bytes);
  const std::string head =
      absl::StrFormat("\n%12s %14s %16s %18s %10s  ", "runs", "seconds", "bytes", "FLOP", "GFLOP/s");
  absl::StrAppend(&out, head, "opcode\n");
  for (const OpcodeStatistics& row : opcodes) absl::StrAppend(&out, Row(row.name, row.sum));
  absl::StrAppend(&out, head, "instruction\n");
  std::vector<InstructionId> ids = ByTime(statistics);
  const size_t left_out = ids.size() - std::min(ids.size(), kMaxListedInstructions);
  ids.resize(ids.size() - left_out);
  for (InstructionId id : ids) {
    const evaluator::InstructionStatistics& measured = statistics.by_instruction[id.index()];
    absl::StrAppend(&out, Row(module.InstructionName(id), {measured, Total(flops[id.index()], measured.runs)}));
  }
  if (left_out > 0) absl::StrAppend(&out, "... and ", left_out, " more (all with --json)\n");
  return out;
}

std::string StatisticsJson(const Module& module, const RunStatistics& statistics) {
  const std::vector<int64_t> flops = evaluator::StepFlops(module);
  nlohmann::json json = {{"seconds", statistics.seconds},       {"steps", statistics.steps},
                         {"peak_bytes", statistics.peak_bytes}, {"lower_bound_bytes", statistics.liveness_bytes},
                         {"opcodes", nlohmann::json::array()},  {"instructions", nlohmann::json::array()}};
  int64_t total = 0;
  for (const OpcodeStatistics& row : ByOpcode(module, statistics, flops)) {
    nlohmann::json entry = JsonOf(row.sum);
    entry["opcode"] = std::string(row.name);
    json["opcodes"].push_back(std::move(entry));
    total += row.sum.flops;
  }
  json["flops"] = total;
  for (InstructionId id : ByTime(statistics)) {
    const evaluator::InstructionStatistics& measured = statistics.by_instruction[id.index()];
    nlohmann::json entry = JsonOf({measured, Total(flops[id.index()], measured.runs)});
    entry["name"] = std::string(module.InstructionName(id));
    entry["computation"] = std::string(module.ComputationName(module.instruction(id).computation));
    entry["opcode"] = std::string(OpcodeName(module.opcode(id)));
    json["instructions"].push_back(std::move(entry));
  }
  return json.dump(2, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace hloscope::cli
