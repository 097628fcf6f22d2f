#include "cli/run_statistics.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace hloscope {
namespace {

constexpr size_t kMaxListedInstructions = 20;

struct OpcodeStatistics {
  absl::string_view name;
  Session::InstructionStatistics sum;
};

// Slowest first.
std::vector<OpcodeStatistics> ByOpcode(const Module& module, const RunStatistics& statistics) {
  std::map<absl::string_view, Session::InstructionStatistics> sums;
  for (size_t i = 0; i < statistics.by_instruction.size(); ++i) {
    const Session::InstructionStatistics& one = statistics.by_instruction[i];
    if (one.runs == 0) continue;
    Session::InstructionStatistics& sum = sums[OpcodeName(module.opcode(InstructionId(i)))];
    sum.runs += one.runs;
    sum.seconds += one.seconds;
    sum.output_bytes += one.output_bytes;
  }
  std::vector<OpcodeStatistics> rows;
  for (const auto& [name, sum] : sums) rows.push_back({name, sum});
  std::stable_sort(rows.begin(), rows.end(),
                   [](const OpcodeStatistics& a, const OpcodeStatistics& b) { return a.sum.seconds > b.sum.seconds; });
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

std::string Row(absl::string_view name, const Session::InstructionStatistics& s) {
  return absl::StrFormat("%12d %14.6f %16d  %s\n", s.runs, s.seconds, s.output_bytes, name);
}

nlohmann::json Json(const Session::InstructionStatistics& s) {
  return {{"runs", s.runs}, {"seconds", s.seconds}, {"bytes", s.output_bytes}};
}

}  // namespace

void RunStatistics::Add(const Session& session) {
  steps += session.executed_count();
  by_instruction.resize(session.statistics().size());
  for (size_t i = 0; i < by_instruction.size(); ++i) {
    const Session::InstructionStatistics& one = session.statistics()[i];
    by_instruction[i].runs += one.runs;
    by_instruction[i].seconds += one.seconds;
    by_instruction[i].output_bytes += one.output_bytes;
  }
}

int64_t LowerBoundBytes(const Module& module, const RunStatistics& statistics) {
  int64_t bound = 0;
  for (size_t i = 0; i < statistics.by_instruction.size(); ++i) {
    // Only what a kernel makes is new memory; calls, tuples and their like hand values on.
    if (statistics.by_instruction[i].output_bytes == 0) continue;
    const InstructionId id(i);
    if (!module.shape(id).IsArray() || InfoOf(module.opcode(id)).family == OpFamily::kTuple) continue;
    int64_t bytes = module.shape(id).ByteSize();
    for (InstructionId operand : module.operands(id)) {
      // Views share the memory of what they show.
      if (module.opcode(operand) == Opcode::kBroadcast || module.opcode(operand) == Opcode::kConstant) continue;
      bytes = std::max(bytes, module.shape(operand).ByteSize());
    }
    bound = std::max(bound, bytes);
  }
  return bound;
}

std::string StatisticsText(const Module& module, const RunStatistics& statistics) {
  std::string out = absl::StrFormat("%.6f s, %d steps, peak %d bytes, lower bound %d bytes\n", statistics.seconds,
                                    statistics.steps, statistics.peak_bytes, LowerBoundBytes(module, statistics));
  const std::string head = absl::StrFormat("\n%12s %14s %16s  ", "runs", "seconds", "bytes");
  absl::StrAppend(&out, head, "opcode\n");
  for (const OpcodeStatistics& row : ByOpcode(module, statistics)) absl::StrAppend(&out, Row(row.name, row.sum));
  absl::StrAppend(&out, head, "instruction\n");
  std::vector<InstructionId> ids = ByTime(statistics);
  const size_t left_out = ids.size() - std::min(ids.size(), kMaxListedInstructions);
  ids.resize(ids.size() - left_out);
  for (InstructionId id : ids) {
    absl::StrAppend(&out, Row(module.InstructionName(id), statistics.by_instruction[id.index()]));
  }
  if (left_out > 0) absl::StrAppend(&out, "... and ", left_out, " more (all with --json)\n");
  return out;
}

std::string StatisticsJson(const Module& module, const RunStatistics& statistics) {
  nlohmann::json json = {
      {"seconds", statistics.seconds},       {"steps", statistics.steps},
      {"peak_bytes", statistics.peak_bytes}, {"lower_bound_bytes", LowerBoundBytes(module, statistics)},
      {"opcodes", nlohmann::json::array()},  {"instructions", nlohmann::json::array()}};
  for (const OpcodeStatistics& row : ByOpcode(module, statistics)) {
    nlohmann::json entry = Json(row.sum);
    entry["opcode"] = std::string(row.name);
    json["opcodes"].push_back(std::move(entry));
  }
  for (InstructionId id : ByTime(statistics)) {
    nlohmann::json entry = Json(statistics.by_instruction[id.index()]);
    entry["name"] = std::string(module.InstructionName(id));
    entry["computation"] = std::string(module.ComputationName(module.instruction(id).computation));
    entry["opcode"] = std::string(OpcodeName(module.opcode(id)));
    json["instructions"].push_back(std::move(entry));
  }
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace hloscope
