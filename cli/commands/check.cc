// SPDX-License-Identifier: Apache-2.0
// `hloscope check`: parses, infers and verifies files, and says what is wrong with them.
#include <sys/resource.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/diagnostics_json.h"
#include "cli/input.h"
#include "cli/output.h"
#include "core/diagnostics/count_text.h"
#include "core/ops/verify_switches.h"
#include "evaluator/kernels/custom_calls/custom_call_registry.h"
#include "interop/modules/shown_diagnostics.h"
#include "nlohmann/json.hpp"
#include "reports/markdown.h"

namespace hloscope::cli {
namespace {

constexpr OptionSpec kCheckOptions[] = {
    {"layout-sensitive", OptionKind::kSwitch, "", "layouts must agree where operands and results are compared"},
    {"allow-mixed-precision", OptionKind::kSwitch, "", "operands may have different floating-point types"},
    {"strict", OptionKind::kSwitch, "", "errors, not warnings, where compilers accept what has no defined meaning"},
    {"parse-only", OptionKind::kSwitch, "", "only what XLA's reader itself rejects, without what its verifier does"},
    {"replicas", OptionKind::kValue, "N", "replica count for checks that need it, when the header does not say"},
    {"partitions", OptionKind::kValue, "N", "partition count, likewise"},
    {"collectives", OptionKind::kSwitch, "",
     "follow every device further than by default to find where they wait for each other; =off: not at all"},
    {"checks", OptionKind::kValue, "NAMES", "checks to switch on, or off (no-NAME), separated by commas; see below"},
    {"json", OptionKind::kSwitch, "", "diagnostics (and statistics) as JSON on standard output"},
    {"markdown", OptionKind::kSwitch, "", "diagnostics as Markdown on standard output, for a bug report"},
    {"stats", OptionKind::kSwitch, "", "instructions, computations, seconds per stage, bytes/s, peak memory"},
    {"verbose", OptionKind::kSwitch, "", "what kind of file it is; fields of a proto that are not known"},
};

// Nobody reads a longer report.
constexpr size_t kMostInMarkdown = 50;

// With --collectives: some ten seconds at most.
constexpr int64_t kFarBudget = 200'000'000;

struct CheckOptions {
  DocumentOptions document;
  RenderOptions render;
  bool json = false;
  bool markdown = false;
  bool stats = false;
  bool verbose = false;
};

absl::StatusOr<CheckOptions> CheckOptionsFrom(const Arguments& arguments) {
  constexpr int64_t kMostDevices = int64_t{1} << 31;
  CheckOptions options;
  const auto replicas = arguments.Int("replicas", 1, 1, kMostDevices);
  if (!replicas.ok()) return replicas.status();
  const auto partitions = arguments.Int("partitions", 1, 1, kMostDevices);
  if (!partitions.ok()) return partitions.status();
  absl::StatusOr<RenderOptions> render = ErrorRenderOptions(arguments);
  if (!render.ok()) return render.status();
  options.document.verify.replica_count = *replicas;
  options.document.verify.num_partitions = *partitions;
  options.document.verify.knows_custom_call = [](absl::string_view target) {
    return evaluator::CustomCallRegistry::Get().Find(target) != nullptr;
  };
  options.document.verify.layout_sensitive = arguments.Switch("layout-sensitive");
  options.document.verify.allow_mixed_precision = arguments.Switch("allow-mixed-precision");
  options.document.verify.strict = arguments.Switch("strict");
  for (const std::string& checks : arguments.Values("checks")) {
    const absl::Status status = ApplyVerifySwitches(checks, &options.document.verify);
    if (!status.ok()) return status;
  }
  if (arguments.Has("collectives")) {
    options.document.verify.check_collectives = arguments.Switch("collectives");
    options.document.verify.collectives_budget = kFarBudget;
  }
  options.document.parse_only = arguments.Switch("parse-only");
  options.render = *render;
  options.json = arguments.Switch("json");
  options.markdown = arguments.Switch("markdown");
  if (options.json && options.markdown) return absl::InvalidArgumentError("--json and --markdown exclude each other");
  options.stats = arguments.Switch("stats");
  options.verbose = arguments.Switch("verbose");
  return options;
}

// Of the whole process so far.
int64_t PeakMemoryBytes() {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? int64_t{usage.ru_maxrss} * 1024 : 0;
}

double BytesPerSecond(const Document& document) {
  const double seconds = document.times().total;
  return seconds > 0 ? document.source().size() / seconds : 0;
}

std::string StatsText(const Document& document) {
  const StageTimes& times = document.times();
  return absl::StrFormat(
      "%s: %d instructions, %d computations, %d bytes\n"
      "  lex        %9.6f s\n  syntax     %9.6f s\n  semantics  %9.6f s\n  verify     %9.6f s\n"
      "  total      %9.6f s  (%.1f MB/s)\n  peak memory %.1f MiB\n",
      OneLine(document.source().name()), document.module().instruction_count(), document.module().computations().size(),
      document.source().size(), times.lex, times.syntax, times.semantics, times.verify, times.total,
      BytesPerSecond(document) / 1e6, static_cast<double>(PeakMemoryBytes()) / (1 << 20));
}

nlohmann::ordered_json StatsJson(const Document& document) {
  const StageTimes& times = document.times();
  return {{"instructions", document.module().instruction_count()},
          {"computations", document.module().computations().size()},
          {"bytes", document.source().size()},
          {"seconds",
           {{"lex", times.lex},
            {"syntax", times.syntax},
            {"semantics", times.semantics},
            {"verify", times.verify},
            {"total", times.total}}},
          {"bytes_per_second", BytesPerSecond(document)},
          {"peak_memory_bytes", PeakMemoryBytes()}};
}

nlohmann::ordered_json FileJson(const Document& document, const std::vector<Diagnostic>& of_program, bool stats) {
  nlohmann::ordered_json diagnostics = nlohmann::ordered_json::array();
  int errors = 0;
  const interop::ShownDiagnostics shown = interop::DiagnosticsToShow(document, of_program);
  for (const Diagnostic& diagnostic : shown.diagnostics) {
    diagnostics.push_back(DiagnosticToJson(*shown.source, diagnostic));
    errors += diagnostic.severity == Severity::kError;
  }
  // Diagnostics beyond those that are kept are counted all the same.
  if (shown.source == &document.source()) errors = document.error_count();
  nlohmann::ordered_json file = {
      {"file", document.source().name()}, {"errors", errors}, {"findings", std::move(diagnostics)}};
  if (stats) file["stats"] = StatsJson(document);
  return file;
}

std::string FileMarkdown(const Document& document, const std::vector<Diagnostic>& of_program) {
  std::string text;
  const interop::ShownDiagnostics shown = interop::DiagnosticsToShow(document, of_program);
  size_t printed = 0;
  for (const Diagnostic& diagnostic : shown.diagnostics) {
    if (printed++ == kMostInMarkdown) {
      return absl::StrCat(text, "and ", CountOf(shown.diagnostics.size() - kMostInMarkdown, "more diagnostic"), "\n\n");
    }
    absl::StrAppend(&text,
                    reports::MarkdownOfDiagnostic(*shown.source, SeverityName(diagnostic.severity),
                                                  diagnostic.Message(), diagnostic.code(), diagnostic.range),
                    "\n");
  }
  return text;
}

// Says which option accepts errors that are about floating-point types alone.
void PrintMixedPrecisionHint(const Document& document, DocumentOptions options) {
  static constexpr absl::string_view kCodes[] = {"mixed-precision", "result-element-type", "declared-shape",
                                                 "called-parameter"};
  const bool may_be =
      std::any_of(document.diagnostics().begin(), document.diagnostics().end(), [](const Diagnostic& d) {
        return d.severity == Severity::kError && std::count(std::begin(kCodes), std::end(kCodes), d.code()) > 0;
      });
  if (options.verify.allow_mixed_precision || !may_be) return;
  options.verify.allow_mixed_precision = true;
  const int accepted = document.error_count() - Document::Parse(document.shared_source(), options)->error_count();
  if (accepted <= 0) return;
  WriteError(absl::StrCat(OneLine(document.source().name()), ": with --allow-mixed-precision, ", accepted,
                          accepted == 1 ? " error goes\n" : " errors go\n"));
}

// What the file is, and what in it says nothing here.
std::string ContentText(const std::string& path, const interop::OpenedFile& file) {
  std::string text = absl::StrCat(OneLine(path), ": ", interop::FileKindName(file.kind),
                                  file.is_compressed ? ", compressed" : "", "\n");
  for (const auto* list : {&file.notes, &file.unknown_fields, &file.obstacles}) {
    for (const std::string& line : *list) absl::StrAppend(&text, "  ", OneLine(line), "\n");
  }
  return text;
}

nlohmann::ordered_json ContentJson(const interop::OpenedFile& file) {
  return {{"kind", interop::FileKindName(file.kind)},
          {"compressed", file.is_compressed},
          {"notes", file.notes},
          {"unknown_fields", file.unknown_fields},
          {"obstacles", file.obstacles}};
}

// For the last document of the process: the system gives up its memory faster than destructors can.
void LeaveToExit(std::shared_ptr<const Document> document) {
  static const std::shared_ptr<const Document>* volatile left;  // volatile, or nothing would be stored
  left = new std::shared_ptr<const Document>(std::move(document));
  static_cast<void>(left);
}

int RunCheck(const Arguments& arguments) {
  const absl::StatusOr<CheckOptions> options = CheckOptionsFrom(arguments);
  if (!options.ok()) return UsageError(arguments.command(), options.status().message());
  int status = kExitGood;
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const std::string& path : arguments.operands()) {
    const std::optional<interop::OpenedModules> input =
        ReadInput(arguments, path, {.list_unknown_fields = options->verbose});
    if (!input) {
      status = std::max(status, StatusOfReading());
      if (options->json) files.push_back({{"file", path}, {"error", "cannot be read"}});
      continue;
    }
    if (options->verbose && !options->json) WriteOutput(ContentText(path, *input->file));
    for (const interop::HloSource& source : input->modules) {
      const std::shared_ptr<const Document> document = Document::Parse(source.text, options->document);
      if (document->has_errors() || source.has_errors) status = std::max<int>(status, kExitBadInput);
      if (&path == &arguments.operands().back() && &source == &input->modules.back()) LeaveToExit(document);
      if (options->markdown) {
        WriteOutput(FileMarkdown(*document, source.diagnostics));
        continue;
      }
      if (!options->json) {
        PrintDiagnostics(*document, options->render, DiagnosticFilter::kAll, source.diagnostics);
        PrintMixedPrecisionHint(*document, options->document);
        if (options->stats) WriteOutput(StatsText(*document));
        continue;
      }
      files.push_back(FileJson(*document, source.diagnostics, options->stats));
      if (input->modules.size() > 1) files.back()["module"] = document->module().name();
      if (options->verbose) files.back()["content"] = ContentJson(*input->file);
    }
  }
  if (options->json) WriteOutput(DumpJson({{"files", std::move(files)}}));
  if (options->markdown) WriteOutput(absl::StrCat("    ", CommandLine(arguments), "\n"));
  return status;
}

}  // namespace

