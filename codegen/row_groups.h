// SPDX-License-Identifier: Apache-2.0
// Neighbouring loops that go over the same rows, as those of a softmax or a layer norm do. Run block by block, each row
// goes through memory once, and what only they use stays in the cache (docs/evaluator.md, "Fused execution"). A loop
// alone runs in blocks if its result is so large that it is written past the caches.
#ifndef HLOSCOPE_CODEGEN_ROW_GROUPS_H_
#define HLOSCOPE_CODEGEN_ROW_GROUPS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "codegen/statement.h"

namespace hloscope::codegen {

// Statements that run one after the other; with rows, calls of loops that run block by block.
struct StatementGroup {
  std::vector<size_t> statements;
  int64_t rows = 0;        // of each loop; its own rows are a multiple of them
  int64_t block_rows = 0;  // rows that fit in the cache together
  double nanoseconds = 0;  // of a row, roughly
  // Arrays that come from memory, with the bytes of a row: worth asking for while the block before is computed.
  std::vector<std::pair<ArrayId, int64_t>> read_ahead = {};
};

// All statements, in an order in which each runs after those that define what it uses.
std::vector<StatementGroup> GroupByRows(absl::Span<const Statement> statements);

}  // namespace hloscope::codegen

#endif  // HLOSCOPE_CODEGEN_ROW_GROUPS_H_
