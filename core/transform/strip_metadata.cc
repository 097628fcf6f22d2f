// SPDX-License-Identifier: Apache-2.0
// The pass `strip-metadata`: nothing that only says where instructions come from.
#include "core/transform/pass.h"

namespace hloscope {
namespace {

bool SaysWhatIsComputed(AttributeKind kind) {
  return kind != AttributeKind::kMetadata && kind != AttributeKind::kOrigin && kind != AttributeKind::kStatistics;
}

}  // namespace

void StripMetadata(PassContext& context) {
  if (context.dry_run) return;
  for (uint32_t c = 0; c < context.module.computations().size(); ++c) {
    for (InstructionId id = context.editor.first(ComputationId(c)); id.has_value(); id = context.editor.next(id)) {
      context.editor.KeepAttributes(id, SaysWhatIsComputed);
    }
  }
  ModuleHeader& header = context.editor.mutable_module().mutable_header();
  if (header.stack_frames.empty() && header.origin_recovery_table.empty() && header.debug_attributes.empty()) return;
  header.stack_frames = {};
  header.origin_recovery_table.clear();
  header.debug_attributes.clear();
  context.editor.NoteChange();
}

}  // namespace hloscope
