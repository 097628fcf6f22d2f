// SPDX-License-Identifier: Apache-2.0
#include "lsp/debug_adapter/data_watch.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace hloscope::dap {
namespace {

constexpr absl::string_view kValue = "value:", kCondition = "if:";

constexpr ExceptionFilter kFilters[] = {
    {"nan", "NaN", "Stop after an instruction that makes a NaN although no operand holds one",
     evaluator::NumericEvent::kNan},
    {"inf", "Infinity", "Stop after an instruction that makes an infinity although no operand holds one",
     evaluator::NumericEvent::kInfinity},
    {"overflow", "Overflow on convert", "Stop after a convert of a number that does not fit the result's type",
     evaluator::NumericEvent::kConvertOverflow},
    {"index", "Index out of bounds",
     "Stop after a dynamic slice, gather or scatter whose start index is outside of its operand",
     evaluator::NumericEvent::kIndexOutOfBounds},
};

absl::StatusOr<evaluator::Watchpoint> ExceptionWatch(const BreakpointRequest& request, const Module& module,
                                                     const evaluator::Debugger& debugger) {
  for (const ExceptionFilter& filter : kFilters) {
    if (filter.name != request.place) continue;
    evaluator::Watchpoint watch;
    watch.kind = evaluator::Watchpoint::Kind::kEvent;
    watch.event = filter.event;
    if (!request.condition.empty()) {
      absl::StatusOr<std::vector<InstructionId>> what =
          evaluator::LocationsOf(module, debugger.names(), request.condition, module.entry());
      if (!what.ok()) return what.status();
      // A computation means everything in it.
      if (const ComputationId computation = debugger.names().FindComputation(request.condition);
          computation.has_value() && !debugger.names().IsInstruction(request.condition)) {
        *what = module.computation(computation).instructions;
      }
      watch.what = *std::move(what);
    }
    return watch;
  }
  return absl::NotFoundError(absl::StrCat("there is no exception filter `", request.place, "`"));
}

absl::StatusOr<evaluator::Watchpoint> DataWatch(const BreakpointRequest& request, const Module& module,
                                                const evaluator::Debugger& debugger) {
  evaluator::Watchpoint watch;
  absl::string_view id = request.place;
  std::string condition = request.condition;
  if (absl::ConsumePrefix(&id, kValue)) {
    absl::StatusOr<InstructionId> instruction = debugger.names().RequireInstruction(id, module.entry());
    if (!instruction.ok()) return instruction.status();
    watch.what = {*instruction};
  } else if (absl::ConsumePrefix(&id, kCondition)) {
    condition = condition.empty() ? std::string(id) : absl::StrCat("(", id, ") && (", condition, ")");
  } else {
    return absl::InvalidArgumentError(absl::StrCat("`", request.place, "` names no value"));
  }
  if (condition.empty()) return watch;
  evaluator::ExpressionError error;
  watch.kind = evaluator::Watchpoint::Kind::kCondition;
  watch.condition = evaluator::Expression::Parse(condition, debugger.names(), &error);
  if (!watch.condition.has_value())
    return absl::InvalidArgumentError(evaluator::RenderExpressionError(condition, error));
  if (!watch.what.empty()) return watch;
  for (const std::string& name : watch.condition->ValueNames()) {
    const absl::Span<const InstructionId> ids = debugger.names().Instructions(name);
    watch.what.insert(watch.what.end(), ids.begin(), ids.end());
  }
  if (watch.what.empty()) return absl::InvalidArgumentError("the condition names no value to watch");
  return watch;
}

}  // namespace

absl::Span<const ExceptionFilter> ExceptionFilters() { return kFilters; }

std::string DataIdOfValue(const Module& module, InstructionId id) {
  return absl::StrCat(kValue, module.ComputationName(module.instruction(id).computation),
                      "::", module.InstructionName(id));
}

std::string DataIdOfCondition(absl::string_view expression) { return absl::StrCat(kCondition, expression); }

absl::StatusOr<int> SetWatch(const BreakpointRequest& request, const Module& module, evaluator::Debugger& debugger) {
  absl::StatusOr<evaluator::Watchpoint> watch = request.kind == BreakpointRequest::Kind::kData
                                                    ? DataWatch(request, module, debugger)
                                                    : ExceptionWatch(request, module, debugger);
  if (!watch.ok()) return watch.status();
  if (!request.hit_condition.empty()) {
    absl::StatusOr<std::string> text = HitExpression(request.hit_condition);
    if (!text.ok()) return text.status();
    evaluator::ExpressionError error;
    watch->hit_condition = evaluator::Expression::Parse(*text, debugger.names(), &error);
  }
  watch->text = request.place;
  return debugger.Add(*std::move(watch));
}

}  // namespace hloscope::dap
