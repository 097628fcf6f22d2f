// SPDX-License-Identifier: Apache-2.0
#include "core/print/shape_printer.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "absl/strings/match.h"

namespace hloscope {
namespace {

constexpr absl::string_view kIndexComment = "/*index=";

Shape WithoutDefaultLayouts(const Shape& shape) {
  if (shape.IsArray()) {
    if (!shape.has_layout() || shape.layout() != Layout::RowMajor(shape.rank())) return shape;
    Shape result = shape;
    result.clear_layout();
    return result;
  }
  if (shape.elements().empty()) return shape;
  std::vector<Shape> elements;
  elements.reserve(shape.elements().size());
  for (const Shape& element : shape.elements()) elements.push_back(WithoutDefaultLayouts(element));
  return shape.IsBuffer() ? Shape::Buffer(std::move(elements[0])) : Shape::Tuple(std::move(elements));
}

// The layouts of the arrays of some shapes.
struct LayoutUse {
  bool left_out = false, as_default = false, other = false;

  void Add(const Shape& shape) {
    for (const Shape& element : shape.elements()) Add(element);
    if (!shape.IsArray() || shape.rank() == 0) return;
    if (!shape.has_layout()) {
      left_out = true;
    } else if (shape.layout() == Layout::RowMajor(shape.rank())) {
      as_default = true;
    } else {
      other = true;
    }
  }
};

}  // namespace

std::string ShapeText(const Shape& shape, LayoutText layouts) {
  switch (layouts) {
    case LayoutText::kAll:
      return shape.ToStringWithDefaultLayouts();
    case LayoutText::kAsWritten:
      return shape.ToString();
    case LayoutText::kUnlikeDefault:
      return WithoutDefaultLayouts(shape).ToString();
  }
  return "";
}

std::string ShapeText(const Shape& shape, const PrintOptions& options) {
  std::string text = ShapeText(shape, options.layouts);
  return options.shape_index_comments ? text : WithoutIndexComments(text);
}

LayoutText LayoutHabit(const Module& module) {
  std::vector<bool> is_seen(module.shape_count(), false);
  LayoutUse use;
  for (size_t i = 0; i < module.instruction_count(); ++i) {
    const Instruction& instruction = module.instruction(InstructionId(i));
    if (!instruction.shape_declared || instruction.synthesized || is_seen[instruction.shape.index()]) continue;
    is_seen[instruction.shape.index()] = true;
    use.Add(module.shape(instruction.shape));
  }
  if (!use.left_out) return LayoutText::kAll;
  return use.as_default ? LayoutText::kAsWritten : LayoutText::kUnlikeDefault;
}

std::string WithoutIndexComments(absl::string_view text) {
  std::string out;
  size_t copied = 0;
  for (size_t begin = text.find(kIndexComment); begin != absl::string_view::npos;
       begin = text.find(kIndexComment, copied)) {
    const size_t end = text.find("*/", begin);
    if (end == absl::string_view::npos) break;
    out.append(text.data() + copied, begin - copied);
    copied = end + 2;
  }
  out.append(text.data() + copied, text.size() - copied);
  return out;
}

}  // namespace hloscope
