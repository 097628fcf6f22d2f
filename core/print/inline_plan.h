// SPDX-License-Identifier: Apache-2.0
// Which computations print in place of their names.
#ifndef HLOSCOPE_CORE_PRINT_INLINE_PLAN_H_
#define HLOSCOPE_CORE_PRINT_INLINE_PLAN_H_

#include <vector>

#include "core/ir/module.h"
#include "core/print/print_options.h"

namespace hloscope {

// By computation: true if its body prints where it is called. Without a limit, computations that call each other many
// times would make the text exponentially long: the largest ones keep their names until the text has at most some
// millions of instructions, and bodies nest at most 100 deep. The entry computation and what nobody calls never print
// in place. With `only_written`, only bodies that the text has in place do.
std::vector<bool> PlanInlining(const Module& module, bool only_written, PrintOrder order);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_PRINT_INLINE_PLAN_H_
