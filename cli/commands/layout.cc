// SPDX-License-Identifier: Apache-2.0
// `hloscope layout`: where the elements of an array lie in memory.
#include <unistd.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/commands/drawing_format.h"
#include "cli/diagnostics_json.h"
#include "cli/html_file.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/shape_argument.h"
#include "core/diagnostics/count_text.h"
#include "core/layout/byte_size.h"
#include "insight/html/html_report.h"
#include "nlohmann/json.hpp"
#include "reports/layout_drawing.h"
#include "reports/layout_text.h"
#include "reports/markdown.h"

namespace hloscope::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr OptionSpec kLayoutOptions[] = {
    {"padded-dimensions", OptionKind::kValue, "N,N,...",
     "width of each dimension, as in the old form of padding (docs/ops/tensor.md 12.3)"},
    {"padding-value", OptionKind::kValue, "VALUE", "what padding holds (only shown)"},
    {"transpose", OptionKind::kValue, "D,D,...", "the second shape is the transpose by these dimensions"},
    {"json", OptionKind::kSwitch, "", "print JSON"},
    {"svg", OptionKind::kSwitch, "", "print a drawing of the array and its memory"},
    HLOSCOPE_DRAWING_FORMAT_OPTION,
    HLOSCOPE_HTML_OPTION,
};

// The arrays of a shape, depth first, with their leaf numbers.
void CollectArrays(const Shape& shape, std::vector<std::pair<int64_t, Shape>>* arrays) {
  std::vector<const Shape*> open = {&shape};
  int64_t leaf = 0;
  while (!open.empty()) {
    const Shape* top = open.back();
    open.pop_back();
    if (top->IsTuple() || top->IsBuffer()) {
      for (int64_t i = top->tuple_size(); i-- > 0;) open.push_back(&top->element(i));
      continue;
    }
    if (top->IsArray()) arrays->emplace_back(leaf, *top);
    ++leaf;
  }
}

std::optional<PhysicalLayout> Lay(const Arguments& arguments, const ShapeArgument& argument, int64_t leaf,
                                  const Shape& array, const PaddedDimensions& padded) {
  absl::StatusOr<PhysicalLayout> layout = PhysicalLayout::Of(array, padded);
  if (layout.ok()) return *std::move(layout);
  PrintArgumentError(arguments, *argument.source, argument.LeafRange(leaf), layout.status().message());
  return std::nullopt;
}

// The same in every form that is printed.
struct Answer {
  std::string text;
  Json json;
  std::vector<PhysicalLayout> layouts;
};

int Print(const Arguments& arguments, const std::string& format, const Answer& answer) {
  if (arguments.Has("html")) {
    insight::HtmlReport page("Layout", absl::StrJoin(arguments.operands(), " to "));
    page.AddText(answer.text);
    page.AddPicture(reports::LayoutSvg(answer.layouts), "the array and its memory");
    return WriteHtml(arguments, std::move(page));
  }
  if (format == "markdown") {
    WriteMarkdown(arguments, reports::FencedBlock(answer.text, "text"));
    return kExitGood;
  }
  if (format != "text") return WriteDrawing(arguments, format, reports::LayoutSvg(answer.layouts));
  WriteOutput(arguments.Switch("json") ? DumpJson(answer.json) : answer.text);
  return kExitGood;
}

// The second operand: what it costs to get there.
int Compare(const Arguments& arguments, const ShapeArgument& from_argument, const PhysicalLayout& from,
            const std::optional<std::vector<int64_t>>& transpose, Answer* answer) {
  const auto argument = ReadShapeArgument(arguments, "TO", arguments.operands()[1]);
  if (!argument) return kExitBadInput;
  const std::optional<PhysicalLayout> to = Lay(arguments, *argument, 0, argument->shape, {});
  if (!to) return kExitBadInput;
  const absl::string_view what = transpose                                               ? "transpose"
                                 : from.shape().dimensions() == to->shape().dimensions() ? "copy"
                                                                                         : "reshape";
  const absl::StatusOr<Relayout> relayout = transpose ? TransposeCost(from, *to, *transpose) : ReshapeCost(from, *to);
  answer->layouts.push_back(*to);
  if (!relayout.ok()) {
    PrintArgumentError(arguments, *argument->source, argument->LeafRange(0), relayout.status().message());
    return kExitBadInput;
  }
  absl::StrAppend(&answer->text, reports::RelayoutText(what, from, *to, *relayout));
  answer->json["relayout"] = reports::RelayoutJson(what, *to, *relayout);
  const std::optional<Layout> best = transpose ? LayoutOfFreeTranspose(from_argument.shape, *transpose)
                                               : LayoutOfFreeReshape(from_argument.shape, to->shape().dimensions());
  if (!relayout->is_free && best && from.shape().element_type() == to->shape().element_type()) {
    Shape free = to->shape();
    free.set_layout(*best);
    absl::StrAppend(&answer->text, "  free would be     ", free.ToString(), "\n");
    answer->json["relayout"]["free_layout"] = free.ToString();
  }
  return kExitGood;
}

