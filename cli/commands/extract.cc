// SPDX-License-Identifier: Apache-2.0
// `hloscope extract`: a stand-alone module around an instruction.
#include "core/analysis/extract.h"

#include <memory>
#include <optional>
#include <string>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/module_names.h"
#include "cli/output.h"

namespace hloscope::cli {
namespace {

constexpr OptionSpec kExtractOptions[] = {
    {"instruction", OptionKind::kValue, "NAME", "the instruction that becomes the root (required)"},
    {"computation", OptionKind::kValue, "NAME", "the computation to look for it in (the entry computation, then all)"},
    {"depth", OptionKind::kValue, "N", "how many steps along its operands come along (0)"},
};

int RunExtract(const Arguments& arguments) {
  const std::optional<std::string> name = arguments.Value("instruction");
  if (!name) return UsageError(arguments.command(), "--instruction=NAME is missing");
  const absl::StatusOr<int64_t> depth = arguments.Int("depth", 0, 0, 1000000);
  if (!depth.ok()) return UsageError(arguments.command(), depth.status().message());
  if (const auto color = ErrorRenderOptions(arguments); !color.ok()) {
    return UsageError(arguments.command(), color.status().message());
  }
  const std::shared_ptr<const Document> document = OpenDocument(arguments, arguments.operands()[0]);
  if (document == nullptr) return StatusOfReading();
  const Module& module = document->module();
  const auto computation = FindNamedComputation(module, "extract", arguments.Value("computation"));
  if (!computation) return kExitBadInput;
  const auto id = FindNamedInstruction(module, "extract", *computation, arguments.Has("computation"), *name);
  if (!id) return kExitBadInput;
  ExtractOptions options;
  options.depth = static_cast<int>(*depth);
  WriteOutput(ExtractModule(module, document->users(), *id, options));
  return kExitGood;
}

}  // namespace

const Command& ExtractCommand() {
  static constexpr Command kCommand = {
      "extract",
      "FILE",
      "a stand-alone module around an instruction",
      "Prints a module that returns the instruction; operands from further away than --depth become parameters, and "
      "the\n"
      "computations it calls come along. It can be checked, run and drawn by itself: hloscope extract FILE\n"
      "--instruction=dot.7 | hloscope run - --fill=random --print",
      kExtractOptions,
      1,
      1,
      RunExtract};
  return kCommand;
}

}  // namespace hloscope::cli
