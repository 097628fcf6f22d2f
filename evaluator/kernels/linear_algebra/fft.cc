// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/linear_algebra/fft.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <mutex>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "evaluator/kernels/indexing/element_copy.h"
#include "evaluator/kernels/indexing/strided_iteration.h"
#include "evaluator/kernels/indexing/valid_region.h"
#include "evaluator/kernels/interface/parallel_loop.h"
#include "evaluator/kernels/lanes/element_conversion.h"
#include "evaluator/tensor/memory_charge.h"
#include "numerics/fourier/fourier_transform.h"
#include "numerics/fourier/line_transforms.h"

namespace hloscope::evaluator {
namespace {

using Complex = std::complex<double>;

absl::StatusOr<Tensor> ScratchMemory(int64_t count, KernelRuntime& runtime) {
  constexpr int64_t kLargeCount = 1 << 18;
  return count < kLargeCount ? Tensor::Allocate(ElementType::kC128, {count})
                             : ZeroTensor(ElementType::kC128, {count}, runtime);
}

// Calls `transform_line(line, scratch)` for every line along `dimension` of the dense array, in place. Lines are
// independent.
template <typename TransformLine>
absl::Status ForEachLine(Tensor& array, size_t dimension, const numerics::FourierTransform& transform,
                         KernelRuntime& runtime, const TransformLine& transform_line) {
  DimensionVector line_sizes(array.dimensions().begin(), array.dimensions().end());
  const int64_t length = line_sizes[dimension], stride = array.strides()[dimension];
  line_sizes[dimension] = 1;
  const StridedPlan<1> lines = CollapseDimensions<1>(line_sizes, {array.strides()});
  Complex* const data = array.mutable_data_as<Complex>();
  const double n = static_cast<double>(length);
  const bool copies = stride != 1;
  std::mutex mutex;
  absl::Status failure;
  const auto fail = [&](absl::Status status) {
    const std::lock_guard<std::mutex> lock(mutex);
    failure = std::move(status);
  };
  absl::Status status =
      ParallelLoop(runtime, lines.element_count(), 3 * n * std::log2(n + 2) + 30, [&](int64_t begin, int64_t end) {
        // Large memory is touched where the run can be cancelled: the first pass of a transform writes all over it.
        absl::StatusOr<Tensor> memory = ScratchMemory(transform.scratch_size() + (copies ? length : 0), runtime);
        if (!memory.ok()) return fail(memory.status());
        Complex* const scratch = memory->mutable_data_as<Complex>();
        Complex* const copy = scratch + transform.scratch_size();
        ForEachRow(lines, begin, end, [&](const std::array<int64_t, 1>& offsets, int64_t count) {
          for (int64_t i = 0; i < count; ++i) {
            Complex* const first = data + offsets[0] + i * lines.row_stride(0);
            Complex* const line = copies ? copy : first;
            for (int64_t t = 0; copies && t < length; ++t) line[t] = first[t * stride];
            if (absl::Status s = transform_line(line, scratch); !s.ok()) return fail(std::move(s));
            for (int64_t t = 0; copies && t < length; ++t) first[t * stride] = line[t];
          }
        });
      });
  return status.ok() ? failure : status;
}

// The array with every dimension cut or zero-extended to its size, dense.
absl::StatusOr<Tensor> Resize(const Tensor& array, DimensionVector sizes, KernelRuntime& runtime) {
  absl::StatusOr<Tensor> resized = ZeroTensor(array.element_type(), sizes, runtime);
  if (!resized.ok() || resized->element_count() == 0 || array.element_count() == 0) return resized;
  for (size_t d = 0; d < sizes.size(); ++d) sizes[d] = std::min(sizes[d], array.dimensions()[d]);
  const Tensor kept = array.View(sizes, array.strides(), 0);
  absl::Status status = CopyElements(kept, resized->mutable_data(), resized->strides(), runtime);
  if (!status.ok()) return status;
  return resized;
}

absl::StatusOr<Tensor> ResizeLast(const Tensor& array, int64_t size, KernelRuntime& runtime) {
  DimensionVector sizes(array.dimensions().begin(), array.dimensions().end());
  sizes.back() = size;
  return Resize(array, std::move(sizes), runtime);
}

// One axis of a transform.
struct Axis {
  numerics::FourierKind kind;
  size_t dimension;
  int64_t length;

