// SPDX-License-Identifier: Apache-2.0
// Convolution (docs/ops/tensor.md 4): operands as numerics/convolution takes them, and results as HLO wants them.
#include "numerics/convolution/convolution.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "evaluator/kernels/convolution/planes.h"
#include "evaluator/kernels/convolution/strided_array.h"
#include "evaluator/kernels/indexing/element_copy.h"
#include "evaluator/kernels/indexing/index_values.h"
#include "evaluator/kernels/indexing/memory_order.h"
#include "evaluator/kernels/indexing/valid_region.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/kernels/interface/parallel_loop.h"
#include "evaluator/kernels/lanes/element_conversion.h"
#include "evaluator/tensor/memory_charge.h"
#include "numerics/contraction/gemm.h"
#include "numerics/contraction/narrow_gemm.h"
#include "numerics/convolution/convolution_bf16.h"
#include "numerics/convolution/convolution_planar.h"
#include "numerics/convolution/convolution_wide.h"

namespace hloscope::evaluator {
namespace {

absl::Status CheckStaticSpatialDimensions(const Tensor& operand, absl::Span<const int64_t> spatial) {
  for (int64_t d : spatial) {
    if (ValidSize(operand, d) != operand.dimension(d)) {
      return absl::InvalidArgumentError(
          absl::StrCat("convolution: dynamic spatial dimension ", d, " is not supported"));
    }
  }
  return absl::OkStatus();
}

// The dense array that a structured sparse operand stands for: of every `block` elements along the dimension, those
// whose position `positions` names carry the stored values, the others are zero.
absl::StatusOr<Tensor> Densify(const Tensor& values, const Tensor& positions, const SparsitySide& sparsity) {
  if (sparsity.nonzeros != 1 || sparsity.stride != 1 || sparsity.block < 1 || sparsity.dimension < 0 ||
      sparsity.dimension >= values.rank() || positions.dimensions() != values.dimensions()) {
    return absl::InvalidArgumentError(absl::StrCat("convolution: unsupported or invalid sparsity ", sparsity.nonzeros,
                                                   "x", sparsity.block, " along dimension ", sparsity.dimension));
  }
  const size_t dimension = static_cast<size_t>(sparsity.dimension);
  DimensionVector sizes(values.dimensions().begin(), values.dimensions().end());
  if (__builtin_mul_overflow(sizes[dimension], sparsity.block, &sizes[dimension])) {
    return absl::ResourceExhaustedError("convolution: the dense form of the sparse operand is too large");
  }
  absl::StatusOr<Tensor> dense = Tensor::Zeros(values.element_type(), sizes);
  if (!dense.ok()) return dense;
  absl::StatusOr<Tensor> stored = values.Contiguous();
  if (!stored.ok()) return stored;
  const std::vector<int64_t> places = ReadIndices(positions);
  int64_t inner = 1;  // elements between neighbours along the dimension
  for (size_t d = dimension + 1; d < sizes.size(); ++d) inner *= sizes[d];
  const int64_t bytes = values.element_bytes();
  for (int64_t n = 0; n < static_cast<int64_t>(places.size()); ++n) {
    const int64_t place = places[static_cast<size_t>(n)];
    if (place < 0 || place >= sparsity.block) {
      return absl::InvalidArgumentError(absl::StrCat("convolution: unsupported or invalid sparsity 1x", sparsity.block,
                                                     ": position ", place, " of stored value ", n));
    }
    // n = (outer * stored size + s) * inner + i goes to (outer * dense size + s*block + place) * inner + i.
    const int64_t target = (n / inner * sparsity.block + place) * inner + n % inner;
    std::copy_n(stored->data() + n * bytes, bytes, dense->mutable_data() + target * bytes);
  }
  return dense;
}

absl::StatusOr<Tensor> DenseOperand(const KernelContext& context, size_t k,
                                    const std::optional<SparsitySide>& sparsity) {
  const Tensor operand = ValidRegion(context.tensor(k));
  if (!sparsity) return operand;
  if (sparsity->idx < 2 || sparsity->idx >= static_cast<int64_t>(context.operands.size())) {
    return absl::InvalidArgumentError(absl::StrCat("convolution: sparsity idx ", sparsity->idx, " is invalid for ",
                                                   context.operands.size(), " operands"));
  }
  return Densify(operand, ValidRegion(context.tensor(static_cast<size_t>(sparsity->idx))), *sparsity);
}

// A dense array, converted from type to type.
absl::StatusOr<Tensor> Arranged(const Tensor& operand, absl::Span<const ElementType> types, KernelRuntime& runtime) {
  const absl::StatusOr<Tensor> converted = ConvertInMemoryOrder(operand, types, runtime);
  return converted.ok() ? DenseElements(*converted, runtime) : converted;
}

// D4: integer results of 8 to 64 bits saturate.
template <typename T>
void ClampTo(ElementType type, T* values, int64_t count) {
  const int bits = BitWidth(type);
  const T high = static_cast<T>(std::numeric_limits<T>::max() >> (64 - bits));
  const T low = static_cast<T>(std::is_signed_v<T> ? -high - 1 : T(0));
  for (int64_t i = 0; i < count; ++i) values[i] = std::clamp(values[i], low, high);
}

absl::StatusOr<Tensor> Rounded(Tensor accumulated, ElementType type, KernelRuntime& runtime) {
  if (IsInteger(type) && BitWidth(type) >= 8 && accumulated.element_count() > 0) {
    if (IsSigned(type)) {
      ClampTo(type, accumulated.mutable_data_as<int64_t>(), accumulated.element_count());
      accumulated = accumulated.WithElementType(ElementType::kS64);
    } else {
      ClampTo(type, accumulated.mutable_data_as<uint64_t>(), accumulated.element_count());
    }
  }
  return ConvertElements(accumulated, type, runtime);
}

// The operands of a convolution: views, in the order of numerics::ConvolutionProblem.
struct Operands {
  Tensor lhs, kernel;
  bool has_planes = false;  // of batch groups: they are read in planes, as they lie
};

// Converts the operands from type to type, in the order in which loops read them, and has `problem` show the arrays,
// which `operands` keeps.
absl::Status Arrange(absl::Span<const ElementType> types, Operands& operands, numerics::ConvolutionProblem& problem,
                     KernelRuntime& runtime) {
  // Wide windows are read in another order; elements are converted and brought into it at once.
  const bool is_wide = numerics::SuitsWideWindows(problem);
  const numerics::WideOrders wide = numerics::OrdersOfWideWindows(problem.window.size());
  numerics::WidePlanes planes = numerics::PlanesOfWideWindows(problem);
  if (problem.batch_group_count > 1) planes = {operands.has_planes, operands.has_planes};
  const bool keeps = std::all_of(types.begin(), types.end(), [&](ElementType type) { return type == problem.type; });
  for (Tensor* operand : {&operands.lhs, &operands.kernel}) {
    if (keeps && (operand == &operands.lhs ? planes.lhs : planes.kernel)) continue;
    const numerics::DimensionVector& wide_order = operand == &operands.lhs ? wide.lhs : wide.kernel;
    DimensionVector order(wide_order.begin(), wide_order.end());
    if (!is_wide) std::iota(order.begin(), order.end(), 0);
    absl::StatusOr<Tensor> arranged = Arranged(InOrder(*operand, order), types, runtime);
    if (!arranged.ok()) return arranged.status();
    *operand = BackInOrder(*arranged, order);
  }
  problem.lhs = ArrayOf(operands.lhs);
  problem.kernel = ArrayOf(operands.kernel);
  return absl::OkStatus();
}

// The result in the order [batch, spatial..., feature].
absl::StatusOr<Tensor> Sums(numerics::ConvolutionProblem& problem, Operands operands, const DimensionVector& sizes,
                            ElementType type, KernelRuntime& runtime) {
  // To the result type first (D5).
  if (absl::Status status = Arrange({type, problem.type}, operands, problem, runtime); !status.ok()) return status;
  absl::StatusOr<Tensor> accumulated = Tensor::Allocate(problem.type, sizes);
  if (!accumulated.ok()) return accumulated;
  if (accumulated->element_count() > 0) {
    MemoryCharge scratch;
    if (absl::Status status = scratch.Resize(numerics::ScratchBytes(problem)); !status.ok()) return status;
    uint8_t* const sums = accumulated->mutable_data();
    absl::Status status = StatusOf(numerics::Convolve(problem, sums, runtime), runtime);
    if (!status.ok()) return status;
  }
  return Rounded(*std::move(accumulated), type, runtime);
}

// The same of bf16, whose elements are not widened.
absl::StatusOr<Tensor> SumsOfBf16(numerics::ConvolutionProblem& problem, Operands operands,
                                  const DimensionVector& sizes, ElementType type, KernelRuntime& runtime) {
  if (absl::Status status = Arrange({ElementType::kBF16}, operands, problem, runtime); !status.ok()) return status;
  absl::StatusOr<Tensor> result = Tensor::Allocate(type, sizes);
  if (!result.ok()) return result;
  MemoryCharge scratch;
  if (absl::Status status = scratch.Resize(numerics::Bf16ScratchBytes(problem, type)); !status.ok()) return status;
  const absl::Status status = StatusOf(numerics::ConvolveBf16(problem, type, result->mutable_data(), runtime), runtime);
  if (!status.ok()) return status;
  return result;
}

// The result in the order [batch, feature, spatial...].
absl::StatusOr<Tensor> Planes(numerics::ConvolutionProblem& problem, const Operands& views,
                              const DimensionVector& sizes, ElementType type, KernelRuntime& runtime) {
  absl::StatusOr<Tensor> kernel = views.kernel;
  if (!numerics::PlanesTakeKernel(problem, type)) kernel = Arranged(views.kernel, {type, problem.type}, runtime);
  if (!kernel.ok()) return kernel;
  problem.kernel = ArrayOf(*kernel);
  absl::StatusOr<Tensor> result = Tensor::Allocate(type, sizes);
  if (!result.ok()) return result;
  absl::Status status = ConvolvePlanes(problem, type, result->mutable_data(), runtime);
  if (!status.ok()) return status;
  return result;
}

// The result's dimensions are [batch, feature, spatial...].
bool HasPlanesInOrder(const ConvolutionDimensionNumbers& numbers) {
  bool is_in_order = numbers.output_batch == 0 && numbers.output_feature == 1;
  for (size_t j = 0; j < numbers.output_spatial.size(); ++j) {
    is_in_order = is_in_order && numbers.output_spatial[j] == static_cast<int64_t>(j) + 2;
  }
  return is_in_order;
}

// Its sizes; not its elements.
Tensor WithRowMajorStrides(const Tensor& tensor) {
  return tensor.View(tensor.dimensions(), RowMajorStrides(tensor.dimensions()), 0);
}

absl::StatusOr<Tensor> EvaluateArranged(const KernelContext& context) {
  const Module& module = context.module;
  const ConvolutionDimensionNumbers& numbers = *module.DimLabelsAttribute(context.id);
  const ConvolutionKind kind =
      module.WordAttribute(context.id, AttributeKind::kConvolutionKind, ConvolutionKind::kUnset);
  if (kind != ConvolutionKind::kUnset && kind != ConvolutionKind::kFprop) {
    return absl::UnimplementedError("convolution: convolution_kind other than fprop cannot be evaluated");
  }
  if (const BlockScalingConfig* scaling = module.BlockScalingAttribute(context.id);
      scaling != nullptr && (scaling->lhs || scaling->rhs)) {
    return absl::UnimplementedError("convolution: block scaling cannot be evaluated");
  }
  if (absl::Status s = CheckStaticSpatialDimensions(context.tensor(0), numbers.input_spatial); !s.ok()) return s;
  if (absl::Status s = CheckStaticSpatialDimensions(context.tensor(1), numbers.kernel_spatial); !s.ok()) return s;
  const SparsityConfig* sparsity = module.SparsityAttribute(context.id);
  absl::StatusOr<Tensor> lhs = DenseOperand(context, 0, sparsity ? sparsity->lhs : std::nullopt);
  if (!lhs.ok()) return lhs;
  absl::StatusOr<Tensor> kernel = DenseOperand(context, 1, sparsity ? sparsity->rhs : std::nullopt);
  if (!kernel.ok()) return kernel;

  numerics::ConvolutionProblem problem;
  problem.feature_group_count = module.IntAttribute(context.id, AttributeKind::kFeatureGroupCount, 1);
  problem.batch_group_count = module.IntAttribute(context.id, AttributeKind::kBatchGroupCount, 1);
  if (lhs->dimension(numbers.input_batch) % problem.batch_group_count != 0) {
    return absl::InvalidArgumentError(absl::StrCat("convolution: batch size ", lhs->dimension(numbers.input_batch),
                                                   " not divisible by batch_group_count ", problem.batch_group_count));
  }
  // Features beyond a run-time size contribute nothing.
  const int64_t lhs_features = lhs->dimension(numbers.input_feature);
  const int64_t kernel_features = kernel->dimension(numbers.kernel_input_feature);
  if (lhs_features != kernel_features * problem.feature_group_count) {
    if (problem.feature_group_count != 1) {
      return absl::InvalidArgumentError(
          "convolution: a dynamic feature dimension with feature groups is not supported");
    }
    const int64_t common = std::min(lhs_features, kernel_features);
    DimensionVector sizes(lhs->dimensions().begin(), lhs->dimensions().end());
    sizes[static_cast<size_t>(numbers.input_feature)] = common;
    *lhs = lhs->View(sizes, lhs->strides(), 0);
    sizes.assign(kernel->dimensions().begin(), kernel->dimensions().end());
    sizes[static_cast<size_t>(numbers.kernel_input_feature)] = common;
    *kernel = kernel->View(sizes, kernel->strides(), 0);
  }

  const ElementType type = context.shape().element_type();
  DimensionVector lhs_order = {numbers.input_batch};
  lhs_order.insert(lhs_order.end(), numbers.input_spatial.begin(), numbers.input_spatial.end());
  lhs_order.push_back(numbers.input_feature);
  DimensionVector kernel_order(numbers.kernel_spatial.begin(), numbers.kernel_spatial.end());
  kernel_order.push_back(numbers.kernel_input_feature);
  kernel_order.push_back(numbers.kernel_output_feature);
  problem.type = numerics::AccumulatorType(type);
  if (const Window* window = module.WindowAttribute(context.id)) problem.window = window->dimensions;
  for (int64_t d : numbers.output_spatial) problem.output_spatial.push_back(context.shape().dimension(d));

  // Most sums of planes are added in an order of their own, which shows in last bits: whether they are depends on the
  // module alone, not on how the arrays happen to lie in memory.
  problem.lhs = ArrayOf(InOrder(WithRowMajorStrides(*lhs), lhs_order));
  problem.kernel = ArrayOf(InOrder(WithRowMajorStrides(*kernel), kernel_order));
  const bool is_product_of_planes =
      problem.feature_group_count == 1 && HasPlanesInOrder(numbers) && numerics::SuitsPlanes(problem, type);
  const bool has_group_planes =
      problem.batch_group_count > 1 && type == problem.type && numerics::PlanesOfWideWindows(problem).lhs;
  if (is_product_of_planes || has_group_planes) lhs = DenseElements(*lhs, context.runtime);
  if (!lhs.ok()) return lhs;
  if (has_group_planes) kernel = DenseElements(*kernel, context.runtime);
  if (!kernel.ok()) return kernel;
  const Operands views = {InOrder(*lhs, lhs_order), InOrder(*kernel, kernel_order), has_group_planes};
  problem.lhs = ArrayOf(views.lhs);
  problem.kernel = ArrayOf(views.kernel);

  // The result's dimensions in the order in which they are computed.
  DimensionVector order = {numbers.output_batch};
  order.insert(order.end(), numbers.output_spatial.begin(), numbers.output_spatial.end());
  order.push_back(numbers.output_feature);
  const bool by_planes =
      is_product_of_planes || (problem.feature_group_count > 1 && numerics::SuitsPlanes(problem, type));
  if (by_planes) std::rotate(order.begin() + 1, order.end() - 1, order.end());
  DimensionVector output_sizes;
  for (int64_t d : order) {
    output_sizes.push_back(d == numbers.output_batch     ? problem.output_batch()
                           : d == numbers.output_feature ? problem.output_features()
                                                         : context.shape().dimension(d));
  }
  // To the result type first (D5): operands of a result of bf16 become bf16.
  numerics::ConvolutionProblem narrow = problem;
  if (type == ElementType::kBF16) narrow.lhs.type = narrow.kernel.type = type;
  const bool is_bf16 =
      !by_planes && numerics::SuitsBf16(narrow) && numerics::IsBf16Product(narrow.lhs.type, narrow.kernel.type, type);
  absl::StatusOr<Tensor> result = by_planes ? Planes(problem, views, output_sizes, type, context.runtime)
                                  : is_bf16 ? SumsOfBf16(narrow, views, output_sizes, type, context.runtime)
                                            : Sums(problem, views, output_sizes, type, context.runtime);
  if (!result.ok()) return result;
  return BackInOrder(*result, order);
}

}  // namespace

absl::StatusOr<Value> EvaluateConvolution(const KernelContext& context) {
  return BoundedValue(EvaluateArranged(context), context.shape());
}

}  // namespace hloscope::evaluator
