// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/module_builder.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/semantics/async_threads.h"
#include "core/semantics/computation_builder.h"
#include "core/semantics/header_reader.h"
#include "core/semantics/parameter_numbers.h"
#include "core/semantics/read_text.h"
#include "core/semantics/reading_progress.h"

namespace hloscope {
namespace {

// The computation that the text marks as entry, or the last one; a text without a header names the module after it.
void ChooseEntry(const ReadText& text, const ReadingProgress& progress, Module& module) {
  const SyntaxTree& tree = text.tree();
  DiagnosticSink& sink = text.sink();
  if (tree.computations.empty()) {
    // A broken header or an empty text has been reported.
    if (sink.error_count() == 0) {
      sink.Report(DiagnosticKind::kNoComputation,
                  tree.module_name != kNoToken ? text.tokens().range(tree.module_name) : SourceRange{0, 0});
    }
    return;
  }
  uint32_t entry = kNoSyntaxNode;
  for (uint32_t i = 0; i < tree.computations.size(); ++i) {
    if (tree.computations[i].entry == kNoToken) continue;
    if (entry == kNoSyntaxNode) {
      entry = i;
      continue;
    }
    const ComputationSyntax& second = tree.computations[i];
    sink.Report(DiagnosticKind::kSecondEntry, text.tokens().range(second.entry),
                second.name != kNoToken ? text.NameOf(second.name) : "")
        .Related(text.tokens().range(tree.computations[entry].entry), "the first ENTRY is here");
  }
  if (entry == kNoSyntaxNode) {
    // The last one of the text; inline computations are not candidates.
    for (uint32_t i = 0; i < tree.computations.size(); ++i) {
      if (tree.computations[i].name != kNoToken || tree.kind == SyntaxTree::TextKind::kSingleInstruction) entry = i;
    }
  }
  if (entry == kNoSyntaxNode) return;
  module.set_entry(progress.computation_of_syntax[entry]);
  ModuleHeader& header = module.mutable_header();
  if (tree.kind == SyntaxTree::TextKind::kHeaderless) {
    header.name = absl::StrCat("module_", module.ComputationName(module.entry()));
  } else if (tree.kind == SyntaxTree::TextKind::kSingleInstruction) {
    header.name = std::string(1, '_');
    header.is_scheduled = true;
  }
}

}  // namespace

BuiltModule BuildModule(const SourceText& source, const TokenBuffer& tokens, const SyntaxTree& tree,
                        const VerifyOptions& options, DiagnosticSink& sink) {
  BuiltModule result;
  Module& module = result.module;
  ReadText text(source, sink, module);
  text.SetWhole(tokens, tree);
  module.Reserve(tree.instructions.size(), tree.operands.size(), tree.attributes.size());
  ReadingProgress progress;
  progress.instruction_of_syntax.resize(tree.instructions.size());
  progress.computation_of_syntax.resize(tree.computations.size());
  ComputationBuilder computations(text, progress, module, options);
  sink.SetSource(CheckStage::kHeader);
  ReadHeader(source, tokens, tree, module, text.names(), sink);
  for (uint32_t i = 0; i < tree.computations.size(); ++i) computations.Build(i);
  AssignThreads(module);
  sink.SetSource(CheckStage::kEntry);
  ChooseEntry(text, progress, module);
  result.instruction_of_syntax = std::move(progress.instruction_of_syntax);
  result.computation_of_syntax = std::move(progress.computation_of_syntax);
  return result;
}

struct ModuleUpdater::Parts {
  Parts(const SourceText& source, const VerifyOptions& options, DiagnosticSink& sink, Module& module)
      : text(source, sink, module), module(module), computations(text, progress, module, options) {}

  ReadText text;
  ReadingProgress progress;
  Module& module;
  ComputationBuilder computations;
};

ModuleUpdater::ModuleUpdater(const SourceText& source, const VerifyOptions& options, const AnchorResolver& resolver,
                             DiagnosticSink& sink, Module& module)
    : parts_(std::make_unique<Parts>(source, options, sink, module)) {
  parts_->text.SetSurroundings(resolver);
}
ModuleUpdater::~ModuleUpdater() = default;

void ModuleUpdater::SetNamesAreUnique(const absl::flat_hash_set<StringId>* except, bool are_all) {
  parts_->computations.SetNamesAreUnique(except, are_all);
}

bool ModuleUpdater::Reread(const TokenBuffer& tokens, const SyntaxTree& tree, SyntaxId node, InstructionId id) {
  const Module& module = parts_->module;
  ReadingProgress& progress = parts_->progress;
  parts_->text.SetStatement(tokens, tree, id);
  progress.updated = id;
  progress.updated_syntax = module.instruction(id).syntax;
  progress.computation = module.instruction(id).computation;
  progress.is_irregular = false;
  progress.instruction_of_syntax.assign(tree.instructions.size(), InstructionId());
  const std::string thread(module.StringAttribute(id, AttributeKind::kAsyncExecutionThread));
  parts_->computations.Reread(node);
  // On the thread of a start depends that of what it calls, and what the other links may say.
  return !progress.is_irregular && thread == module.StringAttribute(id, AttributeKind::kAsyncExecutionThread);
}

std::optional<uint32_t> ModuleUpdater::parameter_number() const { return parts_->computations.parameter_number(); }

void ModuleUpdater::RereadParameters(ComputationId id, absl::Span<const std::pair<uint32_t, InstructionId>> owners,
                                     bool has_unreadable) {
  parts_->text.sink().SetSource(CheckStage::kComputation, id.value);
  SetParameters(parts_->text, parts_->module, id, owners, has_unreadable);
}

void ModuleUpdater::RereadComputation(ComputationId id, const TokenBuffer& result_tokens) {
  parts_->computations.Recheck(id, result_tokens);
}

}  // namespace hloscope
