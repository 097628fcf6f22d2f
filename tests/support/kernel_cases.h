// SPDX-License-Identifier: Apache-2.0
// Modules of one kernel each, whose arrays are parameters: large enough for the kernels' fast loops, small enough to
// run many of them.
#ifndef HLOSCOPE_TESTS_SUPPORT_KERNEL_CASES_H_
#define HLOSCOPE_TESTS_SUPPORT_KERNEL_CASES_H_

#include <string>

#include "absl/types/span.h"
#include "core/ir/element_type.h"

namespace hloscope {

struct KernelCase {
  const char* name;
  const char* entry;  // the entry computation, for KernelCaseText
};

// For any type with an order.
absl::Span<const KernelCase> KernelCases();
// For floats alone.
absl::Span<const KernelCase> FloatKernelCases();

// The text of the module for arrays of `type`.
std::string KernelCaseText(const KernelCase& test, ElementType type);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_KERNEL_CASES_H_
