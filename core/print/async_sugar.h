// SPDX-License-Identifier: Apache-2.0
// Which asynchronous links may print as `X-start`, `X-update`, `X-done` (docs/text-format.md 6.16, 7.2, 7.5).
#ifndef HLOSCOPE_CORE_PRINT_ASYNC_SUGAR_H_
#define HLOSCOPE_CORE_PRINT_ASYNC_SUGAR_H_

#include <vector>

#include "absl/functional/function_ref.h"
#include "core/ir/module.h"
#include "core/print/print_options.h"

namespace hloscope {

class SugaredChains {
 public:
  // Chains print as sugar if reading that gives the same chain again. `prints`: whether an attribute does.
  SugaredChains(const Module& module, const PrintOptions& options,
                absl::FunctionRef<bool(InstructionId, AttributeKind)> prints);

  // The instruction X that a link of a chain stands for; none if the link does not print as sugar.
  InstructionId WrappedBy(InstructionId link) const;
  // True if the computation holds nothing but an X that prints as sugar: then it does not print itself.
  bool IsHidden(ComputationId computation) const { return hidden_[computation.index()]; }

 private:
  const Module& module_;
  std::vector<bool> hidden_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_PRINT_ASYNC_SUGAR_H_
