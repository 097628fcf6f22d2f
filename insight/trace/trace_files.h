// SPDX-License-Identifier: Apache-2.0
// A traced run in the formats of other programs.
#ifndef HLOSCOPE_INSIGHT_TRACE_TRACE_FILES_H_
#define HLOSCOPE_INSIGHT_TRACE_TRACE_FILES_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/ir/module.h"
#include "evaluator/engine/run_trace.h"
#include "insight/html/html_report.h"

namespace hloscope::insight {

enum class TraceForm : uint8_t {
  kChrome,   // JSON of trace events: Perfetto, chrome://tracing
  kPprof,    // perftools.profiles.Profile
  kProfile,  // XSpace with the module: `hloscope profile` and profilers of XLA programs
  kFlame,    // SVG: flame graphs by calls and by scopes
  kPage,     // HTML: the steps of each device in time, to be zoomed, and what took longest
  kFolded,   // "a;b;c 123": one line for each way of calls
};
// By the suffix, whether or not `.gz` follows: .json; .pb and .pprof; .xplane.pb; .svg; .html; .folded. Nothing for
// others.
std::optional<TraceForm> TraceFormOf(absl::string_view path);

// The same trace gives the same bytes. Errors: those of EncodeModule, for kProfile.
absl::StatusOr<std::string> EncodeTrace(const Module& module, const evaluator::RunTrace& trace, TraceForm form);

// What kPage holds, for those who add to it.
HtmlReport TracePage(const Module& module, const evaluator::RunTrace& trace);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_TRACE_TRACE_FILES_H_
