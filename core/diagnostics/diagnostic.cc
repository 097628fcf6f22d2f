// SPDX-License-Identifier: Apache-2.0
#include "core/diagnostics/diagnostic.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace hloscope {
namespace {

// What the column of severities of the table means.
struct Column {
  Severity severity;
  bool is_tolerated = false;
};
constexpr Column kError = {Severity::kError};
constexpr Column kWarning = {Severity::kWarning};
constexpr Column kInformation = {Severity::kInformation};
constexpr Column kHint = {Severity::kHint};
constexpr Column kTolerated = {Severity::kWarning, true};

constexpr DiagnosticInfo kInfos[] = {
#define HLO_DIAGNOSTIC(Enum, code, column, message) {code, k##column.severity, message, k##column.is_tolerated},
#include "core/diagnostics/kinds.def"
};

}  // namespace

const DiagnosticInfo& InfoOf(DiagnosticKind kind) { return kInfos[static_cast<size_t>(kind)]; }

Severity SeverityOf(DiagnosticKind kind, bool strict) {
  const DiagnosticInfo& info = InfoOf(kind);
  return strict && info.is_tolerated ? Severity::kError : info.severity;
}

std::optional<DiagnosticKind> DiagnosticKindFromCode(absl::string_view code) {
  for (size_t i = 0; i < std::size(kInfos); ++i) {
    if (kInfos[i].code == code) return static_cast<DiagnosticKind>(i);
  }
  return std::nullopt;
}

std::vector<absl::string_view> AllDiagnosticCodes() {
  std::vector<absl::string_view> codes;
  for (const DiagnosticInfo& info : kInfos) codes.push_back(info.code);
  return codes;
}

absl::string_view SeverityName(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kInformation:
      return "note";
    case Severity::kHint:
      return "hint";
  }
  return "error";
}

std::string Diagnostic::Message() const {
  std::string out;
  const absl::string_view format = InfoOf(kind).message;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] == '$' && i + 1 < format.size() && format[i + 1] >= '0' && format[i + 1] <= '9') {
      const size_t n = static_cast<size_t>(format[++i] - '0');
      if (n < arguments.size()) out += arguments[n];
    } else {
      out += format[i];
    }
  }
  if (is_tolerated) out += " (compilers accept this)";
  return out;
}

Diagnostic& Diagnostic::Related(SourceRange where, std::string message) {
  related.push_back({where, std::move(message)});
  return *this;
}

Diagnostic& Diagnostic::Fix(std::string title, SourceRange where, std::string replacement) {
  fixes.push_back({std::move(title), {{where, std::move(replacement)}}});
  return *this;
}

void DiagnosticSink::Append(DiagnosticSink&& other) {
  const size_t kept = std::min(other.diagnostics_.size(), kMaxKept - std::min(kMaxKept, diagnostics_.size()));
  std::move(other.diagnostics_.begin(), other.diagnostics_.begin() + static_cast<std::ptrdiff_t>(kept),
            std::back_inserter(diagnostics_));
  sources_.insert(sources_.end(), other.sources_.begin(), other.sources_.begin() + static_cast<std::ptrdiff_t>(kept));
  dropped_count_ += other.dropped_count_ + static_cast<int64_t>(other.diagnostics_.size() - kept);
  error_count_ += other.error_count_;
}

Diagnostic& DiagnosticSink::Add(DiagnosticKind kind, Severity severity, SourceRange range,
                                std::vector<std::string> arguments) {
  const bool keep = diagnostics_.size() < kMaxKept;
  if (!keep) {
    dropped_ = Diagnostic();
    ++dropped_count_;
  }
  if (keep) sources_.push_back(source_);
  Diagnostic& d = keep ? diagnostics_.emplace_back() : dropped_;
  d.kind = kind;
  d.severity = severity;
  d.is_tolerated = InfoOf(kind).is_tolerated;
  d.range = range;
  d.arguments = std::move(arguments);
  if (d.severity == Severity::kError) ++error_count_;
  return d;
}

}  // namespace hloscope
