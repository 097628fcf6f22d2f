// SPDX-License-Identifier: Apache-2.0
// Measured times of a profile, for the instructions of the programs inside it.
#ifndef HLOSCOPE_INSIGHT_PROFILE_ANALYSIS_H_
#define HLOSCOPE_INSIGHT_PROFILE_ANALYSIS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "insight/profile/devices.h"
#include "insight/profile/programs.h"
#include "interop/profile/profile.h"

namespace hloscope::insight {

enum class TimeLimit : uint8_t { kUnknown, kMemory, kCompute, kLatency, kCommunication };
absl::string_view TimeLimitName(TimeLimit limit);  // "unknown", "memory", "compute", "latency", "communication"

// All events of one instruction.
struct InstructionTime {
  uint32_t program = 0;  // into ProfileAnalysis::programs
  InstructionId id;
  int64_t occurrences = 0;  // events
  int64_t executions = 0;   // of the instruction: several kernels may belong to one
  int64_t guessed = 0;      // events that were matched by a guess
  int64_t total_ps = 0;
  int64_t self_ps = 0;           // without events inside of these on the same line
  int64_t exposed_ps = 0;        // of communication: while nothing computes on the device
  int64_t flops = 0, bytes = 0;  // of one execution
  double limit_ps = 0;           // of one execution on the device; 0: not known
  double gain_ps = 0;            // what all executions take beyond that
  TimeLimit limit = TimeLimit::kUnknown;
};

// Events outside of all modules, of one name and reason.
struct UnattributedTime {
  std::string name, reason;
  int64_t occurrences = 0, total_ps = 0;
};

struct GroupTime {
  std::string name;
  int64_t occurrences = 0, self_ps = 0;
  double flops = 0, bytes = 0;  // of all executions
};

// A line of a device, for pictures.
struct TimelineLane {
  std::string name;
  std::vector<const interop::ProfileEvent*> events;
  std::vector<int32_t> rows;  // by event: into instructions; -1: unattributed
  uint32_t plane = 0;
  int64_t busy_ps = 0;
};

struct ProfileOptions {
  std::string module;                        // a name, or an id of a program; empty: all
  std::shared_ptr<const Document> document;  // stands for the programs of its name, or for all; null: none
  DeviceTable devices;
  std::string device;  // a name of the table; empty: what the profile says
};

class ProfileAnalysis {
 public:
  // Errors: InvalidArgument for a module or device that there is not.
  static absl::StatusOr<ProfileAnalysis> Of(std::shared_ptr<const interop::Profile> profile,
                                            const ProfileOptions& options);

  const interop::Profile& profile() const { return *profile_; }
  const std::vector<std::unique_ptr<ProgramModule>>& programs() const { return programs_; }
  const std::vector<InstructionTime>& instructions() const { return instructions_; }   // most time first
  const std::vector<UnattributedTime>& unattributed() const { return unattributed_; }  // most time first
  const std::vector<TimelineLane>& lanes() const { return lanes_; }
  int64_t events() const { return events_; }
  int64_t attributed() const { return attributed_; }
  int64_t guessed() const { return guessed_; }
  int64_t total_ps() const { return total_ps_; }  // of all events, without those inside of others
  int64_t attributed_ps() const { return attributed_ps_; }
  int64_t begin_ps() const { return begin_ps_; }
  int64_t end_ps() const { return end_ps_; }
  const DeviceLimits& device() const { return device_; }

  std::string NameOf(const InstructionTime& time) const;
  Opcode OpcodeOf(const InstructionTime& time) const;
  // Sums of self time, most first: "dot", "model.py:12", "jit(f)/layer_0".
  std::vector<GroupTime> ByOpcode() const;
  std::vector<GroupTime> BySourceLine() const;
  std::vector<GroupTime> ByScope() const;
  // The instructions with most to gain, most first.
  std::vector<const InstructionTime*> MostToGain(size_t count) const;

 private:
  friend class ProfileMatcher;
  template <typename NameOfRow>
  std::vector<GroupTime> Grouped(NameOfRow name) const;
  void ApplyLimits();

  std::shared_ptr<const interop::Profile> profile_;
  std::vector<std::unique_ptr<ProgramModule>> programs_;
  std::vector<InstructionTime> instructions_;
  std::vector<UnattributedTime> unattributed_;
  std::vector<TimelineLane> lanes_;
  DeviceLimits device_;
  int64_t events_ = 0, attributed_ = 0, guessed_ = 0, total_ps_ = 0, attributed_ps_ = 0, begin_ps_ = 0, end_ps_ = 0;
};

// One instruction in two profiles.
struct ComparedTime {
  std::string module, name;
  int64_t before_ps = 0, after_ps = 0;  // self time of one execution; 0 where it does not run
  int64_t before_total_ps = 0, after_total_ps = 0;
};
// By module and name, the largest change of the totals first.
std::vector<ComparedTime> CompareProfiles(const ProfileAnalysis& before, const ProfileAnalysis& after);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_PROFILE_ANALYSIS_H_
