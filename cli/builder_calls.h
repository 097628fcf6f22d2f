// Calls of the builder interface that the command line names: `hloscope broadcast --call=NAME`.
#ifndef HLOSCOPE_CLI_BUILDER_CALLS_H_
#define HLOSCOPE_CLI_BUILDER_CALLS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "cli/arguments.h"
#include "core/builder/snippet.h"

namespace hloscope {

struct BuilderCall {
  absl::string_view name;      // "slice-in-dim"
  absl::string_view operands;  // in help texts: "X"
  int min_operands;
  int max_operands;                     // shapes on the command line; -1: any number
  absl::Span<const char* const> takes;  // options, beside --module and --json
  absl::Span<const char* const> needs;  // those of them that must be given
  // The names of the operands, in order; the last one stands for all that follow, with numbers. Scalars behind the
  // shapes of the command line are made from the element type of the first.
  absl::Span<const char* const> operand_names;
  // Errors: see core/builder/expansions.h.
  absl::StatusOr<Snippet> (*expand)(const Arguments& arguments, absl::Span<const BuilderValue> operands);
};

absl::Span<const BuilderCall> AllBuilderCalls();

// The call of that name, in any spelling: `ConcatInDim`, `concat_in_dim`. Null if there is none.
const BuilderCall* FindBuilderCall(absl::string_view name);

// What is wrong with how the command line asks for the call: InvalidArgument, for the user.
absl::Status CheckBuilderCall(const BuilderCall& call, const Arguments& arguments);

// A table of the calls with their options, for the help text.
const std::string& BuilderCallsHelp();

// The operands that the shapes make, named.
std::vector<BuilderValue> BuilderOperands(const BuilderCall& call, absl::Span<const Shape> shapes);

// Header attributes under which the module of the expansion runs.
std::string BuilderModuleHeader(const Arguments& arguments);

}  // namespace hloscope

#endif  // HLOSCOPE_CLI_BUILDER_CALLS_H_
