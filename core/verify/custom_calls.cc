// SPDX-License-Identifier: Apache-2.0
// Custom calls that a run will not get past (V096).
#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "core/ops/custom_call.h"
#include "core/ops/element_type_rules.h"
#include "core/verify/verification.h"

namespace hloscope {

void VerifyCustomCalls(Verification& v) {
  if (!v.options.check_custom_calls || v.options.knows_custom_call == nullptr) return;
  if (!v.module.MayHave(Opcode::kCustomCall)) return;
  // One diagnostic for each target: a dump calls a few of them thousands of times.
  struct Calls {
    InstructionId first;
    size_t count = 0;
  };
  std::vector<Calls> unknown;
  absl::flat_hash_map<absl::string_view, size_t> by_target;  // places in `unknown`, or kKnown
  constexpr size_t kKnown = ~size_t{0};
  for (uint32_t i = 0; i < v.module.instruction_count(); ++i) {
    const InstructionId id(i);
    if (v.module.opcode(id) != Opcode::kCustomCall || !v.IsReadable(id)) continue;
    const absl::string_view target = CustomCallTarget(v.module, id);
    const auto [place, is_new] = by_target.try_emplace(target, kKnown);
    if (is_new && !v.options.knows_custom_call(target)) {
      place->second = unknown.size();
      unknown.push_back({id, 0});
    }
    if (place->second != kKnown) ++unknown[place->second].count;
  }
  for (const Calls& calls : unknown) {
    const std::string more =
        calls.count > 1 ? absl::StrCat(" (", CountOf(calls.count - 1, "more call", "more calls"), " of it)") : "";
    v.Report(DiagnosticKind::kUnknownCustomCall, calls.first, Anchor::AttributeValue(AttributeKind::kCustomCallTarget),
             CustomCallTarget(v.module, calls.first), more);
  }
}

}  // namespace hloscope
