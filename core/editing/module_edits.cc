// SPDX-License-Identifier: Apache-2.0
#include "core/editing/module_edits.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/analysis/module_compare.h"
#include "core/editing/refactorings.h"
#include "core/editing/statement_edits.h"
#include "core/editing/text_style.h"
#include "core/editing/word_merge.h"
#include "core/print/printer.h"
#include "core/source/line_text.h"

namespace hloscope {
namespace {

struct PrintedStatement {
  InstructionId id;
  std::string name, text;
};
struct PrintedComputation {
  ComputationId id;
  std::string name, open;
  std::vector<PrintedStatement> statements;  // in printed order
};
struct PrintedParts {
  std::string header;
  std::vector<PrintedComputation> computations;
};

// What printing calls it: rewrites leave names to it. `%x = ...`, `ROOT x = ...`, `ENTRY %e (...`.
std::string NameOf(absl::string_view printed) {
  if (!absl::ConsumePrefix(&printed, "ROOT ")) absl::ConsumePrefix(&printed, "ENTRY ");
  absl::ConsumePrefix(&printed, "%");
  return std::string(printed.substr(0, printed.find(' ')));
}

PrintedParts PartsOf(const Module& module, const PrintOptions& style) {
  using Kind = PrintedModule::Part::Kind;
  const PrintedModule printed = PrintModuleWithPositions(module, style);
  PrintedParts parts;
  for (const PrintedModule::Part& part : printed.parts) {
    std::string text = printed.text.substr(part.begin, part.end - part.begin);
    switch (part.kind) {
      case Kind::kHeader:
        parts.header = std::move(text);
        break;
      case Kind::kComputationOpen:
        parts.computations.push_back({part.computation, NameOf(text), text, {}});
        break;
      case Kind::kInstruction:
        parts.computations.back().statements.push_back({part.instruction, NameOf(text), text});
        break;
      case Kind::kComputationClose:
        break;
    }
  }
  return parts;
}

bool IsLineStart(const SourceText& source, uint32_t offset) {
  return offset == 0 || source.text()[offset - 1] == '\n' || source.text()[offset - 1] == '\r';
}

// An order of a computation's instructions in which those that the text has follow one another as there, and what is
// new comes right before its first user. Operands and control predecessors come first in any case, so that what the
// text has may move before others.
class TextOrder {
 public:
  TextOrder(const Module& text, ComputationId text_computation, const Module& wanted, ComputationId computation)
      : wanted_(wanted) {
    const std::vector<InstructionId>& all = wanted.computation(computation).instructions;
    absl::flat_hash_map<absl::string_view, InstructionId> by_name;
    for (InstructionId id : all) by_name[wanted.InstructionName(id)] = id;
    for (InstructionId id : text.computation(text_computation).instructions) {
      const auto found = by_name.find(text.InstructionName(id));
      if (found != by_name.end()) Add(found->second);
    }
    for (InstructionId id : all) Add(id);
  }

  std::vector<InstructionId> Take() { return std::move(order_); }

 private:
  // With what has to come before it. Not recursive: chains are as long as programs.
  void Add(InstructionId id) {
    std::vector<InstructionId> open = {id};
    while (!open.empty()) {
      const InstructionId next = open.back();
      if (done_.contains(next)) {
        open.pop_back();
        continue;
      }
      if (!begun_.insert(next).second) {
        done_.insert(next);
        order_.push_back(next);
        open.pop_back();
        continue;
      }
      const auto push = [&](InstructionId before) {
        if (before.has_value() && !begun_.contains(before)) open.push_back(before);
      };
      const auto operands = wanted_.operands(next);
      for (size_t i = operands.size(); i-- > 0;) push(operands[i]);
      for (InstructionId before : wanted_.InstructionsAttribute(next, AttributeKind::kControlPredecessors))
        push(before);
    }
  }

