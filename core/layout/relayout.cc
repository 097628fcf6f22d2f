// SPDX-License-Identifier: Apache-2.0
#include "core/layout/relayout.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/ir/checked_math.h"
#include "core/layout/memory_space.h"
#include "core/ops/factor_groups.h"

namespace hloscope {
namespace {

using Index = PhysicalLayout::Index;

constexpr int64_t kMaxCounted = int64_t{1} << 22;

// Why the buffers cannot hold the same elements at the same addresses whatever the order; empty if they might.
std::string BufferDifference(const PhysicalLayout& a, const PhysicalLayout& b) {
  if (a.shape().element_type() != b.shape().element_type()) {
    return absl::StrCat("element types differ (", ElementTypeName(a.shape().element_type()), ", ",
                        ElementTypeName(b.shape().element_type()), ")");
  }
  if (a.element_bits() != b.element_bits()) {
    return absl::StrCat("an element takes ", a.element_bits(), " bits in one buffer and ", b.element_bits(),
                        " in the other");
  }
  const int64_t from = a.shape().layout().memory_space, to = b.shape().layout().memory_space;
  if (from != to) return absl::StrCat("memory spaces differ (S(", from, "), S(", to, "))");
  if (a.element_count() != b.element_count()) {
    return absl::StrCat("element counts differ (", a.element_count(), ", ", b.element_count(), ")");
  }
  return "";
}

// Where an instruction finds the operand's element of a result index.
using OperandIndex = absl::FunctionRef<void(const Index& result, Index* operand)>;

// Writes the index with row-major number `number` in `dimensions`.
void IndexOfNumber(int64_t number, absl::Span<const int64_t> dimensions, absl::Span<int64_t> index) {
  for (size_t d = dimensions.size(); d-- > 0;) {
    index[d] = number % dimensions[d];
    number /= dimensions[d];
  }
}

// A run of dimensions, numbered row-major, as seen from one side.
struct Side {
  const PhysicalLayout& layout;
  const std::vector<std::vector<int64_t>>& units;
  int64_t begin, end;  // dimensions

