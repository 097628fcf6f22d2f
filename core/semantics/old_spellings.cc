// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/old_spellings.h"

#include <algorithm>
#include <iterator>

namespace hloscope {
namespace {

bool IsAsyncLink(Opcode opcode) {
  return opcode == Opcode::kAsyncStart || opcode == Opcode::kAsyncUpdate || opcode == Opcode::kAsyncDone;
}

bool IsAllReduce(Opcode opcode) {
  return opcode == Opcode::kAllReduce || opcode == Opcode::kAllReduceStart || opcode == Opcode::kReduceScatter;
}

}  // namespace

std::optional<OldOpcode> OldOpcodeFromName(absl::string_view name) {
  if (name == "cross-replica-sum") return OldOpcode{Opcode::kAllReduce, "write `all-reduce`"};
  return std::nullopt;
}

std::optional<OldAttribute> OldAttributeFromName(Opcode opcode, absl::string_view name) {
  using Meaning = OldAttribute::Meaning;
  if (opcode == Opcode::kCustomCall && name == "opaque") {
    return OldAttribute{Meaning::kRenamed, AttributeKind::kBackendConfig, "write `backend_config`"};
  }
  if (IsAllReduce(opcode) && name == "all_reduce_id") {
    return OldAttribute{Meaning::kRenamed, AttributeKind::kChannelId, "write `channel_id`"};
  }
  if (opcode == Opcode::kCopyStart && name == "is_cross_program_prefetch") {
    return OldAttribute{Meaning::kPrefetchFlag, AttributeKind::kCrossProgramPrefetchIndex,
                        "write `cross_program_prefetch_index=0` for `true`, nothing for `false`"};
  }
  if (opcode == Opcode::kConvolution && name == "conv_kind") {
    return OldAttribute{Meaning::kRenamed, AttributeKind::kConvolutionKind, "write `convolution_kind`"};
  }
  if (IsAsyncLink(opcode) && name == "async_group_id") {
    return OldAttribute{Meaning::kIgnored, AttributeKind::kMetadata, "it has no meaning any more"};
  }
  return std::nullopt;
}

absl::string_view OldAttributeAdvice(Opcode opcode, AttributeKind kind) {
  if (kind == AttributeKind::kMode) return "it is read and ignored";
  if (opcode == Opcode::kCustomCall && kind == AttributeKind::kToApply) return "write `called_computations={...}`";
  return "";
}

bool IsOldMetadataField(absl::string_view name) {
  static constexpr absl::string_view kNames[] = {"creation_pass_id", "logical_creation_pass_id",
                                                 "size_of_generated_code_in_bytes",
                                                 "size_of_memory_working_set_in_bytes"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

}  // namespace hloscope
