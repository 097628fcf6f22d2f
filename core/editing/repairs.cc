// SPDX-License-Identifier: Apache-2.0
#include "core/editing/repairs.h"

#include <algorithm>
#include <utility>

#include "core/editing/repair_candidates.h"

namespace hloscope {
namespace {

// Beyond these a light bulb takes too long.
constexpr size_t kMaxTries = 60;

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

// Whether the text is better after the edits, and nothing that they touch is wrong.
bool IsRepair(const Document& document, SourceRange line, const std::vector<TextEdit>& edits) {
  const auto after = document.WithEdit(edits);
  if (after->error_count() >= document.error_count()) return false;
  int64_t moved = 0, grown = 0;
  for (const TextEdit& edit : edits) {
    const int64_t growth = static_cast<int64_t>(edit.replacement.size()) - edit.range.size();
    (edit.range.end < line.begin ? moved : grown) += growth;
  }
  const SourceRange now = {static_cast<uint32_t>(line.begin + moved),
                           static_cast<uint32_t>(std::max<int64_t>(line.begin, line.end + grown) + moved)};
  return ErrorsIn(*after, now) == 0;
}

}  // namespace

std::vector<Repair> FindRepairs(const Document& document, uint32_t offset, const std::function<bool()>& cancelled) {
  std::vector<Repair> repairs;
  const SourceRange line = LineAt(document.source(), offset);
  if (!document.has_errors() || ErrorsIn(document, line) == 0) return repairs;
  std::vector<Repair> candidates;
  AddSpellingCandidates(document, line, &candidates);
  const size_t first = document.source().Slice(line).find_first_not_of(" \t");
  const InstructionId id =
      document.InstructionAt(line.begin + static_cast<uint32_t>(first == absl::string_view::npos ? 0 : first));
  if (id.has_value()) AddMeaningCandidates(document, id, &candidates);
  if (candidates.size() > kMaxTries) candidates.resize(kMaxTries);
  for (Repair& candidate : candidates) {
    if (cancelled() || repairs.size() == kMaxRepairs) break;
    if (IsRepair(document, line, candidate.edits)) repairs.push_back(std::move(candidate));
  }
  return repairs;
}

}  // namespace hloscope
