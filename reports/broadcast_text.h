// SPDX-License-Identifier: Apache-2.0
// How operands are fitted together by broadcasting, as text and as data.
#ifndef HLOSCOPE_REPORTS_BROADCAST_TEXT_H_
#define HLOSCOPE_REPORTS_BROADCAST_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "core/builder/broadcasting.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::reports {

// The steps of each operand, the result, and the HLO that does it. `opcode` is the operation's name.
std::string BroadcastText(const BroadcastPlan& plan, absl::string_view opcode, bool color);
nlohmann::ordered_json BroadcastJson(const BroadcastPlan& plan, absl::string_view opcode);

// The operands, the result, and the HLO that a call of the builder interface expands to.
std::string ExpansionText(absl::Span<const BuilderValue> operands, const Snippet& snippet, bool color);
nlohmann::ordered_json ExpansionJson(absl::string_view call, absl::Span<const BuilderValue> operands,
                                     const Snippet& snippet);

}  // namespace hloscope::reports

#endif  // HLOSCOPE_REPORTS_BROADCAST_TEXT_H_
