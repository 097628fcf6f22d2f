// SPDX-License-Identifier: Apache-2.0
#include "insight/profile/analysis.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "core/analysis/source_frames.h"
#include "core/diagnostics/render.h"
#include "core/ir/checked_math.h"
#include "insight/profile/matcher.h"

namespace hloscope::insight {
namespace {

constexpr double kLatencyPs = 5e6;  // what is shorter waits for its start rather than for memory

// The type in which most of the work is done: of the operands of a product in it, else of its result.
ElementType WorkType(const Module& module, InstructionId id, int depth = 0) {
  const auto type_of = [&](InstructionId value) {
    const Shape* shape = &module.shape(value);
    while (shape->IsTuple() && shape->tuple_size() > 0) shape = &shape->element(0);
    return shape->IsArray() ? shape->element_type() : ElementType::kInvalid;
  };
  const OpFamily family = InfoOf(module.opcode(id)).family;
  const bool is_product =
      family == OpFamily::kDot || family == OpFamily::kConvolution || family == OpFamily::kCustomCall;
  if (is_product && !module.operands(id).empty() && module.operand(id, 0).has_value()) {
    return type_of(module.operand(id, 0));
  }
  if (module.opcode(id) == Opcode::kFusion && depth == 0) {
    const ComputationId callee = module.ComputationAttribute(id, AttributeKind::kCalls);
    if (callee.has_value()) {
      for (InstructionId inner : module.computation(callee).instructions) {
        const OpFamily inner_family = InfoOf(module.opcode(inner)).family;
        if (inner_family == OpFamily::kDot || inner_family == OpFamily::kConvolution) return WorkType(module, inner, 1);
      }
    }
  }
  return type_of(id);
}

}  // namespace

absl::string_view TimeLimitName(TimeLimit limit) {
  switch (limit) {
    case TimeLimit::kUnknown:
      return "unknown";
    case TimeLimit::kMemory:
      return "memory";
    case TimeLimit::kCompute:
      return "compute";
    case TimeLimit::kLatency:
      return "latency";
    case TimeLimit::kCommunication:
      return "communication";
  }
  return "";
}

absl::StatusOr<ProfileAnalysis> ProfileAnalysis::Of(std::shared_ptr<const interop::Profile> profile,
                                                    const ProfileOptions& options) {
  ProfileAnalysis result;
  result.profile_ = std::move(profile);
  bool used = options.document == nullptr;
  for (const interop::ProfileProgram& program : result.profile_->programs) {
    result.programs_.push_back(std::make_unique<ProgramModule>(program.id, program.name));
    ProgramModule& module = *result.programs_.back();
    const bool is_given = options.document != nullptr && program.hlo_proto.empty() &&
                          program.name.substr(0, program.name.rfind('(')) == options.document->module().name();
    if (is_given)
      module.Use(options.document);
    else
      module.Read(program.hlo_proto);
    used |= is_given;
  }
  if (!used) {
    result.programs_.push_back(std::make_unique<ProgramModule>(-1, std::string(options.document->module().name())));
    result.programs_.back()->Use(options.document);
  }
  ProfileMatcher(result, options.module).Match();
  if (!options.module.empty() && result.events_ == 0) {
    bool exists = false;
    std::string names;
    for (const auto& program : result.programs_) {
      exists |= program->name() == options.module || absl::StrCat(program->id()) == options.module;
      if (names.size() < 500)
        absl::StrAppend(&names, names.empty() ? "" : ", ", program->name(), " (", program->id(), ")");
    }
    if (!exists) {
      return absl::InvalidArgumentError(absl::StrCat("no module '", OneLine(options.module), "'; there is ",
                                                     names.empty() ? "none" : OneLine(names)));
    }
  }
  if (!options.device.empty()) {
    const DeviceLimits* row = options.devices.Find(options.device);
    if (row == nullptr) {
      std::string names;
      for (const DeviceLimits& other : options.devices.rows())
        absl::StrAppend(&names, names.empty() ? "" : ", ", other.name);
      return absl::InvalidArgumentError(
          absl::StrCat("no device '", OneLine(options.device), "'; there is ", OneLine(names)));
    }
    result.device_ = *row;
  } else if (!result.lanes_.empty()) {
    result.device_ = options.devices.Of(result.profile_->planes[result.lanes_[0].plane]);
  }
  result.ApplyLimits();
  std::vector<int32_t> position(result.instructions_.size());
  std::vector<uint32_t> order(result.instructions_.size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return result.instructions_[a].self_ps > result.instructions_[b].self_ps;
  });
  std::vector<InstructionTime> sorted;
  for (uint32_t i : order) {
    position[i] = static_cast<int32_t>(sorted.size());
    sorted.push_back(result.instructions_[i]);
  }
  result.instructions_ = std::move(sorted);
  for (TimelineLane& lane : result.lanes_) {
    for (int32_t& row : lane.rows) row = row < 0 ? row : position[static_cast<size_t>(row)];
  }
  std::stable_sort(result.unattributed_.begin(), result.unattributed_.end(),
                   [](const UnattributedTime& a, const UnattributedTime& b) { return a.total_ps > b.total_ps; });
  return result;
}

std::string ProfileAnalysis::NameOf(const InstructionTime& time) const {
  return std::string(programs_[time.program]->module().InstructionName(time.id));
}

Opcode ProfileAnalysis::OpcodeOf(const InstructionTime& time) const {
  return programs_[time.program]->module().opcode(time.id);
}

