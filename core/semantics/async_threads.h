// SPDX-License-Identifier: Apache-2.0
// The threads that asynchronous computations run on (docs/text-format.md 6.9). Internal to core/semantics.
#ifndef HLOSCOPE_CORE_SEMANTICS_ASYNC_THREADS_H_
#define HLOSCOPE_CORE_SEMANTICS_ASYNC_THREADS_H_

#include "core/diagnostics/diagnostic.h"
#include "core/ir/module.h"
#include "core/ops/rule_context.h"

namespace hloscope {

// What an asynchronous start calls runs on its thread, with all that is called there, whatever is written.
void AssignThreads(Module& module);

// The `async_execution_thread` of an update or done must be the thread of its start, if the start can be found.
void CheckThreadOfLink(const Module& module, InstructionId link, const AnchorResolver& resolver, DiagnosticSink& sink);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_ASYNC_THREADS_H_
