// Which computations print in place of their names.
#ifndef HLOSCOPE_CORE_PRINT_INLINE_PLAN_H_
#define HLOSCOPE_CORE_PRINT_INLINE_PLAN_H_

#include <vector>

#include "core/ir/module.h"

namespace hloscope {

// By computation: true if its body prints where it is called. Without a limit, computations that call each other many
// times would make the text exponentially long: the largest ones keep their names until the text has at most some
// millions of instructions, and bodies nest at most 100 deep. The entry computation and what nobody calls never print
// in place.
std::vector<bool> PlanInlining(const Module& module);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_PRINT_INLINE_PLAN_H_