  // Address of the element that has `number` in these dimensions and 0 in all others.
  int64_t Address(int64_t number) const {
    const absl::Span<const int64_t> dimensions = layout.shape().dimensions();
    Index index(dimensions.size(), 0);
    const size_t first = static_cast<size_t>(begin), count = static_cast<size_t>(end - begin);
    IndexOfNumber(number, dimensions.subspan(first, count), absl::MakeSpan(index).subspan(first, count));
    return layout.AddressOf(index);
  }
  // Adds the units, in row-major numbers, at which digits begin.
  void AddUnits(std::vector<int64_t>* out) const {
    int64_t stride = 1;
    for (int64_t d = end; d-- > begin;) {
      out->push_back(stride);
      for (int64_t unit : units[static_cast<size_t>(d)]) {
        if (unit < layout.shape().dimension(d)) out->push_back(SaturatingProduct(stride, unit));
      }
      stride = SaturatingProduct(stride, layout.shape().dimension(d));
    }
  }
};

// Whether two functions of the numbers [0, count), each linear in its own digits and 0 at 0, agree.
bool Agree(const Side& a, const Side& b, int64_t count, int64_t max_comparisons) {
  std::vector<int64_t> units;
  a.AddUnits(&units);
  b.AddUnits(&units);
  std::sort(units.begin(), units.end());
  units.erase(std::unique(units.begin(), units.end()), units.end());
  units.erase(std::lower_bound(units.begin(), units.end(), count), units.end());
  bool nested = true;
  for (size_t i = 1; i < units.size(); ++i) nested = nested && units[i] % units[i - 1] == 0;
  // Units that divide one another are a number system in which both functions are linear: the units say it all.
  for (int64_t unit : units) {
    if (a.Address(unit) != b.Address(unit)) return false;
  }
  if (nested) return true;
  if (count > max_comparisons) return false;
  for (int64_t number = 0; number < count; ++number) {
    if (a.Address(number) != b.Address(number)) return false;
  }
  return true;
}

// The definition: every element.
bool AgreeEverywhere(const PhysicalLayout& operand, const PhysicalLayout& result, OperandIndex operand_index,
                     int64_t max_comparisons) {
  if (result.element_count() > max_comparisons) return false;
  Index at(static_cast<size_t>(result.shape().rank()), 0), from(static_cast<size_t>(operand.shape().rank()), 0);
  do {
    operand_index(at, &from);
    if (operand.PlaceOf(from) != result.PlaceOf(at)) return false;
  } while (NextIndex(result.shape().dimensions(), absl::MakeSpan(at)));
  return true;
}

std::string IndexText(absl::Span<const int64_t> index) { return absl::StrCat("(", absl::StrJoin(index, ","), ")"); }

Relayout Cost(const PhysicalLayout& operand, const PhysicalLayout& result, bool is_free, OperandIndex operand_index) {
  Relayout cost;
  cost.is_free = is_free;
  if (is_free) {
    cost.moved_elements = cost.least_bytes_moved = 0;
    return cost;
  }
  cost.reason = BufferDifference(operand, result);
  cost.bytes_moved = SaturatingSum(operand.physical_bytes(), result.physical_bytes());
  if (!cost.reason.empty()) {
    cost.moved_elements = result.element_count();
  } else if (result.element_count() <= kMaxCounted) {
    Index at(static_cast<size_t>(result.shape().rank()), 0), from(static_cast<size_t>(operand.shape().rank()), 0);
    int64_t moved = 0;
    do {
      operand_index(at, &from);
      const PhysicalLayout::Place source = operand.PlaceOf(from), target = result.PlaceOf(at);
      if (source == target) continue;
      if (moved++ == 0) {
        cost.reason = absl::StrCat("element ", IndexText(from), " at address ", source.address, " becomes ",
                                   IndexText(at), " at address ", target.address);
      }
    } while (NextIndex(result.shape().dimensions(), absl::MakeSpan(at)));
    cost.moved_elements = moved;
  } else {
    cost.reason = "elements change their addresses";
  }
  if (cost.moved_elements) {
    const int64_t bits = SaturatingProduct(*cost.moved_elements, operand.element_bits());
    cost.least_bytes_moved = SaturatingProduct(2, CeilDiv(bits, 8));
  }
  return cost;
}

// The operand's index of a transpose's result index, and of a reshape's.
auto TransposedIndex(absl::Span<const int64_t> permutation) {
  return [permutation](const Index& at, Index* from) {
    for (size_t k = 0; k < permutation.size(); ++k) (*from)[static_cast<size_t>(permutation[k])] = at[k];
  };
}
auto ReshapedIndex(const Shape& operand, const Shape& result) {
  return [&operand, &result](const Index& at, Index* from) {
    int64_t number = 0;
    for (size_t d = 0; d < at.size(); ++d) number = number * result.dimensions()[d] + at[d];
    IndexOfNumber(number, operand.dimensions(), absl::MakeSpan(*from));
  };
}

bool IsUntiled(const Shape& shape) {
  return !shape.has_layout() || (shape.layout().tiles.empty() && shape.layout().split_configs.empty());
}

}  // namespace

bool IsFreeReshape(const PhysicalLayout& operand, const PhysicalLayout& result, int64_t max_comparisons) {
  if (!BufferDifference(operand, result).empty()) return false;
  if (operand.element_count() == 0) return true;
  const Shape &from = operand.shape(), &to = result.shape();
  const auto operand_units = operand.DigitUnits(), result_units = result.DigitUnits();
  if (!operand_units || !result_units)
    return AgreeEverywhere(operand, result, ReshapedIndex(from, to), max_comparisons);
  for (const FactorGroup& group : FactorGroups(from.dimensions(), to.dimensions())) {
    int64_t count = 1;
    for (int64_t d = group.input_begin; d < group.input_end; ++d) count *= from.dimension(d);
    const Side a = {operand, *operand_units, group.input_begin, group.input_end};
    const Side b = {result, *result_units, group.output_begin, group.output_end};
    if (!Agree(a, b, count, max_comparisons)) return false;
  }
  return true;
}

bool IsFreeTranspose(const PhysicalLayout& operand, const PhysicalLayout& result, absl::Span<const int64_t> permutation,
                     int64_t max_comparisons) {
  if (!BufferDifference(operand, result).empty()) return false;
  if (operand.element_count() == 0) return true;
  const auto operand_units = operand.DigitUnits(), result_units = result.DigitUnits();
  if (!operand_units || !result_units)
    return AgreeEverywhere(operand, result, TransposedIndex(permutation), max_comparisons);
  for (int64_t k = 0; k < result.shape().rank(); ++k) {
    const int64_t d = permutation[static_cast<size_t>(k)];
    const Side a = {operand, *operand_units, d, d + 1}, b = {result, *result_units, k, k + 1};
    if (!Agree(a, b, result.shape().dimension(k), max_comparisons)) return false;
  }
  return true;
}

bool IsFreeCopy(const PhysicalLayout& operand, const PhysicalLayout& result) {
  Index identity;
  for (int64_t d = 0; d < operand.shape().rank(); ++d) identity.push_back(d);
  return operand.shape().dimensions() == result.shape().dimensions() && IsFreeTranspose(operand, result, identity);
}

bool IsValidBitcast(const PhysicalLayout& operand, const PhysicalLayout& result, bool size_may_differ) {
  const auto in_host_memory = [](const PhysicalLayout& p) { return MemorySpaceOf(p.shape()) == kHostMemorySpace; };
  if (in_host_memory(operand) != in_host_memory(result)) return false;
  if (operand.physical_bytes() == result.physical_bytes()) return true;
  return size_may_differ && !operand.shape().IsDynamic() && !result.shape().IsDynamic() &&
         operand.data_extent_bytes() == result.data_extent_bytes();
}

absl::StatusOr<Relayout> ReshapeCost(const PhysicalLayout& operand, const PhysicalLayout& result) {
  if (operand.element_count() != result.element_count()) {
    return absl::InvalidArgumentError(absl::StrCat("reshape: ", operand.element_count(), " elements in ",
                                                   operand.shape().ToString(), " but ", result.element_count(), " in ",
                                                   result.shape().ToString()));
  }
  return Cost(operand, result, IsFreeReshape(operand, result), ReshapedIndex(operand.shape(), result.shape()));
}

absl::StatusOr<Relayout> TransposeCost(const PhysicalLayout& operand, const PhysicalLayout& result,
                                       absl::Span<const int64_t> permutation) {
  const Shape &from = operand.shape(), &to = result.shape();
  if (!IsPermutation(permutation, from.rank())) {
    return absl::InvalidArgumentError(absl::StrCat("transpose: {", absl::StrJoin(permutation, ","),
                                                   "} does not list each of the ", from.rank(), " dimensions once"));
  }
  bool same_sizes = to.rank() == from.rank();
  for (size_t k = 0; same_sizes && k < permutation.size(); ++k) {
    same_sizes = to.dimension(static_cast<int64_t>(k)) == from.dimension(permutation[k]);
  }
  if (!same_sizes) {
    return absl::InvalidArgumentError(absl::StrCat("transpose: ", from.ToString(), " with dimensions={",
                                                   absl::StrJoin(permutation, ","), "} does not have the sizes of ",
                                                   to.ToString()));
  }
  return Cost(operand, result, IsFreeTranspose(operand, result, permutation), TransposedIndex(permutation));
}

std::optional<Layout> LayoutOfFreeTranspose(const Shape& operand, absl::Span<const int64_t> permutation) {
  if (!operand.IsArray() || !IsUntiled(operand) || !CheckLayout(operand).ok() ||
      !IsPermutation(permutation, operand.rank())) {
    return std::nullopt;
  }
  Layout layout = operand.has_layout() ? operand.layout() : Layout::RowMajor(operand.rank());
  for (int64_t& d : layout.minor_to_major) {
    d = std::find(permutation.begin(), permutation.end(), d) - permutation.begin();
  }
  return layout;
}

std::optional<Layout> LayoutOfFreeReshape(const Shape& operand, absl::Span<const int64_t> result_dimensions) {
  const absl::StatusOr<PhysicalLayout> from = PhysicalLayout::Of(operand);
  if (!from.ok() || !IsUntiled(operand)) return std::nullopt;
  const Shape result = Shape::Array(operand.element_type(), result_dimensions);
  if (result.ElementCount() != from->element_count()) return std::nullopt;
  Layout layout = from->shape().layout();
  std::vector<int64_t>& order = layout.minor_to_major;
  if (from->element_count() == 0) {
    order = Layout::RowMajor(result.rank()).minor_to_major;
    return layout;
  }
  struct Run {
    int64_t stride;  // of the group's least dimension in the operand
    FactorGroup group;
  };
  std::vector<Run> runs;
  const auto units = from->DigitUnits();
  for (const FactorGroup& group : FactorGroups(operand.dimensions(), result_dimensions)) {
    const Side side = {*from, *units, group.input_begin, group.input_end};
    int64_t count = 1;
    for (int64_t d = group.input_begin; d < group.input_end; ++d) count *= operand.dimension(d);
    const int64_t stride = count > 1 ? side.Address(1) : 0;
    int64_t number = 1;
    for (int64_t d = group.input_end; d-- > group.input_begin;) {
      if (operand.dimension(d) > 1 && side.Address(number) != number * stride) return std::nullopt;
      number *= operand.dimension(d);
    }
    runs.push_back({stride, group});
  }
  std::stable_sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.stride < b.stride; });
  order.clear();
  for (const Run& run : runs) {
    for (int64_t d = run.group.output_end; d-- > run.group.output_begin;) {
      if (result_dimensions[static_cast<size_t>(d)] != 1) order.push_back(d);
    }
  }
  // Size 1 does not matter for addresses: such a dimension is beside the one that follows it in the shape.
  for (int64_t d = result.rank(); d-- > 0;) {
    if (result_dimensions[static_cast<size_t>(d)] != 1) continue;
    const auto next = std::find(order.begin(), order.end(), d + 1);
    order.insert(next == order.end() ? order.begin() : next + 1, d);
  }
  return layout;
}

}  // namespace hloscope
