// SPDX-License-Identifier: Apache-2.0
// Complex numbers side by side, for loops that are written by hand for processors of CpuLevel::kAvx2 and up.
#ifndef HLOSCOPE_NUMERICS_FOURIER_COMPLEX_VECTORS_H_
#define HLOSCOPE_NUMERICS_FOURIER_COMPLEX_VECTORS_H_

#include <complex>
#include <cstdint>

#include "numerics/parallel/vector_loops.h"

namespace hloscope::numerics {

// Numbers that every vector divides.
constexpr int64_t kComplexLanes = 4;

#ifdef HLOSCOPE_AVX512_FUNCTION
namespace complex512 {
#define HLOSCOPE_VECTOR_INLINE HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] static inline
#define HLOSCOPE_ALTERNATING(a, b) a, b, a, b, a, b, a, b
#define HLOSCOPE_OTHER_PARTS 1, 0, 3, 2, 5, 4, 7, 6
#include "numerics/fourier/complex_vectors.def"
}  // namespace complex512
#endif

#ifdef HLOSCOPE_AVX2_FUNCTION
namespace complex256 {
#define HLOSCOPE_VECTOR_INLINE HLOSCOPE_AVX2_FUNCTION [[gnu::always_inline]] static inline
#define HLOSCOPE_ALTERNATING(a, b) a, b, a, b
#define HLOSCOPE_OTHER_PARTS 1, 0, 3, 2
#include "numerics/fourier/complex_vectors.def"
}  // namespace complex256
#endif

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_FOURIER_COMPLEX_VECTORS_H_
