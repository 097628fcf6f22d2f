// SPDX-License-Identifier: Apache-2.0
// `hloscope fmt`: prints a module in one of the styles of docs/text-format.md 7.1.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/last_file.h"
#include "cli/output.h"
#include "cli/prepared_run.h"
#include "cli/stable_text.h"
#include "core/analysis/module_compare.h"
#include "core/editing/comments.h"
#include "core/editing/format_text.h"
#include "core/editing/refactorings.h"
#include "core/editing/text_style.h"
#include "core/print/printer.h"

namespace hloscope::cli {
namespace {

constexpr OptionSpec kFmtOptions[] = {
    {"style", OptionKind::kValue, "auto|dump|long|short|canonical",
     "which choices the switches start from: those that the text shows (auto), or a style"},
    {"order", OptionKind::kValue, "text|xla",
     "of computations and instructions: that of the text (default), or that of the reference, which canonical implies"},
    // The table of 7.1.
    {"percent", OptionKind::kSwitch, "", "% before names"},
    {"operand-shapes", OptionKind::kSwitch, "", "shapes of operands"},
    {"operand-names", OptionKind::kSwitch, "", "names of operands"},
    {"index-comments", OptionKind::kSwitch, "", "/*index=5*/ before every fifth operand"},
    {"signatures", OptionKind::kSwitch, "", "parameters and result after the names of computations"},
    {"metadata", OptionKind::kSwitch, "", "metadata and stack-frame tables"},
    {"backend-config", OptionKind::kSwitch, "", "backend configurations"},
    {"control-predecessors", OptionKind::kSwitch, "", "control-predecessors"},
    {"large-constants", OptionKind::kSwitch, "", "constants of more than 10 elements in full"},
    {"inline-computations", OptionKind::kSwitch, "", "called computations in place of their names"},
    {"canonical-names", OptionKind::kSwitch, "", "instructions are called tmp_0, tmp_1, ..."},
    {"async-sugar", OptionKind::kSwitch, "", "custom-call-start in place of async-start"},
    {"compact-gte", OptionKind::kSwitch, "", "%t#1 in place of get-tuple-element"},
    // Further switches of the reference.
    {"only-op-name", OptionKind::kSwitch, "", "of metadata only op_name"},
    {"sorted-backend-config", OptionKind::kSwitch, "", "keys of JSON in backend configurations sorted"},
    {"ids", OptionKind::kSwitch, "", "off: names without numbers, none for module and computations (cannot be read)"},
    {"essential-constants", OptionKind::kSwitch, "", "constants as 0, 1, integers or {...}"},
    {"explicit-replica-groups", OptionKind::kSwitch, "", "lists in place of the iota and mesh forms"},
    {"channel-ids", OptionKind::kSwitch, "", "off: channel_id=_ (cannot be read)"},
    {"closing-names", OptionKind::kSwitch, "", "// name after the brace of long computations"},
    {"max-operands", OptionKind::kValue, "N", "then `, ...(+M)` (cannot be read)"},
    {"in-place", OptionKind::kSwitch, "", "rewrite the file"},
    {"check", OptionKind::kSwitch, "", "print nothing; exit 1 if --in-place would change the file"},
    {"keep-comments", OptionKind::kSwitch, "",
     "keep the comments of the text (default with --style=auto, --in-place and --check)"},
};

// Whether white space alone is to be put in order: no option asks for another style, order or part.
bool ChangesWhiteSpaceOnly(const Arguments& arguments) {
  static constexpr absl::string_view kOthers[] = {"style", "order", "in-place", "check", "keep-comments"};
  for (const OptionSpec& option : kFmtOptions) {
    const bool is_choice = std::find(std::begin(kOthers), std::end(kOthers), option.name) == std::end(kOthers);
    if (is_choice && arguments.Has(option.name)) return false;
  }
  return arguments.Value("style").value_or("auto") == "auto" && arguments.Value("order").value_or("text") == "text" &&
         arguments.Switch("keep-comments", true);
}

bool IsAuto(const Arguments& arguments) { return arguments.Value("style").value_or("auto") == "auto"; }

// `own`: what the style "auto" stands for.
absl::StatusOr<PrintOptions> PrintOptionsFrom(const Arguments& arguments, const PrintOptions& own) {
  const absl::StatusOr<std::string> style = arguments.Choice("style", {"auto", "dump", "long", "short", "canonical"});
  if (!style.ok()) return style.status();
  const absl::StatusOr<std::string> order = arguments.Choice("order", {"text", "xla"});
  if (!order.ok()) return order.status();
  PrintOptions options = PrintOptions::FromStyleName(*style).value_or(own);
  if (arguments.Has("order")) options.order = *order == "xla" ? PrintOrder::kXla : PrintOrder::kText;
  // What the reference would print.
  if (options.order == PrintOrder::kXla) {
    options.keep_written_names = options.keep_written_defaults = options.keep_written_digits = false;
    options.WriteWhatReadingAdds();
  }
  if (arguments.Has("operand-shapes")) options.operand_forms = nullptr;
  if (arguments.Has("signatures")) options.keep_written_signatures = false;
  if (arguments.Has("async-sugar")) options.keep_written_async_sugar = false;
  if (arguments.Has("inline-computations")) options.keep_written_inline_computations = false;
  const std::pair<absl::string_view, bool*> switches[] = {{"percent", &options.percent},
                                                          {"operand-shapes", &options.operand_shapes},
                                                          {"operand-names", &options.operand_names},
                                                          {"index-comments", &options.operand_index_comments},
                                                          {"signatures", &options.signatures},
                                                          {"metadata", &options.metadata},
                                                          {"backend-config", &options.backend_config},
                                                          {"control-predecessors", &options.control_predecessors},
                                                          {"inline-computations", &options.inline_computations},
                                                          {"canonical-names", &options.canonical_names},
                                                          {"async-sugar", &options.async_sugar},
                                                          {"compact-gte", &options.compact_tuple_access},
                                                          {"only-op-name", &options.only_op_name},
                                                          {"sorted-backend-config", &options.sorted_backend_config},
                                                          {"ids", &options.ids},
                                                          {"essential-constants", &options.essential_constants},
                                                          {"explicit-replica-groups", &options.explicit_replica_groups},
                                                          {"channel-ids", &options.channel_ids},
                                                          {"closing-names", &options.closing_names}};
  for (const auto& [name, target] : switches) *target = arguments.Switch(name, *target);
  const absl::StatusOr<int64_t> max_operands = arguments.Int("max-operands", 0, 0, std::numeric_limits<int32_t>::max());
  if (!max_operands.ok()) return max_operands.status();
  options.max_operands = static_cast<size_t>(*max_operands);
  // Rewriting a file must not lose its data, nor names and attributes of tuple accesses unless that is asked for.
  const bool rewrites = arguments.Switch("in-place") || arguments.Switch("check");
  options.large_constants = arguments.Switch("large-constants", options.large_constants || rewrites);
  options.keep_written_digits = options.keep_written_digits || rewrites;
  options.keep_written_tuple_access = (rewrites || options.keep_written_tuple_access) && !arguments.Has("compact-gte");
  if (rewrites && (!options.ids || !options.channel_ids || !options.operand_names || options.max_operands > 0 ||
                   options.essential_constants || options.closing_names)) {
    return absl::InvalidArgumentError(
        "--ids=off, --channel-ids=off, --operand-names=off, --max-operands, --essential-constants and --closing-names "
        "are for reading only; they do not go with --in-place and --check");
  }
  return options;
}

// The document at `path` if its text can be read; else its errors are on standard error. What shape inference and
// verification find does not keep it from being printed: that is on standard error as warnings.
std::shared_ptr<const Document> OpenReadable(const Arguments& arguments, const std::string& path) {
  const std::optional<interop::OpenedModules> input = ReadOneModule(arguments, path);
  if (!input) return nullptr;
  const bool is_whole = input->file->kind == interop::FileKind::kHloText && !input->file->is_compressed &&
                        input->file->modules.size() == 1;
  if (!is_whole && (arguments.Switch("in-place") || arguments.Switch("check"))) {
    WriteError(absl::StrCat("hloscope: ", OneLine(path), " is not the text of one module, so it is not replaced\n"));
    return nullptr;
  }
  const interop::HloSource& source = input->modules[0];
  std::shared_ptr<const Document> document = Document::Parse(source.text);
  if (!document->has_errors() && !source.has_errors) return document;
  const RenderOptions render = ErrorRenderOptions(arguments).value_or(RenderOptions());
  const std::shared_ptr<const Document> only_read = Document::Parse(source.text, {{}, /*parse_only=*/true});
  if (!only_read->has_errors() && !source.has_errors) {
    PrintDiagnostics(*document, render, DiagnosticFilter::kErrorsAsWarnings);
    return document;
  }
  PrintDiagnostics(*only_read, render, DiagnosticFilter::kErrorsOnly, source.diagnostics);
  WriteError(absl::StrCat("hloscope: ", OneLine(path), " cannot be read, so it is not printed\n"));
  return nullptr;
}

// Why `text` is not the module that was printed, if it is not.
std::string LossInPrint(const Module& module, const std::string& text, const PrintOptions& options) {
  const auto again = Document::Parse(SourceText::FromString("printed text", text), {{}, /*parse_only=*/true});
  for (const Diagnostic& diagnostic : again->diagnostics()) {
    if (diagnostic.severity != Severity::kError) continue;
    return absl::StrCat("line ", again->source().LineColumnAt(diagnostic.range.begin).line + 1, ": ",
                        diagnostic.Message());
  }
  return FirstDifference(module, again->module(), HiddenInPrint(module, options));
}

int RunFmt(const Arguments& arguments) {
  if (const auto usage = PrintOptionsFrom(arguments, PrintOptions::Dump()); !usage.ok()) {
    return UsageError(arguments.command(), usage.status().message());
  }
  if (const auto color = ErrorRenderOptions(arguments); !color.ok()) {
    return UsageError(arguments.command(), color.status().message());
  }
  const bool in_place = arguments.Switch("in-place");
  const bool check = arguments.Switch("check");
  const std::string& path = arguments.operands()[0];
  if (in_place && check) return UsageError(arguments.command(), "--in-place and --check exclude each other");
  if (in_place && path == "-") return UsageError(arguments.command(), "--in-place needs a file, not standard input");

  const std::shared_ptr<const Document> document = OpenReadable(arguments, path);
  if (document == nullptr) return StatusOfReading();
  if ((in_place || check) && document->source().origin() != nullptr) {
    return UsageError(arguments.command(),
                      "this is a StableHLO program: --in-place and --check are for HLO texts; see `hloscope convert`");
  }
  const bool is_auto = IsAuto(arguments);
  const PrintOptions options =
      PrintOptionsFrom(arguments, is_auto ? StyleOf(*document) : PrintOptions::Dump()).value_or(PrintOptions::Dump());
  const bool rewrites = in_place || check;
  const bool keep_comments = arguments.Switch("keep-comments", is_auto || rewrites);
  const bool only_white_space = ChangesWhiteSpaceOnly(arguments);
  const auto print = [&](const Document& d) {
    if (only_white_space) return FormatText(d);
    return keep_comments ? PrintWithComments(d, options) : PrintModule(d.module(), options);
  };
  const std::string text = rewrites ? StableText(document, print) : print(*document);
  if (!rewrites) {
    WriteOutput(text);
    return kExitGood;
  }
  const bool is_formatted = document->source().text() == text;
  if (check && !is_formatted) WriteError(absl::StrCat("hloscope: ", path, " is not formatted\n"));
  if (check) return is_formatted ? kExitGood : kExitBadInput;
  if (is_formatted) return kExitGood;
  if (const std::string loss = LossInPrint(document->module(), text, options); !loss.empty()) {
    WriteError(absl::StrCat("hloscope: ", OneLine(path), " is left as it is: printed and read again, it would be ",
                            "another module (", OneLine(loss), ")\n"));
    return kExitBadInput;
  }
  const absl::Status status = WriteLastFile(path, text);
  if (status.ok()) return kExitGood;
  return ReportStatus(status);
}

}  // namespace

const Command& FmtCommand() {
  static constexpr Command kCommand = {
      "fmt",
      "FILE",
      "print the module",
      "Without options white space alone changes, and a text that a printer made comes out byte for byte. Switches,\n"
      "also with =off, each override one choice of the style, which is found in the text; what they do not ask for\n"
      "stays, and nothing is added that the text leaves out.\n"
      "A text that cannot be read is not printed; what shape inference and verification find is shown as warnings.\n"
      "--in-place replaces the file in one step, after it has read the new text and found the same module in it. It\n"
      "keeps permissions, comments and, unless --large-constants=off or --compact-gte say otherwise, constants and\n"
      "tuple accesses, and prints until nothing moves any more.",
      kFmtOptions,
      1,
      1,
      RunFmt};
  return kCommand;
}

}  // namespace hloscope::cli
