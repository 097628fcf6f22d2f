// SPDX-License-Identifier: Apache-2.0
// Which bytes an instruction reads and writes by itself; cost.h says what counts.
#ifndef HLOSCOPE_CORE_ANALYSIS_TRAFFIC_H_
#define HLOSCOPE_CORE_ANALYSIS_TRAFFIC_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "core/ir/module.h"

namespace hloscope {

struct Traffic {
  int64_t bytes_read = 0, bytes_written = 0;
};

// `bytes_of`: the bytes of an instruction's value. All operands are known.
Traffic MeasureTraffic(const Module& module, InstructionId id, absl::FunctionRef<int64_t(InstructionId)> bytes_of);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_TRAFFIC_H_
