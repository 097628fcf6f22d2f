// Requests about values: looking at them, changing them, expressions, memory.
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "lsp/debug_adapter/debug_session.h"
#include "lsp/debug_adapter/request_arguments.h"
#include "lsp/debug_adapter/session_console.h"
#include "nlohmann/json.hpp"

namespace hloscope::dap {
namespace {

using nlohmann::json;

// Bytes of one answer to readMemory.
constexpr int64_t kMostBytes = int64_t{16} << 20;

}  // namespace

absl::StatusOr<json> DebugSession::Variables(const json& arguments) {
  const absl::StatusOr<int64_t> reference = RequiredInteger(arguments, "variablesReference");
  if (!reference.ok()) return reference.status();
  VariablesPage page;
  const std::string filter = StringOr(arguments, "filter", "");
  page.named = filter != "indexed";
  page.indexed = filter != "named";
  page.start = IntegerOr(arguments, "start", 0);
  absl::StatusOr<std::optional<int64_t>> count = OptionalInteger(arguments, "count");
  if (!count.ok()) return count.status();
  page.count = *count;
  absl::StatusOr<json> list = variables_.Children(*reference, page);
  if (!list.ok()) return list.status();
  return json{{"variables", *std::move(list)}};
}

absl::StatusOr<evaluator::Value> DebugSession::EvaluateText(const std::string& text, const FrameReference& frame) {
  evaluator::ExpressionError error;
  const std::optional<evaluator::Expression> expression =
      evaluator::Expression::Parse(text, debugger().names(), &error);
  std::optional<evaluator::Value> value;
  if (expression.has_value()) {
    evaluator::RunScope scope(timeline(), debugger().names(), frame.device, frame.frame);
    value = expression->Evaluate(scope, &error);
  }
  if (!value.has_value()) return absl::InvalidArgumentError(evaluator::RenderExpressionError(text, error));
  return *std::move(value);
}

absl::StatusOr<json> DebugSession::Evaluate(const json& arguments) {
  const absl::StatusOr<std::string> text = RequiredString(arguments, "expression");
  if (!text.ok()) return text.status();
  FrameReference frame = latest_frame_.value_or(InnermostFrame(stop_.device));
  if (Member(arguments, "frameId") != nullptr) {
    const absl::StatusOr<FrameReference> given = FrameFrom(arguments, "frameId");
    if (!given.ok()) return given.status();
    frame = *given;
  }
  const std::string context = StringOr(arguments, "context", "");
  const std::string expression(absl::StripAsciiWhitespace(*text));
  absl::StatusOr<evaluator::Value> value = EvaluateText(expression, frame);
  if (!value.ok() && context == "repl") {
    console_->Select(frame.device, frame.frame);
    const std::optional<bool> done = console_->ExecuteLine(expression);
    std::string said = console_->TakeSaid();
    const std::string problems = console_->TakeProblems();
    if (done.has_value()) {
      if (!*done) return absl::InvalidArgumentError(absl::StrCat(said, problems));
      while (!said.empty() && said.back() == '\n') said.pop_back();
      return json{{"result", said}, {"variablesReference", 0}};
    }
  }
  if (!value.ok()) return value.status();
  json body = json::object();
  variables_.Describe({*std::move(value), expression, {}}, "result", &body);
  return body;
}

absl::StatusOr<json> DebugSession::Set(const std::string& target, const std::string& value,
                                       const FrameReference& frame) {
  console_->Select(frame.device, frame.frame);
  const bool done = console_->SetElements(target, value);
  console_->TakeSaid();
  const std::string problems = console_->TakeProblems();
  if (!done) return absl::InvalidArgumentError(problems);
  absl::StatusOr<evaluator::Value> now = EvaluateText(target, frame);
  if (!now.ok()) return now.status();
  json body = json::object();
  variables_.Describe({*std::move(now), target, {}}, "value", &body);
  body.erase("evaluateName");
  if (client_.invalidated) {
    after_response_.push_back([this] { writer_.Event("invalidated", {{"areas", {"variables"}}}); });
  }
  return body;
}

absl::StatusOr<json> DebugSession::SetVariable(const json& arguments) {
  const absl::StatusOr<int64_t> container = RequiredInteger(arguments, "variablesReference");
  const absl::StatusOr<std::string> name = RequiredString(arguments, "name");
  const absl::StatusOr<std::string> value = RequiredString(arguments, "value");
  if (!container.ok()) return container.status();
  if (!name.ok()) return name.status();
  if (!value.ok()) return value.status();
  const absl::StatusOr<std::string> target = variables_.ExpressionOf(*container, *name);
  if (!target.ok()) return target.status();
  return Set(*target, *value, latest_frame_.value_or(InnermostFrame(stop_.device)));
}

absl::StatusOr<json> DebugSession::SetExpression(const json& arguments) {
  const absl::StatusOr<std::string> target = RequiredString(arguments, "expression");
  const absl::StatusOr<std::string> value = RequiredString(arguments, "value");
  if (!target.ok()) return target.status();
  if (!value.ok()) return value.status();
  FrameReference frame = latest_frame_.value_or(InnermostFrame(stop_.device));
  if (Member(arguments, "frameId") != nullptr) {
    const absl::StatusOr<FrameReference> given = FrameFrom(arguments, "frameId");
    if (!given.ok()) return given.status();
    frame = *given;
  }
  return Set(*target, *value, frame);
}

absl::StatusOr<json> DebugSession::Completions(const json& arguments) {
  const absl::StatusOr<std::string> text = RequiredString(arguments, "text");
  const absl::StatusOr<int64_t> column = RequiredInteger(arguments, "column");
  if (!text.ok()) return text.status();
  if (!column.ok()) return column.status();
  // Several lines: the cursor's.
  std::string line = *text;
  for (int64_t n = IntegerOr(arguments, "line", LineToClient(0)) - LineToClient(0); n > 0; --n) {
    line.erase(0, std::min(line.find('\n'), line.size() - 1) + 1);
  }
  const std::shared_ptr<const SourceText> source = SourceText::FromString("console", line.substr(0, line.find('\n')));
  const uint32_t cursor =
      source->OffsetAt({0, static_cast<uint32_t>(std::clamp<int64_t>(ColumnFromClient(*column), 0, source->size()))},
                       ColumnUnit::kUtf16);
  const absl::string_view before = source->text().substr(0, cursor);
  const size_t begin = reports::DebugConsole::WordBegin(before);
  const std::string word(before.substr(begin));
  json list = json::array();
  const uint32_t start = source->LineColumnAt(static_cast<uint32_t>(begin), ColumnUnit::kUtf16).column;
  const uint32_t length = source->LineColumnAt(cursor, ColumnUnit::kUtf16).column - start;
  std::set<std::string> added;
  const auto add = [&](std::string label, const char* type) {
    if (!added.insert(label).second) return;
    list.push_back({{"label", std::move(label)}, {"type", type}, {"start", start}, {"length", length}});
  };
  if (begin == 0) {
    for (const reports::DebugCommandText& command : reports::DebugConsole::ConsoleCommands()) {
      if (absl::StartsWith(command.name(), word)) add(std::string(command.name()), "keyword");
    }
  }
  for (std::string& name : console_->CompleteWord(word)) {
    const bool value = debugger().names().IsInstruction(name);
    add(std::move(name), value ? "variable" : "function");
  }
  return json{{"targets", std::move(list)}};
}

absl::StatusOr<json> DebugSession::ReadMemory(const json& arguments) {
  const absl::StatusOr<std::string> reference = RequiredString(arguments, "memoryReference");
  if (!reference.ok()) return reference.status();
  const absl::StatusOr<int64_t> count = RequiredInteger(arguments, "count");
  if (!count.ok()) return count.status();
  const int64_t offset = IntegerOr(arguments, "offset", 0);
  if (*count < 0) return absl::InvalidArgumentError("`count` must be at least 0");
  const absl::StatusOr<evaluator::Tensor> tensor = variables_.Memory(*reference);
  if (!tensor.ok()) return tensor.status();
  const int64_t size = tensor->byte_size();
  json body = {{"address", absl::StrCat("0x", absl::Hex(std::max<int64_t>(offset, 0)))}};
  if (offset < 0 || offset >= size) {
    body["unreadableBytes"] = *count;
    return body;
  }
  const int64_t wanted = std::min({*count, size - offset, kMostBytes});
  const absl::StatusOr<evaluator::Tensor> dense = tensor->Contiguous();
  if (!dense.ok()) return dense.status();
  body["data"] = absl::Base64Escape(
      absl::string_view(reinterpret_cast<const char*>(dense->data()) + offset, static_cast<size_t>(wanted)));
  if (wanted < *count && wanted < kMostBytes) body["unreadableBytes"] = *count - wanted;
  return body;
}

}  // namespace hloscope::dap
