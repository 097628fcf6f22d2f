// SPDX-License-Identifier: Apache-2.0
#include "cli/shape_argument.h"

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "cli/input.h"
#include "cli/output.h"
#include "core/lex/lexer.h"
#include "core/semantics/shape_reader.h"

namespace hloscope::cli {
namespace {

RenderOptions Options(const Arguments& arguments) {
  // The text is short and nobody has it open: the caret helps even when standard error is a file.
  RenderOptions options = ErrorRenderOptions(arguments).value_or(RenderOptions());
  options.source_lines = true;
  return options;
}

}  // namespace

SourceRange ShapeArgument::LeafRange(int64_t leaf) const {
  DiagnosticSink ignored;
  const TokenBuffer tokens = Lex(*source, ignored);
  int64_t number = -1;
  int depth = 0;  // of brackets and braces: what is inside belongs to the leaf
  SourceRange range{0, source->size()};
  for (TokenIndex i = 0; i < tokens.size(); ++i) {
    const TokenKind kind = tokens.kind(i);
    if (depth == 0 && kind == TokenKind::kPrimitiveType) {
      if (++number > leaf) break;
      range = tokens.range(i);
    }
    if (kind == TokenKind::kLeftBracket || kind == TokenKind::kLeftBrace) ++depth;
    if (kind == TokenKind::kRightBracket || kind == TokenKind::kRightBrace) {
      --depth;
      if (depth == 0 && number >= 0) range.end = tokens.end(i);
    }
  }
  return range;
}

SourceRange ShapeArgument::DimensionRange(int64_t d) const {
  DiagnosticSink ignored;
  const TokenBuffer tokens = Lex(*source, ignored);
  int64_t number = 0;
  for (TokenIndex i = 2; i + 1 < tokens.size(); ++i) {  // after the element type and the bracket
    if (tokens.kind(i) == TokenKind::kRightBracket) break;
    if (tokens.kind(i) == TokenKind::kComma) {
      ++number;
    } else if (number == d) {
      return tokens.range(i);
    }
  }
  return LeafRange(0);
}

std::optional<ShapeArgument> ReadShapeArgument(const Arguments& arguments, absl::string_view name,
                                               const std::string& text) {
  ShapeArgument argument;
  argument.source = SourceText::FromString(std::string(name), text);
  DiagnosticSink sink;
  const std::optional<Shape> shape = ReadShapeText(*argument.source, sink);
  if (!shape) {
    if (!sink.diagnostics().empty()) {
      WriteError(RenderDiagnostic(*argument.source, sink.diagnostics()[0], Options(arguments)));
    }
    return std::nullopt;
  }
  argument.shape = *shape;
  return argument;
}

void PrintArgumentError(const Arguments& arguments, const SourceText& source, SourceRange range,
                        absl::string_view message) {
  const LineColumn position = HumanPosition(source, range.begin);
  WriteError(absl::StrCat(source.name(), ":", position.line, ":", position.column, ": error: ", OneLine(message), "\n",
                          RenderExcerpt(source, range, Options(arguments))));
}

absl::StatusOr<std::optional<std::vector<int64_t>>> IntListOption(const Arguments& arguments,
                                                                  absl::string_view option) {
  const std::optional<std::string> value = arguments.Value(option);
  if (!value) return std::nullopt;
  absl::string_view text = absl::StripAsciiWhitespace(*value);
  if (absl::ConsumePrefix(&text, "{") && !absl::ConsumeSuffix(&text, "}")) {
    return absl::InvalidArgumentError(absl::StrCat("--", option, "=", *value, ": `}` is missing"));
  }
  std::vector<int64_t> list;
  for (absl::string_view word : absl::StrSplit(text, ',')) {
    if (list.empty() && absl::StripAsciiWhitespace(text).empty()) break;
    int64_t number = 0;
    if (!absl::SimpleAtoi(word, &number)) {
      return absl::InvalidArgumentError(
          absl::StrCat("--", option, " is a list of numbers such as 0,2; `", word, "` is not a number"));
    }
    list.push_back(number);
  }
  return list;
}

}  // namespace hloscope::cli
