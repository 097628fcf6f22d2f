// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "cli/output.h"
#include "core/diagnostics/suggestions.h"
#include "evaluator/inputs/run_inputs.h"

namespace hloscope::cli {
namespace {

constexpr OptionSpec kCommonOptions[] = {
    {"module", OptionKind::kValue, "NAME|NUMBER", "which module of a file that holds several; numbers count from 1"},
    {"shape", OptionKind::kValue, "ARG=SIZES",
     "sizes of an argument of a StableHLO program that leaves them open, such as 0=3x4 or %x=<=8x4; repeatable"},
    {"names", OptionKind::kValue, "readable|xla",
     "instructions of a StableHLO program are named as in the program, or numbered as XLA numbers them"},
    {"color", OptionKind::kValue, "auto|always|never", "colours in diagnostics (auto: on a terminal)"},
    {"help", OptionKind::kSwitch, "", "this text"},
};

const OptionSpec* FindOption(const Command& command, absl::string_view name) {
  for (const OptionSpec& option : command.options) {
    if (option.name == name) return &option;
  }
  for (const OptionSpec& option : kCommonOptions) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

absl::Status UnknownOption(const Command& command, absl::string_view name) {
  std::vector<absl::string_view> names;
  for (const OptionSpec& option : command.options) names.push_back(option.name);
  for (const OptionSpec& option : kCommonOptions) names.push_back(option.name);
  const absl::string_view nearest = NearestName(name, names);
  return absl::InvalidArgumentError(
      absl::StrCat("unknown option --", name, nearest.empty() ? "" : absl::StrCat("; did you mean --", nearest, "?")));
}

}  // namespace

absl::Span<const OptionSpec> CommonOptions() { return kCommonOptions; }

absl::StatusOr<Arguments> Arguments::Parse(const Command& command, absl::Span<const std::string> words) {
  Arguments arguments;
  arguments.command_ = &command;
  bool options_ended = false;
  for (size_t i = 0; i < words.size(); ++i) {
    absl::string_view word = words[i];
    if (options_ended || word == "-" || word.empty() || word[0] != '-') {
      arguments.operands_.emplace_back(word);
      continue;
    }
    if (word == "--") {
      options_ended = true;
      continue;
    }
    if (word == "-h") word = "--help";
    // Options of one letter have one dash: -x SCRIPT.
    const bool is_letter = word.size() == 2 && FindOption(command, word.substr(1)) != nullptr;
    if (is_letter) {
      word.remove_prefix(1);
    } else if (!absl::ConsumePrefix(&word, "--")) {
      return UnknownOption(command, word.substr(1));
    }
    const size_t equals = word.find('=');
    const absl::string_view name = word.substr(0, equals);
    const OptionSpec* option = FindOption(command, name);
    if (option == nullptr) return UnknownOption(command, name);
    std::optional<std::string> value;
    if (equals != absl::string_view::npos) value = std::string(word.substr(equals + 1));
    if (option->kind == OptionKind::kSwitch) {
      const std::string setting = value.value_or("on");
      if (setting != "on" && setting != "off") {
        return absl::InvalidArgumentError(absl::StrCat("--", name, " is a switch: on or off, not `", setting, "`"));
      }
      arguments.options_.emplace_back(std::string(name), setting);
      continue;
    }
    if (!value && option->kind == OptionKind::kChoice) {
      value = std::string(option->placeholder.substr(0, option->placeholder.find('|')));
    }
    if (!value) {
      if (i + 1 == words.size()) {
        return absl::InvalidArgumentError(
            is_letter ? absl::StrCat("-", name, " needs a value: -", name, " ", option->placeholder)
                      : absl::StrCat("--", name, " needs a value: --", name, "=", option->placeholder));
      }
      value = words[++i];
    }
    arguments.options_.emplace_back(std::string(name), *std::move(value));
  }
  if (arguments.Switch("help")) return arguments;
  const int count = static_cast<int>(std::min<size_t>(arguments.operands_.size(), std::numeric_limits<int>::max()));
  if (count < command.min_operands) {
    return absl::InvalidArgumentError(absl::StrCat("expected ", command.operands, count == 0 ? "" : ", got only ",
                                                   absl::StrJoin(arguments.operands_, " ")));
  }
  if (command.max_operands >= 0 && count > command.max_operands) {
    return absl::InvalidArgumentError(
        absl::StrCat("unexpected `", arguments.operands_[static_cast<size_t>(command.max_operands)], "`"));
  }
  return arguments;
}

std::vector<std::string> Arguments::Words() const {
  std::vector<std::string> words = {std::string(command_->name)};
  for (const auto& [name, value] : options_) {
    const bool is_on = value == "on" && FindOption(*command_, name)->kind == OptionKind::kSwitch;
    words.push_back(is_on ? absl::StrCat("--", name) : absl::StrCat("--", name, "=", value));
  }
  const bool look_like_options = std::any_of(operands_.begin(), operands_.end(), [](const std::string& operand) {
    return operand.size() > 1 && operand[0] == '-';
  });
  if (look_like_options) words.emplace_back("--");
  words.insert(words.end(), operands_.begin(), operands_.end());
  return words;
}

bool Arguments::Has(absl::string_view option) const { return Value(option).has_value(); }

bool Arguments::Switch(absl::string_view option, bool default_value) const {
  const std::optional<std::string> value = Value(option);
  return value ? *value == "on" : default_value;
}

std::optional<std::string> Arguments::Value(absl::string_view option) const {
  for (auto it = options_.rbegin(); it != options_.rend(); ++it) {
    if (it->first == option) return it->second;
  }
  return std::nullopt;
}

std::vector<std::string> Arguments::Values(absl::string_view option) const {
  std::vector<std::string> values;
  for (const auto& [name, value] : options_) {
    if (name == option) values.push_back(value);
  }
  return values;
}

absl::StatusOr<int64_t> Arguments::Int(absl::string_view option, int64_t default_value, int64_t min,
                                       int64_t max) const {
  const std::optional<std::string> text = Value(option);
  if (!text) return default_value;
  int64_t value;
  if (!absl::SimpleAtoi(*text, &value) || value < min || value > max) {
    return absl::InvalidArgumentError(absl::StrCat("--", option, " must be an integer",
                                                   max == std::numeric_limits<int64_t>::max()
                                                       ? absl::StrCat(" of at least ", min)
                                                       : absl::StrCat(" between ", min, " and ", max),
                                                   ", not `", *text, "`"));
  }
  return value;
}

absl::StatusOr<int64_t> Arguments::Bytes(absl::string_view option, int64_t default_value) const {
  const std::optional<std::string> text = Value(option);
  if (!text) return default_value;
  const std::optional<int64_t> bytes = evaluator::BytesFromText(*text);
  if (bytes.has_value()) return *bytes;
  return absl::InvalidArgumentError(
      absl::StrCat("--", option, " must be a number of bytes such as 1000000 or 512M, not `", *text, "`"));
}

absl::StatusOr<double> Arguments::NonNegative(absl::string_view option, double default_value) const {
  const std::optional<std::string> text = Value(option);
  if (!text) return default_value;
  double value;
  if (!absl::SimpleAtod(*text, &value) || !std::isfinite(value) || value < 0) {
    return absl::InvalidArgumentError(absl::StrCat("--", option, " must be a number of at least 0, not `", *text, "`"));
  }
  return value;
}

absl::StatusOr<std::string> Arguments::Choice(absl::string_view option,
                                              absl::Span<const absl::string_view> choices) const {
  const std::optional<std::string> value = Value(option);
  if (!value) return std::string(choices[0]);
  if (std::find(choices.begin(), choices.end(), *value) != choices.end()) return *value;
  const absl::string_view nearest = NearestName(*value, choices);
  return absl::InvalidArgumentError(
      absl::StrCat("--", option, " must be one of ", absl::StrJoin(choices, ", "), "; not `", *value, "`",
                   nearest.empty() ? "" : absl::StrCat(" (did you mean `", nearest, "`?)")));
}

int UsageError(const Command& command, absl::string_view message) {
  WriteError(absl::StrCat("hloscope ", command.name, ": ", message, "\nusage: hloscope ", command.name, " [options] ",
                          command.operands, "\nTry `hloscope help ", command.name, "`.\n"));
  return kExitUsage;
}

}  // namespace hloscope::cli
