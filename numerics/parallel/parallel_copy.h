// Copying strided elements on all threads.
#ifndef HLOSCOPE_NUMERICS_PARALLEL_PARALLEL_COPY_H_
#define HLOSCOPE_NUMERICS_PARALLEL_PARALLEL_COPY_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "evaluator/kernels/interface/kernel.h"

namespace hloscope {

// CopyStrided (numerics/parallel/strided_copy.h) on the runtime's threads. Errors: Cancelled.
absl::Status CopyStridedInParallel(int64_t element_bytes, absl::Span<const int64_t> dimensions, const uint8_t* source,
                                   absl::Span<const int64_t> source_strides, uint8_t* target,
                                   absl::Span<const int64_t> target_strides, KernelRuntime& runtime);

}  // namespace hloscope

#endif  // HLOSCOPE_NUMERICS_PARALLEL_PARALLEL_COPY_H_
