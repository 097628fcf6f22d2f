// SPDX-License-Identifier: Apache-2.0
// `hloscope value`: what an instruction computes, or an .npy file holds, as text, drawing or page.
#include <unistd.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "cli/arguments.h"
#include "cli/cancel_on_signal.h"
#include "cli/command.h"
#include "cli/commands/drawing_format.h"
#include "cli/html_file.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/prepared_run.h"
#include "cli/replay.h"
#include "cli/run_options.h"
#include "evaluator/debugger/debugger.h"
#include "evaluator/tensor/npy.h"
#include "insight/html/html_report.h"
#include "reports/debug_view.h"
#include "reports/markdown.h"
#include "reports/tensor_drawing.h"
#include "reports/tensor_page.h"

namespace hloscope::cli {
namespace {

constexpr OptionSpec kValueOptions[] = {
    HLOSCOPE_RUN_OPTIONS,
    {"svg", OptionKind::kSwitch, "", "print a heat map"},
    HLOSCOPE_DRAWING_FORMAT_OPTION,
    HLOSCOPE_HTML_OPTION,
};

// What is shown, and what it is called.
struct FoundValue {
  std::string name;
  std::string where;  // path of the execution; empty: of a file, or given
  evaluator::Value value;
};

int ValueFailure(absl::string_view message) {
  WriteError(absl::StrCat("hloscope value: ", message, "\n"));
  return kExitBadInput;
}

// The first time that the expression has a value: one of its instructions was computed, and the others were before.
class ValueSearch {
 public:
  ValueSearch(evaluator::Debugger& debugger, evaluator::Expression expression)
      : debugger_(debugger), expression_(std::move(expression)) {}

  // Prints nothing. Nothing if the run ended without it: status() of the timeline says why if it failed.
  std::optional<FoundValue> Run() {
    if (debugger_.Start().reason == evaluator::StopReason::kFailed) return std::nullopt;
    if (std::optional<FoundValue> given = At(0, nullptr)) return given;
    evaluator::Watchpoint watch;
    for (const std::string& name : expression_.ValueNames()) {
      const absl::Span<const InstructionId> ids = debugger_.names().Instructions(name);
      watch.what.insert(watch.what.end(), ids.begin(), ids.end());
    }
    debugger_.Add(std::move(watch));
    for (;;) {
      const evaluator::Stop stop = debugger_.Continue();
      for (const evaluator::WatchHit& hit : stop.watches) {
        if (std::optional<FoundValue> found = At(stop.device, &hit)) return found;
      }
      if (stop.watches.empty()) return std::nullopt;
    }
  }

  // Why it had none, where it was tried.
  const std::string& problem() const { return problem_; }

 private:
  std::optional<FoundValue> At(int64_t device, const evaluator::WatchHit* hit) {
    evaluator::Timeline& timeline = debugger_.timeline();
    if (hit != nullptr && expression_.root().kind == evaluator::ExpressionNode::Kind::kValue) {
      return FoundValue{expression_.text(), hit->path, hit->value};
    }
    const size_t frames = timeline.inspection(device).frames().size();
    evaluator::RunScope scope(timeline, debugger_.names(), device, frames == 0 ? 0 : frames - 1);
    evaluator::ExpressionError error;
    std::optional<evaluator::Value> value = expression_.Evaluate(scope, &error);
    if (!value.has_value() && hit != nullptr) {
      // Its frame has ended with it.
      scope.set_fresh(hit->instruction, &hit->value);
      value = expression_.Evaluate(scope, &error);
    }
    if (!value.has_value()) {
      problem_ = evaluator::RenderExpressionError(expression_.text(), error);
      return std::nullopt;
    }
    return FoundValue{expression_.text(), hit == nullptr ? std::string() : hit->path, *std::move(value)};
  }

