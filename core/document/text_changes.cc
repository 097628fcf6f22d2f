// SPDX-License-Identifier: Apache-2.0
#include "core/document/text_changes.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "core/document/document.h"

namespace hloscope {
namespace {

// Adds what really differs: tools often replace more than they change.
void AddChange(absl::string_view before, absl::string_view after, uint32_t before_begin, uint32_t after_begin,
               std::vector<TextChange>* changes) {
  const size_t shorter = std::min(before.size(), after.size());
  const size_t front = static_cast<size_t>(
      std::mismatch(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(shorter), after.begin()).first -
      before.begin());
  size_t back = 0;
  while (front + back < shorter && before[before.size() - 1 - back] == after[after.size() - 1 - back]) ++back;
  const auto range = [&](size_t size, uint32_t begin) {
    return SourceRange{begin + static_cast<uint32_t>(front), begin + static_cast<uint32_t>(size - back)};
  };
  const TextChange change = {range(before.size(), before_begin), range(after.size(), after_begin)};
  if (!change.before.empty() || !change.after.empty()) changes->push_back(change);
}

}  // namespace

std::shared_ptr<const SourceText> ApplyEdits(const SourceText& source, absl::Span<const TextEdit> edits,
                                             std::vector<TextChange>* changes) {
  std::vector<const TextEdit*> ordered;
  for (const TextEdit& edit : edits) ordered.push_back(&edit);
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const TextEdit* a, const TextEdit* b) { return a->range.begin < b->range.begin; });
  const absl::string_view old_text = source.text();
  size_t size = old_text.size();
  for (const TextEdit* edit : ordered) size += edit->replacement.size();
  std::string text;
  text.reserve(size);
  uint32_t copied = 0;
  for (const TextEdit* edit : ordered) {
    const uint32_t begin = std::min(std::max(edit->range.begin, copied), source.size());
    const uint32_t end = std::min(std::max(edit->range.end, begin), source.size());
    text.append(old_text.data() + copied, begin - copied);
    const uint32_t after = static_cast<uint32_t>(text.size());
    text.append(edit->replacement);
    copied = end;
    AddChange(old_text.substr(begin, end - begin), edit->replacement, begin, after, changes);
  }
  text.append(old_text.data() + copied, old_text.size() - copied);
  if (text.size() > SourceText::kMaxBytes)
    *changes = {{{0, source.size()}, {0, static_cast<uint32_t>(SourceText::kMaxBytes)}}};
  return source.WithChanges(std::move(text), *changes);
}

}  // namespace hloscope
