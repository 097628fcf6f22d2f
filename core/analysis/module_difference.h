// Whether two modules mean the same.
#ifndef HLOSCOPE_CORE_ANALYSIS_MODULE_DIFFERENCE_H_
#define HLOSCOPE_CORE_ANALYSIS_MODULE_DIFFERENCE_H_

#include <optional>
#include <string>

#include "core/ir/module.h"

namespace hloscope {

// The first difference between the graphs of two modules, in words, or nothing if they are equal: the same header, and
// from the entry computations down the same instructions with the same shapes, operands, attributes, literals and
// called computations. Ids, names and the order of independent instructions do not count. Constants elided in both are
// equal. O(instructions).
std::optional<std::string> FirstDifference(const Module& a, const Module& b);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_MODULE_DIFFERENCE_H_
