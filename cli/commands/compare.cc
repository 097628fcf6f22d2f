// SPDX-License-Identifier: Apache-2.0
// `hloscope compare`: runs two versions of a module on the same inputs and tells where their values part.
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/arguments.h"
#include "cli/cancel_on_signal.h"
#include "cli/command.h"
#include "cli/commands/compare_page.h"
#include "cli/commands/drawing_format.h"
#include "cli/compare_values.h"
#include "cli/comparison_text.h"
#include "cli/diagnostics_json.h"
#include "cli/html_file.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/prepared_run.h"
#include "cli/replay.h"
#include "cli/run_options.h"
#include "core/analysis/value_flow.h"
#include "core/analysis/value_match.h"
#include "core/diagnostics/count_text.h"
#include "evaluator/compare/run_comparison.h"
#include "nlohmann/json.hpp"
#include "replay/recorded_values.h"
#include "reports/markdown.h"

namespace hloscope::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr OptionSpec kCompareOptions[] = {
    HLOSCOPE_RUN_OPTIONS,
    HLOSCOPE_TOLERANCE_OPTIONS,
    {"all", OptionKind::kSwitch, "", "list every instruction that diverges, not only the first ten"},
    {"results-only", OptionKind::kSwitch, "", "compare what the modules return and no single instructions: faster"},
    {"statistics", OptionKind::kSwitch, "", "how far apart the elements of every compared value are"},
    {"values", OptionKind::kValue, "DIR", "in place of B: values that were dumped elsewhere, DIR/INSTRUCTION.npy"},
    {"json", OptionKind::kSwitch, "", "print JSON"},
    {"format", OptionKind::kValue, "text|svg|png|pdf|markdown",
     "print text (default), Markdown, or a picture of where values part first, for which Graphviz is run"},
    HLOSCOPE_HTML_OPTION,
};

constexpr size_t kListed = 10;

absl::StatusOr<evaluator::ComparisonOptions> ReadComparisonOptions(const Arguments& arguments) {
  evaluator::ComparisonOptions options;
  absl::StatusOr<std::vector<evaluator::ToleranceRule>> tolerances = ReadTolerances(arguments);
  if (!tolerances.ok()) return tolerances.status();
  options.tolerances = *std::move(tolerances);
  options.results_only = arguments.Switch("results-only");
  options.statistics = arguments.Switch("statistics") || arguments.Has("html");
  return options;
}

// Empty if both modules take the same parameters and as many devices, else what differs.
std::string DifferenceOfSignatures(const PreparedRun& a, const PreparedRun& b) {
  const Module &ma = a.module(), &mb = b.module();
  const std::vector<InstructionId>& pa = ma.computation(ma.entry()).parameters;
  const std::vector<InstructionId>& pb = mb.computation(mb.entry()).parameters;
  if (pa.size() != pb.size()) {
    return absl::StrCat("the first module has ", CountOf(pa.size(), "parameter"), ", the second ", pb.size());
  }
  for (size_t k = 0; k < pa.size(); ++k) {
    const std::string x = ma.shape(pa[k]).ToString(false), y = mb.shape(pb[k]).ToString(false);
    if (x != y) return absl::StrCat("parameter ", k, " is ", x, " in the first module and ", y, " in the second");
  }
  if (a.grid().replicas != b.grid().replicas || a.grid().partitions != b.grid().partitions) {
    return absl::StrCat("the first module runs on ", a.grid().replicas, " x ", a.grid().partitions,
                        " devices, the second on ", b.grid().replicas, " x ", b.grid().partitions,
                        "; --replicas and --partitions set both");
  }
  return "";
}

class CompareCommandImplementation {
 public:
  CompareCommandImplementation(const Arguments& arguments, PreparedRun& a, PreparedRun& b,
                               evaluator::ComparisonOptions options, bool color)
      : arguments_(arguments), a_(a), b_(b), options_(options), color_(color) {}

