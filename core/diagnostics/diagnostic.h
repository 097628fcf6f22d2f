// SPDX-License-Identifier: Apache-2.0
// Diagnostics about a text, as data. Rendering to a terminal (render.h), to LSP or to the GUI is separate.
#ifndef HLOSCOPE_CORE_DIAGNOSTICS_DIAGNOSTIC_H_
#define HLOSCOPE_CORE_DIAGNOSTICS_DIAGNOSTIC_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/diagnostics/check_stage.h"
#include "core/source/source_range.h"

namespace hloscope {

enum class Severity : uint8_t { kError, kWarning, kInformation, kHint };

enum class DiagnosticKind : uint16_t {
#define HLO_DIAGNOSTIC(Enum, code, severity, message) k##Enum,
#include "core/diagnostics/kinds.def"
};

struct DiagnosticInfo {
  absl::string_view code;  // stable: "unknown-opcode"
  Severity severity;
  absl::string_view message;  // $0, $1, ... stand for the arguments
  // Compilers accept what is reported: a warning, and an error only for those who ask for strict checks.
  bool is_tolerated = false;
};
const DiagnosticInfo& InfoOf(DiagnosticKind kind);
// The kind's severity; an error for a tolerated kind in strict checks.
Severity SeverityOf(DiagnosticKind kind, bool strict);
std::optional<DiagnosticKind> DiagnosticKindFromCode(absl::string_view code);
// Every code, in the order of the table.
std::vector<absl::string_view> AllDiagnosticCodes();
absl::string_view SeverityName(Severity severity);

// A second place that helps to understand the first.
struct RelatedLocation {
  SourceRange range;
  std::string message;
};

// A change of the text that a user can apply with one action.
struct FixIt {
  struct Edit {
    SourceRange range;
    std::string replacement;
  };
  std::string title;
  std::vector<Edit> edits;
};

struct Diagnostic {
  DiagnosticKind kind;
  Severity severity;
  SourceRange range;
  std::vector<std::string> arguments;
  std::vector<RelatedLocation> related;
  std::vector<FixIt> fixes;
  // Compilers accept it; the message says so.
  bool is_tolerated = false;

  absl::string_view code() const { return InfoOf(kind).code; }
  // The kind's message with the arguments filled in.
  std::string Message() const;

  Diagnostic& Related(SourceRange where, std::string message);
  Diagnostic& Fix(std::string title, SourceRange where, std::string replacement);
};

// Collects diagnostics. `Report` returns the new diagnostic so that the caller can attach related places and fixes; the
// reference is valid until the next report.
class DiagnosticSink {
 public:
  // What the diagnostics from now on come from.
  void SetSource(CheckStage stage, uint32_t owner = DiagnosticSource::kNobody) { source_ = {stage, owner}; }
  // Of each of diagnostics().
  const std::vector<DiagnosticSource>& sources() const { return sources_; }

  // Diagnostics kept; further ones are only counted, so that a text that is not HLO at all costs bounded memory.
  static constexpr size_t kMaxKept = 10000;

  template <typename... Args>
  Diagnostic& Report(DiagnosticKind kind, SourceRange range, const Args&... args) {
    return Add(kind, InfoOf(kind).severity, range, {absl::StrCat(args)...});
  }
  Diagnostic& Add(DiagnosticKind kind, Severity severity, SourceRange range, std::vector<std::string> arguments);

  // Adds those of another sink, as if they were reported here.
  void Append(DiagnosticSink&& other);

  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  std::vector<Diagnostic> Take() { return std::move(diagnostics_); }
  int error_count() const { return error_count_; }
  // Diagnostics that were not kept.
  int64_t dropped_count() const { return dropped_count_; }
  // Diagnostics of any severity, kept or not.
  int64_t report_count() const { return static_cast<int64_t>(diagnostics_.size()) + dropped_count_; }

 private:
  std::vector<Diagnostic> diagnostics_;
  std::vector<DiagnosticSource> sources_;
  DiagnosticSource source_;
  Diagnostic dropped_;  // the last diagnostic that was not kept
  int64_t dropped_count_ = 0;
  int error_count_ = 0;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_DIAGNOSTICS_DIAGNOSTIC_H_
