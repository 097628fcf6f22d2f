// SPDX-License-Identifier: Apache-2.0
#include "tests/support/rule_test.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/document/document.h"
#include "core/ops/shape_inference.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

// Cuts at the commas that no bracket encloses.
std::vector<std::string> SplitTopLevel(absl::string_view text) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  for (char c : text) {
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (c == ',' && depth == 0) {
      parts.push_back(std::move(part));
      part.clear();
    } else {
      part.push_back(c);
    }
  }
  if (!absl::StripAsciiWhitespace(part).empty()) parts.push_back(std::move(part));
  return parts;
}

struct InstructionParts {
  std::string opcode, attributes, result;
  std::vector<std::string> operands;
};

InstructionParts ParseInstruction(absl::string_view text) {
  InstructionParts parts;
  text = absl::StripAsciiWhitespace(text);
  size_t end = text.find_first_of(" {");
  if (end == absl::string_view::npos) end = text.size();
  parts.opcode = std::string(text.substr(0, end));
  text.remove_prefix(end);
  if (!text.empty() && text[0] == '{') {
    size_t close = 0;
    for (int depth = 0; close < text.size(); ++close) {
      if (text[close] == '{') ++depth;
      if (text[close] == '}' && --depth == 0) break;
    }
    parts.attributes = std::string(text.substr(1, close - 1));
    text.remove_prefix(close + 1);
  }
  const size_t arrow = text.find("-> ");
  if (arrow != absl::string_view::npos) {
    parts.result = std::string(absl::StripAsciiWhitespace(text.substr(arrow + 3)));
    text = text.substr(0, arrow);
  }
  parts.operands = SplitTopLevel(text);
  return parts;
}

// The errors and warnings about the entry computation's root. Those about the module around it do not count, but it
// must be readable.
std::vector<Diagnostic> RootDiagnostics(absl::string_view instruction, absl::string_view computations,
                                        const VerifyOptions& options, std::shared_ptr<const Document>* document) {
  DocumentOptions document_options;
  document_options.verify = options;
  const auto source = SourceText::FromString("rule", ModuleAround(instruction, computations));
  *document = Document::Parse(source, document_options);
  document_options.parse_only = true;
  const auto parsed = Document::Parse(source, document_options);
  const uint32_t root = static_cast<uint32_t>(source->text().rfind("  ROOT r = "));
  for (const Diagnostic& d : parsed->diagnostics()) {
    if (d.severity == Severity::kError && d.range.begin < root) ADD_FAILURE() << instruction << ": " << d.Message();
  }
  std::vector<Diagnostic> diagnostics;
  for (const Diagnostic& d : (*document)->diagnostics()) {
    if (d.severity <= Severity::kWarning && d.range.begin >= root) diagnostics.push_back(d);
  }
  return diagnostics;
}

bool DiagnosticsMatch(const std::vector<std::string>& actual, const std::vector<std::string>& expected) {
  if (actual.size() != expected.size()) return false;
  for (size_t i = 0; i < actual.size(); ++i) {
    if (actual[i] != expected[i] && !absl::StartsWith(actual[i], absl::StrCat(expected[i], " at "))) return false;
  }
  return true;
}

class NoRanges : public AnchorResolver {
 public:
  SourceRange Resolve(InstructionId, Anchor) const override { return {}; }
};

// What the rule of the entry computation's root infers.
std::string InferredAtRoot(const Document& document, const VerifyOptions& options) {
  const Module& module = document.module();
  DiagnosticSink sink;
  const NoRanges resolver;
  RuleContext context(module, module.computation(module.entry()).root, options, resolver, sink);
  const InferredShape shape = InferShape(context);
  return shape.has_value() ? shape->ToString() : "nothing";
}

}  // namespace

std::string ModuleAround(absl::string_view instruction, absl::string_view computations) {
  static const std::string* const kHelpers = new std::string(
      ReadFileOrDie(absl::StrCat(HLOSCOPE_SOURCE_DIR, "/tests/evaluator/data/helper_computations.hlo")));
  const InstructionParts parts = ParseInstruction(instruction);
  std::string text = absl::StrCat("HloModule rule\n", *kHelpers, computations, "\nENTRY entry {\n");
  std::vector<std::string> names;
  for (size_t k = 0; k < parts.operands.size(); ++k) {
    names.push_back(absl::StrCat("p", k));
    absl::StrAppend(&text, "  p", k, " = ", absl::StripAsciiWhitespace(parts.operands[k]), " parameter(", k, ")\n");
  }
  absl::StrAppend(&text, "  ROOT r = ", parts.result, " ", parts.opcode, "(", absl::StrJoin(names, ", "), ")");
  if (!parts.attributes.empty()) absl::StrAppend(&text, ", ", parts.attributes);
  return absl::StrCat(text, "\n}\n");
}

void ExpectRules(absl::string_view table, absl::string_view computations, const VerifyOptions& options) {
  for (absl::string_view line : absl::StrSplit(table, '\n')) {
    line = absl::StripAsciiWhitespace(line);
    if (line.empty() || absl::StartsWith(line, "//")) continue;
    const size_t infers = line.find(" => "), finds = line.rfind(" : ");
    if (infers == absl::string_view::npos && finds == absl::string_view::npos) {
      ADD_FAILURE() << "a line without an expectation: " << line;
      continue;
    }
    const absl::string_view instruction = line.substr(0, infers != absl::string_view::npos ? infers : finds);
    std::shared_ptr<const Document> document;
    const std::vector<Diagnostic> diagnostics = RootDiagnostics(instruction, computations, options, &document);
    std::vector<std::string> actual;
    for (const Diagnostic& d : diagnostics) {
      actual.push_back(absl::StrCat(d.code(), " at ", document->source().Slice(d.range)));
    }
    std::vector<std::string> expected;
    if (infers == absl::string_view::npos && line.substr(finds + 3) != "ok") {
      expected = absl::StrSplit(line.substr(finds + 3), " | ");
    }
    EXPECT_TRUE(DiagnosticsMatch(actual, expected))
        << line << "\nfound: " << (actual.empty() ? "ok" : absl::StrJoin(actual, " | ")) << "\n"
        << (diagnostics.empty() ? "" : diagnostics[0].Message());
    if (infers != absl::string_view::npos) {
      EXPECT_EQ(InferredAtRoot(*document, options), std::string(line.substr(infers + 4))) << line;
    }
  }
}

std::vector<std::string> DiagnosticCodes(const Module& module, InstructionId id) {
  DiagnosticSink sink;
  const NoRanges resolver;
  const VerifyOptions options;
  RuleContext context(module, id, options, resolver, sink);
  InferShape(context);
  std::vector<std::string> codes;
  for (const Diagnostic& d : sink.diagnostics()) codes.emplace_back(d.code());
  return codes;
}

std::string FirstMessage(absl::string_view instruction, absl::string_view computations, const VerifyOptions& options) {
  std::shared_ptr<const Document> document;
  const std::vector<Diagnostic> diagnostics = RootDiagnostics(instruction, computations, options, &document);
  return diagnostics.empty() ? "" : diagnostics[0].Message();
}

}  // namespace hloscope
