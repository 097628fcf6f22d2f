// SPDX-License-Identifier: Apache-2.0
// Spelling of literals (docs/text-format.md 7.8).
#ifndef HLOSCOPE_CORE_PRINT_LITERAL_PRINTER_H_
#define HLOSCOPE_CORE_PRINT_LITERAL_PRINTER_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "core/ir/literal.h"
#include "core/print/print_options.h"

namespace hloscope {

struct LiteralPrintOptions {
  // Arrays with more elements than kMaxSmallConstant print in full; otherwise as `{...}`.
  bool large = true;
  // Shape before each array, as the `literal=` attribute needs it, with which layouts.
  bool shapes = false;
  LayoutText layouts = LayoutText::kAll;
  // `/*i0=3*/` before the inner levels of arrays of four dimensions and more.
  bool index_comments = true;
  // Arrays of zeros as `0`, of ones as `1`; other values only of integers, else `{...}`.
  bool essential = false;
};
inline constexpr int64_t kMaxSmallConstant = 10;

// Appends the literal on one line. What the text elided stays `{...}`. Two deviations from the reference keep the
// result readable: elements of a tuple are elided one by one, not as a whole; and an array of more than 2^24 elements
// that are zero but for the first prints as that first element alone, which reads as the same value (5.2).
void AppendLiteral(const Literal& literal, const LiteralPrintOptions& options, std::string* out);

std::string PrintLiteral(const Literal& literal, const LiteralPrintOptions& options = {});

// The same text, as pieces of some kilobytes. Ends early, with false, where `take` returns false.
bool PrintLiteralInPieces(const Literal& literal, const LiteralPrintOptions& options,
                          absl::FunctionRef<bool(absl::string_view)> take);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_PRINT_LITERAL_PRINTER_H_
