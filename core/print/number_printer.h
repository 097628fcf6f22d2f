// SPDX-License-Identifier: Apache-2.0
// Spelling of numbers in HLO text (docs/text-format.md 7.9).
#ifndef HLOSCOPE_CORE_PRINT_NUMBER_PRINTER_H_
#define HLOSCOPE_CORE_PRINT_NUMBER_PRINTER_H_

#include <cstdint>
#include <string>

#include "absl/types/span.h"
#include "core/ir/element_type.h"

namespace hloscope {

void AppendInteger(int64_t value, std::string* out);
// Integers joined by `separator`.
void AppendIntegers(absl::Span<const int64_t> values, absl::string_view separator, std::string* out);

// As C's %.{precision}g.
void AppendGeneral(double value, int precision, std::string* out);
// A number that is not an element of a literal (epsilon, statistics, tolerances): six significant digits.
void AppendPlainFloat(double value, std::string* out);
// The same with as many digits as it takes to read the value again, where six are not enough. Of a value that counts as
// an f32 only those that an f32 has.
void AppendWrittenFloat(double value, bool is_f32, std::string* out);

// One element of an array of type `type`, given its StorageBytes(type) little-endian bytes: integers in decimal, floats
// by the type's precision, NaNs with their payload, complex numbers as `(re, im)`, pred as `true` or `false`. Requires
// IsArrayElement(type).
void AppendElement(ElementType type, const uint8_t* bytes, std::string* out);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_PRINT_NUMBER_PRINTER_H_
