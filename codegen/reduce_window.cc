// SPDX-License-Identifier: Apache-2.0
// reduce-window (docs/ops/tensor.md 3).
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codegen/conversion_loop.h"
#include "codegen/cpp_types.h"
#include "codegen/element_writer.h"
#include "codegen/families.h"
#include "codegen/folding.h"
#include "codegen/pooling.h"
#include "codegen/window_loops.h"

namespace hloscope::codegen {
namespace {

// The dimension along which windows grow by one element from each result to the next, as those of a cumulative sum do.
std::optional<size_t> CumulativeDimension(const std::vector<WindowDimension>& window, const Shape& input) {
  std::optional<size_t> grows;
  for (size_t d = 0; d < window.size(); ++d) {
    const WindowDimension& w = window[d];
    const int64_t size = input.dimension(static_cast<int64_t>(d));
    if (w.stride != 1 || w.base_dilation != 1 || w.window_dilation != 1 || w.padding_high != 0) return std::nullopt;
    if (w.size == 1 && w.padding_low == 0) continue;
    if (grows || w.size != size || w.padding_low != size - 1) return std::nullopt;
    grows = d;
  }
  return grows;
}

// Each result is the one before it and one more element. The order of the elements is that of the formula.
void WriteCumulative(ComputationWriter& writer, InstructionId id, const ScalarFunction& function, size_t dimension,
                     LoopArguments& arguments, const std::string& start, const std::string& init,
                     const std::string& array, const std::string& result) {
  const Shape& shape = writer.module().shape(writer.module().operand(id, 0));
  const ElementType type = shape.element_type();
  const auto sizes = shape.dimensions();
  const int64_t outer = ProductOf(sizes.first(dimension)), length = sizes[dimension];
  const int64_t inner = ProductOf(sizes.subspan(dimension + 1));
  // Sums side by side: those of neighbours in memory; where there are none, some of whole lines, so that a step need
  // not wait for the one before.
  const bool neighbours = inner > 1;
  const int64_t lines = neighbours ? inner : outer, most = neighbours ? kFoldedLanes : 4;
  const int64_t ways = std::min(lines, most), blocks = (lines + ways - 1) / ways;
  std::vector<int64_t> loops;
  if (neighbours) loops.push_back(outer);
  loops.push_back(blocks);
  const std::string block = neighbours ? "i1" : "i0", count = lines % ways == 0 ? absl::StrCat(ways) : "lanes";
  std::string text = absl::StrCat(start, "  const int64_t first = ", block, " * ", ways, ";\n");
  if (lines % ways != 0) {
    absl::StrAppend(&text, "  const int64_t lanes = first + ", ways, " < ", lines, " ? ", ways, " : ", lines,
                    " - first;\n");
  }
  const std::string lane_loop = absl::StrCat("for (int64_t l = 0; l < ", count, "; ++l) ");
  const std::string at = neighbours ? absl::StrCat("(i0 * ", length, " + j) * ", inner, " + first + l")
                                    : absl::StrCat("(first + l) * ", length, " + j");
  absl::StrAppend(&text, "  ", NumberType(type), " sums[", ways, "];\n  ", lane_loop, "sums[l] = ", init,
                  ";\n  for (int64_t j = 0; j < ", length, "; ++j) {\n",
                  neighbours ? "#pragma GCC ivdep\n" : absl::StrCat("#pragma GCC unroll ", most, "\n"), "    ",
                  lane_loop, "{\n      const int64_t at = ", at, ";\n      sums[l] = ", function.name, "(sums[l], ",
                  Loaded(type, absl::StrCat(array, "[at]")), ");\n      ", result, "[at] = ", Stored(type, "sums[l]"),
                  ";\n    }\n  }\n");
  writer.CallLoop(id, arguments.parameters(), arguments.arguments(),
                  FunctionOfLoops(arguments.parameters(), loops, static_cast<double>(length * ways), text,
                                  /*last_is_vector=*/false));
}

}  // namespace

std::string FoldText(const Folding& folding, absl::Span<const std::string> accumulators,
                     absl::Span<const std::string> numbers) {
  if (folding.sums_doubles) return absl::StrCat(accumulators[0], " += static_cast<double>(", numbers[0], ");");
  const std::string call = absl::StrCat(folding.function.name, "(", absl::StrJoin(accumulators, ", "), ", ",
                                        absl::StrJoin(numbers, ", "), ")");
  if (accumulators.size() == 1) return absl::StrCat(accumulators[0], " = ", call, ";");
  std::string text = absl::StrCat("{ const auto next = ", call, ";");
  for (size_t k = 0; k < accumulators.size(); ++k) absl::StrAppend(&text, " ", accumulators[k], " = next.r", k, ";");
  return absl::StrCat(text, " }");
}

// What a reduce-window folds, as texts.
struct WindowFold {
  LoopArguments arguments;
  std::string start;                                // lines that read the initial values
  std::string first_array;                          // the first operand
  std::vector<std::string> accumulators, elements;  // by operand: in a lane, and at the place `at`
  std::string finish;                               // lines that write the results of a lane
};

absl::StatusOr<WindowFold> PrepareFold(ComputationWriter& writer, InstructionId id, const ScalarFunction& function) {
  const Module& module = writer.module();
  const size_t count = module.operands(id).size() / 2;
  WindowFold fold;
  LoopNest start({}, {}, "s");
  ElementWriter starts(writer, fold.arguments, start);
  for (size_t k = 0; k < count; ++k) {
    const ElementType type = module.shape(module.operand(id, k)).element_type();
    const ElementType result_type = LeavesOf(module.shape(id))[k].element_type();
    const InstructionId init = module.operand(id, count + k);
    absl::StatusOr<std::string> first = starts.Number(init, {});
    if (!first.ok()) return first.status();
    const std::string name = writer.DefineAllocated(id, static_cast<int64_t>(k));
    const std::string array = fold.arguments.Input(
        StoredType(type), absl::StrCat(writer.Read(module.operand(id, k)), ".as<", StoredType(type), ">()"));
    if (k == 0) fold.first_array = array;
    const std::string to =
        fold.arguments.Output(StoredType(result_type), absl::StrCat(name, ".to<", StoredType(result_type), ">()"));
    start.AddLine(absl::StrCat("const ", NumberType(function.results[k]), " start", k, " = ",
                               Converted(module.shape(init).element_type(), function.results[k], *first), ";"));
    fold.accumulators.push_back(absl::StrCat("sums", k, "[l]"));
    fold.elements.push_back(Converted(type, function.parameters[count + k], Loaded(type, absl::StrCat(array, "[at]"))));
    absl::StrAppend(&fold.finish, "    ", to, "[result] = ",
                    Stored(result_type, Converted(function.results[k], result_type, fold.accumulators[k])), ";\n");
  }
  start.Join();
  fold.start = start.Body("  ", {});
  return fold;
}

// One window after the other, by the formula: elements in padding and holes are left out.
absl::Status WriteReduceWindow(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  const size_t count = module.operands(id).size() / 2;
  const Shape& input = module.shape(module.operand(id, 0));
  const Shape result = LeavesOf(module.shape(id))[0];
  const size_t rank = static_cast<size_t>(input.rank());
  std::vector<WindowDimension> window(rank);
  if (const Window* w = module.WindowAttribute(id)) window = w->dimensions;
  const std::optional<size_t> cumulative = CumulativeDimension(window, input);
  if (!cumulative && input.ElementCount() > 0 && result.ElementCount() > 0 && IsPooling(module, id)) {
    const std::string init =
        WriteArranged(writer, id, module.operand(id, 1), {}, {result.element_type(), result.element_type()});
    WritePooling(writer, id, init, writer.DefineAllocated(id));
    return absl::OkStatus();
  }
  const absl::StatusOr<ScalarFunction> function =
      writer.writer().ScalarFunctionOf(module.ComputationAttribute(id, AttributeKind::kToApply));
  if (!function.ok()) return function.status();

  absl::StatusOr<WindowFold> fold = PrepareFold(writer, id, *function);
  if (!fold.ok()) return fold.status();
  const std::vector<int64_t> sizes(result.dimensions().begin(), result.dimensions().end());
  if (ProductOf(sizes) == 0) return absl::OkStatus();
  const ElementType input_type = input.element_type();
  if (cumulative && count == 1 && function->results[0] == input_type && function->parameters[0] == input_type &&
      function->parameters[1] == input_type && result.element_type() == input_type) {
    WriteCumulative(writer, id, *function, *cumulative, fold->arguments, fold->start, "start0", fold->first_array,
                    fold->arguments.parameters().back().name);
    return absl::OkStatus();
  }
  // Minor dimensions in which windows are single elements, such as features: their results are side by side.
  size_t window_rank = rank;
  const auto is_single = [](const WindowDimension& w) {
    return w.size == 1 && w.stride == 1 && w.padding_low == 0 && w.padding_high == 0 && w.base_dilation == 1;
  };
  while (window_rank > 0 && is_single(window[window_rank - 1])) --window_rank;
  const int64_t lane_count = ProductOf(absl::MakeSpan(sizes).subspan(window_rank));
  const int64_t blocks = (lane_count + kFoldedLanes - 1) / kFoldedLanes;
  std::vector<int64_t> outer(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(window_rank));
  const std::vector<int64_t> strides = RowMajorStridesOf(sizes);
  std::string text = fold->start, lanes = absl::StrCat(lane_count), first;
  if (blocks > 1) {
    absl::StrAppend(&text, "  const int64_t first = i", outer.size(), " * ", kFoldedLanes, ";\n",
                    "  const int64_t lanes = first + ", kFoldedLanes, " < ", lane_count, " ? ", kFoldedLanes, " : ",
                    lane_count, " - first;\n");
    outer.push_back(blocks);
    lanes = "lanes";
    first = " + first";
  }
  const std::string lane_loop = absl::StrCat("for (int64_t l = 0; l < ", lanes, "; ++l) ");
  for (size_t k = 0; k < count; ++k) {
    absl::StrAppend(&text, "  ", NumberType(function->results[k]), " sums", k, "[", std::min(lane_count, kFoldedLanes),
                    "];\n  ", lane_loop, "sums", k, "[l] = start", k, ";\n");
  }
  std::string place = "0";
  for (size_t d = 0; d < window_rank; ++d) absl::StrAppend(&place, " + i", d, " * ", strides[d]);
  const WindowLoops loops(absl::MakeSpan(window).first(window_rank), input);
  Folding folding;
  folding.function = *function;
  const std::string& indent = loops.indent();
  absl::StrAppend(&text, loops.begin(), indent, "const int64_t begin = ", loops.at(), first, ";\n#pragma GCC ivdep\n",
                  indent, lane_loop, "{\n", indent, "  const int64_t at = begin + l;\n", indent, "  ",
                  FoldText(folding, fold->accumulators, fold->elements), "\n", indent, "}\n", loops.end());
  absl::StrAppend(&text, "  ", lane_loop, "{\n    const int64_t result = ", place, first, " + l;\n", fold->finish,
                  "  }\n");
  const double nanoseconds =
      static_cast<double>(loops.size()) * (3 + 0.2 * static_cast<double>(lane_count)) / static_cast<double>(blocks);
  writer.CallLoop(id, fold->arguments.parameters(), fold->arguments.arguments(),
                  FunctionOfLoops(fold->arguments.parameters(), outer, nanoseconds, text,
                                  /*last_is_vector=*/false));
  return absl::OkStatus();
}

}  // namespace hloscope::codegen
