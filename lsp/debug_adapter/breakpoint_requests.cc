// SPDX-License-Identifier: Apache-2.0
// Requests about where and why the run stops.
#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "lsp/debug_adapter/data_watch.h"
#include "lsp/debug_adapter/debug_session.h"
#include "lsp/debug_adapter/request_arguments.h"
#include "nlohmann/json.hpp"

namespace hloscope::dap {
namespace {

using nlohmann::json;
using Kind = BreakpointRequest::Kind;

BreakpointRequest WithConditions(BreakpointRequest request, const json& given) {
  request.condition = StringOr(given, "condition", "");
  request.hit_condition = StringOr(given, "hitCondition", "");
  request.log = StringOr(given, "logMessage", "");
  return request;
}

}  // namespace

json DebugSession::BreakpointJson(const StoredBreakpoint& stored) const {
  json breakpoint = {{"id", stored.id}, {"verified", stored.number > 0}};
  if (!stored.message.empty()) {
    breakpoint["message"] = stored.message;
    breakpoint["reason"] = "failed";
  }
  if (stored.instruction.has_value()) {
    DescribePlace(stored.instruction, &breakpoint);
    breakpoint["instructionReference"] = InstructionReference(stored.instruction);
  }
  if (stored.request.kind == Kind::kSource && !IsProgram(stored.request.place)) {
    // A line of the program that the module was compiled from: that is where the client shows it.
    for (const char* name : {"endLine", "column", "endColumn"}) breakpoint.erase(name);
    breakpoint["source"] = PathJson(stored.request.place);
    breakpoint["line"] = LineToClient(stored.request.line);
  }
  return breakpoint;
}

absl::StatusOr<json> DebugSession::Replace(Kind kind, const std::string& place,
                                           std::vector<BreakpointRequest> requests) {
  json list = json::array();
  if (no_debug_) {
    for (size_t i = 0; i < requests.size(); ++i) {
      list.push_back({{"verified", false}, {"message", "the module runs without debugging"}});
    }
    return json{{"breakpoints", std::move(list)}};
  }
  for (const StoredBreakpoint& stored :
       breakpoints_.Replace(kind, place, std::move(requests), *document_, debugger())) {
    list.push_back(BreakpointJson(stored));
  }
  return json{{"breakpoints", std::move(list)}};
}

void DebugSession::RenewBreakpoints() {
  for (const StoredBreakpoint& stored : breakpoints_.Renew(*document_, debugger())) {
    after_response_.push_back([this, breakpoint = BreakpointJson(stored)] {
      writer_.Event("breakpoint", {{"reason", "changed"}, {"breakpoint", breakpoint}});
    });
  }
}

absl::StatusOr<json> DebugSession::SetBreakpoints(const json& arguments) {
  const json* const source = Member(arguments, "source");
  if (source == nullptr) return absl::InvalidArgumentError("`source` is missing");
  const std::string path = PathFrom(*source);
  if (path.empty()) return absl::InvalidArgumentError("`source` has no `path`");
  std::vector<BreakpointRequest> requests;
  for (const json& given : ListOf(arguments, "breakpoints")) {
    const absl::StatusOr<int64_t> line = RequiredInteger(given, "line");
    if (!line.ok()) return line.status();
    BreakpointRequest request;
    request.kind = Kind::kSource;
    request.place = path;
    request.line = LineFromClient(*line);
    const int64_t column = IntegerOr(given, "column", -1);
    request.column = column < 0 ? -1 : ColumnFromClient(column);
    requests.push_back(WithConditions(std::move(request), given));
  }
  // An older form of the request.
  if (Member(arguments, "breakpoints") == nullptr) {
    for (const json& line : ListOf(arguments, "lines")) {
      const json wrapped = {{"line", line}};
      const absl::StatusOr<int64_t> number = RequiredInteger(wrapped, "line");
      if (!number.ok()) return number.status();
      BreakpointRequest request;
      request.place = path;
      request.line = LineFromClient(*number);
      requests.push_back(std::move(request));
    }
  }
  return Replace(Kind::kSource, path, std::move(requests));
}

absl::StatusOr<json> DebugSession::SetFunctionBreakpoints(const json& arguments) {
  std::vector<BreakpointRequest> requests;
  for (const json& given : ListOf(arguments, "breakpoints")) {
    absl::StatusOr<std::string> name = RequiredString(given, "name");
    if (!name.ok()) return name.status();
    BreakpointRequest request;
    request.kind = Kind::kFunction;
    request.place = *std::move(name);
    requests.push_back(WithConditions(std::move(request), given));
  }
  return Replace(Kind::kFunction, "", std::move(requests));
}

absl::StatusOr<json> DebugSession::SetInstructionBreakpoints(const json& arguments) {
  std::vector<BreakpointRequest> requests;
  for (const json& given : ListOf(arguments, "breakpoints")) {
    absl::StatusOr<std::string> reference = RequiredString(given, "instructionReference");
    if (!reference.ok()) return reference.status();
    BreakpointRequest request;
    request.kind = Kind::kInstruction;
    request.place = *std::move(reference);
    request.line = IntegerOr(given, "offset", 0);
    requests.push_back(WithConditions(std::move(request), given));
  }
  return Replace(Kind::kInstruction, "", std::move(requests));
}

absl::StatusOr<json> DebugSession::SetDataBreakpoints(const json& arguments) {
  std::vector<BreakpointRequest> requests;
  for (const json& given : ListOf(arguments, "breakpoints")) {
    absl::StatusOr<std::string> id = RequiredString(given, "dataId");
    if (!id.ok()) return id.status();
    BreakpointRequest request;
    request.kind = Kind::kData;
    request.place = *std::move(id);
    requests.push_back(WithConditions(std::move(request), given));
  }
  return Replace(Kind::kData, "", std::move(requests));
}

absl::StatusOr<json> DebugSession::DataBreakpointInfo(const json& arguments) {
  const absl::StatusOr<std::string> name = RequiredString(arguments, "name");
  if (!name.ok()) return name.status();
  const auto none = [](std::string why) { return json{{"dataId", nullptr}, {"description", std::move(why)}}; };
  std::string text = *name;
  if (const int64_t container = IntegerOr(arguments, "variablesReference", 0); container > 0) {
    const absl::StatusOr<std::string> expression = variables_.ExpressionOf(container, *name);
    if (!expression.ok()) return none(std::string(expression.status().message()));
    text = *expression;
  }
  evaluator::ExpressionError error;
  const std::optional<evaluator::Expression> expression =
      evaluator::Expression::Parse(text, debugger().names(), &error);
  if (!expression.has_value()) return none(evaluator::RenderExpressionError(text, error));
  const evaluator::ExpressionNode* node = &expression->root();
  while (node->kind == evaluator::ExpressionNode::Kind::kIndex ||
         node->kind == evaluator::ExpressionNode::Kind::kElement) {
    node = &node->operands[0];
  }
  const std::vector<std::string> values = expression->ValueNames();
  if (values.empty()) return none(absl::StrCat("`", text, "` names no value of the run"));
  std::string id, description;
  if (node->kind == evaluator::ExpressionNode::Kind::kValue) {
    FrameReference frame = latest_frame_.value_or(InnermostFrame(stop_.device));
    if (Member(arguments, "frameId") != nullptr) {
      const absl::StatusOr<FrameReference> given = FrameFrom(arguments, "frameId");
      if (!given.ok()) return given.status();
      frame = *given;
    }
    const absl::Span<const evaluator::Frame> open = timeline().inspection(frame.device).frames();
    const absl::StatusOr<InstructionId> instruction = debugger().names().RequireInstruction(
        node->name, frame.frame < open.size() ? open[frame.frame].computation : module().entry());
    if (!instruction.ok()) return none(std::string(instruction.status().message()));
    const Opcode opcode = module().opcode(*instruction);
    if (opcode == Opcode::kParameter || opcode == Opcode::kConstant) {
      return none(absl::StrCat(node->name, " is given, not computed: nothing changes it"));
    }
    id = DataIdOfValue(module(), *instruction);
    description = absl::StrCat("whenever ", node->name, " is computed");
  } else {
    id = DataIdOfCondition(text);
    description = absl::StrCat("when ", text, " becomes true");
  }
  return json{{"dataId", id}, {"description", description}, {"accessTypes", {"write"}}, {"canPersist", true}};
}

absl::StatusOr<json> DebugSession::SetExceptionBreakpoints(const json& arguments) {
  std::vector<BreakpointRequest> requests;
  const auto add = [&](const std::string& filter, std::string condition) {
    BreakpointRequest request;
    request.kind = Kind::kException;
    request.place = filter;
    request.condition = std::move(condition);
    requests.push_back(std::move(request));
  };
  for (const json& filter : ListOf(arguments, "filters")) {
    if (const auto* text = filter.get_ptr<const json::string_t*>()) add(*text, "");
  }
  for (const json& option : ListOf(arguments, "filterOptions")) {
    absl::StatusOr<std::string> filter = RequiredString(option, "filterId");
    if (!filter.ok()) return filter.status();
    add(*filter, StringOr(option, "condition", ""));
  }
  // An older form: paths of names, each perhaps meaning all but these.
  for (const json& option : ListOf(arguments, "exceptionOptions")) {
    if (StringOr(option, "breakMode", "always") == "never") continue;
    std::vector<std::string> names;
    bool all_but = false;
    for (const json& segment : ListOf(option, "path")) {
      all_but |= BoolOr(segment, "negate", false);
      for (const json& name : ListOf(segment, "names")) {
        if (const auto* text = name.get_ptr<const json::string_t*>()) names.push_back(*text);
      }
    }
    // Without a path: all of them.
    if (names.empty()) all_but = true;
    if (!all_but) {
      for (const std::string& name : names) add(name, "");
      continue;
    }
    for (const ExceptionFilter& filter : ExceptionFilters()) {
      if (std::count(names.begin(), names.end(), filter.name) == 0) add(std::string(filter.name), "");
    }
  }
  return Replace(Kind::kException, "", std::move(requests));
}

void DebugSession::DescribeStop(const Move& move, const evaluator::Stop& stop, json* body) {
  json ids = json::array();
  std::string reason = move.reason, description, text;
  const auto add = [&](int number) {
    const StoredBreakpoint* const stored = breakpoints_.Find(number);
    if (stored != nullptr) ids.push_back(stored->id);
    return stored;
  };
  switch (stop.reason) {
    case evaluator::StopReason::kBreakpoint:
      for (int number : stop.breakpoints) {
        const StoredBreakpoint* const stored = add(number);
        reason = stored != nullptr && stored->request.kind == Kind::kFunction      ? "function breakpoint"
                 : stored != nullptr && stored->request.kind == Kind::kInstruction ? "instruction breakpoint"
                                                                                   : "breakpoint";
      }
      break;
    case evaluator::StopReason::kPaused:
      reason = "pause";
      break;
    case evaluator::StopReason::kBlocked:
      description = absl::StrCat(timeline().run().DeviceName(stop.device), " waits for other devices");
      break;
    case evaluator::StopReason::kFinished:
      description = "Finished: the results are there";
      if (move.reason == "entry" || move.reason == "continue") reason = "finished";
      break;
    case evaluator::StopReason::kFailed:
      reason = "exception";
      description = "The run failed";
      text = std::string(timeline().status().message());
      break;
    case evaluator::StopReason::kNotStarted:
    case evaluator::StopReason::kStep:
    case evaluator::StopReason::kObserved:
      break;
  }
  for (const evaluator::WatchHit& hit : stop.watches) {
    const StoredBreakpoint* const stored = add(hit.number);
    if (&hit != &stop.watches.front()) continue;  // only the first one is reported
    const bool event = stored != nullptr && stored->request.kind == Kind::kException;
    reason = event ? "exception" : "data breakpoint";
    const bool is_said = event || !hit.what.empty();
    text = is_said ? hit.what : absl::StrCat(module().InstructionName(hit.instruction), " = ", ShortValue(hit.value));
    description = is_said ? hit.what : absl::StrCat(module().InstructionName(hit.instruction), " was computed");
  }
  if (!stop.problems.empty()) text = stop.problems.front();
  (*body)["reason"] = reason == "continue" ? "step" : reason;
  if (!description.empty()) (*body)["description"] = description;
  if (!text.empty()) (*body)["text"] = text;
  if (!ids.empty()) (*body)["hitBreakpointIds"] = std::move(ids);
}

absl::StatusOr<json> DebugSession::ExceptionInfo(const json& arguments) {
  const absl::StatusOr<int64_t> device = Device(arguments);
  if (!device.ok()) return device.status();
  const auto info = [](const std::string& id, const std::string& message, const std::string& where) {
    return json{{"exceptionId", id},
                {"description", message},
                {"breakMode", "always"},
                {"details", {{"message", message}, {"typeName", id}, {"stackTrace", where}}}};
  };
  for (const evaluator::WatchHit& hit : stop_.watches) {
    const StoredBreakpoint* const stored = breakpoints_.Find(hit.number);
    if (stored == nullptr || stored->request.kind != Kind::kException) continue;
    json body = info(stored->request.place, hit.what, hit.path);
    body["details"]["evaluateName"] = std::string(module().InstructionName(hit.instruction));
    return body;
  }
  if (stop_.reason == evaluator::StopReason::kFailed) {
    return info("failure", std::string(timeline().status().message()),
                evaluator::ExecutionPath(module(), timeline().inspection(stop_.device).frames()));
  }
  return absl::FailedPreconditionError("the run did not stop because of an exception");
}

}  // namespace hloscope::dap