int RunLayout(const Arguments& arguments) {
  const absl::StatusOr<bool> color = UseColor(arguments, STDOUT_FILENO);
  if (!color.ok()) return UsageError(arguments.command(), color.status().message());
  const absl::StatusOr<std::string> format = DrawingFormat(arguments);
  if (!format.ok()) return UsageError(arguments.command(), format.status().message());
  const auto widths = IntListOption(arguments, "padded-dimensions");
  if (!widths.ok()) return UsageError(arguments.command(), widths.status().message());
  const auto transpose = IntListOption(arguments, "transpose");
  if (!transpose.ok()) return UsageError(arguments.command(), transpose.status().message());
  const bool compares = arguments.operands().size() > 1;
  if (*transpose && !compares) return UsageError(arguments.command(), "--transpose needs the transposed shape TO");

  const auto argument = ReadShapeArgument(arguments, "SHAPE", arguments.operands()[0]);
  if (!argument) return kExitBadInput;
  std::vector<std::pair<int64_t, Shape>> arrays;
  CollectArrays(argument->shape, &arrays);
  const bool is_array = argument->shape.IsArray();
  if (!is_array && (compares || *widths)) {
    PrintArgumentError(arguments, *argument->source, {0, argument->source->size()},
                       "a second shape and --padded-dimensions need one array, not a tuple");
    return kExitBadInput;
  }
  if (arrays.empty()) {
    PrintArgumentError(arguments, *argument->source, {0, argument->source->size()},
                       "there is no array in it, so nothing is laid out");
    return kExitBadInput;
  }

  PaddedDimensions padded;
  if (*widths) padded.widths = **widths;
  reports::LayoutTextOptions options;
  options.color = *color && !arguments.Has("html") && *format == "text";
  options.width = TerminalWidth(STDOUT_FILENO);
  options.padding_value = arguments.Value("padding-value");
  Answer answer;
  std::string& text = answer.text;
  Json& json = answer.json;
  json = is_array ? Json::object() : Json{{"shape", argument->shape.ToString()}, {"arrays", Json::array()}};
  for (const auto& [leaf, array] : arrays) {
    const std::optional<PhysicalLayout> layout = Lay(arguments, *argument, leaf, array, padded);
    if (!layout) return kExitBadInput;
    answer.layouts.push_back(*layout);
    if (!text.empty()) absl::StrAppend(&text, "\n");
    absl::StrAppend(&text, reports::LayoutText(*layout, options));
    if (!is_array) {
      json["arrays"].push_back(reports::LayoutJson(*layout));
      continue;
    }
    json = reports::LayoutJson(*layout);
    if (*widths) {
      Shape today = array;
      today.set_layout(TiledEquivalent(array, padded));
      absl::StrAppend(&text, "\nWithout padded dimensions this is written ", today.ToString(), "\n");
      json["padded_dimensions"] = **widths;
      json["tiled_equivalent"] = today.ToString();
    }
    if (compares) {
      const int status = Compare(arguments, *argument, *layout, *transpose, &answer);
      if (status != kExitGood) return status;
    }
  }
  if (!is_array) {
    absl::StrAppend(&text, "\n", argument->shape.ToString(), ": ", CountOf(DataBytes(argument->shape), "byte"),
                    " of data in ", CountOf(PhysicalBytes(argument->shape), "byte"), " of memory\n");
    json["data_bytes"] = DataBytes(argument->shape);
    json["physical_bytes"] = PhysicalBytes(argument->shape);
  }
  return Print(arguments, *format, answer);
}

}  // namespace

const Command& LayoutCommand() {
  static constexpr Command kCommand = {
      "layout",
      "SHAPE [TO]",
      "where the elements of an array lie in memory, and what padding wastes",
      "SHAPE is written as in HLO, in quotes for the shell: 'f32[2,3]{0,1:T(2,2)}'. With a second shape TO, says "
      "whether\n"
      "the reshape (--transpose: the transpose) from SHAPE to TO is free, and what it costs if it is not. Large "
      "arrays\n"
      "show their beginnings and ends; JSON lists every cell of arrays of up to 65536 cells.",
      kLayoutOptions,
      1,
      2,
      RunLayout};
  return kCommand;
}

}  // namespace hloscope::cli
