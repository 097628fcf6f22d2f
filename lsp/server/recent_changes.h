// SPDX-License-Identifier: Apache-2.0
// What changed between versions of a text, for answers that are made from earlier ones.
#ifndef HLOSCOPE_LSP_SERVER_RECENT_CHANGES_H_
#define HLOSCOPE_LSP_SERVER_RECENT_CHANGES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "core/source/text_change.h"

namespace hloscope::lsp {

class RecentChanges {
 public:
  // Changes that are remembered; older ones count as everything.
  static constexpr size_t kMaxKept = 128;

  struct Difference {
    bool is_everything = true;         // or the revision is too old
    std::optional<TextChange> change;  // holds all that differs; nothing: nothing does
  };

  // A step to `revision`, larger than those before. `parts` as Document::changed_parts.
  void Add(uint64_t revision, absl::Span<const TextChange> parts);
  // A step to `revision` after which nothing is as before.
  void AddEverything(uint64_t revision);

  // From the text of `revision` to the newest one.
  Difference Since(uint64_t revision) const;

 private:
  struct Step {
    uint64_t revision;
    TextChange change;
  };
  uint64_t complete_since_ = 0;  // what led to later revisions is in steps_
  std::vector<Step> steps_;
};

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_SERVER_RECENT_CHANGES_H_
