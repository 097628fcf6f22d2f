// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/linear_algebra/fft.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <utility>

#include "absl/strings/str_cat.h"
#include "evaluator/kernels/indexing/element_copy.h"
#include "evaluator/kernels/indexing/strided_iteration.h"
#include "evaluator/kernels/indexing/valid_region.h"
#include "evaluator/kernels/interface/parallel_loop.h"
#include "evaluator/kernels/lanes/element_conversion.h"
#include "evaluator/tensor/memory_charge.h"
#include "numerics/fourier/fourier_transform.h"

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
  absl::StatusOr<Tensor> work = ConvertElements(x, ElementType::kC128, runtime);
  const bool resizes = transformed != x.dimensions();
  if (work.ok() && resizes) work = Resize(*work, transformed, runtime);
  if (!work.ok()) return work;
  // In place below: an array of its own, in which no element repeats another (broadcasts have strides of zero).
  if (!resizes)
    work = x.element_type() == ElementType::kC128 ? CopyOfElements(*work, runtime) : DenseElements(*work, runtime);
  if (!work.ok()) return work;
  const int64_t last_length = lengths.back();
  const size_t last = static_cast<size_t>(x.rank()) - 1;
  const ElementType result_type = context.shape().element_type();
  if (work->element_count() == 0) {
    DimensionVector sizes(x.dimensions().begin(), x.dimensions().end());
    if (!keeps_sizes) sizes.back() = context.shape().dimensions().back();
    return ZeroTensor(result_type, sizes, runtime);
  }

  const bool is_inverse = type == FftType::kIfft || type == FftType::kIrfft;
  MemoryCharge tables;
  const auto transform_axis = [&](size_t dimension, int64_t length) {
    if (absl::Status s = tables.Resize(numerics::FourierTransform::TableBytes(length)); !s.ok()) return s;
    const numerics::FourierTransform transform(length, runtime);
    return ForEachLine(*work, dimension, transform, runtime, [&](Complex* line, Complex* scratch) {
      return StatusOf(
          is_inverse ? transform.Inverse(line, scratch, runtime) : transform.Forward(line, scratch, runtime), runtime);
    });
  };
  // RFFT: the innermost axis first, and only half of it stays. IRFFT: the other axes first.
  if (type != FftType::kIrfft) {
    if (absl::Status s = transform_axis(last, last_length); !s.ok()) return s;
    if (type == FftType::kRfft) {
      work = ResizeLast(*work, last_length / 2 + 1, runtime);
      if (!work.ok()) return work;
    }
  }
  for (size_t k = lengths.size() - 1; k-- > 0;) {
    if (absl::Status s = transform_axis(first + k, lengths[k]); !s.ok()) return s;
  }
  if (type == FftType::kIrfft) {
    work = ResizeLast(*work, last_length, runtime);
    if (!work.ok()) return work;
    if (absl::Status s = tables.Resize(numerics::FourierTransform::TableBytes(last_length)); !s.ok()) return s;
    const numerics::FourierTransform transform(last_length, runtime);
    absl::Status status = ForEachLine(*work, last, transform, runtime, [&](Complex* line, Complex* scratch) {
      // The spectrum of a real signal: the imaginary parts of its ends have no effect.
      line[0] = line[0].real();
      if (last_length % 2 == 0) line[last_length / 2] = line[last_length / 2].real();
      absl::Status mirrored = SerialLoop(runtime, last_length - last_length / 2, 3, [&](int64_t begin, int64_t end) {
        for (int64_t k = std::max<int64_t>(begin, 1); k < end; ++k) line[last_length - k] = std::conj(line[k]);
      });
      return mirrored.ok() ? StatusOf(transform.Inverse(line, scratch, runtime), runtime) : mirrored;
    });
    if (!status.ok()) return status;
    // The real parts: every other double.
    DimensionVector strides(work->strides().begin(), work->strides().end());
    for (int64_t& stride : strides) stride *= 2;
    const Tensor reals = work->WithElementType(ElementType::kF64).View(work->dimensions(), strides, 0);
    return ConvertElements(reals, result_type, runtime);
  }
  if (resizes) work = Resize(*work, DimensionVector(x.dimensions().begin(), x.dimensions().end()), runtime);
  if (!work.ok()) return work;
  return ConvertElements(*work, result_type, runtime);
}

}  // namespace hloscope::evaluator
