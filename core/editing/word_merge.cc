// SPDX-License-Identifier: Apache-2.0
#include "core/editing/word_merge.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/lex/lexer.h"

namespace hloscope {
namespace {

// Pairs of words that are compared; beyond that a statement changes as a whole.
constexpr size_t kMaxPairs = 4'000'000;

struct Words {
  explicit Words(absl::string_view text) : source(SourceText::FromString("", std::string(text))) {
    DiagnosticSink sink;
    tokens = Lex(*source, sink);
  }
  size_t size() const { return tokens.size() - 1; }  // without the end
  absl::string_view word(size_t i) const { return source->Slice(tokens.range(static_cast<TokenIndex>(i))); }
  uint32_t begin(size_t i) const { return tokens.begin(static_cast<TokenIndex>(i)); }
  uint32_t end(size_t i) const { return tokens.end(static_cast<TokenIndex>(i)); }

  std::shared_ptr<const SourceText> source;
  TokenBuffer tokens;
};

// Pairs of equal words of a longest common subsequence, ascending.
std::vector<std::pair<size_t, size_t>> CommonWords(const Words& a, const Words& b) {
  std::vector<std::pair<size_t, size_t>> common;
  size_t prefix = 0, suffix = 0;
  const size_t shorter = std::min(a.size(), b.size());
  while (prefix < shorter && a.word(prefix) == b.word(prefix)) ++prefix;
  while (suffix < shorter - prefix && a.word(a.size() - 1 - suffix) == b.word(b.size() - 1 - suffix)) ++suffix;
  for (size_t i = 0; i < prefix; ++i) common.emplace_back(i, i);
  const size_t n = a.size() - prefix - suffix, m = b.size() - prefix - suffix;
  if (n > 0 && m > 0 && n * m <= kMaxPairs) {
    std::vector<uint32_t> length((n + 1) * (m + 1));
    const auto at = [&](size_t i, size_t j) -> uint32_t& { return length[i * (m + 1) + j]; };
    for (size_t i = n; i-- > 0;) {
      for (size_t j = m; j-- > 0;) {
        at(i, j) =
            a.word(prefix + i) == b.word(prefix + j) ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
      }
    }
    for (size_t i = 0, j = 0; i < n && j < m;) {
      if (a.word(prefix + i) == b.word(prefix + j)) {
        common.emplace_back(prefix + i++, prefix + j++);
      } else if (at(i + 1, j) >= at(i, j + 1)) {
        ++i;
      } else {
        ++j;
      }
    }
  }
  for (size_t k = suffix; k-- > 0;) common.emplace_back(a.size() - 1 - k, b.size() - 1 - k);
  return common;
}

}  // namespace

std::vector<TextEdit> MergeWords(absl::string_view written, uint32_t offset, absl::string_view before,
                                 absl::string_view after) {
  const Words old_words(before), new_words(after), own_words(written);
  std::vector<size_t> own_of(old_words.size(), own_words.size());  // its size: the word is not written
  for (const auto& [old_word, own_word] : CommonWords(old_words, own_words)) own_of[old_word] = own_word;
  std::vector<std::pair<size_t, size_t>> same = CommonWords(old_words, new_words);
  // Only words that are written can bound a change.
  std::erase_if(same, [&](const auto& pair) { return own_of[pair.first] == own_words.size(); });
  same.emplace_back(old_words.size(), new_words.size());
  std::vector<TextEdit> edits;
  size_t old_begin = 0, new_begin = 0, own_begin = 0;  // after the last word that stays
  for (const auto& [old_word, new_word] : same) {
    const size_t own_word = old_word == old_words.size() ? own_words.size() : own_of[old_word];
    // What both have and nobody wrote stays unwritten.
    size_t old_end = old_word, new_end = new_word;
    const auto is_unwritten = [&](size_t o, size_t n) {
      return own_of[o] == own_words.size() && old_words.word(o) == new_words.word(n);
    };
    while (old_begin < old_end && new_begin < new_end && is_unwritten(old_begin, new_begin)) ++old_begin, ++new_begin;
    while (old_begin < old_end && new_begin < new_end && is_unwritten(old_end - 1, new_end - 1)) --old_end, --new_end;
    bool differs = old_end - old_begin != new_end - new_begin;
    for (size_t i = 0; !differs && old_begin + i < old_end; ++i) {
      differs = old_words.word(old_begin + i) != new_words.word(new_begin + i);
    }
    if (differs && own_begin < own_word && new_begin < new_end) {
      edits.push_back({{offset + own_words.begin(own_begin), offset + own_words.end(own_word - 1)},
                       std::string(after.substr(new_words.begin(new_begin),
                                                new_words.end(new_end - 1) - new_words.begin(new_begin)))});
    } else if (differs) {
      // Something comes or goes: so does the white space around it.
      const uint32_t from = own_begin == 0 ? 0 : own_words.end(own_begin - 1);
      const uint32_t to =
          own_word == own_words.size() ? static_cast<uint32_t>(written.size()) : own_words.begin(own_word);
      const uint32_t new_from = new_begin == 0 ? 0 : new_words.end(new_begin - 1);
      const uint32_t new_to =
          new_end == new_words.size() ? static_cast<uint32_t>(after.size()) : new_words.begin(new_end);
      edits.push_back({{offset + from, offset + std::max(from, to)},
                       std::string(after.substr(new_from, std::max(new_from, new_to) - new_from))});
    }
    old_begin = old_word + 1;
    new_begin = new_word + 1;
    own_begin = own_word + 1;
  }
  return edits;
}

}  // namespace hloscope
