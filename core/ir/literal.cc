// SPDX-License-Identifier: Apache-2.0
#include "core/ir/literal.h"

#include <algorithm>
#include <cstring>

namespace hloscope {

Literal Literal::Tuple(Shape shape, std::vector<Literal> elements) {
  Literal literal(std::move(shape));
  literal.elements_ = std::move(elements);
  return literal;
}

bool Literal::IsElided() const {
  return elided_ || std::any_of(elements_.begin(), elements_.end(), [](const Literal& e) { return e.IsElided(); });
}

int64_t Literal::StoredElementCount() const {
  const int bytes = StorageBytes(shape_.element_type());
  return bytes == 0 ? 0 : static_cast<int64_t>(bytes_.size()) / bytes;
}

const uint8_t* Literal::ElementBytes(int64_t linear_index) const {
  static constexpr uint8_t kZero[16] = {};
  if (linear_index >= StoredElementCount()) return kZero;
  return bytes_.data() + linear_index * StorageBytes(shape_.element_type());
}

bool operator==(const Literal& a, const Literal& b) {
  if (a.elided_ != b.elided_ || a.shape_.WithoutLayout() != b.shape_.WithoutLayout()) return false;
  if (a.elements_ != b.elements_) return false;
  // The elements that are not stored are zero.
  const auto& longer = a.bytes_.size() >= b.bytes_.size() ? a.bytes_ : b.bytes_;
  const auto& shorter = a.bytes_.size() >= b.bytes_.size() ? b.bytes_ : a.bytes_;
  if (!std::equal(shorter.begin(), shorter.end(), longer.begin())) return false;
  return std::all_of(longer.begin() + static_cast<std::ptrdiff_t>(shorter.size()), longer.end(),
                     [](uint8_t byte) { return byte == 0; });
}

}  // namespace hloscope
