// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/builder_call_reader.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/diagnostics/suggestions.h"
#include "core/ir/opcode.h"
#include "core/lex/lexer.h"
#include "core/semantics/anchor_resolver.h"
#include "core/semantics/shape_reader.h"
#include "core/semantics/token_cursor.h"
#include "core/source/line_text.h"

namespace hloscope {
namespace {

using Kind = TokenKind;

class BuilderCallReader {
 public:
  BuilderCallReader(const BuilderCallText& text, const BuilderCall& call)
      : source_(text.source), tokens_(text.tokens), tree_(text.tree), node_(text.node), call_(call) {}

  // False if something is wrong: see problem().
  bool ReadArguments(absl::FunctionRef<const Shape*(absl::string_view)> find_shape);
  // The edits that replace the call; the snippet's result takes the name that the text gives the call. Null if it has
  // no place of its own.
  std::optional<FixIt> ReplaceBy(const Snippet& snippet) const;

  // The shape in front of the call, if it is written and readable.
  std::optional<Shape> DeclaredShape() const {
    if (node_.shape.empty()) return std::nullopt;
    DiagnosticSink quiet;  // the instruction is lost in any case
    TokenCursor cursor(source_, tokens_, quiet, node_.shape, "shape");
    return ReadShape(cursor);
  }
  const std::string& problem() const { return problem_; }
  SourceRange problem_range() const { return problem_range_; }
  void SetProblem(std::string problem) { problem_ = std::move(problem); }
  const std::vector<BuilderValue>& operands() const { return operands_; }
  const BuilderArguments& arguments() const { return arguments_; }
  bool has_place() const { return node_.name != kNoToken && node_.computation < tree_.computations.size(); }
  absl::string_view Text(TokenIndex token) const { return source_.Slice(tokens_.range(token)); }

 private:
  absl::string_view NameOf(TokenIndex token) const { return TokenName(tokens_.kind(token), Text(token)); }
  // Without the `=` of an attribute.
  SourceRange NameRange(TokenIndex token) const {
    const SourceRange range = tokens_.range(token);
    return tokens_.kind(token) == Kind::kAttributeName ? SourceRange{range.begin, range.end - 1} : range;
  }
  bool Fail(SourceRange range, std::string problem) {
    problem_ = std::move(problem);
    problem_range_ = range;
    return false;
  }
  // What is between two commas of the parentheses.
  bool ReadArgument(TokenRange range, absl::FunctionRef<const Shape*(absl::string_view)> find_shape);
  bool ReadOperand(TokenRange range, absl::FunctionRef<const Shape*(absl::string_view)> find_shape);
  bool ReadParameter(TokenIndex name, TokenRange value);
  // An attribute after the parentheses: a parameter, or one that any instruction takes.
  bool ReadAttribute(const AttributeSyntax& attribute);
  // Where the computations of a snippet go: before the outermost computation around the call.
  uint32_t PlaceOfComputations() const;

