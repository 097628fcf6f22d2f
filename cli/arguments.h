// SPDX-License-Identifier: Apache-2.0
// The command line after the subcommand, checked against the options that the command takes.
#ifndef HLOSCOPE_CLI_ARGUMENTS_H_
#define HLOSCOPE_CLI_ARGUMENTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "cli/command.h"

namespace hloscope::cli {

// Options that every command takes: --module, --shape, --names, --color, --help.
absl::Span<const OptionSpec> CommonOptions();

class Arguments {
 public:
  // `--name=value`, `--name value`, `--name` and, for switches, `--name=on|off`, in any order and mixed with operands;
  // `-h` for `--help`; everything after `--` is an operand, and so is `-`. Errors (InvalidArgument, with a message for
  // the user): an option the command does not take, with the nearest one it takes; a missing or superfluous value; a
  // wrong number of operands.
  static absl::StatusOr<Arguments> Parse(const Command& command, absl::Span<const std::string> words);

  const Command& command() const { return *command_; }
  absl::Span<const std::string> operands() const { return operands_; }

  // The command with its options and operands, as words that Parse reads the same.
  std::vector<std::string> Words() const;

  bool Has(absl::string_view option) const;
  // The last value of a switch; `default_value` if it is not given.
  bool Switch(absl::string_view option, bool default_value = false) const;
  // The last value of an option; nullopt if it is not given.
  std::optional<std::string> Value(absl::string_view option) const;
  // Every value of a repeated option, in order.
  std::vector<std::string> Values(absl::string_view option) const;

  // The last value as a number in [min, max]; `default_value` if it is not given. Error InvalidArgument, for the user.
  absl::StatusOr<int64_t> Int(absl::string_view option, int64_t default_value, int64_t min, int64_t max) const;
  // A number of bytes: an integer, optionally with the suffix K, M, G or T (powers of 1024).
  absl::StatusOr<int64_t> Bytes(absl::string_view option, int64_t default_value) const;
  // A finite number >= 0.
  absl::StatusOr<double> NonNegative(absl::string_view option, double default_value) const;
  // The last value, which must be one of `choices`; the first of them if it is not given.
  absl::StatusOr<std::string> Choice(absl::string_view option, absl::Span<const absl::string_view> choices) const;

 private:
  const Command* command_ = nullptr;
  std::vector<std::string> operands_;
  std::vector<std::pair<std::string, std::string>> options_;  // in order; switches as "on" or "off"
};

// Prints "hloscope NAME: MESSAGE" and a hint to the help text on standard error; returns kExitUsage.
int UsageError(const Command& command, absl::string_view message);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_ARGUMENTS_H_
