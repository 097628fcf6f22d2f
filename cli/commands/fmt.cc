// `hloscope fmt`: prints a module in one of the styles of spec/hlo-text.md 7.1.
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/output.h"
#include "core/print/comments.h"
#include "core/print/printer.h"
#include "core/semantics/suggestions.h"

namespace hloscope {
namespace {

constexpr OptionSpec kOptions[] = {
    {"style", OptionKind::kValue, "dump|long|short|canonical", "which choices the switches start from (dump)"},
    {"operand-shapes", OptionKind::kSwitch, "", "shapes of operands"},
    {"percent", OptionKind::kSwitch, "", "% before names"},
    {"compact-gte", OptionKind::kSwitch, "", "%t#1 in place of get-tuple-element"},
    {"async-sugar", OptionKind::kSwitch, "", "custom-call-start in place of async-start"},
    {"metadata", OptionKind::kSwitch, "", "metadata and stack-frame tables"},
    {"backend-config", OptionKind::kSwitch, "", "backend configurations"},
    {"large-constants", OptionKind::kSwitch, "", "constants of more than 10 elements in full"},
    {"in-place", OptionKind::kSwitch, "", "rewrite the file"},
    {"check", OptionKind::kSwitch, "", "print nothing; exit 1 if --in-place would change the file"},
    {"keep-comments", OptionKind::kSwitch, "", "keep the comments of the text (default with --in-place and --check)"},
};

absl::StatusOr<PrintOptions> OptionsFrom(const Arguments& arguments) {
  const absl::StatusOr<std::string> style = arguments.Choice("style", {"dump", "long", "short", "canonical"});
  if (!style.ok()) return style.status();
  PrintOptions options = *PrintOptions::FromStyleName(*style);
  options.operand_shapes = arguments.Switch("operand-shapes", options.operand_shapes);
  options.percent = arguments.Switch("percent", options.percent);
  options.compact_tuple_access = arguments.Switch("compact-gte", options.compact_tuple_access);
  options.async_sugar = arguments.Switch("async-sugar", options.async_sugar);
  options.metadata = arguments.Switch("metadata", options.metadata);
  options.backend_config = arguments.Switch("backend-config", options.backend_config);
  // Rewriting a file must not lose its data.
  const bool rewrites = arguments.Switch("in-place") || arguments.Switch("check");
  options.large_constants = arguments.Switch("large-constants", options.large_constants || rewrites);
  return options;
}

int RunFmt(const Arguments& arguments) {
  const absl::StatusOr<PrintOptions> options = OptionsFrom(arguments);
  if (!options.ok()) return UsageError(arguments.command(), options.status().message());
  if (const auto color = ErrorRenderOptions(arguments); !color.ok()) {
    return UsageError(arguments.command(), color.status().message());
  }
  const bool in_place = arguments.Switch("in-place");
  const bool check = arguments.Switch("check");
  const std::string& path = arguments.operands()[0];
  if (in_place && check) return UsageError(arguments.command(), "--in-place and --check exclude each other");
  if (in_place && path == "-") return UsageError(arguments.command(), "--in-place needs a file, not standard input");

  const std::shared_ptr<const Document> document = OpenDocument(arguments, path);
  if (document == nullptr) return kExitBadInput;
  const bool keep_comments = arguments.Switch("keep-comments", in_place || check);
  const std::string text =
      keep_comments ? PrintWithComments(*document, *options) : PrintModule(document->module(), *options);
  if (check) {
    if (document->source().text() == text) return kExitGood;
    WriteError(absl::StrCat("hloscope: ", path, " is not formatted\n"));
    return kExitBadInput;
  }
  if (!in_place) {
    WriteOutput(text);
    return kExitGood;
  }
  if (document->source().text() == text) return kExitGood;
  const absl::Status status = WriteFileAtomically(path, text);
  if (status.ok()) return kExitGood;
  WriteError(absl::StrCat("hloscope: ", status.message(), "\n"));
  return kExitBadInput;
}

}  // namespace

const Command& FmtCommand() {
  static constexpr Command kCommand = {
      "fmt",
      "FILE",
      "print the module",
      "The switches override one choice of the style each, also with =off. A text with errors is not printed.\n"
      "--in-place replaces the file in one step and keeps its permissions, its comments and, unless\n"
      "--large-constants=off says otherwise, its constants.",
      kOptions,
      1,
      1,
      RunFmt};
  return kCommand;
}

}  // namespace hloscope
