// SPDX-License-Identifier: Apache-2.0
#include "insight/passes/module_size.h"

#include "core/analysis/buffers.h"
#include "core/analysis/call_graph.h"
#include "core/analysis/cost.h"
#include "core/analysis/memory.h"

namespace hloscope::insight {

ModuleSize SizeOf(const Document& document) {
  const Module& module = document.module();
  ModuleSize size;
  size.instructions = module.instruction_count();
  if (!module.entry().has_value()) return size;
  const CallGraph calls(module);
  const CostAnalysis cost(module, calls);
  size.flop = cost.Of(module.entry()).flops;
  size.bytes = cost.Of(module.entry()).bytes();
  const BufferTable buffers(module, calls);
  size.peak_bytes = MemoryAnalysis(module, document.users(), calls, buffers).peak_bytes();
  return size;
}

}  // namespace hloscope::insight