  bool is_inverse() const {
    return kind == numerics::FourierKind::kInverse || kind == numerics::FourierKind::kInverseReal;
  }
};

template <typename From, typename To>
absl::Status RunLines(const numerics::LineTransforms& transforms, const Tensor& from, Tensor& to, size_t dimension,
                      KernelRuntime& runtime) {
  int64_t outer = 1, inner = 1;
  for (size_t d = 0; d < dimension; ++d) outer *= from.dimensions()[d];
  for (size_t d = dimension + 1; d < from.dimensions().size(); ++d) inner *= from.dimensions()[d];
  return StatusOf(transforms.Run(from.data_as<From>(), to.mutable_data_as<To>(), outer, inner, runtime), runtime);
}

// Four lines at a time, from and to elements of any type. Requires LineTransforms::Handles.
absl::StatusOr<Tensor> TransformLines(const Tensor& array, const Axis& axis, ElementType type, KernelRuntime& runtime) {
  const absl::StatusOr<Tensor> from = DenseElements(array, runtime);
  if (!from.ok()) return from.status();
  DimensionVector sizes(from->dimensions().begin(), from->dimensions().end());
  if (axis.kind == numerics::FourierKind::kForwardReal) sizes[axis.dimension] = axis.length / 2 + 1;
  if (axis.kind == numerics::FourierKind::kInverseReal) sizes[axis.dimension] = axis.length;
  absl::StatusOr<Tensor> to = Tensor::Allocate(type, sizes);
  if (!to.ok()) return to;
  const numerics::LineTransforms transforms(axis.kind, axis.length);
  using Single = std::complex<float>;
  const auto is_double = [](ElementType t) { return t == ElementType::kC128 || t == ElementType::kF64; };
  const bool from_double = is_double(from->element_type()), to_double = is_double(type);
  const auto run = [&]() -> absl::Status {
    const size_t d = axis.dimension;
    if (axis.kind == numerics::FourierKind::kForwardReal) {
      return from_double ? RunLines<double, Complex>(transforms, *from, *to, d, runtime)
             : to_double ? RunLines<float, Complex>(transforms, *from, *to, d, runtime)
                         : RunLines<float, Single>(transforms, *from, *to, d, runtime);
    }
    if (axis.kind == numerics::FourierKind::kInverseReal) {
      return to_double     ? RunLines<Complex, double>(transforms, *from, *to, d, runtime)
             : from_double ? RunLines<Complex, float>(transforms, *from, *to, d, runtime)
                           : RunLines<Single, float>(transforms, *from, *to, d, runtime);
    }
    if (from_double) {
      return to_double ? RunLines<Complex, Complex>(transforms, *from, *to, d, runtime)
                       : RunLines<Complex, Single>(transforms, *from, *to, d, runtime);
    }
    return to_double ? RunLines<Single, Complex>(transforms, *from, *to, d, runtime)
                     : RunLines<Single, Single>(transforms, *from, *to, d, runtime);
  };
  if (absl::Status status = run(); !status.ok()) return status;
  return to;
}

// Any length, in place in an array of its own. `is_own`: `array` is one.
absl::StatusOr<Tensor> TransformWhole(const Tensor& array, bool is_own, const Axis& axis, ElementType type,
                                      KernelRuntime& runtime) {
  absl::StatusOr<Tensor> work = ConvertElements(array, ElementType::kC128, runtime);
  const bool is_half = axis.kind == numerics::FourierKind::kInverseReal;
  if (work.ok() && is_half) {
    work = ResizeLast(*work, axis.length, runtime);
  } else if (work.ok() && !(is_own && array.element_type() == ElementType::kC128)) {
    // No element may repeat another one (broadcasts have strides of zero).
    work = array.element_type() == ElementType::kC128 ? CopyOfElements(*work, runtime) : DenseElements(*work, runtime);
  }
  if (!work.ok()) return work;
  MemoryCharge tables;
  const int64_t length = axis.length;
  if (absl::Status s = tables.Resize(numerics::FourierTransform::TableBytes(length)); !s.ok()) return s;
  const numerics::FourierTransform transform(length, runtime);
  absl::Status status = ForEachLine(*work, axis.dimension, transform, runtime, [&](Complex* line, Complex* scratch) {
    if (is_half) {
      // The spectrum of a real signal: the imaginary parts of its ends have no effect.
      line[0] = line[0].real();
      if (length % 2 == 0) line[length / 2] = line[length / 2].real();
      absl::Status mirrored = SerialLoop(runtime, length - length / 2, 3, [&](int64_t begin, int64_t end) {
        for (int64_t k = std::max<int64_t>(begin, 1); k < end; ++k) line[length - k] = std::conj(line[k]);
      });
      if (!mirrored.ok()) return mirrored;
    }
    return StatusOf(
        axis.is_inverse() ? transform.Inverse(line, scratch, runtime) : transform.Forward(line, scratch, runtime),
        runtime);
  });
  if (!status.ok()) return status;
  if (axis.kind == numerics::FourierKind::kForwardReal) work = ResizeLast(*work, length / 2 + 1, runtime);
  if (!work.ok() || !is_half) return work.ok() ? ConvertElements(*work, type, runtime) : work;
  // The real parts: every other double.
  DimensionVector strides(work->strides().begin(), work->strides().end());
  for (int64_t& stride : strides) stride *= 2;
  const Tensor reals = work->WithElementType(ElementType::kF64).View(work->dimensions(), strides, 0);
  return ConvertElements(reals, type, runtime);
}

}  // namespace

absl::StatusOr<Tensor> EvaluateFft(const KernelContext& context) {
  KernelRuntime& runtime = context.runtime;
  const Tensor x = ValidRegion(context.tensor(0));
  const absl::Span<const int64_t> lengths = context.module.IntsAttribute(context.id, AttributeKind::kFftLength);
  const FftType type = context.module.WordAttribute(context.id, AttributeKind::kFftType, FftType::kFft);
  const size_t first = static_cast<size_t>(x.rank()) - lengths.size();
  const bool keeps_sizes = type == FftType::kFft || type == FftType::kIfft;
  // The sizes that are transformed.
  DimensionVector transformed(x.dimensions().begin(), x.dimensions().end());
  for (size_t k = 0; k < lengths.size(); ++k) {
    if (lengths[k] < 0)
      return absl::InvalidArgumentError(absl::StrCat("fft: fft_length[", k, "]=", lengths[k], " is negative"));
    if (keeps_sizes) {
      transformed[first + k] = lengths[k];
      continue;
    }
    const bool is_last = k + 1 == lengths.size();
    const int64_t expected =
        type == FftType::kIrfft && is_last ? (lengths[k] == 0 ? 0 : lengths[k] / 2 + 1) : lengths[k];
    if (x.dimensions()[first + k] != expected) {
      return absl::InvalidArgumentError(absl::StrCat("fft: dimension ", first + k, " has size ",
                                                     x.dimensions()[first + k], ", fft_length[", k, "] is ",
                                                     lengths[k]));
    }
  }
  const ElementType result_type = context.shape().element_type();
  if (std::find(transformed.begin(), transformed.end(), 0) != transformed.end()) {
    DimensionVector sizes(x.dimensions().begin(), x.dimensions().end());
    if (!keeps_sizes) sizes.back() = context.shape().dimensions().back();
    return ZeroTensor(result_type, sizes, runtime);
  }
  // RFFT: the innermost axis first, and only half of it stays. IRFFT: the other axes first.
  using numerics::FourierKind;
  std::vector<Axis> axes;
  const FourierKind plain =
      type == FftType::kFft || type == FftType::kRfft ? FourierKind::kForward : FourierKind::kInverse;
  for (size_t k = 0; k < lengths.size(); ++k) axes.push_back({plain, first + k, lengths[k]});
  if (type == FftType::kRfft) axes.back().kind = FourierKind::kForwardReal;
  if (type == FftType::kIrfft) axes.back().kind = FourierKind::kInverseReal;
  std::reverse(axes.begin(), axes.end());
  if (type == FftType::kIrfft) std::rotate(axes.begin(), axes.begin() + 1, axes.end());

  const bool resizes = transformed != x.dimensions();
  absl::StatusOr<Tensor> work = x;
  if (resizes) work = Resize(x, transformed, runtime);
  for (size_t k = 0; k < axes.size() && work.ok(); ++k) {
    const Axis& axis = axes[k];
    // Between axes, and where the sizes change afterwards, nothing is rounded.
    const ElementType to = k + 1 == axes.size() && !resizes ? result_type : ElementType::kC128;
    work = numerics::LineTransforms::Handles(axis.length) ? TransformLines(*work, axis, to, runtime)
                                                          : TransformWhole(*work, k > 0, axis, to, runtime);
  }
  if (work.ok() && resizes)
    work = Resize(*work, DimensionVector(x.dimensions().begin(), x.dimensions().end()), runtime);
  if (!work.ok()) return work;
  return ConvertElements(*work, result_type, runtime);
}

}  // namespace hloscope::evaluator
