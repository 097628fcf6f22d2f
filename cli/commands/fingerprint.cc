// SPDX-License-Identifier: Apache-2.0
// `hloscope fingerprint`: one number for what a module says.
#include "insight/fingerprint/fingerprint.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/diagnostics_json.h"
#include "cli/ignored_differences.h"
#include "cli/input.h"
#include "cli/output.h"
#include "core/document/document.h"
#include "nlohmann/json.hpp"

namespace hloscope::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr OptionSpec kFingerprintOptions[] = {
    {"ignore", OptionKind::kValue, "WHAT",
     "what does not count: shapes, layouts, backend-config, with commas between them (names and metadata never do)"},
    {"json", OptionKind::kSwitch, "", "print JSON"},
};

int RunFingerprint(const Arguments& arguments) {
  const absl::StatusOr<IgnoredDifferences> ignored = ReadIgnoredDifferences(arguments);
  if (!ignored.ok()) return UsageError(arguments.command(), ignored.status().message());
  const absl::StatusOr<RenderOptions> render = ErrorRenderOptions(arguments);
  if (!render.ok()) return UsageError(arguments.command(), render.status().message());
  const insight::FingerprintOptions options{ignored->shapes, ignored->layouts, ignored->backend_config};
  Json list = Json::array();
  int status = kExitGood;
  for (const std::string& path : arguments.operands()) {
    const std::optional<interop::OpenedModules> input = ReadInput(arguments, path);
    if (!input) {
      status = std::max(status, StatusOfReading());
      continue;
    }
    for (const interop::HloSource& source : input->modules) {
      DocumentOptions reading;
      reading.verify.allow_mixed_precision = true;
      const std::shared_ptr<const Document> document = Document::Parse(source.text, reading);
      if (document->has_errors() || source.has_errors) {
        PrintDiagnostics(*document, *render, DiagnosticFilter::kErrorsOnly, source.diagnostics);
        status = std::max<int>(status, kExitBadInput);
        continue;
      }
      const std::string number = insight::FingerprintOf(document->module(), options).ToString();
      const absl::string_view name = document->module().name();
      if (arguments.Switch("json")) {
        list.push_back({{"fingerprint", number}, {"module", std::string(name)}, {"file", path}});
        continue;
      }
      const std::string file = arguments.operands().size() > 1 ? absl::StrCat("  ", OneLine(path)) : "";
      WriteOutput(absl::StrCat(number, "  ", OneLine(name), file, "\n"));
    }
  }
  if (arguments.Switch("json")) WriteOutput(DumpJson({{"modules", std::move(list)}}));
  return status;
}

}  // namespace

const Command& FingerprintCommand() {
  static constexpr Command kCommand = {
      "fingerprint",
      "FILE...",
      "one number for what a module says, whatever its names",
      "One line for each module: its fingerprint and its name, and the file if there are several. Fingerprints are\n"
      "equal for modules that differ in names, metadata and the order of independent instructions only, and the same\n"
      "on every machine. They are no protection against somebody who means to make two modules look alike.",
      kFingerprintOptions,
      1,
      -1,
      RunFingerprint};
  return kCommand;
}

}  // namespace hloscope::cli
