// SPDX-License-Identifier: Apache-2.0
// `hloscope broadcast`: how the builder interface fits two operands together, step by step.
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cli/arguments.h"
#include "cli/builder_calls.h"
#include "cli/command.h"
#include "cli/commands/drawing_format.h"
#include "cli/diagnostics_json.h"
#include "cli/html_file.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/shape_argument.h"
#include "core/builder/broadcasting.h"
#include "core/diagnostics/suggestions.h"
#include "insight/html/html_report.h"
#include "nlohmann/json.hpp"
#include "reports/broadcast_text.h"
#include "reports/layout_drawing.h"
#include "reports/markdown.h"

namespace hloscope::cli {
namespace {

constexpr OptionSpec kBroadcastOptions[] = {
    {"dims", OptionKind::kValue, "D,D,...",
     "broadcast_dimensions: which dimension of the other operand each one of the smaller becomes"},
    {"op", OptionKind::kValue, "OPCODE", "the operation (add)"},
    {"call", OptionKind::kValue, "NAME", "expand this call of the builder interface instead (see below)"},
    {"sizes", OptionKind::kValue, "N,N,...", "of --call: sizes of the result, or of the new dimensions"},
    {"order", OptionKind::kValue, "D,D,...", "of --call=reshape: in which order the elements are read, slowest first"},
    {"dim", OptionKind::kValue, "D", "of --call: the dimension it works on"},
    {"start", OptionKind::kValue, "N", "of --call=slice-in-dim: the first element"},
    {"limit", OptionKind::kValue, "N", "of --call=slice-in-dim: one past the last element"},
    {"stride", OptionKind::kValue, "N", "of --call=slice-in-dim: every N-th element (1)"},
    {"low", OptionKind::kValue, "N", "of --call=pad-in-dim: elements in front (0)"},
    {"high", OptionKind::kValue, "N", "of --call=pad-in-dim: elements after the array (0)"},
    {"padding", OptionKind::kValue, "valid|same", "of --call=conv (valid)"},
    {"strides", OptionKind::kValue, "N,N,...", "of --call=conv: one per spatial dimension (1)"},
    {"feature-group-count", OptionKind::kValue, "N", "of --call=conv (1)"},
    {"batch-group-count", OptionKind::kValue, "N", "of --call=conv (1)"},
    {"replica-groups", OptionKind::kValue, "GROUPS", "of --call=cross-replica-sum: {{0,1},{2,3}} (all replicas)"},
    {"module", OptionKind::kSwitch, "", "print a whole module with the expansion instead of the explanation"},
    {"json", OptionKind::kSwitch, "", "print JSON"},
    {"svg", OptionKind::kSwitch, "", "print a drawing: which element of its operands each position reads"},
    HLOSCOPE_DRAWING_FORMAT_OPTION,
    HLOSCOPE_HTML_OPTION,
};

// Where the problem is: in one of the shapes, or in an entry of --dims.
void PrintProblem(const Arguments& arguments, const BroadcastProblem& problem, const ShapeArgument& lhs,
                  const ShapeArgument& rhs, absl::Span<const int64_t> dims) {
  if (problem.place != BroadcastProblem::Place::kDimensions) {
    const ShapeArgument& shape = problem.place == BroadcastProblem::Place::kLhs ? lhs : rhs;
    const SourceRange range = problem.position < 0 || !shape.shape.IsArray() || problem.position >= shape.shape.rank()
                                  ? SourceRange{0, shape.source->size()}
                                  : shape.DimensionRange(problem.position);
    PrintArgumentError(arguments, *shape.source, range, problem.message);
    return;
  }
  const auto source = SourceText::FromString("--dims", absl::StrJoin(dims, ","));
  SourceRange range{0, source->size()};
  if (problem.position >= 0) {
    const size_t entry = static_cast<size_t>(problem.position);
    range.begin = static_cast<uint32_t>(absl::StrJoin(dims.subspan(0, entry), ",").size() + (entry > 0 ? 1 : 0));
    range.end = range.begin + static_cast<uint32_t>(absl::StrCat(dims[entry]).size());
  }
  PrintArgumentError(arguments, *source, range, problem.message);
}

// `--call`: an operation that only the builder interface has.
int RunCall(const Arguments& arguments, absl::string_view name, bool color, bool markdown) {
  const BuilderCall* const call = FindBuilderCall(name);
  if (call == nullptr) {
    std::vector<std::string> names;
    for (const BuilderCall& candidate : AllBuilderCalls()) names.push_back(CallOption(candidate));
    return UsageError(arguments.command(),
                      absl::StrCat("--call=", OneLine(name), " must be one of ", absl::StrJoin(names, ", ")));
  }
  const absl::StatusOr<BuilderArguments> values = ReadBuilderArguments(*call, arguments);
  if (!values.ok()) return UsageError(arguments.command(), OneLine(values.status().message()));
  std::vector<Shape> shapes;
  for (size_t i = 0; i < arguments.operands().size(); ++i) {
    const auto shape = ReadShapeArgument(arguments, absl::StrCat("operand ", i), arguments.operands()[i]);
    if (!shape) return kExitBadInput;
    shapes.push_back(shape->shape);
  }
  const std::vector<BuilderValue> operands = BuilderOperands(*call, shapes);
  const absl::StatusOr<Snippet> snippet = call->expand(*values, operands, nullptr);
  if (!snippet.ok()) {
    WriteError(absl::StrCat("error: ", OneLine(snippet.status().message()), "\n"));
    return kExitBadInput;
  }
  if (arguments.Switch("module")) {
    WriteOutput(snippet->ModuleText(operands, BuilderModuleHeader(*values)));
  } else if (arguments.Switch("json")) {
    WriteOutput(DumpJson(reports::ExpansionJson(CallOption(*call), operands, *snippet)));
  } else if (markdown) {
    WriteMarkdown(arguments, reports::FencedBlock(reports::ExpansionText(operands, *snippet, false), "text"));
  } else {
    WriteOutput(reports::ExpansionText(operands, *snippet, color));
  }
  return kExitGood;
}

int RunBroadcast(const Arguments& arguments) {
  const absl::StatusOr<bool> color = UseColor(arguments, STDOUT_FILENO);
  if (!color.ok()) return UsageError(arguments.command(), color.status().message());
  const absl::StatusOr<std::string> format = DrawingFormat(arguments);
  if (!format.ok()) return UsageError(arguments.command(), format.status().message());
  if (const auto call = arguments.Value("call")) {
    const bool markdown = *format == "markdown";
    if ((*format != "text" && !markdown) || arguments.Has("html")) {
      return UsageError(arguments.command(), "--svg, --format and --html draw two shapes, not a --call");
    }
    return RunCall(arguments, *call, *color, markdown);
  }
  for (const BuilderCall& call : AllBuilderCalls()) {
    for (const BuilderParameter& parameter : call.parameters) {
      const std::string option = ParameterOption(parameter);
      if (option == "dims" || option == "op" || !arguments.Has(option)) continue;
      return UsageError(arguments.command(), absl::StrCat("--", option, " goes with --call=", CallOption(call)));
    }
  }
  if (arguments.operands().size() != 2) {
    return UsageError(arguments.command(), absl::StrCat("expected LHS and RHS, got ", arguments.operands().size(),
                                                        arguments.operands().size() == 1 ? " shape" : " shapes"));
  }
  const auto dims = IntListOption(arguments, "dims");
  if (!dims.ok()) return UsageError(arguments.command(), dims.status().message());
  const std::string op = arguments.Value("op").value_or("add");
  const std::optional<Opcode> opcode = OpcodeFromName(op);
  if (!opcode || !IsPlainBinary(*opcode)) {
    std::vector<absl::string_view> names;
    for (Opcode candidate : AllOpcodes()) {
      if (IsPlainBinary(candidate)) names.push_back(OpcodeName(candidate));
    }
    return UsageError(arguments.command(),
                      absl::StrCat("--op=", OneLine(op), " must be one of ", absl::StrJoin(names, ", ")));
  }
  const auto lhs = ReadShapeArgument(arguments, "LHS", arguments.operands()[0]);
  if (!lhs) return kExitBadInput;
  const auto rhs = ReadShapeArgument(arguments, "RHS", arguments.operands()[1]);
  if (!rhs) return kExitBadInput;
  const auto plan = PlanBroadcast({"lhs", lhs->shape}, {"rhs", rhs->shape}, *dims, *opcode);
  if (const BroadcastProblem* problem = std::get_if<BroadcastProblem>(&plan)) {
    PrintProblem(arguments, *problem, *lhs, *rhs, *dims ? **dims : std::vector<int64_t>());
    return kExitBadInput;
  }
  const BroadcastPlan& good = *std::get_if<BroadcastPlan>(&plan);
  if (arguments.Has("html")) {
    insight::HtmlReport page(
        "Broadcast", absl::StrCat(good.lhs.shape.ToString(false), " and ", good.rhs.shape.ToString(false), " to ",
                                  good.result.ToString(false)));
    page.AddText(reports::BroadcastText(good, op, false));
    page.AddPicture(reports::BroadcastSvg(good), "which element of its operands each position reads");
    return WriteHtml(arguments, std::move(page));
  }
  if (*format == "markdown") {
    WriteMarkdown(arguments, reports::FencedBlock(reports::BroadcastText(good, op, false), "text"));
    return kExitGood;
  }
  if (*format != "text") return WriteDrawing(arguments, *format, reports::BroadcastSvg(good));
  if (arguments.Switch("module")) {
    WriteOutput(good.snippet.ModuleText({good.lhs, good.rhs}));
  } else {
    WriteOutput(arguments.Switch("json") ? DumpJson(reports::BroadcastJson(good, op))
                                         : reports::BroadcastText(good, op, *color));
  }
  return kExitGood;
}

}  // namespace

const Command& BroadcastCommand() {
  static const std::string* const kDescription = new std::string(absl::StrCat(
      "LHS and RHS are shapes, in quotes for the shell: 'f32[4]' 'f32[1,2]' --dims=0. HLO itself wants equal shapes; "
      "the\nbuilder interface inserts what is missing: a scalar is copied to every position, broadcast_dimensions "
      "place "
      "the\ndimensions of the operand of lower rank, and sizes of 1 are stretched. Prints the intermediate shapes and "
      "the HLO\ninstructions that do it.\n\n--call prints the HLO that another call of the builder interface expands "
      "to, of shapes and options:\n",
      BuilderCallsHelp(),
      "For example: --call=conv 'f32[1,3,8,8]' 'f32[16,3,3,3]' --padding=same --strides=2,2\nIn a module the same is "
      "written `y = Conv(x, kernel, padding=SAME, strides={2,2})`; the diagnostic on it carries\nthe fix "
      "that expands it, in editors and in `hloscope check --json`. `hloscope explain Conv` describes a call."));
  static const Command kCommand = {"broadcast",
                                   "LHS RHS | --call=NAME SHAPE...",
                                   "how the builder interface fits two operands together, step by step",
                                   *kDescription,
                                   kBroadcastOptions,
                                   1,
                                   -1,
                                   RunBroadcast};
  return kCommand;
}

}  // namespace hloscope::cli
