// SPDX-License-Identifier: Apache-2.0
// Requests of this adapter's own, for a time slider and the history of values.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "lsp/debug_adapter/debug_session.h"
#include "lsp/debug_adapter/request_arguments.h"
#include "nlohmann/json.hpp"

namespace hloscope::dap {
namespace {

using nlohmann::json;

constexpr int64_t kUsualHistory = 200;
constexpr int64_t kMostHistory = 10000;

}  // namespace

absl::StatusOr<json> DebugSession::Time(const json&) {
  return json{{"position", timeline().position()},
              {"known", timeline().known_end()},
              {"finished", IsFinished()},
              {"historyBytes", timeline().history_bytes()}};
}

absl::StatusOr<json> DebugSession::GoToTime(const json& arguments) {
  const absl::StatusOr<int64_t> position = RequiredInteger(arguments, "position");
  if (!position.ok()) return position.status();
  const int64_t end = timeline().known_end();
  if (*position < 0 || *position > end) {
    return absl::OutOfRangeError(absl::StrCat("the run is known from position 0 to ", end, ", not at ", *position));
  }
  Move move;
  move.reason = "goto";
  move.title = "Going to another time";
  move.interruptible = false;
  move.moves_all_threads = true;
  move.run = [this, to = *position]() -> absl::StatusOr<evaluator::Stop> {
    if (absl::Status status = timeline().GoTo(to); !status.ok()) return status;
    evaluator::Stop stop;
    stop.reason = evaluator::StopReason::kStep;
    stop.device = timeline().stopped_device();
    return stop;
  };
  move_ = std::move(move);
  return json();
}

absl::StatusOr<json> DebugSession::ValueHistory(const json& arguments) {
  const absl::StatusOr<std::string> text = RequiredString(arguments, "expression");
  if (!text.ok()) return text.status();
  const int64_t limit = std::clamp<int64_t>(IntegerOr(arguments, "limit", kUsualHistory), 1, kMostHistory);
  evaluator::ExpressionError error;
  const std::optional<evaluator::Expression> expression =
      evaluator::Expression::Parse(*text, debugger().names(), &error);
  if (!expression.has_value()) return absl::InvalidArgumentError(evaluator::RenderExpressionError(*text, error));
  size_t count = 0;
  const absl::StatusOr<std::vector<evaluator::Debugger::PastResult>> past =
      debugger().History(*expression, static_cast<size_t>(limit), &count);
  if (!past.ok()) return past.status();
  json values = json::array();
  variables_.set_format(FormatOf(arguments));
  for (const evaluator::Debugger::PastResult& one : *past) {
    json value = {{"path", one.path}, {"device", one.device}};
    variables_.Describe({one.value, "", {}}, "value", &value);
    values.push_back(std::move(value));
  }
  return json{{"values", std::move(values)}, {"count", count}};
}

}  // namespace hloscope::dap