  int Run() {
    a_.TakeNumbersOf(a_);
    b_.TakeNumbersOf(a_);
    for (PreparedRun* one : {&a_, &b_}) {
      if (const int status = one->Prepare(); status != kExitGood) return status;
    }
    a_.run().ShareTime(b_.run());
    if (const std::string difference = DifferenceOfSignatures(a_, b_); !difference.empty()) {
      WriteError(absl::StrCat("hloscope compare: ", difference, "\n"));
      return kExitBadInput;
    }
    const ValueFlow flow_a(a_.module()), flow_b(b_.module());
    const ValueMatch match = MatchValues(flow_a, flow_b);
    evaluator::RunComparer comparer(a_.run(), b_.run(), flow_a, flow_b, match, options_);
    absl::StatusOr<evaluator::RunComparison> comparison = absl::CancelledError("");
    {
      const CancelOnSignal cancel(a_.run(), &b_.run());
      comparison = comparer.Run();
    }
    if (!comparison.ok()) {
      if (comparer.failed_run() == &a_.run()) return a_.ReportFailure();
      if (comparer.failed_run() == &b_.run()) return b_.ReportFailure();
      return ReportStatus(comparison.status());
    }
    if (const absl::Status status = CompareWithRecorded(flow_a); !status.ok()) return ReportStatus(status);
    std::optional<insight::HtmlReport> page;
    if (arguments_.Has("html")) {
      page.emplace(ComparePage(absl::StrCat(arguments_.operands()[0], " and ", arguments_.operands()[1]),
                               AsText(*comparison, flow_a, flow_b, match),
                               {a_.document(), b_.document(), flow_a, *comparison}));
    }
    if (const int status = Print(*comparison, flow_a, flow_b, match); status != kExitGood) return status;
    if (arguments_.Value("html") != "-") IgnoreSignals();
    if (page.has_value()) {
      if (const int status = WriteHtml(arguments_, *std::move(page)); status != kExitGood) return status;
    }
    const bool agrees = comparison->ResultsAgree() &&
                        std::all_of(recorded_.begin(), recorded_.end(), [](const auto& one) { return one.Agrees(); });
    return agrees ? kExitGood : kExitBadInput;
  }

  // What a snapshot says that the module returned: compared with what the first module returns.
  void ExpectRecorded(std::vector<evaluator::Tensor> leaves) { recorded_leaves_ = std::move(leaves); }

 private:
  int Print(const evaluator::RunComparison& comparison, const ValueFlow& flow_a, const ValueFlow& flow_b,
            const ValueMatch& match) const {
    const std::string format = arguments_.Value("format").value_or("text");
    if (arguments_.Value("html") == "-") return kExitGood;
    if (arguments_.Switch("json")) {
      WriteOutput(DumpJson(AsJson(comparison, match)));
    } else if (format == "text") {
      WriteOutput(AsText(comparison, flow_a, flow_b, match));
    } else if (format == "markdown") {
      WriteMarkdown(arguments_, reports::FencedBlock(AsText(comparison, flow_a, flow_b, match), "text"));
    } else {
      const absl::StatusOr<std::string> picture =
          ComparePicture({a_.document(), b_.document(), flow_a, comparison}, format);
      if (absl::IsNotFound(picture.status())) {
        WriteError(absl::StrCat("hloscope compare: ", OneLine(picture.status().message()), "\n"));
      } else if (!picture.ok()) {
        return ReportStatus(picture.status());
      } else {
        WriteOutput(*picture);
      }
    }
    return kExitGood;
  }

  absl::Status CompareWithRecorded(const ValueFlow& flow) {
    const InstructionId root = a_.module().computation(a_.module().entry()).root;
    if (recorded_leaves_.empty() || !root.has_value()) return absl::OkStatus();
    const std::vector<evaluator::Tolerance> allowed =
        evaluator::ValueTolerances(flow, options_.tolerances).OfArrays(root);
    std::vector<evaluator::Value> elements, got;
    for (const evaluator::Tensor& tensor : recorded_leaves_) elements.emplace_back(tensor);
    a_.run().device(0).result().ForEachTensor([&](const evaluator::Tensor& tensor) { got.emplace_back(tensor); });
    absl::StatusOr<std::vector<evaluator::LeafComparison>> leaves = evaluator::CompareValues(
        evaluator::Value::Tuple(std::move(elements)), evaluator::Value::Tuple(std::move(got)), allowed);
    if (!leaves.ok()) return leaves.status();
    recorded_ = *std::move(leaves);
    return absl::OkStatus();
  }

