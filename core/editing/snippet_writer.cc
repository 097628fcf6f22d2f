#include "core/editing/snippet_writer.h"

#include <algorithm>
#include <array>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace hloscope {
namespace {

// Lists longer than this are no choice any more.
constexpr size_t kMaxChoice = 24;

void AppendEscaped(std::string* out, absl::string_view text, absl::string_view special) {
  for (char c : text) {
    if (c == '\\' || c == '$' || special.find(c) != absl::string_view::npos) out->push_back('\\');
    out->push_back(c);
  }
}

const Shape* ArrayOperand(const PartialInstruction& instruction, size_t k) {
  return k < instruction.operands.size() && instruction.operands[k].IsArray() ? &instruction.operands[k] : nullptr;
}

// What a list of numbers holds as a rule.
std::string UsualNumbers(const PartialInstruction& instruction, AttributeKind attribute) {
  const Shape* operand = ArrayOperand(instruction, 0);
  const Shape* result = instruction.result && instruction.result->IsArray() ? &*instruction.result : nullptr;
  std::vector<int64_t> numbers;
  switch (attribute) {
    case AttributeKind::kDynamicSliceSizes:
      return result ? absl::StrJoin(result->dimensions(), ",") : "1";
    case AttributeKind::kSliceSizes:
      return operand ? absl::StrJoin(operand->dimensions(), ",") : "1";
    case AttributeKind::kFftLength:
      return operand && operand->rank() > 0 ? absl::StrCat(operand->dimension(operand->rank() - 1)) : "1";
    case AttributeKind::kLhsContractingDims:
      return operand && operand->rank() > 0 ? absl::StrCat(operand->rank() - 1) : "1";
    case AttributeKind::kRhsContractingDims:
      return "0";
    case AttributeKind::kDimensions:
      if (instruction.opcode == Opcode::kTranspose && operand) {
        for (int64_t d = operand->rank(); d-- > 0;) numbers.push_back(d);
        return absl::StrJoin(numbers, ",");
      }
      if (instruction.opcode == Opcode::kMap && operand) {
        for (int64_t d = 0; d < operand->rank(); ++d) numbers.push_back(d);
        return absl::StrJoin(numbers, ",");
      }
      if (instruction.opcode == Opcode::kBroadcast && operand) {
        // Each dimension takes the first place of its size.
        int64_t at = 0;
        for (int64_t size : operand->dimensions()) {
          while (result && at < result->rank() && result->dimension(at) != size) ++at;
          numbers.push_back(at++);
        }
        return absl::StrJoin(numbers, ",");
      }
      if (instruction.opcode == Opcode::kReduce && operand && result) {
        // Those that the result does not have any more.
        int64_t kept = 0;
        for (int64_t d = 0; d < operand->rank(); ++d) {
          if (kept < result->rank() && operand->dimension(d) == result->dimension(kept)) {
            ++kept;
          } else {
            numbers.push_back(d);
          }
        }
        if (kept == result->rank() && !numbers.empty()) return absl::StrJoin(numbers, ",");
      }
      return "0";
    default:
      return "0";
  }
}

}  // namespace

SnippetText& SnippetText::Text(absl::string_view text) {
  if (with_holes_) {
    AppendEscaped(&text_, text, "");
  } else {
    absl::StrAppend(&text_, text);
  }
  return *this;
}

SnippetText& SnippetText::Hole(absl::string_view content) {
  if (!with_holes_) {
    absl::StrAppend(&text_, content);
    return *this;
  }
  absl::StrAppend(&text_, "${", next_++, ":");
  AppendEscaped(&text_, content, "}");
  text_ += "}";
  return *this;
}

SnippetText& SnippetText::Choice(absl::Span<const absl::string_view> words) {
  if (!with_holes_ || words.size() > kMaxChoice) return Hole(words[0]);
  absl::StrAppend(&text_, "${", next_++, "|");
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text_ += ",";
    AppendEscaped(&text_, words[i], "|,}");
  }
  text_ += "|}";
  return *this;
}

