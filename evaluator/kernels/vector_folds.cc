#include "evaluator/kernels/vector_folds.h"

#include "evaluator/kernels/lane_loops.h"

namespace hloscope {
namespace {

// One operation at a time: of a chain of comparisons the compiler makes branches. What the rows add to stays in the
// first cache level.
#define HLOSCOPE_FLOAT_ROWS(Name)                                                                       \
  HLOSCOPE_VECTOR_CLONES void Name##Rows(const float* const* rows, int64_t row_count, int64_t lanes,    \
                                         float* accumulators) {                                         \
    for (int64_t r = 0; r < row_count; ++r) {                                                           \
      const float* const a = rows[r];                                                                   \
      HLOSCOPE_INDEPENDENT_LANES                                                                        \
      for (int64_t l = 0; l < lanes; ++l) accumulators[l] = elementwise::Name()(accumulators[l], a[l]); \
    }                                                                                                   \
  }
HLOSCOPE_FLOAT_ROWS(Add)
HLOSCOPE_FLOAT_ROWS(Maximum)
HLOSCOPE_FLOAT_ROWS(Minimum)
#undef HLOSCOPE_FLOAT_ROWS

}  // namespace

FoldFloatRows FloatRowFold(elementwise::Add) { return &AddRows; }
FoldFloatRows FloatRowFold(elementwise::Maximum) { return &MaximumRows; }
FoldFloatRows FloatRowFold(elementwise::Minimum) { return &MinimumRows; }

}  // namespace hloscope