  const SourceText& source_;
  const TokenBuffer& tokens_;
  const SyntaxTree& tree_;
  const InstructionSyntax& node_;
  const BuilderCall& call_;
  std::vector<BuilderValue> operands_;
  BuilderArguments arguments_;
  std::string kept_attributes_;  // ", metadata={...}"
  std::string problem_;
  SourceRange problem_range_;
};

bool BuilderCallReader::ReadArguments(absl::FunctionRef<const Shape*(absl::string_view)> find_shape) {
  problem_range_ = tokens_.range(node_.opcode);
  TokenIndex first = node_.arguments.begin;
  int64_t depth = 0;
  for (TokenIndex i = first; i <= node_.arguments.end; ++i) {
    const bool is_end = i == node_.arguments.end;
    if (!is_end && IsOpeningBracket(tokens_.kind(i))) ++depth;
    if (!is_end && IsClosingBracket(tokens_.kind(i))) --depth;
    if (!is_end && (depth > 0 || tokens_.kind(i) != Kind::kComma)) continue;
    if (is_end && node_.arguments.empty()) break;
    if (!ReadArgument({first, i}, find_shape)) return false;
    first = i + 1;
  }
  for (uint32_t i = 0; i < node_.attribute_count; ++i) {
    if (!ReadAttribute(tree_.attributes[node_.first_attribute + i])) return false;
  }
  if (const absl::Status status = call_.Check(operands_.size(), arguments_); !status.ok()) {
    return Fail(tokens_.range(node_.opcode), absl::StrCat("it ", status.message()));
  }
  return true;
}

bool BuilderCallReader::ReadArgument(TokenRange range, absl::FunctionRef<const Shape*(absl::string_view)> find_shape) {
  if (range.empty()) return Fail(tokens_.range(range.begin), "an argument is missing here");
  const TokenIndex name = range.begin;
  if (tokens_.kind(name) == Kind::kAttributeName) return ReadParameter(name, {name + 1, range.end});
  if (range.end > name + 1 && tokens_.kind(name) == Kind::kIdentifier && tokens_.kind(name + 1) == Kind::kEquals) {
    return ReadParameter(name, {name + 2, range.end});
  }
  return ReadOperand(range, find_shape);
}

bool BuilderCallReader::ReadOperand(TokenRange range, absl::FunctionRef<const Shape*(absl::string_view)> find_shape) {
  // A shape may come before the name.
  const TokenIndex name = range.end - 1;
  const Kind kind = tokens_.kind(name), first = tokens_.kind(range.begin);
  const bool is_name = kind == Kind::kName || kind == Kind::kIdentifier;
  if (!is_name || (name != range.begin && first != Kind::kPrimitiveType && first != Kind::kLeftParen)) {
    std::vector<absl::string_view> parameters;
    for (const BuilderParameter& parameter : call_.parameters) parameters.push_back(parameter.name);
    return Fail(
        RangeOfTokens(tokens_, range),
        absl::StrCat("an operand is the name of an instruction",
                     parameters.empty() ? "" : absl::StrCat("; other arguments are named, `", parameters[0], "=`")));
  }
  const Shape* const shape = find_shape(NameOf(name));
  if (shape == nullptr) return Fail(tokens_.range(name), absl::StrCat("no `", NameOf(name), "` is defined before it"));
  if (!shape->IsValid()) {
    return Fail(tokens_.range(name), absl::StrCat("the shape of `", NameOf(name), "` is not known"));
  }
  operands_.push_back({std::string(Text(name)), *shape});
  return true;
}

bool BuilderCallReader::ReadParameter(TokenIndex name, TokenRange value) {
  const BuilderParameter* const parameter = call_.FindParameter(NameOf(name));
  if (parameter == nullptr) {
    std::vector<absl::string_view> names;
    for (const BuilderParameter& candidate : call_.parameters) names.push_back(candidate.name);
    std::string hint = DidYouMean(NearestName(NameOf(name), names));
    if (hint.empty() && !names.empty()) hint = absl::StrCat("; it takes `", absl::StrJoin(names, "`, `"), "`");
    return Fail(NameRange(name), absl::StrCat("it takes no `", NameOf(name), "`", hint));
  }
  if (arguments_.Has(parameter->name)) {
    return Fail(NameRange(name), absl::StrCat("`", parameter->name, "` is given twice"));
  }
  const SourceRange range = value.empty() ? NameRange(name) : RangeOfTokens(tokens_, value);
  const absl::Status status = arguments_.Set(*parameter, value.empty() ? "" : source_.Slice(range));
  return status.ok() || Fail(range, absl::StrCat("`", parameter->name, "`: ", status.message()));
}

bool BuilderCallReader::ReadAttribute(const AttributeSyntax& attribute) {
  const absl::Span<const AttributeKind> common = CommonAttributes();
  const bool is_common = std::any_of(common.begin(), common.end(),
                                     [&](AttributeKind kind) { return AttributeName(kind) == NameOf(attribute.name); });
  if (!is_common) return ReadParameter(attribute.name, attribute.value);
  const uint32_t begin = tokens_.begin(attribute.name);
  const uint32_t end = attribute.value.empty() ? tokens_.end(attribute.name) : tokens_.end(attribute.value.end - 1);
  absl::StrAppend(&kept_attributes_, ", ", source_.Slice({begin, end}));
  return true;
}

uint32_t BuilderCallReader::PlaceOfComputations() const {
  uint32_t begin = tokens_.begin(node_.tokens.begin);
  for (size_t i = node_.computation; i < tree_.computations.size(); ++i) {
    const TokenRange around = tree_.computations[i].tokens;
    if (around.begin <= node_.tokens.begin && node_.tokens.end <= around.end) {
      begin = std::min(begin, tokens_.begin(around.begin));
    }
  }
  return BeginOfCommentsAbove(source_, begin);
}

std::optional<FixIt> BuilderCallReader::ReplaceBy(const Snippet& snippet) const {
  if (!has_place()) return std::nullopt;
  FixIt fix{absl::StrCat("expand `", call_.name, "` into HLO"), {}};
  if (!snippet.computations.empty()) {
    const uint32_t at = PlaceOfComputations();
    fix.edits.push_back({{at, at}, absl::StrCat(absl::StrJoin(snippet.computations, "\n"), "\n")});
  }
  const SourceRange statement = RangeOfTokens(tokens_, node_.tokens);
  std::vector<std::string> lines = snippet.instructions;
  const std::string name = absl::StrCat(Text(node_.name)[0] == '%' ? "%" : "", NameOf(node_.name));
  if (lines.empty()) {
    // Nothing has to be done, but the name has to stand for something.
    const BuilderValue& same = snippet.result;
    lines.push_back(absl::StrCat(name, " = ", same.shape.ToString(false), " reshape(", same.name, ")"));
  } else {
    lines.back() = absl::StrCat(name, absl::string_view(lines.back()).substr(snippet.result.name.size()));
  }
  lines.back() = absl::StrCat(node_.is_root ? "ROOT " : "", lines.back(), kept_attributes_);
  const std::string separator = absl::StrCat("\n", IndentationOf(source_, statement.begin));
  fix.edits.push_back({statement, absl::StrJoin(lines, separator)});
  return fix;
}

bool SameUpToLayout(const Shape& a, const Shape& b) { return a.WithoutLayout() == b.WithoutLayout(); }

// "`reshape` and `broadcast`"
std::string OpcodesOf(const Snippet& snippet) {
  std::vector<std::string> words;
  for (Opcode opcode : snippet.opcodes) {
    std::string word = absl::StrCat("`", OpcodeName(opcode), "`");
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(std::move(word));
  }
  if (words.empty()) return absl::StrCat("`", snippet.result.name, "` itself");
  const std::string last = words.back();
  words.pop_back();
  return words.empty() ? last : absl::StrCat(absl::StrJoin(words, ", "), " and ", last);
}

}  // namespace

SnippetNames NamesOfText(const SourceText& source, const TokenBuffer& tokens, const SyntaxTree& tree) {
  SnippetNames names;
  for (const InstructionSyntax& node : tree.instructions) {
    if (node.name != kNoToken) names.Take(TokenName(tokens.kind(node.name), source.Slice(tokens.range(node.name))));
  }
  for (const ComputationSyntax& node : tree.computations) {
    if (node.name != kNoToken) names.Take(TokenName(tokens.kind(node.name), source.Slice(tokens.range(node.name))));
  }
  return names;
}

Shape ReportBuilderCall(const BuilderCallText& text, const BuilderCall& call,
                        absl::FunctionRef<const Shape*(absl::string_view name)> find_shape, SnippetNames& names,
                        DiagnosticSink& sink) {
  constexpr absl::string_view kWhat = ", an operation of the builder interface: ";
  BuilderCallReader reader(text, call);
  const absl::string_view word = reader.Text(text.node.opcode);
  if (!reader.ReadArguments(find_shape)) {
    sink.Report(DiagnosticKind::kUnknownOpcode, reader.problem_range(), word, absl::StrCat(kWhat, reader.problem()));
    return Shape();
  }
  const SourceRange range = text.tokens.range(text.node.opcode);
  const bool percent = text.node.name != kNoToken && text.tokens.kind(text.node.name) == TokenKind::kName &&
                       reader.Text(text.node.name)[0] == '%';
  names.set_writes_percent(percent);
  const absl::StatusOr<Snippet> snippet = call.expand(reader.arguments(), reader.operands(), &names);
  if (!snippet.ok()) {
    sink.Report(DiagnosticKind::kUnknownOpcode, range, word, absl::StrCat(kWhat, snippet.status().message()));
    return Shape();
  }
  std::string meaning = absl::StrCat("it stands for ", OpcodesOf(*snippet));
  const std::optional<Shape> declared = reader.DeclaredShape();
  if (declared && declared->IsArray() && !SameUpToLayout(*declared, snippet->result.shape)) {
    absl::StrAppend(&meaning, ", which makes ", snippet->result.shape.ToString(false), ", not the declared ",
                    declared->ToString(false));
  }
  if (!reader.has_place()) absl::StrAppend(&meaning, ", as a statement with a name in a computation");
  Diagnostic& diagnostic = sink.Report(DiagnosticKind::kUnknownOpcode, range, word, absl::StrCat(kWhat, meaning));
  if (auto fix = reader.ReplaceBy(*snippet)) diagnostic.fixes.push_back(*std::move(fix));
  return snippet->result.shape.WithoutLayout();
}

}  // namespace hloscope
