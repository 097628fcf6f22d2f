// SPDX-License-Identifier: Apache-2.0
// Reading, comparing and printing single elements in tests: decimal numbers, bit patterns (#7fc0), (re,im), inf, nan.
#ifndef HLOSCOPE_TESTS_SUPPORT_ELEMENT_VALUES_H_
#define HLOSCOPE_TESTS_SUPPORT_ELEMENT_VALUES_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "core/ir/element_type.h"

namespace hloscope {

// Writes the element that `text` spells to `bytes` (StorageBytes(type) of them). False if it cannot be read.
bool ReadElement(ElementType type, absl::string_view text, uint8_t* bytes);
// The element with enough digits to tell it apart from its neighbours, and its bits.
std::string PrintElement(ElementType type, const uint8_t* bytes);

// Equal bits, or both NaN (part by part for complex numbers).
bool ElementsIdentical(ElementType type, const uint8_t* a, const uint8_t* b);
// At most `ulps` representable steps apart; NaN matches NaN only, infinities and signs of zero count. For complex
// numbers each part, where the ulp is that of the absolute value for a part below 2^-12 of the other.
bool ElementsWithin(ElementType type, const uint8_t* actual, const uint8_t* expected, int64_t ulps);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_ELEMENT_VALUES_H_
