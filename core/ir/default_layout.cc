// SPDX-License-Identifier: Apache-2.0
#include "core/ir/default_layout.h"

#include <utility>
#include <vector>

namespace hloscope {

Shape WithDefaultLayouts(const Shape& shape) {
  if (shape.IsArray()) {
    Shape result = shape;
    if (!result.has_layout()) result.set_layout(Layout::RowMajor(result.rank()));
    return result;
  }
  if (shape.elements().empty()) return shape;
  std::vector<Shape> elements;
  elements.reserve(shape.elements().size());
  for (const Shape& element : shape.elements()) elements.push_back(WithDefaultLayouts(element));
  return shape.IsBuffer() ? Shape::Buffer(std::move(elements[0])) : Shape::Tuple(std::move(elements));
}

}  // namespace hloscope
