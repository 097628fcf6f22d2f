// SPDX-License-Identifier: Apache-2.0
// One element of a value, its name and its bytes.
#ifndef HLOSCOPE_EVALUATOR_DEBUGGER_ELEMENT_H_
#define HLOSCOPE_EVALUATOR_DEBUGGER_ELEMENT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "evaluator/tensor/value.h"

namespace hloscope::evaluator {

// One element of a value: of the array at `path` in it (empty if it is no tuple).
struct Element {
  std::vector<int64_t> path;
  std::vector<int64_t> index;
};
// "x[0,3]", "t{1}[5]", "s" for a scalar.
std::string ElementName(absl::string_view name, const Element& element);
// The array at the path; null if there is none.
const Tensor* ArrayAt(const Value& value, absl::Span<const int64_t> path);
// True if the element exists.
bool HasElement(const Value& value, const Element& element);
// Address of the element. Requires HasElement.
const uint8_t* ElementAt(const Value& value, const Element& element);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_DEBUGGER_ELEMENT_H_
