// SPDX-License-Identifier: Apache-2.0
#include "cli/completion.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "cli/arguments.h"
#include "core/ir/opcode.h"

namespace hloscope::cli {
namespace {

constexpr absl::string_view kDiagnosticCodes[] = {
#define HLO_DIAGNOSTIC(Name, code, severity, message) code,
#include "core/diagnostics/kinds.def"
};

bool IsWord(absl::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return absl::ascii_islower(static_cast<unsigned char>(c)) || absl::ascii_isdigit(static_cast<unsigned char>(c)) ||
           c == '-' || c == '_';
  });
}

// The words of an operand: what `explain` explains, the shells of `completion`; else files.
Completion CompletionOfOperands(const Command& command) {
  if (command.operands != "CODE|OPCODE") return CompletionOf(command.operands);
  Completion completion;
  for (Opcode opcode : AllOpcodes()) completion.words.push_back(OpcodeName(opcode));
  for (absl::string_view code : kDiagnosticCodes) completion.words.push_back(code);
  return completion;
}

std::vector<absl::string_view> CommandNames() {
  std::vector<absl::string_view> names;
  for (const Command* command : AllCommands()) names.push_back(command->name);
  return names;
}

std::string Dashed(const OptionSpec& option) { return absl::StrCat(option.name.size() == 1 ? "-" : "--", option.name); }

}  // namespace

Completion CompletionOf(absl::string_view placeholder) {
  Completion completion;
  for (absl::string_view part : absl::StrSplit(placeholder, absl::ByAnyChar("|= "))) {
    if (IsWord(part)) {
      completion.words.push_back(part);
    } else {
      completion.files = completion.files || part == "A" || part == "OUT" || absl::StrContains(part, "DIR") ||
                         absl::StrContains(part, "FILE") || absl::StrContains(part, "PATH") ||
                         absl::StrContains(part, "LIB") || absl::StrContains(part, "SCRIPT");
    }
  }
  return completion;
}

std::vector<OptionSpec> AllOptionsOf(const Command& command) {
  std::vector<OptionSpec> options(command.options.begin(), command.options.end());
  for (const OptionSpec& option : CommonOptions()) {
    const auto same = [&](const OptionSpec& own) { return own.name == option.name; };
    if (std::none_of(command.options.begin(), command.options.end(), same)) options.push_back(option);
  }
  return options;
}

// --- bash ---

std::string BashCompletion() {
  std::string values, commands;
  for (const Command* command : AllCommands()) {
    std::vector<std::string> names;
    for (const OptionSpec& option : AllOptionsOf(*command)) {
      names.push_back(
          absl::StrCat(Dashed(option), option.kind == OptionKind::kValue && option.name.size() > 1 ? "=" : ""));
      if (option.kind == OptionKind::kSwitch) continue;
      const Completion completion = CompletionOf(option.placeholder);
      absl::StrAppend(&values, "    ", command->name, ":", Dashed(option), ") ",
                      option.kind == OptionKind::kChoice ? "joined=1 " : "", "words='",
                      absl::StrJoin(completion.words, " "), "'", completion.files ? " files=1" : "", " ;;\n");
    }
    const Completion operands = CompletionOfOperands(*command);
    absl::StrAppend(&commands, "    ", command->name, ") options='", absl::StrJoin(names, " "), "' operands='",
                    absl::StrJoin(operands.words, " "), "'", operands.files ? " files=1" : "", " ;;\n");
  }
  // Bash takes `--name=value` for three words.
  return absl::StrCat(R"(# bash completion for hloscope, made by `hloscope completion bash`
_hloscope() {
  local cur=${COMP_WORDS[COMP_CWORD]} option= after_equals= words= files= joined= options= operands= known=1
  COMPREPLY=()
  if [[ $cur == "=" ]]; then
    cur= after_equals=1 option=${COMP_WORDS[COMP_CWORD-1]}
  elif [[ ${COMP_WORDS[COMP_CWORD-1]} == "=" ]]; then
    after_equals=1 option=${COMP_WORDS[COMP_CWORD-2]}
  else
    option=${COMP_WORDS[COMP_CWORD-1]}
  fi
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W ")",
                      absl::StrJoin(CommandNames(), " "), R"( help --help --version" -- "$cur"))
    return
  fi
  if [[ ${COMP_WORDS[1]} == help ]]; then
    COMPREPLY=($(compgen -W ")",
                      absl::StrJoin(CommandNames(), " "), R"(" -- "$cur"))
    return
  fi
  case ${COMP_WORDS[1]}:$option in
)",
                      values, R"(    *) known= ;;
  esac
  # An option whose value may be left out has it only after `=`.
  if [[ $joined && ! $after_equals ]]; then known= words=; fi
  if [[ ! $known && $after_equals ]]; then return; fi
  if [[ ! $known ]]; then
    files=
    case ${COMP_WORDS[1]} in
)",
                      absl::StrReplaceAll(commands, {{"\n    ", "\n      "}}).insert(0, "  "), R"(    esac
    words=$operands
    if [[ $cur == -* ]]; then words=$options files=; fi
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi
  if [[ $files ]]; then
    compopt -o filenames
    local IFS=$'\n'
    COMPREPLY+=($(compgen -f -- "$cur"))
  fi
}
complete -F _hloscope hloscope
)");
}