  const Module& wanted_;
  absl::flat_hash_set<InstructionId> begun_, done_;
  std::vector<InstructionId> order_;
};

Module InTextOrder(const Module& text, Module wanted) {
  for (size_t c = 0; c < wanted.computations().size(); ++c) {
    const ComputationId id(c);
    const ComputationId old = text.FindComputation(wanted.ComputationName(id));
    if (!old.has_value()) continue;
    std::vector<InstructionId> order = TextOrder(text, old, wanted, id).Take();
    // Whatever else it depends on is no part of this computation.
    if (order.size() == wanted.computation(id).instructions.size()) {
      wanted.mutable_computation(id).instructions = std::move(order);
    }
  }
  return wanted;
}

// VS Code makes one edit of more than 1,000, which moves cursors and breakpoints.
constexpr size_t kMostEdits = 1000;

// Sorted, disjoint edits with those joined that touch, and of too many those that are nearest to one another.
std::vector<TextEdit> Joined(const SourceText& source, std::vector<TextEdit> edits) {
  std::vector<uint32_t> gaps;
  for (size_t i = 1; i < edits.size(); ++i) gaps.push_back(edits[i].range.begin - edits[i - 1].range.end);
  uint32_t widest = 0;
  if (edits.size() > kMostEdits) {
    const auto at = gaps.begin() + static_cast<std::ptrdiff_t>(edits.size() - kMostEdits - 1);
    std::nth_element(gaps.begin(), at, gaps.end());
    widest = *at;
  }
  std::vector<TextEdit> joined;
  for (TextEdit& edit : edits) {
    if (joined.empty() || edit.range.begin - joined.back().range.end > widest) {
      joined.push_back(std::move(edit));
      continue;
    }
    TextEdit& last = joined.back();
    absl::StrAppend(&last.replacement, source.Slice({last.range.end, edit.range.begin}), edit.replacement);
    last.range.end = edit.range.end;
  }
  return joined;
}

class ModuleEdits {
 public:
  ModuleEdits(const Document& document, const Module& wanted)
      : document_(document),
        source_(document.source()),
        style_(StyleOfNewParts(document)),
        old_(PartsOf(document.module(), style_)),
        new_(PartsOf(wanted, style_)) {}

  // Nothing where the text cannot be kept.
  std::optional<std::vector<TextEdit>> Make() {
    if (old_.header != new_.header) return std::nullopt;
    absl::flat_hash_map<std::string, const PrintedComputation*> wanted;
    for (const PrintedComputation& computation : new_.computations) wanted[computation.name] = &computation;
    absl::flat_hash_set<std::string> present;
    for (const PrintedComputation& computation : old_.computations) {
      present.insert(computation.name);
      const auto found = wanted.find(computation.name);
      if (found == wanted.end()) {
        RemoveComputation(computation.id);
      } else if (!Change(computation, *found->second)) {
        return std::nullopt;
      }
    }
    if (!AddComputations(present)) return std::nullopt;
    std::stable_sort(edits_.begin(), edits_.end(), [](const TextEdit& a, const TextEdit& b) {
      return std::make_pair(a.range.begin, a.range.end) < std::make_pair(b.range.begin, b.range.end);
    });
    for (size_t i = 1; i < edits_.size(); ++i) {
      if (edits_[i].range.begin < edits_[i - 1].range.end) return std::nullopt;
    }
    return Joined(source_, std::move(edits_));
  }

 private:
  // With the comments above it and the empty line after it.
  void RemoveComputation(ComputationId id) {
    SourceRange range = WithLines(source_, document_.ComputationRange(id));
    range.begin = BeginOfCommentsAbove(source_, range.begin);
    const absl::string_view text = source_.text();
    if (range.end < text.size() && text[range.end] == '\n') ++range.end;
    edits_.push_back({range, ""});
  }

  void Merge(SourceRange written, absl::string_view before, absl::string_view after) {
    for (TextEdit& edit : MergeWords(source_.Slice(written), written.begin, before, after)) {
      edits_.push_back(std::move(edit));
    }
  }