  std::string Painted(const char* code, absl::string_view text) const {
    return color_ ? absl::StrCat("\x1b[", code, "m", text, "\x1b[0m") : std::string(text);
  }
  static std::string Place(const PreparedRun& run, InstructionId id) {
    const SourceText& text = run.document().source();
    const SourceRange range = run.document().InstructionRange(id);
    const LineColumn at = text.origin() == nullptr
                              ? text.LineColumnAt(range.begin)
                              : text.origin()->source->LineColumnAt(text.origin()->OriginalRange(range).begin);
    return absl::StrCat(text.name(), ":", at.line);
  }

  std::string AsText(const evaluator::RunComparison& comparison, const ValueFlow& flow_a, const ValueFlow& flow_b,
                     const ValueMatch& match) const {
    std::string out;
    if (!options_.results_only) {
      const double share =
          100.0 * static_cast<double>(match.matched_a) / static_cast<double>(std::max<size_t>(1, match.running_a));
      absl::StrAppend(&out, absl::StrFormat("%d of %d instructions have a counterpart (%.1f %%), %d values compared\n",
                                            match.matched_a, match.running_a, share, comparison.compared_values));
      if (comparison.given_up_values > 0) {
        absl::StrAppend(&out, CountOf(comparison.given_up_values, "value was", "values were"),
                        " not compared: the counterparts come too late\n");
      }
      AppendDivergences(comparison, flow_a, flow_b, match, &out);
      AppendValues(comparison, &out);
    }
    size_t agreeing = 0;
    for (size_t k = 0; k < comparison.results.size(); ++k) {
      const evaluator::RunComparison::Result& result = comparison.results[k];
      agreeing += result.comparison.Agrees();
      const std::string name = absl::StrCat("result", LeafText(result.comparison), a_.OnDevice(result.device));
      absl::StrAppend(&out, Painted(result.comparison.Agrees() ? "32" : "31", name), ": ",
                      BeyondText(result.comparison), "\n");
    }
    absl::StrAppend(&out, agreeing, " of ", comparison.results.size(), " results agree\n");
    for (size_t k = 0; k < recorded_.size(); ++k) {
      absl::StrAppend(&out, "recorded result", recorded_.size() > 1 ? absl::StrCat(" ", k) : "",
                      " against the first module: ", BeyondText(recorded_[k]), "\n");
    }
    return out;
  }

  void AppendDivergences(const evaluator::RunComparison& comparison, const ValueFlow& flow_a, const ValueFlow& flow_b,
                         const ValueMatch& match, std::string* out) const {
    const std::vector<evaluator::Divergence>& list = comparison.divergences;
    if (list.empty()) {
      absl::StrAppend(out, "no instruction diverges\n");
      return;
    }
    const evaluator::Divergence& first = list[0];
    absl::StrAppend(out, Painted("1;31", "first divergence: "), OpcodeName(a_.module().opcode(first.a)), " ",
                    Sentence(first), "\n");
    const absl::Span<const InstructionId> operands = flow_a.operands(first.a), others = flow_b.operands(first.b);
    for (size_t k = 0; k < operands.size(); ++k) {
      absl::StrAppend(out, "    operand ", OneLine(a_.module().InstructionName(operands[k])), " ",
                      OperandWord(comparison, match, operands[k], k < others.size() ? others[k] : InstructionId()),
                      "\n");
    }
    absl::StrAppend(out, StatisticsText(first.comparison, "    "));
    AppendFrontier(list, out);
    const size_t listed = arguments_.Switch("all") ? list.size() : std::min(list.size(), kListed);
    if (listed > 1) absl::StrAppend(out, "then, in the order of execution:\n");
    for (size_t k = 1; k < listed; ++k) absl::StrAppend(out, "  ", Sentence(list[k]), "\n");
    if (listed < list.size()) {
      absl::StrAppend(out, "  and ", CountOf(list.size() - listed, "more instruction"), " (--all lists them)\n");
    }
  }

  // The other places where agreement ends.
  void AppendFrontier(const std::vector<evaluator::Divergence>& list, std::string* out) const {
    std::vector<const evaluator::Divergence*> frontier;
    for (size_t k = 1; k < list.size(); ++k) {
      if (list[k].is_frontier) frontier.push_back(&list[k]);
    }
    if (frontier.empty()) return;
    absl::StrAppend(out, "agreement also ends at (what these are computed from agrees):\n");
    const size_t listed = arguments_.Switch("all") ? frontier.size() : std::min(frontier.size(), kListed);
    for (size_t k = 0; k < listed; ++k) absl::StrAppend(out, "  ", Sentence(*frontier[k]), "\n");
    if (listed < frontier.size())
      absl::StrAppend(out, "  and ", frontier.size() - listed, " more (--all lists them)\n");
  }

