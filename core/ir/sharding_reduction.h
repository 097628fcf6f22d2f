// SPDX-License-Identifier: Apache-2.0
// How a sharding of partial results names its reduction.
#ifndef HLOSCOPE_CORE_IR_SHARDING_REDUCTION_H_
#define HLOSCOPE_CORE_IR_SHARDING_REDUCTION_H_

namespace hloscope {

// Type of the metadata entry in which the device notation of an unreduced sharding keeps its reduction
// (docs/text-format.md 6.12, 7.10). The entry's name is the reduction in capitals: SUM, MAX or MIN.
inline constexpr char kReductionOpType[] = "sdy::reduction_op";

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_IR_SHARDING_REDUCTION_H_
