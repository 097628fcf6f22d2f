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
#include "cli/command.h"
#include "cli/diagnostics_json.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/shape_argument.h"
#include "core/builder/broadcasting.h"
#include "core/semantics/suggestions.h"
#include "nlohmann/json.hpp"
#include "reports/broadcast_text.h"

namespace hloscope {
namespace {

constexpr OptionSpec kOptions[] = {
    {"dims", OptionKind::kValue, "D,D,...",
     "broadcast_dimensions: which dimension of the other operand each one of the smaller becomes"},
    {"op", OptionKind::kValue, "OPCODE", "the operation (add)"},
    {"module", OptionKind::kSwitch, "", "print a whole module with the expansion instead of the explanation"},
    {"json", OptionKind::kSwitch, "", "print JSON"},
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

int RunBroadcast(const Arguments& arguments) {
  const absl::StatusOr<bool> color = UseColor(arguments, STDOUT_FILENO);
  if (!color.ok()) return UsageError(arguments.command(), color.status().message());
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
  if (arguments.Switch("module")) {
    WriteOutput(good.snippet.ModuleText({good.lhs, good.rhs}));
  } else {
    WriteOutput(arguments.Switch("json") ? DumpJson(BroadcastJson(good, op)) : BroadcastText(good, op, *color));
  }
  return kExitGood;
}

}  // namespace

const Command& BroadcastCommand() {
  static constexpr Command kCommand = {"broadcast",
                                       "LHS RHS",
                                       "how the builder interface fits two operands together, step by step",
                                       "LHS and RHS are shapes, in quotes for the shell: 'f32[4]' 'f32[1,2]' --dims=0. "
                                       "HLO itself wants equal shapes; the\n"
                                       "builder interface inserts what is missing: a scalar is copied to every "
                                       "position, broadcast_dimensions place the\n"
                                       "dimensions of the operand of lower rank, and sizes of 1 are stretched. Prints "
                                       "the intermediate shapes and the HLO\n"
                                       "instructions that do it.",
                                       kOptions,
                                       2,
                                       2,
                                       RunBroadcast};
  return kCommand;
}

}  // namespace hloscope
