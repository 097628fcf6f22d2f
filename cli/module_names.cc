// SPDX-License-Identifier: Apache-2.0
#include "cli/module_names.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "cli/output.h"
#include "core/diagnostics/render.h"
#include "core/diagnostics/suggestions.h"

namespace hloscope::cli {
namespace {

void ReportMissing(absl::string_view command, absl::string_view kind, absl::string_view name,
                   const std::vector<absl::string_view>& names) {
  WriteError(absl::StrCat("hloscope ", command, ": there is no ", kind, " `", OneLine(name), "`",
                          DidYouMean(name, names), "\n"));
}

}  // namespace

std::optional<ComputationId> FindNamedComputation(const Module& module, absl::string_view command,
                                                  const std::optional<std::string>& name) {
  if (!name) return module.entry();
  const ComputationId found = module.FindComputation(absl::StripPrefix(*name, "%"));
  if (found.has_value()) return found;
  std::vector<absl::string_view> names;
  for (size_t c = 0; c < module.computations().size(); ++c) names.push_back(module.ComputationName(ComputationId(c)));
  ReportMissing(command, "computation", *name, names);
  return std::nullopt;
}

std::optional<InstructionId> FindNamedInstruction(const Module& module, absl::string_view command,
                                                  ComputationId computation, bool only_there, absl::string_view name) {
  const absl::string_view bare = absl::StripPrefix(name, "%");
  if (const InstructionId id = module.FindInstruction(computation, bare); id.has_value()) return id;
  std::vector<absl::string_view> names;
  for (size_t c = 0; c < module.computations().size(); ++c) {
    if (only_there && ComputationId(c) != computation) continue;
    for (InstructionId id : module.computations()[c].instructions) {
      if (module.InstructionName(id) == bare) return id;
      names.push_back(module.InstructionName(id));
    }
  }
  ReportMissing(command, "instruction", name, names);
  return std::nullopt;
}

}  // namespace hloscope::cli
