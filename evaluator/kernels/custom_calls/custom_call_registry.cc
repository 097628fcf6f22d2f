// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/custom_calls/custom_call_registry.h"

namespace hloscope::evaluator {

const CustomCallRegistry& CustomCallRegistry::Get() {
  static const CustomCallRegistry* const registry = [] {
    auto* all = new CustomCallRegistry();
    RegisterAnnotationCalls(*all);
    RegisterShardingCalls(*all);
    RegisterSelectionCalls(*all);
    RegisterLinearAlgebraCalls(*all);
    return all;
  }();
  return *registry;
}

CustomCallHandler CustomCallRegistry::Find(absl::string_view target) const {
  const auto found = handlers_.find(std::string(target));
  return found == handlers_.end() ? nullptr : found->second;
}

}  // namespace hloscope::evaluator
