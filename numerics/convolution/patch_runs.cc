// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/patch_runs.h"

#include "numerics/parallel/vector_loops.h"

namespace hloscope::numerics {
namespace {

// Pieces of this many bytes, loaded and stored as a whole.
template <int kBytes>
struct PatchPiece {
  typedef uint8_t Bytes __attribute__((vector_size(kBytes), aligned(1), may_alias));
  static constexpr int64_t kSize = kBytes;
};

// kPieces pieces from the front and one that ends at the end, where that is not what the others cover.
template <typename Piece, int kPieces, bool kHasEnd>
[[gnu::always_inline]] inline void CopyPieces(const PatchRun& run, int64_t line_size, uint8_t* to) {
  using Bytes = typename Piece::Bytes;
  const int64_t end = run.size - Piece::kSize;
  int64_t element = run.begin % run.element_count;
  const uint8_t* feature = run.inputs + run.begin / run.element_count * run.feature_stride;
  for (int64_t k = run.begin; k < run.end; ++k, to += line_size) {
    const uint8_t* const from = feature + run.elements[element];
#pragma GCC unroll 8
    for (int p = 0; p < kPieces; ++p) {
      *reinterpret_cast<Bytes*>(to + p * Piece::kSize) = *reinterpret_cast<const Bytes*>(from + p * Piece::kSize);
    }
    if constexpr (kHasEnd) *reinterpret_cast<Bytes*>(to + end) = *reinterpret_cast<const Bytes*>(from + end);
    if (++element == run.element_count) {
      element = 0;
      feature += run.feature_stride;
    }
  }
}

HLOSCOPE_VECTOR_CLONES void CopyPatchesOfTwoVectors(const PatchRun& run, int64_t line_size, uint8_t* to) {
  CopyPieces<PatchPiece<64>, 2, false>(run, line_size, to);
}
HLOSCOPE_VECTOR_CLONES void CopyPatchesOfAVectorAndMore(const PatchRun& run, int64_t line_size, uint8_t* to) {
  CopyPieces<PatchPiece<64>, 1, true>(run, line_size, to);
}
HLOSCOPE_VECTOR_CLONES void CopyPatchesOfAVector(const PatchRun& run, int64_t line_size, uint8_t* to) {
  CopyPieces<PatchPiece<64>, 1, false>(run, line_size, to);
}
HLOSCOPE_VECTOR_CLONES void CopyPatchesOfHalfAVectorAndMore(const PatchRun& run, int64_t line_size, uint8_t* to) {
  CopyPieces<PatchPiece<32>, 1, true>(run, line_size, to);
}

}  // namespace

void CopyPatchRun(const PatchRun& run, int64_t line_size, uint8_t* to) {
  if (run.size == 128) {
    CopyPatchesOfTwoVectors(run, line_size, to);
  } else if (run.size == 64) {
    CopyPatchesOfAVector(run, line_size, to);
  } else if (run.size > 64) {
    CopyPatchesOfAVectorAndMore(run, line_size, to);
  } else if (run.size >= 32) {
    CopyPatchesOfHalfAVectorAndMore(run, line_size, to);
  } else if (run.size >= 16) {
    CopyPieces<PatchPiece<16>, 1, true>(run, line_size, to);
  } else if (run.size >= 8) {
    CopyPieces<PatchPiece<8>, 1, true>(run, line_size, to);
  } else {
    CopyPieces<PatchPiece<4>, 1, false>(run, line_size, to);
  }
}

}  // namespace hloscope::numerics
