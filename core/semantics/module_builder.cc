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
  const bool is_assumed = entry == kNoSyntaxNode && tree.kind != SyntaxTree::TextKind::kSingleInstruction;
  if (entry == kNoSyntaxNode) {
    // The last one of the text; inline computations are not candidates.
    for (uint32_t i = 0; i < tree.computations.size(); ++i) {
      if (tree.computations[i].name != kNoToken || tree.kind == SyntaxTree::TextKind::kSingleInstruction) entry = i;
    }
  }
  if (entry == kNoSyntaxNode) return;
  module.set_entry(progress.computation_of_syntax[entry], is_assumed);
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
  result.computation_of_syntax = std::move(progress.computation_of_syntax);
  return result;
}

struct ModuleReader::Parts {
  Parts(const SourceText& source, const VerifyOptions& options, DiagnosticSink& sink)
      : source(source), options(options), sink(sink), text(source, sink, built.module) {}

  void SetPart(const TokenBuffer& tokens, const SyntaxTree& tree) {
    text.SetPart(tokens, tree);
    progress.instruction_of_syntax.assign(tree.instructions.size(), InstructionId());
    progress.computation_of_syntax.assign(tree.computations.size(), ComputationId());
  }
  // The computation of the node of the part has been read.
  void Note(const ComputationSyntax& node, ComputationId id) {
    built.computation_of_syntax.push_back(id);
    if (node.entry != kNoToken) {
      is_irregular = is_irregular || entry.has_value();
      entry = id;
    } else if (node.name != kNoToken) {
      last = id;
    }
  }

  const SourceText& source;
  const VerifyOptions options;
  DiagnosticSink& sink;
  BuiltModule built;
  ReadText text;
  ReadingProgress progress;
  ComputationBuilder computations{text, progress, built.module, options};
  ComputationId entry, last;  // the one that is marked, and the last that has a name
  bool is_irregular = false;
  size_t seen_diagnostics = 0;                // those that is_good() has looked at
  const TokenBuffer* frame_tokens = nullptr;  // of the computation that is read in parts
  const SyntaxTree* frame = nullptr;
  ComputationId framed;
  std::vector<SyntaxId> statements;
};

ModuleReader::ModuleReader(const SourceText& source, const VerifyOptions& options, const ExpectedSizes& expected,
                           DiagnosticSink& sink)
    : parts_(std::make_unique<Parts>(source, options, sink)) {
  parts_->built.module.Reserve(expected.instructions, expected.operands, expected.attributes);
}
ModuleReader::~ModuleReader() = default;

void ModuleReader::ReadHeader(const TokenBuffer& tokens, const SyntaxTree& tree) {
  parts_->SetPart(tokens, tree);
  parts_->is_irregular = tree.kind != SyntaxTree::TextKind::kModule || tree.module_name == kNoToken;
  parts_->sink.SetSource(CheckStage::kHeader);
  hloscope::ReadHeader(parts_->source, tokens, tree, parts_->built.module, parts_->text.names(), parts_->sink);
  ReadComputations(tokens, tree);
}

void ModuleReader::ReadComputations(const TokenBuffer& tokens, const SyntaxTree& tree) {
  ReadingProgress& progress = parts_->progress;
  parts_->SetPart(tokens, tree);
  for (uint32_t i = 0; i < tree.computations.size(); ++i) {
    parts_->computations.Build(i);
    parts_->Note(tree.computations[i], progress.computation_of_syntax[i]);
  }
  progress.first_instruction_node += static_cast<uint32_t>(tree.instructions.size());
  progress.first_computation_node += static_cast<uint32_t>(tree.computations.size());
}

void ModuleReader::StartComputation(const TokenBuffer& tokens, const SyntaxTree& tree, size_t expected_instructions) {
  parts_->is_irregular = parts_->is_irregular || tree.computations.size() != 1 || !tree.instructions.empty() ||
                         tree.kind != SyntaxTree::TextKind::kModule;
  if (parts_->is_irregular) return;
  parts_->frame_tokens = &tokens;
  parts_->frame = &tree;
  parts_->SetPart(tokens, tree);
  parts_->computations.Start(0, expected_instructions);
  parts_->framed = parts_->progress.computation;
}

void ModuleReader::ReadStatements(const TokenBuffer& tokens, const SyntaxTree& tree) {
  parts_->is_irregular = parts_->is_irregular || !tree.computations.empty();
  if (parts_->is_irregular) return;
  parts_->SetPart(tokens, tree);
  std::vector<SyntaxId>& statements = parts_->statements;
  statements.clear();
  for (uint32_t i = 0; i < tree.instructions.size(); ++i) statements.emplace_back(i);
  parts_->computations.AddInstructions(statements);
  parts_->progress.first_instruction_node += static_cast<uint32_t>(tree.instructions.size());
}

void ModuleReader::FinishComputation() {
  if (parts_->is_irregular) return;
  parts_->SetPart(*parts_->frame_tokens, *parts_->frame);
  parts_->computations.Finish(0);
  parts_->Note(parts_->frame->computations[0], parts_->framed);
  ++parts_->progress.first_computation_node;
}

bool ModuleReader::is_good() {
  const std::vector<Diagnostic>& diagnostics = parts_->sink.diagnostics();
  for (size_t& i = parts_->seen_diagnostics; i < diagnostics.size(); ++i) {
    // What others say may depend on the text around them.
    if (diagnostics[i].kind != DiagnosticKind::kReservedElided) parts_->is_irregular = true;
  }
  return !parts_->is_irregular && parts_->sink.dropped_count() == 0;
}

std::optional<BuiltModule> ModuleReader::Finish() {
  Module& module = parts_->built.module;
  if (!is_good() || module.computations().empty()) return std::nullopt;
  AssignThreads(module);
  const bool is_assumed = !parts_->entry.has_value();
  module.set_entry(is_assumed ? parts_->last : parts_->entry, is_assumed);
  return std::move(parts_->built);
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