  void AppendValues(const evaluator::RunComparison& comparison, std::string* out) const {
    if (!arguments_.Switch("statistics")) return;
    absl::StrAppend(out, "every compared value:\n");
    for (const evaluator::ComparedValue& value : comparison.values) {
      absl::StrAppend(out, "  ", OneLine(a_.module().InstructionName(value.a)), LeafText(value.comparison), " against ",
                      OneLine(b_.module().InstructionName(value.b)), ": ", BeyondText(value.comparison), "\n",
                      StatisticsText(value.comparison, "      "));
    }
  }

  // What is known of an operand of the first divergence. What was compared agreed until then.
  std::string OperandWord(const evaluator::RunComparison& comparison, const ValueMatch& match, InstructionId operand,
                          InstructionId other) const {
    const bool is_constant = a_.module().opcode(operand) == Opcode::kConstant;
    if (comparison.agreement[operand.index()] != evaluator::InstructionAgreement::kNotCompared) return "agrees";
    if (match.partner_of_a[operand.index()].has_value()) {
      return is_constant                                         ? "is the same constant"
             : a_.module().opcode(operand) == Opcode::kParameter ? "is a parameter"
                                                                 : "was not compared";
    }
    if (is_constant && other.has_value() && b_.module().opcode(other) == Opcode::kConstant) {
      return absl::StrCat("is another constant there: ", OneLine(b_.module().InstructionName(other)));
    }
    return "has no counterpart";
  }

  std::string Sentence(const evaluator::Divergence& one) const {
    std::string where;
    if (one.path_a.find('/') != std::string::npos) where = absl::StrCat(", at ", OneLine(one.path_a));
    if (one.executions > 1) absl::StrAppend(&where, " (in ", one.executions, " executions)");
    return absl::StrCat(OneLine(a_.module().InstructionName(one.a)), LeafText(one.comparison), " (", Place(a_, one.a),
                        ") against ", OneLine(b_.module().InstructionName(one.b)), " (", Place(b_, one.b), ")",
                        a_.OnDevice(one.device), where, "\n    ", BeyondText(one.comparison));
  }

  Json AsJson(const evaluator::RunComparison& comparison, const ValueMatch& match) const {
    Json results = Json::array(), divergences = Json::array();
    for (const evaluator::RunComparison::Result& result : comparison.results) {
      Json one = ComparisonJson(result.comparison);
      one["device"] = result.device;
      results.push_back(std::move(one));
    }
    for (const evaluator::Divergence& divergence : comparison.divergences) {
      Json one = {{"a", std::string(a_.module().InstructionName(divergence.a))},
                  {"b", std::string(b_.module().InstructionName(divergence.b))},
                  {"path_a", divergence.path_a},
                  {"path_b", divergence.path_b},
                  {"device", divergence.device},
                  {"executions", divergence.executions},
                  {"frontier", divergence.is_frontier}};
      one.update(ComparisonJson(divergence.comparison));
      divergences.push_back(std::move(one));
    }
    Json first;
    if (!comparison.divergences.empty()) {
      first = {{"a", std::string(a_.module().InstructionName(comparison.divergences[0].a))},
               {"b", std::string(b_.module().InstructionName(comparison.divergences[0].b))}};
    }
    Json json = {{"agree", comparison.ResultsAgree()},
                 {"first", std::move(first)},
                 {"instructions", match.running_a},
                 {"matched", match.matched_a},
                 {"compared_values", comparison.compared_values},
                 {"given_up_values", comparison.given_up_values},
                 {"results", std::move(results)},
                 {"divergences", std::move(divergences)}};
    for (const evaluator::ComparedValue& value : comparison.values) {
      Json one = {{"a", std::string(a_.module().InstructionName(value.a))},
                  {"b", std::string(b_.module().InstructionName(value.b))},
                  {"executions", value.executions}};
      one.update(ComparisonJson(value.comparison));
      json["values"].push_back(std::move(one));
    }
    for (const evaluator::LeafComparison& one : recorded_) json["recorded"].push_back(ComparisonJson(one));
    return json;
  }

