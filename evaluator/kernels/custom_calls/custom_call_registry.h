// SPDX-License-Identifier: Apache-2.0
// The custom-call targets that the evaluator computes itself (docs/ops/control.md 3).
#ifndef HLOSCOPE_EVALUATOR_KERNELS_CUSTOM_CALLS_CUSTOM_CALL_REGISTRY_H_
#define HLOSCOPE_EVALUATOR_KERNELS_CUSTOM_CALLS_CUSTOM_CALL_REGISTRY_H_

#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "evaluator/kernels/interface/kernel.h"

namespace hloscope::evaluator {

// Errors of a handler are those of a kernel. Operands are checked by the handler: nothing about a custom call is
// verified.
using CustomCallHandler = absl::StatusOr<Value> (*)(const KernelContext& context);

// Handlers by target name. Immutable once built, so it may be read from any thread.
class CustomCallRegistry {
 public:
  // All targets this evaluator knows.
  static const CustomCallRegistry& Get();

  void Register(absl::string_view target, CustomCallHandler handler) { handlers_[std::string(target)] = handler; }
  // Null if the target is unknown.
  CustomCallHandler Find(absl::string_view target) const;

 private:
  absl::flat_hash_map<std::string, CustomCallHandler> handlers_;
};

// One function for each group of targets; called by CustomCallRegistry::Get.
void RegisterAnnotationCalls(CustomCallRegistry& registry);     // 3.2
void RegisterShardingCalls(CustomCallRegistry& registry);       // 3.3
void RegisterSelectionCalls(CustomCallRegistry& registry);      // TopK, PartialReduce, threefry, dynamic sizes ...
void RegisterLinearAlgebraCalls(CustomCallRegistry& registry);  // factorisations and solvers

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_CUSTOM_CALLS_CUSTOM_CALL_REGISTRY_H_
