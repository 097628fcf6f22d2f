// SPDX-License-Identifier: Apache-2.0
#include "lsp/server/text_sync.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "lsp/protocol/position_mapper.h"

namespace hloscope::lsp {
namespace {

// Edits of one text, the last of the text first. As long as every new change lies before all earlier ones, its
// positions mean the same in the unchanged text, and no intermediate text has to be made: editors send several cursors
// this way.
class EditBatch {
 public:
  EditBatch(std::shared_ptr<const SourceText> base, ColumnUnit unit)
      : base_(std::move(base)), positions_(*base_, unit) {}

  // False, without effect, if the change does not lie before the others; else its text is taken.
  bool Add(protocol::ContentChange& change) {
    if (!change.range.has_value()) {
      if (!descending_.empty()) return false;
      descending_.push_back({{0, base_->size()}, std::move(change.text)});
      whole_text_ = true;
      return true;
    }
    const SourceRange range = positions_.ToSourceRange(*change.range);
    if (!descending_.empty()) {
      const TextEdit& next = descending_.back();
      const protocol::Position limit = positions_.ToPosition(next.range.begin);
      // After a lone CR, an edit may join it with a LF and move the line below away.
      const bool after_cr = next.range.begin > 0 && base_->text()[next.range.begin - 1] == '\r';
      if (whole_text_ || after_cr || std::max(change.range->start, change.range->end) > limit) return false;
      if (range.end == next.range.begin) {
        descending_.back() = {{range.begin, next.range.end}, change.text + next.replacement};
        return true;
      }
    }
    descending_.push_back({range, std::move(change.text)});
    return true;
  }

  // Ends the batch.
  std::vector<TextEdit> TakeSorted() {
    std::reverse(descending_.begin(), descending_.end());
    return std::move(descending_);
  }

 private:
  std::shared_ptr<const SourceText> base_;
  PositionMapper positions_;
  std::vector<TextEdit> descending_;
  bool whole_text_ = false;
};

// The one edit that turns `from` into `to`, without their common beginning and end.
std::vector<TextEdit> Difference(absl::string_view from, absl::string_view to) {
  const size_t shorter = std::min(from.size(), to.size());
  const size_t prefix = static_cast<size_t>(
      std::mismatch(from.begin(), from.begin() + static_cast<ptrdiff_t>(shorter), to.begin()).first - from.begin());
  size_t suffix = 0;
  while (suffix < shorter - prefix && from[from.size() - 1 - suffix] == to[to.size() - 1 - suffix]) ++suffix;
  if (prefix == from.size() && prefix == to.size()) return {};
  return {{{static_cast<uint32_t>(prefix), static_cast<uint32_t>(from.size() - suffix)},
           std::string(to.substr(prefix, to.size() - suffix - prefix))}};
}

}  // namespace

std::vector<TextEdit> CombineChanges(const std::shared_ptr<const SourceText>& source,
                                     std::vector<protocol::ContentChange> changes, ColumnUnit unit) {
  // What comes before a whole text does not matter.
  const auto last_whole = std::find_if(changes.rbegin(), changes.rend(),
                                       [](const protocol::ContentChange& change) { return !change.range.has_value(); });
  if (last_whole != changes.rend()) changes.erase(changes.begin(), last_whole.base() - 1);
  std::shared_ptr<const SourceText> text = source;
  std::optional<EditBatch> batch(std::in_place, text, unit);
  for (protocol::ContentChange& change : changes) {
    if (batch->Add(change)) continue;
    text = SourceText::FromString(source->name(), ApplyEdits(text->text(), batch->TakeSorted()));
    batch.emplace(text, unit);
    batch->Add(change);
  }
  std::vector<TextEdit> edits = batch->TakeSorted();
  if (text == source) return edits;
  return Difference(source->text(), ApplyEdits(text->text(), std::move(edits)));
}

std::string ApplyEdits(absl::string_view text, std::vector<TextEdit> edits) {
  if (edits.size() == 1 && edits[0].range == SourceRange{0, static_cast<uint32_t>(text.size())})
    return std::move(edits[0].replacement);
  std::string result;
  uint32_t at = 0;
  for (const TextEdit& edit : edits) {
    const absl::string_view kept = text.substr(at, edit.range.begin - at);
    result.append(kept.data(), kept.size());
    result += edit.replacement;
    at = edit.range.end;
  }
  const absl::string_view rest = text.substr(at);
  result.append(rest.data(), rest.size());
  return result;
}

}  // namespace hloscope::lsp
