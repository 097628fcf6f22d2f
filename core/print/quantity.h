// SPDX-License-Identifier: Apache-2.0
// Numbers of bytes and operations as people write them.
#ifndef HLOSCOPE_CORE_PRINT_QUANTITY_H_
#define HLOSCOPE_CORE_PRINT_QUANTITY_H_

#include <cstdint>
#include <string>

namespace hloscope {

// Binary units, three digits: "312 B", "1.50 MiB", "12.0 GiB".
std::string BytesText(int64_t bytes);

// "6000 FLOP", from a million on "1.23 MFLOP", "45.6 TFLOP".
std::string FlopText(int64_t flops);

// For columns of numbers whose head has the unit: "6000", "1.23 M", "45.6 T".
std::string CountText(int64_t count);

// Per second: "1.23 TFLOP/s", "800 FLOP/s"; "1.50 TB/s" (decimal, as vendors give bandwidths). Empty if it is not
// positive and finite.
std::string FlopRateText(double flops_per_second);
std::string ByteRateText(double bytes_per_second);

// "1.23 ms", "456 ns", "7.00 s".
std::string SecondsText(double seconds);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_PRINT_QUANTITY_H_
