// SPDX-License-Identifier: Apache-2.0
#include "core/document/edit_regions.h"

#include <algorithm>
#include <utility>

#include "core/document/diagnostic_list.h"
#include "core/lex/lexer.h"
#include "core/semantics/anchor_resolver.h"
#include "core/syntax/syntax_parser.h"

namespace hloscope {
namespace {

// Regions of one batch; more are not worth the trouble.
constexpr size_t kMaxRegions = 500;
// Statements after an edit that may read differently because of it.
constexpr size_t kMaxStatementsBehind = 64;

class RegionFinder {
 public:
  RegionFinder(const OldText& old, const SourceText& source, const std::vector<TextChange>& changes)
      : old_(old), source_(source), changes_(changes) {}

  std::optional<EditedParts> Run() {
    if (changes_.size() > kMaxRegions || !MakeWindows()) return std::nullopt;
    for (size_t w = 0; w < windows_.size(); ++w) {
      auto region = ReadWindow(w);
      if (!region) return std::nullopt;
      parts_.regions.push_back(*std::move(region));
    }
    return std::move(parts_);
  }

 private:
  // Statements [low, high) of a computation are touched by changes [first_change, last_change], or are so close that
  // their end may depend on them.
  struct Window {
    ComputationId computation;
    size_t low, high;
    size_t first_change, last_change;
  };

  const std::vector<InstructionId>& Statements(ComputationId id) const {
    return old_.module.computation(id).instructions;
  }
  size_t NodeOf(ComputationId id, size_t k) const { return old_.module.instruction(Statements(id)[k]).syntax.index(); }
  SourceRange RangeOf(ComputationId id, size_t k) const { return old_.map.nodes[NodeOf(id, k)]; }
  bool HasFlag(ComputationId id, size_t k, TextMap::NodeFlag flag) const {
    return (old_.map.flags[NodeOf(id, k)] & flag) != 0;
  }
  const TextMap::ComputationText& TextOf(ComputationId id) const {
    return old_.map.computations[old_.module.computation(id).syntax];
  }

  // The computation whose body holds the whole range; none if it has none of statements only.
  ComputationId BodyAround(SourceRange range) const {
    for (size_t i = 0; i < old_.map.computations.size(); ++i) {
      const TextMap::ComputationText& text = old_.map.computations[i];
      if (!text.is_top_level || !text.is_closed) continue;
      if (range.begin < text.body_begin || range.end > text.close_brace) continue;
      return text.is_plain ? old_.computation_of_syntax[i] : ComputationId::None();
    }
    return ComputationId::None();
  }

  // Takes a change within the name of a computation; false if it is anywhere else, or not a name afterwards.
  bool ReadName(const TextChange& change) {
    for (size_t i = 0; i < old_.map.computations.size(); ++i) {
      const TextMap::ComputationText& text = old_.map.computations[i];
      if (!text.is_top_level || !text.is_closed) continue;
      if (change.before.begin < text.name.begin || change.before.end > text.name.end) continue;
      const uint32_t shift_before = change.after.begin - change.before.begin;  // modulo 2^32
      const uint32_t shift_behind = change.after.end - change.before.end;
      const SourceRange name = {text.name.begin + shift_before, text.name.end + shift_behind};
      if (name.empty()) return false;
      // The same tokens but for the name.
      const uint32_t begin = text.range.begin + shift_before, end = text.body_begin + shift_behind;
      DiagnosticSink quiet;
      const TokenBuffer before = LexPart(old_.source, text.range.begin, text.body_begin, 0, quiet);
      const TokenBuffer after = LexPart(source_, begin, end, 0, quiet);
      TokenIndex t = 0;
      for (; before.begin(t) < text.body_begin && after.begin(t) < end; ++t) {
        if (before.kind(t) != after.kind(t)) return false;
        const bool is_name = before.begin(t) <= text.name.begin && text.name.begin < before.end(t);
        if (is_name && TokenName(after.kind(t), source_.Slice(after.range(t))) != source_.Slice(name)) return false;
        if (!is_name && old_.source.Slice(before.range(t)) != source_.Slice(after.range(t))) return false;
      }
      if (before.begin(t) < text.body_begin || after.begin(t) < end || !quiet.diagnostics().empty()) return false;
      parts_.names.push_back({old_.computation_of_syntax[i], {text.name, name}});
      return true;
    }
    return false;
  }

