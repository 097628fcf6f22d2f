// SPDX-License-Identifier: Apache-2.0
#include "codegen/type_conversion.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "codegen/cpp_types.h"

namespace hloscope::codegen {

std::string BitsOf(ElementType type, absl::string_view number) {
  const std::string stored = Stored(type, number);
  if (StoredType(type) == BitsType(StorageBytes(type))) return stored;
  return absl::StrCat("std::bit_cast<", BitsType(StorageBytes(type)), ">(", stored, ")");
}

std::string BitcastConverted(ElementType from, ElementType to, absl::string_view number) {
  if (from == to) return std::string(number);
  const std::string stored = Stored(from, number);
  if (to == ElementType::kPred) return absl::StrCat("static_cast<uint8_t>(", stored, " != 0)");
  const std::string cast =
      StoredType(from) == StoredType(to) ? stored : absl::StrCat("std::bit_cast<", StoredType(to), ">(", stored, ")");
  if (IsFloat(to) && BitWidth(to) < 8) {
    return Loaded(to, absl::StrCat("WrapUnsigned<", BitWidth(to), ">(", cast, ")"));
  }
  return IsFloat(to) ? Loaded(to, cast) : Rounded(to, cast);
}

absl::StatusOr<std::string> PrecisionReduced(ElementType type, ElementType result, int64_t exponent_bits,
                                             int64_t mantissa_bits, absl::string_view number) {
  if (!IsFloat(type)) {
    return absl::UnimplementedError(absl::StrCat("it is not defined for ", ElementTypeName(type)));
  }
  // Formats without infinity: on the f32 image.
  const ElementType domain = FloatFormatOf(type).has_infinity && type == result ? type
                             : type == ElementType::kF64                        ? type
                                                                                : ElementType::kF32;
  const FloatFormat& format = FloatFormatOf(domain);
  // More bits than any type has change nothing.
  const std::string reduced =
      absl::StrCat("ReducePrecision<", BitsType(StorageBytes(domain)), ">(", BitsOf(domain, number), ", ReducedFormat{",
                   format.exponent_bits, ", ", format.mantissa_bits, ", ", format.bias, ", ",
                   std::clamp<int64_t>(exponent_bits, 1, 31), ", ", std::clamp<int64_t>(mantissa_bits, 0, 64), "})");
  const std::string cast = StoredType(domain) == BitsType(StorageBytes(domain))
                               ? reduced
                               : absl::StrCat("std::bit_cast<", StoredType(domain), ">(", reduced, ")");
  return Converted(domain, result, Loaded(domain, cast));
}

absl::StatusOr<std::string> StochasticallyConverted(ElementType from, ElementType random, ElementType to,
                                                    absl::string_view number, absl::string_view bits) {
  if (!IsFloat(from) || !IsUnsigned(random) || !IsSigned(to)) {
    return absl::UnimplementedError(absl::StrCat("it is not defined from ", ElementTypeName(from), " with ",
                                                 ElementTypeName(random), " to ", ElementTypeName(to)));
  }
  return absl::StrCat("StochasticRounding<", NumberType(to), ">(", BitWidth(to), ", ", BitWidth(random),
                      ")(static_cast<double>(", number, "), ", bits, ")");
}

}  // namespace hloscope::codegen
