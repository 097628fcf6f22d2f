// SPDX-License-Identifier: Apache-2.0
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

SnippetText& SnippetText::Pattern(absl::string_view pattern) {
  while (!pattern.empty()) {
    const size_t open = pattern.find('<');
    Text(pattern.substr(0, open));
    if (open == absl::string_view::npos) break;
    const size_t close = pattern.find('>', open);
    Hole(pattern.substr(open + 1, close - open - 1));
    pattern.remove_prefix(close + 1);
  }
  return *this;
}

namespace {

SnippetText& WriteWords(const AttributeInfo& info, SnippetText& out) {
  const absl::Span<const absl::string_view> words = WordsOf(info.enumeration);
  return out.Text("{").Choice(words).Text(",").Choice(words).Text("}");
}

SnippetText& WriteWindow(const PartialInstruction& instruction, int64_t rank, SnippetText& out) {
  const int64_t spatial = instruction.opcode == Opcode::kConvolution ? rank - 2 : rank;
  const std::vector<int64_t> ones(static_cast<size_t>(std::max<int64_t>(1, spatial)), 1);
  return out.Text("{size=").Hole(absl::StrJoin(ones, "x")).Text("}");
}

SnippetText& WriteDimLabels(int64_t rank, SnippetText& out) {
  std::string spatial;
  for (int64_t d = 0; d + 2 < rank; ++d) absl::StrAppend(&spatial, d);
  return out.Hole(absl::StrCat("b", spatial, "f_", spatial, "io->b", spatial, "f"));
}

SnippetText& WritePadding(int64_t rank, SnippetText& out) {
  const std::vector<absl::string_view> none(static_cast<size_t>(std::max<int64_t>(1, rank)), "0_0");
  return out.Hole(absl::StrJoin(none, "x"));
}

// Ranges from 0 to the size of the result, or of the operand where that is not known.
SnippetText& WriteSliceRanges(const PartialInstruction& instruction, int64_t rank, SnippetText& out) {
  const bool has_result = instruction.result && instruction.result->IsArray();
  const Shape* const sizes = has_result ? &*instruction.result : ArrayOperand(instruction, 0);
  out.Text("{");
  for (int64_t d = 0; d < std::max<int64_t>(1, rank); ++d) {
    const int64_t size = sizes && d < sizes->rank() ? sizes->dimension(d) : 1;
    out.Text(d > 0 ? ", [" : "[").Hole("0").Text(":").Hole(absl::StrCat(size)).Text("]");
  }
  return out.Text("}");
}

}  // namespace

SnippetText& WriteAttributeValue(const PartialInstruction& instruction, AttributeKind attribute,
                                 absl::string_view computation, SnippetText& out) {
  static constexpr std::array<absl::string_view, 2> kBools = {"true", "false"};
  static constexpr std::array<absl::string_view, 2> kModes = {"highest", "default"};
  const AttributeInfo& info = InfoOf(attribute);
  const Shape* operand = ArrayOperand(instruction, 0);
  const int64_t rank = operand ? operand->rank() : 2;
  switch (info.type) {
    case AttributeType::kBool:
      return out.Choice(kBools);
    case AttributeType::kInt:
    case AttributeType::kInt32:
    case AttributeType::kFloat:
      return out.Hole("0");
    case AttributeType::kString:
      return out.Pattern("\"<>\"");
    case AttributeType::kInts:
      return out.Text("{").Hole(UsualNumbers(instruction, attribute)).Text("}");
    case AttributeType::kIntPairs:
      return out.Pattern("{{<0>,<1>}}");
    case AttributeType::kIntLists:
    case AttributeType::kReplicaGroups:
      return out.Pattern("{{<0>}}");
    case AttributeType::kBools:
      return out.Pattern("{<false>}");
    case AttributeType::kComputation:
      return out.Hole(computation);
    case AttributeType::kComputations:
      return out.Text("{").Hole(computation).Text(", ").Hole(computation).Text("}");
    case AttributeType::kWord:
      return out.Choice(WordsOf(info.enumeration));
    case AttributeType::kWords:
      return WriteWords(info, out);
    case AttributeType::kShape:
      return out.Hole("f32[]");
    case AttributeType::kShapes:
      return out.Pattern("{<f32[]>}");
    case AttributeType::kLiteral:
      return out.Hole("f32[] 0");
    case AttributeType::kAliasing:
      return out.Pattern("{{<>}: (<0>, {})}");
    case AttributeType::kWindow:
      return WriteWindow(instruction, rank, out);
    case AttributeType::kDimLabels:
      return WriteDimLabels(rank, out);
    case AttributeType::kPadding:
      return WritePadding(rank, out);
    case AttributeType::kSliceRanges:
      return WriteSliceRanges(instruction, rank, out);
    case AttributeType::kSharding:
      return out.Pattern("{<replicated>}");
    case AttributeType::kFrontendAttributes:
      return out.Pattern("{<key>=\"<value>\"}");
    case AttributeType::kStatistics:
      return out.Pattern("{visualizing_index=<0>}");
    case AttributeType::kMetadata:
      return out.Pattern("{op_name=\"<>\"}");
    case AttributeType::kResultAccuracy:
      return out.Text("{mode=").Choice(kModes).Text("}");
    case AttributeType::kDomain:
      return out.Pattern("{kind=\"<sharding>\", entry={<replicated>}, exit={<replicated>}}");
    case AttributeType::kSparsity:
    case AttributeType::kBlockScaling:
    case AttributeType::kRaw:
    case AttributeType::kInstructions:
    case AttributeType::kOrigin:
      break;
  }
  return out.Pattern("{<>}");
}

}  // namespace hloscope
