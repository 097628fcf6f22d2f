// SPDX-License-Identifier: Apache-2.0
// A fixed set of words and what they stand for.
#ifndef HLOSCOPE_CORE_IR_WORD_TABLE_H_
#define HLOSCOPE_CORE_IR_WORD_TABLE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "absl/strings/string_view.h"

namespace hloscope {

// Open addressing by a hash of the length and three bytes, which tells nearly all words of the format apart. The
// compiler can make the table. `kSlots` is a power of two, well above the number of words.
template <typename Value, size_t kSlots>
class WordTable {
 public:
  constexpr WordTable() = default;

  // Words are not empty. Of equal words the first one counts.
  constexpr void Add(absl::string_view word, Value value) {
    size_t slot = Hash(word);
    while (!slots_[slot].word.empty()) {
      if (slots_[slot].word == word) return;
      slot = (slot + 1) % kSlots;
    }
    slots_[slot] = {word, value};
  }

  // Null for a word that is not in the table.
  const Value* Find(absl::string_view word) const {
    if (word.empty()) return nullptr;
    for (size_t slot = Hash(word); !slots_[slot].word.empty(); slot = (slot + 1) % kSlots) {
      if (SameWord(slots_[slot].word, word)) return &slots_[slot].value;
    }
    return nullptr;
  }

 private:
  struct Slot {
    absl::string_view word;
    Value value = {};
  };

  // As a == b. Words are short: a call of memcmp takes longer than comparing them, and reading a module asks for
  // several words an instruction.
  static bool SameWord(absl::string_view a, absl::string_view b) {
    if (a.size() != b.size()) return false;
    const auto differ = [&]<typename Part>(Part, size_t at) {
      Part x, y;
      std::memcpy(&x, a.data() + at, sizeof(x));
      std::memcpy(&y, b.data() + at, sizeof(y));
      return x != y;
    };
    // The last step overlaps the one before.
    const size_t size = a.size();
    if (size >= 8) {
      for (size_t at = 0; at + 8 < size; at += 8) {
        if (differ(uint64_t{}, at)) return false;
      }
      return !differ(uint64_t{}, size - 8);
    }
    if (size >= 4) return !differ(uint32_t{}, 0) && !differ(uint32_t{}, size - 4);
    return a[0] == b[0] && a[size / 2] == b[size / 2] && a[size - 1] == b[size - 1];
  }

  static constexpr size_t Hash(absl::string_view word) {
    const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<uint8_t>(word[i])); };
    return (word.size() * 131 + byte(0) * 31 + byte(word.size() / 2) * 7 + byte(word.size() - 1) * 59) % kSlots;
  }

  std::array<Slot, kSlots> slots_ = {};
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_IR_WORD_TABLE_H_
