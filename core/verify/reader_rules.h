// SPDX-License-Identifier: Apache-2.0
// What the reference's reader itself rejects beyond what a text needs to become a module (docs/text-format.md 8.3).
#ifndef HLOSCOPE_CORE_VERIFY_READER_RULES_H_
#define HLOSCOPE_CORE_VERIFY_READER_RULES_H_

#include "core/analysis/module_index.h"
#include "core/diagnostics/diagnostic.h"
#include "core/ir/module.h"
#include "core/ops/rule_context.h"

namespace hloscope {

// Of the errors of a whole verification, reports those of reading: numbers of operands and of entries, shapes that the
// reader compares, attributes that exclude each other. All others are the verifier's business. Nothing, if `sink` has
// errors already.
void VerifyAsReader(const Module& module, const ModuleIndex& index, const VerifyOptions& options,
                    const AnchorResolver& resolver, DiagnosticSink& sink);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_VERIFY_READER_RULES_H_
