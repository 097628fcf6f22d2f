// SPDX-License-Identifier: Apache-2.0
// Custom calls that select and count: top-k, threefry, pivots, dynamic sizes, assertions
// (docs/ops/control.md 3.4, 3.5).
#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "evaluator/kernels/custom_calls/custom_call_registry.h"
#include "evaluator/kernels/custom_calls/custom_call_support.h"
#include "evaluator/kernels/data_movement/data_movement.h"
#include "evaluator/kernels/indexing/element_copy.h"
#include "evaluator/kernels/indexing/index_values.h"
#include "evaluator/kernels/indexing/valid_region.h"
#include "evaluator/kernels/interface/parallel_loop.h"
#include "evaluator/kernels/sorting/sort.h"

namespace hloscope::evaluator {
namespace {

// 0, 1, 2, ... along the last dimension.
absl::StatusOr<Tensor> Positions(absl::Span<const int64_t> sizes) {
  absl::StatusOr<Tensor> line = Tensor::Allocate(ElementType::kS32, {sizes.back()});
  if (!line.ok()) return line;
  int32_t* const values = line->mutable_data_as<int32_t>();
  for (int64_t i = 0; i < sizes.back(); ++i) values[i] = static_cast<int32_t>(i);
  DimensionVector strides(sizes.size(), 0);
  strides.back() = 1;
  return line->View(sizes, strides, 0);
}

// The rules of sort, which do not look at custom calls: operands of one shape, and a comparator of two scalars of each,
// or of each of the first ones, that gives one pred.
absl::Status CheckSort(const KernelContext& context, const Sort& sort) {
  const absl::Status sizes = CheckSameSizes("the sorted arrays", sort.operands);
  if (!sizes.ok()) return CustomCallError(context, sizes.message());
  const Module& module = context.module;
  const Computation& comparator = module.computation(sort.comparator);
  const Shape& root = module.shape(comparator.root);
  const size_t count = comparator.parameters.size();
  bool fits = count >= 2 && count % 2 == 0 && count <= 2 * sort.operands.size() && root.IsScalar() &&
              root.element_type() == ElementType::kPred;
  for (size_t k = 0; fits && k < count; ++k) {
    const Shape& shape = module.shape(comparator.parameters[k]);
    fits = shape.IsScalar() && shape.element_type() == sort.operands[k / 2].element_type();
  }
  if (fits) return absl::OkStatus();
  return CustomCallError(context, absl::StrCat("the comparator ", module.ComputationName(sort.comparator),
                                               " does not compare two elements of the sorted arrays"));
}

// The first `count` elements along `dimension` of operands sorted by the comparator of the call.
absl::StatusOr<std::vector<Value>> FirstOfSorted(const KernelContext& context, Sort sort, int64_t count) {
  if (absl::Status s = CheckSort(context, sort); !s.ok()) return s;
  absl::StatusOr<std::vector<Tensor>> sorted = SortOperands(context.module, sort, context.runtime);
  if (!sorted.ok()) return sorted.status();
  std::vector<Value> results;
  for (const Tensor& tensor : *sorted) results.emplace_back(RangeOf(tensor, sort.dimension, 0, count));
  return results;
}

absl::StatusOr<Value> EvaluateTopKCall(const KernelContext& context) {
  if (absl::Status s = CheckArrayOperands(context, 1); !s.ok()) return s;
  const Tensor x = ValidRegion(context.tensor(0));
  if (x.rank() < 1 || context.shape().tuple_size() < 2 || context.shape().element(0).rank() != x.rank()) {
    return CustomCallError(context, "needs an array of rank >= 1 and returns values and positions");
  }
  const int64_t last = x.rank() - 1, k = context.shape().element(0).dimension(last);
  if (k > x.dimension(last)) return CustomCallError(context, "k exceeds the size of the last dimension");
  const ComputationId comparator = CalledComputation(context);
  if (!comparator.has_value()) {
    absl::StatusOr<std::vector<Tensor>> largest = TopK(x, k, /*largest=*/true, context.runtime);
    if (!largest.ok()) return largest.status();
    return CustomCallResult(context, std::vector<Value>(largest->begin(), largest->end()));
  }
  absl::StatusOr<Tensor> positions = Positions(x.dimensions());
  if (!positions.ok()) return positions.status();
  absl::StatusOr<std::vector<Value>> results = FirstOfSorted(context, {{x, *positions}, last, comparator}, k);
  if (!results.ok()) return results.status();
  return CustomCallResult(context, *std::move(results));
}

// The exact answer to an approximate question: N arrays, then N values that pad them.
absl::StatusOr<Value> EvaluatePartialReduce(const KernelContext& context) {
  const size_t n = context.operands.size() / 2;
  if (absl::Status s = CheckArrayOperands(context, 2 * std::max<size_t>(n, 1)); !s.ok()) return s;
  const ComputationId comparator = CalledComputation(context);
  if (!comparator.has_value()) return CustomCallError(context, "needs a comparator in called_computations");
  const std::vector<Tensor> arrays = ValidOperands(context, 0, n);
  const Shape& first = context.shape().IsTuple() ? context.shape().element(0) : context.shape();
  const int64_t rank = arrays[0].rank();
  int64_t dimension = rank - 1;  // the one whose size changes
  for (int64_t d = 0; d < std::min(rank, first.rank()); ++d) {
    if (first.dimension(d) != arrays[0].dimension(d)) dimension = d;
  }
  dimension = BackendConfigInt(context, "reduction_dim").value_or(dimension);
  if (dimension < 0) dimension += rank;
  if (rank < 1 || dimension < 0 || dimension >= rank || first.rank() != rank ||
      first.dimension(dimension) > arrays[0].dimension(dimension)) {
    return CustomCallError(context, absl::StrCat("cannot reduce dimension ", dimension));
  }
  absl::StatusOr<std::vector<Value>> results =
      FirstOfSorted(context, {arrays, dimension, comparator}, first.dimension(dimension));
  if (!results.ok()) return results.status();
  return CustomCallResult(context, *std::move(results));
}

// 3.5.
std::array<uint32_t, 2> Threefry(uint32_t key0, uint32_t key1, uint32_t x0, uint32_t x1) {
  constexpr std::array<std::array<int, 4>, 2> kRotations = {{{13, 15, 26, 6}, {17, 29, 16, 24}}};
  const std::array<uint32_t, 3> keys = {key0, key1, key0 ^ key1 ^ 0x1BD11BDAu};
  x0 += keys[0];
  x1 += keys[1];
  for (uint32_t i = 0; i < 5; ++i) {
    for (int rotation : kRotations[i % 2]) {
      x0 += x1;
      x1 = std::rotl(x1, rotation) ^ x0;
    }
    x0 += keys[(i + 1) % 3];
    x1 += keys[(i + 2) % 3] + i + 1;
  }
  return {x0, x1};
}

absl::StatusOr<Value> EvaluateThreefry(const KernelContext& context) {
  if (absl::Status s = CheckArrayOperands(context, 4); !s.ok()) return s;
  std::vector<Tensor> inputs, outputs;
  for (size_t k = 0; k < 4; ++k) {
    if (context.tensor(k).element_type() != ElementType::kU32 ||
        context.tensor(k).dimensions() != context.tensor(0).dimensions()) {
      return CustomCallError(context, "needs four u32 arrays of one shape");
    }
    absl::StatusOr<Tensor> dense = DenseElements(context.tensor(k), context.runtime);
    if (!dense.ok()) return dense.status();
    inputs.push_back(*std::move(dense));
    if (k >= 2) continue;
    absl::StatusOr<Tensor> output = Tensor::Allocate(ElementType::kU32, context.tensor(0).dimensions());
    if (!output.ok()) return output.status();
    outputs.push_back(*std::move(output));
  }
  uint32_t* const out[] = {outputs[0].mutable_data_as<uint32_t>(), outputs[1].mutable_data_as<uint32_t>()};
  absl::Status status = ParallelLoop(context.runtime, outputs[0].element_count(), 20, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const std::array<uint32_t, 2> bits = Threefry(inputs[0].data_as<uint32_t>()[i], inputs[1].data_as<uint32_t>()[i],
                                                    inputs[2].data_as<uint32_t>()[i], inputs[3].data_as<uint32_t>()[i]);
      out[0][i] = bits[0];
      out[1][i] = bits[1];
    }
  });
  if (!status.ok()) return status;
  return CustomCallResult(context, {outputs[0], outputs[1]});
}

