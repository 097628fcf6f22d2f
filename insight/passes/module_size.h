// SPDX-License-Identifier: Apache-2.0
// How large a module is, and what it takes.
#ifndef HLOSCOPE_INSIGHT_PASSES_MODULE_SIZE_H_
#define HLOSCOPE_INSIGHT_PASSES_MODULE_SIZE_H_

#include <cstddef>
#include <cstdint>

#include "core/document/document.h"

namespace hloscope::insight {

struct ModuleSize {
  size_t instructions = 0;
  int64_t flop = 0, bytes = 0, peak_bytes = 0;  // of one run of the entry computation
};
ModuleSize SizeOf(const Document& document);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_PASSES_MODULE_SIZE_H_
