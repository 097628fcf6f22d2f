// SPDX-License-Identifier: Apache-2.0
#include "tests/support/compare_values.h"

#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "core/print/number_printer.h"
#include "evaluator/compare/tensor_difference.h"
#include "numerics/elements/numeric.h"

namespace hloscope {
namespace {

bool PartsAgree(ElementType type, const uint8_t* expected, const uint8_t* actual, const ComparisonRule& rule) {
  if (!IsFloat(type)) return ReadBits(type, expected) == ReadBits(type, actual);
  const double e = ReadReal(type, expected), a = ReadReal(type, actual);
  const bool equal = e == a || (std::isnan(e) && std::isnan(a));
  switch (rule.check) {
    case ComparisonRule::Check::kEqual:
      return equal;
    case ComparisonRule::Check::kClose: {
      const uint64_t distance = evaluator::UlpDistance(type, expected, actual);
      return distance >= rule.min_ulp && distance <= rule.max_ulp;
    }
    case ComparisonRule::Check::kAlmostEqual:
      return equal || std::fabs(e - a) <= rule.tolerance;
  }
  return false;
}

}  // namespace

std::string CompareTensors(const evaluator::Tensor& expected, const evaluator::Tensor& actual,
                           const ComparisonRule& rule) {
  const ElementType type = expected.element_type();
  if (actual.element_type() != type || actual.dimensions() != expected.dimensions()) {
    return absl::StrCat("shape ", actual.shape().ToString(), ", expected ", expected.shape().ToString());
  }
  const evaluator::Tensor e = *expected.Contiguous(), a = *actual.Contiguous();
  const ElementType part = ComplexComponent(type);
  const int64_t bytes = e.element_bytes(), part_bytes = StorageBytes(part);
  int64_t bad = 0;
  std::string first;
  for (int64_t i = 0; i < e.element_count(); ++i) {
    bool agree = true;
    for (int64_t offset = 0; offset < bytes; offset += part_bytes) {
      agree &= PartsAgree(part, e.data() + i * bytes + offset, a.data() + i * bytes + offset, rule);
    }
    if (agree || bad++ > 0) continue;
    first = absl::StrCat("first at element ", i, ": ");
    AppendElement(type, a.data() + i * bytes, &first);
    absl::StrAppend(&first, ", expected ");
    AppendElement(type, e.data() + i * bytes, &first);
  }
  if (bad == 0) return "";
  return absl::StrCat(bad, " of ", e.element_count(), " elements differ, ", first);
}

}  // namespace hloscope
