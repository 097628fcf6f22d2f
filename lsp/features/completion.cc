// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/completion.h"

#include <optional>
#include <utility>

#include "core/editing/builder_call_snippet.h"
#include "core/editing/completion.h"
#include "core/resources/resources.h"
#include "lsp/features/hover_cards.h"
#include "lsp/features/hover_places.h"

namespace hloscope::lsp {
namespace {

using ChoiceKind = CompletionChoice::Kind;
using ItemKind = protocol::CompletionItemKind;

ItemKind ToItemKind(ChoiceKind kind) {
  switch (kind) {
    case ChoiceKind::kOpcode:
      return ItemKind::kFunction;
    case ChoiceKind::kBuilderCall:
      return ItemKind::kFunction;
    case ChoiceKind::kValue:
      return ItemKind::kVariable;
    case ChoiceKind::kAttribute:
      return ItemKind::kProperty;
    case ChoiceKind::kWord:
      return ItemKind::kEnumMember;
    case ChoiceKind::kComputation:
      return ItemKind::kClass;
    case ChoiceKind::kElementType:
      return ItemKind::kTypeParameter;
    case ChoiceKind::kShape:
    case ChoiceKind::kLayout:
      return ItemKind::kStruct;
    case ChoiceKind::kKeyword:
      return ItemKind::kKeyword;
  }
  return ItemKind::kKeyword;
}

}  // namespace

protocol::CompletionList ComputeCompletion(const DocumentView& view, protocol::Position position, bool snippets) {
  CompletionOptions options;
  options.snippets = snippets;
  CompletionChoices choices = Complete(view.document, view.ToOffset(position), options);
  protocol::CompletionList list;
  list.is_incomplete = !choices.complete;
  list.replaced = view.ToRange(choices.replaced);
  for (CompletionChoice& choice : choices.choices) {
    protocol::CompletionItem item;
    item.label = std::move(choice.label);
    item.kind = ToItemKind(choice.kind);
    item.detail = std::move(choice.detail);
    item.insert_text = std::move(choice.insert);
    item.is_snippet = choice.is_snippet;
    item.data_kind = static_cast<uint32_t>(choice.kind);
    item.data_index = choice.index;
    list.items.push_back(std::move(item));
  }
  return list;
}

std::string CompletionDocumentation(const DocumentView& view, const protocol::CompletionItem& item,
                                    const std::string& resource_directory) {
  const Module& module = view.module();
  switch (static_cast<ChoiceKind>(item.data_kind)) {
    case ChoiceKind::kOpcode: {
      const std::optional<Opcode> opcode = OpcodeFromName(item.label);
      if (!opcode.has_value()) return "";
      if (std::optional<std::string> page = ReadOpPage(resource_directory, *opcode)) return *std::move(page);
      return OpcodeCard(*opcode);
    }
    case ChoiceKind::kBuilderCall: {
      const BuilderCall* const call = FindBuilderCall(item.label);
      return call != nullptr ? BuilderCallPage(*call) : "";
    }
    case ChoiceKind::kAttribute: {
      // The same name may be attributes of several types: the index says which.
      const AttributeKind kind = static_cast<AttributeKind>(item.data_index);
      if (item.data_index > 0xFF) return HeaderAttributeCard(item.label);
      if (!IsAttributeName(item.label) || AttributeName(kind) != item.label) return "";
      return AttributeCard(kind);
    }
    case ChoiceKind::kValue: {
      if (item.data_index >= module.instruction_count()) return "";
      const InstructionId id(item.data_index);
      return module.InstructionName(id) == item.label ? InstructionCard(view.document, id) : "";
    }
    case ChoiceKind::kComputation: {
      if (item.data_index >= module.computations().size()) return "";
      const ComputationId id(item.data_index);
      return module.ComputationName(id) == item.label ? ComputationCard(view.document, id) : "";
    }
    case ChoiceKind::kWord:
    case ChoiceKind::kElementType:
    case ChoiceKind::kShape:
    case ChoiceKind::kLayout:
    case ChoiceKind::kKeyword:
      break;
  }
  return "";
}

}  // namespace hloscope::lsp
