// SPDX-License-Identifier: Apache-2.0
// `hloscope explain`: what a diagnostic code means, or what an opcode takes and does.
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/markdown.h"
#include "cli/output.h"
#include "core/diagnostics/diagnostic.h"
#include "core/diagnostics/render.h"
#include "core/diagnostics/suggestions.h"
#include "core/editing/builder_call_snippet.h"
#include "core/ir/opcode.h"
#include "core/resources/resources.h"

namespace hloscope::cli {
namespace {

// Severity, message and code as a diagnostic shows them, with "..." for the parts that differ from diagnostic to
// diagnostic ($0, $1, ...). A part at the very end is a suggestion or another addition that may be missing.
std::string DiagnosticHeading(const DiagnosticInfo& info) {
  std::string message(info.message);
  const auto is_argument = [&](size_t i) {
    return i + 1 < message.size() && message[i] == '$' &&
           absl::ascii_isdigit(static_cast<unsigned char>(message[i + 1]));
  };
  if (message.size() > 2 && is_argument(message.size() - 2) && message[message.size() - 3] != ' ') {
    message.resize(message.size() - 2);
  }
  for (size_t i = 0; i < message.size(); ++i) {
    if (is_argument(i)) message.replace(i, 2, "...");
  }
  return absl::StrCat(SeverityName(info.severity), ": ", message, " [", info.code, "]\n");
}

// The page without its first line, `# NAME`, which says what the user typed.
absl::string_view WithoutTitle(absl::string_view page) {
  if (!absl::StartsWith(page, "# ")) return page;
  page.remove_prefix(std::min(page.size(), page.find('\n')));
  return absl::StripLeadingAsciiWhitespace(page);
}

// "int", "list of int", "one of EQ, NE": what comes after the equals sign.
std::string ValueDescription(const AttributeInfo& info) {
  switch (info.type) {
    case AttributeType::kBool:
      return "true or false";
    case AttributeType::kInt:
    case AttributeType::kInt32:
      return "integer";
    case AttributeType::kFloat:
      return "number";
    case AttributeType::kString:
      return "string";
    case AttributeType::kInts:
      return "{integers}";
    case AttributeType::kIntPairs:
      return "{{integer,integer},...}";
    case AttributeType::kIntLists:
      return "{{integers},...}";
    case AttributeType::kBools:
      return "{true or false,...}";
    case AttributeType::kComputation:
      return "computation";
    case AttributeType::kComputations:
      return "{computations}";
    case AttributeType::kWord:
      return absl::StrCat("one of ", absl::StrJoin(WordsOf(info.enumeration), ", "));
    case AttributeType::kWords:
      return absl::StrCat("{list of ", absl::StrJoin(WordsOf(info.enumeration), ", "), "}");
    case AttributeType::kShape:
      return "shape";
    case AttributeType::kShapes:
      return "{shapes}";
    case AttributeType::kInstructions:
      return "{instructions}";
    case AttributeType::kPadding:
      return "low_high[_interior] per dimension, joined by x";
    case AttributeType::kSliceRanges:
      return "{[start:limit:stride],...}";
    case AttributeType::kDimLabels:
      return "labels such as b01f_01io->b01f";
    case AttributeType::kRaw:
      return "string or {...}";
    case AttributeType::kLiteral:
    case AttributeType::kAliasing:
    case AttributeType::kReplicaGroups:
    case AttributeType::kWindow:
    case AttributeType::kSparsity:
    case AttributeType::kBlockScaling:
    case AttributeType::kSharding:
    case AttributeType::kFrontendAttributes:
    case AttributeType::kStatistics:
    case AttributeType::kOrigin:
    case AttributeType::kMetadata:
    case AttributeType::kResultAccuracy:
    case AttributeType::kDomain:
      return "";
  }
  return "";
}

std::string ExplainOpcode(Opcode opcode) {
  const OpcodeInfo& info = InfoOf(opcode);
  std::string text =
      absl::StrCat(info.name, "\n\noperands: ", info.arity < 0 ? "varies" : absl::StrCat(info.arity),
                   "\nresult shape: ", info.shape_can_be_omitted ? "may be left out" : "must be written", "\n");
  if (info.attributes.empty()) {
    absl::StrAppend(&text, "attributes: none of its own\n");
    return text;
  }
  absl::StrAppend(&text, "attributes:\n");
  for (AttributeKind kind : info.attributes) {
    const AttributeInfo& attribute = InfoOf(kind);
    const bool required = std::find(info.required.begin(), info.required.end(), kind) != info.required.end();
    const std::string value = ValueDescription(attribute);
    absl::StrAppend(&text, "  ", attribute.name, required ? " (required)" : "", ": ", attribute.doc,
                    value.empty() ? "" : absl::StrCat(" Value: ", value, "."), "\n");
  }
  return text;
}

// Codes and opcodes that begin with the word, or else the one it may be a misspelling of.
std::string Alternatives(absl::string_view word) {
  std::vector<absl::string_view> names = AllDiagnosticCodes();
  for (Opcode opcode : AllOpcodes()) names.push_back(OpcodeName(opcode));
  std::vector<std::string> beginning;
  for (const absl::string_view name : names) {
    if (!word.empty() && absl::StartsWith(name, word)) beginning.push_back(absl::StrCat("\n  ", name));
  }
  if (!beginning.empty()) return absl::StrCat("; these begin so:", absl::StrJoin(beginning, ""));
  return DidYouMean(word, names);
}

int RunExplain(const Arguments& arguments) {
  const absl::StatusOr<std::string> color = arguments.Choice("color", {"auto", "always", "never"});
  if (!color.ok()) return UsageError(arguments.command(), color.status().message());
  MarkdownOptions options;
  options.color = *color == "always" || (*color == "auto" && IsTerminal(STDOUT_FILENO));
  options.width = TerminalWidth(STDOUT_FILENO);

  // Codes are pasted from diagnostics, brackets included.
  absl::string_view word = arguments.operands()[0];
  if (absl::StartsWith(word, "[") && absl::EndsWith(word, "]")) word = word.substr(1, word.size() - 2);
  const std::string resources = FindResourceDirectory();
  if (const std::optional<DiagnosticKind> kind = DiagnosticKindFromCode(word)) {
    const DiagnosticInfo& info = InfoOf(*kind);
    WriteOutput(DiagnosticHeading(info));
    const std::optional<std::string> page = ReadDiagnosticPage(resources, info.code);
    if (!page) {
      WriteError(absl::StrCat("hloscope: the page diagnostics/", info.code, ".md cannot be read",
                              resources.empty() ? "; set HLOSCOPE_RESOURCES to the resources folder" : "", "\n"));
      return kExitBadInput;
    }
    WriteOutput(absl::StrCat("\n", RenderMarkdown(WithoutTitle(*page), options)));
    return kExitGood;
  }
  if (const std::optional<Opcode> opcode = OpcodeFromName(word)) {
    WriteOutput(ExplainOpcode(*opcode));
    if (const auto page = ReadOpPage(resources, *opcode)) {
      WriteOutput(absl::StrCat("\n", RenderMarkdown(WithoutTitle(*page), options)));
    }
    return kExitGood;
  }
  if (const BuilderCall* const call = FindBuilderCall(word)) {
    WriteOutput(absl::StrCat(call->name, "\n\n", RenderMarkdown(BuilderCallPage(*call), options)));
    return kExitGood;
  }
  return UsageError(
      arguments.command(),
      absl::StrCat("`", OneLine(word), "` is neither a diagnostic code nor an opcode", Alternatives(word)));
}

}  // namespace

const Command& ExplainCommand() {
  static constexpr Command kCommand = {
      "explain",
      "CODE|OPCODE",
      "documentation of a diagnostic or an op",
      "CODE is what a diagnostic shows in brackets (unknown-opcode); OPCODE is spelled as in the text (dot),\n"
      "or a call of the builder interface that a fix expands into HLO (BroadcastInDim).\n"
      "The beginning of a name lists the names that begin so.",
      {},
      1,
      1,
      RunExplain};
  return kCommand;
}

}  // namespace hloscope::cli
