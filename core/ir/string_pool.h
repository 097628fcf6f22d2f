// SPDX-License-Identifier: Apache-2.0
// Interned strings: one copy of each distinct text, named by a StringId.
#ifndef HLOSCOPE_CORE_IR_STRING_POOL_H_
#define HLOSCOPE_CORE_IR_STRING_POOL_H_

#include <memory>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/ir/chunked_vector.h"
#include "core/ir/ids.h"
#include "core/ir/intern_index.h"
#include "core/ir/text_hash.h"

namespace hloscope {

// Copyable. Not thread-safe while interning. Views returned by Get stay valid as long as the pool or a copy of it
// lives.
class StringPool {
 public:
  StringPool() = default;
  StringPool(const StringPool& other);
  StringPool& operator=(const StringPool& other);
  StringPool(StringPool&&) = default;
  StringPool& operator=(StringPool&&) = default;

  StringId Intern(absl::string_view text) { return Intern(text, HashText(text)); }
  // The same for a text whose HashText is known.
  StringId Intern(absl::string_view text, uint64_t hash);
  // Says that a text with this HashText will be interned soon.
  void Prefetch(uint64_t hash) const { index_.Prefetch(static_cast<uint32_t>(hash)); }
  // Makes room for about this many texts in all.
  void Reserve(size_t count);
  // None if the text was never interned.
  StringId Find(absl::string_view text) const;
  absl::string_view Get(StringId id) const { return views_[id.index()]; }
  size_t size() const { return views_.size(); }
  size_t MemoryUsage() const;

 private:
  absl::string_view Store(absl::string_view text);

  // Text lives in shared, append-only chunks: copies of the pool share them.
  std::vector<std::shared_ptr<char[]>> chunks_;
  size_t chunk_used_ = 0;
  size_t chunk_size_ = 0;
  ChunkedVector<absl::string_view> views_;
  InternIndex index_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_IR_STRING_POOL_H_
