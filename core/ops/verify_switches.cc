// SPDX-License-Identifier: Apache-2.0
#include "core/ops/verify_switches.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace hloscope {

const std::vector<VerifySwitch>& VerifySwitches() {
  static const auto* switches = new std::vector<VerifySwitch>{
#define HLO_VERIFY_SWITCH(member, name, default_value, help) {name, &VerifyOptions::member, default_value, help},
#include "core/ops/verify_switches.def"
  };
  return *switches;
}

absl::Status ApplyVerifySwitches(absl::string_view list, VerifyOptions* options) {
  const std::vector<VerifySwitch>& switches = VerifySwitches();
  for (absl::string_view word : absl::StrSplit(list, ',')) {
    absl::string_view name = word;
    const bool value = !absl::ConsumePrefix(&name, "no-");
    const auto found = std::find_if(switches.begin(), switches.end(), [&](const auto& s) { return s.name == name; });
    if (found == switches.end()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "there is no check `", name, "`; the checks that can be switched on, or off with `no-`, are ",
          absl::StrJoin(switches, ", ", [](std::string* out, const auto& s) { absl::StrAppend(out, s.name); })));
    }
    options->*found->member = value;
  }
  return absl::OkStatus();
}

}  // namespace hloscope
