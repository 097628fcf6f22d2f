// SPDX-License-Identifier: Apache-2.0
// Operations that only the builder interface has, as expansions into HLO (docs/ops/tensor.md 11).
//
// Results have no layouts. Errors are InvalidArgument where a rule of the call is violated, Unimplemented where sizes
// are only known at run time, and OutOfRange where sizes do not fit 64 bits. `names` are those in use where the snippet
// goes; null: only the operands have names.
#ifndef HLOSCOPE_CORE_BUILDER_EXPANSIONS_H_
#define HLOSCOPE_CORE_BUILDER_EXPANSIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/builder/snippet.h"

namespace hloscope {

// 11.2: dimension k of `x` becomes dimension dims[k] of the result, which has `sizes`; size 1 stretches. The sizes must
// be static, and so must be what is stretched. Errors BID-1 to BID-6.
absl::StatusOr<Snippet> ExpandBroadcastInDim(const BuilderValue& x, absl::Span<const int64_t> sizes,
                                             absl::Span<const int64_t> dims, SnippetNames* names = nullptr);

// The instructions of ExpandBroadcastInDim without its checks, for callers that have made them: `result` says which
// dimensions are dynamic. Returns `x` itself if nothing has to be done.
BuilderValue AddBroadcastInDim(SnippetWriter& writer, const BuilderValue& x, const Shape& result,
                               absl::Span<const int64_t> dims);

// 11.1: `sizes` in front of the dimensions of `x`, which is repeated over them. Error BRD-1.
absl::StatusOr<Snippet> ExpandBroadcast(const BuilderValue& x, absl::Span<const int64_t> sizes,
                                        SnippetNames* names = nullptr);

// 11.1: consecutive ascending dimensions become one of their product. Errors COLL-1, COLL-2.
absl::StatusOr<Snippet> ExpandCollapse(const BuilderValue& x, absl::Span<const int64_t> dims,
                                       SnippetNames* names = nullptr);

// 11.1: the elements of `x` read with dimension order[0] slowest and order.back() fastest, as an array of `sizes`.
// Errors TRAN-2, RESH-1.
absl::StatusOr<Snippet> ExpandReshape(const BuilderValue& x, absl::Span<const int64_t> order,
                                      absl::Span<const int64_t> sizes, SnippetNames* names = nullptr);

// 11.1: the operands one after the other along `dim`; they are static, of one element type, and agree in all other
// sizes.
absl::StatusOr<Snippet> ExpandConcatInDim(absl::Span<const BuilderValue> operands, int64_t dim,
                                          SnippetNames* names = nullptr);

// 11.1: elements start, start + stride, ... below limit of dimension `dim`, everything of the others.
// Requires nothing: 0 <= start <= limit <= size and stride >= 1 are checked.
absl::StatusOr<Snippet> ExpandSliceInDim(const BuilderValue& x, int64_t start, int64_t limit, int64_t stride,
                                         int64_t dim, SnippetNames* names = nullptr);

// 11.1: `low` elements before and `high` after dimension `dim`, of the scalar `value`; negative numbers take away.
absl::StatusOr<Snippet> ExpandPadInDim(const BuilderValue& x, const BuilderValue& value, int64_t dim, int64_t low,
                                       int64_t high, SnippetNames* names = nullptr);

// 11.1: all elements combined, starting from the scalar `init`, by an operation that takes two of its element type and
// returns one (add, maximum, and ...).
absl::StatusOr<Snippet> ExpandReduceAll(const BuilderValue& x, const BuilderValue& init, Opcode opcode,
                                        SnippetNames* names = nullptr);

// 11.1: dimension 0 of a vector, or 1 of a matrix, against dimension 0 of the other: no batch dimensions.
absl::StatusOr<Snippet> ExpandDot(const BuilderValue& lhs, const BuilderValue& rhs, SnippetNames* names = nullptr);

enum class ConvPadding : uint8_t { kValid, kSame };

// 11.3: how SAME pads a dimension of `input` elements under a window, whatever its dilation.
struct SamePadding {
  int64_t output = 0, low = 0, high = 0;
};
// Requires input >= 0, window >= 1, stride >= 1. Error OutOfRange.
absl::StatusOr<SamePadding> ComputeSamePadding(int64_t input, int64_t window, int64_t stride);

struct ConvOptions {
  std::vector<int64_t> strides;  // one per spatial dimension; empty: all 1
  ConvPadding padding = ConvPadding::kValid;
  int64_t feature_group_count = 1;
  int64_t batch_group_count = 1;
};
// 11.3: lhs [batch, features, spatial...], kernel [output features, input features, spatial...]. What the instruction
// itself checks (groups, features) is left to its own rule.
absl::StatusOr<Snippet> ExpandConv(const BuilderValue& lhs, const BuilderValue& kernel, const ConvOptions& options,
                                   SnippetNames* names = nullptr);

// 11.4: the sum over the replicas of each group (all replicas if there is none); the logical or for pred. A tuple is
// reduced element by element by one all-reduce.
absl::StatusOr<Snippet> ExpandCrossReplicaSum(const BuilderValue& x,
                                              absl::Span<const std::vector<int64_t>> replica_groups,
                                              SnippetNames* names = nullptr);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_BUILDER_EXPANSIONS_H_
