// SPDX-License-Identifier: Apache-2.0
// Names from elsewhere that people write in HLO text, and what they mean by them.
#ifndef HLOSCOPE_CORE_DIAGNOSTICS_FAMILIAR_NAMES_H_
#define HLOSCOPE_CORE_DIAGNOSTICS_FAMILIAR_NAMES_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/diagnostics/diagnostic.h"

namespace hloscope {

// What people who come from other dialects (StableHLO, JAX, C) or older versions mean by `word`, or else the nearest
// name (suggestions.h). Empty if nothing is plausible.
absl::string_view NearestOpcode(absl::string_view word);       // "exp": "exponential"
absl::string_view NearestElementType(absl::string_view word);  // "i32": "s32"
// What HLO has instead of a function that is no instruction of its own: "relu" is "`maximum(x, zeros)`". Empty for
// others.
absl::string_view InsteadOfFunction(absl::string_view word);
// The opcode of `+`, `<=` and so on; empty for what is no sign.
absl::string_view OpcodeOfSign(absl::string_view sign);
// Among the attributes `names`; "precision_config": "operand_precision".
absl::string_view NearestAttribute(absl::string_view word, absl::Span<const absl::string_view> names);

// Reports the word as an opcode that is not known or gone, with what may be meant by it.
void ReportUnknownOpcode(DiagnosticSink& sink, SourceRange range, absl::string_view word);

// What replaces an opcode that is gone ("use `all-reduce`"); empty for any other word.
absl::string_view ReplacementOfRemovedOpcode(absl::string_view word);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_DIAGNOSTICS_FAMILIAR_NAMES_H_