void WriteAttributeValue(const PartialInstruction& instruction, AttributeKind attribute, absl::string_view computation,
                         SnippetText* out) {
  static constexpr std::array<absl::string_view, 2> kBools = {"true", "false"};
  const AttributeInfo& info = InfoOf(attribute);
  const Shape* operand = ArrayOperand(instruction, 0);
  const int64_t rank = operand ? operand->rank() : 2;
  switch (info.type) {
    case AttributeType::kBool:
      out->Choice(kBools);
      return;
    case AttributeType::kInt:
    case AttributeType::kInt32:
    case AttributeType::kFloat:
      out->Hole("0");
      return;
    case AttributeType::kString:
      out->Text("\"").Hole("").Text("\"");
      return;
    case AttributeType::kInts:
      out->Text("{").Hole(UsualNumbers(instruction, attribute)).Text("}");
      return;
    case AttributeType::kIntPairs:
      out->Text("{{").Hole("0").Text(",").Hole("1").Text("}}");
      return;
    case AttributeType::kIntLists:
    case AttributeType::kReplicaGroups:
      out->Text("{{").Hole("0").Text("}}");
      return;
    case AttributeType::kBools:
      out->Text("{").Hole("false").Text("}");
      return;
    case AttributeType::kComputation:
      out->Hole(computation);
      return;
    case AttributeType::kComputations:
      out->Text("{").Hole(computation).Text(", ").Hole(computation).Text("}");
      return;
    case AttributeType::kWord:
      out->Choice(WordsOf(info.enumeration));
      return;
    case AttributeType::kWords:
      out->Text("{").Choice(WordsOf(info.enumeration)).Text(",").Choice(WordsOf(info.enumeration)).Text("}");
      return;
    case AttributeType::kShape:
      out->Hole("f32[]");
      return;
    case AttributeType::kShapes:
      out->Text("{").Hole("f32[]").Text("}");
      return;
    case AttributeType::kLiteral:
      out->Hole("f32[] 0");
      return;
    case AttributeType::kAliasing:
      out->Text("{{").Hole("").Text("}: (").Hole("0").Text(", {})}");
      return;
    case AttributeType::kWindow: {
      const std::vector<int64_t> ones(
          static_cast<size_t>(std::max<int64_t>(1, instruction.opcode == Opcode::kConvolution ? rank - 2 : rank)), 1);
      out->Text("{size=").Hole(absl::StrJoin(ones, "x")).Text("}");
      return;
    }
    case AttributeType::kDimLabels: {
      std::string spatial;
      for (int64_t d = 0; d + 2 < rank; ++d) absl::StrAppend(&spatial, d);
      out->Hole(absl::StrCat("b", spatial, "f_", spatial, "io->b", spatial, "f"));
      return;
    }
    case AttributeType::kPadding: {
      const std::vector<absl::string_view> none(static_cast<size_t>(std::max<int64_t>(1, rank)), "0_0");
      out->Hole(absl::StrJoin(none, "x"));
      return;
    }
    case AttributeType::kSliceRanges: {
      out->Text("{");
      for (int64_t d = 0; d < std::max<int64_t>(1, rank); ++d) {
        const Shape* result = instruction.result && instruction.result->IsArray() ? &*instruction.result : operand;
        const int64_t size = result && d < result->rank() ? result->dimension(d) : 1;
        out->Text(d > 0 ? ", [" : "[").Hole("0").Text(":").Hole(absl::StrCat(size)).Text("]");
      }
      out->Text("}");
      return;
    }
    case AttributeType::kSharding:
      out->Text("{").Hole("replicated").Text("}");
      return;
    case AttributeType::kFrontendAttributes:
      out->Text("{").Hole("key").Text("=\"").Hole("value").Text("\"}");
      return;
    case AttributeType::kStatistics:
      out->Text("{visualizing_index=").Hole("0").Text("}");
      return;
    case AttributeType::kMetadata:
      out->Text("{op_name=\"").Hole("").Text("\"}");
      return;
    case AttributeType::kResultAccuracy: {
      static constexpr std::array<absl::string_view, 2> kModes = {"highest", "default"};
      out->Text("{mode=").Choice(kModes).Text("}");
      return;
    }
    case AttributeType::kDomain:
      out->Text("{kind=\"").Hole("sharding").Text("\", entry={").Hole("replicated").Text("}, exit={");
      out->Hole("replicated").Text("}}");
      return;
    case AttributeType::kSparsity:
    case AttributeType::kRaw:
    case AttributeType::kInstructions:
    case AttributeType::kOrigin:
      out->Text("{").Hole("").Text("}");
      return;
  }
}

}  // namespace hloscope
