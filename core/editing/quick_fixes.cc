// SPDX-License-Identifier: Apache-2.0
#include "core/editing/quick_fixes.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/strings/ascii.h"
#include "core/editing/repairs.h"

namespace hloscope {
namespace {

// Of those that no diagnostic carries.
constexpr size_t kMaxShownRepairs = 4;

std::vector<TextEdit> EditsOf(const FixIt& fix) {
  std::vector<TextEdit> edits;
  for (const FixIt::Edit& edit : fix.edits) edits.push_back({edit.range, edit.replacement});
  std::sort(edits.begin(), edits.end(),
            [](const TextEdit& a, const TextEdit& b) { return a.range.begin < b.range.begin; });
  return edits;
}

// Words that begin with a letter: names, opcodes, element types, attributes. A number says less.
int WordCount(absl::string_view text) {
  int count = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_letter = absl::ascii_isalpha(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_';
    const bool is_inside = i > 0 && (absl::ascii_isalnum(static_cast<unsigned char>(text[i - 1])) != 0 ||
                                     text[i - 1] == '_' || text[i - 1] == '-' || text[i - 1] == '.');
    count += is_letter && !is_inside ? 1 : 0;
  }
  return count;
}

// Minus signs, which are not parts of names and arrows.
int SignCount(absl::string_view text) {
  int count = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : ' ';
    const bool is_sign = next != '>' && !absl::ascii_isalpha(static_cast<unsigned char>(next));
    count += text[i] == '-' && is_sign ? 1 : 0;
  }
  return count;
}

// How many of what `count` counts the text has no more after the edits.
int Lost(const Document& document, const std::vector<TextEdit>& edits, int (*count)(absl::string_view)) {
  int lost = 0;
  for (const TextEdit& edit : edits) lost += count(document.source().Slice(edit.range)) - count(edit.replacement);
  return std::max(lost, 0);
}

struct Tried {
  QuickFix fix;
  int errors_left = 0;
  bool is_guess = false;
  int words_lost = 0, signs_lost = 0;
  bool operator<(const Tried& other) const {
    return std::tuple(errors_left, is_guess, words_lost, signs_lost) <
           std::tuple(other.errors_left, other.is_guess, other.words_lost, other.signs_lost);
  }
};

bool IsAmong(const std::vector<Tried>& all, const std::vector<TextEdit>& edits) {
  const auto are_equal = [](const TextEdit& a, const TextEdit& b) {
    return a.range == b.range && a.replacement == b.replacement;
  };
  return std::any_of(all.begin(), all.end(), [&](const Tried& tried) {
    return std::equal(tried.fix.edits.begin(), tried.fix.edits.end(), edits.begin(), edits.end(), are_equal);
  });
}

// The first one is preferred if it helps more than the second, or as much and a diagnostic carries it.
void MarkPreferred(const Document& document, std::vector<Tried>* tried) {
  for (Tried& each : *tried) {
    if (each.fix.diagnostic != nullptr && each.fix.diagnostic->severity == Severity::kError)
      each.fix.is_preferred = false;
  }
  if (tried->empty()) return;
  Tried& first = tried->front();
  const bool is_alone = tried->size() == 1 || first < (*tried)[1];
  if (first.errors_left < document.error_count()) {
    first.fix.is_preferred = !first.is_guess && (is_alone || first.fix.diagnostic != nullptr);
  }
}

}  // namespace

std::vector<QuickFix> FindQuickFixes(const Document& document, SourceRange range, bool may_try,
                                     const std::function<bool()>& cancelled) {
  std::vector<Tried> tried;
  for (const Diagnostic& diagnostic : document.diagnostics()) {
    if (diagnostic.range.begin > range.end || diagnostic.range.end < range.begin) continue;
    for (const FixIt& fix : diagnostic.fixes) {
      std::vector<TextEdit> edits = EditsOf(fix);
      if (!IsAmong(tried, edits)) {
        tried.push_back({{fix.title, std::move(edits), &diagnostic, diagnostic.fixes.size() == 1}});
      }
    }
  }
  if (may_try && document.has_errors()) {
    for (Tried& each : tried) {
      if (cancelled()) break;
      each.errors_left = document.WithEdit(each.fix.edits)->error_count();
      each.words_lost = Lost(document, each.fix.edits, WordCount);
      each.signs_lost = Lost(document, each.fix.edits, SignCount);
    }
    for (Repair& repair : FindRepairs(document, range.begin, cancelled)) {
      if (IsAmong(tried, repair.edits)) continue;
      const int words = Lost(document, repair.edits, WordCount), signs = Lost(document, repair.edits, SignCount);
      tried.push_back(
          {{std::move(repair.title), std::move(repair.edits)}, repair.errors_left, repair.is_guess, words, signs});
    }
    std::stable_sort(tried.begin(), tried.end());
    MarkPreferred(document, &tried);
  }
  std::vector<QuickFix> fixes;
  size_t repairs = 0;
  // Where a diagnostic knows what is meant, repairs that cost more are in the way.
  const bool is_known = !tried.empty() && tried[0].fix.is_preferred && tried[0].fix.diagnostic != nullptr;
  const Tried first = tried.empty() ? Tried() : tried[0];
  for (Tried& each : tried) {
    const bool is_repair = each.fix.diagnostic == nullptr;
    if (is_repair && (repairs == kMaxShownRepairs || (is_known && first < each))) continue;
    repairs += is_repair ? 1 : 0;
    fixes.push_back(std::move(each.fix));
  }
  return fixes;
}

}  // namespace hloscope
