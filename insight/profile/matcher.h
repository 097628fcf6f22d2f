// SPDX-License-Identifier: Apache-2.0
// From events to instructions.
#ifndef HLOSCOPE_INSIGHT_PROFILE_MATCHER_H_
#define HLOSCOPE_INSIGHT_PROFILE_MATCHER_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "insight/profile/analysis.h"

namespace hloscope::insight {

class ProfileMatcher {
 public:
  ProfileMatcher(ProfileAnalysis& result, std::string module)
      : result_(result), profile_(*result.profile_), module_(std::move(module)) {}

  void Match();

 private:
  struct Target {
    int32_t program = -1;
    InstructionId id;
    bool is_guess = false;
    const char* reason = "";  // why there is none
  };
  using Ids = std::pair<int64_t, interop::ProfileString>;

  void IndexPrograms();
  void IndexLaunches();
  bool IsWanted(int32_t program, const interop::ProfileEvent& event) const;
  void MatchLine(const interop::ProfilePlane& plane, uint32_t plane_number, const interop::ProfileLine& line);
  Target TargetOf(const interop::ProfilePlane& plane, uint32_t plane_number, const interop::ProfileEvent& event);
  Target Exactly(const interop::ProfilePlane& plane, const interop::ProfileEvent& event);
  Target FindIn(int32_t program, absl::string_view name) const;
  int32_t ProgramOf(const interop::ProfileEvent& event) const;
  absl::string_view OpName(const interop::ProfilePlane& plane, const interop::ProfileEvent& event) const;
  int32_t RowOf(const Target& target);
  void Count(const interop::ProfilePlane& plane, uint32_t plane_number, const interop::ProfileEvent& event,
             const Target& target, int64_t self_ps, TimelineLane* lane);
  void FinishExecutions();
  void FindExposed();

  ProfileAnalysis& result_;
  const interop::Profile& profile_;
  const std::string module_;
  bool devices_have_ops_ = false;
  absl::flat_hash_map<int64_t, int32_t> program_by_id_;
  absl::flat_hash_map<std::string, int32_t> program_by_name_;             // -1: several
  absl::flat_hash_map<int64_t, const interop::ProfileEvent*> launches_;   // by correlation
  absl::flat_hash_map<std::pair<uint32_t, uint32_t>, Target> by_kernel_;  // plane and kind of event
  struct CacheKey {
    uint32_t plane, metadata;
    interop::ProfileString op, module;
    int64_t program;
    friend bool operator==(const CacheKey&, const CacheKey&) = default;
    template <typename H>
    friend H AbslHashValue(H h, const CacheKey& k) {
      return H::combine(std::move(h), k.plane, k.metadata, k.op, k.module, k.program);
    }
  };
  absl::flat_hash_map<CacheKey, Target> cache_;
  absl::flat_hash_map<std::pair<int32_t, uint32_t>, int32_t> rows_;
  // Events of a row by plane and kind of event: several kernels make one execution.
  std::map<std::pair<int32_t, uint32_t>, std::map<uint32_t, int64_t>> kernels_;
  std::map<std::pair<std::string, std::string>, size_t> unattributed_;
};

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_PROFILE_MATCHER_H_
