// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "core/editing/completion_parts.h"

namespace hloscope {

std::string Shorten(std::string text) {
  constexpr size_t kMaxDetail = 72;
  if (text.size() > kMaxDetail) {
    text.resize(kMaxDetail);
    text += "...";
  }
  return text;
}

int CompletionList::Match(absl::string_view word) const {
  if (word.substr(0, prefix_.size()) == prefix_) return 3;
  size_t at = 0;
  for (size_t i = 0; i < word.size() && at < prefix_.size(); ++i) {
    if (absl::ascii_tolower(static_cast<unsigned char>(word[i])) ==
        absl::ascii_tolower(static_cast<unsigned char>(prefix_[at]))) {
      ++at;
    } else if (at == i) {
      // Up to here the beginnings agree; from here on only the order of letters can.
      continue;
    }
  }
  if (at < prefix_.size()) return 0;
  const std::string lower = absl::AsciiStrToLower(word.substr(0, prefix_.size()));
  return lower == absl::AsciiStrToLower(prefix_) ? 2 : 1;
}

void CompletionList::Add(CompletionChoice choice, int64_t value) {
  const int match = Match(choice.label);
  if (match != 0) AddScored(ScoreOf(match) + value, std::move(choice));
}

void CompletionList::AddWord(ChoiceKind kind, absl::string_view label, absl::string_view insert,
                             absl::string_view detail, int64_t value, uint32_t index) {
  CompletionChoice choice;
  choice.kind = kind;
  choice.label = std::string(label);
  choice.insert = std::string(insert);
  choice.detail = std::string(detail);
  choice.index = index;
  Add(std::move(choice), value);
}

void CompletionList::AddSnippet(ChoiceKind kind, absl::string_view label, const SnippetText& snippet,
                                absl::string_view detail, int64_t value, uint32_t index) {
  CompletionChoice choice;
  choice.kind = kind;
  choice.label = std::string(label);
  choice.insert = snippet.text();
  choice.is_snippet = options_.snippets;
  choice.detail = std::string(detail);
  choice.index = index;
  Add(std::move(choice), value);
}

CompletionChoices CompletionList::Finish(SourceRange replaced) {
  CompletionChoices result;
  result.replaced = replaced;
  const size_t kept = std::min(found_.size(), options_.max_choices);
  result.complete = kept == found_.size() && is_complete_;
  std::partial_sort(found_.begin(), found_.begin() + static_cast<ptrdiff_t>(kept), found_.end(),
                    [](const Scored& a, const Scored& b) {
                      return a.score != b.score ? a.score > b.score : a.choice.label < b.choice.label;
                    });
  found_.resize(kept);
  for (Scored& scored : found_) result.choices.push_back(std::move(scored.choice));
  return result;
}

}  // namespace hloscope
