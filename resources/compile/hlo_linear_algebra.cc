// SPDX-License-Identifier: Apache-2.0
#include "hlo_linear_algebra.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "numerics/fourier/fourier_transform.h"
#include "numerics/linear_algebra/matrix_functions.h"

namespace hlo {
namespace {

int64_t Grain(double nanoseconds) {
  return std::max<int64_t>(1, static_cast<int64_t>(20e3 / std::max(nanoseconds, 1.0)));
}

// Copies what both arrays have, from dimension d on.
void CopyCommonPart(const std::complex<double>* from, const std::vector<int64_t>& sizes, std::complex<double>* to,
                    const std::vector<int64_t>& new_sizes, size_t d) {
  const int64_t common = std::min(sizes[d], new_sizes[d]);
  if (d + 1 == sizes.size()) {
    std::copy_n(from, common, to);
    return;
  }
  int64_t stride = 1, new_stride = 1;
  for (size_t inner = d + 1; inner < sizes.size(); ++inner) {
    stride *= sizes[inner];
    new_stride *= new_sizes[inner];
  }
  for (int64_t i = 0; i < common; ++i) {
    CopyCommonPart(from + i * stride, sizes, to + i * new_stride, new_sizes, d + 1);
  }
}

size_t ScratchOf(const numerics::FourierTransform& transform) { return static_cast<size_t>(transform.scratch_size()); }

}  // namespace

template <typename T>
void Cholesky(const T* a, T* result, int64_t batch, int64_t n, bool lower) {
  numerics::CancellationPoll poll(ProgramThreads());  // nobody cancels a program
  const double size = static_cast<double>(n);
  ParallelFor(batch, Grain(size * size * size / 3), [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) numerics::FactorMatrix(a + b * n * n, result + b * n * n, n, lower, poll);
  });
}

template <typename T>
void SolveTriangular(const T* a, T* x, int64_t batch, int64_t n, int64_t rows, int64_t columns, bool left_side,
                     bool lower, bool unit_diagonal, bool transpose, bool conjugate) {
  numerics::CancellationPoll poll(ProgramThreads());
  numerics::TriangularSolveOptions options;
  options.left_side = left_side;
  options.lower = lower;
  options.unit_diagonal = unit_diagonal;
  options.transpose = transpose;
  options.conjugate = conjugate;
  ParallelFor(batch, Grain(0.5 * static_cast<double>(n) * static_cast<double>(rows * columns)),
              [&](int64_t begin, int64_t end) {
                for (int64_t b = begin; b < end; ++b) {
                  numerics::SolveMatrix(a + b * n * n, x + b * rows * columns, n, rows, columns, options, poll);
                }
              });
}

#define HLO_FOR_MATRIX_TYPE(T)                                     \
  template void Cholesky<T>(const T*, T*, int64_t, int64_t, bool); \
  template void SolveTriangular<T>(const T*, T*, int64_t, int64_t, int64_t, int64_t, bool, bool, bool, bool, bool);
HLO_FOR_MATRIX_TYPE(float)
HLO_FOR_MATRIX_TYPE(double)
HLO_FOR_MATRIX_TYPE(std::complex<float>)
HLO_FOR_MATRIX_TYPE(std::complex<double>)
#undef HLO_FOR_MATRIX_TYPE

template <typename From, typename To>
void TransformAxis(numerics::FourierKind kind, const From* from, To* to, int64_t outer, int64_t length, int64_t inner) {
  using numerics::FourierKind;
  using Complex = std::complex<double>;
  if (numerics::LineTransforms::Handles(length)) {
    numerics::LineTransforms(kind, length).Run(from, to, outer, inner, ProgramThreads()).Ignore();
    return;
  }
  const numerics::FourierTransform transform(length, ProgramThreads());
  const bool is_inverse = kind == FourierKind::kInverse || kind == FourierKind::kInverseReal;
  const int64_t from_length = kind == FourierKind::kInverseReal ? length / 2 + 1 : length;
  const int64_t to_length = kind == FourierKind::kForwardReal ? length / 2 + 1 : length;
  ParallelFor(outer * inner, Grain(60 * static_cast<double>(length)), [&](int64_t begin, int64_t end) {
    std::vector<Complex> line(static_cast<size_t>(length)), scratch(ScratchOf(transform));
    const auto at = [&](int64_t t) -> Complex& { return line[static_cast<size_t>(t)]; };
    for (int64_t n = begin; n < end; ++n) {
      const From* const x = from + n / inner * from_length * inner + n % inner;
      To* const y = to + n / inner * to_length * inner + n % inner;
      for (int64_t t = 0; t < from_length; ++t) at(t) = static_cast<Complex>(x[t * inner]);
      if (kind == FourierKind::kInverseReal) {
        // The spectrum of a real signal: the imaginary parts of its ends have no effect.
        at(0) = at(0).real();
        if (length % 2 == 0) at(length / 2) = at(length / 2).real();
        for (int64_t k = 1; k < length - length / 2; ++k) at(length - k) = std::conj(at(k));
      }
      (is_inverse ? transform.Inverse(line.data(), scratch.data(), ProgramThreads())
                  : transform.Forward(line.data(), scratch.data(), ProgramThreads()))
          .Ignore();
      for (int64_t t = 0; t < to_length; ++t) {
        if constexpr (std::is_floating_point_v<To>) {
          y[t * inner] = static_cast<To>(at(t).real());
        } else {
          y[t * inner] = static_cast<To>(at(t));
        }
      }
    }
  });
}

#define HLO_TRANSFORM_AXIS(From, To) \
  template void TransformAxis<From, To>(numerics::FourierKind, const From*, To*, int64_t, int64_t, int64_t);
HLO_TRANSFORM_AXIS(std::complex<float>, std::complex<float>)
HLO_TRANSFORM_AXIS(std::complex<float>, std::complex<double>)
HLO_TRANSFORM_AXIS(std::complex<double>, std::complex<float>)
HLO_TRANSFORM_AXIS(std::complex<double>, std::complex<double>)
HLO_TRANSFORM_AXIS(float, std::complex<float>)
HLO_TRANSFORM_AXIS(float, std::complex<double>)
HLO_TRANSFORM_AXIS(double, std::complex<double>)
HLO_TRANSFORM_AXIS(std::complex<float>, float)
HLO_TRANSFORM_AXIS(std::complex<double>, float)
HLO_TRANSFORM_AXIS(std::complex<double>, double)
#undef HLO_TRANSFORM_AXIS

void ResizeArray(const std::complex<double>* from, const std::vector<int64_t>& sizes, std::complex<double>* to,
                 const std::vector<int64_t>& new_sizes) {
  int64_t count = 1;
  for (const int64_t size : new_sizes) count *= size;
  std::fill_n(to, count, std::complex<double>());
  CopyCommonPart(from, sizes, to, new_sizes, 0);
}

}  // namespace hlo
