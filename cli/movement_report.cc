// SPDX-License-Identifier: Apache-2.0
#include "cli/movement_report.h"

#include <algorithm>
#include <array>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/ir/checked_math.h"
#include "nlohmann/json.hpp"

namespace hloscope::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr MovementVerdict kVerdicts[] = {MovementVerdict::kFree, MovementVerdict::kNeeded, MovementVerdict::kAvoidable};

struct MovementSum {
  int64_t count = 0, bytes = 0;
};
using Sums = std::array<MovementSum, std::size(kVerdicts)>;

// By name of the opcode.
std::map<std::string, Sums> SumUp(const Module& module, const std::vector<DataMovement>& movements) {
  std::map<std::string, Sums> sums;
  for (const DataMovement& movement : movements) {
    MovementSum& sum = sums[std::string(OpcodeName(module.opcode(movement.id)))][static_cast<size_t>(movement.verdict)];
    ++sum.count;
    sum.bytes = SaturatingSum(sum.bytes, movement.bytes);
  }
  return sums;
}

std::string ChainText(const Module& module, const DataMovement& movement) {
  std::string text;
  for (InstructionId id : movement.chain) {
    absl::StrAppend(&text, " -> ", module.InstructionName(id), " (", OpcodeName(module.opcode(id)), ")");
  }
  return text;
}

}  // namespace

std::string MovementText(const Module& module, const std::vector<DataMovement>& movements, size_t rows) {
  std::string out = absl::StrFormat("  %-12s", "");
  for (MovementVerdict verdict : kVerdicts)
    absl::StrAppendFormat(&out, "%10s%18s", MovementVerdictName(verdict), "bytes");
  out.push_back('\n');
  for (const auto& [opcode, sums] : SumUp(module, movements)) {
    absl::StrAppendFormat(&out, "  %-12s", opcode);
    for (const MovementSum& sum : sums) absl::StrAppendFormat(&out, "%10d%18d", sum.count, sum.bytes);
    out.push_back('\n');
  }
  std::vector<const DataMovement*> most;
  for (const DataMovement& movement : movements) {
    if (movement.bytes > 0) most.push_back(&movement);
  }
  // What can be avoided comes first.
  std::stable_sort(most.begin(), most.end(), [](const DataMovement* a, const DataMovement* b) {
    const bool x = a->verdict == MovementVerdict::kAvoidable, y = b->verdict == MovementVerdict::kAvoidable;
    return x != y ? x : a->bytes > b->bytes;
  });
  for (size_t i = 0; i < std::min(rows, most.size()); ++i) {
    const DataMovement& movement = *most[i];
    absl::StrAppendFormat(&out, "%16d  %-9s  %s (%s): %s\n", movement.bytes, MovementVerdictName(movement.verdict),
                          module.InstructionName(movement.id), OpcodeName(module.opcode(movement.id)), movement.reason);
    if (!movement.chain.empty()) absl::StrAppendFormat(&out, "%29s%s\n", "for", ChainText(module, movement).substr(3));
  }
  if (most.size() > rows) absl::StrAppend(&out, "... and ", most.size() - rows, " more (all with --json)\n");
  return out;
}

Json MovementJson(const Module& module, const std::vector<DataMovement>& movements) {
  Json sums = Json::object(), list = Json::array();
  for (const auto& [opcode, of_opcode] : SumUp(module, movements)) {
    for (MovementVerdict verdict : kVerdicts) {
      const MovementSum& sum = of_opcode[static_cast<size_t>(verdict)];
      sums[opcode][std::string(MovementVerdictName(verdict))] = {{"count", sum.count}, {"bytes", sum.bytes}};
    }
  }
  for (const DataMovement& movement : movements) {
    Json chain = Json::array();
    for (InstructionId id : movement.chain) chain.push_back(std::string(module.InstructionName(id)));
    list.push_back({{"name", std::string(module.InstructionName(movement.id))},
                    {"computation", std::string(module.ComputationName(module.instruction(movement.id).computation))},
                    {"opcode", std::string(OpcodeName(module.opcode(movement.id)))},
                    {"verdict", std::string(MovementVerdictName(movement.verdict))},
                    {"bytes", movement.bytes},
                    {"reason", movement.reason},
                    {"chain", std::move(chain)}});
  }
  return {{"by_opcode", std::move(sums)}, {"instructions", std::move(list)}};
}

}  // namespace hloscope::cli
