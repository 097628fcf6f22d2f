// SPDX-License-Identifier: Apache-2.0
// Shardings in the form in which the reference keeps them (docs/text-format.md 6.12, "Normalisation on reading").
#ifndef HLOSCOPE_CORE_SEMANTICS_SHARDING_NORMALIZATION_H_
#define HLOSCOPE_CORE_SEMANTICS_SHARDING_NORMALIZATION_H_

#include "core/ir/attribute_values.h"

namespace hloscope {

// Removes the sizes of 1 and merges neighbours that stay neighbours: [2,1,2]T(0,1,2) becomes [4]. The order of the
// devices stays as it is. Requires a valid iota: T is a permutation, all sizes are positive.
void SimplifyIota(IotaTile* iota);

// A tiled sharding: simplifies its iota; drops subgroup dimensions of size 1, merges those of one type, puts them in
// the order manual, unreduced, replicated; a single trailing replicated subgroup becomes `last_tile_dim_replicate`,
// whose groups are sorted in explicit lists; one that splits no data and has one type of subgroup becomes that word.
// Requires a sharding whose conditions (6.12) hold. Other kinds of shardings stay as they are.
void NormalizeSharding(Sharding* sharding);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_SHARDING_NORMALIZATION_H_
