// SPDX-License-Identifier: Apache-2.0
// Reads the modules of stages from their files.
#ifndef HLOSCOPE_INSIGHT_PASSES_STAGE_READER_H_
#define HLOSCOPE_INSIGHT_PASSES_STAGE_READER_H_

#include <cstddef>

#include "insight/passes/stages.h"

namespace hloscope::insight {

// Reads stages, StableHLO and protos among them. Errors name the file. With `to_run`, what must not be executed is an
// error too. Compressed ones expand to at most `max_expanded_bytes` (0: as interop::OpenFileOptions says). The last few
// modules are kept. Copies share them: one thread at a time.
StageReader MakeStageReader(bool to_run, size_t max_expanded_bytes = 0);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_PASSES_STAGE_READER_H_
