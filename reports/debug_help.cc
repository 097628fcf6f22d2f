// SPDX-License-Identifier: Apache-2.0
#include "reports/debug_help.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "evaluator/debugger/expression.h"

namespace hloscope::reports {
namespace {

absl::string_view GroupTitle(DebugCommandGroup group) {
  switch (group) {
    case DebugCommandGroup::Forwards:
      return "forwards";
    case DebugCommandGroup::Backwards:
      return "backwards";
    case DebugCommandGroup::Stopping:
      return "where and why to stop";
    case DebugCommandGroup::Looking:
      return "looking at values";
    case DebugCommandGroup::Changing:
      return "changing values";
    case DebugCommandGroup::Devices:
      return "several devices";
    case DebugCommandGroup::Sessions:
      return "the session";
  }
  return "";
}

}  // namespace

std::string ExpressionHelp() {
  const absl::Span<const absl::string_view> functions = evaluator::ExpressionFunctions();
  const size_t half = functions.size() / 2;
  return absl::StrCat(
      "  expressions: names of instructions, numbers, + - * / % == != < <= > >= && || !, x[1, 2:4, :], t{0},\n"
      "  variables ",
      absl::StrJoin(evaluator::ExpressionVariables(), " "), ",\n  functions ",
      absl::StrJoin(functions.subspan(0, half), " "), "\n  ", absl::StrJoin(functions.subspan(half), " "), "\n");
}

std::string DebugCommandHelp(const DebugLook& look, const DebugCommandText& command) {
  std::vector<absl::string_view> names = absl::StrSplit(command.names, ' ');
  std::string text = absl::StrCat(Painted(look, Paint::kBold, absl::StrCat(command.name(), " ", command.arguments)),
                                  "\n  ", command.summary, "\n");
  names.erase(names.begin());
  if (!names.empty()) absl::StrAppend(&text, "  short: ", absl::StrJoin(names, ", "), "\n");
  if (command.group == DebugCommandGroup::Looking || command.group == DebugCommandGroup::Stopping ||
      command.group == DebugCommandGroup::Changing) {
    text += ExpressionHelp();
  }
  return text;
}

std::string DebugCommandsHelp(const DebugLook& look, absl::Span<const DebugCommandText> commands) {
  std::string text;
  DebugCommandGroup group = DebugCommandGroup::Sessions;
  std::vector<std::vector<std::string>> rows;
  const auto flush = [&]() {
    if (rows.empty()) return;
    absl::StrAppend(&text, Painted(look, Paint::kBold, GroupTitle(group)), "\n", AlignedTable(look, rows));
    rows.clear();
  };
  for (const DebugCommandText& row : commands) {
    if (row.group != group) flush();
    group = row.group;
    std::vector<absl::string_view> names = absl::StrSplit(row.names, ' ');
    const size_t width = static_cast<size_t>(std::max(60, look.width)) - 24;
    std::string name(names[0]), shorter(names.size() > 1 ? names[1] : ""), line;
    for (absl::string_view word : absl::StrSplit(row.summary, ' ')) {
      if (!line.empty() && line.size() + 1 + word.size() > width) {
        rows.push_back({std::exchange(name, ""), std::exchange(shorter, ""), std::exchange(line, "")});
      }
      absl::StrAppend(&line, line.empty() ? "" : " ", word);
    }
    rows.push_back({name, shorter, line});
  }
  flush();
  return text;
}

}  // namespace hloscope::reports
