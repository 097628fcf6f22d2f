// SPDX-License-Identifier: Apache-2.0
// The innermost loops of matrix products, compiled once for each instruction set. The files that include this are built
// with options of their own (numerics/CMakeLists.txt), so nothing here may pull in code that other files share.
#ifndef HLOSCOPE_NUMERICS_CONTRACTION_GEMM_MICRO_H_
#define HLOSCOPE_NUMERICS_CONTRACTION_GEMM_MICRO_H_

#include <cstdint>

namespace hloscope::numerics {

// A right operand that lies in planes: element k = f * element_count + e of column j is
// columns[f * feature_stride + elements[e] + j].
template <typename T>
struct PlaneColumns {
  const T* columns;
  int64_t features, feature_stride;
  const int64_t* elements;
  int64_t element_count;
};

// c[r * c_stride + j] (+)= sum over k of a[k * rows + r] * b[k * columns + j], for one tile of `rows` x `columns`.
// Every element of c is one chain of multiply-adds in the order of k, so the result does not depend on the tile.
// Operands may be packed in another type than that of the result.
template <typename T, typename Packed = T>
struct MicroKernel {
  int64_t rows, columns;
  // Of the first ComputedRows(rows, height) rows alone; 1 <= height <= rows.
  void (*multiply)(int64_t height, int64_t inner, const Packed* a, const Packed* b, T* c, int64_t c_stride,
                   bool accumulate);
  // The same with the left operand where it is: lines[g * rows + r] has, from element `first` on, the elements k in
  // [g * run, g * run + run) of row r. `accumulate`: the chains go on from what c has.
  void (*multiply_lines)(int64_t groups, int64_t first, int64_t run, const Packed* const* lines, const Packed* b, T* c,
                         int64_t c_stride, bool accumulate);
  // c[r * c_stride + j] = sum over t < taps of weights[t * kTapRows + r] * inputs[t][first + j], a chain in the order
  // of t, for kTapRows x tap_columns elements.
  int64_t tap_columns = 0;
  void (*multiply_taps)(int64_t taps, const Packed* const* inputs, int64_t first, const Packed* weights, T* c,
                        int64_t c_stride) = nullptr;
  // As multiply, with the right operand where it is.
  void (*multiply_planes)(int64_t height, const Packed* a, const PlaneColumns<Packed>& b, T* c,
                          int64_t c_stride) = nullptr;
};
constexpr int64_t kTapRows = 4;

// Tiles of a result's last rows are a third or two thirds of a tile. Always inline: a copy that a file with options of
// its own leaves behind might be the one that all files call.
[[gnu::always_inline]] constexpr int64_t ComputedRows(int64_t rows, int64_t height) {
  const int64_t third = rows / 3;
  return height <= third ? third : height <= 2 * third ? 2 * third : rows;
}

struct MicroKernels {
  MicroKernel<float> floats;
  MicroKernel<double> doubles;
  MicroKernel<uint32_t> words;
};
MicroKernels BaselineMicroKernels();
MicroKernels Avx2MicroKernels();    // needs AVX2 and FMA
MicroKernels Avx512MicroKernels();  // needs AVX-512 F, VL, BW, DQ
// An element of an operand is two bf16, neighbours along the contracted dimension, the first in the low half. Without
// multiply_taps and multiply_planes. Needs AVX-512 BF16. Numbers are multiplied as by the others only if none is
// subnormal and no sum is.
MicroKernel<float, uint32_t> PairMicroKernel();

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONTRACTION_GEMM_MICRO_H_
