// SPDX-License-Identifier: Apache-2.0
// Conversions of bits as C++ expressions: what the family TypeConversion has besides `convert`.
#ifndef HLOSCOPE_CODEGEN_TYPE_CONVERSION_H_
#define HLOSCOPE_CODEGEN_TYPE_CONVERSION_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/ir/element_type.h"
#include "core/ops/type_conversion.h"

namespace hloscope::codegen {

// The bits of a number of a real type, as an unsigned integer.
std::string BitsOf(ElementType type, absl::string_view number);
// Between types of the same BitcastWidth (core/ops/type_conversion.h).
std::string BitcastConverted(ElementType from, ElementType to, absl::string_view number);
// reduce-precision (9.3). Error Unimplemented for other types than floats.
absl::StatusOr<std::string> PrecisionReduced(ElementType type, ElementType result, int64_t exponent_bits,
                                             int64_t mantissa_bits, absl::string_view number);
// stochastic-convert (9.4). Error Unimplemented if it is not defined for the types.
absl::StatusOr<std::string> StochasticallyConverted(ElementType from, ElementType random, ElementType to,
                                                    absl::string_view number, absl::string_view bits);

}  // namespace hloscope::codegen

#endif  // HLOSCOPE_CODEGEN_TYPE_CONVERSION_H_
