#include "core/analysis/instruction_attributes.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "core/ops/attribute_defaults.h"
#include "core/print/attribute_printer.h"
#include "core/print/printer.h"

namespace hloscope {
namespace {

// References say nothing by their names.
bool IsReferenceOrMetadata(AttributeKind kind) {
  const AttributeType type = InfoOf(kind).type;
  return type == AttributeType::kComputation || type == AttributeType::kComputations ||
         type == AttributeType::kInstructions || type == AttributeType::kMetadata;
}

// How and where a value is computed or comes from, not what it is.
bool IsAboutExecution(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::kOrigin:
    case AttributeKind::kStatistics:
    case AttributeKind::kSharding:
    case AttributeKind::kFrontendAttributes:
    case AttributeKind::kParameterReplication:
    case AttributeKind::kBackendConfig:
    case AttributeKind::kResultAccuracy:
    case AttributeKind::kChannelId:
    case AttributeKind::kConstrainLayout:
    case AttributeKind::kAsyncExecutionThread:
    case AttributeKind::kOutputToOperandAliasing:
    case AttributeKind::kCrossProgramPrefetchIndex:
    case AttributeKind::kInferredDimension:
    case AttributeKind::kIsComposite:
    case AttributeKind::kKind:
    case AttributeKind::kOutfeedConfig:
    case AttributeKind::kInfeedConfig:
    case AttributeKind::kIndicesAreSorted:
    case AttributeKind::kUniqueIndices:
    case AttributeKind::kOperandLayoutConstraints:
    case AttributeKind::kCustomCallSchedule:
      return true;
    default:
      return false;
  }
}

// As it prints, but with all digits of a number.
std::string ValueText(const Module& module, InstructionId id, AttributeKind kind) {
  std::string text = PrintAttributeValue(module, id, kind);
  if (InfoOf(kind).type != AttributeType::kFloat) return text;
  char digits[32];
  const std::to_chars_result end = std::to_chars(digits, digits + sizeof(digits), module.FloatAttribute(id, kind));
  return std::string(digits, end.ptr);
}

}  // namespace

std::vector<std::pair<AttributeKind, std::string>> AttributeTexts(const Module& module, InstructionId id,
                                                                  AttributesCompared compared) {
  std::vector<std::pair<AttributeKind, std::string>> list;
  const auto add = [&](AttributeKind kind) {
    if (IsReferenceOrMetadata(kind) || (compared == AttributesCompared::kValues && IsAboutExecution(kind))) return;
    if (!AttributePrints(module, id, kind)) return;
    std::string text = ValueText(module, id, kind);
    // What is written as it would be without writing says nothing.
    const std::optional<AttributeDefault> unwritten = DefaultOf(module.opcode(id), kind);
    if (unwritten.has_value() && unwritten->is_value && unwritten->text == text) return;
    list.emplace_back(kind, std::move(text));
  };
  for (AttributeKind kind : InfoOf(module.opcode(id)).attributes) add(kind);
  for (AttributeKind kind : CommonAttributes()) add(kind);
  std::sort(list.begin(), list.end());
  return list;
}

}  // namespace hloscope
