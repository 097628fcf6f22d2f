// SPDX-License-Identifier: Apache-2.0
// A profile as data: planes of devices and hosts, their lines of events, and the programs that ran.
#ifndef HLOSCOPE_INTEROP_PROFILE_PROFILE_H_
#define HLOSCOPE_INTEROP_PROFILE_PROFILE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace hloscope::interop {

// A string of a profile, by number; 0: none.
using ProfileString = uint32_t;

struct ProfileEvent {
  uint32_t metadata = 0;  // into ProfilePlane::metadata
  int64_t begin_ps = 0;   // on the clock of the profile
  int64_t duration_ps = 0;
  int64_t occurrences = 1;  // more: an aggregate without a begin
  ProfileString hlo_op = 0, hlo_module = 0;
  int64_t program = -1;      // -1: not said
  int64_t correlation = -1;  // links a kernel with its launch
  int64_t run = -1;
  bool is_launch = false;  // host time of starting something on a device
};

// What all events of one kind have in common.
struct ProfileEventKind {
  int64_t id = 0;
  std::string name, display_name;
  ProfileString hlo_op = 0, hlo_module = 0, deduplicated = 0, category = 0;
  int64_t program = -1;
  int64_t flops = -1, bytes = -1;  // of one execution, as the file has them; -1: not said
  bool is_known = true;            // false: events name it, but the file does not have it
};

struct ProfileLine {
  int64_t id = 0;
  std::string name;
  std::vector<ProfileEvent> events;
  bool is_derived = false;  // computed by a tool from the other lines
};

struct ProfilePlane {
  std::string name;
  std::vector<ProfileEventKind> metadata;
  std::vector<ProfileLine> lines;
  std::vector<std::pair<std::string, std::string>> facts;  // "memory_bandwidth", "2662400000000"
  bool IsDevice() const;                                   // "/device:GPU:0"
};

struct ProfileProgram {
  int64_t id = 0;
  std::string name;             // "jit_f(15)"
  absl::string_view hlo_proto;  // empty: the file has none
};

struct Profile {
  std::vector<ProfilePlane> planes;
  std::vector<ProfileProgram> programs;
  std::vector<std::string> strings = {""};
  std::vector<std::string> errors, warnings, hostnames;  // of the profiler
  // What of the file could not be used: a sentence with an example, and how often.
  std::map<std::string, int64_t> problems;
  std::shared_ptr<const std::string> bytes;  // of the file: programs look into it

  absl::string_view Text(ProfileString string) const { return strings[string]; }
};

// An XSpace, in binary or text form. What is damaged or cut is left out and listed in `problems`. Errors
// (InvalidArgument): there is nothing of a profile in it.
absl::StatusOr<Profile> ReadProfile(std::shared_ptr<const std::string> bytes);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_PROFILE_PROFILE_H_
