// SPDX-License-Identifier: Apache-2.0
// What the parts of completion share. Internal to core/editing.
//
//   completion.cc               from the place of the cursor to what is completed there
//   completion_list.cc          choices and their order
//   completion_scope.cc         what can be named at the cursor, and how well it fits
//   instruction_completion.cc   opcodes, calls of the builder interface, operands
//   shape_completion.cc         element types, shapes, layouts
//   attribute_completion.cc     attributes of instructions and their values
//   module_completion.cc        outside of computations
#ifndef HLOSCOPE_CORE_EDITING_COMPLETION_PARTS_H_
#define HLOSCOPE_CORE_EDITING_COMPLETION_PARTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/document/document.h"
#include "core/editing/completion.h"
#include "core/editing/cursor_context.h"
#include "core/editing/fitting.h"
#include "core/editing/snippet_writer.h"

namespace hloscope {

using ChoiceKind = CompletionChoice::Kind;

// Values before the cursor that a snippet's operands are chosen from.
inline constexpr size_t kRecentValues = 48;

// The beginning of a text that is too long for a detail.
std::string Shorten(std::string text);
// The shape that is written there.
std::optional<Shape> ReadShapeAt(const Document& document, SourceRange range);

// The choices that match the word before the cursor.
class CompletionList {
 public:
  static constexpr uint32_t kNoIndex = 0xFFFFFFFFu;

  // `prefix` must outlive the list.
  CompletionList(absl::string_view prefix, const CompletionOptions& options) : prefix_(prefix), options_(options) {}

  // 3: the same beginning, 2: the same but for case, 1: the letters in order; 0: no match. An empty prefix matches all.
  int Match(absl::string_view word) const;
  // The least score of a choice that matches so well.
  static int64_t ScoreOf(int match) { return static_cast<int64_t>(match) * (int64_t{1} << 48); }

  // `value` orders choices that match the prefix equally well, the largest first.
  void AddWord(ChoiceKind kind, absl::string_view label, absl::string_view insert, absl::string_view detail,
               int64_t value, uint32_t index = 0);
  void AddSnippet(ChoiceKind kind, absl::string_view label, const SnippetText& snippet, absl::string_view detail,
                  int64_t value, uint32_t index = 0);
  void AddScored(int64_t score, CompletionChoice choice) { found_.push_back({score, std::move(choice)}); }
  // There are choices that were not added.
  void SetIncomplete() { is_complete_ = false; }

  // The best ones; empties the list.
  CompletionChoices Finish(SourceRange replaced);

 private:
  struct Scored {
    int64_t score;
    CompletionChoice choice;
  };

  void Add(CompletionChoice choice, int64_t value);

  const absl::string_view prefix_;
  const CompletionOptions options_;
  bool is_complete_ = true;
  std::vector<Scored> found_;
};

// The instructions and computations that can be named at the cursor.
class CompletionScope {
 public:
  CompletionScope(const Document& document, const CursorContext& context)
      : document_(document), module_(document.module()), context_(context) {}

  // The instructions that can be operands, the last of the text first.
  const std::vector<InstructionId>& values() const;
  // How well values()[distance] is operand k.
  int64_t ValueOfOperand(const PartialInstruction& partial, size_t k, InstructionId id, size_t distance) const;

  // Whether names need a `%`, as those around have one.
  bool percent() const;
  std::string Spelled(absl::string_view name) const;

  // Calls visit(ComputationId) for the computations that can be called: completed before the instruction. The last of
  // the text first, at most `limit`.
  template <typename Visit>
  void ForEachCallable(size_t limit, Visit visit) const {
    for (size_t i = module_.computations().size(); i-- > 0 && limit > 0;) {
      if (module_.computations()[i].is_anonymous) continue;
      const SourceRange range = document_.ComputationRange(ComputationId(i));
      if (range.empty() || range.end > context_.instruction_begin) continue;
      visit(ComputationId(i));
      --limit;
    }
  }
  int64_t ValueOfComputation(const PartialInstruction& partial, AttributeKind attribute, ComputationId id) const;
  // The name of the computation that fits the attribute best, "computation" without any; "" for other attributes.
  std::string BestComputation(const PartialInstruction& partial, AttributeKind attribute) const;

 private:
  const Document& document_;
  const Module& module_;
  const CursorContext& context_;
  mutable std::optional<std::vector<InstructionId>> values_;  // known once they are asked for
  mutable std::optional<bool> percent_;
};

// One completion.
struct Completion {
  Completion(const Document& document, uint32_t offset, const CompletionOptions& options)
      : document(document),
        module(document.module()),
        options(options),
        context(CursorContextAt(document, offset)),
        partial(PartialInstructionAt(document, context)),
        scope(document, context),
        list(context.prefix, options) {}

  const Document& document;
  const Module& module;
  const CompletionOptions options;
  const CursorContext context;
  const PartialInstruction partial;
  const CompletionScope scope;
  CompletionList list;
};

// What the names say, for the place of the cursor.
void AddOperands(Completion& c, size_t k);
void AddOpcodes(Completion& c);
void AddBuilderParameters(Completion& c);
void AddNewInstructions(Completion& c);  // whole ones
void AddElementTypes(Completion& c);
void AddShapes(Completion& c);
void AddLayouts(Completion& c);
void AddAttributes(Completion& c);
void AddAttributeValues(Completion& c);
void AddTopLevel(Completion& c);
void AddHeaderAttributes(Completion& c);
void AddHeaderValue(Completion& c);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_EDITING_COMPLETION_PARTS_H_
