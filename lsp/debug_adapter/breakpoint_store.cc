// SPDX-License-Identifier: Apache-2.0
#include "lsp/debug_adapter/breakpoint_store.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "lsp/debug_adapter/data_watch.h"
#include "lsp/protocol/file_uri.h"
#include "reports/text_places.h"

namespace hloscope::dap {
namespace {

absl::StatusOr<evaluator::Expression> ParseExpression(const std::string& text, const evaluator::NameIndex& names) {
  evaluator::ExpressionError error;
  std::optional<evaluator::Expression> expression = evaluator::Expression::Parse(text, names, &error);
  if (!expression.has_value()) return absl::InvalidArgumentError(evaluator::RenderExpressionError(text, error));
  return *std::move(expression);
}

bool SameFile(absl::string_view a, absl::string_view b) {
  return a == b || absl::EndsWith(a, absl::StrCat("/", b)) || absl::EndsWith(b, absl::StrCat("/", a));
}

absl::StatusOr<std::vector<InstructionId>> SourceLocations(const BreakpointRequest& request, const Document& document,
                                                           const evaluator::NameIndex& names) {
  if (SameFile(request.place, reports::KnownText(document).name())) {
    const InstructionId id = reports::InstructionAtLine(document, request.line, request.column);
    if (!id.has_value()) return absl::NotFoundError("there is no instruction at or below this line");
    return std::vector<InstructionId>{id};
  }
  // A line of the program that the module was compiled from.
  return evaluator::LocationsOf(document.module(), names,
                                absl::StrCat(lsp::FileName(request.place), ":", request.line + 1),
                                document.module().entry());
}

absl::StatusOr<std::vector<InstructionId>> Locations(const BreakpointRequest& request, const Document& document,
                                                     const evaluator::NameIndex& names) {
  switch (request.kind) {
    case BreakpointRequest::Kind::kSource:
      return SourceLocations(request, document, names);
    case BreakpointRequest::Kind::kFunction:
      return evaluator::LocationsOf(document.module(), names, request.place, document.module().entry());
    case BreakpointRequest::Kind::kInstruction:
    case BreakpointRequest::Kind::kData:
    case BreakpointRequest::Kind::kException:
      break;
  }
  absl::StatusOr<InstructionId> id = InstructionFromReference(document.module(), request.place, request.line);
  if (!id.ok()) return id.status();
  return std::vector<InstructionId>{*id};
}

absl::StatusOr<int> SetBreak(const BreakpointRequest& request, const Document& document,
                             evaluator::Debugger& debugger) {
  evaluator::Breakpoint breakpoint;
  absl::StatusOr<std::vector<InstructionId>> locations = Locations(request, document, debugger.names());
  if (!locations.ok()) return locations.status();
  breakpoint.locations = *std::move(locations);
  breakpoint.place = request.place;
  breakpoint.log = request.log;
  if (!request.condition.empty()) {
    absl::StatusOr<evaluator::Expression> condition = ParseExpression(request.condition, debugger.names());
    if (!condition.ok()) return condition.status();
    breakpoint.condition = *std::move(condition);
  }
  if (!request.hit_condition.empty()) {
    absl::StatusOr<std::string> text = HitExpression(request.hit_condition);
    if (!text.ok()) return text.status();
    absl::StatusOr<evaluator::Expression> condition = ParseExpression(*text, debugger.names());
    if (!condition.ok()) return condition.status();
    breakpoint.hit_condition = *std::move(condition);
  }
  return debugger.Add(std::move(breakpoint));
}

}  // namespace

void BreakpointStore::Set(StoredBreakpoint& stored, const Document& document, evaluator::Debugger& debugger) {
  stored.number = 0;
  stored.message.clear();
  stored.instruction = InstructionId();
  const bool watches = stored.request.kind == Kind::kData || stored.request.kind == Kind::kException;
  const absl::StatusOr<int> number =
      watches ? SetWatch(stored.request, document.module(), debugger) : SetBreak(stored.request, document, debugger);
  if (!number.ok()) {
    stored.message = std::string(number.status().message());
    return;
  }
  stored.number = *number;
  if (watches) return;
  const evaluator::Breakpoint& set = debugger.breakpoints().back();
  if (set.locations.size() != 1) return;
  const InstructionId step = debugger.timeline().breakpoints(0).StepAtOrAfter(set.locations[0]);
  if (!step.has_value()) {
    debugger.Delete(stored.number);
    stored.number = 0;
    stored.message = absl::StrCat(document.module().InstructionName(set.locations[0]),
                                  " is never executed: nothing needs its value, and no step follows");
    return;
  }
  stored.instruction = step;
}

std::vector<StoredBreakpoint> BreakpointStore::Replace(Kind kind, const std::string& place,
                                                       std::vector<BreakpointRequest> requests,
                                                       const Document& document, evaluator::Debugger& debugger) {
  const auto replaced = [&](const StoredBreakpoint& one) {
    return one.request.kind == kind && (kind != Kind::kSource || one.request.place == place);
  };
  std::vector<StoredBreakpoint> old;
  std::copy_if(stored_.begin(), stored_.end(), std::back_inserter(old), replaced);
  std::erase_if(stored_, replaced);
  std::vector<StoredBreakpoint> result;
  for (BreakpointRequest& request : requests) {
    const auto same =
        std::find_if(old.begin(), old.end(), [&](const StoredBreakpoint& one) { return one.request == request; });
    if (same != old.end()) {
      result.push_back(std::move(*same));
      old.erase(same);
      continue;
    }
    StoredBreakpoint& made = result.emplace_back();
    made.id = next_id_++;
    made.request = std::move(request);
    Set(made, document, debugger);
  }
  for (const StoredBreakpoint& gone : old) {
    if (gone.number > 0) debugger.Delete(gone.number);
  }
  stored_.insert(stored_.end(), result.begin(), result.end());
  return result;
}

std::vector<StoredBreakpoint> BreakpointStore::Renew(const Document& document, evaluator::Debugger& debugger) {
  for (StoredBreakpoint& one : stored_) Set(one, document, debugger);
  return stored_;
}

void BreakpointStore::Clear(evaluator::Debugger& debugger) {
  for (const StoredBreakpoint& one : stored_) {
    if (one.number > 0) debugger.Delete(one.number);
  }
  stored_.clear();
}

const StoredBreakpoint* BreakpointStore::Find(int number) const {
  const auto found =
      std::find_if(stored_.begin(), stored_.end(), [&](const StoredBreakpoint& one) { return one.number == number; });
  return found == stored_.end() ? nullptr : &*found;
}

std::string InstructionReference(InstructionId id) { return absl::StrCat("0x", absl::Hex(id.index())); }

absl::StatusOr<InstructionId> InstructionFromReference(const Module& module, absl::string_view text, int64_t offset) {
  uint64_t number = 0;
  int64_t index = 0;
  const absl::string_view digits = absl::StripPrefix(text, "0x");
  const bool good = absl::StartsWith(text, "0x") && absl::SimpleHexAtoi(digits, &number) &&
                    number <= module.instruction_count() &&
                    !__builtin_add_overflow(static_cast<int64_t>(number), offset, &index) && index >= 0 &&
                    index < static_cast<int64_t>(module.instruction_count());
  if (!good) return absl::InvalidArgumentError(absl::StrCat("`", text, "` is no instruction of the module"));
  return InstructionId(static_cast<size_t>(index));
}

absl::StatusOr<std::string> HitExpression(absl::string_view text) {
  text = absl::StripAsciiWhitespace(text);
  const size_t digits = std::min(text.find_first_of("0123456789"), text.size());
  absl::string_view sign = absl::StripAsciiWhitespace(text.substr(0, digits));
  int64_t number;
  constexpr absl::string_view kSigns[] = {"", "=", "==", "!=", "<", "<=", ">", ">=", "%"};
  if (!absl::SimpleAtoi(text.substr(digits), &number) || number < 0 || (sign == "%" && number == 0) ||
      std::find(std::begin(kSigns), std::end(kSigns), sign) == std::end(kSigns)) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", text, "` is no hit count: write 5, >= 5, > 5, < 5, <= 5, != 5 or % 5 (every fifth)"));
  }
  if (sign == "%") return absl::StrCat("hits % ", number, " == 0");
  if (sign.empty() || sign == "=") sign = "==";
  return absl::StrCat("hits ", sign, " ", number);
}

}  // namespace hloscope::dap
