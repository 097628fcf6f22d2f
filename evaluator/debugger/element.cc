// SPDX-License-Identifier: Apache-2.0
#include "evaluator/debugger/element.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace hloscope::evaluator {

std::string ElementName(absl::string_view name, const Element& element) {
  return absl::StrCat(name, element.path.empty() ? "" : absl::StrCat("{", absl::StrJoin(element.path, ","), "}"),
                      element.index.empty() ? "" : absl::StrCat("[", absl::StrJoin(element.index, ","), "]"));
}

const Tensor* ArrayAt(const Value& value, absl::Span<const int64_t> path) {
  const Value* at = &value;
  for (int64_t number : path) {
    if (!at->IsTuple() || number < 0 || static_cast<size_t>(number) >= at->elements().size()) return nullptr;
    at = &at->elements()[static_cast<size_t>(number)];
  }
  return at->IsTensor() ? &at->tensor() : nullptr;
}

bool HasElement(const Value& value, const Element& element) {
  const Tensor* array = ArrayAt(value, element.path);
  if (array == nullptr || array->dimensions().size() != element.index.size()) return false;
  for (size_t d = 0; d < element.index.size(); ++d) {
    if (element.index[d] < 0 || element.index[d] >= array->dimensions()[d]) return false;
  }
  return true;
}

const uint8_t* ElementAt(const Value& value, const Element& element) {
  return ArrayAt(value, element.path)->At(element.index);
}

}  // namespace hloscope::evaluator
