// SPDX-License-Identifier: Apache-2.0
// Spellings of earlier versions that dumps still contain (docs/text-format.md 9). They are read as what they became and
// noted by a hint.
#ifndef HLOSCOPE_CORE_SEMANTICS_OLD_SPELLINGS_H_
#define HLOSCOPE_CORE_SEMANTICS_OLD_SPELLINGS_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "core/ir/opcode.h"

namespace hloscope {

// An opcode under its former name.
struct OldOpcode {
  Opcode opcode;
  absl::string_view advice;  // completes "`x` is an old spelling; ..."
};
std::optional<OldOpcode> OldOpcodeFromName(absl::string_view name);

// An attribute under its former name, or one that is gone.
struct OldAttribute {
  enum class Meaning {
    kRenamed,       // the value is that of `kind`
    kIgnored,       // an integer without a meaning now
    kPrefetchFlag,  // `true` stands for cross_program_prefetch_index=0
  };
  Meaning meaning;
  AttributeKind kind = AttributeKind::kMetadata;  // of kRenamed and kPrefetchFlag
  absl::string_view advice;
};
std::optional<OldAttribute> OldAttributeFromName(Opcode opcode, absl::string_view name);

// Advice for an attribute that is still read under its name although nothing prints it any more; empty if there is
// none.
absl::string_view OldAttributeAdvice(Opcode opcode, AttributeKind kind);

// True for metadata fields that some versions printed; their integers have no meaning now.
bool IsOldMetadataField(absl::string_view name);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_OLD_SPELLINGS_H_
