// SPDX-License-Identifier: Apache-2.0
// A run that exists before the session: what `attach` means.
#ifndef HLOSCOPE_LSP_DEBUG_ADAPTER_ATTACHED_RUN_H_
#define HLOSCOPE_LSP_DEBUG_ADAPTER_ATTACHED_RUN_H_

#include <memory>

#include "core/document/document.h"
#include "evaluator/debugger/debug_launch.h"

namespace hloscope::dap {

struct AttachedRun {
  std::shared_ptr<const Document> document;
  std::shared_ptr<evaluator::DebugLaunch> launch;
};

}  // namespace hloscope::dap

#endif  // HLOSCOPE_LSP_DEBUG_ADAPTER_ATTACHED_RUN_H_
