// SPDX-License-Identifier: Apache-2.0
// Spelling of shardings, meshes, replica groups and metadata (docs/text-format.md 7.4, 7.10).
#ifndef HLOSCOPE_CORE_PRINT_SHARDING_PRINTER_H_
#define HLOSCOPE_CORE_PRINT_SHARDING_PRINTER_H_

#include <string>

#include "core/ir/module.h"

namespace hloscope {

// With its braces. Where the reference prints something that it cannot read back to the same sharding (7.11: named
// shardings that are replicated or unreduced), this prints what can be. `as_written`: with what the reference drops
// (the mesh of such a sharding), and without what it adds (the entry of metadata that names the reduction).
void AppendSharding(const Module& module, const Sharding& sharding, bool with_metadata, std::string* out,
                    bool as_written = false);

// `{{0,1},{2,3}}`, `[2,4]<=[8]` or `mesh['x'=2] {'x'}`.
void AppendReplicaGroups(const ReplicaGroups& groups, std::string* out);

// The fields that are set, joined by blanks, without braces.
void AppendMetadataFields(const Module& module, const Metadata& metadata, std::string* out);
// False for metadata that no text shows: it has positions but no name, type, file, frame or payload (7.4).
bool IsPrintable(const Metadata& metadata);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_PRINT_SHARDING_PRINTER_H_