// --- zsh ---

namespace {

// In a specification of _arguments within single quotes.
std::string ZshText(absl::string_view text) {
  return absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"'", "'\\''"}, {"[", "\\["}, {"]", "\\]"}, {":", "\\:"}});
}

// `:PLACEHOLDER:ACTION`.
std::string ZshAction(absl::string_view placeholder, const Completion& completion) {
  std::string action = completion.words.empty() ? "" : absl::StrCat("(", absl::StrJoin(completion.words, " "), ")");
  if (completion.files) action = "_files";
  return absl::StrCat(":", ZshText(placeholder), ":", action);
}

}  // namespace

std::string ZshCompletion() {
  std::string names, cases;
  for (const Command* command : AllCommands()) {
    absl::StrAppend(&names, "    '", command->name, ":", ZshText(command->summary), "'\n");
    absl::StrAppend(&cases, "  ", command->name, ")\n    _arguments -s -S");
    for (const OptionSpec& option : AllOptionsOf(*command)) {
      const bool is_value = option.kind == OptionKind::kValue;
      absl::StrAppend(&cases, " \\\n      '*", Dashed(option), is_value && option.name.size() > 1 ? "=" : "",
                      option.kind == OptionKind::kChoice ? "=-" : "", "[", ZshText(option.help), "]");
      if (option.kind == OptionKind::kChoice) absl::StrAppend(&cases, ":");
      if (option.kind != OptionKind::kSwitch) {
        absl::StrAppend(&cases, ZshAction(option.placeholder, CompletionOf(option.placeholder)));
      }
      absl::StrAppend(&cases, "'");
    }
    absl::StrAppend(&cases, " \\\n      '*", ZshAction(command->operands, CompletionOfOperands(*command)), "' ;;\n");
  }
  return absl::StrCat("#compdef hloscope\n# zsh completion for hloscope, made by `hloscope completion zsh`\n",
                      "_hloscope() {\n  local -a commands=(\n", names,
                      "    'help:explain a command'\n  )\n"
                      "  if (( CURRENT == 2 )); then\n"
                      "    _describe -t commands command commands\n"
                      "    return\n"
                      "  fi\n"
                      "  local command=$words[2]\n"
                      "  shift words\n"
                      "  (( CURRENT-- ))\n"
                      "  case $command in\n"
                      "  help) _describe -t commands command commands ;;\n",
                      cases, "  esac\n}\n_hloscope \"$@\"\n");
}

// --- fish ---

namespace {

std::string FishText(absl::string_view text) {
  return absl::StrCat("'", absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"'", "\\'"}}), "'");
}

// What may follow; `-r` and `-x`: a value must, which may be or is not a file.
std::string FishValues(const Completion& completion, bool is_required) {
  std::string text = completion.files ? " -F" : "";
  if (is_required) text = completion.files ? " -r -F" : " -x";
  if (!completion.words.empty()) absl::StrAppend(&text, " -a ", FishText(absl::StrJoin(completion.words, " ")));
  return text;
}

}  // namespace

std::string FishCompletion() {
  std::string text =
      absl::StrCat("# fish completion for hloscope, made by `hloscope completion fish`\n", "complete -c hloscope -f\n",
                   "complete -c hloscope -n __fish_use_subcommand -l version -d 'the version'\n",
                   "complete -c hloscope -n __fish_use_subcommand -l help -d 'the list of commands'\n",
                   "complete -c hloscope -n __fish_use_subcommand -a help -d 'explain a command'\n",
                   "complete -c hloscope -n '__fish_seen_subcommand_from help' -a ",
                   FishText(absl::StrJoin(CommandNames(), " ")), "\n");
  for (const Command* command : AllCommands()) {
    absl::StrAppend(&text, "complete -c hloscope -n __fish_use_subcommand -a ", command->name, " -d ",
                    FishText(command->summary), "\n");
    const std::string after = absl::StrCat("complete -c hloscope -n '__fish_seen_subcommand_from ", command->name, "'");
    for (const OptionSpec& option : AllOptionsOf(*command)) {
      absl::StrAppend(&text, after, option.name.size() == 1 ? " -s " : " -l ", option.name, " -d ",
                      FishText(option.help));
      if (option.kind == OptionKind::kValue) absl::StrAppend(&text, FishValues(CompletionOf(option.placeholder), true));
      absl::StrAppend(&text, "\n");
    }
    const Completion operands = CompletionOfOperands(*command);
    if (operands.files || !operands.words.empty()) {
      absl::StrAppend(&text, after, FishValues(operands, false), "\n");
    }
  }
  return text;
}

}  // namespace hloscope::cli
