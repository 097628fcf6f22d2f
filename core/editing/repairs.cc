// SPDX-License-Identifier: Apache-2.0
#include "core/editing/repairs.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "core/editing/repair_candidates.h"

namespace hloscope {
namespace {

// Beyond these a light bulb takes too long.
constexpr int kMaxTries = 240;
// Fixes of diagnostics that are applied after a candidate, one after another.
constexpr int kMaxFollowing = 3;

int ErrorsIn(const Document& document, SourceRange range) {
  int count = 0;
  for (const Diagnostic& diagnostic : document.diagnostics()) {
    if (diagnostic.severity == Severity::kError && diagnostic.range.begin >= range.begin &&
        diagnostic.range.begin <= range.end) {
      ++count;
    }
  }
  return count;
}

SourceRange LineAt(const SourceText& source, uint32_t offset) {
  const uint32_t line = source.LineColumnAt(offset).line;
  const uint32_t begin = source.LineStart(line);
  return {begin, begin + static_cast<uint32_t>(source.Line(line).size())};
}

// The text after the edits, and where the line and what was put in front of it are now.
struct Attempt {
  std::shared_ptr<const Document> after;
  SourceRange lines;
};

Attempt Apply(const Document& document, SourceRange line, const std::vector<TextEdit>& edits) {
  int64_t moved = 0, grown = 0;
  for (const TextEdit& edit : edits) {
    const int64_t growth = static_cast<int64_t>(edit.replacement.size()) - edit.range.size();
    (edit.range.end < line.begin ? moved : grown) += growth;
  }
  return {document.WithEdit(edits),
          {static_cast<uint32_t>(line.begin + moved),
           static_cast<uint32_t>(std::max<int64_t>(line.begin, line.end + grown) + moved)}};
}

// Whether the text is better, and nothing that was touched is wrong.
bool IsRepair(const Document& document, const Attempt& attempt) {
  return attempt.after->error_count() < document.error_count() && ErrorsIn(*attempt.after, attempt.lines) == 0;
}

// The first fix of an error in the lines that stays in them; empty if there is none.
std::vector<TextEdit> FirstFix(const Document& document, SourceRange lines) {
  for (const Diagnostic& diagnostic : document.diagnostics()) {
    if (diagnostic.severity != Severity::kError || diagnostic.range.begin < lines.begin ||
        diagnostic.range.begin > lines.end) {
      continue;
    }
    for (const FixIt& fix : diagnostic.fixes) {
      std::vector<TextEdit> edits;
      for (const FixIt::Edit& edit : fix.edits) edits.push_back({edit.range, edit.replacement});
      const bool stays = std::all_of(edits.begin(), edits.end(), [&](const TextEdit& edit) {
        return edit.range.begin >= lines.begin && edit.range.end <= lines.end;
      });
      std::sort(edits.begin(), edits.end(),
                [](const TextEdit& a, const TextEdit& b) { return a.range.begin < b.range.begin; });
      if (stays && !edits.empty()) return edits;
    }
  }
  return {};
}

// One edit that makes the lines what they are after the attempt.
TextEdit LinesEdit(const Document& document, SourceRange line, const Attempt& attempt) {
  const absl::string_view before = document.source().Slice(line), after = attempt.after->source().Slice(attempt.lines);
  const size_t shorter = std::min(before.size(), after.size());
  size_t prefix = 0, suffix = 0;
  while (prefix < shorter && before[prefix] == after[prefix]) ++prefix;
  while (suffix < shorter - prefix && before[before.size() - 1 - suffix] == after[after.size() - 1 - suffix]) ++suffix;
  return {{line.begin + static_cast<uint32_t>(prefix), line.end - static_cast<uint32_t>(suffix)},
          std::string(after.substr(prefix, after.size() - suffix - prefix))};
}

class Search {
 public:
  Search(const Document& document, SourceRange line, const std::function<bool()>& cancelled)
      : document_(document), line_(line), cancelled_(cancelled) {}

  std::vector<Repair> Run(std::vector<Repair> candidates) {
    candidates.insert(candidates.begin(), {"", {}});  // the fixes of the line as it is
    for (Repair& candidate : candidates) {
      if (cancelled_() || repairs_.size() == kMaxRepairs || tries_ >= kMaxTries) break;
      if (IsNew(candidate.edits)) Try(std::move(candidate));
    }
    return std::move(repairs_);
  }

 private:
  // Different parts of the search come to the same edits.
  bool IsNew(const std::vector<TextEdit>& edits) {
    std::string key;
    for (const TextEdit& edit : edits) {
      absl::StrAppend(&key, edit.range.begin, ",", edit.range.end, ",", edit.replacement, "\n");
    }
    return tried_.insert(key).second;
  }

  void Try(Repair candidate) {
    const bool is_own = candidate.edits.empty();
    Attempt attempt = {nullptr, line_};
    if (!is_own) {
      ++tries_;
      attempt = Apply(document_, line_, candidate.edits);
      if (IsRepair(document_, attempt)) return Keep(std::move(candidate), attempt);
    }
    const bool stays = std::all_of(candidate.edits.begin(), candidate.edits.end(), [&](const TextEdit& edit) {
      return edit.range.begin >= line_.begin && edit.range.end <= line_.end;
    });
    if (!stays) return;
    for (int step = 0; step < kMaxFollowing && tries_ < kMaxTries && !cancelled_(); ++step) {
      const Document& now = attempt.after != nullptr ? *attempt.after : document_;
      const std::vector<TextEdit> fix = FirstFix(now, attempt.lines);
      if (fix.empty()) return;
      ++tries_;
      attempt = Apply(now, attempt.lines, fix);
      // A fix alone is offered with its diagnostic.
      if (!IsRepair(document_, attempt) || (is_own && step == 0)) continue;
      const TextEdit edit = LinesEdit(document_, line_, attempt);
      const absl::string_view text = absl::StripAsciiWhitespace(attempt.after->source().Slice(attempt.lines));
      constexpr size_t kMaxTitle = 80;
      return Keep({absl::StrCat("write `", text.substr(0, kMaxTitle), text.size() > kMaxTitle ? "...`" : "`"),
                   {edit},
                   0,
                   candidate.is_guess},
                  attempt);
    }
  }

  void Keep(Repair repair, const Attempt& attempt) {
    repair.errors_left = attempt.after->error_count();
    std::sort(repair.edits.begin(), repair.edits.end(),
              [](const TextEdit& a, const TextEdit& b) { return a.range.begin < b.range.begin; });
    repairs_.push_back(std::move(repair));
  }

  const Document& document_;
  const SourceRange line_;
  const std::function<bool()>& cancelled_;
  absl::flat_hash_set<std::string> tried_;
  std::vector<Repair> repairs_;
  int tries_ = 0;
};

}  // namespace

std::vector<Repair> FindRepairs(const Document& document, uint32_t offset, const std::function<bool()>& cancelled) {
  const SourceRange line = LineAt(document.source(), offset);
  if (!document.has_errors() || ErrorsIn(document, line) == 0) return {};
  std::vector<Repair> candidates;
  AddSpellingCandidates(document, line, &candidates);
  const size_t first = document.source().Slice(line).find_first_not_of(" \t");
  const InstructionId id =
      document.InstructionAt(line.begin + static_cast<uint32_t>(first == absl::string_view::npos ? 0 : first));
  if (id.has_value()) {
    AddShapeCandidates(document, id, &candidates);
    AddMeaningCandidates(document, id, &candidates);
  }
  return Search(document, line, cancelled).Run(std::move(candidates));
}

}  // namespace hloscope