// 0-based row exchanges, applied in order to 0, 1, ..., m-1.
absl::StatusOr<Value> EvaluatePivotsToPermutation(const KernelContext& context) {
  if (absl::Status s = CheckArrayOperands(context, 1); !s.ok()) return s;
  const Shape& shape = context.shape().IsTuple() ? context.shape().element(0) : context.shape();
  const Tensor& pivots = context.tensor(0);
  if (!IsInteger(pivots.element_type()) || pivots.rank() < 1 || shape.rank() != pivots.rank() ||
      shape.element_type() != ElementType::kS32) {
    return CustomCallError(context, "needs integer pivots and returns s32 permutations");
  }
  const int64_t count = pivots.dimension(pivots.rank() - 1), size = shape.dimension(shape.rank() - 1);
  const size_t batch_rank = static_cast<size_t>(pivots.rank()) - 1;
  if (pivots.dimensions().first(batch_rank) != shape.dimensions().first(batch_rank)) {
    return CustomCallError(context, absl::StrCat("the pivots ", pivots.shape().ToString(false), " are those of other ",
                                                 "permutations than ", shape.ToString(false)));
  }
  const std::vector<int64_t> exchanges = ReadIndices(pivots);
  absl::StatusOr<Tensor> result = Tensor::Allocate(ElementType::kS32, shape.dimensions());
  if (!result.ok()) return result.status();
  int32_t* const permutations = result->mutable_data_as<int32_t>();
  for (int64_t b = 0; size > 0 && b < result->element_count() / size; ++b) {
    int32_t* const permutation = permutations + b * size;
    for (int64_t i = 0; i < size; ++i) permutation[i] = static_cast<int32_t>(i);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t other = exchanges[static_cast<size_t>(b * count + i)];
      if (i >= size || other < 0 || other >= size) {
        return CustomCallError(context, absl::StrCat("pivot ", other, " is out of range [0,", size, ")"));
      }
      std::swap(permutation[i], permutation[other]);
    }
  }
  return CustomCallResult(context, {*std::move(result)});
}

