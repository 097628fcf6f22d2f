// SPDX-License-Identifier: Apache-2.0
// What devices can do at most.
#ifndef HLOSCOPE_INSIGHT_PROFILE_DEVICES_H_
#define HLOSCOPE_INSIGHT_PROFILE_DEVICES_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/ir/element_type.h"
#include "interop/profile/profile.h"

namespace hloscope::insight {

struct DeviceLimits {
  std::string name;                     // empty: not known
  double bytes_per_second = 0;          // 0: not known
  std::map<std::string, double> flops;  // per second, by the words of the table: "bf16"
  std::string vendor;                   // lower case
  int64_t cores = 0, memory_bytes = 0;
  std::string source;  // "the table of devices", "the profile"

  // With operands of the type; of the next wider type that is known, 0 if none is.
  double FlopsOf(ElementType type) const;
};

class DeviceTable {
 public:
  // The lines of resources/devices/devices.txt, or of a user's table. Error InvalidArgument with the line.
  absl::Status Add(absl::string_view text, absl::string_view file);
  // The table that ships with the program, as far as it can be found.
  static DeviceTable Shipped();

  // Null if there is none of that name (letters of either case).
  const DeviceLimits* Find(absl::string_view name) const;
  // By what the profile says of a plane: the row that fits best, else its own figures.
  DeviceLimits Of(const interop::ProfilePlane& plane) const;
  const std::vector<DeviceLimits>& rows() const { return rows_; }

 private:
  std::vector<DeviceLimits> rows_;
};

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_PROFILE_DEVICES_H_
