// SPDX-License-Identifier: Apache-2.0
// How numbers are written where a client asks for another form than the usual one.
#ifndef HLOSCOPE_LSP_DEBUG_ADAPTER_VALUE_FORMAT_H_
#define HLOSCOPE_LSP_DEBUG_ADAPTER_VALUE_FORMAT_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "evaluator/tensor/value.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::dap {

enum class ValueFormat : uint8_t {
  kUsual,
  kHex,         // the bits, "0x3f800000": floats too
  kBinary,      // the bits, "0b00111111"
  kScientific,  // "1.000000e+00"
};

// `format` of the arguments of a request: `hex` of the protocol; `binary` and `scientific` are of this adapter.
ValueFormat FormatOf(const nlohmann::json& arguments);

// Takes a format off the end of an expression: "x[0], hex", "x, h", "x, b", "x, e". Without one: kUsual.
ValueFormat TakeFormat(absl::string_view* expression);

// The value in one line, with at most 16 elements. Requires another format than kUsual.
std::string FormattedValue(const evaluator::Value& value, ValueFormat format);

}  // namespace hloscope::dap

#endif  // HLOSCOPE_LSP_DEBUG_ADAPTER_VALUE_FORMAT_H_