  bool Change(const PrintedComputation& before, const PrintedComputation& after) {
    if (before.open != after.open) {
      const SourceRange range = document_.ComputationRange(before.id);
      const size_t brace = source_.Slice(range).find('{');
      if (brace == absl::string_view::npos) return false;
      Merge({range.begin, range.begin + static_cast<uint32_t>(brace) + 1}, before.open, after.open);
    }
    absl::flat_hash_map<std::string, const PrintedStatement*> old_statements, new_statements;
    for (const PrintedStatement& statement : before.statements) old_statements[statement.name] = &statement;
    for (const PrintedStatement& statement : after.statements) new_statements[statement.name] = &statement;
    if (old_statements.size() != before.statements.size() || new_statements.size() != after.statements.size())
      return false;
    for (const PrintedStatement& statement : before.statements) {
      if (new_statements.contains(statement.name)) continue;
      edits_.push_back({LineOf(document_.InstructionRange(statement.id)), ""});
    }
    uint32_t last_begin = 0;
    InstructionId last_kept;
    std::vector<const PrintedStatement*> added;
    for (const PrintedStatement& statement : after.statements) {
      const auto found = old_statements.find(statement.name);
      if (found == old_statements.end()) {
        added.push_back(&statement);
        continue;
      }
      const PrintedStatement& old_statement = *found->second;
      const SourceRange range = document_.InstructionRange(old_statement.id);
      if (range.empty() || range.begin < last_begin) return false;
      last_begin = range.begin;
      last_kept = old_statement.id;
      Insert(added, BeginOfStatement(range.begin), range.begin);
      added.clear();
      if (old_statement.text != statement.text) Merge(range, old_statement.text, statement.text);
    }
    if (added.empty()) return true;
    if (!last_kept.has_value()) return false;
    const SourceRange last = document_.InstructionRange(last_kept);
    Insert(added, WithLines(source_, last).end, last.begin);
    return true;
  }

  // A statement that goes, with what is said about it on its line.
  SourceRange LineOf(SourceRange statement) const {
    const absl::string_view text = source_.text();
    size_t at = std::min(text.find_first_not_of(" \t", statement.end), text.size());
    if (text.substr(at, 2) == "//") {
      at = std::min(text.find_first_of("\r\n", at), text.size());
      statement.end = static_cast<uint32_t>(at);
    }
    return WithLines(source_, statement);
  }

  // Where something new before a statement goes: above its comments.
  uint32_t BeginOfStatement(uint32_t begin) const {
    const uint32_t line = begin - static_cast<uint32_t>(IndentationOf(source_, begin).size());
    return IsLineStart(source_, line) ? BeginOfCommentsAbove(source_, line) : begin;
  }

  // `like` is the offset of a statement with the same indentation.
  void Insert(const std::vector<const PrintedStatement*>& statements, uint32_t at, uint32_t like) {
    if (statements.empty()) return;
    const bool has_lines = IsLineStart(source_, at);
    std::string text;
    for (const PrintedStatement* statement : statements) {
      if (has_lines) absl::StrAppend(&text, IndentationOf(source_, like));
      absl::StrAppend(&text, statement->text, has_lines ? "\n" : " ");
    }
    edits_.push_back({{at, at}, std::move(text)});
  }

  // A computation that is new comes before the first one of the text that follows it in the print.
  bool AddComputations(const absl::flat_hash_set<std::string>& present) {
    std::string added;
    for (const PrintedComputation& computation : new_.computations) {
      if (!present.contains(computation.name)) {
        absl::StrAppend(&added, computation.open, "\n");
        for (const PrintedStatement& statement : computation.statements) {
          absl::StrAppend(&added, "  ", statement.text, "\n");
        }
        added += "}\n\n";
        continue;
      }
      if (added.empty()) continue;
      const auto old = std::find_if(old_.computations.begin(), old_.computations.end(),
                                    [&](const PrintedComputation& other) { return other.name == computation.name; });
      const uint32_t at = BeginOfStatement(document_.ComputationRange(old->id).begin);
      edits_.push_back({{at, at}, std::exchange(added, "")});
    }
    return added.empty();
  }

  const Document& document_;
  const SourceText& source_;
  const PrintOptions style_;
  const PrintedParts old_, new_;
  std::vector<TextEdit> edits_;
};

}  // namespace

std::vector<TextEdit> EditsToModule(const Document& document, const Module& given) {
  const Module wanted = InTextOrder(document.module(), given);
  const std::string printed = PrintModule(wanted, StyleOfNewParts(document));
  std::optional<std::vector<TextEdit>> edits = ModuleEdits(document, wanted).Make();
  if (edits.has_value()) {
    const auto changed = document.WithEdit(*edits);
    const auto expected = Document::Parse(SourceText::FromString("", printed));
    if (!changed->has_errors() && FirstDifference(changed->module(), expected->module()).empty()) {
      return *std::move(edits);
    }
  }
  return ReplaceText(document, printed);
}

}  // namespace hloscope
