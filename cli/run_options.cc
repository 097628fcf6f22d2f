// SPDX-License-Identifier: Apache-2.0
#include "cli/run_options.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "core/ops/collective.h"
#include "core/ops/replica_groups.h"

namespace hloscope::cli {
namespace {

constexpr int64_t kMaxThreads = 1024;

// "N=PATH" or "N.I.J=PATH".
absl::Status ReadArgumentOption(const std::string& text, evaluator::RunOptions* options) {
  const std::pair<std::string, std::string> parts = absl::StrSplit(text, absl::MaxSplits('=', 1));
  const absl::Status status = evaluator::AddArgument(parts.first, parts.second, options);
  if (absl::IsAlreadyExists(status)) {
    return absl::InvalidArgumentError(absl::StrCat("--arg ", parts.first, " is given twice"));
  }
  if (status.ok()) return status;
  return absl::InvalidArgumentError(absl::StrCat("--arg needs N=PATH.npy or N=PATH.npz:NAME, got `", text, "`"));
}

// "NAME=zeros", "NAME=PATH" or "NAME{I,J}=PATH".
absl::Status ReadCustomCallOption(const std::string& text, evaluator::RunOptions* options) {
  const size_t equals = text.rfind('=');
  const absl::string_view usage = "--custom-call needs NAME=zeros, NAME=PATH.npy or NAME{I,J}=PATH.npy, got `";
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    return absl::InvalidArgumentError(absl::StrCat(usage, text, "`"));
  }
  std::string name = text.substr(0, equals), leaf;
  if (const size_t brace = name.find('{'); brace != std::string::npos && name.back() == '}') {
    const std::string numbers = name.substr(brace + 1, name.size() - brace - 2);
    for (const absl::string_view number : absl::StrSplit(numbers, ',', absl::SkipEmpty())) {
      int64_t value;
      if (!absl::SimpleAtoi(number, &value) || value < 0) {
        return absl::InvalidArgumentError(absl::StrCat(usage, text, "`"));
      }
      absl::StrAppend(&leaf, ".", value);
    }
    name.resize(brace);
  }
  if (!options->custom_calls[name].emplace(leaf, text.substr(equals + 1)).second) {
    return absl::InvalidArgumentError(absl::StrCat("--custom-call ", text.substr(0, equals), " is given twice"));
  }
  return absl::OkStatus();
}

// "RULE", or "N=RULE" of parameter N.
absl::Status ReadFillOption(const std::string& text, evaluator::RunOptions* options) {
  const size_t equals = text.find('=');
  const std::string rule_text = equals == std::string::npos ? text : text.substr(equals + 1);
  const std::optional<evaluator::FillRule> rule = evaluator::FillRuleFromText(rule_text);
  if (!rule.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--fill is zeros, ones, iota, random, normal, positive or uniform:LO:HI, not `", rule_text, "`"));
  }
  if (equals == std::string::npos) {
    options->fill = rule;
    return absl::OkStatus();
  }
  int64_t number;
  if (!absl::SimpleAtoi(text.substr(0, equals), &number) || number < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("--fill needs N=RULE with a parameter's number N, got `", text, "`"));
  }
  options->fills[number] = *rule;
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<evaluator::RunOptions> ReadRunOptions(const Arguments& arguments) {
  evaluator::RunOptions options;
  for (const std::string& text : arguments.Values("arg")) {
    if (absl::Status status = ReadArgumentOption(text, &options); !status.ok()) return status;
  }
  for (const std::string& text : arguments.Values("custom-call")) {
    if (absl::Status status = ReadCustomCallOption(text, &options); !status.ok()) return status;
  }
  for (const absl::string_view place : {"args-dir", "infeed", "out", "reproducer"}) {
    if (arguments.Value(place) == "")
      return absl::InvalidArgumentError(absl::StrCat("--", place, " needs a directory"));
  }
  options.plugins = arguments.Values("custom-calls");
  options.arguments_directory = arguments.Value("args-dir").value_or("");
  options.infeed_directory = arguments.Value("infeed").value_or("");
  for (const std::string& text : arguments.Values("fill")) {
    if (absl::Status status = ReadFillOption(text, &options); !status.ok()) return status;
  }
  if (const std::optional<std::string> seed = arguments.Value("seed")) {
    if (!absl::SimpleAtoi(*seed, &options.session.random_seed)) {
      return absl::InvalidArgumentError(absl::StrCat("--seed needs a number from 0 to 2^64-1, got `", *seed, "`"));
    }
  }
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  const absl::StatusOr<int64_t> replicas = arguments.Int("replicas", 1, 1, evaluator::kMaxDevices);
  const absl::StatusOr<int64_t> partitions = arguments.Int("partitions", 1, 1, evaluator::kMaxDevices);
  const absl::StatusOr<int64_t> threads = arguments.Int("threads", 0, 0, kMaxThreads);
  const absl::StatusOr<int64_t> steps = arguments.Int("step-limit", 0, 0, kMax);
  const absl::StatusOr<int64_t> bytes = arguments.Bytes("memory-limit", evaluator::Buffer::UsualLimit());
  const absl::StatusOr<double> seconds = arguments.NonNegative("time-limit", 0);
  for (const absl::StatusOr<int64_t>* number : {&replicas, &partitions, &threads, &steps, &bytes}) {
    if (!number->ok()) return number->status();
  }
  if (!seconds.ok()) return seconds.status();
  if (arguments.Has("replicas")) options.replicas = *replicas;
  if (arguments.Has("partitions")) options.partitions = *partitions;
  options.session.threads = static_cast<int>(*threads);
  options.session.step_limit = *steps;
  options.session.memory_limit_bytes = *bytes;
  options.session.time_limit_seconds = *seconds;
  return options;
}

absl::Status SetDevices(int64_t devices, const Module& module, evaluator::RunOptions* options) {
  bool has_partitions = module.header().num_partitions > 1;
  for (uint32_t i = 0; i < module.instruction_count() && !has_partitions; ++i) {
    const InstructionId id(i);
    has_partitions = module.opcode(id) == Opcode::kPartitionId ||
                     (IsCollective(module.opcode(id)) && GroupingModeOf(module, id) != GroupingMode::kCrossReplica);
  }
  int64_t replicas = options->replicas.value_or(std::max<int64_t>(module.header().replica_count, 1));
  if (options->partitions.has_value() || !has_partitions) {
    const int64_t partitions = options->partitions.value_or(options->replicas.has_value() ? devices / replicas : 1);
    replicas = options->replicas.value_or(devices / partitions);
    options->partitions = partitions;
  } else {
    options->partitions = devices / replicas;
  }
  options->replicas = replicas;
  if (*options->replicas * *options->partitions == devices) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("--devices=", devices, ": ", *options->replicas, " replicas of ",
                                                 *options->partitions, " partitions are ",
                                                 *options->replicas * *options->partitions, " devices"));
}

}  // namespace hloscope::cli
