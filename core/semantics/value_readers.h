// SPDX-License-Identifier: Apache-2.0
// Tokens to the simple structured attribute values (docs/text-format.md 6.7, 6.10, 6.15, 2.4). Every reader starts at
// the first token of the value, reports at most one diagnostic, and then returns nothing.
#ifndef HLOSCOPE_CORE_SEMANTICS_VALUE_READERS_H_
#define HLOSCOPE_CORE_SEMANTICS_VALUE_READERS_H_

#include <optional>
#include <vector>

#include "core/ir/attribute_values.h"
#include "core/semantics/token_cursor.h"

namespace hloscope {

std::optional<std::vector<int64_t>> ReadInts(TokenCursor& cursor);                   // {1,2}
std::optional<std::vector<std::vector<int64_t>>> ReadIntLists(TokenCursor& cursor);  // {{0,1},{2,3}}
std::optional<std::vector<int64_t>> ReadBools(TokenCursor& cursor);                  // {true,false}
// Index into a tuple shape; a trailing comma is allowed.
std::optional<ShapeIndex> ReadShapeIndex(TokenCursor& cursor);
// {{0}: (1, {}), ...}; with_kind: also `, may-alias` or `, must-alias`.
std::optional<std::vector<AliasEntry>> ReadAliasing(TokenCursor& cursor, bool with_kind);
// {(1, {1}), ...}
std::optional<std::vector<DonorEntry>> ReadDonors(TokenCursor& cursor);
std::optional<Window> ReadWindow(TokenCursor& cursor);
std::optional<ConvolutionDimensionNumbers> ReadDimLabels(TokenCursor& cursor);
std::optional<PaddingConfig> ReadPadding(TokenCursor& cursor);
std::optional<std::vector<SliceRange>> ReadSliceRanges(TokenCursor& cursor);
std::optional<SparsityConfig> ReadSparsity(TokenCursor& cursor);
std::optional<BlockScalingConfig> ReadBlockScaling(TokenCursor& cursor);
std::optional<RawValue> ReadRaw(TokenCursor& cursor);
std::optional<FrontendAttributes> ReadFrontendAttributes(TokenCursor& cursor);
std::optional<Statistics> ReadStatistics(TokenCursor& cursor);
std::optional<ResultAccuracy> ReadResultAccuracy(TokenCursor& cursor);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_VALUE_READERS_H_
