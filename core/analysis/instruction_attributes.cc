#include "core/analysis/instruction_attributes.h"

#include <algorithm>

#include "core/print/printer.h"

namespace hloscope {
namespace {

// References, which say nothing by their names, and notes on the origin.
bool IsReferenceOrNote(AttributeKind kind) {
  const AttributeType type = InfoOf(kind).type;
  return type == AttributeType::kComputation || type == AttributeType::kComputations ||
         type == AttributeType::kInstructions || type == AttributeType::kMetadata || type == AttributeType::kOrigin ||
         type == AttributeType::kStatistics;
}

// How and where a value is computed, not what it is.
bool IsAboutExecution(AttributeKind kind) {
  switch (kind) {
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

}  // namespace

std::vector<std::pair<AttributeKind, std::string>> AttributeTexts(const Module& module, InstructionId id,
                                                                  AttributesCompared compared) {
  std::vector<std::pair<AttributeKind, std::string>> list;
  for (const Attribute& attribute : module.attributes(id)) {
    if (IsReferenceOrNote(attribute.kind)) continue;
    if (compared == AttributesCompared::kValues && IsAboutExecution(attribute.kind)) continue;
    list.emplace_back(attribute.kind, PrintAttributeValue(module, id, attribute.kind));
  }
  std::sort(list.begin(), list.end());
  return list;
}

}  // namespace hloscope
