// SPDX-License-Identifier: Apache-2.0
#include "lsp/debug_adapter/launch_configuration.h"

#include <limits>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/strings/substitute.h"
#include "lsp/debug_adapter/request_arguments.h"
#include "lsp/protocol/file_uri.h"
#include "nlohmann/json.hpp"

namespace hloscope::dap {
namespace {

using nlohmann::json;

// A member that may be given in several forms: numbers as text too.
absl::StatusOr<std::optional<int64_t>> Count(const json& arguments, absl::string_view name, int64_t least,
                                             int64_t most) {
  absl::StatusOr<std::optional<int64_t>> number = OptionalInteger(arguments, name);
  if (!number.ok() || !number->has_value()) return number;
  if (**number < least || **number > most) {
    return absl::InvalidArgumentError(absl::StrCat("`", name, "` is a number from ", least, " to ", most));
  }
  return number;
}

absl::StatusOr<int64_t> Bytes(const json& arguments, absl::string_view name) {
  if (const absl::StatusOr<std::optional<int64_t>> number = OptionalInteger(arguments, name); number.ok()) {
    if (!number->has_value()) return 0;
    if (**number >= 0) return **number;
  }
  const std::optional<int64_t> bytes = evaluator::BytesFromText(StringOr(arguments, name, "?"));
  if (bytes.has_value()) return *bytes;
  return absl::InvalidArgumentError(absl::StrCat("`", name, "` is a number of bytes such as 1000000 or \"512M\""));
}

// `"shapes": {"0": "3x4", "%x": "<=8x4"}`: what --shape of the command line says.
absl::StatusOr<stablehlo::ImportOptions> ProgramOptions(const json& arguments) {
  stablehlo::ImportOptions options;
  const json* const given = Member(arguments, "shapes");
  if (given == nullptr) return options;
  constexpr absl::string_view kForm = "`shapes` is an object from arguments to sizes, {\"0\": \"3x4\"}";
  if (!given->is_object()) return absl::InvalidArgumentError(kForm);
  for (const auto& [argument, sizes] : given->items()) {
    const auto* const text = sizes.get_ptr<const json::string_t*>();
    if (text == nullptr) return absl::InvalidArgumentError(kForm);
    absl::StatusOr<stablehlo::ArgumentShape> shape = stablehlo::ParseArgumentShape(absl::StrCat(argument, "=", *text));
    if (!shape.ok()) return absl::InvalidArgumentError(absl::StrCat("`shapes`: ", shape.status().message()));
    options.shapes.push_back(*std::move(shape));
  }
  return options;
}

// Replaces `from` by `to` everywhere in `text`; `$0` is the number of a parameter or of a leaf of one. Longer options
// that begin as `from` does, and values that follow it, stay.
void Reword(absl::string_view from, const std::string& to, std::string* text) {
  const std::pair<std::string, std::string> parts = absl::StrSplit(from, absl::MaxSplits("$0", 1));
  for (size_t begin = 0; (begin = text->find(parts.first, begin)) != std::string::npos;) {
    absl::string_view rest = absl::string_view(*text).substr(begin + parts.first.size());
    const bool has_number = parts.first.size() < from.size();
    const std::string number(rest.substr(0, has_number ? rest.find_first_not_of("0123456789.") : 0));
    rest.remove_prefix(number.size());
    const bool goes_on = parts.second.empty() && !rest.empty() && (rest[0] == '-' || rest[0] == '=');
    if (goes_on || !absl::ConsumePrefix(&rest, parts.second)) {
      begin += parts.first.size();
      continue;
    }
    const std::string other = absl::Substitute(to, number);
    text->replace(begin, text->size() - rest.size() - begin, other);
    begin += other.size();
  }
}

absl::StatusOr<evaluator::RunOptions> ReadRun(const json& arguments) {
  evaluator::RunOptions options;
  options.wording = LaunchWording();
  if (const json* given = Member(arguments, "arguments")) {
    if (!given->is_object()) {
      return absl::InvalidArgumentError("`arguments` is an object from numbers of parameters to .npy files");
    }
    for (const auto& [name, path] : given->items()) {
      const auto* text = path.get_ptr<const json::string_t*>();
      if (absl::Status status = evaluator::AddArgument(name, text == nullptr ? "" : *text, &options); !status.ok()) {
        return absl::InvalidArgumentError(absl::StrCat("`arguments` \"", name, "\": ", status.message()));
      }
    }
  }
  for (const auto& [name, target] : {std::pair("argumentsDirectory", &options.arguments_directory),
                                     std::pair("infeedDirectory", &options.infeed_directory)}) {
    absl::StatusOr<std::optional<std::string>> text = OptionalString(arguments, name);
    if (!text.ok()) return text.status();
    *target = text->value_or("");
  }
  absl::StatusOr<std::optional<std::string>> fill = OptionalString(arguments, "fill");
  if (!fill.ok()) return fill.status();
  if (fill->has_value() && !(*fill)->empty()) {
    options.fill = evaluator::FillRuleFromText(**fill);
    if (!options.fill.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("`fill` is zeros, ones, iota, random, normal, positive or uniform:LO:HI, not `", **fill, "`"));
    }
  }
  const auto seed = Count(arguments, "seed", 0, std::numeric_limits<int64_t>::max());
  const auto replicas = Count(arguments, "replicas", 1, evaluator::kMaxDevices);
  const auto partitions = Count(arguments, "partitions", 1, evaluator::kMaxDevices);
  const auto threads = Count(arguments, "threads", 0, 1024);
  for (const auto* number : {&seed, &replicas, &partitions, &threads}) {
    if (!number->ok()) return number->status();
  }
  const absl::StatusOr<int64_t> memory = Bytes(arguments, "memoryLimit");
  if (!memory.ok()) return memory.status();
  options.session.random_seed = static_cast<uint64_t>(seed->value_or(0));
  options.session.threads = static_cast<int>(threads->value_or(0));
  options.session.memory_limit_bytes = *memory;
  options.session.run_dead_instructions = BoolOr(arguments, "runDeadCode", false);
  options.replicas = *replicas;
  options.partitions = *partitions;
  for (const json& plugin : ListOf(arguments, "customCallPlugins")) {
    if (const auto* path = plugin.get_ptr<const json::string_t*>()) options.plugins.push_back(*path);
  }
  if (const json* calls = Member(arguments, "customCalls"); calls != nullptr && calls->is_object()) {
    for (const auto& [name, value] : calls->items()) {
      if (const auto* text = value.get_ptr<const json::string_t*>()) options.custom_calls[name][""] = *text;
    }
  }
  return options;
}

// The name or number of one of several modules.
absl::StatusOr<std::optional<std::string>> OptionalModule(const json& arguments) {
  const json* const given = Member(arguments, "module");
  if (given != nullptr && given->is_number_integer()) return std::optional<std::string>(given->dump());
  return OptionalString(arguments, "module");
}

}  // namespace

