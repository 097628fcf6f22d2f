// A fixed set of words and what they stand for.
#ifndef HLOSCOPE_CORE_IR_WORD_TABLE_H_
#define HLOSCOPE_CORE_IR_WORD_TABLE_H_

#include <array>
#include <cstddef>
#include <cstdint>

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
  constexpr const Value* Find(absl::string_view word) const {
    if (word.empty()) return nullptr;
    for (size_t slot = Hash(word); !slots_[slot].word.empty(); slot = (slot + 1) % kSlots) {
      if (slots_[slot].word == word) return &slots_[slot].value;
    }
    return nullptr;
  }

 private:
  struct Slot {
    absl::string_view word;
    Value value = {};
  };

  static constexpr size_t Hash(absl::string_view word) {
    const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<uint8_t>(word[i])); };
    return (word.size() * 131 + byte(0) * 31 + byte(word.size() / 2) * 7 + byte(word.size() - 1) * 59) % kSlots;
  }

  std::array<Slot, kSlots> slots_ = {};
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_IR_WORD_TABLE_H_
