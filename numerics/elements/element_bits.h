// SPDX-License-Identifier: Apache-2.0
// Carriers for elements that are only moved.
#ifndef HLOSCOPE_NUMERICS_ELEMENTS_ELEMENT_BITS_H_
#define HLOSCOPE_NUMERICS_ELEMENTS_ELEMENT_BITS_H_

#include <cstdint>

namespace hloscope::numerics {

struct Bits128 {
  uint64_t low, high;
};

// Calls `body` with a value of an unsigned type of the element's size: a carrier for its bits.
template <typename Body>
auto VisitElementBytes(int64_t element_bytes, Body&& body) {
  switch (element_bytes) {
    case 1:
      return body(uint8_t{});
    case 2:
      return body(uint16_t{});
    case 4:
      return body(uint32_t{});
    case 8:
      return body(uint64_t{});
    default:
      return body(Bits128{});
  }
}

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_ELEMENTS_ELEMENT_BITS_H_