void ProfileAnalysis::ApplyLimits() {
  for (InstructionTime& time : instructions_) {
    const Module& module = programs_[time.program]->module();
    if (InfoOf(module.opcode(time.id)).family == OpFamily::kCollective) {
      time.limit = TimeLimit::kCommunication;
      time.gain_ps = static_cast<double>(time.exposed_ps);
      continue;
    }
    if (time.executions <= 0) continue;
    const double peak = device_.FlopsOf(WorkType(module, time.id));
    const double by_memory =
        device_.bytes_per_second > 0 ? static_cast<double>(time.bytes) / device_.bytes_per_second * 1e12 : 0;
    const double by_compute = peak > 0 ? static_cast<double>(time.flops) / peak * 1e12 : 0;
    time.limit_ps = std::max(by_memory, by_compute);
    if (time.limit_ps <= 0) continue;
    const double executions = static_cast<double>(time.executions);
    time.gain_ps = std::max(0.0, static_cast<double>(time.self_ps) - time.limit_ps * executions);
    const double measured = static_cast<double>(time.self_ps) / executions;
    time.limit = by_compute >= by_memory ? TimeLimit::kCompute : TimeLimit::kMemory;
    if (measured < kLatencyPs && time.limit_ps < measured / 2) time.limit = TimeLimit::kLatency;
  }
}

template <typename NameOfRow>
std::vector<GroupTime> ProfileAnalysis::Grouped(NameOfRow name) const {
  std::vector<GroupTime> groups;
  absl::flat_hash_map<std::string, size_t> known;
  for (const InstructionTime& time : instructions_) {
    std::string of_row = name(time);
    const auto [it, inserted] = known.try_emplace(of_row, groups.size());
    if (inserted) groups.push_back({std::move(of_row), 0, 0, 0, 0});
    GroupTime& group = groups[it->second];
    group.occurrences = SaturatingSum(group.occurrences, time.occurrences);
    group.self_ps = SaturatingSum(group.self_ps, time.self_ps);
    group.flops += static_cast<double>(time.flops) * static_cast<double>(time.executions);
    group.bytes += static_cast<double>(time.bytes) * static_cast<double>(time.executions);
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const GroupTime& a, const GroupTime& b) { return a.self_ps > b.self_ps; });
  return groups;
}

std::vector<GroupTime> ProfileAnalysis::ByOpcode() const {
  return Grouped([&](const InstructionTime& time) { return std::string(OpcodeName(OpcodeOf(time))); });
}

std::vector<GroupTime> ProfileAnalysis::BySourceLine() const {
  return Grouped([&](const InstructionTime& time) {
    const Module& module = programs_[time.program]->module();
    const Metadata* metadata = module.MetadataOf(time.id);
    if (metadata != nullptr) {
      const std::vector<SourceFrame> frames = SourceFramesOf(module, *metadata);
      if (!frames.empty() && !frames[0].file.empty()) return absl::StrCat(frames[0].file, ":", frames[0].line);
    }
    return std::string("(no source line)");
  });
}

std::vector<GroupTime> ProfileAnalysis::ByScope() const {
  return Grouped([&](const InstructionTime& time) {
    const ScopeTree& scopes = programs_[time.program]->scopes();
    return scopes.Path(scopes.Of(time.id));
  });
}

std::vector<const InstructionTime*> ProfileAnalysis::MostToGain(size_t count) const {
  std::vector<const InstructionTime*> rows;
  for (const InstructionTime& time : instructions_) {
    if (time.gain_ps > 0) rows.push_back(&time);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) { return a->gain_ps > b->gain_ps; });
  if (rows.size() > count) rows.resize(count);
  return rows;
}

std::vector<ComparedTime> CompareProfiles(const ProfileAnalysis& before, const ProfileAnalysis& after) {
  struct Sums {
    ComparedTime row;
    int64_t before_runs = 0, after_runs = 0;
  };
  std::map<std::pair<std::string, std::string>, Sums> rows;
  // Several programs may have modules of one name: the same instruction has several rows.
  const auto add = [&](const ProfileAnalysis& analysis, int64_t ComparedTime::*total, int64_t Sums::*runs) {
    for (const InstructionTime& time : analysis.instructions()) {
      Sums& sums = rows[{analysis.programs()[time.program]->name(), analysis.NameOf(time)}];
      sums.row.*total = SaturatingSum(sums.row.*total, time.self_ps);
      sums.*runs = SaturatingSum(sums.*runs, time.executions);
    }
  };
  add(before, &ComparedTime::before_total_ps, &Sums::before_runs);
  add(after, &ComparedTime::after_total_ps, &Sums::after_runs);
  std::vector<ComparedTime> compared;
  for (auto& [key, sums] : rows) {
    ComparedTime row = std::move(sums.row);
    std::tie(row.module, row.name) = key;
    row.before_ps = row.before_total_ps / std::max<int64_t>(sums.before_runs, 1);
    row.after_ps = row.after_total_ps / std::max<int64_t>(sums.after_runs, 1);
    compared.push_back(std::move(row));
  }
  const auto change = [](const ComparedTime& row) {
    return row.after_total_ps > row.before_total_ps ? row.after_total_ps - row.before_total_ps
                                                    : row.before_total_ps - row.after_total_ps;
  };
  std::stable_sort(compared.begin(), compared.end(),
                   [&](const ComparedTime& a, const ComparedTime& b) { return change(a) > change(b); });
  return compared;
}

}  // namespace hloscope::insight
