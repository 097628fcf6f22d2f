// SPDX-License-Identifier: Apache-2.0
// Rows of the feature table: requests of HLOscope's own, for its editor extensions. They are described in
// lsp/PROTOCOL.md.
#include <memory>
#include <variant>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/builder/broadcasting.h"
#include "core/layout/physical_layout.h"
#include "core/semantics/shape_reader.h"
#include "lsp/evaluation/evaluation_process.h"
#include "lsp/evaluation/value_json.h"
#include "lsp/features/cost_table.h"
#include "lsp/features/cursor.h"
#include "lsp/features/graph_picture.h"
#include "lsp/features/source_lines.h"
#include "lsp/server/feature_support.h"
#include "reports/broadcast_text.h"
#include "reports/layout_drawing.h"
#include "reports/layout_text.h"
#include "reports/markdown.h"

namespace hloscope::lsp {
namespace {

using nlohmann::json;

std::string OrderedText(const nlohmann::ordered_json& value) {
  return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

absl::StatusOr<std::string> AnswerGraph(const FeatureContext& context, const json& params) {
  GraphQuery query;
  query.computation = FindString(params, {"computation"}).value_or("");
  query.around = FindString(params, {"around"}).value_or("");
  if (const json* position = FindPath(params, {"position"}); position != nullptr && !position->is_null()) {
    query.position = ReadPosition(*position);
    if (!query.position.has_value()) return absl::InvalidArgumentError("`position` is malformed");
  }
  query.whole = FindBool(params, {"whole"}).value_or(false);
  query.depth = static_cast<int>(std::clamp<int64_t>(FindInt(params, {"depth"}).value_or(3), 0, 100));
  query.only_dot = FindString(params, {"format"}).value_or("svg") == "dot";
  const absl::StatusOr<GraphPicture> picture = DrawGraph(context.view, query);
  if (!picture.ok()) return picture.status();
  json nodes = json::array();
  for (const GraphPicture::Node& node : picture->nodes)
    nodes.push_back({{"name", node.name}, {"range", ToJson(node.range)}});
  json result = {{"computation", picture->computation}, {"isWhole", picture->is_whole}, {"nodes", std::move(nodes)}};
  result[query.only_dot ? "dot" : "svg"] = query.only_dot ? picture->dot : picture->svg;
  return JsonText(result);
}

absl::StatusOr<std::string> AnswerValue(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Position> position = PositionOf(params);
  if (!position.ok()) return position.status();
  const uint32_t offset = context.view.ToOffset(*position);
  // What cannot be answered needs no process.
  if (const absl::StatusOr<ValueQuery> query = ReadValueQuery(params); !query.ok()) return query.status();
  if (const absl::StatusOr<InstructionId> id = PreviewedInstruction(context.view.document, offset); !id.ok()) {
    return id.status();
  }
  json query = json::object();
  for (const char* key : {"fill", "seed", "arguments", "data"}) {
    if (const json* value = FindPath(params, {key})) query[key] = *value;
  }
  return EvaluateInProcess(context.evaluation_program, context.view.document, offset, query,
                           context.settings.evaluation, {context.cancelled, context.report_progress});
}

absl::StatusOr<std::string> AnswerCost(const FeatureContext& context, const json& params) {
  const bool as_text = FindString(params, {"format"}).value_or("json") == "text";
  const int64_t rows = std::clamp<int64_t>(FindInt(params, {"rows"}).value_or(20), 1, 100000);
  return CostTable(context.view, as_text ? static_cast<size_t>(rows) : 0);
}

absl::StatusOr<Shape> ReadShapeParameter(const json& params, absl::string_view key) {
  const std::optional<std::string> text = FindString(params, {key});
  if (!text.has_value()) return absl::InvalidArgumentError(absl::StrCat("expected `", key, "`, a shape"));
  DiagnosticSink sink;
  const auto source = SourceText::FromString(std::string(key), *text);
  const std::optional<Shape> shape = ReadShapeText(*source, sink);
  if (shape.has_value()) return *shape;
  const std::vector<Diagnostic> diagnostics = sink.Take();
  return absl::InvalidArgumentError(absl::StrCat(
      "`", *text, "`: ", diagnostics.empty() ? std::string("this is no shape") : diagnostics.front().Message()));
}

// The shape under the cursor: of the instruction or operand there.
absl::StatusOr<Shape> ShapeAt(const FeatureContext& context, const json& params) {
  if (FindPath(params, {"shape"}) != nullptr) return ReadShapeParameter(params, "shape");
  const absl::StatusOr<protocol::Position> position = PositionOf(params);
  if (!position.ok()) return position.status();
  const SymbolAtPosition symbol = context.view.SymbolAt(*position);
  if (!symbol.instruction.has_value() || !context.view.module().shape(symbol.instruction).IsValid())
    return absl::FailedPreconditionError("there is no value at this place whose layout could be drawn");
  return context.view.module().shape(symbol.instruction);
}

absl::StatusOr<std::string> AnswerLayout(const FeatureContext& context, const json& params) {
  const absl::StatusOr<Shape> shape = ShapeAt(context, params);
  if (!shape.ok()) return shape.status();
  if (!shape->IsArray()) return absl::FailedPreconditionError("only arrays have a layout");
  const absl::StatusOr<PhysicalLayout> layout = PhysicalLayout::Of(*shape);
  if (!layout.ok()) return absl::FailedPreconditionError(layout.status().message());
  nlohmann::ordered_json result = reports::LayoutJson(*layout);
  result["text"] = reports::LayoutText(*layout, {});
  if (FindBool(params, {"drawing"}).value_or(false)) result["svg"] = reports::LayoutSvg({&*layout, 1});
  return OrderedText(result);
}

// The diagnostics at the cursor and the instruction there, for a bug report.
absl::StatusOr<std::string> AnswerMarkdown(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Position> position = PositionOf(params);
  if (!position.ok()) return position.status();
  const Document& document = context.view.document;
  const uint32_t offset = context.view.ToOffset(*position);
  std::string text;
  for (const Diagnostic& diagnostic : document.diagnostics()) {
    if (offset < diagnostic.range.begin || offset > diagnostic.range.end) continue;
    absl::StrAppend(&text, text.empty() ? "" : "\n",
                    reports::MarkdownOfDiagnostic(document.source(), SeverityName(diagnostic.severity),
                                                  diagnostic.Message(), diagnostic.code(), diagnostic.range));
  }
  const SymbolAtPosition symbol = context.view.SymbolAt(*position);
  if (symbol.instruction.has_value()) {
    absl::StrAppend(&text, text.empty() ? "" : "\n", reports::MarkdownOfInstruction(document, symbol.instruction));
  }
  if (text.empty()) return absl::FailedPreconditionError("there is no instruction and no diagnostic at this place");
  return JsonText({{"text", text}});
}

// A broadcast as the builder interface would have it: how its operand meets something of the result's shape.
struct TextBroadcast {
  InstructionId operand;
  std::optional<std::vector<int64_t>> dimensions;
};

// Nothing if the instruction is none.
std::optional<TextBroadcast> BroadcastAt(const Module& module, InstructionId id) {
  if (!id.has_value() || module.opcode(id) != Opcode::kBroadcast || module.operands(id).size() != 1 ||
      !module.operand(id, 0).has_value()) {
    return std::nullopt;
  }
  TextBroadcast broadcast{module.operand(id, 0), std::nullopt};
  const auto written = module.IntsAttribute(id, AttributeKind::kDimensions);
  const int64_t rank = module.shape(broadcast.operand).rank();
  if (rank > 0 && rank < module.shape(id).rank()) broadcast.dimensions.emplace(written.begin(), written.end());
  return broadcast;
}

// Whether the value depends on what the entry computation or a called one is given.
bool NeedsParameters(const Module& module, InstructionId id) {
  absl::flat_hash_set<InstructionId> seen = {id};
  std::vector<InstructionId> left = {id};
  while (!left.empty()) {
    const InstructionId next = left.back();
    left.pop_back();
    if (module.opcode(next) == Opcode::kParameter) return true;
    for (InstructionId operand : module.operands(next)) {
      if (operand.has_value() && seen.insert(operand).second) left.push_back(operand);
    }
  }
  return false;
}

// What clients can draw of the instruction at the cursor, with the words that the command line wants for it.
absl::StatusOr<std::string> AnswerPictures(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Position> position = PositionOf(params);
  if (!position.ok()) return position.status();
  const Module& module = context.view.module();
  const InstructionId id = InstructionAtCursor(context.view.document, context.view.ToOffset(*position));
  if (!id.has_value()) return absl::FailedPreconditionError("there is no instruction at this place");
  const Shape& shape = module.shape(id);
  nlohmann::ordered_json result = {
      {"instruction", std::string(module.InstructionName(id))},
      {"computation", std::string(module.ComputationName(module.instruction(id).computation))},
      {"needsParameters", NeedsParameters(module, id)}};
  if (shape.IsArray()) result["shape"] = shape.ToString();
  if (const std::optional<TextBroadcast> broadcast = BroadcastAt(module, id)) {
    result["broadcast"] = {{"lhs", shape.ToString(false)}, {"rhs", module.shape(broadcast->operand).ToString(false)}};
    if (broadcast->dimensions) result["broadcast"]["dimensions"] = *broadcast->dimensions;
  }
  return OrderedText(result);
}

absl::StatusOr<std::string> AnswerBroadcast(const FeatureContext& context, const json& params) {
  BuilderValue lhs, rhs;
  std::optional<std::vector<int64_t>> dimensions;
  std::string op = FindString(params, {"op"}).value_or("add");
  if (FindPath(params, {"lhs"}) != nullptr) {
    const absl::StatusOr<Shape> left = ReadShapeParameter(params, "lhs");
    if (!left.ok()) return left.status();
    const absl::StatusOr<Shape> right = ReadShapeParameter(params, "rhs");
    if (!right.ok()) return right.status();
    lhs = {"lhs", *left};
    rhs = {"rhs", *right};
    if (const json* list = FindPath(params, {"dimensions"}); list != nullptr && list->is_array()) {
      dimensions.emplace();
      for (const json& entry : *list) {
        if (!entry.is_number_integer()) return absl::InvalidArgumentError("`dimensions` must be a list of integers");
        dimensions->push_back(*entry.get_ptr<const json::number_integer_t*>());
      }
    }
  } else {
    // A broadcast of the text: how its operand meets something of the result's shape.
    const absl::StatusOr<protocol::Position> position = PositionOf(params);
    if (!position.ok()) return position.status();
    const Module& module = context.view.module();
    const InstructionId id = InstructionAtCursor(context.view.document, context.view.ToOffset(*position));
    const std::optional<TextBroadcast> broadcast = BroadcastAt(module, id);
    if (!broadcast) return absl::FailedPreconditionError("there is no broadcast at this place");
    lhs = {std::string(module.InstructionName(id)), module.shape(id)};
    rhs = {std::string(module.InstructionName(broadcast->operand)), module.shape(broadcast->operand)};
    dimensions = broadcast->dimensions;
  }
  const std::optional<Opcode> opcode = OpcodeFromName(op);
  if (!opcode.has_value() || !IsPlainBinary(*opcode))
    return absl::InvalidArgumentError(absl::StrCat("`op`: `", op, "` does not take two operands of one shape"));
  const auto plan = PlanBroadcast(lhs, rhs, dimensions, *opcode);
  if (const auto* problem = std::get_if<BroadcastProblem>(&plan))
    return absl::FailedPreconditionError(problem->message);
  const BroadcastPlan& good = std::get<BroadcastPlan>(plan);
  nlohmann::ordered_json result = reports::BroadcastJson(good, op);
  result["text"] = reports::BroadcastText(good, op, false);
  if (FindBool(params, {"drawing"}).value_or(false)) result["svg"] = reports::BroadcastSvg(good);
  return OrderedText(result);
}

absl::StatusOr<std::string> AnswerSourceLines(const FeatureContext& context, const json&) {
  constexpr size_t kShown = 50;  // instructions of a line
  SourceFinder finder = FinderOf(context);
  const Module& module = context.view.module();
  json files = json::array();
  for (const SourceLinesOfFile& file : ComputeSourceLines(context.view, finder)) {
    json lines = json::array();
    for (const SourceLine& line : file.lines) {
      json instructions = json::array();
      for (InstructionId id : line.instructions) {
        if (instructions.size() == kShown) break;
        SourceRange name = context.view.document.NameRange(id);
        if (name.empty()) name = context.view.document.InstructionRange(id);
        instructions.push_back({{"name", std::string(module.InstructionName(id))},
                                {"opcode", std::string(OpcodeName(module.opcode(id)))},
                                {"shape", module.shape(id).ToString(false)},
                                {"range", ToJson(context.view.ToRange(name))}});
      }
      lines.push_back({{"line", line.line},
                       {"count", line.instructions.size()},
                       {"flops", line.flops},
                       {"bytes", line.bytes},
                       {"instructions", std::move(instructions)}});
    }
    json one = {{"name", file.name}, {"lines", std::move(lines)}};
    if (!file.path.empty()) one["path"] = file.path;
    files.push_back(std::move(one));
  }
  return JsonText({{"files", std::move(files)}});
}

// What the server believes the text to be: a client can make sure that both agree.
absl::StatusOr<std::string> AnswerTextState(const FeatureContext& context, const json&) {
  uint64_t hash = 0xCBF29CE484222325u;  // FNV-1a
  const absl::string_view text = EditedText(context.view.document).text();
  for (char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001B3u;
  return JsonText({{"bytes", text.size()}, {"fnv1a", absl::StrFormat("%016x", hash)}});
}

absl::StatusOr<std::string> AnswerHlo(const FeatureContext& context, const json&) {
  return JsonText({{"text", std::string(context.view.document.source().text())}});
}

constexpr Feature kCustomFeatures[] = {
    {"hloscope/textState", "", AnnouncedElsewhere, AnswerTextState},
    {"hloscope/hlo", "", AnnouncedElsewhere, AnswerHlo, Lane::kOutline},
    {"hloscope/graph", "", AnnouncedElsewhere, AnswerGraph, Lane::kRun},
    {"hloscope/value", "", AnnouncedElsewhere, AnswerValue, Lane::kRun},
    {"hloscope/sourceLines", "", AnnouncedElsewhere, AnswerSourceLines, Lane::kAnalysis},
    {"hloscope/cost", "", AnnouncedElsewhere, AnswerCost, Lane::kAnalysis},
    {"hloscope/layout", "", AnnouncedElsewhere, AnswerLayout},
    {"hloscope/broadcast", "", AnnouncedElsewhere, AnswerBroadcast},
    {"hloscope/markdown", "", AnnouncedElsewhere, AnswerMarkdown},
    {"hloscope/pictures", "", AnnouncedElsewhere, AnswerPictures},
};

}  // namespace

absl::Span<const Feature> CustomFeatures() { return kCustomFeatures; }

}  // namespace hloscope::lsp
