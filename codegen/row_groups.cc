// SPDX-License-Identifier: Apache-2.0
#include "codegen/row_groups.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "codegen/cpp_types.h"
#include "numerics/data_movement/past_cache.h"

namespace hloscope::codegen {
namespace {

// Bytes of arrays in a block: they stay in the caches of any processor of today, with room for what rows share.
constexpr int64_t kBlockBytes = 128 << 10;
// Bytes of arrays in a block of a single loop, which reads nothing again.
constexpr int64_t kSingleBlockBytes = 16 << 10;
// Longer rows leave the cache before the next loop reads them.
constexpr int64_t kMostRowBytes = 512 << 10;
// What a loop that waits for memory computes for at most.
constexpr double kNanosecondsOfElement = 2;
// Arrays of fewer bytes stay in the cache anyway.
constexpr int64_t kLeastBytes = 256 << 10;
// Operands of so many bytes come from memory. The rows of a block are asked for a share before each loop: of larger
// shares the processor would wait for the first lines.
constexpr int64_t kFromMemoryBytes = 8 << 20, kShareBytes = 4096;
// Statements that may run earlier so that loops become neighbours.
constexpr int kMostPassed = 8;

class RowGroup {
 public:
  bool empty() const { return statements_.empty(); }
  bool Defines(ArrayId array) const {
    const auto found = uses_.find(array);
    return found != uses_.end() && found->second.is_written;
  }
  bool UsesArray(ArrayId array) const { return uses_.contains(array); }

  // True if the loop can run in the blocks of rows of the others, and has elements in common with them.
  bool Admits(const LoopCall& call) const {
    if (empty()) return true;
    bool shares = false;
    for (size_t k = 0; k < call.arrays.size(); ++k) {
      const auto found = uses_.find(call.arrays[k]);
      if (call.arrays[k] == kNoArray || found == uses_.end()) continue;
      const bool same_rows = ElementsOf(call, k) != 0 && ElementsOf(call, k) == found->second.elements;
      if (!same_rows && found->second.is_written) return false;
      shares = shares || same_rows;
    }
    RowGroup with = *this;
    with.Add(0, call);
    return shares && with.BytesOfRow() <= kMostRowBytes;
  }

  void Add(size_t statement, const LoopCall& call) {
    rows_ = std::gcd(rows_, call.text.rows.count);
    total_nanoseconds_ += call.text.rows.nanoseconds * static_cast<double>(call.text.rows.count);
    statements_.push_back(statement);
    for (size_t k = 0; k < call.arrays.size(); ++k) {
      if (call.arrays[k] == kNoArray) continue;
      Use& use = uses_[call.arrays[k]];
      use.is_written = use.is_written || call.parameters[k].is_output;
      use.elements = std::max(use.elements, ElementsOf(call, k));
      use.bytes = std::max(use.bytes, use.elements * BytesOfStored(call.parameters[k].type));
    }
  }

  // One group of all loops if that pays, else a group for each.
  void AppendTo(std::vector<StatementGroup>* groups) const {
    const bool is_single = statements_.size() <= 1;
    const bool pays = is_single ? WritesPastCache() : BytesOfRow() * rows_ >= kLeastBytes;
    if (pays && BytesOfRow() <= kMostRowBytes) {
      // A power of two, so that blocks of a single loop are whole lines of the cache.
      const int64_t most = (is_single ? kSingleBlockBytes : kBlockBytes) / BytesOfRow();
      const int64_t block = is_single ? static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(most))) : most;
      StatementGroup group = {statements_, rows_, std::clamp<int64_t>(block, 1, rows_),
                              total_nanoseconds_ / static_cast<double>(rows_)};
      // The processor itself looks ahead in a loop that only reads and writes.
      if (!is_single) AddReadAhead(&group);
      groups->push_back(std::move(group));
      return;
    }
    for (size_t statement : statements_) groups->push_back({{statement}});
  }

 private:
  struct Use {
    int64_t elements = 0, bytes = 0;  // of all rows; 0: none belong to rows
    bool is_written = false;
  };

  // A large result need not go through the caches: even a single loop then runs block by block, unless it computes for
  // so long that it does not wait for memory.
  bool WritesPastCache() const {
    int64_t elements = 1;
    for (const auto& [array, use] : uses_) elements = std::max(elements, use.elements);
    if (total_nanoseconds_ > kNanosecondsOfElement * static_cast<double>(elements)) return false;
    return absl::c_any_of(
        uses_, [](const auto& use) { return use.second.is_written && use.second.bytes >= numerics::kPastCacheBytes; });
  }

  void AddReadAhead(StatementGroup* group) const {
    int64_t bytes = 0;
    for (const auto& [array, use] : uses_) {
      if (use.is_written || use.bytes < kFromMemoryBytes || use.bytes % rows_ != 0) continue;
      group->read_ahead.emplace_back(array, use.bytes / rows_);
      bytes += use.bytes / rows_;
    }
    if (bytes == 0) return;
    absl::c_sort(group->read_ahead);
    const int64_t shares = static_cast<int64_t>(statements_.size());
    group->block_rows = std::clamp<int64_t>(shares * kShareBytes / bytes, 1, group->block_rows);
  }

  static int64_t ElementsOf(const LoopCall& call, size_t argument) {
    return call.text.rows.elements[argument] * call.text.rows.count;
  }
  int64_t BytesOfRow() const {
    int64_t bytes = 0;
    for (const auto& [array, use] : uses_) bytes += use.bytes;
    return std::max<int64_t>(bytes / rows_, 1);
  }

  std::vector<size_t> statements_;
  int64_t rows_ = 0;
  double total_nanoseconds_ = 0;
  absl::flat_hash_map<ArrayId, Use> uses_;
};

// A comment, allocations, and the call of a loop with rows: nothing that depends on when it runs.
bool IsRowLoop(const Statement& statement) {
  return statement.calls.size() == 1 && statement.calls[0].text.rows.count > 0 && statement.takes.empty() &&
         statement.lines.size() == 2 + statement.allocations.size();
}

}  // namespace

std::vector<StatementGroup> GroupByRows(absl::Span<const Statement> statements) {
  std::vector<StatementGroup> groups;
  RowGroup open;
  int passed = 0;
  const auto close = [&] {
    open.AppendTo(&groups);
    open = RowGroup();
    passed = 0;
  };
  for (size_t s = 0; s < statements.size(); ++s) {
    const Statement& statement = statements[s];
    if (IsRowLoop(statement)) {
      if (!open.Admits(statement.calls[0])) close();
      open.Add(s, statement.calls[0]);
      continue;
    }
    const auto defined = [&](ArrayId array) { return open.Defines(array); };
    // What it takes may be written over.
    const auto used = [&](ArrayId array) { return open.UsesArray(array); };
    if (absl::c_any_of(statement.reads, defined) || absl::c_any_of(statement.takes, used) || ++passed > kMostPassed) {
      close();
    }
    groups.push_back({{s}});
  }
  close();
  return groups;
}

}  // namespace hloscope::codegen
