// SPDX-License-Identifier: Apache-2.0
// Calls of the builder interface as the command line writes them: `hloscope broadcast --call=slice-in-dim --dim=0 ...`.
#ifndef HLOSCOPE_CLI_BUILDER_CALLS_H_
#define HLOSCOPE_CLI_BUILDER_CALLS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "cli/arguments.h"
#include "core/builder/builder_calls.h"

namespace hloscope::cli {

// "slice-in-dim".
std::string CallOption(const BuilderCall& call);
// "replica-groups", of `replica_groups`.
std::string ParameterOption(const BuilderParameter& parameter);

// The values of the options that the call takes. InvalidArgument, for the user: what is wrong with how the command line
// asks for the call.
absl::StatusOr<BuilderArguments> ReadBuilderArguments(const BuilderCall& call, const Arguments& arguments);

// A table of the calls with their options, for the help text.
const std::string& BuilderCallsHelp();

// The operands that the shapes make, named. Scalars after the shapes of the command line are made from the element
// type of the first.
std::vector<BuilderValue> BuilderOperands(const BuilderCall& call, absl::Span<const Shape> shapes);

// Header attributes under which the module of the expansion runs.
std::string BuilderModuleHeader(const BuilderArguments& arguments);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_BUILDER_CALLS_H_
