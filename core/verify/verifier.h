// SPDX-License-Identifier: Apache-2.0
// Checks a whole module (each operation: docs/ops/elementwise.md, docs/ops/tensor.md;
// the module: docs/ops/control.md 6).
//
//   checks.def           the table of checks: how to add one
//   verifier.cc          drives
//   edit_scope.cc        what an edit makes the verifier look at again
//   shape_rules.cc       shape rules of all instructions
//   declared_shape.cc    declared against inferred shapes             V210, V225
//   module_structure.cc  graph, names, dead code                      6.3
//   entry_signature.cc   entry layout, aliasing, donation             6.4
//   callers.cc           threads, what reducers may contain           6.6
//   fusions.cc                                                        6.7
//   buffers.cc           where buffers may occur, and their writers   6.8
//   async_pairs.cc       starts and dones, asynchronous chains        6.9, 6.10
//   host_transfers.cc    sends, receives, infeeds, outfeeds           6.10
//   collectives.cc       agreement of all collectives of a module     6.11
//   shardings.cc                                                      6.12
//   schedule.cc          order and names of a scheduled module        6.13
//   transfer_order.cc    transfers that block each other              6.13
//   collective_order.cc  devices that never meet, shared channels     4.15, 6.11
//   layouts.cc                                                        6.14
//   memory_spaces.cc     what may move data between memories          6.14
#ifndef HLOSCOPE_CORE_VERIFY_VERIFIER_H_
#define HLOSCOPE_CORE_VERIFY_VERIFIER_H_

#include "core/analysis/module_index.h"
#include "core/diagnostics/diagnostic.h"
#include "core/ir/module.h"
#include "core/ops/rule_context.h"
#include "core/verify/verify_scope.h"

namespace hloscope {

// Reports every diagnostic. Instructions that could not be read, and their users where that matters, are left out.
// O(size of the module).
void VerifyModule(const Module& module, const VerifyOptions& options, const AnchorResolver& resolver,
                  DiagnosticSink& sink);
// The same with the module's index at hand. With a scope only what it names is checked: the diagnostics are those of a
// whole verification whose sources are in the scope. The module must then have passed VerifyStructure.
void VerifyModule(const Module& module, const ModuleIndex& index, const VerifyOptions& options,
                  const AnchorResolver& resolver, DiagnosticSink& sink, const VerifyScope* scope = nullptr);

// The same without a scope, by this thread and a second one, which asks `second_resolver` for places.
void VerifyModuleOnTwoThreads(const Module& module, const ModuleIndex& index, const VerifyOptions& options,
                              const AnchorResolver& resolver, const AnchorResolver& second_resolver,
                              DiagnosticSink& sink);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_VERIFY_VERIFIER_H_
