// SPDX-License-Identifier: Apache-2.0
// The table of interning: from hashes to ids.
#ifndef HLOSCOPE_CORE_IR_INTERN_INDEX_H_
#define HLOSCOPE_CORE_IR_INTERN_INDEX_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/ir/chunked_vector.h"

namespace hloscope {

// Open addressing. Copies share what they did not change.
class InternIndex {
 public:
  static constexpr uint32_t kNone = 0xFFFFFFFFu;

  // The id with this hash for which equal(id) holds, or kNone.
  template <typename Equal>
  uint32_t Find(uint32_t hash, Equal equal) const {
    if (slots_.empty()) return kNone;
    const size_t mask = slots_.size() - 1;
    for (size_t slot = hash & mask;; slot = (slot + 1) & mask) {
      const uint64_t entry = slots_[slot];
      if (entry == 0) return kNone;
      const uint32_t id = static_cast<uint32_t>(entry) - 1;
      if (static_cast<uint32_t>(entry >> 32) == hash && equal(id)) return id;
    }
  }

  // Says that Find will be asked for this hash soon. In a large table its place is in no cache.
  void Prefetch(uint32_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
  }

  // Makes room for `count` ids in all, so that adding them moves nothing.
  void Reserve(size_t count) {
    size_t size = std::max(slots_.size(), kFirstSize);
    while (size < count * 2) size *= 2;
    if (size > slots_.size()) Resize(size);
  }

  // Adds an id that Find does not find; at most 2^32 - 2 of them.
  void Insert(uint32_t hash, uint32_t id) {
    if ((count_ + 1) * 2 > slots_.size()) Resize(slots_.empty() ? kFirstSize : slots_.size() * 2);
    Place(hash, (uint64_t{hash} << 32) | (uint64_t{id} + 1));
    ++count_;
  }

  size_t MemoryUsage() const { return slots_.MemoryUsage(); }

 private:
  static constexpr size_t kFirstSize = 64;

  void Place(uint32_t hash, uint64_t entry) {
    const size_t mask = slots_.size() - 1;
    size_t slot = hash & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_.Mutable(slot) = entry;
  }

  void Resize(size_t size) {
    ChunkedVector<uint64_t> old;
    old.swap(slots_);
    slots_.reserve(size);
    for (size_t i = 0; i < size; ++i) slots_.push_back(0);
    for (uint64_t entry : old) {
      if (entry != 0) Place(static_cast<uint32_t>(entry >> 32), entry);
    }
  }

  ChunkedVector<uint64_t> slots_;  // hash << 32 | id + 1; 0: empty
  size_t count_ = 0;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_IR_INTERN_INDEX_H_