absl::StatusOr<Tensor> ScalarS32(int64_t value) {
  absl::StatusOr<Tensor> scalar = Tensor::Allocate(ElementType::kS32, {});
  if (scalar.ok()) *scalar->mutable_data_as<int32_t>() = static_cast<int32_t>(value);
  return scalar;
}

// A dynamic array as its buffer and its sizes.
absl::StatusOr<Value> EvaluatePadToStatic(const KernelContext& context) {
  if (absl::Status s = CheckArrayOperands(context, 1); !s.ok()) return s;
  const Tensor& buffer = context.tensor(0);
  // A view has no run-time sizes.
  std::vector<Value> results = {buffer.View(buffer.dimensions(), buffer.strides(), 0)};
  for (int64_t d = 0; d < buffer.rank(); ++d) {
    absl::StatusOr<Tensor> size = ScalarS32(ValidSize(buffer, d));
    if (!size.ok()) return size.status();
    results.emplace_back(*std::move(size));
  }
  return CustomCallResult(context, std::move(results));
}

// A buffer and one size for each dimension as a dynamic array.
absl::StatusOr<Value> EvaluateSliceToDynamic(const KernelContext& context) {
  if (absl::Status s = CheckArrayOperands(context, 1); !s.ok()) return s;
  Tensor result = context.tensor(0).View(context.tensor(0).dimensions(), context.tensor(0).strides(), 0);
  if (absl::Status s = CheckArrayOperands(context, 1 + static_cast<size_t>(result.rank())); !s.ok()) return s;
  DimensionVector sizes;
  bool is_full = true;
  for (int64_t d = 0; d < result.rank(); ++d) {
    const Tensor& operand = context.tensor(static_cast<size_t>(d) + 1);
    if (operand.rank() != 0 || !IsInteger(operand.element_type())) {
      return CustomCallError(context, absl::StrCat("size operand ", d + 1, " must be an integer scalar"));
    }
    const int64_t size = ReadIndex(operand.data(), operand.element_type());
    if (size < 0 || size > result.dimension(d)) {
      return CustomCallError(context, absl::StrCat("size ", size, " outside [0,", result.dimension(d), "]"));
    }
    sizes.push_back(size);
    is_full = is_full && size == result.dimension(d);
  }
  if (!is_full) result.set_dynamic_sizes(std::move(sizes));
  return CustomCallResult(context, {result});
}

absl::StatusOr<Value> EvaluateGetRngSeed(const KernelContext& context) {
  absl::StatusOr<Tensor> seed = Tensor::Allocate(ElementType::kU64, {});
  if (!seed.ok()) return seed.status();
  *seed->mutable_data_as<uint64_t>() = context.runtime.random_seed();
  return CustomCallResult(context, {*std::move(seed)});
}

absl::StatusOr<Value> EvaluateShapeAssertion(const KernelContext& context) {
  if (absl::Status s = CheckArrayOperands(context, 1); !s.ok()) return s;
  const Tensor& condition = context.tensor(0);
  if (condition.rank() != 0 || condition.element_type() != ElementType::kPred) {
    return CustomCallError(context, "operand 0 must be pred[]");
  }
  if (*condition.data() == 0) return CustomCallError(context, "the assertion does not hold");
  return CustomCallResult(context, {});
}

}  // namespace

void RegisterSelectionCalls(CustomCallRegistry& registry) {
  registry.Register("TopK", EvaluateTopKCall);
  registry.Register("PartialReduce", EvaluatePartialReduce);
  registry.Register("ApproxTopK", EvaluatePartialReduce);
  for (absl::string_view target :
       {"cu_threefry2x32", "cu_threefry2x32_ffi", "hip_threefry2x32", "hip_threefry2x32_ffi"}) {
    registry.Register(target, EvaluateThreefry);
  }
  registry.Register("cu_lu_pivots_to_permutation", EvaluatePivotsToPermutation);
  registry.Register("hip_lu_pivots_to_permutation", EvaluatePivotsToPermutation);
  registry.Register("PadToStatic", EvaluatePadToStatic);
  registry.Register("SliceToDynamic", EvaluateSliceToDynamic);
  registry.Register("GetRngSeed", EvaluateGetRngSeed);
  registry.Register("shape_assertion", EvaluateShapeAssertion);
}

}  // namespace hloscope::evaluator
