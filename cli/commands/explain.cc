// `hloscope explain`: what a diagnostic code means, or what an opcode takes and does.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/output.h"
#include "core/diagnostics/diagnostic.h"
#include "core/ops/opcode.h"
#include "core/resources/resources.h"
#include "core/semantics/suggestions.h"

namespace hloscope {
namespace {

std::string ExplainDiagnostic(const DiagnosticInfo& info) {
  std::string message(info.message);
  // $0, $1, ...: the parts that differ from finding to finding.
  for (size_t i = 0; i + 1 < message.size(); ++i) {
    if (message[i] == '$' && message[i + 1] >= '0' && message[i + 1] <= '9') message.replace(i, 2, "...");
  }
  return absl::StrCat(info.code, " (", SeverityName(info.severity), ")\n\n    ", message, "\n");
}

// "int", "list of int", "one of EQ, NE": what stands after the equals sign.
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

int RunExplain(const Arguments& arguments) {
  const std::string& word = arguments.operands()[0];
  if (const std::optional<DiagnosticKind> kind = DiagnosticKindFromCode(word)) {
    WriteOutput(ExplainDiagnostic(InfoOf(*kind)));
    return kExitGood;
  }
  if (const std::optional<Opcode> opcode = OpcodeFromName(word)) {
    WriteOutput(ExplainOpcode(*opcode));
    if (const auto page = ReadOpPage(FindResourceDirectory(), *opcode)) WriteOutput(absl::StrCat("\n", *page));
    return kExitGood;
  }
  std::vector<absl::string_view> names = AllDiagnosticCodes();
  for (Opcode opcode : AllOpcodes()) names.push_back(OpcodeName(opcode));
  const absl::string_view nearest = NearestName(word, names);
  return UsageError(arguments.command(),
                    absl::StrCat("`", word, "` is neither a diagnostic code nor an opcode",
                                 nearest.empty() ? "" : absl::StrCat("; did you mean `", nearest, "`?")));
}

}  // namespace

const Command& ExplainCommand() {
  static constexpr Command kCommand = {
      "explain",
      "CODE|OPCODE",
      "documentation of a diagnostic or an op",
      "CODE is what stands in brackets behind a finding (unknown-opcode); OPCODE is spelled as in the text (dot).",
      {},
      1,
      1,
      RunExplain};
  return kCommand;
}

}  // namespace hloscope
