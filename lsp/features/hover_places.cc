// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/hover_places.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/analysis/source_frames.h"
#include "core/editing/instruction_text.h"
#include "core/semantics/header_reader.h"
#include "lsp/features/hover_cards.h"
#include "lsp/features/markdown.h"

namespace hloscope::lsp {
namespace {

constexpr absl::string_view kTableMeanings[] = {
    "**`FileNames`**: the source files that `FileLocations` speak of, numbered from 1.",
    "**`FunctionNames`**: the functions that `FileLocations` speak of, numbered from 1.",
    "**`FileLocations`**: places in source files, which `StackFrames` speak of.",
    "**`StackFrames`**: one call each, and the one it was made from. `stack_frame_id` in metadata names the innermost "
    "one; `parent_frame_id=n` means row n - 1, and 1 none."};

bool IsRow(size_t row, size_t count) { return row >= 1 && row <= count; }

// Of a row of FileNames or FunctionNames: how many places speak of it.
std::string NameRowCard(absl::string_view what, absl::string_view name, size_t uses) {
  return absl::StrCat(
      "**", what, ":** ", MarkdownCode(name), "\n\n",
      uses == 0   ? std::string("No row of `FileLocations` names it.")
      : uses == 1 ? std::string("Named by one row of `FileLocations`.")
                  : absl::StrCat("Named by ", FormatCount(static_cast<int64_t>(uses)), " rows of `FileLocations`."));
}

std::string TableRowCard(const Module& module, const OuterPlace& place) {
  const StackFrameTables& tables = module.header().stack_frames;
  const size_t row = place.row;
  const auto count_locations = [&](int32_t StackFrameTables::Location::*field) {
    size_t uses = 0;
    for (const StackFrameTables::Location& location : tables.locations)
      uses += location.*field == static_cast<int32_t>(row) ? 1 : 0;
    return uses;
  };
  switch (place.table) {
    case 0:
      if (!IsRow(row, tables.file_names.size())) return "";
      return NameRowCard("Source file", tables.file_names[row - 1],
                         count_locations(&StackFrameTables::Location::file_name_id));
    case 1:
      if (!IsRow(row, tables.function_names.size())) return "";
      return NameRowCard("Function", tables.function_names[row - 1],
                         count_locations(&StackFrameTables::Location::function_name_id));
    case 2: {
      if (!IsRow(row, tables.locations.size())) return "";
      const StackFrameTables::Location& location = tables.locations[row - 1];
      const auto name = [](const std::vector<std::string>& names, int32_t id) {
        return id >= 1 && static_cast<size_t>(id) <= names.size() ? names[static_cast<size_t>(id) - 1] : "(unknown)";
      };
      return absl::StrCat("**Source:** ",
                          MarkdownCode(absl::StrCat(name(tables.file_names, location.file_name_id), ":", location.line,
                                                    ":", location.column)),
                          " in ", MarkdownCode(name(tables.function_names, location.function_name_id)));
    }
    default: {
      if (!IsRow(row, tables.frames.size())) return "";
      Metadata metadata;
      metadata.stack_frame_id = static_cast<int32_t>(row);
      return FramesText(SourceFramesOf(module, metadata));
    }
  }
}

std::string ParameterCard(const Document& document, const OuterPlace& place) {
  if (!place.parameter.has_value()) return absl::StrCat("The body has no parameter ", MarkdownCode(place.word), ".");
  return absl::StrCat(InstructionCard(document, place.parameter), "\n\n",
                      ShapeFacts(document.module().shape(place.parameter)));
}

std::string ResultCard(const Document& document, const OuterPlace& place) {
  const Module& module = document.module();
  const InstructionId root =
      place.computation.has_value() ? module.computation(place.computation).root : InstructionId::None();
  if (!root.has_value() || !module.shape(root).IsValid()) return "";
  return absl::StrCat(ShapeFacts(module.shape(root)), "\n\nResult of the computation, made by ",
                      MarkdownCode(module.InstructionName(root)));
}

// The index of the element under the offset: "[1,0]"; empty if none is written there.
std::string ElementIndex(const InstructionText& text, uint32_t offset) {
  std::vector<int64_t> index;
  const TokenRange literal = text.node().arguments;
  for (TokenIndex t = literal.begin; t < literal.end && text.tokens().begin(t) <= offset; ++t) {
    const TokenKind kind = text.tokens().kind(t);
    if (IsClosingBracket(kind)) {
      if (!index.empty()) index.pop_back();
    } else if (IsOpeningBracket(kind)) {
      index.push_back(0);
    } else if (kind == TokenKind::kComma) {
      if (!index.empty()) ++index.back();
    } else if (text.tokens().range(t).Contains(offset) && !index.empty() && kind != TokenKind::kDots) {
      return absl::StrCat("[", absl::StrJoin(index, ","), "]");
    }
  }
  return "";
}

std::string LiteralCard(const Document& document, InstructionId id, const InstructionText& text, uint32_t offset) {
  const Module& module = document.module();
  if (!module.shape(id).IsValid()) return "";
  std::string card = absl::StrCat("**Literal:** ", MarkdownCode(module.shape(id).ToString()));
  if (const std::string facts = LiteralFacts(module, id); !facts.empty()) absl::StrAppend(&card, "\n\n", facts);
  const Shape& shape = module.shape(id);
  const std::string index = ElementIndex(text, offset);
  // Elements of arrays that are written out; other braces mean other things.
  const auto depth = static_cast<int64_t>(std::count(index.begin(), index.end(), ',')) + 1;
  if (!index.empty() && shape.IsArray() && shape.rank() == depth) {
    const TokenIndex token = text.tokens().TokenAt(offset);
    absl::StrAppend(&card, "\n\nElement ", MarkdownCode(index), ": ", MarkdownCode(text.TextOf(token)));
  }
  return card;
}

}  // namespace

std::string HeaderAttributeCard(absl::string_view name) {
  const HeaderAttributeInfo* info = FindHeaderAttribute(name);
  if (info == nullptr) return "";
  return absl::StrCat("**`", name, "`** of the module\n\n", info->doc, "\n\n**Default:** ", info->default_value);
}

std::string OuterCard(const Document& document, const OuterPlace& place) {
  using Kind = OuterPlace::Kind;
  switch (place.kind) {
    case Kind::kModuleKeyword:
      return ModuleCard(document.module());
    case Kind::kHeaderAttribute:
      return HeaderAttributeCard(place.word);
    case Kind::kTableHeading:
      return std::string(kTableMeanings[place.table]);
    case Kind::kTableRow:
      return TableRowCard(document.module(), place);
    case Kind::kEntryKeyword:
      return absl::StrCat(
          "**`ENTRY`**: the computation that a run of the module executes. Its parameters are the "
          "module's, its result is the module's.\n\n",
          ComputationCard(document, place.computation));
    case Kind::kSignatureParameter:
      return ParameterCard(document, place);
    case Kind::kSignatureResult:
      return ResultCard(document, place);
    case Kind::kExecutionThread:
      return "**`execution_thread`** of the computation\n\nThe thread on which asynchronous calls execute it.\n\n"
             "**Default:** `\"main\"`";
    case Kind::kNone:
      return "";
  }
  return "";
}

std::optional<PlaceCard> InnerCard(const Document& document, InstructionId id, uint32_t offset) {
  const Module& module = document.module();
  if (!module.instruction(id).syntax.has_value() || module.instruction(id).synthesized) return std::nullopt;
  const SourceRange range = document.InstructionRange(id);
  const SourceRange root = {range.begin, range.begin + 4};
  if (root.Touches(offset) && absl::StartsWith(document.source().Slice(range), "ROOT")) {
    return PlaceCard{absl::StrCat("**`ROOT`**: what the computation returns. Without the word, it is the last "
                                  "instruction.\n\n",
                                  MarkdownHloBlock(module.shape(id).IsValid() ? module.shape(id).ToString() : "?")),
                     root};
  }
  const InstructionText text(document, id);
  if (text.node().arguments.empty()) return std::nullopt;
  const SourceRange arguments = text.RangeOf(text.node().arguments);
  if (!arguments.Touches(offset)) return std::nullopt;
  if (module.opcode(id) == Opcode::kConstant && module.instruction(id).literal.has_value()) {
    std::string card = LiteralCard(document, id, text, offset);
    if (card.empty()) return std::nullopt;
    return PlaceCard{std::move(card), arguments};
  }
  if (module.opcode(id) == Opcode::kParameter) {
    const Computation& computation = module.computation(module.instruction(id).computation);
    return PlaceCard{absl::StrCat("Argument number ", document.source().Slice(arguments), " of the ",
                                  computation.parameters.size(), " of ",
                                  computation.is_anonymous
                                      ? std::string("this computation")
                                      : MarkdownCode(module.ComputationName(module.instruction(id).computation)),
                                  ", counted from 0."),
                     arguments};
  }
  return std::nullopt;
}

}  // namespace hloscope::lsp
