// SPDX-License-Identifier: Apache-2.0
// Tokens to shardings, meshes and replica groups (docs/text-format.md 6.11, 6.12).
#ifndef HLOSCOPE_CORE_SEMANTICS_SHARDING_READER_H_
#define HLOSCOPE_CORE_SEMANTICS_SHARDING_READER_H_

#include <optional>

#include "core/ir/module.h"
#include "core/semantics/token_cursor.h"

namespace hloscope {

std::optional<ReplicaGroups> ReadReplicaGroups(TokenCursor& cursor);

// Metadata inside the sharding is interned in `module`.
std::optional<Sharding> ReadSharding(TokenCursor& cursor, Module& module);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_SHARDING_READER_H_
