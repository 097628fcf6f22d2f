// SPDX-License-Identifier: Apache-2.0
#include "reports/tensor_page.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/ir/element_type.h"
#include "evaluator/tensor/summary.h"

namespace hloscope::reports {
namespace {

using Numbers = insight::HtmlTensor::Numbers;

// Digits that tell the values of a format apart.
int DigitsOf(ElementType type) {
  return static_cast<int>(std::ceil((FloatFormatOf(type).mantissa_bits + 1) * std::log10(2.0))) + 1;
}

template <typename T>
void Append(T number, std::string* out) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &number, sizeof(T));
  out->append(bytes, sizeof(T));
}

// `dense`: in row-major order without gaps.
insight::HtmlTensor Encode(const evaluator::Tensor& dense) {
  insight::HtmlTensor out;
  const ElementType type = dense.element_type();
  out.dimensions.assign(dense.dimensions().begin(), dense.dimensions().end());
  const auto as_is = [&](Numbers numbers) {
    out.numbers = numbers;
    out.elements.assign(reinterpret_cast<const char*>(dense.data()), static_cast<size_t>(dense.byte_size()));
  };
  const ElementType part = IsComplex(type) ? ComplexComponent(type) : type;
  out.parts = IsComplex(type) ? 2 : 1;
  if (IsFloat(part)) out.digits = DigitsOf(part);
  if (part == ElementType::kF64) {
    as_is(Numbers::kFloat64);
  } else if (part == ElementType::kF32) {
    as_is(Numbers::kFloat32);
  } else if (type == ElementType::kPred) {
    as_is(Numbers::kBool);
  } else if (StorageBytes(type) == 8) {
    as_is(IsSigned(type) ? Numbers::kInt64 : Numbers::kUint64);
  } else {
    out.numbers = IsFloat(type) ? Numbers::kFloat32 : IsSigned(type) ? Numbers::kInt32 : Numbers::kUint32;
    const int64_t count = dense.element_count();
    out.elements.reserve(static_cast<size_t>(count) * 4);
    for (int64_t i = 0; i < count; ++i) {
      const double value = evaluator::ElementAsDouble(type, dense.data() + i * dense.element_bytes());
      if (out.numbers == Numbers::kFloat32) {
        Append(static_cast<float>(value), &out.elements);
      } else if (out.numbers == Numbers::kInt32) {
        Append(static_cast<int32_t>(value), &out.elements);
      } else {
        Append(static_cast<uint32_t>(value), &out.elements);
      }
    }
  }
  return out;
}

// A view of `most` elements at most, and which indices are in it.
evaluator::Tensor Thinned(const evaluator::Tensor& tensor, int64_t most, std::vector<int64_t>* steps) {
  steps->assign(static_cast<size_t>(tensor.rank()), 1);
  evaluator::DimensionVector sizes(tensor.dimensions().begin(), tensor.dimensions().end());
  evaluator::DimensionVector strides(tensor.strides().begin(), tensor.strides().end());
  const auto count = [&] {
    int64_t product = 1;
    for (int64_t size : sizes) product *= size;
    return product;
  };
  while (count() > most) {
    const size_t longest = static_cast<size_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
    sizes[longest] = (sizes[longest] + 1) / 2;
    strides[longest] *= 2;
    (*steps)[longest] *= 2;
  }
  return tensor.View(sizes, strides, 0);
}

}  // namespace

absl::Status AddTensors(absl::Span<const NamedTensor> tensors, insight::HtmlReport* page) {
  const int64_t arrays = static_cast<int64_t>(std::min(tensors.size(), kMostDrawnArrays));
  const int64_t most = kMostPageElements * 4 / std::max<int64_t>(arrays, 4);
  for (const NamedTensor& named : tensors.subspan(0, kMostDrawnArrays)) {
    page->BeginPart(insight::HtmlText().Code(absl::StrCat(named.name, " ", named.tensor.shape().ToString(false))));
    if (named.tensor.element_count() == 0) {
      page->AddParagraph("No elements.");
      page->EndPart();
      continue;
    }
    page->AddParagraph(TensorFacts(named.tensor));
    std::vector<int64_t> steps;
    const absl::StatusOr<evaluator::Tensor> shown = Thinned(named.tensor, most, &steps).Contiguous();
    if (!shown.ok()) return shown.status();
    if (shown->element_count() < named.tensor.element_count()) {
      page->AddParagraph(absl::StrCat("The page holds ", shown->element_count(), " of ", named.tensor.element_count(),
                                      " elements; what is said of all counts all."));
    }
    insight::HtmlTensor tensor = Encode(*shown);
    tensor.steps = std::move(steps);
    page->AddTensor(tensor, TensorsSvg({&named, 1}), absl::StrCat("heat map of ", named.name));
    page->EndPart();
  }
  if (tensors.size() > kMostDrawnArrays) {
    page->AddParagraph(absl::StrCat("There are more arrays: the page shows the first ", kMostDrawnArrays, "."));
  }
  return absl::OkStatus();
}

}  // namespace hloscope::reports
