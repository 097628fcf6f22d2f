// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/reduction/row_reduction.h"

#include <cstring>
#include <type_traits>

#include "core/analysis/scalar_patterns.h"
#include "evaluator/kernels/reduction/run_folds.h"

namespace hloscope::evaluator {
namespace {

template <typename X>
void AddRows(const uint8_t* x, int64_t rows, int64_t columns, uint8_t* accumulators) {
  double* const totals = reinterpret_cast<double*>(accumulators);
  for (int64_t r = 0; r < rows; ++r) {
    RunSum<X> sum;
    sum.Add(reinterpret_cast<const X*>(x) + r * columns, 1, columns);
    totals[r] += sum.Total();
  }
}

template <typename T, typename X, typename Op>
void FoldRows(const uint8_t* x, int64_t rows, int64_t columns, uint8_t* accumulators) {
  FoldRuns(reinterpret_cast<const X*>(x), columns, rows, int64_t{1}, columns, reinterpret_cast<T*>(accumulators), Op());
}

// True if the reduced dimensions are the last ones, in any order.
bool ReducesLast(const Module& module, InstructionId id) {
  const absl::Span<const int64_t> dimensions = module.IntsAttribute(id, AttributeKind::kDimensions);
  const int64_t kept = module.shape(module.operand(id, 0)).rank() - static_cast<int64_t>(dimensions.size());
  return !dimensions.empty() &&
         std::all_of(dimensions.begin(), dimensions.end(), [kept](int64_t d) { return d >= kept; });
}

}  // namespace

std::optional<RowReduction> RowReduction::Of(const Module& module, InstructionId id) {
  if (module.opcode(id) != Opcode::kReduce || module.operands(id).size() != 2) return std::nullopt;
  for (InstructionId operand : module.operands(id)) {
    if (!operand.has_value() || !module.shape(operand).IsArray()) return std::nullopt;
  }
  const ComputationId computation = module.ComputationAttribute(id, AttributeKind::kToApply);
  if (!module.shape(id).IsArray() || !module.computation(computation).root.has_value()) return std::nullopt;
  const ElementType type = module.shape(id).element_type();
  for (InstructionId value : {module.operand(id, 0), module.operand(id, 1), module.computation(computation).root}) {
    if (!module.shape(value).IsArray() || module.shape(value).element_type() != type) return std::nullopt;
  }
  if (!ReducesLast(module, id)) return std::nullopt;
  // The same choice as Reduce makes.
  const RecognizedReducer reducer = RecognizeReducer(module, computation);
  if (reducer.kind == KnownReducer::kAdd && IsFloat(type)) {
    if (type == ElementType::kF32) return RowReduction(&AddRows<float>, type, ElementType::kF64);
    if (type == ElementType::kF64) return RowReduction(&AddRows<double>, type, ElementType::kF64);
    if (type == ElementType::kBF16) return RowReduction(&AddRows<numerics::Bf16>, type, ElementType::kF64);
    return std::nullopt;
  }
  const bool is_extreme = reducer.kind == KnownReducer::kMinimum || reducer.kind == KnownReducer::kMaximum;
  const bool widens = type == ElementType::kBF16 && is_extreme;
  const ElementType computed = widens ? ElementType::kF32 : type;
  std::optional<RowReduction> reduction;
  VisitKnownReducer(reducer, computed, [&](auto element, auto op) {
    using T = decltype(element);
    using Op = decltype(op);
    if constexpr (std::is_same_v<T, float>) {
      if (widens) {
        reduction = RowReduction(&FoldRows<T, numerics::Bf16, Op>, type, computed);
        return;
      }
    }
    reduction = RowReduction(&FoldRows<T, T, Op>, type, computed);
  });
  return reduction;
}

std::optional<RowReduction> RowReduction::OfBf16() const {
  if (fold_ != &AddRows<float>) return std::nullopt;
  std::optional<RowReduction> reduction = *this;
  reduction->fold_ = &AddRows<numerics::Bf16>;
  return reduction;
}

void RowReduction::operator()(const uint8_t* init, const uint8_t* x, int64_t rows, int64_t columns,
                              uint8_t* accumulators, uint8_t* results) const {
  const LaneOperand start = {init, true};
  widen_(&start, accumulators, rows);
  fold_(x, rows, columns, accumulators);
  const LaneOperand folded = {accumulators, false};
  narrow_(&folded, results, rows);
}

}  // namespace hloscope::evaluator
