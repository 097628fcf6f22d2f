// SPDX-License-Identifier: Apache-2.0
// Structural comparison of modules.
#ifndef HLOSCOPE_CORE_ANALYSIS_MODULE_COMPARE_H_
#define HLOSCOPE_CORE_ANALYSIS_MODULE_COMPARE_H_

#include <optional>
#include <string>

#include "core/ir/module.h"
#include "core/print/print_options.h"

namespace hloscope {

// What may differ between modules that count as equal. Everything else must agree; ids, interning and the spelling of
// defaults (an absent attribute and one at its default, an absent layout and the descending one) never matter.
struct ModuleComparison {
  bool ignore_names = false;     // of the module, its instructions and computations
  bool ignore_metadata = false;  // also of shardings, and the stack-frame tables
  bool ignore_backend_config = false;
  bool ignore_control_predecessors = false;
  bool ignore_elision = false;  // a constant written as {...} equals any constant of its shape
  // Elements of tuples may be taken by any number of get-tuple-element instructions with any names and attributes.
  bool ignore_tuple_access = false;
  bool ignore_digits = false;    // numbers outside of literals are compared as they print, with six digits
  bool ignore_uncalled = false;  // computations that the entry computation does not reach
  // Module `b` was read from a print of `a` in this order: what has no name to go by is matched in it.
  std::optional<PrintOrder> printed_order;
};

// What a print of the module with these options does not show, so that reading it again cannot bring it back.
ModuleComparison HiddenInPrint(const Module& module, const PrintOptions& options);

// Empty if the modules are equal, else the first difference in words. Computations are compared as they are called from
// the entry computation, then the others in printed order. Their instructions are matched by name; by their place in
// the printed order if names do not count or the order is a schedule.
std::string FirstDifference(const Module& a, const Module& b, const ModuleComparison& comparison = {});

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_MODULE_COMPARE_H_
