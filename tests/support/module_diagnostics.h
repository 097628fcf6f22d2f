// SPDX-License-Identifier: Apache-2.0
// What the checks say about a small module, in a form that a test can state in one line.
#ifndef HLOSCOPE_TESTS_SUPPORT_MODULE_DIAGNOSTICS_H_
#define HLOSCOPE_TESTS_SUPPORT_MODULE_DIAGNOSTICS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "core/diagnostics/diagnostic.h"
#include "core/ops/rule_context.h"

namespace hloscope {

// The diagnostics at least as severe as `least`, in text order: "code at TEXT | code at TEXT", where TEXT is what the
// diagnostic is anchored at; "ok" if there is none. Computations that are not called count only with Severity::kHint. A
// text without a `HloModule` line gets one.
std::string DiagnosticsOf(absl::string_view text, const VerifyOptions& options = {},
                          Severity least = Severity::kWarning);

// The message of the first such diagnostic; empty if there is none.
std::string FirstDiagnosticOf(absl::string_view text, const VerifyOptions& options = {},
                              Severity least = Severity::kWarning);

// The text after the first fix of the first diagnostic that has one is applied; the text itself if none has.
std::string FixedTextOf(absl::string_view text);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_MODULE_DIAGNOSTICS_H_
