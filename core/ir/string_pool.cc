#include "core/ir/string_pool.h"

#include <algorithm>
#include <cstring>

#include "absl/hash/hash.h"

namespace hloscope {
namespace {
constexpr size_t kFirstTableSize = 1024;
constexpr size_t kChunkBytes = 1 << 16;

uint32_t HashText(absl::string_view text) { return static_cast<uint32_t>(absl::HashOf(text)); }
}  // namespace

StringPool::StringPool() : table_(kFirstTableSize, 0) {}

// The copy shares the full chunks and starts a chunk of its own: both may go on interning.
StringPool::StringPool(const StringPool& other)
    : chunks_(other.chunks_), views_(other.views_), hashes_(other.hashes_), table_(other.table_) {}

StringPool& StringPool::operator=(const StringPool& other) {
  if (this != &other) {
    StringPool copy(other);
    *this = std::move(copy);
  }
  return *this;
}

absl::string_view StringPool::Store(absl::string_view text) {
  if (text.empty()) return absl::string_view("");
  if (chunk_used_ + text.size() > chunk_size_) {
    chunk_size_ = std::max(kChunkBytes, text.size());
    chunk_used_ = 0;
    chunks_.push_back(std::shared_ptr<char[]>(new char[chunk_size_]));
  }
  char* place = chunks_.back().get() + chunk_used_;
  std::memcpy(place, text.data(), text.size());
  chunk_used_ += text.size();
  return absl::string_view(place, text.size());
}

void StringPool::Grow() {
  const size_t size = table_.size() * 2;
  table_.assign(size, 0);
  for (uint32_t id = 0; id < views_.size(); ++id) {
    size_t slot = hashes_[id] & (size - 1);
    while (table_[slot] != 0) slot = (slot + 1) & (size - 1);
    table_[slot] = id + 1;
  }
}

StringId StringPool::Intern(absl::string_view text) {
  const uint32_t hash = HashText(text);
  size_t slot = hash & (table_.size() - 1);
  while (table_[slot] != 0) {
    const uint32_t id = table_[slot] - 1;
    if (hashes_[id] == hash && views_[id] == text) return StringId(id);
    slot = (slot + 1) & (table_.size() - 1);
  }
  const uint32_t id = static_cast<uint32_t>(views_.size());
  views_.push_back(Store(text));
  hashes_.push_back(hash);
  table_[slot] = id + 1;
  if (views_.size() * 2 > table_.size()) Grow();
  return StringId(id);
}

StringId StringPool::Find(absl::string_view text) const {
  const uint32_t hash = HashText(text);
  size_t slot = hash & (table_.size() - 1);
  while (table_[slot] != 0) {
    const uint32_t id = table_[slot] - 1;
    if (hashes_[id] == hash && views_[id] == text) return StringId(id);
    slot = (slot + 1) & (table_.size() - 1);
  }
  return StringId::None();
}

size_t StringPool::MemoryUsage() const {
  return chunks_.size() * kChunkBytes + views_.capacity() * sizeof(absl::string_view) + hashes_.capacity() * 4 +
         table_.capacity() * 4;
}

}  // namespace hloscope