  // The first statement for which reached(begin) holds.
  template <typename Reached>
  size_t FirstStatement(ComputationId id, Reached reached) const {
    size_t low = 0, high = Statements(id).size();
    while (low < high) {
      const size_t middle = (low + high) / 2;
      if (reached(RangeOf(id, middle).begin)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  bool MakeWindows() {
    for (size_t i = 0; i < changes_.size(); ++i) {
      const SourceRange range = changes_[i].before;
      const ComputationId id = BodyAround(range);
      if (!id.has_value()) {
        if (!ReadName(changes_[i])) return false;
        continue;
      }
      Window window = {id, 0, 0, i, i};
      window.high = FirstStatement(id, [&](uint32_t begin) { return begin > range.end; });
      // The statement that holds the change or comes before it, and one more: it ends where the next one begins.
      window.low = FirstStatement(id, [&](uint32_t begin) { return begin >= range.begin; });
      window.low -= std::min<size_t>(window.low, 2);
      while (window.low > 0 && HasFlag(id, window.low, TextMap::kBroken)) --window.low;
      if (!windows_.empty() && windows_.back().computation == id && window.low <= windows_.back().high + 2) {
        windows_.back().high = std::max(windows_.back().high, window.high);
        windows_.back().last_change = i;
      } else {
        windows_.push_back(window);
      }
    }
    return true;
  }

  std::optional<EditRegion> ReadWindow(size_t w) const {
    const Window& window = windows_[w];
    const ComputationId id = window.computation;
    const size_t count = Statements(id).size();
    const TextMap::ComputationText& text = TextOf(id);
    const bool others_follow = w + 1 < windows_.size() && windows_[w + 1].computation == id;
    const size_t limit = others_follow ? windows_[w + 1].low : count;
    const TextChange& first = changes_[window.first_change];
    const TextChange& last = changes_[window.last_change];
    const uint32_t shift_before = first.after.begin - first.before.begin;  // modulo 2^32
    const uint32_t shift_behind = last.after.end - last.before.end;

    const bool from_start = window.low == 0 && (count == 0 || first.before.begin < RangeOf(id, 0).begin);
    const uint32_t begin = from_start ? text.body_begin : RangeOf(id, window.low).begin;
    // Where a statement may end such that what follows is as before: the begin of a later one, or the closing brace.
    const auto boundary = [&](size_t k) { return k < count ? RangeOf(id, k).begin : text.close_brace; };
    const auto boundary_at = [&](uint32_t offset) -> std::optional<size_t> {
      const uint32_t old_offset = offset - shift_behind;
      const size_t k = FirstStatement(id, [&](uint32_t at) { return at >= old_offset; });
      if (k < window.high || k > limit || boundary(k) != old_offset) return std::nullopt;
      return k;
    };

    EditRegion region;
    region.computation = id;
    region.first = window.low;
    std::optional<uint32_t> end;
    for (size_t ahead = 2;; ahead *= 4) {
      const size_t read_to = std::min(window.high + ahead, limit);
      DiagnosticSink sink;
      region.tokens = LexPart(source_, begin + shift_before, boundary(read_to) + shift_behind, 8, sink);
      bool tokens_ended = false;
      auto tree = ParseStatements(
          source_, region.tokens,
          [&](uint32_t offset) {
            const auto k = boundary_at(offset);
            if (!k) return false;
            region.last = *k;
            end = offset;
            return true;
          },
          sink, &tokens_ended);
      if (tree) {
        region.tree = *std::move(tree);
        region.sources = sink.sources();
        region.diagnostics = sink.Take();
        break;
      }
      if (!tokens_ended || read_to == limit || ahead > kMaxStatementsBehind) return std::nullopt;
    }
    region.text = {{begin, *end - shift_behind}, {begin + shift_before, *end}};
    if (!IsSimple(region) || (from_start && StartsLikeLayout(region))) return std::nullopt;
    KeepDiagnostics(region);
    FindSame(region);
    return region;
  }

  // The result shape of the signature takes the body's brace for that of a layout.
  static bool StartsLikeLayout(const EditRegion& region) {
    return region.tokens.kind(0) == TokenKind::kInteger || region.tokens.kind(0) == TokenKind::kColon;
  }

  // One node per statement, old and new, and nothing that reaches beyond the region.
  bool IsSimple(const EditRegion& region) const {
    if (region.tree.looked_far || region.tokens.has_open_frontend_attributes()) return false;
    if (!region.tree.computations.empty()) return false;
    for (const OperandSyntax& operand : region.tree.operands) {
      if (operand.nested.has_value()) return false;
    }
    for (size_t k = region.first; k < region.last; ++k) {
      if (HasFlag(region.computation, k, TextMap::kCompound)) return false;
    }
    return std::none_of(region.diagnostics.begin(), region.diagnostics.end(),
                        [](const Diagnostic& diagnostic) { return IsFarReaching(diagnostic.kind); });
  }

  // Drops what the lexer said about the tokens after the region.
  static void KeepDiagnostics(EditRegion& region) {
    size_t kept = 0;
    for (size_t i = 0; i < region.diagnostics.size(); ++i) {
      const bool is_behind =
          region.sources[i].stage == CheckStage::kLexer && region.diagnostics[i].range.begin >= region.text.after.end;
      if (is_behind) continue;
      if (kept != i) region.diagnostics[kept] = std::move(region.diagnostics[i]);
      region.sources[kept++] = region.sources[i];
    }
    region.diagnostics.resize(kept);
    region.sources.resize(kept);
  }

  bool IsSame(const EditRegion& region, size_t old_statement, size_t new_node) const {
    const InstructionSyntax& node = region.tree.instructions[new_node];
    if (node.broken || HasFlag(region.computation, old_statement, TextMap::kBroken)) return false;
    const SourceRange after = RangeOfTokens(region.tokens, node.tokens);
    return old_.source.Slice(RangeOf(region.computation, old_statement)) == source_.Slice(after);
  }

  void FindSame(EditRegion& region) const {
    const size_t old_count = region.last - region.first;
    const size_t new_count = region.tree.instructions.size();
    const size_t count = std::min(old_count, new_count);
    while (region.same_front < count && IsSame(region, region.first + region.same_front, region.same_front)) {
      ++region.same_front;
    }
    while (region.same_front + region.same_back < count &&
           IsSame(region, region.last - 1 - region.same_back, new_count - 1 - region.same_back)) {
      ++region.same_back;
    }
  }

  const OldText& old_;
  const SourceText& source_;
  const std::vector<TextChange>& changes_;
  std::vector<Window> windows_;
  EditedParts parts_;
};

}  // namespace

std::optional<EditedParts> FindEditedParts(const OldText& old, const SourceText& source,
                                           const std::vector<TextChange>& changes) {
  return RegionFinder(old, source, changes).Run();
}

}  // namespace hloscope
