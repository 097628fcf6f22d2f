// SPDX-License-Identifier: Apache-2.0
// The checks of verify_switches.def by name, for command lines.
#ifndef HLOSCOPE_CORE_OPS_VERIFY_SWITCHES_H_
#define HLOSCOPE_CORE_OPS_VERIFY_SWITCHES_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "core/ops/rule_context.h"

namespace hloscope {

struct VerifySwitch {
  absl::string_view name;
  bool VerifyOptions::*member;
  bool default_value;
  absl::string_view help;
};
const std::vector<VerifySwitch>& VerifySwitches();

// Applies a list such as "deadlocks,no-replica-groups". Error InvalidArgument: a name that does not exist; the message
// lists those that do.
absl::Status ApplyVerifySwitches(absl::string_view list, VerifyOptions* options);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_VERIFY_SWITCHES_H_
