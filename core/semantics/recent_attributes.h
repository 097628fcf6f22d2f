// SPDX-License-Identifier: Apache-2.0
// Attributes that were read a short while ago, by how they are spelt.
#ifndef HLOSCOPE_CORE_SEMANTICS_RECENT_ATTRIBUTES_H_
#define HLOSCOPE_CORE_SEMANTICS_RECENT_ATTRIBUTES_H_

#include <array>
#include <cstddef>

#include "absl/strings/string_view.h"
#include "core/ir/module.h"
#include "core/ir/opcode.h"
#include "core/ir/text_hash.h"

namespace hloscope {

// Dimensions, shardings, replica groups, configurations and metadata are the same for hundreds of instructions.
class RecentAttributes {
 public:
  // Whether the value depends on its spelling alone, and reading it takes longer than finding it here.
  static bool Covers(AttributeKind kind) {
    switch (InfoOf(kind).type) {
      case AttributeType::kInts:
      case AttributeType::kIntPairs:
      case AttributeType::kIntLists:
      case AttributeType::kReplicaGroups:
      case AttributeType::kWindow:
      case AttributeType::kDimLabels:
      case AttributeType::kPadding:
      case AttributeType::kSliceRanges:
      case AttributeType::kRaw:
      case AttributeType::kSharding:
      case AttributeType::kFrontendAttributes:
      case AttributeType::kMetadata:
        return true;
      case AttributeType::kBool:
      case AttributeType::kInt:
      case AttributeType::kInt32:
      case AttributeType::kFloat:
      case AttributeType::kString:
      case AttributeType::kBools:
      case AttributeType::kComputation:
      case AttributeType::kComputations:
      case AttributeType::kWord:
      case AttributeType::kWords:
      case AttributeType::kShape:
      case AttributeType::kShapes:
      case AttributeType::kLiteral:
      case AttributeType::kAliasing:
      case AttributeType::kSparsity:
      case AttributeType::kBlockScaling:
      case AttributeType::kStatistics:
      case AttributeType::kInstructions:
      case AttributeType::kOrigin:
      case AttributeType::kResultAccuracy:
      case AttributeType::kDomain:
        break;
    }
    return false;
  }

  // The texts passed must outlive this. Null if the value was not kept, or forgotten.
  const Attribute* Find(AttributeKind kind, absl::string_view text) const {
    const Entry& entry = entries_[Place(text)];
    return entry.is_set && entry.attribute.kind == kind && entry.text == text ? &entry.attribute : nullptr;
  }
  // Forgets the one that was in its place.
  void Keep(const Attribute& attribute, absl::string_view text) { entries_[Place(text)] = {text, attribute, true}; }

 private:
  static constexpr size_t kCount = 1024;
  struct Entry {
    absl::string_view text;
    Attribute attribute = {};
    bool is_set = false;
  };
  static size_t Place(absl::string_view text) { return HashText(text) % kCount; }

  std::array<Entry, kCount> entries_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_RECENT_ATTRIBUTES_H_