const Command& CheckCommand() {
  static constexpr Command kCommand = {
      "check",
      "FILE...",
      "parse, infer shapes, verify",
      "One line per diagnostic on standard error, FILE:LINE:COL: error: MESSAGE [code], sorted by position; lines and\n"
      "columns count from 1, columns in characters. On a terminal (or with --color=always) the source line follows,\n"
      "with carets, related places and fixes. Of warnings of one kind, the first ones are printed, then how many more\n"
      "there are and where; at most 200 lines for a file. --json lists all of them. `hloscope explain CODE` says\n"
      "more about a code.\n"
      "\n"
      "What the reference verifier accepts with its default options is no error here: where it has no defined meaning\n"
      "there is a warning, which --strict makes an error. Operands of different floating-point types are an error, as\n"
      "they are there, unless --allow-mixed-precision is given; all other commands allow them.\n"
      "\n"
      "--checks=NAME switches a check on, --checks=no-NAME off. They are on from the start where it says `on`:\n"
#define SWITCH_TEXT_true "on   "
#define SWITCH_TEXT_false "     "
#define HLO_VERIFY_SWITCH(member, name, default_value, help) "  " SWITCH_TEXT_##default_value name ": " help "\n"
#include "core/ops/verify_switches.def"
#undef SWITCH_TEXT_true
#undef SWITCH_TEXT_false
      ,
      kCheckOptions,
      1,
      -1,
      RunCheck};
  return kCommand;
}

}  // namespace hloscope::cli
