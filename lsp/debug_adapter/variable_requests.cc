// SPDX-License-Identifier: Apache-2.0
// Requests about values: looking at them, changing them, expressions.
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "lsp/debug_adapter/debug_session.h"
#include "lsp/debug_adapter/request_arguments.h"
#include "lsp/debug_adapter/session_console.h"
#include "nlohmann/json.hpp"
#include "reports/debug_help.h"

namespace hloscope::dap {

using nlohmann::json;

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
  variables_.set_format(FormatOf(arguments));
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

absl::StatusOr<DebugSession::FrameReference> DebugSession::FrameOr(const json& arguments) const {
  if (Member(arguments, "frameId") != nullptr) return FrameFrom(arguments, "frameId");
  return latest_frame_.value_or(InnermostFrame(stop_.device));
}

std::optional<absl::StatusOr<std::string>> DebugSession::SayInConsole(const std::string& line,
                                                                      const FrameReference& frame) {
  const std::pair<absl::string_view, absl::string_view> words = absl::StrSplit(line, absl::MaxSplits(' ', 1));
  if (words.first == "help" || words.first == "h" || words.first == "?") {
    const reports::DebugLook look;
    const absl::Span<const reports::DebugCommandText> commands = reports::DebugConsole::ConsoleCommands();
    const absl::string_view name = absl::StripAsciiWhitespace(words.second);
    if (name.empty()) {
      return absl::StrCat(reports::DebugCommandsHelp(look, commands), "expressions show values\n",
                          reports::ExpressionHelp(),
                          "  EXPRESSION, h shows the bits in hexadecimal; , b in binary; , e numbers with exponents\n"
                          "`help COMMAND` says more.");
    }
    const absl::StatusOr<size_t> found = reports::FindDebugCommand(commands, name);
    if (!found.ok()) return found.status();
    return reports::DebugCommandHelp(look, commands[*found]);
  }
  console_->Select(frame.device, frame.frame);
  const std::optional<bool> done = console_->ExecuteLine(line);
  std::string said = console_->TakeSaid();
  const std::string problems = console_->TakeProblems();
  if (!done.has_value()) return std::nullopt;
  if (!*done) return absl::InvalidArgumentError(absl::StrCat(said, problems));
  return said;
}

absl::StatusOr<json> DebugSession::Evaluate(const json& arguments) {
  const absl::StatusOr<std::string> text = RequiredString(arguments, "expression");
  if (!text.ok()) return text.status();
  const absl::StatusOr<FrameReference> frame = FrameOr(arguments);
  if (!frame.ok()) return frame.status();
  const std::string line(absl::StripAsciiWhitespace(*text));
  absl::string_view expression = line;
  ValueFormat format = FormatOf(arguments);
  absl::StatusOr<evaluator::Value> value = EvaluateText(line, *frame);
  if (!value.ok()) {
    const absl::Status mistake = value.status();
    if (const ValueFormat written = TakeFormat(&expression); written != ValueFormat::kUsual) {
      format = written;
      value = EvaluateText(std::string(expression), *frame);
    }
    if (!value.ok() && StringOr(arguments, "context", "") == "repl") {
      if (std::optional<absl::StatusOr<std::string>> said = SayInConsole(line, *frame); said.has_value()) {
        if (!said->ok()) return said->status();
        absl::string_view answer = absl::StripTrailingAsciiWhitespace(**said);
        return json{{"result", std::string(answer)}, {"variablesReference", 0}};
      }
    }
    if (!value.ok()) return mistake;
  }
  json body = json::object();
  variables_.set_format(format);
  variables_.Describe({*std::move(value), std::string(expression), {}}, "result", &body);
  const evaluator::RunScope scope(timeline(), debugger().names(), frame->device, frame->frame);
  if (const auto place = scope.PlaceOf(expression); place.ok()) {
    body["valueLocationReference"] = OriginLocation(place->instruction).value_or(WrittenLocation(place->instruction));
  }
  return body;
}

void DebugSession::TellChangedValues() {
  if (!client_.invalidated) return;
  after_response_.push_back([this] { writer_.Event("invalidated", {{"areas", {"variables"}}}); });
}

absl::StatusOr<json> DebugSession::Set(const std::string& target, const std::string& value, const FrameReference& frame,
                                       ValueFormat format) {
  console_->Select(frame.device, frame.frame);
  const bool done = console_->SetElements(target, value);
  console_->TakeSaid();
  const std::string problems = console_->TakeProblems();
  if (!done) return absl::InvalidArgumentError(problems);
  absl::StatusOr<evaluator::Value> now = EvaluateText(target, frame);
  if (!now.ok()) return now.status();
  json body = json::object();
  variables_.set_format(format);
  variables_.Describe({*std::move(now), target, {}}, "value", &body);
  body.erase("evaluateName");
  TellChangedValues();
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
  return Set(*target, *value, latest_frame_.value_or(InnermostFrame(stop_.device)), FormatOf(arguments));
}

absl::StatusOr<json> DebugSession::SetExpression(const json& arguments) {
  const absl::StatusOr<std::string> target = RequiredString(arguments, "expression");
  const absl::StatusOr<std::string> value = RequiredString(arguments, "value");
  if (!target.ok()) return target.status();
  if (!value.ok()) return value.status();
  const absl::StatusOr<FrameReference> frame = FrameOr(arguments);
  if (!frame.ok()) return frame.status();
  return Set(*target, *value, *frame, FormatOf(arguments));
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
    if (absl::StartsWith("help", word)) add("help", "keyword");
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

}  // namespace hloscope::dap
