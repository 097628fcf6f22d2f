#include "evaluator/kernels/fft.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "evaluator/kernels/element_conversion.h"
#include "evaluator/kernels/fourier_transform.h"
#include "evaluator/kernels/parallel_loop.h"
#include "evaluator/kernels/strided_iteration.h"
#include "evaluator/kernels/valid_region.h"

namespace hloscope {
namespace {

using Complex = std::complex<double>;

// Calls `transform_line(line, poll)` for every line along `dimension` of the dense array, `max(from, to)` elements
// long: reads `from` elements, zero-extends, and writes back as many as the array has. Lines are independent.
template <typename TransformLine>
absl::Status ForEachLine(Tensor& array, size_t dimension, KernelRuntime& runtime, const TransformLine& transform_line) {
  DimensionVector line_sizes(array.dimensions().begin(), array.dimensions().end());
  const int64_t length = line_sizes[dimension], stride = array.strides()[dimension];
  line_sizes[dimension] = 1;
  const StridedPlan<1> lines = CollapseDimensions<1>(line_sizes, {array.strides()});
  Complex* const data = array.mutable_data_as<Complex>();
  const double n = static_cast<double>(length);
  const double nanoseconds = 10 * n * std::log2(n + 2);
  absl::Status status = ParallelLoop(runtime, lines.element_count(), nanoseconds, [&](int64_t begin, int64_t end) {
    std::vector<Complex> line(static_cast<size_t>(length));
    CancellationPoll poll(runtime);
    ForEachRow(lines, begin, end, [&](const std::array<int64_t, 1>& offsets, int64_t count) {
      for (int64_t i = 0; i < count; ++i) {
        Complex* const first = data + offsets[0] + i * lines.row_stride(0);
        for (int64_t t = 0; t < length; ++t) line[static_cast<size_t>(t)] = first[t * stride];
        transform_line(line, &poll);
        if (poll.Cancelled(0)) return;
        for (int64_t t = 0; t < length; ++t) first[t * stride] = line[static_cast<size_t>(t)];
      }
    });
  });
  return status.ok() ? runtime.CheckCancelled() : status;
}

// The array with its last dimension cut or zero-extended to `size`, dense.
absl::StatusOr<Tensor> ResizeLast(const Tensor& array, int64_t size) {
  DimensionVector sizes(array.dimensions().begin(), array.dimensions().end());
  const int64_t old_size = sizes.back();
  sizes.back() = size;
  absl::StatusOr<Tensor> resized = Tensor::Zeros(array.element_type(), sizes);
  if (!resized.ok() || resized->element_count() == 0 || old_size == 0) return resized;
  const Complex* const from = array.data_as<Complex>();
  Complex* const to = resized->mutable_data_as<Complex>();
  for (int64_t line = 0; line < resized->element_count() / size; ++line) {
    std::copy_n(from + line * old_size, std::min(size, old_size), to + line * size);
  }
  return resized;
}

}  // namespace

absl::StatusOr<Tensor> EvaluateFft(const KernelContext& context) {
  KernelRuntime& runtime = context.runtime;
  const Tensor x = ValidRegion(context.tensor(0));
  const absl::Span<const int64_t> lengths = context.module.IntsAttribute(context.id, AttributeKind::kFftLength);
  const FftType type = context.module.WordAttribute(context.id, AttributeKind::kFftType, FftType::kFft);
  const size_t first = static_cast<size_t>(x.rank()) - lengths.size();
  for (size_t k = 0; k < lengths.size(); ++k) {
    if (lengths[k] < 0)
      return absl::InvalidArgumentError(absl::StrCat("fft: fft_length[", k, "]=", lengths[k], " is negative"));
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
  if (!work.ok()) return work;
  work = work->Copy();
  if (!work.ok()) return work;
  const int64_t last_length = lengths.back();
  const size_t last = static_cast<size_t>(x.rank()) - 1;
  const ElementType result_type = context.shape().element_type();
  if (work->element_count() == 0) {
    DimensionVector sizes(x.dimensions().begin(), x.dimensions().end());
    sizes.back() = context.shape().dimensions().back();
    return Tensor::Zeros(result_type, sizes);
  }

  const bool is_inverse = type == FftType::kIfft || type == FftType::kIrfft;
  const auto transform_axis = [&](size_t dimension, int64_t length) {
    CancellationPoll poll(runtime);
    const FourierTransform transform(length, &poll);
    if (absl::Status s = runtime.CheckCancelled(); !s.ok()) return s;
    return ForEachLine(*work, dimension, runtime, [&](std::vector<Complex>& line, CancellationPoll* line_poll) {
      is_inverse ? transform.Inverse(line.data(), line_poll) : transform.Forward(line.data(), line_poll);
    });
  };
  // RFFT: the innermost axis first, and only half of it stays. IRFFT: the other axes first.
  if (type != FftType::kIrfft) {
    if (absl::Status s = transform_axis(last, last_length); !s.ok()) return s;
    if (type == FftType::kRfft) {
      work = ResizeLast(*work, last_length / 2 + 1);
      if (!work.ok()) return work;
    }
  }
  for (size_t k = lengths.size() - 1; k-- > 0;) {
    if (absl::Status s = transform_axis(first + k, lengths[k]); !s.ok()) return s;
  }
  if (type == FftType::kIrfft) {
    work = ResizeLast(*work, last_length);
    if (!work.ok()) return work;
    CancellationPoll poll(runtime);
    const FourierTransform transform(last_length, &poll);
    if (absl::Status s = runtime.CheckCancelled(); !s.ok()) return s;
    absl::Status status =
        ForEachLine(*work, last, runtime, [&](std::vector<Complex>& line, CancellationPoll* line_poll) {
          // The spectrum of a real signal: the imaginary parts of its ends have no effect.
          line[0] = line[0].real();
          if (last_length % 2 == 0)
            line[static_cast<size_t>(last_length / 2)] = line[static_cast<size_t>(last_length / 2)].real();
          for (int64_t k = 1; k < last_length - last_length / 2; ++k) {
            line[static_cast<size_t>(last_length - k)] = std::conj(line[static_cast<size_t>(k)]);
          }
          transform.Inverse(line.data(), line_poll);
        });
    if (!status.ok()) return status;
    // The real parts: every other double.
    DimensionVector strides(work->strides().begin(), work->strides().end());
    for (int64_t& stride : strides) stride *= 2;
    const Tensor reals = work->WithElementType(ElementType::kF64).View(work->dimensions(), strides, 0);
    return ConvertElements(reals, result_type, runtime);
  }
  return ConvertElements(*work, result_type, runtime);
}

}  // namespace hloscope
