// SPDX-License-Identifier: Apache-2.0
// Completion of element types, shapes and layouts.
#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/editing/completion_parts.h"

namespace hloscope {
namespace {

// Shapes of the computation that are offered as result shapes, and the length of the longest.
constexpr size_t kShapesOffered = 8;
constexpr size_t kMaxShape = 200;

}  // namespace

void AddElementTypes(Completion& c) {
  static constexpr ElementType kTypes[] = {
#define HLO_ELEMENT_TYPE(Enum, spelling, bits, storage_bytes, kind, number) ElementType::k##Enum,
#include "numerics/elements/element_types.def"
  };
  // The usual ones first.
  static constexpr ElementType kUsual[] = {ElementType::kF32,  ElementType::kBF16, ElementType::kS32,
                                           ElementType::kPred, ElementType::kF16,  ElementType::kF64,
                                           ElementType::kS64,  ElementType::kU32,  ElementType::kS8};
  for (ElementType type : kTypes) {
    if (type == ElementType::kTuple || type == ElementType::kBuffer) continue;
    const auto* usual = std::find(std::begin(kUsual), std::end(kUsual), type);
    const int64_t value = std::end(kUsual) - usual;
    if (!IsArrayElement(type)) {
      c.list.AddWord(ChoiceKind::kElementType, ElementTypeName(type), absl::StrCat(ElementTypeName(type), "[]"), "",
                     value);
      continue;
    }
    SnippetText snippet(c.options.snippets);
    snippet.Text(absl::StrCat(ElementTypeName(type), "[")).Hole("").Text("]");
    c.list.AddSnippet(ChoiceKind::kElementType, ElementTypeName(type), snippet,
                      absl::StrCat(BitWidth(type), BitWidth(type) == 1 ? " bit" : " bits"), value);
  }
}

// Result shapes that were used last in the computation.
void AddShapes(Completion& c) {
  const std::vector<InstructionId>& values = c.scope.values();
  std::vector<ShapeId> seen;
  for (size_t i = 0; i < std::min(values.size(), kRecentValues * 4) && seen.size() < kShapesOffered; ++i) {
    const ShapeId shape = c.module.instruction(values[i]).shape;
    if (!c.module.shape(shape).IsValid() || std::find(seen.begin(), seen.end(), shape) != seen.end()) continue;
    seen.push_back(shape);
    const std::string text = c.module.shape(shape).ToString();
    if (text.size() > kMaxShape) continue;
    c.list.AddWord(ChoiceKind::kShape, text, absl::StrCat(text, " "), "", (int64_t{3} << 40) - static_cast<int64_t>(i),
                   static_cast<uint32_t>(shape.index()));
  }
}

void AddLayouts(Completion& c) {
  const std::optional<Shape> shape = ReadShapeAt(c.document, c.context.shape);
  if (!shape || !shape->IsArray() || shape->rank() == 0) return;
  std::vector<int64_t> order(static_cast<size_t>(shape->rank()));
  std::iota(order.rbegin(), order.rend(), 0);
  // All orders of few dimensions; of many, the two that are used.
  int64_t value = 1000;
  const auto add = [&](absl::string_view detail) {
    c.list.AddWord(ChoiceKind::kLayout, absl::StrJoin(order, ","), absl::StrCat(absl::StrJoin(order, ","), "}"), detail,
                   value--);
  };
  add("row-major");
  if (shape->rank() == 1) return;
  if (shape->rank() > 4) {
    std::reverse(order.begin(), order.end());
    add("column-major");
    return;
  }
  while (std::prev_permutation(order.begin(), order.end())) {
    add(std::is_sorted(order.begin(), order.end()) ? "column-major" : "");
  }
}

}  // namespace hloscope