evaluator::RunOptions::Wording LaunchWording() {
  evaluator::RunOptions::Wording wording;
  wording.argument = "`arguments` $0";
  wording.give_argument = "give it in `arguments` (\"$0\": \"FILE.npy\"), name an `argumentsDirectory`, or `fill`";
  wording.give_infeed = "name an `infeedDirectory`";
  wording.fill = "`fill`";
  wording.custom_call = "`customCalls`";
  return wording;
}

std::string InLaunchWording(std::string text) {
  const evaluator::RunOptions::Wording options, members = LaunchWording();
  Reword(options.give_argument, members.give_argument, &text);
  Reword(options.give_infeed, members.give_infeed, &text);
  Reword(options.argument, members.argument, &text);
  Reword(options.fill, members.fill, &text);
  Reword(options.custom_call, members.custom_call, &text);
  return text;
}

absl::StatusOr<LaunchConfiguration> ReadLaunch(const json& arguments, bool uris) {
  LaunchConfiguration launch;
  absl::StatusOr<std::string> program = RequiredString(arguments, "program");
  if (!program.ok()) {
    return absl::InvalidArgumentError("`program` names the module to run, a file; it is missing");
  }
  launch.program = uris ? lsp::PathFromUri(*program).value_or(*program) : *program;
  absl::StatusOr<evaluator::RunOptions> run = ReadRun(arguments);
  if (!run.ok()) return run.status();
  launch.run = *std::move(run);
  const absl::StatusOr<int64_t> history = Bytes(arguments, "historyLimit");
  if (!history.ok()) return history.status();
  launch.history_bytes = *history;
  absl::StatusOr<std::optional<std::string>> wanted = OptionalModule(arguments);
  if (!wanted.ok()) return wanted.status();
  launch.module = *std::move(wanted);
  absl::StatusOr<std::optional<std::string>> text_uri = OptionalString(arguments, "textUri");
  if (!text_uri.ok()) return text_uri.status();
  launch.text_uri = text_uri->value_or("");
  absl::StatusOr<stablehlo::ImportOptions> options = ProgramOptions(arguments);
  if (!options.ok()) return options.status();
  launch.program_options = *std::move(options);
  return launch;
}

}  // namespace hloscope::dap