  const Arguments& arguments_;
  PreparedRun &a_, &b_;
  const evaluator::ComparisonOptions options_;
  const bool color_;
  std::vector<evaluator::Tensor> recorded_leaves_;
  std::vector<evaluator::LeafComparison> recorded_;
};

int RunCompare(const Arguments& arguments) {
  absl::StatusOr<evaluator::RunOptions> options = ReadRunOptions(arguments);
  if (!options.ok()) return UsageError(arguments.command(), options.status().message());
  const absl::StatusOr<evaluator::ComparisonOptions> comparison = ReadComparisonOptions(arguments);
  if (!comparison.ok()) return UsageError(arguments.command(), comparison.status().message());
  const absl::StatusOr<RenderOptions> render = ErrorRenderOptions(arguments);
  if (!render.ok()) return UsageError(arguments.command(), render.status().message());
  const absl::StatusOr<bool> color = UseColor(arguments, STDOUT_FILENO);
  if (!color.ok()) return UsageError(arguments.command(), color.status().message());
  const absl::StatusOr<std::string> format = arguments.Choice("format", {"text", "svg", "png", "pdf", "markdown"});
  if (!format.ok()) return UsageError(arguments.command(), format.status().message());
  if (const std::optional<std::string> values = arguments.Value("values")) {
    if (*format != "text") return UsageError(arguments.command(), "--values and --format exclude each other");
    if (arguments.operands().size() != 1) return UsageError(arguments.command(), "--values takes the place of B");
    return CompareWithValues(arguments, *values, *std::move(options), comparison->tolerances);
  }
  if (arguments.operands().size() != 2) return UsageError(arguments.command(), "it takes two modules, or --values=DIR");
  if (arguments.operands()[0] == "-" && arguments.operands()[1] == "-") {
    return UsageError(arguments.command(), "standard input can be only one of the modules");
  }
  std::shared_ptr<const interop::OpenedFile> file;
  const std::shared_ptr<const Document> a = OpenToRun(arguments, arguments.operands()[0], &*options);
  const std::shared_ptr<const Document> b = OpenToRun(arguments, arguments.operands()[1], &*options, &file);
  if (a == nullptr || b == nullptr) return StatusOfReading();
  evaluator::Buffer::SetLimit(options->session.memory_limit_bytes);
  PreparedRun run_a(a, *options, *render), run_b(b, *options, *render);
  CompareCommandImplementation implementation(arguments, run_a, run_b, *comparison,
                                              *color && *format == "text" && !arguments.Has("html"));
  // What was recorded belongs to the recorded arguments.
  const bool is_replay = options->arguments.empty() && options->arguments_directory.empty() && options->fills.empty();
  if (file->snapshot && is_replay) {
    absl::StatusOr<std::vector<evaluator::Tensor>> recorded = replay::RecordedResult(*file->snapshot);
    if (!recorded.ok()) return ReportStatus(recorded.status());
    implementation.ExpectRecorded(*std::move(recorded));
  }
  return implementation.Run();
}

}  // namespace

const Command& CompareCommand() {
  static constexpr Command kCommand = {
      "compare",
      "A [B]",
      "run two versions of a module on the same inputs and tell where their values part",
      "Instructions are matched by what they compute, through new names, fusions, inlined calls and copies, and their\n"
      "values are compared while both modules run. Elements agree if they are equal (NaN equals NaN) or within one of\n"
      "--rtol + --atol and --ulp, or those that --tolerance names for their type and opcode. Without these, it\n"
      "is what computes a value that counts: nothing for integers and for what only moves parameters and constants,\n"
      "2e-5 of an f32 and of the largest element of the array after a rounding, 1e-12 for f64, 1e-2 for f16, 4e-2\n"
      "for bf16; four times as much for exponentials and their like, more for long sums, and as much as the operands.\n"
      "Exit status 0 if all results agree, 1 if one differs, 3 if a run hit a limit. Where B is a snapshot, both take\n"
      "its arguments, and what it recorded as the result is compared too. With --values, what A computes is compared\n"
      "with one file for each instruction, by its name; parameters that have a file take their values from it.",
      kCompareOptions,
      1,
      2,
      RunCompare};
  return kCommand;
}

}  // namespace hloscope::cli
