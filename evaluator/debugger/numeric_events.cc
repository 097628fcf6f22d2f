// SPDX-License-Identifier: Apache-2.0
#include "evaluator/debugger/numeric_events.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "core/print/literal_printer.h"
#include "evaluator/engine/non_finite.h"
#include "evaluator/kernels/indexing/start_indices.h"
#include "numerics/elements/numeric.h"

namespace hloscope::evaluator {
namespace {

// The next multi-index in row-major order; false after the last.
bool Next(absl::Span<const int64_t> sizes, std::vector<int64_t>& index) {
  for (size_t d = index.size(); d > 0; index[--d] = 0) {
    if (++index[d - 1] < sizes[d - 1]) return true;
  }
  return false;
}

std::string NumberAt(const Tensor& tensor, absl::Span<const int64_t> index) {
  int64_t offset = 0;
  for (size_t d = 0; d < index.size(); ++d) offset += index[d] * tensor.strides()[d];
  const absl::StatusOr<Literal> literal = LiteralOf(Value(tensor.View({}, {}, offset)));
  return literal.ok() ? PrintLiteral(*literal) : std::string("?");
}

std::optional<std::string> MadeNonFinite(const Module& module, InstructionId id, absl::Span<const Value> operands,
                                         const Value& value, bool nan, QuestionLimit& limit) {
  const auto holds = [nan](const Value& at) {
    const NonFinite found = FindNonFinite(at);
    return nan ? found.nan : found.infinity;
  };
  if (!holds(value) || absl::c_any_of(operands, holds)) return std::nullopt;
  const std::optional<Element> element = FirstNonFiniteElement(value, nan, !nan, limit);
  return absl::StrCat(
      element.has_value() ? ElementName(module.InstructionName(id), *element) : std::string(module.InstructionName(id)),
      nan ? " is a NaN; no operand holds one" : " is infinite; no operand holds an infinity");
}

// True if a finite number of one type comes out of a conversion as something else than the nearest number of the other.
bool Overflows(ElementType from, const uint8_t* operand, ElementType to, const uint8_t* result) {
  if (IsComplex(from) || IsComplex(to)) {
    const std::complex<double> given = ReadComplex(from, operand), made = ReadComplex(to, result);
    return std::isfinite(given.real()) && std::isfinite(given.imag()) &&
           (std::isinf(made.real()) || std::isinf(made.imag()));
  }
  if (to == ElementType::kPred) return false;
  const double given = ReadReal(from, operand);
  // Some small formats have no infinity: a number that does not fit becomes a NaN, or the largest one.
  if (IsFloat(to)) {
    if (!std::isfinite(given)) return false;
    const double made = ReadReal(to, result);
    if (!std::isfinite(made)) return true;
    return std::fabs(given) > 2 * std::fabs(made) && std::fabs(given) > 1;
  }
  if (std::isnan(given)) return true;
  if (IsFloat(from)) {
    const int bits = BitWidth(to) - (IsSigned(to) ? 1 : 0);
    const double end = std::ldexp(1.0, bits);
    return std::trunc(given) >= end || std::trunc(given) < (IsSigned(to) ? -end : 0.0);
  }
  // Integers: the number must come back.
  const int64_t before = ReadInteger(from, operand), after = ReadInteger(to, result);
  const bool before_huge = from == ElementType::kU64 && before < 0, after_huge = to == ElementType::kU64 && after < 0;
  return before != after || before_huge != after_huge;
}

std::optional<std::string> ConvertOverflow(const Module& module, InstructionId id, absl::Span<const Value> operands,
                                           const Value& value, QuestionLimit& limit) {
  const Opcode opcode = module.opcode(id);
  if ((opcode != Opcode::kConvert && opcode != Opcode::kStochasticConvert) || operands.empty() ||
      !operands[0].IsTensor() || !value.IsTensor()) {
    return std::nullopt;
  }
  const Tensor from = operands[0].tensor().WithRunTimeSizes(), to = value.tensor().WithRunTimeSizes();
  if (from.element_count() == 0 || from.element_count() != to.element_count()) return std::nullopt;
  std::vector<int64_t> index(static_cast<size_t>(from.rank()), 0);
  do {
    if (!Overflows(from.element_type(), from.At(index), to.element_type(), to.At(index))) continue;
    return absl::StrCat(ElementName(module.InstructionName(id), {{}, index}), " = ", NumberAt(to, index), ": ",
                        NumberAt(from, index), " does not fit ", ElementTypeName(to.element_type()));
  } while (!limit.IsOver() && Next(from.dimensions(), index));
  return std::nullopt;
}

std::optional<std::string> OutOfBounds(int64_t start, int64_t window, int64_t size, size_t dimension,
                                       absl::string_view consequence) {
  if (start >= 0 && start <= size - window) return std::nullopt;
  return absl::StrCat("index ", start, " of dimension ", dimension, " is outside 0..", size - window, ": ",
                      consequence);
}

// `first`: the operand with the first start index; one scalar for each dimension, or one vector.
std::optional<std::string> SliceOutOfBounds(absl::Span<const Value> operands, size_t first,
                                            absl::Span<const int64_t> sizes, absl::Span<const int64_t> windows) {
  for (size_t d = 0; d < sizes.size() && d < windows.size(); ++d) {
    const bool vector = first < operands.size() && operands[first].IsTensor() && operands[first].tensor().rank() == 1;
    const size_t k = vector ? first : first + d;
    if (k >= operands.size() || !operands[k].IsTensor()) return std::nullopt;
    const Tensor& tensor = operands[k].tensor();
    std::vector<int64_t> place;
    if (vector) place.push_back(static_cast<int64_t>(d));
    const int64_t start = ReadInteger(tensor.element_type(), tensor.At(place));
    if (auto text = OutOfBounds(start, windows[d], sizes[d], d, "it is clamped")) return text;
  }
  return std::nullopt;
}

std::optional<std::string> GatherOutOfBounds(const Module& module, InstructionId id, const Tensor& array,
                                             const Tensor& indices, absl::Span<const int64_t> windows,
                                             absl::string_view consequence, QuestionLimit& limit) {
  const IndexDimensionNumbers numbers = IndexNumbersOf(module, id);
  const StartIndices starts(indices, numbers);
  std::vector<int64_t> batch(starts.batch_sizes().size(), 0), start(static_cast<size_t>(array.rank()), 0);
  for (int64_t n = 0; n < starts.batch_count() && !limit.IsOver(); ++n) {
    std::fill(start.begin(), start.end(), 0);
    starts.Get(n, absl::MakeSpan(batch), absl::MakeSpan(start));
    for (size_t d = 0; d < start.size(); ++d) {
      if (auto text = OutOfBounds(start[d], windows[d], array.dimensions()[d], d, consequence)) {
        return absl::StrCat(*text,
                            batch.empty() ? std::string() : absl::StrCat(" (", ElementName("batch", {{}, batch}), ")"));
      }
    }
  }
  return std::nullopt;
}

std::optional<std::string> IndexOutOfBounds(const Module& module, InstructionId id, absl::Span<const Value> operands,
                                            QuestionLimit& limit) {
  if (!absl::c_all_of(operands, [](const Value& operand) { return operand.IsTensor(); })) return std::nullopt;
  const auto sizes = [&](size_t k) { return operands[k].tensor().dimensions(); };
  std::optional<std::string> text;
  switch (module.opcode(id)) {
    case Opcode::kDynamicSlice:
      text = SliceOutOfBounds(operands, 1, sizes(0), module.IntsAttribute(id, AttributeKind::kDynamicSliceSizes));
      break;
    case Opcode::kDynamicUpdateSlice:
      text = SliceOutOfBounds(operands, 2, sizes(0), sizes(1));
      break;
    case Opcode::kGather:
      text = GatherOutOfBounds(module, id, operands[0].tensor(), operands[1].tensor(),
                               module.IntsAttribute(id, AttributeKind::kSliceSizes), "it is clamped", limit);
      break;
    case Opcode::kScatter: {
      const size_t count = (operands.size() - 1) / 2;
      const std::vector<int64_t> windows =
          ScatterWindow(module, id, operands[0].tensor().rank(), operands[count + 1].tensor().dimensions());
      text = GatherOutOfBounds(module, id, operands[0].tensor(), operands[count].tensor(), windows,
                               "its update is left out", limit);
      break;
    }
    default:
      break;
  }
  if (!text.has_value()) return std::nullopt;
  return absl::StrCat(OpcodeName(module.opcode(id)), " ", module.InstructionName(id), ": ", *text);
}

}  // namespace

std::optional<Element> FirstNonFiniteElement(const Value& value, bool nan, bool infinity, QuestionLimit& limit) {
  Element found;
  const std::function<bool(const Value&)> search = [&](const Value& at) {
    for (size_t i = 0; i < at.elements().size(); ++i) {
      found.path.push_back(static_cast<int64_t>(i));
      if (search(at.elements()[i])) return true;
      found.path.pop_back();
    }
    if (!at.IsTensor()) return false;
    const Tensor tensor = at.tensor().WithRunTimeSizes();
    const ElementType type = tensor.element_type();
    if ((!IsFloat(type) && !IsComplex(type)) || tensor.element_count() == 0) return false;
    found.index.assign(static_cast<size_t>(tensor.rank()), 0);
    // Where an element is repeated, its first place counts.
    DimensionVector sizes(tensor.dimensions().begin(), tensor.dimensions().end());
    for (size_t d = 0; d < sizes.size(); ++d) sizes[d] = tensor.strides()[d] == 0 ? 1 : sizes[d];
    do {
      const std::complex<double> x = ReadComplex(type, tensor.At(found.index));
      if (nan && (std::isnan(x.real()) || std::isnan(x.imag()))) return true;
      if (infinity && (std::isinf(x.real()) || std::isinf(x.imag()))) return true;
    } while (!limit.IsOver() && Next(sizes, found.index));
    return false;
  };
  if (search(value)) return found;
  return std::nullopt;
}

std::optional<std::string> FindNumericEvent(NumericEvent event, const Module& module, InstructionId id,
                                            absl::Span<const Value> operands, const Value& value,
                                            QuestionLimit& limit) {
  switch (event) {
    case NumericEvent::kNan:
      return MadeNonFinite(module, id, operands, value, true, limit);
    case NumericEvent::kInfinity:
      return MadeNonFinite(module, id, operands, value, false, limit);
    case NumericEvent::kConvertOverflow:
      return ConvertOverflow(module, id, operands, value, limit);
    case NumericEvent::kIndexOutOfBounds:
      return IndexOutOfBounds(module, id, operands, limit);
  }
  return std::nullopt;
}

}  // namespace hloscope::evaluator