  evaluator::Debugger& debugger_;
  const evaluator::Expression expression_;
  std::string problem_;
};

// The instruction that the entry computation returns.
std::string RootName(const Module& module) {
  return std::string(module.InstructionName(module.computation(module.entry()).root));
}

// The value, or the exit status after a message.
int Compute(const Arguments& arguments, evaluator::RunOptions options, const RenderOptions& render, FoundValue* found) {
  options.session.run_dead_instructions = true;  // what nothing uses has a value too
  const std::shared_ptr<const Document> document = OpenToRun(arguments, arguments.operands()[0], &options);
  if (document == nullptr) return StatusOfReading();
  PreparedRun prepared(document, std::move(options), render);
  if (const int status = prepared.PrepareForDebugger(0, nullptr); status != kExitGood) return status;
  evaluator::Debugger& debugger = prepared.launch()->debugger();
  const std::string text = arguments.operands().size() > 1 ? arguments.operands()[1] : RootName(debugger.module());
  evaluator::ExpressionError error;
  std::optional<evaluator::Expression> expression = evaluator::Expression::Parse(text, debugger.names(), &error);
  if (!expression.has_value()) {
    return ValueFailure(absl::StrCat(error.message, "\n", evaluator::RenderExpressionError(text, error)));
  }
  if (expression->ValueNames().empty()) return ValueFailure(absl::StrCat("`", text, "` names no instruction"));
  ValueSearch search(debugger, *std::move(expression));
  const CancelOnSignal cancel(prepared.run());
  if (std::optional<FoundValue> result = search.Run()) {
    *found = *std::move(result);
    return kExitGood;
  }
  if (const absl::Status& status = debugger.timeline().status(); !status.ok()) {
    // Before the first step, no instruction has failed.
    return prepared.run().status().ok() ? ReportStatus(status) : prepared.ReportFailure();
  }
  return ValueFailure(
      search.problem().empty()
          ? absl::StrCat("`", text, "` is not computed by itself: it is part of what calls it, or nothing calls it")
          : absl::StrCat("`", text, "` never has a value\n", search.problem()));
}

int Print(const Arguments& arguments, const std::string& format, bool color, const FoundValue& found) {
  const std::vector<reports::NamedTensor> tensors = reports::TensorsOf(found.name, found.value);
  if (arguments.Has("html")) {
    insight::HtmlReport page("Value", absl::StrCat(found.name, " of ", arguments.operands()[0]));
    if (!found.where.empty()) page.AddFacts({{{"computed at", insight::HtmlText().Code(found.where)}}});
    if (tensors.empty()) page.AddParagraph("There is no array in it.");
    if (const absl::Status status = reports::AddTensors(tensors, &page); !status.ok()) return ReportStatus(status);
    return WriteHtml(arguments, std::move(page));
  }
  if (format == "markdown") {
    WriteMarkdown(arguments, reports::MarkdownOfValue(found.name, found.value));
    return kExitGood;
  }
  if (format != "text") {
    if (tensors.empty()) return ValueFailure(absl::StrCat("there is no array in `", found.name, "` to draw"));
    return WriteDrawing(arguments, format, reports::TensorsSvg(tensors));
  }
  reports::DebugLook look;
  look.color = color;
  look.width = TerminalWidth(STDOUT_FILENO);
  WriteOutput(reports::ValueText(look, found.name, found.value));
  return kExitGood;
}

int RunValue(const Arguments& arguments) {
  absl::StatusOr<evaluator::RunOptions> options = ReadRunOptions(arguments);
  if (!options.ok()) return UsageError(arguments.command(), options.status().message());
  const absl::StatusOr<bool> color = UseColor(arguments, STDOUT_FILENO);
  if (!color.ok()) return UsageError(arguments.command(), color.status().message());
  const absl::StatusOr<std::string> format = DrawingFormat(arguments);
  if (!format.ok()) return UsageError(arguments.command(), format.status().message());
  const absl::StatusOr<RenderOptions> render = ErrorRenderOptions(arguments);
  if (!render.ok()) return UsageError(arguments.command(), render.status().message());
  FoundValue found;
  const std::string& file = arguments.operands()[0];
  if (absl::EndsWith(file, ".npy")) {
    if (arguments.operands().size() > 1) return UsageError(arguments.command(), "an .npy file holds one array");
    absl::StatusOr<evaluator::Tensor> tensor = evaluator::ReadNpy(file);
    if (!tensor.ok()) return ReportStatus(tensor.status());
    found = {file, "", evaluator::Value(*std::move(tensor))};
  } else if (const int status = Compute(arguments, *std::move(options), *render, &found); status != kExitGood) {
    return status;
  }
  return Print(arguments, *format, *color, found);
}

}  // namespace

const Command& ValueCommand() {
  static constexpr Command kCommand = {
      "value",
      "FILE [EXPRESSION]",
      "what an instruction computes, or an .npy file holds, as text, heat map or page",
      "EXPRESSION is the name of an instruction (that of the result, if it is left out), `computation::name`, or what "
      "the\n"
      "debugger's `print` takes: a slice such as x[0:8,3], an element of a tuple such as t{1}, or a sum or "
      "difference.\n"
      "The value is that of the first execution; what lies after it is not executed. Parameters come from --arg,\n"
      "--args-dir and --fill, as in `hloscope run`. The page slices the array and shows it as a heat map and a table;\n"
      "of an array of more than half a million elements it holds every second, fourth ... along the longest "
      "dimensions.",
      kValueOptions,
      1,
      2,
      RunValue};
  return kCommand;
}

}  // namespace hloscope::cli
