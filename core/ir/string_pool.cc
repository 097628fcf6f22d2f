// SPDX-License-Identifier: Apache-2.0
#include "core/ir/string_pool.h"

#include <algorithm>
#include <cstring>

namespace hloscope {
namespace {
constexpr size_t kFirstChunkBytes = 1 << 10;
constexpr size_t kChunkBytes = 1 << 16;
}  // namespace

// The copy shares the full chunks and starts a chunk of its own: both may go on interning.
StringPool::StringPool(const StringPool& other) : chunks_(other.chunks_), views_(other.views_), index_(other.index_) {}

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
    // Copies are made for small changes: chunks start small.
    chunk_size_ = std::max(std::clamp(chunk_size_ * 2, kFirstChunkBytes, kChunkBytes), text.size());
    chunk_used_ = 0;
    chunks_.push_back(std::shared_ptr<char[]>(new char[chunk_size_]));
  }
  char* place = chunks_.back().get() + chunk_used_;
  std::memcpy(place, text.data(), text.size());
  chunk_used_ += text.size();
  return absl::string_view(place, text.size());
}

StringId StringPool::Intern(absl::string_view text, uint64_t text_hash) {
  const uint32_t hash = static_cast<uint32_t>(text_hash);
  const uint32_t found = index_.Find(hash, [&](uint32_t id) { return views_[id] == text; });
  if (found != InternIndex::kNone) return StringId(found);
  const uint32_t id = static_cast<uint32_t>(views_.size());
  views_.push_back(Store(text));
  index_.Insert(hash, id);
  return StringId(id);
}

StringId StringPool::Find(absl::string_view text) const {
  const uint32_t found =
      index_.Find(static_cast<uint32_t>(HashText(text)), [&](uint32_t id) { return views_[id] == text; });
  return found != InternIndex::kNone ? StringId(found) : StringId::None();
}

void StringPool::Reserve(size_t count) {
  views_.reserve(count);
  index_.Reserve(count);
}

size_t StringPool::MemoryUsage() const {
  return chunks_.size() * kChunkBytes + views_.MemoryUsage() + index_.MemoryUsage();
}

}  // namespace hloscope
