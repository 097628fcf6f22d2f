#include "evaluator/kernels/fft.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "evaluator/kernels/element_conversion.h"
#include "evaluator/kernels/parallel_loop.h"
#include "evaluator/kernels/strided_iteration.h"
#include "evaluator/kernels/valid_region.h"

namespace hloscope {
namespace {

using Complex = std::complex<double>;

constexpr double kPi = 3.14159265358979323846;
// Up to this length the formula is as fast as anything else.
constexpr int64_t kFormulaLength = 8;
// What is done between two looks at the cancellation flag, and rough costs.
constexpr uint64_t kPolledElements = 4096;
constexpr double kRootNanoseconds = 40, kButterflyNanoseconds = 8;

bool IsPowerOfTwo(int64_t n) { return std::has_single_bit(static_cast<uint64_t>(n)); }

// Multiplication without the special treatment of infinities that std::complex has.
Complex Times(Complex a, Complex b) {
  return Complex(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
}

}  // namespace

Complex RootOfUnity(int64_t k, int64_t n) {
  k %= n;
  // Reduce to the first eighth of the circle, where sine and cosine are exact at both ends.
  const int64_t eighths = 8 * k;
  const int64_t octant = eighths / n;
  const int64_t rest = octant % 2 == 0 ? eighths - octant * n : (octant + 1) * n - eighths;  // in eighths of n
  const double angle = kPi / 4 * (static_cast<double>(rest) / static_cast<double>(n));
  double c = std::cos(angle), s = std::sin(angle);
  if (octant % 4 == 1 || octant % 4 == 2) std::swap(c, s);
  // cos is negative in octants 2..5, sin in octants 4..7; the root turns clockwise.
  if (octant >= 2 && octant <= 5) c = -c;
  if (octant >= 4) s = -s;
  return Complex(c, -s);
}

FourierTransform::FourierTransform(int64_t length, CancellationPoll* poll)
    : length_(length), roots_(static_cast<size_t>(length)) {
  for (int64_t k = 0; k < length; ++k) {
    if (poll != nullptr && poll->Cancelled(kRootNanoseconds)) return;
    roots_[static_cast<size_t>(k)] = RootOfUnity(k, length);
  }
  if (length <= kFormulaLength || IsPowerOfTwo(length)) return;
  const int64_t padded = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(2 * length - 1)));
  padded_.emplace_back(padded, poll);
  chirp_filter_.resize(static_cast<size_t>(padded));
  chirp_.resize(static_cast<size_t>(length));
  int64_t square = 0;  // k^2 modulo 2n
  for (int64_t k = 0; k < length; ++k) {
    if (poll != nullptr && poll->Cancelled(kRootNanoseconds)) return;
    const Complex root = RootOfUnity(square, 2 * length);
    chirp_[static_cast<size_t>(k)] = root;
    chirp_filter_[static_cast<size_t>(k)] = std::conj(root);
    if (k > 0) chirp_filter_[static_cast<size_t>(padded - k)] = std::conj(root);
    square = (square + 2 * k + 1) % (2 * length);
  }
  padded_[0].Forward(chirp_filter_.data(), poll);
}

void FourierTransform::Forward(Complex* values, CancellationPoll* poll) const {
  if (length_ <= kFormulaLength) {
    TransformByFormula(values);
  } else if (IsPowerOfTwo(length_)) {
    TransformByHalves(values, poll);
  } else {
    TransformByChirp(values, poll);
  }
}

void FourierTransform::Inverse(Complex* values, CancellationPoll* poll) const {
  // x = conj(F(conj(X))) / n.
  for (int64_t k = 0; k < length_; ++k) values[k] = std::conj(values[k]);
  Forward(values, poll);
  const double scale = 1.0 / static_cast<double>(std::max<int64_t>(length_, 1));
  for (int64_t k = 0; k < length_; ++k) values[k] = std::conj(values[k]) * scale;
}

void FourierTransform::TransformByFormula(Complex* values) const {
  std::array<Complex, kFormulaLength> result{};
  for (int64_t k = 0; k < length_; ++k) {
    for (int64_t t = 0; t < length_; ++t) {
      result[static_cast<size_t>(k)] += Times(values[t], roots_[static_cast<size_t>(k * t % length_)]);
    }
  }
  std::copy_n(result.begin(), length_, values);
}

void FourierTransform::TransformByHalves(Complex* values, CancellationPoll* poll) const {
  const auto n = static_cast<uint64_t>(length_);
  for (uint64_t i = 1, j = 0; i < n; ++i) {
    uint64_t bit = n >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(values[i], values[j]);
    if (i % kPolledElements == 0 && poll != nullptr && poll->Cancelled(10 * kPolledElements)) return;
  }
  for (uint64_t size = 2; size <= n; size *= 2) {
    const uint64_t half = size / 2, step = n / size;
    for (uint64_t block = 0; block < n; block += size) {
      for (uint64_t first = 0; first < half; first += kPolledElements) {
        const uint64_t end = std::min(half, first + kPolledElements);
        for (uint64_t k = first; k < end; ++k) {
          const Complex even = values[block + k];
          const Complex odd = Times(values[block + k + half], roots_[k * step]);
          values[block + k] = even + odd;
          values[block + k + half] = even - odd;
        }
        if (poll != nullptr && poll->Cancelled(kButterflyNanoseconds * static_cast<double>(end - first))) return;
      }
    }
  }
}

void FourierTransform::TransformByChirp(Complex* values, CancellationPoll* poll) const {
  std::vector<Complex> work(chirp_filter_.size());
  for (int64_t t = 0; t < length_; ++t) work[static_cast<size_t>(t)] = Times(values[t], chirp_[static_cast<size_t>(t)]);
  padded_[0].Forward(work.data(), poll);
  for (size_t k = 0; k < work.size(); ++k) work[k] = Times(work[k], chirp_filter_[k]);
  padded_[0].Inverse(work.data(), poll);
  for (int64_t k = 0; k < length_; ++k) {
    values[k] = Times(work[static_cast<size_t>(k)], chirp_[static_cast<size_t>(k)]);
  }
}

namespace {

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
